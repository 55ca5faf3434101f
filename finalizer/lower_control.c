/* SPDX-License-Identifier: MIT */
/* Reads control directives (PRM 13.5), checks that they agree, and tells LLVM about them.
 * Input: the directives of kernels and functions, and those given at finalization. Output: function attributes.
 * Invariant: a kernel's directives are those that it, its callees and the caller of the finalizer agree on. */
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 1024 }; /* the most work-items that a work-group may have on any processor */

static uint64_t operand_value(const struct lower *l, const struct brig_view *view, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(view, operand);
    if (entry->kind == HSA_BRIG_KIND_OPERAND_WAVESIZE)
        return l->e.target->wave;
    struct bytes bytes = brig_bytes(view, ((const hsa_brig_operand_constant_bytes_t *)(const void *)entry)->bytes);
    uint64_t value = 0;
    memcpy(&value, bytes.data, bytes.size < 8 ? bytes.size : 8);
    return value;
}

static bool mismatch(struct lower *l, const char *name, unsigned control)
{
    return lower_fail(l, DIRECTIVE_CONTRADICTION, name, lang_value_text(LANG_SET_CONTROL_DIRECTIVE, control));
}

/* Adds the directives of a callee to those of its kernel; *BROKEN gets the first that contradicts the kernel's. */
static bool merge_callee(struct control_set *kernel, const struct control_set *callee, unsigned *broken)
{
    for (unsigned code = 1; code < CONTROL_DIRECTIVES; code++)
        if (control_given(callee, code) && control_row(code)->merge != CONTROL_PROMISE &&
            !control_add(kernel, code, callee->value[code])) {
            *broken = code;
            return false;
        }
    return true;
}

static bool values_fit(unsigned code, const uint64_t *values)
{
    for (unsigned i = 0; i < control_row(code)->operands; i++)
        if (!control_value_fits(code, values[i]))
            return false;
    return true;
}

/* Adds what the caller of the finalizer asks for; a caller may lower limits, but not raise them. */
static bool merge_given(struct control_set *kernel, const struct control_set *given, unsigned *broken)
{
    for (unsigned code = 1; code < CONTROL_DIRECTIVES; code++) {
        const uint64_t *values = given->value[code];
        if (!control_given(given, code))
            continue;
        *broken = code;
        if (!values_fit(code, values))
            return false;
        if (control_row(code)->merge == CONTROL_LIMIT && control_given(kernel, code)) {
            if (values[0] > kernel->value[code][0])
                return false;
            kernel->value[code][0] = values[0];
        } else if (!control_add(kernel, code, values)) {
            return false;
        }
    }
    return true;
}

/* Drops a required size that exceeds the kernel's own limit: the limit holds, so no launch can have that size, and the
 * kernel is compiled for those that are possible. */
static void drop_impossible(struct control_set *set)
{
    unsigned pair[2];
    if (control_conflict(set, pair))
        set->mask &= ~(UINT64_C(1) << pair[0]);
    if (control_conflict(set, pair)) /* both the grid's size and the group's may conflict */
        set->mask &= ~(UINT64_C(1) << pair[0]);
}

static void read_control(const struct lower *l, struct callable *callable)
{
    const struct brig_view *view = l->modules[callable->module].view;
    for (uint32_t at = callable->directive->first_code_block_entry; at < callable->directive->next_module_entry;
         at = brig_next_code(view, at)) {
        const hsa_brig_directive_control_t *d = (const void *)brig_code(view, at);
        if (d->base.kind != HSA_BRIG_KIND_DIRECTIVE_CONTROL || !control_row(d->control))
            continue;
        uint64_t values[CONTROL_VALUES] = {0};
        struct brig_list list = brig_list(view, d->operands);
        for (uint32_t i = 0; i < list.count && i < CONTROL_VALUES; i++)
            values[i] = operand_value(l, view, list.items[i]);
        control_tighten(&callable->control, d->control, values); /* the validator has warned of contradictions */
    }
    drop_impossible(&callable->control);
}

/* Product of three sizes, saturated. */
static uint64_t volume(uint64_t x, uint64_t y, uint64_t z)
{
    uint64_t result;
    if (__builtin_mul_overflow(x, y, &result) || __builtin_mul_overflow(result, z, &result))
        return UINT64_MAX;
    return result;
}

/* Whether the kernel, or the caller of the finalizer, gives every promise that the callee gives. */
static bool keeps_promises(const struct lower *l, const struct control_set *kernel, const struct control_set *callee,
                           unsigned *broken)
{
    for (unsigned code = 1; code < CONTROL_DIRECTIVES; code++)
        if (control_given(callee, code) && control_row(code)->merge == CONTROL_PROMISE &&
            !control_given(kernel, code) && !control_given(l->control, code)) {
            *broken = code;
            return false;
        }
    return true;
}

/* Adds the directives of every function that the kernel reaches by calls, as these bind the kernel, too. */
static bool merge_callees(struct lower *l, struct callable *kernel)
{
    VEC(uint32_t) todo = {0};
    uint8_t *seen = mem_zalloc(l->callables.count, 1);
    bool fits = seen != NULL, agrees = true;
    unsigned broken = 0;
    for (size_t i = 0; fits && i < kernel->callees.count; i++)
        fits = vec_push(&todo, kernel->callees.items[i]);
    while (fits && todo.count) {
        uint32_t index = todo.items[--todo.count];
        if (seen[index])
            continue;
        seen[index] = 1;
        const struct control_set *control = &l->callables.items[index].control;
        agrees = agrees && merge_callee(&kernel->control, control, &broken) &&
                 keeps_promises(l, &kernel->control, control, &broken);
        for (size_t i = 0; fits && i < l->callables.items[index].callees.count; i++)
            fits = vec_push(&todo, l->callables.items[index].callees.items[i]);
    }
    vec_free(&todo);
    mem_free(seen);
    if (!fits)
        return lower_no_memory(l);
    return agrees || mismatch(l, kernel->name, broken);
}

static uint8_t exceptions_of(const struct control_set *set, unsigned control)
{
    return (uint8_t)(control_given(set, control) ? set->value[control][0] & CONTROL_EXCEPTIONS : 0);
}

/* Exceptions that count in a kernel count in all that it calls, and those given to the finalizer in indirect functions,
 * too (PRM 13.5). */
static bool spread_exceptions(struct lower *l)
{
    VEC(uint32_t) todo = {0};
    bool fits = true;
    for (uint32_t i = 0; fits && i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        c->detects = exceptions_of(&c->control, HSA_BRIG_CONTROL_DIRECTIVE_ENABLEDETECTEXCEPTIONS);
        c->breaks = exceptions_of(&c->control, HSA_BRIG_CONTROL_DIRECTIVE_ENABLEBREAKEXCEPTIONS);
        if (c->is_indirect) {
            c->detects |= exceptions_of(l->control, HSA_BRIG_CONTROL_DIRECTIVE_ENABLEDETECTEXCEPTIONS);
            c->breaks |= exceptions_of(l->control, HSA_BRIG_CONTROL_DIRECTIVE_ENABLEBREAKEXCEPTIONS);
        }
        fits = !(c->detects | c->breaks) || vec_push(&todo, i);
    }
    while (fits && todo.count) {
        const struct callable *c = &l->callables.items[todo.items[--todo.count]];
        for (size_t i = 0; fits && i < c->callees.count; i++) {
            struct callable *callee = &l->callables.items[c->callees.items[i]];
            if (!(c->detects & ~callee->detects) && !(c->breaks & ~callee->breaks))
                continue;
            callee->detects |= c->detects;
            callee->breaks |= c->breaks;
            fits = vec_push(&todo, c->callees.items[i]);
        }
    }
    vec_free(&todo);
    return fits || lower_no_memory(l);
}

/* Kernels halt by exceptions where the mode register has a field that enables them. */
static bool check_breaks(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].breaks && target_generation(l->e.target) >= AMDGPU_GFX12)
            return lower_fail(l, BREAK_UNSUPPORTED, l->callables.items[i].name, l->e.target->processor->name);
    return true;
}

bool lower_control_check(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].is_defined)
            read_control(l, &l->callables.items[i]);
    for (size_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        if (!c->is_kernel || !c->is_defined)
            continue;
        if (!merge_callees(l, c))
            return false;
        unsigned broken, pair[2];
        if (!merge_given(&c->control, l->control, &broken))
            return mismatch(l, c->name, broken);
        if (control_conflict(&c->control, pair))
            return mismatch(l, c->name, pair[0]);
    }
    return spread_exceptions(l) && check_breaks(l);
}

void lower_attribute(struct lower *l, LLVMValueRef function, const char *key, const char *value)
{
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(l->e.context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

static void add_required_size(struct lower *l, const struct callable *kernel)
{
    const uint64_t *group = kernel->control.value[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE];
    LLVMMetadataRef sizes[3];
    for (int i = 0; i < 3; i++)
        sizes[i] = LLVMValueAsMetadata(emit_int(&l->e, 32, group[i]));
    LLVMMetadataRef node = LLVMMDNodeInContext2(l->e.context, sizes, 3);
    static const char kind[] = "reqd_work_group_size";
    LLVMGlobalSetMetadata(kernel->value, LLVMGetMDKindIDInContext(l->e.context, kind, sizeof kind - 1), node);
}

/* The most work-items that a group of KERNEL may have. */
static uint32_t most_items(const struct callable *kernel)
{
    const uint64_t *limit = kernel->control.value[HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE];
    return *limit && *limit < MOST_ITEMS ? (uint32_t)*limit : MOST_ITEMS;
}

/* How many work-items every group of KERNEL has, or 0 if it does not require a number that is possible. */
static uint32_t required_items(const struct callable *kernel)
{
    if (!control_given(&kernel->control, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE))
        return 0;
    const uint64_t *group = kernel->control.value[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE];
    uint64_t size = volume(group[0], group[1], group[2]);
    return size <= most_items(kernel) ? (uint32_t)size : 0;
}

uint32_t lower_control_most_items(const struct callable *c, unsigned dim)
{
    if (!c->is_kernel)
        return MOST_ITEMS;
    if (required_items(c))
        return (uint32_t)c->control.value[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE][dim];
    return most_items(c);
}

void lower_control_attributes(struct lower *l, const struct callable *kernel)
{
    char text[32];
    uint32_t required = required_items(kernel);
    if (required)
        add_required_size(l, kernel);
    snprintf(text, sizeof text, "%u,%u", required ? required : 1, required ? required : most_items(kernel));
    lower_attribute(l, kernel->value, "amdgpu-flat-work-group-size", text);
    snprintf(text, sizeof text, "%u", kernel->group_size);
    lower_attribute(l, kernel->value, "amdgpu-lds-size", text);
}
