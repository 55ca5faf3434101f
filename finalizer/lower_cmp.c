/* SPDX-License-Identifier: MIT */
/* Comparisons and conversions (PRM 5.18, 5.19).
 * Input: cmp and cvt with their types. Output: the truth of the comparison as b1, integer or floating point; the
 * converted value. */
#include "finalizer/lower_vector.h"

/* How LLVM compares: floating point numbers, signed and unsigned integers; 0 where there is no such comparison. */
struct predicate {
    LLVMRealPredicate real;
    LLVMIntPredicate of_signed, of_unsigned;
};

/* With a NaN, ordered comparisons are false and those with a `u` are true. The signaling forms compare in the same
 * way, and integers have none. */
static struct predicate predicate_of(unsigned compare)
{
    switch ((hsa_brig_compare_operation_t)compare) {
    case HSA_BRIG_COMPARE_OPERATION_EQ: return (struct predicate){LLVMRealOEQ, LLVMIntEQ, LLVMIntEQ};
    case HSA_BRIG_COMPARE_OPERATION_SEQ: return (struct predicate){.real = LLVMRealOEQ};
    case HSA_BRIG_COMPARE_OPERATION_NE: return (struct predicate){LLVMRealONE, LLVMIntNE, LLVMIntNE};
    case HSA_BRIG_COMPARE_OPERATION_SNE: return (struct predicate){.real = LLVMRealONE};
    case HSA_BRIG_COMPARE_OPERATION_LT: return (struct predicate){LLVMRealOLT, LLVMIntSLT, LLVMIntULT};
    case HSA_BRIG_COMPARE_OPERATION_SLT: return (struct predicate){.real = LLVMRealOLT};
    case HSA_BRIG_COMPARE_OPERATION_LE: return (struct predicate){LLVMRealOLE, LLVMIntSLE, LLVMIntULE};
    case HSA_BRIG_COMPARE_OPERATION_SLE: return (struct predicate){.real = LLVMRealOLE};
    case HSA_BRIG_COMPARE_OPERATION_GT: return (struct predicate){LLVMRealOGT, LLVMIntSGT, LLVMIntUGT};
    case HSA_BRIG_COMPARE_OPERATION_SGT: return (struct predicate){.real = LLVMRealOGT};
    case HSA_BRIG_COMPARE_OPERATION_GE: return (struct predicate){LLVMRealOGE, LLVMIntSGE, LLVMIntUGE};
    case HSA_BRIG_COMPARE_OPERATION_SGE: return (struct predicate){.real = LLVMRealOGE};
    case HSA_BRIG_COMPARE_OPERATION_EQU:
    case HSA_BRIG_COMPARE_OPERATION_SEQU: return (struct predicate){.real = LLVMRealUEQ};
    case HSA_BRIG_COMPARE_OPERATION_NEU:
    case HSA_BRIG_COMPARE_OPERATION_SNEU: return (struct predicate){.real = LLVMRealUNE};
    case HSA_BRIG_COMPARE_OPERATION_LTU:
    case HSA_BRIG_COMPARE_OPERATION_SLTU: return (struct predicate){.real = LLVMRealULT};
    case HSA_BRIG_COMPARE_OPERATION_LEU:
    case HSA_BRIG_COMPARE_OPERATION_SLEU: return (struct predicate){.real = LLVMRealULE};
    case HSA_BRIG_COMPARE_OPERATION_GTU:
    case HSA_BRIG_COMPARE_OPERATION_SGTU: return (struct predicate){.real = LLVMRealUGT};
    case HSA_BRIG_COMPARE_OPERATION_GEU:
    case HSA_BRIG_COMPARE_OPERATION_SGEU: return (struct predicate){.real = LLVMRealUGE};
    case HSA_BRIG_COMPARE_OPERATION_NUM:
    case HSA_BRIG_COMPARE_OPERATION_SNUM: return (struct predicate){.real = LLVMRealORD};
    case HSA_BRIG_COMPARE_OPERATION_NAN:
    case HSA_BRIG_COMPARE_OPERATION_SNAN: return (struct predicate){.real = LLVMRealUNO};
    case HSA_BRIG_COMPARE_OPERATION_FIRST_USER_DEFINED: break;
    }
    return (struct predicate){0};
}

/* Whether quiet NaNs are invalid operands. */
static bool is_signaling(unsigned compare)
{
    return compare >= HSA_BRIG_COMPARE_OPERATION_SEQ && compare <= HSA_BRIG_COMPARE_OPERATION_SGTU;
}

/* Returns the truth as an i1, or NULL when there is no such comparison. */
static LLVMValueRef compare_values(struct fn *f, const struct lang_inst *in, unsigned type, LLVMValueRef a,
                                   LLVMValueRef b)
{
    struct emit *e = f->e;
    struct predicate p = predicate_of(VALUE_OF(in, COMPARE));
    if (type_is_float(type)) {
        if (VALUE_OF(in, FTZ)) {
            a = emit_flush(e, a);
            b = emit_flush(e, b);
        }
        return p.real ? emit_compare(e, p.real, is_signaling(VALUE_OF(in, COMPARE)), a, b) : NULL;
    }
    LLVMIntPredicate of_integers = type_is_signed(type) ? p.of_signed : p.of_unsigned;
    return of_integers ? LLVMBuildICmp(e->b, of_integers, a, b, "") : NULL;
}

static bool cmp_packed(struct fn *f, const struct lang_inst *in, unsigned to, unsigned from)
{
    struct emit *e = f->e;
    LLVMValueRef a = lower_source(f, in, 1, from), b = lower_source(f, in, 2, from);
    struct packed_vector v = vector_open(e, to, LLVMConstNull(emit_type(e, to)));
    for (unsigned i = 0; i < type_count(from); i++) {
        LLVMValueRef truth =
            compare_values(f, in, type_element(from), vector_element(e, from, a, i), vector_element(e, from, b, i));
        if (!truth || type_count(to) != type_count(from))
            return fn_unsupported(f, in);
        vector_set(e, &v, i, emit_resize(e, truth, type_bits(type_element(to)), true));
    }
    return lower_dest(f, in, to, vector_close(e, &v));
}

/* 1.0 or 0.0. LLVM does not know the bits of a choice between numbers in floating point, and learns too late that the
 * lower half of a double is zero either way (doc/decisions/llvm-late-ones.md). */
static LLVMValueRef truth_as_float(struct emit *e, LLVMValueRef truth, LLVMTypeRef type)
{
    LLVMValueRef one = emit_as_int(e, LLVMConstReal(type, 1.0));
    return emit_bits(e, emit_select(e, truth, one, LLVMConstNull(LLVMTypeOf(one))), type);
}

bool lower_cmp(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned to = VALUE_OF(in, TYPE), from = VALUE_OF(in, SOURCE);
    if (type_is_packed(from))
        return cmp_packed(f, in, to, from);
    LLVMValueRef truth = compare_values(f, in, from, lower_source(f, in, 1, from), lower_source(f, in, 2, from));
    if (!truth)
        return fn_unsupported(f, in);
    if (type_is_float(to))
        return lower_dest(f, in, to, truth_as_float(e, truth, emit_type(e, to)));
    return lower_dest(f, in, to, emit_resize(e, truth, type_bits(to), true)); /* all ones or 0 */
}

static LLVMValueRef convert(struct fn *f, const struct lang_inst *in, unsigned to, unsigned from, LLVMValueRef a)
{
    struct emit *e = f->e;
    struct fp_env env = lower_fp_env(f, in);
    bool saturate = VALUE_OF(in, SAT) || VALUE_OF(in, PACK) == HSA_BRIG_PACK_PPSAT;
    bool to_signed = type_is_signed(to), from_signed = type_is_signed(from);
    if (to == HSA_BRIG_TYPE_B1) { /* whether it is not zero after flushing; a NaN is not */
        if (!type_is_float(from))
            return LLVMBuildICmp(e->b, LLVMIntNE, a, LLVMConstNull(LLVMTypeOf(a)), "");
        a = env.ftz ? emit_flush(e, a) : a;
        return emit_compare(e, LLVMRealUNE, false, a, LLVMConstNull(LLVMTypeOf(a)));
    }
    if (type_is_float(from) && type_is_float(to))
        return emit_fp_to_fp(e, env, a, emit_type(e, to));
    if (type_is_float(to) && from == HSA_BRIG_TYPE_B1)
        return truth_as_float(e, a, emit_type(e, to));
    if (type_is_float(to))
        return emit_int_to_fp(e, env.round, from_signed, a, emit_type(e, to));
    if (type_is_float(from)) {
        struct rounding rounding = lower_rounding(in);
        env.round = rounding.of == ROUNDS_INTEGER ? rounding.round : FP_ZERO;
        saturate |= rounding.saturates;
        if (e->exceptions)
            return emit_exact_to_int(
                e, env, (struct int_limits){type_bits(to), to_signed, saturate, rounding.signals}, a);
        return emit_fp_to_int(e, env, saturate, to_signed, a, type_bits(to));
    }
    if (from == HSA_BRIG_TYPE_B1) /* true becomes -1 when the result has 32 or 64 signed bits, else 1 */
        return emit_resize(e, a, type_bits(to), to == HSA_BRIG_TYPE_S32 || to == HSA_BRIG_TYPE_S64);
    return emit_int_to_int(e, saturate, from_signed, a, to_signed, type_bits(to));
}

bool lower_cvt(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned to = VALUE_OF(in, TYPE), from = VALUE_OF(in, SOURCE);
    LLVMValueRef a = lower_source(f, in, 1, from);
    if (!type_bits(to) || !type_bits(from) || type_count(to) != type_count(from))
        return fn_unsupported(f, in);
    if (!type_is_packed(to))
        return lower_dest(f, in, to, convert(f, in, to, from, a));
    struct packed_vector v = vector_open(e, to, LLVMConstNull(emit_type(e, to)));
    for (unsigned i = 0; i < type_count(to); i++)
        vector_set(e, &v, i, convert(f, in, type_element(to), type_element(from), vector_element(e, from, a, i)));
    return lower_dest(f, in, to, vector_close(e, &v));
}
