/* SPDX-License-Identifier: MIT */
/* The bytes of a module, and where its variables are; see model_parts.h. Input: BRIG that has been validated. Output:
 * places. Invariant: kernel arguments are laid out as 4.21 says; other variables anywhere. */
#include "testsuite/hsail-model/model_parts.h"

#include <stdlib.h>
#include <string.h>

const uint8_t *model_data(const struct model *m, uint32_t offset, uint32_t *count)
{
    memcpy(count, m->data + offset, sizeof *count);
    return m->data + offset + sizeof *count;
}

uint32_t model_listed(const struct model *m, uint32_t offset, unsigned index)
{
    uint32_t count, value = 0;
    const uint8_t *bytes = offset ? model_data(m, offset, &count) : NULL;
    if (bytes && index < count / 4)
        memcpy(&value, bytes + (size_t)4 * index, 4);
    return value;
}

unsigned model_list_length(const struct model *m, uint32_t offset)
{
    uint32_t count = 0;
    if (offset)
        model_data(m, offset, &count);
    return count / 4;
}

uint32_t model_inst_operand(const struct model *m, const hsa_brig_inst_base_t *inst, unsigned index)
{
    return model_listed(m, inst->operands, index);
}

static bool is_executable(const hsa_brig_base_t *entry)
{
    return entry->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL || entry->kind == HSA_BRIG_KIND_DIRECTIVE_FUNCTION ||
           entry->kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION || entry->kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
}

static uint32_t first_entry(const struct model *m)
{
    return ((const hsa_brig_section_header_t *)m->code)->header_byte_count;
}

uint32_t model_find_kernel(const struct model *m, const char *name)
{
    for (uint32_t at = first_entry(m); at < m->code_end; at += model_code(m, at)->byte_count) {
        const hsa_brig_directive_executable_t *e = (const void *)model_code(m, at);
        uint32_t length;
        if (e->base.kind != HSA_BRIG_KIND_DIRECTIVE_KERNEL || !(e->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION))
            continue;
        const uint8_t *bytes = model_data(m, e->name, &length);
        if (length == strlen(name) && !memcmp(bytes, name, length))
            return at;
    }
    return 0;
}

uint32_t model_formal(const struct model *m, uint32_t executable, bool output, unsigned index)
{
    const hsa_brig_directive_executable_t *e = (const void *)model_code(m, executable);
    uint32_t at = output ? executable + e->base.byte_count : e->first_in_arg;
    uint32_t end = e->first_code_block_entry;
    for (; at < end; at += model_code(m, at)->byte_count)
        if (model_code(m, at)->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE && !index--)
            return at;
    return 0;
}

static uint32_t round_up(uint32_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

/* The sizes of all segments up to a place in the code. */
struct layout {
    uint32_t executable, end, frame, kernarg;
};

static void place_variable(struct model *m, struct layout *layout, uint32_t at)
{
    const hsa_brig_directive_variable_t *v = (const void *)model_code(m, at);
    uint64_t dim = v->dim.lo | (uint64_t)v->dim.hi << 32;
    unsigned bytes = (model_type_bits(v->type & ~(unsigned)HSA_BRIG_TYPE_CLASS_ARRAY) + 7) / 8;
    uint32_t align = v->align > 1 ? 1u << (v->align - 1) : 1, *end;
    struct model_place *place = &m->places[at / 4];
    place->size = (uint32_t)(bytes * (v->type & HSA_BRIG_TYPE_CLASS_ARRAY ? dim : 1));
    switch (v->segment) {
    case HSA_BRIG_SEGMENT_GLOBAL:
    case HSA_BRIG_SEGMENT_READONLY: end = &m->globals_size; break;
    case HSA_BRIG_SEGMENT_GROUP: end = &m->group_size; break;
    case HSA_BRIG_SEGMENT_KERNARG: end = &layout->kernarg; break;
    default: end = &layout->frame;
    }
    place->placed = true;
    place->offset = round_up(*end, align);
    *end = place->offset + place->size;
}

/* The handle of an fbarrier is its number. */
static void place_fbarrier(struct model *m, uint32_t at, uint32_t *count)
{
    m->places[at / 4] = (struct model_place){true, (*count)++, 4};
}

bool model_layout(struct model *m, const void *brig)
{
    const hsa_brig_module_header_t *header = brig;
    const uint64_t *index = (const void *)((const uint8_t *)brig + header->section_index);
    struct layout layout = {0};
    uint32_t fbarriers = 0;
    m->brig = brig;
    m->data = m->brig + index[HSA_BRIG_SECTION_INDEX_DATA];
    m->code = m->brig + index[HSA_BRIG_SECTION_INDEX_CODE];
    m->operands = m->brig + index[HSA_BRIG_SECTION_INDEX_OPERAND];
    m->code_end = (uint32_t)((const hsa_brig_section_header_t *)m->code)->byte_count;
    m->places = calloc(m->code_end / 4 + 1, sizeof *m->places);
    m->frame_sizes = calloc(m->code_end / 4 + 1, sizeof *m->frame_sizes);
    if (!m->places || !m->frame_sizes)
        return false;
    for (uint32_t at = first_entry(m); at < m->code_end; at += model_code(m, at)->byte_count) {
        const hsa_brig_base_t *entry = model_code(m, at);
        if (at >= layout.end)
            layout = (struct layout){0, UINT32_MAX, 0, 0};
        if (is_executable(entry)) {
            layout.executable = at;
            layout.end = ((const hsa_brig_directive_executable_t *)entry)->next_module_entry;
            layout.frame = layout.kernarg = 0;
        } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
            place_variable(m, &layout, at);
        } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER) {
            place_fbarrier(m, at, &fbarriers);
        } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_MODULE) {
            const hsa_brig_directive_module_t *module = (const void *)entry;
            m->large = module->machine_model == HSA_BRIG_MACHINE_MODEL_LARGE;
            m->round = module->default_float_round == HSA_BRIG_ROUND_FLOAT_ZERO ? MODEL_ZERO : MODEL_NEAR;
        }
        m->frame_sizes[layout.executable / 4] = layout.frame;
    }
    return m->group_size <= MODEL_GROUP && fbarriers <= MODEL_FBARRIERS;
}

/* Copies an initializer to memory; returns the bytes written. */
static uint32_t write_initial(struct model *m, uint32_t operand, uint32_t offset)
{
    const hsa_brig_base_t *entry = model_operand(m, operand);
    uint32_t count, written = 0;
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: {
        const uint8_t *bytes = model_data(m, ((const hsa_brig_operand_constant_bytes_t *)entry)->bytes, &count);
        memcpy(m->globals.bytes + offset, bytes, count);
        return count;
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: {
        uint32_t list = ((const hsa_brig_operand_constant_operand_list_t *)entry)->elements;
        for (unsigned i = 0; i < model_list_length(m, list); i++) {
            const hsa_brig_operand_align_t *align = (const void *)model_operand(m, model_listed(m, list, i));
            if (align->base.kind == HSA_BRIG_KIND_OPERAND_ALIGN)
                written = round_up(offset + written, 1u << (align->align - 1)) - offset;
            else
                written += write_initial(m, model_listed(m, list, i), offset + written);
        }
        return written;
    }
    case HSA_BRIG_KIND_OPERAND_ZERO: return ((const hsa_brig_operand_zero_t *)entry)->zero_byte_count.lo;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: {
        unsigned size = model_type_bits(((const hsa_brig_operand_constant_expression_t *)entry)->type) / 8;
        model_write(&m->globals, offset, size, model_expression(m, NULL, operand));
        return size;
    }
    default: return 0;
    }
}

bool model_initialize(struct model *m)
{
    if (!model_memory_new(&m->globals, MODEL_GLOBALS, m->globals_size, 0xff))
        return false;
    for (uint32_t at = first_entry(m); at < m->code_end; at += model_code(m, at)->byte_count) {
        const hsa_brig_directive_variable_t *v = (const void *)model_code(m, at);
        const struct model_place *place = &m->places[at / 4];
        if (v->base.kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE || !v->init ||
            (v->segment != HSA_BRIG_SEGMENT_GLOBAL && v->segment != HSA_BRIG_SEGMENT_READONLY))
            continue;
        memset(m->globals.undefined + place->offset, 0, place->size);
        write_initial(m, v->init, place->offset);
    }
    return true;
}
