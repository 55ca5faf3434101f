/* SPDX-License-Identifier: MIT */
/* A model of binary floating point that shares nothing with the code under test. Values have quadruple precision, in
 * which every half, float, double and 64-bit integer is exact, and are rounded to a format by integer arithmetic. */
#ifndef TESTSUITE_FINALIZER_FP_MODEL_H
#define TESTSUITE_FINALIZER_FP_MODEL_H

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct float_format {
    const char *name;
    unsigned bits, mantissa; /* all bits; the stored bits of the mantissa */
};

typedef __float128 quad;

static inline uint64_t format_mask(const struct float_format *f)
{
    return f->bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->bits) - 1;
}

static inline uint64_t format_infinity(const struct float_format *f)
{
    return (format_mask(f) >> 1) & ~(((uint64_t)1 << f->mantissa) - 1);
}

/* The bits without their sign. */
static inline uint64_t format_size(const struct float_format *f, uint64_t x)
{
    return x & format_mask(f) >> 1;
}

static inline bool format_is_nan(const struct float_format *f, uint64_t x)
{
    return format_size(f, x) > format_infinity(f);
}

static inline uint64_t format_flush(const struct float_format *f, uint64_t x)
{
    return format_size(f, x) < (uint64_t)1 << f->mantissa ? x & ~(format_mask(f) >> 1) : x;
}

/* 2 to the power of N, which may be outside of the range of double. */
static inline quad quad_power(int n)
{
    return (quad)ldexp(1, n / 2) * (quad)ldexp(1, n - n / 2);
}

/* The exponent of the least subnormal. */
static inline int format_least(const struct float_format *f)
{
    return 2 - (1 << (f->bits - f->mantissa - 2)) - (int)f->mantissa;
}

/* The value of the bits, which may be a NaN or an infinity. */
static inline quad format_value(const struct float_format *f, uint64_t x)
{
    uint64_t size = format_size(f, x), unit = (uint64_t)1 << f->mantissa;
    int exponent = (int)(size >> f->mantissa);
    quad r;
    if (size >= format_infinity(f))
        r = size == format_infinity(f) ? (quad)INFINITY : (quad)NAN;
    else if (exponent)
        r = (quad)((size & (unit - 1)) | unit) * quad_power(exponent - 1 + format_least(f));
    else
        r = (quad)size * quad_power(format_least(f));
    return x == size ? r : -r;
}

static inline bool rounds_away(int mode, bool negative, quad rest, bool odd)
{
    if (mode == FE_TONEAREST)
        return rest > (quad)0.5 || (rest == (quad)0.5 && odd);
    return rest > 0 && ((mode == FE_UPWARD && !negative) || (mode == FE_DOWNWARD && negative));
}

/* Rounds X, which is not a NaN, to F. */
static inline uint64_t format_round(const struct float_format *f, quad x, int mode)
{
    bool negative = __builtin_signbit((double)x);
    uint64_t sign = negative ? (format_mask(f) >> 1) + 1 : 0, unit = (uint64_t)1 << f->mantissa;
    quad size = negative ? -x : x;
    int exponent;
    if (isinf((double)size))
        return sign | format_infinity(f);
    frexp((double)size, &exponent); /* SIZE < 2^exponent, or just that when double rounded it up */
    exponent -= (int)f->mantissa + 1;
    if (exponent < format_least(f) || size == 0)
        exponent = format_least(f);
    quad scaled = size / quad_power(exponent);
    if (scaled < (quad)unit && exponent > format_least(f)) {
        exponent--;
        scaled *= 2;
    }
    uint64_t whole = (uint64_t)scaled;
    whole += rounds_away(mode, negative, scaled - (quad)whole, whole & 1);
    uint64_t biased = (uint64_t)(exponent - format_least(f)), bits;
    if (whole < unit) /* subnormal, or 0 */
        bits = whole;
    else if (biased > (uint64_t)1 << 12)
        bits = format_infinity(f);
    else
        bits = whole + (biased << f->mantissa);
    if (bits >= format_infinity(f)) {
        bool to_infinity =
            mode == FE_TONEAREST || (mode == FE_UPWARD && !negative) || (mode == FE_DOWNWARD && negative);
        bits = to_infinity ? format_infinity(f) : format_infinity(f) - 1;
    }
    return sign | bits;
}

#endif
