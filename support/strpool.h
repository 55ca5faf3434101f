/* SPDX-License-Identifier: MIT */
/* Interned byte strings: equal strings get the same small number.
 *
 * Numbers count up from 1 in the order of first appearance; 0 means failure or absence. The pool keeps a copy
 * of each string until strpool_free(). One thread at a time per pool. */
#ifndef SUPPORT_STRPOOL_H
#define SUPPORT_STRPOOL_H

#include "support/arena.h"
#include "support/bytes.h"
#include "support/hash_table.h"
#include "support/vec.h"

/* Zero-initialised is empty and valid. */
struct strpool {
    VEC(struct bytes) strings; /* string ID is strings.items[ID - 1] */
    struct hash_table numbers;
    uint64_t seed;
    struct arena bytes;
};

/* The number of the string, added when it is new; 0 when memory is out or 2^31 strings are reached. */
uint32_t strpool_intern(struct strpool *pool, const void *data, size_t size);

/* The number of the string, or 0 when it was never added. */
uint32_t strpool_find(const struct strpool *pool, const void *data, size_t size);

/* The string of a number that strpool_intern() returned. Followed by a NUL that its size does not count. */
static inline struct bytes strpool_get(const struct strpool *pool, uint32_t id)
{
    return pool->strings.items[id - 1];
}

void strpool_free(struct strpool *pool);

#endif
