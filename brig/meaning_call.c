/* SPDX-License-Identifier: MIT */
/* Arg blocks and calls (PRM 10.2, 10.6-10.8).
 * Input: the entries of a code block, in order. Output: diagnostics. Invariant: arg_variables holds the variables of
 * the arg block that is open, ascending by offset. */
#include "brig/meaning_p.h"

void meaning_arg_block_start(struct meaning *v, uint32_t at)
{
    v->arg_block = at;
    v->arg_scope = ++v->scopes;
    v->arg_calls = 0;
    v->arg_branches = false;
    v->arg_variables.count = 0;
}

/* Warns of accesses to an actual argument that the document leaves undefined (10.2), as far as they can be seen. */
static void check_access(struct meaning *v, const struct arg_variable *arg)
{
    struct bytes name = meaning_name(v, arg->directive);
    uint32_t odd = arg->output ? arg->other_than_ld : arg->other_than_st;
    struct lang_inst inst;
    if (odd && lang_load(v->view, odd, &inst))
        MEANING_WARN(v, ARG_ACCESS, odd, inst.op->text, name, arg->output ? "output" : "input");
    if (v->arg_branches)
        return; /* the order of the text is not that of execution */
    if (!arg->output && arg->last_st > v->arg_call)
        MEANING_WARN(v, ARG_ORDER, arg->last_st, name, "stored after");
    if (arg->output && arg->first_ld && arg->first_ld < v->arg_call)
        MEANING_WARN(v, ARG_ORDER, arg->first_ld, name, "loaded before");
}

void meaning_arg_block_end(struct meaning *v, uint32_t at)
{
    if (v->arg_calls != 1)
        MEANING_FAIL(v, CALL_COUNT, v->arg_block, v->arg_calls);
    for (size_t i = 0; v->arg_calls == 1 && i < v->arg_variables.count; i++) {
        const struct arg_variable *arg = &v->arg_variables.items[i];
        if (!arg->uses)
            MEANING_FAIL(v, ARG_UNUSED, arg->directive, meaning_name(v, arg->directive));
        else if (arg->uses == 1)
            check_access(v, arg);
    }
    struct arg_range range = {.first = v->arg_block, .end = at, .call = v->arg_calls == 1 ? v->arg_call : 0};
    if (!vec_push(&v->arg_blocks, range))
        v->out_of_memory = true;
    v->arg_block = v->arg_scope = 0;
}

static struct arg_variable *find_arg(struct meaning *v, uint32_t directive)
{
    size_t low = search_first(v->arg_variables.count, i, v->arg_variables.items[i].directive >= directive);
    return low < v->arg_variables.count && v->arg_variables.items[low].directive == directive
               ? &v->arg_variables.items[low]
               : NULL;
}

void meaning_arg_access(struct meaning *v, uint32_t at, const struct lang_inst *inst, uint32_t variable)
{
    struct arg_variable *arg = find_arg(v, variable);
    if (!arg)
        return;
    if (inst->op->code == HSA_BRIG_OPCODE_ST)
        arg->last_st = at;
    else if (!arg->other_than_st)
        arg->other_than_st = at;
    if (inst->op->code == HSA_BRIG_OPCODE_LD)
        arg->first_ld = arg->first_ld ? arg->first_ld : at;
    else if (!arg->other_than_ld)
        arg->other_than_ld = at;
}

/* Checks one list of actual arguments, operand INDEX, against COUNT formals, those of the module from FIRST on. */
static void check_arguments(struct meaning *v, uint32_t at, unsigned index, const char *which, struct brig_list actual,
                            uint32_t first, uint32_t count)
{
    v->part = brig_part(BRIG_PART_OPERAND, index, 0);
    if (actual.count != count) {
        MEANING_FAIL(v, ARG_COUNT, at, actual.count, which, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t formal = v->formals.items[first + i];
        const char *what = meaning_argument_difference(
            CODE_AS(v, hsa_brig_directive_variable_t, actual.items[i]),
            CODE_AS(v, hsa_brig_directive_variable_t, formal), i + 1 == count && *which == 'i');
        if (!what)
            continue;
        v->part.element = (uint16_t)(i + 1);
        MEANING_FAIL(v, ARG_MISMATCH, at, which, i, what);
        MEANING_NOTE(v, FORMAL_HERE, formal);
    }
}

static void use_arguments(struct meaning *v, uint32_t at, unsigned index, struct brig_list list, bool output)
{
    for (uint32_t i = 0; i < list.count; i++) {
        v->part = brig_part(BRIG_PART_OPERAND, index, i + 1);
        struct arg_variable *arg = find_arg(v, list.items[i]);
        if (arg && arg->uses++)
            MEANING_FAIL(v, ARG_TWICE, at, meaning_name(v, arg->directive));
        if (arg)
            arg->output = output;
    }
}

static struct brig_list code_list(const struct meaning *v, uint32_t operand)
{
    return brig_list(v->view, OPERAND_AS(v, hsa_brig_operand_code_list_t, operand)->elements);
}

static void add_call(struct meaning *v, uint32_t callee)
{
    struct call_edge edge = {.caller = v->executable_at, .callee = callee};
    if (!vec_push(&v->calls, edge))
        v->out_of_memory = true;
}

static void check_call(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    uint32_t callee = 0;
    if (!v->arg_block) {
        MEANING_FAIL(v, CALL_PLACE, at, inst->op->text);
        return;
    }
    v->arg_calls++;
    v->arg_call = at;
    struct brig_list out = {0}, in = {0};
    unsigned out_index = 0, in_index = 0;
    for (uint32_t i = 0; i < inst->operands.count; i++) {
        uint32_t operand = inst->operands.items[i];
        switch (lang_operand_letter(inst, i)) {
        case 'o':
            out = code_list(v, operand);
            out_index = i;
            break;
        case 'i':
            in = code_list(v, operand);
            in_index = i;
            break;
        case 'f':
        case 'g': callee = OPERAND_AS(v, hsa_brig_operand_code_ref_t, operand)->ref; break;
        case 'F': {
            struct brig_list functions = code_list(v, operand);
            for (uint32_t f = 0; f < functions.count; f++) {
                add_call(v, functions.items[f]);
                v->part = brig_part(BRIG_PART_OPERAND, i, f + 1);
                if (f && !meaning_same_formals(v, functions.items[0], functions.items[f]))
                    MEANING_FAIL(v, SCALL_MISMATCH, at, f);
            }
            callee = functions.count ? functions.items[0] : 0;
            break;
        }
        default: break;
        }
    }
    if (inst->op->code == HSA_BRIG_OPCODE_CALL && callee)
        add_call(v, callee);
    if (callee) {
        const struct formal_list *list = meaning_formals(v, callee);
        check_arguments(v, at, out_index, "output", out, list->first, list->outputs);
        check_arguments(v, at, in_index, "input", in, list->first + list->outputs, list->inputs);
    }
    use_arguments(v, at, out_index, out, true);
    use_arguments(v, at, in_index, in, false);
}

void meaning_call(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    struct diag_part before = v->part;
    check_call(v, at, inst);
    v->part = before;
}

/* The arg block that holds OFFSET, or NULL. */
static const struct arg_range *block_of(const struct meaning *v, uint32_t offset)
{
    size_t low = search_first(v->arg_blocks.count, i, v->arg_blocks.items[i].end >= offset);
    const struct arg_range *block = low < v->arg_blocks.count ? &v->arg_blocks.items[low] : NULL;
    return block && block->first < offset ? block : NULL;
}

static void check_branch(struct meaning *v, uint32_t at, const char *text, uint32_t label)
{
    const struct arg_range *from = block_of(v, at), *to = block_of(v, label);
    if (from != to)
        MEANING_FAIL(v, ARG_BLOCK_BRANCH, at, text, to ? "into" : "out of");
    else if (from && from->call && (at < from->call) != (label < from->call))
        MEANING_WARN(v, CALL_ONCE, at, text, at < from->call ? "skipped" : "repeated");
}

void meaning_branches(struct meaning *v)
{
    struct lang_inst inst;
    const hsa_brig_directive_executable_t *e = v->executable;
    for (uint32_t at = e->first_code_block_entry; v->arg_blocks.count && at < e->next_module_entry;
         at = brig_next_code(v->view, at)) {
        if (brig_code(v->view, at)->kind != HSA_BRIG_KIND_INST_BR || !lang_load(v->view, at, &inst))
            continue;
        for (uint32_t i = 0; i < inst.operands.count; i++) {
            char letter = lang_operand_letter(&inst, i);
            uint32_t operand = inst.operands.items[i];
            v->part = brig_part(BRIG_PART_OPERAND, i, 0);
            if (letter == 'l')
                check_branch(v, at, inst.op->text, OPERAND_AS(v, hsa_brig_operand_code_ref_t, operand)->ref);
            struct brig_list labels = letter == 'L' ? code_list(v, operand) : (struct brig_list){0};
            for (uint32_t l = 0; l < labels.count; l++) {
                v->part = brig_part(BRIG_PART_OPERAND, i, l + 1);
                check_branch(v, at, inst.op->text, labels.items[l]);
            }
        }
    }
    v->part = (struct diag_part){0};
}
