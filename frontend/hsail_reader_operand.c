/* SPDX-License-Identifier: MIT */
/* Operands, modifiers and mnemonics of entries that are read; see hsail/reader.h.
 * Input: an entry of a reader. Output: structures and words of the tables. Invariant: an operand is looked at only
 * where brig_open() has seen one. */
#include "frontend/dis.h"
#include "frontend/hsail_reader_p.h"

uint32_t hsail_reader_operand_index(const hsa_brig_base_t *entry, uint32_t index)
{
    const void *structure = entry;
    bool call = brig_is_inst(entry) && *lang_op(((const hsa_brig_inst_base_t *)structure)->opcode)->operands == 'o';
    return call && index < 2 ? 1 - index : index;
}

/* ---- Operands -------------------------------------------------------------------------------------- */

static void set_symbol(const hsail_reader_t *reader, hsail_operand_info_t *out, uint32_t code)
{
    out->symbol = code;
    if (code)
        out->symbol_name = hsail_reader_name(reader, code);
}

static void set_register(hsail_operand_info_t *out, const hsa_brig_operand_register_t *entry)
{
    out->register_kind = "csdq"[entry->reg_kind & 3];
    out->register_number = entry->reg_num;
}

static void set_address(const hsail_reader_t *reader, hsail_operand_info_t *out,
                        const hsa_brig_operand_address_t *entry)
{
    set_symbol(reader, out, entry->symbol);
    out->offset = (int64_t)brig_u64(entry->offset);
    if (entry->reg) {
        const void *reg = brig_operand(&reader->view, entry->reg);
        set_register(out, reg);
    }
}

static void set_expression(const hsail_reader_t *reader, hsail_operand_info_t *out,
                           const hsa_brig_operand_constant_expression_t *entry)
{
    struct brig_list list = brig_list(&reader->view, entry->operands);
    out->type = (hsa_brig_type_t)entry->type;
    out->operation = (hsa_brig_expression_operation_t)entry->expression_operation;
    if (list.count) {
        const void *ref = brig_operand(&reader->view, list.items[0]);
        set_symbol(reader, out, ((const hsa_brig_operand_code_ref_t *)ref)->ref);
    }
    if (list.count > 1) {
        const void *constant = brig_operand(&reader->view, list.items[1]);
        uint32_t bytes = ((const hsa_brig_operand_constant_bytes_t *)constant)->bytes;
        out->offset = (int64_t)load64(brig_bytes(&reader->view, bytes).data);
    }
}

static void get_operand(const hsail_reader_t *reader, uint32_t operand, hsail_operand_info_t *out)
{
    const hsa_brig_base_t *base = brig_operand(&reader->view, operand);
    const void *entry = base;
    memset(out, 0, sizeof *out);
    out->operand = operand;
    out->kind = (hsa_brig_kind_t)base->kind;
    out->bytes = out->symbol_name = (hsail_text_t){"", 0};
    switch (base->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: set_register(out, entry); break;
    case HSA_BRIG_KIND_OPERAND_ADDRESS: set_address(reader, out, entry); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: set_expression(reader, out, entry); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: {
        const hsa_brig_operand_constant_bytes_t *constant = entry;
        out->type = (hsa_brig_type_t)constant->type;
        out->bytes = hsail_reader_text(reader, constant->bytes);
        break;
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: {
        const hsa_brig_operand_constant_operand_list_t *list = entry;
        out->type = (hsa_brig_type_t)list->type;
        out->element_count = brig_list(&reader->view, list->elements).count;
        break;
    }
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST:
        out->element_count = brig_list(&reader->view, ((const hsa_brig_operand_operand_list_t *)entry)->elements).count;
        break;
    case HSA_BRIG_KIND_OPERAND_CODE_LIST:
        out->element_count = brig_list(&reader->view, ((const hsa_brig_operand_code_list_t *)entry)->elements).count;
        break;
    case HSA_BRIG_KIND_OPERAND_CODE_REF:
        set_symbol(reader, out, ((const hsa_brig_operand_code_ref_t *)entry)->ref);
        break;
    case HSA_BRIG_KIND_OPERAND_STRING:
        out->bytes = hsail_reader_text(reader, ((const hsa_brig_operand_string_t *)entry)->string);
        break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE:
        out->type = (hsa_brig_type_t)((const hsa_ext_brig_operand_constant_image_t *)entry)->type;
        out->properties = entry;
        break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER:
        out->type = (hsa_brig_type_t)((const hsa_ext_brig_operand_constant_sampler_t *)entry)->type;
        out->properties = entry;
        break;
    case HSA_BRIG_KIND_OPERAND_ALIGN: {
        const hsa_brig_operand_align_t *align = entry;
        out->offset = align->align ? INT64_C(1) << (align->align - HSA_BRIG_ALIGNMENT_1) : 0;
        break;
    }
    case HSA_BRIG_KIND_OPERAND_ZERO:
        out->offset = (int64_t)brig_u64(((const hsa_brig_operand_zero_t *)entry)->zero_byte_count);
        break;
    default: break; /* WAVESIZE has nothing more */
    }
}

/* The entry at CODE, or NULL. */
static const hsa_brig_base_t *entry_at(const hsail_reader_t *reader, hsail_code_t code)
{
    return reader && hsail_reader_has(reader, HSA_BRIG_SECTION_INDEX_CODE, code)
               ? brig_code(&reader->view, code)
               : NULL;
}

/* Whether addresses in the segment of an instruction have 32 bits. */
static bool is_narrow(const hsail_reader_t *reader, hsail_code_t code)
{
    struct lang_inst inst;
    bool large = brig_module_directive(&reader->view)->machine_model == HSA_BRIG_MACHINE_MODEL_LARGE;
    return lang_load(&reader->view, code, &inst) && lang_segment_is_narrow(inst.value[LANG_DIM_SEGMENT], large);
}

hsail_status_t hsail_reader_operand(const hsail_reader_t *reader, hsail_code_t code, uint32_t index,
                                    hsail_operand_info_t *operand)
{
    const hsa_brig_base_t *entry = entry_at(reader, code);
    struct brig_list list = entry ? brig_entry_operands(&reader->view, entry) : (struct brig_list){0};
    if (!operand || index >= list.count)
        return HSAIL_STATUS_ARGUMENT;
    uint32_t place = hsail_reader_operand_index(entry, index);
    if (place >= list.count || !list.items[place])
        return HSAIL_STATUS_ARGUMENT;
    get_operand(reader, list.items[place], operand);
    if (operand->kind == HSA_BRIG_KIND_OPERAND_ADDRESS && is_narrow(reader, code))
        operand->offset = (int32_t)operand->offset;
    return HSAIL_STATUS_OK;
}

hsail_status_t hsail_reader_element(const hsail_reader_t *reader, hsail_operand_ref_t list, uint32_t index,
                                    hsail_operand_info_t *element)
{
    if (!reader || !element || !hsail_reader_has(reader, HSA_BRIG_SECTION_INDEX_OPERAND, list))
        return HSAIL_STATUS_ARGUMENT;
    const hsa_brig_base_t *base = brig_operand(&reader->view, list);
    const void *entry = base;
    struct brig_list items = {0};
    if (base->kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        items = brig_list(&reader->view, ((const hsa_brig_operand_operand_list_t *)entry)->elements);
    else if (base->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST)
        items = brig_list(&reader->view, ((const hsa_brig_operand_constant_operand_list_t *)entry)->elements);
    else if (base->kind == HSA_BRIG_KIND_OPERAND_CODE_LIST)
        items = brig_list(&reader->view, ((const hsa_brig_operand_code_list_t *)entry)->elements);
    if (index >= items.count || !items.items[index])
        return HSAIL_STATUS_ARGUMENT;
    if (base->kind != HSA_BRIG_KIND_OPERAND_CODE_LIST) {
        get_operand(reader, items.items[index], element);
        return HSAIL_STATUS_OK;
    }
    memset(element, 0, sizeof *element);
    element->kind = HSA_BRIG_KIND_OPERAND_CODE_REF;
    element->bytes = (hsail_text_t){"", 0};
    set_symbol(reader, element, items.items[index]);
    return HSAIL_STATUS_OK;
}

hsail_status_t hsail_reader_initializer(const hsail_reader_t *reader, hsail_code_t code, hsail_operand_info_t *value)
{
    const hsa_brig_base_t *entry = entry_at(reader, code);
    if (!value || !entry || entry->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        return HSAIL_STATUS_ARGUMENT;
    const void *variable = entry;
    uint32_t init = ((const hsa_brig_directive_variable_t *)variable)->init;
    if (!init)
        return HSAIL_STATUS_ARGUMENT;
    get_operand(reader, init, value);
    return HSAIL_STATUS_OK;
}

/* ---- Instructions ---------------------------------------------------------------------------------- */

hsail_status_t hsail_reader_modifier(const hsail_reader_t *reader, hsail_code_t code, uint32_t index,
                                     hsail_modifier_t *modifier)
{
    const hsa_brig_base_t *entry = entry_at(reader, code);
    struct lang_inst inst;
    unsigned count;
    if (!modifier || !entry || !brig_is_inst(entry) || !lang_load(&reader->view, code, &inst))
        return HSAIL_STATUS_ARGUMENT;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst.op->form, &count);
    for (unsigned i = 0; i < count; i++) {
        if (slots[i].presence > LANG_OPTIONAL || index--)
            continue;
        const struct lang_dim_info *dim = lang_dim((enum lang_dim)slots[i].dim);
        uint32_t value = inst.value[slots[i].dim];
        bool number = dim->spelling == LANG_SPELLING_NUMBER || dim->spelling == LANG_SPELLING_VECTOR;
        const char *text = number || (dim->mask && !value)
                               ? ""
                               : lang_value_text((enum lang_set)dim->set, dim->mask ? dim->mask : value);
        *modifier = (hsail_modifier_t){dim->text, text ? text : "", value};
        return HSAIL_STATUS_OK;
    }
    return HSAIL_STATUS_ARGUMENT;
}

hsail_status_t hsail_reader_mnemonic(const hsail_reader_t *reader, hsail_code_t code, char *buffer, size_t size)
{
    const hsa_brig_base_t *entry = entry_at(reader, code);
    if (!buffer || !entry || !brig_is_inst(entry))
        return HSAIL_STATUS_ARGUMENT;
    struct mem_hooks hooks = reader->hooks;
    const struct mem_hooks *before = mem_use_hooks(reader->has_hooks ? &hooks : NULL);
    struct textbuf text = {0};
    hsail_status_t status = HSAIL_STATUS_OUT_OF_MEMORY;
    if (dis_mnemonic(&reader->view, code, &text)) {
        status = text.size < size ? HSAIL_STATUS_OK : HSAIL_STATUS_TOO_LARGE;
        if (status == HSAIL_STATUS_OK)
            memcpy(buffer, text.data, text.size + 1);
    }
    textbuf_free(&text);
    mem_use_hooks(before);
    return status;
}

/* ---- Registers ------------------------------------------------------------------------------------- */

static uint32_t registers_of(const hsail_reader_t *reader, uint32_t operand, char kind)
{
    hsail_operand_info_t info, element;
    if (!operand)
        return 0;
    get_operand(reader, operand, &info);
    uint32_t most = info.register_kind == kind ? info.register_number + 1 : 0;
    for (uint32_t i = 0; info.kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST && i < info.element_count; i++)
        if (hsail_reader_element(reader, operand, i, &element) == HSAIL_STATUS_OK && element.register_kind == kind &&
            element.register_number >= most)
            most = element.register_number + 1;
    return most;
}

uint32_t hsail_reader_registers(const hsail_reader_t *reader, hsail_code_t code, char kind)
{
    const hsa_brig_directive_executable_t *entry = hsail_reader_executable(reader, code);
    if (!entry || !kind || !strchr("csdq", kind) || !hsail_reader_has_body(entry))
        return 0;
    uint32_t most = 0;
    for (uint32_t at = entry->first_code_block_entry; at < entry->next_module_entry;
         at = brig_next_code(&reader->view, at)) {
        struct brig_list list = brig_entry_operands(&reader->view, brig_code(&reader->view, at));
        for (uint32_t i = 0; i < list.count; i++) {
            uint32_t used = registers_of(reader, list.items[i], kind);
            most = used > most ? used : most;
        }
    }
    return most;
}
