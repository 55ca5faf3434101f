/* SPDX-License-Identifier: MIT */
/* Names: one space per scope, declarations that agree, definitions that exist (PRM 4.3, 4.6.2, 4.12).
 * Input: symbol directives in the order of the module. Output: diagnostics. Invariant: a table holds the first
 * directive of each name of the scopes that have not ended. */
#include "brig/meaning_p.h"
#include "support/alloc.h"
#include "support/hash.h"

#include <stdlib.h>

static uint32_t hash_name(const struct meaning *v, uint32_t scope, struct bytes name)
{
    return (uint32_t)hash_u64(hash_bytes(v->seed, name.data, name.size), scope) | 1;
}

static bool is_live(const struct meaning *v, const struct name_slot *slot)
{
    return slot->directive && (slot->scope == 0 || slot->scope == v->scope || slot->scope == v->arg_scope);
}

static bool same_name(const struct meaning *v, const struct name_slot *slot, struct bytes name)
{
    struct bytes other = meaning_name(v, slot->directive);
    return other.size == name.size && memcmp(other.data, name.data, name.size) == 0;
}

static struct name_slot *find(const struct meaning *v, const struct name_table *table, uint32_t scope,
                              struct bytes name, uint32_t hash)
{
    for (uint32_t i = hash, steps = 0; steps < table->size; i++, steps++) {
        struct name_slot *slot = &table->slots[i & (table->size - 1)];
        if (!slot->directive)
            return NULL;
        if (slot->hash == hash && slot->scope == scope && same_name(v, slot, name))
            return slot;
    }
    return NULL;
}

struct name_slot *names_find(struct meaning *v, struct name_table *table, uint32_t scope, struct bytes name)
{
    return find(v, table, scope, name, hash_name(v, scope, name));
}

static struct name_slot *place(struct name_table *table, const struct name_slot *new_slot)
{
    uint32_t i = new_slot->hash;
    while (table->slots[i & (table->size - 1)].directive)
        i++;
    struct name_slot *slot = &table->slots[i & (table->size - 1)];
    *slot = *new_slot;
    table->used++;
    return slot;
}

/* Makes room: a third of the table at most lives, so that the next time is as many additions away as half of that;
 * the slots of ended scopes go. */
static bool grow(struct meaning *v, struct name_table *table)
{
    uint32_t live = 0, size = 256;
    for (uint32_t i = 0; i < table->size; i++)
        live += is_live(v, &table->slots[i]);
    while (size / 3 <= live && size < UINT32_C(1) << 30)
        size *= 2;
    struct name_table larger = {mem_zalloc(size, sizeof *larger.slots), size, 0};
    if (!larger.slots) {
        v->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < table->size; i++)
        if (is_live(v, &table->slots[i]))
            place(&larger, &table->slots[i]);
    mem_free(table->slots);
    *table = larger;
    return true;
}

struct name_slot *names_enter(struct meaning *v, struct name_table *table, uint32_t scope, uint32_t directive,
                              bool *known)
{
    struct bytes name = meaning_name(v, directive);
    uint32_t hash = hash_name(v, scope, name);
    struct name_slot *slot = find(v, table, scope, name, hash), fresh = {hash, scope, directive, 0};
    *known = slot != NULL;
    if (slot)
        return slot;
    if (table->used >= table->size / 2 && !grow(v, table))
        return NULL;
    return place(table, &fresh);
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
struct symbol {
    uint16_t kind;
    uint8_t linkage;
    bool definition;
};

static struct symbol symbol_of(const struct meaning *v, uint32_t at)
{
    const hsa_brig_base_t *entry = brig_code(v->view, at);
    struct symbol symbol = {.kind = entry->kind, .linkage = HSA_BRIG_LINKAGE_MODULE, .definition = true};
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
static const char *difference(struct meaning *v, uint32_t first, uint32_t second)
{
    struct symbol a = symbol_of(v, first), b = symbol_of(v, second);
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
    struct symbol a = symbol_of(v, first), b = symbol_of(v, second);
    return a.kind == b.kind && a.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE && a.kind != HSA_BRIG_KIND_DIRECTIVE_MODULE;
}

void meaning_module_symbol(struct meaning *v, uint32_t at)
{
    struct bytes name = meaning_name(v, at);
    struct symbol symbol = symbol_of(v, at);
    check_reserved(v, at);
    bool known;
    struct name_slot *slot = names_enter(v, &v->module_names, 0, at, &known);
    if (slot && !known)
        slot->definition = symbol.definition ? at : 0;
    if (!slot || !known)
        return;
    if (!may_repeat(v, slot->directive, at)) {
        MEANING_FAIL(v, NAME_TWICE, at, name);
        MEANING_NOTE(v, EARLIER_HERE, slot->directive);
        return;
    }
    if (symbol.definition && slot->definition) {
        MEANING_FAIL(v, DEFINED_TWICE, at, name);
        MEANING_NOTE(v, EARLIER_HERE, slot->definition);
        return;
    }
    const char *what = difference(v, slot->directive, at);
    if (what) {
        MEANING_FAIL(v, REDECLARED, at, name, what);
        MEANING_NOTE(v, EARLIER_HERE, slot->directive);
    }
    if (symbol.kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE &&
        !brig_u64(CODE_AS(v, hsa_brig_directive_variable_t, slot->directive)->dim))
        slot->directive = at; /* which may know the dimension, as later ones must have it */
    if (symbol.definition)
        slot->definition = at;
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
    const struct name_slot *slot = names_enter(v, &v->local_names, scope, at, &known);
    if (!slot || !known)
        return;
    MEANING_FAIL(v, NAME_TWICE, at, name);
    MEANING_NOTE(v, EARLIER_HERE, slot->directive);
}

static int compare_offsets(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

void meaning_undefined(struct meaning *v)
{
    VEC(uint32_t) found = {0};
    for (uint32_t i = 0; i < v->module_names.size; i++) {
        const struct name_slot *slot = &v->module_names.slots[i];
        if (slot->directive && !slot->definition && symbol_of(v, slot->directive).linkage == HSA_BRIG_LINKAGE_MODULE &&
            !vec_push(&found, slot->directive))
            v->out_of_memory = true;
    }
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, compare_offsets); /* the hash is seeded */
    for (size_t i = 0; i < found.count; i++)
        MEANING_FAIL(v, UNDEFINED_SYMBOL, found.items[i], meaning_name(v, found.items[i]));
    vec_free(&found);
}
