/* SPDX-License-Identifier: MIT */
/* What operands refer to is declared before, and no nearer declaration of the same name hides it (PRM 4.6.2, 13.4).
 * Input: operands in the order of their users. Output: diagnostics. Invariant: a module without a finding can be
 * written as text, where a reference is a name. */
#include "brig/meaning_p.h"

/* Whether a local symbol is what its name means here. */
static bool is_visible(struct meaning *v, uint32_t target)
{
    struct bytes name = meaning_name(v, target);
    const struct name_entry *entry = v->arg_scope ? names_find(v, &v->local_names, v->arg_scope, name) : NULL;
    if (!entry && v->scope)
        entry = names_find(v, &v->local_names, v->scope, name);
    return entry && entry->directive == target;
}

/* Whether a local symbol is one of the executable that is looked at; a label may be named before it comes. */
static bool is_own(const struct meaning *v, uint32_t target)
{
    return v->scope && target > v->executable_at && target < v->executable->next_module_entry;
}

bool meaning_in_scope(struct meaning *v, uint32_t at, uint32_t target)
{
    struct bytes name = meaning_name(v, target);
    if (brig_code(v->view, target)->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL)
        return is_own(v, target);
    if (name.size && name.data[0] != '%')
        return target < at || names_find(v, &v->module_names, 0, name);
    return (target < at && !v->arg_scope && is_own(v, target)) || is_visible(v, target);
}

static void check_target(struct meaning *v, uint32_t at, uint32_t target)
{
    if (!meaning_in_scope(v, at, target))
        MEANING_FAIL(v, NAME_UNKNOWN, at, meaning_name(v, target));
}

void meaning_references(struct meaning *v, uint32_t at, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(v->view, operand);
    const void *structure = entry;
    struct brig_list list = {0};
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_CODE_REF:
        check_target(v, at, ((const hsa_brig_operand_code_ref_t *)structure)->ref);
        return;
    case HSA_BRIG_KIND_OPERAND_ADDRESS: {
        const hsa_brig_operand_address_t *address = structure;
        if (address->symbol)
            check_target(v, at, address->symbol);
        return;
    }
    case HSA_BRIG_KIND_OPERAND_CODE_LIST: {
        list = brig_list(v->view, ((const hsa_brig_operand_code_list_t *)structure)->elements);
        for (uint32_t i = 0; i < list.count; i++)
            check_target(v, at, list.items[i]);
        return;
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION:
        list = brig_list(v->view, ((const hsa_brig_operand_constant_expression_t *)structure)->operands);
        break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST:
        list = brig_list(v->view, ((const hsa_brig_operand_constant_operand_list_t *)structure)->elements);
        break;
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST:
        list = brig_list(v->view, ((const hsa_brig_operand_operand_list_t *)structure)->elements);
        break;
    default: return;
    }
    for (uint32_t i = 0; i < list.count; i++) /* structure bounds the depth */
        meaning_references(v, at, list.items[i]);
}
