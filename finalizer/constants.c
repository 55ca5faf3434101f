/* SPDX-License-Identifier: MIT */
/* Puts numbers in place of constant expressions. LLVM's builder does not know how a number lies in a vector, so that it
 * leaves casts of constant vectors, and what is computed from them, as they are; LLVM's selection of instructions makes
 * numbers of them late, after the cures of this directory have looked for operations that it gets wrong.
 * Input: an optimized module. Output: the same module, in which integers that are constant are numbers.
 * Invariant: no number changes. */
#include "finalizer/emit.h"

enum { DEPTH = 32, MOST_ELEMENTS = 16 }; /* constants within constants that are looked at; a vector's elements */

static bool number_of(LLVMValueRef value, unsigned depth, uint64_t *number);

static bool is_expression(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == opcode;
}

/* Finds WIDTH bits, up to 64, of the constant SOURCE, from bit FIRST on; they do not end within an element if they
 * begin in another one. */
static bool bits_of(LLVMValueRef source, unsigned first, unsigned width, unsigned depth, uint64_t *bits)
{
    LLVMTypeRef type = LLVMTypeOf(source);
    unsigned part = emit_element_width(type);
    if (!depth--)
        return false;
    if (is_expression(source, LLVMBitCast))
        return bits_of(LLVMGetOperand(source, 0), first, width, depth, bits);
    *bits = 0;
    for (unsigned at = first / part * part; at < first + width; at += part) {
        bool is_vector = emit_is_vector(type);
        LLVMValueRef element = is_vector ? LLVMGetAggregateElement(source, at / part) : source;
        uint64_t number;
        if (!element || !number_of(element, depth, &number))
            return false;
        *bits |= at < first ? number >> (first - at) : number << (at - first);
    }
    *bits &= UINT64_MAX >> (64 - width);
    return true;
}

/* Carries out the operation of the constant expression VALUE. */
static bool compute(LLVMValueRef value, unsigned depth, uint64_t *number)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(value);
    uint64_t a, b;
    if (opcode == LLVMExtractElement) {
        LLVMValueRef vector = LLVMGetOperand(value, 0), index = LLVMGetOperand(value, 1);
        unsigned width = emit_width(value);
        return LLVMIsAConstantInt(index) &&
               bits_of(vector, (unsigned)LLVMConstIntGetZExtValue(index) * width, width, depth, number);
    }
    if (opcode == LLVMTrunc)
        return bits_of(LLVMGetOperand(value, 0), 0, emit_width(value), depth, number);
    if (LLVMGetNumOperands(value) != 2 || !number_of(LLVMGetOperand(value, 0), depth, &a) ||
        !number_of(LLVMGetOperand(value, 1), depth, &b))
        return false;
    switch (opcode) {
    case LLVMAdd: *number = a + b; return true;
    case LLVMSub: *number = a - b; return true;
    case LLVMMul: *number = a * b; return true;
    case LLVMXor: *number = a ^ b; return true;
    default: return false; /* no expression of a constant that LLVM 19 has */
    }
}

/* Finds the number that the constant VALUE, of up to 64 bits, is. */
static bool number_of(LLVMValueRef value, unsigned depth, uint64_t *number)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_float = emit_is_float(type);
    if (!depth-- || (LLVMGetTypeKind(type) != LLVMIntegerTypeKind && !is_float) || emit_width(value) > 64)
        return false;
    if (is_float && LLVMIsAConstantFP(value))
        value = LLVMConstBitCast(value, LLVMIntTypeInContext(LLVMGetTypeContext(type), emit_width(value)));
    if (LLVMIsAConstantInt(value)) {
        *number = LLVMConstIntGetZExtValue(value);
        return true;
    }
    if (is_expression(value, LLVMBitCast))
        return bits_of(LLVMGetOperand(value, 0), 0, emit_width(value), depth, number);
    bool done = LLVMIsAConstantExpr(value) && compute(value, depth, number);
    if (done)
        *number &= UINT64_MAX >> (64 - emit_width(value));
    return done;
}

/* The number, or vector of numbers, that the constant VALUE is; VALUE if it is one already, or has no number. */
static LLVMValueRef settled(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_vector = emit_is_vector(type);
    LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
    unsigned count = is_vector ? LLVMGetVectorSize(type) : 1, width;
    LLVMValueRef numbers[MOST_ELEMENTS];
    if (!(LLVMIsAConstantExpr(value) || LLVMIsAConstantVector(value)) || count > MOST_ELEMENTS ||
        LLVMGetTypeKind(element) != LLVMIntegerTypeKind || (width = LLVMGetIntTypeWidth(element)) > 64)
        return value;
    for (unsigned i = 0; i < count; i++) {
        uint64_t number;
        if (!bits_of(value, i * width, width, DEPTH, &number))
            return value;
        numbers[i] = LLVMConstInt(element, number, 0);
    }
    return is_vector ? LLVMConstVector(numbers, count) : numbers[0];
}

static void settle(LLVMValueRef inst)
{
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i), other = settled(operand);
        if (other != operand)
            LLVMSetOperand(inst, (unsigned)i, other);
    }
}

void llvm_settle_constants(struct llvm_session *session)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
                settle(inst);
}
