/* SPDX-License-Identifier: MIT */
/* Prepares a copy of the module for the question which words are all ones: spells out what LLVM's selection of
 * instructions looks through, and `instcombine` does not.
 * Input: a function of the copy. Output: the same function, in other operations. Invariant: no word that is all ones
 * becomes another one; what is not used any more goes. */
#include "finalizer/ones.h"

/* How many bits a value of TYPE has, if it is a number of at least 64 bits or a vector of such; otherwise 0. */
unsigned ones_number_bits(const struct emit *e, LLVMTypeRef type)
{
    LLVMTypeRef element = emit_is_vector(type) ? LLVMGetElementType(type) : type;
    bool is_number = LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) >= 64;
    return is_number ? (unsigned)LLVMSizeOfTypeInBits(e->session->layout, type) : 0;
}

LLVMValueRef ones_lane(struct emit *e, LLVMValueRef whole, unsigned index)
{
    return LLVMBuildExtractElement(e->b, whole, emit_int(e, 32, index), "");
}

/* The number that the elements of VECTOR make, spelled out in shifts. */
static LLVMValueRef join(struct emit *e, LLVMValueRef vector)
{
    LLVMTypeRef type = LLVMTypeOf(vector);
    unsigned count = LLVMGetVectorSize(type), bits = emit_element_width(type);
    LLVMTypeRef whole = emit_int_type(e, count * bits);
    LLVMValueRef number = LLVMConstNull(whole);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef part = emit_bits(e, ones_lane(e, vector, i), emit_int_type(e, bits));
        part = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, part, whole, ""), emit_int(e, count * bits, i * bits), "");
        number = LLVMBuildOr(e->b, number, part, "");
    }
    return number;
}

/* Whether NUMBER is zero from bit FIRST on, as it is made of one of at most so many bits. */
static bool is_longer_by_zeros(LLVMValueRef number, unsigned first)
{
    return LLVMIsAZExtInst(number) && emit_width(LLVMGetOperand(number, 0)) <= first;
}

/* The vector of TYPE whose elements are the parts of NUMBER, spelled out in shifts. */
static LLVMValueRef divide(struct emit *e, LLVMValueRef number, LLVMTypeRef type)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned count = LLVMGetVectorSize(type), bits = emit_element_width(type);
    LLVMValueRef whole = LLVMGetPoison(type);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef part = LLVMBuildLShr(e->b, number, emit_int(e, count * bits, i * bits), "");
        part = is_longer_by_zeros(number, i * bits) ? emit_int(e, bits, 0)
                                                    : LLVMBuildTrunc(e->b, part, emit_int_type(e, bits), "");
        whole = LLVMBuildInsertElement(e->b, whole, emit_bits(e, part, element), emit_int(e, 32, i), "");
    }
    return whole;
}

/* Puts shifts in place of CAST if it takes a number for a vector, a vector for a number or for another vector. */
static void spell_out(struct emit *e, LLVMValueRef cast)
{
    LLVMValueRef from = LLVMGetOperand(cast, 0);
    LLVMTypeRef type = LLVMTypeOf(cast);
    if (!emit_is_vector(LLVMTypeOf(from)) && !emit_is_vector(type))
        return;
    LLVMPositionBuilderBefore(e->b, cast);
    LLVMTypeRef number_type = emit_int_type(e, (unsigned)LLVMSizeOfTypeInBits(e->session->layout, type));
    LLVMValueRef number = emit_is_vector(LLVMTypeOf(from)) ? join(e, from) : emit_bits(e, from, number_type);
    LLVMReplaceAllUsesWith(cast, emit_is_vector(type) ? divide(e, number, type) : emit_bits(e, number, type));
    LLVMInstructionEraseFromParent(cast);
}

/* INST, which chooses between numbers or combines their bits, on vectors of words instead; NULL: it does neither. */
static LLVMValueRef on_words(struct emit *e, LLVMValueRef inst, LLVMTypeRef words)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    bool selects = op == LLVMSelect && !emit_is_vector(LLVMTypeOf(LLVMGetOperand(inst, 0)));
    if (op != LLVMAnd && op != LLVMOr && op != LLVMXor && !selects)
        return NULL;
    LLVMValueRef a = emit_bits(e, LLVMGetOperand(inst, selects), words);
    LLVMValueRef b = emit_bits(e, LLVMGetOperand(inst, selects + 1), words);
    return selects ? LLVMBuildSelect(e->b, LLVMGetOperand(inst, 0), a, b, "") : LLVMBuildBinOp(e->b, op, a, b, "");
}

/* The largest or the smallest number, to which a sum with signs saturates that would overflow and become SUM. */
static LLVMValueRef signed_limit(struct emit *e, LLVMValueRef sum)
{
    LLVMTypeRef type = LLVMTypeOf(sum);
    LLVMValueRef least = emit_sign_mask(e, 64), last = emit_int(e, 64, 63);
    if (emit_is_vector(type)) {
        LLVMValueRef some[] = {least, least, last, last};
        least = LLVMConstVector(some, 2);
        last = LLVMConstVector(some + 2, 2);
    }
    return LLVMBuildXor(e->b, LLVMBuildAShr(e->b, sum, last, ""), least, "");
}

/* INST in operations that do not saturate; NULL: it does not either. LLVM's selection of instructions does that too,
 * and sees then that the sum of a number and its complement is all ones. */
static LLVMValueRef without_saturation(struct emit *e, LLVMValueRef inst)
{
    static const char *const names[] = {"llvm.uadd.sat.", "llvm.usub.sat.", "llvm.sadd.sat.", "llvm.ssub.sat."};
    unsigned which = 0;
    while (which < 4 && !emit_is_call_of(inst, names[which]))
        which++;
    LLVMTypeRef type = LLVMTypeOf(inst);
    if (which == 4 || emit_element_width(type) != 64 || (emit_is_vector(type) && LLVMGetVectorSize(type) != 2))
        return NULL;
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1), zero = LLVMConstNull(type), over, limit;
    bool is_sum = which % 2 == 0;
    LLVMValueRef plain = LLVMBuildBinOp(e->b, is_sum ? LLVMAdd : LLVMSub, a, b, "");
    if (which < 2) {
        over = LLVMBuildICmp(e->b, LLVMIntULT, is_sum ? plain : a, is_sum ? a : b, "");
        limit = is_sum ? LLVMConstAllOnes(type) : zero;
    } else {
        over = LLVMBuildXor(e->b, LLVMBuildICmp(e->b, is_sum ? LLVMIntSLT : LLVMIntSGT, b, zero, ""),
                            LLVMBuildICmp(e->b, LLVMIntSLT, plain, a, ""), "");
        limit = signed_limit(e, plain);
    }
    return LLVMBuildSelect(e->b, over, limit, plain, "");
}

/* Spells out saturating operations of F and, if it DIVIDES, divides those that combine bits into words, as LLVM's
 * selection of instructions does, so that what is known of one word does not depend on how much is found out about all
 * of them. */
static void spell_out_numbers(struct emit *e, LLVMValueRef f, bool divides)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
            next = LLVMGetNextInstruction(inst);
            unsigned bits = ones_number_bits(e, LLVMTypeOf(inst));
            if (bits < 64 || bits % 32)
                continue;
            LLVMPositionBuilderBefore(e->b, inst);
            LLVMValueRef other = divides ? on_words(e, inst, LLVMVectorType(e->i32, bits / 32)) : NULL;
            other = other ? other : without_saturation(e, inst);
            if (!other)
                continue;
            LLVMReplaceAllUsesWith(inst, emit_bits(e, other, LLVMTypeOf(inst)));
            LLVMInstructionEraseFromParent(inst);
        }
}

/* Lets `instcombine` see in F what becomes of each part of a number that is taken for a vector, and of each element of
 * a vector that is taken for a number, as LLVM's selection of instructions does. It looks into a cast only from small
 * elements to larger ones, and makes other such casts of shifts, unless it finds no cast at either end of them. */
static void spell_out_casts(struct emit *e, LLVMValueRef f)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
            next = LLVMGetNextInstruction(inst);
            if (LLVMIsABitCastInst(inst))
                spell_out(e, inst);
        }
}

/* How many bits the private address of a variable may have: what waves have of scratch memory is shared by the lanes.
 */
static unsigned private_address_bits(const struct emit *e)
{
    enum { WAVE_BITS = 23, WAVE_BITS_GFX12 = 26 };
    bool is_large = e->target->processor->generation->id >= AMDGPU_GFX12;
    return (is_large ? WAVE_BITS_GFX12 : WAVE_BITS) - (unsigned)__builtin_ctz(e->target->wave);
}

/* Tells `instcombine` which bits of the addresses of F's private variables are zero. LLVM's selection of instructions
 * knows that. */
static void bound_private_addresses(struct emit *e, LLVMValueRef f)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef inst = LLVMGetFirstInstruction(entry), next; inst; inst = next) {
        next = LLVMGetNextInstruction(inst);
        if (!LLVMIsAAllocaInst(inst) || !LLVMGetFirstUse(inst))
            continue;
        LLVMPositionBuilderBefore(e->b, next);
        LLVMValueRef address = LLVMBuildPtrToInt(e->b, inst, e->i32, "");
        LLVMValueRef low = LLVMBuildAnd(e->b, address, emit_int(e, 32, (1u << private_address_bits(e)) - 1), "");
        LLVMReplaceAllUsesWith(inst, LLVMBuildIntToPtr(e->b, low, LLVMTypeOf(inst), ""));
        LLVMSetOperand(address, 0, inst);
    }
}

void ones_spell_out(struct emit *e, LLVMValueRef function, bool divides)
{
    spell_out_numbers(e, function, divides);
    spell_out_casts(e, function);
    bound_private_addresses(e, function);
}
