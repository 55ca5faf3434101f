/* SPDX-License-Identifier: MIT */
/* Tests programs, through the functions that the runtime calls: statuses, and what linking of modules and the caller's
 * control directives demand (S66, S67, P19, R12-R14, R20, R74-R76). */
#include "hsa/hsa_ext_finalize_plugin.h"
#include "support/hash.h"
#include "testsuite/finalizer/program_text.h"
#include "testsuite/tap.h"

static hsail_context_t *context;
static uint64_t last_code; /* hash of the last code object */

/* The function of the runtime that the finalizer calls. */
HSA_API hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
    static const char name[] = "amdgcn-amd-amdhsa--gfx900";
    (void)isa;
    if (attribute == HSA_ISA_INFO_NAME_LENGTH)
        *(uint32_t *)value = sizeof name - 1;
    else if (attribute != HSA_ISA_INFO_NAME)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else
        memcpy(value, name, sizeof name);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_code_object_deserialize(void *serialized, size_t size, const char *options,
                                                 hsa_code_object_t *code)
{
    (void)options;
    code->handle = (uintptr_t)serialized + size;
    last_code = hash_bytes(1, serialized, size);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t count_modules(hsa_ext_program_t program, hsa_ext_module_t module, void *data)
{
    (void)program;
    (void)module;
    ++*(int *)data;
    return HSA_STATUS_SUCCESS;
}

static void test_program(hsail_module_t *kernel, hsail_module_t *function)
{
    hsa_ext_program_t program = {0};
    hsa_ext_module_t k = (hsa_ext_module_t)hsail_module_data(kernel), f = (hsa_ext_module_t)hsail_module_data(function);
    hsa_code_object_t code;
    hsa_ext_control_directives_t none = {0};
    hsa_isa_t isa = {0};
    hsa_profile_t profile;
    int count = 0;
    ok(hsa_ext_program_create_impl(HSA_MACHINE_MODEL_LARGE, (hsa_profile_t)7, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                   NULL, &program) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "an unknown profile");
    ok(hsa_ext_program_create_impl(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                   NULL, &program) == HSA_STATUS_SUCCESS,
       "a program");
    ok(hsa_ext_program_finalize_impl(program, isa, 0, none, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code) ==
           HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "an empty program is not finalized");
    ok(hsa_ext_program_add_module_impl(program, k) == HSA_STATUS_SUCCESS, "a module is added to a program");
    ok((int)hsa_ext_program_add_module_impl(program, k) == HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED,
       "the same module is not added again");
    ok(hsa_ext_program_add_module_impl(program, f) == HSA_STATUS_SUCCESS, "another module is added");
    ok(hsa_ext_program_add_module_impl(program, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT, "NULL is not added");
    ok(hsa_ext_program_iterate_modules_impl(program, count_modules, &count) == HSA_STATUS_SUCCESS && count == 2,
       "both modules of the program are listed");
    ok(hsa_ext_program_get_info_impl(program, HSA_EXT_PROGRAM_INFO_PROFILE, &profile) == HSA_STATUS_SUCCESS &&
           profile == HSA_PROFILE_FULL,
       "the profile");
    ok(hsa_ext_program_destroy_impl(program) == HSA_STATUS_SUCCESS, "destroyed");
    ok((int)hsa_ext_program_destroy_impl(program) == HSA_EXT_STATUS_ERROR_INVALID_PROGRAM,
       "the program is not destroyed twice");
    ok((int)hsa_ext_program_add_module_impl(program, k) == HSA_EXT_STATUS_ERROR_INVALID_PROGRAM,
       "nothing is added to a destroyed program");
    ok(hsa_ext_program_create_impl(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                   NULL, &program) == HSA_STATUS_SUCCESS &&
           (int)hsa_ext_program_add_module_impl(program, k) == HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE,
       "a module of another profile");
    Unload(); /* releases what the application has not released */
}

/* Relations between modules: R12 to R14 and R20, as far as the finalizer checks them; S66. */
#define USES(declaration, body) HEAD("a") declaration "\nprog kernel &k() {\n" body "\n};\n"
#define CALLS                   "{ call &f()(); }"
#define OTHER(text)             HEAD("b") text "\n"
#define INCOMPATIBLE            HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE
#define FAILED                  HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED
#define MISMATCH                HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH

static const struct link_case {
    const char *what;
    int status; /* of adding the last module, or of finalizing */
    const char *text[2];
} link_cases[] = {
    {"R12 other machine model", INCOMPATIBLE, {"module &a:1:0:$full:$small:$default;\n"}},
    {"a part of an address",
     FAILED,
     {"module &a:1:2:$full:$large:$default;\nglobal_b8 &x = addr(&x);\nprog kernel &k() {};\n"}},
    {"R12 other profile", INCOMPATIBLE, {"module &a:1:0:$base:$large:$default;\n"}},
    {"R12 other rounding", INCOMPATIBLE, {"module &a:1:0:$full:$large:$zero;\n"}},
    {"R12 R14 same rounding", 0, {"module &a:1:0:$full:$large:$near;\nprog kernel &k() {};\n"}},
    {"R12 two versions of HSAIL",
     0,
     {USES("decl prog function &f()();", CALLS), "module &b:1:2:$full:$large:$default;\nprog function &f()() {};\n"}},
    {"R13 function of no module", FAILED, {USES("decl prog function &f()();", CALLS)}},
    {"R13 function of a function that nothing calls",
     0,
     {USES("decl prog function &f()();\nfunction &g()() {\n" CALLS "\n};", "")}},
    {"R13 function of a function that is called",
     FAILED,
     {USES("decl prog function &g()();\nfunction &f()() {\n{ call &g()(); }\n};", CALLS)}},
    {"R13 global variable of no module",
     0,
     {USES("decl prog global_u32 &v;", "ld_global_u32 $s0, [&v];\nst_global_u32 $s0, [&v];")}},
    {"R13 group variable of no module", FAILED, {USES("decl prog group_u32 &v;", "st_group_u32 1, [&v];")}},
    {"R13 fbarrier of no module", FAILED, {USES("decl prog fbarrier &v;", "initfbar &v;")}},
    {"R13 kernel of no module", 0, {USES("decl prog kernel &v();", "")}},
    {"R13 group variable of another module",
     0,
     {USES("decl prog group_u32 &v;", "st_group_u32 1, [&v];"), OTHER("prog group_u32 &v;")}},
    {"S67 function of another module",
     0,
     {USES("decl prog function &f()();", CALLS), OTHER("prog function &f()() {};")}},
    {"R20 two definitions of a function",
     MISMATCH,
     {OTHER("prog function &f()() {};"), USES("prog function &f()() {};", CALLS)}},
    {"R20 two definitions of a variable", MISMATCH, {OTHER("prog global_u32 &v;"), USES("prog global_u32 &v;", "")}},
    {"R20 two definitions of an fbarrier", MISMATCH, {OTHER("prog fbarrier &v;"), USES("prog fbarrier &v;", "")}},
    {"R20 two definitions of a kernel", MISMATCH, {OTHER("prog kernel &k() {};"), USES("", "")}},
    {"R20 one name in each module",
     0,
     {OTHER("function &f()() {};\nglobal_u32 &v;"), USES("function &f()() {};\nglobal_u64 &v;", CALLS)}},
    {"R20 other arguments",
     MISMATCH,
     {OTHER("prog function &f()(arg_u32 %x) {};"), USES("decl prog function &f()();", CALLS)}},
    {"R20 other alignment of an argument",
     MISMATCH,
     {OTHER("prog kernel &f(align(16) kernarg_u32 %x) {};"), USES("decl prog kernel &f(kernarg_u32 %x);", "")}},
    {"R20 indirect in one module",
     MISMATCH,
     {OTHER("prog indirect function &f()() {};"), USES("decl prog function &f()();", CALLS)}},
    {"R20 function and variable", MISMATCH, {OTHER("prog global_u32 &f;"), USES("decl prog function &f()();", CALLS)}},
    {"R20 other type", MISMATCH, {OTHER("prog global_u32 &v;"), USES("decl prog global_s32 &v;", "")}},
    {"R20 other segment", MISMATCH, {OTHER("prog readonly_u32 &v;"), USES("decl prog global_u32 &v;", "")}},
    {"R20 other allocation",
     MISMATCH,
     {OTHER("prog alloc(agent) global_u32 &v;"), USES("decl prog global_u32 &v;", "")}},
    {"R20 const in one module",
     MISMATCH,
     {OTHER("prog const global_u32 &v = 1;"), USES("decl prog global_u32 &v;", "")}},
    {"R20 other alignment", MISMATCH, {OTHER("prog align(8) global_u32 &v;"), USES("decl prog global_u32 &v;", "")}},
    {"R20 other dimension", MISMATCH, {OTHER("prog global_u32 &v[2];"), USES("decl prog global_u32 &v[3];", "")}},
    {"R20 unknown dimension", 0, {OTHER("prog global_u32 &v[2];"), USES("decl prog global_u32 &v[];", "")}},
    {"R20 dimension known later",
     MISMATCH,
     {OTHER("decl prog global_u32 &v[];\ndecl prog global_u32 &v[2];"), USES("decl prog global_u32 &v[3];", "")}},
};

static hsa_status_t link_case(const struct link_case *test, hsa_default_float_rounding_mode_t rounding)
{
    hsa_ext_program_t program = {0};
    hsail_module_t *modules[2] = {NULL, NULL};
    hsa_code_object_t code;
    hsa_status_t status =
        hsa_ext_program_create_impl(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, rounding, NULL, &program);
    for (int m = 0; m < 2 && status == HSA_STATUS_SUCCESS && test->text[m]; m++) {
        modules[m] = assemble(context, test->text[m]);
        status = HSA_STATUS_ERROR;
        if (modules[m])
            status = hsa_ext_program_add_module_impl(program, (hsa_ext_module_t)hsail_module_data(modules[m]));
    }
    if (status == HSA_STATUS_SUCCESS)
        status = hsa_ext_program_finalize_impl(
            program, (hsa_isa_t){0}, 0, (hsa_ext_control_directives_t){0}, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code);
    hsa_ext_program_destroy_impl(program);
    hsail_module_destroy(modules[0]);
    hsail_module_destroy(modules[1]);
    return status;
}

static void test_linking(void)
{
    for (size_t i = 0; i < sizeof link_cases / sizeof *link_cases; i++) {
        hsa_status_t status = link_case(&link_cases[i], HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
        ok((int)status == link_cases[i].status, "%s: %#x", link_cases[i].what, (unsigned)status);
    }
}

/* R12 R14: the code of an addition in modules with default, near and zero rounding, in programs with each of these. */
static void test_module_rounding(void)
{
#define ADDS "prog kernel &k(kernarg_u64 %p) {\nld_kernarg_u64 $d0, [%p];\nld_global_f32 $s0, [$d0];\n"           \
             "add_f32 $s0, $s0, 1.1f;\nst_global_f32 $s0, [$d0];\n};\n"
#define ROUNDED(rounding) {rounding, 0, {"module &a:1:0:$full:$large:$" rounding ";\n" ADDS}}
    static const struct link_case modules[] = {ROUNDED("default"), ROUNDED("near"), ROUNDED("zero")};
    enum { BY_DEFAULT, NEAR, ZERO };
    static const hsa_default_float_rounding_mode_t programs[] = {
        HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
        HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO};
    uint64_t code[3][3]; /* hash of the code, by program and module */
    int status[3][3];
    for (unsigned i = 0; i < 9; i++) {
        last_code = 0;
        status[i / 3][i % 3] = (int)link_case(&modules[i % 3], programs[i / 3]);
        code[i / 3][i % 3] = last_code;
    }
    ok(code[ZERO][ZERO] && code[NEAR][NEAR] && code[ZERO][ZERO] != code[NEAR][NEAR], "zero and near are not the same");
    ok(code[ZERO][NEAR] == code[NEAR][NEAR], "a module of near rounding rounds so in a program of zero");
    ok(code[ZERO][BY_DEFAULT] == code[ZERO][ZERO], "a module of default rounding rounds as the program does");
    ok(code[BY_DEFAULT][ZERO] == code[ZERO][ZERO] && code[BY_DEFAULT][NEAR] == code[NEAR][NEAR] &&
           code[BY_DEFAULT][BY_DEFAULT] == code[NEAR][NEAR],
       "in a program of default rounding each rounds by itself, or to nearest");
    ok(status[NEAR][ZERO] == INCOMPATIBLE, "a module of zero rounding does not fit a program of near rounding");
}

/* What the caller of the finalizer may ask for if a kernel has limits: P19 and R74-R76, as far as the finalizer checks
 * them. */
static void test_directives(void)
{
    static const struct {
        const char *what, *directives, *callee;
        hsa_ext_control_directives_t given;
        bool fits;
    } cases[] = {
        {"a lower limit",
         "maxflatworkgroupsize 64;",
         "",
         {.control_directives_mask = 1 << 5, .max_flat_workgroup_size = 32},
         true},
        {"a higher limit",
         "maxflatworkgroupsize 64;",
         "",
         {.control_directives_mask = 1 << 5, .max_flat_workgroup_size = 128},
         false},
        {"no limit at all", "", "", {.control_directives_mask = 1 << 5}, false},
        {"another dimension", "requireddim 2;", "", {.control_directives_mask = 1 << 6, .required_dim = 1}, false},
        {"the same dimension", "requireddim 2;", "", {.control_directives_mask = 1 << 6, .required_dim = 2}, true},
        {"four dimensions", "", "", {.control_directives_mask = 1 << 6, .required_dim = 4}, false},
        {"a size beyond the limit",
         "maxflatgridsize 64;",
         "",
         {.control_directives_mask = 1 << 7, .required_grid_size = {65, 1, 1}},
         false},
        {"what a callee promises", "", "requirenopartialworkgroups;", {.control_directives_mask = 1 << 9}, true},
        {"nothing, though a callee promises", "", "requirenopartialworkgroups;", {.control_directives_mask = 0}, false},
        {"breaks",
         "enablebreakexceptions 2;",
         "",
         {.control_directives_mask = 1 << 1, .break_exceptions_mask = 1},
         true},
        {"detection",
         "enabledetectexceptions 1;",
         "enabledetectexceptions 4;",
         {.control_directives_mask = 1 << 2, .detect_exceptions_mask = 2},
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        hsa_ext_program_t program = {0};
        hsa_code_object_t code;
        snprintf(text, sizeof text, CALLER("%s", "%s"), cases[i].callee, cases[i].directives);
        hsail_module_t *module = assemble(context, text);
        hsa_ext_program_create_impl(
            HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL, &program);
        hsa_status_t status = hsa_ext_program_add_module_impl(program, (hsa_ext_module_t)hsail_module_data(module));
        if (status == HSA_STATUS_SUCCESS)
            status = hsa_ext_program_finalize_impl(
                program, (hsa_isa_t){0}, 0, cases[i].given, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code);
        ok(status == (cases[i].fits ? HSA_STATUS_SUCCESS : (hsa_status_t)HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH),
           "%s given at finalization: %#x", cases[i].what, (unsigned)status);
        hsa_ext_program_destroy_impl(program);
        hsail_module_destroy(module);
    }
}

int main(void)
{
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_module_t *kernel = assemble(context, KERNEL), *function = assemble(context, FUNCTION);
    if (ok(kernel && function, "modules assemble"))
        test_program(kernel, function);
    test_linking();
    test_module_rounding();
    test_directives();
    hsail_module_destroy(kernel);
    hsail_module_destroy(function);
    hsail_context_destroy(context);
    return tap_done();
}
