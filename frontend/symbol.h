/* SPDX-License-Identifier: MIT */
/* Names in scope (PRM 4.6.2).
 *
 * A table holds the symbols of nested scopes; closing a scope forgets its symbols. A name found is that of the
 * innermost scope. Names are not copied: the text must outlive the table. */
#ifndef FRONTEND_SYMBOL_H
#define FRONTEND_SYMBOL_H

#include "support/hash_table.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
    const char *name;
    uint32_t length, hash;
    uint32_t hidden;  /* the symbol of an outer scope that this one hides, plus 1; or 0 */
    uint32_t code;    /* offset of what references lead to; 0: a label not seen yet */
    uint32_t patches; /* newest of the references to be redirected, plus 1 */
    uint32_t where;   /* position in the text: of the name, or of its first use */
    uint16_t kind;    /* of the BRIG entry */
    bool defined;
};

struct symbol_table {
    VEC(struct symbol) symbols; /* of open scopes, oldest first */
    struct hash_table visible;  /* index plus 1 of the innermost symbol of each name */
    uint64_t seed;
};

/* A zero-initialised table is empty; SEED makes collisions unpredictable. */
void symbol_table_free(struct symbol_table *table);

/* The innermost symbol of that name, or NULL. Pointers last until the next symbol_add(). */
struct symbol *symbol_find(struct symbol_table *table, const char *name, size_t length);

/* Adds a symbol to the innermost scope, hiding others of that name; NULL when memory is out. */
struct symbol *symbol_add(struct symbol_table *table, const char *name, size_t length);

/* Opening a scope is remembering `symbols.count`; closing it is going back to that number. */
void symbol_close_scope(struct symbol_table *table, size_t count);

#endif
