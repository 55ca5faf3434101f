/* SPDX-License-Identifier: MIT */
/* Handlers of the vector operations in ops/valu_f16.def.
 * Input: micro-operations with lines as operands. Output: the destination lines, in the lanes of EXEC.
 * Invariant: lanes outside EXEC keep their values. */
#include "runtime/gcn/valu.h"

#include "runtime/gcn/valu_handlers.h"

#include "runtime/gcn/ops/valu_f16.def"

#include "runtime/gcn/valu_rows.h"

const struct gcn_valu_row GCN_SIMD_SYM(gcn_valu_f16_rows)[] = {
#include "runtime/gcn/ops/valu_f16.def"
    {0, NULL, NULL, NULL},
};
