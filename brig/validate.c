/* SPDX-License-Identifier: MIT */
/* The walk of the semantic check over a module; see validate.h.
 * Input: an opened view. Output: diagnostics in the order of hsa_code. Invariant: every directive at module level is
 * visited once, code blocks by their executable. PRM 4.2, 13.1, 14.1. */
#include "brig/validate.h"

#include "brig/item.h"
#include "brig/meaning_p.h"
#include "support/alloc.h"
#include "support/hash.h"

static void check_module(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_module_t *module = CODE_AS(v, hsa_brig_directive_module_t, at);
    v->part.kind = BRIG_PART_VERSION;
    if (module->hsail_major != HSA_BRIG_VERSION_HSAIL_MAJOR || module->hsail_minor > HSA_BRIG_VERSION_HSAIL_MINOR)
        MEANING_FAIL(v, MODULE_VERSION, at, module->hsail_major, module->hsail_minor);
    v->part = (struct diag_part){0};
    meaning_module_symbol(v, at); /* its name has module scope like those of symbols (4.6.2) */
}

/* One entry at module level; returns the next. */
static uint32_t check_entry(struct meaning *v, uint32_t at)
{
    const hsa_brig_base_t *entry = brig_code(v->view, at);
    switch (entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_MODULE: check_module(v, at); return brig_next_code(v->view, at);
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION:
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION: meaning_extension(v, at); return brig_next_code(v->view, at);
    case HSA_BRIG_KIND_DIRECTIVE_PRAGMA: meaning_pragma(v, at); return brig_next_code(v->view, at);
    case HSA_BRIG_KIND_DIRECTIVE_LOC:
    case HSA_BRIG_KIND_DIRECTIVE_COMMENT:
    case HSA_BRIG_KIND_NONE: return brig_next_code(v->view, at);
    default: v->statements = true;
    }
    switch (entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
        meaning_module_symbol(v, at);
        meaning_variable(v, at);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: meaning_module_symbol(v, at); break;
    case HSA_BRIG_KIND_DIRECTIVE_FUNCTION:
    case HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION:
    case HSA_BRIG_KIND_DIRECTIVE_KERNEL:
    case HSA_BRIG_KIND_DIRECTIVE_SIGNATURE:
        meaning_module_symbol(v, at);
        meaning_executable(v, at);
        return ((const hsa_brig_directive_executable_t *)(const void *)entry)->next_module_entry;
    default: break;
    }
    return brig_next_code(v->view, at);
}

/* Constants that HSAIL 1:0 does not have, whoever uses them. */
static void check_constants(struct meaning *v)
{
    const struct brig_section *section = &v->view->section[HSA_BRIG_SECTION_INDEX_OPERAND];
    uint32_t later =
        brig_kind_bit(HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION) | brig_kind_bit(HSA_BRIG_KIND_OPERAND_ZERO);
    if (brig_module_directive(v->view)->hsail_minor || !(v->view->operand_kinds & later))
        return;
    for (uint32_t at = section->first; at < section->size; at += brig_operand(v->view, at)->byte_count) {
        uint32_t kind = brig_operand(v->view, at)->kind;
        if (!(brig_kind_bit(kind) & later))
            continue;
        v->invalid = true;
        diag_report(v->diag, DIAG_RULE(NEEDS_1_2), diag_in_brig(HSA_BRIG_SECTION_INDEX_OPERAND, at),
                    kind == HSA_BRIG_KIND_OPERAND_ZERO ? "zero()" : "an address as constant");
    }
}

enum brig_status brig_validate(const struct brig_view *view, struct diag_list *diag)
{
    const hsa_brig_directive_module_t *module = brig_module_directive(view);
    struct meaning v = {
        .view = view,
        .diag = diag,
        .module = {.profile = module->profile,
                   .model = module->machine_model,
                   .minor = module->hsail_minor < UINT8_MAX ? (uint8_t)module->hsail_minor : UINT8_MAX},
        .seed = hash_seed(),
    };
    v.out_of_memory = !brig_mnemonics_init(&v.mnemonics) || !meaning_find_formals(&v);
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view) && !v.out_of_memory && !diag_full(diag);)
        at = check_entry(&v, at);
    meaning_after_pragma(&v, false);
    check_constants(&v);
    meaning_undefined(&v);
    meaning_entities(&v);
    meaning_closure(&v);
    brig_mnemonics_free(&v.mnemonics);
    names_free(&v.module_names);
    names_free(&v.local_names);
    names_free(&v.extension_names);
    vec_free(&v.formals);
    vec_free(&v.formal_lists);
    vec_free(&v.arg_variables);
    vec_free(&v.arg_blocks);
    vec_free(&v.calls);
    vec_free(&v.tainted);
    vec_free(&v.entities);
    return v.out_of_memory ? BRIG_OUT_OF_MEMORY : v.invalid ? BRIG_INVALID : BRIG_OK;
}
