/* SPDX-License-Identifier: MIT */
/* Programs of HSA 1.0 provisional: their agents, modules, symbols and variables. (1.0P 3.2)
 *
 * Input: handles, tables and offsets of any value. Output: a program of the finalizer of 1.2, and what the client has
 * defined. Invariant: the lock of a program is held by whoever looks into it; the list of programs has a lock of its
 * own. */
#include "runtime/provisional_module.h"

#include "runtime/agent.h"
#include "runtime/executable.h"
#include "runtime/handle.h"
#include "support/alloc.h"

#include <string.h>

#define CALL_FINALIZER(name) api_finalizer.name##_fn

/* ---- programs ---- */

struct program_1p *program_1p_enter(uint64_t handle)
{
    struct program_1p *program = handle_get(handle, HANDLE_PROGRAM_1P);
    if (program)
        pthread_mutex_lock(&program->lock);
    return program;
}

void program_1p_leave(struct program_1p *program)
{
    if (program)
        pthread_mutex_unlock(&program->lock);
}

void program_1p_free(struct program_1p *program)
{
    if (program->executable.handle)
        CALL(hsa_executable_destroy)(program->executable);
    if (program->code.handle)
        CALL(hsa_code_object_destroy)(program->code);
    if (program->program.handle)
        CALL_FINALIZER(hsa_ext_program_destroy)(program->program);
    for (size_t i = 0; i < program->modules.count; i++) {
        struct module_1p *module = program->modules.items[i];
        if (module->program == program) /* and no copy */
            handle_delete(module->handle);
        module_1p_free(module);
    }
    for (size_t i = 0; i < program->descriptors.count; i++)
        mem_free(program->descriptors.items[i].of_agent);
    vec_free(&program->modules);
    vec_free(&program->descriptors);
    vec_free(&program->defined);
    pthread_mutex_destroy(&program->lock);
    mem_free(program->agents);
    mem_free(program);
}

static void free_visited(void *program)
{
    program_1p_free(program);
}

void provisional_shut_down(void)
{
    finalizations_1p_shut_down();
    handle_visit(HANDLE_PROGRAM_1P, free_visited);
}

uint32_t program_1p_agent(const struct program_1p *program, hsa_agent_t agent)
{
    uint32_t i = 0;
    while (i < program->agent_count && program->agents[i].handle != agent.handle)
        i++;
    return i;
}

const struct module_1p *program_1p_module(const struct program_1p *program, uint64_t handle)
{
    for (size_t i = 0; i < program->modules.count; i++)
        if (program->modules.items[i]->handle == handle)
            return program->modules.items[i];
    return NULL;
}

void message_1p(message_callback_1p callback, uint64_t caller, const struct request_1p *place, const char *text)
{
    if (callback)
        callback(caller, place ? place->module : 0, place ? place->symbol : 0, 0, text);
}

static bool are_agents(const hsa_agent_t *agents, uint32_t count)
{
    if (!agents || !count || count > UINT16_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!agent_find(agents[i]))
            return false;
    return true;
}

struct program_1p *program_1p_new(const hsa_agent_t *agents, uint32_t count, uint8_t machine_model, uint8_t profile)
{
    struct program_1p *program = mem_zalloc(1, sizeof *program);
    if (!program)
        return NULL;
    pthread_mutex_init(&program->lock, NULL);
    program->profile = profile;
    program->machine_model = machine_model;
    program->agent_count = count;
    program->agents = mem_alloc(count * sizeof *agents);
    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (program->agents) {
        memcpy(program->agents, agents, count * sizeof *agents);
        status = CALL_FINALIZER(hsa_ext_program_create)(
            (hsa_machine_model_t)machine_model, (hsa_profile_t)profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
            &program->program);
    }
    if (status == HSA_STATUS_SUCCESS)
        return program;
    program_1p_free(program);
    return NULL;
}

PROVISIONAL_VERSION(hsa_ext_program_create, hsa_agent_t *agents, uint32_t agent_count, uint8_t machine_model,
                    uint8_t profile, uint64_t *result)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(are_agents(agents, agent_count) && machine_model <= HSA_MACHINE_MODEL_LARGE &&
                 profile <= HSA_PROFILE_FULL && result,
             INVALID_ARGUMENT);
    if (handle_get(*result, HANDLE_PROGRAM_1P))
        return INFO_ALREADY_1P;
    *result = 0;
    struct program_1p *program = program_1p_new(agents, agent_count, machine_model, profile);
    CHECK_1P(program, OUT_OF_RESOURCES);
    *result = program->handle = handle_new(HANDLE_PROGRAM_1P, program);
    if (!program->handle)
        program_1p_free(program);
    return *result ? HSA_STATUS_SUCCESS : PROVISIONAL_ERROR(OUT_OF_RESOURCES);
}

PROVISIONAL_VERSION(hsa_ext_program_destroy, uint64_t handle)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(handle, INVALID_ARGUMENT);
    struct program_1p *program = handle_take(handle, HANDLE_PROGRAM_1P);
    CHECK_1P(program, RESOURCE_FREE);
    program_1p_free(program);
    return HSA_STATUS_SUCCESS;
}

/* ---- modules ---- */

int program_1p_add_module(struct program_1p *program, const struct brig_table_1p *table, uint64_t *handle)
{
    for (size_t i = 0; i < program->modules.count; i++)
        if (program->modules.items[i]->table == table) {
            *handle = program->modules.items[i]->handle;
            return INFO_ALREADY_1P;
        }
    CHECK_1P(!program->executable.handle, INVALID_ARGUMENT);
    struct module_1p *module = mem_zalloc(1, sizeof *module);
    if (module) {
        module->program = program;
        module->handle = handle_new(HANDLE_MODULE_1P, module);
    }
    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (module && module->handle && vec_reserve(&program->modules, 1)) {
        status = module_1p_make(module, table);
        if (status == HSA_STATUS_SUCCESS)
            status =
                CALL_FINALIZER(hsa_ext_program_add_module)(program->program, (hsa_ext_module_t)(void *)module->bytes);
    }
    if (status == HSA_STATUS_SUCCESS && vec_push(&program->modules, module)) {
        *handle = module->handle;
        return HSA_STATUS_SUCCESS;
    }
    if (module) {
        handle_delete(module->handle);
        module_1p_free(module);
    }
    bool memory = status == HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    return memory ? PROVISIONAL_ERROR(OUT_OF_RESOURCES) : PROVISIONAL_ERROR(INVALID_ARGUMENT);
}

/* Runs BODY, which sets `status`, with the program of HANDLE; begins and ends a function of the API. */
#define WITH_PROGRAM(handle, arguments, body)                                                                          \
    CHECK_1P(runtime_up(), NOT_INITIALIZED);                                                                           \
    struct program_1p *program = program_1p_enter(handle);                                                             \
    CHECK_1P(program, INVALID_ARGUMENT);                                                                               \
    int status = PROVISIONAL_ERROR(INVALID_ARGUMENT);                                                                  \
    if (arguments)                                                                                                     \
        body;                                                                                                          \
    program_1p_leave(program);                                                                                         \
    return status

PROVISIONAL_NAME(hsa_ext_add_module, uint64_t handle, const struct brig_table_1p *table, uint64_t *module)
{
    WITH_PROGRAM(handle, table && module, status = program_1p_add_module(program, table, module));
}

static int get_agents(const struct program_1p *program, uint32_t count, hsa_agent_t *agents)
{
    memcpy(agents, program->agents, count * sizeof *agents);
    return HSA_STATUS_SUCCESS;
}

static int get_modules(const struct program_1p *program, uint32_t count, uint64_t *modules)
{
    for (uint32_t i = 0; i < count; i++)
        modules[i] = program->modules.items[i]->handle;
    return HSA_STATUS_SUCCESS;
}

static int get_number(uint32_t number, uint32_t *to)
{
    *to = number;
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_ext_query_program_agent_id, uint64_t handle, hsa_agent_t agent, uint32_t *id)
{
    WITH_PROGRAM(handle, id && program_1p_agent(program, agent) < program->agent_count,
                 status = get_number(program_1p_agent(program, agent), id));
}

PROVISIONAL_NAME(hsa_ext_query_program_agent_count, uint64_t handle, uint32_t *count)
{
    WITH_PROGRAM(handle, count, status = get_number(program->agent_count, count));
}

PROVISIONAL_NAME(hsa_ext_query_program_agents, uint64_t handle, uint32_t count, hsa_agent_t *agents)
{
    WITH_PROGRAM(handle, agents && count <= program->agent_count, status = get_agents(program, count, agents));
}

PROVISIONAL_NAME(hsa_ext_query_program_module_count, uint64_t handle, uint32_t *count)
{
    WITH_PROGRAM(handle, count, status = get_number((uint32_t)program->modules.count, count));
}

PROVISIONAL_NAME(hsa_ext_query_program_modules, uint64_t handle, uint32_t count, uint64_t *modules)
{
    WITH_PROGRAM(handle, modules && count <= program->modules.count, status = get_modules(program, count, modules));
}

static int get_table(const struct program_1p *program, uint64_t module, const struct brig_table_1p **table)
{
    *table = program_1p_module(program, module)->table;
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_ext_query_program_brig_module, uint64_t handle, uint64_t module,
                 const struct brig_table_1p **table)
{
    WITH_PROGRAM(handle, table && program_1p_module(program, module), status = get_table(program, module, table));
}

/* Each agent has one call convention, whose id is the agent's. */
static int get_convention(uint32_t agent, uint32_t *first, uint32_t *count)
{
    *first = agent;
    *count = 1;
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_ext_query_call_convention, uint64_t handle, hsa_agent_t agent, uint32_t *first, uint32_t *count)
{
    WITH_PROGRAM(handle, first && count && program_1p_agent(program, agent) < program->agent_count,
                 status = get_convention(program_1p_agent(program, agent), first, count));
}

/* The finalizer has validated a module before it is in a program. */
PROVISIONAL_NAME(hsa_ext_validate_program, uint64_t handle, message_callback_1p callback)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    struct program_1p *program = program_1p_enter(handle);
    program_1p_leave(program);
    if (!program)
        message_1p(callback, 0, NULL, "there is no such program");
    return program ? HSA_STATUS_SUCCESS : provisional_status(HSA_STATUS_ERROR);
}

PROVISIONAL_NAME(hsa_ext_validate_program_module, uint64_t handle, uint64_t module, message_callback_1p callback)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    struct program_1p *program = program_1p_enter(handle);
    bool found = program && program_1p_module(program, module);
    program_1p_leave(program);
    if (!found)
        message_1p(callback, 0, NULL, "the program has no such module");
    return found ? HSA_STATUS_SUCCESS : provisional_status(HSA_STATUS_ERROR);
}

/* ---- symbols ---- */

/* Reads the symbol at OFFSET of a module of the program. */
static bool read_symbol_1p(const struct program_1p *program, uint64_t module, uint32_t offset, struct symbol_1p *symbol)
{
    const struct module_1p *in = program_1p_module(program, module);
    return in && symbol_1p_read(in, offset, symbol);
}

static int get_definition(const struct program_1p *program, const struct symbol_1p *symbol, uint64_t *module,
                          const struct brig_table_1p **table, uint32_t *offset)
{
    struct symbol_1p found;
    CHECK_1P(symbol_1p_definition(program, symbol, &found), INVALID_ARGUMENT);
    *module = found.module->handle;
    *table = found.module->table;
    *offset = found.offset;
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_ext_query_symbol_definition, uint64_t handle, uint64_t module, uint32_t offset,
                 uint64_t *definition_module, const struct brig_table_1p **table, uint32_t *definition_offset)
{
    struct symbol_1p symbol;
    WITH_PROGRAM(handle,
                 definition_module && table && definition_offset && read_symbol_1p(program, module, offset, &symbol),
                 status = get_definition(program, &symbol, definition_module, table, definition_offset));
}

/* ---- variables ---- */

/* Remembers what the client defines; the executable is told when it is made. */
int program_1p_define(struct program_1p *program, const struct symbol_1p *symbol, hsa_agent_t agent, void *address)
{
    struct symbol_1p found;
    CHECK_1P(!program->executable.handle && !symbol_1p_definition(program, symbol, &found), INVALID_ARGUMENT);
    for (size_t i = 0; i < program->defined.count; i++)
        CHECK_1P(strcmp(program->defined.items[i].symbol.name, symbol->name) != 0 ||
                     program->defined.items[i].agent.handle != agent.handle,
                 INVALID_ARGUMENT);
    return vec_push(&program->defined, ((struct defined_1p){*symbol, agent, address}))
               ? HSA_STATUS_SUCCESS
               : PROVISIONAL_ERROR(OUT_OF_RESOURCES);
}

/* The address of a variable that has one: from the executable, or what the client has defined. */
int program_1p_address(const struct program_1p *program, const struct symbol_1p *symbol, hsa_agent_t agent,
                       void **address)
{
    char module[256];
    uint64_t value = 0;
    hsa_executable_symbol_t found;
    for (size_t i = 0; i < program->defined.count; i++) {
        const struct defined_1p *defined = &program->defined.items[i];
        if (!strcmp(defined->symbol.name, symbol->name) && defined->agent.handle == agent.handle) {
            *address = defined->address;
            return HSA_STATUS_SUCCESS;
        }
    }
    hsa_agent_t of = agent.handle ? agent : program->agents[0];
    CHECK_1P(program->executable.handle && module_1p_name(symbol->module, module), INVALID_ARGUMENT);
    hsa_status_t status = CALL(hsa_executable_get_symbol)(
        program->executable, symbol->of_module ? module : NULL, symbol->name, of, 0, &found);
    if (status == HSA_STATUS_SUCCESS)
        status = CALL(hsa_executable_symbol_get_info)(found, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &value);
    CHECK_1P(status == HSA_STATUS_SUCCESS && value, INVALID_ARGUMENT);
    *address = (void *)(uintptr_t)value;
    return HSA_STATUS_SUCCESS;
}

static const hsa_agent_t all_agents = {0};

/* Whether SYMBOL becomes a variable of that kind: of agents, else of the program. */
static bool is_variable(const struct program_1p *program, uint64_t module, uint32_t offset, bool of_agent,
                        bool readonly, struct symbol_1p *symbol)
{
    return read_symbol_1p(program, module, offset, symbol) && symbol->kind == SYMBOL_VARIABLE_1P &&
           (of_agent ? symbol->of_agent : symbol->of_program) && symbol->readonly == readonly;
}

static bool is_agent(const struct program_1p *program, hsa_agent_t agent)
{
    return program_1p_agent(program, agent) < program->agent_count;
}

PROVISIONAL_NAME(hsa_ext_define_program_allocation_global_variable_address, uint64_t handle, uint64_t module,
                 uint32_t offset, message_callback_1p callback, void *address)
{
    (void)callback;
    struct symbol_1p symbol;
    WITH_PROGRAM(handle, address && is_variable(program, module, offset, false, false, &symbol),
                 status = program_1p_define(program, &symbol, all_agents, address));
}

PROVISIONAL_NAME(hsa_ext_query_program_allocation_global_variable_address, uint64_t handle, uint64_t module,
                 uint32_t offset, void **address)
{
    struct symbol_1p symbol;
    WITH_PROGRAM(handle, address && is_variable(program, module, offset, false, false, &symbol),
                 status = program_1p_address(program, &symbol, all_agents, address));
}

PROVISIONAL_NAME(hsa_ext_define_agent_allocation_global_variable_address, uint64_t handle, hsa_agent_t agent,
                 uint64_t module, uint32_t offset, message_callback_1p callback, void *address)
{
    (void)callback;
    struct symbol_1p symbol;
    WITH_PROGRAM(handle,
                 address && is_agent(program, agent) && is_variable(program, module, offset, true, false, &symbol),
                 status = program_1p_define(program, &symbol, agent, address));
}

PROVISIONAL_NAME(hsa_ext_query_agent_global_variable_address, uint64_t handle, hsa_agent_t agent, uint64_t module,
                 uint32_t offset, void **address)
{
    struct symbol_1p symbol;
    WITH_PROGRAM(handle,
                 address && is_agent(program, agent) && is_variable(program, module, offset, true, false, &symbol),
                 status = program_1p_address(program, &symbol, agent, address));
}

PROVISIONAL_NAME(hsa_ext_define_readonly_variable_address, uint64_t handle, hsa_agent_t agent, uint64_t module,
                 uint32_t offset, message_callback_1p callback, void *address)
{
    (void)callback;
    struct symbol_1p symbol;
    WITH_PROGRAM(handle,
                 address && is_agent(program, agent) && is_variable(program, module, offset, true, true, &symbol),
                 status = program_1p_define(program, &symbol, agent, address));
}

PROVISIONAL_NAME(hsa_ext_query_readonly_variable_address, uint64_t handle, hsa_agent_t agent, uint64_t module,
                 uint32_t offset, void **address)
{
    struct symbol_1p symbol;
    WITH_PROGRAM(handle,
                 address && is_agent(program, agent) && is_variable(program, module, offset, true, true, &symbol),
                 status = program_1p_address(program, &symbol, agent, address));
}
