/* SPDX-License-Identifier: MIT */
/* Division of integers.
 * Input: a dividend and a divisor that LLVM's division takes. Output: their quotient or remainder.
 * Invariant: LLVM never sees how few bits the operands have: it then divides in floating point of 24 bits, which is
 * inexact (doc/decisions/llvm-short-division.md). */
#include "finalizer/emit.h"

static LLVMValueRef plain(struct emit *e, bool remainder, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    if (is_signed)
        return remainder ? LLVMBuildSRem(e->b, a, b, "") : LLVMBuildSDiv(e->b, a, b, "");
    return remainder ? LLVMBuildURem(e->b, a, b, "") : LLVMBuildUDiv(e->b, a, b, "");
}

/* An estimate of 2^32 / B that is never too large, from the machine's reciprocal and one step of Newton's method. */
static LLVMValueRef reciprocal(struct emit *e, LLVMValueRef b)
{
    LLVMTypeRef types[] = {e->f32};
    LLVMValueRef f = LLVMBuildUIToFP(e->b, b, e->f32, "");
    f = emit_call(e, "llvm.amdgcn.rcp", types, 1, &f, 1);
    f = LLVMBuildFMul(e->b, f, LLVMConstReal(e->f32, 4294966784.0),
                      ""); /* 2^32 - 512 leaves room for an error in the last bit */
    LLVMValueRef z = LLVMBuildFPToUI(e->b, f, e->i32, "");
    LLVMValueRef rest = LLVMBuildMul(e->b, LLVMBuildNeg(e->b, b, ""), z, "");
    return LLVMBuildAdd(e->b, z, emit_int_op(e, INT_MULHI, false, z, rest), "");
}

/* The estimated quotient is at most two too small. */
static LLVMValueRef divide_32(struct emit *e, bool remainder, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef q = emit_int_op(e, INT_MULHI, false, a, reciprocal(e, b)), one = emit_int(e, 32, 1);
    LLVMValueRef r = LLVMBuildSub(e->b, a, LLVMBuildMul(e->b, q, b, ""), "");
    for (int step = 0; step < 2; step++) {
        LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntUGE, r, b, "");
        q = emit_select(e, more, LLVMBuildAdd(e->b, q, one, ""), q);
        r = emit_select(e, more, LLVMBuildSub(e->b, r, b, ""), r);
    }
    return remainder ? r : q;
}

/* Divides the absolute values. The quotient is negative when the signs differ, the remainder when the dividend is. */
static LLVMValueRef divide_signed_32(struct emit *e, bool remainder, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef last = emit_int(e, 32, 31);
    LLVMValueRef sign_a = LLVMBuildAShr(e->b, a, last, ""), sign_b = LLVMBuildAShr(e->b, b, last, "");
    a = LLVMBuildXor(e->b, LLVMBuildAdd(e->b, a, sign_a, ""), sign_a, "");
    b = LLVMBuildXor(e->b, LLVMBuildAdd(e->b, b, sign_b, ""), sign_b, "");
    LLVMValueRef sign = remainder ? sign_a : LLVMBuildXor(e->b, sign_a, sign_b, "");
    return LLVMBuildSub(e->b, LLVMBuildXor(e->b, divide_32(e, remainder, a, b), sign, ""), sign, "");
}

static LLVMValueRef divide(struct emit *e, bool remainder, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    if (emit_width(a) == 64) /* hiding the size of one operand is enough, so the divisor may be a constant */
        return plain(e, remainder, is_signed, emit_opaque(e, a), b);
    return is_signed ? divide_signed_32(e, remainder, a, b) : divide_32(e, remainder, a, b);
}

/* On the way to an exact quotient there are floating point operations, whose exceptions do not count. */
LLVMValueRef emit_int_divide(struct emit *e, bool remainder, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    if (emit_width(a) != 64 && LLVMIsAConstantInt(b)) /* LLVM makes this a multiplication */
        return plain(e, remainder, is_signed, a, b);
    LLVMValueRef token = emit_quiet_begin(e);
    LLVMValueRef result =
        divide(e, remainder, is_signed, emit_quiet_source(e, token, a), emit_quiet_source(e, token, b));
    emit_quiet_end(e, token, &result, 1);
    return result;
}
