/* SPDX-License-Identifier: MIT */
/* Shifts of 64 bits by a constant, half by half. Addresses are computed with them, whose halves are lines of their own:
 * to make pairs of these and to take them apart again costs more than the shift.
 * Input: a shift. Output: instructions at the builder. Invariant: the result has the bits of the template's. */
#include "runtime/gcn/jit/segment.h"

#include "runtime/gcn/inst/inst.h"

/* The number by which all lanes shift, or -1 if it is not known. */
static int count_of(const struct builder *f, const struct record *r)
{
    if (r->effect->form == FORM_SCALAR0)
        return r->a && LLVMIsAConstantInt(r->a) ? (int)(LLVMConstIntGetZExtValue(r->a) & 63) : -1;
    uint32_t count = r->op->src[0];
    return count & GCN_REF_CONST ? (int)(constant_at(f, count)[0] & 63) : -1;
}

/* OPCODE of X and COUNT, which is less than 32, in all lanes. */
static LLVMValueRef shift(struct builder *f, struct jit_segment *s, LLVMOpcode opcode, LLVMValueRef x, unsigned count)
{
    return count ? LLVMBuildBinOp(f->b, opcode, x, segment_splat(f, s, C32(f, count)), "") : x;
}

/* The upper half of HIGH and LOW after a shift to the left by COUNT, which is less than 32. */
static LLVMValueRef join(struct builder *f, struct jit_segment *s, LLVMValueRef high, LLVMValueRef low, unsigned count)
{
    if (!count)
        return high;
    return LLVMBuildOr(f->b, shift(f, s, LLVMShl, high, count), shift(f, s, LLVMLShr, low, 32 - count), "");
}

static void shift_left(struct builder *f, struct jit_segment *s, LLVMValueRef *half, unsigned count)
{
    half[1] = count < 32 ? join(f, s, half[1], half[0], count) : shift(f, s, LLVMShl, half[0], count - 32);
    half[0] = count < 32 ? shift(f, s, LLVMShl, half[0], count) : LLVMConstNull(f->jit->chunk);
}

static void shift_right(struct builder *f, struct jit_segment *s, LLVMOpcode opcode, LLVMValueRef *half, unsigned count)
{
    if (count < 32)
        half[0] = count ? join(f, s, half[1], half[0], 32 - count) : half[0];
    else
        half[0] = shift(f, s, opcode, half[1], count - 32);
    if (count < 32)
        half[1] = shift(f, s, opcode, half[1], count);
    else
        half[1] = opcode == LLVMAShr ? shift(f, s, opcode, half[1], 31) : LLVMConstNull(f->jit->chunk);
}

bool shift_emit(struct builder *f, struct jit_segment *s, const struct record *r)
{
    unsigned id = r->effect->id;
    uint32_t source = r->op->src[1];
    int count = count_of(f, r), line = ref_line(source);
    if ((id != GCN_OP_v_lshlrev_b64 && id != GCN_OP_v_lshrrev_b64 && id != GCN_OP_v_ashrrev_i64) || count < 0 ||
        line < 0 || s->wide[line] || r->written)
        return false;
    LLVMValueRef half[2];
    for (unsigned i = 0; i < 2; i++)
        half[i] = build_as(f, segment_get(f, s, source, i), f->jit->chunk);
    if (id == GCN_OP_v_lshlrev_b64)
        shift_left(f, s, half, (unsigned)count);
    else
        shift_right(f, s, id == GCN_OP_v_lshrrev_b64 ? LLVMLShr : LLVMAShr, half, (unsigned)count);
    for (unsigned i = 0; i < 2; i++)
        segment_put(f, s, r->op->dst, i, half[i]);
    return true;
}
