/* SPDX-License-Identifier: MIT */
/* Rebuilds irregular control flow as loops over guarded nodes.
 * Input: the nodes that the reduction has left. Output: the same blocks in regular flow.
 *
 * A variable holds the number of the node that comes next. The nodes are put into an order that control mostly follows,
 * and each has a guard that compares the variable with its number. A cycle of nodes becomes a loop around their guards,
 * which ends when the variable has the number of another node. Whatever the graph was, LLVM sees only if without else,
 * and loops with one exit.
 * Invariant: the numbers of the nodes of a loop are consecutive. */
#include "finalizer/flow.h"

/* Cycles nested deeper than this become one loop, so that the time stays linear and the recursion shallow. */
enum { DEEPEST = 4 };

enum step_kind { STEP_NODE, STEP_LOOP, STEP_END };

struct rebuild_step {
    enum step_kind kind;
    uint32_t node;      /* of a STEP_NODE */
    uint32_t low, high; /* of a STEP_LOOP: the first and last number of its nodes */
};

struct frame {
    uint32_t node;
    size_t next;
};

struct list {
    VEC(uint32_t) items;
};

struct rebuild {
    struct flow *flow;
    VEC(struct rebuild_step) steps;
    VEC(struct frame) path;
    struct list stack;
    uint32_t last_id, last_scope, counter;
    LLVMBuilderRef b;
    LLVMTypeRef i32;
    LLVMValueRef place; /* of the variable that holds the number of the next node */
    LLVMValueRef result;
    LLVMBasicBlockRef leave, at;
    bool failed;
};

static void list_push(struct rebuild *r, struct list *list, uint32_t item)
{
    if (!vec_push(&list->items, item))
        r->failed = true;
}

static void add_step(struct rebuild *r, struct rebuild_step step)
{
    if (!vec_push(&r->steps, step))
        r->failed = true;
}

static bool leads_to(const struct flow_node *n, uint32_t to)
{
    for (size_t i = 0; i < n->next.count; i++)
        if (n->next.items[i] == to)
            return true;
    return false;
}

static void enter_node(struct rebuild *r, uint32_t node)
{
    struct flow_node *n = &r->flow->nodes[node];
    struct frame frame = {node, 0};
    n->index = n->low = ++r->counter;
    n->on_stack = true;
    list_push(r, &r->stack, node);
    if (!vec_push(&r->path, frame))
        r->failed = true;
}

/* Moves the component of ROOT, whose search has ended, from the stack to COMPONENTS: its nodes, then their number. */
static void take_component(struct rebuild *r, uint32_t root, struct list *components)
{
    uint32_t size = 0, node;
    do {
        node = r->stack.items.items[--r->stack.items.count];
        r->flow->nodes[node].on_stack = false;
        list_push(r, components, node);
        size++;
    } while (node != root);
    list_push(r, components, size);
}

/* Tarjan's algorithm for strongly connected components, without recursion, on the nodes of SCOPE that ROOT leads to. */
static void search_components(struct rebuild *r, uint32_t scope, uint32_t root, struct list *components)
{
    struct flow_node *nodes = r->flow->nodes;
    enter_node(r, root);
    while (r->path.count && !r->failed) {
        struct frame *top = &r->path.items[r->path.count - 1];
        struct flow_node *n = &nodes[top->node];
        if (top->next < n->next.count) {
            uint32_t to = n->next.items[top->next++];
            if (nodes[to].scope != scope)
                continue;
            if (!nodes[to].index)
                enter_node(r, to);
            else if (nodes[to].on_stack && nodes[to].index < n->low)
                n->low = nodes[to].index;
            continue;
        }
        uint32_t node = top->node;
        r->path.count--;
        if (r->path.count) {
            struct flow_node *up = &nodes[r->path.items[r->path.count - 1].node];
            if (n->low < up->low)
                up->low = n->low;
        }
        if (n->low == n->index)
            take_component(r, node, components);
    }
}

static void number_node(struct rebuild *r, uint32_t node)
{
    r->flow->nodes[node].id = ++r->last_id;
    add_step(r, (struct rebuild_step){.kind = STEP_NODE, .node = node});
}

/* Finds the node by which control enters a cycle from outside; of several, the first in the function. */
static uint32_t find_head(struct rebuild *r, const uint32_t *nodes, uint32_t size, uint32_t scope)
{
    uint32_t head = UINT32_MAX, any = UINT32_MAX;
    for (uint32_t i = 0; i < size; i++) {
        const struct flow_node *n = &r->flow->nodes[nodes[i]];
        any = nodes[i] < any ? nodes[i] : any;
        for (size_t k = 0; k < n->back.count && nodes[i] < head; k++)
            if (r->flow->nodes[n->back.items[k]].scope != scope)
                head = nodes[i];
    }
    return head == UINT32_MAX ? any : head;
}

static void arrange_nodes(struct rebuild *r, const uint32_t *nodes, uint32_t count, unsigned depth);

static void arrange_cycle(struct rebuild *r, const uint32_t *nodes, uint32_t size, unsigned depth)
{
    size_t begin = r->steps.count;
    uint32_t scope = ++r->last_scope, low = r->last_id + 1;
    for (uint32_t i = 0; i < size; i++)
        r->flow->nodes[nodes[i]].scope = scope;
    add_step(r, (struct rebuild_step){.kind = STEP_LOOP});
    if (depth == DEEPEST) {
        for (uint32_t i = size; i-- > 0;) /* the search found the nodes in reverse order */
            number_node(r, nodes[i]);
    } else {
        uint32_t head = find_head(r, nodes, size, scope);
        struct list rest = {0};
        for (uint32_t i = 0; i < size; i++)
            if (nodes[i] != head)
                list_push(r, &rest, nodes[i]);
        number_node(r, head);
        r->flow->nodes[head].scope = 0;
        arrange_nodes(r, rest.items.items, (uint32_t)rest.items.count, depth + 1);
        vec_free(&rest.items);
    }
    if (r->failed)
        return;
    r->steps.items[begin].low = low;
    r->steps.items[begin].high = r->last_id;
    add_step(r, (struct rebuild_step){.kind = STEP_END, .low = low, .high = r->last_id});
}

/* Puts COUNT nodes in order: a component stands before those that it leads to, and the nodes of a cycle are arranged in
 * the same way. */
static void arrange_nodes(struct rebuild *r, const uint32_t *nodes, uint32_t count, unsigned depth)
{
    struct list components = {0};
    uint32_t scope = ++r->last_scope;
    for (uint32_t i = 0; i < count; i++) {
        r->flow->nodes[nodes[i]].scope = scope;
        r->flow->nodes[nodes[i]].index = 0;
    }
    for (uint32_t i = count; i-- > 0 && !r->failed;)
        if (!r->flow->nodes[nodes[i]].index)
            search_components(r, scope, nodes[i], &components);
    for (size_t end = components.items.count; end && !r->failed;) {
        uint32_t size = components.items.items[end - 1];
        const uint32_t *first = components.items.items + (end - 1 - size);
        end -= size + 1u;
        if (size > 1 || leads_to(&r->flow->nodes[first[0]], first[0]))
            arrange_cycle(r, first, size, depth);
        else
            number_node(r, first[0]);
    }
    vec_free(&components.items);
}

static LLVMValueRef node_number(struct rebuild *r, uint64_t value)
{
    return LLVMConstInt(r->i32, value, 0);
}

static LLVMBasicBlockRef new_block(struct rebuild *r)
{
    return LLVMAppendBasicBlockInContext(r->flow->context, r->flow->function, "");
}

/* Makes the one block that returns from the function. */
static void make_leave(struct rebuild *r)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(r->flow->function));
    bool has_result = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
    r->leave = new_block(r);
    if (has_result)
        r->result = LLVMBuildAlloca(r->b, type, "");
    LLVMPositionBuilderAtEnd(r->b, r->leave);
    if (has_result)
        LLVMBuildRet(r->b, LLVMBuildLoad2(r->b, type, r->result, ""));
    else
        LLVMBuildRetVoid(r->b);
}

static void replace_return(struct rebuild *r, LLVMValueRef last)
{
    LLVMPositionBuilderBefore(r->b, last);
    if (r->result && LLVMGetInstructionOpcode(last) == LLVMRet)
        LLVMBuildStore(r->b, LLVMGetOperand(last, 0), r->result);
    LLVMBuildBr(r->b, r->leave);
    LLVMInstructionEraseFromParent(last);
}

/* The number of the node that the edge from a block of V to BLOCK leads to; 0 when it stays inside V. */
static uint32_t way_out(struct rebuild *r, uint32_t v, LLVMBasicBlockRef block)
{
    struct flow *flow = r->flow;
    uint32_t to = flow_find(flow, flow_node_of(flow, block));
    if (to == v && !(block == flow->nodes[v].entry && leads_to(&flow->nodes[v], v)))
        return 0;
    return flow->nodes[to].id;
}

/* Makes BLOCK, a part of V, set the next number and go to V's end wherever it leaves V. */
static void redirect(struct rebuild *r, uint32_t v, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block), choice;
    LLVMBasicBlockRef join = r->flow->nodes[v].join;
    unsigned ways = LLVMGetNumSuccessors(last);
    uint32_t out[2] = {0, 0};
    for (unsigned i = 0; i < ways && i < 2; i++)
        out[i] = way_out(r, v, LLVMGetSuccessor(last, i));
    if (ways > 2 || (!out[0] && !out[1])) {
        r->failed |= ways > 2;
        return;
    }
    if (ways == 1 || (out[0] && out[1])) {
        LLVMPositionBuilderBefore(r->b, last);
        choice = node_number(r, out[0]);
        if (ways == 2)
            choice = LLVMBuildSelect(r->b, LLVMGetCondition(last), choice, node_number(r, out[1]), "");
        LLVMBuildStore(r->b, choice, r->place);
        LLVMBuildBr(r->b, join);
        LLVMInstructionEraseFromParent(last);
        return;
    }
    LLVMBasicBlockRef edge = new_block(r);
    LLVMPositionBuilderAtEnd(r->b, edge);
    LLVMBuildStore(r->b, node_number(r, out[0] ? out[0] : out[1]), r->place);
    LLVMBuildBr(r->b, join);
    LLVMSetSuccessor(last, out[0] ? 0 : 1, edge);
}

/* Makes code in the current block that tests whether the next number lies in LOW to HIGH. */
static LLVMValueRef is_next(struct rebuild *r, uint32_t low, uint32_t high)
{
    LLVMPositionBuilderAtEnd(r->b, r->at);
    LLVMValueRef next = LLVMBuildLoad2(r->b, r->i32, r->place, "");
    if (low == high)
        return LLVMBuildICmp(r->b, LLVMIntEQ, next, node_number(r, low), "");
    next = LLVMBuildSub(r->b, next, node_number(r, low), "");
    return LLVMBuildICmp(r->b, LLVMIntULE, next, node_number(r, high - low), "");
}

struct open_loop {
    LLVMBasicBlockRef head, after;
};

static void build_steps(struct rebuild *r)
{
    VEC(struct open_loop) loops = {0};
    for (size_t i = 0; i < r->steps.count && !r->failed; i++) {
        const struct rebuild_step *s = &r->steps.items[i];
        if (s->kind == STEP_NODE) {
            const struct flow_node *n = &r->flow->nodes[s->node];
            LLVMBuildCondBr(r->b, is_next(r, n->id, n->id), n->entry, n->join);
            r->at = n->join;
        } else if (s->kind == STEP_LOOP) {
            struct open_loop loop = {new_block(r), new_block(r)};
            LLVMBasicBlockRef before = new_block(r);
            LLVMBuildCondBr(r->b, is_next(r, s->low, s->high), before, loop.after);
            LLVMPositionBuilderAtEnd(r->b, before);
            LLVMBuildBr(r->b, loop.head);
            r->at = loop.head;
            r->failed |= !vec_push(&loops, loop);
        } else {
            struct open_loop loop = loops.items[--loops.count];
            LLVMBasicBlockRef end = new_block(r);
            LLVMBuildCondBr(r->b, is_next(r, s->low, s->high), loop.head, end);
            LLVMPositionBuilderAtEnd(r->b, end);
            LLVMBuildBr(r->b, loop.after);
            r->at = loop.after;
        }
    }
    vec_free(&loops);
    LLVMPositionBuilderAtEnd(r->b, r->at);
    LLVMBuildBr(r->b, r->leave);
}

static void build_body(struct rebuild *r)
{
    struct flow *flow = r->flow;
    r->i32 = LLVMInt32TypeInContext(flow->context);
    LLVMPositionBuilderBefore(r->b, LLVMGetFirstInstruction(flow->nodes[0].entry));
    r->place = LLVMBuildAlloca(r->b, r->i32, "next");
    make_leave(r);
    for (uint32_t i = 0; i < flow->exit; i++)
        if (flow->nodes[i].parent == i && flow->nodes[i].is_reachable)
            flow->nodes[i].join = new_block(r);
    for (uint32_t i = 0; i < flow->exit && !r->failed; i++) {
        LLVMBasicBlockRef block = NULL;
        if (!flow->nodes[i].is_reachable)
            continue;
        block = flow->nodes[i].entry;
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (!LLVMGetNumSuccessors(last))
            replace_return(r, last);
        redirect(r, flow_find(flow, i), block);
    }
    r->at = flow->nodes[0].join;
    build_steps(r);
}

bool flow_rebuild(struct flow *flow)
{
    struct rebuild r = {.flow = flow};
    struct list nodes = {0};
    for (uint32_t i = 1; i < flow->exit; i++)
        if (flow->nodes[i].is_reachable && flow->nodes[i].parent == i)
            list_push(&r, &nodes, i);
    arrange_nodes(&r, nodes.items.items, (uint32_t)nodes.items.count, 0);
    flow->nodes[flow->exit].id = r.last_id + 1;
    r.b = LLVMCreateBuilderInContext(flow->context);
    if (!r.failed)
        build_body(&r);
    LLVMDisposeBuilder(r.b);
    vec_free(&nodes.items);
    vec_free(&r.steps);
    vec_free(&r.path);
    vec_free(&r.stack.items);
    return !r.failed;
}
