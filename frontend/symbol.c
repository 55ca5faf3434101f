/* SPDX-License-Identifier: MIT */
/* Names in scope; see symbol.h.
 * Input: names. Output: symbols. Invariant: the table leads to the innermost symbol of each name, which remembers the
 * one it hides; closing a scope, newest symbol first, brings that one back. */
#include "frontend/symbol.h"

#include "support/hash.h"

#include <string.h>

void symbol_table_free(struct symbol_table *table)
{
    vec_free(&table->symbols);
    hash_table_free(&table->visible);
}

/* Index plus 1 of the innermost symbol of that name, or 0. */
static uint32_t find_innermost(const struct symbol_table *table, uint32_t hash, const char *name, size_t length)
{
    for (uint32_t at = hash, number; (number = hash_table_next(&table->visible, hash, &at));) {
        const struct symbol *symbol = &table->symbols.items[number - 1];
        if (symbol->length == length && !memcmp(symbol->name, name, length))
            return number;
    }
    return 0;
}

struct symbol *symbol_find(struct symbol_table *table, const char *name, size_t length)
{
    uint32_t number = find_innermost(table, (uint32_t)hash_bytes(table->seed, name, length), name, length);
    return number ? &table->symbols.items[number - 1] : NULL;
}

struct symbol *symbol_add(struct symbol_table *table, const char *name, size_t length)
{
    uint32_t hash = (uint32_t)hash_bytes(table->seed, name, length);
    uint32_t number = (uint32_t)table->symbols.count + 1, hidden = find_innermost(table, hash, name, length);
    struct symbol symbol = {.name = name, .length = (uint32_t)length, .hash = hash, .hidden = hidden};
    if (!vec_reserve(&table->symbols, 1))
        return NULL;
    if (hidden)
        hash_table_replace(&table->visible, hash, hidden, number);
    else if (!hash_table_add(&table->visible, hash, number))
        return NULL;
    table->symbols.items[table->symbols.count++] = symbol;
    return &table->symbols.items[number - 1];
}

void symbol_close_scope(struct symbol_table *table, size_t count)
{
    for (; table->symbols.count > count; table->symbols.count--) {
        uint32_t number = (uint32_t)table->symbols.count;
        const struct symbol *symbol = &table->symbols.items[number - 1];
        if (symbol->hidden)
            hash_table_replace(&table->visible, symbol->hash, number, symbol->hidden);
        else
            hash_table_remove(&table->visible, symbol->hash, number);
    }
}
