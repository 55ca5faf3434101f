/* SPDX-License-Identifier: MIT */
/* Pseudo-random numbers for tests, the same in every run. */
#ifndef TESTSUITE_XORSHIFT_H
#define TESTSUITE_XORSHIFT_H

#include <stdint.h>

/* The next one of the sequence that *STATE, which is not 0, stands for. */
static inline uint64_t xorshift(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    return *state = x ^ x << 17;
}

#endif
