/* SPDX-License-Identifier: MIT */
/* Buffer loads and stores: the fast paths, built once per instruction set of the host.
 *
 * Input and output as in exec_buffer_slow.c, which executes whatever is not recognised here. Recognised are accesses to
 * private memory: at an address common to all lanes, where a dword of the lanes is a line that moves as a whole, and at
 * different addresses. */
#include "runtime/gcn/exec/exec_buffer.h"
#include "runtime/gcn/exec/exec_lines.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/inst/inst.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

/* Where the lines of N dwords of private memory begin, if all lanes access the same dwords and these are valid; else 0.
 */
INLINE uint64_t private_lines(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, int n)
{
    if (op->aux & (GCN_LDS | GCN_TFE) || !gcn_buffer_is_private(b, op))
        return 0;
    if (op->aux & GCN_OFFEN && !line_adjacent(gcn_line(w, op->src[0]), 0))
        return 0;
    uint32_t offset = gcn_buffer_offset(w, op, 0);
    uint64_t begin = b->base + (uint64_t)offset * GCN_LANES, size = (uint64_t)n * GCN_LINE;
    if (offset % 4 || begin < b->end - b->records || begin + size > b->end || !gcn_may_access(w, begin, size))
        return 0;
    return begin;
}

/* Finds the lanes' host addresses in private memory; false unless each element is valid and lies within one dword. */
INLINE bool private_addresses(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, uint32_t size,
                              uint64_t *address)
{
    if (op->aux & (GCN_LDS | GCN_TFE) || !gcn_buffer_is_private(b, op) || size > 4)
        return false;
    const uint32_t *line = gcn_line(w, op->src[0]), *mask = gcn_mask(w);
    uint32_t imm = (uint32_t)op->imm, offen = op->aux & GCN_OFFEN ? UINT32_MAX : 0, bad = 0;
    uint64_t begin = b->end - b->records, most = begin > b->base || b->end < b->base ? 0 : b->end - b->base;
    uint32_t limit = most / GCN_LINE * 4 > UINT32_MAX - 4 ? UINT32_MAX - 4 : (uint32_t)(most / GCN_LINE * 4);
    if (!mem_is_host(b->base, most))
        return false;
    GCN_LANE_LOOP
    {
        uint32_t offset = (line[i] & offen) + imm;
        bad |= ((uint32_t)(offset >= limit) | (uint32_t)(offset % 4 + size > 4)) & mask[i];
        address[i] = b->base + (uint64_t)(offset & ~3u) * GCN_LANES + 4 * (uint32_t)i + offset % 4;
    }
    return !bad && gcn_lanes_may_access(w, address, gcn_exec(w), size);
}

MEM_GUEST INLINE const struct gcn_uop *load_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    if (!exec)
        return op + 1;
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint64_t from = private_lines(w, op, &b, n);
    uint32_t *d = gcn_dst(w, op->dst);
    const mem_u32 *m = (const mem_u32 *)(uintptr_t)from;
    if (from && exec == ALL) {
        w->at = op;
        copy_lines(d, m, n);
    } else if (from) {
        w->at = op;
        const uint32_t *mask = gcn_mask(w);
        for (int k = 0; k < n; k++, d += GCN_LANES, m += GCN_LANES)
            GCN_LANE_LOOP
        d[i] = (m[i] & mask[i]) | (d[i] & ~mask[i]);
    } else if (private_addresses(w, op, &b, 4 * (uint32_t)n, address)) {
        w->at = op;
        for (; exec; exec &= exec - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(exec);
            d[lane] = mem_load32(address[lane]);
        }
    } else {
        return gcn_buffer_load(w, op, 4 * (unsigned)n, NULL);
    }
    return op + 1;
}

MEM_GUEST INLINE const struct gcn_uop *store_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    if (!exec)
        return op + 1;
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint64_t to = private_lines(w, op, &b, n);
    const uint32_t *s = gcn_line(w, op->dst);
    mem_u32 *m = (mem_u32 *)(uintptr_t)to;
    if (to && exec == ALL) {
        w->at = op;
        copy_lines(m, s, n);
    } else if (to) {
        w->at = op;
        for (; exec; exec &= exec - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(exec);
            for (int k = 0; k < n; k++)
                m[k * GCN_LANES + (int)lane] = s[k * GCN_LANES + (int)lane];
        }
    } else if (private_addresses(w, op, &b, 4 * (uint32_t)n, address)) {
        w->at = op;
        for (; exec; exec &= exec - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(exec);
            mem_store32(address[lane], s[lane]);
        }
    } else {
        return gcn_buffer_store(w, op, 4 * (unsigned)n, 0);
    }
    return op + 1;
}

INLINE const struct gcn_uop *load_narrow(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                         gcn_buffer_convert *convert)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    if (!exec)
        return op + 1;
    struct gcn_buffer b = gcn_buffer_of(w, op);
    if (!private_addresses(w, op, &b, size, address))
        return gcn_buffer_load(w, op, size, convert);
    uint32_t *d = gcn_dst(w, op->dst);
    w->at = op;
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        d[lane] = convert(d[lane], size == 1 ? mem_load8(address[lane]) : mem_load16(address[lane]));
    }
    return op + 1;
}

INLINE const struct gcn_uop *store_narrow(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    if (!exec)
        return op + 1;
    struct gcn_buffer b = gcn_buffer_of(w, op);
    if (!private_addresses(w, op, &b, size, address))
        return gcn_buffer_store(w, op, size, shift);
    const uint32_t *s = gcn_line(w, op->dst);
    w->at = op;
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        if (size == 1)
            mem_store8(address[lane], (uint8_t)(s[lane] >> shift));
        else
            mem_store16(address[lane], (uint16_t)(s[lane] >> shift));
    }
    return op + 1;
}

#define FAMILY(name)    buffer_##name
#define FAMILY_OP(name) GCN_OP_buffer_##name
#define ROWS            GCN_SIMD_SYM(gcn_buffer_handlers)
#include "runtime/gcn/exec/exec_rows.def"
