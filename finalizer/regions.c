/* SPDX-License-Identifier: MIT */
/* Keeps the time of code generation in proportion to a program's length. LLVM's scheduler and its vectorizer of loads
 * compare the instructions of a block with each other, so that a block of ten thousand takes them a hundred times as
 * long as one of a thousand (doc/decisions/llvm-time.md). Input: an optimized module. Output: the same, with long
 * blocks divided into several, each of which leads to the next; very long functions are marked instead, and the code
 * generator does less for them. Invariant: results do not change. */
#include "finalizer/emit.h"
#include "finalizer/flow.h"

#include <string.h>

/* The attribute of functions that are long. */
static const char long_mark[] = "hsail-long";

/* How many machine instructions a block has at most, more or less. A long function is spared the passes that want it
 * that small, but not the one that moves values to later blocks: that takes longer the more blocks there are, and for
 * accesses to memory, the longer they are. */
enum { REGION = 256, LONG_REGION = 4096 };

/* About how many machine instructions become of INST. */
static unsigned inst_weight(LLVMValueRef inst)
{
    enum { LONG = 16 };
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMFDiv:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return LONG;
    case LLVMLoad: return LLVMIsAAllocaInst(LLVMGetOperand(inst, 0)) ? 0 : 1;
    case LLVMStore: return LLVMIsAAllocaInst(LLVMGetOperand(inst, 1)) ? 0 : 1;
    case LLVMCall: {
        unsigned id = LLVMIsAFunction(LLVMGetCalledValue(inst)) ? LLVMGetIntrinsicID(LLVMGetCalledValue(inst)) : 0;
        return id && id == LLVMLookupIntrinsicID("llvm.sqrt", 9) ? LONG : 1;
    }
    default: return 1; /* most instructions become one */
    }
}

/* Whether a block may begin with INST; what follows a fence stays with it (doc/decisions/llvm-late-loads.md). */
static bool may_begin(LLVMValueRef inst)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(inst);
    return !LLVMIsATerminatorInst(inst) && !(before && LLVMIsAFenceInst(before));
}

/* The first instruction that is to be in a block of its own and what follows; NULL if BLOCK weighs less than MOST. */
static LLVMValueRef find_cut(LLVMBasicBlockRef block, unsigned most)
{
    unsigned weight = 0;
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
        if (LLVMIsAPHINode(inst) || LLVMIsAAllocaInst(inst))
            continue;
        weight += inst_weight(inst);
        if (weight >= most && may_begin(inst))
            return inst;
    }
    return NULL;
}

/* Has the branches that lead to BLOCK lead to HEAD. */
static void enter_at(LLVMBasicBlockRef block, LLVMBasicBlockRef head)
{
    LLVMValueRef from = LLVMBasicBlockAsValue(block), to = LLVMBasicBlockAsValue(head);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(from)) != NULL;) {
        LLVMValueRef user = LLVMGetUser(use);
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == from)
                LLVMSetOperand(user, (unsigned)i, to);
    }
}

/* A mark becomes no machine code; the scheduler moves no instruction across it, even if blocks have been merged. */
static void mark_region(struct emit *e, LLVMValueRef before)
{
    LLVMValueRef nothing_passes = emit_int(e, 32, 0);
    LLVMPositionBuilderBefore(e->b, before);
    emit_call(e, "llvm.amdgcn.sched.barrier", NULL, 0, &nothing_passes, 1);
}

/* Moves what stands before CUT to a new block, which leads to BLOCK. The end of BLOCK stays where it is, so that the
 * phis of the blocks that it leads to stay right. */
static void cut_block(struct emit *e, LLVMBasicBlockRef block, LLVMValueRef cut)
{
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(e->context, block, "");
    enter_at(block, head);
    LLVMPositionBuilderAtEnd(e->b, head);
    LLVMSetCurrentDebugLocation2(e->b, NULL);
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst != cut; inst = next) {
        next = LLVMGetNextInstruction(inst);
        LLVMInstructionRemoveFromParent(inst);
        LLVMInsertIntoBuilder(e->b, inst);
    }
    LLVMBuildBr(e->b, block);
    mark_region(e, cut);
}

/* Whether llvm_mark_long() has marked the function. */
static bool is_long(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, long_mark, sizeof long_mark - 1) != NULL;
}

void llvm_part_blocks(struct llvm_session *session, unsigned region)
{
    struct emit e;
    emit_open(&e, session, session->target);
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f)) {
        unsigned most = region ? region : is_long(f) ? LONG_REGION : REGION;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef cut; (cut = find_cut(block, most)) != NULL;)
                cut_block(&e, block, cut);
    }
    emit_close(&e);
}

/* Whether INST only says in which registers something is. An image operation of HSAIL comes with a dozen of these,
 * which would make a function of them seem too long. Where blocks are cut they count: LLVM's passes still look at them.
 */
static bool is_renaming(LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    return opcode == LLVMBitCast || opcode == LLVMIntToPtr || opcode == LLVMExtractElement ||
           opcode == LLVMInsertElement;
}

unsigned llvm_block_weight(LLVMBasicBlockRef block)
{
    unsigned weight = 0;
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst))
        weight += is_renaming(inst) ? 0 : inst_weight(inst);
    return weight;
}

unsigned llvm_function_weight(LLVMValueRef function)
{
    unsigned weight = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        weight += llvm_block_weight(block);
    return weight;
}

LLVMValueRef llvm_heaviest(struct llvm_session *session, unsigned *largest)
{
    LLVMValueRef heaviest = NULL;
    *largest = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f)) {
        unsigned weight = llvm_function_weight(f);
        if (weight > *largest) {
            *largest = weight;
            heaviest = f;
        }
    }
    return heaviest;
}

/* Whether control flow is regular and each block leads to at most two others, all of which stand after it, so that
 * there is neither a loop nor a switch. */
static bool is_straight(struct llvm_session *session, LLVMValueRef function)
{
    struct flow flow;
    bool straight = flow_open(&flow, session->context, function) && !flow_count_irregular(&flow);
    for (uint32_t i = 0; straight && i < flow.exit; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(flow.nodes[i].entry);
        unsigned ways = LLVMGetNumSuccessors(last);
        straight = ways <= 2;
        for (unsigned k = 0; straight && k < ways; k++)
            straight = flow_node_of(&flow, LLVMGetSuccessor(last, k)) > i;
    }
    flow_close(&flow);
    return straight;
}

bool llvm_mark_long(struct llvm_session *session, unsigned most)
{
    LLVMValueRef f;
    for (f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f))
        if (llvm_function_weight(f) > most && !is_straight(session, f))
            return false;
    for (f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f))
        if (llvm_function_weight(f) > most)
            LLVMAddTargetDependentFunctionAttr(f, long_mark, "");
    return true;
}

void llvm_add_attribute(struct llvm_session *session, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(session->context, kind, 0));
}

void llvm_spare_long(struct llvm_session *session)
{
    static const char inlined[] = "alwaysinline";
    unsigned kind = LLVMGetEnumAttributeKindForName(inlined, sizeof inlined - 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f)) {
        if (!is_long(f))
            continue;
        /* optnone requires noinline, which excludes alwaysinline */
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
        llvm_add_attribute(session, f, "noinline");
        llvm_add_attribute(session, f, "optnone");
    }
}
