/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing, which leads from the hash of a key to the number of an item.
 *
 * The caller keeps the items and their keys, in a vector for instance, and compares the keys. The table knows only 32
 * bits of hash and a number other than 0, so one implementation serves every kind of key:
 *
 *     for (uint32_t at = hash, item; (item = hash_table_next(&table, hash, &at));)
 *         if (is_same(&items.items[item - 1], key))
 *             return item;
 *     if (!vec_reserve(&items, 1) || !hash_table_add(&table, hash, (uint32_t)items.count + 1))
 *         return 0;
 *     items.items[items.count++] = ...;
 *
 * Only one thread at a time may use a table. */
#ifndef SUPPORT_HASH_TABLE_H
#define SUPPORT_HASH_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct hash_slot {
    uint32_t hash;
    uint32_t item; /* 0: free */
};

/* A zero-initialised table is empty and valid. At most three quarters of the slots are taken, so every search ends. */
struct hash_table {
    struct hash_slot *slots;
    uint32_t size; /* slots: a power of two, or 0 */
    uint32_t used;
};

/* The next item of HASH, or 0 after the last. The caller sets *AT to HASH before the first call and leaves it alone
 * afterwards. After an item is added or removed, the iteration must not go on. */
static inline uint32_t hash_table_next(const struct hash_table *table, uint32_t hash, uint32_t *at)
{
    if (!table->size)
        return 0;
    for (;;) {
        const struct hash_slot *slot = &table->slots[(*at)++ & (table->size - 1)];
        if (!slot->item || slot->hash == hash)
            return slot->item;
    }
}

/* Adds ITEM, which is not 0, even if the table already has an equal one. False if memory is out; then the table is
 * unchanged. */
bool hash_table_add(struct hash_table *table, uint32_t hash, uint32_t item);

/* Replaces OLD, which was added with the same hash, by ITEM. */
void hash_table_replace(struct hash_table *table, uint32_t hash, uint32_t old, uint32_t item);

/* Removes ITEM, which was added with HASH. */
void hash_table_remove(struct hash_table *table, uint32_t hash, uint32_t item);

/* Releases the slots; the table is then empty and can be used again. */
void hash_table_free(struct hash_table *table);

#endif
