/* SPDX-License-Identifier: MIT */
/* Seeded hash of byte strings, for tables whose keys come from outside.
 *
 * The seed is drawn once per process, so that nobody can build an input whose keys collide. The hashes therefore differ
 * from run to run: nothing that is written out may depend on them. */
#ifndef SUPPORT_HASH_H
#define SUPPORT_HASH_H

#include "support/bytes.h"

/* The seed of this process; thread safe. */
uint64_t hash_seed(void);

/* The two halves of the 128-bit product, combined by exclusive or. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_u64(uint64_t seed, uint64_t value)
{
    return hash_mix(value ^ seed, UINT64_C(0x9e3779b97f4a7c15) ^ (seed >> 32));
}

static inline uint64_t hash_bytes(uint64_t seed, const void *data, size_t size)
{
    const uint8_t *at = data;
    uint64_t state = seed ^ size, last = 0;
    for (; size > 8; size -= 8, at += 8)
        state = hash_mix(load64(at) ^ state, UINT64_C(0xd6e8feb86659fd93) ^ seed);
    if (size >= 4)
        last = load32(at) | (uint64_t)load32(at + size - 4) << 32;
    else if (size)
        last = at[0] | (uint64_t)at[size / 2] << 8 | (uint64_t)at[size - 1] << 16;
    return hash_u64(state ^ UINT64_C(0xa0761d6478bd642f), last);
}

#endif
