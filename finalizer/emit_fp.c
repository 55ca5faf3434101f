/* SPDX-License-Identifier: MIT */
/* Floating point with a rounding mode and flushing per instruction (PRM 4.19, 5.11-5.13).
 * Input: half, float or double values. Output: the correctly rounded result.
 *
 * The mode register holds round-to-nearest and subnormals everywhere but inside one piece of inline assembly:
 * LLVM knows no state of the mode register, so an operation may only differ if it brings its mode along. */
#include "finalizer/emit.h"

#include <stdio.h>

LLVMValueRef emit_rounded(struct emit *e, enum fp_round round, const char *text, LLVMTypeRef result, LLVMValueRef *args,
                          unsigned count)
{
    static const char *const constraints[] = {"", "=v,v", "=v,v,v", "=v,v,v,v"};
    char code[192];
    if (round == FP_NEAR)
        return emit_asm(e, text, constraints[count], result, args, count, e->exceptions != 0);
    /* Register 1 is MODE on every processor; bits 0-1 round float, bits 2-3 half and double. */
    snprintf(code, sizeof code,
             "s_setreg_imm32_b32 hwreg(1, 0, 4), %d\n\t%s\n\t"
             "s_setreg_imm32_b32 hwreg(1, 0, 4), 0",
             round | round << 2, text);
    return emit_asm(e, code, constraints[count], result, args, count, e->exceptions != 0);
}

/* The same by tests of bits: LLVM makes comparisons of some classes, which raise exceptions for signaling NaNs. MASK
 * consists of whole classes, of both signs. */
static LLVMValueRef is_class_of_bits(struct emit *e, LLVMValueRef value, unsigned mask)
{
    static const unsigned classes[] = {
        EMIT_CLASS_ZERO, EMIT_CLASS_SUBNORMAL, EMIT_CLASS_INFINITE, EMIT_CLASS_SNAN, EMIT_CLASS_NAN & ~EMIT_CLASS_SNAN};
    unsigned bits = emit_width(value), mantissa = emit_mantissa(bits);
    uint64_t quiet = UINT64_C(1) << (mantissa - 1), normal = UINT64_C(1) << mantissa;
    uint64_t infinity = (UINT64_C(1) << (bits - 1)) - normal;
    const uint64_t first[] = {0, 1, infinity, infinity + 1, infinity + quiet};
    const uint64_t after[] = {1, normal, infinity + 1, infinity + quiet, UINT64_C(1) << (bits - 1)};
    LLVMValueRef sign = emit_sign_mask(e, bits), found = emit_int(e, 1, 0);
    LLVMValueRef size = LLVMBuildAnd(e->b, emit_as_int(e, value), LLVMConstNot(sign), "");
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (!(mask & classes[i]))
            continue;
        LLVMValueRef above = LLVMBuildSub(e->b, size, emit_int(e, bits, first[i]), "");
        LLVMValueRef within = LLVMBuildICmp(e->b, LLVMIntULT, above, emit_int(e, bits, after[i] - first[i]), "");
        found = LLVMBuildOr(e->b, found, within, "");
    }
    return found;
}

LLVMValueRef emit_is_class(struct emit *e, LLVMValueRef value, unsigned mask)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (e->exceptions)
        return is_class_of_bits(e, value, mask);
    return emit_call(e, "llvm.is.fpclass", &type, 1, (LLVMValueRef[]){value, emit_int(e, 32, mask)}, 2);
}

LLVMValueRef emit_class(struct emit *e, LLVMValueRef value, LLVMValueRef mask)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (type == e->f16 && !emit_has_half(e))
        return emit_half_class(e, value, mask);
    return emit_call(e, "llvm.amdgcn.class", &type, 1, (LLVMValueRef[]){value, mask}, 2);
}

/* Sign operations work on the bits, so that they neither quiet a NaN nor flush a subnormal. */
LLVMValueRef emit_fp_abs(struct emit *e, LLVMValueRef a)
{
    LLVMValueRef mask = LLVMConstNot(emit_sign_mask(e, emit_width(a)));
    return emit_bits(e, LLVMBuildAnd(e->b, emit_as_int(e, a), mask, ""), LLVMTypeOf(a));
}

LLVMValueRef emit_fp_neg(struct emit *e, LLVMValueRef a)
{
    return emit_bits(e, LLVMBuildXor(e->b, emit_as_int(e, a), emit_sign_mask(e, emit_width(a)), ""), LLVMTypeOf(a));
}

LLVMValueRef emit_copysign(struct emit *e, LLVMValueRef magnitude, LLVMValueRef sign)
{
    LLVMValueRef mask = emit_sign_mask(e, emit_width(magnitude));
    LLVMValueRef body = LLVMBuildAnd(e->b, emit_as_int(e, magnitude), LLVMConstNot(mask), "");
    LLVMValueRef bit = LLVMBuildAnd(e->b, emit_as_int(e, sign), mask, "");
    return emit_bits(e, emit_or(e, body, bit), LLVMTypeOf(magnitude));
}

LLVMValueRef emit_flush(struct emit *e, LLVMValueRef value)
{
    LLVMValueRef zero = LLVMBuildAnd(e->b, emit_as_int(e, value), emit_sign_mask(e, emit_width(value)), "");
    return emit_select(e, emit_is_class(e, value, EMIT_CLASS_SUBNORMAL), emit_bits(e, zero, LLVMTypeOf(value)), value);
}

LLVMValueRef emit_flush_result(struct emit *e, LLVMValueRef value)
{
    if (e->exceptions)
        emit_raise(e, EMIT_UNDERFLOW, emit_is_class(e, value, EMIT_CLASS_SUBNORMAL));
    return emit_flush(e, value);
}

LLVMValueRef emit_quieted(struct emit *e, LLVMValueRef value)
{
    return emit_call1(e, "llvm.canonicalize", value);
}

/* The neighbour of Q away from 0 (STEP 1) or towards it (STEP -1); Q is finite and not 0. */
static LLVMValueRef neighbour(struct emit *e, LLVMValueRef q, int64_t step)
{
    LLVMValueRef bits = emit_as_int(e, q);
    bits = LLVMBuildAdd(e->b, bits, emit_int(e, emit_width(q), (uint64_t)step), "");
    return emit_bits(e, bits, LLVMTypeOf(q));
}

LLVMValueRef emit_adjust(struct emit *e, enum fp_round round, LLVMValueRef q, LLVMValueRef error)
{
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(q));
    LLVMValueRef negative = LLVMBuildFCmp(e->b, LLVMRealOLT, q, zero, "");
    LLVMValueRef above = LLVMBuildFCmp(e->b, LLVMRealOGT, error, zero, "");
    LLVMValueRef below = LLVMBuildFCmp(e->b, LLVMRealOLT, error, zero, "");
    LLVMValueRef outward = neighbour(e, q, 1), inward = neighbour(e, q, -1);
    if (round == FP_UP)
        return emit_select(e, above, emit_select(e, negative, inward, outward), q);
    if (round == FP_DOWN)
        return emit_select(e, below, emit_select(e, negative, outward, inward), q);
    return emit_select(e, emit_select(e, negative, above, below), inward, q);
}

/* 2 to the power of EXPONENT (i32, within the normal range) as double. */
static LLVMValueRef power_of_two(struct emit *e, LLVMValueRef exponent)
{
    LLVMValueRef biased = emit_resize(e, LLVMBuildAdd(e->b, exponent, emit_int(e, 32, 1023), ""), 64, true);
    return emit_bits(e, LLVMBuildShl(e->b, biased, emit_int(e, 64, 52), ""), e->f64);
}

static LLVMValueRef clamp(struct emit *e, LLVMValueRef value, int32_t least, int32_t most)
{
    value = emit_call2(e, "llvm.smax", value, emit_int(e, 32, (uint64_t)(int64_t)least));
    return emit_call2(e, "llvm.smin", value, emit_int(e, 32, (uint64_t)(int64_t)most));
}

/* Q * 2^EXPONENT in two steps but rounded once: the first factor keeps Q normal, so that step is exact. */
static LLVMValueRef scale(struct emit *e, enum fp_round round, LLVMValueRef q, LLVMValueRef exponent)
{
    exponent = clamp(e, exponent, -1200, 1200);
    LLVMValueRef first = clamp(e, exponent, -600, 600);
    LLVMValueRef rest = LLVMBuildSub(e->b, exponent, first, "");
    q = LLVMBuildFMul(e->b, q, power_of_two(e, first), "");
    return emit_rounded(e, round, "v_mul_f64 $0, $1, $2", e->f64, (LLVMValueRef[]){q, power_of_two(e, rest)}, 2);
}

static LLVMValueRef mantissa(struct emit *e, LLVMValueRef a)
{
    return emit_call1(e, "llvm.amdgcn.frexp.mant", a);
}

static LLVMValueRef exponent(struct emit *e, LLVMValueRef a)
{
    LLVMTypeRef types[] = {e->i32, LLVMTypeOf(a)};
    return emit_call(e, "llvm.amdgcn.frexp.exp", types, 2, &a, 1);
}

static LLVMValueRef fma_near(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return emit_call(e, "llvm.fma", &type, 1, (LLVMValueRef[]){a, b, c}, 3);
}

LLVMValueRef emit_mantissa_quotient(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b,
                                    LLVMValueRef *residual)
{
    LLVMValueRef ma = mantissa(e, a), mb = mantissa(e, b);
    LLVMValueRef q = LLVMBuildFDiv(e->b, ma, mb, "");
    *residual = fma_near(e, emit_fp_neg(e, q), mb, ma);
    if (round == FP_NEAR)
        return q;
    LLVMValueRef error = emit_copysign(e, *residual, LLVMBuildFMul(e->b, *residual, mb, ""));
    return emit_adjust(e, round, q, error);
}

LLVMValueRef emit_scaled_quotient(struct emit *e, enum fp_round round, LLVMValueRef q, LLVMValueRef a, LLVMValueRef b)
{
    return scale(e, round, q, LLVMBuildSub(e->b, exponent(e, a), exponent(e, b), ""));
}

/* Divides the mantissas, corrects the quotient by the sign of its exact residual, and scales it. */
static LLVMValueRef div_f64_directed(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef plain = emit_quieted(e, LLVMBuildFDiv(e->b, a, b, "")), residual;
    LLVMValueRef exact = emit_scaled_quotient(e, round, emit_mantissa_quotient(e, round, a, b, &residual), a, b);
    const unsigned special = EMIT_CLASS_NAN | EMIT_CLASS_INFINITE | EMIT_CLASS_ZERO;
    LLVMValueRef either = LLVMBuildOr(e->b, emit_is_class(e, a, special), emit_is_class(e, b, special), "");
    return emit_select(e, either, plain, exact);
}

/* The mantissa of A, halved where the exponent N is odd, so that the exponent of the root is integral. */
static LLVMValueRef even_mantissa(struct emit *e, LLVMValueRef a, LLVMValueRef n, LLVMValueRef *odd)
{
    LLVMValueRef m = mantissa(e, a);
    *odd = LLVMBuildAnd(e->b, n, emit_int(e, 32, 1), "");
    LLVMValueRef is_odd = LLVMBuildICmp(e->b, LLVMIntNE, *odd, emit_int(e, 32, 0), "");
    return emit_select(e, is_odd, LLVMBuildFMul(e->b, m, LLVMConstReal(e->f64, 0.5), ""), m);
}

static LLVMValueRef residual_of(struct emit *e, LLVMValueRef q, LLVMValueRef m)
{
    return fma_near(e, emit_fp_neg(e, q), q, m);
}

LLVMValueRef emit_root_residual(struct emit *e, LLVMValueRef a)
{
    LLVMValueRef odd, m = even_mantissa(e, a, exponent(e, a), &odd);
    return residual_of(e, emit_call1(e, "llvm.sqrt", m), m);
}

static LLVMValueRef sqrt_f64_directed(struct emit *e, enum fp_round round, LLVMValueRef a)
{
    LLVMValueRef plain = emit_call1(e, "llvm.sqrt", a);
    LLVMValueRef n = exponent(e, a), odd, m = even_mantissa(e, a, n, &odd);
    n = LLVMBuildAShr(e->b, LLVMBuildAdd(e->b, n, odd, ""), emit_int(e, 32, 1), "");
    LLVMValueRef q = emit_call1(e, "llvm.sqrt", m);
    LLVMValueRef exact = scale(e, round, emit_adjust(e, round, q, residual_of(e, q, m)), n);
    LLVMValueRef special =
        emit_is_class(e, a, EMIT_CLASS_NAN | EMIT_CLASS_INFINITE | EMIT_CLASS_ZERO | 0x018 /* negative */);
    return emit_select(e, special, plain, exact);
}

/* Half and float are computed in the next wider type and then narrowed. Rounding to 2p + 2 bits first makes no
 * difference: no quotient or root of p-bit numbers is that near to a p-bit number or to the middle between two. */
static LLVMValueRef narrowed(struct emit *e, enum fp_round round, LLVMValueRef wide, LLVMTypeRef type)
{
    return emit_fp_to_fp(e, (struct fp_env){round, false}, wide, type);
}

LLVMValueRef emit_div(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    if (type == e->f64)
        return round == FP_NEAR ? emit_quieted(e, LLVMBuildFDiv(e->b, a, b, "")) : div_f64_directed(e, round, a, b);
    if (type == e->f32 && round == FP_NEAR)
        return emit_quieted(e, LLVMBuildFDiv(e->b, a, b, ""));
    LLVMTypeRef wide = type == e->f16 ? e->f32 : e->f64;
    return narrowed(
        e, round, LLVMBuildFDiv(e->b, LLVMBuildFPExt(e->b, a, wide, ""), LLVMBuildFPExt(e->b, b, wide, ""), ""), type);
}

LLVMValueRef emit_sqrt(struct emit *e, enum fp_round round, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    if (type == e->f64)
        return round == FP_NEAR ? emit_call1(e, "llvm.sqrt", a) : sqrt_f64_directed(e, round, a);
    if (type == e->f32 && round == FP_NEAR)
        return emit_call1(e, "llvm.sqrt", a);
    LLVMTypeRef wide = type == e->f16 ? e->f32 : e->f64;
    return narrowed(e, round, emit_call1(e, "llvm.sqrt", LLVMBuildFPExt(e->b, a, wide, "")), type);
}

/* The largest number below 1. */
static LLVMValueRef below_one(struct emit *e, LLVMTypeRef type)
{
    if (type == e->f16)
        return emit_bits(e, emit_int(e, 16, 0x3bff), type);
    if (type == e->f32)
        return emit_bits(e, emit_int(e, 32, 0x3f7fffff), type);
    return emit_bits(e, emit_int(e, 64, 0x3fefffffffffffff), type);
}

static LLVMValueRef binary(struct emit *e, enum fp_op op, enum fp_round round, LLVMValueRef a, LLVMValueRef b);

static LLVMValueRef fract(struct emit *e, enum fp_round round, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef part =
        e->exceptions ? emit_exact_fract(e, round, a) : binary(e, FP_SUB, round, a, emit_call1(e, "llvm.floor", a));
    LLVMValueRef most = below_one(e, type);
    LLVMValueRef over = LLVMBuildFCmp(e->b, LLVMRealOGT, part, most, "");
    part = emit_select(e, over, most, part);
    LLVMValueRef zero = emit_copysign(e, LLVMConstNull(type), a);
    return emit_select(e, emit_is_class(e, a, EMIT_CLASS_ZERO | EMIT_CLASS_INFINITE), zero, part);
}

/* Emits a machine instruction; the width of the operands completes its name in FORMAT. */
static LLVMValueRef machine(struct emit *e, const char *format, enum fp_round round, LLVMValueRef *args, unsigned count)
{
    char text[48];
    snprintf(text, sizeof text, format, emit_width(args[0]));
    return emit_rounded(e, round, text, LLVMTypeOf(args[0]), args, count);
}

/* The same on processors whose instruction follows IEEE 754-2019, which ignores a signaling NaN. */
static LLVMValueRef min_max_2019(struct emit *e, bool max, LLVMValueRef *args)
{
    LLVMValueRef number = emit_call2(e, max ? "llvm.maxnum" : "llvm.minnum", args[0], args[1]);
    for (int i = 1; i >= 0; i--)
        number = emit_select(e, emit_is_class(e, args[i], EMIT_CLASS_SNAN), emit_quieted(e, args[i]), number);
    return number;
}

/* minNum and maxNum of IEEE 754-2008, which the machine instruction implements in IEEE mode. LLVM's intrinsics do not:
 * they return the number when the other source is a signaling NaN. */
static LLVMValueRef min_max(struct emit *e, bool max, LLVMValueRef *args)
{
    char text[48];
    if (target_generation(e->target) >= AMDGPU_GFX12)
        return min_max_2019(e, max, args);
    snprintf(text, sizeof text, "v_%s_f%u $0, $1, $2", max ? "max" : "min", emit_width(args[0]));
    return emit_asm(e, text, "=v,v,v", LLVMTypeOf(args[0]), args, 2, e->exceptions != 0);
}

static LLVMValueRef binary(struct emit *e, enum fp_op op, enum fp_round round, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef args[] = {a, b};
    bool wide = LLVMTypeOf(a) == e->f64, plain = round == FP_NEAR && !e->exceptions;
    if (LLVMTypeOf(a) == e->f16 && !emit_has_half(e))
        return emit_half_op(e, op, round, args);
    if (op == FP_ADD)
        return plain ? emit_quieted(e, LLVMBuildFAdd(e->b, a, b, ""))
                     : machine(e, "v_add_f%u $0, $1, $2", round, args, 2);
    if (op == FP_SUB)
        return plain ? emit_quieted(e, LLVMBuildFSub(e->b, a, b, ""))
                     : machine(e, wide ? "v_add_f%u $0, $1, -$2" : "v_sub_f%u $0, $1, $2", round, args, 2);
    return plain ? emit_quieted(e, LLVMBuildFMul(e->b, a, b, "")) : machine(e, "v_mul_f%u $0, $1, $2", round, args, 2);
}

static LLVMValueRef integral(struct emit *e, const char *intrinsic, const char *format, LLVMValueRef *a)
{
    return e->exceptions ? machine(e, format, FP_NEAR, a, 1) : emit_quieted(e, emit_call1(e, intrinsic, a[0]));
}

/* Whether the machine has no instruction for OP that raises its exceptions. */
static bool lacks_exceptions(const struct emit *e, enum fp_op op, LLVMTypeRef type)
{
    bool rounds = op >= FP_FRACT;
    return e->exceptions && ((type == e->f16 && !emit_has_half(e)) ||
                             (type == e->f64 && rounds && target_generation(e->target) < AMDGPU_GFX7));
}

static LLVMValueRef compute(struct emit *e, enum fp_op op, enum fp_round round, LLVMValueRef *a)
{
    bool lacks_half = op > FP_COPYSIGN && LLVMTypeOf(a[0]) == e->f16 && !emit_has_half(e);
    switch (op) {
    case FP_NONE: return NULL;
    case FP_ABS: return emit_fp_abs(e, a[0]);
    case FP_NEG: return emit_fp_neg(e, a[0]);
    case FP_COPYSIGN: return emit_copysign(e, a[0], a[1]);
    case FP_ADD:
    case FP_SUB:
    case FP_MUL: return binary(e, op, round, a[0], a[1]);
    case FP_DIV: return e->exceptions ? emit_exact_div(e, round, a[0], a[1]) : emit_div(e, round, a[0], a[1]);
    case FP_MIN:
    case FP_MAX: return lacks_half ? emit_half_op(e, op, round, a) : min_max(e, op == FP_MAX, a);
    case FP_FMA:
    case FP_MAD: /* an agent must treat every mad alike: all are fused */
        if (lacks_half)
            return emit_half_op(e, op, round, a);
        if (round == FP_NEAR && LLVMTypeOf(a[0]) == e->f16) /* opaque: doc/decisions/llvm-half-upper-bits.md */
            return emit_asm(e, "v_fma_f16 $0, $1, $2, $3", "=v,v,v,v", e->f16, a, 3, e->exceptions != 0);
        return round == FP_NEAR && !e->exceptions ? emit_quieted(e, fma_near(e, a[0], a[1], a[2]))
                                                  : machine(e, "v_fma_f%u $0, $1, $2, $3", round, a, 3);
    case FP_SQRT: return e->exceptions ? emit_exact_sqrt(e, round, a[0]) : emit_sqrt(e, round, a[0]);
    case FP_FRACT: return fract(e, round, a[0]);
    case FP_CEIL: return integral(e, "llvm.ceil", "v_ceil_f%u $0, $1", a);
    case FP_FLOOR: return integral(e, "llvm.floor", "v_floor_f%u $0, $1", a);
    case FP_RINT: return integral(e, "llvm.rint", "v_rndne_f%u $0, $1", a);
    case FP_TRUNC: return integral(e, "llvm.trunc", "v_trunc_f%u $0, $1", a);
    }
    return a[0];
}

LLVMValueRef emit_fp_op(struct emit *e, enum fp_op op, struct fp_env env, LLVMValueRef *args)
{
    if (op <= FP_COPYSIGN)
        return compute(e, op, env.round, args);
    if (lacks_exceptions(e, op, LLVMTypeOf(args[0])))
        return NULL;
    unsigned count = op == FP_FMA || op == FP_MAD ? 3 : op >= FP_SQRT ? 1 : 2;
    LLVMValueRef sources[3];
    for (unsigned i = 0; i < count; i++)
        sources[i] = env.ftz ? emit_flush(e, args[i]) : args[i];
    LLVMValueRef result = compute(e, op, env.round, sources);
    return env.ftz ? emit_flush_result(e, result) : result;
}
