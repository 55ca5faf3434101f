/* SPDX-License-Identifier: MIT */
/* Printing numbers; see number.h.
 * Input: bits of f16, f32, f64. Output: text that number_float() reads back to the same bits. */
#include "frontend/number.h"

#include <stdio.h>
#include <string.h>

static const struct width_row {
    int fraction, exponent_bits;
    int digits; /* hexadecimal digits of the bits */
    char suffix;
} widths[] = {[NUMBER_F16] = {10, 5, 4, 'h'}, [NUMBER_F32] = {23, 8, 8, 'f'}, [NUMBER_F64] = {52, 11, 16, 'd'}};

static size_t print_ieee(char *out, uint64_t bits, const struct width_row *row)
{
    return (size_t)snprintf(out, NUMBER_TEXT, "0%c%0*llx", row->suffix, row->digits, (unsigned long long)bits);
}

static size_t print_c99(char *out, uint64_t bits, const struct width_row *row)
{
    int bias = (1 << (row->exponent_bits - 1)) - 1;
    int biased = (int)(bits >> row->fraction) & ((1 << row->exponent_bits) - 1);
    uint64_t fraction = bits & ((UINT64_C(1) << row->fraction) - 1);
    const char *sign = bits >> (row->fraction + row->exponent_bits) ? "-" : "";
    if (!biased && !fraction)
        return (size_t)snprintf(out, NUMBER_TEXT, "%s0x0p+0%c", sign, row->suffix);
    int exponent = biased ? biased - bias : 1 - bias;
    if (!biased) { /* subnormal: normalise */
        int shift = __builtin_clzll(fraction) - (63 - row->fraction);
        fraction = fraction << shift & ((UINT64_C(1) << row->fraction) - 1);
        exponent -= shift;
    }
    char digits[20];
    int count = (row->fraction + 3) / 4;
    snprintf(digits, sizeof digits, "%0*llx", count, (unsigned long long)(fraction << (4 * count - row->fraction)));
    while (count && digits[count - 1] == '0')
        count--;
    return (size_t)snprintf(
        out, NUMBER_TEXT, "%s0x1%s%.*sp%+d%c", sign, count ? "." : "", count, digits, exponent, row->suffix);
}

/* The value as the host's double: exact for all three formats. */
static double host_value(uint64_t bits, enum number_width width)
{
    double value;
    if (width == NUMBER_F32) {
        uint32_t narrow = (uint32_t)bits;
        float single;
        memcpy(&single, &narrow, sizeof single);
        return single;
    }
    if (width == NUMBER_F16) {
        int biased = (int)(bits >> 10) & 31;
        double fraction = (double)((bits & 1023) + (biased ? 1024 : 0));
        value = __builtin_ldexp(fraction, (biased ? biased : 1) - 25);
        return bits >> 15 & 1 ? -value : value;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rewrites the C library's "d.ddde+xx" with a point whatever the locale has, and at least one digit after it. */
static size_t tidy_decimal(char *out, const char *scientific, char suffix)
{
    size_t used = 0;
    const char *p = scientific;
    if (*p == '-')
        out[used++] = *p++;
    char first = *p++;
    const char *digits = p;
    while (*digits && *digits != 'e' && (*digits < '0' || *digits > '9'))
        digits++;
    int count = (int)strcspn(digits, "e");
    int exponent = 0;
    if (digits[count] == 'e')
        sscanf(digits + count + 1, "%d", &exponent);
    while (count && digits[count - 1] == '0')
        count--;
    int left = NUMBER_TEXT - (int)used;
    if (exponent >= 0 && exponent < 17 && exponent >= count) /* an integer */
        used += (size_t)snprintf(out + used, (size_t)left, "%c%.*s%.*s.0%c", first, count, digits, exponent - count,
                                 "0000000000000000", suffix);
    else if (exponent >= 0 && exponent < 17)
        used += (size_t)snprintf(out + used, (size_t)left, "%c%.*s.%.*s%c", first, exponent, digits, count - exponent,
                                 digits + exponent, suffix);
    else if (exponent < 0 && exponent >= -5)
        used += (size_t)snprintf(
            out + used, (size_t)left, "0.%.*s%c%.*s%c", -exponent - 1, "0000", first, count, digits, suffix);
    else
        used += (size_t)snprintf(
            out + used, (size_t)left, "%c.%.*s%se%+d%c", first, count, digits, count ? "" : "0", exponent, suffix);
    return used;
}

static size_t print_decimal(char *out, uint64_t bits, enum number_width width, const struct width_row *row)
{
    uint64_t sign = UINT64_C(1) << (row->fraction + row->exponent_bits);
    double value = host_value(bits, width);
    for (int precision = 0; precision < 17; precision++) {
        char scientific[NUMBER_TEXT];
        snprintf(scientific, sizeof scientific, "%.*e", precision, value);
        size_t length = tidy_decimal(out, scientific, row->suffix);
        size_t skip = *out == '-';
        uint64_t back;
        if (number_float(out + skip, length - skip, width, &back) && (back | (skip ? sign : 0)) == bits)
            return length;
    }
    return print_ieee(out, bits, row);
}

size_t number_print(char out[NUMBER_TEXT], uint64_t bits, enum number_width width, enum number_style style)
{
    const struct width_row *row = &widths[width];
    uint64_t exponent_mask = (UINT64_C(1) << row->exponent_bits) - 1;
    bool finite = (bits >> row->fraction & exponent_mask) != exponent_mask;
    if (style == NUMBER_C99 && finite)
        return print_c99(out, bits, row);
    if (style == NUMBER_DECIMAL && finite)
        return print_decimal(out, bits, width, row);
    return print_ieee(out, bits, row);
}
