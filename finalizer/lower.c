/* SPDX-License-Identifier: MIT */
/* Lowering of a whole program, step by step.
 * Input: a program whose modules are valid. Output: a complete LLVM module in the session.
 * Invariant: the first failure is kept, with its status and message. See lower.h. */
#include "finalizer/lower.h"

/* Marks kernels and indirect functions of the share that is lowered, and all that they call directly or through others.
 */
static bool find_reachable(struct lower *l)
{
    VEC(uint32_t) found = {0};
    bool fits = true;
    for (uint32_t i = 0; i < l->callables.count && fits; i++) {
        struct callable *c = &l->callables.items[i];
        c->is_reachable = c->is_defined && (c->is_kernel || c->is_indirect) && c->share == l->share;
        fits = !c->is_reachable || vec_push(&found, i);
    }
    for (size_t i = 0; i < found.count && fits; i++) {
        const struct callable *c = &l->callables.items[found.items[i]];
        for (size_t k = 0; k < c->callees.count && fits; k++) {
            struct callable *callee = &l->callables.items[c->callees.items[k]];
            fits = callee->is_reachable || vec_push(&found, c->callees.items[k]);
            callee->is_reachable = true;
        }
    }
    vec_free(&found);
    return fits || lower_no_memory(l);
}

/* Functions that are called, and group variables that are used, must have a definition (PRM 4.2.1). Functions that are
 * only called by address, and variables in global memory, may be defined elsewhere. */
static bool check_defined(struct lower *l)
{
    if (!find_reachable(l))
        return false;
    for (size_t i = 0; i < l->callables.count; i++) {
        const struct callable *c = &l->callables.items[i];
        if (!c->is_reachable)
            continue;
        if (!c->is_defined && c->call_sites)
            return lower_fail(l, FUNCTION_UNDEFINED, c->name);
        for (size_t k = 0; k < c->group_uses.count; k++) {
            const struct variable *v = &l->variables.items[c->group_uses.items[k]];
            if (!v->is_defined)
                return lower_fail(l, VARIABLE_UNDEFINED, v->name);
        }
    }
    return true;
}

bool lower_program(struct lower *l)
{
    if (l->failure.message || !lower_symbols(l) || !lower_graph(l) || !lower_control_check(l))
        return false;
    if (l->share)
        lower_shares(l);
    if (!check_defined(l))
        return false;
    for (size_t i = 0; i < l->callables.count; i++)
        if (!lower_declare(l, &l->callables.items[i]))
            return false;
    if (!lower_globals(l))
        return false;
    debug_globals(l);
    for (uint32_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].is_reachable && l->callables.items[i].is_defined && !lower_body(l, i))
            return false;
    return l->share > 1 || lower_notes(l); /* they are about all shares */
}
