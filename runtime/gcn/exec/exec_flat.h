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

/* Which aperture a flat address with the upper half HIGH is in. */
enum gcn_aperture { GCN_APERTURE_NONE, GCN_APERTURE_GROUP, GCN_APERTURE_PRIVATE };

static inline enum gcn_aperture gcn_aperture_of(const struct gcn_wave *w, uint32_t high)
{
    if (high == GCN_SHARED_BASE_HI || high == GCN_SHARED_BASE_HI + w->group_tag)
        return GCN_APERTURE_GROUP;
    if (high == GCN_PRIVATE_BASE_HI || high == GCN_PRIVATE_BASE_HI + w->private_tag)
        return GCN_APERTURE_PRIVATE;
    /* One that another wave has made is used as the machine would, which knows no tags. */
    if (!w->group_tag || high & 0xffff || high < GCN_TAGGED_GROUP)
        return GCN_APERTURE_NONE;
    return high < GCN_TAGGED_PRIVATE ? GCN_APERTURE_GROUP : GCN_APERTURE_PRIVATE;
}

/* Whether the work-group, or for private memory the wave, that made a flat address in an aperture was another one. */
static inline bool gcn_aperture_is_foreign(const struct gcn_wave *w, uint32_t high)
{
    return high >= GCN_TAGGED_GROUP && high != GCN_SHARED_BASE_HI + w->group_tag &&
           high != GCN_PRIVATE_BASE_HI + w->private_tag && gcn_aperture_of(w, high) != GCN_APERTURE_NONE;
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
