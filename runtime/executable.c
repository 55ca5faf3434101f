/* SPDX-License-Identifier: MIT */
/* Executables: creating them, loading code objects into them, defining variables, freezing. (HSA 1.2; ROCR
 * documentation 4.3)
 *
 * Input: handles, names and code objects of any content. Output: symbols, whose addresses go into dispatch packets.
 * Invariant: a frozen executable has no undefined symbol and never changes. A name of program linkage is defined at
 * most once for each agent and once for the program. */
#include "runtime/executable.h"
#include "runtime/message.h"

static struct executable *executable_get(hsa_executable_t handle)
{
    return handle_get(handle.handle, HANDLE_EXECUTABLE);
}

static uint32_t shared_hash(const struct agent *agent, const char *name)
{
    return code_name_hash(name, strlen(name)) ^ (uint32_t)((uintptr_t)agent >> 4);
}

struct executable_symbol *executable_find_shared(const struct executable *executable, const struct agent *agent,
                                                 const char *name)
{
    struct executable_symbol *first = NULL;
    uint32_t hash = shared_hash(agent, name), best = UINT32_MAX;
    for (uint32_t at = hash, item; (item = hash_table_next(&executable->shared, hash, &at));) {
        struct executable_symbol *symbol = executable->symbols.items[item - 1];
        if (item < best && symbol->agent == agent && code_symbol_is_called(&symbol->is, NULL, name)) {
            first = symbol;
            best = item;
        }
    }
    return first;
}

/* Whether the executable has a definition of program linkage with exactly this name. Those of module linkage do not
 * mean each other, even if the modules have the same name. */
static bool is_shared(const struct executable *executable, const struct agent *agent, const char *name)
{
    uint32_t hash = shared_hash(agent, name);
    for (uint32_t at = hash, item; (item = hash_table_next(&executable->shared, hash, &at));) {
        const struct executable_symbol *symbol = executable->symbols.items[item - 1];
        if (symbol->agent == agent && !strcmp(symbol->is.name, name))
            return true;
    }
    return false;
}

hsa_status_t executable_define(struct executable *executable, struct executable_symbol definition)
{
    bool shared = !definition.is.module;
    CHECK(!shared || !is_shared(executable, definition.agent, definition.is.name),
          HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
    CHECK(vec_reserve(&executable->symbols, 1), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    struct executable_symbol *symbol = mem_alloc(sizeof *symbol);
    CHECK(symbol, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *symbol = definition;
    symbol->handle = handle_new(HANDLE_EXECUTABLE_SYMBOL, symbol);
    if (!symbol->handle || (shared && !hash_table_add(&executable->shared, shared_hash(symbol->agent, symbol->is.name),
                                                      (uint32_t)executable->symbols.count + 1))) {
        handle_delete(symbol->handle);
        mem_free(symbol);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    executable->symbols.items[executable->symbols.count++] = symbol;
    executable->modules_own += !shared;
    return HSA_STATUS_SUCCESS;
}

void executable_undefine(struct executable *executable, size_t count)
{
    while (executable->symbols.count > count) {
        uint32_t item = (uint32_t)executable->symbols.count--;
        struct executable_symbol *symbol = executable->symbols.items[item - 1];
        if (symbol->is.module)
            executable->modules_own--;
        else
            hash_table_remove(&executable->shared, shared_hash(symbol->agent, symbol->is.name), item);
        handle_delete(symbol->handle);
        mem_free(symbol);
    }
}

/* ---- life ---- */

static hsa_status_t executable_make(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, bool frozen,
                                    hsa_executable_t *result)
{
    struct executable *executable = mem_zalloc(1, sizeof *executable);
    CHECK(executable, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    pthread_mutex_init(&executable->lock, NULL);
    executable->profile = profile;
    executable->rounding = rounding;
    executable->frozen = frozen;
    executable->handle = handle_new(HANDLE_EXECUTABLE, executable);
    if (!executable->handle) {
        mem_free(executable);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    result->handle = executable->handle;
    return HSA_STATUS_SUCCESS;
}

static void executable_free(void *object)
{
    struct executable *executable = object;
    handle_delete(executable->handle);
    for (size_t i = 0; i < executable->symbols.count; i++) {
        handle_delete(executable->symbols.items[i]->handle);
        mem_free(executable->symbols.items[i]->own_name);
        mem_free(executable->symbols.items[i]);
    }
    for (size_t i = 0; i < executable->loaded.count; i++)
        loader_unload(executable->loaded.items[i]);
    vec_free(&executable->symbols);
    hash_table_free(&executable->shared);
    vec_free(&executable->loaded);
    pthread_mutex_destroy(&executable->lock);
    mem_free(executable);
}

HSA_API hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t executable_state,
                                           const char *options, hsa_executable_t *executable)
{
    CHECK_UP();
    (void)options;
    CHECK_ARGUMENT(executable && profile <= HSA_PROFILE_FULL && executable_state <= HSA_EXECUTABLE_STATE_FROZEN);
    return executable_make(
        profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, executable_state == HSA_EXECUTABLE_STATE_FROZEN, executable);
}

HSA_API hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
                                               hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                               const char *options, hsa_executable_t *executable)
{
    CHECK_UP();
    (void)options;
    CHECK_ARGUMENT(executable && profile <= HSA_PROFILE_FULL &&
                   default_float_rounding_mode <= HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
    return executable_make(profile, default_float_rounding_mode, false, executable);
}

HSA_API hsa_status_t hsa_executable_destroy(hsa_executable_t handle)
{
    CHECK_UP();
    struct executable *executable = handle_take(handle.handle, HANDLE_EXECUTABLE);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    executable_free(executable);
    return HSA_STATUS_SUCCESS;
}

void executables_shut_down(void)
{
    handle_visit(HANDLE_EXECUTABLE, executable_free);
    code_objects_shut_down();
}

/* ---- loading ---- */

static void print_mismatch(const struct agent *agent, const struct code_object *object)
{
    const char *own = agent->config.isa_count ? agent->config.isas[0].name : "no machine code";
    message_print(MESSAGE_CODE_TARGET, object->isa, agent->config.name, own);
}

/* Takes ownership of OBJECT. */
static hsa_status_t executable_load(struct executable *executable, struct agent *agent, struct code_object *object,
                                    struct loaded **result)
{
    if (agent && !isa_for_code(agent, object->isa, strlen(object->isa))) {
        print_mismatch(agent, object);
        code_object_close(object);
        return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    }
    pthread_mutex_lock(&executable->lock);
    hsa_status_t status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    if (executable->frozen)
        code_object_close(object);
    else
        status = loader_load(executable, agent, object, result);
    pthread_mutex_unlock(&executable->lock);
    return status;
}

static bool is_frozen(struct executable *executable)
{
    pthread_mutex_lock(&executable->lock);
    bool frozen = executable->frozen;
    pthread_mutex_unlock(&executable->lock);
    return frozen;
}

static hsa_status_t load_from_reader(hsa_executable_t handle, struct agent *agent, hsa_code_object_reader_t reader,
                                     hsa_loaded_code_object_t *result)
{
    struct executable *executable = executable_get(handle);
    CHECK(!is_frozen(executable), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    struct code_object *object;
    struct loaded *loaded;
    hsa_status_t status = reader_open(reader, &object);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    status = executable_load(executable, agent, object, &loaded);
    if (status == HSA_STATUS_SUCCESS && result)
        result->handle = loaded->handle;
    return status;
}

HSA_API hsa_status_t hsa_executable_load_agent_code_object(
    hsa_executable_t executable, hsa_agent_t agent, hsa_code_object_reader_t code_object_reader, const char *options,
    hsa_loaded_code_object_t *loaded_code_object)
{
    CHECK_UP();
    (void)options;
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return load_from_reader(executable, agent_find(agent), code_object_reader, loaded_code_object);
}

HSA_API hsa_status_t hsa_executable_load_program_code_object(
    hsa_executable_t executable, hsa_code_object_reader_t code_object_reader, const char *options,
    hsa_loaded_code_object_t *loaded_code_object)
{
    CHECK_UP();
    (void)options;
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    return load_from_reader(executable, NULL, code_object_reader, loaded_code_object);
}

HSA_API hsa_status_t hsa_executable_load_code_object(hsa_executable_t handle, hsa_agent_t agent,
                                                     hsa_code_object_t code_object, const char *options)
{
    CHECK_UP();
    (void)options;
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK(!is_frozen(executable), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    struct code_object *object;
    struct loaded *loaded;
    hsa_status_t status = code_object_copy(code_object, &object);
    return status == HSA_STATUS_SUCCESS ? executable_load(executable, agent_find(agent), object, &loaded) : status;
}

/* ---- definitions by the client ---- */

static hsa_status_t define_external(hsa_executable_t handle, struct agent *agent, const char *name, void *address,
                                    bool constant)
{
    struct executable *executable = executable_get(handle);
    CHECK_ARGUMENT(name && *name);
    size_t length = strlen(name);
    char *copy = mem_alloc(length + 1);
    CHECK(copy, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    memcpy(copy, name, length + 1);
    pthread_mutex_lock(&executable->lock);
    hsa_status_t status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    if (!executable->frozen)
        status = executable_define(
            executable,
            (struct executable_symbol){
                .is = {.name = copy, .kind = HSA_SYMBOL_KIND_VARIABLE, .defined = true, .constant = constant},
                .agent = agent,
                .address = (uintptr_t)address,
                .own_name = copy});
    pthread_mutex_unlock(&executable->lock);
    if (status != HSA_STATUS_SUCCESS)
        mem_free(copy);
    return status;
}

HSA_API hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char *variable_name,
                                                           void *address)
{
    CHECK_UP();
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    return define_external(executable, NULL, variable_name, address, false);
}

HSA_API hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                                 const char *variable_name, void *address)
{
    CHECK_UP();
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return define_external(executable, agent_find(agent), variable_name, address, false);
}

HSA_API hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                             const char *variable_name, void *address)
{
    CHECK_UP();
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return define_external(executable, agent_find(agent), variable_name, address, true);
}

/* ---- freezing ---- */

/* The caller holds the lock. */
static hsa_status_t resolved(const struct executable *executable)
{
    for (size_t i = 0; i < executable->loaded.count; i++)
        CHECK(loader_resolved(executable->loaded.items[i]), HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_executable_freeze(hsa_executable_t handle, const char *options)
{
    CHECK_UP();
    (void)options;
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    pthread_mutex_lock(&executable->lock);
    hsa_status_t status = executable->frozen ? HSA_STATUS_ERROR_FROZEN_EXECUTABLE : resolved(executable);
    for (size_t i = 0; status == HSA_STATUS_SUCCESS && i < executable->loaded.count; i++)
        status = loader_finish(executable->loaded.items[i]);
    if (status == HSA_STATUS_SUCCESS)
        executable->frozen = true;
    pthread_mutex_unlock(&executable->lock);
    return status;
}

HSA_API hsa_status_t hsa_executable_validate_alt(hsa_executable_t handle, const char *options, uint32_t *result)
{
    CHECK_UP();
    (void)options;
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(result);
    pthread_mutex_lock(&executable->lock);
    *result = resolved(executable);
    pthread_mutex_unlock(&executable->lock);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t *result)
{
    return hsa_executable_validate_alt(executable, NULL, result);
}

HSA_API hsa_status_t hsa_executable_get_info(hsa_executable_t handle, hsa_executable_info_t attribute, void *value)
{
    CHECK_UP();
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_EXECUTABLE_INFO_PROFILE: PUT(hsa_profile_t, executable->profile); return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_INFO_STATE:
        PUT(hsa_executable_state_t,
            is_frozen(executable) ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN);
        return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
        PUT(hsa_default_float_rounding_mode_t, executable->rounding);
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* ---- symbols ---- */

/* A symbol of program linkage comes before one of module linkage that can be called the same. The caller holds the
 * lock. */
static const struct executable_symbol *find_called(const struct executable *executable, const struct agent *agent,
                                                   const char *module, const char *name)
{
    const struct executable_symbol *found = NULL;
    if (!module || !*module)
        found = executable_find_shared(executable, agent, name);
    size_t count = executable->modules_own ? executable->symbols.count : 0;
    for (size_t i = 0; i < count && !found; i++) {
        const struct executable_symbol *symbol = executable->symbols.items[i];
        if (symbol->agent == agent && code_symbol_is_called(&symbol->is, module, name))
            found = symbol;
    }
    return found;
}

static hsa_status_t find_symbol(hsa_executable_t handle, const struct agent *agent, const char *module,
                                const char *name, hsa_executable_symbol_t *result)
{
    struct executable *executable = executable_get(handle);
    pthread_mutex_lock(&executable->lock);
    const struct executable_symbol *symbol = find_called(executable, agent, module, name);
    pthread_mutex_unlock(&executable->lock);
    CHECK(symbol, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    result->handle = symbol->handle;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char *symbol_name,
                                                       const hsa_agent_t *agent, hsa_executable_symbol_t *symbol)
{
    CHECK_UP();
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(symbol_name && symbol);
    CHECK(!agent || agent_find(*agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return find_symbol(executable, agent ? agent_find(*agent) : NULL, NULL, symbol_name, symbol);
}

HSA_API hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char *module_name,
                                               const char *symbol_name, hsa_agent_t agent, int32_t call_convention,
                                               hsa_executable_symbol_t *symbol)
{
    CHECK_UP();
    (void)call_convention;
    CHECK(executable_get(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(symbol_name && symbol);
    const struct agent *of = agent_find(agent);
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
    if (of)
        status = find_symbol(executable, of, module_name, symbol_name, symbol);
    return status == HSA_STATUS_SUCCESS ? status : find_symbol(executable, NULL, module_name, symbol_name, symbol);
}

HSA_API hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t handle,
                                                    hsa_executable_symbol_info_t attribute, void *value)
{
    CHECK_UP();
    const struct executable_symbol *symbol = handle_get(handle.handle, HANDLE_EXECUTABLE_SYMBOL);
    CHECK(symbol, HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
    CHECK_ARGUMENT(value);
    bool kernel = symbol->is.kind == HSA_SYMBOL_KIND_KERNEL, variable = symbol->is.kind == HSA_SYMBOL_KIND_VARIABLE;
    switch ((int)attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
        CHECK_ARGUMENT(symbol->agent);
        PUT(hsa_agent_t, symbol->agent->handle);
        return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
        CHECK_ARGUMENT(variable);
        PUT(uint64_t, symbol->address);
        return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
        CHECK_ARGUMENT(variable);
        PUT(hsa_variable_allocation_t, symbol->agent ? HSA_VARIABLE_ALLOCATION_AGENT : HSA_VARIABLE_ALLOCATION_PROGRAM);
        return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
        CHECK_ARGUMENT(kernel);
        PUT(uint64_t, symbol->address);
        return HSA_STATUS_SUCCESS;
    }
    return code_symbol_attribute(&symbol->is, (int)attribute, value)
               ? HSA_STATUS_SUCCESS
               : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* Symbol I, or NULL after the last one. The callback may load more symbols meanwhile. */
static struct executable_symbol *symbol_at(struct executable *executable, size_t i)
{
    pthread_mutex_lock(&executable->lock);
    struct executable_symbol *symbol = i < executable->symbols.count ? executable->symbols.items[i] : NULL;
    pthread_mutex_unlock(&executable->lock);
    return symbol;
}

HSA_API hsa_status_t hsa_executable_iterate_symbols(
    hsa_executable_t handle,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data), void *data)
{
    CHECK_UP();
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(callback);
    struct executable_symbol *symbol;
    for (size_t i = 0; (symbol = symbol_at(executable, i)); i++) {
        hsa_status_t status = callback(handle, (hsa_executable_symbol_t){symbol->handle}, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_executable_iterate_agent_symbols(
    hsa_executable_t handle, hsa_agent_t agent,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_agent_t agent, hsa_executable_symbol_t symbol,
                             void *data),
    void *data)
{
    CHECK_UP();
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    const struct agent *of = agent_find(agent);
    CHECK(of, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(callback);
    struct executable_symbol *symbol;
    for (size_t i = 0; (symbol = symbol_at(executable, i)); i++) {
        if (symbol->agent != of)
            continue;
        hsa_status_t status = callback(handle, agent, (hsa_executable_symbol_t){symbol->handle}, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t handle,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data), void *data)
{
    CHECK_UP();
    struct executable *executable = executable_get(handle);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(callback);
    struct executable_symbol *symbol;
    for (size_t i = 0; (symbol = symbol_at(executable, i)); i++) {
        if (symbol->agent)
            continue;
        hsa_status_t status = callback(handle, (hsa_executable_symbol_t){symbol->handle}, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}
