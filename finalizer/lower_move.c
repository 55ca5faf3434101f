/* SPDX-License-Identifier: MIT */
/* Moves, classification and native operations (PRM 5.8, 5.13, 5.14).
 * Input: an instruction that copies, or approximates a function. Output: its value in the destination. */
#include "finalizer/lower_vector.h"

bool lower_nop(struct fn *f, const struct lang_inst *in)
{
    (void)f;
    (void)in;
    return true;
}

bool lower_mov(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE);
    return lower_dest(f, in, type, lower_source(f, in, 1, type));
}

bool lower_combine(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned bits = type_bits(VALUE_OF(in, TYPE)), part = type_bits(VALUE_OF(in, SOURCE));
    struct brig_list elements = lower_elements(f, in, 1);
    LLVMValueRef whole = emit_int(e, bits, 0);
    if (!part || elements.count * part != bits)
        return fn_unsupported(f, in);
    for (uint32_t i = 0; i < elements.count; i++) {
        LLVMValueRef value = emit_resize(e, lower_value(f, elements.items[i], VALUE_OF(in, SOURCE)), bits, false);
        whole = emit_or(e, whole, LLVMBuildShl(e->b, value, emit_int(e, bits, i * part), ""));
    }
    return lower_dest(f, in, VALUE_OF(in, TYPE), whole);
}

bool lower_expand(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned bits = type_bits(VALUE_OF(in, SOURCE)), part = type_bits(VALUE_OF(in, TYPE));
    struct brig_list elements = lower_elements(f, in, 0);
    LLVMValueRef whole = lower_source(f, in, 1, VALUE_OF(in, SOURCE));
    if (!part || elements.count * part != bits)
        return fn_unsupported(f, in);
    for (uint32_t i = 0; i < elements.count; i++) {
        LLVMValueRef value = LLVMBuildLShr(e->b, whole, emit_int(e, bits, i * part), "");
        lower_store(f, elements.items[i], VALUE_OF(in, TYPE), emit_resize(e, value, part, false));
    }
    return true;
}

bool lower_class(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef value = lower_source(f, in, 1, VALUE_OF(in, SOURCE));
    if (!type_is_float(VALUE_OF(in, SOURCE)))
        return fn_unsupported(f, in);
    return lower_dest(f, in, HSA_BRIG_TYPE_B1, emit_class(f->e, value, lower_source(f, in, 2, HSA_BRIG_TYPE_U32)));
}

/* Native operations may be approximate; what is cheap and exact is taken exact. */
bool lower_native(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE);
    if (!type_is_float(type) || type_is_packed(type))
        return fn_unsupported(f, in);
    bool wide = type == HSA_BRIG_TYPE_F64;
    LLVMValueRef a[3], one = LLVMConstReal(emit_type(e, type), 1.0), r;
    for (unsigned i = 0; i + 1u < in->op->operand_count; i++)
        a[i] = lower_source(f, in, i + 1, type);
    switch (in->op->code) {
    case HSA_BRIG_OPCODE_NCOS: r = emit_call1(e, "llvm.cos", a[0]); break;
    case HSA_BRIG_OPCODE_NSIN: r = emit_call1(e, "llvm.sin", a[0]); break;
    case HSA_BRIG_OPCODE_NEXP2: r = emit_call1(e, "llvm.exp2", a[0]); break;
    case HSA_BRIG_OPCODE_NLOG2: r = emit_call1(e, "llvm.log2", a[0]); break;
    case HSA_BRIG_OPCODE_NFMA: r = emit_fp_op(e, FP_FMA, (struct fp_env){FP_NEAR, false}, a); break;
    case HSA_BRIG_OPCODE_NRCP:
        r = wide ? emit_div(e, FP_NEAR, one, a[0]) : emit_call1(e, "llvm.amdgcn.rcp", a[0]);
        break;
    case HSA_BRIG_OPCODE_NSQRT: r = wide ? emit_sqrt(e, FP_NEAR, a[0]) : emit_call1(e, "llvm.amdgcn.sqrt", a[0]); break;
    case HSA_BRIG_OPCODE_NRSQRT:
        r = wide ? emit_div(e, FP_NEAR, one, emit_sqrt(e, FP_NEAR, a[0])) : emit_call1(e, "llvm.amdgcn.rsq", a[0]);
        break;
    default: return fn_unsupported(f, in);
    }
    return lower_dest(f, in, type, r);
}
