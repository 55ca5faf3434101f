/* SPDX-License-Identifier: MIT */
/* Compiles in worker processes, so that an error of LLVM ends a worker and not the program that uses the finalizer
 * (doc/decisions/compile-process.md).
 *
 * worker_finalize() sends a program to a worker and receives a code object; the worker then waits for another program.
 * Both sides come from the same build, and exchange structures through a socket pair. */
#ifndef FINALIZER_WORKER_H
#define FINALIZER_WORKER_H

#include "finalizer/program.h"
#include "support/worker_process.h"

#define WORKER_MAGIC UINT32_C(0x48534677)

/* The first message of a worker, sent when it is ready. */
struct worker_hello {
    uint32_t magic;
    uint32_t request_size; /* differs for a worker of another build */
    char version[24];
};

#define WORKER_HELLO {WORKER_MAGIC, sizeof(struct worker_request), PACKAGE_VERSION}

/* A request. The size of each module as 64 bits follows, then the bytes of the modules. */
struct worker_request {
    uint32_t magic, module_count;
    uint32_t machine_model, profile, rounding;
    uint32_t seconds; /* processor time after which the worker gives up */
    char target[96];  /* the name of an instruction set, for target_parse() */
    struct control_set control;
    struct finalize_options options;
};

/* An answer. The code object follows. */
struct worker_reply {
    uint32_t magic;
    int32_t signal; /* the signal that ended the worker, or 0; SIGALRM if its time was over */
    bool is_last;   /* the worker ends after this answer */
    uint64_t size;
    struct failure failure, remark;
};

/* Compiles the program, or the share of it that the options name, in a worker if one can be started. The result of a
 * share is an object that link_join() takes. Several threads may do so at once. */
hsa_status_t worker_finalize(const struct program *program, const struct target *target,
                             const struct control_set *control, const struct finalize_options *options,
                             struct finalize_result *result);

/* Whether the user wants no workers. */
bool worker_is_switched_off(void);

/* Ends the workers that wait for a program. */
void worker_close_all(void);

#endif
