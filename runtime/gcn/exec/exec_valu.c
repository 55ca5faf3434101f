/* SPDX-License-Identifier: MIT */
/* Handlers of the vector operations in ops/valu_*.def and of the compares in runtime/gcn/ops/compare.def.
 * Input: micro-operations with lines as operands. Output: the destination lines, in the lanes of EXEC; of a compare a
 * mask in a scalar pair, and for v_cmpx in EXEC too. Invariant: lanes outside EXEC keep their values, and their bits in
 * masks are 0.
 *
 * The rows are read three times: for the handlers (v_add_f32 becomes the functions v_add_f32_pp, _sp and _ps, see
 * valu_handlers.h), for their table, and for that of the saturating forms (v_add_u32_sat_pp). */
#include "runtime/gcn/exec/valu.h"

#include "runtime/gcn/exec/valu_handlers.h"

#include "runtime/gcn/ops/valu_int.def"
#include "runtime/gcn/ops/valu_f32.def"
#include "runtime/gcn/ops/valu_f64.def"
#include "runtime/gcn/ops/valu_f16.def"
#include "runtime/gcn/ops/compare.def"

#include "runtime/gcn/exec/valu_rows.h"

const struct gcn_valu_row GCN_SIMD_SYM(gcn_valu_rows)[] = {
#include "runtime/gcn/ops/valu_int.def"
#include "runtime/gcn/ops/valu_f32.def"
#include "runtime/gcn/ops/valu_f64.def"
#include "runtime/gcn/ops/valu_f16.def"
#include "runtime/gcn/ops/compare.def"
    {0, NULL, NULL, NULL},
};

#include "runtime/gcn/exec/valu_saturating_rows.h"

const struct gcn_handler_row GCN_SIMD_SYM(gcn_saturating_rows)[] = {
#include "runtime/gcn/ops/valu_int.def"
    {0, NULL},
};
