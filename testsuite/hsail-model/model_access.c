/* SPDX-License-Identifier: MIT */
/* Instructions that use addresses (PRM 5.8 lda, 5.16, 5.17, chapter 6); see model_parts.h. Input: a work-item at such
 * an instruction. Output: memory and registers. Invariant: an element of memory is as wide as its type, except for
 * packed types and b1. */
#include "testsuite/hsail-model/model_parts.h"

static bool step_load(struct model *m, struct model_item *item, const hsa_brig_inst_mem_t *inst)
{
    bool stores = inst->base.opcode == HSA_BRIG_OPCODE_ST;
    uint32_t data = model_inst_operand(m, &inst->base, 0), at = model_inst_operand(m, &inst->base, 1);
    unsigned size = (model_type_bits(inst->base.type) + 7) / 8, count = model_vector_length(m, data);
    struct model_value values[4];
    uint64_t address;
    size_t offset;
    if (!model_address(m, item, inst->segment, at, &address))
        return true;
    struct model_memory *memory = model_locate(m, item, inst->segment, address, size * count, &offset);
    if (!memory)
        return true;
    for (unsigned i = 0; i < count && i < 4; i++) {
        if (stores)
            model_write(memory, offset + i * size, size, model_source(m, item, data, i));
        else
            values[i] = model_read(memory, offset + i * size, size);
    }
    for (unsigned i = 0; !stores && i < count && i < 4; i++)
        model_destination(m, item, data, i, inst->base.type, values[i]);
    return true;
}

/* What an atomic operation leaves in memory (6.6). */
static model_u128 changed(unsigned operation, struct model_type type, model_u128 old, model_u128 a, model_u128 b)
{
    model_u128 mask = model_low(type.bits);
    model_s128 x = type.is_signed ? model_signed(old, type.bits) : (model_s128)old;
    model_s128 y = type.is_signed ? model_signed(a, type.bits) : (model_s128)(a & mask);
    a &= mask;
    switch (operation) {
    case HSA_BRIG_ATOMIC_OPERATION_ADD: return old + a;
    case HSA_BRIG_ATOMIC_OPERATION_SUB: return old - a;
    case HSA_BRIG_ATOMIC_OPERATION_AND: return old & a;
    case HSA_BRIG_ATOMIC_OPERATION_OR: return old | a;
    case HSA_BRIG_ATOMIC_OPERATION_XOR: return old ^ a;
    case HSA_BRIG_ATOMIC_OPERATION_EXCH:
    case HSA_BRIG_ATOMIC_OPERATION_ST: return a;
    case HSA_BRIG_ATOMIC_OPERATION_CAS: return old == a ? b : old;
    case HSA_BRIG_ATOMIC_OPERATION_MAX: return x > y ? old : a;
    case HSA_BRIG_ATOMIC_OPERATION_MIN: return x < y ? old : a;
    case HSA_BRIG_ATOMIC_OPERATION_WRAPINC: return old >= a ? 0 : old + 1;
    case HSA_BRIG_ATOMIC_OPERATION_WRAPDEC: return !old || old > a ? a : old - 1;
    default: return old; /* ld */
    }
}

static bool step_atomic(struct model *m, struct model_item *item, const hsa_brig_inst_atomic_t *inst)
{
    bool returns = inst->base.opcode == HSA_BRIG_OPCODE_ATOMIC;
    struct model_type type = model_type(inst->base.type);
    struct model_value source[2] = {{0, 0}};
    uint64_t address;
    size_t offset;
    unsigned count = model_list_length(m, inst->base.operands) - 1 - returns, size = type.bits / 8;
    if (!model_address(m, item, inst->segment, model_inst_operand(m, &inst->base, returns), &address))
        return true;
    if (address % size)
        return model_stop(m, MODEL_FAULT, "an atomic is not aligned"), true;
    struct model_memory *memory = model_locate(m, item, inst->segment, address, size, &offset);
    if (!memory)
        return true;
    for (unsigned i = 0; i < count && i < 2; i++)
        source[i] = model_source(m, item, model_inst_operand(m, &inst->base, 1 + returns + i), 0);
    struct model_value old = model_read(memory, offset, size), new = model_unknown(type.bits);
    bool overwrites = inst->atomic_operation == HSA_BRIG_ATOMIC_OPERATION_ST ||
                      inst->atomic_operation == HSA_BRIG_ATOMIC_OPERATION_EXCH;
    if (overwrites || inst->atomic_operation == HSA_BRIG_ATOMIC_OPERATION_LD)
        new = overwrites ? source[0] : old;
    else if (!old.undefined && !model_any_unknown(source, count, type.bits))
        new = model_defined(changed(inst->atomic_operation, type, old.bits, source[0].bits, source[1].bits));
    model_write(memory, offset, size, new);
    if (returns)
        model_destination(m, item, model_inst_operand(m, &inst->base, 0), 0, inst->base.type, old);
    return true;
}

static bool step_segment(struct model *m, struct model_item *item, const hsa_brig_inst_seg_cvt_t *inst)
{
    struct model_value value = model_source(m, item, model_inst_operand(m, &inst->base, 1), 0);
    unsigned bits = model_type_bits(inst->source_type);
    uint64_t address = (uint64_t)(value.bits & model_low(bits)), result;
    bool nonull = inst->modifier & HSA_BRIG_SEG_CVT_MODIFIER_NONULL;
    bool null = inst->base.opcode == HSA_BRIG_OPCODE_STOF ? address == MODEL_NULL_SEGMENT : !address;
    if (inst->base.opcode == HSA_BRIG_OPCODE_SEGMENTP)
        result = null || model_is_in_segment(inst->segment, address);
    else if (inst->base.opcode == HSA_BRIG_OPCODE_FTOS)
        result = model_to_segment(inst->segment, address);
    else
        result = model_to_flat(inst->segment, address);
    bool open = value.undefined || (nonull && null);
    if (inst->base.opcode == HSA_BRIG_OPCODE_FTOS && !null)
        open |= !model_is_in_segment(inst->segment, address);
    model_destination(m, item, model_inst_operand(m, &inst->base, 0), 0, inst->base.type,
                      open ? model_unknown(model_type_bits(inst->base.type)) : model_defined(result));
    return true;
}

bool model_step_memory(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst)
{
    uint64_t address;
    switch (inst->opcode) {
    case HSA_BRIG_OPCODE_LD:
    case HSA_BRIG_OPCODE_ST: return step_load(m, item, (const void *)inst);
    case HSA_BRIG_OPCODE_ATOMIC:
    case HSA_BRIG_OPCODE_ATOMICNORET: return step_atomic(m, item, (const void *)inst);
    case HSA_BRIG_OPCODE_SEGMENTP:
    case HSA_BRIG_OPCODE_FTOS:
    case HSA_BRIG_OPCODE_STOF: return step_segment(m, item, (const void *)inst);
    case HSA_BRIG_OPCODE_MEMFENCE:
    case HSA_BRIG_OPCODE_IMAGEFENCE: return true; /* memory is always coherent here */
    case HSA_BRIG_OPCODE_LDA:
        if (model_address(m, item, ((const hsa_brig_inst_addr_t *)inst)->segment, model_inst_operand(m, inst, 1),
                          &address))
            model_destination(m, item, model_inst_operand(m, inst, 0), 0, inst->type, model_defined(address));
        return true;
    default: return false;
    }
}
