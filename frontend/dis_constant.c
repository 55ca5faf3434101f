/* SPDX-License-Identifier: MIT */
/* Printing constants (PRM 4.8, 18.6.1).
 * Input: a constant operand and the type that its place expects. Output: text that is stored as the same type and
 * bytes. Invariant: a literal stands without its type only where the assembler stores it as what was printed. */
#include "frontend/dis_p.h"

static bool is_class(uint16_t code, enum lang_type_class class_)
{
    return lang_type(code)->class_ == class_;
}

static enum number_width width_of(uint16_t type)
{
    return lang_type_size(type) == 2 ? NUMBER_F16 : lang_type_size(type) == 4 ? NUMBER_F32 : NUMBER_F64;
}

/* A string literal; what could be read in two ways is octal. */
void dis_string(struct dis *dis, struct bytes text)
{
    dis_char(dis, '"');
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        char *room = dis_room(dis, 4);
        if (c == '"' || c == '\\') {
            room[0] = '\\';
            room[1] = (char)c;
            dis->used += 2;
        } else if (c >= 0x20 && c < 0x7f) {
            room[0] = (char)c;
            dis->used++;
        } else {
            room[0] = '\\';
            room[1] = (char)('0' + (c >> 6));
            room[2] = (char)('0' + (c >> 3 & 7));
            room[3] = (char)('0' + (c & 7));
            dis->used += 4;
        }
    }
    dis_char(dis, '"');
}

static uint64_t load_value(const uint8_t *bytes, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, bytes, size < 8 ? size : 8);
    return value;
}

/* One value of a type that is neither packed nor an array. */
static void print_scalar(struct dis *dis, uint16_t type, const uint8_t *bytes)
{
    uint32_t size = lang_type_size(type);
    uint64_t value = load_value(bytes, size);
    if (is_class(type, LANG_CLASS_FLOAT)) {
        char text[NUMBER_TEXT];
        dis_bytes(dis, text, number_print(text, value, width_of(type), dis->style));
    } else if (is_class(type, LANG_CLASS_SIGNED)) {
        dis_signed(dis, (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
    } else {
        dis_unsigned(dis, value);
    }
}

/* `type(value)`; packed elements from the last to the first. */
static void print_typed(struct dis *dis, uint16_t type, const uint8_t *bytes)
{
    const struct lang_type *row = lang_type(type);
    uint32_t size = lang_type_size(row->element);
    dis_text(dis, row->text);
    dis_char(dis, '(');
    for (unsigned i = row->count; i-- > 0;) {
        print_scalar(dis, row->element, bytes + i * size);
        if (i)
            dis_char(dis, ',');
    }
    dis_char(dis, ')');
}

static void print_array(struct dis *dis, uint16_t type, struct bytes bytes)
{
    const struct lang_type *row = lang_type(type);
    uint32_t size = lang_type_size(type);
    bool typed = row->count > 1 || row->class_ == LANG_CLASS_SIGNAL;
    dis_text(dis, row->text);
    dis_text(dis, "[](");
    for (size_t at = 0; at < bytes.size; at += size) {
        if (dis->readable)
            dis_between_elements(dis, at / size, row);
        else if (at)
            dis_text(dis, ", ");
        if (typed)
            print_typed(dis, row->code, bytes.data + at);
        else
            print_scalar(dis, row->code, bytes.data + at);
    }
    dis_char(dis, ')');
}

/* Where a bit type is expected, the assembler stores a literal as an unsigned type, as a signed one when it is
 * negative, or as a float; any other type has to be written. */
static bool may_be_bare(uint16_t stored, uint16_t expected, const uint8_t *bytes)
{
    uint32_t size = lang_type_size(stored);
    if (lang_type_is_packed(stored) || size > 8 || is_class(stored, LANG_CLASS_SIGNAL))
        return false;
    if (expected == HSA_BRIG_TYPE_B1)
        return true; /* 0 or 1 */
    if (!is_class(expected, LANG_CLASS_BIT) || !is_class(stored, LANG_CLASS_SIGNED))
        return true;
    return bytes[size - 1] & 0x80;
}

static void print_bytes(struct dis *dis, uint16_t stored, struct bytes bytes, uint16_t expected, enum dis_use use)
{
    if (lang_type_is_array(stored))
        return print_array(dis, stored, bytes);
    /* An unsigned constant may stand for any type of its size in BRIG, and literals for integers have no type. */
    const struct lang_type *want = lang_type(expected);
    if (use == DIS_OPERAND && want->class_ != LANG_CLASS_BIT && want->class_ != LANG_CLASS_NONE &&
        lang_type_size(expected) == bytes.size)
        stored = expected;
    bool bare = use == DIS_OPERAND && expected ? may_be_bare(stored, expected, bytes.data)
                                               : use == DIS_PRAGMA && stored == HSA_BRIG_TYPE_U64;
    if (bare)
        print_scalar(dis, stored, bytes.data);
    else
        print_typed(dis, stored, bytes.data);
}

static void print_expression(struct dis *dis, const hsa_brig_operand_constant_expression_t *entry, uint16_t expected,
                             enum dis_use use)
{
    struct brig_list list = brig_list(dis->view, entry->operands);
    bool bits = expected && is_class(expected, LANG_CLASS_BIT);
    bool typed = use == DIS_ELEMENT || (bits && !is_class(entry->type, LANG_CLASS_UNSIGNED)) ||
                 (use == DIS_PRAGMA && entry->type != HSA_BRIG_TYPE_U64);
    if (typed) {
        dis_text(dis, lang_type(entry->type)->text);
        dis_char(dis, '(');
    }
    dis_text(dis, lang_value_text(LANG_SET_EXPRESSION_OPERATION, entry->expression_operation));
    if (list.count) {
        const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(dis->view, list.items[0]);
        dis_char(dis, '(');
        dis_name(dis, ref->ref);
        if (list.count > 1) {
            const hsa_brig_operand_constant_bytes_t *constant = (const void *)brig_operand(dis->view, list.items[1]);
            int64_t offset = (int64_t)load64(brig_bytes(dis->view, constant->bytes).data);
            if (offset >= 0)
                dis_char(dis, '+');
            dis_signed(dis, offset);
        }
        dis_char(dis, ')');
    }
    if (typed)
        dis_char(dis, ')');
}

/* A packed value or an array with addresses in it, or an aggregate. */
static void print_list(struct dis *dis, const hsa_brig_operand_constant_operand_list_t *entry)
{
    struct brig_list list = brig_list(dis->view, entry->elements);
    bool packed = entry->type && !lang_type_is_array(entry->type);
    const struct lang_type *row = lang_type(entry->type);
    if (entry->type)
        dis_text(dis, row->text);
    dis_text(dis, !entry->type ? "{" : packed ? "(" : "[](");
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t element = list.items[packed ? list.count - 1 - i : i];
        if (i)
            dis_text(dis, ", ");
        /* Elements of a packed value have no type of their own in text. */
        dis_constant(dis, element, packed ? row->element : HSA_BRIG_TYPE_NONE, packed ? DIS_OPERAND : DIS_ELEMENT);
    }
    dis_char(dis, entry->type ? ')' : '}');
}

static void print_size(struct dis *dis, const char *name, hsa_brig_uint64_t size)
{
    if (!brig_u64(size))
        return;
    dis_text(dis, ", ");
    dis_text(dis, name);
    dis_char(dis, '=');
    dis_unsigned(dis, brig_u64(size));
}

static void print_property(struct dis *dis, const char *name, enum lang_set set, unsigned code)
{
    dis_text(dis, name);
    dis_text(dis, lang_value_text(set, code));
}

static void print_image(struct dis *dis, const hsa_ext_brig_operand_constant_image_t *entry)
{
    dis_text(dis, lang_type(entry->type)->text);
    print_property(dis, "(geometry=", LANG_SET_IMAGE_GEOMETRY, entry->geometry);
    print_size(dis, "width", entry->width);
    print_size(dis, "height", entry->height);
    print_size(dis, "depth", entry->depth);
    print_size(dis, "array", entry->array);
    print_property(dis, ", channel_type=", LANG_SET_IMAGE_CHANNEL_TYPE, entry->channel_type);
    print_property(dis, ", channel_order=", LANG_SET_IMAGE_CHANNEL_ORDER, entry->channel_order);
    dis_char(dis, ')');
}

static void print_sampler(struct dis *dis, const hsa_ext_brig_operand_constant_sampler_t *entry)
{
    dis_text(dis, "samp");
    print_property(dis, "(coord=", LANG_SET_SAMPLER_COORD_NORMALIZATION, entry->coord);
    print_property(dis, ", filter=", LANG_SET_SAMPLER_FILTER, entry->filter);
    print_property(dis, ", addressing=", LANG_SET_SAMPLER_ADDRESSING, entry->addressing);
    dis_char(dis, ')');
}

void dis_constant(struct dis *dis, uint32_t operand, uint16_t expected, enum dis_use use)
{
    const hsa_brig_base_t *base = brig_operand(dis->view, operand);
    const void *entry = base;
    switch (base->kind) {
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: {
        const hsa_brig_operand_constant_bytes_t *constant = entry;
        print_bytes(dis, constant->type, brig_bytes(dis->view, constant->bytes), expected, use);
        break;
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: print_expression(dis, entry, expected, use); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: print_list(dis, entry); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE: print_image(dis, entry); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER: print_sampler(dis, entry); break;
    case HSA_BRIG_KIND_OPERAND_WAVESIZE: dis_text(dis, "WAVESIZE"); break;
    case HSA_BRIG_KIND_OPERAND_ALIGN: {
        const hsa_brig_operand_align_t *align = entry;
        dis_text(dis, "align(");
        dis_text(dis, lang_value_text(LANG_SET_ALIGNMENT, align->align));
        dis_char(dis, ')');
        break;
    }
    case HSA_BRIG_KIND_OPERAND_ZERO: {
        const hsa_brig_operand_zero_t *zero = entry;
        dis_text(dis, "zero(");
        dis_unsigned(dis, brig_u64(zero->zero_byte_count));
        dis_char(dis, ')');
        break;
    }
    case HSA_BRIG_KIND_OPERAND_REGISTER: dis_register(dis, entry); break;
    case HSA_BRIG_KIND_OPERAND_STRING: {
        const hsa_brig_operand_string_t *string = entry;
        dis_string(dis, brig_string(dis->view, string->string));
        break;
    }
    case HSA_BRIG_KIND_OPERAND_CODE_REF: {
        const hsa_brig_operand_code_ref_t *ref = entry;
        dis_name(dis, ref->ref);
        break;
    }
    default: break; /* brig_open() lets no other kind pass here */
    }
}
