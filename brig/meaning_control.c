/* SPDX-License-Identifier: MIT */
/* Control directives (PRM 13.5).
 * Input: a control directive of the code block. Output: diagnostics. Invariant: controls holds the last values of each
 * directive of the code block. What relates kernels to the functions they call is the finalizer's. */
#include "brig/meaning_p.h"

static const char *control_text(uint32_t control)
{
    return lang_value_text(LANG_SET_CONTROL_DIRECTIVE, control);
}

/* Reads operand INDEX; false when it cannot stand there. */
static bool read_operand(struct meaning *v, uint32_t at, uint32_t control, uint32_t operand, unsigned index,
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
        bool good = read_operand(v, at, control, list.items[i], i, &value[i]);
        v->part = whole;
        if (!good)
            return;
    }
    if (!control_add(&v->controls, control, value)) {
        MEANING_FAIL(v, CONTROL_DIFFERS, at, control_text(control));
        MEANING_NOTE(v, EARLIER_HERE, v->control_at[control]);
    }
    v->control_at[control] = at;
}

/* At the later of the two, which the reader meets last. */
void meaning_controls_agree(struct meaning *v)
{
    unsigned pair[2];
    if (!control_conflict(&v->controls, pair))
        return;
    uint32_t a = v->control_at[pair[0]], b = v->control_at[pair[1]];
    MEANING_FAIL(v, CONTROL_CONFLICT, a > b ? a : b, control_text(pair[0]), control_text(pair[1]));
    MEANING_NOTE(v, EARLIER_HERE, a > b ? b : a);
}
