/* SPDX-License-Identifier: MIT */
/* The handlers of every operation, for one instruction set of the host. */
#ifndef RUNTIME_GCN_ENGINE_H
#define RUNTIME_GCN_ENGINE_H

#include "runtime/gcn/inst/inst.h"
#include "runtime/gcn/translate/micro.h"

struct gcn_engine {
    const char *name; /* "base", "avx2", "avx512" */
    gcn_handler *const *micro;
    gcn_handler *plain[GCN_OP_COUNT];      /* as rows say; vector operations: all sources are lines */
    gcn_handler *scalar0[GCN_OP_COUNT];    /* vector operations whose src[0] is a scalar; or NULL */
    gcn_handler *scalar1[GCN_OP_COUNT];    /* ... whose src[1] is one */
    gcn_handler *saturating[GCN_OP_COUNT]; /* integer operations with CLAMP; or NULL */
    gcn_handler *adjacent[GCN_OP_COUNT];   /* loads and stores of streams where all elements are adjacent, ... */
    gcn_handler *in_rows[GCN_OP_COUNT];    /* ... or rows of GCN_SHORT_ROW lanes; see exec_stream.c; or NULL */
};

/* The engine called NAME, or the best one that this host runs if NAME is NULL or empty. NULL if the host does
 * not run it or there is none of that name. Thread-safe; the result lives for ever. */
const struct gcn_engine *gcn_engine_select(const char *name);

#endif
