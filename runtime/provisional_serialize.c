/* SPDX-License-Identifier: MIT */
/* Finalizations and programs of HSA 1.0 provisional as bytes. (1.0P 3.1.1.32, 3.1.1.33, 3.2.1.25, 3.2.1.28)
 *
 * Input: finalizations, programs, bytes of any value, callbacks. Output: one block, whose first words tell what it is
 * and how long, as the functions that read it are told no size; finalizations, programs.
 * Invariant: nothing is read outside of the length in the first words, which is believed. */
#include "runtime/provisional_finalization.h"

#include "runtime/agent.h"
#include "runtime/executable.h"
#include "runtime/handle.h"
#include "support/alloc.h"

#include <string.h>

/* The first words of both objects. They are for the machine and the version of this library that wrote them. */
struct object_1p {
    char magic[8];
    uint64_t size;      /* of everything */
    uint32_t model[2];  /* machine model, profile */
    uint64_t counts[3]; /* of the arrays that follow */
    uint64_t code_size; /* of what follows them */
};
static const char finalization_magic[8] = "HSA1PFIN", program_magic[8] = "HSA1PPRG";

/* An agent of a program: the NUMBER-th of its name. */
struct agent_1p {
    char name[64];
    uint64_t number;
};

/* A variable of a program that the client has defined. */
struct relocation_1p {
    uint32_t module, symbol; /* number of the module, offset */
    uint64_t agent;          /* number of the agent; that of all agents is the count of agents */
};

/* A module: its size and its bytes, which are filled up to words of 16. */
struct stored_module_1p {
    uint64_t size, reserved;
};

static uint64_t fill_up(uint64_t size)
{
    return (size + 15) & ~UINT64_C(15);
}

/* Lets the client allocate SIZE bytes, copies COPY to them, and tells it in *OBJECT where they are. Frees COPY, which
 * is NULL when memory was out. What COPY was made of is not looked at any more, so the callbacks may do anything. */
static int hand_out(char *copy, size_t size, uint64_t caller, alloc_callback_1p allocate, message_callback_1p callback,
                    void *object)
{
    void *memory = NULL;
    int status = copy ? allocate(caller, size, &memory) : PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    if (status == HSA_STATUS_SUCCESS) {
        memcpy(object, &memory, sizeof memory);
        if (memory)
            memcpy(memory, copy, size);
        else
            status = PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    }
    mem_free(copy);
    if (status != HSA_STATUS_SUCCESS)
        message_1p(callback, caller, NULL, "there is no memory for the object");
    return status;
}

static char *put(char *to, const void *from, size_t size)
{
    if (size)
        memcpy(to, from, size);
    return to + size;
}

/* Reads the first words; false if they are not those of an object with arrays of elements of these sizes. */
static bool read_object(const void *bytes, const char magic[8], const size_t sizes[3], struct object_1p *object)
{
    if (!bytes)
        return false;
    memcpy(object, bytes, sizeof *object);
    if (memcmp(object->magic, magic, sizeof object->magic) != 0 || object->size < sizeof *object)
        return false;
    uint64_t rest = object->size - sizeof *object;
    for (int i = 0; i < 3; i++) {
        if (object->counts[i] > rest / sizes[i])
            return false;
        rest -= object->counts[i] * sizes[i];
    }
    return object->code_size == rest;
}

/* ---- finalizations ---- */

static const size_t finalization_sizes[3] = {sizeof(struct kernel_1p), sizeof(struct address_1p), 1};

static hsa_status_t keep_address(size_t size, hsa_callback_data_t data, void **address)
{
    (void)data;
    *address = mem_alloc(size);
    return *address ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

PROVISIONAL_NAME(hsa_ext_serialize_finalization, uint64_t caller, hsa_agent_t agent, uint64_t finalization,
                 alloc_callback_1p allocate, message_callback_1p callback, int debug_information,
                 void *serialized_object)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    const struct code_1p *code = code_1p_find(agent, finalization);
    CHECK_1P(code && allocate && serialized_object && (unsigned)debug_information <= 1, INVALID_ARGUMENT);
    void *image = NULL;
    size_t size = 0;
    hsa_status_t made =
        CALL(hsa_code_object_serialize)(code->code, keep_address, (hsa_callback_data_t){0}, NULL, &image, &size);
    if (made != HSA_STATUS_SUCCESS)
        return provisional_status((int)made);
    struct object_1p head = {
        .model = {0, code->profile}, .counts = {code->kernels.count, code->addresses.count, 0}, .code_size = size};
    size_t kernels = code->kernels.count * sizeof *code->kernels.items;
    size_t addresses = code->addresses.count * sizeof *code->addresses.items;
    memcpy(head.magic, finalization_magic, sizeof head.magic);
    head.size = sizeof head + kernels + addresses + size;
    char *copy = mem_alloc(head.size);
    if (copy) {
        char *to = put(copy, &head, sizeof head);
        to = put(to, code->kernels.items, kernels);
        to = put(to, code->addresses.items, addresses);
        put(to, image, size);
    }
    mem_free(image);
    return hand_out(copy, head.size, caller, allocate, callback, serialized_object);
}

/* Copies COUNT elements at *FROM, and moves *FROM after them. */
#define TAKE_ELEMENTS(to, count_, from)                                                                                \
    __extension__({                                                                                                    \
        size_t bytes_ = (size_t)(count_) * sizeof *(to)->items;                                                        \
        bool good_ = !(count_) || vec_reserve((to), (count_));                                                         \
        if (good_ && bytes_)                                                                                           \
            memcpy((to)->items, *(from), bytes_);                                                                      \
        (to)->count = good_ ? (count_) : 0;                                                                            \
        *(from) += bytes_;                                                                                             \
        good_;                                                                                                         \
    })

/* Tells EXECUTABLE where the variables are that the client places. */
static hsa_status_t define_addresses(const struct code_1p *code, uint64_t caller, address_callback_1p callback)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; i < code->addresses.count && status == HSA_STATUS_SUCCESS; i++) {
        struct address_1p *it = &code->addresses.items[i];
        uint64_t address = 0;
        it->name[sizeof it->name - 1] = '\0';
        CHECK(callback && callback(caller, it->module, it->symbol, &address) == HSA_STATUS_SUCCESS && address,
              HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
        void *at = (void *)(uintptr_t)address;
        status =
            it->readonly ? CALL(hsa_executable_readonly_variable_define)(code->executable, code->agent, it->name, at)
            : it->of_agent
                ? CALL(hsa_executable_agent_global_variable_define)(code->executable, code->agent, it->name, at)
                : CALL(hsa_executable_global_variable_define)(code->executable, it->name, at);
    }
    return status;
}

/* Finds the kernels where the loader has placed them. */
static hsa_status_t find_kernels(const struct code_1p *code, uint32_t agent_id)
{
    for (size_t i = 0; i < code->kernels.count; i++) {
        struct kernel_1p *it = &code->kernels.items[i];
        hsa_executable_symbol_t found;
        it->name[sizeof it->name - 1] = it->module_name[sizeof it->module_name - 1] = '\0';
        hsa_status_t status = CALL(hsa_executable_get_symbol)(
            code->executable, it->of_module ? it->module_name : NULL, it->name, code->agent, 0, &found);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        hsa_symbol_kind_t kind = HSA_SYMBOL_KIND_VARIABLE;
        CALL(hsa_executable_symbol_get_info)(found, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind);
        CHECK(kind == HSA_SYMBOL_KIND_KERNEL, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
        describe_kernel_1p(&it->is, found);
        it->is.call_convention = agent_id;
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t load_code(struct code_1p *code, const void *image, size_t size, uint64_t caller,
                              address_callback_1p callback)
{
    hsa_status_t status = CALL(hsa_code_object_deserialize)((void *)(uintptr_t)image, size, NULL, &code->code);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    status = CALL(hsa_executable_create)(
        (hsa_profile_t)code->profile, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &code->executable);
    if (status == HSA_STATUS_SUCCESS)
        status = define_addresses(code, caller, callback);
    if (status == HSA_STATUS_SUCCESS)
        status = CALL(hsa_executable_load_code_object)(code->executable, code->agent, code->code, NULL);
    return status == HSA_STATUS_SUCCESS ? CALL(hsa_executable_freeze)(code->executable, NULL) : status;
}

PROVISIONAL_NAME(hsa_ext_deserialize_finalization, uint64_t caller, const void *serialized_object, hsa_agent_t agent,
                 uint32_t agent_id, uint32_t agent_count, address_callback_1p address, message_callback_1p callback,
                 int debug_information, uint64_t *finalization)
{
    struct object_1p head;
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(agent_find(agent) && agent_id < agent_count && finalization && (unsigned)debug_information <= 1 &&
                 read_object(serialized_object, finalization_magic, finalization_sizes, &head) && !head.counts[2],
             INVALID_ARGUMENT);
    struct code_1p *code = code_1p_new(agent);
    const char *at = (const char *)serialized_object + sizeof head;
    *finalization = 0;
    if (!code || !TAKE_ELEMENTS(&code->kernels, head.counts[0], &at) ||
        !TAKE_ELEMENTS(&code->addresses, head.counts[1], &at)) {
        code_1p_free(code);
        return PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    }
    code->profile = head.model[1];
    hsa_status_t status = load_code(code, at, head.code_size, caller, address);
    if (status == HSA_STATUS_SUCCESS)
        status = find_kernels(code, agent_id);
    if (status == HSA_STATUS_SUCCESS)
        return code_1p_finish(code, finalization);
    code_1p_free(code);
    const char *text = "";
    if (CALL(hsa_status_string)(status, &text) == HSA_STATUS_SUCCESS)
        message_1p(callback, caller, NULL, text);
    return finalization_status_1p(status);
}

/* ---- programs ---- */

static const size_t program_sizes[3] = {sizeof(struct agent_1p), sizeof(struct relocation_1p), 16};

/* The NUMBER-th agent of that name; handle 0: there is none. */
static hsa_agent_t agent_of_name(const char *name, uint64_t number)
{
    char has[64] = "";
    for (size_t i = 0; i < runtime.agents.count; i++) {
        hsa_agent_t agent = runtime.agents.items[i]->handle;
        CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_NAME, has);
        if (!strncmp(has, name, sizeof has) && !number--)
            return agent;
    }
    return (hsa_agent_t){0};
}

static struct agent_1p name_of_agent(hsa_agent_t agent)
{
    struct agent_1p named = {0};
    CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_NAME, named.name);
    while (agent_of_name(named.name, named.number).handle != agent.handle)
        named.number++;
    return named;
}

static uint32_t module_number(const struct program_1p *program, const struct module_1p *module)
{
    uint32_t i = 0;
    while (program->modules.items[i] != module)
        i++;
    return i;
}

static uint64_t program_size(const struct program_1p *program, struct object_1p *head)
{
    *head = (struct object_1p){.model = {program->machine_model, program->profile},
                               .counts = {program->agent_count, program->defined.count, 0}};
    memcpy(head->magic, program_magic, sizeof head->magic);
    for (size_t i = 0; i < program->modules.count; i++)
        head->counts[2] += (sizeof(struct stored_module_1p) + fill_up(program->modules.items[i]->size)) / 16;
    head->size = sizeof *head;
    for (int i = 0; i < 3; i++)
        head->size += head->counts[i] * program_sizes[i];
    return head->size;
}

static void write_program(const struct program_1p *program, char *to)
{
    struct object_1p head;
    memset(to, 0, program_size(program, &head));
    to = put(to, &head, sizeof head);
    for (uint32_t i = 0; i < program->agent_count; i++) {
        struct agent_1p named = name_of_agent(program->agents[i]);
        to = put(to, &named, sizeof named);
    }
    for (size_t i = 0; i < program->defined.count; i++) {
        const struct defined_1p *it = &program->defined.items[i];
        struct relocation_1p stored = {
            module_number(program, it->symbol.module), it->symbol.offset, program_1p_agent(program, it->agent)};
        to = put(to, &stored, sizeof stored);
    }
    for (size_t i = 0; i < program->modules.count; i++) {
        const struct module_1p *module = program->modules.items[i];
        struct stored_module_1p stored = {module->size, 0};
        to = put(to, &stored, sizeof stored);
        put(to, module->bytes, module->size);
        to += fill_up(module->size);
    }
}

PROVISIONAL_NAME(hsa_ext_serialize_program, uint64_t caller, uint64_t handle, alloc_callback_1p allocate,
                 message_callback_1p callback, int debug_information, void *serialized_object)
{
    struct object_1p head;
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(allocate && serialized_object && (unsigned)debug_information <= 1, INVALID_ARGUMENT);
    struct program_1p *program = program_1p_enter(handle);
    CHECK_1P(program, INVALID_ARGUMENT);
    uint64_t size = program_size(program, &head);
    char *copy = mem_alloc(size);
    if (copy)
        write_program(program, copy);
    program_1p_leave(program);
    return hand_out(copy, size, caller, allocate, callback, serialized_object);
}

/* What hsa_ext_deserialize_program() is given. */
struct loading {
    uint64_t caller;
    int (*of_program)(uint64_t caller, const char *name, uint64_t *address);
    int (*of_agent)(uint64_t caller, hsa_agent_t agent, const char *name, uint64_t *address);
};

static int load_modules(struct program_1p *program, const char *at, uint64_t units)
{
    while (units) {
        struct stored_module_1p stored;
        uint64_t handle;
        memcpy(&stored, at, sizeof stored);
        CHECK_1P(stored.size <= units * 16 - 16, INVALID_ARGUMENT);
        struct brig_table_1p *table;
        hsa_status_t made = module_1p_table(at + sizeof stored, stored.size, &table);
        if (made != HSA_STATUS_SUCCESS)
            return provisional_status((int)made);
        int status = program_1p_add_module(program, table, &handle);
        if (status != HSA_STATUS_SUCCESS) {
            mem_free(table);
            return status;
        }
        program->modules.items[program->modules.count - 1]->own = table;
        at += sizeof stored + fill_up(stored.size);
        units -= 1 + fill_up(stored.size) / 16;
    }
    return HSA_STATUS_SUCCESS;
}

/* Asks the client where the variables are that it had defined. One that it does not place can be defined later. */
static int relocate(struct program_1p *program, const char *at, uint64_t count, const struct loading *loading)
{
    for (uint64_t i = 0; i < count; i++, at += sizeof(struct relocation_1p)) {
        struct relocation_1p stored;
        struct symbol_1p symbol;
        memcpy(&stored, at, sizeof stored);
        CHECK_1P(stored.module < program->modules.count && stored.agent <= program->agent_count &&
                     symbol_1p_read(program->modules.items[stored.module], stored.symbol, &symbol) &&
                     symbol.kind == SYMBOL_VARIABLE_1P && symbol.of_agent == (stored.agent < program->agent_count),
                 INVALID_ARGUMENT);
        uint64_t address = 0;
        hsa_agent_t agent = symbol.of_agent ? program->agents[stored.agent] : (hsa_agent_t){0};
        int given =
            symbol.of_agent ? loading->of_agent ? loading->of_agent(loading->caller, agent, symbol.name, &address) : 1
            : loading->of_program ? loading->of_program(loading->caller, symbol.name, &address)
                                  : 1;
        int status = given == HSA_STATUS_SUCCESS && address
                         ? program_1p_define(program, &symbol, agent, (void *)(uintptr_t)address)
                         : HSA_STATUS_SUCCESS;
        if (status != HSA_STATUS_SUCCESS)
            return status;
    }
    return HSA_STATUS_SUCCESS;
}

/* Makes a program for the agents that have the names which are stored. */
static struct program_1p *program_of_names(const struct object_1p *head, const char *at, int *status)
{
    uint32_t count = (uint32_t)head->counts[0];
    hsa_agent_t *agents = mem_alloc(count * sizeof *agents);
    struct program_1p *program = NULL;
    bool known = true;
    for (uint32_t i = 0; i < count && agents && known; i++) {
        struct agent_1p named;
        memcpy(&named, at + i * sizeof named, sizeof named);
        agents[i] = agent_of_name(named.name, named.number);
        known = agents[i].handle;
    }
    if (agents && known)
        program = program_1p_new(agents, count, (uint8_t)head->model[0], (uint8_t)head->model[1]);
    *status = known ? PROVISIONAL_ERROR(OUT_OF_RESOURCES) : PROVISIONAL_ERROR(INVALID_ARGUMENT);
    mem_free(agents);
    return program;
}

PROVISIONAL_NAME(hsa_ext_deserialize_program, uint64_t caller, const void *serialized_object,
                 int (*program_address)(uint64_t caller, const char *name, uint64_t *address),
                 int (*agent_address)(uint64_t caller, hsa_agent_t agent, const char *name, uint64_t *address),
                 message_callback_1p callback, int debug_information, uint64_t **result)
{
    struct object_1p head;
    struct loading loading = {caller, program_address, agent_address};
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(result && (unsigned)debug_information <= 1 &&
                 read_object(serialized_object, program_magic, program_sizes, &head) && !head.code_size &&
                 head.counts[0] && head.counts[0] <= UINT16_MAX && head.model[0] <= HSA_MACHINE_MODEL_LARGE &&
                 head.model[1] <= HSA_PROFILE_FULL,
             INVALID_ARGUMENT);
    const char *agents = (const char *)serialized_object + sizeof head;
    const char *relocations = agents + head.counts[0] * program_sizes[0];
    int status;
    struct program_1p *program = program_of_names(&head, agents, &status);
    if (program)
        status = load_modules(program, relocations + head.counts[1] * program_sizes[1], head.counts[2]);
    if (program && status == HSA_STATUS_SUCCESS)
        status = relocate(program, relocations, head.counts[1], &loading);
    if (program && status == HSA_STATUS_SUCCESS) {
        program->handle = handle_new(HANDLE_PROGRAM_1P, program);
        *result = &program->handle;
        status = program->handle ? HSA_STATUS_SUCCESS : PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    }
    if (status == HSA_STATUS_SUCCESS)
        return status;
    *result = NULL;
    if (program)
        program_1p_free(program);
    message_1p(callback, caller, NULL, "the object is damaged, or for agents that are not here");
    return status;
}
