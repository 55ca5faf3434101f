/* SPDX-License-Identifier: MIT */
/* The functions by which a runtime uses the finalizer; see hsa/hsa_ext_finalize_plugin.h.
 * Input: calls of an application, passed on by the runtime. Output: statuses, code objects.
 * Invariant: a handle is only followed after it was found in the list of programs; a program stays alive
 * while a call is inside it. */
#include "finalizer/export.h"
#include "finalizer/program.h"
#include "finalizer/worker.h"
#include "hsa/hsa_ext_finalize_plugin.h"
#include "support/textbuf.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct handle {
    struct handle *next;
    struct program program;
    pthread_rwlock_t lock; /* held for writing while a module is added */
    unsigned users;        /* calls that use the program; protected by programs_lock */
    bool destroyed;
};

static pthread_mutex_t programs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct handle *programs;

static void program_release(struct handle *h)
{
    pthread_mutex_lock(&programs_lock);
    bool last = --h->users == 0 && h->destroyed;
    pthread_mutex_unlock(&programs_lock);
    if (!last)
        return;
    program_free(&h->program);
    pthread_rwlock_destroy(&h->lock);
    mem_free(h);
}

/* Returns the program that a handle stands for, which stays alive until program_release(), or NULL when there is none.
 */
static struct handle *program_hold(hsa_ext_program_t program)
{
    pthread_mutex_lock(&programs_lock);
    struct handle *h = programs;
    while (h && (uint64_t)(uintptr_t)h != program.handle)
        h = h->next;
    if (h)
        h->users++;
    pthread_mutex_unlock(&programs_lock);
    return h;
}

/* Removes the program from the list; its last user frees it. */
static bool forget_program(hsa_ext_program_t program)
{
    struct handle *found = NULL;
    pthread_mutex_lock(&programs_lock);
    for (struct handle **at = &programs; *at; at = &(*at)->next)
        if ((uint64_t)(uintptr_t)*at == program.handle) {
            found = *at;
            *at = found->next;
            found->destroyed = true;
            found->users++;
            break;
        }
    pthread_mutex_unlock(&programs_lock);
    if (found)
        program_release(found);
    return found != NULL;
}

static void report_json(const struct failure *failure, const char *kind, const char *section)
{
    struct textbuf json = {0};
    textbuf_printf(&json, "{\"kind\":\"%s\",\"tool\":\"hsail-finalizer\"", kind);
    textbuf_json_member(&json, "id", failure_id(failure));
    textbuf_json_member(&json, "text", failure->text);
    if (*failure->section) {
        textbuf_printf(&json, ",\"module\":%u", failure->module);
        textbuf_json_member(&json, "section", failure->section);
        textbuf_printf(&json, ",\"offset\":%" PRIu64, (uint64_t)failure->offset);
    }
    textbuf_json_member(&json, "prm", section);
    if (!json.failed)
        fprintf(stderr, "%s}\n", json.data);
    textbuf_free(&json);
}

/* Prints what went wrong, or a remark, if the environment asks for messages. */
static void report_failure(const struct failure *failure, const char *kind)
{
    const char *wanted = getenv("HSAIL_FINALIZER_MESSAGES"), *section = failure_prm_section(failure);
    if (failure->message && wanted && !strcmp(wanted, "json"))
        report_json(failure, kind, section);
    if (!failure->message || !wanted || strcmp(wanted, "1") != 0)
        return;
    char place[64] = "", prm[32] = "";
    if (*failure->section)
        snprintf(place, sizeof place, "module %u: %s+0x%llx: ", failure->module, failure->section,
                 (unsigned long long)failure->offset);
    if (*section)
        snprintf(prm, sizeof prm, " (PRM %s)", section);
    fprintf(stderr, "hsail finalizer: %s%s%s [%s]%s\n", *kind == 'w' ? "warning: " : "", place, failure->text,
            failure_id(failure), prm);
}

FINALIZER_EXPORT hsa_status_t hsa_ext_program_create_impl(hsa_machine_model_t machine_model, hsa_profile_t profile,
                                                          hsa_default_float_rounding_mode_t rounding,
                                                          const char *options, hsa_ext_program_t *program)
{
    struct finalize_options ignored;
    struct failure failure = {0};
    if ((unsigned)machine_model > HSA_MACHINE_MODEL_LARGE || (unsigned)profile > HSA_PROFILE_FULL ||
        (unsigned)rounding > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR || !program)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!options_parse(options, &ignored, &failure))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    struct handle *h = mem_zalloc(1, sizeof *h);
    if (!h)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    h->program.machine_model = machine_model;
    h->program.profile = profile;
    h->program.rounding = rounding;
    pthread_rwlock_init(&h->lock, NULL);
    pthread_mutex_lock(&programs_lock);
    h->next = programs;
    programs = h;
    pthread_mutex_unlock(&programs_lock);
    program->handle = (uint64_t)(uintptr_t)h;
    return HSA_STATUS_SUCCESS;
}

FINALIZER_EXPORT hsa_status_t hsa_ext_program_destroy_impl(hsa_ext_program_t program)
{
    return forget_program(program) ? HSA_STATUS_SUCCESS : (hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_PROGRAM;
}

FINALIZER_EXPORT hsa_status_t hsa_ext_program_add_module_impl(hsa_ext_program_t program, hsa_ext_module_t module)
{
    struct handle *h = program_hold(program);
    struct failure failure = {0};
    if (!h)
        return (hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_PROGRAM;
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (module) {
        /* The caller does not say how long the module is: its header does, which the magic number identifies. */
        const hsa_brig_module_header_t *header = (const void *)module;
        status = (hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_MODULE;
        if (!memcmp(header->identification, "HSA BRIG", 8)) {
            pthread_rwlock_wrlock(&h->lock);
            status = program_add(&h->program, module, header->byte_count, &failure);
            pthread_rwlock_unlock(&h->lock);
        }
    }
    program_release(h);
    report_failure(&failure, "error");
    return status;
}

FINALIZER_EXPORT hsa_status_t hsa_ext_program_iterate_modules_impl(
    hsa_ext_program_t program, hsa_status_t (*callback)(hsa_ext_program_t program, hsa_ext_module_t module, void *data),
    void *data)
{
    struct handle *h = program_hold(program);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!h)
        return (hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_PROGRAM;
    if (!callback)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; status == HSA_STATUS_SUCCESS; i++) {
        hsa_ext_module_t module = NULL; /* the lock is not held during the callback, which may use the program */
        pthread_rwlock_rdlock(&h->lock);
        if (i < h->program.modules.count)
            module = h->program.modules.items[i].module;
        pthread_rwlock_unlock(&h->lock);
        if (!module)
            break;
        status = callback(program, module, data);
    }
    program_release(h);
    return status;
}

FINALIZER_EXPORT hsa_status_t hsa_ext_program_get_info_impl(hsa_ext_program_t program, hsa_ext_program_info_t attribute,
                                                            void *value)
{
    struct handle *h = program_hold(program);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!h)
        return (hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_PROGRAM;
    if (!value)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else if (attribute == HSA_EXT_PROGRAM_INFO_MACHINE_MODEL)
        *(hsa_machine_model_t *)value = h->program.machine_model;
    else if (attribute == HSA_EXT_PROGRAM_INFO_PROFILE)
        *(hsa_profile_t *)value = h->program.profile;
    else if (attribute == HSA_EXT_PROGRAM_INFO_DEFAULT_FLOAT_ROUNDING_MODE)
        *(hsa_default_float_rounding_mode_t *)value = h->program.rounding;
    else
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    program_release(h);
    return status;
}

/* Looks up a function of the runtime that loaded this library, which is not linked against the runtime. */
static void *runtime_function(const char *name)
{
    void *runtime = dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *function = dlsym(runtime ? runtime : RTLD_DEFAULT, name);
    if (runtime)
        dlclose(runtime);
    return function;
}

static hsa_status_t isa_fact(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
    typedef hsa_status_t get_info(hsa_isa_t, hsa_isa_info_t, void *);
    get_info *isa_info = (get_info *)runtime_function("hsa_isa_get_info_alt");
    return isa_info ? isa_info(isa, attribute, value) : HSA_STATUS_ERROR;
}

/* Which default roundings agents with this instruction set have in PROFILE. False if the runtime does not say. */
static bool rounding_modes(hsa_isa_t isa, hsa_profile_t profile, bool modes[3])
{
    return isa_fact(isa,
                    profile == HSA_PROFILE_BASE ? HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES
                                                : HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES,
                    modes) == HSA_STATUS_SUCCESS;
}

/* Whether agents with this instruction set round towards zero, which is so only where that is all they have. */
static bool rounds_to_zero(hsa_isa_t isa, hsa_profile_t profile)
{
    bool modes[3] = {false};
    return rounding_modes(isa, profile, modes) && modes[HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO] &&
           !modes[HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR];
}

/* PRM 14.1: a module of the base profile is an error where agents with this instruction set do not round in that
 * profile as the module does. An instruction set that says nothing of it can do both. */
static bool check_base_rounding(const struct program *program, hsa_isa_t isa, struct failure *failure)
{
    bool modes[3] = {false};
    if (program->profile != HSA_PROFILE_BASE || !rounding_modes(isa, HSA_PROFILE_BASE, modes))
        return true;
    for (size_t i = 0; i < program->modules.count; i++) {
        const struct brig_view *view = &program->modules.items[i].view;
        const hsa_brig_directive_module_t *d = brig_module_directive(view);
        struct bytes name = brig_bytes(view, d->name);
        bool zero = d->default_float_round == HSA_BRIG_ROUND_FLOAT_DEFAULT
                        ? program->rounding == HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO
                        : d->default_float_round == HSA_BRIG_ROUND_FLOAT_ZERO;
        if (!modes[zero ? HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO : HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR])
            return failure_record(failure, ROUNDING_UNSUPPORTED, name.size < 64 ? (int)name.size : 64,
                                  (const char *)name.data, zero ? "zero" : "near");
    }
    return true;
}

static bool target_of(hsa_isa_t isa, struct target *target)
{
    uint32_t length = 0;
    char name[128] = "";
    if (isa_fact(isa, HSA_ISA_INFO_NAME_LENGTH, &length) != HSA_STATUS_SUCCESS || length >= sizeof name)
        return false;
    return isa_fact(isa, HSA_ISA_INFO_NAME, name) == HSA_STATUS_SUCCESS && target_parse(name, target);
}

static void to_control(const hsa_ext_control_directives_t *given, struct control_set *control)
{
    const hsa_dim3_t group = given->required_workgroup_size;
#define PUT(name, ...) \
    memcpy(control->value[HSA_BRIG_CONTROL_DIRECTIVE_##name], (uint64_t[CONTROL_VALUES]){__VA_ARGS__}, \
           sizeof control->value[0])
    PUT(ENABLEBREAKEXCEPTIONS, given->break_exceptions_mask);
    PUT(ENABLEDETECTEXCEPTIONS, given->detect_exceptions_mask);
    PUT(MAXDYNAMICGROUPSIZE, given->max_dynamic_group_size);
    PUT(MAXFLATGRIDSIZE, given->max_flat_grid_size);
    PUT(MAXFLATWORKGROUPSIZE, given->max_flat_workgroup_size);
    PUT(REQUIREDDIM, given->required_dim);
    PUT(REQUIREDGRIDSIZE, given->required_grid_size[0], given->required_grid_size[1], given->required_grid_size[2]);
    PUT(REQUIREDWORKGROUPSIZE, group.x, group.y, group.z);
#undef PUT
    /* The structure has no field for an alignment, and the mask's bits beyond that one mean nothing. */
    control->mask = given->control_directives_mask & ((1u << HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGROUPBASEPTRALIGN) - 2);
}

static hsa_status_t wrap_code_object(const struct finalize_result *result, hsa_code_object_t *code_object)
{
    typedef hsa_status_t deserialize(void *, size_t, const char *, hsa_code_object_t *);
    deserialize *make = (deserialize *)runtime_function("hsa_code_object_deserialize");
    return make ? make(result->image, result->size, NULL, code_object) : HSA_STATUS_ERROR;
}

FINALIZER_EXPORT hsa_status_t hsa_ext_program_finalize_impl(
    hsa_ext_program_t program, hsa_isa_t isa, int32_t call_convention, hsa_ext_control_directives_t control_directives,
    const char *options, hsa_code_object_type_t code_object_type, hsa_code_object_t *code_object)
{
    struct handle *h = program_hold(program);
    struct finalize_options choices;
    struct finalize_result result = {0};
    struct control_set control = {0};
    struct target target;
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!h)
        return (hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_PROGRAM;
    (void)call_convention; /* there is only one */
    to_control(&control_directives, &control);
    pthread_rwlock_rdlock(&h->lock);
    struct program linked = h->program;
    if (linked.rounding == HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT && rounds_to_zero(isa, linked.profile))
        linked.rounding = HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO;
    if (!code_object || code_object_type != HSA_CODE_OBJECT_TYPE_PROGRAM || !h->program.modules.count)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else if (!target_of(isa, &target))
        status = HSA_STATUS_ERROR_INVALID_ISA;
    else if (!options_parse(options, &choices, &result.failure))
        status = failure_status(&result.failure);
    else if (!check_base_rounding(&linked, isa, &result.failure))
        status = failure_status(&result.failure);
    else
        status = program_finalize(&linked, &target, &control, &choices, &result);
    pthread_rwlock_unlock(&h->lock);
    if (status == HSA_STATUS_SUCCESS)
        status = wrap_code_object(&result, code_object);
    mem_free(result.image);
    program_release(h);
    report_failure(&result.remark, "warning");
    report_failure(&result.failure, "error");
    return status;
}

FINALIZER_EXPORT void Load(const void *api_table)
{
    (void)api_table;
}

FINALIZER_EXPORT void Unload(void)
{
    worker_close_all();
    while (true) {
        pthread_mutex_lock(&programs_lock);
        hsa_ext_program_t first = {(uint64_t)(uintptr_t)programs};
        pthread_mutex_unlock(&programs_lock);
        if (!first.handle || !forget_program(first))
            return;
    }
}
