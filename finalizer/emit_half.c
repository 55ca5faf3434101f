/* SPDX-License-Identifier: MIT */
/* Half precision on GFX6 and GFX7, which convert it and do nothing else with it.
 * Input: half values. Output: the correctly rounded result. Where LLVM's own way, through float, rounds once and to
 * nearest, it is left to LLVM. */
#include "finalizer/emit.h"

static LLVMValueRef widened(struct emit *e, LLVMValueRef a, LLVMTypeRef type)
{
    return LLVMBuildFPExt(e->b, a, type, "");
}

/* The sum of two doubles, rounded to odd: towards zero, with the last bit set where that is inexact, so that rounding
 * it once more gives what rounding the exact sum would. An exact 0 has the sign that ROUND gives it. */
static LLVMValueRef odd_sum(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef sum = LLVMBuildFAdd(e->b, a, b, ""), zero = LLVMConstNull(e->f64);
    LLVMValueRef of_b = LLVMBuildFSub(e->b, sum, a, "");
    LLVMValueRef error_a = LLVMBuildFSub(e->b, a, LLVMBuildFSub(e->b, sum, of_b, ""), "");
    LLVMValueRef error = LLVMBuildFAdd(e->b, error_a, LLVMBuildFSub(e->b, b, of_b, ""), "");
    LLVMValueRef cut = emit_adjust(e, FP_ZERO, sum, error);
    LLVMValueRef odd = emit_bits(e, LLVMBuildOr(e->b, emit_as_int(e, cut), emit_int(e, 64, 1), ""), e->f64);
    LLVMValueRef result = emit_select(e, LLVMBuildFCmp(e->b, LLVMRealONE, error, zero, ""), odd, sum);
    if (round == FP_NEAR)
        return result;
    LLVMValueRef signed_zero = emit_rounded(e, round, "v_add_f64 $0, $1, $2", e->f64, (LLVMValueRef[]){a, b}, 2);
    return emit_select(e, LLVMBuildFCmp(e->b, LLVMRealOEQ, sum, zero, ""), signed_zero, result);
}

/* Sums and products of halves are exact as doubles. */
static LLVMValueRef arithmetic(struct emit *e, enum fp_op op, enum fp_round round, LLVMValueRef *args)
{
    bool is_sum = op == FP_ADD || op == FP_SUB;
    LLVMValueRef a = widened(e, args[0], e->f64), b = widened(e, args[1], e->f64), result;
    if (op == FP_SUB)
        b = emit_fp_neg(e, b);
    if (is_sum)
        result = odd_sum(e, round, a, b);
    else
        result = LLVMBuildFMul(e->b, a, b, "");
    if (op == FP_FMA || op == FP_MAD)
        result = odd_sum(e, round, result, widened(e, args[2], e->f64));
    return emit_fp_to_fp(e, (struct fp_env){round, false}, result, e->f16);
}

LLVMValueRef emit_half_op(struct emit *e, enum fp_op op, enum fp_round round, LLVMValueRef *args)
{
    if (op != FP_MIN && op != FP_MAX)
        return arithmetic(e, op, round, args);
    LLVMValueRef wide[] = {widened(e, args[0], e->f32), widened(e, args[1], e->f32)};
    LLVMValueRef result = emit_fp_op(e, op, (struct fp_env){FP_NEAR, false}, wide);
    return emit_fp_to_fp(e, (struct fp_env){FP_NEAR, false}, result, e->f16);
}

/* A half that is subnormal is a normal float, so each class is asked for on its own. */
LLVMValueRef emit_half_class(struct emit *e, LLVMValueRef value, LLVMValueRef mask)
{
    enum { CLASSES = 10 };
    LLVMValueRef found = emit_int(e, 32, 0);
    for (unsigned i = 0; i < CLASSES; i++)
        found = emit_select(e, emit_is_class(e, value, 1u << i), emit_int(e, 32, 1u << i), found);
    return LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildAnd(e->b, found, mask, ""), emit_int(e, 32, 0), "");
}
