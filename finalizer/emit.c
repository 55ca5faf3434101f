/* SPDX-License-Identifier: MIT */
/* Types, constants, intrinsic calls and inline assembly for the lowering.
 * Input: an open session. Output: LLVM values at the builder's place. See emit.h. */
#include "finalizer/emit.h"

#include <string.h>

void emit_open(struct emit *e, struct llvm_session *session, const struct target *target)
{
    memset(e, 0, sizeof *e);
    e->session = session;
    e->target = target;
    e->context = session->context;
    e->module = session->module;
    e->b = LLVMCreateBuilderInContext(e->context);
    e->i1 = LLVMInt1TypeInContext(e->context);
    e->i8 = LLVMInt8TypeInContext(e->context);
    e->i16 = LLVMInt16TypeInContext(e->context);
    e->i32 = LLVMInt32TypeInContext(e->context);
    e->i64 = LLVMInt64TypeInContext(e->context);
    e->i128 = LLVMInt128TypeInContext(e->context);
    e->f16 = LLVMHalfTypeInContext(e->context);
    e->f32 = LLVMFloatTypeInContext(e->context);
    e->f64 = LLVMDoubleTypeInContext(e->context);
    e->void_ = LLVMVoidTypeInContext(e->context);
    for (unsigned space = 0; space < SPACE_COUNT; space++)
        e->ptr[space] = LLVMPointerTypeInContext(e->context, space);
}

void emit_close(struct emit *e)
{
    if (e->session->broken)
        return;
    if (e->b)
        LLVMDisposeBuilder(e->b);
    for (size_t i = 0; i < e->templates.count; i++)
        LLVMDisposeModule(e->templates.items[i].module);
    vec_free(&e->templates);
}

LLVMTypeRef emit_int_type(struct emit *e, unsigned bits)
{
    return LLVMIntTypeInContext(e->context, bits);
}

LLVMTypeRef emit_float_type(struct emit *e, unsigned bits)
{
    return bits == 16 ? e->f16 : bits == 32 ? e->f32 : e->f64;
}

LLVMTypeRef emit_type(struct emit *e, unsigned type)
{
    unsigned bits = type_bits(type);
    return type_is_float(type) && !type_is_packed(type) ? emit_float_type(e, bits) : emit_int_type(e, bits);
}

LLVMValueRef emit_int(struct emit *e, unsigned bits, uint64_t value)
{
    return LLVMConstInt(emit_int_type(e, bits), value, 0);
}

LLVMValueRef emit_sign_mask(struct emit *e, unsigned bits)
{
    return emit_int(e, bits, (uint64_t)1 << (bits - 1));
}

bool emit_is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

bool emit_is_float(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static unsigned width_of(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(type);
    return kind == LLVMHalfTypeKind ? 16 : kind == LLVMFloatTypeKind ? 32 : 64;
}

unsigned emit_width(LLVMValueRef value)
{
    return width_of(LLVMTypeOf(value));
}

unsigned emit_element_width(LLVMTypeRef type)
{
    return width_of(emit_is_vector(type) ? LLVMGetElementType(type) : type);
}

LLVMValueRef emit_bits(struct emit *e, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMTypeOf(value) == type ? value : LLVMBuildBitCast(e->b, value, type, "");
}

LLVMValueRef emit_as_int(struct emit *e, LLVMValueRef value)
{
    return emit_bits(e, value, emit_int_type(e, emit_width(value)));
}

LLVMValueRef emit_resize(struct emit *e, LLVMValueRef value, unsigned bits, bool is_signed)
{
    unsigned width = emit_width(value);
    if (width == bits)
        return value;
    LLVMTypeRef type = emit_int_type(e, bits);
    if (width > bits)
        return LLVMBuildTrunc(e->b, value, type, "");
    return is_signed ? LLVMBuildSExt(e->b, value, type, "") : LLVMBuildZExt(e->b, value, type, "");
}

LLVMValueRef emit_upper_half(struct emit *e, LLVMValueRef value)
{
    unsigned bits = emit_width(value) / 2;
    return emit_resize(e, LLVMBuildLShr(e->b, value, emit_int(e, 2 * bits, bits), ""), bits, false);
}

LLVMValueRef emit_select(struct emit *e, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no)
{
    return LLVMBuildSelect(e->b, condition, yes, no, "");
}

bool emit_is_call_of(LLVMValueRef inst, const char *prefix)
{
    size_t length;
    if (!LLVMIsACallInst(inst))
        return false;
    const char *called = LLVMGetValueName2(LLVMGetCalledValue(inst), &length);
    return length >= strlen(prefix) && !strncmp(called, prefix, strlen(prefix));
}

void emit_exchange(LLVMValueRef user, LLVMValueRef before, LLVMValueRef after)
{
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == before)
            LLVMSetOperand(user, (unsigned)i, after);
}

LLVMValueRef emit_freeze(struct emit *e, LLVMValueRef value)
{
    return LLVMBuildFreeze(e->b, value, "");
}

LLVMValueRef emit_call(struct emit *e, const char *name, LLVMTypeRef *overloads, unsigned overload_count,
                       LLVMValueRef *args, unsigned arg_count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id) { /* LLVM would silently call an external function of that name */
        llvm_fail(e->session, LLVM_INTRINSIC, name);
        return LLVMGetUndef(overload_count ? overloads[0] : e->i32);
    }
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, id, overloads, overload_count);
    return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, args, arg_count, "");
}

LLVMValueRef emit_call0(struct emit *e, const char *name)
{
    return emit_call(e, name, NULL, 0, NULL, 0);
}

LLVMValueRef emit_call1(struct emit *e, const char *name, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return emit_call(e, name, &type, 1, &a, 1);
}

LLVMValueRef emit_call2(struct emit *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return emit_call(e, name, &type, 1, (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef emit_asm(struct emit *e, const char *text, const char *constraints, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count, bool side_effects)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef code = LLVMGetInlineAsm(
        type, text, strlen(text), constraints, strlen(constraints), side_effects, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(e->b, type, code, args, count, "");
}

LLVMValueRef emit_opaque(struct emit *e, LLVMValueRef value)
{
    return emit_asm(e, "", "=v,0", LLVMTypeOf(value), &value, 1, false);
}

void emit_below(struct emit *e, LLVMValueRef call, uint64_t limit)
{
    static const char name[] = "range";
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMMetadataRef bounds[] = {
        LLVMValueAsMetadata(LLVMConstInt(type, 0, 0)), LLVMValueAsMetadata(LLVMConstInt(type, limit, 0))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, bounds, 2);
    LLVMSetMetadata(call, LLVMGetMDKindIDInContext(e->context, name, sizeof name - 1),
                    LLVMMetadataAsValue(e->context, node));
}

unsigned emit_mantissa(unsigned bits)
{
    return bits == 16 ? 10 : bits == 32 ? 23 : 52;
}

bool emit_is_nan(uint64_t value, unsigned bits)
{
    uint64_t infinity = ((uint64_t)1 << (bits - 1)) - ((uint64_t)1 << emit_mantissa(bits));
    return (value & (((uint64_t)1 << (bits - 1)) - 1)) > infinity;
}

/* Hides a constant NaN from LLVM, which would fold operations on it to a different NaN (PRM 4.19.4). */
LLVMValueRef emit_as_float(struct emit *e, LLVMValueRef value)
{
    unsigned bits = emit_width(value);
    if (LLVMIsAConstantInt(value) && emit_is_nan(LLVMConstIntGetZExtValue(value), bits))
        value = emit_opaque(e, value);
    return emit_bits(e, value, emit_float_type(e, bits));
}

LLVMBasicBlockRef emit_block(struct emit *e, const char *name)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(e->b));
    return LLVMAppendBasicBlockInContext(e->context, function, name);
}
