/* SPDX-License-Identifier: MIT */
/* Arg blocks and calls (PRM 10.2, 10.6-10.8).
 * Input: the entries of a code block, in order. Output: diagnostics. Invariant: arg_variables holds the variables of
 * the arg block that is open, ascending by offset. */
#include "brig/validate_p.h"

void validate_arg_block_start(struct validate *v, uint32_t at)
{
    v->arg_block = at;
    v->arg_scope = ++v->scopes;
    v->arg_calls = 0;
    v->arg_variables.count = 0;
}

void validate_arg_block_end(struct validate *v, uint32_t at)
{
    if (v->arg_calls != 1)
        VALIDATE_FAIL(v, CALL_COUNT, v->arg_block, v->arg_calls);
    for (size_t i = 0; v->arg_calls == 1 && i < v->arg_variables.count; i++)
        if (!v->arg_variables.items[i].uses)
            VALIDATE_FAIL(v, ARG_UNUSED, v->arg_variables.items[i].directive,
                          validate_name(v, v->arg_variables.items[i].directive));
    struct arg_range range = {.first = v->arg_block, .end = at};
    if (!vec_push(&v->arg_blocks, range))
        v->out_of_memory = true;
    v->arg_block = v->arg_scope = 0;
}

static struct arg_variable *find_arg(struct validate *v, uint32_t directive)
{
    size_t low = vec_lower_bound(&v->arg_variables, directive);
    return low < v->arg_variables.count && v->arg_variables.items[low].directive == directive
               ? &v->arg_variables.items[low]
               : NULL;
}

/* One list of actual arguments, operand INDEX, against COUNT formals. */
static void check_arguments(struct validate *v, uint32_t at, unsigned index, const char *which,
                            struct brig_list actual, const uint32_t *formals, uint32_t count)
{
    v->part = brig_part(BRIG_PART_OPERAND, index, 0);
    if (actual.count != count) {
        VALIDATE_FAIL(v, ARG_COUNT, at, actual.count, which, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *what = validate_argument_difference(
            CODE_AS(v, hsa_brig_directive_variable_t, actual.items[i]),
            CODE_AS(v, hsa_brig_directive_variable_t, formals[i]), i + 1 == count && *which == 'i');
        if (!what)
            continue;
        v->part.element = (uint16_t)(i + 1);
        VALIDATE_FAIL(v, ARG_MISMATCH, at, which, i, what);
        VALIDATE_NOTE(v, FORMAL_HERE, formals[i]);
    }
}

static void use_arguments(struct validate *v, uint32_t at, unsigned index, struct brig_list list)
{
    for (uint32_t i = 0; i < list.count; i++) {
        v->part = brig_part(BRIG_PART_OPERAND, index, i + 1);
        struct arg_variable *arg = find_arg(v, list.items[i]);
        if (arg && arg->uses++)
            VALIDATE_FAIL(v, ARG_TWICE, at, validate_name(v, arg->directive));
    }
}

static struct brig_list code_list(const struct validate *v, uint32_t operand)
{
    return brig_list(v->view, OPERAND_AS(v, hsa_brig_operand_code_list_t, operand)->elements);
}

static void add_call(struct validate *v, uint32_t callee)
{
    struct call_edge edge = {.caller = v->executable_at, .callee = callee};
    if (!vec_push(&v->calls, edge))
        v->out_of_memory = true;
}

static void check_call(struct validate *v, uint32_t at, const struct isa_inst *inst)
{
    uint32_t callee = 0;
    if (!v->arg_block) {
        VALIDATE_FAIL(v, CALL_PLACE, at, inst->op->text);
        return;
    }
    v->arg_calls++;
    struct brig_list out = {0}, in = {0};
    unsigned out_index = 0, in_index = 0;
    for (uint32_t i = 0; i < inst->operands.count; i++) {
        uint32_t operand = inst->operands.items[i];
        switch (isa_operand_letter(inst, i)) {
        case 'o': out = code_list(v, operand); out_index = i; break;
        case 'i': in = code_list(v, operand); in_index = i; break;
        case 'f':
        case 'g': callee = OPERAND_AS(v, hsa_brig_operand_code_ref_t, operand)->ref; break;
        case 'F': {
            struct brig_list functions = code_list(v, operand);
            for (uint32_t f = 0; f < functions.count; f++) {
                add_call(v, functions.items[f]);
                v->part = brig_part(BRIG_PART_OPERAND, i, f + 1);
                if (f && !validate_same_formals(v, functions.items[0], functions.items[f]))
                    VALIDATE_FAIL(v, SCALL_MISMATCH, at, f);
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
        const struct formal_list *list = validate_formals(v, callee);
        const uint32_t *formals = v->formals.items + list->first;
        check_arguments(v, at, out_index, "output", out, formals, list->outputs);
        check_arguments(v, at, in_index, "input", in, formals + list->outputs, list->inputs);
    }
    use_arguments(v, at, out_index, out);
    use_arguments(v, at, in_index, in);
}

void validate_call(struct validate *v, uint32_t at, const struct isa_inst *inst)
{
    struct diag_part before = v->part;
    check_call(v, at, inst);
    v->part = before;
}

/* The arg block that holds OFFSET: its start, or 0. */
static uint32_t block_of(const struct validate *v, uint32_t offset)
{
    size_t low = vec_lower_bound(&v->arg_blocks, offset);
    return low < v->arg_blocks.count && v->arg_blocks.items[low].first < offset ? v->arg_blocks.items[low].first : 0;
}

static void check_branch(struct validate *v, uint32_t at, const char *text, uint32_t label)
{
    uint32_t from = block_of(v, at), to = block_of(v, label);
    if (from != to)
        VALIDATE_FAIL(v, ARG_BLOCK_BRANCH, at, text, to ? "into" : "out of");
}

void validate_branches(struct validate *v)
{
    struct isa_inst inst;
    const hsa_brig_directive_executable_t *e = v->executable;
    for (uint32_t at = e->first_code_block_entry; v->arg_blocks.count && at < e->next_module_entry;
         at = brig_next_code(v->view, at)) {
        if (brig_code(v->view, at)->kind != HSA_BRIG_KIND_INST_BR || !isa_load(v->view, at, &inst))
            continue;
        for (uint32_t i = 0; i < inst.operands.count; i++) {
            char letter = isa_operand_letter(&inst, i);
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
