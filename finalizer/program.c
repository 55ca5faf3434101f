/* SPDX-License-Identifier: MIT */
/* Programs: adding modules, as far as it needs no LLVM; program_compile.c does the rest.
 * Input: BRIG in memory. Output: the modules of a program, or why one does not fit. Invariant: a module in a program is
 * valid, compatible with it and agrees with the others about common symbols. */
#include "finalizer/program.h"

#include "brig/validate.h"
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

void program_free(struct program *program)
{
    vec_free(&program->modules);
}

static bool same_bytes(struct bytes a, struct bytes b)
{
    return a.size == b.size && (a.data == b.data || !memcmp(a.data, b.data, a.size));
}

static bool check_compatible(const struct program *program, const struct brig_view *view, struct failure *failure)
{
    const hsa_brig_directive_module_t *d = brig_module_directive(view);
    /* PRM 4.2.1 also rejects a $near module in a program that rounds to zero, but no runtime did. The module rounds
     * as it says. */
    bool near = program->rounding == HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR;
    if (d->machine_model != (unsigned)program->machine_model)
        return failure_record(failure, MODULE_MODEL, lang_value_text(LANG_SET_MACHINE_MODEL, d->machine_model),
                              lang_value_text(LANG_SET_MACHINE_MODEL, program->machine_model));
    if (d->profile != (unsigned)program->profile)
        return failure_record(failure, MODULE_PROFILE, lang_value_text(LANG_SET_PROFILE, d->profile),
                              lang_value_text(LANG_SET_PROFILE, program->profile));
    if (near && d->default_float_round == HSA_BRIG_ROUND_FLOAT_ZERO)
        return failure_record(failure, MODULE_ROUNDING);
    return true;
}

/* Links the symbols of all modules, without lowering anything. */
static bool check_symbols(const struct program *program, struct failure *failure)
{
    struct lower l;
    lower_open(&l, program);
    if (!l.failure.message)
        lower_symbols(&l);
    *failure = l.failure;
    lower_close(&l);
    return !failure->message;
}

/* Opens and validates a module; FAILURE gets the first thing that is wrong with it. */
static bool check_module(struct bytes bytes, struct brig_view *view, struct failure *failure)
{
    struct diag_list findings = {.limit = 1};
    enum brig_status status = brig_open(bytes.data, bytes.size, &findings, view);
    if (status == BRIG_OK)
        status = brig_validate(view, &findings);
    if (status == BRIG_OUT_OF_MEMORY)
        failure_record(failure, OUT_OF_MEMORY);
    for (size_t i = 0; status != BRIG_OK && i < findings.items.count; i++) {
        const struct diag *d = &findings.items.items[i];
        if (d->severity != DIAG_ERROR || failure->message)
            continue;
        failure_record(failure, MODULE_RULE, d->message);
        failure->rule = (uint32_t)(d->rule - diag_rules);
        failure->offset = d->place.begin;
        snprintf(failure->section, sizeof failure->section, "%s", d->place.section ? d->place.section : "");
    }
    diag_list_free(&findings);
    return status == BRIG_OK || failure_record(failure, MODULE_INVALID);
}

hsa_status_t program_add(struct program *program, hsa_ext_module_t module, size_t size, struct failure *failure)
{
    struct program_module added = {.module = module};
    bool fits = check_module((struct bytes){(const uint8_t *)module, size}, &added.view, failure) &&
                check_compatible(program, &added.view, failure);
    for (size_t i = 0; fits && i < program->modules.count; i++)
        if (same_bytes(program->modules.items[i].view.module, added.view.module))
            fits = failure_record(failure, MODULE_TWICE);
    if (fits && !vec_push(&program->modules, added))
        fits = failure_record(failure, OUT_OF_MEMORY);
    if (fits && !check_symbols(program, failure))
        program->modules.count--;
    if (failure->message)
        failure->module = (uint32_t)program->modules.count + 1;
    return failure_status(failure);
}
