/* SPDX-License-Identifier: MIT */
/* Makes constant NaNs keep their payload (PRM 4.19.4): LLVM's back end turns the canonical form of a constant NaN
 * into the default NaN (doc/decisions/llvm-nan-payload.md). And makes signaling NaNs quiet where LLVM takes parts of
 * canonical numbers for canonical (doc/decisions/llvm-quiet-parts.md).
 * Input: a module after the passes that find constants. Output: the same module, with numbers hidden from LLVM
 * wherever it could compute a NaN, or misjudge one. Invariant: no other number changes. */
#include "finalizer/emit.h"

#include <string.h>

/* The number of values that are visited for one bit; a number that takes more counts as known. */
enum { STEPS = 64 };

/* How many operations is_put_together() looks through. */
enum { DEPTH = 8 };

/* What LLVM may find out about a bit: that it is 0, that it is 1, or either. */
enum { KNOWN_0 = 1, KNOWN_1 = 2, KNOWN = KNOWN_0 | KNOWN_1 };

static unsigned known_bit(LLVMValueRef value, unsigned bit, unsigned *steps);

/* The bits of an integer, or of one element of a vector of integers; 0 for other values. */
static unsigned element_bits(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (emit_is_vector(type))
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

/* Whether all bits of an integer but its highest, which may be a sign, may be known; of another value, whether all that
 * it is computed from may be. */
static bool is_known(LLVMValueRef value, unsigned *steps)
{
    if (LLVMIsABitCastInst(value) && element_bits(LLVMGetOperand(value, 0)))
        value = LLVMGetOperand(value, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bits = element_bits(value);
    if (emit_is_vector(type))
        bits *= LLVMGetVectorSize(type);
    for (unsigned bit = 0; bit < (bits > 1 ? bits - 1 : 1); bit++)
        if (!known_bit(value, bit, steps))
            return false;
    return true;
}

/* A bit of a floating point number, all of which LLVM may know, but for the sign, if it may know the operands. */
static unsigned known_number(LLVMValueRef inst, unsigned *steps)
{
    int first = LLVMIsASelectInst(inst) ? 1 : 0, count = LLVMGetNumOperands(inst);
    if (LLVMIsACallInst(inst))
        count = emit_is_call_of(inst, "llvm.copysign.") ? 1 : (int)LLVMGetNumArgOperands(inst);
    for (int i = first; i < count; i++)
        if (!is_known(LLVMGetOperand(inst, (unsigned)i), steps))
            return 0;
    return KNOWN;
}

static unsigned known_constant(LLVMValueRef value, unsigned bit)
{
    unsigned bits = element_bits(value);
    if (bits && bits <= 64 && emit_is_vector(LLVMTypeOf(value)) && !LLVMIsUndef(value)) {
        value = LLVMGetAggregateElement(value, bit / bits);
        bit %= bits;
    }
    if (!bits || bits > 64 || !value || !LLVMIsAConstantInt(value))
        return KNOWN;
    return LLVMConstIntGetZExtValue(value) >> bit & 1 ? KNOWN_1 : KNOWN_0;
}

/* A bit of a shift of an integer. */
static unsigned known_shifted(LLVMValueRef inst, unsigned bit, unsigned *steps)
{
    LLVMValueRef source = LLVMGetOperand(inst, 0), count = LLVMGetOperand(inst, 1);
    unsigned bits = element_bits(inst);
    if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) >= bits)
        return KNOWN;
    unsigned by = (unsigned)LLVMConstIntGetZExtValue(count);
    if (LLVMGetInstructionOpcode(inst) == LLVMShl)
        return bit < by ? KNOWN_0 : known_bit(source, bit - by, steps);
    if (bit + by < bits)
        return known_bit(source, bit + by, steps);
    return LLVMGetInstructionOpcode(inst) == LLVMLShr ? KNOWN_0 : known_bit(source, bits - 1, steps);
}

/* A bit of a vector that an instruction puts together of others, or of one element of a vector. */
static unsigned known_element(LLVMValueRef inst, unsigned bit, unsigned *steps)
{
    LLVMValueRef vector = LLVMGetOperand(inst, 0);
    unsigned bits = element_bits(inst), lane = bit / bits, count = LLVMGetVectorSize(LLVMTypeOf(vector));
    if (LLVMIsAShuffleVectorInst(inst)) {
        int from = LLVMGetMaskValue(inst, lane);
        if (from < 0)
            return KNOWN;
        LLVMValueRef source = LLVMGetOperand(inst, (unsigned)from / count);
        return known_bit(source, (unsigned)from % count * bits + bit % bits, steps);
    }
    LLVMValueRef index = LLVMGetOperand(inst, LLVMIsAInsertElementInst(inst) ? 2 : 1);
    if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) >= count)
        return KNOWN;
    unsigned at = (unsigned)LLVMConstIntGetZExtValue(index);
    if (LLVMIsAExtractElementInst(inst))
        return known_bit(vector, at * bits + bit, steps);
    return at == lane ? known_bit(LLVMGetOperand(inst, 1), bit % bits, steps) : known_bit(vector, bit, steps);
}

/* A bit of an integer that is computed bit by bit from two others. */
static unsigned known_combined(LLVMValueRef inst, unsigned bit, unsigned *steps)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    unsigned first = op == LLVMSelect ? 1 : 0;                           /* what a select chooses by counts as known */
    unsigned b = known_bit(LLVMGetOperand(inst, first + 1), bit, steps); /* which is constant more often than A */
    if ((op == LLVMAnd && b == KNOWN_0) || (op == LLVMOr && b == KNOWN_1))
        return b;
    unsigned a = known_bit(LLVMGetOperand(inst, first), bit, steps);
    switch (op) {
    case LLVMAnd: return ((a | b) & KNOWN_0) | (a & b & KNOWN_1);
    case LLVMOr: return ((a | b) & KNOWN_1) | (a & b & KNOWN_0);
    case LLVMSelect: return a | b;
    default: return a && b ? KNOWN : 0; /* exclusive or */
    }
}

/* A bit of what a phi chooses; LLVM does not know what comes from elsewhere if one of the values is none. */
static unsigned known_chosen(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!LLVMIsConstant(LLVMGetIncomingValue(phi, i)))
            return 0;
    return KNOWN;
}

/* A bit of what a load reads; LLVM may know it if it knows what was stored shortly before. */
static unsigned known_loaded(LLVMValueRef load, unsigned *steps)
{
    LLVMTypeRef space = LLVMTypeOf(LLVMGetOperand(load, 0));
    LLVMValueRef inst = LLVMGetPreviousInstruction(load);
    for (unsigned i = 0; i < STEPS && inst; i++, inst = LLVMGetPreviousInstruction(inst))
        if (LLVMIsAStoreInst(inst) && LLVMTypeOf(LLVMGetOperand(inst, 1)) == space &&
            is_known(LLVMGetOperand(inst, 0), steps))
            return KNOWN;
    return 0;
}

/* A bit of what only integers are followed through, not vectors. */
static unsigned known_scalar(LLVMValueRef inst, LLVMValueRef source, unsigned bit, unsigned *steps)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return known_shifted(inst, bit, steps);
    case LLVMTrunc: return known_bit(source, bit, steps);
    case LLVMZExt: return bit < element_bits(source) ? known_bit(source, bit, steps) : KNOWN_0;
    case LLVMSExt: return known_bit(source, bit < element_bits(source) ? bit : element_bits(source) - 1, steps);
    default: return KNOWN; /* operations of LLVM that are not followed bit by bit */
    }
}

/* Whether bit BIT of VALUE, which counts through all elements of a vector, may be found out by LLVM. Too often is
 * better than not often enough: only what is read here exactly, or comes from where LLVM cannot look, is unknown. */
static unsigned known_bit(LLVMValueRef value, unsigned bit, unsigned *steps)
{
    if (LLVMIsConstant(value))
        return known_constant(value, bit);
    if (++*steps > STEPS)
        return KNOWN;
    if (!LLVMIsAInstruction(value))
        return 0;
    LLVMValueRef source = LLVMGetNumOperands(value) ? LLVMGetOperand(value, 0) : value;
    bool is_vector = emit_is_vector(LLVMTypeOf(value));
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMLoad: return known_loaded(value, steps);
    case LLVMPHI: return known_chosen(value);
    case LLVMCall:
        if (!emit_is_call_of(value, "llvm."))
            return 0; /* functions and inline assembly */
        break;
    case LLVMBitCast: return element_bits(source) ? known_bit(source, bit, steps) : known_number(value, steps);
    default: break; /* what is followed, if it is an integer, or is known as a whole */
    }
    if (!element_bits(value))
        return known_number(value, steps);
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector: return known_element(value, bit, steps);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect: return known_combined(value, bit, steps);
    case LLVMFreeze: return known_bit(source, bit, steps);
    default: return is_vector ? KNOWN : known_scalar(value, source, bit, steps); /* not followed through vectors */
    }
}

/* Whether LLVM may find out that the BITS of VALUE are those of a NaN, whose exponent is ones. The sign may be found
 * out later, when that of the number is changed. */
static bool may_be_known_nan(LLVMValueRef value, unsigned bits)
{
    unsigned mantissa = emit_mantissa(bits);
    for (unsigned i = 0; i < bits - 1; i++) {
        unsigned steps = 0, bit = (mantissa + i) % (bits - 1); /* the exponent comes first, as it decides most often */
        unsigned known = known_bit(value, bit, &steps);
        if (steps > STEPS)
            return true;
        if (!known || (known == KNOWN_0 && bit >= mantissa))
            return false;
    }
    return true;
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
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMPositionBuilderBefore(e->b, inst);
    if (LLVMIsABitCastInst(inst)) {
        LLVMValueRef source = LLVMGetOperand(inst, 0);
        if (emit_is_float(type) && element_bits(source) && may_be_known_nan(source, emit_width(inst)))
            LLVMSetOperand(inst, 0, emit_opaque(e, emit_bits(e, source, emit_int_type(e, emit_width(inst)))));
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(inst) && !LLVMIsAPHINode(inst); i++) {
        LLVMValueRef source = LLVMGetOperand(inst, (unsigned)i);
        LLVMTypeRef from = LLVMTypeOf(source);
        if (emit_is_float(from) && LLVMIsAConstantExpr(source))
            LLVMSetOperand(inst, (unsigned)i,
                           hidden(e, LLVMConstBitCast(source, emit_int_type(e, emit_width(source))), from));
    }
}

/* How many operands of INST, from the first one that is a value on, its bits come from; 0 if it computes. */
static int passed_operands(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMBitCast:
    case LLVMExtractElement:
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMLShr:
    case LLVMShl:
    case LLVMTrunc:
    case LLVMZExt: return 1;
    case LLVMAnd:
    case LLVMInsertElement:
    case LLVMOr:
    case LLVMSelect:
    case LLVMShuffleVector:
    case LLVMXor: return 2;
    case LLVMCall: return emit_is_call_of(inst, "llvm.fabs.") || emit_is_call_of(inst, "llvm.copysign.");
    default: return 0; /* what computes numbers */
    }
}

/* Whether VALUE may be put together of parts of numbers that are computed in another width than BITS, or in the same
 * one if parts that have only PART bits are moved. DEPTH operations are looked through. */
static bool is_put_together(LLVMValueRef value, unsigned bits, unsigned part, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || !depth)
        return LLVMIsAInstruction(value);
    int first = LLVMIsASelectInst(value) ? 1 : 0, count = passed_operands(value);
    unsigned width = emit_element_width(LLVMTypeOf(value));
    if (!count)
        return !element_bits(value) && (width != bits || part < bits);
    part = width < part ? width : part;
    for (int i = first; i < first + count; i++)
        if (is_put_together(LLVMGetOperand(value, (unsigned)i), bits, part, depth - 1))
            return true;
    return false;
}

/* Hides the operand of a canonicalization where LLVM would leave it out, because it takes part of a canonical number,
 * or several such numbers together, for a canonical one. */
static void keep_signaling(struct emit *e, LLVMValueRef inst)
{
    LLVMValueRef source = LLVMGetOperand(inst, 0);
    if (!emit_is_float(LLVMTypeOf(source)) || !is_put_together(source, emit_width(source), emit_width(source), DEPTH))
        return;
    LLVMPositionBuilderBefore(e->b, inst);
    LLVMSetOperand(inst, 0, hidden(e, emit_as_int(e, source), LLVMTypeOf(source)));
}

void llvm_keep_nans(struct llvm_session *session)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(e.module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
                keep_computed(&e, inst);
                if (!emit_is_call_of(inst, "llvm.canonicalize."))
                    continue;
                keep_signaling(&e, inst);
                keep_constant(&e, inst);
            }
    emit_close(&e);
}
