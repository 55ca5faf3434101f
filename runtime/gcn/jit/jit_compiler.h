/* SPDX-License-Identifier: MIT */
/* The compiler as the process that it runs in sees it.
 *
 * It never calls a handler. So a handler may be any number that the engine has in all places of that handler. */
#ifndef RUNTIME_GCN_JIT_JIT_COMPILER_H
#define RUNTIME_GCN_JIT_JIT_COMPILER_H

#include "runtime/gcn/jit/jit.h"

struct gcn_jit;

/* Handlers that the compiler must know and no engine lists. */
struct gcn_jit_control {
    const struct gcn_branch_handlers *branches;
    gcn_handler *count, *enter;
};

/* What a unit has been compiled to. */
struct jit_result {
    uint8_t *entries; /* per micro-operation, whether code may be entered there; the caller frees it */
    char *object;     /* an object file; the caller frees it */
    size_t size;
    unsigned instructions; /* of machine code that have been compiled */
};

/* Readies the compiler for ENGINE, whose chunks have LANES lanes: 8 or 16. NULL if it cannot be. */
struct gcn_jit *jit_open(const struct gcn_engine *engine, unsigned lanes, const struct gcn_jit_control *control);
void jit_close(struct gcn_jit *jit);

/* The processor, and the version of LLVM. */
const char *jit_host(unsigned lanes);

/* Compiles UNIT, whose handlers are HANDLERS. False if there is nothing to compile or it failed. */
bool jit_compile(struct gcn_jit *jit, const struct gcn_unit *unit, gcn_handler *const *handlers, unsigned flags,
                 struct jit_result *result);

#endif
