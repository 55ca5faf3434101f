/* SPDX-License-Identifier: MIT */
/* Names: one space per scope, declarations that agree, definitions that exist (PRM 4.3, 4.6.2, 4.12).
 * Input: symbol directives in the order of the module. Output: diagnostics. Invariant: a table holds the first
 * directive of each name of its scopes. */
#include "brig/meaning_p.h"
#include "support/alloc.h"
#include "support/hash.h"

#include <stdlib.h>

static uint32_t hash_name(const struct meaning *v, uint32_t scope, struct bytes name)
{
    return (uint32_t)hash_u64(hash_bytes(v->seed, name.data, name.size), scope);
}

static struct name_entry *find_name(const struct meaning *v, const struct name_table *table, uint32_t scope,
                                    struct bytes name, uint32_t hash)
{
    for (uint32_t at = hash, number; (number = hash_table_next(&table->numbers, hash, &at));) {
        struct name_entry *entry = &table->names.items[number - 1];
        struct bytes other = meaning_name(v, entry->directive);
        if (entry->scope == scope && other.size == name.size && memcmp(other.data, name.data, name.size) == 0)
            return entry;
    }
    return NULL;
}

struct name_entry *names_find(struct meaning *v, struct name_table *table, uint32_t scope, struct bytes name)
{
    return find_name(v, table, scope, name, hash_name(v, scope, name));
}

struct name_entry *names_enter(struct meaning *v, struct name_table *table, uint32_t scope, uint32_t directive,
                               bool *known)
{
    struct bytes name = meaning_name(v, directive);
    uint32_t hash = hash_name(v, scope, name);
    struct name_entry *entry = find_name(v, table, scope, name, hash), fresh = {hash, scope, directive, 0};
    *known = entry != NULL;
    if (entry)
        return entry;
    if (!vec_reserve(&table->names, 1) || !hash_table_add(&table->numbers, hash, (uint32_t)table->names.count + 1)) {
        v->out_of_memory = true;
        return NULL;
    }
    table->names.items[table->names.count++] = fresh;
    return &table->names.items[table->names.count - 1];
}

void names_clear(struct name_table *table)
{
    for (; table->names.count; table->names.count--)
        hash_table_remove(&table->numbers, table->names.items[table->names.count - 1].hash,
                          (uint32_t)table->names.count);
}

void names_free(struct name_table *table)
{
    vec_free(&table->names);
    hash_table_free(&table->numbers);
}

static void check_reserved(struct meaning *v, uint32_t at)
{
    struct bytes name = meaning_name(v, at);
    if (lang_placeholder(name.data, name.size) >= 0)
        return;
    if (name.size > 6 && memcmp(name.data + 1, "__hsa", 5) == 0)
        MEANING_WARN(v, RESERVED_NAME, at, name);
}

/* What the directive of a symbol says about it. */
struct symbol_directive {
    uint16_t kind;
    uint8_t linkage;
    bool definition;
};

static struct symbol_directive symbol_of(const struct meaning *v, uint32_t at)
{
    const hsa_brig_base_t *entry = brig_code(v->view, at);
    struct symbol_directive symbol = {.kind = entry->kind, .linkage = HSA_BRIG_LINKAGE_MODULE, .definition = true};
    if (brig_is_executable(entry)) {
        const hsa_brig_directive_executable_t *e = (const void *)entry;
        symbol.linkage = e->linkage;
        symbol.definition = e->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION;
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        const hsa_brig_directive_variable_t *var = (const void *)entry;
        symbol.linkage = var->linkage;
        symbol.definition = var->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER) {
        const hsa_brig_directive_fbarrier_t *f = (const void *)entry;
        symbol.linkage = f->linkage;
        symbol.definition = f->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    }
    return symbol;
}

static const char *variable_difference(const hsa_brig_directive_variable_t *a, const hsa_brig_directive_variable_t *b)
{
    if (a->segment != b->segment)
        return "segment";
    if (a->type != b->type)
        return "type";
    if (brig_u64(a->dim) != brig_u64(b->dim) && brig_u64(a->dim) && brig_u64(b->dim))
        return "dimension";
    if (a->align != b->align)
        return "alignment";
    if (a->allocation != b->allocation)
        return "allocation";
    if ((a->modifier ^ b->modifier) & HSA_BRIG_VARIABLE_MODIFIER_CONST)
        return "const qualifier";
    return NULL;
}

/* In what two directives of one name differ, or NULL. */
static const char *directive_difference(struct meaning *v, uint32_t first, uint32_t second)
{
    struct symbol_directive a = symbol_of(v, first), b = symbol_of(v, second);
    if (a.kind != b.kind)
        return "kind";
    if (a.linkage != b.linkage)
        return "linkage";
    if (a.kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        return variable_difference(
            CODE_AS(v, hsa_brig_directive_variable_t, first), CODE_AS(v, hsa_brig_directive_variable_t, second));
    if (brig_is_executable(brig_code(v->view, first)) && !meaning_same_formals(v, first, second))
        return "list of arguments";
    return NULL;
}

static bool may_repeat(const struct meaning *v, uint32_t first, uint32_t second)
{
    struct symbol_directive a = symbol_of(v, first), b = symbol_of(v, second);
    return a.kind == b.kind && a.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE && a.kind != HSA_BRIG_KIND_DIRECTIVE_MODULE;
}

void meaning_module_symbol(struct meaning *v, uint32_t at)
{
    struct bytes name = meaning_name(v, at);
    struct symbol_directive symbol = symbol_of(v, at);
    check_reserved(v, at);
    bool known;
    struct name_entry *entry = names_enter(v, &v->module_names, 0, at, &known);
    if (entry && !known)
        entry->definition = symbol.definition ? at : 0;
    if (!entry || !known)
        return;
    if (!may_repeat(v, entry->directive, at)) {
        MEANING_FAIL(v, NAME_TWICE, at, name);
        MEANING_NOTE(v, EARLIER_HERE, entry->directive);
        return;
    }
    if (symbol.definition && entry->definition) {
        MEANING_FAIL(v, DEFINED_TWICE, at, name);
        MEANING_NOTE(v, EARLIER_HERE, entry->definition);
        return;
    }
    const char *what = directive_difference(v, entry->directive, at);
    if (what) {
        MEANING_FAIL(v, REDECLARED, at, name, what);
        MEANING_NOTE(v, EARLIER_HERE, entry->directive);
    }
    if (symbol.kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE &&
        !brig_u64(CODE_AS(v, hsa_brig_directive_variable_t, entry->directive)->dim))
        entry->directive = at; /* this one may have the dimension, which later ones must repeat */
    if (symbol.definition)
        entry->definition = at;
}

void meaning_local_symbol(struct meaning *v, uint32_t at)
{
    struct bytes name = meaning_name(v, at);
    bool label = brig_code(v->view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL;
    uint32_t scope = v->arg_scope && !label ? v->arg_scope : v->scope;
    if (!name.size)
        return; /* an unnamed argument of a signature */
    check_reserved(v, at);
    bool known;
    const struct name_entry *entry = names_enter(v, &v->local_names, scope, at, &known);
    if (!entry || !known)
        return;
    MEANING_FAIL(v, NAME_TWICE, at, name);
    MEANING_NOTE(v, EARLIER_HERE, entry->directive);
}

static int compare_offsets(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

void meaning_undefined(struct meaning *v)
{
    VEC(uint32_t) found = {0};
    for (size_t i = 0; i < v->module_names.names.count; i++) {
        const struct name_entry *entry = &v->module_names.names.items[i];
        if (!entry->definition && symbol_of(v, entry->directive).linkage == HSA_BRIG_LINKAGE_MODULE &&
            !vec_push(&found, entry->directive))
            v->out_of_memory = true;
    }
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, compare_offsets);
    for (size_t i = 0; i < found.count; i++)
        MEANING_FAIL(v, UNDEFINED_SYMBOL, found.items[i], meaning_name(v, found.items[i]));
    vec_free(&found);
}
