/* SPDX-License-Identifier: MIT */
/* Hides from LLVM words that are all ones and go from one block to another, or are made of what does, or are half of
 * what is computed in 64 bits. LLVM's back end finds out about some of them only in machine code, and then
 * takes `or x, -1` for x (doc/decisions/llvm-late-ones.md, llvm-disjoint-sums.md).
 * Input: an optimized module. Output: the same module, in which LLVM cannot recognize these words.
 * Invariant: no number changes. */
#include "finalizer/ones.h"

#include "support/alloc.h"

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

/* Whether LLVM's selection of instructions computes with INST in 64 bits. It may make an `or` of most operations, and
 * of several together: of `x + (~x & y)`, for example, an `or` of x and y. */
static bool is_computed_with(const struct emit *e, LLVMValueRef inst)
{
    if (!ones_number_bits(e, LLVMTypeOf(inst)))
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

/* Calls PROBE for each lane of a value with whether it is all ones, the number of the value and of the lane. */
static void call_probe(struct emit *e, LLVMValueRef probe, LLVMValueRef inst, unsigned number)
{
    struct vector_shape lanes;
    split_into_registers(e, LLVMTypeOf(inst), &lanes);
    LLVMPositionBuilderBefore(e->b, LLVMGetNextInstruction(inst));
    LLVMValueRef whole = emit_bits(e, inst, lanes.vector);
    for (unsigned i = 0; i < lanes.count; i++) {
        LLVMValueRef is_ones =
            LLVMBuildICmp(e->b, LLVMIntEQ, ones_lane(e, whole, i), LLVMConstAllOnes(lanes.element), "");
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

/* Divides numbers of COPY into words, if that is wanted, and lets LLVM find out about its values, with all blocks seen
 * at once. Sets bits in KNOWN, for each value that collect_values() finds, for the lanes that are all ones. */
static bool find_known(struct emit *e, LLVMModuleRef copy, bool divides, uint32_t *known)
{
    LLVMTypeRef parameters[] = {e->i1, e->i32, e->i32};
    LLVMValueRef probe = LLVMAddFunction(copy, probe_name, LLVMFunctionType(e->void_, parameters, 3, 0));
    values copies = {0};
    bool done = collect_values(e, copy, &copies);
    for (size_t i = 0; done && i < copies.count; i++)
        call_probe(e, probe, copies.items[i], (unsigned)i);
    vec_free(&copies);
    for (LLVMValueRef f = LLVMGetFirstFunction(copy); f; f = LLVMGetNextFunction(f))
        if (LLVMCountBasicBlocks(f))
            ones_spell_out(e, f, divides);
    if (!done || !llvm_run_passes(e->session, copy, "function(scalarizer,instcombine<no-verify-fixpoint>,sccp)"))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(probe); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use), is_ones = LLVMGetOperand(call, 0);
        if (LLVMIsAConstantInt(is_ones) && LLVMConstIntGetZExtValue(is_ones))
            known[LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1))] |=
                1u << LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    }
    return true;
}

/* Hides what LLVM finds out about a copy of the module whose numbers are divided, and about one whose numbers are not,
 * in which it sees that one number is the complement of another. */
static bool hide_known(struct emit *e, const values *originals)
{
    uint32_t *known = mem_zalloc(originals->count, sizeof *known);
    bool done = known || llvm_fail(e->session, OUT_OF_MEMORY);
    for (int divides = 0; done && divides < 2; divides++) {
        LLVMModuleRef copy = LLVMCloneModule(e->session->module);
        done = find_known(e, copy, divides, known);
        LLVMDisposeModule(copy);
    }
    for (size_t i = 0; done && i < originals->count; i++)
        for (uint32_t lanes = known[i]; lanes; lanes &= lanes - 1)
            hide(e, originals->items[i], (unsigned)__builtin_ctz(lanes));
    mem_free(known);
    return done;
}

bool llvm_hide_ones(struct llvm_session *session)
{
    struct emit e;
    values originals = {0};
    emit_open(&e, session, session->target);
    bool done = collect_values(&e, session->module, &originals);
    if (done && originals.count)
        done = hide_known(&e, &originals);
    vec_free(&originals);
    emit_close(&e);
    return done;
}
