/* SPDX-License-Identifier: MIT */
/* Packed data (PRM 5.9, 5.10, 5.15): takes packed values apart, puts them together and moves their elements about.
 * Input: packed values, as integers. Output: packed values. Invariant: element 0 is the least significant. */
#include "finalizer/lower_vector.h"

/* The elements are integers to LLVM even if they are floating point numbers: LLVM 19 takes -0.0 in a vector of half for
 * 0 (doc/decisions/llvm-half-zero.md). */
LLVMValueRef vector_of(struct emit *e, unsigned type, LLVMValueRef value)
{
    LLVMTypeRef element = emit_int_type(e, type_bits(type_element(type)));
    return emit_bits(e, value, LLVMVectorType(element, type_count(type)));
}

struct packed_vector vector_open(struct emit *e, unsigned type, LLVMValueRef start)
{
    return (struct packed_vector){vector_of(e, type, start)};
}

void vector_set(struct emit *e, struct packed_vector *v, unsigned index, LLVMValueRef element)
{
    v->value = LLVMBuildInsertElement(e->b, v->value, emit_as_int(e, element), emit_int(e, 32, index), "");
}

LLVMValueRef vector_close(struct emit *e, struct packed_vector *v)
{
    LLVMTypeRef type = LLVMTypeOf(v->value);
    unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
    return emit_bits(e, v->value, emit_int_type(e, bits * LLVMGetVectorSize(type)));
}

LLVMValueRef vector_element(struct emit *e, unsigned type, LLVMValueRef value, unsigned index)
{
    unsigned bits = type_bits(type_element(type));
    LLVMValueRef element;
    if (LLVMIsAConstantInt(value)) /* an integer constant folds at once; as a vector it does not */
        element = emit_resize(
            e, LLVMBuildLShr(e->b, value, LLVMConstInt(LLVMTypeOf(value), (uint64_t)index * bits, 0), ""), bits, false);
    else
        element = LLVMBuildExtractElement(e->b, vector_of(e, type, value), emit_int(e, 32, index), "");
    return type_is_float(type) ? emit_as_float(e, element) : element;
}

static unsigned log2_of(unsigned count)
{
    return (unsigned)__builtin_ctz(count);
}

/* The fourth operand has log2(count) bits per element of the result, which choose the source's element: from src0 for
 * the lower half of the result, from src1 for the upper half. */
static unsigned shuffle_index(unsigned element, unsigned count, uint64_t control)
{
    unsigned bits = log2_of(count);
    unsigned chosen = (unsigned)(control >> (element * bits)) & (count - 1);
    return element < count / 2 ? chosen : count + chosen;
}

static unsigned unpack_index(unsigned element, unsigned count, bool high)
{
    unsigned from = element / 2 + (high ? count / 2 : 0);
    return element % 2 ? count + from : from;
}

bool lower_shuffle(struct fn *f, const struct lang_inst *in, enum shuffle shuffle)
{
    unsigned type = VALUE_OF(in, TYPE), count = type_count(type);
    LLVMValueRef a = lower_source(f, in, 1, type), b = lower_source(f, in, 2, type), indices[16];
    uint64_t control = shuffle == SHUFFLE_ANY ? lower_immediate(f, in, 3) : 0;
    if (count < 2 || count > 16)
        return fn_unsupported(f, in);
    for (unsigned i = 0; i < count; i++)
        indices[i] = emit_int(f->e, 32,
                              shuffle == SHUFFLE_ANY ? shuffle_index(i, count, control)
                                                     : unpack_index(i, count, shuffle == SHUFFLE_UNPACKHI));
    struct packed_vector v = {LLVMBuildShuffleVector(
        f->e->b, vector_of(f->e, type, a), vector_of(f->e, type, b), LLVMConstVector(indices, count), "")};
    return lower_dest(f, in, type, vector_close(f->e, &v));
}

/* Returns the index operand, masked to the number of elements. */
static LLVMValueRef element_index(struct fn *f, const struct lang_inst *in, uint32_t operand, unsigned count)
{
    LLVMValueRef index = lower_source(f, in, operand, HSA_BRIG_TYPE_U32);
    return LLVMBuildAnd(f->e->b, index, emit_int(f->e, 32, count - 1), "");
}

bool lower_pack(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), element = type_element(type);
    if (!type_is_packed(type))
        return fn_unsupported(f, in);
    LLVMValueRef whole = lower_source(f, in, 1, type);
    LLVMValueRef part =
        emit_resize(e, emit_as_int(e, lower_source(f, in, 2, VALUE_OF(in, SOURCE))), type_bits(element), false);
    LLVMValueRef index = element_index(f, in, 3, type_count(type));
    struct packed_vector v = vector_open(e, type, whole);
    if (LLVMIsAConstantInt(index)) {
        v.value = LLVMBuildInsertElement(e->b, v.value, part, index, "");
    } else { /* one by one: LLVM 19 would make a wide `or` of it (doc/decisions/llvm-wide-or.md) */
        for (unsigned i = 0; i < type_count(type); i++) {
            LLVMValueRef here = LLVMBuildICmp(e->b, LLVMIntEQ, index, emit_int(e, 32, i), "");
            vector_set(e, &v, i, emit_select(e, here, part, emit_as_int(e, vector_element(e, type, whole, i))));
        }
    }
    return lower_dest(f, in, type, vector_close(e, &v));
}

bool lower_unpack(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), from = VALUE_OF(in, SOURCE);
    if (!type_is_packed(from))
        return fn_unsupported(f, in);
    LLVMValueRef whole = vector_of(e, from, lower_source(f, in, 1, from));
    LLVMValueRef part = LLVMBuildExtractElement(e->b, whole, element_index(f, in, 2, type_count(from)), "");
    part = emit_resize(e, emit_as_int(e, part), type_bits(type), type_is_signed(from));
    return lower_dest(f, in, type, part);
}

bool lower_cmov(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef yes = lower_source(f, in, 2, type), no = lower_source(f, in, 3, type);
    if (!type_is_packed(type))
        return lower_dest(f, in, type, emit_select(e, lower_source(f, in, 1, HSA_BRIG_TYPE_B1), yes, no));
    /* Element by element: LLVM 19 crashes when it folds a select between vectors
     * (doc/decisions/llvm-vector-select.md). */
    unsigned bits = type_bits(type);
    LLVMValueRef mask =
        lower_value(f, in->operands.items[1],
                    bits == 32   ? HSA_BRIG_TYPE_B32
                    : bits == 64 ? HSA_BRIG_TYPE_B64
                                 : HSA_BRIG_TYPE_B128);
    struct packed_vector v = vector_open(e, type, LLVMConstNull(emit_int_type(e, bits)));
    for (unsigned i = 0; i < type_count(type); i++) {
        LLVMValueRef chooser = emit_as_int(e, vector_element(e, type, mask, i));
        chooser = LLVMBuildICmp(e->b, LLVMIntNE, chooser, LLVMConstNull(LLVMTypeOf(chooser)), "");
        LLVMValueRef element = emit_select(e, chooser, vector_element(e, type, yes, i), vector_element(e, type, no, i));
        vector_set(e, &v, i, element);
    }
    return lower_dest(f, in, type, vector_close(e, &v));
}

/* Converts four floats to bytes: each is rounded to nearest and clamped to 0..255, and NaN becomes 0. The first float
 * gives the lowest byte. */
bool lower_packcvt(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    struct packed_vector v = vector_open(e, HSA_BRIG_TYPE_U8X4, emit_int(e, 32, 0));
    for (unsigned i = 0; i < 4; i++)
        vector_set(e, &v, i,
                   emit_fp_to_int(e, (struct fp_env){FP_NEAR, false}, true, false,
                                  lower_source(f, in, i + 1, HSA_BRIG_TYPE_F32), 8));
    return lower_dest(f, in, HSA_BRIG_TYPE_U8X4, vector_close(e, &v));
}

bool lower_unpackcvt(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef whole = lower_source(f, in, 1, HSA_BRIG_TYPE_U8X4);
    LLVMValueRef part = vector_element(e, HSA_BRIG_TYPE_U8X4, whole, (unsigned)lower_immediate(f, in, 2) & 3);
    return lower_dest(f, in, HSA_BRIG_TYPE_F32, LLVMBuildUIToFP(e->b, part, e->f32, ""));
}
