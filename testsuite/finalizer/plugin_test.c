/* SPDX-License-Identifier: MIT */
/* Loads the finalizer's library as AMD's runtimes do: by its name and six functions, with either of the two tables for
 * Load() (2015 to ROCm 3.3), or as a tools library that puts its functions into the runtime's table (later).
 * This program plays the part of the runtime: it exports what the library needs of one. */
#include "hsa/hsa_ext_finalize_plugin.h"
#include "hsail/hsail.h"
#include "testsuite/tap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What the instruction set answers when it is asked for its rounding, and for that of the base profile. */
static bool rounds_to_zero, base_modes[3] = {false, true, true};
static size_t code_size;
static char first_code[1 << 16];

HSA_API hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
    static const char name[] = "amdgcn-amd-amdhsa--gfx900";
    (void)isa;
    if (attribute == HSA_ISA_INFO_NAME_LENGTH)
        *(uint32_t *)value = sizeof name - 1;
    else if (attribute == HSA_ISA_INFO_NAME)
        memcpy(value, name, sizeof name);
    else if (attribute == HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES)
        memcpy(value, (bool[]){false, rounds_to_zero, !rounds_to_zero}, 3);
    else if (attribute == HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES)
        memcpy(value, base_modes, sizeof base_modes);
    else
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_code_object_deserialize(void *serialized, size_t size, const char *options,
                                                 hsa_code_object_t *code)
{
    (void)options;
    code->handle = 1;
    code_size = size;
    memcpy(first_code, serialized, size < sizeof first_code ? size : sizeof first_code);
    return HSA_STATUS_SUCCESS;
}

struct version {
    uint32_t major, size, step, reserved;
};

/* The finalizer's functions, in the order of AMD's tables. */
struct functions {
    __typeof__(hsa_ext_program_create) *create;
    __typeof__(hsa_ext_program_destroy) *destroy;
    __typeof__(hsa_ext_program_add_module) *add_module;
    __typeof__(hsa_ext_program_iterate_modules) *iterate_modules;
    __typeof__(hsa_ext_program_get_info) *get_info;
    __typeof__(hsa_ext_program_finalize) *finalize;
};

static hsa_ext_module_t module;

/* Finalizes the module; returns whether it became a code object. */
static bool works(const struct functions *call)
{
    hsa_ext_program_t program = {0};
    hsa_code_object_t code = {0};
    hsa_ext_control_directives_t none = {0};
    hsa_profile_t profile = HSA_PROFILE_BASE;
    code_size = 0;
    bool done =
        call->create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                     &program) == HSA_STATUS_SUCCESS &&
        call->add_module(program, module) == HSA_STATUS_SUCCESS &&
        call->get_info(program, HSA_EXT_PROGRAM_INFO_PROFILE, &profile) == HSA_STATUS_SUCCESS &&
        profile == HSA_PROFILE_FULL &&
        call->finalize(program, (hsa_isa_t){1}, 0, none, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code) ==
            HSA_STATUS_SUCCESS;
    return done && code.handle == 1 && code_size && !memcmp(first_code, "\177ELF", 4) &&
           call->destroy(program) == HSA_STATUS_SUCCESS;
}

static void *find(void *library, const char *name)
{
    void *function = dlsym(library, name);
    if (!function)
        printf("# no %s\n", name);
    return function;
}

static void load_by_functions(const char *path, const void *table, const char *what)
{
    void *library = dlopen(path, RTLD_LAZY);
    if (!ok(library, "opens for %s", what)) {
        printf("# %s\n", dlerror());
        return;
    }
    struct functions call;
#define FIND(name) call.name = (__typeof__(call.name))find(library, "hsa_ext_program_" #name "_impl")
    FIND(create), FIND(destroy), FIND(add_module), FIND(iterate_modules), FIND(get_info), FIND(finalize);
    void (*load)(const void *) = (void (*)(const void *))find(library, "Load");
    void (*unload)(void) = (void (*)(void))find(library, "Unload");
    if (!ok(call.create && call.destroy && call.add_module && call.iterate_modules && call.get_info && call.finalize &&
                load && unload,
            "the library has all functions"))
        return;
    load(table);
    ok(works(&call), "finalizes for %s", what);
    hsa_ext_program_t left;
    call.create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL, &left);
    unload();
    ok(!dlclose(library), "the library is closed");
}

typedef bool on_load(void *table, uint64_t version, uint64_t failed, const char *const *names);

static struct {
    struct version version;
    struct functions call;
} finalizer_table;

static struct {
    struct version version;
    void *core, *amd, *finalizer, *image, *tools, *sampling;
} tables;

static bool loads_with(on_load *load, uint32_t major, uint32_t size, uint32_t finalizer_size)
{
    memset(&finalizer_table, 0, sizeof finalizer_table);
    finalizer_table.version = (struct version){2, finalizer_size, 0, 0};
    tables.version = (struct version){major, size, 1, 0};
    tables.finalizer = &finalizer_table;
    return load(&tables, 3, 0, NULL);
}

static hsa_status_t no_program(hsa_machine_model_t model, hsa_profile_t profile,
                               hsa_default_float_rounding_mode_t rounding, const char *options,
                               hsa_ext_program_t *program)
{
    (void)model, (void)profile, (void)rounding, (void)options, (void)program;
    return HSA_STATUS_ERROR_NOT_INITIALIZED;
}

static hsa_status_t no_code(hsa_ext_program_t program, hsa_isa_t isa, int32_t convention,
                            hsa_ext_control_directives_t directives, const char *options, hsa_code_object_type_t type,
                            hsa_code_object_t *code)
{
    (void)program, (void)isa, (void)convention, (void)directives, (void)options, (void)type, (void)code;
    return HSA_STATUS_ERROR_NOT_INITIALIZED;
}

static void load_as_tool(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY);
    on_load *load = library ? (on_load *)find(library, "OnLoad") : NULL;
    void (*unload)(void) = library ? (void (*)(void))find(library, "OnUnload") : NULL;
    if (!ok(load && unload && find(library, "HSA_AMD_TOOL_PRIORITY"), "the library is a tools library"))
        return;
    const uint32_t whole = sizeof finalizer_table;
    ok(whole == 64, "the finalizer's table has the size that it has in AMD's runtimes");
    ok(!load(NULL, 3, 0, NULL), "OnLoad() refuses to work without a table");
    ok(!loads_with(load, 0, sizeof tables, whole) && !loads_with(load, 4, sizeof tables, whole),
       "OnLoad() refuses versions that it does not know");
    ok(!loads_with(load, 3, 16, whole) && !loads_with(load, 3, sizeof tables, 32),
       "OnLoad() refuses tables that are too short");
    ok(!finalizer_table.call.create && finalizer_table.version.major == 2, "refused tables are not changed");
    for (uint32_t major = 1; major <= 3; major += 2) {
        ok(loads_with(load, major, sizeof tables, whole), "OnLoad() accepts tables of version %u", major);
        ok(finalizer_table.version.major == 1 && works(&finalizer_table.call), "the finalizer works through the table");
        ok(!load(&tables, 3, 0, NULL), "OnLoad() refuses to be called twice");
        unload();
        ok(!finalizer_table.call.create && finalizer_table.version.major == 2, "OnUnload() leaves the table as it was");
    }
    /* As AMD's runtime 5 has it: functions that fail, and no version. */
    memset(&finalizer_table, 0, sizeof finalizer_table);
    ok(!load(&tables, 3, 0, NULL), "OnLoad() refuses an empty table without a version");
    finalizer_table.call.create = no_program;
    finalizer_table.call.finalize = no_code;
    ok(load(&tables, 3, 0, NULL) && works(&finalizer_table.call) && finalizer_table.version.major == 1 &&
           finalizer_table.version.size == whole,
       "OnLoad() accepts a table of functions without a version");
    unload();
    ok(finalizer_table.call.create == no_program && !finalizer_table.version.major,
       "OnUnload() leaves a table without a version as it was");
    ok(!dlclose(library), "the library is closed");
}

/* Assembles a module that adds, of PROFILE and ROUNDING. */
static hsail_module_t *adds(hsail_context_t *context, const char *profile, const char *rounding)
{
    char text[512];
    hsail_module_t *made = NULL;
    snprintf(text, sizeof text,
             "module &m:1:2:$%s:$large:$%s;\n"
             "prog kernel &k(kernarg_u64 %%p) { ld_kernarg_u64 $d0, [%%p]; ld_global_f32 $s0, [$d0];\n"
             "add%s_f32 $s0, $s0, $s0;\nst_global_f32 $s0, [$d0]; };\n",
             profile, rounding, strcmp(profile, "base") ? "" : "_ftz");
    return hsail_assemble(context, "test.hsail", text, strlen(text), 0, &made) == HSAIL_STATUS_OK ? made : NULL;
}

/* The status of finalizing a module of PROFILE and ROUNDING in a program of default rounding. The code object goes to
 * first_code. */
static hsa_status_t finalize_rounded(hsail_context_t *context, const char *profile, const char *rounding)
{
    const struct functions *call = &finalizer_table.call;
    hsa_ext_program_t program = {0};
    hsa_code_object_t code = {0};
    hsa_ext_control_directives_t none = {0};
    hsail_module_t *made = adds(context, profile, rounding);
    hsa_profile_t profiles[] = {HSA_PROFILE_FULL, HSA_PROFILE_BASE};
    memset(first_code, 0, sizeof first_code);
    hsa_status_t status = call->create(HSA_MACHINE_MODEL_LARGE, profiles[!strcmp(profile, "base")],
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &program);
    if (made && status == HSA_STATUS_SUCCESS)
        status = call->add_module(program, (hsa_ext_module_t)(uintptr_t)hsail_module_data(made));
    if (made && status == HSA_STATUS_SUCCESS)
        status = call->finalize(program, (hsa_isa_t){1}, 0, none, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code);
    call->destroy(program);
    hsail_module_destroy(made);
    return made ? status : HSA_STATUS_ERROR;
}

/* If neither module nor program names a rounding, that of the agent counts (PRM 14.1, R14). */
static void round_by_agent(const char *path, hsail_context_t *context)
{
    static char by_agent[sizeof first_code];
    void *library = dlopen(path, RTLD_LAZY);
    on_load *load = library ? (on_load *)find(library, "OnLoad") : NULL;
    void (*unload)(void) = library ? (void (*)(void))find(library, "OnUnload") : NULL;
    if (!ok(load && unload && loads_with(load, 3, sizeof tables, sizeof finalizer_table), "the finalizer is loaded"))
        return;
    for (unsigned zero = 0; zero < 2; zero++) {
        const char *own = zero ? "zero" : "near", *other = zero ? "near" : "zero";
        rounds_to_zero = zero;
        bool done = finalize_rounded(context, "full", "default") == HSA_STATUS_SUCCESS;
        memcpy(by_agent, first_code, sizeof by_agent);
        ok(done && finalize_rounded(context, "full", own) == HSA_STATUS_SUCCESS &&
               !memcmp(by_agent, first_code, sizeof by_agent),
           "a module of $default is that of $%s for an agent that rounds so", own);
        ok(finalize_rounded(context, "full", other) == HSA_STATUS_SUCCESS &&
               memcmp(by_agent, first_code, sizeof by_agent),
           "a module of $default is not that of $%s", other);
        base_modes[1] = zero;
        base_modes[2] = !zero;
        ok(finalize_rounded(context, "base", own) == HSA_STATUS_SUCCESS &&
               finalize_rounded(context, "base", "default") == HSA_STATUS_SUCCESS,
           "in the base profile $%s and $default are accepted where $%s is supported", own, own);
        ok(finalize_rounded(context, "base", other) == (hsa_status_t)HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED,
           "in the base profile $%s is refused where it is not supported", other);
        rounds_to_zero = !zero;
        done = finalize_rounded(context, "base", "default") == HSA_STATUS_SUCCESS;
        memcpy(by_agent, first_code, sizeof by_agent);
        ok(done && finalize_rounded(context, "base", own) == HSA_STATUS_SUCCESS &&
               !memcmp(by_agent, first_code, sizeof by_agent),
           "$default is $%s where only the base profile rounds so", own);
    }
    unload();
}

int main(void)
{
    hsail_context_t *context = NULL;
    hsail_module_t *assembled = NULL;
    char path[512];
    const char *build = getenv("builddir");
    snprintf(path, sizeof path, "%s/.libs/" HSA_EXT_FINALIZE_LIBRARY_NAME, build ? build : ".");
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK || !(assembled = adds(context, "full", "default")))
        return 99;
    module = (hsa_ext_module_t)(uintptr_t)hsail_module_data(assembled);
    const void *plain[100] = {(const void *)(uintptr_t)main};
    load_by_functions(path, plain, "HSA 1.0");
    load_by_functions(path, &tables, "ROCm 1.2 to 3.3");
    load_by_functions(path, NULL, "this runtime");
    load_as_tool(path);
    round_by_agent(path, context);
    hsail_module_destroy(assembled);
    hsail_context_destroy(context);
    return tap_done();
}
