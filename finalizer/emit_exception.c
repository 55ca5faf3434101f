/* SPDX-License-Identifier: MIT */
/* Floating point whose exceptions count (PRM 12.2, 12.3): in functions for which DETECT or BREAK is enabled.
 * Input: operands. Output: the same results as elsewhere, and exactly the exceptions of HSAIL in the machine's sticky
 * flags. Invariant: what may raise one is inline assembly with side effects, which LLVM neither moves, joins, folds nor
 * leaves out; what takes several steps, some of which raise exceptions of their own, is executed with the flags put
 * back afterwards, and its exceptions are raised by operations that do nothing else
 * (doc/decisions/detect-and-break.md). */
#include "finalizer/emit.h"

#include <stdio.h>

/* Hardware registers as s_setreg numbers them. */
enum { HW_MODE = 1, HW_TRAPSTS = 3, HW_EXCP_FLAG_USER = 18, MODE_ENABLES = 12, EXCEPTION_BITS = 7 };

unsigned emit_exception_register(const struct emit *e)
{
    return target_generation(e->target) >= AMDGPU_GFX12 ? HW_EXCP_FLAG_USER : HW_TRAPSTS;
}

unsigned emit_exception_bits(unsigned hsail)
{
    return (hsail & 1) | (hsail & 0x1e) << 1;
}

/* Quiet steps */

LLVMValueRef emit_quiet_begin(struct emit *e)
{
    char text[128], off[64] = "";
    if (!e->exceptions)
        return NULL;
    if (e->breaks)
        snprintf(off, sizeof off, "\n\ts_setreg_imm32_b32 hwreg(%d, %d, %d), 0", HW_MODE, MODE_ENABLES, EXCEPTION_BITS);
    snprintf(text, sizeof text, "s_nop 7\n\ts_getreg_b32 $0, hwreg(%u, 0, %d)%s", emit_exception_register(e),
             EXCEPTION_BITS, off);
    return emit_asm(e, text, "=s", e->i32, NULL, 0, true);
}

LLVMValueRef emit_quiet_source(struct emit *e, LLVMValueRef token, LLVMValueRef value)
{
    if (!token)
        return value;
    return emit_asm(e, "", "=v,0,s", LLVMTypeOf(value), (LLVMValueRef[]){value, token}, 2, false);
}

void emit_quiet_end(struct emit *e, LLVMValueRef token, LLVMValueRef *values, unsigned count)
{
    char text[192], on[80] = "";
    if (!token)
        return;
    LLVMValueRef args[] = {values[0], count > 1 ? values[1] : token, token};
    LLVMTypeRef types[] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[1])};
    if (e->breaks)
        snprintf(on, sizeof on, "\n\ts_setreg_imm32_b32 hwreg(%d, %d, %d), %u", HW_MODE, MODE_ENABLES, EXCEPTION_BITS,
                 e->breaks);
    snprintf(text, sizeof text, "s_nop 7\n\ts_setreg_b32 hwreg(%u, 0, %d), $%u%s", emit_exception_register(e),
             EXCEPTION_BITS, 2 * count, on);
    if (count == 1) {
        values[0] = emit_asm(e, text, "=v,0,s", types[0], args, 2, true);
        return;
    }
    LLVMTypeRef pair = LLVMStructTypeInContext(e->context, types, 2, 0);
    LLVMValueRef both = emit_asm(e, text, "=v,=v,0,1,s", pair, args, 3, true);
    values[0] = LLVMBuildExtractValue(e->b, both, 0, "");
    values[1] = LLVMBuildExtractValue(e->b, both, 1, "");
}

void emit_raise(struct emit *e, unsigned exception, LLVMValueRef condition)
{
    /* One operation that raises the exception with the first operand and nothing with the second. */
    static const struct {
        unsigned bit;
        uint32_t yes, no, other;
        const char *text;
    } rows[] = {
        {EMIT_INVALID, 0x7f800000, 0x3f800000, 0, "v_mul_f32 $0, $1, $2"},
        {EMIT_DIVISION, 0, 0x3f800000, 0, "v_rcp_f32 $0, $1"},
        {EMIT_UNDERFLOW, 0x00800001, 0x3f800000, 0x3f000000, "v_mul_f32 $0, $1, $2"},
        {EMIT_INEXACT, 0x30000000, 0, 0x3f800000, "v_add_f32 $0, $1, $2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!(rows[i].bit & exception & e->exceptions))
            continue;
        LLVMValueRef chosen = emit_select(e, condition, emit_int(e, 32, rows[i].yes), emit_int(e, 32, rows[i].no));
        LLVMValueRef args[] = {emit_bits(e, chosen, e->f32), emit_bits(e, emit_int(e, 32, rows[i].other), e->f32)};
        emit_asm(e, rows[i].text, rows[i].bit == EMIT_DIVISION ? "=v,v" : "=v,v,v", e->f32, args,
                 rows[i].bit == EMIT_DIVISION ? 1 : 2, true);
    }
}

/* Runs BODY where nothing that it raises counts. */
static LLVMValueRef quietly(struct emit *e, LLVMValueRef (*body)(struct emit *, enum fp_round, LLVMValueRef *),
                            enum fp_round round, LLVMValueRef *args, unsigned count, LLVMValueRef *also)
{
    LLVMValueRef token = emit_quiet_begin(e), sources[3] = {0}, values[2];
    unsigned exceptions = e->exceptions;
    for (unsigned i = 0; i < count; i++)
        sources[i] = emit_quiet_source(e, token, args[i]);
    e->exceptions = 0;
    values[0] = body(e, round, sources);
    values[1] = also ? sources[0] : NULL; /* what BODY has left there */
    e->exceptions = exceptions;
    emit_quiet_end(e, token, values, also ? 2 : 1);
    if (also)
        *also = values[1];
    return values[0];
}

static LLVMValueRef to_half(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    return emit_fp_to_fp(e, (struct fp_env){round, false}, a[0], e->f16);
}

static LLVMValueRef to_float(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    return emit_fp_to_fp(e, (struct fp_env){round, false}, a[0], e->f32);
}

LLVMValueRef emit_quiet_to_fp(struct emit *e, LLVMValueRef a, LLVMTypeRef to)
{
    return quietly(e, to == e->f16 ? to_half : to_float, FP_NEAR, &a, 1, NULL);
}

static LLVMValueRef wide_quotient(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    (void)round;
    LLVMTypeRef wide = LLVMTypeOf(a[0]) == e->f16 ? e->f32 : e->f64;
    return LLVMBuildFDiv(e->b, LLVMBuildFPExt(e->b, a[0], wide, ""), LLVMBuildFPExt(e->b, a[1], wide, ""), "");
}

static LLVMValueRef wide_root(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    (void)round;
    return emit_call1(e, "llvm.sqrt", LLVMBuildFPExt(e->b, a[0], LLVMTypeOf(a[0]) == e->f16 ? e->f32 : e->f64, ""));
}

static LLVMValueRef quotient(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    return emit_div(e, round, a[0], a[1]);
}

static LLVMValueRef root(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    return emit_sqrt(e, round, a[0]);
}

/* The quotient of mantissas, adjusted in the direction of rounding; its residual is left in A. */
static LLVMValueRef mantissa_quotient(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    return emit_mantissa_quotient(e, round, a[0], a[1], &a[0]);
}

static LLVMValueRef root_residual(struct emit *e, enum fp_round round, LLVMValueRef *a)
{
    (void)round;
    return emit_root_residual(e, a[0]);
}

static LLVMValueRef is_not_zero(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef shifted = LLVMBuildShl(e->b, emit_as_int(e, x), emit_int(e, emit_width(x), 1), "");
    return LLVMBuildICmp(e->b, LLVMIntNE, shifted, LLVMConstNull(LLVMTypeOf(shifted)), "");
}

static LLVMValueRef either(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildOr(e->b, a, b, "");
}

static LLVMValueRef both(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAnd(e->b, a, b, "");
}

/* Invalid operations and divisions by zero. */
static void raise_for_operands(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef zero_a = emit_is_class(e, a, EMIT_CLASS_ZERO), zero_b = emit_is_class(e, b, EMIT_CLASS_ZERO);
    LLVMValueRef infinite_a = emit_is_class(e, a, EMIT_CLASS_INFINITE);
    LLVMValueRef infinite = both(e, infinite_a, emit_is_class(e, b, EMIT_CLASS_INFINITE));
    LLVMValueRef signaling = either(e, emit_is_class(e, a, EMIT_CLASS_SNAN), emit_is_class(e, b, EMIT_CLASS_SNAN));
    emit_raise(e, EMIT_INVALID, either(e, signaling, either(e, both(e, zero_a, zero_b), infinite)));
    LLVMValueRef no_number = either(e, emit_is_class(e, a, EMIT_CLASS_NAN), either(e, zero_a, infinite_a));
    emit_raise(e, EMIT_DIVISION, both(e, zero_b, LLVMBuildNot(e->b, no_number, "")));
}

/* Half and float are divided in the next wider type, so that narrowing raises what rounding the quotient would: no
 * quotient that is inexact in the narrow type is exact there after the wide division. For double, the quotient of the
 * mantissas is scaled by an operation that raises whatever the last rounding raises. */
LLVMValueRef emit_exact_div(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef args[] = {a, b}, residual;
    LLVMTypeRef type = LLVMTypeOf(a);
    raise_for_operands(e, a, b);
    if (type != e->f64)
        return emit_fp_to_fp(e, (struct fp_env){round, false}, quietly(e, wide_quotient, round, args, 2, NULL), type);
    LLVMValueRef result = quietly(e, quotient, round, args, 2, NULL), one = LLVMConstReal(type, 1.0);
    const unsigned special = EMIT_CLASS_NAN | EMIT_CLASS_INFINITE | EMIT_CLASS_ZERO;
    LLVMValueRef none = either(e, emit_is_class(e, a, special), emit_is_class(e, b, special));
    LLVMValueRef finite[] = {emit_select(e, none, one, a), emit_select(e, none, one, b)};
    LLVMValueRef q = quietly(e, mantissa_quotient, round, finite, 2, &residual);
    emit_scaled_quotient(e, round, q, finite[0], finite[1]);
    LLVMValueRef inexact = is_not_zero(e, residual);
    emit_raise(e, EMIT_INEXACT, inexact);
    LLVMValueRef tiny = emit_is_class(e, result, EMIT_CLASS_ZERO | EMIT_CLASS_SUBNORMAL);
    emit_raise(e, EMIT_UNDERFLOW, both(e, inexact, both(e, tiny, LLVMBuildNot(e->b, none, ""))));
    return result;
}

LLVMValueRef emit_exact_sqrt(struct emit *e, enum fp_round round, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef special = emit_is_class(e, a, EMIT_CLASS_NAN | EMIT_CLASS_INFINITE | EMIT_CLASS_ZERO);
    LLVMValueRef negative =
        LLVMBuildICmp(e->b, LLVMIntSLT, emit_as_int(e, a), LLVMConstNull(emit_int_type(e, emit_width(a))), "");
    LLVMValueRef minus =
        both(e, negative, LLVMBuildNot(e->b, emit_is_class(e, a, EMIT_CLASS_NAN | EMIT_CLASS_ZERO), ""));
    emit_raise(e, EMIT_INVALID, either(e, minus, emit_is_class(e, a, EMIT_CLASS_SNAN)));
    if (type != e->f64)
        return emit_fp_to_fp(e, (struct fp_env){round, false}, quietly(e, wide_root, round, &a, 1, NULL), type);
    LLVMValueRef result = quietly(e, root, round, &a, 1, NULL);
    LLVMValueRef positive = emit_select(e, either(e, special, minus), LLVMConstReal(type, 1.0), a);
    emit_raise(e, EMIT_INEXACT, is_not_zero(e, quietly(e, root_residual, round, &positive, 1, NULL)));
    return result;
}

LLVMValueRef emit_exact_fract(struct emit *e, enum fp_round round, LLVMValueRef a)
{
    LLVMValueRef infinite = emit_is_class(e, a, EMIT_CLASS_INFINITE);
    LLVMValueRef x = emit_select(e, infinite, LLVMConstNull(LLVMTypeOf(a)), a);
    struct fp_env near = {FP_NEAR, false}, directed = {round, false};
    LLVMValueRef args[] = {x, emit_fp_op(e, FP_FLOOR, near, &x)};
    return emit_fp_op(e, FP_SUB, directed, args);
}

/* Comparisons */

static const char *machine_name(LLVMRealPredicate predicate)
{
    switch (predicate) {
    case LLVMRealOEQ: return "eq";
    case LLVMRealOGT: return "gt";
    case LLVMRealOGE: return "ge";
    case LLVMRealOLT: return "lt";
    case LLVMRealOLE: return "le";
    case LLVMRealONE: return "lg";
    case LLVMRealORD: return "o";
    case LLVMRealUNO: return "u";
    case LLVMRealUEQ: return "nlg";
    case LLVMRealUGT: return "nle";
    case LLVMRealUGE: return "nlt";
    case LLVMRealULT: return "nge";
    case LLVMRealULE: return "ngt";
    case LLVMRealUNE: return "neq";
    case LLVMRealPredicateFalse:
    case LLVMRealPredicateTrue: break;
    }
    return "f";
}

LLVMValueRef emit_compare(struct emit *e, LLVMRealPredicate predicate, bool signals, LLVMValueRef a, LLVMValueRef b)
{
    char text[128];
    if (!e->exceptions)
        return LLVMBuildFCmp(e->b, predicate, a, b, "");
    if (LLVMTypeOf(a) == e->f16 && !emit_has_half(e)) { /* as float they compare alike, and a NaN is what it was */
        a = emit_asm(e, "v_cvt_f32_f16 $0, $1", "=v,v", e->f32, &a, 1, true);
        b = emit_asm(e, "v_cvt_f32_f16 $0, $1", "=v,v", e->f32, &b, 1, true);
    }
    const char *mask = e->target->wave == 32 ? "vcc_lo" : "vcc";
    /* GFX6 and GFX7 have instructions of their own that signal; later ones have a bit for that. */
    bool own = signals && target_generation(e->target) < AMDGPU_GFX8;
    snprintf(text, sizeof text, "v_cmp%s_%s_f%u_e64 %s, $1, $2%s\n\tv_cndmask_b32_e64 $0, 0, 1, %s", own ? "s" : "",
             machine_name(predicate), emit_width(a), mask, signals && !own ? " clamp" : "", mask);
    LLVMValueRef truth = emit_asm(e, text, "=v,v,v,~{vcc}", e->i32, (LLVMValueRef[]){a, b}, 2, true);
    return LLVMBuildICmp(e->b, LLVMIntNE, truth, emit_int(e, 32, 0), "");
}

/* The integral number by ROUND. GFX6 has no instruction for it in double precision; there nothing is raised, not even
 * for signaling NaNs. */
static LLVMValueRef whole_number(struct emit *e, enum fp_round round, LLVMValueRef a)
{
    static const struct {
        enum fp_op op;
        const char *intrinsic;
    } integral[] = {[FP_NEAR] = {FP_RINT, "llvm.rint"},
                    [FP_UP] = {FP_CEIL, "llvm.ceil"},
                    [FP_DOWN] = {FP_FLOOR, "llvm.floor"},
                    [FP_ZERO] = {FP_TRUNC, "llvm.trunc"}};
    LLVMValueRef whole = emit_fp_op(e, integral[round].op, (struct fp_env){FP_NEAR, false}, &a);
    if (whole)
        return whole;
    LLVMValueRef token = emit_quiet_begin(e);
    whole = emit_call1(e, integral[round].intrinsic, emit_quiet_source(e, token, a));
    emit_quiet_end(e, token, &whole, 1);
    return whole;
}

/* Conversions to integers: the number is rounded to an integral one, which raises nothing but invalid; the conversion
 * of that is exact where it fits, and nothing else is converted. */
LLVMValueRef emit_exact_to_int(struct emit *e, struct fp_env env, struct int_limits to, LLVMValueRef a)
{
    if (env.ftz)
        a = emit_flush(e, a);
    if (LLVMTypeOf(a) == e->f16 && !emit_has_half(e)) /* a signaling NaN is invalid in any case */
        a = emit_asm(e, "v_cvt_f32_f16 $0, $1", "=v,v", e->f32, &a, 1, true);
    LLVMValueRef whole = whole_number(e, env.round, a);
    LLVMValueRef changed = LLVMBuildFCmp(e->b, LLVMRealONE, whole, a, ""); /* false for a NaN */
    if (LLVMTypeOf(whole) == e->f16)
        whole = LLVMBuildFPExt(e->b, whole, e->f32, "");
    LLVMTypeRef type = LLVMTypeOf(whole), integer = emit_int_type(e, to.bits);
    LLVMValueRef zero = LLVMConstNull(type);
    double beyond = 2 * (double)(UINT64_C(1) << (to.bits - to.is_signed - 1u));
    LLVMValueRef least = to.is_signed ? LLVMConstReal(type, -beyond) : zero;
    LLVMValueRef above = LLVMBuildFCmp(e->b, LLVMRealOGE, whole, LLVMConstReal(type, beyond), "");
    LLVMValueRef fits = both(e, LLVMBuildFCmp(e->b, LLVMRealOGE, whole, least, ""),
                             LLVMBuildFCmp(e->b, LLVMRealOLT, whole, LLVMConstReal(type, beyond), ""));
    LLVMValueRef number = emit_select(e, fits, whole, zero);
    LLVMValueRef result =
        to.is_signed ? LLVMBuildFPToSI(e->b, number, integer, "") : LLVMBuildFPToUI(e->b, number, integer, "");
    if (to.signals)
        emit_raise(e, EMIT_INEXACT, both(e, fits, changed));
    if (!to.saturates) {
        emit_raise(e, EMIT_INVALID, LLVMBuildNot(e->b, fits, ""));
        return result;
    }
    LLVMValueRef ones = LLVMConstAllOnes(integer), top = emit_sign_mask(e, to.bits);
    LLVMValueRef below = LLVMBuildFCmp(e->b, LLVMRealOLT, whole, least, "");
    result = emit_select(e, below, to.is_signed ? top : LLVMConstNull(integer), result);
    return emit_select(e, above, to.is_signed ? LLVMConstNot(top) : ones, result);
}
