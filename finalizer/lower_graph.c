/* SPDX-License-Identifier: MIT */
/* Walks over the call graph, and decides where variables in group memory go.
 * Input: linked symbols. Output: recursion, call sites, the address of every variable in group memory, and each
 * kernel's static size. Invariant: a variable in group memory that no single kernel owns has the same address for all
 * kernels. */
#include "finalizer/lower.h"

static bool note_entity(struct lower *l, struct callable *c, struct entity entity, bool called)
{
    if (entity.kind == ENTITY_CALLABLE) {
        struct callable *callee = &l->callables.items[entity.index];
        if (!called) {
            callee->address_taken = true;
            return true;
        }
        callee->call_sites++;
        return vec_push(&c->callees, entity.index) || lower_no_memory(l);
    }
    if (entity.kind == ENTITY_VARIABLE && l->variables.items[entity.index].segment == HSA_BRIG_SEGMENT_GROUP)
        return vec_push(&c->group_uses, entity.index) || lower_no_memory(l);
    return true;
}

/* Notes what an operand refers to. */
static bool note_operand(struct lower *l, struct callable *c, uint32_t operand, bool called)
{
    const struct lower_module *m = &l->modules[c->module];
    const hsa_brig_base_t *entry = brig_operand(m->view, operand);
    switch ((enum brig_operand_kind)entry->kind) {
    case BRIG_OPERAND_ADDRESS: {
        uint32_t symbol = ((const hsa_brig_operand_address_t *)(const void *)entry)->symbol;
        return !symbol || note_entity(l, c, m->entities[symbol / 4], false);
    }
    case BRIG_OPERAND_CODE_REF:
        return note_entity(l, c, m->entities[((const hsa_brig_operand_code_ref_t *)(const void *)entry)->ref / 4],
                           called);
    case BRIG_OPERAND_CODE_LIST: {
        struct brig_list list =
            brig_list(m->view, ((const hsa_brig_operand_code_list_t *)(const void *)entry)->elements);
        for (uint32_t i = 0; i < list.count; i++)
            if (!note_entity(l, c, m->entities[list.items[i] / 4], called))
                return false;
        return true;
    }
    case BRIG_OPERAND_CONSTANT_EXPRESSION: {
        struct brig_list list =
            brig_list(m->view, ((const hsa_brig_operand_constant_expression_t *)(const void *)entry)->operands);
        for (uint32_t i = 0; i < list.count; i++)
            if (!note_operand(l, c, list.items[i], false))
                return false;
        return true;
    }
    case BRIG_OPERAND_ALIGN:
    case BRIG_OPERAND_CONSTANT_BYTES:
    case BRIG_OPERAND_CONSTANT_IMAGE:
    case BRIG_OPERAND_CONSTANT_OPERAND_LIST:
    case BRIG_OPERAND_CONSTANT_SAMPLER:
    case BRIG_OPERAND_OPERAND_LIST:
    case BRIG_OPERAND_REGISTER:
    case BRIG_OPERAND_STRING:
    case BRIG_OPERAND_WAVESIZE:
    case BRIG_OPERAND_ZERO: break;
    }
    return true;
}

static bool scan_body(struct lower *l, struct callable *c)
{
    const struct brig_view *view = l->modules[c->module].view;
    for (uint32_t at = c->directive->first_code_block_entry; at < c->directive->next_module_entry;
         at = brig_next_code(view, at)) {
        struct lang_inst in;
        if (!brig_is_inst(brig_code(view, at)) || !lang_load(view, at, &in))
            continue;
        c->instructions++;
        bool is_call = in.op->code == HSA_BRIG_OPCODE_CALL || in.op->code == HSA_BRIG_OPCODE_SCALL;
        c->calls_unknown |= in.op->code == HSA_BRIG_OPCODE_ICALL;
        lower_note_alloca(l, c, &in, at);
        for (uint32_t i = 0; i < in.operands.count; i++)
            if (!note_operand(l, c, in.operands.items[i], is_call))
                return false;
    }
    return true;
}

/* Estimates the cost that LLVM will compute for C: its instructions and, once for every call, those of what it
 * calls. */
static void add_cost(struct lower *l, struct callable *c)
{
    enum { PER_INSTRUCTION = 64 };
    c->cost = (uint64_t)c->instructions * PER_INSTRUCTION;
    for (size_t i = 0; i < c->callees.count && c->cost < LOWER_COST_LIMIT; i++)
        c->cost += l->callables.items[c->callees.items[i]].cost;
    l->is_costly |= c->cost >= LOWER_COST_LIMIT;
}

static bool link_callers(struct lower *l)
{
    bool fits = true;
    for (uint32_t i = 0; i < l->callables.count && fits; i++) {
        const struct callable *c = &l->callables.items[i];
        for (size_t k = 0; k < c->callees.count && fits; k++)
            fits = vec_push(&l->callables.items[c->callees.items[k]].callers, i);
    }
    return fits || lower_no_memory(l);
}

static bool *trait_of(struct lower *l, uint32_t index, size_t trait)
{
    return (bool *)((char *)&l->callables.items[index] + trait);
}

/* Gives a trait, the offset of a bool in struct callable, to all direct and indirect callers of those that have it,
 * even along cycles. */
static bool spread_trait(struct lower *l, size_t trait)
{
    VEC(uint32_t) todo = {0};
    bool fits = true;
    for (uint32_t i = 0; i < l->callables.count && fits; i++)
        fits = !*trait_of(l, i, trait) || vec_push(&todo, i);
    while (fits && todo.count) {
        const struct callable *c = &l->callables.items[todo.items[--todo.count]];
        for (size_t k = 0; k < c->callers.count && fits; k++) {
            bool *has = trait_of(l, c->callers.items[k], trait);
            if (*has)
                continue;
            *has = true;
            fits = vec_push(&todo, c->callers.items[k]);
        }
    }
    vec_free(&todo);
    return fits || lower_no_memory(l);
}

/* Searches depth first with a stack of its own, as the call graph of a hostile program may be deep. */
static bool find_cycles(struct lower *l, uint32_t root)
{
    struct path_step {
        uint32_t callable, next;
    };
    VEC(struct path_step) path = {0};
    struct path_step first = {root, 0};
    bool fits = vec_push(&path, first);
    l->callables.items[root].visit = 1;
    while (fits && path.count) {
        struct path_step *top = &path.items[path.count - 1];
        struct callable *c = &l->callables.items[top->callable];
        if (top->next == c->callees.count) {
            c->visit = 2;
            path.count--;
            add_cost(l, c);
            continue;
        }
        uint32_t callee = c->callees.items[top->next++];
        struct callable *to = &l->callables.items[callee];
        if (to->visit == 1) {
            to->is_recursive = true;
        } else if (to->visit == 0) {
            to->visit = 1;
            struct path_step down = {callee, 0};
            fits = vec_push(&path, down);
        }
    }
    vec_free(&path);
    return fits || lower_no_memory(l);
}

static bool place_variable(struct lower *l, struct variable *v, uint32_t *end)
{
    /* What is too much is reported here with the variable's name, before LLVM rejects it. */
    uint64_t at = align_up(*end, v->align), limit = l->e.target->processor->generation->lds;
    if (v->size > limit || at + v->size > limit)
        return lower_fail(l, GROUP_SIZE, v->name, (unsigned)limit);
    v->address = (uint32_t)at;
    *end = (uint32_t)(at + v->size);
    return true;
}

static bool belongs_to_kernel(const struct lower *l, const struct variable *v)
{
    return v->owner && l->callables.items[v->owner - 1].is_kernel;
}

/* Lays out the private and spill variables of modules: every work-item has one block of them. */
static bool layout_private(struct lower *l)
{
    enum { PRIVATE_LIMIT = 1 << 20 };
    for (size_t i = 0; i < l->variables.count; i++) {
        struct variable *v = &l->variables.items[i];
        if (!lower_is_private(v))
            continue;
        uint64_t at = align_up(l->private_size, v->align);
        if (v->size > PRIVATE_LIMIT || at + v->size > PRIVATE_LIMIT)
            return lower_fail(l, PRIVATE_SIZE, v->name, (unsigned)PRIVATE_LIMIT);
        v->address = (uint32_t)at;
        l->private_size = (uint32_t)(at + v->size);
        if (v->align > l->private_align)
            l->private_align = v->align;
    }
    return true;
}

static bool layout_group(struct lower *l)
{
    for (size_t i = 0; i < l->variables.count; i++) {
        struct variable *v = &l->variables.items[i];
        if (v->segment == HSA_BRIG_SEGMENT_GROUP && !belongs_to_kernel(l, v) && !place_variable(l, v, &l->group_shared))
            return false;
    }
    for (size_t k = 0; k < l->callables.count; k++) {
        struct callable *kernel = &l->callables.items[k];
        if (!kernel->is_kernel || !kernel->is_defined)
            continue;
        kernel->group_size = kernel->uses_shared ? l->group_shared : 0;
        for (size_t i = 0; i < l->variables.count; i++)
            if (l->variables.items[i].segment == HSA_BRIG_SEGMENT_GROUP && l->variables.items[i].owner == k + 1 &&
                !place_variable(l, &l->variables.items[i], &kernel->group_size))
                return false;
    }
    return true;
}

/* An indirect call may reach any function whose address is taken, so all of these become callees. */
static bool add_unknown_callees(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        for (uint32_t k = 0; c->calls_unknown && k < l->callables.count; k++)
            if (l->callables.items[k].address_taken && !l->callables.items[k].is_kernel && !vec_push(&c->callees, k))
                return lower_no_memory(l);
    }
    return true;
}

bool lower_graph(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].is_defined && !scan_body(l, &l->callables.items[i]))
            return false;
    if (!add_unknown_callees(l))
        return false;
    for (size_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        for (size_t k = 0; k < c->group_uses.count; k++)
            c->uses_shared |= !belongs_to_kernel(l, &l->variables.items[c->group_uses.items[k]]);
    }
    for (uint32_t i = 0; i < l->callables.count; i++)
        if (!l->callables.items[i].visit && !find_cycles(l, i))
            return false;
    for (size_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        c->is_dynamic = c->allocates || c->is_recursive || c->calls_unknown;
        c->meets_indirect = (c->address_taken && !c->is_kernel) || c->calls_unknown;
    }
    return link_callers(l) && spread_trait(l, offsetof(struct callable, uses_shared)) &&
           spread_trait(l, offsetof(struct callable, is_dynamic)) &&
           spread_trait(l, offsetof(struct callable, meets_indirect)) && layout_group(l) && layout_private(l);
}
