/* SPDX-License-Identifier: MIT */
/* Tests code objects and executables with an object of LLVM's assembler and linker, and then with thousands of damaged
 * copies. object.sh runs this test. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/object.h"
#include "testsuite/xorshift.h"

#include "hsa/hsa_ven_amd_loader.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

enum { MUTATIONS = 12000 };

static hsa_agent_t agent, cpu;
static char *image;
static size_t image_size;

static hsa_executable_t make(void)
{
    hsa_executable_t executable = {0};
    hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable);
    return executable;
}

static hsa_status_t load(hsa_executable_t executable, const void *bytes, size_t size)
{
    hsa_code_object_reader_t reader = {0};
    hsa_status_t status = hsa_code_object_reader_create_from_memory(bytes, size, &reader);
    if (status == HSA_STATUS_SUCCESS)
        status = hsa_executable_load_agent_code_object(executable, agent, reader, NULL, NULL);
    hsa_code_object_reader_destroy(reader);
    return status;
}

static void *address(hsa_executable_t executable, const char *name)
{
    hsa_executable_symbol_t symbol;
    uint64_t at = 0;
    if (hsa_executable_get_symbol_by_name(executable, name, &agent, &symbol) == HSA_STATUS_SUCCESS)
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &at);
    return (void *)(uintptr_t)at;
}

/* Reads the 64-bit number at an address of the agent, which the host may not be able to access. */
static uint64_t word(const void *at)
{
    uint64_t value = UINT64_MAX;
    hsa_memory_copy(&value, at, sizeof value);
    return value;
}

static uint32_t number(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute)
{
    uint32_t value = UINT32_MAX;
    hsa_executable_symbol_get_info(symbol, attribute, &value);
    return value;
}

static hsa_status_t count_symbol(hsa_executable_t executable, hsa_agent_t of, hsa_executable_symbol_t symbol, void *n)
{
    char name[64];
    (void)executable;
    uint32_t length = number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH);
    ++*(int *)n;
    return of.handle == agent.handle && length < 64 &&
                   hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name) == HSA_STATUS_SUCCESS
               ? HSA_STATUS_SUCCESS
               : HSA_STATUS_ERROR;
}

static void kernels(hsa_executable_t executable)
{
    hsa_executable_symbol_t symbol, same;
    hsa_symbol_kind_t kind;
    uint64_t object = 0;
    ok(hsa_executable_get_symbol_by_name(executable, "first.kd", &agent, &symbol) == HSA_STATUS_SUCCESS &&
           hsa_executable_get_symbol(executable, NULL, "first", agent, 0, &same) == HSA_STATUS_SUCCESS &&
           same.handle == symbol.handle,
       "a kernel is found with and without .kd");
    ok(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) == HSA_STATUS_SUCCESS &&
           kind == HSA_SYMBOL_KIND_KERNEL &&
           number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE) == 20 &&
           number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT) == 32 &&
           number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE) == 256 &&
           number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE) == 16,
       "a kernel's sizes come from the metadata, as they are");
    ok(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object) ==
               HSA_STATUS_SUCCESS &&
           object % 64 == 0 && (uint32_t)word((void *)(uintptr_t)object) == 256,
       "the kernel object is the descriptor");
    ok(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &object) ==
           HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a kernel has no variable's attributes");
    hsa_executable_get_symbol_by_name(executable, "second", &agent, &symbol);
    ok(number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE) == 8,
       "a kernel without metadata is known from its descriptor");
}

static void executables(void)
{
    hsa_executable_t executable = make();
    hsa_executable_symbol_t symbol;
    uint64_t external = 99;
    uint32_t result = 0;
    int count = 0, loads = counts()->code_load;
    ok(load(executable, image, image_size) == HSA_STATUS_SUCCESS, "load");
    ok(load(executable, image, image_size) == HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED,
       "the same code object is not loaded twice");
    ok(hsa_executable_iterate_agent_symbols(executable, agent, count_symbol, &count) == HSA_STATUS_SUCCESS &&
           count == 6,
       "two kernels and four variables");
    ok(hsa_executable_validate(executable, &result) == HSA_STATUS_SUCCESS &&
           result == HSA_STATUS_ERROR_VARIABLE_UNDEFINED &&
           hsa_executable_freeze(executable, NULL) == HSA_STATUS_ERROR_VARIABLE_UNDEFINED,
       "an external variable is missing");
    ok(hsa_executable_agent_global_variable_define(executable, agent, "external", &external) == HSA_STATUS_SUCCESS &&
           hsa_executable_readonly_variable_define(executable, agent, "external", &external) ==
               HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED &&
           hsa_executable_global_variable_define(executable, NULL, &external) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "an external variable is defined once");
    ok(hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS &&
           hsa_executable_freeze(executable, NULL) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE &&
           load(executable, image, image_size) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE &&
           hsa_executable_global_variable_define(executable, "x", &external) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE,
       "a frozen executable does not change");
    uint64_t *pointers = address(executable, "pointers"), *counter = address(executable, "counter");
    uint32_t *table = address(executable, "table");
    ok(counter && word(counter) == 42 && table && (uint32_t)word(&table[3]) == 4, "variables have their values");
    ok(pointers && word(pointers) == (uintptr_t)counter && word(&pointers[1]) == (uintptr_t)&table[1] &&
           word(&pointers[2]) == (uintptr_t)&external && word((void *)(uintptr_t)word(&pointers[3])) == 7,
       "pointers are relocated");
    uint64_t *zeros = address(executable, "zeros");
    ok(zeros && !word(zeros) && !word(&zeros[7]), "zeros");
    kernels(executable);
    ok(counts()->code_load == loads + 1 && counts()->last_code.text_size >= 256 &&
           !strcmp(counts()->last_code.isa, "amdgcn-amd-amdhsa--gfx900:xnack-"),
       "the driver has seen the code");
    ok(hsa_executable_get_symbol_by_name(executable, "missing", &agent, &symbol) ==
               HSA_STATUS_ERROR_INVALID_SYMBOL_NAME &&
           hsa_executable_get_symbol_by_name(executable, "first", NULL, &symbol) ==
               HSA_STATUS_ERROR_INVALID_SYMBOL_NAME,
       "missing symbols");
    hsa_executable_get_symbol_by_name(executable, "first", &agent, &symbol);
    ok(hsa_executable_destroy(executable) == HSA_STATUS_SUCCESS &&
           hsa_executable_destroy(executable) == HSA_STATUS_ERROR_INVALID_EXECUTABLE &&
           number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE) == UINT32_MAX,
       "executable and symbols are gone");
    ok(counts()->code_unload == counts()->code_load, "the driver has let the code go");
}

extern struct r_debug _amdgpu_r_debug;

static hsa_status_t keep_loaded(hsa_executable_t executable, hsa_loaded_code_object_t loaded, void *to)
{
    (void)executable;
    *(hsa_loaded_code_object_t *)to = loaded;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t count_executable(hsa_executable_t executable, void *n)
{
    ++*(int *)n;
    return executable.handle ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

static void parts_of_files(const hsa_ven_amd_loader_1_03_pfn_t *of)
{
    hsa_code_object_reader_t reader;
    int file = open(getenv("TEST_OBJECT"), O_RDONLY | O_CLOEXEC);
    ok(of->hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, 0, image_size, &reader) ==
               HSA_STATUS_SUCCESS &&
           hsa_code_object_reader_destroy(reader) == HSA_STATUS_SUCCESS &&
           of->hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, 1, image_size, &reader) ==
               HSA_STATUS_ERROR_INVALID_FILE &&
           of->hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, SIZE_MAX, 2, &reader) ==
               HSA_STATUS_ERROR_INVALID_FILE,
       "a part of a file is read");
    close(file);
}

static hsa_loaded_code_object_t loaded_objects(const hsa_ven_amd_loader_1_03_pfn_t *of, hsa_executable_t executable,
                                               const char *counter)
{
    hsa_loaded_code_object_t loaded = {0};
    uint64_t base = 0, size = 0;
    uint32_t kind = 0, length = 0;
    char uri[100] = "";
    int executables_seen = 0;
    ok(of->hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, keep_loaded, &loaded) ==
               HSA_STATUS_SUCCESS &&
           of->hsa_ven_amd_loader_loaded_code_object_get_info(
               loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &base) == HSA_STATUS_SUCCESS &&
           of->hsa_ven_amd_loader_loaded_code_object_get_info(
               loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &size) == HSA_STATUS_SUCCESS &&
           (uintptr_t)counter - base < size &&
           of->hsa_ven_amd_loader_loaded_code_object_get_info(
               loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND, &kind) == HSA_STATUS_SUCCESS &&
           kind == HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT,
       "a loaded code object says where it is");
    ok(of->hsa_ven_amd_loader_loaded_code_object_get_info(
           loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length) == HSA_STATUS_SUCCESS &&
           length < sizeof uri &&
           of->hsa_ven_amd_loader_loaded_code_object_get_info(
               loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri) == HSA_STATUS_SUCCESS &&
           strlen(uri) == length && !strcmp(uri, _amdgpu_r_debug.r_map->l_name) &&
           of->hsa_ven_amd_loader_loaded_code_object_get_info(
               loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE, uri) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a loaded code object says what kind it is");
    ok(of->hsa_ven_amd_loader_iterate_executables(count_executable, &executables_seen) == HSA_STATUS_SUCCESS &&
           executables_seen == 1,
       "executables are listed");
    return loaded;
}

/* What AMD's loader extension says of a frozen executable. */
static void loader_extension(void)
{
    hsa_ven_amd_loader_1_03_pfn_t of;
    bool has = false;
    ok(hsa_system_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, 0, &has) == HSA_STATUS_SUCCESS && has &&
           hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof of, &of) == HSA_STATUS_SUCCESS,
       "the loader extension");
    hsa_executable_t executable = make(), found = {0};
    uint64_t external = 3;
    load(executable, image, image_size);
    hsa_executable_agent_global_variable_define(executable, agent, "external", &external);
    void *before = _amdgpu_r_debug.r_map;
    ok(hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS && !before && _amdgpu_r_debug.r_map &&
           _amdgpu_r_debug.r_state == RT_CONSISTENT && _amdgpu_r_debug.r_brk &&
           !strncmp(_amdgpu_r_debug.r_map->l_name, "memory://", 9),
       "debuggers find what is frozen");
    char *counter = address(executable, "counter");
    const void *host = NULL;
    ok(of.hsa_ven_amd_loader_query_host_address(counter, &host) == HSA_STATUS_SUCCESS &&
           *(const uint64_t *)host == 42 &&
           of.hsa_ven_amd_loader_query_host_address(&host, &host) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           of.hsa_ven_amd_loader_query_executable(counter, &found) == HSA_STATUS_SUCCESS &&
           found.handle == executable.handle &&
           of.hsa_ven_amd_loader_query_executable(&host, &found) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "an address leads to its executable");
    hsa_ven_amd_loader_segment_descriptor_t segments[16];
    size_t n = 0, inside = 0;
    of.hsa_ven_amd_loader_query_segment_descriptors(NULL, &n);
    ok(n > 1 && n <= 16 && of.hsa_ven_amd_loader_query_segment_descriptors(segments, &n) == HSA_STATUS_SUCCESS &&
           (n--,
            of.hsa_ven_amd_loader_query_segment_descriptors(segments, &n) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS),
       "segments are counted, then listed");
    for (size_t i = 0; i <= n && n < 16; i++)
        inside += (size_t)(counter - (const char *)segments[i].segment_base) < segments[i].segment_size &&
                  segments[i].executable.handle == executable.handle && segments[i].agent.handle == agent.handle &&
                  !memcmp(counter,
                          (const char *)segments[i].code_object_storage_base + segments[i].code_object_storage_offset +
                              (counter - (const char *)segments[i].segment_base),
                          8);
    ok(inside == 1, "one segment holds a variable, and its bytes in the file");
    hsa_loaded_code_object_t loaded = loaded_objects(&of, executable, counter);
    uint32_t kind;
    hsa_executable_destroy(executable);
    ok(!_amdgpu_r_debug.r_map &&
           of.hsa_ven_amd_loader_loaded_code_object_get_info(
               loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND, &kind) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
       "until they go");
    parts_of_files(&of);
}

static hsa_status_t take_memory(size_t size, hsa_callback_data_t data, void **at)
{
    (void)data;
    *at = malloc(size);
    return HSA_STATUS_SUCCESS;
}

static void code_objects(void)
{
    hsa_code_object_t object = {0};
    hsa_code_symbol_t symbol;
    hsa_executable_t executable = make();
    uint32_t size = 0;
    void *copy = NULL;
    size_t copy_size = 0;
    ok(hsa_code_object_deserialize(image, 0, NULL, &object) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_code_object_deserialize(image, 100, NULL, &object) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT &&
           hsa_code_object_destroy(object) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
       "wrong code objects are refused");
    ok(hsa_code_object_deserialize(image, image_size, NULL, &object) == HSA_STATUS_SUCCESS, "deserialize");
    ok(hsa_code_object_get_symbol(object, "first", &symbol) == HSA_STATUS_SUCCESS &&
           hsa_code_symbol_get_info(symbol, HSA_CODE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &size) ==
               HSA_STATUS_SUCCESS &&
           size == 256,
       "symbols of a code object");
    ok(hsa_code_object_serialize(object, take_memory, (hsa_callback_data_t){0}, NULL, &copy, &copy_size) ==
               HSA_STATUS_SUCCESS &&
           copy_size == image_size && !memcmp(copy, image, image_size),
       "serialize gives the bytes back");
    free(copy);
    ok(hsa_executable_load_code_object(executable, agent, object, NULL) == HSA_STATUS_SUCCESS &&
           hsa_code_object_destroy(object) == HSA_STATUS_SUCCESS &&
           hsa_code_object_destroy(object) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT &&
           hsa_code_symbol_get_info(symbol, HSA_CODE_SYMBOL_INFO_TYPE, &size) == HSA_STATUS_ERROR_INVALID_CODE_SYMBOL,
       "an executable outlives its code object");
    ok(address(executable, "counter") != NULL, "an executable keeps its symbols without its code object");
    hsa_executable_destroy(executable);
    hsa_code_object_reader_t reader;
    int file = open(getenv("TEST_OBJECT"), O_RDONLY | O_CLOEXEC), nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    executable = make();
    ok(hsa_code_object_reader_create_from_file(-1, &reader) == HSA_STATUS_ERROR_INVALID_FILE &&
           hsa_code_object_reader_create_from_file(nothing, &reader) == HSA_STATUS_ERROR_INVALID_FILE &&
           hsa_code_object_reader_create_from_memory(image, 0, &reader) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong readers are refused");
    ok(hsa_code_object_reader_create_from_file(file, &reader) == HSA_STATUS_SUCCESS &&
           hsa_executable_load_agent_code_object(executable, cpu, reader, NULL, NULL) ==
               HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS &&
           hsa_executable_load_program_code_object(executable, reader, NULL, NULL) ==
               HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS &&
           hsa_executable_load_agent_code_object(executable, agent, reader, NULL, NULL) == HSA_STATUS_SUCCESS,
       "from a file, only for the agent that can");
    hsa_code_object_reader_destroy(reader);
    ok(hsa_code_object_reader_destroy(reader) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "reader is gone");
    close(file);
    close(nothing); /* hsa_shut_down() has to destroy the executable */
}

/* Whatever the bytes are, the answer must be a status and not a crash. If an object can still be loaded, its symbols
 * are queried. */
static void mutations(void)
{
    uint64_t state = 88172645463325252u, external = 0;
    int loaded = 0, frozen = 0;
    char *bytes = malloc(image_size);
    for (int i = 0; i < MUTATIONS; i++) {
        memcpy(bytes, image, image_size);
        size_t size = image_size;
        int changes = 1 + i % 4;
        while (changes--) {
            xorshift(&state);
            size_t at = i % 3 ? state % 1024 : (state >> 8) % image_size; /* headers are near the start */
            if (i % 5 == 0)
                at = image_size - 1 - (state >> 20) % 1200; /* the section table is near the end */
            bytes[at] = i % 2 ? (char)(state >> 40) : (char)(bytes[at] ^ 1 << (state >> 50) % 8);
        }
        if (i % 16 == 0)
            size = 1 + state % image_size;
        hsa_executable_t executable = make();
        if (load(executable, bytes, size) == HSA_STATUS_SUCCESS) {
            int count = 0;
            loaded++;
            hsa_executable_iterate_agent_symbols(executable, agent, count_symbol, &count);
            hsa_executable_agent_global_variable_define(executable, agent, "external", &external);
            frozen += hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS;
        }
        hsa_executable_destroy(executable);
    }
    free(bytes);
    ok(loaded > 0 && frozen > 0 && frozen < MUTATIONS, "%d damaged objects: %d loaded, %d frozen", MUTATIONS, loaded,
       frozen);
}

int main(void)
{
    image = object_read(&image_size);
    if (!image || !image_size) {
        tap_skip("executables", "TEST_OBJECT names no code object");
        return tap_done();
    }
    if (!counts() || !start("async"))
        return tap_done();
    agent = test_agent(&cpu);
    executables();
    loader_extension();
    code_objects();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    start("fakevram"); /* code is relocated on the host and copied to the agent */
    agent = test_agent(&cpu);
    executables();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && counts()->memory_new == counts()->memory_delete, "shut down");
    start("");
    agent = test_agent(&cpu);
    mutations();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    free(image);
    return tap_done();
}
