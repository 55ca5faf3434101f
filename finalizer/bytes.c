/* SPDX-License-Identifier: MIT */
/* Keeps LLVM's back end from gathering bytes of several values into one v_perm_b32 wrongly, with bytes that a shift
 * fills (doc/decisions/llvm-byte-shift.md).
 * Input: an optimized module. Output: the same module, in which LLVM cannot recognize what these are made of.
 * Invariant: no number changes. */
#include "finalizer/emit.h"

/* Whether a number that is extended may be the highest part of a register. What comes from another block is the lowest
 * part; a word is the highest only of a double word. Bytes and halves that are loaded are the highest part if LLVM
 * loads them together with their neighbours. */
static bool may_be_top(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || emit_width(value) % 8 != 0)
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI: return false;
    case LLVMTrunc:
    case LLVMExtractElement:
    case LLVMBitCast:
    case LLVMFreeze: return true;
    default: return emit_width(value) < 32; /* of others, a word is a register of its own */
    }
}

/* If INST is, or may become, a shift to the right by whole bytes: how many of its bytes are bytes of what it shifts, at
 * least; the rest is filled. Otherwise 0. */
static unsigned shifted_bytes(LLVMValueRef inst)
{
    LLVMValueRef by;
    unsigned bits;
    if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMIntegerTypeKind || emit_width(inst) > 64)
        return 0;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAShr:
    case LLVMLShr:
        by = LLVMGetOperand(inst, 1);
        if (!LLVMIsAConstantInt(by))
            return 1;
        bits = emit_width(inst) - (unsigned)LLVMConstIntGetZExtValue(by);
        return bits % 8 == 0 && bits < emit_width(inst) ? bits / 8 : 0;
    case LLVMSExt: by = LLVMGetOperand(inst, 0); return may_be_top(by) ? emit_width(by) / 8 : 0;
    case LLVMSDiv:
    case LLVMUDiv: return 1; /* by a power of two */
    default: return 0;       /* what does not become such a shift */
    }
}

/* Whether the constant MASK has no byte of only ones from byte FIRST on; false for other values. */
static bool keeps_no_byte(LLVMValueRef mask, unsigned first)
{
    if (!LLVMIsAConstantInt(mask))
        return false;
    for (uint64_t rest = LLVMConstIntGetZExtValue(mask) >> (8 * first); rest; rest >>= 8)
        if ((rest & 0xff) == 0xff)
            return false;
    return true;
}

static bool is_asm(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) && LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
}

/* Whether LLVM may look through USER for more than the lowest COUNT bytes of SHIFT, perhaps once it has found out more
 * about the operands. In what is not signed, it finds bytes of an `or` rightly. */
static bool asks_for_more(LLVMValueRef user, LLVMValueRef shift, unsigned count)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(shift);
    bool is_signed = op != LLVMLShr && op != LLVMUDiv;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMICmp:
    case LLVMMul:
    case LLVMGetElementPtr:
    case LLVMSIToFP:
    case LLVMUIToFP: return false;
    case LLVMShl:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMStore: return is_signed;
    case LLVMTrunc: return emit_width(user) > 8 * count;
    case LLVMAnd:
        return !keeps_no_byte(LLVMGetOperand(user, 0), count) && !keeps_no_byte(LLVMGetOperand(user, 1), count);
    default: return !is_asm(user); /* operations that LLVM may look through; in doubt it does */
    }
}

/* Has those users of INST for which LLVM might not find the right bytes use a number of which it does not know where it
 * comes from. */
static void hide_filled(struct emit *e, LLVMValueRef inst, unsigned count)
{
    unsigned bits = emit_width(inst);
    LLVMValueRef hidden = NULL;
    if (bits != 16 && bits != 32 && bits != 64)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(inst), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!asks_for_more(user, inst, count))
            continue;
        if (!hidden) {
            LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(inst));
            hidden = emit_opaque(e, inst);
        }
        emit_exchange(user, inst, hidden);
        if (next && LLVMGetUsedValue(next) != inst) /* USER had it twice */
            next = LLVMGetFirstUse(inst);
    }
}

void llvm_hide_bytes(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
                unsigned count = shifted_bytes(inst);
                if (count)
                    hide_filled(&e, inst, count);
            }
    emit_close(&e);
}
