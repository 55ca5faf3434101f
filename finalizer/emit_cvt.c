/* SPDX-License-Identifier: MIT */
/* Conversions (PRM 5.19), one function per pair of kinds.
 * Input: an integer or floating point value. Output: the value in the other type, rounded once. Invariant: where an
 * LLVM conversion may yield poison, its result is frozen. */
#include "finalizer/emit.h"

/* Double to half goes through float. So that it rounds only once, the float is rounded to odd: towards zero,
 * with the last bit set when that was inexact; such a bit lies too low to be a tie of half precision. */
static LLVMValueRef double_to_odd_float(struct emit *e, LLVMValueRef a)
{
    LLVMValueRef f = emit_rounded(e, FP_ZERO, "v_cvt_f32_f64 $0, $1", e->f32, &a, 1);
    LLVMValueRef back = LLVMBuildFPExt(e->b, f, e->f64, "");
    LLVMValueRef inexact = emit_compare(e, LLVMRealONE, false, back, a);
    LLVMValueRef odd = LLVMBuildOr(e->b, emit_as_int(e, f), emit_int(e, 32, 1), "");
    return emit_select(e, inexact, emit_bits(e, odd, e->f32), f);
}

static LLVMValueRef narrow(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMTypeRef to)
{
    if (LLVMTypeOf(a) == e->f64 && to == e->f16)
        a = double_to_odd_float(e, a);
    if (round == FP_NEAR && to == e->f16) /* opaque: doc/decisions/llvm-half-upper-bits.md */
        return emit_asm(e, "v_cvt_f16_f32 $0, $1", "=v,v", to, &a, 1, e->exceptions != 0);
    if (round == FP_NEAR && !e->exceptions)
        return emit_quieted(e, LLVMBuildFPTrunc(e->b, a, to, ""));
    return emit_rounded(e, round, to == e->f16 ? "v_cvt_f16_f32 $0, $1" : "v_cvt_f32_f64 $0, $1", to, &a, 1);
}

/* To a wider type, which is exact; a signaling NaN is invalid. */
static LLVMValueRef widen(struct emit *e, LLVMValueRef a, LLVMTypeRef to)
{
    if (!e->exceptions)
        return LLVMBuildFPExt(e->b, a, to, "");
    if (LLVMTypeOf(a) == e->f16)
        a = emit_asm(e, "v_cvt_f32_f16 $0, $1", "=v,v", e->f32, &a, 1, true);
    return to == e->f64 ? emit_asm(e, "v_cvt_f64_f32 $0, $1", "=v,v", to, &a, 1, true) : a;
}

LLVMValueRef emit_fp_to_fp(struct emit *e, struct fp_env env, LLVMValueRef a, LLVMTypeRef to)
{
    if (env.ftz)
        a = emit_flush(e, a);
    LLVMTypeRef from = LLVMTypeOf(a);
    LLVMValueRef result;
    if (from == to)
        result = a;
    else if (from == e->f64 || to == e->f16)
        result = narrow(e, env.round, a, to);
    else
        result = widen(e, a, to);
    return env.ftz ? emit_flush_result(e, result) : result;
}

/* Both words are exact as doubles, the high one even after it is scaled by 2^32; only their sum is rounded. It is 0 for
 * 0 alone, and then both are +0, whose sum is +0 in every rounding; cvt_test looks. */
static LLVMValueRef long_to_double(struct emit *e, enum fp_round round, bool is_signed, LLVMValueRef a)
{
    LLVMValueRef high = emit_upper_half(e, a);
    LLVMValueRef low = LLVMBuildUIToFP(e->b, emit_resize(e, a, 32, false), e->f64, "");
    high = is_signed ? LLVMBuildSIToFP(e->b, high, e->f64, "") : LLVMBuildUIToFP(e->b, high, e->f64, "");
    high = LLVMBuildFMul(e->b, high, LLVMConstReal(e->f64, 4294967296.0), "");
    if (round == FP_NEAR && !e->exceptions)
        return LLVMBuildFAdd(e->b, high, low, "");
    return emit_rounded(e, round, "v_add_f64 $0, $1, $2", e->f64, (LLVMValueRef[]){high, low}, 2);
}

/* The upper 32 significant bits, the lowest of them set when anything is cut off, are exact as a double and
 * round to float as the whole would. */
static LLVMValueRef long_to_float(struct emit *e, enum fp_round round, bool is_signed, LLVMValueRef a)
{
    LLVMTypeRef type = e->i64;
    LLVMValueRef zero = emit_int(e, 64, 0);
    LLVMValueRef negative = is_signed ? LLVMBuildICmp(e->b, LLVMIntSLT, a, zero, "") : emit_int(e, 1, 0);
    LLVMValueRef size = emit_select(e, negative, LLVMBuildSub(e->b, zero, a, ""), a);
    LLVMValueRef one = emit_or(e, size, emit_int(e, 64, 1));
    LLVMValueRef shift = emit_call(e, "llvm.ctlz", &type, 1, (LLVMValueRef[]){one, emit_int(e, 1, 0)}, 2);
    LLVMValueRef aligned = LLVMBuildShl(e->b, size, shift, "");
    LLVMValueRef high = emit_upper_half(e, aligned);
    LLVMValueRef rest = LLVMBuildICmp(e->b, LLVMIntNE, emit_resize(e, aligned, 32, false), emit_int(e, 32, 0), "");
    high = LLVMBuildOr(e->b, high, emit_resize(e, rest, 32, false), "");
    LLVMValueRef exact = LLVMBuildUIToFP(e->b, high, e->f64, "");
    exact = emit_select(e, negative, emit_fp_neg(e, exact), exact);
    LLVMValueRef rounded = emit_fp_to_fp(e, (struct fp_env){round, false}, exact, e->f32);
    LLVMValueRef power = LLVMBuildSub(e->b, emit_int(e, 32, 32), emit_resize(e, shift, 32, false), "");
    LLVMTypeRef types[] = {e->f32, e->i32};
    return emit_call(e, "llvm.ldexp", types, 2, (LLVMValueRef[]){rounded, power}, 2);
}

LLVMValueRef emit_int_to_fp(struct emit *e, enum fp_round round, bool is_signed, LLVMValueRef a, LLVMTypeRef to)
{
    if (emit_width(a) < 32)
        a = emit_resize(e, a, 32, is_signed);
    bool is_long = emit_width(a) == 64;
    if (to == e->f64)
        return is_long     ? long_to_double(e, round, is_signed, a)
               : is_signed ? LLVMBuildSIToFP(e->b, a, to, "")
                           : LLVMBuildUIToFP(e->b, a, to, "");
    if (to == e->f16) { /* a float is exact for integers in the range of half, so only one rounding is inexact */
        LLVMValueRef f = emit_int_to_fp(e, FP_ZERO, is_signed, a, e->f32);
        return narrow(e, round, f, to);
    }
    if (is_long)
        return long_to_float(e, round, is_signed, a);
    if (round == FP_NEAR && !e->exceptions)
        return is_signed ? LLVMBuildSIToFP(e->b, a, to, "") : LLVMBuildUIToFP(e->b, a, to, "");
    return emit_rounded(e, round, is_signed ? "v_cvt_f32_i32 $0, $1" : "v_cvt_f32_u32 $0, $1", to, &a, 1);
}

LLVMValueRef emit_fp_to_int(struct emit *e, struct fp_env env, bool saturate, bool is_signed, LLVMValueRef a,
                            unsigned bits)
{
    if (e->exceptions)
        return emit_exact_to_int(e, env, (struct int_limits){bits, is_signed, saturate, false}, a);
    static const enum fp_op integral[] = {[FP_NEAR] = FP_RINT, [FP_UP] = FP_CEIL, [FP_DOWN] = FP_FLOOR};
    if (env.ftz)
        a = emit_flush(e, a);
    if (env.round != FP_ZERO)
        a = emit_fp_op(e, integral[env.round], (struct fp_env){FP_NEAR, false}, &a);
    if (LLVMTypeOf(a) == e->f16)
        a = LLVMBuildFPExt(e->b, a, e->f32, "");
    LLVMTypeRef to = emit_int_type(e, bits), types[] = {to, LLVMTypeOf(a)};
    if (saturate)
        return emit_call(e, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &a, 1);
    LLVMValueRef result = is_signed ? LLVMBuildFPToSI(e->b, a, to, "") : LLVMBuildFPToUI(e->b, a, to, "");
    return emit_freeze(e, result);
}

/* Returns the largest value of an integer type of BITS bits, or the smallest when MOST is false, as an integer of WIDTH
 * bits. */
static LLVMValueRef limit(struct emit *e, bool is_signed, unsigned bits, bool most, unsigned width)
{
    LLVMValueRef ones = LLVMConstAllOnes(emit_int_type(e, bits));
    LLVMValueRef top = emit_sign_mask(e, bits);
    LLVMValueRef value = is_signed ? (most ? LLVMConstNot(top) : top) : (most ? ones : LLVMConstNull(LLVMTypeOf(ones)));
    return emit_resize(e, value, width, is_signed);
}

LLVMValueRef emit_int_to_int(struct emit *e, bool saturate, bool from_signed, LLVMValueRef a, bool to_signed,
                             unsigned bits)
{
    unsigned width = emit_width(a);
    if (!saturate)
        return emit_resize(e, a, bits, from_signed);
    unsigned common = width > bits ? width : bits;
    if (!from_signed && !to_signed)
        return emit_resize(
            e, emit_call2(e, "llvm.umin", emit_resize(e, a, common, false), limit(e, false, bits, true, common)), bits,
            false);
    common += from_signed != to_signed; /* with one more bit, a signed integer covers both ranges */
    LLVMValueRef wide = emit_resize(e, a, common, from_signed);
    wide = emit_call2(e, "llvm.smin", wide, limit(e, to_signed, bits, true, common));
    wide = emit_call2(e, "llvm.smax", wide, limit(e, to_signed, bits, false, common));
    return emit_resize(e, wide, bits, false);
}
