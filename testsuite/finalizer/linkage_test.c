/* SPDX-License-Identifier: MIT */
/* Tests symbols of module linkage from HSAIL to the HSA API: they must be found by module and name, under the names of
 * PRM 4.12.2 and of the runtime's documents, be reported with linkage and module, and each have its own value (S22,
 * S66). */
#include "testsuite/finalizer/on_hsa.h"

#include "hsail/finalize.h"
#include "testsuite/tap.h"

#include <string.h>

/* A kernel that writes the module's &v, and a kernel of program linkage that does the same. */
#define READ_V                                                                                               \
    "(kernarg_u64 %p) {\n"                                                                                   \
    "ld_global_u32 $s0, [&v]; ld_kernarg_u64 $d0, [%p]; st_global_u32 $s0, [$d0];\n};\n"
#define HEAD(name) "module &" name ":1:2:$full:$large:$near;\n"

static const char *const texts[] = {
    HEAD("m1") "global_u32 &v = 1;\nalign(16) readonly_u64 &r[2] = u64[](5, 6);\nkernel &k" READ_V
               "kernel &alone" READ_V,
    HEAD("m2") "prog global_u32 &v = 2;\nprog kernel &k" READ_V, HEAD("m3") "global_u32 &v = 3;\nkernel &k" READ_V,
    HEAD("m3") "global_u32 &v = 4;\nprog kernel &fourth" READ_V};

static hsa_executable_t executable;

static hsa_executable_symbol_t find(const char *module, const char *name)
{
    hsa_executable_symbol_t symbol = {0};
    if (hsa_executable_get_symbol(executable, module, name, on_hsa_agent(), 0, &symbol) != HSA_STATUS_SUCCESS)
        symbol.handle = 0;
    return symbol;
}

static hsa_executable_symbol_t by_name(const char *name)
{
    hsa_executable_symbol_t symbol = {0};
    hsa_agent_t agent = on_hsa_agent();
    if (hsa_executable_get_symbol_by_name(executable, name, &agent, &symbol) != HSA_STATUS_SUCCESS)
        symbol.handle = 0;
    return symbol;
}

/* The number that the kernel writes; 0 if it does not run. */
static uint32_t value_of(hsa_executable_symbol_t kernel)
{
    static uint32_t result;
    result = 0;
    return on_hsa_run(kernel, 1, 1, 0, (const uint64_t[]){(uintptr_t)&result}, 1) ? result : 0;
}

/* Whether a symbol is reported with this linkage, module ("" for none) and name. */
static bool is_reported(hsa_executable_symbol_t symbol, const char *module, const char *name)
{
    char text[2][32] = {""};
    uint32_t length[2] = {99, 99};
    hsa_symbol_linkage_t linkage = 99;
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE, &linkage);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH, &length[0]);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length[1]);
    if (length[0] != strlen(module) || length[1] != strlen(name))
        return false;
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME, text[0]);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, text[1]);
    return linkage == (*module ? HSA_SYMBOL_LINKAGE_MODULE : HSA_SYMBOL_LINKAGE_PROGRAM) && !strcmp(text[0], module) &&
           !strcmp(text[1], name);
}

static void test_kernels(void)
{
    ok(value_of(find(NULL, "&k")) == 2 && value_of(by_name("&k")) == 2 && is_reported(find(NULL, "&k"), "", "&k"),
       "a plain name is that of the program");
    ok(value_of(find("&m1", "&k")) == 1 && value_of(find("&m3", "&k")) == 3,
       "a module and a name are those of a module");
    ok(value_of(by_name("&m1::&k")) == 1 && by_name("&m1::&k").handle == find("&m1", "&k").handle,
       "the name of module and kernel together finds the same kernel");
    ok(is_reported(find("&m1", "&k"), "&m1", "&k") && is_reported(find("&m3", "&k"), "&m3", "&k"),
       "kernels of modules are reported with them");
    ok(value_of(by_name("&alone")) == 1 && is_reported(by_name("&alone"), "&m1", "&alone") &&
           find("&m1", "&alone").handle == by_name("&alone").handle,
       "a kernel of a module whose name no other has is found by it, too");
    ok(!find("&m2", "&k").handle && !find("&m4", "&k").handle && !find("m1", "&k").handle &&
           !by_name("&m2::&k").handle && !by_name("&m1::").handle && !by_name("&m1::&").handle && !by_name("&").handle,
       "other names find nothing");
    ok(value_of(by_name("&fourth")) == 4, "modules may share a name");
}

static uint32_t variable_value(hsa_executable_symbol_t symbol)
{
    uint64_t address = 0;
    uint32_t value = 0;
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address);
    if (address)
        hsa_memory_copy(&value, (const void *)(uintptr_t)address, sizeof value);
    return value;
}

static void test_variables(void)
{
    uint32_t size = 0, changed = 77;
    uint64_t address = 0;
    hsa_executable_symbol_get_info(find("&m1", "&r"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size);
    ok(variable_value(find(NULL, "&v")) == 2 && variable_value(find("&m1", "&v")) == 1 &&
           variable_value(by_name("&m1::&v")) == 1 && variable_value(find("&m1", "&r")) == 5 && size == 16,
       "variables have their values");
    ok(is_reported(find(NULL, "&v"), "", "&v") && is_reported(find("&m1", "&v"), "&m1", "&v"),
       "variables are reported with their modules");
    ok(!by_name("&r").handle, "a variable of a module has no plain name");
    hsa_executable_symbol_get_info(find("&m1", "&v"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address);
    hsa_memory_copy((void *)(uintptr_t)address, &changed, sizeof changed);
    ok(value_of(find("&m1", "&k")) == 77 && value_of(find(NULL, "&k")) == 2, "a kernel sees what the host writes");
}

struct counted {
    unsigned of_modules, of_program;
};

static hsa_status_t count_linkage(hsa_executable_t of, hsa_agent_t agent, hsa_executable_symbol_t symbol, void *data)
{
    struct counted *counted = data;
    hsa_symbol_linkage_t linkage = 99;
    (void)of, (void)agent;
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE, &linkage);
    counted->of_modules += linkage == HSA_SYMBOL_LINKAGE_MODULE;
    counted->of_program += linkage == HSA_SYMBOL_LINKAGE_PROGRAM;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t count_code_linkage(hsa_code_object_t code, hsa_code_symbol_t symbol, void *data)
{
    struct counted *counted = data;
    hsa_symbol_linkage_t linkage = 99;
    (void)code;
    hsa_code_symbol_get_info(symbol, HSA_CODE_SYMBOL_INFO_LINKAGE, &linkage);
    counted->of_modules += linkage == HSA_SYMBOL_LINKAGE_MODULE;
    counted->of_program += linkage == HSA_SYMBOL_LINKAGE_PROGRAM;
    return HSA_STATUS_SUCCESS;
}

/* The interface of HSA 1.0. */
static void test_code_object(void *code, size_t size)
{
    hsa_code_object_t object;
    hsa_code_symbol_t symbol = {0}, same = {0};
    struct counted counted = {0, 0};
    char module[3] = "";
    if (!ok(hsa_code_object_deserialize(code, size, NULL, &object) == HSA_STATUS_SUCCESS, "a code object of 1.0"))
        return;
    ok(hsa_code_object_get_symbol_from_name(object, "&m3", "&k", &symbol) == HSA_STATUS_SUCCESS &&
           hsa_code_symbol_get_info(symbol, HSA_CODE_SYMBOL_INFO_MODULE_NAME, module) == HSA_STATUS_SUCCESS &&
           !memcmp(module, "&m3", 3) && hsa_code_object_get_symbol(object, "&m3::&k", &same) == HSA_STATUS_SUCCESS &&
           same.handle == symbol.handle,
       "symbols of a code object are found by module");
    ok(hsa_code_object_get_symbol_from_name(object, "&m2", "&k", &symbol) == HSA_STATUS_ERROR_INVALID_SYMBOL_NAME,
       "symbols of the program are not found by a module");
    ok(hsa_code_object_iterate_symbols(object, count_code_linkage, &counted) == HSA_STATUS_SUCCESS &&
           counted.of_modules == 7 && counted.of_program == 3,
       "seven of modules and three of the program");
    hsa_code_object_destroy(object);
}

/* Two code objects of one executable. */
static void test_two(void)
{
    static const char *const others[] = {HEAD("m1") "global_u32 &v = 11;\nkernel &k" READ_V,
                                         HEAD("m5") "prog global_u32 &v = 12;\nprog kernel &k5" READ_V};
    size_t sizes[2] = {0, 0};
    void *codes[2] = {on_hsa_finalize(&others[0], 1, &sizes[0]), on_hsa_finalize(&others[1], 1, &sizes[1])};
    executable = on_hsa_executable();
    ok(codes[0] && codes[1] && on_hsa_load(executable, codes[0], sizes[0]) == HSA_STATUS_SUCCESS &&
           on_hsa_load(executable, codes[0], sizes[0]) == HSA_STATUS_SUCCESS,
       "two code objects may have the same symbol of module linkage");
    ok(on_hsa_load(executable, codes[1], sizes[1]) == HSA_STATUS_SUCCESS &&
           on_hsa_load(executable, codes[1], sizes[1]) == HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED,
       "two code objects may not have the same symbol of program linkage");
    ok(hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS && value_of(find("&m1", "&k")) == 11 &&
           value_of(by_name("&k")) == 11 && value_of(by_name("&k5")) == 12,
       "each keeps its own");
    hsa_executable_destroy(executable);
    hsail_finalize_free(codes[0]);
    hsail_finalize_free(codes[1]);
}

int main(void)
{
    size_t size = 0;
    struct counted counted = {0, 0};
    if (!ok(on_hsa_start(), "the software GPU starts"))
        return tap_done();
    void *code = on_hsa_finalize(texts, sizeof texts / sizeof *texts, &size);
    executable = on_hsa_executable();
    if (ok(code && on_hsa_load(executable, code, size) == HSA_STATUS_SUCCESS &&
               hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS,
           "four modules load")) {
        test_kernels();
        test_variables();
        hsa_executable_iterate_agent_symbols(executable, on_hsa_agent(), count_linkage, &counted);
        ok(counted.of_modules == 7 && counted.of_program == 3, "iteration visits all");
        test_code_object(code, size);
    }
    hsa_executable_destroy(executable);
    test_two();
    hsail_finalize_free(code);
    on_hsa_stop();
    return tap_done();
}
