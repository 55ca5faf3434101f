/* SPDX-License-Identifier: MIT */
/* The last step of a division, v_div_fmas: a multiplication and addition, whose result is scaled in some lanes.
 *
 * It is scaled only where the quotient, or the reciprocal of the divisor, is close to the limits of the type. To do it
 * right there takes ten times as many operations, so a function of chunk.c does it for chunks that have such a lane.
 * Input: the operands. Output: instructions at the builder. Invariant: the result has the bits of the template's. */
#include "runtime/gcn/jit/segment.h"

#include "runtime/gcn/jit/chunk.h"

/* Calls the function with the lanes of MASK; returns what it has computed. */
static LLVMValueRef call_function(struct builder *f, const struct record *r, LLVMValueRef *in, LLVMValueRef mask,
                                  LLVMTypeRef type)
{
    struct gcn_jit *jit = f->jit;
    LLVMTypeRef types[] = {jit->pointer, jit->i32};
    LLVMTypeRef function = LLVMFunctionType(LLVMVoidTypeInContext(jit->context), types, 2, 0);
    LLVMValueRef arguments[] = {f->wave, LLVMBuildZExt(f->b, mask, jit->i32, "")};
    for (unsigned slot = PA; slot <= PC; slot++)
        build_store(f, build_as(f, in[slot], type), chunk_place(2 * slot), 4 * jit->lanes);
    LLVMBuildCall2(f->b, function, import_chunk(f, r->effect->row), arguments, 2, "");
    return build_load(f, type, chunk_place(0), 4 * jit->lanes);
}

void scaled_emit(struct builder *f, const struct record *r, LLVMValueRef *in, LLVMValueRef *out)
{
    LLVMTypeRef type = r->effect->row->dwords == 2 ? f->jit->wide : f->jit->chunk;
    LLVMBasicBlockRef usual = build_block(f), rare = build_block(f), join = build_block(f), from[2];
    LLVMValueRef mask = build_as(f, in[IN], f->jit->mask), values[2], made[PARAMETERS] = {0};
    LLVMBuildCondBr(f->b, segment_no_lane(f, in[IN]), usual, rare);
    build_follow(f, usual);
    LLVMPositionBuilderAtEnd(f->b, usual);
    build_follow(f, join);
    template_clone(f, r->effect->usual, in, made);
    values[0] = build_as(f, made[R], type);
    from[0] = LLVMGetInsertBlock(f->b);
    LLVMBuildBr(f->b, join);
    LLVMPositionBuilderAtEnd(f->b, rare);
    values[1] = call_function(f, r, in, mask, type);
    from[1] = LLVMGetInsertBlock(f->b);
    LLVMBuildBr(f->b, join);
    LLVMPositionBuilderAtEnd(f->b, join);
    out[R] = LLVMBuildPhi(f->b, type, "");
    LLVMAddIncoming(out[R], values, from, 2);
}
