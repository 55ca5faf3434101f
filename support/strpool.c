/* SPDX-License-Identifier: MIT */
/* Interned byte strings; see strpool.h.
 * Input: byte strings. Output: numbers. Invariant: each string of the vector is in the table under its number. */
#include "support/strpool.h"

#include "support/hash.h"

#define MOST_STRINGS (1u << 31)

static uint32_t hash_of(const struct strpool *pool, const void *data, size_t size)
{
    return (uint32_t)hash_bytes(pool->seed, data, size);
}

static uint32_t find_string(const struct strpool *pool, uint32_t hash, const void *data, size_t size)
{
    for (uint32_t at = hash, id; (id = hash_table_next(&pool->numbers, hash, &at));) {
        struct bytes known = strpool_get(pool, id);
        if (known.size == size && (size == 0 || memcmp(known.data, data, size) == 0))
            return id;
    }
    return 0;
}

uint32_t strpool_intern(struct strpool *pool, const void *data, size_t size)
{
    if (!pool->seed)
        pool->seed = hash_seed();
    uint32_t hash = hash_of(pool, data, size), known = find_string(pool, hash, data, size);
    if (known)
        return known;
    if (pool->strings.count >= MOST_STRINGS || !vec_reserve(&pool->strings, 1))
        return 0;
    char *copy = arena_strndup(&pool->bytes, size ? data : "", size);
    if (!copy || !hash_table_add(&pool->numbers, hash, (uint32_t)pool->strings.count + 1))
        return 0;
    pool->strings.items[pool->strings.count++] = (struct bytes){(const uint8_t *)copy, size};
    return (uint32_t)pool->strings.count;
}

uint32_t strpool_find(const struct strpool *pool, const void *data, size_t size)
{
    return find_string(pool, hash_of(pool, data, size), data, size);
}

void strpool_free(struct strpool *pool)
{
    vec_free(&pool->strings);
    hash_table_free(&pool->numbers);
    arena_free(&pool->bytes);
    *pool = (struct strpool){0};
}
