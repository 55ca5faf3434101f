/* SPDX-License-Identifier: MIT */
/* Signatures of kernels from modules; see run_signature.h.
 * Input: a module that libhsail has validated. Output: formal arguments with the offsets of PRM 4.21 and the control
 * directives of the kernel (PRM 13.5). Invariant: where directives differ, the tightest one holds, as in the finalizer.
 */
#include "tools/run_signature.h"

#include <stdio.h>

#include "hsail/reader.h"
#include "support/alloc.h"

enum { WAVESIZE = 64 };

static const struct {
    const char *text;
    uint16_t code;
    enum run_formal_kind kind;
} types[] = {
#define FORMAL_NONE     RUN_FORMAL_BITS
#define FORMAL_UNSIGNED RUN_FORMAL_INTEGER
#define FORMAL_SIGNED   RUN_FORMAL_INTEGER
#define FORMAL_FLOAT    RUN_FORMAL_FLOAT
#define FORMAL_BIT      RUN_FORMAL_BITS
#define FORMAL_SAMPLER  RUN_FORMAL_HANDLE
#define FORMAL_IMAGE    RUN_FORMAL_HANDLE
#define FORMAL_SIGNAL   RUN_FORMAL_HANDLE
#define TYPE(name, code, text, class_, element, count, bits) \
    {text, code, (count) == 1 ? FORMAL_##class_ : RUN_FORMAL_BITS},
#include "brig/tables/type.def"
};

bool run_signature_hsail_type(struct bytes name, struct run_formal *formal)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (bytes_are_text(name, types[i].text) && hsail_type_size(types[i].code)) {
            formal->kind = types[i].kind;
            formal->bytes = hsail_type_size(types[i].code);
            snprintf(formal->type, sizeof formal->type, "%s", types[i].text);
            return true;
        }
    return false;
}

/* ---- formal arguments ---- */

static bool add_formal(const hsail_entry_t *entry, uint64_t *offset, struct run_signature *signature)
{
    const hsail_variable_entry_t *variable = &entry->u.variable;
    struct run_formal formal = {.bytes = hsail_type_size(variable->type)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == variable->type)
            formal.kind = types[i].kind;
    snprintf(formal.type, sizeof formal.type, "%s", hsail_type_text(variable->type));
    uint64_t count = variable->is_array ? variable->dimension : 1;
    *offset = align_up(*offset, variable->align ? variable->align : formal.bytes);
    if (!formal.bytes || count > UINT32_MAX / formal.bytes || *offset > UINT32_MAX - count * formal.bytes)
        return false;
    formal.count = (uint32_t)count;
    formal.offset = (uint32_t)*offset;
    *offset += count * formal.bytes;
    formal.name = mem_zalloc(1, entry->name.size + 1);
    if (!formal.name || !vec_push(&signature->formals, formal)) {
        mem_free(formal.name);
        return false;
    }
    memcpy(formal.name, entry->name.data, entry->name.size);
    return true;
}

static bool read_formals(const hsail_reader_t *reader, hsail_code_t kernel, struct run_signature *signature)
{
    hsail_walk_t walk = hsail_walk_inputs(reader, kernel);
    hsail_entry_t entry;
    for (uint64_t offset = 0; hsail_walk_next(&walk, &entry);)
        if (!add_formal(&entry, &offset, signature))
            return false;
    return true;
}

/* ---- control directives ---- */

static uint64_t value_of(const hsail_reader_t *reader, hsail_code_t directive, uint32_t index)
{
    hsail_operand_info_t operand;
    uint64_t value = 0;
    if (hsail_reader_operand(reader, directive, index, &operand) != HSAIL_STATUS_OK)
        return 0;
    if (operand.kind == HSA_BRIG_KIND_OPERAND_WAVESIZE)
        return WAVESIZE;
    memcpy(&value, operand.bytes.data, operand.bytes.size < sizeof value ? operand.bytes.size : sizeof value);
    return value;
}

/* The tighter of two limits, of which 0 is none. */
static uint64_t tighter(uint64_t before, uint64_t value)
{
    return before && before < value ? before : value;
}

static void apply_control(const hsail_reader_t *reader, const hsail_entry_t *directive, struct run_limits *limits)
{
    uint64_t value[3] = {0};
    for (uint32_t i = 0; i < directive->operand_count && i < 3; i++)
        value[i] = value_of(reader, directive->code, i);
    switch (directive->u.control.control) {
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM:
        limits->dimensions = (uint32_t)tighter(limits->dimensions, value[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE:
        for (unsigned i = 0; i < 3; i++)
            limits->grid[i] = tighter(limits->grid[i], value[i]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE:
        for (unsigned i = 0; i < 3; i++)
            limits->group[i] = (uint32_t)tighter(limits->group[i], value[i]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE: limits->flat_grid = tighter(limits->flat_grid, value[0]); break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE:
        limits->flat_group = (uint32_t)tighter(limits->flat_group, value[0]);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE:
        limits->dynamic_group = tighter(limits->dynamic_group, value[0] + 1);
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWORKGROUPS: limits->whole_groups = true; break;
    default: break; /* the other directives say nothing about the launch */
    }
}

static void read_limits(const hsail_reader_t *reader, hsail_code_t kernel, struct run_limits *limits)
{
    hsail_walk_t walk = hsail_walk_body(reader, kernel);
    hsail_entry_t entry;
    while (hsail_walk_next(&walk, &entry))
        if (entry.kind == HSA_BRIG_KIND_DIRECTIVE_CONTROL)
            apply_control(reader, &entry, limits);
}

/* ---- modules ---- */

static hsail_reader_t *open_reader(const hsail_module_t *module)
{
    hsail_context_t *context;
    hsail_reader_t *reader = NULL;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return NULL;
    if (hsail_reader_open_module(context, module, &reader) != HSAIL_STATUS_OK)
        reader = NULL;
    hsail_context_destroy(context);
    return reader;
}

struct run_module_kind run_module_kind(const hsail_module_t *module)
{
    struct run_module_kind kind = {HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE};
    hsail_reader_t *reader = open_reader(module);
    hsail_walk_t walk = hsail_walk_module(reader);
    hsail_entry_t entry;
    while (hsail_walk_next(&walk, &entry))
        if (entry.kind == HSA_BRIG_KIND_DIRECTIVE_MODULE)
            kind = (struct run_module_kind){(uint8_t)entry.u.module.profile, (uint8_t)entry.u.module.machine_model};
    hsail_reader_destroy(reader);
    return kind;
}

bool run_signature_of_module(const hsail_module_t *module, const char *name, struct run_signature *signature)
{
    hsail_entry_t kernel;
    hsail_reader_t *reader = open_reader(module);
    hsail_code_t code = hsail_reader_find(reader, 0, name);
    *signature = (struct run_signature){0};
    if (hsail_reader_entry(reader, code, &kernel) == HSAIL_STATUS_OK && kernel.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL &&
        kernel.is_definition) {
        signature->position = code;
        signature->known = read_formals(reader, code, signature);
        if (signature->known)
            read_limits(reader, code, &signature->limits);
        else
            run_signature_free(signature);
    }
    hsail_reader_destroy(reader);
    return signature->known;
}
