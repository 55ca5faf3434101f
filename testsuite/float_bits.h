/* SPDX-License-Identifier: MIT */
/* Floating-point values as the bits of registers and memory, and back. */
#ifndef TESTSUITE_FLOAT_BITS_H
#define TESTSUITE_FLOAT_BITS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The bits above the 32 of a float do not count. */
static inline float f32_of_bits(uint64_t bits)
{
    float value;
    uint32_t low = (uint32_t)bits;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline double f64_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits above the 16 of a half do not count. */
static inline double f16_of_bits(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 0x3ff);
    double value = exponent == 31 ? (bits & 0x3ff ? (double)NAN : (double)INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits & 0x8000 ? -value : value;
}

static inline uint32_t bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t bits_of_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
