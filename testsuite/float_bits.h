/* SPDX-License-Identifier: MIT */
/* Floating-point values as the bits of registers and memory, and back. */
#ifndef TESTSUITE_FLOAT_BITS_H
#define TESTSUITE_FLOAT_BITS_H

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
