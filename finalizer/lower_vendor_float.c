/* SPDX-License-Identifier: MIT */
/* Instructions of AMD's extension amd:gcn on floating point numbers, as the machine has them
 * (doc/decisions/vendor-extensions.md).
 * Input: an instruction of amd:gcn. Output: its value in the destination. Invariant: with ftz, subnormal sources and
 * results become 0; processors without operations on halves use those on floats, which are exact here. */
#include "finalizer/lower.h"

#include <stdio.h>

/* Source INDEX as a number of TYPE, flushed if the instruction says so. */
static LLVMValueRef number(struct fn *f, const struct lang_inst *in, uint32_t index, unsigned type)
{
    LLVMValueRef value = lower_source(f, in, index, type);
    return VALUE_OF(in, FTZ) ? emit_flush(f->e, value) : value;
}

static bool put_number(struct fn *f, const struct lang_inst *in, LLVMValueRef value)
{
    if (VALUE_OF(in, FTZ))
        value = emit_flush(f->e, value);
    return lower_dest(f, in, VALUE_OF(in, TYPE), value);
}

/* A number times two to the power of an integer. */
static bool lower_scale(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef a[] = {number(f, in, 1, VALUE_OF(in, TYPE)), lower_source(f, in, 2, HSA_BRIG_TYPE_S32)};
    LLVMTypeRef types[] = {LLVMTypeOf(a[0]), f->e->i32};
    return put_number(f, in, emit_quieted(f->e, emit_call(f->e, "llvm.ldexp", types, 2, a, 2)));
}

/* The mantissa, of magnitude 0.5 to 1, or the exponent that goes with it. Infinities and NaN are their own mantissas
 * and have the exponent 0, which GFX6 does not know. */
static bool lower_part(struct fn *f, const struct lang_inst *in, bool mantissa)
{
    struct emit *e = f->e;
    LLVMValueRef a = number(f, in, 1, VALUE_OF(in, TYPE)), wide = a, part;
    if (LLVMTypeOf(a) == e->f16 && !emit_has_half(e))
        wide = LLVMBuildFPExt(e->b, a, e->f32, "");
    LLVMTypeRef types[] = {LLVMTypeOf(wide) == e->f16 ? e->i16 : e->i32, LLVMTypeOf(wide)};
    if (mantissa)
        part = emit_call1(e, "llvm.amdgcn.frexp.mant", wide);
    else
        part = emit_resize(e, emit_call(e, "llvm.amdgcn.frexp.exp", types, 2, &wide, 1), 32, true);
    if (target_generation(e->target) == AMDGPU_GFX6) {
        LLVMValueRef special = emit_is_class(e, wide, EMIT_CLASS_NAN | EMIT_CLASS_INFINITE);
        part = emit_select(e, special, mantissa ? wide : emit_int(e, 32, 0), part);
    }
    if (!mantissa)
        return lower_dest(f, in, HSA_BRIG_TYPE_S32, part);
    return put_number(f, in, wide == a ? part : LLVMBuildFPTrunc(e->b, part, e->f16, ""));
}

/* The bits of 2/pi that the exponent of a number and an index choose. */
static bool lower_circle(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef a[] = {number(f, in, 1, HSA_BRIG_TYPE_F64), lower_source(f, in, 2, HSA_BRIG_TYPE_U32)};
    LLVMTypeRef type = f->e->f64;
    return put_number(f, in, emit_call(f->e, "llvm.amdgcn.trig.preop", &type, 1, a, 2));
}

/* The machine's own maximum and minimum: unlike HSAIL's, they give a signaling NaN, made quiet, where there is one. */
static bool lower_extreme(struct fn *f, const struct lang_inst *in, bool largest)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), bits = type_bits(type);
    LLVMValueRef a[] = {lower_source(f, in, 1, type), lower_source(f, in, 2, type)};
    char text[32];
    if (!type_is_float(type))
        return lower_dest(f, in, type, emit_int_op(e, largest ? INT_MAX : INT_MIN, type_is_signed(type), a[0], a[1]));
    if (bits == 16 && !emit_has_half(e))
        return lower_dest(f, in, type, emit_half_op(e, largest ? FP_MAX : FP_MIN, FP_NEAR, a));
    snprintf(text, sizeof text, "v_%s_f%u $0, $1, $2", largest ? "max" : "min", bits);
    return lower_dest(f, in, type, emit_rounded(e, FP_NEAR, text, LLVMTypeOf(a[0]), a, 2));
}

/* A relaxed quotient may have an error, and how large is not published; the nearest number is within any bound. */
static bool lower_quotient(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE);
    return put_number(f, in, emit_div(f->e, FP_NEAR, number(f, in, 1, type), number(f, in, 2, type)));
}

/* An atomic operation in group memory. */
static bool lower_float_atomic(struct fn *f, const struct lang_inst *in, bool returns)
{
    unsigned type = VALUE_OF(in, TYPE), operation = VALUE_OF(in, OPERATION), segment = VALUE_OF(in, SEGMENT);
    struct atomic_place place = {SPACE_GROUP, VALUE_OF(in, ORDER), VALUE_OF(in, SCOPE)};
    const char *name =
        operation == HSA_BRIG_ATOMIC_OPERATION_ADD   ? "fadd"
        : operation == HSA_BRIG_ATOMIC_OPERATION_MIN ? "fmin"
        : operation == HSA_BRIG_ATOMIC_OPERATION_MAX
            ? "fmax"
            : NULL;
    if (!name || segment != HSA_BRIG_SEGMENT_GROUP)
        return fn_unsupported(f, in);
    LLVMValueRef pointer = lower_address(f, in, returns, segment, NULL);
    LLVMValueRef old = emit_atomic_rmw(f->e, place, name, pointer, lower_source(f, in, returns + 1u, type));
    return !returns || lower_dest(f, in, type, old);
}

bool lower_vendor_float(struct fn *f, const struct lang_inst *in)
{
    switch ((unsigned)in->op->code) {
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_FLDEXP: return lower_scale(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_FREXP_EXP: return lower_part(f, in, false);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_FREXP_MANT: return lower_part(f, in, true);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_TRIG_PREOP: return lower_circle(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MAX: return lower_extreme(f, in, true);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MIN: return lower_extreme(f, in, false);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_DIVRELAXED:
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_DIVRELAXEDNARROW: return lower_quotient(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_ATOMIC: return lower_float_atomic(f, in, true);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_ATOMICNORET: return lower_float_atomic(f, in, false);
    }
    return fn_unsupported(f, in);
}
