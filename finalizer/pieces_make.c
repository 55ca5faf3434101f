/* SPDX-License-Identifier: MIT */
/* Makes a function of a part of another one. Input: blocks with one entry that lead to one place. Output: a function
 * with these blocks, and a call of it in their place. Invariant: a call of a piece changes the same variables as its
 * blocks did. */
#include "finalizer/pieces.h"

/* Adds a function with the attributes of the one that is divided. NULL if memory is out. */
static LLVMValueRef add_function(struct division *d)
{
    size_t length;
    const char *name = LLVMGetValueName2(d->function, &length);
    unsigned count = LLVMGetAttributeCountAtIndex(d->function, LLVMAttributeFunctionIndex);
    LLVMAttributeRef *attributes = mem_zalloc(count + 1u, sizeof(LLVMAttributeRef));
    if (!attributes)
        return NULL;
    LLVMValueRef piece = LLVMAddFunction(d->session->module, name, d->piece_type);
    LLVMSetLinkage(piece, LLVMInternalLinkage);
    LLVMGetAttributesAtIndex(d->function, LLVMAttributeFunctionIndex, attributes);
    for (unsigned i = 0; i < count; i++)
        LLVMAddAttributeAtIndex(piece, LLVMAttributeFunctionIndex, attributes[i]);
    mem_free(attributes);
    llvm_add_attribute(d->session, piece, "noinline");
    return piece;
}

/* Has what uses the ADDRESS of a variable use the piece's own copy. */
static void use_copy(struct division *d, LLVMValueRef head, LLVMValueRef address)
{
    struct frame_variable *v = pieces_variable(d, LLVMConstIntGetZExtValue(LLVMGetOperand(address, 1)));
    if (!v->is_plain)
        return;
    if (!v->place) {
        LLVMPositionBuilderBefore(d->e.b, head);
        v->place = LLVMBuildAlloca(d->e.b, v->type, "");
        v->is_stored = false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use))
        v->is_stored |= LLVMIsAStoreInst(LLVMGetUser(use)) != NULL;
    LLVMReplaceAllUsesWith(address, v->place);
    LLVMInstructionEraseFromParent(address);
}

/* Has the blocks of PIECE use its parameter in place of the frame, and copies of variables if COPIES. */
static void use_parameter(struct division *d, LLVMValueRef piece, LLVMValueRef head, bool copies)
{
    LLVMValueRef frame = LLVMGetParam(piece, 0);
    LLVMBasicBlockRef block = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(piece));
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
            next = LLVMGetNextInstruction(inst);
            emit_exchange(inst, d->frame, frame);
            if (copies && LLVMIsAGetElementPtrInst(inst) && LLVMGetOperand(inst, 0) == frame)
                use_copy(d, head, inst);
        }
}

/* Copies the variables that the piece has copies of: into them before HEAD, and back before TAIL. */
static void copy_variables(struct division *d, LLVMValueRef frame, LLVMValueRef head, LLVMValueRef tail)
{
    for (size_t i = 0; i < d->variables.count; i++) {
        struct frame_variable *v = &d->variables.items[i];
        if (!v->place)
            continue;
        LLVMPositionBuilderBefore(d->e.b, head);
        LLVMBuildStore(d->e.b, LLVMBuildLoad2(d->e.b, v->type, pieces_address(d, frame, v->offset), ""), v->place);
        LLVMPositionBuilderBefore(d->e.b, tail);
        if (v->is_stored)
            LLVMBuildStore(d->e.b, LLVMBuildLoad2(d->e.b, v->type, v->place, ""), pieces_address(d, frame, v->offset));
        v->place = NULL;
    }
}

static void move_instructions(struct division *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMPositionBuilderAtEnd(d->e.b, to);
    for (LLVMValueRef inst; (inst = LLVMGetFirstInstruction(from)) != NULL;) {
        LLVMInstructionRemoveFromParent(inst);
        LLVMInsertIntoBuilder(d->e.b, inst);
    }
}

/* Has the branch at the end of BLOCK lead to AFTER where it led to BEFORE. */
static void redirect(LLVMBasicBlockRef block, LLVMBasicBlockRef before, LLVMBasicBlockRef after)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
        if (LLVMGetSuccessor(last, i) == before)
            LLVMSetSuccessor(last, i, after);
}

/* Has the part begin with the block that calls a piece, and go on with the blocks that are not in SPAN. */
static void replace_span(struct flow_part *parts, const struct piece_span *span)
{
    struct flow_part whole = parts[span->first];
    unsigned weight = whole.weight + CALL_WEIGHT;
    uint32_t next = parts[span->last].next, i;
    for (i = span->first; i != span->last; i = parts[i].next)
        weight -= i == span->rest ? 0 : parts[i].own;
    weight -= i == span->rest ? 0 : parts[i].own;
    parts[span->first] = (struct flow_part){
        .last = span->first, .next = next, .weight = weight, .own = CALL_WEIGHT, .call = span->first};
    if (span->rest != NO_BLOCK) {
        parts[span->first].next = span->rest;
        parts[span->first].last = span->rest;
        parts[span->rest].next = next;
    }
    if (span->last != whole.last)
        parts[span->first].last = whole.last;
}

/* Moves the blocks of SPAN but the first to PIECE, and what the first has to BODY. */
static void move_blocks(struct division *d, const struct piece_span *span, LLVMValueRef piece, LLVMBasicBlockRef body)
{
    move_instructions(d, d->flow.nodes[span->first].entry, body);
    for (uint32_t i = span->first; i != span->last;) {
        i = d->parts[i].next;
        if (i == span->rest)
            continue;
        LLVMRemoveBasicBlockFromParent(d->flow.nodes[i].entry);
        LLVMAppendExistingBasicBlock(piece, d->flow.nodes[i].entry);
    }
}

void pieces_make(struct division *d, const struct piece_span *span, bool copies)
{
    LLVMContextRef context = d->session->context;
    LLVMBasicBlockRef first = d->flow.nodes[span->first].entry;
    LLVMValueRef piece = add_function(d);
    if (!piece) {
        d->failed = true;
        return;
    }
    LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(context, piece, ""),
                      body = LLVMAppendBasicBlockInContext(context, piece, ""),
                      tail = LLVMAppendBasicBlockInContext(context, piece, "");
    move_blocks(d, span, piece, body);
    for (LLVMBasicBlockRef block = body; block; block = LLVMGetNextBasicBlock(block)) {
        if (block == tail)
            continue;
        redirect(block, first, body);
        redirect(block, span->target, tail);
    }
    LLVMPositionBuilderAtEnd(d->e.b, head);
    LLVMValueRef enter = LLVMBuildBr(d->e.b, body);
    LLVMPositionBuilderAtEnd(d->e.b, tail);
    LLVMValueRef leave = LLVMBuildRetVoid(d->e.b);
    use_parameter(d, piece, enter, copies && d->session->level != LLVM_LEVEL_NONE);
    copy_variables(d, LLVMGetParam(piece, 0), enter, leave);
    LLVMPositionBuilderAtEnd(d->e.b, first);
    LLVMBuildCall2(d->e.b, d->piece_type, piece, &d->frame, 1, "");
    LLVMBuildBr(d->e.b, span->target);
    replace_span(d->parts, span);
}
