/* SPDX-License-Identifier: MIT */
/* Constants without a type: integers, floats, and addresses (PRM 4.8.1, 4.8.2, 18.6.1).
 * Input: tokens and the type that the place expects. Output: constant operands. Invariant: the token in hand is the
 * first of the constant at the start and the first after it at the end. */
#include "frontend/asm_constant_p.h"
#include "frontend/number.h"

#include <stdio.h>
#include <string.h>

uint16_t asm_unsigned_of(uint32_t bytes)
{
    static const uint16_t types[] = {
        HSA_BRIG_TYPE_U8, HSA_BRIG_TYPE_U16, HSA_BRIG_TYPE_U32, HSA_BRIG_TYPE_U64, HSA_BRIG_TYPE_U8X16};
    return types[__builtin_ctz(bytes)];
}

uint16_t asm_stored_type(const struct assembler *as, uint16_t type, uint16_t written)
{
    if (type == HSA_BRIG_TYPE_NONE || !is_class(type, LANG_CLASS_BIT))
        return written;
    return as->dialect == ASM_DIALECT_1_0 ? asm_unsigned_of(lang_type_size(type)) : written;
}

void asm_bad_type(struct assembler *as, struct span where, const char *what, uint16_t type, const char *hint)
{
    const struct lang_type *row = type_row(type);
    asm_error(as, DIAG_CONSTANT_TYPE, where, what, "", row->text, lang_type_is_array(type) ? "[]" : "", hint);
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

/* How a decimal number would be written as TYPE; "" when that is not so easily said. */
static const char *spelling(struct assembler *as, const struct plain *plain, uint16_t type)
{
    const char *text = asm_chars(as, plain->span);
    size_t length = asm_length(plain->span), digits = strspn(text, "+-.0123456789");
    char suffix = type == HSA_BRIG_TYPE_F16   ? 'h'
                  : type == HSA_BRIG_TYPE_F32 ? 'f'
                  : type == HSA_BRIG_TYPE_F64 ? 'd'
                                              : 0;
    bool suffixed = digits + 1 == length && plain->what == PLAIN_FLOAT, octal = *text == '0' && digits > 1;
    if (!suffix || plain->what == PLAIN_EXPRESSION || (digits != length && !suffixed) || length > 32 ||
        (plain->what == PLAIN_INTEGER && octal))
        return "";
    snprintf(as->hint, sizeof as->hint, "; write %.*s%s%c", (int)digits, text, plain->what == PLAIN_INTEGER ? ".0" : "",
             suffix);
    return as->hint;
}

static void bad_plain(struct assembler *as, const struct plain *plain, uint16_t type)
{
    asm_bad_type(as, plain->span, plain_text(plain), type, spelling(as, plain, type));
}

/* `addr(&name + n)`: the word is in hand. */
static bool read_address(struct assembler *as, struct plain *plain)
{
    asm_next(as);
    if (!asm_expect(as, '(', ASM_WANTED_PARENTHESIS))
        return false;
    plain->symbol = asm_span(as);
    if (as->kind != LEX_GLOBAL) {
        asm_unexpected(as, ASM_WANTED_GLOBAL_NAME);
        return false;
    }
    asm_next(as);
    if (as->kind == '+' || as->kind == '-') {
        plain->has_offset = true;
        plain->negative = as->kind == '-';
        asm_next(as);
        if (as->kind != LEX_INTEGER) {
            asm_unexpected(as, ASM_WANTED_INTEGER);
            return false;
        }
        if (!asm_integer(as, asm_span(as), &plain->bits))
            return false;
        plain->bits = plain->negative ? -plain->bits : plain->bits;
        plain->negative = false;
        asm_next(as);
    }
    return asm_expect(as, ')', ASM_WANTED_PARENTHESIS_END);
}

static bool read_expression(struct assembler *as, struct plain *plain)
{
    struct span word = asm_span(as);
    uint32_t code;
    if (!lang_word_means(lang_word(asm_chars(as, word), asm_length(word)), LANG_SET_EXPRESSION_OPERATION, &code)) {
        asm_unexpected(as, ASM_WANTED_CONSTANT);
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
        asm_error(as, DIAG_FLOAT_SIZE, span, lang_type(plain->type)->text);
        return false;
    }
    if (plain->negative)
        plain->bits ^= UINT64_C(1) << (lang_type(plain->type)->bits - 1);
    return true;
}

bool asm_read_plain(struct assembler *as, struct plain *plain)
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
    default: asm_unexpected(as, has_sign ? ASM_WANTED_NUMBER : ASM_WANTED_CONSTANT); return false;
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
    bool code =
        symbol->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL || symbol->kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION;
    bool variable = false;
    if (symbol->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        const hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, symbol->code);
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

uint32_t asm_put_expression(struct assembler *as, uint16_t type, const struct plain *plain)
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

bool asm_plain_fits(struct assembler *as, uint16_t type, const struct plain *plain)
{
    bool good = plain->what == PLAIN_FLOAT ? type == plain->type : is_integer(type);
    if (!good)
        bad_plain(as, plain, type);
    return good;
}

/* Warns if bits that are left out make another number of it, with a sign or without. */
static void warn_truncated(struct assembler *as, uint16_t type, const struct plain *plain)
{
    uint32_t bits = 8 * lang_type_size(type);
    if (plain->what != PLAIN_INTEGER || bits >= 64 || !(plain->bits >> bits) ||
        (int64_t)plain->bits >> (bits - 1) == -1)
        return;
    asm_error(as, DIAG_CONSTANT_TRUNCATED, plain->span, lang_type(type)->text, plain->bits & ~(UINT64_MAX << bits));
}

uint32_t asm_put_plain(struct assembler *as, uint16_t type, const struct plain *plain, enum asm_use use)
{
    if (type == HSA_BRIG_TYPE_NONE)
        type = plain->what == PLAIN_FLOAT ? plain->type : HSA_BRIG_TYPE_U64;
    uint32_t size = lang_type_size(type);
    uint16_t stored = type;
    if (type == HSA_BRIG_TYPE_B1) {
        uint8_t bit = plain->bits != 0;
        if (plain->what != PLAIN_INTEGER)
            return bad_plain(as, plain, type), 0;
        if (plain->bits > 1)
            asm_error(as, as->dialect == ASM_DIALECT_1_0 ? DIAG_B1_TRUNCATED : DIAG_B1_VALUE, plain->span);
        return brig_put_constant(&as->out, HSA_BRIG_TYPE_U8, &bit, 1);
    }
    if (is_class(type, LANG_CLASS_BIT)) {
        bool good = size <= 8 && (plain->what != PLAIN_FLOAT || lang_type_size(plain->type) == size);
        if (!good)
            return bad_plain(as, plain, type), 0;
        stored = asm_unsigned_of(size);
        if (plain->what == PLAIN_FLOAT)
            stored = asm_stored_type(as, type, plain->type);
        else if (plain->negative && as->dialect != ASM_DIALECT_1_0)
            stored += HSA_BRIG_TYPE_S8 - HSA_BRIG_TYPE_U8;
    } else if (lang_type_is_packed(type) && use == ASM_OPERAND && size <= 8 && plain->what == PLAIN_INTEGER) {
        asm_error(as, DIAG_PACKED_LITERAL, plain->span, lang_type(type)->text);
    } else if (lang_type_is_packed(type) || !asm_plain_fits(as, type, plain)) {
        if (lang_type_is_packed(type))
            bad_plain(as, plain, type);
        return 0;
    }
    if (plain->what == PLAIN_EXPRESSION)
        return asm_put_expression(as, stored, plain);
    warn_truncated(as, type, plain);
    return brig_put_constant(&as->out, stored, &plain->bits, size);
}
