/* SPDX-License-Identifier: MIT */
/* Hides from LLVM words that are all ones and go from one block to another, or are made of what does, or are half of
 * what is computed in 64 bits. LLVM's back end finds out about some of them only in machine code, and then
 * takes `or x, -1` for x (doc/decisions/llvm-late-ones.md, llvm-disjoint-sums.md).
 * Input: an optimized module. Output: the same module, in which LLVM cannot recognize these words.
 * Invariant: no number changes. */
#include "finalizer/emit.h"

enum { DEPTH = 6 }; /* operations through which may_have_ones() looks */

static const char probe_name[] = "hsail.probe";

struct vector_shape {
    LLVMTypeRef element, vector;
    unsigned count, bits;
};

typedef VEC(LLVMValueRef) values;

/* The registers that a value of TYPE is kept in: words, or elements that are smaller. */
static bool split_into_registers(struct emit *e, LLVMTypeRef type, struct vector_shape *lanes)
{
    LLVMTypeRef element = emit_is_vector(type) ? LLVMGetElementType(type) : type;
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return false;
    lanes->bits = LLVMGetIntTypeWidth(element);
    lanes->count = emit_is_vector(type) ? LLVMGetVectorSize(type) : 1;
    if (lanes->bits != 8 && lanes->bits * lanes->count % 32 == 0) {
        lanes->count = lanes->bits * lanes->count / 32;
        lanes->bits = 32;
    }
    if (lanes->bits != 8 && lanes->bits != 16 && lanes->bits != 32)
        return false;
    lanes->element = emit_int_type(e, lanes->bits);
    lanes->vector = LLVMVectorType(lanes->element, lanes->count);
    return true;
}

static bool is_used_elsewhere(LLVMValueRef inst)
{
    for (LLVMUseRef use = LLVMGetFirstUse(inst); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(inst))
            return true;
    }
    return false;
}

/* Whether INST is one of the operations that LLVM carries out on constants in machine code, whose result may be all
 * ones when no operand is, and whether an operand may come from another block. */
static bool may_make_ones(LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
    return (opcode == LLVMXor || opcode == LLVMOr || opcode == LLVMAShr) &&
           block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

/* How many bits a value of TYPE has, if it is a number of at least 64 bits or a vector of such; otherwise 0. */
static unsigned number_bits(const struct emit *e, LLVMTypeRef type)
{
    LLVMTypeRef element = emit_is_vector(type) ? LLVMGetElementType(type) : type;
    bool is_number = LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) >= 64;
    return is_number ? (unsigned)LLVMSizeOfTypeInBits(e->session->layout, type) : 0;
}

/* Whether LLVM's selection of instructions computes with INST in 64 bits. It may make an `or` of most operations, and
 * of several together: of `x + (~x & y)`, for example, an `or` of x and y. */
static bool is_computed_with(const struct emit *e, LLVMValueRef inst)
{
    if (!number_bits(e, LLVMTypeOf(inst)))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(inst); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAStoreInst(LLVMGetUser(use)))
            return true;
    return false;
}

static bool any_may_have_ones(LLVMValueRef inst, unsigned count, unsigned depth);

/* Whether it is worth asking if a half of VALUE is all ones. DEPTH operations are looked through. */
static bool may_have_ones(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstant(value))
        return !LLVMIsNull(value);
    if (!LLVMIsAInstruction(value))
        return false;
    if (!depth--)
        return true;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMBitCast:
        return emit_is_vector(LLVMTypeOf(LLVMGetOperand(value, 0))) || may_have_ones(LLVMGetOperand(value, 0), depth);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMFreeze:
    case LLVMExtractElement: return any_may_have_ones(value, 1, depth);
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMInsertElement:
    case LLVMShuffleVector: return any_may_have_ones(value, 2, depth);
    case LLVMCall: return any_may_have_ones(value, LLVMGetNumArgOperands(value), depth);
    case LLVMAnd:
        return may_have_ones(LLVMGetOperand(value, 0), depth) && may_have_ones(LLVMGetOperand(value, 1), depth);
    case LLVMSelect:
        return may_have_ones(LLVMGetOperand(value, 1), depth) && may_have_ones(LLVMGetOperand(value, 2), depth);
    case LLVMSExt: return true;
    default: return false; /* these have ones only if they are constant */
    }
}

/* Whether that is so for any of the first COUNT operands of INST. */
static bool any_may_have_ones(LLVMValueRef inst, unsigned count, unsigned depth)
{
    for (unsigned i = 0; i < count; i++)
        if (may_have_ones(LLVMGetOperand(inst, i), depth))
            return true;
    return false;
}

/* The instructions of MODULE, in their order, whose types have lanes and whose values go from block to block, or may be
 * all ones because of a value that does or where they are parts of a number of 64 bits. */
static bool collect_values(struct emit *e, LLVMModuleRef module, values *found)
{
    struct vector_shape lanes;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
                if (!LLVMIsALoadInst(inst) && !LLVMIsAPHINode(inst) && !LLVMIsATerminatorInst(inst) &&
                    split_into_registers(e, LLVMTypeOf(inst), &lanes) &&
                    (is_used_elsewhere(inst) || may_make_ones(inst) ||
                     (is_computed_with(e, inst) && may_have_ones(inst, DEPTH))) &&
                    !vec_push(found, inst))
                    return llvm_fail(e->session, OUT_OF_MEMORY);
    return true;
}

static LLVMValueRef lane(struct emit *e, LLVMValueRef whole, unsigned index)
{
    return LLVMBuildExtractElement(e->b, whole, emit_int(e, 32, index), "");
}

/* Calls PROBE for each lane of a value with whether it is all ones, the number of the value and of the lane. */
static void call_probe(struct emit *e, LLVMValueRef probe, LLVMValueRef inst, unsigned number)
{
    struct vector_shape lanes;
    split_into_registers(e, LLVMTypeOf(inst), &lanes);
    LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(inst));
    LLVMValueRef whole = emit_bits(e, inst, lanes.vector);
    for (unsigned i = 0; i < lanes.count; i++) {
        LLVMValueRef is_ones = LLVMBuildICmp(e->b, LLVMIntEQ, lane(e, whole, i), LLVMConstAllOnes(lanes.element), "");
        LLVMBuildCall2(e->b, LLVMGlobalGetValueType(probe), probe,
                       (LLVMValueRef[]){is_ones, emit_int(e, 32, number), emit_int(e, 32, i)}, 3, "");
    }
}

/* Puts ones that LLVM does not know in lane INDEX of INST, for all that use it. */
static void hide(struct emit *e, LLVMValueRef inst, unsigned index)
{
    struct vector_shape lanes;
    split_into_registers(e, LLVMTypeOf(inst), &lanes);
    LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(inst));
    LLVMValueRef ones = emit_resize(e, emit_opaque(e, emit_int(e, 32, UINT32_MAX)), lanes.bits, false);
    LLVMValueRef whole = emit_bits(e, inst, lanes.vector);
    LLVMValueRef other = LLVMBuildInsertElement(e->b, whole, ones, emit_int(e, 32, index), "");
    LLVMValueRef hidden = emit_bits(e, other, LLVMTypeOf(inst));
    LLVMReplaceAllUsesWith(inst, hidden);
    LLVMSetOperand(LLVMIsAInstruction(whole) && whole != inst ? whole : other, 0, inst);
}

/* The number that the elements of VECTOR make, spelled out in shifts. */
static LLVMValueRef join(struct emit *e, LLVMValueRef vector)
{
    LLVMTypeRef type = LLVMTypeOf(vector), element = LLVMGetElementType(type);
    unsigned count = LLVMGetVectorSize(type), bits = emit_width(LLVMGetPoison(element));
    LLVMTypeRef whole = emit_int_type(e, count * bits);
    LLVMValueRef number = LLVMConstNull(whole);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef part = emit_bits(e, lane(e, vector, i), emit_int_type(e, bits));
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
    unsigned count = LLVMGetVectorSize(type), bits = emit_width(LLVMGetPoison(element));
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

/* Divides such operations of F into words, as LLVM's selection of instructions does, so that what is known of one word
 * does not depend on how much is found out about all of them. */
static void divide_numbers(struct emit *e, LLVMValueRef f)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
            next = LLVMGetNextInstruction(inst);
            unsigned bits = number_bits(e, LLVMTypeOf(inst));
            if (bits < 64 || bits % 32)
                continue;
            LLVMPositionBuilderBefore(e->b, inst);
            LLVMValueRef divided = on_words(e, inst, LLVMVectorType(e->i32, bits / 32));
            if (!divided)
                continue;
            LLVMReplaceAllUsesWith(inst, emit_bits(e, divided, LLVMTypeOf(inst)));
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

/* What LLVM finds out about the values of a copy of the module, where all blocks are seen at once. */
static bool hide_known(struct emit *e, LLVMModuleRef copy, values *originals)
{
    LLVMTypeRef parameters[] = {e->i1, e->i32, e->i32};
    LLVMValueRef probe = LLVMAddFunction(copy, probe_name, LLVMFunctionType(e->void_, parameters, 3, 0));
    values copies = {0};
    bool done = collect_values(e, copy, &copies);
    for (size_t i = 0; done && i < copies.count; i++)
        call_probe(e, probe, copies.items[i], (unsigned)i);
    vec_free(&copies);
    for (LLVMValueRef f = LLVMGetFirstFunction(copy); f; f = LLVMGetNextFunction(f))
        if (LLVMCountBasicBlocks(f)) {
            divide_numbers(e, f);
            spell_out_casts(e, f);
            bound_private_addresses(e, f);
        }
    if (!done || !llvm_run_passes(e->session, copy, "function(scalarizer,instcombine<no-verify-fixpoint>,sccp)"))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(probe); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use), known = LLVMGetOperand(call, 0);
        if (LLVMIsAConstantInt(known) && LLVMConstIntGetZExtValue(known))
            hide(e, originals->items[LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1))],
                 (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)));
    }
    return true;
}

bool llvm_hide_ones(struct llvm_session *session)
{
    struct emit e;
    values originals = {0};
    emit_open(&e, session, session->target);
    bool done = collect_values(&e, session->module, &originals);
    if (done && originals.count) {
        LLVMModuleRef copy = LLVMCloneModule(session->module);
        done = hide_known(&e, copy, &originals);
        LLVMDisposeModule(copy);
    }
    vec_free(&originals);
    emit_close(&e);
    return done;
}
