/* SPDX-License-Identifier: MIT */
/* Interned byte strings; see strpool.h.
 * Input: byte strings. Output: numbers. Invariant: at most three quarters of the slots are taken, so that
 * probing ends; a slot holds the low half of the hash of its string. */
#include "support/strpool.h"

#include "support/hash.h"

#define FIRST_SLOTS 64u
#define MOST_STRINGS (1u << 31)

/* The slot of the string, or the free slot where it belongs. */
static struct strpool_slot *slot_of(const struct strpool *pool, uint32_t hash, const void *data, size_t size)
{
    uint32_t mask = pool->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        struct strpool_slot *slot = &pool->slots[i];
        if (!slot->id)
            return slot;
        if (slot->hash != hash)
            continue;
        struct bytes known = strpool_get(pool, slot->id);
        if (known.size == size && (size == 0 || memcmp(known.data, data, size) == 0))
            return slot;
    }
}

static bool grow(struct strpool *pool)
{
    uint32_t count = pool->slot_count ? pool->slot_count * 2 : FIRST_SLOTS;
    if (count == 0)
        return false;
    struct strpool_slot *slots = mem_zalloc(count, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < pool->slot_count; i++) {
        if (!pool->slots[i].id)
            continue;
        uint32_t at = pool->slots[i].hash & (count - 1);
        while (slots[at].id)
            at = (at + 1) & (count - 1);
        slots[at] = pool->slots[i];
    }
    mem_free(pool->slots);
    pool->slots = slots;
    pool->slot_count = count;
    return true;
}

uint32_t strpool_intern(struct strpool *pool, const void *data, size_t size)
{
    if (!pool->seed)
        pool->seed = hash_seed();
    if (pool->strings.count >= pool->slot_count / 4 * 3 && !grow(pool))
        return 0;
    uint32_t hash = (uint32_t)hash_bytes(pool->seed, data, size);
    struct strpool_slot *slot = slot_of(pool, hash, data, size);
    if (slot->id)
        return slot->id;
    if (pool->strings.count >= MOST_STRINGS || !vec_reserve(&pool->strings, 1))
        return 0;
    char *copy = arena_strndup(&pool->bytes, size ? data : "", size);
    if (!copy)
        return 0;
    pool->strings.items[pool->strings.count++] = (struct bytes){(const uint8_t *)copy, size};
    *slot = (struct strpool_slot){hash, (uint32_t)pool->strings.count};
    return slot->id;
}

uint32_t strpool_find(const struct strpool *pool, const void *data, size_t size)
{
    if (!pool->slot_count)
        return 0;
    return slot_of(pool, (uint32_t)hash_bytes(pool->seed, data, size), data, size)->id;
}

void strpool_free(struct strpool *pool)
{
    vec_free(&pool->strings);
    mem_free(pool->slots);
    arena_free(&pool->bytes);
    *pool = (struct strpool){0};
}
