/* SPDX-License-Identifier: MIT */
/* Makes constant NaNs keep their payload (PRM 4.19.4): LLVM's back end turns the canonical form of a constant NaN
 * into the default NaN (doc/decisions/llvm-nan-payload.md).
 * Input: a module after the passes that find constants. Output: the same module, with numbers hidden from LLVM
 * wherever it could compute a NaN. Invariant: no other number changes. */
#include "finalizer/emit.h"

#include <string.h>

/* The number of values that is_computed() visits for one number; a number that takes more counts as constant. */
enum { STEPS = 64 };

static bool is_call_of(LLVMValueRef inst, const char *prefix)
{
    size_t length;
    if (!LLVMIsACallInst(inst))
        return false;
    const char *called = LLVMGetValueName2(LLVMGetCalledValue(inst), &length);
    return length >= strlen(prefix) && !strncmp(called, prefix, strlen(prefix));
}

/* Whether VALUE is computed from constants only. */
static bool is_computed(LLVMValueRef value, unsigned *steps)
{
    if (LLVMIsConstant(value) || ++*steps > STEPS)
        return true;
    if (!LLVMIsAInstruction(value) || LLVMIsALoadInst(value) || LLVMIsAPHINode(value) || LLVMIsAAllocaInst(value) ||
        (LLVMIsACallInst(value) && (!is_call_of(value, "llvm.") || is_call_of(value, "llvm.amdgcn."))))
        return false;
    unsigned count = LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++)
        if (!is_computed(LLVMGetOperand(value, i), steps))
            return false;
    return count != 0;
}

static bool is_scalar_float(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static LLVMValueRef hidden(struct emit *e, LLVMValueRef integer, LLVMTypeRef type)
{
    return emit_bits(e, emit_opaque(e, integer), type);
}

/* Replaces the canonical form of a constant NaN with that NaN made quiet. */
static void keep_constant(struct emit *e, LLVMValueRef inst)
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
    LLVMReplaceAllUsesWith(inst, hidden(e, emit_int(e, bits, quiet), LLVMTypeOf(source)));
}

/* Hides numbers that INST uses, or makes of bits, and that LLVM could not compute so far but might later. */
static void keep_computed(struct emit *e, LLVMValueRef inst)
{
    unsigned steps = 0;
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMPositionBuilderBefore(e->b, inst);
    if (LLVMIsABitCastInst(inst)) {
        LLVMValueRef source = LLVMGetOperand(inst, 0);
        if (is_scalar_float(type) && LLVMGetTypeKind(LLVMTypeOf(source)) == LLVMIntegerTypeKind &&
            is_computed(source, &steps))
            LLVMSetOperand(inst, 0, emit_opaque(e, source));
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(inst) && !LLVMIsAPHINode(inst); i++) {
        LLVMValueRef source = LLVMGetOperand(inst, (unsigned)i);
        LLVMTypeRef from = LLVMTypeOf(source);
        if (is_scalar_float(from) && LLVMIsAConstantExpr(source))
            LLVMSetOperand(inst, (unsigned)i,
                           hidden(e, LLVMConstBitCast(source, emit_int_type(e, emit_width(source))), from));
    }
}

void llvm_keep_nans(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
                keep_computed(&e, inst);
                if (is_call_of(inst, "llvm.canonicalize."))
                    keep_constant(&e, inst);
            }
    emit_close(&e);
}
