/* SPDX-License-Identifier: MIT */
/* Finalization and loading through the HSA API; see run_kernel.h.
 * Input: BRIG or a code object in memory. Output: a frozen executable and one kernel's properties.
 * Invariant: everything goes through the public API, as an application's own code would. */
#include "tools/run_kernel.h"
#include "tools/run_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hsa/hsa_ext_finalize.h"
#include "support/alloc.h"
#include "tools/hsa_util.h"

double run_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool finalize_inputs(const struct cli_program *program, hsa_agent_t agent, const struct input *inputs,
                            size_t count, const char *options, hsa_code_object_t *code_object)
{
    hsa_ext_finalizer_1_00_pfn_t finalizer;
    struct run_module_kind kind = run_module_kind(inputs->module);
    hsa_isa_t isa;
    uint16_t minor;
    bool installed = false;
    hsa_system_major_extension_supported(HSA_EXTENSION_FINALIZER, 1, &minor, &installed);
    if (!installed) {
        cli_error(program,
                  "%s is HSAIL, and the finalizer that compiles it is not installed (libhsa-ext-finalize64); "
                  "only code objects can be run without it",
                  inputs->name);
        return false;
    }
    if (!hsa_succeeded(program,
                       hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, sizeof finalizer, &finalizer),
                       "loading the finalizer") ||
        !hsa_succeeded(program, hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa), "asking the agent"))
        return false;

    hsa_ext_program_t hsail;
    if (!hsa_succeeded(program,
                       finalizer.hsa_ext_program_create((hsa_machine_model_t)kind.model, (hsa_profile_t)kind.profile,
                                                        HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &hsail),
                       "creating a program"))
        return false;
    hsa_ext_control_directives_t none;
    memset(&none, 0, sizeof none);
    char with_lines[1024];
    /* Where variables are is of use at the prompt alone. */
    snprintf(with_lines, sizeof with_lines, "%s %s %s %s", getenv("HSA_GCN_BREAK") ? "-g" : "-gline-tables-only",
             run_report_checks("init") ? "-check-init" : "", run_report_checks("memory") ? "-check-align" : "",
             options ? options : "");
    bool succeeded = true;
    for (size_t i = 0; i < count && succeeded; i++)
        succeeded = hsa_succeeded(
            program, finalizer.hsa_ext_program_add_module(hsail, (hsa_ext_module_t)hsail_module_data(inputs[i].module)),
            inputs[i].name);
    succeeded =
        succeeded &&
        hsa_succeeded(program,
                      finalizer.hsa_ext_program_finalize(hsail, isa, HSA_EXT_FINALIZER_CALL_CONVENTION_AUTO, none,
                                                         with_lines, HSA_CODE_OBJECT_TYPE_PROGRAM, code_object),
                      inputs->name);
    finalizer.hsa_ext_program_destroy(hsail);
    return succeeded;
}

bool run_kernel_load(const struct cli_program *program, hsa_agent_t agent, const struct input *inputs, size_t count,
                     const char *options, struct run_kernel *kernel)
{
    double start = run_clock();
    if (inputs->code) {
        if (!hsa_succeeded(program,
                           hsa_code_object_deserialize(inputs->code, inputs->code_size, NULL, &kernel->code_object),
                           inputs->name))
            return false;
    } else {
        if (!finalize_inputs(program, agent, inputs, count, options, &kernel->code_object))
            return false;
        kernel->finalize_time = run_clock() - start;
        start = run_clock();
    }
    hsa_profile_t profile = HSA_PROFILE_FULL;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_PROFILE, &profile);
    bool succeeded =
        hsa_succeeded(program, hsa_executable_create(profile, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &kernel->executable),
                      "creating an executable") &&
        hsa_succeeded(program, hsa_executable_load_code_object(kernel->executable, agent, kernel->code_object, NULL),
                      inputs->name) &&
        hsa_succeeded(program, hsa_executable_freeze(kernel->executable, NULL), inputs->name);
    kernel->load_time = run_clock() - start;
    return succeeded;
}

/* The length of the name as HSAIL writes it, without the ".kd" that a code object adds. */
static size_t bare_length(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && !strcmp(name + length - 3, ".kd") ? length - 3 : length;
}

static bool same_name(const char *wanted, const char *name)
{
    wanted += *wanted == '&';
    name += *name == '&';
    size_t length = bare_length(name);
    return bare_length(wanted) == length && !memcmp(wanted, name, length);
}

static char *symbol_name(hsa_executable_symbol_t symbol)
{
    uint32_t length = 0;
    if (hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length) != HSA_STATUS_SUCCESS)
        return NULL;
    char *name = mem_zalloc(1, (size_t)length + 1);
    if (name && hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name) != HSA_STATUS_SUCCESS) {
        mem_free(name);
        name = NULL;
    }
    return name;
}

struct kernel_search {
    const char *wanted; /* NULL for any kernel */
    size_t found;
    hsa_executable_symbol_t symbol;
};

static uint32_t kernel_info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute)
{
    uint32_t value = 0;
    hsa_executable_symbol_get_info(symbol, attribute, &value);
    return value;
}

/* Looks for the kernel NAME in all inputs; the signature stays unknown when no input describes it. Returns the number
 * of the input that does, COUNT if none. */
static size_t find_signature(const struct input *inputs, size_t count, const char *name,
                             struct run_signature *signature)
{
    *signature = (struct run_signature){0};
    for (size_t i = 0; i < count; i++)
        if (inputs[i].code ? run_signature_of_code((struct bytes){inputs[i].code, inputs[i].code_size}, name, signature)
                           : run_signature_of_module(inputs[i].module, name, signature))
            return i;
    return count;
}

/* ---- the list ---- */

struct listed_kernel {
    char *name;
    hsa_executable_symbol_t symbol;
    struct run_signature signature;
    size_t input; /* which one describes it */
};

struct kernel_list {
    const struct input *inputs;
    size_t count;
    VEC(struct listed_kernel) kernels;
};

static void list_kernel(const struct listed_kernel *kernel)
{
    char bare[256];
    snprintf(bare, sizeof bare, "%.*s", (int)bare_length(kernel->name), kernel->name);
    if (kernel->signature.known)
        run_signature_print(&kernel->signature, bare, stdout);
    else
        printf("%s", bare);
    printf(": kernarg %u, group %u, private %u bytes\n",
           kernel_info(kernel->symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE),
           kernel_info(kernel->symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE),
           kernel_info(kernel->symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE));
}

/* The same as a line of JSON. */
static void list_kernel_json(const struct listed_kernel *kernel)
{
    struct textbuf json = {0};
    textbuf_puts(&json, "{\"kind\":\"kernel\",\"kernel\":");
    textbuf_json(&json, kernel->name, bare_length(kernel->name));
    if (kernel->signature.known)
        run_signature_json(&kernel->signature, &json);
    textbuf_printf(&json, ",\"kernarg\":%u,\"group\":%u,\"private\":%u}",
                   kernel_info(kernel->symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE),
                   kernel_info(kernel->symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE),
                   kernel_info(kernel->symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE));
    if (!json.failed)
        puts(json.data);
    textbuf_free(&json);
}

static hsa_status_t add_to_list(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data)
{
    (void)executable;
    struct kernel_list *list = data;
    if (kernel_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) != HSA_SYMBOL_KIND_KERNEL)
        return HSA_STATUS_SUCCESS;
    struct listed_kernel kernel = {.name = symbol_name(symbol), .symbol = symbol};
    if (kernel.name)
        kernel.input = find_signature(list->inputs, list->count, kernel.name, &kernel.signature);
    if (kernel.name && vec_push(&list->kernels, kernel))
        return HSA_STATUS_SUCCESS;
    run_signature_free(&kernel.signature);
    mem_free(kernel.name);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* The order of the inputs, and of the kernels in each: that of symbols says nothing. */
static int compare_listed(const void *left, const void *right)
{
    const struct listed_kernel *a = left, *b = right;
    if (a->input != b->input)
        return a->input < b->input ? -1 : 1;
    return a->signature.position < b->signature.position ? -1 : a->signature.position > b->signature.position;
}

bool run_kernel_list(const struct cli_program *program, const struct input *inputs, size_t count,
                     const struct run_kernel *kernel, bool json)
{
    struct kernel_list list = {.inputs = inputs, .count = count};
    bool done = hsa_succeeded(
        program, hsa_executable_iterate_symbols(kernel->executable, add_to_list, &list), "listing the kernels");
    if (list.kernels.count)
        qsort(list.kernels.items, list.kernels.count, sizeof *list.kernels.items, compare_listed);
    for (size_t i = 0; i < list.kernels.count; i++) {
        if (done)
            (json ? list_kernel_json : list_kernel)(&list.kernels.items[i]);
        run_signature_free(&list.kernels.items[i].signature);
        mem_free(list.kernels.items[i].name);
    }
    vec_free(&list.kernels);
    return done;
}

/* ---- one kernel ---- */

static hsa_status_t look_at(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data)
{
    (void)executable;
    struct kernel_search *search = data;
    if (kernel_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) != HSA_SYMBOL_KIND_KERNEL)
        return HSA_STATUS_SUCCESS;
    char *name = symbol_name(symbol);
    if (!name)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (!search->wanted || same_name(search->wanted, name)) {
        search->symbol = symbol;
        search->found++;
    }
    mem_free(name);
    return HSA_STATUS_SUCCESS;
}

bool run_kernel_find(const struct cli_program *program, const char *name, const struct input *inputs, size_t count,
                     struct run_kernel *kernel)
{
    struct kernel_search search = {.wanted = name};
    if (!hsa_succeeded(program, hsa_executable_iterate_symbols(kernel->executable, look_at, &search),
                       "looking for the kernel"))
        return false;
    if (!search.found && name)
        cli_error(program, "there is no kernel %s; --list shows those that exist", name);
    else if (!search.found)
        cli_error(program, "there is no kernel");
    else if (search.found > 1)
        cli_error(program, "there are %zu kernels; choose one with --kernel, --list shows them", search.found);
    if (search.found != 1)
        return false;
    kernel->name = symbol_name(search.symbol);
    if (!kernel->name) {
        cli_error(program, "out of memory");
        return false;
    }
    find_signature(inputs, count, kernel->name, &kernel->signature);
    kernel->kernarg_size = kernel_info(search.symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
    kernel->kernarg_alignment = kernel_info(search.symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT);
    kernel->group_size = kernel_info(search.symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
    kernel->private_size = kernel_info(search.symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
    return hsa_succeeded(
        program,
        hsa_executable_symbol_get_info(search.symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel->object),
        "asking the kernel");
}

void run_kernel_free(struct run_kernel *kernel)
{
    mem_free(kernel->name);
    run_signature_free(&kernel->signature);
    if (kernel->executable.handle)
        hsa_executable_destroy(kernel->executable);
    if (kernel->code_object.handle)
        hsa_code_object_destroy(kernel->code_object);
    memset(kernel, 0, sizeof *kernel);
}
