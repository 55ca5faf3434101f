/* SPDX-License-Identifier: MIT */
/* Has values that go from block to block go through variables, as LLVM's reg2mem does, which takes more than linear
 * time for long functions (doc/decisions/llvm-time.md). Input: a module. Output: the same, in which no block uses a
 * value of another one, save arguments and addresses of variables, and there are no phis. Invariant: a variable is
 * stored once for each value that is computed, before anything loads it. */
#include "finalizer/emit.h"

static LLVMValueRef add_variable(struct emit *e, LLVMValueRef function, LLVMTypeRef type)
{
    LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    return LLVMBuildAlloca(e->b, type, "");
}

/* Stores what a phi may be at the end of each block before, and loads it where the phi was. */
static void demote_phi(struct emit *e, LLVMValueRef function, LLVMValueRef phi)
{
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMValueRef place = add_variable(e, function, type), after = phi;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        LLVMBuildStore(e->b, LLVMGetIncomingValue(phi, i), place);
    }
    while (LLVMIsAPHINode(after))
        after = LLVMGetNextInstruction(after);
    LLVMPositionBuilderBefore(e->b, after);
    LLVMReplaceAllUsesWith(phi, LLVMBuildLoad2(e->b, type, place, ""));
    LLVMInstructionEraseFromParent(phi);
}

/* Stores VALUE after it has been computed, if other blocks use it, and has them load it. */
static void demote_value(struct emit *e, LLVMValueRef function, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    LLVMValueRef place = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMGetInstructionParent(user) == block)
            continue;
        if (!place)
            place = add_variable(e, function, LLVMTypeOf(value));
        LLVMPositionBuilderBefore(e->b, user);
        emit_exchange(user, value, LLVMBuildLoad2(e->b, LLVMTypeOf(value), place, ""));
        next = LLVMGetFirstUse(value); /* USER may have had it twice */
    }
    if (place) {
        LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(value));
        LLVMBuildStore(e->b, value, place);
    }
}

static void demote_function(struct emit *e, LLVMValueRef function)
{
    LLVMBasicBlockRef block;
    LLVMValueRef inst, next;
    for (block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (inst = LLVMGetFirstInstruction(block); inst && LLVMIsAPHINode(inst); inst = next) {
            next = LLVMGetNextInstruction(inst);
            demote_phi(e, function, inst);
        }
    for (block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
            if (!LLVMIsAAllocaInst(inst))
                demote_value(e, function, inst);
}

void llvm_demote_values(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f))
        if (LLVMCountBasicBlocks(f))
            demote_function(&e, f);
    emit_close(&e);
}
