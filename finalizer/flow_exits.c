/* SPDX-License-Identifier: MIT */
/* Gives loops one end, the only block that begins another round or leaves.
 * Input: the nodes that the reduction has left. Output: the same blocks with other branches between them.
 *
 * A loop that is entered at its head alone, but left or continued from several places, is what `break` and `continue`
 * become. Here each of these ways sets a variable to its number and leads to a new block, the end, which tests the
 * variable. All loops have the same variables, as LLVM looks for each variable at all blocks that come after the first
 * that sets it. The inside of the loop often is regular then. flow_rebuild(), which is for the rest, would make a guard
 * for every node of it. Invariant: control takes the same way through the blocks that were there before. */
#include "finalizer/flow.h"

enum { MOST_TARGETS = 4, MOST_NODES = 1000 };

struct exit_loop {
    uint32_t head, targets[MOST_TARGETS], target_count; /* nodes; the number of a target is its index + 1 */
    LLVMBasicBlockRef end;
};

struct back_edge {
    uint32_t from, head;
};

struct exits {
    struct flow *flow;
    LLVMBuilderRef b;
    LLVMTypeRef i1, i32;
    LLVMValueRef again; /* place of a bit: whether there is another round */
    LLVMValueRef way;   /* place of the number of a target */
    VEC(struct exit_loop) loops;
    VEC(struct back_edge) back_edges;
    VEC(uint32_t) list; /* a path while heads are searched for, later the nodes of one loop */
    uint8_t *state;     /* of each node: enum node_state */
    bool *is_head;
    uint32_t *edge;    /* of each node on the path: how many of its edges have been followed */
    uint32_t *loop_of; /* of each node: the number of its loop, from 1 */
    bool failed;
};

enum node_state { NODE_UNSEEN, NODE_ON_PATH, NODE_DONE };

static void push_node(struct exits *x, uint32_t node)
{
    x->failed |= !vec_push(&x->list, node);
}

/* Finds the edges that lead back to a node from one that it leads to. */
static void find_back_edges(struct exits *x)
{
    push_node(x, 0);
    while (x->list.count && !x->failed) {
        uint32_t node = x->list.items[x->list.count - 1];
        const struct flow_node *n = &x->flow->nodes[node];
        x->state[node] = NODE_ON_PATH;
        if (x->edge[node] == n->next.count) {
            x->state[node] = NODE_DONE;
            x->list.count--;
            continue;
        }
        struct back_edge edge = {node, n->next.items[x->edge[node]++]};
        if (x->state[edge.head] == NODE_UNSEEN) {
            push_node(x, edge.head);
        } else if (x->state[edge.head] == NODE_ON_PATH) {
            x->is_head[edge.head] = true;
            x->failed |= !vec_push(&x->back_edges, edge);
        }
    }
}

/* False if the node belongs to another loop, which then is inside of this one. */
static bool own_node(struct exits *x, uint32_t node, uint32_t number)
{
    if (x->loop_of[node])
        return x->loop_of[node] == number;
    x->loop_of[node] = number;
    push_node(x, node);
    return true;
}

/* Collects the nodes that lead back to HEAD. False if the loop has other entries, or a loop inside; the walk comes to
 * the first node of the function if there is another entry. */
static bool collect_nodes(struct exits *x, uint32_t head, uint32_t number)
{
    x->list.count = 0;
    bool owned = own_node(x, head, number);
    for (size_t i = 0; i < x->back_edges.count; i++)
        if (x->back_edges.items[i].head == head)
            owned &= own_node(x, x->back_edges.items[i].from, number);
    for (size_t i = 1; i < x->list.count && owned && !x->failed; i++) {
        uint32_t node = x->list.items[i];
        const struct flow_node *n = &x->flow->nodes[node];
        if (!node || x->is_head[node] || x->list.count > MOST_NODES)
            return false;
        for (size_t k = 0; k < n->back.count; k++)
            owned &= own_node(x, n->back.items[k], number);
    }
    return owned && head && x->list.count > 1;
}

/* Adds TO to the nodes that the loop leads to, and returns its number among them; 0 when there are too many. */
static uint32_t target_number(struct exit_loop *loop, uint32_t to)
{
    uint32_t i = 0;
    while (i < loop->target_count && loop->targets[i] != to)
        i++;
    if (i == MOST_TARGETS)
        return 0;
    loop->targets[i] = to;
    loop->target_count += i == loop->target_count;
    return i + 1;
}

/* Counts the ways of the loop whose nodes are in the list. False if it cannot get an end, or needs none. */
static bool look_at_ways(struct exits *x, struct exit_loop *loop, uint32_t number)
{
    uint32_t rounds = 0, exits = 0;
    for (size_t i = 0; i < x->list.count; i++) {
        const struct flow_node *n = &x->flow->nodes[x->list.items[i]];
        for (size_t k = 0; k < n->next.count; k++) {
            uint32_t to = n->next.items[k];
            if (to == loop->head)
                rounds++;
            else if (x->loop_of[to] != number)
                exits += to == x->flow->exit || !target_number(loop, to) ? MOST_NODES : 1;
        }
    }
    return exits && exits < MOST_NODES && rounds + exits > 2;
}

/* Looks at the innermost loops, which have no node in common. */
static void find_loops(struct exits *x)
{
    for (uint32_t head = 1; head < x->flow->exit && !x->failed; head++) {
        uint32_t number = (uint32_t)x->loops.count + 1;
        struct exit_loop loop = {.head = head};
        if (!x->is_head[head])
            continue;
        if (collect_nodes(x, head, number) && look_at_ways(x, &loop, number))
            x->failed |= !vec_push(&x->loops, loop);
        else
            for (size_t i = 0; i < x->list.count; i++)
                x->loop_of[x->list.items[i]] = 0;
    }
}

/* ---- new branches ---- */

static LLVMBasicBlockRef append_block(struct exits *x)
{
    return LLVMAppendBasicBlockInContext(x->flow->context, x->flow->function, "");
}

/* Makes the end of a loop: another round, or on to the node with the number of the way. */
static void make_end(struct exits *x, struct exit_loop *loop)
{
    const struct flow_node *nodes = x->flow->nodes;
    LLVMBasicBlockRef at = append_block(x);
    loop->end = append_block(x);
    LLVMPositionBuilderAtEnd(x->b, loop->end);
    LLVMBuildCondBr(x->b, LLVMBuildLoad2(x->b, x->i1, x->again, ""), nodes[loop->head].entry, at);
    for (uint32_t i = 0; i < loop->target_count; i++) {
        LLVMBasicBlockRef to = nodes[loop->targets[i]].entry, other;
        LLVMPositionBuilderAtEnd(x->b, at);
        if (i + 1 == loop->target_count) {
            LLVMBuildBr(x->b, to);
            break;
        }
        other = append_block(x);
        LLVMValueRef way = LLVMBuildLoad2(x->b, x->i32, x->way, ""), number = LLVMConstInt(x->i32, i + 1, 0);
        LLVMBuildCondBr(x->b, LLVMBuildICmp(x->b, LLVMIntEQ, way, number, ""), to, other);
        at = other;
    }
}

enum { STAYS = UINT32_MAX };

/* The number of the way from a block of NODE to BLOCK; STAYS when it is no way of the loop. */
static uint32_t way_of(struct exits *x, struct exit_loop *loop, uint32_t node, LLVMBasicBlockRef block)
{
    struct flow *flow = x->flow;
    uint32_t number = x->loop_of[node], to = flow_find(flow, flow_node_of(flow, block));
    if (to == loop->head && block == flow->nodes[to].entry) {
        const struct flow_node *n = &flow->nodes[node];
        for (size_t i = 0; i < n->next.count; i++)
            if (n->next.items[i] == to)
                return 0;
        return STAYS; /* an inner loop of the head */
    }
    return x->loop_of[to] == number ? STAYS : target_number(loop, to);
}

static LLVMValueRef choose_way(struct exits *x, LLVMTypeRef type, LLVMValueRef last, uint32_t a, uint32_t b)
{
    LLVMValueRef first = LLVMConstInt(type, a, 0);
    return a == b ? first : LLVMBuildSelect(x->b, LLVMGetCondition(last), first, LLVMConstInt(type, b, 0), "");
}

/* Makes BLOCK, a part of NODE, go to the end of its loop by every way. The way is set before the branch also if only
 * one of its edges is a way, since whatever the other leads to sets it again. */
static void redirect_ways(struct exits *x, uint32_t node, LLVMBasicBlockRef block)
{
    struct exit_loop *loop = &x->loops.items[x->loop_of[node] - 1];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    unsigned count = LLVMGetNumSuccessors(last);
    uint32_t way[2] = {STAYS, STAYS};
    for (unsigned i = 0; i < count && i < 2; i++)
        way[i] = way_of(x, loop, node, LLVMGetSuccessor(last, i));
    uint32_t first = way[0] == STAYS ? way[1] : way[0], second = way[1] == STAYS ? first : way[1];
    if (first == STAYS)
        return;
    LLVMPositionBuilderBefore(x->b, last);
    LLVMBuildStore(x->b, choose_way(x, x->i1, last, !first, !second), x->again);
    if (loop->target_count > 1)
        LLVMBuildStore(x->b, choose_way(x, x->i32, last, first, second), x->way);
    if (count == 2 && (way[0] == STAYS || way[1] == STAYS)) {
        LLVMSetSuccessor(last, way[0] == STAYS, loop->end);
        return;
    }
    LLVMBuildBr(x->b, loop->end);
    LLVMInstructionEraseFromParent(last);
}

static void change_loops(struct exits *x)
{
    struct flow *flow = x->flow;
    x->b = LLVMCreateBuilderInContext(flow->context);
    x->i1 = LLVMInt1TypeInContext(flow->context);
    x->i32 = LLVMInt32TypeInContext(flow->context);
    LLVMPositionBuilderBefore(x->b, LLVMGetFirstInstruction(flow->nodes[0].entry));
    x->again = LLVMBuildAlloca(x->b, x->i1, "again");
    x->way = LLVMBuildAlloca(x->b, x->i32, "way");
    for (size_t i = 0; i < x->loops.count; i++)
        make_end(x, &x->loops.items[i]);
    for (uint32_t i = 0; i < flow->exit; i++) {
        uint32_t node = flow_find(flow, i);
        if (flow->nodes[i].is_reachable && x->loop_of[node])
            redirect_ways(x, node, flow->nodes[i].entry);
    }
    LLVMDisposeBuilder(x->b);
}

bool flow_join_exits(struct flow *flow, bool *changed)
{
    struct exits x = {.flow = flow};
    x.state = mem_zalloc(flow->count, sizeof *x.state);
    x.is_head = mem_zalloc(flow->count, sizeof *x.is_head);
    x.edge = mem_zalloc(flow->count, sizeof *x.edge);
    x.loop_of = mem_zalloc(flow->count, sizeof *x.loop_of);
    x.failed = !x.state || !x.is_head || !x.edge || !x.loop_of;
    if (!x.failed)
        find_back_edges(&x);
    if (!x.failed)
        find_loops(&x);
    *changed = !x.failed && x.loops.count;
    if (*changed)
        change_loops(&x);
    mem_free(x.state);
    mem_free(x.is_head);
    mem_free(x.edge);
    mem_free(x.loop_of);
    vec_free(&x.loops);
    vec_free(&x.back_edges);
    vec_free(&x.list);
    return !x.failed;
}
