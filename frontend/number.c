/* SPDX-License-Identifier: MIT */
/* Reading numbers; see number.h.
 * Input: literals that the lexer has accepted. Output: 64-bit integers, or the bits of f16, f32 and f64.
 * Invariant: a value is rounded once, from its exact decimal or hexadecimal expansion. PRM 4.8.1, 4.8.2. */
#include "frontend/number.h"

#include <string.h>

/* Digits after these cannot change the rounding of an f64; whether any is not zero can. */
#define DIGITS_KEPT 800
/* 801 digits are 2661 bits, 5 to the power 1140 is 2647 bits; one more bit is needed while dividing. */
#define BIG_WORDS 96
#define EXPONENT_LIMIT INT64_C(1000000000000)

static const struct float_format {
    int precision; /* bits with the hidden one */
    int exponent_bits;
} formats[] = {[NUMBER_F16] = {11, 5}, [NUMBER_F32] = {24, 8}, [NUMBER_F64] = {53, 11}};

static int digit_value(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool number_integer(const char *text, size_t length, uint64_t *value)
{
    unsigned base = 10;
    size_t i = 0;
    if (length > 1 && text[0] == '0') {
        base = (text[1] | 0x20) == 'x' ? 16 : 8;
        i = base == 16 ? 2 : 1;
    }
    uint64_t sum = 0;
    for (; i < length; i++)
        if (__builtin_mul_overflow(sum, base, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)digit_value(text[i]), &sum))
            return false;
    *value = sum;
    return true;
}

/* Rounds MANTISSA * 2^EXPONENT (STICKY: and a little more) to nearest even. */
static bool round_to(uint64_t mantissa, int64_t exponent, bool sticky, enum number_width width, uint64_t *bits)
{
    const struct float_format *format = &formats[width];
    int fraction = format->precision - 1;
    int64_t bias = (1 << (format->exponent_bits - 1)) - 1;
    if (!mantissa) {
        *bits = 0;
        return true;
    }
    int zeros = __builtin_clzll(mantissa);
    mantissa <<= zeros;
    int64_t top = exponent + 63 - zeros; /* of the leading bit */
    int64_t drop = 64 - format->precision;
    if (top < 1 - bias)
        drop += 1 - bias - top; /* subnormal: fewer bits are kept */
    if (drop > 64) {
        *bits = 0;
        return true;
    }
    uint64_t kept = drop == 64 ? 0 : mantissa >> drop;
    uint64_t half = UINT64_C(1) << (drop - 1);
    uint64_t rest = mantissa & (half | (half - 1));
    kept += rest > half || (rest == half && (sticky || (kept & 1)));
    /* A carry out of the fraction raises the exponent by itself. */
    uint64_t biased = top < 1 - bias ? 0 : (uint64_t)(top + bias - 1);
    if (top > bias)
        return false;
    *bits = (biased << fraction) + kept;
    return *bits >> fraction != (UINT64_C(1) << format->exponent_bits) - 1;
}

/* Little-endian words without leading zero words. */
struct big {
    uint32_t word[BIG_WORDS];
    int count;
};

static void big_multiply_add(struct big *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < big->count; i++) {
        carry += (uint64_t)big->word[i] * factor;
        big->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        big->word[big->count++] = (uint32_t)carry;
}

static void big_multiply_power_of_5(struct big *big, int power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(big, 1220703125, 0);
    uint32_t factor = 1;
    while (power--)
        factor *= 5;
    big_multiply_add(big, factor, 0);
}

static int big_bits(const struct big *big)
{
    return big->count ? 32 * big->count - __builtin_clz(big->word[big->count - 1]) : 0;
}

static void big_shift_left(struct big *big, int bits)
{
    int words = bits / 32, rest = bits % 32;
    if (!big->count)
        return;
    big->word[big->count] = 0;
    for (int i = big->count; i >= 0; i--) {
        uint64_t pair = (uint64_t)big->word[i] << 32 | (i ? big->word[i - 1] : 0);
        big->word[i + words] = (uint32_t)(pair >> (32 - rest));
    }
    memset(big->word, 0, (size_t)words * sizeof *big->word);
    big->count += words + 1;
    while (big->count && !big->word[big->count - 1])
        big->count--;
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count; i-- > 0;)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

static void big_subtract(struct big *a, const struct big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        borrow += (int64_t)a->word[i] - (i < b->count ? b->word[i] : 0);
        a->word[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    while (a->count && !a->word[a->count - 1])
        a->count--;
}

/* A decimal number: DIGIT * 10^EXPONENT. */
struct decimal {
    int count;
    int64_t exponent;
    uint8_t digit[DIGITS_KEPT + 1];
};

/* Reads an exponent after its letter; huge ones are cut, which changes no result. */
static int64_t read_exponent(const char *text, size_t length)
{
    size_t i = length && (*text == '+' || *text == '-');
    int64_t exponent = 0;
    for (; i < length && is_digit(text[i]); i++)
        if (exponent < EXPONENT_LIMIT)
            exponent = exponent * 10 + (text[i] - '0');
    return length && *text == '-' ? -exponent : exponent;
}

static void read_decimal(const char *text, size_t length, struct decimal *decimal)
{
    bool point = false, more = false;
    size_t i = 0;
    decimal->count = 0;
    decimal->exponent = 0;
    for (; i < length && (is_digit(text[i]) || text[i] == '.'); i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (decimal->count == 0 && text[i] == '0') {
            decimal->exponent -= point;
        } else if (decimal->count < DIGITS_KEPT) {
            decimal->digit[decimal->count++] = (uint8_t)(text[i] - '0');
            decimal->exponent -= point;
        } else {
            more |= text[i] != '0';
            decimal->exponent += !point;
        }
    }
    if (more) {
        decimal->digit[decimal->count++] = 1;
        decimal->exponent--;
    }
    while (decimal->count && !decimal->digit[decimal->count - 1]) {
        decimal->count--;
        decimal->exponent++;
    }
    if (i < length && (text[i] | 0x20) == 'e')
        decimal->exponent += read_exponent(text + i + 1, length - i - 1);
}

/* The leading 64 bits of a 128-bit number and the exponent of their last bit. */
static uint64_t leading_bits(unsigned __int128 value, int64_t *exponent, bool *sticky)
{
    uint64_t high = (uint64_t)(value >> 64);
    int shift = high ? 64 - __builtin_clzll(high) : 0;
    *exponent += shift;
    *sticky |= (value & (((unsigned __int128)1 << shift) - 1)) != 0;
    return (uint64_t)(value >> shift);
}

/* At most 19 digits and powers of 5 that fit 64 bits: two words of arithmetic are exact enough. */
static uint64_t convert_short(const struct decimal *decimal, int64_t *exponent, bool *sticky)
{
    uint64_t value = 0, power = 1;
    for (int i = 0; i < decimal->count; i++)
        value = value * 10 + decimal->digit[i];
    for (int64_t i = decimal->exponent < 0 ? -decimal->exponent : decimal->exponent; i; i--)
        power *= 5;
    *exponent = decimal->exponent;
    if (decimal->exponent >= 0)
        return leading_bits((unsigned __int128)value * power, exponent, sticky);
    int zeros = __builtin_clzll(value);
    unsigned __int128 dividend = (unsigned __int128)(value << zeros) << 64;
    *exponent -= 64 + zeros;
    *sticky = dividend % power != 0;
    return leading_bits(dividend / power, exponent, sticky);
}

static uint64_t convert_long(const struct decimal *decimal, int64_t *exponent, bool *sticky)
{
    struct big value = {.count = 0}, divisor = {.count = 1, .word = {1}};
    for (int i = 0; i < decimal->count; i++)
        big_multiply_add(&value, 10, decimal->digit[i]);
    *exponent = decimal->exponent;
    if (decimal->exponent >= 0)
        big_multiply_power_of_5(&value, (int)decimal->exponent);
    else
        big_multiply_power_of_5(&divisor, (int)-decimal->exponent);
    int shift = big_bits(&divisor) - big_bits(&value);
    if (shift > 0)
        big_shift_left(&value, shift);
    else
        big_shift_left(&divisor, -shift);
    *exponent -= shift;
    uint64_t quotient = 0;
    for (int i = 0; i < 64; i++) {
        bool fits = big_compare(&value, &divisor) >= 0;
        quotient = quotient << 1 | fits;
        if (fits)
            big_subtract(&value, &divisor);
        if (i < 63)
            big_shift_left(&value, 1);
    }
    *exponent -= 63;
    *sticky = value.count != 0;
    return quotient;
}

static bool decimal_float(const char *text, size_t length, enum number_width width, uint64_t *bits)
{
    struct decimal decimal;
    read_decimal(text, length, &decimal);
    *bits = 0;
    if (!decimal.count || decimal.count + decimal.exponent < -330)
        return true;
    if (decimal.count + decimal.exponent > 310)
        return false;
    int64_t exponent;
    bool sticky = false;
    bool fits = decimal.count <= 19 && decimal.exponent >= -27 && decimal.exponent <= 27;
    uint64_t mantissa = fits ? convert_short(&decimal, &exponent, &sticky) : convert_long(&decimal, &exponent, &sticky);
    return round_to(mantissa, exponent, sticky, width, bits);
}

/* TEXT is after 0x. */
static bool hexadecimal_float(const char *text, size_t length, enum number_width width, uint64_t *bits)
{
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    bool point = false, sticky = false;
    size_t i = 0;
    for (; i < length && (text[i] | 0x20) != 'p'; i++) {
        if (text[i] == '.') {
            point = true;
        } else if (mantissa >> 60) {
            sticky |= text[i] != '0';
            exponent += point ? 0 : 4;
        } else {
            mantissa = mantissa << 4 | (unsigned)digit_value(text[i]);
            exponent -= point ? 4 : 0;
        }
    }
    if (i < length)
        exponent += read_exponent(text + i + 1, length - i - 1);
    return round_to(mantissa, exponent, sticky, width, bits);
}

bool number_float(const char *text, size_t length, enum number_width width, uint64_t *bits)
{
    char second = length > 1 && text[0] == '0' ? (char)(text[1] | 0x20) : 0;
    if (second == 'x')
        return hexadecimal_float(text + 2, length - 2, width, bits);
    /* 0h, 0f, 0d and digits; "0f" alone is no literal, but "0.f" and "0e0f" are. */
    if (length > 5 && (second == 'h' || second == 'f' || second == 'd')) {
        *bits = 0;
        for (size_t i = 2; i < length; i++)
            *bits = *bits << 4 | (unsigned)digit_value(text[i]);
        return true;
    }
    return decimal_float(text, length, width, bits);
}
