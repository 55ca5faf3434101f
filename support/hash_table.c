/* SPDX-License-Identifier: MIT */
/* The hash table; see hash_table.h.
 * Input: hashes and numbers of items. Output: numbers of items. Invariant: no slot between the one that an item's hash
 * leads to and the one that holds it is free, so a probe that meets a free slot has met every item of its hash. */
#include "support/hash_table.h"

#include "support/alloc.h"

#define FIRST_SLOTS 64u

static void place_slot(struct hash_slot *slots, uint32_t mask, struct hash_slot slot)
{
    uint32_t at = slot.hash & mask;
    while (slots[at].item)
        at = (at + 1) & mask;
    slots[at] = slot;
}

static bool hash_table_grow(struct hash_table *table)
{
    uint32_t size = table->size ? table->size * 2 : FIRST_SLOTS;
    struct hash_slot *slots = size ? mem_zalloc(size, sizeof *slots) : NULL;
    if (!slots)
        return false;
    for (uint32_t i = 0; i < table->size; i++)
        if (table->slots[i].item)
            place_slot(slots, size - 1, table->slots[i]);
    mem_free(table->slots);
    table->slots = slots;
    table->size = size;
    return true;
}

bool hash_table_add(struct hash_table *table, uint32_t hash, uint32_t item)
{
    if (table->used >= table->size / 4 * 3 && !hash_table_grow(table))
        return false;
    place_slot(table->slots, table->size - 1, (struct hash_slot){hash, item});
    table->used++;
    return true;
}

static uint32_t slot_of(const struct hash_table *table, uint32_t hash, uint32_t item)
{
    uint32_t mask = table->size - 1, at = hash & mask;
    while (table->slots[at].item != item)
        at = (at + 1) & mask;
    return at;
}

void hash_table_replace(struct hash_table *table, uint32_t hash, uint32_t old, uint32_t item)
{
    table->slots[slot_of(table, hash, old)].item = item;
}

/* Closes the gap with items from later slots, but moves none before the slot that its hash leads to. */
void hash_table_remove(struct hash_table *table, uint32_t hash, uint32_t item)
{
    struct hash_slot *slots = table->slots;
    uint32_t mask = table->size - 1, gap = slot_of(table, hash, item);
    for (uint32_t at = (gap + 1) & mask; slots[at].item; at = (at + 1) & mask)
        if (((at - slots[at].hash) & mask) >= ((at - gap) & mask)) {
            slots[gap] = slots[at];
            gap = at;
        }
    slots[gap].item = 0;
    table->used--;
}

void hash_table_free(struct hash_table *table)
{
    mem_free(table->slots);
    *table = (struct hash_table){0};
}
