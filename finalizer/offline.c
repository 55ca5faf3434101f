/* SPDX-License-Identifier: MIT */
/* The offline interface: see hsail/finalize.h.
 * Input: BRIG modules. Output: a code object. The program takes machine model and profile of the first
 * module. */
#include "hsail/finalize.h"

#include "finalizer/export.h"
#include "finalizer/program.h"

#include <stdio.h>
#include <string.h>

static hsail_finalize_status_t status_of(hsa_status_t status)
{
    switch ((int)status) {
    case HSA_STATUS_SUCCESS: return HSAIL_FINALIZE_OK;
    case HSA_STATUS_ERROR_OUT_OF_RESOURCES: return HSAIL_FINALIZE_OUT_OF_MEMORY;
    case HSA_EXT_STATUS_ERROR_INVALID_MODULE: return HSAIL_FINALIZE_INVALID_MODULE;
    case HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE: return HSAIL_FINALIZE_INCOMPATIBLE_MODULE;
    case HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH: return HSAIL_FINALIZE_SYMBOL_MISMATCH;
    case HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH: return HSAIL_FINALIZE_DIRECTIVE_MISMATCH;
    default: return HSAIL_FINALIZE_FAILED;
    }
}

/* Machine model and profile of the first module make the program's; whether it is valid is seen when it is
 * added. */
static void program_like(struct program *program, const hsail_finalize_module_t *module)
{
    struct brig_view view;
    if (brig_open(module->brig, module->size, NULL, &view) != BRIG_OK)
        return;
    const hsa_brig_directive_module_t *d = brig_module_directive(&view);
    program->machine_model = (hsa_machine_model_t)d->machine_model;
    program->profile = (hsa_profile_t)d->profile;
}

static hsail_finalize_status_t run(const hsail_finalize_module_t *modules, size_t count, const struct target *target,
                                   const struct finalize_options *options, struct finalize_result *result)
{
    struct program program = {0};
    struct control_set control = {0};
    char text[512] = "";
    hsa_status_t status = HSA_STATUS_SUCCESS;
    program_like(&program, &modules[0]);
    for (size_t i = 0; i < count && status == HSA_STATUS_SUCCESS; i++)
        status = program_add(&program, (hsa_ext_module_t)modules[i].brig, modules[i].size, text);
    if (status == HSA_STATUS_SUCCESS)
        status = program_finalize(&program, target, &control, options, result);
    else
        snprintf(result->message, sizeof result->message, "%s", text);
    program_free(&program);
    return status_of(status);
}

FINALIZER_EXPORT hsail_finalize_status_t hsail_finalize(const hsail_finalize_module_t *modules, size_t count,
                                                        const char *target, const char *options, void **code_object,
                                                        size_t *size, char *message, size_t message_size)
{
    struct finalize_result result = {0};
    struct target machine;
    struct finalize_options choices;
    hsail_finalize_status_t status = HSAIL_FINALIZE_INVALID_ARGUMENT;
    char unknown[64];
    if (!modules || !count || !target || !code_object || !size) {
        snprintf(result.message, sizeof result.message, "an argument is missing");
    } else if (!target_parse(target, &machine)) {
        snprintf(result.message, sizeof result.message, "unknown target '%s'", target);
        status = HSAIL_FINALIZE_UNKNOWN_TARGET;
    } else if (!options_parse(options, &choices, unknown)) {
        snprintf(result.message, sizeof result.message, "unknown option '%s'", unknown);
        status = HSAIL_FINALIZE_UNKNOWN_OPTION;
    } else {
        status = run(modules, count, &machine, &choices, &result);
    }
    if (code_object)
        *code_object = result.image;
    if (size)
        *size = result.size;
    if (message && message_size)
        snprintf(message, message_size, "%s", result.message);
    return status;
}

FINALIZER_EXPORT void hsail_finalize_free(void *code_object)
{
    mem_free(code_object);
}
