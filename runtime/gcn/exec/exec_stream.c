/* SPDX-License-Identifier: MIT */
/* Loads and stores of global memory where all lanes are active and access adjacent elements, or rows of adjacent
 * dwords; built once per instruction set of the host.
 *
 * Input and output as of the loads and stores in exec_flat.c with a scalar address, which is that of lane 0 where all
 * elements are adjacent. Invariant: whoever has a wave execute one of these handlers has made sure that its lanes lie
 * as said, and that it may access this memory. They are for the streams of runtime/gcn/bulk, where that is known
 * beforehand. */
#include "runtime/gcn/exec/exec_lines.h"
#include "runtime/gcn/inst/inst.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

INLINE const struct gcn_uop *load_narrow(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                         gcn_convert *convert)
{
    w->at = op;
    spread_narrow(gcn_dst(w, op->dst), gcn_s64(w, op->src[2]), size, convert);
    return op + 1;
}

INLINE const struct gcn_uop *store_narrow(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift)
{
    w->at = op;
    collect_narrow(gcn_s64(w, op->src[2]), gcn_line(w, op->src[1]), size, shift);
    return op + 1;
}

INLINE const struct gcn_uop *load_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    w->at = op;
    spread(gcn_dst(w, op->dst), gcn_s64(w, op->src[2]), n);
    return op + 1;
}

INLINE const struct gcn_uop *store_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    w->at = op;
    collect(gcn_s64(w, op->src[2]), gcn_line(w, op->src[1]), n);
    return op + 1;
}

/* Where the rows begin, in which GCN_SHORT_ROW lanes access adjacent dwords. */
INLINE void rows_of(const struct gcn_wave *w, const struct gcn_uop *op, uint64_t *row)
{
    const uint32_t *offset = gcn_line(w, op->src[0]);
    uint64_t base = gcn_s64(w, op->src[2]);
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += GCN_SHORT_ROW)
        row[i / GCN_SHORT_ROW] = base + offset[i];
}

HANDLER(load_dword_rows)
{
    uint64_t row[GCN_LANES / GCN_SHORT_ROW];
    rows_of(w, op, row);
    w->at = op;
    load_rows(gcn_dst(w, op->dst), row, GCN_SHORT_ROW);
    return op + 1;
}

HANDLER(store_dword_rows)
{
    uint64_t row[GCN_LANES / GCN_SHORT_ROW];
    rows_of(w, op, row);
    w->at = op;
    store_rows(row, gcn_line(w, op->src[1]), GCN_SHORT_ROW);
    return op + 1;
}

const struct gcn_handler_row GCN_SIMD_SYM(gcn_dword_rows)[] = {
    {GCN_OP_flat_load_dword, load_dword_rows},
    {GCN_OP_flat_store_dword, store_dword_rows},
    {0, NULL},
};

#define NO_D16_LOADS
#define FAMILY(name)    adjacent_##name
#define FAMILY_OP(name) GCN_OP_flat_##name
#define ROWS            GCN_SIMD_SYM(gcn_adjacent_rows)
#include "runtime/gcn/exec/exec_rows.def"
