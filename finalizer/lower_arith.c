/* SPDX-License-Identifier: MIT */
/* Arithmetic on scalars and on packed values (PRM 5.2-5.6, 5.11-5.13).
 * Input: an instruction with one to three sources of one type. Output: its value in the destination.
 *
 * A packed operation is the scalar one per element: `p` takes each element of a source, `s` its lowest for
 * all; with a control of `s` only, the result has one element and the other bits of the destination stay. */
#include "finalizer/lower.h"
#include "finalizer/lower_vector.h"

struct operation {
    const struct lang_inst *in;
    unsigned type; /* of one element */
    bool saturate;
    struct fp_env env;
};

struct fp_env lower_fp_env(struct fn *f, const struct lang_inst *in)
{
    struct fp_env env = {f->m->round_zero ? FP_ZERO : FP_NEAR, VALUE_OF(in, FTZ)};
    switch (VALUE_OF(in, ROUND)) {
    case HSA_BRIG_ROUND_FLOAT_NEAR_EVEN: env.round = FP_NEAR; break;
    case HSA_BRIG_ROUND_FLOAT_ZERO: env.round = FP_ZERO; break;
    case HSA_BRIG_ROUND_FLOAT_PLUS_INFINITY: env.round = FP_UP; break;
    case HSA_BRIG_ROUND_FLOAT_MINUS_INFINITY: env.round = FP_DOWN; break;
    default: break;
    }
    return env;
}

/* Bits 47-32 of the product of two 24-bit integers. */
static LLVMValueRef mul24hi(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef unused = emit_int(e, 32, 8);
    a = LLVMBuildShl(e->b, a, unused, "");
    b = LLVMBuildShl(e->b, b, unused, "");
    a = is_signed ? LLVMBuildAShr(e->b, a, unused, "") : LLVMBuildLShr(e->b, a, unused, "");
    b = is_signed ? LLVMBuildAShr(e->b, b, unused, "") : LLVMBuildLShr(e->b, b, unused, "");
    return emit_int_op(e, INT_MULHI, is_signed, a, b);
}

/* Whether a + b carries, or a - b borrows: unsigned, for both signs of the type. */
static LLVMValueRef carry(struct emit *e, bool borrow, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef out = borrow ? LLVMBuildICmp(e->b, LLVMIntULT, a, b, "")
                              : LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildAdd(e->b, a, b, ""), a, "");
    return emit_resize(e, out, emit_width(a), false);
}

static LLVMValueRef int_arith(struct fn *f, const struct operation *o, enum int_op op, LLVMValueRef *a)
{
    bool is_signed = type_is_signed(o->type);
    return o->saturate ? emit_int_sat(f->e, op, is_signed, a[0], a[1]) : emit_int_op(f->e, op, is_signed, a[0], a[1]);
}

static LLVMValueRef int_mad(struct fn *f, const struct operation *o, LLVMValueRef *a)
{
    struct emit *e = f->e;
    bool is_signed = type_is_signed(o->type);
    unsigned bits = emit_width(a[0]);
    if (!o->saturate)
        return LLVMBuildAdd(e->b, LLVMBuildMul(e->b, a[0], a[1], ""), a[2], "");
    LLVMValueRef product = LLVMBuildMul(
        e->b, emit_resize(e, a[0], 2 * bits + 1, is_signed), emit_resize(e, a[1], 2 * bits + 1, is_signed), "");
    LLVMValueRef sum = LLVMBuildAdd(e->b, product, emit_resize(e, a[2], 2 * bits + 1, is_signed), "");
    return emit_int_to_int(e, true, is_signed, sum, is_signed, bits);
}

/* One operation on integers; NULL when there is no such. */
static LLVMValueRef int_scalar(struct fn *f, const struct operation *o, LLVMValueRef *a)
{
    struct emit *e = f->e;
    bool is_signed = type_is_signed(o->type);
    switch (o->in->op->code) {
    case HSA_BRIG_OPCODE_ABS: return emit_int_abs(e, a[0]);
    case HSA_BRIG_OPCODE_NEG: return LLVMBuildNeg(e->b, a[0], "");
    case HSA_BRIG_OPCODE_ADD: return int_arith(f, o, INT_ADD, a);
    case HSA_BRIG_OPCODE_SUB: return int_arith(f, o, INT_SUB, a);
    case HSA_BRIG_OPCODE_MUL: return int_arith(f, o, INT_MUL, a);
    case HSA_BRIG_OPCODE_MULHI: return emit_int_op(e, INT_MULHI, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_DIV: return emit_int_op(e, INT_DIV, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_REM: return emit_int_op(e, INT_REM, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_MIN: return emit_int_op(e, INT_MIN, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_MAX: return emit_int_op(e, INT_MAX, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_SHL: return emit_int_op(e, INT_SHL, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_SHR: return emit_int_op(e, INT_SHR, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_CARRY: return carry(e, false, a[0], a[1]);
    case HSA_BRIG_OPCODE_BORROW: return carry(e, true, a[0], a[1]);
    case HSA_BRIG_OPCODE_MAD: return int_mad(f, o, a);
    case HSA_BRIG_OPCODE_MUL24: return LLVMBuildMul(e->b, a[0], a[1], "");
    case HSA_BRIG_OPCODE_MAD24: return LLVMBuildAdd(e->b, LLVMBuildMul(e->b, a[0], a[1], ""), a[2], "");
    case HSA_BRIG_OPCODE_MUL24HI: return mul24hi(e, is_signed, a[0], a[1]);
    case HSA_BRIG_OPCODE_MAD24HI: return LLVMBuildAdd(e->b, mul24hi(e, is_signed, a[0], a[1]), a[2], "");
    case HSA_BRIG_OPCODE_AND: return LLVMBuildAnd(e->b, a[0], a[1], "");
    case HSA_BRIG_OPCODE_OR: return emit_or(e, a[0], a[1]);
    case HSA_BRIG_OPCODE_XOR: return LLVMBuildXor(e->b, a[0], a[1], "");
    case HSA_BRIG_OPCODE_NOT: return LLVMBuildNot(e->b, a[0], "");
    default: return NULL;
    }
}

static LLVMValueRef fp_scalar(struct fn *f, const struct operation *o, LLVMValueRef *a)
{
    enum fp_op op;
    switch (o->in->op->code) {
    case HSA_BRIG_OPCODE_ABS: return emit_fp_abs(f->e, a[0]);
    case HSA_BRIG_OPCODE_NEG: return emit_fp_neg(f->e, a[0]);
    case HSA_BRIG_OPCODE_COPYSIGN: return emit_copysign(f->e, a[0], a[1]);
    case HSA_BRIG_OPCODE_ADD: op = FP_ADD; break;
    case HSA_BRIG_OPCODE_SUB: op = FP_SUB; break;
    case HSA_BRIG_OPCODE_MUL: op = FP_MUL; break;
    case HSA_BRIG_OPCODE_DIV: op = FP_DIV; break;
    case HSA_BRIG_OPCODE_MIN: op = FP_MIN; break;
    case HSA_BRIG_OPCODE_MAX: op = FP_MAX; break;
    case HSA_BRIG_OPCODE_FMA: op = FP_FMA; break;
    case HSA_BRIG_OPCODE_MAD: op = FP_MAD; break;
    case HSA_BRIG_OPCODE_SQRT: op = FP_SQRT; break;
    case HSA_BRIG_OPCODE_FRACT: op = FP_FRACT; break;
    case HSA_BRIG_OPCODE_CEIL: op = FP_CEIL; break;
    case HSA_BRIG_OPCODE_FLOOR: op = FP_FLOOR; break;
    case HSA_BRIG_OPCODE_RINT: op = FP_RINT; break;
    case HSA_BRIG_OPCODE_TRUNC: op = FP_TRUNC; break;
    default: return NULL;
    }
    return emit_fp_op(f->e, op, o->env, a);
}

static LLVMValueRef scalar(struct fn *f, const struct operation *o, LLVMValueRef *a)
{
    return type_is_float(o->type) ? fp_scalar(f, o, a) : int_scalar(f, o, a);
}

/* A packing control: which sources are taken by element, whether the result has all elements, saturation. */
struct packing {
    bool each[2], all, saturate;
};

static struct packing packing_of(unsigned pack)
{
    switch (pack) {
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
    default: return (struct packing){{true, true}, true, false}; /* p, pp, and shifts, which have none */
    }
}

static bool packed(struct fn *f, struct operation *o, unsigned type, unsigned sources)
{
    const struct lang_inst *in = o->in;
    struct packing packing = packing_of(VALUE_OF(in, PACK));
    bool is_shift = in->op->code == HSA_BRIG_OPCODE_SHL || in->op->code == HSA_BRIG_OPCODE_SHR;
    LLVMValueRef values[3], a[3];
    for (unsigned i = 0; i < sources; i++)
        values[i] = lower_source(f, in, i + 1, is_shift && i == 1 ? HSA_BRIG_TYPE_U32 : type);
    LLVMValueRef result = packing.all ? LLVMConstNull(emit_type(f->e, type)) : lower_source(f, in, 0, type);
    struct vector to = vector_open(f->e, type, result);
    o->saturate |= packing.saturate;
    for (unsigned i = 0; i < (packing.all ? type_count(type) : 1); i++) {
        for (unsigned k = 0; k < sources; k++)
            a[k] = is_shift && k == 1 ? values[k]
                                      : vector_element(f->e, type, values[k], k < 2 && !packing.each[k] ? 0 : i);
        LLVMValueRef element = scalar(f, o, a);
        if (!element)
            return fn_unsupported(f, in);
        vector_set(f->e, &to, i, element);
    }
    return lower_dest(f, in, type, vector_close(f->e, &to));
}

bool lower_arith(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE), sources = in->op->operand_count - 1u;
    struct operation o = {in, type_element(type), VALUE_OF(in, SAT), lower_fp_env(f, in)};
    if (!type_bits(type))
        return fn_unsupported(f, in);
    if (type_is_packed(type))
        return packed(f, &o, type, sources);
    LLVMValueRef a[3];
    for (unsigned i = 0; i < sources; i++) {
        bool is_count = i == 1 && (in->op->code == HSA_BRIG_OPCODE_SHL || in->op->code == HSA_BRIG_OPCODE_SHR);
        a[i] = lower_source(f, in, i + 1, is_count ? HSA_BRIG_TYPE_U32 : type);
    }
    LLVMValueRef result = scalar(f, &o, a);
    return result ? lower_dest(f, in, type, result) : fn_unsupported(f, in);
}
