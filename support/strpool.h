/* SPDX-License-Identifier: MIT */
/* Interned byte strings: equal strings get the same small number.
 *
 * Strings are numbered from 1 in the order in which they first appear; 0 means failure or absence. The pool keeps a
 * copy of each string until strpool_free(). Only one thread at a time may use a pool. */
#ifndef SUPPORT_STRPOOL_H
#define SUPPORT_STRPOOL_H

#include "support/arena.h"
#include "support/bytes.h"
#include "support/hash_table.h"
#include "support/vec.h"

/* A zero-initialised pool is empty and valid. */
struct strpool {
    VEC(struct bytes) strings; /* string ID is strings.items[ID - 1] */
    struct hash_table numbers;
    uint64_t seed;
    struct arena bytes;
};

/* The number of the string, which is added if it is new; 0 if memory is out or there are 2^31 strings. */
uint32_t strpool_intern(struct strpool *pool, const void *data, size_t size);

/* The number of the string, or 0 if it was never added. */
uint32_t strpool_find(const struct strpool *pool, const void *data, size_t size);

/* The string of a number that strpool_intern() returned. A NUL follows it, which its size does not count. */
static inline struct bytes strpool_get(const struct strpool *pool, uint32_t id)
{
    return pool->strings.items[id - 1];
}

void strpool_free(struct strpool *pool);

#endif
