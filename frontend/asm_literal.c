/* SPDX-License-Identifier: MIT */
/* Values of tokens: integers, strings, alignments (PRM 4.5, 4.8.1).
 * Input: spans of tokens. Output: values; what is out of range is reported. */
#include "frontend/asm_p.h"
#include "frontend/number.h"

#include <stdio.h>

bool asm_integer(struct assembler *as, struct span span, uint64_t *value)
{
    if (number_integer(asm_chars(as, span), asm_length(span), value))
        return true;
    *value = 0;
    asm_error(as, DIAG_INTEGER_SIZE, span);
    return false;
}

bool asm_small_integer(struct assembler *as, struct span span, uint64_t minimum, uint64_t maximum, uint64_t *value)
{
    if (!asm_integer(as, span, value))
        return false;
    if (*value >= minimum && *value <= maximum)
        return true;
    asm_error(as, DIAG_INTEGER_RANGE, span, (unsigned long long)minimum, (unsigned long long)maximum);
    return false;
}

unsigned asm_alignment(struct assembler *as, struct span span)
{
    uint64_t value;
    if (!asm_integer(as, span, &value))
        return HSA_BRIG_ALIGNMENT_1;
    if (is_power_of_two(value) && value <= ASM_MOST_ALIGNMENT)
        return (unsigned)__builtin_ctzll(value) + HSA_BRIG_ALIGNMENT_1;
    asm_error(as, DIAG_ALIGNMENT, span);
    return HSA_BRIG_ALIGNMENT_1;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the escape after the backslash at *AT; -1 when there is no such escape. */
static int read_escape(const char **at)
{
    /* A form feed is octal 006 by the document and by every producer. */
    static const char simple[] = "\\\\''\"\"??a\ab\bf\006n\nr\rt\tv\v";
    const char *p = *at;
    int value = 0, digits = 0;
    if (*p >= '0' && *p <= '7') {
        for (; digits < 3 && *p >= '0' && *p <= '7'; digits++)
            value = value * 8 + (*p++ - '0');
        *at = p;
        return value <= UINT8_MAX ? value : -1;
    }
    if (*p == 'x' || *p == 'X') {
        for (p++; digits < 2 && hex_digit(*p) >= 0; digits++)
            value = value * 16 + hex_digit(*p++);
        *at = p;
        return digits ? value : -1;
    }
    for (size_t i = 0; simple[i]; i += 2)
        if (simple[i] == *p) {
            *at = p + 1;
            return simple[i + 1];
        }
    return -1;
}

/* Puts what one or more adjacent string literals stand for into `bytes`. */
bool asm_string(struct assembler *as, struct span span)
{
    const char *at = asm_chars(as, span), *end = at + asm_length(span);
    bool inside = false;
    as->bytes.count = 0;
    if (!vec_reserve(&as->bytes, asm_length(span))) {
        asm_no_memory(as);
        return false;
    }
    while (at < end) {
        char c = *at++;
        if (c == '"') {
            inside = !inside;
        } else if (!inside) {
            continue; /* between literals */
        } else if (c != '\\') {
            as->bytes.items[as->bytes.count++] = (uint8_t)c;
        } else {
            struct span escape = {(uint32_t)(at - 1 - as->lexer.text), (uint32_t)(at + 1 - as->lexer.text)};
            int value = read_escape(&at);
            if (value < 0) {
                asm_error(as, DIAG_STRING_ESCAPE, escape);
                return false;
            }
            as->bytes.items[as->bytes.count++] = (uint8_t)value;
        }
    }
    return true;
}
