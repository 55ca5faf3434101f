/* SPDX-License-Identifier: MIT */
/* A consumer of modules that trusts brig_open(); see walk.h.
 * Input: any bytes. Output: whether all promises of module.h hold. Invariant: an opened module is only read with the
 * unchecked accessors, so that a sanitizer notices what the structural check has missed. */
#include "testsuite/brig/walk.h"

#include "brig/diag_rule.h"
#include "brig/dump.h"
#include "brig/item.h"

static uint64_t touched; /* keeps the reads from being optimised away */

static void touch(struct bytes bytes)
{
    for (size_t i = 0; i < bytes.size; i++)
        touched += bytes.data[i];
}

static bool walk_list(const struct brig_view *view, struct brig_list list, bool code)
{
    bool good = true;
    for (uint32_t i = 0; i < list.count; i++) {
        const hsa_brig_base_t *entry = code ? brig_code(view, list.items[i]) : brig_operand(view, list.items[i]);
        good &= brig_kind(entry->kind) != NULL;
    }
    return good;
}

static bool walk_fields(const struct brig_view *view, const hsa_brig_base_t *entry,
                        const struct brig_struct_info *layout)
{
    bool good = true;
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct brig_field *field = &layout->fields[i];
        uint32_t value = (uint32_t)brig_field_value(entry, field);
        switch (field->role) {
        case BRIG_ROLE_BASE: good &= field->width == sizeof *entry || walk_fields(view, entry, brig_inst_base()); break;
        case BRIG_ROLE_OPCODE: good &= lang_op(value) != NULL; break;
        case BRIG_ROLE_TYPE: good &= lang_type(value) != NULL; break;
        case BRIG_ROLE_ENUM: good &= lang_value_text(field->argument, value) != NULL; break;
        case BRIG_ROLE_STRING: touch(brig_string(view, value)); break;
        case BRIG_ROLE_OPERANDS: good &= walk_list(view, brig_list(view, value), false); break;
        case BRIG_ROLE_CODES: good &= walk_list(view, brig_list(view, value), true); break;
        case BRIG_ROLE_OPERAND: good &= !value || brig_kind(brig_operand(view, value)->kind); break;
        case BRIG_ROLE_CODE:
            good &= !value || value == brig_end_code(view) || brig_kind(brig_code(view, value)->kind);
            break;
        default: break;
        }
    }
    return good;
}

static bool walk_inst(const struct brig_view *view, uint32_t at)
{
    struct lang_inst inst;
    if (!lang_load(view, at, &inst) || inst.operands.count != lang_operand_count(&inst))
        return false;
    bool good = true;
    for (unsigned i = 0; i < inst.operands.count; i++) {
        char letter = lang_operand_letter(&inst, i);
        const hsa_brig_base_t *operand = brig_operand(view, inst.operands.items[i]);
        good &= letter != 'd' || operand->kind == HSA_BRIG_KIND_OPERAND_REGISTER;
        good &= letter != 'a' || operand->kind == HSA_BRIG_KIND_OPERAND_ADDRESS;
        good &= letter != 'l' || operand->kind == HSA_BRIG_KIND_OPERAND_CODE_REF;
    }
    return good;
}

bool walk_opened(const struct brig_view *view)
{
    const struct brig_section *operands = &view->section[HSA_BRIG_SECTION_INDEX_OPERAND];
    bool good = brig_module_directive(view)->base.kind == HSA_BRIG_KIND_DIRECTIVE_MODULE;
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view); at = brig_next_code(view, at)) {
        const hsa_brig_base_t *entry = brig_code(view, at);
        good &= walk_fields(view, entry, brig_kind(entry->kind)->layout);
        good &= !brig_is_inst(entry) || walk_inst(view, at);
    }
    for (uint32_t at = operands->first; at < operands->size; at += brig_operand(view, at)->byte_count)
        good &= walk_fields(view, brig_operand(view, at), brig_kind(brig_operand(view, at)->kind)->layout);
    return good;
}

static bool discard(void *context, const char *text, size_t size)
{
    (void)text;
    *(size_t *)context += size;
    return true;
}

enum brig_status walk_untrusted(const void *bytes, size_t size, bool *good)
{
    struct diag_list list = {.limit = 20};
    struct brig_view view;
    size_t dumped = 0;
    enum brig_status status = brig_open(bytes, size, &list, &view);
    *good &= (status == BRIG_OK) == (list.errors == 0);
    if (status == BRIG_OK)
        *good &= walk_opened(&view);
    if (status == BRIG_OK || brig_read(bytes, size, NULL, &view) == BRIG_OK)
        *good &= brig_dump(&view, discard, &dumped) == BRIG_OK && dumped < 100 * size + 100000;
    diag_sort(&list);
    diag_list_free(&list);
    return status;
}
