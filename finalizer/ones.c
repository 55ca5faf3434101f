/* SPDX-License-Identifier: MIT */
/* Hides from LLVM words that are all ones and go from one block to another. LLVM's back end finds out about some of
 * them only in machine code, and then takes `or x, -1` for x (doc/decisions/llvm-late-ones.md).
 * Input: an optimized module. Output: the same module, in which LLVM cannot recognize these words. Invariant: no number
 * changes. */
#include "finalizer/emit.h"

static const char probe_name[] = "hsail.probe";

struct vector_shape {
    LLVMTypeRef element, vector;
    unsigned count, bits;
};

typedef VEC(LLVMValueRef) values;

/* The registers that a value of TYPE is kept in: words, or elements that are smaller. */
static bool split_into_registers(struct emit *e, LLVMTypeRef type, struct vector_shape *lanes)
{
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return false;
    lanes->bits = LLVMGetIntTypeWidth(element);
    lanes->count = is_vector ? LLVMGetVectorSize(type) : 1;
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

/* The instructions of MODULE whose values go from block to block, of types that have lanes, in their order. */
static bool collect_values(struct emit *e, LLVMModuleRef module, values *found)
{
    struct vector_shape lanes;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
                if (!LLVMIsALoadInst(inst) && !LLVMIsAPHINode(inst) && !LLVMIsATerminatorInst(inst) &&
                    split_into_registers(e, LLVMTypeOf(inst), &lanes) && is_used_elsewhere(inst) &&
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

/* Puts ones that LLVM does not know in lane INDEX of INST, for all that use it elsewhere. */
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
    if (!done || !llvm_run_passes(e->session, copy, "function(instcombine<no-verify-fixpoint>)"))
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
