/* SPDX-License-Identifier: MIT */
/* What is known of a program while it is linked and lowered. This file needs no LLVM.
 * Input: a program whose modules are valid. Output: its modules with their rounding, and room for its symbols.
 * Invariant: the first failure is kept, with its status and message. See lower.h. */
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

bool lower_no_memory(struct lower *l)
{
    return lower_fail(l, OUT_OF_MEMORY);
}

const char *lower_string(struct lower *l, const struct brig_view *view, uint32_t name)
{
    struct bytes bytes = brig_string(view, name);
    return arena_strndup(&l->arena, (const char *)bytes.data, bytes.size);
}

const char *lower_module_name(struct lower *l, uint32_t module)
{
    const struct brig_view *view = l->modules[module].view;
    const char *name = lower_string(l, view, brig_module_directive(view)->name);
    if (!name)
        lower_no_memory(l);
    return name;
}

const char *lower_name_in_module(struct lower *l, uint32_t module, const char *name, bool numbered)
{
    enum { NUMBER_SIZE = 16 };
    const char *prefix = lower_module_name(l, module);
    size_t size = prefix ? strlen(prefix) + strlen(name) + sizeof "::" + NUMBER_SIZE : 0;
    char *result = prefix ? arena_alloc(&l->arena, size) : NULL;
    if (result && numbered)
        snprintf(result, size, "%s#%u::%s", prefix, (unsigned)module, name);
    else if (result)
        snprintf(result, size, "%s::%s", prefix, name);
    else
        lower_no_memory(l);
    return result;
}

bool lower_has_module_linkage(const struct variable *v)
{
    return v->linkage == HSA_BRIG_LINKAGE_MODULE && v->is_defined && !v->is_fbarrier &&
           (v->segment == HSA_BRIG_SEGMENT_GLOBAL || v->segment == HSA_BRIG_SEGMENT_READONLY);
}

void lower_open(struct lower *l, const struct program *program)
{
    memset(l, 0, sizeof *l);
    l->program = program;
    l->module_count = (uint32_t)program->modules.count;
    l->modules = arena_zalloc(&l->arena, (size_t)l->module_count + 1, sizeof *l->modules);
    if (!l->modules) {
        lower_no_memory(l);
        return;
    }
    for (uint32_t i = 0; i < l->module_count; i++) {
        struct lower_module *m = &l->modules[i];
        m->view = &program->modules.items[i].view;
        unsigned round = brig_module_directive(m->view)->default_float_round;
        bool by_program = round != HSA_BRIG_ROUND_FLOAT_ZERO && round != HSA_BRIG_ROUND_FLOAT_NEAR_EVEN;
        m->round_zero =
            by_program ? program->rounding == HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO : round == HSA_BRIG_ROUND_FLOAT_ZERO;
    }
}

void lower_close(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++) {
        vec_free(&l->callables.items[i].callees);
        vec_free(&l->callables.items[i].callers);
        vec_free(&l->callables.items[i].group_uses);
    }
    vec_free(&l->callables);
    vec_free(&l->variables);
    arena_free(&l->arena);
}
