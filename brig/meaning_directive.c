/* SPDX-License-Identifier: MIT */
/* Three small subjects of the semantic check: extensions, control directives, and what operands refer to
 * (PRM 4.6.2, 13.1, 13.4, 13.5).
 * Input: extension and control directives, and operands in the order of their users. Output: diagnostics. Invariant:
 * all extensions come before what needs one; `controls` holds the tightest values of each directive of the code block;
 * a module without a finding can be written as text, where a reference is a name. How the directives of a kernel and of
 * the functions that it calls relate is the finalizer's concern. */
#include "brig/meaning_p.h"

/* ---- Extensions ------------------------------------------------------------------------------------ */

/* Whether the extension at AT was asked for before in another version. */
static bool differs_from_earlier(struct meaning *v, uint32_t at)
{
    uint32_t now[2], before[2];
    bool known;
    const struct name_entry *entry = names_enter(v, &v->extension_names, 0, at, &known);
    if (!entry || !known)
        return false;
    brig_extension_version(v->view, at, now);
    brig_extension_version(v->view, entry->directive, before);
    return now[0] != before[0] || now[1] != before[1];
}

void meaning_extension(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_extension_t *directive = CODE_AS(v, hsa_brig_directive_extension_t, at);
    struct bytes name = brig_string(v->view, directive->name);
    v->last_extension = at;
    if (v->statements)
        MEANING_FAIL(v, EXTENSION_LATE, at);
    if (directive->base.kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION)
        meaning_version(v, at, "an extension with a version");
    if (!name.size)
        return;
    if (bytes_are_text(name, "CORE")) {
        v->core = true;
        if (directive->base.kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION)
            MEANING_FAIL(v, CORE_VERSION, at);
    } else if (!v->extension) {
        v->extension = at;
    }
    v->image |= bytes_are_text(name, "IMAGE");
    if (v->core && v->extension) {
        const hsa_brig_directive_extension_t *other = CODE_AS(v, hsa_brig_directive_extension_t, v->extension);
        MEANING_FAIL(v, CORE_ALONE, at, brig_string(v->view, other->name));
    }
    if (differs_from_earlier(v, at))
        MEANING_FAIL(v, EXTENSION_DIFFERS, at, name);
}

bool meaning_has_extension(struct meaning *v, const char *name)
{
    if (v->vendor && strcmp(v->vendor, name) == 0)
        return true;
    for (uint32_t at = brig_first_code(v->view); at <= v->last_extension; at = brig_next_code(v->view, at)) {
        const hsa_brig_directive_extension_t *directive = CODE_AS(v, hsa_brig_directive_extension_t, at);
        if (brig_is_extension(&directive->base) && bytes_are_text(brig_string(v->view, directive->name), name)) {
            v->vendor = name;
            return true;
        }
    }
    return false;
}

/* ---- Control directives ---------------------------------------------------------------------------- */

static const char *control_text(uint32_t control)
{
    return lang_value_text(LANG_SET_CONTROL_DIRECTIVE, control);
}

/* Reads operand INDEX; false when it cannot stand there. */
static bool read_control_operand(struct meaning *v, uint32_t at, uint32_t control, uint32_t operand, unsigned index,
                                 uint64_t *value)
{
    const struct control_row *row = control_row(control);
    const hsa_brig_base_t *entry = brig_operand(v->view, operand);
    if (entry->kind == HSA_BRIG_KIND_OPERAND_WAVESIZE && row->wavesize) {
        *value = 0;
        return true;
    }
    const hsa_brig_operand_constant_bytes_t *constant = (const void *)entry;
    const struct lang_type *is = entry->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES ? lang_type(constant->type) : NULL;
    bool integer = is && (is->class_ == LANG_CLASS_UNSIGNED || is->class_ == LANG_CLASS_SIGNED) && is->count == 1 &&
                   !lang_type_is_array(constant->type);
    struct bytes bytes = integer ? brig_bytes(v->view, constant->bytes) : (struct bytes){0};
    if (bytes.size != lang_type_size(row->type)) {
        MEANING_FAIL(v, CONTROL_OPERAND, at, index, control_text(control), meaning_type_text(row->type));
        return false;
    }
    *value = bytes.size == 8 ? load64(bytes.data) : load32(bytes.data);
    if (is->class_ == LANG_CLASS_SIGNED && *value >> (8 * bytes.size - 1)) { /* text cannot have a sign there */
        MEANING_FAIL(v, CONTROL_OPERAND, at, index, control_text(control), meaning_type_text(row->type));
        return false;
    }
    if (row->value == CONTROL_EXCEPTION_BITS && *value & ~(uint64_t)CONTROL_EXCEPTIONS)
        MEANING_WARN(v, CONTROL_BITS, at, control_text(control));
    if (!control_value_fits(control, *value)) {
        MEANING_FAIL(v, CONTROL_VALUE, at, control_text(control), *value);
        return false;
    }
    return true;
}

void meaning_control(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_control_t *directive = CODE_AS(v, hsa_brig_directive_control_t, at);
    uint32_t control = directive->control;
    const struct control_row *row = control_row(control);
    if (!row)
        return;
    if (row->since)
        meaning_version(v, at, control_text(control));
    struct brig_list list = brig_list(v->view, directive->operands);
    uint64_t value[CONTROL_VALUES] = {0};
    if (list.count != row->operands) {
        MEANING_FAIL(v, CONTROL_COUNT, at, control_text(control), list.count, row->operands);
        return;
    }
    for (unsigned i = 0; i < list.count; i++) {
        struct diag_part whole = meaning_part(v, BRIG_PART_OPERAND, i, 0);
        bool good = read_control_operand(v, at, control, list.items[i], i, &value[i]);
        v->part = whole;
        if (!good)
            return;
    }
    if (!control_tighten(&v->controls, control, value)) {
        MEANING_WARN(v, CONTROL_DIFFERS, at, control_text(control));
        MEANING_NOTE(v, EARLIER_HERE, v->control_at[control]);
    }
    v->control_at[control] = at;
}

/* The finding is at the later of the two directives, which the reader of the text meets last. */
void meaning_controls_agree(struct meaning *v)
{
    unsigned pair[2];
    if (!control_conflict(&v->controls, pair))
        return;
    uint32_t a = v->control_at[pair[0]], b = v->control_at[pair[1]];
    MEANING_WARN(v, CONTROL_CONFLICT, a > b ? a : b, control_text(pair[0]), control_text(pair[1]));
    MEANING_NOTE(v, EARLIER_HERE, a > b ? b : a);
}

/* ---- References ------------------------------------------------------------------------------------ */

/* Whether a local symbol is what its name means here. */
static bool is_visible(struct meaning *v, uint32_t target)
{
    struct bytes name = meaning_name(v, target);
    const struct name_entry *entry = v->arg_scope ? names_find(v, &v->local_names, v->arg_scope, name) : NULL;
    if (!entry && v->scope)
        entry = names_find(v, &v->local_names, v->scope, name);
    return entry && entry->directive == target;
}

/* Whether a local symbol belongs to the executable being checked; a label may be named before it is placed. */
static bool is_local_target(const struct meaning *v, uint32_t target)
{
    return v->scope && target > v->executable_at && target < v->executable->next_module_entry;
}

bool meaning_in_scope(struct meaning *v, uint32_t at, uint32_t target)
{
    struct bytes name = meaning_name(v, target);
    if (brig_code(v->view, target)->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL)
        return is_local_target(v, target);
    if (name.size && name.data[0] != '%')
        return target < at || names_find(v, &v->module_names, 0, name);
    return (target < at && !v->arg_scope && is_local_target(v, target)) || is_visible(v, target);
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
    for (uint32_t i = 0; i < list.count; i++) /* the structural check has limited the depth */
        meaning_references(v, at, list.items[i]);
}
