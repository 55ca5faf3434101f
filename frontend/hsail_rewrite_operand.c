/* SPDX-License-Identifier: MIT */
/* Operands of a module that is rewritten: what the builder has to be given for them to become the same again; see
 * hsail/rewriter.h.
 * Input: entries of hsa_operand. Output: operands of hsail/builder.h. Invariant: a constant gets the type that it has
 * when the printed module is read again. */
#include "brig/control.h"
#include "frontend/dis.h"
#include "frontend/hsail_rewrite_p.h"

/* ---- Mnemonics ------------------------------------------------------------------------------------- */

static bool fill_copied_mnemonic(struct rewrite *rewrite, uint32_t code, struct rewrite_mnemonic *mnemonic)
{
    struct lang_inst inst;
    struct textbuf text = {0};
    bool large = brig_module_directive(rewrite->view)->machine_model == HSA_BRIG_MACHINE_MODEL_LARGE;
    bool good = lang_load(rewrite->view, code, &inst) && dis_mnemonic(rewrite->view, code, &text) &&
                text.size < sizeof mnemonic->text;
    if (good) {
        memcpy(mnemonic->text, text.data, text.size + 1);
        mnemonic->narrow = lang_segment_is_narrow(inst.value[LANG_DIM_SEGMENT], large);
        for (unsigned i = 0; i < LANG_MAX_OPERANDS; i++)
            mnemonic->type[i] = i < lang_operand_count(&inst) ? lang_operand_type(&inst, i) : HSA_BRIG_TYPE_NONE;
    } else {
        mnemonic->key = (struct brig_key){0, 0};
        rewrite->out_of_memory = true;
    }
    textbuf_free(&text);
    return good;
}

const struct rewrite_mnemonic *rewrite_mnemonic(struct rewrite *rewrite, uint32_t code)
{
    const void *entry = brig_code(rewrite->view, code);
    const hsa_brig_inst_base_t *base = entry;
    struct brig_key key = brig_key(base);
    uint16_t vector = lang_vector_length(
        rewrite->view, brig_list(rewrite->view, base->operands), lang_vector_index(lang_op(base->opcode)));
    struct rewrite_mnemonic *mnemonic = &rewrite->mnemonics[brig_key_slot(key, REWRITE_MNEMONICS)];
    if (brig_key_equal(mnemonic->key, key) && mnemonic->vector == vector)
        return mnemonic;
    mnemonic->key = key;
    mnemonic->vector = vector;
    return fill_copied_mnemonic(rewrite, code, mnemonic) ? mnemonic : NULL;
}

/* ---- Operands -------------------------------------------------------------------------------------- */

static hsail_operand_t *operand_room(struct rewrite *rewrite, size_t count)
{
    hsail_operand_t *items = arena_zalloc(&rewrite->memory, count + 1, sizeof *items);
    rewrite->out_of_memory |= !items;
    return items;
}

/* A value that is no array. Where its place has a type of the same size, the value is taken as that type. */
static hsail_operand_t value_of(uint16_t stored, struct bytes bytes, uint16_t expected)
{
    const struct lang_type *want = lang_type(expected);
    if (expected == HSA_BRIG_TYPE_B1)
        return hsail_integer(bytes.size ? bytes.data[0] : 0);
    if (want && want->class_ != LANG_CLASS_BIT && want->class_ != LANG_CLASS_NONE &&
        lang_type_size(expected) == bytes.size)
        stored = expected;
    return hsail_constant((hsa_brig_type_t)stored, bytes.data);
}

static hsail_operand_t constant_of(struct rewrite *rewrite, const hsa_brig_operand_constant_bytes_t *entry,
                                   uint16_t expected)
{
    struct bytes bytes = brig_bytes(rewrite->view, entry->bytes);
    if (!lang_type_is_array(entry->type))
        return value_of(entry->type, bytes, expected);
    uint32_t size = lang_type_size(entry->type);
    size_t count = bytes.size / size;
    hsa_brig_type_t type = (hsa_brig_type_t)lang_type(entry->type)->code;
    hsail_operand_t *items = operand_room(rewrite, count);
    for (size_t i = 0; items && i < count; i++)
        items[i] = hsail_constant(type, bytes.data + i * size);
    return hsail_array(type, items, (unsigned)count);
}

static hsail_operand_t expression_of(const hsail_operand_info_t *info, bool has_type)
{
    hsa_brig_type_t type = has_type ? info->type : HSA_BRIG_TYPE_NONE;
    return info->symbol ? hsail_address_of(type, info->symbol_name.data, info->offset)
                        : hsail_nullptr(type, info->operation);
}

static hsail_operand_t names_of(struct rewrite *rewrite, const hsail_operand_info_t *info)
{
    const char **names = arena_zalloc(&rewrite->memory, info->element_count + 1u, sizeof *names);
    hsail_operand_info_t element;
    rewrite->out_of_memory |= !names;
    for (uint32_t i = 0; names && i < info->element_count; i++)
        if (hsail_reader_element(rewrite->reader, info->operand, i, &element) == HSAIL_STATUS_OK)
            names[i] = element.symbol_name.data;
    return hsail_names(names, info->element_count);
}

static hsail_operand_t operand_of(struct rewrite *rewrite, const hsail_operand_info_t *info, uint16_t expected,
                                  bool typed);

/* The elements of a vector or list; with REVERSED the last is the first. */
static hsail_operand_t *make_elements(struct rewrite *rewrite, const hsail_operand_info_t *info, uint16_t expected,
                                      bool typed, bool reversed)
{
    hsail_operand_info_t element;
    hsail_operand_t *items = operand_room(rewrite, info->element_count);
    for (uint32_t i = 0; items && i < info->element_count; i++)
        if (hsail_reader_element(rewrite->reader, info->operand, reversed ? info->element_count - 1 - i : i,
                                 &element) == HSAIL_STATUS_OK)
            items[i] = operand_of(rewrite, &element, expected, typed);
    return items;
}

static hsail_operand_t list_of(struct rewrite *rewrite, const hsail_operand_info_t *info)
{
    const struct lang_type *row = lang_type(info->type);
    bool packed = info->type && !lang_type_is_array(info->type);
    hsail_operand_t *items = make_elements(rewrite, info, packed ? row->element : HSA_BRIG_TYPE_NONE, !packed, packed);
    if (packed)
        return hsail_packed(info->type, items, info->element_count);
    return info->type ? hsail_array((hsa_brig_type_t)row->code, items, info->element_count)
                      : hsail_aggregate(items, info->element_count);
}

/* With TYPED, an expression has to say its type. */
static hsail_operand_t operand_of(struct rewrite *rewrite, const hsail_operand_info_t *info, uint16_t expected,
                                  bool typed)
{
    switch ((unsigned)info->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: return hsail_register(info->register_kind, info->register_number);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: {
        const void *entry = brig_operand(rewrite->view, info->operand);
        return constant_of(rewrite, entry, expected);
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: return expression_of(info, typed);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: return list_of(rewrite, info);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE: return hsail_image(info->properties);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER: return hsail_sampler(info->properties);
    case HSA_BRIG_KIND_OPERAND_CODE_LIST: return names_of(rewrite, info);
    case HSA_BRIG_KIND_OPERAND_CODE_REF: return hsail_name(info->symbol_name.data);
    case HSA_BRIG_KIND_OPERAND_ALIGN: return hsail_align((uint32_t)info->offset);
    case HSA_BRIG_KIND_OPERAND_ZERO: return hsail_zero((uint64_t)info->offset);
    case HSA_BRIG_KIND_OPERAND_STRING: return hsail_string(info->bytes.data, (unsigned)info->bytes.size);
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST:
        return hsail_vector(make_elements(rewrite, info, expected, typed, false), info->element_count);
    case HSA_BRIG_KIND_OPERAND_ADDRESS: {
        hsail_operand_t reg = hsail_register(info->register_kind, info->register_number);
        return hsail_address(info->symbol ? info->symbol_name.data : NULL, info->register_kind ? &reg : NULL,
                             info->offset);
    }
    default: return hsail_wavesize();
    }
}

/* Operands of directives are integers without a type. */
static hsail_operand_t control_operand(struct rewrite *rewrite, const hsail_operand_info_t *info)
{
    uint64_t value = 0;
    if (info->kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES || lang_type_is_array(info->type))
        return operand_of(rewrite, info, HSA_BRIG_TYPE_NONE, false);
    memcpy(&value, info->bytes.data, info->bytes.size < sizeof value ? info->bytes.size : sizeof value);
    return value <= INT64_MAX ? hsail_integer((int64_t)value) : operand_of(rewrite, info, HSA_BRIG_TYPE_NONE, false);
}

/* Whether an expression says its type where EXPECTED is expected: where bits are, any but an unsigned one does. */
static bool says_type(const hsail_operand_info_t *info, uint16_t expected)
{
    if (info->kind != HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION || !expected)
        return true;
    return lang_type(expected)->class_ == LANG_CLASS_BIT && lang_type(info->type)->class_ != LANG_CLASS_UNSIGNED;
}

hsail_operand_t *rewrite_operands(struct rewrite *rewrite, uint32_t code, const struct rewrite_mnemonic *mnemonic,
                                  uint32_t *count)
{
    const hsa_brig_base_t *entry = brig_code(rewrite->view, code);
    hsail_operand_info_t info;
    *count = brig_entry_operands(rewrite->view, entry).count;
    hsail_operand_t *items = operand_room(rewrite, *count);
    for (uint32_t i = 0; items && i < *count; i++) {
        uint32_t place = hsail_reader_operand_index(entry, i);
        uint16_t expected = mnemonic && place < LANG_MAX_OPERANDS ? mnemonic->type[place] : HSA_BRIG_TYPE_NONE;
        if (hsail_reader_operand(rewrite->reader, code, i, &info) != HSAIL_STATUS_OK)
            continue;
        items[i] = entry->kind == HSA_BRIG_KIND_DIRECTIVE_CONTROL
                       ? control_operand(rewrite, &info)
                       : operand_of(rewrite, &info, expected, says_type(&info, expected));
    }
    return items;
}

hsail_operand_t rewrite_initializer(struct rewrite *rewrite, const hsa_brig_directive_variable_t *variable)
{
    hsail_operand_info_t info;
    if (hsail_reader_initializer(rewrite->reader, rewrite->statement.entry.code, &info) != HSAIL_STATUS_OK)
        return (hsail_operand_t){0}; /* a register, which the builder refuses here */
    return operand_of(rewrite, &info, variable->type, says_type(&info, variable->type));
}
