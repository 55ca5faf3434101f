/* SPDX-License-Identifier: MIT */
/* Control directives (PRM 13.5): reading, agreement, and what LLVM is told.
 * Input: the directives of kernels and functions, and those given at finalization. Output: function
 * attributes. Invariant: a kernel's directives are those that it, its callees and the caller of the finalizer
 * agree on. */
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

static uint64_t operand_value(const struct lower *l, const struct brig_view *view, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(view, operand);
    if (entry->kind == HSA_BRIG_KIND_OPERAND_WAVESIZE)
        return l->e.target->wave;
    struct bytes bytes =
        brig_bytes(view, ((const hsa_brig_operand_constant_bytes_t *)(const void *)entry)->bytes);
    uint64_t value = 0;
    memcpy(&value, bytes.data, bytes.size < 8 ? bytes.size : 8);
    return value;
}

static bool mismatch(struct lower *l, const char *name, const char *what)
{
    return lower_fail(l, (hsa_status_t)HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH,
                      "%s: directive %s contradicts another", name, what);
}

static bool merge_field(uint64_t *into, uint64_t value, bool known)
{
    bool agrees = !known || *into == value;
    *into = value;
    return agrees;
}

/* Adds directive CODE with VALUES to CONTROL. */
static bool merge(struct control *control, unsigned code, const uint64_t *values)
{
    bool known = control->mask >> code & 1, agrees = true;
    uint64_t scratch;
    control->mask |= (uint64_t)1 << code;
#define FIELD(member, value)                                                                                 \
    (scratch = (member), agrees &= merge_field(&scratch, (value), known),                                    \
     (member) = (__typeof__(member))scratch)
    switch ((hsa_brig_control_directive_t)code) {
    case HSA_BRIG_CONTROL_DIRECTIVE_ENABLEBREAKEXCEPTIONS:
        control->break_exceptions |= (uint32_t)values[0];
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_ENABLEDETECTEXCEPTIONS:
        control->detect_exceptions |= (uint32_t)values[0];
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE:
        FIELD(control->max_dynamic_group, values[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE:
        FIELD(control->max_flat_grid, values[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE:
        FIELD(control->max_flat_group, values[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM:
        FIELD(control->required_dim, values[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGROUPBASEPTRALIGN:
        FIELD(control->group_align, values[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE:
        for (int i = 0; i < 3; i++)
            FIELD(control->required_grid[i], values[i]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE:
        for (int i = 0; i < 3; i++)
            FIELD(control->required_group[i], values[i]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_NONE:
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWORKGROUPS:
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWAVEFRONTS:
    case HSA_BRIG_CONTROL_DIRECTIVE_FIRST_USER_DEFINED:
        break;
    }
#undef FIELD
    return agrees;
}

static void values_of(const struct control *c, unsigned code, uint64_t values[3])
{
    values[0] = values[1] = values[2] = 0;
    switch ((hsa_brig_control_directive_t)code) {
    case HSA_BRIG_CONTROL_DIRECTIVE_ENABLEBREAKEXCEPTIONS:
        values[0] = c->break_exceptions;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_ENABLEDETECTEXCEPTIONS:
        values[0] = c->detect_exceptions;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE:
        values[0] = c->max_dynamic_group;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE:
        values[0] = c->max_flat_grid;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE:
        values[0] = c->max_flat_group;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM:
        values[0] = c->required_dim;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGROUPBASEPTRALIGN:
        values[0] = c->group_align;
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE:
        memcpy(values, c->required_grid, sizeof c->required_grid);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE:
        for (int i = 0; i < 3; i++)
            values[i] = c->required_group[i];
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_NONE:
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWORKGROUPS:
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWAVEFRONTS:
    case HSA_BRIG_CONTROL_DIRECTIVE_FIRST_USER_DEFINED:
        break;
    }
}

static bool merge_all(struct control *into, const struct control *from)
{
    bool agrees = true;
    for (unsigned code = 1; code <= HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGROUPBASEPTRALIGN; code++)
        if (from->mask >> code & 1) {
            uint64_t values[3];
            values_of(from, code, values);
            agrees &= merge(into, code, values);
        }
    return agrees;
}

bool lower_control(struct lower *l, struct callable *callable)
{
    const struct brig_view *view = l->modules[callable->module].view;
    for (uint32_t at = callable->directive->first_code_block_entry;
         at < callable->directive->next_module_entry; at = brig_next_code(view, at)) {
        const hsa_brig_directive_control_t *d = (const void *)brig_code(view, at);
        if (d->base.kind != HSA_BRIG_KIND_DIRECTIVE_CONTROL || d->control >= 64)
            continue;
        uint64_t values[3] = {0};
        struct brig_list list = brig_list(view, d->operands);
        for (uint32_t i = 0; i < list.count && i < 3; i++)
            values[i] = operand_value(l, view, list.items[i]);
        if (!merge(&callable->control, d->control, values))
            return mismatch(l, callable->name, isa_value_text(ISA_SET_CONTROL_DIRECTIVE, d->control));
    }
    return true;
}

/* Product of three sizes, saturated. */
static uint64_t volume(uint64_t x, uint64_t y, uint64_t z)
{
    uint64_t result;
    if (__builtin_mul_overflow(x, y, &result) || __builtin_mul_overflow(result, z, &result))
        return UINT64_MAX;
    return result;
}

static bool has(const struct control *c, unsigned code)
{
    return c->mask >> code & 1;
}

static bool is_consistent(const struct control *c)
{
    bool grid = has(c, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE);
    bool group = has(c, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE);
    if (group && has(c, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE) &&
        volume(c->required_group[0], c->required_group[1], c->required_group[2]) > c->max_flat_group)
        return false;
    if (grid && has(c, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE) &&
        volume(c->required_grid[0], c->required_grid[1], c->required_grid[2]) > c->max_flat_grid)
        return false;
    for (uint32_t dim = c->required_dim; has(c, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM) && dim < 3; dim++)
        if ((grid && c->required_grid[dim] != 1) || (group && c->required_group[dim] != 1))
            return false;
    return true;
}

/* Directives of direct callees bind the kernel too; a walk over what it reaches. */
static bool merge_callees(struct lower *l, struct callable *kernel)
{
    VEC(uint32_t) todo = {0};
    uint8_t *seen = mem_zalloc(l->callables.count, 1);
    bool fits = seen != NULL, agrees = true;
    for (size_t i = 0; fits && i < kernel->callees.count; i++)
        fits = vec_push(&todo, kernel->callees.items[i]);
    while (fits && todo.count) {
        uint32_t index = todo.items[--todo.count];
        if (seen[index])
            continue;
        seen[index] = 1;
        agrees &= merge_all(&kernel->control, &l->callables.items[index].control);
        for (size_t i = 0; fits && i < l->callables.items[index].callees.count; i++)
            fits = vec_push(&todo, l->callables.items[index].callees.items[i]);
    }
    vec_free(&todo);
    mem_free(seen);
    if (!fits)
        return lower_no_memory(l);
    return agrees || mismatch(l, kernel->name, "of a callee");
}

bool lower_control_check(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].is_defined && !lower_control(l, &l->callables.items[i]))
            return false;
    for (size_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        if (!c->is_kernel || !c->is_defined)
            continue;
        if (!merge_callees(l, c))
            return false;
        if (!merge_all(&c->control, l->control))
            return mismatch(l, c->name, "given at finalization");
        if (!is_consistent(&c->control))
            return mismatch(l, c->name, "of the sizes");
    }
    return true;
}

static void add_attribute(struct lower *l, LLVMValueRef function, const char *key, const char *value)
{
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(l->e.context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

static void add_required_size(struct lower *l, const struct callable *kernel)
{
    LLVMMetadataRef sizes[3];
    for (int i = 0; i < 3; i++)
        sizes[i] = LLVMValueAsMetadata(emit_int(&l->e, 32, kernel->control.required_group[i]));
    LLVMMetadataRef node = LLVMMDNodeInContext2(l->e.context, sizes, 3);
    static const char kind[] = "reqd_work_group_size";
    LLVMGlobalSetMetadata(kernel->value, LLVMGetMDKindIDInContext(l->e.context, kind, sizeof kind - 1), node);
}

void lower_control_attributes(struct lower *l, const struct callable *kernel)
{
    const struct control *c = &kernel->control;
    char text[32];
    uint64_t most = 1024;
    if (has(c, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE) && c->max_flat_group &&
        c->max_flat_group < most)
        most = c->max_flat_group;
    uint64_t least = 1;
    if (has(c, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE)) {
        uint64_t size = volume(c->required_group[0], c->required_group[1], c->required_group[2]);
        if (size && size <= most) {
            least = most = size;
            add_required_size(l, kernel);
        }
    }
    snprintf(text, sizeof text, "%u,%u", (unsigned)least, (unsigned)most);
    add_attribute(l, kernel->value, "amdgpu-flat-work-group-size", text);
    snprintf(text, sizeof text, "%u", kernel->group_size);
    add_attribute(l, kernel->value, "amdgpu-lds-size", text);
}
