/* SPDX-License-Identifier: MIT */
/* Exact arithmetic and rounding. See exact.h. Input: numbers. Output: numbers, and the exceptions that rounding raises.
 * Invariant: no host floating point; a sum is right to the last of more than 70 bits, and knows whether it is exact. */
#include "runtime/gcn/exact.h"

enum { TOP = 124 }; /* where the highest bit of an aligned mantissa stands; there is room for a carry above */

const struct exact_format *exact_format_of(unsigned bits)
{
    static const struct exact_format half = {11, -14, 15}, single = {24, -126, 127}, wide = {53, -1022, 1023};
    return bits == 16 ? &half : bits == 32 ? &single : &wide;
}

struct exact_number exact_unpack(uint64_t bits, const struct exact_format *format)
{
    int fraction_bits = format->precision - 1;
    int exponent_bits = __builtin_ctz((unsigned)format->most + 1) + 1;
    int32_t biased = (int32_t)(bits >> fraction_bits) & (2 * format->most + 1);
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    struct exact_number x = {.negative = bits >> (fraction_bits + exponent_bits) & 1,
                             .exponent = (biased ? biased : 1) - format->most - fraction_bits,
                             .mantissa = biased ? fraction | UINT64_C(1) << fraction_bits : fraction};
    if (biased == 2 * format->most + 1) {
        x.class = fraction ? EXACT_NAN : EXACT_INFINITE;
        x.signaling = fraction && !(fraction >> (fraction_bits - 1));
        return x;
    }
    x.class = x.mantissa ? EXACT_FINITE : EXACT_ZERO;
    x.denormal = !biased && fraction;
    return x;
}

struct exact_number exact_integer(int64_t value)
{
    return (struct exact_number){.class = value ? EXACT_FINITE : EXACT_ZERO,
                                 .negative = value < 0,
                                 .mantissa = value < 0 ? -(uint64_t)value : (uint64_t)value};
}

static int highest_bit(unsigned __int128 x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}

/* Shifts to the right, and keeps in the lowest bit that something was lost. */
static unsigned __int128 shifted_down(unsigned __int128 x, int64_t by)
{
    if (by > TOP)
        return x != 0;
    unsigned __int128 lost = x & (((unsigned __int128)1 << by) - 1);
    return x >> by | (lost != 0);
}

/* X with its highest bit at TOP. */
static struct exact_number aligned(struct exact_number x)
{
    int shift = TOP - highest_bit(x.mantissa);
    x.mantissa = shift < 0 ? shifted_down(x.mantissa, -shift) : x.mantissa << shift;
    x.exponent -= shift;
    return x;
}

struct exact_number exact_product(struct exact_number a, struct exact_number b)
{
    bool zero = a.class == EXACT_ZERO || b.class == EXACT_ZERO;
    return (struct exact_number){.class = zero ? EXACT_ZERO : EXACT_FINITE,
                                 .negative = a.negative != b.negative,
                                 .exponent = a.exponent + b.exponent,
                                 .mantissa = zero ? 0 : a.mantissa * b.mantissa};
}

struct exact_number exact_sum(struct exact_number a, struct exact_number b)
{
    if (a.class == EXACT_ZERO || b.class == EXACT_ZERO)
        return a.class == EXACT_ZERO ? b : a;
    a = aligned(a);
    b = aligned(b);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa)) {
        struct exact_number larger = b;
        b = a;
        a = larger;
    }
    b.mantissa = shifted_down(b.mantissa, (int64_t)a.exponent - b.exponent);
    a.mantissa = a.negative == b.negative ? a.mantissa + b.mantissa : a.mantissa - b.mantissa;
    a.class = a.mantissa ? EXACT_FINITE : EXACT_ZERO;
    a.denormal = false;
    return a;
}

/* X, of at most TOP + 2 bits, rounded to a multiple of 2^UNIT. */
static struct exact_number to_multiple(struct exact_number x, int64_t unit, unsigned rounding, bool *exact)
{
    int64_t drop = unit - x.exponent;
    *exact = true;
    if (drop <= 0)
        return x;
    bool far = drop > TOP + 2; /* all of it lies below half of the unit */
    int shift = far ? TOP + 2 : (int)drop;
    unsigned __int128 half = (unsigned __int128)1 << (shift - 1), kept = far ? 0 : x.mantissa >> shift;
    unsigned __int128 rest = far ? 1 : x.mantissa & (2 * half - 1);
    *exact = !rest;
    bool up = rounding == 0   ? rest > half || (rest == half && kept & 1)
              : rounding == 1 ? rest && !x.negative
              : rounding == 2 ? rest && x.negative
                              : false;
    x.mantissa = kept + up;
    x.exponent = (int32_t)unit;
    x.class = x.mantissa ? EXACT_FINITE : EXACT_ZERO;
    x.denormal = false;
    return x;
}

static struct exact_number overflowed(const struct exact_format *format, unsigned rounding, bool negative)
{
    bool largest = rounding == 3 || (rounding == 1 && negative) || (rounding == 2 && !negative);
    if (!largest)
        return (struct exact_number){.class = EXACT_INFINITE, .negative = negative};
    return (struct exact_number){.class = EXACT_FINITE,
                                 .negative = negative,
                                 .exponent = format->most - format->precision + 1,
                                 .mantissa = ((unsigned __int128)1 << format->precision) - 1};
}

struct exact_number exact_round(struct exact_number x, const struct exact_format *format, unsigned rounding, bool flush,
                                uint32_t *flags)
{
    if (x.class != EXACT_FINITE)
        return x;
    x = aligned(x);
    bool exact;
    int64_t unit = (int64_t)x.exponent + TOP + 1 - format->precision, least = format->least - format->precision + 1;
    struct exact_number result = to_multiple(x, unit, rounding, &exact);
    int64_t exponent = (int64_t)result.exponent + highest_bit(result.mantissa);
    if (exponent > format->most) {
        *flags |= EXACT_OVERFLOW | EXACT_INEXACT;
        return overflowed(format, rounding, x.negative);
    }
    bool tiny = exponent < format->least;
    if (unit < least)
        result = to_multiple(x, least, rounding, &exact);
    if (!exact || (tiny && flush))
        *flags |= EXACT_INEXACT | (tiny ? EXACT_UNDERFLOW : 0);
    if (tiny && flush)
        result = (struct exact_number){.class = EXACT_ZERO, .negative = x.negative};
    return result;
}

struct exact_number exact_floor(struct exact_number x, bool *integral)
{
    *integral = true;
    return x.class == EXACT_FINITE ? to_multiple(x, 0, 2, integral) : x;
}
