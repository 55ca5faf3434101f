/* SPDX-License-Identifier: MIT */
/* Names that nothing uses, and the walk of the other parts over a module; see lint.h.
 * Input: a valid module. Output: findings. Invariant: an operand of any entry, initializers and pragmas included,
 * counts as a use of what it names. */
#include "brig/lint_p.h"
#include "support/alloc.h"

/* A bit for every 4 bytes of hsa_code: entries that operands lead to. */
static void lint_mark_used(uint64_t *used, uint32_t code)
{
    used[code / 256] |= UINT64_C(1) << (code / 4 % 64);
}

static bool is_used(const uint64_t *used, uint32_t code)
{
    return used[code / 256] >> (code / 4 % 64) & 1;
}

static void mark_all(const struct brig_view *view, uint64_t *used)
{
    const struct brig_section *section = &view->section[HSA_BRIG_SECTION_INDEX_OPERAND];
    for (uint32_t at = section->first; at < section->size; at += brig_operand(view, at)->byte_count) {
        const hsa_brig_base_t *entry = brig_operand(view, at);
        const void *structure = entry;
        struct brig_list list = {0};
        switch (entry->kind) {
        case HSA_BRIG_KIND_OPERAND_ADDRESS:
            lint_mark_used(used, ((const hsa_brig_operand_address_t *)structure)->symbol);
            break;
        case HSA_BRIG_KIND_OPERAND_CODE_REF:
            lint_mark_used(used, ((const hsa_brig_operand_code_ref_t *)structure)->ref);
            break;
        case HSA_BRIG_KIND_OPERAND_CODE_LIST:
            list = brig_list(view, ((const hsa_brig_operand_code_list_t *)structure)->elements);
            break;
        default: break;
        }
        for (uint32_t i = 0; i < list.count; i++)
            lint_mark_used(used, list.items[i]);
    }
}

static const struct diag_part whole;

/* The formal arguments of a definition: a function's first is its output, if it has one. */
static void check_formals(struct lint *lint, const uint64_t *used, uint32_t at)
{
    const hsa_brig_directive_executable_t *e = LINT_AS(lint, hsa_brig_directive_executable_t, at);
    uint32_t outputs = e->out_arg_count, seen = 0;
    for (uint32_t entry = brig_next_code(lint->view, at); entry < e->first_code_block_entry;
         entry = brig_next_code(lint->view, entry)) {
        if (brig_code(lint->view, entry)->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
            continue;
        bool is_output = seen++ < outputs;
        if (!is_used(used, entry) && is_output)
            LINT_WARN(lint, OUTPUT_UNSET, entry, whole, lint_name(lint, entry));
        else if (!is_used(used, entry))
            LINT_WARN(lint, UNUSED_ARGUMENT, entry, whole, lint_name(lint, entry));
    }
}

/* The labels and variables of a code block. An argument of a call that nobody uses is an error (arg-unused). */
static void check_locals(struct lint *lint, const uint64_t *used, const hsa_brig_directive_executable_t *e)
{
    for (uint32_t at = e->first_code_block_entry; at < e->next_module_entry; at = brig_next_code(lint->view, at)) {
        unsigned kind = brig_code(lint->view, at)->kind;
        bool label = kind == HSA_BRIG_KIND_DIRECTIVE_LABEL;
        bool named = label || kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE || kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER;
        if (!named || is_used(used, at))
            continue;
        if (label)
            LINT_WARN(lint, UNUSED_LABEL, at, whole, lint_name(lint, at));
        else
            LINT_WARN(lint, UNUSED_VARIABLE, at, whole, lint_name(lint, at));
    }
}

/* Whether no other module can name it. A host can still find kernels, indirect functions and variables of the global
 * and readonly segments (hsa_executable_get_symbol()), so the caller leaves these out. */
static bool is_private(unsigned linkage, unsigned modifier)
{
    return linkage == HSA_BRIG_LINKAGE_MODULE && modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
}

static void check_entry(struct lint *lint, const uint64_t *used, uint32_t at)
{
    const hsa_brig_base_t *entry = brig_code(lint->view, at);
    const void *structure = entry;
    const hsa_brig_directive_variable_t *variable = structure;
    const hsa_brig_directive_fbarrier_t *fbarrier = structure;
    const hsa_brig_directive_executable_t *executable = structure;
    switch (entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
        if (is_private(variable->linkage, variable->modifier) && !is_used(used, at) &&
            variable->segment != HSA_BRIG_SEGMENT_GLOBAL && variable->segment != HSA_BRIG_SEGMENT_READONLY)
            LINT_WARN(lint, UNUSED_VARIABLE, at, whole, lint_name(lint, at));
        return;
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER:
        if (is_private(fbarrier->linkage, fbarrier->modifier) && !is_used(used, at))
            LINT_WARN(lint, UNUSED_VARIABLE, at, whole, lint_name(lint, at));
        return;
    case HSA_BRIG_KIND_DIRECTIVE_FUNCTION:
    case HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION:
    case HSA_BRIG_KIND_DIRECTIVE_KERNEL: break;
    default: return;
    }
    if (!(executable->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION))
        return;
    if (is_private(executable->linkage, executable->modifier) && !is_used(used, at) &&
        entry->kind == HSA_BRIG_KIND_DIRECTIVE_FUNCTION)
        LINT_WARN(lint, UNUSED_FUNCTION, at, whole, lint_name(lint, at));
    if (entry->kind != HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION) /* its signature may have asked for them */
        check_formals(lint, used, at);
    check_locals(lint, used, executable);
    lint_flow(lint, at);
}

static uint32_t next_at_module_level(const struct lint *lint, uint32_t at)
{
    return brig_is_executable(brig_code(lint->view, at))
               ? LINT_AS(lint, hsa_brig_directive_executable_t, at)->next_module_entry
               : brig_next_code(lint->view, at);
}

enum brig_status brig_lint(const struct brig_view *view, struct diag_list *diag)
{
    uint64_t *used = mem_zalloc(brig_end_code(view) / 256 + 1, sizeof *used);
    struct lint *lint = mem_zalloc(1, sizeof *lint);
    enum brig_status status = BRIG_OUT_OF_MEMORY;
    if (used && lint) {
        lint->view = view;
        lint->diag = diag;
        lint->next_serial = 1;
        mark_all(view, used);
        for (uint32_t at = brig_first_code(view); at < brig_end_code(view) && !lint->out_of_memory;
             at = next_at_module_level(lint, at))
            check_entry(lint, used, at);
        lint_group(lint);
        vec_free(&lint->blocks);
        vec_free(&lint->edges);
        vec_free(&lint->work);
        vec_free(&lint->events);
        vec_free(&lint->unwritten);
        vec_free(&lint->written);
        vec_free(&lint->gains);
        status = lint->out_of_memory ? BRIG_OUT_OF_MEMORY : BRIG_OK;
    }
    mem_free(used);
    mem_free(lint);
    return status;
}
