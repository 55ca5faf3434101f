/* SPDX-License-Identifier: MIT */
/* Memory, segments and addresses (PRM 2.8, 2.9); see model_parts.h. Input: addresses. Output: values, and which of
 * their bits are undefined. Invariant: nothing outside a mapped range is touched. */
#include "testsuite/hsail-model/model_parts.h"

#include <stdlib.h>
#include <string.h>

bool model_memory_new(struct model_memory *memory, uint64_t base, size_t size, uint8_t undefined)
{
    *memory = (struct model_memory){base, size, calloc(1, size + 16), calloc(1, size + 16)};
    if (memory->undefined && undefined)
        memset(memory->undefined, undefined, size + 16);
    return memory->bytes && memory->undefined;
}

void model_memory_free(struct model_memory *memory)
{
    free(memory->bytes);
    free(memory->undefined);
    *memory = (struct model_memory){0};
}

struct model_value model_read(const struct model_memory *memory, size_t offset, unsigned size)
{
    struct model_value value = {0, 0};
    memcpy(&value.bits, memory->bytes + offset, size);
    memcpy(&value.undefined, memory->undefined + offset, size);
    return value;
}

void model_write(struct model_memory *memory, size_t offset, unsigned size, struct model_value value)
{
    memcpy(memory->bytes + offset, &value.bits, size);
    memcpy(memory->undefined + offset, &value.undefined, size);
}

static struct model_memory *within(struct model_memory *memory, uint64_t address, unsigned size, size_t *offset)
{
    if (address < memory->base || address - memory->base > memory->size ||
        memory->size - (address - memory->base) < size)
        return NULL;
    *offset = (size_t)(address - memory->base);
    return memory;
}

static struct model_memory *locate_global(struct model *m, uint64_t address, unsigned size, size_t *offset)
{
    struct model_memory *found = within(&m->globals, address, size, offset);
    if (!found)
        found = within(&m->kernarg, address, size, offset);
    for (unsigned i = 0; !found && i < m->map_count; i++)
        found = within(&m->maps[i], address, size, offset);
    return found;
}

struct model_memory *model_locate(struct model *m, struct model_item *item, unsigned segment, uint64_t address,
                                  unsigned size, size_t *offset)
{
    struct model_memory *found = NULL;
    if (segment == HSA_BRIG_SEGMENT_FLAT) {
        segment = model_is_in_segment(HSA_BRIG_SEGMENT_GROUP, address) ? HSA_BRIG_SEGMENT_GROUP
                  : model_is_in_segment(HSA_BRIG_SEGMENT_PRIVATE, address)
                      ? HSA_BRIG_SEGMENT_PRIVATE
                      : HSA_BRIG_SEGMENT_GLOBAL;
        address = model_to_segment(segment, address);
    }
    switch (segment) {
    case HSA_BRIG_SEGMENT_GROUP: found = within(&m->group, address, size, offset); break;
    case HSA_BRIG_SEGMENT_PRIVATE:
    case HSA_BRIG_SEGMENT_SPILL:
    case HSA_BRIG_SEGMENT_ARG: found = within(&item->private_, address, size, offset); break;
    default: found = locate_global(m, address, size, offset);
    }
    if (!found)
        model_stop(m, MODEL_FAULT, "no memory at 0x%llx of segment %u", (unsigned long long)address, segment);
    return found;
}

bool model_is_in_segment(unsigned segment, uint64_t flat)
{
    bool group = flat >> 32 == MODEL_GROUP_APERTURE >> 32, private_ = flat >> 32 == MODEL_PRIVATE_APERTURE >> 32;
    switch (segment) {
    case HSA_BRIG_SEGMENT_GROUP: return group;
    case HSA_BRIG_SEGMENT_PRIVATE: return private_;
    default: return !group && !private_;
    }
}

uint64_t model_to_flat(unsigned segment, uint64_t address)
{
    address &= UINT32_MAX;
    if (address == MODEL_NULL_SEGMENT)
        return 0;
    return address | (segment == HSA_BRIG_SEGMENT_GROUP ? MODEL_GROUP_APERTURE : MODEL_PRIVATE_APERTURE);
}

uint64_t model_to_segment(unsigned segment, uint64_t flat)
{
    if (segment != HSA_BRIG_SEGMENT_GROUP && segment != HSA_BRIG_SEGMENT_PRIVATE)
        return flat;
    return flat ? flat & UINT32_MAX : MODEL_NULL_SEGMENT;
}

/* The address in its segment at which a variable begins. */
static uint64_t variable_address(struct model *m, struct model_item *item, uint32_t variable)
{
    const hsa_brig_directive_variable_t *v = (const void *)model_code(m, variable);
    uint32_t offset = m->places[variable / 4].offset;
    switch (v->segment) {
    case HSA_BRIG_SEGMENT_GLOBAL:
    case HSA_BRIG_SEGMENT_READONLY: return MODEL_GLOBALS + offset;
    case HSA_BRIG_SEGMENT_KERNARG: return MODEL_KERNARG + offset;
    case HSA_BRIG_SEGMENT_GROUP: return offset;
    default: return item ? model_top(item)->base + offset : offset;
    }
}

bool model_address(struct model *m, struct model_item *item, unsigned segment, uint32_t operand, uint64_t *address)
{
    const hsa_brig_operand_address_t *a = (const void *)model_operand(m, operand);
    bool wide = segment == HSA_BRIG_SEGMENT_FLAT || segment == HSA_BRIG_SEGMENT_GLOBAL ||
                segment == HSA_BRIG_SEGMENT_READONLY || segment == HSA_BRIG_SEGMENT_KERNARG;
    *address = a->offset.lo | (uint64_t)a->offset.hi << 32;
    if (!wide || !m->large)
        *address = (uint64_t)(int64_t)(int32_t)*address;
    if (a->symbol)
        *address += variable_address(m, item, a->symbol);
    if (a->reg) {
        struct model_value value = model_source(m, item, a->reg, 0);
        if (value.undefined & model_low(wide && m->large ? 64 : 32))
            return model_stop(m, MODEL_OPEN, "an address is undefined");
        *address += (uint64_t)value.bits;
    }
    if (!wide || !m->large)
        *address &= UINT32_MAX;
    return true;
}
