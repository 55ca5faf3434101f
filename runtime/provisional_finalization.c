/* SPDX-License-Identifier: MIT */
/* The low-level finalizer of HSA 1.0 provisional, whose callers say by callbacks what symbols are. (1.0P 3.1)
 *
 * Input: requests for kernels of modules that are in a program, callbacks. Output: code and descriptors of it.
 * Invariant: a finalization works on copies of modules, in a program that nobody else knows, so callbacks may do
 * anything, also destroy the program of the modules. */
#include "runtime/provisional_finalization.h"

#include "runtime/agent.h"
#include "runtime/executable.h"
#include "runtime/handle.h"
#include "support/alloc.h"

#include <string.h>

/* ---- finalizations ---- */

struct code_1p *code_1p_new(hsa_agent_t agent)
{
    struct code_1p *code = mem_zalloc(1, sizeof *code);
    if (code)
        code->agent = agent;
    return code;
}

void code_1p_free(struct code_1p *code)
{
    if (!code)
        return;
    if (code->executable.handle)
        CALL(hsa_executable_destroy)(code->executable);
    if (code->code.handle)
        CALL(hsa_code_object_destroy)(code->code);
    vec_free(&code->kernels);
    vec_free(&code->addresses);
    mem_free(code);
}

int code_1p_finish(struct code_1p *code, uint64_t *handle)
{
    *handle = code->handle = handle_new(HANDLE_FINALIZATION_1P, code);
    if (!code->handle)
        code_1p_free(code);
    return *handle ? HSA_STATUS_SUCCESS : PROVISIONAL_ERROR(OUT_OF_RESOURCES);
}

struct code_1p *code_1p_find(hsa_agent_t agent, uint64_t handle)
{
    struct code_1p *code = handle_get(handle, HANDLE_FINALIZATION_1P);
    return code && code->agent.handle == agent.handle ? code : NULL;
}

static void free_visited_code(void *code)
{
    code_1p_free(code);
}

void finalizations_1p_shut_down(void)
{
    handle_visit(HANDLE_FINALIZATION_1P, free_visited_code);
}

/* ---- what symbols are ---- */

/* One call of hsa_ext_finalize(). */
struct low_level {
    uint64_t caller;
    uint32_t agent_id; /* of the program, whose agents have a call convention each */
    definition_callback_1p definition;
    address_callback_1p address;
    struct program_1p *program; /* that nobody else knows */
    struct code_1p *code;
    const char *message;
};

/* The copy of a module, which is made on first use. *MEMORY: why there is none. */
static struct module_1p *adopt(struct low_level *it, uint64_t handle, bool *memory)
{
    for (size_t i = 0; i < it->program->modules.count; i++)
        if (it->program->modules.items[i]->handle == handle)
            return it->program->modules.items[i];
    const struct module_1p *module = handle_get(handle, HANDLE_MODULE_1P);
    *memory = module != NULL;
    struct module_1p *copy = module && vec_reserve(&it->program->modules, 1) ? module_1p_copy(module) : NULL;
    return copy && vec_push(&it->program->modules, copy) ? copy : NULL;
}

/* Asks who defines SYMBOL, which its module declares: the client, or the program of the module. */
static uint64_t ask_definition(const struct low_level *it, const struct symbol_1p *symbol)
{
    struct {
        uint32_t count;
        const void *sections[64];
    } table = {0}; /* a place for the client to write to; the handle says as much */
    uint64_t module = 0;
    uint32_t offset = 0;
    if (it->definition)
        return it->definition(it->caller, symbol->module->handle, symbol->offset, &module, &table, &offset) ==
                       HSA_STATUS_SUCCESS
                   ? module
                   : 0;
    const struct module_1p *original = handle_get(symbol->module->handle, HANDLE_MODULE_1P);
    struct program_1p *owner = original ? program_1p_enter(original->program->handle) : NULL;
    struct symbol_1p named, found;
    if (owner && symbol_1p_read(original, symbol->offset, &named) && symbol_1p_definition(owner, &named, &found))
        module = found.module->handle;
    program_1p_leave(owner);
    return module;
}

/* Adopts the modules that define what the modules declare. */
static int find_definitions(struct low_level *it)
{
    struct symbol_1p symbol, found;
    for (size_t i = 0; i < it->program->modules.count; i++) {
        const struct module_1p *module = it->program->modules.items[i];
        for (uint32_t at = 0; module_1p_next(module, &at, &symbol);) {
            if (symbol.is_definition || symbol.of_module || symbol_1p_definition(it->program, &symbol, &found))
                continue;
            bool memory = false;
            uint64_t definer = ask_definition(it, &symbol);
            if (definer && !adopt(it, definer, &memory))
                return memory ? PROVISIONAL_ERROR(OUT_OF_RESOURCES) : PROVISIONAL_ERROR(INVALID_ARGUMENT);
            if (definer && !symbol_1p_definition(it->program, &symbol, &found)) {
                it->message = "a symbol has another name where it is defined";
                return PROVISIONAL_ERROR(INVALID_ARGUMENT);
            }
        }
    }
    return HSA_STATUS_SUCCESS;
}

/* Asks where a variable is: the client, or the program of its module. */
static void *ask_address(const struct low_level *it, const struct symbol_1p *symbol)
{
    uint64_t given = 0;
    void *address = NULL;
    if (it->address)
        return it->address(it->caller, symbol->module->handle, symbol->offset, &given) == HSA_STATUS_SUCCESS
                   ? (void *)(uintptr_t)given
                   : NULL;
    const struct module_1p *original = handle_get(symbol->module->handle, HANDLE_MODULE_1P);
    struct program_1p *owner = original ? program_1p_enter(original->program->handle) : NULL;
    struct symbol_1p named;
    hsa_agent_t of = symbol->of_agent ? it->code->agent : (hsa_agent_t){0};
    if (owner && symbol_1p_read(original, symbol->offset, &named) &&
        program_1p_address(owner, &named, of, &address) != HSA_STATUS_SUCCESS)
        address = NULL;
    program_1p_leave(owner);
    return address;
}

/* Defines VARIABLE at the address that it has, if it has one; then its module only declares it. */
static int place_variable(struct low_level *it, const struct symbol_1p *variable)
{
    struct symbol_1p found;
    void *address = ask_address(it, variable);
    if (!address)
        return HSA_STATUS_SUCCESS; /* it gets memory when the code is loaded, if a module defines it */
    struct address_1p kept = {.module = variable->module->handle,
                              .symbol = variable->offset,
                              .of_agent = variable->of_agent,
                              .readonly = variable->readonly};
    memcpy(kept.name, variable->name, sizeof kept.name);
    if (symbol_1p_definition(it->program, variable, &found))
        module_1p_declare((struct module_1p *)(uintptr_t)found.module, found.offset);
    CHECK_1P(vec_push(&it->code->addresses, kept), OUT_OF_RESOURCES);
    return program_1p_define(it->program, variable, variable->of_agent ? it->code->agent : (hsa_agent_t){0}, address);
}

static bool is_placed(const struct low_level *it, const char *name)
{
    for (size_t i = 0; i < it->program->defined.count; i++)
        if (!strcmp(it->program->defined.items[i].symbol.name, name))
            return true;
    return false;
}

/* Places the variables that the modules define, then those that nobody does. */
static int place_variables(struct low_level *it)
{
    struct symbol_1p symbol, found;
    int status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; i < it->program->modules.count * 2; i++) {
        bool definitions = i < it->program->modules.count;
        const struct module_1p *module = it->program->modules.items[i % it->program->modules.count];
        for (uint32_t at = 0; status == HSA_STATUS_SUCCESS && module_1p_next(module, &at, &symbol);) {
            bool wanted = symbol.kind == SYMBOL_VARIABLE_1P && !symbol.of_module &&
                          (symbol.of_agent || symbol.of_program) && symbol.is_definition == definitions;
            if (wanted && !is_placed(it, symbol.name) &&
                (definitions || !symbol_1p_definition(it->program, &symbol, &found)))
                status = place_variable(it, &symbol);
        }
    }
    return status;
}

/* ---- finalization ---- */

/* Makes the program of the modules that the requests name, and of those that these need. */
static int gather(struct low_level *it, size_t count, const struct request_1p *requests)
{
    bool memory = false;
    for (size_t i = 0; i < count; i++)
        if (!adopt(it, requests[i].module, &memory))
            return memory ? PROVISIONAL_ERROR(OUT_OF_RESOURCES) : PROVISIONAL_ERROR(INVALID_ARGUMENT);
    int status = find_definitions(it);
    if (status == HSA_STATUS_SUCCESS)
        status = place_variables(it);
    for (size_t i = 0; i < it->program->modules.count && status == HSA_STATUS_SUCCESS; i++)
        status = finalization_status_1p(api_finalizer.hsa_ext_program_add_module_fn(
            it->program->program, (hsa_ext_module_t)(void *)it->program->modules.items[i]->bytes));
    return status;
}

/* Copies the descriptor of a request, and the names by which its kernel is found in the code object. */
static int keep_kernel(struct low_level *it, const struct request_1p *request)
{
    struct symbol_1p symbol;
    struct kernel_1p kernel = {0};
    bool found =
        program_1p_requested(it->program, request, &symbol) && module_1p_name(symbol.module, kernel.module_name);
    const struct descriptor_1p *descriptor = found ? program_1p_descriptors(it->program, &symbol) : NULL;
    CHECK_1P(descriptor, OUT_OF_RESOURCES);
    kernel.is = *descriptor;
    kernel.is.call_convention = it->agent_id;
    kernel.of_module = symbol.of_module;
    memcpy(kernel.name, symbol.name, sizeof kernel.name);
    CHECK_1P(vec_push(&it->code->kernels, kernel), OUT_OF_RESOURCES);
    return HSA_STATUS_SUCCESS;
}

static int finalize_low_level(struct low_level *it, struct finalization_1p *wish)
{
    int status = gather(it, wish->count, wish->requests);
    if (status == HSA_STATUS_SUCCESS)
        status = program_1p_finalize(it->program, wish);
    int kept = HSA_STATUS_SUCCESS;
    if (status != HSA_STATUS_SUCCESS && status != INFO_OPTIONS_1P)
        return status;
    for (size_t i = 0; i < wish->count && kept == HSA_STATUS_SUCCESS; i++)
        kept = keep_kernel(it, &wish->requests[i]);
    if (kept != HSA_STATUS_SUCCESS)
        return kept;
    it->code->profile = it->program->profile;
    it->code->executable = it->program->executable;
    it->code->code = it->program->code;
    it->program->executable.handle = it->program->code.handle = 0;
    return status;
}

PROVISIONAL_NAME(hsa_ext_finalize, uint64_t caller, hsa_agent_t agent, uint32_t agent_id, uint32_t agent_count,
                 size_t count, const struct request_1p *requests, const struct directives_1p *directives,
                 definition_callback_1p definition, address_callback_1p address, message_callback_1p callback,
                 uint8_t optimization, const char *options, int debug_information, uint64_t *finalization)
{
    enum { MOST_OPTIMIZATION = 3 };
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(agent_find(agent) && agent_id < agent_count && count && requests && finalization &&
                 (unsigned)debug_information <= 1,
             INVALID_ARGUMENT);
    const struct module_1p *module = handle_get(requests[0].module, HANDLE_MODULE_1P);
    CHECK_1P(module, INVALID_ARGUMENT);
    struct low_level it = {
        .caller = caller,
        .agent_id = agent_id,
        .definition = definition,
        .address = address,
        .program = program_1p_new(&agent, 1, module->program->machine_model, (uint8_t)module->program->profile),
        .code = code_1p_new(agent)};
    struct finalization_1p wish = {
        agent, count, requests, directives, options && *options ? options : NULL, NULL, NULL};
    int status = PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    *finalization = 0;
    if (it.program && it.code) {
        it.program->keeps_code = true;
        status = finalize_low_level(&it, &wish);
    }
    if (it.program)
        program_1p_free(it.program);
    const char *message = it.message ? it.message : wish.message;
    if (message)
        message_1p(callback, caller, wish.place ? wish.place : requests, message);
    if (status != HSA_STATUS_SUCCESS && status != INFO_OPTIONS_1P) {
        code_1p_free(it.code);
        return status;
    }
    int finished = code_1p_finish(it.code, finalization);
    if (finished != HSA_STATUS_SUCCESS)
        return finished;
    return optimization > MOST_OPTIMIZATION ? INFO_OPTIONS_1P : status;
}

/* ---- queries ---- */

PROVISIONAL_NAME(hsa_ext_query_finalization_code_descriptor_count, hsa_agent_t agent, uint64_t finalization,
                 uint32_t *count)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    const struct code_1p *code = code_1p_find(agent, finalization);
    CHECK_1P(code && count, INVALID_ARGUMENT);
    *count = (uint32_t)code->kernels.count;
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_ext_query_finalization_code_descriptor, hsa_agent_t agent, uint64_t finalization, uint32_t index,
                 struct descriptor_1p *descriptor)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    const struct code_1p *code = code_1p_find(agent, finalization);
    CHECK_1P(code && descriptor && index < code->kernels.count, INVALID_ARGUMENT);
    *descriptor = code->kernels.items[index].is;
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_ext_destroy_finalization, hsa_agent_t agent, uint64_t finalization)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(code_1p_find(agent, finalization), INVALID_ARGUMENT);
    struct code_1p *code = handle_take(finalization, HANDLE_FINALIZATION_1P);
    CHECK_1P(code, RESOURCE_FREE);
    code_1p_free(code);
    return HSA_STATUS_SUCCESS;
}
