/* SPDX-License-Identifier: MIT */
/* The low-level finalizer of HSA 1.0 provisional, and its objects as bytes: finalizations and programs are made,
 * serialized, damaged, and made again. The expected numbers are those that the kernels compute by hand. */
#include "testsuite/runtime/provisional_common.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    "module &user:1:0:$full:$large:$default;\n"
    "decl prog global_u32 &given;\n"
    "decl prog alloc(agent) global_u32 &mine;\n"
    "decl prog readonly_u32 &fixed;\n"
    "prog global_u32 &counter = 10;\n"
    "decl prog function &twice(arg_u32 %result)(arg_u32 %value);\n"
    "prog kernel &sum(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    ld_global_u32 $s0, [&given];\n"
    "    ld_global_u32 $s1, [&mine];\n"
    "    add_u32 $s0, $s0, $s1;\n"
    "    ld_readonly_u32 $s1, [&fixed];\n"
    "    add_u32 $s0, $s0, $s1;\n"
    "    atomic_add_global_rlx_system_u32 $s1, [&counter], 1;\n"
    "    add_u32 $s0, $s0, $s1;\n"
    "    {\n"
    "        arg_u32 %value;\n"
    "        arg_u32 %result;\n"
    "        st_arg_u32 $s0, [%value];\n"
    "        call &twice(%result)(%value);\n"
    "        ld_arg_u32 $s0, [%result];\n"
    "    }\n"
    "    st_global_u32 $s0, [$d0];\n"
    "    ret;\n"
    "};\n"
    "kernel &alone(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    st_global_u32 55, [$d0];\n"
    "    ret;\n"
    "};\n",
    "module &library:1:0:$full:$large:$default;\n"
    "prog function &twice(arg_u32 %result)(arg_u32 %value)\n"
    "{\n"
    "    ld_arg_u32 $s0, [%value];\n"
    "    add_u32 $s0, $s0, $s0;\n"
    "    st_arg_u32 $s0, [%result];\n"
    "    ret;\n"
    "};\n"};

enum { CALLER = 4711 };
static const hsa_runtime_caller_t self = {CALLER};
static struct table tables[2];
static hsa_ext_program_handle_t program;
static hsa_ext_brig_module_handle_t modules[2];
static uint32_t given = 1000, mine = 200, fixed = 30, counter = 10;
static hsa_ext_finalization_request_t requests[2];
static unsigned asked_definitions, asked_addresses, messages, wrong_callers;
static bool hide_variables;

static hsa_ext_brig_module_t *brig_of(int i)
{
    return (hsa_ext_brig_module_t *)(void *)&tables[i];
}

/* ---- callbacks ---- */

static hsa_status_t define(hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module,
                           hsa_ext_brig_code_section_offset32_t symbol, hsa_ext_brig_module_handle_t *definition_module,
                           hsa_ext_brig_module_t *brig, hsa_ext_brig_code_section_offset32_t *definition_symbol)
{
    (void)brig;
    asked_definitions++;
    wrong_callers += caller.caller != CALLER;
    if (module.handle != modules[0].handle || symbol != find_entry(&tables[0], "&twice"))
        return HSA_STATUS_ERROR;
    *definition_module = modules[1];
    *definition_symbol = find_entry(&tables[1], "&twice");
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t place(hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module,
                          hsa_ext_brig_code_section_offset32_t symbol, uint64_t *address)
{
    static const struct {
        const char *name;
        uint32_t *at;
    } variables[] = {{"&given", &given}, {"&mine", &mine}, {"&fixed", &fixed}, {"&counter", &counter}};
    asked_addresses++;
    wrong_callers += caller.caller != CALLER;
    for (size_t i = 0; i < 4 && !hide_variables && module.handle == modules[0].handle; i++)
        if (symbol == find_entry(&tables[0], variables[i].name)) {
            *address = (uintptr_t)variables[i].at;
            return HSA_STATUS_SUCCESS;
        }
    return HSA_STATUS_ERROR;
}

static hsa_status_t place_of_program(hsa_runtime_caller_t caller, const char *name, uint64_t *address)
{
    wrong_callers += caller.caller != CALLER;
    asked_addresses++;
    *address = !strcmp(name, "&given") ? (uintptr_t)&given : 0;
    return *address ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

static hsa_status_t place_of_agent(hsa_runtime_caller_t caller, hsa_agent_t agent, const char *name, uint64_t *address)
{
    wrong_callers += caller.caller != CALLER || agent != gpus[0];
    asked_addresses++;
    *address = !strcmp(name, "&mine") ? (uintptr_t)&mine : !strcmp(name, "&fixed") ? (uintptr_t)&fixed : 0;
    return *address ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

static hsa_status_t tell(hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module,
                         hsa_ext_brig_code_section_offset32_t statement, uint32_t indent, const char *message)
{
    (void)module, (void)statement, (void)indent;
    wrong_callers += caller.caller != CALLER;
    messages += message && *message;
    return HSA_STATUS_SUCCESS;
}

static size_t given_size;

static hsa_status_t give_memory(hsa_runtime_caller_t caller, size_t size, void **address)
{
    wrong_callers += caller.caller != CALLER;
    given_size = size;
    *address = malloc(size);
    return *address ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

static hsa_status_t give_none(hsa_runtime_caller_t caller, size_t size, void **address)
{
    (void)caller, (void)size;
    *address = NULL;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t refuse_memory(hsa_runtime_caller_t caller, size_t size, void **address)
{
    (void)caller, (void)size, (void)address;
    return HSA_STATUS_ERROR_INVALID_REGION;
}

/* ---- finalizations ---- */

static hsa_status_t finalize(hsa_agent_t agent, uint32_t id, uint32_t agents, size_t count,
                             hsa_ext_finalization_handle_t *finalization)
{
    return hsa_ext_finalize(
        self, agent, id, agents, count, requests, NULL, define, place, tell, 0, NULL, 0, finalization);
}

static hsa_ext_finalization_handle_t code;

/* What &sum stores before it has counted, as it is written there. */
enum { FIRST = 2 * (1000 + 200 + 30 + 10) };

static void finalizations(void)
{
    hsa_ext_code_descriptor_t first, second;
    uint32_t count = 0;
    ok(finalize(gpus[0], 1, 2, 2, &code) == HSA_STATUS_SUCCESS && code.handle, "two kernels are finalized");
    ok(asked_definitions >= 1 && asked_addresses >= 4 && !wrong_callers && !messages,
       "the callbacks are asked for the symbols, by the caller's pointer");
    ok(hsa_ext_query_finalization_code_descriptor_count(gpus[0], code, &count) == HSA_STATUS_SUCCESS && count == 2 &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], code, 0, &first) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], code, 1, &second) == HSA_STATUS_SUCCESS,
       "the finalization has a descriptor for each");
    ok(first.code_type == HSA_EXT_CODE_KERNEL && first.module.handle == modules[0].handle &&
           first.symbol == requests[0].symbol && first.program_call_convention == 1 &&
           !strcmp(first.agent_name, "gfx900") && first.kernarg_segment_byte_size == 8,
       "a descriptor says what it is of");
    ok(run_descriptor(gpus[0], &first) == FIRST && counter == 11 && run_descriptor(gpus[0], &first) == FIRST + 2,
       "the code uses the variables where the client has placed them, also one that a module defines");
    ok(run_descriptor(gpus[0], &second) == 55, "a kernel with module linkage is finalized");
    hsa_ext_finalization_handle_t other = {0};
    ok(finalize(gpus[1], 0, 1, 1, &other) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_finalization_code_descriptor(gpus[1], other, 0, &second) == HSA_STATUS_SUCCESS &&
           run_descriptor(gpus[1], &second) == FIRST + 4,
       "the same kernel for another agent");
    ok(hsa_ext_destroy_finalization(gpus[0], other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_destroy_finalization(gpus[1], other) == HSA_STATUS_SUCCESS &&
           hsa_ext_destroy_finalization(gpus[1], other) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a finalization is destroyed once, for its agent");
}

/* Without callbacks the program of the modules is asked. */
static void without_callbacks(void)
{
    hsa_ext_finalization_handle_t other = {0};
    hsa_ext_code_descriptor_t descriptor;
    uint32_t at = find_entry(&tables[0], "&given");
    messages = 0;
    ok(hsa_ext_finalize(self, gpus[0], 0, 1, 1, requests, NULL, NULL, NULL, tell, 0, NULL, 0, &other) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           messages == 1 && !other.handle,
       "variables that nobody has placed are missing, which a message says");
    hsa_ext_define_program_allocation_global_variable_address(program, modules[0], at, NULL, &given);
    at = find_entry(&tables[0], "&mine");
    hsa_ext_define_agent_allocation_global_variable_address(program, gpus[0], modules[0], at, NULL, &mine);
    at = find_entry(&tables[0], "&fixed");
    hsa_ext_define_readonly_variable_address(program, gpus[0], modules[0], at, NULL, &fixed);
    ok(hsa_ext_finalize(self, gpus[0], 0, 1, 1, requests, NULL, NULL, NULL, NULL, 9, "--no-such-option", 1, &other) ==
               HSA_EXT_STATUS_INFO_UNRECOGNIZED_OPTIONS &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], other, 0, &descriptor) == HSA_STATUS_SUCCESS,
       "the program defines them; unknown options are reported");
    ok(run_descriptor(gpus[0], &descriptor) == FIRST && run_descriptor(gpus[0], &descriptor) == FIRST + 2,
       "a variable without an address gets memory with the value that its module gives it");
    hsa_ext_destroy_finalization(gpus[0], other);
}

static void wrong_requests(void)
{
    hsa_ext_finalization_handle_t none = {0};
    hsa_ext_finalization_request_t wrong = {modules[0], find_entry(&tables[0], "&given"), 0};
    hsa_ext_control_directives_t unclean = {.required_dim = 1};
    const hsa_status_t statuses[] = {
        finalize(gpus[0], 0, 1, 0, &none),
        finalize(gpus[0], 1, 1, 1, &none),
        finalize(3, 0, 1, 1, &none),
        finalize(gpus[0], 0, 1, 1, NULL),
        hsa_ext_finalize(self, gpus[0], 0, 1, 1, NULL, NULL, define, place, NULL, 0, NULL, 0, &none),
        hsa_ext_finalize(self, gpus[0], 0, 1, 1, &wrong, NULL, define, place, NULL, 0, NULL, 0, &none),
        hsa_ext_finalize(self, gpus[0], 0, 1, 1, requests, &unclean, define, place, NULL, 0, NULL, 0, &none),
        hsa_ext_finalize(self, gpus[0], 0, 1, 1, requests, NULL, define, place, NULL, 0, NULL, 2, &none)};
    bool good = true;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        good &= statuses[i] == HSA_STATUS_ERROR_INVALID_ARGUMENT;
    wrong.module.handle = 77;
    ok(good && hsa_ext_finalize(self, gpus[0], 0, 1, 1, &wrong, NULL, define, place, NULL, 0, NULL, 0, &none) ==
                   HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong requests are refused");
    hide_variables = true;
    messages = 0;
    ok(finalize(gpus[0], 0, 1, 1, &none) == HSA_STATUS_ERROR_INVALID_ARGUMENT && messages == 1,
       "variables that the client does not place are missing");
    hide_variables = false;
}

/* ---- finalizations as bytes ---- */

static void *object;

static hsa_status_t read_code(void *bytes, hsa_agent_t agent, hsa_ext_finalization_handle_t *result)
{
    return hsa_ext_deserialize_finalization(self, bytes, agent, 0, 1, place, tell, 0, result);
}

/* Whether an object that is wrong in any of its first words is refused. Those from CHECKED on may be anything. */
static bool refuses_damage(hsa_status_t (*read_it)(void *bytes), size_t checked)
{
    char *copy = malloc(given_size);
    size_t refused = 0;
    for (size_t i = 0; i < checked && copy; i++) {
        memcpy(copy, object, given_size);
        copy[i] ^= 0x40;
        refused += read_it(copy) == HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    free(copy);
    return refused == checked;
}

static hsa_status_t read_any_code(void *bytes)
{
    hsa_ext_finalization_handle_t result;
    return read_code(bytes, gpus[0], &result);
}

static hsa_ext_finalization_handle_t ending;

static hsa_status_t end_and_give_memory(hsa_runtime_caller_t caller, size_t size, void **address)
{
    hsa_ext_destroy_finalization(gpus[0], ending);
    return give_memory(caller, size, address);
}

static void finalization_ends_in_callback(void)
{
    void *second = NULL;
    bool good = read_code(object, gpus[0], &ending) == HSA_STATUS_SUCCESS &&
                hsa_ext_serialize_finalization(self, gpus[0], ending, end_and_give_memory, tell, 0, &second) ==
                    HSA_STATUS_SUCCESS;
    hsa_ext_finalization_handle_t of_second = {0};
    ok(good && read_code(second, gpus[0], &of_second) == HSA_STATUS_SUCCESS &&
           hsa_ext_destroy_finalization(gpus[0], ending) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "the callback that allocates may destroy the finalization");
    hsa_ext_destroy_finalization(gpus[0], of_second);
    free(second);
}

static void variable_for_kernel(void)
{
    static const char kernel[] = "&sum", variable[] = "&given";
    char *copy = malloc(given_size);
    size_t at = 0;
    memcpy(copy, object, given_size);
    while (at + sizeof variable < given_size && memcmp(copy + at, kernel, sizeof kernel) != 0)
        at++;
    memcpy(copy + at, variable, sizeof variable);
    ok(read_any_code(copy) == HSA_STATUS_ERROR_INVALID_ARGUMENT, "a variable is not taken for a kernel");
    free(copy);
}

/* Any damage: no crash. What can still be read has the descriptors that were finalized. */
static void damaged_finalizations(void)
{
    char *wrong = malloc(given_size);
    unsigned survived = 0, tried = 0;
    bool good = true;
    for (size_t i = 16; i < given_size; i += 7, tried++) {
        hsa_ext_finalization_handle_t result;
        uint32_t count = 0;
        memcpy(wrong, object, given_size);
        wrong[i] ^= 0x81;
        if (read_code(wrong, gpus[0], &result) != HSA_STATUS_SUCCESS)
            continue;
        survived++;
        good &= hsa_ext_query_finalization_code_descriptor_count(gpus[0], result, &count) == HSA_STATUS_SUCCESS &&
                count == 2 && hsa_ext_destroy_finalization(gpus[0], result) == HSA_STATUS_SUCCESS;
    }
    free(wrong);
    ok(good && survived < tried, "damaged objects are read or refused (%u of %u read)", survived, tried);
}

static void finalizations_as_bytes(void)
{
    hsa_ext_finalization_handle_t again = {0};
    hsa_ext_code_descriptor_t first, second;
    uint32_t before = counter;
    ok(hsa_ext_serialize_finalization(self, gpus[0], code, give_memory, tell, 0, &object) == HSA_STATUS_SUCCESS &&
           object && !wrong_callers,
       "a finalization is serialized");
    ok(hsa_ext_destroy_finalization(gpus[0], code) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], code, 0, &first) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "then it is destroyed");
    ok(read_code(object, gpus[0], &again) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], again, 0, &first) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], again, 1, &second) == HSA_STATUS_SUCCESS &&
           first.symbol == requests[0].symbol && first.program_call_convention == 0,
       "and made again of the bytes");
    ok(run_descriptor(gpus[0], &first) == 2 * (1230 + before) && counter == before + 1 &&
           run_descriptor(gpus[0], &second) == 55,
       "its kernels do what they did");
    hsa_ext_finalization_handle_t none = {0};
    messages = 0;
    ok(read_code(object, gpus[1], &none) == HSA_STATUS_ERROR_INVALID_ARGUMENT && messages == 1,
       "code for one processor is not for another, which a message says");
    ok(read_code(NULL, gpus[0], &none) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           read_code(object, 5, &none) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_deserialize_finalization(self, object, gpus[0], 1, 1, place, tell, 0, &none) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_deserialize_finalization(self, object, gpus[0], 0, 1, NULL, tell, 0, &none) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           read_code(object, gpus[0], NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong arguments are refused");
    ok(refuses_damage(read_any_code, 16), "and objects whose first words are wrong");
    finalization_ends_in_callback();
    variable_for_kernel();
    damaged_finalizations();
    void *nothing = NULL;
    ok(hsa_ext_serialize_finalization(self, gpus[0], again, give_none, NULL, 0, &nothing) ==
               HSA_STATUS_ERROR_OUT_OF_RESOURCES &&
           hsa_ext_serialize_finalization(self, gpus[0], again, refuse_memory, NULL, 0, &nothing) ==
               HSA_STATUS_ERROR_INVALID_REGION &&
           hsa_ext_serialize_finalization(self, gpus[1], again, give_memory, NULL, 0, &nothing) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_serialize_finalization(self, gpus[0], again, NULL, NULL, 0, &nothing) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_serialize_finalization(self, gpus[0], again, give_memory, NULL, 0, NULL) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "without memory nothing is serialized");
    free(object);
    hsa_ext_destroy_finalization(gpus[0], again);
}

/* ---- programs as bytes ---- */

static hsa_status_t read_program(void *bytes)
{
    hsa_ext_program_handle_t *result = NULL;
    return hsa_ext_deserialize_program(self, bytes, place_of_program, place_of_agent, NULL, 0, &result);
}

static void programs_as_bytes(void)
{
    hsa_ext_program_handle_t *again = NULL;
    hsa_ext_brig_module_handle_t listed[2] = {{0}, {0}};
    hsa_ext_brig_module_t *table = NULL;
    hsa_ext_code_descriptor_t *descriptor = NULL;
    hsa_agent_t agents[2];
    asked_addresses = 0;
    ok(hsa_ext_serialize_program(self, program, give_memory, tell, 0, &object) == HSA_STATUS_SUCCESS && object,
       "a program is serialized");
    ok(hsa_ext_program_destroy(program) == HSA_STATUS_SUCCESS &&
           hsa_ext_deserialize_program(self, object, place_of_program, place_of_agent, tell, 0, &again) ==
               HSA_STATUS_SUCCESS &&
           again && asked_addresses == 3 && !wrong_callers,
       "then destroyed, and made again; the client is asked for the variables that it had defined");
    if (!again)
        return;
    ok(hsa_ext_query_program_agents(*again, 2, agents) == HSA_STATUS_SUCCESS && agents[0] == gpus[0] &&
           agents[1] == gpus[1] && hsa_ext_query_program_modules(*again, 2, listed) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_program_brig_module(*again, listed[0], &table) == HSA_STATUS_SUCCESS &&
           table->section_count == 3 && table->section[1]->byte_count == tables[0].section[1]->byte_count,
       "it has the agents and modules");
    hsa_ext_finalization_request_t request = {listed[0], requests[0].symbol, 0};
    ok(hsa_ext_finalize_program(*again, gpus[0], 1, &request, NULL, NULL, 0, NULL, 0) ==
           HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "its two agents cannot share a variable that a module defines, as before");
    hsa_ext_finalization_handle_t finalization = {0};
    hsa_ext_code_descriptor_t low;
    ok(hsa_ext_finalize(self, gpus[0], 0, 2, 1, &request, NULL, NULL, NULL, NULL, 0, NULL, 0, &finalization) ==
               HSA_STATUS_SUCCESS &&
           hsa_ext_query_finalization_code_descriptor(gpus[0], finalization, 0, &low) == HSA_STATUS_SUCCESS &&
           run_descriptor(gpus[0], &low) == FIRST,
       "but its kernels can be finalized for one");
    ok(hsa_ext_query_kernel_descriptor_address(*again, listed[0], requests[0].symbol, &descriptor) ==
               HSA_STATUS_SUCCESS &&
           descriptor->code_type == HSA_EXT_CODE_NONE,
       "which the program does not know");
    ok(refuses_damage(read_program, 16), "objects whose first words are wrong are refused");
    char *wrong = malloc(given_size);
    unsigned survived = 0;
    for (size_t i = 16; i < given_size && wrong; i += 3) { /* any damage: no crash */
        memcpy(wrong, object, given_size);
        wrong[i] ^= 0x81;
        survived += read_program(wrong) == HSA_STATUS_SUCCESS;
    }
    free(wrong);
    ok(survived < given_size / 3, "damaged objects are read or refused");
    void *nothing = NULL;
    ok(hsa_ext_serialize_program(self, *again, give_none, NULL, 0, &nothing) == HSA_STATUS_ERROR_OUT_OF_RESOURCES &&
           hsa_ext_serialize_program(self, program, give_memory, NULL, 0, &nothing) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_serialize_program(self, *again, NULL, NULL, 0, &nothing) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           read_program(NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_deserialize_program(self, object, NULL, NULL, NULL, 0, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong arguments are refused");
    free(object);
    ok(hsa_ext_program_destroy(*again) == HSA_STATUS_SUCCESS && run_descriptor(gpus[0], &low) == FIRST + 2,
       "code of a finalization outlives the program");
}

static void down(void)
{
    hsa_ext_finalization_handle_t none = {1};
    hsa_ext_program_handle_t *made;
    hsa_ext_code_descriptor_t descriptor;
    uint32_t count;
    void *to;
    const int statuses[] = {
        finalize(0, 0, 1, 1, &none),
        hsa_ext_query_finalization_code_descriptor_count(0, none, &count),
        hsa_ext_query_finalization_code_descriptor(0, none, 0, &descriptor),
        hsa_ext_destroy_finalization(0, none),
        hsa_ext_serialize_finalization(self, 0, none, give_memory, tell, 0, &to),
        read_code(&to, 0, &none),
        hsa_ext_serialize_program(self, program, give_memory, tell, 0, &to),
        hsa_ext_deserialize_program(self, &to, NULL, NULL, NULL, 0, &made)};
    size_t good = 0;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        good += statuses[i] == HSA_STATUS_ERROR_NOT_INITIALIZED;
    ok(good == sizeof statuses / sizeof *statuses, "without a runtime every function says so");
}

int main(void)
{
    int finalizer = 0;
    setenv("HSA_GCN_AGENTS", "gfx900,gfx906", 1);
    ok(assemble_table(&tables[0], texts[0], false) && assemble_table(&tables[1], texts[1], true), "assemble");
    ok(hsa_init() == HSA_STATUS_SUCCESS && find_two_gpus(), "there are two GPUs");
    ok(hsa_extension_query(HSA_EXT_FINALIZER, &finalizer) == HSA_STATUS_SUCCESS && finalizer == 1,
       "there is a finalizer");
    ok(hsa_ext_program_create(gpus, 2, 1, 1, &program) == HSA_STATUS_SUCCESS &&
           hsa_ext_add_module(program, brig_of(0), &modules[0]) == HSA_STATUS_SUCCESS &&
           hsa_ext_add_module(program, brig_of(1), &modules[1]) == HSA_STATUS_SUCCESS,
       "a program with two modules");
    requests[0] = (hsa_ext_finalization_request_t){modules[0], find_entry(&tables[0], "&sum"), 0};
    requests[1] = (hsa_ext_finalization_request_t){modules[0], find_entry(&tables[0], "&alone"), 0};
    finalizations();
    wrong_requests();
    without_callbacks();
    finalizations_as_bytes();
    programs_as_bytes();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "what is left ends with the runtime");
    down();
    for (int i = 0; i < 2; i++)
        free(tables[i].bytes);
    return tap_done();
}
