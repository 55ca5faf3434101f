/* SPDX-License-Identifier: MIT */
/* Handlers of the vector compares in ops/compare.def.
 * Input: micro-operations with lines as sources. Output: a mask in a scalar pair, for v_cmpx in EXEC too.
 * Invariant: bits of lanes outside EXEC are 0. */
#include "runtime/gcn/valu.h"

#include "runtime/gcn/valu_handlers.h"

#include "runtime/gcn/ops/compare.def"

#include "runtime/gcn/valu_rows.h"

const struct gcn_valu_row GCN_SIMD_SYM(gcn_compare_rows)[] = {
#include "runtime/gcn/ops/compare.def"
    {0, NULL, NULL, NULL},
};
