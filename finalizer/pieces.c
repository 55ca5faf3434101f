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
 * first and back in the end, so that LLVM can keep them in registers. So a piece ends before a call of another one
 * where it can. Invariant: a call of a piece changes the same variables as the blocks that it stands for. */
#include "finalizer/pieces.h"

/* A part of this share of the limit is worth a call. */
enum { LEAST_PART = 4 };

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
    struct flow_part *parts = d->parts;
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
            pieces_make(d, &(struct piece_span){number, last, NO_BLOCK, out.target}, true);
            return true;
        }
    return false;
}

/* Makes a piece of a part if it is worth that; without its last block, if that leads to several blocks or ends the
 * function. A part for which this is impossible is tried again only when it has grown by half, so that the time stays
 * linear. */
static void try_piece(struct division *d, uint32_t number)
{
    struct flow_part *part = &d->parts[number];
    if (!number || part->weight < d->most / LEAST_PART || part->weight < 2 * CALL_WEIGHT ||
        part->weight < part->failed + part->failed / 2 || try_before_call(d, number))
        return;
    struct ways_out out = ways_of(d, number, part->last);
    bool copies = part->call == NO_BLOCK;
    if (out.count == 1 && out.target)
        pieces_make(d, &(struct piece_span){number, part->last, NO_BLOCK, out.target}, copies);
    else if (out.count && out.is_one && out.from != number && !leads_inside(d, out.from, number))
        pieces_make(d, &(struct piece_span){number, part->last, out.from, d->flow.nodes[out.from].entry}, copies);
    else
        part->failed = part->weight;
}

/* What is merged into the first block stays in the function, so it becomes a piece even if it is short. */
static void merge_parts(struct division *d, uint32_t a, uint32_t b)
{
    struct flow_part *parts = d->parts;
    for (int i = 0; i < 2 && (!a || parts[a].weight + parts[b].weight > d->most) && !d->failed; i++)
        try_piece(d, a && parts[a].weight > parts[b].weight ? a : b);
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
        d->parts[i] = (struct flow_part){.last = i, .weight = weight, .own = weight, .call = NO_BLOCK};
    }
    pieces_keep_arguments(d);
    pieces_keep_kernarg(d);
    if (!pieces_find_variables(d))
        return;
    pieces_make_frame(d);
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
