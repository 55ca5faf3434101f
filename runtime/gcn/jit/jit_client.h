/* SPDX-License-Identifier: MIT */
/* The runtime's side of a worker that compiles: sends units, and places what comes back. */
#ifndef RUNTIME_GCN_JIT_CLIENT_H
#define RUNTIME_GCN_JIT_CLIENT_H

#include "runtime/gcn/jit/jit.h"

enum jit_outcome {
    JIT_COMPILED,
    JIT_NOTHING, /* there was nothing to compile, or it could not be */
    JIT_LOST,    /* the worker has ended or sent nonsense; it is of no more use */
};

struct jit_client;

/* Receives the greeting of the worker at socket FD and describes ENGINE to it. NULL if it is of another build, or does
 * not answer. The socket stays the caller's. */
struct jit_client *jit_client_new(int fd, const struct gcn_engine *engine);
void jit_client_free(struct jit_client *client);

/* Has UNIT compiled, whose handlers in HANDLERS outlive the code. *SIGNAL gets the signal that ended the worker, if it
 * could tell, and *COST what it took. */
enum jit_outcome jit_client_compile(struct jit_client *client, const struct gcn_unit *unit,
                                    gcn_handler *const *handlers, unsigned flags, struct gcn_jit_code *code,
                                    int *signal, struct jit_cost *cost);

/* load.c: places the object file of SIZE bytes for a unit with COUNT micro-operations, whose handlers are HANDLERS, on
 * chunks of LANES lanes. OBJECT is aligned to 8 bytes; it is not trusted to be well-formed. */
bool object_load(const char *object, size_t size, gcn_handler *const *handlers, uint32_t count, unsigned lanes,
                 struct gcn_jit_code *code);
void object_unload(struct gcn_jit_code *code);

#endif
