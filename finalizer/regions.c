/* SPDX-License-Identifier: MIT */
/* Keeps the time that scheduling takes in proportion to a program's length. LLVM's scheduler compares the instructions
 * of a block with each other, so that a block of ten thousand takes it a hundred times as long as one of a thousand
 * (doc/decisions/llvm-time.md). Input: an optimized module. Output: the same, with long blocks divided by marks, which
 * become no machine code; the scheduler moves no instruction across them. Invariant: results do not change. */
#include "finalizer/emit.h"

/* How many of LLVM's instructions are between two marks. */
enum { REGION = 512 };

static void mark_region(struct emit *e, LLVMValueRef before)
{
    LLVMValueRef nothing_passes = emit_int(e, 32, 0);
    LLVMPositionBuilderBefore(e->b, before);
    emit_call(e, "llvm.amdgcn.sched.barrier", NULL, 0, &nothing_passes, 1);
}

void llvm_part_blocks(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
            unsigned count = 0;
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
                if (LLVMIsAPHINode(inst) || ++count % REGION)
                    continue;
                mark_region(&e, inst);
            }
        }
    emit_close(&e);
}
