/* SPDX-License-Identifier: MIT */
/* Operands (PRM 4.16, 18.3); see model_parts.h. Input: entries of hsa_operand. Output: values and changed registers.
 * Invariant: a source is as wide as its register or constant; instructions use as many bits as their types have. */
#include "testsuite/hsail-model/model_parts.h"

#include <string.h>

static uint32_t element_of(const struct model *m, uint32_t operand, unsigned index)
{
    const hsa_brig_operand_operand_list_t *list = (const void *)model_operand(m, operand);
    return list->base.kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST ? model_listed(m, list->elements, index) : operand;
}

unsigned model_vector_length(const struct model *m, uint32_t operand)
{
    const hsa_brig_operand_operand_list_t *list = (const void *)model_operand(m, operand);
    return list->base.kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST ? model_list_length(m, list->elements) : 1;
}

struct model_value model_expression(struct model *m, struct model_item *item, uint32_t operand)
{
    const hsa_brig_operand_constant_expression_t *e = (const void *)model_operand(m, operand);
    struct model_value value = model_defined(0);
    if (e->expression_operation == HSA_BRIG_EXPRESSION_OPERATION_ADDR) {
        uint32_t ref = ((const hsa_brig_operand_code_ref_t *)model_operand(m, model_listed(m, e->operands, 0)))->ref;
        value.bits = model_code(m, ref)->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE
                         ? MODEL_GLOBALS + m->places[ref / 4].offset
                         : ref;
        if (model_list_length(m, e->operands) > 1)
            value.bits += model_source(m, item, model_listed(m, e->operands, 1), 0).bits;
    } else if (e->expression_operation == HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_GROUP ||
               e->expression_operation == HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_PRIVATE) {
        value.bits = MODEL_NULL_SEGMENT;
    }
    return value;
}

static struct model_value constant(const struct model *m, const hsa_brig_operand_constant_bytes_t *entry)
{
    struct model_value value = {0, 0};
    uint32_t count;
    const uint8_t *bytes = model_data(m, entry->bytes, &count);
    memcpy(&value.bits, bytes, count < 16 ? count : 16);
    return value;
}

struct model_value model_source(struct model *m, struct model_item *item, uint32_t operand, unsigned index)
{
    const hsa_brig_base_t *entry = model_operand(m, element_of(m, operand, index));
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: {
        const hsa_brig_operand_register_t *r = (const void *)entry;
        return model_top(item)->registers[r->reg_kind][r->reg_num % MODEL_REGISTERS];
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: return constant(m, (const void *)entry);
    case HSA_BRIG_KIND_OPERAND_WAVESIZE: return model_defined(MODEL_LANES);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: return model_expression(m, item, element_of(m, operand, index));
    case HSA_BRIG_KIND_OPERAND_CODE_REF: /* an fbarrier */
        return model_defined(m->places[((const hsa_brig_operand_code_ref_t *)entry)->ref / 4].offset);
    default: return model_unknown(128);
    }
}

void model_destination(struct model *m, struct model_item *item, uint32_t operand, unsigned index, unsigned type,
                       struct model_value value)
{
    const hsa_brig_operand_register_t *r = (const void *)model_operand(m, element_of(m, operand, index));
    if (r->base.kind == HSA_BRIG_KIND_OPERAND_REGISTER)
        model_top(item)->registers[r->reg_kind][r->reg_num % MODEL_REGISTERS] = model_in_register(type, value);
}
