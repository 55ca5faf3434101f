/* SPDX-License-Identifier: MIT */
/* Divides long functions into pieces that are functions of their own, so that code generation takes time in proportion
 * to their length (doc/decisions/llvm-time.md). Input: a module with regular control flow and without phis, where no
 * block uses a value of another one, save addresses of variables. Output: the same, with functions that weigh hardly
 * more than asked for.
 *
 * A piece is a part of the control flow with one entry and one place that it leads to. The parts are those that the
 * reduction of flow.c merges, in its order: as soon as two would weigh too much together, the heavier one becomes a
 * piece, and a call stands in its place. All variables of the function move to one block of memory, whose address the
 * pieces get. In a piece that calls no other, those that only loads and stores use are copied to variables of its own
 * first and back in the end, so that LLVM can keep them in registers. So a piece ends before a call of another one where
 * it can.
 * Invariant: a call of a piece changes the same variables as the blocks that it stands for. */
#include "finalizer/emit.h"
#include "finalizer/flow.h"

#include <stdlib.h>
#include <string.h>

/* What a call of a piece weighs, and the part of the limit from which on something is worth a call. */
enum { CALL_WEIGHT = 16, LEAST_PART = 4 };

static const uint32_t NO_BLOCK = UINT32_MAX;

struct frame_variable {
    LLVMValueRef place; /* the variable of the function; later, that of the piece, or NULL */
    LLVMTypeRef type;
    uint64_t offset, size;
    unsigned align;
    bool is_plain;  /* only loads and stores use it */
    bool is_stored; /* by the piece */
};

/* Blocks that have been merged; its number is that of its first block. */
struct part {
    uint32_t last, next;  /* the last block of the part; the one after this block in its part */
    uint32_t failed;      /* the weight at which it could not become a piece, or 0 */
    unsigned weight, own; /* of the part; of the block alone */
    uint32_t stamp;       /* of a block: the last attempt to make a piece of it */
    uint32_t call;        /* the first block that calls a piece, or NO_BLOCK */
};

struct division {
    struct llvm_session *session;
    struct emit e;
    struct flow flow;
    LLVMValueRef function, frame;
    LLVMTypeRef piece_type;
    unsigned lifetime_start, lifetime_end; /* intrinsics */
    VEC(struct frame_variable) variables;
    struct part *parts;
    uint32_t stamp;
    unsigned most;
    bool failed;
};

/* ---- the block of all variables ---- */

static bool is_plain_use(LLVMValueRef user, LLVMValueRef place)
{
    if (LLVMIsALoadInst(user))
        return !LLVMGetVolatile(user);
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != place && !LLVMGetVolatile(user);
}

/* Removes what says when the variables of functions that have been inlined are in use: each has its own place. */
static void remove_lifetimes(struct division *d, LLVMValueRef place)
{
    for (LLVMUseRef use = LLVMGetFirstUse(place), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user)))
            continue;
        unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(user));
        if (id && (id == d->lifetime_start || id == d->lifetime_end))
            LLVMInstructionEraseFromParent(user);
    }
}

/* Takes note of the variable at PLACE. */
static void note_variable(struct division *d, LLVMValueRef place)
{
    LLVMTypeRef type = LLVMGetAllocatedType(place);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    remove_lifetimes(d, place);
    unsigned natural = LLVMABIAlignmentOfType(d->session->layout, type), align = LLVMGetAlignment(place);
    struct frame_variable v = {
        place, type, d->variables.count, LLVMABISizeOfType(d->session->layout, type), 0, false, false};
    v.size *= LLVMConstIntGetZExtValue(LLVMGetOperand(place, 0));
    v.align = align > natural ? align : natural;
    v.is_plain = kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind;
    for (LLVMUseRef use = LLVMGetFirstUse(place); use && v.is_plain; use = LLVMGetNextUse(use))
        v.is_plain = is_plain_use(LLVMGetUser(use), place);
    d->failed |= !vec_push(&d->variables, v);
}

/* Finds the variables. False if the function cannot be divided: it has one whose size is only known at run time, or has
 * phis. */
static bool find_variables(struct division *d)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(d->function);
    for (LLVMBasicBlockRef block = entry; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
            if (LLVMIsAPHINode(inst))
                return false;
            if (!LLVMIsAAllocaInst(inst))
                continue;
            if (block != entry || !LLVMIsAConstantInt(LLVMGetOperand(inst, 0)))
                return false;
            note_variable(d, inst);
        }
    return !d->failed;
}

/* Before they are laid out, the offsets of variables tell their order. */
static int plain_first(const void *a, const void *b)
{
    const struct frame_variable *x = a, *y = b;
    if (x->is_plain != y->is_plain)
        return x->is_plain ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Lays out the variables, those that are only loaded and stored first, so that most offsets are short. Returns the
 * size.
 */
static uint64_t lay_out(struct division *d, unsigned *align)
{
    uint64_t size = 0;
    *align = 4;
    qsort(d->variables.items, d->variables.count, sizeof *d->variables.items, plain_first);
    for (size_t i = 0; i < d->variables.count; i++) {
        struct frame_variable *v = &d->variables.items[i];
        v->offset = (size + v->align - 1) / v->align * v->align;
        size = v->offset + v->size;
        *align = v->align > *align ? v->align : *align;
    }
    return size;
}

static LLVMValueRef build_address(struct division *d, LLVMValueRef frame, uint64_t offset)
{
    LLVMValueRef index = LLVMConstInt(d->e.i32, offset, 0);
    return LLVMBuildGEP2(d->e.b, d->e.i8, frame, &index, 1, "");
}

static void exchange(LLVMValueRef user, LLVMValueRef before, LLVMValueRef after)
{
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == before)
            LLVMSetOperand(user, (unsigned)i, after);
}

/* Has each use of the variable compute its address. */
static void move_variable(struct division *d, struct frame_variable *v)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(v->place)) != NULL;) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMPositionBuilderBefore(d->e.b, user);
        exchange(user, v->place, build_address(d, d->frame, v->offset));
    }
    LLVMInstructionEraseFromParent(v->place);
    v->place = NULL;
}

static void make_frame(struct division *d)
{
    unsigned align;
    uint64_t size = lay_out(d, &align);
    LLVMPositionBuilderBefore(d->e.b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->function)));
    d->frame = LLVMBuildAlloca(d->e.b, LLVMArrayType2(d->e.i8, size), "frame");
    LLVMSetAlignment(d->frame, align);
    for (size_t i = 0; i < d->variables.count; i++)
        move_variable(d, &d->variables.items[i]);
}

/* Stores VALUE, which the first block has, in a variable; uses in other blocks load it. */
static LLVMValueRef keep(struct division *d, LLVMValueRef value)
{
    LLVMPositionBuilderBefore(d->e.b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->function)));
    LLVMValueRef place = LLVMBuildAlloca(d->e.b, LLVMTypeOf(value), "");
    LLVMPositionBuilderBefore(d->e.b, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(d->function)));
    LLVMBuildStore(d->e.b, value, place);
    return place;
}

/* Passes the arguments of a function through variables. */
static void keep_arguments(struct division *d)
{
    for (unsigned i = 0; i < LLVMCountParams(d->function); i++) {
        LLVMValueRef argument = LLVMGetParam(d->function, i), place = NULL;
        for (LLVMUseRef use = LLVMGetFirstUse(argument), next; use; use = next) {
            LLVMValueRef user = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            if (LLVMGetInstructionParent(user) == LLVMGetEntryBasicBlock(d->function))
                continue;
            if (!place)
                place = keep(d, argument);
            LLVMPositionBuilderBefore(d->e.b, user);
            exchange(user, argument, LLVMBuildLoad2(d->e.b, LLVMTypeOf(argument), place, ""));
            next = LLVMGetFirstUse(argument);
        }
    }
}

/* Only a kernel may ask for the address of its arguments. */
static void keep_kernarg(struct division *d)
{
    static const char name[] = "llvm.amdgcn.kernarg.segment.ptr";
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(d->function);
    LLVMValueRef intrinsic = LLVMGetNamedFunction(d->session->module, name), place = NULL;
    for (LLVMUseRef use = intrinsic ? LLVMGetFirstUse(intrinsic) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
        if (block == entry || LLVMGetBasicBlockParent(block) != d->function)
            continue;
        if (!place) {
            LLVMPositionBuilderBefore(d->e.b, LLVMGetBasicBlockTerminator(entry));
            place = keep(d, LLVMBuildCall2(d->e.b, LLVMGlobalGetValueType(intrinsic), intrinsic, NULL, 0, ""));
        }
        LLVMPositionBuilderBefore(d->e.b, call);
        LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(d->e.b, LLVMTypeOf(call), place, ""));
        LLVMInstructionEraseFromParent(call);
    }
}

/* ---- a piece ---- */

static void add_mark(struct division *d, LLVMValueRef piece, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(piece, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(d->session->context, kind, 0));
}

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
    add_mark(d, piece, "noinline");
    return piece;
}

/* The variable at OFFSET of the frame. */
static struct frame_variable *find_variable(struct division *d, uint64_t offset)
{
    size_t low = 0, high = d->variables.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (d->variables.items[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return &d->variables.items[low];
}

/* Has what uses the ADDRESS of a variable use the piece's own copy. */
static void use_copy(struct division *d, LLVMValueRef head, LLVMValueRef address)
{
    struct frame_variable *v = find_variable(d, LLVMConstIntGetZExtValue(LLVMGetOperand(address, 1)));
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
            exchange(inst, d->frame, frame);
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
        LLVMBuildStore(d->e.b, LLVMBuildLoad2(d->e.b, v->type, build_address(d, frame, v->offset), ""), v->place);
        LLVMPositionBuilderBefore(d->e.b, tail);
        if (v->is_stored)
            LLVMBuildStore(d->e.b, LLVMBuildLoad2(d->e.b, v->type, v->place, ""), build_address(d, frame, v->offset));
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

/* Blocks that become a piece: those of a part from its first one on to LAST, without REST, which is NO_BLOCK if there
 * is no such block. They lead to TARGET alone. */
struct span {
    uint32_t first, last, rest;
    LLVMBasicBlockRef target;
};

/* Has the part begin with the block that calls a piece, and go on with the blocks that are not in SPAN. */
static void replace_span(struct part *parts, const struct span *span)
{
    struct part whole = parts[span->first];
    unsigned weight = whole.weight + CALL_WEIGHT;
    uint32_t next = parts[span->last].next, i;
    for (i = span->first; i != span->last; i = parts[i].next)
        weight -= i == span->rest ? 0 : parts[i].own;
    weight -= i == span->rest ? 0 : parts[i].own;
    parts[span->first] =
        (struct part){.last = span->first, .next = next, .weight = weight, .own = CALL_WEIGHT, .call = span->first};
    if (span->rest != NO_BLOCK) {
        parts[span->first].next = span->rest;
        parts[span->first].last = span->rest;
        parts[span->rest].next = next;
    }
    if (span->last != whole.last)
        parts[span->first].last = whole.last;
}

/* Moves the blocks of SPAN but the first to PIECE, and what the first has to BODY. */
static void move_blocks(struct division *d, const struct span *span, LLVMValueRef piece, LLVMBasicBlockRef body)
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

/* Makes a function of SPAN, whose first block stays and calls it. Variables are copied unless it calls another piece.
 */
static void make_piece(struct division *d, const struct span *span, bool copies)
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

/* ---- which parts ---- */

/* What the blocks of a part lead to outside of it: how many different blocks, the last of these, and the last block of
 * the part that leads there or ends the function. */
struct ways_out {
    unsigned count;
    LLVMBasicBlockRef target;
    uint32_t from;
    bool is_one; /* all ways out are those of that block */
};

static void add_ways(struct division *d, uint32_t block, struct ways_out *out)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(d->flow.nodes[block].entry);
    unsigned ways = LLVMGetNumSuccessors(last);
    for (unsigned i = 0; i < ways || (!ways && !i); i++) {
        LLVMBasicBlockRef to = ways ? LLVMGetSuccessor(last, i) : NULL;
        if (to && d->parts[flow_node_of(&d->flow, to)].stamp == d->stamp)
            continue;
        out->is_one &= !out->count || out->from == block;
        out->count += !out->count || out->target != to || !to;
        out->target = to;
        out->from = block;
    }
}

/* The ways out of the blocks from FIRST to LAST. */
static struct ways_out ways_of(struct division *d, uint32_t first, uint32_t last)
{
    struct ways_out out = {.is_one = true};
    uint32_t i;
    d->stamp++;
    for (i = first; i != last; i = d->parts[i].next)
        d->parts[i].stamp = d->stamp;
    d->parts[last].stamp = d->stamp;
    for (i = first; i != last; i = d->parts[i].next)
        add_ways(d, i, &out);
    add_ways(d, last, &out);
    return out;
}

/* Whether BLOCK leads to a block that ways_of() has looked at last, other than FIRST. */
static bool leads_inside(struct division *d, uint32_t block, uint32_t first)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(d->flow.nodes[block].entry);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
        uint32_t to = flow_node_of(&d->flow, LLVMGetSuccessor(last, i));
        if (to != first && d->parts[to].stamp == d->stamp)
            return true;
    }
    return false;
}

/* Makes a piece of the blocks that stand before the first call of another piece, if they all lead to it and are worth
 * it. So pieces follow each other in one function, and do not call each other. */
static bool try_before_call(struct division *d, uint32_t number)
{
    struct part *parts = d->parts;
    uint32_t call = parts[number].call, last = number;
    unsigned weight = parts[number].own;
    if (call == NO_BLOCK || call == number)
        return false;
    for (; parts[last].next != call; weight += parts[last].own)
        last = parts[last].next;
    if (weight < d->most / LEAST_PART || weight < 2 * CALL_WEIGHT)
        return false;
    struct ways_out out = ways_of(d, number, last);
    if (out.count != 1 || out.target != d->flow.nodes[call].entry)
        return false;
    for (uint32_t i = call; !leads_inside(d, i, number); i = parts[i].next)
        if (i == parts[number].last) {
            make_piece(d, &(struct span){number, last, NO_BLOCK, out.target}, true);
            return true;
        }
    return false;
}

/* Makes a piece of a part if it is worth that; without its last block, if that leads to several blocks or ends the
 * function. A part for which this is impossible is tried again only when it has grown by half, so that the time stays
 * linear. */
static void try_piece(struct division *d, uint32_t number)
{
    struct part *part = &d->parts[number];
    if (!number || part->weight < d->most / LEAST_PART || part->weight < 2 * CALL_WEIGHT ||
        part->weight < part->failed + part->failed / 2 || try_before_call(d, number))
        return;
    struct ways_out out = ways_of(d, number, part->last);
    bool copies = part->call == NO_BLOCK;
    if (out.count == 1 && out.target)
        make_piece(d, &(struct span){number, part->last, NO_BLOCK, out.target}, copies);
    else if (out.count && out.is_one && out.from != number && !leads_inside(d, out.from, number))
        make_piece(d, &(struct span){number, part->last, out.from, d->flow.nodes[out.from].entry}, copies);
    else
        part->failed = part->weight;
}

/* What is merged into the first block stays in the function, so it becomes a piece even if it is short. */
static void merge_parts(struct division *d, uint32_t a, uint32_t b)
{
    struct part *parts = d->parts;
    for (int i = 0; i < 2 && (!a || parts[a].weight + parts[b].weight > d->most) && !d->failed; i++)
        try_piece(d, parts[a].weight > parts[b].weight ? a : b);
    parts[parts[a].last].next = b;
    parts[a].last = parts[b].last;
    parts[a].weight += parts[b].weight;
    parts[a].call = parts[a].call == NO_BLOCK ? parts[b].call : parts[a].call;
}

/* Empties a block that control never reaches, as it may lead to blocks that move. */
static void clear_block(struct division *d, LLVMBasicBlockRef block)
{
    for (LLVMValueRef last; (last = LLVMGetLastInstruction(block)) != NULL;) {
        if (LLVMGetTypeKind(LLVMTypeOf(last)) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(last, LLVMGetUndef(LLVMTypeOf(last)));
        LLVMInstructionEraseFromParent(last);
    }
    LLVMPositionBuilderAtEnd(d->e.b, block);
    LLVMBuildUnreachable(d->e.b);
}

static void divide(struct division *d)
{
    struct flow *flow = &d->flow;
    for (uint32_t i = 0; i < flow->exit; i++) {
        if (!flow->nodes[i].is_reachable)
            clear_block(d, flow->nodes[i].entry);
        unsigned weight = llvm_block_weight(flow->nodes[i].entry);
        d->parts[i] = (struct part){.last = i, .weight = weight, .own = weight, .call = NO_BLOCK};
    }
    keep_arguments(d);
    keep_kernarg(d);
    if (!find_variables(d))
        return;
    make_frame(d);
    for (size_t i = 0; i < flow->merges.count && !d->failed; i++)
        merge_parts(d, flow->merges.items[i].into, flow->merges.items[i].node);
}

static bool divide_function(struct llvm_session *session, LLVMValueRef function, unsigned most)
{
    struct division d = {.session = session, .function = function, .most = most};
    emit_open(&d.e, session, session->target);
    d.piece_type = LLVMFunctionType(d.e.void_, &d.e.ptr[SPACE_PRIVATE], 1, 0);
    d.lifetime_start = LLVMLookupIntrinsicID("llvm.lifetime.start", 19);
    d.lifetime_end = LLVMLookupIntrinsicID("llvm.lifetime.end", 17);
    bool opened = flow_open(&d.flow, session->context, function);
    d.parts = opened ? mem_zalloc(d.flow.count, sizeof *d.parts) : NULL;
    d.failed = !d.parts;
    if (d.parts && !flow_count_irregular(&d.flow))
        divide(&d);
    flow_close(&d.flow);
    mem_free(d.parts);
    vec_free(&d.variables);
    emit_close(&d.e);
    return !d.failed || llvm_fail(session, OUT_OF_MEMORY);
}

bool llvm_divide_functions(struct llvm_session *session, unsigned most)
{
    LLVMValueRef last = LLVMGetLastFunction(session->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f)) {
        if (llvm_function_weight(f) > most && !LLVMGetSubprogram(f) && !divide_function(session, f, most))
            return false;
        if (f == last)
            break;
    }
    return true;
}
