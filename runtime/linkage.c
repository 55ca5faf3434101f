/* SPDX-License-Identifier: MIT */
/* Which symbols of a code object have module linkage, and how clients name them. (HSA 1.2, "Code object loading"; PRM
 * 4.12)
 *
 * Input: notes of any content, names from clients. Output: the module and the name of symbols in HSAIL.
 * Invariant: a symbol that no note names has program linkage. */
#include "runtime/code_object.h"

#include "support/hash.h"
#include "support/hash_table.h"
#include "support/linkage_note.h"

enum { KD = 3 }; /* characters of ".kd" */

static size_t plain_length(const struct code_symbol *symbol)
{
    size_t length = strlen(symbol->name);
    bool has_suffix =
        symbol->kind == HSA_SYMBOL_KIND_KERNEL && length > KD && !strcmp(symbol->name + length - KD, ".kd");
    return has_suffix ? length - KD : length;
}

static void note_symbol(struct code_object *object, const struct hash_table *numbers,
                        const struct linkage_record *record)
{
    size_t length = strlen(record->symbol);
    uint32_t hash = (uint32_t)hash_bytes(hash_seed(), record->symbol, length);
    for (uint32_t at = hash, number; (number = hash_table_next(numbers, hash, &at));) {
        struct code_symbol *symbol = &object->symbols.items[number - 1];
        if (!symbol->defined || plain_length(symbol) != length || memcmp(symbol->name, record->symbol, length))
            continue;
        symbol->module = record->module;
        symbol->hsail_name = record->name;
    }
}

bool code_object_read_linkage(struct code_object *object, struct bytes note)
{
    struct hash_table numbers = {0};
    bool fits = true;
    for (size_t i = 0; i < object->symbols.count && fits; i++) {
        const struct code_symbol *symbol = &object->symbols.items[i];
        uint32_t hash = (uint32_t)hash_bytes(hash_seed(), symbol->name, plain_length(symbol));
        fits = hash_table_add(&numbers, hash, (uint32_t)i + 1);
    }
    struct linkage_record record;
    for (uint64_t at = 0; fits && linkage_next(note, &at, &record);)
        note_symbol(object, &numbers, &record);
    hash_table_free(&numbers);
    return fits;
}

/* Whether NAME is "module::name" of a symbol of module linkage. */
static bool is_qualified(const struct code_symbol *symbol, const char *name)
{
    size_t length = strlen(symbol->module);
    return !strncmp(name, symbol->module, length) && !strncmp(name + length, "::", 2) &&
           !strcmp(name + length + 2, symbol->hsail_name);
}

bool code_symbol_is_called(const struct code_symbol *symbol, const char *module, const char *name)
{
    if (module && *module)
        return symbol->module && !strcmp(symbol->module, module) && !strcmp(symbol->hsail_name, name);
    size_t length = plain_length(symbol);
    if (!strncmp(symbol->name, name, length) && (!name[length] || !strcmp(name + length, symbol->name + length)))
        return true;
    return symbol->module && is_qualified(symbol, name);
}

/* A kernel of HSAIL has the name that HSAIL gives it, without ".kd", as programs compare it; a kernel of another
 * language has its name in the object file. */
struct bytes code_symbol_name(const struct code_symbol *symbol)
{
    const char *name = symbol->module ? symbol->hsail_name : symbol->name;
    size_t length = !symbol->module && *name == '&' ? plain_length(symbol) : strlen(name);
    return (struct bytes){(const uint8_t *)name, length};
}
