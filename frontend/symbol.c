/* SPDX-License-Identifier: MIT */
/* Names in scope; see symbol.h.
 * Input: names. Output: symbols. Invariant: a bucket's chain runs from newer to older symbols, so the first match is
 * the innermost, and closing scopes from the newest symbol back only ever unlinks chain heads. */
#include "frontend/symbol.h"

#include "support/bytes.h"

#include <string.h>

#define FIRST_BUCKETS 64u

static uint32_t hash_name(const char *name, size_t length, uint64_t seed)
{
    uint64_t hash = seed ^ (length * UINT64_C(0x9e3779b97f4a7c15));
    for (; length >= 8; name += 8, length -= 8) {
        hash = (hash ^ load64(name)) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < length; i++)
        rest = rest << 8 | (unsigned char)name[i];
    hash = (hash ^ rest) * UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(hash >> 32);
}

void symbol_table_free(struct symbol_table *table)
{
    vec_free(&table->symbols);
    mem_free(table->buckets);
    table->buckets = NULL;
    table->bucket_count = 0;
}

struct symbol *symbol_find(struct symbol_table *table, const char *name, size_t length)
{
    if (!table->bucket_count)
        return NULL;
    uint32_t hash = hash_name(name, length, table->seed);
    for (uint32_t at = table->buckets[hash & (table->bucket_count - 1)]; at;) {
        struct symbol *symbol = &table->symbols.items[at - 1];
        if (symbol->hash == hash && symbol->length == length && !memcmp(symbol->name, name, length))
            return symbol;
        at = symbol->chain;
    }
    return NULL;
}

static void link_symbol(struct symbol_table *table, uint32_t index)
{
    struct symbol *symbol = &table->symbols.items[index];
    uint32_t *bucket = &table->buckets[symbol->hash & (table->bucket_count - 1)];
    symbol->chain = *bucket;
    *bucket = index + 1;
}

static bool grow_buckets(struct symbol_table *table)
{
    uint32_t count = table->bucket_count ? table->bucket_count * 2 : FIRST_BUCKETS;
    uint32_t *buckets = count ? mem_zalloc(count, sizeof *buckets) : NULL;
    if (!buckets)
        return false;
    mem_free(table->buckets);
    table->buckets = buckets;
    table->bucket_count = count;
    for (size_t i = 0; i < table->symbols.count; i++)
        link_symbol(table, (uint32_t)i);
    return true;
}

struct symbol *symbol_add(struct symbol_table *table, const char *name, size_t length)
{
    if (table->symbols.count >= table->bucket_count && !grow_buckets(table))
        return NULL;
    struct symbol symbol = {.name = name, .length = (uint32_t)length, .hash = hash_name(name, length, table->seed)};
    if (!vec_push(&table->symbols, symbol))
        return NULL;
    link_symbol(table, (uint32_t)table->symbols.count - 1);
    return &table->symbols.items[table->symbols.count - 1];
}

void symbol_close_scope(struct symbol_table *table, size_t count)
{
    while (table->symbols.count > count) {
        struct symbol *symbol = &table->symbols.items[--table->symbols.count];
        table->buckets[symbol->hash & (table->bucket_count - 1)] = symbol->chain;
    }
}
