/* SPDX-License-Identifier: MIT */
/* A program of 2014 that gives BRIG to the runtime, finalizes it and dispatches, with the functions of HSA 1.0
 * provisional only. The BRIG comes from today's assembler, in the table of sections that was usual then. */
#include "hsa-1.0p/hsa.h"
#include "hsa-1.0p/hsa_ext_finalize.h"
#include "testsuite/runtime/provisional_common.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    "module &first:1:0:$full:$large:$default;\n"
    "decl prog global_u32 &counter;\n"
    "prog alloc(agent) global_u32 &own = 100;\n"
    "decl prog global_u32 &given;\n"
    "decl prog function &twice(arg_u32 %result)(arg_u32 %value);\n"
    "prog kernel &work(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    ld_global_u32 $s0, [&counter];\n"
    "    ld_global_u32 $s1, [&given];\n"
    "    add_u32 $s0, $s0, $s1;\n"
    "    {\n"
    "        arg_u32 %value;\n"
    "        arg_u32 %result;\n"
    "        st_arg_u32 $s0, [%value];\n"
    "        call &twice(%result)(%value);\n"
    "        ld_arg_u32 $s0, [%result];\n"
    "    }\n"
    "    st_global_u32 $s0, [$d0];\n"
    "    atomicnoret_add_global_rlx_system_u32 [&counter], 1;\n"
    "    atomicnoret_add_global_rlx_agent_u32 [&own], 1;\n"
    "    ret;\n"
    "};\n"
    "kernel &inner(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    st_global_u32 77, [$d0];\n"
    "    ret;\n"
    "};\n",
    "module &second:1:0:$full:$large:$default;\n"
    "prog function &twice(arg_u32 %result)(arg_u32 %value)\n"
    "{\n"
    "    ld_arg_u32 $s0, [%value];\n"
    "    add_u32 $s0, $s0, $s0;\n"
    "    st_arg_u32 $s0, [%result];\n"
    "    ret;\n"
    "};\n"
    "kernel &inner(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    st_global_u32 88, [$d0];\n"
    "    ret;\n"
    "};\n",
    "module &third:1:1:$full:$large:$default;\n"
    "prog global_u32 &shared = 41;\n"
    "prog kernel &count(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    atomic_add_global_rlx_system_u32 $s0, [&shared], 1;\n"
    "    st_global_u32 $s0, [$d0];\n"
    "    ret;\n"
    "};\n",
    "module &fourth:1:0:$full:$large:$default;\n"
    "decl prog alloc(agent) global_u32 &mine;\n"
    "decl prog readonly_u32 &fixed;\n"
    "prog indirect function &thrice(arg_u32 %result)(arg_u32 %value)\n"
    "{\n"
    "    ld_arg_u32 $s0, [%value];\n"
    "    mul_u32 $s0, $s0, 3;\n"
    "    st_arg_u32 $s0, [%result];\n"
    "    ret;\n"
    "};\n"
    "prog kernel &sum(kernarg_u64 %out)\n"
    "{\n"
    "    ld_kernarg_u64 $d0, [%out];\n"
    "    ld_global_u32 $s0, [&mine];\n"
    "    ld_readonly_u32 $s1, [&fixed];\n"
    "    add_u32 $s0, $s0, $s1;\n"
    "    st_global_u32 $s0, [$d0];\n"
    "    ret;\n"
    "};\n",
    "module &fifth:1:0:$full:$small:$default;\n"
    "decl prog group_u32 &scratch;\n"
    "prog kernel &nothing()\n"
    "{\n"
    "    ret;\n"
    "};\n"};

enum { TEXTS = 5 };

static struct table tables[TEXTS];
static hsa_ext_program_handle_t program;
static hsa_ext_brig_module_handle_t modules[2];

static hsa_ext_brig_module_t *brig(int i)
{
    return (hsa_ext_brig_module_t *)(void *)&tables[i];
}

/* ---- programs and modules ---- */

static void programs(void)
{
    hsa_ext_program_handle_t other = {0};
    uint32_t count = 0;
    hsa_agent_t listed[2] = {0, 0};
    ok(hsa_ext_program_create(NULL, 1, 1, 1, &other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_program_create(gpus, 0, 1, 1, &other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_program_create(gpus, 1, 2, 1, &other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_program_create(gpus, 1, 1, 2, &other) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a program of wrong arguments is refused");
    ok(hsa_ext_program_create(gpus, 2, HSA_EXT_BRIG_MACHINE_LARGE, HSA_EXT_BRIG_PROFILE_FULL, &program) ==
           HSA_STATUS_SUCCESS,
       "a program for two agents is made");
    ok(hsa_ext_program_create(gpus, 2, 1, 1, &program) == HSA_EXT_STATUS_INFO_ALREADY_INITIALIZED,
       "a program that is there is not made again");
    hsa_ext_program_agent_id_t id = 7;
    ok(hsa_ext_query_program_agent_count(program, &count) == HSA_STATUS_SUCCESS && count == 2 &&
           hsa_ext_query_program_agents(program, 2, listed) == HSA_STATUS_SUCCESS && listed[0] == gpus[0] &&
           listed[1] == gpus[1] && hsa_ext_query_program_agent_id(program, gpus[1], &id) == HSA_STATUS_SUCCESS &&
           id == 1,
       "the program tells its agents");
    ok(hsa_ext_query_program_agent_count(program, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_query_program_agents(program, 3, listed) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_query_program_agent_id(program, cpu, &id) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_query_program_agent_id(other, gpus[0], &id) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong questions about agents are refused");
    hsa_ext_program_call_convention_id32_t first = 9;
    ok(hsa_ext_query_call_convention(program, gpus[1], &first, &count) == HSA_STATUS_SUCCESS && first == 1 &&
           count == 1 &&
           hsa_ext_query_call_convention(program, cpu, &first, &count) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "each agent has a call convention");
}

static void add_modules(void)
{
    uint32_t count = 9;
    hsa_ext_brig_module_handle_t listed[2], again;
    hsa_ext_brig_module_t *table = NULL;
    struct table broken = tables[0];
    ok(hsa_ext_query_program_module_count(program, &count) == HSA_STATUS_SUCCESS && count == 0,
       "a new program has no modules");
    ok(hsa_ext_add_module(program, brig(0), &modules[0]) == HSA_STATUS_SUCCESS &&
           hsa_ext_add_module(program, brig(1), &modules[1]) == HSA_STATUS_SUCCESS,
       "modules are added, with headers of BRIG 1.0 and with headers of 1.0P");
    ok(hsa_ext_add_module(program, brig(1), &again) == HSA_EXT_STATUS_INFO_ALREADY_INITIALIZED &&
           again.handle == modules[1].handle,
       "a module that is there is not added again");
    broken.count = 2;
    ok(hsa_ext_add_module(program, (hsa_ext_brig_module_t *)(void *)&broken, &again) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_add_module(program, NULL, &again) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a module without operands is refused");
    broken.count = 3;
    broken.section[1] = tables[0].section[2];
    ok(hsa_ext_add_module(program, (hsa_ext_brig_module_t *)(void *)&broken, &again) ==
           HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a module whose sections are exchanged is refused");
    ok(hsa_ext_query_program_module_count(program, &count) == HSA_STATUS_SUCCESS && count == 2 &&
           hsa_ext_query_program_modules(program, 2, listed) == HSA_STATUS_SUCCESS &&
           listed[0].handle == modules[0].handle && listed[1].handle == modules[1].handle &&
           hsa_ext_query_program_modules(program, 3, listed) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "the program tells its modules");
    ok(hsa_ext_query_program_brig_module(program, modules[1], &table) == HSA_STATUS_SUCCESS && table == brig(1) &&
           hsa_ext_query_program_brig_module(program, (hsa_ext_brig_module_handle_t){1}, &table) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a module's table is the client's");
    ok(hsa_ext_validate_program(program, NULL) == HSA_STATUS_SUCCESS &&
           hsa_ext_validate_program_module(program, modules[0], NULL) == HSA_STATUS_SUCCESS,
       "what has been added is valid");
}

static int messages;

static hsa_status_t on_message(hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module,
                               hsa_ext_brig_code_section_offset32_t statement, uint32_t indent, const char *message)
{
    (void)caller, (void)module, (void)statement, (void)indent;
    messages += message && *message;
    return HSA_STATUS_SUCCESS;
}

static void symbols(void)
{
    hsa_ext_brig_module_handle_t module = {0};
    hsa_ext_brig_module_t *table = NULL;
    uint32_t at = 0, twice = find_entry(&tables[0], "&twice");
    ok(hsa_ext_query_symbol_definition(program, modules[0], twice, &module, &table, &at) == HSA_STATUS_SUCCESS &&
           module.handle == modules[1].handle && table == brig(1) && at == find_entry(&tables[1], "&twice"),
       "a function that one module declares is defined by the other");
    ok(hsa_ext_query_symbol_definition(program, modules[0], find_entry(&tables[0], "&inner"), &module, &table, &at) ==
               HSA_STATUS_SUCCESS &&
           module.handle == modules[0].handle,
       "a kernel with module linkage is defined by its own module");
    ok(hsa_ext_query_symbol_definition(program, modules[0], find_entry(&tables[0], "&given"), &module, &table, &at) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_query_symbol_definition(program, modules[0], 3, &module, &table, &at) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_query_symbol_definition(program, modules[0], 1 << 30, &module, &table, &at) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "what is not defined, and what is no symbol, has no definition");
    messages = 0;
    ok(hsa_ext_validate_program((hsa_ext_program_handle_t){5}, on_message) == HSA_STATUS_ERROR &&
           hsa_ext_validate_program_module(program, (hsa_ext_brig_module_handle_t){5}, on_message) ==
               HSA_STATUS_ERROR &&
           messages == 2,
       "what is no program and no module is not valid, which a message says");
}

/* ---- finalization ---- */

static uint32_t given = 30, counter = 5;

static void finalization(void)
{
    uint32_t variable = find_entry(&tables[0], "&given"), kernel = find_entry(&tables[0], "&work");
    hsa_ext_finalization_request_t request = {modules[0], kernel, 0};
    hsa_ext_code_descriptor_t *descriptors = NULL;
    void *address = NULL;
    ok(hsa_ext_query_kernel_descriptor_address(program, modules[0], kernel, &descriptors) == HSA_STATUS_SUCCESS &&
           descriptors[0].code_type == HSA_EXT_CODE_NONE,
       "before finalization there is no code");
    messages = 0;
    ok(hsa_ext_finalize_program(program, gpus[0], 1, &request, NULL, on_message, 0, NULL, 0) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           messages == 1,
       "a program with an undefined variable is not finalized, which a message says");
    ok(hsa_ext_define_program_allocation_global_variable_address(
           program, modules[0], find_entry(&tables[0], "&counter"), NULL, &counter) == HSA_STATUS_SUCCESS &&
           hsa_ext_define_program_allocation_global_variable_address(program, modules[0], variable, NULL, &given) ==
               HSA_STATUS_SUCCESS &&
           hsa_ext_define_program_allocation_global_variable_address(program, modules[0], variable, NULL, &given) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_define_program_allocation_global_variable_address(program, modules[0], kernel, NULL, &given) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_define_readonly_variable_address(program, gpus[0], modules[0], variable, NULL, &given) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a variable is defined once, as what it is");
    ok(hsa_ext_finalize_program(program, gpus[0], 0, &request, NULL, NULL, 0, NULL, 0) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_finalize_program(program, cpu, 1, &request, NULL, NULL, 0, NULL, 0) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_finalize_program(program, gpus[0], 1, &(hsa_ext_finalization_request_t){modules[0], variable, 0},
                                    NULL, NULL, 0, NULL, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_finalize_program(program, gpus[0], 1, &request, &(hsa_ext_control_directives_t){.required_dim = 1},
                                    NULL, 0, NULL, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong requests are refused");
    ok(hsa_ext_finalize_program(program, gpus[0], 1, &request, NULL, NULL, 0, NULL, 0) == HSA_STATUS_SUCCESS &&
           descriptors[0].code_type == HSA_EXT_CODE_KERNEL && descriptors[1].code_type == HSA_EXT_CODE_NONE &&
           descriptors[0].code.handle && descriptors[0].kernarg_segment_byte_size == 8 &&
           descriptors[0].wavefront_size == 6 && !strcmp(descriptors[0].agent_name, "gfx900") &&
           descriptors[0].module.handle == modules[0].handle && descriptors[0].symbol == kernel &&
           descriptors[0].hsail_version_major == 1,
       "a kernel is finalized for one agent");
    ok(hsa_ext_finalize_program(program, gpus[1], 1, &request, NULL, NULL, 9, NULL, 0) ==
               HSA_EXT_STATUS_INFO_UNRECOGNIZED_OPTIONS &&
           descriptors[1].code.handle && !strcmp(descriptors[1].agent_name, "gfx906"),
       "the kernel is finalized for the other agent, and an unknown level of optimization is reported");
    hsa_ext_control_directives_t required = {
        .enabled_control_directives = HSA_EXT_CONTROL_DIRECTIVE_REQUIRED_DIM, .required_dim = 1};
    ok(hsa_ext_finalize_program(program, gpus[0], 1, &request, &required, NULL, 0, NULL, 0) ==
           HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH,
       "other directives than before do not match");
    ok(hsa_ext_query_program_allocation_global_variable_address(program, modules[0], variable, &address) ==
               HSA_STATUS_SUCCESS &&
           address == &given,
       "the address of a variable is the one that was given");
}

static void dispatches(void)
{
    hsa_ext_code_descriptor_t *work = NULL, *inner[2] = {NULL, NULL};
    void *own[2] = {NULL, NULL};
    hsa_ext_query_kernel_descriptor_address(program, modules[0], find_entry(&tables[0], "&work"), &work);
    ok(run_descriptor(gpus[0], &work[0]) == 2 * (5 + 30), "the kernel runs on the first agent");
    ok(run_descriptor(gpus[1], &work[1]) == 2 * (6 + 30), "the kernel runs on the second, with the same variable");
    ok(counter == 7, "the program's variable was changed by both");
    uint32_t at = find_entry(&tables[0], "&own");
    for (int i = 0; i < 2; i++)
        hsa_ext_query_agent_global_variable_address(program, gpus[i], modules[0], at, &own[i]);
    ok(own[0] && own[1] && own[0] != own[1] && *(uint32_t *)own[0] == 101 && *(uint32_t *)own[1] == 101,
       "each agent has changed a variable of its own");
    for (int i = 0; i < 2; i++) {
        hsa_ext_finalization_request_t request = {modules[i], find_entry(&tables[i], "&inner"), 0};
        ok(hsa_ext_finalize_program(program, gpus[0], 1, &request, NULL, NULL, 0, NULL, 0) == HSA_STATUS_SUCCESS &&
               hsa_ext_query_kernel_descriptor_address(program, modules[i], request.symbol, &inner[i]) ==
                   HSA_STATUS_SUCCESS,
           "a kernel with module linkage is finalized");
    }
    ok(inner[0] && inner[1] && run_descriptor(gpus[0], inner[0]) == 77 && run_descriptor(gpus[0], inner[1]) == 88,
       "kernels of the same name in two modules are two");
}

/* A variable that a module defines with program allocation. */
static void shared(void)
{
    hsa_ext_program_handle_t one = {0}, two = {0};
    hsa_ext_brig_module_handle_t module = {0};
    hsa_ext_code_descriptor_t *descriptor = NULL;
    void *address = NULL;
    uint32_t kernel = find_entry(&tables[2], "&count");
    hsa_ext_program_create(gpus, 1, 1, 1, &one);
    hsa_ext_add_module(one, brig(2), &module);
    hsa_ext_finalization_request_t request = {module, kernel, 0};
    messages = 0;
    ok(hsa_ext_finalize_program(one, gpus[0], 1, &request, NULL, on_message, 0, "--no-such-option", 0) ==
               HSA_EXT_STATUS_INFO_UNRECOGNIZED_OPTIONS &&
           !messages,
       "unknown options are reported, and the program is finalized without them");
    ok(hsa_ext_finalize_program(one, gpus[0], 1, &request, NULL, NULL, 0, NULL, 0) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_kernel_descriptor_address(one, module, kernel, &descriptor) == HSA_STATUS_SUCCESS &&
           descriptor->hsail_version_minor == 1 && run_descriptor(gpus[0], descriptor) == 41 &&
           run_descriptor(gpus[0], descriptor) == 42,
       "the kernel of a program of one agent changes a variable of the program");
    ok(hsa_ext_query_program_allocation_global_variable_address(
           one, module, find_entry(&tables[2], "&shared"), &address) == HSA_STATUS_SUCCESS &&
           *(uint32_t *)address == 43,
       "the variable is where the program says");
    hsa_ext_program_create(gpus, 2, 1, 1, &two);
    hsa_ext_add_module(two, brig(2), &module);
    request.module = module;
    messages = 0;
    ok(hsa_ext_finalize_program(two, gpus[0], 1, &request, NULL, on_message, 0, NULL, 0) ==
               HSA_STATUS_ERROR_OUT_OF_RESOURCES &&
           messages == 1,
       "two agents cannot share such a variable, which a message says");
    ok(hsa_ext_program_destroy(one) == HSA_STATUS_SUCCESS && hsa_ext_program_destroy(two) == HSA_STATUS_SUCCESS,
       "both programs are destroyed");
}

static hsa_ext_program_handle_t asked;
static hsa_status_t answer;

/* A message about a module of ASKED, of which the callback then asks for the module. */
static hsa_status_t ask_back(hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module,
                             hsa_ext_brig_code_section_offset32_t statement, uint32_t indent, const char *message)
{
    hsa_ext_brig_module_t *found;
    (void)caller, (void)statement, (void)indent, (void)message;
    answer = hsa_ext_query_program_brig_module(asked, module, &found);
    return HSA_STATUS_SUCCESS;
}

/* A program of the small machine model. */
static void of_small_model(void)
{
    static uint32_t scratch;
    hsa_ext_brig_module_handle_t module = {0};
    hsa_ext_code_descriptor_t *descriptor = NULL;
    hsa_ext_program_create(gpus, 1, HSA_EXT_BRIG_MACHINE_SMALL, HSA_EXT_BRIG_PROFILE_FULL, &asked);
    hsa_ext_add_module(asked, brig(4), &module);
    ok(hsa_ext_define_program_allocation_global_variable_address(
           asked, module, find_entry(&tables[4], "&scratch"), NULL, &scratch) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a variable in group memory gets no address");
    hsa_ext_finalization_request_t request = {module, find_entry(&tables[4], "&nothing"), 0};
    ok(hsa_ext_finalize_program(asked, gpus[0], 1, &request, NULL, NULL, 0, NULL, 0) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_kernel_descriptor_address(asked, module, request.symbol, &descriptor) == HSA_STATUS_SUCCESS &&
           descriptor->hsail_machine_model == HSA_EXT_BRIG_MACHINE_SMALL,
       "the descriptor of a kernel has the small machine model");
    hsa_ext_control_directives_t other = {
        .enabled_control_directives = HSA_EXT_CONTROL_DIRECTIVE_MAX_DYNAMIC_GROUP_SIZE, .max_dynamic_group_size = 16};
    answer = HSA_STATUS_ERROR;
    ok(hsa_ext_finalize_program(asked, gpus[0], 1, &request, &other, ask_back, 0, NULL, 0) ==
               HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH &&
           answer == HSA_STATUS_SUCCESS,
       "the callback for messages may ask about the program");
    ok(hsa_ext_program_destroy(asked) == HSA_STATUS_SUCCESS, "the program of the small model is destroyed");
}

/* Variables of agents, which the client defines, and an indirect function. */
static void of_agents(void)
{
    static uint32_t mine = 1000, fixed = 23;
    hsa_ext_program_handle_t one = {0};
    hsa_ext_brig_module_handle_t module = {0};
    hsa_ext_code_descriptor_t *descriptor = NULL, *function = NULL;
    void *address = NULL;
    const struct table *table = &tables[3];
    hsa_ext_program_create(gpus, 1, 1, 1, &one);
    hsa_ext_add_module(one, brig(3), &module);
    ok(hsa_ext_define_agent_allocation_global_variable_address(
           one, gpus[0], module, find_entry(table, "&mine"), NULL, &mine) == HSA_STATUS_SUCCESS &&
           hsa_ext_define_readonly_variable_address(one, gpus[0], module, find_entry(table, "&fixed"), NULL, &fixed) ==
               HSA_STATUS_SUCCESS,
       "variables of an agent are defined");
    ok(hsa_ext_define_agent_allocation_global_variable_address(
           one, gpus[1], module, find_entry(table, "&mine"), NULL, &mine) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_define_agent_allocation_global_variable_address(
               one, gpus[0], module, find_entry(table, "&mine"), NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_define_readonly_variable_address(one, gpus[0], module, find_entry(table, "&mine"), NULL, &mine) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "variables are not defined for other agents, at no address, or as variables of another kind");
    hsa_ext_finalization_request_t requests[] = {
        {module, find_entry(table, "&sum"), 0}, {module, find_entry(table, "&thrice"), 0}};
    ok(hsa_ext_finalize_program(one, gpus[0], 1, requests, NULL, NULL, 0, NULL, 0) == HSA_STATUS_SUCCESS &&
           hsa_ext_query_kernel_descriptor_address(one, module, requests[0].symbol, &descriptor) ==
               HSA_STATUS_SUCCESS &&
           run_descriptor(gpus[0], descriptor) == 1023,
       "a kernel reads variables of its agent");
    messages = 0;
    ok(hsa_ext_finalize_program(one, gpus[0], 1, &requests[1], NULL, on_message, 0, NULL, 0) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           messages == 1 &&
           hsa_ext_query_indirect_function_descriptor_address(one, module, requests[1].symbol, &function) ==
               HSA_STATUS_SUCCESS &&
           function->code_type == HSA_EXT_CODE_NONE,
       "the place of an indirect function cannot be asked for, which a message says");
    ok(hsa_ext_query_indirect_function_descriptor_address(one, module, requests[0].symbol, &function) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_query_kernel_descriptor_address(one, module, requests[1].symbol, &descriptor) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a kernel is no indirect function, and an indirect function no kernel");
    ok(hsa_ext_query_agent_global_variable_address(one, gpus[0], module, find_entry(table, "&mine"), &address) ==
               HSA_STATUS_SUCCESS &&
           address == &mine &&
           hsa_ext_query_readonly_variable_address(one, gpus[0], module, find_entry(table, "&fixed"), &address) ==
               HSA_STATUS_SUCCESS &&
           address == &fixed &&
           hsa_ext_query_readonly_variable_address(one, gpus[0], module, find_entry(table, "&mine"), &address) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "the addresses of variables are those that were given");
    hsa_ext_program_destroy(one);
}

/* Every function while the runtime is down. */
static void down(void)
{
    hsa_ext_program_handle_t p = {1};
    hsa_ext_brig_module_handle_t m = {1};
    hsa_ext_brig_module_t *table;
    hsa_ext_code_descriptor_t *descriptor;
    hsa_ext_finalization_request_t request = {m, 4, 0};
    uint32_t n, k;
    hsa_agent_t a = 0;
    void *at = &n;
    const int statuses[] = {
        hsa_ext_program_create(&a, 1, 1, 1, &p),
        hsa_ext_program_destroy(p),
        hsa_ext_add_module(p, brig(0), &m),
        hsa_ext_finalize_program(p, a, 1, &request, NULL, NULL, 0, NULL, 0),
        hsa_ext_query_program_agent_id(p, a, &n),
        hsa_ext_query_program_agent_count(p, &n),
        hsa_ext_query_program_agents(p, 1, &a),
        hsa_ext_query_program_module_count(p, &n),
        hsa_ext_query_program_modules(p, 1, &m),
        hsa_ext_query_program_brig_module(p, m, &table),
        hsa_ext_query_call_convention(p, a, &n, &k),
        hsa_ext_query_symbol_definition(p, m, 4, &m, &table, &n),
        hsa_ext_define_program_allocation_global_variable_address(p, m, 4, NULL, at),
        hsa_ext_query_program_allocation_global_variable_address(p, m, 4, &at),
        hsa_ext_define_agent_allocation_global_variable_address(p, a, m, 4, NULL, at),
        hsa_ext_query_agent_global_variable_address(p, a, m, 4, &at),
        hsa_ext_define_readonly_variable_address(p, a, m, 4, NULL, at),
        hsa_ext_query_readonly_variable_address(p, a, m, 4, &at),
        hsa_ext_query_kernel_descriptor_address(p, m, 4, &descriptor),
        hsa_ext_query_indirect_function_descriptor_address(p, m, 4, &descriptor),
        hsa_ext_validate_program(p, NULL),
        hsa_ext_validate_program_module(p, m, NULL),
    };
    size_t good = 0;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        good += statuses[i] == HSA_STATUS_ERROR_NOT_INITIALIZED;
    ok(good == sizeof statuses / sizeof *statuses, "without a runtime every function says so (%zu of %zu)", good,
       sizeof statuses / sizeof *statuses);
}

static void ends(void)
{
    int linker = 0;
    ok(hsa_extension_query(HSA_EXT_LINKER, &linker) == HSA_STATUS_SUCCESS && linker == 1, "there is a linker");
    ok(hsa_ext_program_destroy(program) == HSA_STATUS_SUCCESS &&
           hsa_ext_program_destroy(program) == HSA_STATUS_ERROR_RESOURCE_FREE &&
           hsa_ext_program_destroy((hsa_ext_program_handle_t){0}) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a program is destroyed once");
    hsa_ext_program_create(gpus, 1, 1, 1, &program);
    hsa_ext_add_module(program, brig(1), &modules[1]);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && hsa_ext_program_destroy(program) == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "a program that is left ends with the runtime");
}

int main(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900,gfx906", 1);
    if (!ok(assemble_table(&tables[0], texts[0], false) && assemble_table(&tables[1], texts[1], true) &&
                assemble_table(&tables[2], texts[2], false) && assemble_table(&tables[3], texts[3], true) &&
                assemble_table(&tables[4], texts[4], false),
            "modules are assembled"))
        return tap_done();
    ok(hsa_init() == HSA_STATUS_SUCCESS && find_two_gpus(), "there are two GPUs");
    programs();
    add_modules();
    symbols();
    finalization();
    dispatches();
    shared();
    of_agents();
    of_small_model();
    ends();
    down();
    for (int i = 0; i < TEXTS; i++)
        free(tables[i].bytes);
    return tap_done();
}
