/* SPDX-License-Identifier: MIT */
/* Finalization in the interface of HSA 1.0 provisional. (1.0P 3.2.1.6)
 *
 * Input: a program, requests for kernels. Output: descriptors with code for dispatch packets.
 * Invariant: a program is finalized once, as a whole and for all of its agents, since they share its variables;
 * requests fill in descriptors. */
#include "runtime/provisional_module.h"

#include "runtime/agent.h"
#include "runtime/executable.h"
#include "support/alloc.h"

#include <string.h>

enum { CODE_KERNEL = 1, MOST_OPTIMIZATION = 3 };

/* ---- control directives ---- */

/* The bits of 1.0P with those of 1.2, which are numbered as in BRIG. */
static const struct {
    uint64_t then;
    unsigned now;
} directive_bits[] = {{1, 2}, {2, 3}, {4, 4}, {8, 5}, {128, 6}, {32, 7}, {64, 8}, {256, 9}};

static hsa_ext_control_directives_t directives_now(const struct directives_1p *given)
{
    enum { BREAK = 1 };
    hsa_ext_control_directives_t now = {
        .break_exceptions_mask = given->break_exceptions,
        .detect_exceptions_mask = given->detect_exceptions,
        .max_dynamic_group_size = given->max_dynamic_group_size,
        .max_flat_grid_size = given->max_flat_grid_size,
        .max_flat_workgroup_size = given->max_flat_workgroup_size,
        .required_grid_size = {given->required_grid_size.x, given->required_grid_size.y, given->required_grid_size.z},
        .required_workgroup_size = given->required_workgroup_size,
        .required_dim = given->required_dim,
    };
    if (given->break_exceptions) /* 1.0P has no bit for it */
        now.control_directives_mask = UINT64_C(1) << BREAK;
    for (size_t i = 0; i < sizeof directive_bits / sizeof *directive_bits; i++)
        if (given->enabled & directive_bits[i].then)
            now.control_directives_mask |= UINT64_C(1) << directive_bits[i].now;
    return now;
}

/* Whether fields of directives that are not enabled are 0, as they have to be. */
static bool directives_clean(const struct directives_1p *d)
{
    static const hsa_dim3_t none;
    bool reserved = false;
    for (size_t i = 0; i < sizeof d->reserved; i++)
        reserved |= d->reserved[i];
    return !reserved && (d->enabled & 1 || !d->detect_exceptions) && (d->enabled & 2 || !d->max_dynamic_group_size) &&
           !(d->enabled & 4) == !d->max_flat_grid_size && !(d->enabled & 8) == !d->max_flat_workgroup_size &&
           (d->enabled & 16 || !d->requested_workgroups) &&
           (d->enabled & 32 || !memcmp(&d->required_grid_size, &none, sizeof none)) &&
           (d->enabled & 64 || !memcmp(&d->required_workgroup_size, &none, sizeof none)) &&
           !(d->enabled & 128) == !d->required_dim && d->required_dim <= 3;
}

/* ---- the program ---- */

static hsa_status_t define_variables(const struct program_1p *program, hsa_executable_t executable)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; i < program->defined.count && status == HSA_STATUS_SUCCESS; i++) {
        const struct defined_1p *it = &program->defined.items[i];
        const char *name = it->symbol.name;
        status = it->symbol.readonly
                     ? CALL(hsa_executable_readonly_variable_define)(executable, it->agent, name, it->address)
                 : it->symbol.of_agent
                     ? CALL(hsa_executable_agent_global_variable_define)(executable, it->agent, name, it->address)
                     : CALL(hsa_executable_global_variable_define)(executable, name, it->address);
    }
    return status;
}

/* Finalizes the program for the instruction set of an agent, and loads the code. */
static hsa_status_t load_for_agent(struct program_1p *program, hsa_agent_t agent, const char *options,
                                   hsa_executable_t executable)
{
    hsa_isa_t isa = {0};
    hsa_code_object_t code;
    hsa_status_t status = CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_ISA, &isa);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    status = api_finalizer.hsa_ext_program_finalize_fn(
        program->program, isa, HSA_EXT_FINALIZER_CALL_CONVENTION_AUTO, directives_now(&program->directives), options,
        HSA_CODE_OBJECT_TYPE_PROGRAM, &code);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    status = CALL(hsa_executable_load_code_object)(executable, agent, code, NULL);
    if (program->keeps_code && status == HSA_STATUS_SUCCESS) {
        program->code = code;
        return status;
    }
    hsa_status_t destroyed = CALL(hsa_code_object_destroy)(code);
    return status == HSA_STATUS_SUCCESS ? destroyed : status;
}

static hsa_status_t make_executable(struct program_1p *program, const char *options)
{
    hsa_executable_t executable;
    hsa_status_t status =
        CALL(hsa_executable_create)(program->profile, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    status = define_variables(program, executable);
    for (uint32_t i = 0; i < program->agent_count && status == HSA_STATUS_SUCCESS; i++)
        status = load_for_agent(program, program->agents[i], options, executable);
    if (status == HSA_STATUS_SUCCESS)
        status = CALL(hsa_executable_freeze)(executable, NULL);
    if (status == HSA_STATUS_SUCCESS)
        program->executable = executable;
    else
        CALL(hsa_executable_destroy)(executable);
    if (status != HSA_STATUS_SUCCESS && program->code.handle) { /* the next try makes another */
        CALL(hsa_code_object_destroy)(program->code);
        program->code.handle = 0;
    }
    return status;
}

/* ---- descriptors ---- */

struct descriptor_1p *program_1p_descriptors(struct program_1p *program, const struct symbol_1p *symbol)
{
    for (size_t i = 0; i < program->descriptors.count; i++) {
        const struct descriptors_1p *it = &program->descriptors.items[i];
        if (it->module == symbol->module && it->symbol == symbol->offset)
            return it->of_agent;
    }
    struct descriptors_1p made = {
        symbol->module, symbol->offset, mem_zalloc(program->agent_count, sizeof *made.of_agent)};
    if (made.of_agent && vec_push(&program->descriptors, made))
        return made.of_agent;
    mem_free(made.of_agent);
    return NULL;
}

static uint32_t symbol_number(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute)
{
    uint32_t number = 0;
    CALL(hsa_executable_symbol_get_info)(symbol, attribute, &number);
    return number;
}

static uint8_t logarithm(uint32_t number, uint8_t least)
{
    uint8_t power = 0;
    while (number >> power > 1)
        power++;
    return power > least ? power : least;
}

void describe_kernel_1p(struct descriptor_1p *to, hsa_executable_symbol_t from)
{
    enum { SIXTEEN = 4 };
    to->code_type = CODE_KERNEL;
    to->group_size = symbol_number(from, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
    to->private_size = symbol_number(from, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
    to->kernarg_size = symbol_number(from, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
    to->kernarg_alignment =
        logarithm(symbol_number(from, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT), SIXTEEN);
    to->group_alignment = to->private_alignment = SIXTEEN;
    CALL(hsa_executable_symbol_get_info)(from, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &to->code);
}

static void describe(const struct program_1p *program, const struct symbol_1p *symbol, hsa_agent_t agent,
                     hsa_executable_symbol_t from, struct descriptor_1p *to)
{
    char text[64] = "";
    uint32_t wave = 1;
    describe_kernel_1p(to, from);
    CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave);
    to->wavefront_size = logarithm(wave, 0);
    to->call_convention = program_1p_agent(program, agent);
    to->module = symbol->module->handle;
    to->symbol = symbol->offset;
    to->profile = (uint8_t)program->profile;
    to->machine_model = program->machine_model;
    CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_VENDOR_NAME, text);
    memcpy(to->vendor, text, sizeof to->vendor - 1);
    memset(text, 0, sizeof text);
    CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_NAME, text);
    memcpy(to->name, text, sizeof to->name - 1);
    to->hsail_major = symbol->module->hsail[0];
    to->hsail_minor = symbol->module->hsail[1];
    to->directives = program->directives;
}

bool program_1p_requested(const struct program_1p *program, const struct request_1p *request, struct symbol_1p *symbol)
{
    struct symbol_1p named;
    const struct module_1p *module = program_1p_module(program, request->module);
    return module && symbol_1p_read(module, request->symbol, &named) && symbol_1p_definition(program, &named, symbol) &&
           (symbol->kind == SYMBOL_KERNEL_1P || symbol->kind == SYMBOL_INDIRECT_1P);
}

static hsa_status_t fulfil(struct program_1p *program, hsa_agent_t agent, const struct request_1p *request)
{
    struct symbol_1p symbol;
    char module[256];
    hsa_executable_symbol_t found;
    struct descriptor_1p *descriptors =
        program_1p_requested(program, request, &symbol) ? program_1p_descriptors(program, &symbol) : NULL;
    CHECK(descriptors, HSA_STATUS_ERROR_OUT_OF_RESOURCES); /* what is requested was looked at before */
    CHECK(module_1p_name(symbol.module, module), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    hsa_status_t status = CALL(hsa_executable_get_symbol)(
        program->executable, symbol.of_module ? module : NULL, symbol.name, agent, 0, &found);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    describe(program, &symbol, agent, found, &descriptors[program_1p_agent(program, agent)]);
    return HSA_STATUS_SUCCESS;
}

/* ---- API ---- */

int finalization_status_1p(hsa_status_t status)
{
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_ERROR_OUT_OF_RESOURCES ||
        status == (hsa_status_t)HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH)
        return provisional_status((int)status);
    return PROVISIONAL_ERROR(INVALID_ARGUMENT);
}

static int finalize(struct program_1p *program, struct finalization_1p *it)
{
    static const struct directives_1p none;
    struct symbol_1p symbol;
    const struct directives_1p *directives = it->directives ? it->directives : &none;
    it->place = it->requests;
    it->message = NULL;
    CHECK_1P(directives_clean(directives), INVALID_ARGUMENT);
    for (size_t i = 0; i < it->count; i++) {
        CHECK_1P(program_1p_requested(program, &it->requests[i], &symbol), INVALID_ARGUMENT);
        if (symbol.kind == SYMBOL_INDIRECT_1P) {
            it->place = &it->requests[i];
            it->message = "code objects do not tell where indirect functions are";
            return PROVISIONAL_ERROR(INVALID_ARGUMENT);
        }
    }
    if (program->agent_count > 1 && program_1p_shares(program)) {
        it->message = "agents cannot share a variable that a module defines: declare it, and define its address";
        return PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    }
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!program->executable.handle) {
        program->directives = *directives;
        status = make_executable(program, it->options);
    } else if (memcmp(&program->directives, directives, sizeof *directives) != 0) {
        status = (hsa_status_t)HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH;
    }
    for (size_t i = 0; i < it->count && status == HSA_STATUS_SUCCESS; i++)
        status = fulfil(program, it->agent, &it->requests[i]);
    const char *text = "";
    if (status != HSA_STATUS_SUCCESS && CALL(hsa_status_string)(status, &text) == HSA_STATUS_SUCCESS)
        it->message = text;
    return finalization_status_1p(status);
}

int program_1p_finalize(struct program_1p *program, struct finalization_1p *it)
{
    bool first = it->options && !program->executable.handle;
    int status = finalize(program, it);
    if (first && status != HSA_STATUS_SUCCESS) { /* the failure may be that of the options */
        it->options = NULL;
        status = finalize(program, it);
        status = status == HSA_STATUS_SUCCESS ? INFO_OPTIONS_1P : status;
    }
    return status;
}

PROVISIONAL_NAME(hsa_ext_finalize_program, uint64_t handle, hsa_agent_t agent, size_t count,
                 const struct request_1p *requests, const struct directives_1p *directives,
                 message_callback_1p callback, uint8_t optimization, const char *options, int debug_information)
{
    struct finalization_1p it = {agent, count, requests, directives, options && *options ? options : NULL, NULL, NULL};
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(count && requests && (unsigned)debug_information <= 1, INVALID_ARGUMENT);
    struct program_1p *program = program_1p_enter(handle);
    CHECK_1P(program, INVALID_ARGUMENT);
    bool known = program_1p_agent(program, agent) < program->agent_count;
    int status = known ? program_1p_finalize(program, &it) : PROVISIONAL_ERROR(INVALID_ARGUMENT);
    program_1p_leave(program);
    if (it.message) /* now the callback may ask about the program */
        message_1p(callback, 0, it.place, it.message);
    return status == HSA_STATUS_SUCCESS && optimization > MOST_OPTIMIZATION ? INFO_OPTIONS_1P : status;
}

/* Gives out the descriptors of what is of that kind. */
static int query_descriptors(uint64_t handle, const struct request_1p *what, enum symbol_kind_1p kind,
                             struct descriptor_1p **to)
{
    struct symbol_1p symbol;
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    struct program_1p *program = to ? program_1p_enter(handle) : NULL;
    CHECK_1P(program, INVALID_ARGUMENT);
    int status = PROVISIONAL_ERROR(INVALID_ARGUMENT);
    if (program_1p_requested(program, what, &symbol) && symbol.kind == kind) {
        *to = program_1p_descriptors(program, &symbol);
        status = *to ? HSA_STATUS_SUCCESS : PROVISIONAL_ERROR(OUT_OF_RESOURCES);
    }
    program_1p_leave(program);
    return status;
}

PROVISIONAL_NAME(hsa_ext_query_kernel_descriptor_address, uint64_t handle, uint64_t module, uint32_t symbol,
                 struct descriptor_1p **descriptors)
{
    return query_descriptors(handle, &(struct request_1p){module, symbol, 0}, SYMBOL_KERNEL_1P, descriptors);
}

PROVISIONAL_NAME(hsa_ext_query_indirect_function_descriptor_address, uint64_t handle, uint64_t module, uint32_t symbol,
                 struct descriptor_1p **descriptors)
{
    return query_descriptors(handle, &(struct request_1p){module, symbol, 0}, SYMBOL_INDIRECT_1P, descriptors);
}
