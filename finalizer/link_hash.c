/* SPDX-License-Identifier: MIT */
/* Symbol hash tables: .gnu.hash for lookups by name, .hash for readers of the old ABI.
 * Input: link_state.dynamic, whose defined part link_make_hashes() sorts by bucket. Output: the two parts
 * filled. Invariant: undefined symbols come first in .dynsym and are not in .gnu.hash. */
#include "finalizer/link_internal.h"

#include <stdlib.h>
#include <string.h>

struct gnu_entry {
    uint32_t hash, bucket, symbol;
};

static uint32_t gnu_hash(const char *name)
{
    uint32_t h = 5381;
    for (const uint8_t *p = (const void *)name; *p; p++)
        h = h * 33 + *p;
    return h;
}

static uint32_t sysv_hash(const char *name)
{
    uint32_t h = 0;
    for (const uint8_t *p = (const void *)name; *p; p++) {
        h = (h << 4) + *p;
        uint32_t top = h & 0xf0000000u;
        h ^= top >> 24;
        h &= ~top;
    }
    return h;
}

static int by_bucket(const void *a, const void *b)
{
    const struct gnu_entry *x = a, *y = b;
    if (x->bucket != y->bucket)
        return x->bucket < y->bucket ? -1 : 1;
    return x->symbol < y->symbol ? -1 : x->symbol > y->symbol; /* no two are equal, so the output is deterministic */
}

static uint8_t *new_part(struct link_state *s, enum link_part part, uint64_t size)
{
    s->parts[part].size = size;
    s->parts[part].data = arena_zalloc(&s->arena, 1, size);
    return s->parts[part].data;
}

static bool make_gnu_hash(struct link_state *s)
{
    uint32_t count = s->dynamic_count - s->dynamic_defined;
    uint32_t buckets = count / 4 + 1, words = 1;
    while (words * 64u < count * 8u && words < 1u << 20)
        words *= 2;
    struct gnu_entry *entries = arena_zalloc(&s->arena, (size_t)count + 1, sizeof *entries);
    uint8_t *data = new_part(s, PART_GNU_HASH, 16 + 8 * (uint64_t)words + 4 * ((uint64_t)buckets + count));
    if (!entries || !data)
        return link_no_memory(s);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t symbol = s->dynamic[s->dynamic_defined + i];
        uint32_t hash = gnu_hash(s->symbols[symbol].name);
        entries[i] = (struct gnu_entry){hash, hash % buckets, symbol};
    }
    qsort(entries, count, sizeof *entries, by_bucket);

    enum { SHIFT = 6 };
    store32(data, buckets);
    store32(data + 4, s->dynamic_defined);
    store32(data + 8, words);
    store32(data + 12, SHIFT);
    uint8_t *bloom = data + 16, *bucket = bloom + 8 * (size_t)words, *chain = bucket + 4 * (size_t)buckets;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t hash = entries[i].hash, index = s->dynamic_defined + i;
        s->dynamic[index] = entries[i].symbol;
        s->symbols[entries[i].symbol].dynamic = index;
        uint8_t *word = bloom + 8 * ((hash / 64) & (words - 1));
        store64(word, load64(word) | (uint64_t)1 << (hash % 64) | (uint64_t)1 << ((hash >> SHIFT) % 64));
        if (!i || entries[i - 1].bucket != entries[i].bucket)
            store32(bucket + 4 * (size_t)entries[i].bucket, index);
        bool last = i + 1 == count || entries[i + 1].bucket != entries[i].bucket;
        store32(chain + 4 * (size_t)i, (hash & ~1u) | last);
    }
    return true;
}

static bool make_sysv_hash(struct link_state *s)
{
    uint32_t buckets = s->dynamic_count;
    uint8_t *data = new_part(s, PART_HASH, 8 + 8 * (uint64_t)s->dynamic_count);
    if (!data)
        return link_no_memory(s);
    store32(data, buckets);
    store32(data + 4, s->dynamic_count);
    uint8_t *bucket = data + 8, *chain = bucket + 4 * (size_t)buckets;
    for (uint32_t i = 1; i < s->dynamic_count; i++) {
        uint8_t *head = bucket + 4 * (size_t)(sysv_hash(s->symbols[s->dynamic[i]].name) % buckets);
        store32(chain + 4 * (size_t)i, load32(head));
        store32(head, i);
    }
    return true;
}

bool link_make_hashes(struct link_state *s)
{
    return make_gnu_hash(s) && make_sysv_hash(s);
}
