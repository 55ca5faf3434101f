/* SPDX-License-Identifier: MIT */
/* Single accesses to group memory (LDS), and what the files about it share. */
#ifndef RUNTIME_GCN_EXEC_LDS_H
#define RUNTIME_GCN_EXEC_LDS_H

#include <stdbool.h>
#include <string.h>

#include "runtime/gcn/exec/exec.h"

static inline bool gcn_lds_has(const struct gcn_wave *w, uint32_t address, uint32_t size)
{
    return w->lds_size >= size && address <= w->lds_size - size;
}

/* Reads or writes an element of SIZE bytes (4 or 8). Outside of the allocation it reads as zero and is not written. */
static inline uint64_t gcn_lds_read(const struct gcn_wave *w, uint32_t address, uint32_t size)
{
    uint64_t value = 0;
    if (gcn_lds_has(w, address, size))
        memcpy(&value, w->lds + address, size);
    return value;
}

static inline void gcn_lds_write(struct gcn_wave *w, uint32_t address, uint64_t value, uint32_t size)
{
    if (gcn_lds_has(w, address, size))
        memcpy(w->lds + address, &value, size);
}

/* The lane that LANE reads in ds_swizzle with this offset: inside a quad, rotated or in the order of a fast Fourier
 * transform, or by an and-or-xor mask; never outside its half of the wave. */
static inline unsigned gcn_swizzle(unsigned lane, uint32_t offset)
{
    unsigned low = lane & 31, half = lane & 32, mask = offset & 31;
    if (offset >= 0xE000) {
        unsigned reversed = 0;
        for (unsigned i = 0; i < 5; i++)
            reversed |= (low >> i & 1) << (4 - i);
        return half | reversed >> __builtin_popcount(mask) | (low & mask);
    }
    if (offset >= 0xC000) {
        unsigned by = offset >> 5 & 31;
        return half | (low & mask) | ((offset & 0x400 ? low - by : low + by) & ~mask & 31);
    }
    if (offset & 0x8000)
        return (lane & ~3u) | (offset >> 2 * (lane & 3) & 3);
    return half | (((low & mask) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

/* There is no global data share, as an HSA kernel has no way to get any of it: its instructions fault. */
static inline const struct gcn_uop *gcn_no_gds(struct gcn_wave *w, const struct gcn_uop *op)
{
    return gcn_raise(w, op, GCN_FAULT_UNIMPLEMENTED, 0);
}

#endif
