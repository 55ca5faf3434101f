/* SPDX-License-Identifier: MIT */
/* Damaged copies of a file: cut short, with flipped bits, overwritten, spliced, or nothing but random bytes.
 * The same seed gives the same copy, so a failure can be repeated with its seed. */
#ifndef TESTSUITE_TOOLS_DAMAGE_H
#define TESTSUITE_TOOLS_DAMAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum mutation { MUTATE_TRUNCATE, MUTATE_BITS, MUTATE_WORD, MUTATE_SPLICE, MUTATE_RANDOM, MUTATIONS };

static inline uint64_t mutate_next(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

/* Values at which sizes, counts and offsets often go wrong. */
static inline uint32_t mutate_edge(uint64_t *state)
{
    static const uint32_t edges[] = {
        0, 1, 3, 4, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    return edges[mutate_next(state) % (sizeof edges / sizeof *edges)];
}

/* Damages the *SIZE bytes at DATA in place; *SIZE only shrinks. Returns what was done. */
static inline enum mutation mutate(uint8_t *data, size_t *size, uint64_t seed)
{
    uint64_t state = seed;
    enum mutation how = (enum mutation)(mutate_next(&state) % MUTATIONS);
    size_t count = 1 + mutate_next(&state) % 8;
    if (!*size)
        return how;
    switch (how) {
    case MUTATE_TRUNCATE: *size = mutate_next(&state) % *size; break;
    case MUTATE_BITS:
        while (count--)
            data[mutate_next(&state) % *size] ^= (uint8_t)(1 << mutate_next(&state) % 8);
        break;
    case MUTATE_WORD:
        for (; count && *size >= 4; count--) {
            uint32_t edge = mutate_edge(&state);
            memcpy(data + mutate_next(&state) % (*size / 4) * 4, &edge, sizeof edge);
        }
        break;
    case MUTATE_SPLICE: {
        size_t length = 1 + mutate_next(&state) % (*size < 64 ? *size : 64);
        size_t from = mutate_next(&state) % (*size - length + 1), to = mutate_next(&state) % (*size - length + 1);
        memmove(data + to, data + from, length);
        break;
    }
    default:
        *size = mutate_next(&state) % *size;
        for (size_t i = 0; i < *size; i++)
            data[i] = (uint8_t)mutate_next(&state);
        // Half of them keep the bytes that identify the file, so that they pass the first check.
        if (mutate_next(&state) & 1 && *size >= 8)
            memcpy(data, data[0] & 1 ? "HSA BRIG" : "\177ELF\2\1\1\100", 8);
    }
    return how;
}

#endif
