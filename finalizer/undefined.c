/* SPDX-License-Identifier: MIT */
/* Undefined values: makes numbers of them, and then does without what keeps LLVM from using that they are undefined.
 *
 * A register that was never written, or private memory, gives a value that is undefined, but the same wherever it goes;
 * `freeze` tells LLVM's passes so. To LLVM's selection of instructions it must not be told: while it moves a `freeze`
 * towards what its operand is computed from, it does not know how few bits factors have, and so makes sums with
 * products of which it knows what is not so (doc/decisions/llvm-halves-of-sums.md). It makes some itself, of a `select`
 * that is a logical operation.
 * Input: an optimized module. Output: the same module, with numbers instead of undefined ones, and without `freeze` but
 * for conversions. Invariant: no value that is defined changes. */
#include "finalizer/emit.h"

/* VALUE with 0 for what is undefined of it, if it is a constant. */
static LLVMValueRef settled(LLVMValueRef value)
{
    enum { MOST = 16 };
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef elements[MOST];
    if (LLVMIsUndef(value))
        return LLVMConstNull(type);
    if (!LLVMIsAConstantVector(value) || LLVMGetVectorSize(type) > MOST)
        return value;
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        elements[i] = settled(LLVMGetAggregateElement(value, i));
    return LLVMConstVector(elements, LLVMGetVectorSize(type));
}

void llvm_settle_undefined(struct llvm_session *session)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
                if (LLVMIsAFreezeInst(inst) && LLVMIsAConstant(LLVMGetOperand(inst, 0)))
                    LLVMReplaceAllUsesWith(inst, settled(LLVMGetOperand(inst, 0)));
}

/* Conversions of numbers that are too large for an integer give values that LLVM may use as it likes. */
static bool is_conversion(LLVMValueRef value)
{
    return LLVMIsAFPToSIInst(value) || LLVMIsAFPToUIInst(value);
}

static bool is_truth(LLVMValueRef value, unsigned truth)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == truth;
}

/* What the `select` INST of truth values is as a logical operation; INST if it is none. */
static LLVMValueRef logical(struct emit *e, LLVMValueRef inst)
{
    LLVMValueRef condition = LLVMGetOperand(inst, 0), yes = LLVMGetOperand(inst, 1), no = LLVMGetOperand(inst, 2);
    if (LLVMTypeOf(inst) != e->i1)
        return inst;
    LLVMPositionBuilderBefore(e->b, inst);
    if (yes == condition || is_truth(yes, 1))
        return LLVMBuildOr(e->b, condition, no, "");
    if (no == condition || is_truth(no, 0))
        return LLVMBuildAnd(e->b, condition, yes, "");
    if (is_truth(no, 1))
        return LLVMBuildOr(e->b, LLVMBuildNot(e->b, condition, ""), yes, "");
    return is_truth(yes, 0) ? LLVMBuildAnd(e->b, LLVMBuildNot(e->b, condition, ""), no, "") : inst;
}

/* What can be in place of INST; INST if it is neither `freeze` nor a logical operation. */
static LLVMValueRef thawed(struct emit *e, LLVMValueRef inst)
{
    if (LLVMIsAFreezeInst(inst) && !is_conversion(LLVMGetOperand(inst, 0)))
        return settled(LLVMGetOperand(inst, 0));
    return LLVMIsASelectInst(inst) ? logical(e, inst) : inst;
}

void llvm_thaw(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
                LLVMValueRef other = thawed(&e, inst);
                next = LLVMGetNextInstruction(inst);
                if (other == inst)
                    continue;
                LLVMReplaceAllUsesWith(inst, other);
                LLVMInstructionEraseFromParent(inst);
            }
    emit_close(&e);
}
