/* SPDX-License-Identifier: MIT */
/* Bit strings and multimedia (PRM 5.6, 5.7, 5.15).
 * Input: an instruction on bits. Output: its value in the destination. */
#include "finalizer/lower_vector.h"

bool lower_popcount(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef count = emit_call1(f->e, "llvm.ctpop", lower_source(f, in, 1, VALUE_OF(in, SOURCE)));
    return lower_dest(f, in, VALUE_OF(in, TYPE), emit_resize(f->e, count, 32, false));
}

bool lower_firstbit(struct fn *f, const struct lang_inst *in)
{
    unsigned source = VALUE_OF(in, SOURCE);
    LLVMValueRef value = lower_source(f, in, 1, source);
    return lower_dest(f, in, VALUE_OF(in, TYPE), emit_firstbit(f->e, type_is_signed(source), value));
}

bool lower_lastbit(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef value = lower_source(f, in, 1, VALUE_OF(in, SOURCE));
    return lower_dest(f, in, VALUE_OF(in, TYPE), emit_lastbit(f->e, value));
}

bool lower_bitextract(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef value = lower_source(f, in, 1, type), offset = lower_source(f, in, 2, HSA_BRIG_TYPE_U32);
    LLVMValueRef width = lower_source(f, in, 3, HSA_BRIG_TYPE_U32);
    return lower_dest(f, in, type, emit_bitextract(f->e, type_is_signed(type), value, offset, width));
}

bool lower_bitmask(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef offset = lower_source(f, in, 1, HSA_BRIG_TYPE_U32), width = lower_source(f, in, 2, HSA_BRIG_TYPE_U32);
    return lower_dest(f, in, type, emit_bitmask(f->e, type_bits(type), offset, width));
}

bool lower_bitrev(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE);
    return lower_dest(f, in, type, emit_call1(f->e, "llvm.bitreverse", lower_source(f, in, 1, type)));
}

bool lower_bitinsert(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef into = lower_source(f, in, 1, type), bits = lower_source(f, in, 2, type);
    LLVMValueRef offset = lower_source(f, in, 3, HSA_BRIG_TYPE_U32), width = lower_source(f, in, 4, HSA_BRIG_TYPE_U32);
    LLVMValueRef mask = emit_bitmask(e, type_bits(type), offset, width);
    LLVMValueRef moved = LLVMBuildShl(e->b, bits, emit_shift_count(e, offset, type_bits(type)), "");
    moved = LLVMBuildAnd(e->b, moved, mask, "");
    return lower_dest(f, in, type, emit_or(e, LLVMBuildAnd(e->b, into, LLVMBuildNot(e->b, mask, ""), ""), moved));
}

bool lower_bitselect(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef mask = lower_source(f, in, 1, type);
    LLVMValueRef yes = LLVMBuildAnd(e->b, lower_source(f, in, 2, type), mask, "");
    LLVMValueRef no = LLVMBuildAnd(e->b, lower_source(f, in, 3, type), LLVMBuildNot(e->b, mask, ""), "");
    return lower_dest(f, in, type, emit_or(e, yes, no));
}

/* Shifts 64 bits, of which the first source is the lower half, right by SCALE times the third source, modulo 32. */
bool lower_align_bits(struct fn *f, const struct lang_inst *in, unsigned scale)
{
    struct emit *e = f->e;
    LLVMValueRef low = lower_source(f, in, 1, HSA_BRIG_TYPE_B32), high = lower_source(f, in, 2, HSA_BRIG_TYPE_B32);
    LLVMValueRef count = lower_source(f, in, 3, HSA_BRIG_TYPE_U32);
    count = LLVMBuildMul(e->b, count, emit_int(e, 32, scale), "");
    count = LLVMBuildAnd(e->b, count, emit_int(e, 32, 31), "");
    LLVMTypeRef type = e->i32;
    LLVMValueRef shifted = emit_call(e, "llvm.fshr", &type, 1, (LLVMValueRef[]){high, low, count}, 3);
    return lower_dest(f, in, VALUE_OF(in, TYPE), shifted);
}

bool lower_lerp(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef a[3];
    for (unsigned i = 0; i < 3; i++)
        a[i] = lower_source(f, in, i + 1, HSA_BRIG_TYPE_U8X4);
    struct packed_vector v = vector_open(e, HSA_BRIG_TYPE_U8X4, emit_int(e, 32, 0));
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef sum = emit_int(e, 16, 0);
        for (unsigned k = 0; k < 3; k++) {
            LLVMValueRef part = emit_resize(e, vector_element(e, HSA_BRIG_TYPE_U8X4, a[k], i), 16, false);
            sum = LLVMBuildAdd(e->b, sum, k < 2 ? part : LLVMBuildAnd(e->b, part, emit_int(e, 16, 1), ""), "");
        }
        vector_set(e, &v, i, emit_resize(e, LLVMBuildLShr(e->b, sum, emit_int(e, 16, 1), ""), 8, false));
    }
    return lower_dest(f, in, VALUE_OF(in, TYPE), vector_close(e, &v));
}

/* Adds the sum of the absolute differences of the elements, moved to the upper half for HIGH, to the third source. */
bool lower_sad(struct fn *f, const struct lang_inst *in, bool high)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, SOURCE);
    LLVMValueRef a = lower_source(f, in, 1, type), b = lower_source(f, in, 2, type), sum = emit_int(e, 32, 0);
    for (unsigned i = 0; i < type_count(type); i++) {
        LLVMValueRef x = type_is_packed(type) ? vector_element(e, type, a, i) : a;
        LLVMValueRef y = type_is_packed(type) ? vector_element(e, type, b, i) : b;
        LLVMValueRef less =
            LLVMBuildSub(e->b, emit_int_op(e, INT_MAX, false, x, y), emit_int_op(e, INT_MIN, false, x, y), "");
        sum = LLVMBuildAdd(e->b, sum, emit_resize(e, less, 32, false), "");
    }
    if (high)
        sum = LLVMBuildShl(e->b, sum, emit_int(e, 32, 16), "");
    sum = LLVMBuildAdd(e->b, sum, lower_source(f, in, 3, HSA_BRIG_TYPE_U32), "");
    return lower_dest(f, in, VALUE_OF(in, TYPE), sum);
}
