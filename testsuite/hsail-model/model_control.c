/* SPDX-License-Identifier: MIT */
/* Branches and calls (PRM chapters 8 and 10); see model_parts.h. Input: a work-item at one. Output: its new place.
 * Invariant: an argument is copied byte by byte, together with which of its bits are undefined. */
#include "testsuite/hsail-model/model_parts.h"

#include <stdlib.h>
#include <string.h>

static uint32_t referred(const struct model *m, uint32_t operand)
{
    return ((const hsa_brig_operand_code_ref_t *)model_operand(m, operand))->ref;
}

bool model_enter(struct model *m, struct model_item *item, uint32_t executable, uint32_t call)
{
    const hsa_brig_directive_executable_t *e = (const void *)model_code(m, executable);
    uint32_t base = item->depth ? (model_top(item)->top + 15) & ~15u : 0, size = m->frame_sizes[executable / 4];
    struct model_frame *frame = malloc(sizeof *frame);
    if (!frame || item->depth == MODEL_DEPTH || base + size > MODEL_PRIVATE) {
        free(frame);
        return model_stop(m, MODEL_UNSUPPORTED, "too many activations");
    }
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned i = 0; i < MODEL_REGISTERS; i++)
            frame->registers[kind][i] = model_unknown(128);
    frame->executable = executable;
    frame->call = call;
    frame->base = base;
    frame->top = base + size;
    memset(item->private_.undefined + base, 0xff, size);
    item->frames[item->depth++] = frame;
    item->pc = e->first_code_block_entry;
    return true;
}

/* Copies between the actual arguments of the caller and the formal ones of the callee. */
static void copy_arguments(struct model *m, struct model_item *item, const struct model_frame *caller,
                           const struct model_frame *callee, const hsa_brig_inst_base_t *call, bool output)
{
    uint32_t operand = model_inst_operand(m, call, output ? 0 : 2);
    const hsa_brig_operand_code_list_t *list = (const void *)model_operand(m, operand);
    for (unsigned i = 0; i < model_list_length(m, list->elements); i++) {
        uint32_t formal = model_formal(m, callee->executable, output, i);
        const struct model_place *actual = &m->places[model_listed(m, list->elements, i) / 4];
        if (!formal)
            return;
        uint32_t outside = caller->base + actual->offset, inside = callee->base + m->places[formal / 4].offset;
        uint32_t size = m->places[formal / 4].size;
        if (size > actual->size || !size)
            size = actual->size;
        uint32_t to = output ? outside : inside, from = output ? inside : outside;
        memmove(item->private_.bytes + to, item->private_.bytes + from, size);
        memmove(item->private_.undefined + to, item->private_.undefined + from, size);
    }
}

static bool call(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst, uint32_t target)
{
    const hsa_brig_directive_executable_t *e = (const void *)model_code(m, target);
    if (!(e->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION))
        return model_stop(m, MODEL_UNSUPPORTED, "a function without a body"), true;
    const struct model_frame *caller = model_top(item);
    if (model_enter(m, item, target, item->pc))
        copy_arguments(m, item, caller, model_top(item), inst, false);
    return true;
}

static bool leave(struct model *m, struct model_item *item)
{
    struct model_frame *callee = model_top(item);
    item->depth--;
    if (!item->depth) {
        item->state = MODEL_ENDED;
    } else {
        const hsa_brig_inst_base_t *inst = (const void *)model_code(m, callee->call);
        copy_arguments(m, item, model_top(item), callee, inst, true);
        item->pc = callee->call + inst->base.byte_count;
    }
    free(callee);
    return true;
}

/* Gets the value that decides about a branch or call; false, with a status, if it is undefined. */
static bool decide(struct model *m, struct model_item *item, uint32_t operand, unsigned bits, uint64_t *value)
{
    struct model_value v = model_source(m, item, operand, 0);
    if (v.undefined & model_low(bits))
        return model_stop(m, MODEL_OPEN, "control flow depends on what is undefined");
    *value = (uint64_t)(v.bits & model_low(bits));
    return true;
}

static bool choose(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst, unsigned source,
                   unsigned list, uint32_t *target)
{
    const hsa_brig_operand_code_list_t *l = (const void *)model_operand(m, model_inst_operand(m, inst, list));
    uint64_t index;
    if (!decide(m, item, model_inst_operand(m, inst, source), model_type_bits(inst->type), &index))
        return false;
    if (index >= model_list_length(m, l->elements))
        return model_stop(m, MODEL_OPEN, "an index is beyond its list");
    *target = model_listed(m, l->elements, (unsigned)index);
    return true;
}

bool model_step_control(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst)
{
    uint64_t value = 0;
    uint32_t target = 0;
    switch (inst->opcode) {
    case HSA_BRIG_OPCODE_BR: item->pc = referred(m, model_inst_operand(m, inst, 0)); return true;
    case HSA_BRIG_OPCODE_CBR:
        if (decide(m, item, model_inst_operand(m, inst, 0), 1, &value))
            item->pc = value ? referred(m, model_inst_operand(m, inst, 1)) : item->pc + inst->base.byte_count;
        return true;
    case HSA_BRIG_OPCODE_SBR:
        if (choose(m, item, inst, 0, 1, &target))
            item->pc = target;
        return true;
    case HSA_BRIG_OPCODE_RET: return leave(m, item);
    case HSA_BRIG_OPCODE_CALL: return call(m, item, inst, referred(m, model_inst_operand(m, inst, 1)));
    case HSA_BRIG_OPCODE_SCALL: return !choose(m, item, inst, 1, 3, &target) || call(m, item, inst, target);
    case HSA_BRIG_OPCODE_ICALL:
        if (!decide(m, item, model_inst_operand(m, inst, 1), model_type_bits(inst->type), &value))
            return true;
        if (!value || value >= m->code_end || value % 4 ||
            model_code(m, (uint32_t)value)->kind != HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION)
            return model_stop(m, MODEL_OPEN, "no function has this handle"), true;
        return call(m, item, inst, (uint32_t)value);
    case HSA_BRIG_OPCODE_BARRIER: item->state = MODEL_AT_BARRIER; return true;
    case HSA_BRIG_OPCODE_WAVEBARRIER:
    case HSA_BRIG_OPCODE_ACTIVELANECOUNT:
    case HSA_BRIG_OPCODE_ACTIVELANEID:
    case HSA_BRIG_OPCODE_ACTIVELANEMASK:
    case HSA_BRIG_OPCODE_ACTIVELANEPERMUTE: item->state = MODEL_AT_LANES; return true;
    case HSA_BRIG_OPCODE_WAITFBAR:
        if (decide(m, item, model_inst_operand(m, inst, 0), 32, &value)) {
            item->state = MODEL_AT_FBARRIER;
            item->waits_for = (unsigned)value % 64;
            item->arrived |= UINT64_C(1) << item->waits_for;
        }
        return true;
    default: return false;
    }
}
