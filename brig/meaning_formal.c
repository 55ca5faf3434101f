/* SPDX-License-Identifier: MIT */
/* The formal arguments of executables, found once (PRM 4.3.3, 4.12, 10.2).
 * Input: an opened view. Output: a list per executable, without the annotations between formals. Invariant: comparing
 * two executables costs their formals once, however often it is asked, so that calls cannot make it quadratic. */
#include "brig/meaning_p.h"
#include "support/hash.h"

#define VARIABLE(v, at) CODE_AS(v, hsa_brig_directive_variable_t, at)

/* Adds to a hash what argument lists can differ in; equal lists have equal hashes. */
static uint64_t add_hash(uint64_t hash, const hsa_brig_directive_variable_t *formal)
{
    return hash_u64(hash_u64(hash, (uint64_t)formal->type << 8 | formal->align), brig_u64(formal->dim));
}

static bool collect_formal(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_executable_t *e = CODE_AS(v, hsa_brig_directive_executable_t, at);
    struct formal_list list = {
        .executable = at,
        .first = (uint32_t)v->formals.count,
        .outputs = e->out_arg_count,
        .inputs = e->in_arg_count,
        .same = (uint32_t)v->formal_lists.count,
        .hash = hash_u64(v->seed, (uint64_t)e->out_arg_count << 32 | e->in_arg_count),
    };
    for (uint32_t i = brig_next_code(v->view, at); i < e->first_code_block_entry; i = brig_next_code(v->view, i)) {
        if (brig_code(v->view, i)->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
            continue;
        list.hash = add_hash(list.hash, VARIABLE(v, i));
        if (!vec_push(&v->formals, i))
            return false;
    }
    return vec_push(&v->formal_lists, list);
}

bool meaning_find_formals(struct meaning *v)
{
    for (uint32_t at = brig_first_code(v->view); at < brig_end_code(v->view);) {
        const hsa_brig_base_t *entry = brig_code(v->view, at);
        bool executable = brig_is_executable(entry);
        if (executable && !collect_formal(v, at))
            return false;
        at = executable ? ((const hsa_brig_directive_executable_t *)(const void *)entry)->next_module_entry
                        : brig_next_code(v->view, at);
    }
    return true;
}

static uint32_t number_of(const struct meaning *v, uint32_t executable)
{
    size_t above = search_first(v->formal_lists.count, i, v->formal_lists.items[i].executable > executable);
    return (uint32_t)(above ? above - 1 : 0);
}

const struct formal_list *meaning_formals(const struct meaning *v, uint32_t executable)
{
    return &v->formal_lists.items[number_of(v, executable)];
}

const char *meaning_argument_difference(const hsa_brig_directive_variable_t *a, const hsa_brig_directive_variable_t *b,
                                        bool last)
{
    if (a->type != b->type)
        return "type";
    if (a->align != b->align)
        return "alignment";
    uint64_t dim_a = brig_u64(a->dim), dim_b = brig_u64(b->dim);
    bool flexible = last && lang_type_is_array(a->type) && (!dim_a || !dim_b);
    return dim_a != dim_b && !flexible ? "dimension" : NULL;
}

/* The first known list with the same formals; shortens the chain that leads there. */
static uint32_t first_same(struct meaning *v, uint32_t number)
{
    struct formal_list *lists = v->formal_lists.items;
    while (lists[number].same != number)
        number = lists[number].same = lists[lists[number].same].same;
    return number;
}

bool meaning_same_formals(struct meaning *v, uint32_t a, uint32_t b)
{
    uint32_t left = first_same(v, number_of(v, a)), right = first_same(v, number_of(v, b));
    struct formal_list *x = &v->formal_lists.items[left], *y = &v->formal_lists.items[right];
    if (x == y)
        return true;
    if (x->hash != y->hash || x->outputs != y->outputs || x->inputs != y->inputs)
        return false;
    for (uint32_t i = 0; i < x->outputs + x->inputs; i++)
        if (meaning_argument_difference(
                VARIABLE(v, v->formals.items[x->first + i]), VARIABLE(v, v->formals.items[y->first + i]), false))
            return false;
    if (left < right)
        y->same = left;
    else
        x->same = right;
    return true;
}
