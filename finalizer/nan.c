/* SPDX-License-Identifier: MIT */
/* Constant NaNs that keep their payload (PRM 4.19.4): LLVM's back end makes the default NaN of the canonical form of
 * one (doc/decisions/llvm-nan-payload.md). Input: a module after the passes that find constants. Output: the same
 * without such forms. Invariant: what takes their place is a NaN of which LLVM knows nothing. */
#include "finalizer/emit.h"

#include <string.h>

static bool is_canonicalize(LLVMValueRef inst)
{
    static const char name[] = "llvm.canonicalize.";
    size_t length;
    if (!LLVMIsACallInst(inst))
        return false;
    const char *called = LLVMGetValueName2(LLVMGetCalledValue(inst), &length);
    return length >= sizeof name && !strncmp(called, name, sizeof name - 1);
}

static void keep(struct emit *e, LLVMValueRef inst)
{
    LLVMValueRef source = LLVMGetOperand(inst, 0);
    if (!LLVMIsAConstantFP(source))
        return;
    unsigned bits = emit_width(source);
    LLVMValueRef number = LLVMConstBitCast(source, emit_int_type(e, bits));
    if (!LLVMIsAConstantInt(number) || !emit_is_nan(LLVMConstIntGetZExtValue(number), bits))
        return;
    uint64_t quiet = LLVMConstIntGetZExtValue(number) | (uint64_t)1 << (emit_mantissa(bits) - 1);
    LLVMPositionBuilderBefore(e->b, inst);
    LLVMValueRef value = emit_opaque(e, emit_int(e, bits, quiet));
    LLVMReplaceAllUsesWith(inst, emit_bits(e, value, LLVMTypeOf(source)));
}

void llvm_keep_nans(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
                if (is_canonicalize(inst))
                    keep(&e, inst);
    emit_close(&e);
}
