/* SPDX-License-Identifier: MIT */
/* The offline interface: see hsail/finalize.h.
 * Input: BRIG modules. Output: a code object. The program gets the machine model and profile of its first module. */
#define _GNU_SOURCE
#include "config.h"

#include "hsail/finalize.h"

#include "finalizer/export.h"
#include "finalizer/program.h"

#include <stdio.h>
#include <string.h>

static hsail_status_t status_of(hsa_status_t status)
{
    switch ((int)status) {
    case HSA_STATUS_SUCCESS: return HSAIL_STATUS_OK;
    case HSA_STATUS_ERROR:
    case HSA_STATUS_ERROR_INVALID_ISA:
    case HSA_STATUS_ERROR_INVALID_ARGUMENT: return HSAIL_STATUS_ARGUMENT;
    case HSA_STATUS_ERROR_OUT_OF_RESOURCES: return HSAIL_STATUS_OUT_OF_MEMORY;
    case HSA_EXT_STATUS_ERROR_INVALID_MODULE:
    case HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE:
    case HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED:
    case HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH:
    case HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH: return HSAIL_STATUS_INVALID;
    default: return HSAIL_STATUS_FAILED; /* the numbers of HSA's statuses are open */
    }
}

/* Gives the program the machine model and profile of its first module. Whether the module is valid is checked when it
 * is added. */
static void program_like(struct program *program, const hsail_finalize_module_t *module)
{
    struct brig_view view;
    if (brig_open(module->brig, module->size, NULL, &view) != BRIG_OK)
        return;
    const hsa_brig_directive_module_t *d = brig_module_directive(&view);
    program->machine_model = (hsa_machine_model_t)d->machine_model;
    program->profile = (hsa_profile_t)d->profile;
}

/* Whether there is at least one module, and each has bytes that are aligned as BRIG has to be. */
static bool are_modules(const hsail_finalize_module_t *modules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!modules[i].brig || (uintptr_t)modules[i].brig % 16)
            return false;
    return count;
}

struct target_names {
    char text[1024];
    size_t used;
};

static int append_name(void *user, const hsail_finalize_target_t *target)
{
    struct target_names *names = user;
    int added = snprintf(names->text + names->used, sizeof names->text - names->used, " %s", target->name);
    names->used += (size_t)added;
    return names->used >= sizeof names->text;
}

static const char *feature_names(const struct amdgpu_processor *processor)
{
    static const char *const names[2][2] = {{"", "xnack"}, {"sramecc", "sramecc xnack"}};
    return names[processor->sramecc][processor->xnack];
}

/* Records which part of NAME is no feature of its processor, or that this build's LLVM lacks the processor; nothing if
 * the processor is unknown. */
static void refuse_known(const char *name, struct failure *failure)
{
    const struct amdgpu_processor *processor = NULL;
    struct amdgpu_target id;
    const char *end = name + strlen(name), *stop = name + strcspn(name, ":");
    while (amdgpu_target_parse(name, (size_t)(stop - name), &id)) {
        processor = id.processor;
        if (stop == end)
            break;
        stop += 1 + strcspn(stop + 1, ":");
    }
    if (!processor)
        return;
    if (!target_is_supported(processor)) {
        failure_record(failure, TARGET_LLVM, processor->name, LLVM_RELEASE);
        return;
    }
    const char *begin = memrchr(name, ':', (size_t)(stop - name));
    begin = begin ? begin + 1 : name;
    int length = stop - begin < 64 ? (int)(stop - begin) : 64;
    failure_record(failure, TARGET_FEATURE, name, length, begin, processor->name, feature_names(processor));
}

static void refuse_target(const char *name, struct failure *failure)
{
    struct target_names names = {0};
    refuse_known(name, failure);
    if (hsail_finalize_list_targets(append_name, &names) == HSAIL_STATUS_OK)
        failure_record(failure, TARGET_UNKNOWN, name, names.text);
}

static void finalize_all(const hsail_finalize_module_t *modules, size_t count, const struct target *target,
                         const struct finalize_options *options, struct finalize_result *result)
{
    struct program program = {0};
    struct control_set control = {0};
    program_like(&program, &modules[0]);
    for (size_t i = 0; i < count && !result->failure.message; i++)
        program_add(&program, (hsa_ext_module_t)modules[i].brig, modules[i].size, &result->failure);
    if (!result->failure.message)
        program_finalize(&program, target, &control, options, result);
    program_free(&program);
}

/* Hands a failure or a remark, if there is one, to the caller. */
static void deliver_failure(const struct failure *failure, hsail_severity_t severity,
                            const hsail_finalize_module_t *modules, hsail_diagnostic_callback_t callback, void *user)
{
    if (!callback || !failure->message)
        return;
    const char *name = failure->module ? modules[failure->module - 1].name : "<program>";
    hsail_diagnostic_t diagnostic = {
        .severity = severity,
        .id = failure_id(failure),
        .message = failure->text,
        .prm_section = failure_prm_section(failure),
        .name = name ? name : "<module>",
        .brig_section = *failure->section ? failure->section : NULL,
        .offset = failure->offset,
    };
    callback(user, &diagnostic);
}

FINALIZER_EXPORT hsail_status_t hsail_finalize(const hsail_finalize_module_t *modules, size_t count, const char *target,
                                               const char *options, hsail_diagnostic_callback_t callback, void *user,
                                               void **code_object, size_t *size)
{
    struct finalize_result result = {0};
    struct target machine;
    struct finalize_options choices;
    if (!modules || !count || !target || !code_object || !size)
        failure_record(&result.failure, ARGUMENT_MISSING);
    else if (!are_modules(modules, count))
        failure_record(&result.failure, MODULE_BYTES);
    else if (!target_parse(target, &machine))
        refuse_target(target, &result.failure);
    else if (options_parse(options, &choices, &result.failure))
        finalize_all(modules, count, &machine, &choices, &result);
    if (code_object)
        *code_object = result.image;
    if (size)
        *size = result.size;
    deliver_failure(&result.remark, HSAIL_SEVERITY_WARNING, modules, callback, user);
    deliver_failure(&result.failure, HSAIL_SEVERITY_ERROR, modules, callback, user);
    return status_of(failure_status(&result.failure));
}

FINALIZER_EXPORT void hsail_finalize_free(void *code_object)
{
    mem_free(code_object);
}

FINALIZER_EXPORT hsail_status_t hsail_finalize_list_targets(hsail_finalize_target_callback_t callback, void *user)
{
    size_t count;
    const struct amdgpu_processor *processors = amdgpu_processors(&count);
    if (!callback)
        return HSAIL_STATUS_ARGUMENT;
    for (const struct amdgpu_processor *p = processors; p < processors + count; p++) {
        struct target machine;
        if (!target_is_supported(p) || !target_parse(p->name, &machine))
            continue;
        hsail_finalize_target_t target = {p->name, feature_names(p), p->generation->waves};
        if (callback(user, &target))
            break;
    }
    return HSAIL_STATUS_OK;
}
