/* SPDX-License-Identifier: MIT */
/* Which symbols of a code object have module linkage, and how clients name them; what kernels require of a launch. (HSA
 * 1.2, "Code object loading"; PRM 4.12, 13.5)
 *
 * Input: notes of any content, names from clients. Output: the module and the name of symbols in HSAIL, limits.
 * Invariant: a symbol that no note names has program linkage and no limits. */
#include "runtime/code_object.h"

#include "support/hash.h"
#include "support/linkage_note.h"

enum { KD = 3 }; /* characters of ".kd" */

static size_t plain_length(const struct code_symbol *symbol)
{
    size_t length = strlen(symbol->name);
    bool has_suffix =
        symbol->kind == HSA_SYMBOL_KIND_KERNEL && length > KD && !strcmp(symbol->name + length - KD, ".kd");
    return has_suffix ? length - KD : length;
}

uint32_t code_name_hash(const char *name, size_t length)
{
    if (length > KD && !memcmp(name + length - KD, ".kd", KD))
        length -= KD;
    return (uint32_t)hash_bytes(hash_seed(), name, length);
}

/* The next defined symbol called NAME, without ".kd"; *AT begins as the hash of the name. NULL: there is no other. */
static struct code_symbol *next_called(struct code_object *object, const char *name, uint32_t hash, uint32_t *at)
{
    size_t length = strlen(name);
    for (uint32_t number; (number = hash_table_next(&object->numbers, hash, at));) {
        struct code_symbol *symbol = &object->symbols.items[number - 1];
        if (symbol->defined && plain_length(symbol) == length && !memcmp(symbol->name, name, length))
            return symbol;
    }
    return NULL;
}

bool code_object_number(struct code_object *object)
{
    bool fits = true;
    for (size_t i = 0; i < object->symbols.count && fits; i++) {
        const char *name = object->symbols.items[i].name;
        fits = hash_table_add(&object->numbers, code_name_hash(name, strlen(name)), (uint32_t)i + 1);
    }
    return fits;
}

void code_object_read_linkage(struct code_object *object, struct bytes note)
{
    struct linkage_record record;
    for (uint64_t at = 0; linkage_next(note, &at, &record);) {
        uint32_t hash = code_name_hash(record.symbol, strlen(record.symbol)), slot = hash;
        for (struct code_symbol *symbol; (symbol = next_called(object, record.symbol, hash, &slot));) {
            symbol->module = record.module;
            symbol->hsail_name = record.name;
        }
    }
}

void code_object_read_limits(struct code_object *object, struct bytes note)
{
    struct launch_limits limits;
    const char *name;
    for (uint64_t at = 0; launch_note_next(note, &at, &name, &limits);) {
        uint32_t hash = code_name_hash(name, strlen(name)), slot = hash;
        for (struct code_symbol *symbol; (symbol = next_called(object, name, hash, &slot));)
            symbol->kernel.limits = limits;
    }
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
