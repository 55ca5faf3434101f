/* SPDX-License-Identifier: MIT */
/* Spells out sums of 64 bits whose operands have no bit in common, because one of them was masked with the complement
 * of the other: `x + (~x & y)`. LLVM's selection of instructions makes an `or` of 64 bits of such a sum, and gets those
 * of its words wrong that are all ones (doc/decisions/llvm-disjoint-sums.md).
 * Input: an optimized module. Output: the same module, with an `or` of each pair of words instead of such a sum.
 * Invariant: no number changes. */
#include "finalizer/emit.h"

/* What VALUE is the complement of, or NULL. */
static LLVMValueRef complement(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMXor)
        return NULL;
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1), ones = LLVMConstAllOnes(LLVMTypeOf(value));
    return b == ones ? a : a == ones ? b : NULL;
}

/* VALUE before it was made shorter or longer: LLVM looks through that. */
static LLVMValueRef before_resizing(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsATruncInst(value) ? LLVMGetOperand(value, 0) : value;
}

static bool is_and(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAnd;
}

/* Whether MASKED is an `and` with the complement of OTHER, or of what OTHER is an `and` with. */
static bool excludes(LLVMValueRef masked, LLVMValueRef other)
{
    for (unsigned i = 0; is_and(masked) && i < 2; i++) {
        LLVMValueRef excluded = complement(LLVMGetOperand(masked, i));
        if (!excluded)
            continue;
        excluded = before_resizing(excluded);
        if (other == excluded ||
            (is_and(other) && (LLVMGetOperand(other, 0) == excluded || LLVMGetOperand(other, 1) == excluded)))
            return true;
    }
    return false;
}

static bool are_disjoint(LLVMValueRef a, LLVMValueRef b)
{
    a = before_resizing(a);
    b = before_resizing(b);
    return excludes(a, b) || excludes(b, a);
}

/* Whether INST is one of the operations that are an `or` if no bit is set in both operands. */
static bool is_sum(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd:
    case LLVMXor:
    case LLVMOr: return true;
    case LLVMCall: return emit_is_call_of(inst, "llvm.sadd.sat.") || emit_is_call_of(inst, "llvm.uadd.sat.");
    default: return false; /* never an `or` of its operands */
    }
}

/* Puts an `or` of words in place of INST, if it is a sum of at least 64 bits that needs it. */
static void spell_out(struct emit *e, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    if (!is_sum(inst) || !are_disjoint(LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1)))
        return;
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(e->session->layout, type);
    if (bits < 64 || bits % 32)
        return;
    LLVMTypeRef number = emit_int_type(e, bits);
    LLVMPositionBuilderBefore(e->b, inst);
    LLVMValueRef a = emit_bits(e, LLVMGetOperand(inst, 0), number), b = emit_bits(e, LLVMGetOperand(inst, 1), number);
    LLVMReplaceAllUsesWith(inst, emit_bits(e, emit_or(e, a, b), type));
    LLVMInstructionEraseFromParent(inst);
}

void llvm_spell_out_disjoint(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
                next = LLVMGetNextInstruction(inst);
                spell_out(&e, inst);
            }
    emit_close(&e);
}
