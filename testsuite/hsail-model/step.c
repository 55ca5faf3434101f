/* SPDX-License-Identifier: MIT */
/* Executes one instruction; see model_parts.h. Input: a work-item at it. Output: changed registers and memory, and a
 * new place. Invariant: an opcode that no file knows ends the run with a reason, never with a wrong result. */
#include "testsuite/hsail-model/model_parts.h"

#include <stdarg.h>
#include <stdio.h>

bool model_stop(struct model *m, enum model_status status, const char *format, ...)
{
    va_list args;
    if (m->status != MODEL_DONE)
        return false;
    va_start(args, format);
    vsnprintf(m->reason, sizeof m->reason, format, args);
    va_end(args);
    m->status = status;
    return false;
}

static enum model_round float_round(const struct model *m, unsigned round)
{
    switch (round) {
    case HSA_BRIG_ROUND_FLOAT_NEAR_EVEN: return MODEL_NEAR;
    case HSA_BRIG_ROUND_FLOAT_ZERO: return MODEL_ZERO;
    case HSA_BRIG_ROUND_FLOAT_PLUS_INFINITY: return MODEL_UP;
    case HSA_BRIG_ROUND_FLOAT_MINUS_INFINITY: return MODEL_DOWN;
    default: return m->round;
    }
}

static void read_op(const struct model *m, const hsa_brig_inst_base_t *inst, struct model_op *op)
{
    *op =
        (struct model_op){.opcode = inst->opcode, .type = inst->type, .round = m->round, .any_payload = m->any_payload};
    switch (inst->base.kind) {
    case HSA_BRIG_KIND_INST_MOD: {
        const hsa_brig_inst_mod_t *i = (const void *)inst;
        op->ftz = i->modifier & HSA_BRIG_ALU_MODIFIER_FTZ;
        op->saturate = i->modifier & HSA_BRIG_ALU_MODIFIER_INTEGER_SAT;
        op->round = float_round(m, i->round);
        op->pack = i->pack;
        break;
    }
    case HSA_BRIG_KIND_INST_CMP: {
        const hsa_brig_inst_cmp_t *i = (const void *)inst;
        op->source_type = i->source_type;
        op->ftz = i->modifier & HSA_BRIG_ALU_MODIFIER_FTZ;
        op->compare = i->compare;
        op->pack = i->pack;
        break;
    }
    case HSA_BRIG_KIND_INST_CVT: {
        const hsa_brig_inst_cvt_t *i = (const void *)inst;
        op->source_type = i->source_type;
        op->ftz = i->modifier & HSA_BRIG_ALU_MODIFIER_FTZ;
        op->saturate = i->modifier & HSA_BRIG_ALU_MODIFIER_INTEGER_SAT;
        op->round = float_round(m, i->round);
        op->integer_round = i->round;
        break;
    }
    case HSA_BRIG_KIND_INST_SOURCE_TYPE:
        op->source_type = ((const hsa_brig_inst_source_type_t *)inst)->source_type;
        break;
    default: break;
    }
}

/* combine and expand, which have a vector on one side and a wide register on the other (5.8). */
static bool step_vector(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst,
                        const struct model_op *op)
{
    bool combine = inst->opcode == HSA_BRIG_OPCODE_COMBINE;
    uint32_t destination = model_inst_operand(m, inst, 0), source = model_inst_operand(m, inst, 1);
    unsigned bits = model_type_bits(combine ? op->source_type : op->type);
    struct model_type part = {.bits = bits, .count = 1};
    struct model_value whole = combine ? model_defined(0) : model_source(m, item, source, 0);
    unsigned count = model_vector_length(m, combine ? source : destination);
    for (unsigned i = 0; i < count; i++) {
        if (combine)
            whole = model_with_element(whole, part, i, model_source(m, item, source, i));
        else
            model_destination(m, item, destination, i, op->type, model_element(whole, part, i));
    }
    if (combine)
        model_destination(m, item, destination, 0, op->type, whole);
    return true;
}

static bool step_alu(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst)
{
    struct model_op op;
    struct model_value source[MODEL_SOURCES] = {{0, 0}}, result;
    read_op(m, inst, &op);
    if (inst->opcode == HSA_BRIG_OPCODE_COMBINE || inst->opcode == HSA_BRIG_OPCODE_EXPAND)
        return step_vector(m, item, inst, &op);
    unsigned count = model_list_length(m, inst->operands);
    if (!count || count > MODEL_SOURCES + 1)
        return false;
    uint32_t destination = model_inst_operand(m, inst, 0);
    for (unsigned i = 1; i < count; i++)
        source[i - 1] = model_source(m, item, model_inst_operand(m, inst, i), 0);
    struct model_value old = model_source(m, item, destination, 0);
    if (!model_alu(&op, source, old, &result))
        return false;
    model_destination(m, item, destination, 0, op.type, result);
    return true;
}

bool model_step(struct model *m, struct model_item *item)
{
    const hsa_brig_inst_base_t *inst = (const void *)model_code(m, item->pc);
    const hsa_brig_directive_executable_t *e = (const void *)model_code(m, model_top(item)->executable);
    if (++m->steps > MODEL_STEPS)
        return model_stop(m, MODEL_ENDLESS, "more than %u instructions", (unsigned)MODEL_STEPS);
    if (item->pc >= e->next_module_entry) {
        static const hsa_brig_inst_basic_t leave = {.base = {.opcode = HSA_BRIG_OPCODE_RET}};
        return model_step_control(m, item, &leave.base);
    }
    if (inst->base.kind < HSA_BRIG_KIND_INST_BEGIN || inst->base.kind >= HSA_BRIG_KIND_INST_END) {
        item->pc += inst->base.byte_count;
        return true;
    }
    if (inst->opcode < MODEL_OPCODES)
        m->counts[inst->opcode]++;
    if (model_step_control(m, item, inst))
        return m->status == MODEL_DONE;
    if (m->status == MODEL_DONE &&
        (step_alu(m, item, inst) || model_step_memory(m, item, inst) || model_step_special(m, item, inst))) {
        item->pc += inst->base.byte_count;
        return m->status == MODEL_DONE;
    }
    return model_stop(m, MODEL_UNSUPPORTED, "opcode %u", inst->opcode);
}
