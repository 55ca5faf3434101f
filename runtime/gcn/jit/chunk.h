/* SPDX-License-Identifier: MIT */
/* The functions that compiled code calls inside of segments, to read and write group memory for a chunk of lanes, and
 * for what is rare.
 *
 * Those for group memory are given the wave, the offset of the instruction (two for two elements, the second in the
 * upper half), a bit per lane that is active, and the lanes' addresses; data are in w->chunk, except that a function
 * that reads a single dword per lane returns them. That of v_div_fmas is given the wave and a bit per lane that is
 * scaled; its operands are in w->chunk, two rows for each, and so is the result, in the first two. Each row of the
 * table has the function of one operation, for one host instruction set. */
#ifndef RUNTIME_GCN_JIT_CHUNK_H
#define RUNTIME_GCN_JIT_CHUNK_H

#include "runtime/gcn/jit/jit.h"

typedef void chunk_fn(void);

struct chunk_row {
    chunk_fn *function;
    uint16_t id;    /* enum gcn_op */
    uint16_t scale; /* of the offsets of two elements */
    uint8_t dwords; /* registers of all elements of a lane */
    uint8_t parts;  /* elements of a lane */
    bool store;
};

/* Where row I of w->chunk is in the wave. */
static inline uint64_t chunk_place(unsigned i)
{
    return offsetof(struct gcn_wave, chunk) + 4ull * GCN_CHUNK_MAX * i;
}

/* The last row has no function. */
extern const struct chunk_row chunk_rows_avx2[], chunk_rows_avx512[];

#endif
