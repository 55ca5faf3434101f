/* SPDX-License-Identifier: MIT */
/* What the software GPU and its compiler, which is a process of its own, both know.
 *
 * The compiler makes one handler of the blocks of a unit: entered with any leader among them, it executes until
 * something happens that it was not compiled for, and returns the next micro-operation to interpret, as every
 * handler does. */
#ifndef RUNTIME_GCN_JIT_JIT_H
#define RUNTIME_GCN_JIT_JIT_H

#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/engine.h"
#include "runtime/gcn/translate/translate.h"

#include <stdbool.h>

enum {
    GCN_JIT_WHOLE = 1, /* compile all blocks, not only those in loops */
    GCN_JIT_KEEP = 2,  /* somebody may look at the registers of a wave that has ended, so store them */
    GCN_JIT_CHECK = 4, /* compile nothing of which LLVM says that it has been emitted wrong, for tests */
};

/* The code compiled from a unit. */
struct gcn_jit_code {
    gcn_handler *entry;
    uint8_t *entries; /* per micro-operation, whether ENTRY may be its handler; the caller frees it */
    void *memory;
    size_t size;
};

/* What compiling took. */
struct jit_cost {
    uint64_t nanoseconds;  /* of the processor */
    uint64_t instructions; /* of the machine code that was compiled; 0 if it had been kept */
};

/* Differs between builds whose structures differ. */
#define GCN_JIT_LAYOUT                                                                                       \
    (sizeof(struct gcn_wave) ^ (uint64_t)offsetof(struct gcn_wave, v) << 16 ^                                \
     (uint64_t)sizeof(struct gcn_unit) << 32 ^ (uint64_t)sizeof(struct gcn_uop) << 40 ^                      \
     (uint64_t)GCN_OP_COUNT << 48)

#endif
