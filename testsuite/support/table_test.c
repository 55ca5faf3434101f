/* SPDX-License-Identifier: MIT */
/* Compares the hash table with a plain array of what it should hold, and binary search with a loop. Additions, removals
 * and replacements are random and have few different hashes, so that items collide and wrap around. */
#include "support/alloc.h"
#include "support/hash_table.h"
#include "support/search.h"
#include "testsuite/tap.h"

#include <stddef.h>

enum { MOST = 400, HASHES = 23 };

static uint32_t hash_of[MOST]; /* by item; item 0 is never used */
static bool is_in[MOST];
static uint32_t state = 12345;

static uint32_t random_below(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

/* Different hashes that share slots, at the end of the table and at its beginning. */
static uint32_t some_hash(void)
{
    return random_below(HASHES) * 64 + random_below(2) * 63 - 1;
}

/* Whether each hash leads to exactly the items that were added with it. */
static bool agrees(const struct hash_table *table)
{
    uint32_t count = 0, found = 0;
    for (uint32_t item = 1; item < MOST; item++) {
        bool met = false;
        count += is_in[item];
        for (uint32_t at = hash_of[item], other; (other = hash_table_next(table, hash_of[item], &at));) {
            if (!is_in[other] || hash_of[other] != hash_of[item])
                return false;
            found += other == item;
            met |= other == item;
        }
        if (met != is_in[item])
            return false;
    }
    return count == found && count == table->used;
}

static bool random_steps(struct hash_table *table, unsigned steps, unsigned additions_of_ten)
{
    for (unsigned step = 0; step < steps; step++) {
        uint32_t item = 1 + random_below(MOST - 1), other = 1 + random_below(MOST - 1);
        if (!is_in[item] && random_below(10) < additions_of_ten) {
            hash_of[item] = some_hash();
            is_in[item] = hash_table_add(table, hash_of[item], item);
        } else if (is_in[item] && !is_in[other] && random_below(2)) {
            hash_table_replace(table, hash_of[item], item, other);
            hash_of[other] = hash_of[item];
            is_in[other] = true;
            is_in[item] = false;
        } else if (is_in[item] && random_below(10) >= additions_of_ten) {
            hash_table_remove(table, hash_of[item], item);
            is_in[item] = false;
        }
        if (!agrees(table))
            return false;
    }
    return true;
}

static void test_table(void)
{
    struct hash_table table = {0};
    uint32_t at = 5;
    ok(!hash_table_next(&table, 5, &at), "an empty table has no items");
    ok(random_steps(&table, 2000, 8), "a growing table finds what was added, and no more");
    ok(table.used > 100 && table.size / 4 * 3 >= table.used, "a quarter of the slots stays free");
    ok(random_steps(&table, 3000, 2), "a shrinking table does, too");
    hash_table_free(&table);
    ok(!table.size && !table.used, "a freed table is empty");

    mem_fail_after(0);
    bool added = hash_table_add(&table, 1, 1);
    mem_fail_after(-1);
    ok(!added && !table.used, "nothing is added when memory is out");
    hash_table_free(&table);
}

static void test_search(void)
{
    static const int sorted[] = {1, 3, 3, 3, 8, 9, 20};
    size_t count = sizeof sorted / sizeof *sorted;
    bool good = true;
    for (size_t length = 0; length <= count; length++)
        for (int key = 0; key < 22; key++) {
            size_t expected = 0;
            while (expected < length && sorted[expected] < key)
                expected++;
            good &= search_first(length, i, sorted[i] >= key) == expected;
        }
    ok(good, "a search finds the first that passes its test");
}

int main(void)
{
    test_table();
    test_search();
    return tap_done();
}
