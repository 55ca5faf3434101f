/* SPDX-License-Identifier: MIT */
/* Constants: those with a type, packed values, arrays, aggregates (PRM 4.8.3 to 4.8.5, 4.14.2, 18.6.1).
 * Input: tokens and the type that the place expects. Output: constant operands. Invariant: the token in hand is the
 * first of the constant at the start and the first after it at the end; a packed value's first written element is
 * its most significant. */
#include "frontend/asm_constant_p.h"

#include <string.h>

static bool put_bytes(struct assembler *as, const void *data, size_t size)
{
    if (!vec_reserve(&as->bytes, size)) {
        asm_no_memory(as);
        return false;
    }
    memcpy(as->bytes.items + as->bytes.count, data, size);
    as->bytes.count += size;
    return true;
}

static uint32_t put_constant(struct assembler *as, uint16_t type)
{
    uint32_t operand = brig_put_constant(&as->out, type, as->bytes.items, as->bytes.count);
    as->bytes.count = 0;
    return operand;
}

/* Makes operands of the array elements that are in `bytes`, before an element that needs an operand of its own: one for
 * each, or inside an aggregate one for all of them (18.6.8). */
static bool flush_elements(struct assembler *as)
{
    uint32_t size = lang_type_size(as->element_type);
    if (!as->element_type || !as->bytes.count)
        return true;
    if (as->in_aggregate)
        return asm_push_item(as, put_constant(as, as->element_type | HSA_BRIG_TYPE_CLASS_ARRAY));
    for (size_t at = 0; at < as->bytes.count; at += size)
        if (!asm_push_item(as, brig_put_constant(&as->out, as->element_type, as->bytes.items + at, size)))
            return false;
    as->bytes.count = 0;
    return true;
}

/* ---- Elements with a type -------------------------------------------------------------------------- */

/* Reads a packed value after its `(`: into `bytes`, or as an operand when an element is an address. */
static bool read_packed(struct assembler *as, uint16_t type, uint32_t *operand)
{
    const struct lang_type *row = type_row(type);
    uint32_t size = lang_type_size(row->element), count = 0;
    struct plain elements[16];
    bool symbolic = false;
    struct span span = asm_span(as);
    for (;; asm_next(as)) {
        struct plain plain;
        if (!asm_read_plain(as, &plain) || !asm_plain_fits(as, row->element, &plain))
            return false;
        if (count < row->count)
            elements[count] = plain;
        count++;
        symbolic |= plain.what == PLAIN_EXPRESSION;
        if (as->kind != ',')
            break;
    }
    span.end = as->previous_end;
    if (count != row->count) {
        asm_error(as, DIAG_PACKED_COUNT, span, row->text, row->count, count);
        return false;
    }
    *operand = 0;
    if (symbolic && !flush_elements(as))
        return false;
    size_t mark = as->items.count;
    while (count--) {
        if (!symbolic && !put_bytes(as, &elements[count].bits, size))
            return false;
        if (symbolic &&
            !asm_push_item(as, elements[count].what == PLAIN_EXPRESSION
                                   ? asm_put_expression(as, row->element, &elements[count])
                                   : brig_put_constant(&as->out, row->element, &elements[count].bits, size)))
            return false;
    }
    if (symbolic) {
        *operand = brig_put_constant_list(&as->out, type, as->items.items + mark, as->items.count - mark);
        as->items.count = mark;
    }
    return true;
}

/* Reads what is in the parentheses of `type(...)`, which may be packed: as bytes, or as an operand. */
static bool read_value(struct assembler *as, uint16_t type, uint32_t *operand)
{
    struct plain plain;
    *operand = 0;
    if (lang_type_is_packed(type))
        return read_packed(as, type, operand);
    if (!asm_read_plain(as, &plain))
        return false;
    if (is_class(type, LANG_CLASS_SIGNAL)) {
        if (plain.what == PLAIN_INTEGER && !plain.bits)
            return put_bytes(as, &plain.bits, sizeof plain.bits);
        asm_error(as, DIAG_SIGNAL_VALUE, plain.span);
        return false;
    }
    if (!asm_plain_fits(as, type, &plain))
        return false;
    if (plain.what == PLAIN_EXPRESSION)
        return flush_elements(as) && (*operand = asm_put_expression(as, type, &plain)) != 0;
    return put_bytes(as, &plain.bits, lang_type_size(type));
}

bool asm_take_type(struct assembler *as, uint16_t *type)
{
    struct span word = asm_span(as);
    uint32_t code;
    if (as->kind != LEX_WORD ||
        !lang_word_means(lang_word(asm_chars(as, word), asm_length(word)), LANG_SET_TYPE, &code) ||
        is_class(code, LANG_CLASS_BIT))
        return false;
    *type = (uint16_t)code;
    asm_next(as);
    return true;
}

/* Reads `type(...)`, whose type is in hand: as bytes, or as an operand when it is an address, image or sampler. */
static bool read_typed(struct assembler *as, uint16_t *type, uint32_t *operand)
{
    *operand = 0;
    if (!asm_take_type(as, type)) {
        asm_unexpected(as, ASM_WANTED_TYPED_CONSTANT);
        return false;
    }
    if (!asm_expect(as, '(', ASM_WANTED_PARENTHESIS))
        return false;
    if (is_class(*type, LANG_CLASS_IMAGE))
        *operand = asm_image(as, *type);
    else if (is_class(*type, LANG_CLASS_SAMPLER))
        *operand = asm_sampler(as);
    else if (!read_value(as, *type, operand))
        return false;
    else
        return asm_expect(as, ')', ASM_WANTED_PARENTHESIS_END);
    return *operand && asm_expect(as, ')', ASM_WANTED_PARENTHESIS_END);
}

/* Reads one element of `type[](...)`. Numbers may stand without their type. */
static bool read_element(struct assembler *as, uint16_t type, uint32_t *operand)
{
    struct span where = asm_span(as);
    uint16_t written = type;
    struct lexer ahead = as->lexer;
    bool bare = as->kind != LEX_WORD || lex_next(&ahead) != '(' ||
                !lang_word_means(lang_word(asm_chars(as, where), asm_length(where)), LANG_SET_TYPE, &(uint32_t){0});
    bool number = is_integer(type) || is_class(type, LANG_CLASS_FLOAT);
    if (bare && number && !lang_type_is_packed(type))
        return read_value(as, type, operand);
    if (!read_typed(as, &written, operand))
        return false;
    if (written == type)
        return true;
    asm_bad_type(as, where, "constant", type, "");
    return false;
}

/* Reads `(element, ...)` of an array. Leaves bytes, or operands on `items` after MARK unless all elements are bytes. */
static bool read_elements(struct assembler *as, uint16_t type, size_t mark, uint64_t *count)
{
    bool good = true;
    *count = 0;
    as->bytes.count = 0;
    if (!asm_expect(as, '(', ASM_WANTED_PARENTHESIS))
        return false;
    as->element_type = type;
    for (;; asm_next(as)) {
        uint32_t operand;
        good = read_element(as, type, &operand) && (!operand || asm_push_item(as, operand));
        ++*count;
        if (!good || as->kind != ',')
            break;
    }
    good =
        good && (as->items.count == mark || flush_elements(as)) && asm_expect(as, ')', ASM_WANTED_COMMA_OR_PARENTHESIS);
    as->element_type = HSA_BRIG_TYPE_NONE;
    return good;
}

static bool take_brackets(struct assembler *as)
{
    asm_next(as);
    return asm_expect(as, ']', ASM_WANTED_BRACKET_END);
}

/* ---- Whole constants ------------------------------------------------------------------------------- */

uint32_t asm_put_array(struct assembler *as, uint16_t element, uint64_t *count)
{
    size_t mark = as->items.count;
    uint16_t type = element | HSA_BRIG_TYPE_CLASS_ARRAY;
    uint32_t operand = 0;
    if (take_brackets(as) && read_elements(as, element, mark, count))
        operand = as->items.count > mark
                      ? brig_put_constant_list(&as->out, type, as->items.items + mark, as->items.count - mark)
                      : put_constant(as, type);
    as->items.count = mark;
    return operand;
}

/* Adds to the size of an aggregate, which stays at the maximum when that is exceeded. */
static void add_size(uint64_t *size, uint64_t more)
{
    if (__builtin_add_overflow(*size, more, size))
        *size = UINT64_MAX;
}

/* Reads `align(n)` or `zero(n)` in an aggregate and puts its operand onto `items`. */
static bool read_request(struct assembler *as, bool is_align, uint64_t *size)
{
    struct span word = asm_span(as);
    asm_next(as);
    if (!asm_expect(as, '(', ASM_WANTED_PARENTHESIS))
        return false;
    struct span span = asm_span(as);
    uint64_t number;
    if (as->kind != LEX_INTEGER) {
        asm_unexpected(as, ASM_WANTED_INTEGER);
        return false;
    }
    asm_next(as);
    if (!asm_expect(as, ')', ASM_WANTED_PARENTHESIS_END))
        return false;
    if (is_align) {
        unsigned align = asm_alignment(as, span);
        add_size(size, -*size & ((UINT64_C(1) << (align - HSA_BRIG_ALIGNMENT_1)) - 1));
        return asm_push_item(as, brig_put_align(&as->out, (hsa_brig_alignment_t)align));
    }
    if (!asm_needs_1_2(as, word, "zero()") || !asm_integer(as, span, &number))
        return false;
    add_size(size, number);
    return asm_push_item(as, brig_put_zero(&as->out, number));
}

/* Reads one item of an aggregate and puts its operand onto `items`; *SIZE grows by its bytes. */
static bool read_item(struct assembler *as, uint64_t *size)
{
    bool is_align = asm_is_word(as, "align");
    if (is_align || asm_is_word(as, "zero"))
        return read_request(as, is_align, size);
    struct lexer ahead = as->lexer;
    uint16_t type;
    uint32_t operand;
    uint64_t count = 1;
    if (as->kind == LEX_WORD && lex_next(&ahead) == '[' && asm_take_type(as, &type)) {
        size_t mark = as->items.count;
        bool good = take_brackets(as) && read_elements(as, type, mark, &count);
        add_size(size, count * lang_type_size(type));
        return good &&
               (as->items.count > mark || asm_push_item(as, put_constant(as, type | HSA_BRIG_TYPE_CLASS_ARRAY)));
    }
    as->bytes.count = 0;
    if (!read_typed(as, &type, &operand))
        return false;
    add_size(size, lang_type_size(type));
    return asm_push_item(as, operand ? operand : put_constant(as, type));
}

/* Reads `{item, ...}`; *SIZE gets the bytes it stands for. */
uint32_t asm_aggregate(struct assembler *as, uint64_t *size)
{
    size_t mark = as->items.count;
    uint32_t operand = 0;
    struct span span = asm_span(as);
    bool only_aligned = true;
    *size = 0;
    as->in_aggregate = true;
    do {
        asm_next(as);
        only_aligned &= asm_is_word(as, "align");
        if (!read_item(as, size))
            goto out;
    } while (as->kind == ',');
    span.end = asm_span(as).end;
    if (!asm_expect(as, '}', ASM_WANTED_COMMA_OR_BRACE))
        goto out;
    if (only_aligned)
        asm_error(as, DIAG_AGGREGATE_ALIGN, span);
    else if (*size == UINT64_MAX)
        asm_error(as, DIAG_AGGREGATE_SIZE, span);
    else
        operand = brig_put_constant_list(&as->out, HSA_BRIG_TYPE_NONE, as->items.items + mark, as->items.count - mark);
out:
    as->in_aggregate = false;
    as->items.count = mark;
    return operand;
}

/* Whether a constant of type WRITTEN can stand where TYPE (NONE: anything) is expected; Table 4-1. */
static bool type_fits(struct assembler *as, struct span span, uint16_t type, uint16_t written)
{
    const struct lang_type *row = type_row(written);
    bool handle =
        row->class_ == LANG_CLASS_IMAGE || row->class_ == LANG_CLASS_SAMPLER || row->class_ == LANG_CLASS_SIGNAL;
    bool same = type == HSA_BRIG_TYPE_NONE || type == written;
    bool bits = !same && !handle && is_class(type, LANG_CLASS_BIT) && type != HSA_BRIG_TYPE_B1 &&
                lang_type_size(type) == lang_type_size(written);
    if (!same && !bits)
        asm_bad_type(as, span, "constant", type, "");
    return same || bits;
}

/* A constant that says its type, where TYPE (NONE: anything) is expected. */
static uint32_t put_typed(struct assembler *as, uint16_t type, enum asm_use use)
{
    struct span span = asm_span(as);
    struct lexer ahead = as->lexer;
    uint16_t written;
    uint32_t operand;
    uint64_t count;
    bool array = lex_next(&ahead) == '[';
    if (use == ASM_PRAGMA && array)
        return asm_take_type(as, &written) ? asm_put_array(as, written, &count) : 0;
    uint32_t code = HSA_BRIG_TYPE_NONE; /* only initializers make images and samplers */
    lang_word_means(lang_word(asm_chars(as, span), asm_length(span)), LANG_SET_TYPE, &code);
    if (use == ASM_OPERAND && (array || is_class(code, LANG_CLASS_IMAGE) || is_class(code, LANG_CLASS_SAMPLER))) {
        asm_error(as, DIAG_CONSTANT_USE, span, asm_quote(as, span), array ? "[]" : "");
        return 0;
    }
    as->bytes.count = 0;
    if (!read_typed(as, &written, &operand))
        return 0;
    span.end = as->previous_end;
    if (!type_fits(as, span, type, written))
        return 0;
    return operand ? operand : put_constant(as, asm_stored_type(as, type, written));
}

bool asm_is_word(const struct assembler *as, const char *word)
{
    struct span span = asm_span(as);
    return as->kind == LEX_WORD && asm_length(span) == strlen(word) &&
           !memcmp(asm_chars(as, span), word, asm_length(span));
}

/* A constant where TYPE is expected (NONE: anything goes); 0 after an error. */
uint32_t asm_immediate(struct assembler *as, uint16_t type, enum asm_use use)
{
    if (as->kind == LEX_WORD) {
        struct span word = asm_span(as);
        uint32_t code;
        if (use != ASM_INITIALIZER && asm_is_word(as, "WAVESIZE")) {
            asm_next(as);
            return brig_put_wavesize(&as->out);
        }
        if (lang_word_means(lang_word(asm_chars(as, word), asm_length(word)), LANG_SET_TYPE, &code))
            return put_typed(as, type, use);
    }
    uint64_t size;
    if (use == ASM_PRAGMA && as->kind == '{')
        return asm_aggregate(as, &size);
    struct plain plain;
    return asm_read_plain(as, &plain) ? asm_put_plain(as, type, &plain, use) : 0;
}

/* ---- Constants that are no text -------------------------------------------------------------------- */

uint32_t asm_put_integer(struct assembler *as, uint16_t type, int64_t value)
{
    struct plain plain = {.what = PLAIN_INTEGER, .bits = (uint64_t)value, .negative = value < 0};
    return asm_put_plain(as, type, &plain, ASM_OPERAND);
}

uint32_t asm_put_value(struct assembler *as, uint16_t type, uint16_t written, const void *bytes)
{
    if (!type_fits(as, (struct span){0, 0}, type, written))
        return 0;
    return brig_put_constant(&as->out, asm_stored_type(as, type, written), bytes, lang_type_size(written));
}
