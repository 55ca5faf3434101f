/* SPDX-License-Identifier: MIT */
/* Lowering of a whole program, step by step.
 * Input: a program whose modules are valid. Output: a complete LLVM module in the session.
 * Invariant: the first failure is kept, with its status and message. See lower.h. */
#include "finalizer/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool lower_fail(struct lower *l, hsa_status_t status, const char *format, ...)
{
    if (l->message[0])
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(l->message, sizeof l->message, format, args);
    va_end(args);
    l->status = status;
    return false;
}

bool lower_no_memory(struct lower *l)
{
    return lower_fail(l, HSA_STATUS_ERROR_OUT_OF_RESOURCES, "out of memory");
}

const char *lower_string(struct lower *l, const struct brig_view *view, uint32_t name)
{
    struct bytes bytes = brig_string(view, name);
    return arena_strndup(&l->arena, (const char *)bytes.data, bytes.size);
}

void lower_open(struct lower *l, const struct program *program)
{
    memset(l, 0, sizeof *l);
    l->program = program;
    l->status = HSA_STATUS_SUCCESS;
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
        m->round_zero = by_program ? program->rounding == HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO
                                   : round == HSA_BRIG_ROUND_FLOAT_ZERO;
    }
}

void lower_close(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++) {
        vec_free(&l->callables.items[i].callees);
        vec_free(&l->callables.items[i].group_uses);
    }
    vec_free(&l->callables);
    vec_free(&l->variables);
    arena_free(&l->arena);
}

/* What is called has to be there; what is called by address may come from elsewhere. */
static bool check_defined(struct lower *l)
{
    for (size_t i = 0; i < l->callables.count; i++) {
        const struct callable *c = &l->callables.items[i];
        if (!c->is_defined && c->call_sites)
            return lower_fail(l, (hsa_status_t)HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED,
                              "%s is called but no module of the program defines it", c->name);
    }
    return true;
}

bool lower_program(struct lower *l)
{
    if (l->message[0] || !lower_symbols(l) || !lower_graph(l) || !lower_control_check(l) || !check_defined(l))
        return false;
    for (size_t i = 0; i < l->callables.count; i++)
        if (!lower_declare(l, &l->callables.items[i]))
            return false;
    if (!lower_globals(l))
        return false;
    for (uint32_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].is_defined && !lower_body(l, i))
            return false;
    return true;
}
