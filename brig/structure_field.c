/* SPDX-License-Identifier: MIT */
/* Checks every field of every entry by its row in item.def: values, reserved fields, references (PRM 18.3-18.6).
 * Input: laid-out sections. Output: findings. Invariant: afterwards each reference leads to the start of an entry
 * of a kind that may stand there, and each list is whole. */
#include "brig/structure.h"

#include <pthread.h>

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND
#define DATA HSA_BRIG_SECTION_INDEX_DATA
#define MOST_FIELDS 12u

/* A field with what its check needs at hand. */
struct field_check {
    struct brig_field field;
    uint64_t legal; /* ENUM: a bit per value; FLAGS: the defined bits */
    uint32_t kinds; /* references: see brig_target_kinds() */
    bool optional;  /* references: may be 0 */
};

struct kind_check {
    struct field_check fields[MOST_FIELDS];
    unsigned count;
};

/* By section (CODE, OPERAND) and the low bits of the kind: directives 0-31, instructions 32-63. */
static struct kind_check checks[2][64];
static uint8_t type_classes[256]; /* of a type code: 0 no type, 1 a plain one, 2 an array */
static uint32_t any_operand, vector_element, addressable, referable, registers; /* kinds that references may lead to */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct kind_check *check_of(uint32_t kind)
{
    if (kind >= HSA_BRIG_KIND_OPERAND_BEGIN)
        return &checks[1][kind & 31];
    return &checks[0][(kind & 31) + (kind >= HSA_BRIG_KIND_INST_BEGIN ? 32 : 0)];
}

static bool may_be_zero(const struct brig_field *field)
{
    switch (field->role) {
    case BRIG_ROLE_OPERANDS:
    case BRIG_ROLE_CODES: return true; /* an empty list */
    case BRIG_ROLE_STRING: return field->argument == BRIG_TEXT_VARIABLE_NAME;
    case BRIG_ROLE_OPERAND:
        return field->argument == BRIG_TARGET_CONSTANT_OR_NONE || field->argument == BRIG_TARGET_REGISTER_OR_NONE;
    case BRIG_ROLE_CODE: return field->argument == BRIG_TARGET_ADDRESSABLE_OR_NONE;
    default: return false;
    }
}

static void add_fields(struct kind_check *check, const struct brig_struct_info *layout)
{
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct brig_field *field = &layout->fields[i];
        struct field_check row = {.field = *field, .optional = may_be_zero(field)};
        switch ((enum brig_role)field->role) {
        case BRIG_ROLE_BASE:
            if (field->width > sizeof(hsa_brig_base_t))
                add_fields(check, brig_inst_base());
            continue;
        case BRIG_ROLE_KIND:
        case BRIG_ROLE_OPCODE:
        case BRIG_ROLE_NUMBER: continue;
        case BRIG_ROLE_ENUM:
            for (unsigned bit = 0; bit < 64; bit++)
                if (lang_value_text(field->argument, lang_value_of_bit(bit)))
                    row.legal |= UINT64_C(1) << bit;
            break;
        case BRIG_ROLE_FLAGS: row.legal = lang_flags(field->argument); break;
        case BRIG_ROLE_TYPE:
        case BRIG_ROLE_ZERO:
        case BRIG_ROLE_STRING: break;
        case BRIG_ROLE_OPERANDS:
        case BRIG_ROLE_CODES:
        case BRIG_ROLE_OPERAND:
        case BRIG_ROLE_CODE: row.kinds = brig_target_kinds(field->argument); break;
        }
        check->fields[check->count++] = row;
    }
}

static void build_fields(void)
{
    static const uint32_t ranges[][2] = {
        {HSA_BRIG_KIND_DIRECTIVE_BEGIN, HSA_BRIG_KIND_DIRECTIVE_END},
        {HSA_BRIG_KIND_INST_BEGIN, HSA_BRIG_KIND_INST_END},
        {HSA_BRIG_KIND_OPERAND_BEGIN, HSA_BRIG_KIND_OPERAND_END},
    };
    for (uint32_t code = 0; code < sizeof type_classes; code++)
        type_classes[code] = !lang_type(code) ? 0 : lang_type_is_array(code) ? 2 : 1;
    any_operand = brig_target_kinds(BRIG_TARGET_ANY_OPERAND);
    vector_element = brig_target_kinds(BRIG_TARGET_VECTOR_ELEMENT);
    referable = brig_target_kinds(BRIG_TARGET_REFERABLE);
    addressable = brig_target_kinds(BRIG_TARGET_ADDRESSABLE_OR_NONE);
    registers = brig_target_kinds(BRIG_TARGET_REGISTER_OR_NONE);
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t kind = ranges[i][0]; kind < ranges[i][1]; kind++)
            add_fields(check_of(kind), brig_kind(kind)->layout);
}

/* What a check is about: for the messages. */
struct field_subject {
    struct structure *check;
    const hsa_brig_base_t *entry;
    unsigned section;
    uint32_t offset;
};

static const char *layout_name(const struct field_subject *subject)
{
    return brig_kind(subject->entry->kind)->layout->name;
}

#define FIELD_FAIL(rule, ...) \
    STRUCTURE_FAIL(subject->check, rule, subject->section, subject->offset, layout_name(subject), row->field.name \
              __VA_OPT__(, ) __VA_ARGS__)

static inline bool kind_allowed(const struct structure *check, unsigned section, uint32_t offset, uint32_t kinds)
{
    uint32_t kind = brig_entry_(&check->view->section[section], offset)->kind;
    uint32_t range = section == CODE ? HSA_BRIG_KIND_DIRECTIVE_BEGIN : HSA_BRIG_KIND_OPERAND_BEGIN;
    return (kind & ~31u) == range && (kinds & brig_kind_bit(kind));
}

/* Whether OFFSET leads to an entry of one of the KINDS. */
static inline bool is_good_reference(const struct structure *check, unsigned section, uint32_t offset, uint32_t kinds)
{
    return structure_is_start(check, section, offset) && kind_allowed(check, section, offset, kinds);
}

static void check_reference(const struct field_subject *subject, const struct field_check *row, unsigned section,
                            uint32_t offset)
{
    struct structure *check = subject->check;
    if (offset ? is_good_reference(check, section, offset, row->kinds) : row->optional)
        return;
    if (!offset)
        FIELD_FAIL(BRIG_MISSING);
    else if (row->field.argument == BRIG_TARGET_POSITION && offset == check->view->section[section].size)
        return;
    else if (!structure_is_start(check, section, offset))
        FIELD_FAIL(BRIG_OFFSET, offset);
    else if (row->field.argument != BRIG_TARGET_POSITION && !kind_allowed(check, section, offset, row->kinds))
        FIELD_FAIL(BRIG_TARGET, brig_kind_name(brig_entry_(&check->view->section[section], offset)->kind));
}

static void check_list(const struct field_subject *subject, const struct field_check *row, unsigned section,
                       uint32_t offset)
{
    struct structure *check = subject->check;
    if (!offset)
        return;
    if (!structure_is_start(check, DATA, offset)) {
        FIELD_FAIL(BRIG_OFFSET, offset);
        return;
    }
    struct bytes bytes = brig_bytes(check->view, offset);
    if (bytes.size % 4) {
        FIELD_FAIL(BRIG_LIST_SIZE, bytes.size);
        return;
    }
    if (!structure_take(check, bytes.size))
        return;
    struct brig_list list = brig_list(check->view, offset);
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t element = list.items[i];
        if (!element || !structure_is_start(check, section, element))
            STRUCTURE_FAIL(check, BRIG_ELEMENT, subject->section, subject->offset, i, layout_name(subject),
                           row->field.name, element);
        else if (!kind_allowed(check, section, element, row->kinds))
            FIELD_FAIL(BRIG_TARGET, brig_kind_name(brig_entry_(&check->view->section[section], element)->kind));
        else
            continue;
        return; /* one finding per list: the other elements are likely to have the same fault */
    }
}

static void fail_value(const struct field_subject *subject, const struct field_check *row, uint64_t value)
{
    if (row->field.role == BRIG_ROLE_FLAGS)
        FIELD_FAIL(BRIG_FLAGS, value & ~row->legal);
    else if (row->field.role == BRIG_ROLE_TYPE)
        FIELD_FAIL(BRIG_TYPE, value);
    else if (value >> (row->field.width * 8u - 1))
        FIELD_FAIL(BRIG_VENDOR, value);
    else
        FIELD_FAIL(BRIG_ENUM, value);
}

static inline bool is_legal(const struct field_check *row, uint64_t value)
{
    switch (row->field.role) {
    case BRIG_ROLE_ENUM: return (row->legal & lang_value_bit((uint32_t)value)) != 0;
    case BRIG_ROLE_FLAGS: return !(value & ~row->legal);
    default:
        if (value >= sizeof type_classes)
            return false;
        return type_classes[value] == 1 || (type_classes[value] == 2 && row->field.argument == BRIG_TYPES_ARRAY);
    }
}

static void check_zero(const struct field_subject *subject, const struct field_check *row)
{
    const uint8_t *at = (const uint8_t *)subject->entry + row->field.offset;
    for (unsigned i = 0; i < row->field.width; i++)
        if (at[i]) {
            FIELD_FAIL(BRIG_RESERVED);
            return;
        }
}

static void check_string(const struct field_subject *subject, const struct field_check *row, uint32_t offset)
{
    if (offset && structure_is_start(subject->check, DATA, offset))
        structure_take(subject->check, brig_bytes(subject->check->view, offset).size);
    else if (offset)
        FIELD_FAIL(BRIG_OFFSET, offset);
    else if (!row->optional)
        FIELD_FAIL(BRIG_MISSING);
}

static void check_entry(const struct field_subject *subject)
{
    const struct kind_check *check = check_of(subject->entry->kind);
    for (const struct field_check *row = check->fields; row < check->fields + check->count; row++) {
        const uint8_t *at = (const uint8_t *)subject->entry + row->field.offset; /* offsets have 32 bits */
        uint64_t value;
        switch (row->field.role) {
        case BRIG_ROLE_ZERO: check_zero(subject, row); break;
        case BRIG_ROLE_STRING: check_string(subject, row, load32(at)); break;
        case BRIG_ROLE_OPERANDS: check_list(subject, row, OPERAND, load32(at)); break;
        case BRIG_ROLE_CODES: check_list(subject, row, CODE, load32(at)); break;
        case BRIG_ROLE_OPERAND: check_reference(subject, row, OPERAND, load32(at)); break;
        case BRIG_ROLE_CODE: check_reference(subject, row, CODE, load32(at)); break;
        default:
            value = brig_field_value(subject->entry, &row->field);
            if (!is_legal(row, value))
                fail_value(subject, row, value);
        }
    }
}

/* A pad entry is zero up to its end (18.5.1.12). */
static void check_pad(const struct field_subject *subject)
{
    const uint8_t *bytes = (const uint8_t *)subject->entry;
    for (uint32_t i = sizeof *subject->entry; i < subject->entry->byte_count; i++)
        if (bytes[i]) {
            STRUCTURE_FAIL(subject->check, BRIG_RESERVED, CODE, subject->offset, "hsa_brig_directive_none", "padding");
            return;
        }
}

/* Whether the list of operands at OFFSET is without a fault; KINDS may be in it. */
static inline bool is_good_list(struct structure *check, uint32_t offset, uint32_t kinds)
{
    if (!offset)
        return true;
    if (!structure_is_start(check, DATA, offset))
        return false;
    struct bytes bytes = brig_bytes(check->view, offset);
    struct brig_list list = brig_list(check->view, offset);
    if (bytes.size % 4 || !structure_take(check, bytes.size))
        return false;
    for (uint32_t i = 0; i < list.count; i++)
        if (!list.items[i] || !is_good_reference(check, OPERAND, list.items[i], kinds))
            return false;
    return true;
}

/* The fields of an instruction are looked at once for all that differ in their operands only. */
static void check_inst(const struct field_subject *subject)
{
    struct structure *check = subject->check;
    const hsa_brig_inst_base_t *inst = (const void *)subject->entry;
    struct brig_key key = brig_key(inst), *known = &check->good_fields[brig_key_slot(key, BRIG_GOOD_FIELDS) & ~1u];
    bool seen = brig_key_equal(known[0], key) || brig_key_equal(known[1], key);
    if (seen && is_good_list(check, inst->operands, any_operand))
        return;
    size_t before = check->findings;
    check_entry(subject);
    if (check->findings == before) {
        known[1] = known[0];
        known[0] = key;
    }
}

static inline bool is_good_address(const struct structure *check, const hsa_brig_operand_address_t *address)
{
    return (!address->symbol || is_good_reference(check, CODE, address->symbol, addressable)) &&
           (!address->reg || is_good_reference(check, OPERAND, address->reg, registers));
}

static inline bool is_good_constant(struct structure *check, const hsa_brig_operand_constant_bytes_t *constant)
{
    if (constant->type >= sizeof type_classes || !type_classes[constant->type] || constant->reserved ||
        !constant->bytes || !structure_is_start(check, DATA, constant->bytes))
        return false;
    structure_take(check, brig_bytes(check->view, constant->bytes).size);
    return true;
}

/* Nearly all operands are of these kinds, and this is all that has to be checked about them. Operands that are not
 * good, or of another kind, are left to the rows of item.def. */
static inline bool is_good_operand(struct structure *check, const hsa_brig_base_t *entry)
{
    const void *operand = entry;
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER:
        return ((const hsa_brig_operand_register_t *)operand)->reg_kind <= HSA_BRIG_REGISTER_KIND_QUAD;
    case HSA_BRIG_KIND_OPERAND_ADDRESS: return is_good_address(check, operand);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: return is_good_constant(check, operand);
    case HSA_BRIG_KIND_OPERAND_CODE_REF: {
        uint32_t ref = ((const hsa_brig_operand_code_ref_t *)operand)->ref;
        return ref && is_good_reference(check, CODE, ref, referable);
    }
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST:
        return is_good_list(check, ((const hsa_brig_operand_operand_list_t *)operand)->elements, vector_element);
    default: return false;
    }
}

static void check_code_entry(const struct field_subject *subject)
{
    if (brig_is_inst(subject->entry))
        check_inst(subject);
    else if (subject->entry->kind == HSA_BRIG_KIND_NONE)
        check_pad(subject);
    else
        check_entry(subject);
}

void structure_fields(struct structure *check)
{
    const struct brig_section *section = &check->view->section[OPERAND];
    pthread_once(&once, build_fields);
    for (uint32_t at = section->first; at < section->size; at += brig_entry_(section, at)->byte_count) {
        const hsa_brig_base_t *entry = brig_entry_(section, at);
        if (!is_good_operand(check, entry))
            check_entry(&(struct field_subject){check, entry, OPERAND, at});
    }
    section = &check->view->section[CODE];
    for (uint32_t at = section->first; at < section->size; at += brig_entry_(section, at)->byte_count)
        check_code_entry(&(struct field_subject){check, brig_entry_(section, at), CODE, at});
}
