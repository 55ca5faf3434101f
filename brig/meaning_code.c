/* SPDX-License-Identifier: MIT */
/* Kernels, functions and signatures: order in a code block, registers, the closure of indirect functions
 * (PRM 4.3.2-4.3.6, 4.7, 10.8).
 * Input: an executable directive and what follows it. Output: diagnostics. Invariant: what `struct meaning` keeps of
 * a code block is fresh at its start. */
#include "brig/limit.h"
#include "brig/meaning_p.h"
#include "support/alloc.h"

#include <stdlib.h>

#define MOST_OUTPUTS 1u

/* Which part of a block the check has reached. */
enum stage { STAGE_CONTROL, STAGE_DEFINITION, STAGE_STATEMENT };

static enum stage stage_of(uint32_t kind)
{
    switch (kind) {
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL: return STAGE_CONTROL;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: return STAGE_DEFINITION;
    default: return STAGE_STATEMENT;
    }
}

static void check_order(struct meaning *v, uint32_t at, uint32_t kind, enum stage *stage)
{
    static const char *const text[] = {"a control directive", "a definition", "statements"};
    enum stage now = stage_of(kind);
    if (now < *stage)
        MEANING_FAIL(v, CODE_ORDER, at, text[now], text[*stage]);
    else
        *stage = now;
}

void meaning_taint(struct meaning *v)
{
    if ((!v->tainted.count || v->tainted.items[v->tainted.count - 1] != v->executable_at) &&
        !vec_push(&v->tainted, v->executable_at))
        v->out_of_memory = true;
}

static void check_definition(struct meaning *v, uint32_t at, uint32_t kind)
{
    meaning_local_symbol(v, at);
    if (kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER) {
        meaning_taint(v);
        return;
    }
    meaning_variable(v, at);
    if (CODE_AS(v, hsa_brig_directive_variable_t, at)->segment == HSA_BRIG_SEGMENT_GROUP)
        meaning_taint(v);
    struct arg_variable arg = {.directive = at};
    if (v->arg_block && !vec_push(&v->arg_variables, arg))
        v->out_of_memory = true;
}

void meaning_after_pragma(struct meaning *v, bool label)
{
    if (v->loop_pragma && !label)
        MEANING_WARN(v, LOOP_LABEL, v->loop_pragma);
    v->loop_pragma = 0;
}

static void check_entry(struct meaning *v, uint32_t at, enum stage *outer, enum stage *inner)
{
    uint32_t kind = brig_code(v->view, at)->kind;
    switch (kind) {
    case HSA_BRIG_KIND_NONE:
    case HSA_BRIG_KIND_DIRECTIVE_COMMENT:
    case HSA_BRIG_KIND_DIRECTIVE_LOC: return;
    case HSA_BRIG_KIND_DIRECTIVE_PRAGMA: meaning_pragma(v, at); return;
    default: break;
    }
    meaning_after_pragma(v, kind == HSA_BRIG_KIND_DIRECTIVE_LABEL);
    if (kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END) {
        meaning_arg_block_end(v, at);
        return;
    }
    check_order(v, at, kind, v->arg_block ? inner : outer);
    switch (kind) {
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START:
        *inner = STAGE_DEFINITION;
        meaning_arg_block_start(v, at);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL: meaning_control(v, at); break;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: check_definition(v, at, kind); break;
    case HSA_BRIG_KIND_DIRECTIVE_LABEL: meaning_local_symbol(v, at); break;
    default: meaning_inst(v, at);
    }
}

static void check_registers(struct meaning *v)
{
    const uint32_t *r = v->registers;
    uint64_t weighted = r[HSA_BRIG_REGISTER_KIND_SINGLE] + 2ull * r[HSA_BRIG_REGISTER_KIND_DOUBLE] +
                        4ull * r[HSA_BRIG_REGISTER_KIND_QUAD];
    if (r[HSA_BRIG_REGISTER_KIND_CONTROL] > LIMIT_CONTROL_REGISTERS)
        MEANING_FAIL(v, REGISTER_LIMIT, v->executable_at, r[HSA_BRIG_REGISTER_KIND_CONTROL], "c",
                     LIMIT_CONTROL_REGISTERS);
    if (weighted > LIMIT_WEIGHTED_REGISTERS)
        MEANING_FAIL(v, REGISTER_LIMIT, v->executable_at, weighted, "s, d and q", LIMIT_WEIGHTED_REGISTERS);
}

static void check_formals(struct meaning *v, uint32_t at)
{
    const struct formal_list *list = meaning_formals(v, at);
    if (list->outputs > MOST_OUTPUTS)
        MEANING_FAIL(v, OUTPUT_COUNT, at, meaning_name(v, at), list->outputs);
    for (uint32_t i = 0; i < list->outputs + list->inputs; i++) {
        meaning_local_symbol(v, v->formals.items[list->first + i]);
        meaning_variable(v, v->formals.items[list->first + i]);
    }
    /* In text, an annotation among the arguments stands after them: in the body, or at module level. */
    uint32_t scope = v->scope, end = v->executable->first_code_block_entry;
    if (v->executable->next_module_entry == end)
        v->scope = 0;
    for (uint32_t entry = brig_next_code(v->view, at); entry < end; entry = brig_next_code(v->view, entry))
        if (brig_code(v->view, entry)->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA)
            meaning_pragma(v, entry);
    v->scope = scope;
}

void meaning_executable(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_executable_t *e = CODE_AS(v, hsa_brig_directive_executable_t, at);
    enum stage outer = STAGE_CONTROL, inner = STAGE_DEFINITION;
    v->executable = e;
    v->executable_at = at;
    v->scope = ++v->scopes;
    v->arg_scope = v->arg_block = 0;
    v->arg_blocks.count = 0;
    memset(v->registers, 0, sizeof v->registers);
    v->controls = (struct control_set){0};
    check_formals(v, at);
    meaning_after_pragma(v, false);
    for (uint32_t entry = e->first_code_block_entry; entry < e->next_module_entry && !diag_full(v->diag);
         entry = brig_next_code(v->view, entry))
        check_entry(v, entry, &outer, &inner);
    meaning_after_pragma(v, false);
    check_registers(v);
    meaning_controls_agree(v);
    meaning_branches(v);
    v->scope = v->arg_scope = 0;
    names_clear(&v->local_names);
}

static int compare_callee(const void *left, const void *right)
{
    const struct call_edge *a = left, *b = right;
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

/* Spreads the taint from callees to callers. DONE has a bit per 4 bytes of hsa_code, set for executables that were
 * visited. */
static bool spread_control(struct meaning *v, uint64_t *done)
{
    for (size_t i = 0; i < v->tainted.count; i++) {
        uint32_t at = v->tainted.items[i];
        if (done[at / 256] >> (at / 4 % 64) & 1)
            continue;
        done[at / 256] |= UINT64_C(1) << (at / 4 % 64);
        if (brig_code(v->view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION)
            MEANING_FAIL(v, INDIRECT_CLOSURE, at, "group or private variables or fbarriers that it must not");
        for (size_t c = search_first(v->calls.count, k, v->calls.items[k].callee >= at);
             c < v->calls.count && v->calls.items[c].callee == at; c++)
            if (!vec_push(&v->tainted, v->calls.items[c].caller))
                return false;
    }
    return true;
}

void meaning_closure(struct meaning *v)
{
    if (!v->tainted.count)
        return;
    if (v->calls.count)
        qsort(v->calls.items, v->calls.count, sizeof *v->calls.items, compare_callee);
    uint64_t *done = mem_zalloc(brig_end_code(v->view) / 256 + 1, sizeof *done);
    if (!done || !spread_control(v, done))
        v->out_of_memory = true;
    mem_free(done);
}
