/* SPDX-License-Identifier: MIT */
/* Image and sampler constants (PRM 7.1.7, 7.1.8). The names and values of their properties are words only here.
 * Input: the tokens in the parentheses. Output: an operand. */
#include "frontend/asm_p.h"

#include <string.h>

/* A property: a number that goes to a field of 8 bytes, or a word that goes to a field of one. */
struct property {
    const char *text;
    enum lang_set set; /* LANG_SET_NONE: a number */
    uint8_t offset;
    enum { ALWAYS, WITH_GEOMETRY } needed;
    uint8_t size; /* WITH_GEOMETRY: its bit of lang_image_sizes() */
};

#define IMAGE(member) offsetof(hsa_ext_brig_operand_constant_image_t, member)
static const struct property image_properties[] = {
    {"geometry", LANG_SET_IMAGE_GEOMETRY, IMAGE(geometry), ALWAYS, 0},
    {"width", LANG_SET_NONE, IMAGE(width), ALWAYS, 0},
    {"height", LANG_SET_NONE, IMAGE(height), WITH_GEOMETRY, LANG_IMAGE_HEIGHT},
    {"depth", LANG_SET_NONE, IMAGE(depth), WITH_GEOMETRY, LANG_IMAGE_DEPTH},
    {"array", LANG_SET_NONE, IMAGE(array), WITH_GEOMETRY, LANG_IMAGE_ARRAY},
    {"channel_order", LANG_SET_IMAGE_CHANNEL_ORDER, IMAGE(channel_order), ALWAYS, 0},
    {"channel_type", LANG_SET_IMAGE_CHANNEL_TYPE, IMAGE(channel_type), ALWAYS, 0},
    {0},
};

#define SAMPLER(member) offsetof(hsa_ext_brig_operand_constant_sampler_t, member)
static const struct property sampler_properties[] = {
    {"coord", LANG_SET_SAMPLER_COORD_NORMALIZATION, SAMPLER(coord), ALWAYS, 0},
    {"filter", LANG_SET_SAMPLER_FILTER, SAMPLER(filter), ALWAYS, 0},
    {"addressing", LANG_SET_SAMPLER_ADDRESSING, SAMPLER(addressing), ALWAYS, 0},
    {0},
};

static const struct property *find_property(struct assembler *as, const struct property *rows)
{
    for (const struct property *row = rows; row->text; row++)
        if (asm_is_word(as, row->text))
            return row;
    asm_error(as, DIAG_PROPERTY_UNKNOWN, asm_span(as), asm_quote(as, asm_span(as)));
    return NULL;
}

/* Reads the value after `=` into the entry. */
static bool read_property(struct assembler *as, const struct property *row, uint8_t *entry)
{
    struct span span = asm_span(as);
    uint32_t code;
    uint64_t number;
    if (row->set == LANG_SET_NONE) {
        if (as->kind != LEX_INTEGER) {
            asm_unexpected(as, ASM_WANTED_INTEGER);
            return false;
        }
        if (!asm_integer(as, span, &number))
            return false;
        if (!number) {
            asm_error(as, DIAG_PROPERTY_VALUE, span, asm_quote(as, span), row->text);
            return false;
        }
        store64(entry + row->offset, number);
    } else {
        if ((as->kind != LEX_WORD && as->kind != LEX_DIGIT_WORD) ||
            !lang_word_means(lang_word(asm_chars(as, span), asm_length(span)), row->set, &code)) {
            asm_error(as, DIAG_PROPERTY_VALUE, span, asm_quote(as, span), row->text);
            return false;
        }
        entry[row->offset] = (uint8_t)code;
    }
    asm_next(as);
    return true;
}

/* Whether the properties SEEN, a bit per row, are the required ones; the geometry decides which sizes are. */
static bool check_properties(struct assembler *as, const struct property *rows, struct span whole, unsigned seen,
                             const uint8_t *entry)
{
    for (const struct property *row = rows; row->text; row++) {
        bool given = seen >> (row - rows) & 1;
        bool needed = row->needed == ALWAYS || lang_image_sizes(entry[IMAGE(geometry)]) & row->size;
        if (given == needed)
            continue;
        if (needed)
            asm_error(as, DIAG_PROPERTY_MISSING, whole, row->text);
        else
            asm_error(as, DIAG_PROPERTY_UNUSED, whole, lang_value_text(LANG_SET_IMAGE_GEOMETRY, entry[IMAGE(geometry)]),
                      row->text);
        return false;
    }
    return true;
}

static bool read_properties(struct assembler *as, const struct property *rows, uint8_t *entry)
{
    unsigned seen = 0;
    struct span whole = asm_span(as);
    for (;; asm_next(as)) {
        struct span name = asm_span(as);
        const struct property *row = find_property(as, rows);
        if (!row)
            return false;
        unsigned bit = 1u << (row - rows);
        if (seen & bit) {
            asm_error(as, DIAG_PROPERTY_TWICE, name, row->text);
            return false;
        }
        seen |= bit;
        asm_next(as);
        if (!asm_expect(as, '=', ASM_WANTED_EQUALS) || !read_property(as, row, entry))
            return false;
        if (as->kind != ',')
            break;
    }
    whole.end = as->previous_end;
    return check_properties(as, rows, whole, seen, entry);
}

uint32_t asm_image(struct assembler *as, uint16_t type)
{
    hsa_ext_brig_operand_constant_image_t values = {.type = type};
    uint32_t offset;
    if (!read_properties(as, image_properties, (uint8_t *)&values))
        return 0;
    hsa_ext_brig_operand_constant_image_t *entry =
        BRIG_PUT(&as->out, HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE, hsa_ext_brig_operand_constant_image_t, &offset);
    values.base = entry->base;
    *entry = values;
    return offset;
}

uint32_t asm_sampler(struct assembler *as)
{
    hsa_ext_brig_operand_constant_sampler_t values = {.type = HSA_BRIG_TYPE_SAMP};
    uint32_t offset;
    if (!read_properties(as, sampler_properties, (uint8_t *)&values))
        return 0;
    hsa_ext_brig_operand_constant_sampler_t *entry =
        BRIG_PUT(&as->out, HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER, hsa_ext_brig_operand_constant_sampler_t, &offset);
    values.base = entry->base;
    *entry = values;
    return offset;
}

static bool write_properties(struct textbuf *text, const char *type, const struct property *rows, const void *entry)
{
    const uint8_t *bytes = entry;
    textbuf_printf(text, "%s(", type);
    for (const struct property *row = rows; row->text; row++) {
        const char *comma = row == rows ? "" : ", ";
        const char *value = row->set == LANG_SET_NONE ? "" : lang_value_text(row->set, bytes[row->offset]);
        uint64_t number = row->set == LANG_SET_NONE ? load64(bytes + row->offset) : 0;
        if (!value)
            return false;
        if (*value || number)
            textbuf_printf(text, "%s%s=%s", comma, row->text, value);
        if (number)
            textbuf_printf(text, "%llu", (unsigned long long)number);
    }
    textbuf_puts(text, ")");
    return true;
}

bool asm_write_image(struct textbuf *text, const hsa_ext_brig_operand_constant_image_t *entry)
{
    const struct lang_type *type = lang_type_is_array(entry->type) ? NULL : lang_type(entry->type);
    return type && type->class_ == LANG_CLASS_IMAGE && write_properties(text, type->text, image_properties, entry);
}

bool asm_write_sampler(struct textbuf *text, const hsa_ext_brig_operand_constant_sampler_t *entry)
{
    return write_properties(text, lang_type(HSA_BRIG_TYPE_SAMP)->text, sampler_properties, entry);
}
