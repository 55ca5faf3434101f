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

static LLVMValueRef native(struct fn *f, enum native wide, const char *intrinsic, LLVMValueRef a)
{
    struct emit *e = f->e;
    LLVMTypeRef type = LLVMTypeOf(a);
    if (type == e->f16 && !emit_has_half(e))
        return emit_fp_to_fp(e, (struct fp_env){FP_NEAR, false},
                             native(f, wide, intrinsic, LLVMBuildFPExt(e->b, a, e->f32, "")), type);
    if (type != e->f64)
        return emit_call1(e, intrinsic, a);
    switch (wide) {
    case NATIVE_INTRINSIC: return emit_call1(e, intrinsic, a);
    case NATIVE_RCP: return emit_div(e, FP_NEAR, LLVMConstReal(type, 1.0), a);
    case NATIVE_SQRT: return emit_sqrt(e, FP_NEAR, a);
    case NATIVE_RSQRT: return emit_div(e, FP_NEAR, LLVMConstReal(type, 1.0), emit_sqrt(e, FP_NEAR, a));
    }
    return NULL;
}

/* Native operations may be approximate, but those that are cheap to compute exactly are exact. */
bool lower_native(struct fn *f, const struct lang_inst *in, const char *intrinsic, enum native wide)
{
    unsigned type = VALUE_OF(in, TYPE);
    if (!type_is_float(type) || type_is_packed(type))
        return fn_unsupported(f, in);
    struct emit *e = f->e;
    LLVMValueRef token = emit_quiet_begin(e), source = emit_quiet_source(e, token, lower_source(f, in, 1, type));
    unsigned exceptions = e->exceptions;
    e->exceptions = 0; /* native operations raise none */
    LLVMValueRef result = native(f, wide, intrinsic, source);
    e->exceptions = exceptions;
    emit_quiet_end(e, token, &result, 1);
    return lower_dest(f, in, type, result);
}

bool lower_nfma(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef a[3];
    if (!type_is_float(type) || type_is_packed(type))
        return fn_unsupported(f, in);
    for (unsigned i = 0; i < 3; i++)
        a[i] = lower_source(f, in, i + 1, type);
    LLVMValueRef result = emit_fp_op(f->e, FP_FMA, (struct fp_env){FP_NEAR, false}, a);
    return result ? lower_dest(f, in, type, result) : fn_unsupported(f, in);
}
