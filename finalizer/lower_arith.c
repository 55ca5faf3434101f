/* SPDX-License-Identifier: MIT */
/* Arithmetic on scalars and on packed values (PRM 5.2-5.6, 5.11-5.13).
 * Input: an instruction with one to three sources of one type. Output: its value in the destination.
 *
 * A packed operation applies the scalar one to each element: `p` in its control takes each element of a source, `s`
 * takes the lowest element every time. With a control of `s` only, the result has one element, and the other bits of
 * the destination keep their value. */
#include "finalizer/lower.h"
#include "finalizer/lower_vector.h"

struct operation {
    const struct lang_inst *in;
    enum int_op integer;
    enum fp_op fp;
    unsigned type; /* the type of one element */
    bool saturate;
    struct fp_env env;
};

static struct rounding rounding_of(const struct lang_inst *in)
{
    switch ((hsa_brig_round_t)VALUE_OF(in, ROUND)) {
    case HSA_BRIG_ROUND_NONE:
    case HSA_BRIG_ROUND_FLOAT_DEFAULT: break;
    case HSA_BRIG_ROUND_FLOAT_NEAR_EVEN: return (struct rounding){ROUNDS_FLOAT, FP_NEAR, false};
    case HSA_BRIG_ROUND_FLOAT_ZERO: return (struct rounding){ROUNDS_FLOAT, FP_ZERO, false};
    case HSA_BRIG_ROUND_FLOAT_PLUS_INFINITY: return (struct rounding){ROUNDS_FLOAT, FP_UP, false};
    case HSA_BRIG_ROUND_FLOAT_MINUS_INFINITY: return (struct rounding){ROUNDS_FLOAT, FP_DOWN, false};
    case HSA_BRIG_ROUND_INTEGER_NEAR_EVEN:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_NEAR_EVEN: return (struct rounding){ROUNDS_INTEGER, FP_NEAR, false};
    case HSA_BRIG_ROUND_INTEGER_ZERO:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_ZERO: return (struct rounding){ROUNDS_INTEGER, FP_ZERO, false};
    case HSA_BRIG_ROUND_INTEGER_PLUS_INFINITY:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_PLUS_INFINITY: return (struct rounding){ROUNDS_INTEGER, FP_UP, false};
    case HSA_BRIG_ROUND_INTEGER_MINUS_INFINITY:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_MINUS_INFINITY: return (struct rounding){ROUNDS_INTEGER, FP_DOWN, false};
    case HSA_BRIG_ROUND_INTEGER_NEAR_EVEN_SAT:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_NEAR_EVEN_SAT: return (struct rounding){ROUNDS_INTEGER, FP_NEAR, true};
    case HSA_BRIG_ROUND_INTEGER_ZERO_SAT:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_ZERO_SAT: return (struct rounding){ROUNDS_INTEGER, FP_ZERO, true};
    case HSA_BRIG_ROUND_INTEGER_PLUS_INFINITY_SAT:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_PLUS_INFINITY_SAT: return (struct rounding){ROUNDS_INTEGER, FP_UP, true};
    case HSA_BRIG_ROUND_INTEGER_MINUS_INFINITY_SAT:
    case HSA_BRIG_ROUND_INTEGER_SIGNALING_MINUS_INFINITY_SAT: return (struct rounding){ROUNDS_INTEGER, FP_DOWN, true};
    }
    return (struct rounding){ROUNDS_BY_DEFAULT, FP_ZERO, false};
}

struct rounding lower_rounding(const struct lang_inst *in)
{
    struct rounding rounding = rounding_of(in);
    unsigned round = VALUE_OF(in, ROUND);
    rounding.signals = round >= HSA_BRIG_ROUND_INTEGER_SIGNALING_NEAR_EVEN &&
                       round <= HSA_BRIG_ROUND_INTEGER_SIGNALING_MINUS_INFINITY_SAT;
    return rounding;
}

struct fp_env lower_fp_env(struct fn *f, const struct lang_inst *in)
{
    struct rounding rounding = lower_rounding(in);
    enum fp_round by_default = f->m->round_zero ? FP_ZERO : FP_NEAR;
    return (struct fp_env){rounding.of == ROUNDS_FLOAT ? rounding.round : by_default, VALUE_OF(in, FTZ)};
}

/* Returns NULL when the type has no such operation. */
static LLVMValueRef one_element(struct fn *f, const struct operation *o, LLVMValueRef *a)
{
    if (type_is_float(o->type))
        return emit_fp_op(f->e, o->fp, o->env, a);
    return emit_int_any(f->e, o->integer, type_is_signed(o->type), o->saturate, a);
}

/* The type of source I of an operation on TYPE, which differs for the amount of a shift: that is always one u32. */
static unsigned source_type(const struct operation *o, unsigned i, unsigned type)
{
    bool is_shift = o->integer == INT_SHL || o->integer == INT_SHR;
    return is_shift && i == 1 ? HSA_BRIG_TYPE_U32 : type;
}

/* What a packing control means: which sources are taken element by element, whether the result has all elements, and
 * whether it saturates. */
struct packing {
    bool each[2], all, saturate;
};

static struct packing packing_of(unsigned pack)
{
    switch ((hsa_brig_pack_t)pack) {
    case HSA_BRIG_PACK_PS: return (struct packing){{true, false}, true, false};
    case HSA_BRIG_PACK_SP: return (struct packing){{false, true}, true, false};
    case HSA_BRIG_PACK_S:
    case HSA_BRIG_PACK_SS: return (struct packing){{false, false}, false, false};
    case HSA_BRIG_PACK_PSAT:
    case HSA_BRIG_PACK_PPSAT: return (struct packing){{true, true}, true, true};
    case HSA_BRIG_PACK_PSSAT: return (struct packing){{true, false}, true, true};
    case HSA_BRIG_PACK_SPSAT: return (struct packing){{false, true}, true, true};
    case HSA_BRIG_PACK_SSAT:
    case HSA_BRIG_PACK_SSSAT: return (struct packing){{false, false}, false, true};
    case HSA_BRIG_PACK_NONE: /* shifts have no control */
    case HSA_BRIG_PACK_P:
    case HSA_BRIG_PACK_PP: break;
    }
    return (struct packing){{true, true}, true, false};
}

static bool packed(struct fn *f, struct operation *o, unsigned type, unsigned sources)
{
    const struct lang_inst *in = o->in;
    struct packing packing = packing_of(VALUE_OF(in, PACK));
    LLVMValueRef values[3], a[3];
    for (unsigned i = 0; i < sources; i++)
        values[i] = lower_source(f, in, i + 1, source_type(o, i, type));
    LLVMValueRef result = packing.all ? LLVMConstNull(emit_type(f->e, type)) : lower_source(f, in, 0, type);
    struct packed_vector to = vector_open(f->e, type, result);
    o->saturate |= packing.saturate;
    for (unsigned i = 0; i < (packing.all ? type_count(type) : 1); i++) {
        for (unsigned k = 0; k < sources; k++)
            a[k] = source_type(o, k, type) != type
                       ? values[k]
                       : vector_element(f->e, type, values[k], k < 2 && !packing.each[k] ? 0 : i);
        LLVMValueRef element = one_element(f, o, a);
        if (!element)
            return fn_unsupported(f, in);
        vector_set(f->e, &to, i, element);
    }
    return lower_dest(f, in, type, vector_close(f->e, &to));
}

bool lower_arith(struct fn *f, const struct lang_inst *in, enum int_op integer, enum fp_op fp)
{
    unsigned type = VALUE_OF(in, TYPE), sources = in->op->operand_count - 1u;
    struct operation o = {in, integer, fp, type_element(type), VALUE_OF(in, SAT), lower_fp_env(f, in)};
    if (!type_bits(type))
        return fn_unsupported(f, in);
    if (type_is_packed(type))
        return packed(f, &o, type, sources);
    LLVMValueRef a[3];
    for (unsigned i = 0; i < sources; i++)
        a[i] = lower_source(f, in, i + 1, source_type(&o, i, type));
    LLVMValueRef result = one_element(f, &o, a);
    return result ? lower_dest(f, in, type, result) : fn_unsupported(f, in);
}
