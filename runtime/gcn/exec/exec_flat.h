/* SPDX-License-Identifier: MIT */
/* Addresses of FLAT, GLOBAL and SCRATCH, and the complete, slow forms of their loads and stores.
 *
 * A fast path executes what it can prove to be harmless, and leaves everything else to the functions declared here.
 * These execute the whole instruction: they check every lane, know the apertures, and report a fault with the address
 * of its lane. */
#ifndef RUNTIME_GCN_EXEC_FLAT_H
#define RUNTIME_GCN_EXEC_FLAT_H

#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/exec_mem.h"

/* Address of LANE for FLAT and GLOBAL. */
static inline uint64_t gcn_flat_address(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane)
{
    const uint32_t *v = gcn_line(w, op->src[0]);
    uint64_t offset = (uint64_t)(int64_t)op->imm;
    if (op->aux & GCN_SADDR)
        return gcn_s64(w, op->src[2]) + v[lane] + offset;
    return (v[lane] | (uint64_t)v[GCN_LANES + lane] << 32) + offset;
}

/* Private address of LANE for SCRATCH. */
static inline uint32_t gcn_scratch_address(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane)
{
    uint32_t offset = op->aux & GCN_SADDR ? gcn_s32(w, op->src[2]) : gcn_line(w, op->src[0])[lane];
    return offset + (uint32_t)op->imm;
}

/* Loads an element of SIZE bytes (1, 2, or whole dwords) per active lane; CONVERT belongs to SIZE 1 and 2. */
const struct gcn_uop *gcn_flat_load(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, gcn_convert *convert);
/* Stores an element of SIZE bytes per active lane; sizes 1 and 2 take the bits from SHIFT on. */
const struct gcn_uop *gcn_flat_store(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift);

/* Moves SIZE bytes between DATA and what ADDRESS of LANE means to instruction OP: host memory, or for FLAT and
 * SCRATCH group and private memory too (SCRATCH: ADDRESS is a private address). On a fault the wave is stopped and
 * false returned. */
bool gcn_mem_read(struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, uint64_t address, void *data,
                  unsigned size);
bool gcn_mem_write(struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, uint64_t address, const void *data,
                   unsigned size);

#endif
