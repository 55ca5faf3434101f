/* SPDX-License-Identifier: MIT */
/* Spells out products of 64 bits in products of 32. LLVM's back end does that too, when it makes v_mad_u64_u32 of a
 * product and a sum, but then believes to know something about the low half of the sum that is not so
 * (doc/decisions/llvm-halves-of-sums.md).
 * Input: an optimized module. Output: the same module, in which the factors of a product of 64 bits have 32 each.
 * Invariant: no number changes. */
#include "finalizer/emit.h"

static bool is_constant_below(LLVMValueRef value, uint64_t limit)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) < limit;
}

/* Whether LLVM, too, sees that the factor VALUE has no more than 32 bits without a sign. */
static bool is_short_unsigned(LLVMValueRef value)
{
    const uint64_t limit = (uint64_t)1 << 32;
    if (!LLVMIsAInstruction(value))
        return is_constant_below(value, limit);
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt: return emit_width(LLVMGetOperand(value, 0)) <= 32;
    case LLVMAnd: return is_constant_below(LLVMGetOperand(value, 1), limit);
    case LLVMLShr:
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && !is_constant_below(LLVMGetOperand(value, 1), 32);
    default: return false; /* of others, it is not obvious */
    }
}

/* Whether LLVM, too, sees that the factor VALUE has no more than 32 bits with its sign. */
static bool is_short_signed(LLVMValueRef value)
{
    if (LLVMIsAConstantInt(value)) {
        int64_t number = LLVMConstIntGetSExtValue(value);
        return number >= INT32_MIN && number <= INT32_MAX;
    }
    return LLVMIsASExtInst(value) && emit_width(LLVMGetOperand(value, 0)) <= 32;
}

static bool is_product(LLVMValueRef inst)
{
    return LLVMGetInstructionOpcode(inst) == LLVMMul && LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind &&
           emit_width(inst) == 64;
}

static LLVMValueRef low_half(struct emit *e, LLVMValueRef value)
{
    return emit_resize(e, value, 32, false);
}

/* Extends the low halves of the factors of PRODUCT that are computed in other blocks again, with their signs or
 * without: LLVM does not look into other blocks for how few bits a factor has. */
static void show_factors(struct emit *e, LLVMValueRef product, bool is_signed)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef factor = LLVMGetOperand(product, i);
        if (!LLVMIsAInstruction(factor) || LLVMGetInstructionParent(factor) == LLVMGetInstructionParent(product))
            continue;
        LLVMPositionBuilderBefore(e->b, product);
        LLVMSetOperand(product, i, emit_resize(e, low_half(e, factor), 64, is_signed));
    }
}

/* SUM with MORE added to its upper half. */
static LLVMValueRef raise(struct emit *e, LLVMValueRef sum, LLVMValueRef more)
{
    LLVMValueRef halves = emit_bits(e, sum, LLVMVectorType(e->i32, 2)), index = emit_int(e, 32, 1);
    LLVMValueRef high = LLVMBuildAdd(e->b, LLVMBuildExtractElement(e->b, halves, index, ""), more, "");
    return emit_bits(e, LLVMBuildInsertElement(e->b, halves, high, index, ""), LLVMTypeOf(sum));
}

/* Puts what it is made of in place of PRODUCT; what is added to PRODUCT is added to the product of the low halves, and
 * LLVM makes one instruction of both. Returns an instruction before the next that was after it. */
static LLVMValueRef spell_out(struct emit *e, LLVMValueRef product)
{
    LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
    LLVMPositionBuilderBefore(e->b, product);
    LLVMValueRef low =
        LLVMBuildMul(e->b, emit_resize(e, low_half(e, a), 64, false), emit_resize(e, low_half(e, b), 64, false), "");
    LLVMValueRef more = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, emit_upper_half(e, a), low_half(e, b), ""),
                                     LLVMBuildMul(e->b, low_half(e, a), emit_upper_half(e, b), ""), "");
    for (LLVMUseRef use = LLVMGetFirstUse(product), next; use; use = next) {
        LLVMValueRef sum = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMGetInstructionOpcode(sum) != LLVMAdd || LLVMGetOperand(sum, 0) == LLVMGetOperand(sum, 1))
            continue;
        LLVMValueRef other = LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == product ? 1 : 0);
        LLVMPositionBuilderBefore(e->b, sum);
        LLVMReplaceAllUsesWith(sum, raise(e, LLVMBuildAdd(e->b, low, other, ""), more));
        LLVMInstructionEraseFromParent(sum);
    }
    LLVMPositionBuilderBefore(e->b, product);
    if (LLVMGetFirstUse(product))
        LLVMReplaceAllUsesWith(product, raise(e, low, more));
    LLVMInstructionEraseFromParent(product);
    return more;
}

/* Has LLVM see that the factors of PRODUCT have 32 bits, or spells it out. Returns an instruction before the next that
 * was after it. */
static LLVMValueRef treat(struct emit *e, LLVMValueRef product)
{
    LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
    if (is_short_unsigned(a) && is_short_unsigned(b))
        show_factors(e, product, false);
    else if (is_short_signed(a) && is_short_signed(b))
        show_factors(e, product, true);
    else
        return spell_out(e, product);
    return product;
}

void llvm_spell_out_products(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
                if (is_product(inst))
                    inst = treat(&e, inst);
    emit_close(&e);
}
