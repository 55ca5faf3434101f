/* SPDX-License-Identifier: MIT */
/* Constants: literals, typed and packed constants, arrays, aggregates, addresses (PRM 4.8, 4.14.2, 18.6.1).
 * Input: tokens and the type that the place expects. Output: constant operands. Invariant: the token in hand is the
 * first of the constant at the start and the first after it at the end; a packed value's first written element is
 * its most significant. */
#include "frontend/asm_p.h"
#include "frontend/number.h"

#include <string.h>

/* A constant without a type. */
struct plain {
    enum { PLAIN_INTEGER, PLAIN_FLOAT, PLAIN_EXPRESSION } what;
    struct span span;
    uint64_t bits;     /* two's complement, or of the float */
    bool negative;     /* below zero as written */
    uint16_t type;     /* of a float */
    uint16_t operation; /* of an expression; its operands: */
    struct span symbol;
    bool has_offset;
};

static const struct isa_type *type_row(uint32_t code)
{
    return isa_type(code & ~(uint32_t)HSA_BRIG_TYPE_CLASS_ARRAY);
}

static bool is_class(uint32_t code, enum isa_type_class class_)
{
    return type_row(code)->class_ == class_;
}

static bool is_integer(uint32_t code)
{
    return is_class(code, ISA_CLASS_UNSIGNED) || is_class(code, ISA_CLASS_SIGNED);
}

static uint16_t unsigned_of(uint32_t bytes)
{
    static const uint16_t types[] = {HSA_BRIG_TYPE_U8, HSA_BRIG_TYPE_U16, HSA_BRIG_TYPE_U32, HSA_BRIG_TYPE_U64,
                                     HSA_BRIG_TYPE_U8X16};
    return types[__builtin_ctz(bytes)];
}

/* What a constant of type WRITTEN is stored as where TYPE is expected: bit types keep what was written from
 * dialect 1.2 on; before, they are unsigned integers. */
static uint16_t stored_type(const struct assembler *as, uint16_t type, uint16_t written)
{
    if (type == HSA_BRIG_TYPE_NONE || !is_class(type, ISA_CLASS_BIT))
        return written;
    return as->dialect == ASM_DIALECT_1_0 ? unsigned_of(isa_type_size(type)) : written;
}

static void bad_type(struct assembler *as, struct span where, const char *what, uint16_t type)
{
    const struct isa_type *row = type_row(type);
    asm_error(as, DIAG_CONSTANT_TYPE, where, what, "", row->text, isa_type_is_array(type) ? "[]" : "");
}

/* What a constant without a type is called in messages. */
static const char *plain_text(const struct plain *plain)
{
    if (plain->what != PLAIN_FLOAT)
        return plain->what == PLAIN_INTEGER ? "integer" : "address";
    return plain->type == HSA_BRIG_TYPE_F16   ? "number of type f16"
           : plain->type == HSA_BRIG_TYPE_F32 ? "number of type f32"
                                              : "number of type f64";
}

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

/* ---- Constants without a type ---------------------------------------------------------------------- */

/* `addr(&name + n)`: the word is in hand. */
static bool read_address(struct assembler *as, struct plain *plain)
{
    asm_next(as);
    if (!asm_expect(as, '(', "`(`"))
        return false;
    plain->symbol = asm_span(as);
    if (as->kind != LEX_GLOBAL) {
        asm_unexpected(as, "a global name");
        return false;
    }
    asm_next(as);
    if (as->kind == '+' || as->kind == '-') {
        plain->has_offset = true;
        plain->negative = as->kind == '-';
        asm_next(as);
        if (as->kind != LEX_INTEGER) {
            asm_unexpected(as, "an integer");
            return false;
        }
        if (!asm_integer(as, asm_span(as), &plain->bits))
            return false;
        plain->bits = plain->negative ? -plain->bits : plain->bits;
        plain->negative = false;
        asm_next(as);
    }
    return asm_expect(as, ')', "`)`");
}

static bool read_expression(struct assembler *as, struct plain *plain)
{
    struct span word = asm_span(as);
    uint32_t code;
    if (!isa_word_means(isa_word(asm_chars(as, word), asm_length(word)), ISA_SET_EXPRESSION_OPERATION, &code)) {
        asm_unexpected(as, "a constant");
        return false;
    }
    plain->what = PLAIN_EXPRESSION;
    plain->operation = (uint16_t)code;
    if (!asm_needs_1_2(as, word, "an address as constant"))
        return false;
    if (code == HSA_BRIG_EXPRESSION_OPERATION_ADDR)
        return read_address(as, plain);
    asm_next(as);
    return true;
}

static bool read_float(struct assembler *as, struct plain *plain)
{
    static const uint16_t types[] = {HSA_BRIG_TYPE_F16, HSA_BRIG_TYPE_F32, HSA_BRIG_TYPE_F64};
    enum number_width width = (enum number_width)(as->kind - LEX_HALF);
    struct span span = asm_span(as);
    plain->what = PLAIN_FLOAT;
    plain->type = types[width];
    if (!number_float(asm_chars(as, span), asm_length(span), width, &plain->bits)) {
        asm_error(as, DIAG_FLOAT_SIZE, span, isa_type(plain->type)->text);
        return false;
    }
    if (plain->negative)
        plain->bits ^= UINT64_C(1) << (isa_type(plain->type)->bits - 1);
    return true;
}

static bool read_plain(struct assembler *as, struct plain *plain)
{
    *plain = (struct plain){.span = asm_span(as)};
    bool has_sign = as->kind == '+' || as->kind == '-';
    if (has_sign) {
        plain->negative = as->kind == '-';
        asm_next(as);
    }
    switch (as->kind) {
    case LEX_INTEGER:
        if (!asm_integer(as, asm_span(as), &plain->bits))
            return false;
        if (plain->negative)
            plain->bits = -plain->bits;
        plain->negative = plain->negative && plain->bits;
        break;
    case LEX_HALF:
    case LEX_SINGLE:
    case LEX_DOUBLE:
        if (!read_float(as, plain))
            return false;
        break;
    case LEX_WORD:
        if (!has_sign) {
            bool good = read_expression(as, plain);
            plain->span.end = as->previous_end;
            return good;
        }
        __attribute__((fallthrough));
    default:
        asm_unexpected(as, has_sign ? "a number" : "a constant");
        return false;
    }
    plain->span.end = asm_span(as).end;
    asm_next(as);
    return true;
}

/* Rule 33: what addr() can be of. */
static bool can_address(struct assembler *as, const struct plain *plain)
{
    const struct symbol *symbol = asm_reference(as, plain->symbol);
    if (!symbol)
        return false;
    bool code = symbol->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL ||
                symbol->kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION;
    bool variable = false;
    if (symbol->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        const hsa_brig_directive_variable_t *entry =
            brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, symbol->code);
        variable = entry->segment == HSA_BRIG_SEGMENT_GLOBAL || entry->segment == HSA_BRIG_SEGMENT_READONLY;
    }
    if (!code && !variable)
        asm_error(as, DIAG_ADDR_SYMBOL, plain->symbol, asm_quote(as, plain->symbol));
    else if (code && plain->has_offset)
        asm_error(as, DIAG_ADDR_OFFSET, plain->symbol, asm_quote(as, plain->symbol));
    else
        return true;
    return false;
}

static uint32_t put_expression(struct assembler *as, uint16_t type, const struct plain *plain)
{
    uint32_t operands[2], count = 0;
    if (plain->operation == HSA_BRIG_EXPRESSION_OPERATION_ADDR) {
        if (!can_address(as, plain) || !(operands[count++] = asm_put_symbol_ref(as, plain->symbol)))
            return 0;
        if (plain->has_offset && plain->bits)
            operands[count++] = brig_put_constant(&as->out, HSA_BRIG_TYPE_U64, &plain->bits, sizeof plain->bits);
    }
    return brig_put_expression(&as->out, type, (hsa_brig_expression_operation_t)plain->operation, operands, count);
}

/* Whether a plain constant can be a value of TYPE, which is not packed; Table 4-1. */
static bool fits(struct assembler *as, uint16_t type, const struct plain *plain)
{
    bool good = plain->what == PLAIN_FLOAT ? type == plain->type : is_integer(type);
    if (!good)
        bad_type(as, plain->span, plain_text(plain), type);
    return good;
}

/* A plain constant as the operand that TYPE expects. */
static uint32_t put_plain(struct assembler *as, uint16_t type, const struct plain *plain, enum asm_use use)
{
    if (type == HSA_BRIG_TYPE_NONE)
        type = plain->what == PLAIN_FLOAT ? plain->type : HSA_BRIG_TYPE_U64;
    uint32_t size = isa_type_size(type);
    uint16_t stored = type;
    if (type == HSA_BRIG_TYPE_B1) {
        uint8_t bit = plain->bits != 0;
        if (plain->what != PLAIN_INTEGER)
            return bad_type(as, plain->span, plain_text(plain), type), 0;
        if (plain->bits > 1)
            asm_error(as, as->dialect == ASM_DIALECT_1_0 ? DIAG_B1_TRUNCATED : DIAG_B1_VALUE, plain->span);
        return brig_put_constant(&as->out, HSA_BRIG_TYPE_U8, &bit, 1);
    }
    if (is_class(type, ISA_CLASS_BIT)) {
        bool good = size <= 8 && (plain->what != PLAIN_FLOAT || isa_type_size(plain->type) == size);
        if (!good)
            return bad_type(as, plain->span, plain_text(plain), type), 0;
        stored = unsigned_of(size);
        if (plain->what == PLAIN_FLOAT)
            stored = stored_type(as, type, plain->type);
        else if (plain->negative && as->dialect != ASM_DIALECT_1_0)
            stored += HSA_BRIG_TYPE_S8 - HSA_BRIG_TYPE_U8;
    } else if (isa_type_is_packed(type) && use == ASM_OPERAND && size <= 8 && plain->what == PLAIN_INTEGER) {
        asm_error(as, DIAG_PACKED_LITERAL, plain->span, isa_type(type)->text);
    } else if (isa_type_is_packed(type) || !fits(as, type, plain)) {
        if (isa_type_is_packed(type))
            bad_type(as, plain->span, plain_text(plain), type);
        return 0;
    }
    if (plain->what == PLAIN_EXPRESSION)
        return put_expression(as, stored, plain);
    return brig_put_constant(&as->out, stored, &plain->bits, size);
}

/* Makes operands of the elements of an array that are in `bytes`, before the next one gets its own: one per element, or
 * one for all of them inside an aggregate (18.6.8). */
static bool flush_elements(struct assembler *as)
{
    uint32_t size = isa_type_size(as->element_type);
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

/* A packed value after its `(`: into `bytes`, or as an operand when an element is an address. */
static bool read_packed(struct assembler *as, uint16_t type, uint32_t *operand)
{
    const struct isa_type *row = type_row(type);
    uint32_t size = isa_type_size(row->element), count = 0;
    struct plain elements[16];
    bool symbolic = false;
    struct span span = asm_span(as);
    for (;; asm_next(as)) {
        struct plain plain;
        if (!read_plain(as, &plain) || !fits(as, row->element, &plain))
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
        if (symbolic && !asm_push_item(as, elements[count].what == PLAIN_EXPRESSION
                                           ? put_expression(as, row->element, &elements[count])
                                           : brig_put_constant(&as->out, row->element, &elements[count].bits, size)))
            return false;
    }
    if (symbolic) {
        *operand = brig_put_constant_list(&as->out, type, as->items.items + mark, as->items.count - mark);
        as->items.count = mark;
    }
    return true;
}

/* What is in the parentheses of `type(...)`, which may be packed: as bytes, or as an operand. */
static bool read_value(struct assembler *as, uint16_t type, uint32_t *operand)
{
    struct plain plain;
    *operand = 0;
    if (isa_type_is_packed(type))
        return read_packed(as, type, operand);
    if (!read_plain(as, &plain))
        return false;
    if (is_class(type, ISA_CLASS_SIGNAL)) {
        if (plain.what == PLAIN_INTEGER && !plain.bits)
            return put_bytes(as, &plain.bits, sizeof plain.bits);
        asm_error(as, DIAG_SIGNAL_VALUE, plain.span);
        return false;
    }
    if (!fits(as, type, &plain))
        return false;
    if (plain.what == PLAIN_EXPRESSION)
        return flush_elements(as) && (*operand = put_expression(as, type, &plain)) != 0;
    return put_bytes(as, &plain.bits, isa_type_size(type));
}

/* Takes the type's word if it is one of a constant; bit types have none. */
static bool take_type(struct assembler *as, uint16_t *type)
{
    struct span word = asm_span(as);
    uint32_t code;
    if (as->kind != LEX_WORD ||
        !isa_word_means(isa_word(asm_chars(as, word), asm_length(word)), ISA_SET_TYPE, &code) ||
        is_class(code, ISA_CLASS_BIT))
        return false;
    *type = (uint16_t)code;
    asm_next(as);
    return true;
}

/* `type(...)` whole, type in hand: bytes, or an operand when it is an address, image or sampler. */
static bool read_typed(struct assembler *as, uint16_t *type, uint32_t *operand)
{
    *operand = 0;
    if (!take_type(as, type)) {
        asm_unexpected(as, "a typed constant");
        return false;
    }
    if (!asm_expect(as, '(', "`(`"))
        return false;
    if (is_class(*type, ISA_CLASS_IMAGE))
        *operand = asm_image(as, *type);
    else if (is_class(*type, ISA_CLASS_SAMPLER))
        *operand = asm_sampler(as);
    else if (!read_value(as, *type, operand))
        return false;
    else
        return asm_expect(as, ')', "`)`");
    return *operand && asm_expect(as, ')', "`)`");
}

/* One element of `type[](...)`. Numbers may stand without their type. */
static bool read_element(struct assembler *as, uint16_t type, uint32_t *operand)
{
    struct span where = asm_span(as);
    uint16_t written = type;
    struct lexer ahead = as->lexer;
    bool bare = as->kind != LEX_WORD || lex_next(&ahead) != '(' ||
                !isa_word_means(isa_word(asm_chars(as, where), asm_length(where)), ISA_SET_TYPE, &(uint32_t){0});
    bool number = is_integer(type) || is_class(type, ISA_CLASS_FLOAT);
    if (bare && number && !isa_type_is_packed(type))
        return read_value(as, type, operand);
    if (!read_typed(as, &written, operand))
        return false;
    if (written == type)
        return true;
    bad_type(as, where, "constant", type);
    return false;
}

/* `(element, ...)` of an array. Leaves bytes, or operands on `items` behind MARK when some are no bytes. */
static bool read_elements(struct assembler *as, uint16_t type, size_t mark, uint64_t *count)
{
    bool good = true;
    *count = 0;
    as->bytes.count = 0;
    if (!asm_expect(as, '(', "`(`"))
        return false;
    as->element_type = type;
    for (;; asm_next(as)) {
        uint32_t operand;
        good = read_element(as, type, &operand) && (!operand || asm_push_item(as, operand));
        ++*count;
        if (!good || as->kind != ',')
            break;
    }
    good = good && (as->items.count == mark || flush_elements(as)) && asm_expect(as, ')', "`,` or `)`");
    as->element_type = HSA_BRIG_TYPE_NONE;
    return good;
}

static bool take_brackets(struct assembler *as)
{
    asm_next(as);
    return asm_expect(as, ']', "`]`");
}

/* ---- Whole constants ------------------------------------------------------------------------------- */

/* `type[](...)` behind the type. */
static uint32_t put_array(struct assembler *as, uint16_t element, uint64_t *count)
{
    size_t mark = as->items.count;
    uint16_t type = element | HSA_BRIG_TYPE_CLASS_ARRAY;
    uint32_t operand = 0;
    if (take_brackets(as) && read_elements(as, element, mark, count))
        operand = as->items.count > mark ? brig_put_constant_list(&as->out, type, as->items.items + mark,
                                                                  as->items.count - mark)
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

/* `align(n)` or `zero(n)` in an aggregate, onto `items`. */
static bool read_request(struct assembler *as, bool is_align, uint64_t *size)
{
    struct span word = asm_span(as);
    asm_next(as);
    if (!asm_expect(as, '(', "`(`"))
        return false;
    struct span span = asm_span(as);
    uint64_t number;
    if (as->kind != LEX_INTEGER) {
        asm_unexpected(as, "an integer");
        return false;
    }
    asm_next(as);
    if (!asm_expect(as, ')', "`)`"))
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

/* One item of an aggregate, onto `items`; *SIZE grows by its bytes. */
static bool read_item(struct assembler *as, uint64_t *size)
{
    bool is_align = asm_is_word(as, "align");
    if (is_align || asm_is_word(as, "zero"))
        return read_request(as, is_align, size);
    struct lexer ahead = as->lexer;
    uint16_t type;
    uint32_t operand;
    uint64_t count = 1;
    if (as->kind == LEX_WORD && lex_next(&ahead) == '[' && take_type(as, &type)) {
        size_t mark = as->items.count;
        bool good = take_brackets(as) && read_elements(as, type, mark, &count);
        add_size(size, count * isa_type_size(type));
        return good && (as->items.count > mark ||
                        asm_push_item(as, put_constant(as, type | HSA_BRIG_TYPE_CLASS_ARRAY)));
    }
    as->bytes.count = 0;
    if (!read_typed(as, &type, &operand))
        return false;
    add_size(size, isa_type_size(type));
    return asm_push_item(as, operand ? operand : put_constant(as, type));
}

/* `{item, ...}`; *SIZE gets the bytes it stands for. */
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
    if (!asm_expect(as, '}', "`,` or `}`"))
        goto out;
    if (only_aligned)
        asm_error(as, DIAG_AGGREGATE_ALIGN, span);
    else if (*size == UINT64_MAX)
        asm_error(as, DIAG_AGGREGATE_SIZE, span);
    else
        operand = brig_put_constant_list(&as->out, HSA_BRIG_TYPE_NONE, as->items.items + mark,
                                         as->items.count - mark);
out:
    as->in_aggregate = false;
    as->items.count = mark;
    return operand;
}

/* Whether a constant of type WRITTEN can stand where TYPE (NONE: anything) is expected; Table 4-1. */
static bool type_fits(struct assembler *as, struct span span, uint16_t type, uint16_t written)
{
    const struct isa_type *row = type_row(written);
    bool handle = row->class_ == ISA_CLASS_IMAGE || row->class_ == ISA_CLASS_SAMPLER ||
                  row->class_ == ISA_CLASS_SIGNAL;
    bool same = type == HSA_BRIG_TYPE_NONE || type == written;
    bool bits = !same && !handle && is_class(type, ISA_CLASS_BIT) && type != HSA_BRIG_TYPE_B1 &&
                isa_type_size(type) == isa_type_size(written);
    if (!same && !bits)
        bad_type(as, span, "constant", type);
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
        return take_type(as, &written) ? put_array(as, written, &count) : 0;
    uint32_t code = HSA_BRIG_TYPE_NONE; /* only initializers make images and samplers */
    isa_word_means(isa_word(asm_chars(as, span), asm_length(span)), ISA_SET_TYPE, &code);
    if (use == ASM_OPERAND && (array || is_class(code, ISA_CLASS_IMAGE) || is_class(code, ISA_CLASS_SAMPLER))) {
        asm_error(as, DIAG_CONSTANT_USE, span, asm_quote(as, span), array ? "[]" : "");
        return 0;
    }
    as->bytes.count = 0;
    if (!read_typed(as, &written, &operand))
        return 0;
    span.end = as->previous_end;
    if (!type_fits(as, span, type, written))
        return 0;
    return operand ? operand : put_constant(as, stored_type(as, type, written));
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
        if (isa_word_means(isa_word(asm_chars(as, word), asm_length(word)), ISA_SET_TYPE, &code))
            return put_typed(as, type, use);
    }
    uint64_t size;
    if (use == ASM_PRAGMA && as->kind == '{')
        return asm_aggregate(as, &size);
    struct plain plain;
    return read_plain(as, &plain) ? put_plain(as, type, &plain, use) : 0;
}

static void set_initializer(struct assembler *as, uint32_t operand, uint64_t bytes)
{
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    entry->init = operand;
    if (as->dimension.shape != ASM_OPEN_ARRAY || as->out.status != BRIG_OK)
        return;
    uint64_t count = bytes / isa_type_size(entry->type);
    entry->dim.lo = (uint32_t)count;
    entry->dim.hi = (uint32_t)(count >> 32);
}

/* What follows the `=` of a variable, up to its `;`. */
void asm_initializer(struct assembler *as)
{
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    uint16_t type = entry->type, written;
    uint64_t size = 0, count = 0;
    uint32_t operand = 0;
    asm_next(as);
    struct span span = asm_span(as);
    struct lexer ahead = as->lexer;
    bool bit_array = isa_type_is_array(type) && is_class(type, ISA_CLASS_BIT);
    bool brackets = as->kind == LEX_WORD && lex_next(&ahead) == '[';
    uint32_t element = isa_type_size(type); /* 0 of b1[], which is no type */
    if (!element || (!isa_type_is_array(type) && (as->kind == '{' || brackets))) {
        bad_type(as, span, "constant", type);
    } else if (!isa_type_is_array(type)) {
        operand = asm_immediate(as, type, ASM_INITIALIZER);
    } else if (bit_array && as->kind == '{') {
        operand = asm_aggregate(as, &size);
    } else if (!bit_array && brackets && take_type(as, &written)) {
        if (written == (type & ~HSA_BRIG_TYPE_CLASS_ARRAY)) {
            operand = put_array(as, written, &count);
            size = count * isa_type_size(written);
        } else {
            bad_type(as, span, "constant", type);
        }
    } else {
        bad_type(as, span, "constant", type);
    }
    span.end = as->previous_end;
    if (operand && as->dimension.shape == ASM_OPEN_ARRAY && (!size || size % element)) {
        asm_error(as, DIAG_INIT_MULTIPLE, span, size, element);
        operand = 0;
    }
    if (!operand) {
        asm_skip_initializer(as);
        return;
    }
    set_initializer(as, operand, size);
    asm_push_back(as); /* the parser wants the `;` */
}

/* ---- Constants that are no text -------------------------------------------------------------------- */

uint32_t asm_put_integer(struct assembler *as, uint16_t type, int64_t value)
{
    struct plain plain = {.what = PLAIN_INTEGER, .bits = (uint64_t)value, .negative = value < 0};
    return put_plain(as, type, &plain, ASM_OPERAND);
}

uint32_t asm_put_value(struct assembler *as, uint16_t type, uint16_t written, const void *bytes)
{
    if (!type_fits(as, (struct span){0, 0}, type, written))
        return 0;
    return brig_put_constant(&as->out, stored_type(as, type, written), bytes, isa_type_size(written));
}

void asm_put_initializer(struct assembler *as, const void *data, size_t size)
{
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    uint16_t type = entry->type;
    bool array = isa_type_is_array(type), bits = is_class(type, ISA_CLASS_BIT);
    bool opaque = is_class(type, ISA_CLASS_IMAGE) || is_class(type, ISA_CLASS_SAMPLER);
    uint32_t element = isa_type_size(type);
    if (!size || opaque || (bits && array) || !element || size % element || (!array && size != element))
        return bad_type(as, (struct span){0, 0}, "constant", type);
    uint32_t operand = brig_put_constant(&as->out, bits ? unsigned_of(element) : type, data, size);
    set_initializer(as, operand, size);
}
