/* SPDX-License-Identifier: MIT */
/* Signatures of kernels from BRIG; see run_signature.h.
 * Input: a module that libhsail has validated, so that its offsets are good. Output: formal arguments with the offsets
 * of PRM 4.21 and the control directives of the kernel (PRM 13.5). Invariant: the module is only read. */
#include "tools/run_signature.h"

#include <stdio.h>

#include "hsail/brig.h"
#include "support/alloc.h"

struct module {
    const uint8_t *data, *code, *operand; /* the three standard sections */
    uint32_t code_first, code_end;
};

static const struct {
    uint16_t code;
    const char *text;
    enum run_formal_kind kind;
    uint32_t bytes;
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
    {code, text, (count) == 1 ? FORMAL_##class_ : RUN_FORMAL_BITS, (bits) / 8},
#include "brig/tables/type.def"
};

static bool open_module(const void *brig, size_t size, struct module *module)
{
    const uint8_t *start = brig;
    const hsa_brig_module_header_t *header = brig;
    if (size < sizeof *header || header->section_count < 3)
        return false;
    const uint64_t *index = (const void *)(start + header->section_index);
    const hsa_brig_section_header_t *code = (const void *)(start + index[HSA_BRIG_SECTION_INDEX_CODE]);
    module->data = start + index[HSA_BRIG_SECTION_INDEX_DATA];
    module->operand = start + index[HSA_BRIG_SECTION_INDEX_OPERAND];
    module->code = (const uint8_t *)code;
    module->code_first = code->header_byte_count;
    module->code_end = (uint32_t)code->byte_count;
    return true;
}

static struct bytes string_at(const struct module *module, uint32_t offset)
{
    const hsa_brig_data_t *data = (const void *)(module->data + offset);
    return (struct bytes){data->bytes, data->byte_count};
}

/* ---- formal arguments ---- */

static bool add_formal(const struct module *module, const hsa_brig_directive_variable_t *variable, uint64_t *offset,
                       struct run_signature *signature)
{
    struct run_formal formal = {.count = 1, .bytes = 1};
    uint16_t type = variable->type & (uint16_t)~HSA_BRIG_TYPE_CLASS_ARRAY_MASK;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == type) {
            formal.kind = types[i].kind;
            formal.bytes = types[i].bytes;
            snprintf(formal.type, sizeof formal.type, "%s", types[i].text);
        }
    uint64_t count = 1;
    if (variable->type & HSA_BRIG_TYPE_CLASS_ARRAY_MASK)
        memcpy(&count, &variable->dim, sizeof count);
    *offset = align_up(*offset, UINT64_C(1) << (variable->align ? variable->align - 1 : 0)); /* ALIGNMENT_1 is 1 */
    if (count > UINT32_MAX / formal.bytes || *offset > UINT32_MAX - count * formal.bytes)
        return false;
    formal.count = (uint32_t)count;
    formal.offset = (uint32_t)*offset;
    *offset += count * formal.bytes;
    struct bytes name = string_at(module, variable->name);
    formal.name = mem_zalloc(1, name.size + 1);
    if (!formal.name || !vec_push(&signature->formals, formal)) {
        mem_free(formal.name);
        return false;
    }
    memcpy(formal.name, name.data, name.size);
    return true;
}

static bool read_formals(const struct module *module, const hsa_brig_directive_executable_t *kernel,
                         struct run_signature *signature)
{
    uint32_t at = kernel->first_in_arg;
    uint64_t offset = 0;
    for (unsigned found = 0; found < kernel->in_arg_count && at < kernel->first_code_block_entry;) {
        const hsa_brig_base_t *entry = (const void *)(module->code + at);
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
            if (!add_formal(module, (const void *)entry, &offset, signature))
                return false;
            found++;
        }
        at += entry->byte_count;
    }
    return true;
}

/* ---- control directives ---- */

static uint64_t constant_at(const struct module *module, uint32_t operand)
{
    const hsa_brig_operand_constant_bytes_t *constant = (const void *)(module->operand + operand);
    uint64_t value = 0;
    if (constant->base.kind == HSA_BRIG_KIND_OPERAND_WAVESIZE)
        return 64;
    if (constant->base.kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
        return 0;
    struct bytes bytes = string_at(module, constant->bytes);
    memcpy(&value, bytes.data, bytes.size < sizeof value ? bytes.size : sizeof value);
    return value;
}

static void apply(const struct module *module, const hsa_brig_directive_control_t *control, struct run_limits *limits)
{
    struct bytes list = string_at(module, control->operands);
    uint64_t value[3] = {0};
    for (unsigned i = 0; i < 3 && 4 * i < list.size; i++)
        value[i] = constant_at(module, load32(list.data + (size_t)4 * i));
    switch (control->control) {
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM: limits->dimensions = (uint32_t)value[0]; break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE: memcpy(limits->grid, value, sizeof value); break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE:
        for (unsigned i = 0; i < 3; i++)
            limits->group[i] = (uint32_t)value[i];
        break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE: limits->flat_grid = value[0]; break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE: limits->flat_group = (uint32_t)value[0]; break;
    case HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE: limits->dynamic_group = value[0] + 1; break;
    case HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWORKGROUPS: limits->whole_groups = true; break;
    default: break; /* the other directives say nothing about the launch */
    }
}

static void read_limits(const struct module *module, const hsa_brig_directive_executable_t *kernel,
                        struct run_limits *limits)
{
    const hsa_brig_base_t *entry;
    for (uint32_t at = kernel->first_code_block_entry; at < kernel->next_module_entry; at += entry->byte_count) {
        entry = (const void *)(module->code + at);
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_CONTROL)
            apply(module, (const void *)entry, limits);
    }
}

struct run_module_kind run_module_kind(const void *brig, size_t size)
{
    struct module module;
    struct run_module_kind kind = {HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE};
    if (!open_module(brig, size, &module))
        return kind;
    const hsa_brig_base_t *entry;
    for (uint32_t at = module.code_first; at < module.code_end; at += entry->byte_count) {
        entry = (const void *)(module.code + at);
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_MODULE) {
            const hsa_brig_directive_module_t *directive = (const void *)entry;
            return (struct run_module_kind){directive->profile, directive->machine_model};
        }
    }
    return kind;
}

bool run_signature_of_module(const void *brig, size_t size, const char *name, struct run_signature *signature)
{
    struct module module;
    *signature = (struct run_signature){0};
    if (!open_module(brig, size, &module))
        return false;
    const hsa_brig_base_t *entry;
    for (uint32_t at = module.code_first; at < module.code_end; at += entry->byte_count) {
        entry = (const void *)(module.code + at);
        const hsa_brig_directive_executable_t *kernel = (const void *)entry;
        if (entry->kind != HSA_BRIG_KIND_DIRECTIVE_KERNEL ||
            !(kernel->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION) ||
            !bytes_are_text(string_at(&module, kernel->name), name))
            continue;
        signature->known = read_formals(&module, kernel, signature);
        if (!signature->known)
            run_signature_free(signature);
        else
            read_limits(&module, kernel, &signature->limits);
        return signature->known;
    }
    return false;
}
