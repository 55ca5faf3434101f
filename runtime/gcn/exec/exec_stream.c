/* SPDX-License-Identifier: MIT */
/* Loads and stores of global memory where all lanes are active and access adjacent elements; built once per instruction
 * set of the host.
 *
 * Input and output as of the loads and stores in exec_flat.c, except that src[2] is a reference to the 64-bit address
 * of lane 0, and there is no other address. Invariant: whoever has a wave execute one of these handlers has made sure
 * that it may access this memory. They are for the streams of runtime/gcn/bulk, where that is known beforehand. */
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

#define FAMILY(name)    adjacent_##name
#define FAMILY_OP(name) GCN_OP_flat_##name
#define ROWS            GCN_SIMD_SYM(gcn_adjacent_rows)
#include "runtime/gcn/exec/exec_rows.def"
