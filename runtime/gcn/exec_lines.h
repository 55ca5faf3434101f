/* SPDX-License-Identifier: MIT */
/* Moving whole lines between registers and memory; for the files built once per instruction set of the host. */
#ifndef RUNTIME_GCN_EXEC_LINES_H
#define RUNTIME_GCN_EXEC_LINES_H

#include <string.h>

#include "runtime/gcn/exec_mem.h"
#include "runtime/gcn/isa.h"

#define INLINE __attribute__((always_inline, unused)) static inline
#define ALL UINT64_MAX

/* Whether the value of each lane is STEP more than that of the lane before, without wrapping; also past the last
 * lane, so that the last element does not wrap either. */
INLINE bool line_adjacent(const uint32_t *line, uint32_t step)
{
    uint32_t first = line[0], differ = 0;
    if (line[1] - first != step || line[GCN_LANES - 1] - first != (GCN_LANES - 1) * step ||
        first > UINT32_MAX - GCN_LANES * step)
        return false;
    GCN_LANE_LOOP
        differ |= (line[i] - first) ^ (uint32_t)i * step;
    return differ == 0;
}

/* Memory of adjacent elements of N dwords into N lines, and back. */
MEM_GUEST INLINE void spread(uint32_t *d, uint64_t address, int n)
{
    const mem_u32 *m = (const mem_u32 *)(uintptr_t)address;
    if (n == 1) {
        memcpy(d, (const void *)m, GCN_LINE);
    } else {
        GCN_LANE_LOOP {
            for (int k = 0; k < n; k++)
                d[k * GCN_LANES + i] = m[i * n + k];
        }
    }
}

MEM_GUEST INLINE void collect(uint64_t address, const uint32_t *s, int n)
{
    mem_u32 *m = (mem_u32 *)(uintptr_t)address;
    if (n == 1) {
        memcpy((void *)m, s, GCN_LINE);
    } else {
        GCN_LANE_LOOP {
            for (int k = 0; k < n; k++)
                m[i * n + k] = s[k * GCN_LANES + i];
        }
    }
}

/* One lane's element of N dwords. Pairs move at once, so that an aligned 64-bit value is never seen torn. */
INLINE void load_lane(uint32_t *d, uint64_t address, int n)
{
    uint64_t low = n > 1 ? mem_load64(address) : mem_load32(address);
    uint64_t high = n == 4 ? mem_load64(address + 8) : n == 3 ? mem_load32(address + 8) : 0;
    d[0] = (uint32_t)low;
    if (n > 1)
        d[GCN_LANES] = (uint32_t)(low >> 32);
    if (n > 2)
        d[2 * GCN_LANES] = (uint32_t)high;
    if (n > 3)
        d[3 * GCN_LANES] = (uint32_t)(high >> 32);
}

INLINE void store_lane(uint64_t address, const uint32_t *s, int n)
{
    if (n == 1) {
        mem_store32(address, s[0]);
        return;
    }
    mem_store64(address, s[0] | (uint64_t)s[GCN_LANES] << 32);
    if (n == 3)
        mem_store32(address + 8, s[2 * GCN_LANES]);
    if (n == 4)
        mem_store64(address + 8, s[2 * GCN_LANES] | (uint64_t)s[3 * GCN_LANES] << 32);
}

#endif
