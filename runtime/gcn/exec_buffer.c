/* SPDX-License-Identifier: MIT */
/* Buffer loads and stores: the fast paths, built once per instruction set of the host.
 *
 * Input and output as in exec_buffer_slow.c, which does what is not recognised here: private memory at an address
 * common to the lanes (a line per dword, moved as it is) and at different ones. */
#include "runtime/gcn/exec_buffer.h"
#include "runtime/gcn/exec_lines.h"
#include "runtime/gcn/inst.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

/* Where the N lines begin whose dwords all lanes access, if they are all valid; 0 if this is not the case. */
INLINE uint64_t private_lines(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, int n)
{
    if (op->aux & (GCN_LDS | GCN_TFE) || !gcn_buffer_is_private(b, op))
        return 0;
    if (op->aux & GCN_OFFEN && !line_adjacent(gcn_line(w, op->src[0]), 0))
        return 0;
    uint32_t offset = gcn_buffer_offset(w, op, 0);
    uint64_t begin = b->base + (uint64_t)offset * GCN_LANES, size = (uint64_t)n * GCN_LINE;
    if (offset % 4 || begin < b->end - b->records || begin + size > b->end || !mem_is_host(begin, size))
        return 0;
    return begin;
}

MEM_GUEST INLINE const struct gcn_uop *load_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w);
    if (!exec)
        return op + 1;
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint64_t from = private_lines(w, op, &b, n);
    if (!from)
        return gcn_buffer_load(w, op, 4 * (unsigned)n, NULL);
    w->at = op;
    uint32_t *d = gcn_dst(w, op->dst);
    const mem_u32 *m = (const mem_u32 *)(uintptr_t)from;
    if (exec == ALL) {
        memcpy(d, (const void *)m, (size_t)n * GCN_LINE);
        return op + 1;
    }
    const uint32_t *mask = gcn_mask(w);
    for (int k = 0; k < n; k++, d += GCN_LANES, m += GCN_LANES)
        GCN_LANE_LOOP
            d[i] = (m[i] & mask[i]) | (d[i] & ~mask[i]);
    return op + 1;
}

MEM_GUEST INLINE const struct gcn_uop *store_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w);
    if (!exec)
        return op + 1;
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint64_t to = private_lines(w, op, &b, n);
    if (!to)
        return gcn_buffer_store(w, op, 4 * (unsigned)n, 0);
    w->at = op;
    const uint32_t *s = gcn_line(w, op->dst);
    mem_u32 *m = (mem_u32 *)(uintptr_t)to;
    if (exec == ALL) {
        memcpy((void *)m, s, (size_t)n * GCN_LINE);
        return op + 1;
    }
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        for (int k = 0; k < n; k++)
            m[k * GCN_LANES + (int)lane] = s[k * GCN_LANES + (int)lane];
    }
    return op + 1;
}

#define NARROW_LOAD(name, T, statement)                                                                 \
    static uint32_t convert_##name(uint32_t d, uint32_t m_)                                             \
    {                                                                                                   \
        T m = (T)m_;                                                                                    \
        statement;                                                                                      \
        return d;                                                                                       \
    }                                                                                                   \
    HANDLER(buffer_##name)                                                                              \
    {                                                                                                   \
        return gcn_buffer_load(w, op, sizeof(T), convert_##name);                                       \
    }
#define NARROW_STORE(name, T, shift)                                                                    \
    HANDLER(buffer_##name)                                                                              \
    {                                                                                                   \
        return gcn_buffer_store(w, op, sizeof(T), shift);                                               \
    }
#define WIDE_LOAD(name, n)                                                                              \
    HANDLER(buffer_##name)                                                                              \
    {                                                                                                   \
        return load_wide(w, op, n);                                                                     \
    }
#define WIDE_STORE(name, n)                                                                             \
    HANDLER(buffer_##name)                                                                              \
    {                                                                                                   \
        return store_wide(w, op, n);                                                                    \
    }
#include "runtime/gcn/tables/memory.def"

#define NARROW_LOAD(name, ...) {GCN_OP_buffer_##name, buffer_##name},
#define NARROW_STORE(name, ...) {GCN_OP_buffer_##name, buffer_##name},
#define WIDE_LOAD(name, ...) {GCN_OP_buffer_##name, buffer_##name},
#define WIDE_STORE(name, ...) {GCN_OP_buffer_##name, buffer_##name},
const struct gcn_handler_row GCN_ISA_SYM(gcn_buffer_handlers)[] = {
#include "runtime/gcn/tables/memory.def"
    {0, NULL},
};
