/* SPDX-License-Identifier: MIT */
/* Compiling in processes of our own, so that LLVM can only end these (doc/decisions/compile-process.md).
 *
 * program_finalize() sends a program to a worker and receives a code object. Workers wait for further programs. The
 * two ends are of one build and talk in structures through a socket pair. */
#ifndef FINALIZER_WORKER_H
#define FINALIZER_WORKER_H

#include "finalizer/program.h"

enum { WORKER_SOCKET = 3 };
#define WORKER_MAGIC UINT32_C(0x48534677)

/* What a worker says when it is ready. */
struct worker_hello {
    uint32_t magic;
    uint32_t request_size; /* a worker of another build has another */
    char version[24];
};

/* Followed by the size of each module as 64 bits, then the modules' bytes. */
struct worker_request {
    uint32_t magic, module_count;
    uint32_t machine_model, profile, rounding;
    uint32_t seconds; /* of the processor, after which the worker gives up */
    char target[96];  /* as target_parse() reads it */
    struct control_set control;
    struct finalize_options options;
};

/* Followed by the code object. */
struct worker_reply {
    uint32_t magic;
    int32_t signal; /* that ended the worker, or 0; SIGALRM when its time was over */
    bool is_last;   /* the worker ends after this */
    uint64_t size;
    struct failure failure;
};

/* All of SIZE bytes, or false. */
bool worker_send(int fd, const void *data, size_t size);
bool worker_receive(int fd, void *data, size_t size);

/* Starts a worker that is no child of this process. Its socket, or -1 when there is none to start. */
int worker_start(void);

/* Ends the workers that wait. */
void worker_close_all(void);

#endif
