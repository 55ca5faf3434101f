/* SPDX-License-Identifier: MIT */
/* Links the symbols of all modules by name (PRM 4.12).
 * Input: the modules of a program. Output: callables and variables and, for each module, the one that every
 * directive refers to. Invariant: a declaration refers to the definition if any module has one that the declaration
 * may see. */
#include "finalizer/lower.h"
#include "support/hash.h"
#include "support/hash_table.h"

#include <string.h>

/* A name that is visible across the program, or within one module. */
struct scope_entry {
    const char *name;
    uint32_t module; /* UINT32_MAX for program linkage */
    struct entity entity;
};

struct scope {
    VEC(struct scope_entry) entries;
    struct hash_table numbers; /* indices plus 1 */
    uint64_t seed;
};

static uint32_t hash_name(const struct scope *scope, const char *name, uint32_t module)
{
    return (uint32_t)hash_u64(hash_bytes(scope->seed, name, strlen(name)), module);
}

/* Returns the entry of a name, or NULL. The pointer is valid until an entry is added. */
static struct scope_entry *scope_find(struct scope *scope, const char *name, uint32_t module)
{
    uint32_t hash = hash_name(scope, name, module);
    for (uint32_t at = hash, number; (number = hash_table_next(&scope->numbers, hash, &at));) {
        struct scope_entry *entry = &scope->entries.items[number - 1];
        if (entry->module == module && !strcmp(entry->name, name))
            return entry;
    }
    return NULL;
}

static bool scope_add(struct scope *scope, struct scope_entry entry)
{
    uint32_t hash = hash_name(scope, entry.name, entry.module);
    return vec_push(&scope->entries, entry) && hash_table_add(&scope->numbers, hash, (uint32_t)scope->entries.count);
}

uint32_t lower_align(unsigned alignment)
{
    return alignment ? 1u << (alignment - 1) : 1;
}

uint64_t lower_variable_size(const hsa_brig_directive_variable_t *variable)
{
    uint64_t size = lang_type_size(variable->type);
    if (lang_type_is_array(variable->type) && __builtin_mul_overflow(size, brig_u64(variable->dim), &size))
        return UINT64_MAX;
    return size;
}

static struct formal make_formal(struct lower *l, const struct brig_view *view, uint32_t at)
{
    const hsa_brig_directive_variable_t *v = (const void *)brig_code(view, at);
    struct formal formal = {
        .type = (uint16_t)type_scalar(v->type),
        .is_array = lang_type_is_array(v->type),
        .align = lower_align(v->align),
        .size = lower_variable_size(v),
        .variable = at};
    formal.is_variadic = formal.is_array && !brig_u64(v->dim);
    formal.name = lower_string(l, view, v->name);
    return formal;
}

static bool add_formals(struct lower *l, struct callable *c, const struct brig_view *view)
{
    uint32_t count = (uint32_t)c->directive->out_arg_count + c->directive->in_arg_count;
    uint32_t at = brig_next_code(view, c->offset);
    c->formals = arena_zalloc(&l->arena, (size_t)count + 1, sizeof *c->formals);
    if (!c->formals)
        return lower_no_memory(l);
    c->output_count = c->directive->out_arg_count;
    c->input_count = c->directive->in_arg_count;
    for (uint32_t i = 0; i < count && at < c->directive->next_module_entry; at = brig_next_code(view, at))
        if (brig_code(view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
            c->formals[i++] = make_formal(l, view, at);
    return true;
}

static bool same_formals(const struct callable *a, const struct callable *b)
{
    if (a->is_kernel != b->is_kernel || a->is_indirect != b->is_indirect || a->output_count != b->output_count ||
        a->input_count != b->input_count)
        return false;
    for (uint32_t i = 0; i < a->output_count + a->input_count; i++)
        if (a->formals[i].type != b->formals[i].type || a->formals[i].is_array != b->formals[i].is_array ||
            a->formals[i].size != b->formals[i].size || a->formals[i].align != b->formals[i].align)
            return false;
    return true;
}

/* Merges a declaration or definition with the callable that ENTRY already refers to. */
static bool merge_callable(struct lower *l, const struct scope_entry *entry, const struct callable *c)
{
    struct callable *known = &l->callables.items[entry->entity.index];
    if (entry->entity.kind != ENTITY_CALLABLE || !same_formals(known, c))
        return lower_fail(l, SYMBOL_DECLARED, c->name);
    if (known->is_defined && c->is_defined)
        return lower_fail(l, SYMBOL_DEFINED, c->name);
    if (c->is_defined)
        *known = *c;
    return true;
}

static bool add_callable(struct lower *l, struct scope *scope, uint32_t module, uint32_t at)
{
    const struct brig_view *view = l->modules[module].view;
    struct callable c = {.module = module, .offset = at, .directive = (const void *)brig_code(view, at)};
    unsigned kind = c.directive->base.kind;
    bool is_signature = kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    c.name = lower_string(l, view, c.directive->name);
    c.is_kernel = kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL;
    c.is_indirect = c.address_taken = kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION;
    c.is_defined = !is_signature && c.directive->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION;
    if (!c.name || !add_formals(l, &c, view))
        return lower_no_memory(l);
    struct entity *entity = &l->modules[module].entities[at / 4];
    uint32_t where = c.directive->linkage == HSA_BRIG_LINKAGE_PROGRAM ? UINT32_MAX : module;
    const struct scope_entry *known = is_signature ? NULL : scope_find(scope, c.name, where);
    if (known) {
        *entity = known->entity;
        return merge_callable(l, known, &c);
    }
    *entity = (struct entity){ENTITY_CALLABLE, (uint32_t)l->callables.count};
    if (!is_signature && !scope_add(scope, (struct scope_entry){c.name, where, *entity}))
        return lower_no_memory(l);
    return vec_push(&l->callables, c) || lower_no_memory(l);
}

/* Whether two directives with the same name can mean the same variable or fbarrier (PRM 4.3.8). */
static bool same_variable(const struct lower *l, const struct variable *a, const struct variable *b)
{
    const hsa_brig_directive_variable_t *x = (const void *)brig_code(l->modules[a->module].view, a->offset);
    const hsa_brig_directive_variable_t *y = (const void *)brig_code(l->modules[b->module].view, b->offset);
    if (a->is_fbarrier || b->is_fbarrier)
        return a->is_fbarrier == b->is_fbarrier;
    return a->segment == b->segment && a->type == b->type && a->is_const == b->is_const && a->align == b->align &&
           x->allocation == y->allocation && (!a->size || !b->size || a->size == b->size);
}

static bool merge_variable(struct lower *l, const struct scope_entry *entry, const struct variable *v)
{
    struct variable *known = &l->variables.items[entry->entity.index];
    if (entry->entity.kind != ENTITY_VARIABLE || !same_variable(l, known, v))
        return lower_fail(l, SYMBOL_DECLARED, v->name);
    if (known->is_defined && v->is_defined)
        return lower_fail(l, SYMBOL_DEFINED, v->name);
    if (v->is_defined || !known->size) /* an array declared without a dimension has size 0 */
        *known = *v;
    return true;
}

/* An fbarrier lives in group memory: the counts of members and of arrivals, and the generation. */
enum { FBARRIER_SIZE = 16, FBARRIER_ALIGN = 8 };

static struct variable make_variable(const struct brig_view *view, uint32_t module, uint32_t at, uint32_t owner)
{
    struct variable result = {.module = module, .offset = at, .owner = owner};
    if (brig_code(view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER) {
        const hsa_brig_directive_fbarrier_t *b = (const void *)brig_code(view, at);
        result.segment = HSA_BRIG_SEGMENT_GROUP;
        result.is_fbarrier = true;
        result.linkage = b->linkage;
        result.is_defined = b->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
        result.size = FBARRIER_SIZE;
        result.align = FBARRIER_ALIGN;
        return result;
    }
    const hsa_brig_directive_variable_t *v = (const void *)brig_code(view, at);
    result.segment = v->segment;
    result.linkage = v->linkage;
    result.is_defined = v->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    result.is_const = v->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST;
    result.type = v->type;
    result.size = lower_variable_size(v);
    result.align = lower_align(v->align);
    result.init = v->init;
    return result;
}

static bool add_variable(struct lower *l, struct scope *scope, uint32_t module, uint32_t at, uint32_t owner)
{
    const struct brig_view *view = l->modules[module].view;
    struct variable v = make_variable(view, module, at, owner);
    /* name is the second member of either directive */
    v.name = lower_string(l, view, ((const hsa_brig_directive_fbarrier_t *)(const void *)brig_code(view, at))->name);
    if (!v.name)
        return lower_no_memory(l);
    struct entity *entity = &l->modules[module].entities[at / 4];
    *entity = (struct entity){ENTITY_VARIABLE, (uint32_t)l->variables.count};
    if (!owner) {
        uint32_t where = v.linkage == HSA_BRIG_LINKAGE_PROGRAM ? UINT32_MAX : module;
        const struct scope_entry *known = scope_find(scope, v.name, where);
        if (known) {
            *entity = known->entity;
            return merge_variable(l, known, &v);
        }
        if (!scope_add(scope, (struct scope_entry){v.name, where, *entity}))
            return lower_no_memory(l);
    }
    return vec_push(&l->variables, v) || lower_no_memory(l);
}

/* Whether the directive, which is in a body if OWNED and else at module scope, declares something that is not local to
 * one activation. */
static bool is_static(const struct brig_view *view, uint32_t at, bool owned)
{
    const hsa_brig_base_t *entry = brig_code(view, at);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER)
        return true;
    if (entry->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        return false;
    unsigned segment = ((const hsa_brig_directive_variable_t *)(const void *)entry)->segment;
    return !owned || segment == HSA_BRIG_SEGMENT_GLOBAL || segment == HSA_BRIG_SEGMENT_READONLY ||
           segment == HSA_BRIG_SEGMENT_GROUP;
}

static bool add_module(struct lower *l, struct scope *scope, uint32_t module)
{
    const struct brig_view *view = l->modules[module].view;
    l->modules[module].entities = arena_zalloc(&l->arena, brig_end_code(view) / 4 + 1, sizeof(struct entity));
    if (!l->modules[module].entities)
        return lower_no_memory(l);
    uint32_t owner = 0, body_end = 0;
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view); at = brig_next_code(view, at)) {
        if (at >= body_end)
            owner = 0;
        const hsa_brig_base_t *entry = brig_code(view, at);
        if (brig_is_executable(entry)) {
            if (!add_callable(l, scope, module, at))
                return false;
            owner = l->modules[module].entities[at / 4].index + 1;
            body_end = ((const hsa_brig_directive_executable_t *)(const void *)entry)->next_module_entry;
        } else if (is_static(view, at, owner) && !add_variable(l, scope, module, at, owner)) {
            return false;
        }
    }
    return true;
}

/* Whether a symbol with program linkage or an earlier one has the name. If not, the name is now taken. */
static bool is_taken(struct lower *l, struct scope *scope, const char *name)
{
    if (scope_find(scope, name, UINT32_MAX))
        return true;
    if (!scope_add(scope, (struct scope_entry){name, UINT32_MAX, {ENTITY_NONE, 0}}))
        lower_no_memory(l);
    return false;
}

/* Returns "&module::&name": symbols that are private to their modules may have the same name. If modules have the same
 * name too, the number of the module sets them apart. */
static const char *own_name(struct lower *l, struct scope *scope, uint32_t module, const char *name)
{
    const char *plain = lower_name_in_module(l, module, name, false);
    return plain && is_taken(l, scope, plain) ? lower_name_in_module(l, module, name, true) : plain;
}

/* Chooses the names in the code object. Whatever its linkage, a kernel can be looked up by its plain name, unless that
 * is taken. */
static bool name_symbols(struct lower *l, struct scope *scope)
{
    for (size_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        bool is_own = c->directive->linkage != HSA_BRIG_LINKAGE_PROGRAM && (c->is_defined || c->is_kernel);
        c->symbol =
            is_own && (!c->is_kernel || is_taken(l, scope, c->name)) ? own_name(l, scope, c->module, c->name) : c->name;
    }
    for (size_t i = 0; i < l->variables.count; i++) {
        struct variable *v = &l->variables.items[i];
        if (v->linkage == HSA_BRIG_LINKAGE_PROGRAM)
            v->symbol = v->name;
        else if (lower_has_module_linkage(v))
            v->symbol = own_name(l, scope, v->module, v->name);
        else
            v->symbol = lower_name_in_module(l, v->module, v->name, false);
    }
    return !l->failure.message;
}

bool lower_symbols(struct lower *l)
{
    struct scope scope = {.seed = hash_seed()};
    bool added = true;
    for (uint32_t i = 0; i < l->module_count && added; i++)
        added = add_module(l, &scope, i);
    added = added && name_symbols(l, &scope);
    vec_free(&scope.entries);
    hash_table_free(&scope.numbers);
    return added;
}
