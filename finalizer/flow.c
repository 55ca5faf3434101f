/* SPDX-License-Identifier: MIT */
/* The graph of a function's blocks, and its reduction by regular patterns.
 * Input: an LLVM function. Output: the nodes that are left; besides the one for leaving, one when it is regular.
 * Invariant: a merged node is entered at its first block only, and every way out of it leads to the same node, unless
 * its last block alone chooses. See flow.h. */
#include "finalizer/flow.h"

#include "support/hash.h"

#include <string.h>

uint32_t flow_find(struct flow *flow, uint32_t node)
{
    while (flow->nodes[node].parent != node)
        node = flow->nodes[node].parent = flow->nodes[flow->nodes[node].parent].parent;
    return node;
}

static uint32_t *block_slot(const struct flow *flow, LLVMBasicBlockRef block)
{
    uint32_t i = (uint32_t)hash_u64(0, (uint64_t)(uintptr_t)block) & flow->mask;
    while (flow->slots[i] && flow->nodes[flow->slots[i] - 1].entry != block)
        i = (i + 1) & flow->mask;
    return &flow->slots[i];
}

uint32_t flow_node_of(const struct flow *flow, LLVMBasicBlockRef block)
{
    uint32_t slot = *block_slot(flow, block);
    return slot ? slot - 1 : flow->exit; /* a block made later is the one that leaves the function */
}

static bool list_has(const uint32_t *items, size_t count, uint32_t node)
{
    for (size_t i = 0; i < count; i++)
        if (items[i] == node)
            return true;
    return false;
}

#define HAS(list, node) list_has((list).items, (list).count, node)

static void add_edge(struct flow *flow, uint32_t from, uint32_t to)
{
    struct flow_node *a = &flow->nodes[from], *b = &flow->nodes[to];
    if (HAS(a->next, to))
        return;
    if (!vec_push(&a->next, to) || !vec_push(&b->back, from))
        flow->out_of_memory = true;
}

static void forget_node(uint32_t *items, size_t *count, uint32_t node)
{
    for (size_t i = 0; i < *count; i++)
        if (items[i] == node)
            items[i--] = items[--*count];
}

static void remove_edge(struct flow *flow, uint32_t from, uint32_t to)
{
    forget_node(flow->nodes[from].next.items, &flow->nodes[from].next.count, to);
    forget_node(flow->nodes[to].back.items, &flow->nodes[to].back.count, from);
}

/* Makes B a part of A, the only node that leads to B; B's ways out become A's. */
static void merge_nodes(struct flow *flow, uint32_t a, uint32_t b)
{
    remove_edge(flow, a, b);
    while (flow->nodes[b].next.count) {
        uint32_t to = flow->nodes[b].next.items[0];
        remove_edge(flow, b, to);
        add_edge(flow, a, to);
    }
    flow->nodes[b].parent = a;
    struct flow_merge merge = {a, b};
    if (!vec_push(&flow->merges, merge))
        flow->out_of_memory = true;
}

/* Whether only A leads to NODE, and NODE only to TO. */
static bool is_arm(const struct flow *flow, uint32_t a, uint32_t node, uint32_t to)
{
    const struct flow_node *n = &flow->nodes[node];
    return node != a && node != flow->exit && n->back.count == 1 && n->back.items[0] == a && n->next.count == 1 &&
           n->next.items[0] == to;
}

static bool reduce_sequence(struct flow *flow, uint32_t a)
{
    const struct flow_node *n = &flow->nodes[a];
    uint32_t b = n->next.items[0];
    if (b == a || b == flow->exit || flow->nodes[b].back.count != 1)
        return false;
    if (n->is_loop && HAS(flow->nodes[b].next, a)) /* this would give two loops one head */
        return false;
    merge_nodes(flow, a, b);
    return true;
}

/* Reduces a pattern at A, which chooses between X and Y; the caller tries both orders of X and Y. */
static bool reduce_choice(struct flow *flow, uint32_t a, uint32_t x, uint32_t y)
{
    struct flow_node *n = &flow->nodes[a];
    if (x == a) { /* A is a loop that ends here */
        if (n->is_loop)
            return false;
        remove_edge(flow, a, a);
        n->is_loop = true;
        return true;
    }
    if (y == a)
        return false;
    if (is_arm(flow, a, x, y) || (is_arm(flow, a, x, a) && !n->is_loop)) {
        merge_nodes(flow, a, x);
        return true;
    }
    if (flow->nodes[x].next.count != 1 || flow->nodes[x].next.items[0] == a)
        return false;
    uint32_t join = flow->nodes[x].next.items[0];
    if (!is_arm(flow, a, x, join) || !is_arm(flow, a, y, join))
        return false;
    merge_nodes(flow, a, x);
    merge_nodes(flow, a, y);
    return true;
}

static bool reduce_one(struct flow *flow, uint32_t a)
{
    const struct flow_node *n = &flow->nodes[a];
    if (n->next.count == 1)
        return reduce_sequence(flow, a);
    if (n->next.count != 2)
        return false;
    uint32_t x = n->next.items[0], y = n->next.items[1];
    return reduce_choice(flow, a, x, y) || reduce_choice(flow, a, y, x);
}

struct node_queue {
    VEC(uint32_t) nodes;
};

static void enqueue_node(struct flow *flow, struct node_queue *q, uint32_t node)
{
    if (flow->nodes[node].is_queued)
        return;
    flow->nodes[node].is_queued = true;
    if (!vec_push(&q->nodes, node))
        flow->out_of_memory = true;
}

/* Looks again at each node that changed, and at those that lead to it, as patterns may appear there. */
static void reduce(struct flow *flow)
{
    struct node_queue q = {0};
    for (uint32_t i = 0; i < flow->exit; i++)
        if (flow->nodes[i].is_reachable)
            enqueue_node(flow, &q, i);
    while (q.nodes.count && !flow->out_of_memory) {
        uint32_t a = q.nodes.items[--q.nodes.count];
        flow->nodes[a].is_queued = false;
        if (flow->nodes[a].parent != a || !reduce_one(flow, a))
            continue;
        enqueue_node(flow, &q, a);
        for (size_t i = 0; i < flow->nodes[a].back.count; i++)
            enqueue_node(flow, &q, flow->nodes[a].back.items[i]);
    }
    vec_free(&q.nodes);
}

/* Reads the edges between the blocks that control reaches. A block that ends in a return or an unreachable instruction
 * leads to the exit. */
static void read_edges(struct flow *flow)
{
    VEC(uint32_t) found = {0};
    uint32_t first = 0;
    flow->nodes[0].is_reachable = true;
    flow->out_of_memory |= !vec_push(&found, first);
    while (found.count && !flow->out_of_memory) {
        uint32_t from = found.items[--found.count];
        LLVMValueRef last = LLVMGetBasicBlockTerminator(flow->nodes[from].entry);
        unsigned ways = LLVMGetNumSuccessors(last);
        if (!ways)
            add_edge(flow, from, flow->exit);
        for (unsigned i = 0; i < ways; i++) {
            uint32_t to = flow_node_of(flow, LLVMGetSuccessor(last, i));
            add_edge(flow, from, to);
            if (!flow->nodes[to].is_reachable && !vec_push(&found, to))
                flow->out_of_memory = true;
            flow->nodes[to].is_reachable = true;
        }
    }
    vec_free(&found);
}

bool flow_open(struct flow *flow, LLVMContextRef context, LLVMValueRef function)
{
    *flow = (struct flow){.context = context, .function = function, .exit = LLVMCountBasicBlocks(function)};
    flow->count = flow->exit + 1;
    flow->mask = 7;
    while (flow->mask < 2 * flow->count)
        flow->mask = 2 * flow->mask + 1;
    flow->nodes = mem_zalloc(flow->count, sizeof *flow->nodes);
    flow->slots = mem_zalloc((size_t)flow->mask + 1, sizeof *flow->slots);
    if (!flow->nodes || !flow->slots)
        return false;
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (uint32_t i = 0; i < flow->count; i++) {
        flow->nodes[i].parent = i;
        if (i == flow->exit)
            break;
        *block_slot(flow, block) = i + 1;
        flow->nodes[i].entry = block;
        block = LLVMGetNextBasicBlock(block);
    }
    read_edges(flow);
    reduce(flow);
    return !flow->out_of_memory;
}

void flow_close(struct flow *flow)
{
    for (uint32_t i = 0; flow->nodes && i < flow->count; i++) {
        vec_free(&flow->nodes[i].next);
        vec_free(&flow->nodes[i].back);
    }
    mem_free(flow->nodes);
    mem_free(flow->slots);
    vec_free(&flow->merges);
}

uint32_t flow_count_irregular(struct flow *flow)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < flow->exit; i++)
        count += flow->nodes[i].is_reachable && flow->nodes[i].parent == i;
    return count || HAS(flow->nodes[0].next, 0) ? count + 1 : 0;
}
