/* SPDX-License-Identifier: MIT */
/* Queries about the dispatch, fbarriers and allocation at run time (PRM 9.2, 10.10, chapter 11); see model_parts.h.
 * Input: a work-item at such an instruction. Output: registers. Invariant: what the implementation may choose is
 * undefined. */
#include "testsuite/hsail-model/model_parts.h"

static uint32_t group_extent(const struct model *m, unsigned dim, bool current)
{
    uint32_t size = m->dispatch->group[dim], begin = m->group_id[dim] * size;
    return current && m->dispatch->grid[dim] - begin < size ? m->dispatch->grid[dim] - begin : size;
}

static uint64_t flat(const uint32_t id[3], uint64_t x, uint64_t y)
{
    return id[0] + x * (id[1] + y * id[2]);
}

static uint32_t absolute(const struct model *m, const struct model_item *item, unsigned dim)
{
    return m->group_id[dim] * m->dispatch->group[dim] + item->id[dim];
}

/* What a query about the dispatch returns; false if the opcode is no such query. */
static bool dispatch_value(const struct model *m, const struct model_item *item, unsigned opcode, unsigned dim,
                           uint64_t *value)
{
    const struct model_dispatch *d = m->dispatch;
    uint32_t ids[3] = {absolute(m, item, 0), absolute(m, item, 1), absolute(m, item, 2)};
    switch (opcode) {
    case HSA_BRIG_OPCODE_CURRENTWORKGROUPSIZE: *value = group_extent(m, dim, true); return true;
    case HSA_BRIG_OPCODE_CURRENTWORKITEMFLATID: *value = item->flat; return true;
    case HSA_BRIG_OPCODE_DIM: *value = d->dimensions; return true;
    case HSA_BRIG_OPCODE_GRIDGROUPS: *value = (d->grid[dim] + d->group[dim] - 1) / d->group[dim]; return true;
    case HSA_BRIG_OPCODE_GRIDSIZE: *value = d->grid[dim]; return true;
    case HSA_BRIG_OPCODE_WORKGROUPID: *value = m->group_id[dim]; return true;
    case HSA_BRIG_OPCODE_WORKGROUPSIZE: *value = d->group[dim]; return true;
    case HSA_BRIG_OPCODE_WORKITEMABSID: *value = ids[dim]; return true;
    case HSA_BRIG_OPCODE_WORKITEMFLATABSID: *value = flat(ids, d->grid[0], d->grid[1]); return true;
    case HSA_BRIG_OPCODE_WORKITEMFLATID: *value = flat(item->id, d->group[0], d->group[1]); return true;
    case HSA_BRIG_OPCODE_WORKITEMID: *value = item->id[dim]; return true;
    case HSA_BRIG_OPCODE_LANEID: *value = item->flat % MODEL_LANES; return true;
    case HSA_BRIG_OPCODE_KERNARGBASEPTR: *value = MODEL_KERNARG; return true;
    case HSA_BRIG_OPCODE_GROUPBASEPTR: *value = 0; return true;
    case HSA_BRIG_OPCODE_GETDETECTEXCEPT: *value = 0; return true; /* no exception is enabled */
    default: return false;
    }
}

static bool is_choice(unsigned opcode)
{
    switch (opcode) {
    case HSA_BRIG_OPCODE_PACKETCOMPLETIONSIG:
    case HSA_BRIG_OPCODE_PACKETID:
    case HSA_BRIG_OPCODE_CLOCK:
    case HSA_BRIG_OPCODE_CUID:
    case HSA_BRIG_OPCODE_MAXCUID:
    case HSA_BRIG_OPCODE_MAXWAVEID:
    case HSA_BRIG_OPCODE_WAVEID:
    case HSA_BRIG_OPCODE_GROUPSTATICSIZE: /* the finalizer may use group memory of its own */
    case HSA_BRIG_OPCODE_GROUPTOTALSIZE: return true;
    default: return false;
    }
}

static bool step_fbarrier(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst)
{
    struct model_value handle = model_source(m, item, model_inst_operand(m, inst, 0), 0);
    if (handle.undefined & model_low(32))
        return model_stop(m, MODEL_OPEN, "an fbarrier is undefined"), true;
    uint64_t bit = UINT64_C(1) << ((unsigned)handle.bits % 64);
    switch (inst->opcode) {
    case HSA_BRIG_OPCODE_JOINFBAR: item->member |= bit; break;
    case HSA_BRIG_OPCODE_LEAVEFBAR: item->member &= ~bit; break;
    case HSA_BRIG_OPCODE_ARRIVEFBAR: item->arrived |= bit; break;
    default: break; /* initfbar, releasefbar */
    }
    return true;
}

static bool step_alloca(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst)
{
    struct model_value size = model_source(m, item, model_inst_operand(m, inst, 1), 0);
    struct model_frame *frame = model_top(item);
    uint32_t begin = (frame->top + 15) & ~15u;
    if (size.undefined & model_low(32))
        return model_stop(m, MODEL_OPEN, "the size of an alloca is undefined"), true;
    if (size.bits > MODEL_PRIVATE || begin + (uint32_t)size.bits > MODEL_PRIVATE)
        return model_stop(m, MODEL_UNSUPPORTED, "too much private memory"), true;
    for (uint32_t i = begin; i < begin + (uint32_t)size.bits; i++)
        item->private_.undefined[i] = 0xff;
    frame->top = begin + (uint32_t)size.bits;
    model_destination(m, item, model_inst_operand(m, inst, 0), 0, inst->type, model_defined(begin));
    return true;
}

bool model_step_special(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst)
{
    uint32_t operand = model_inst_operand(m, inst, 0), second = model_inst_operand(m, inst, 1);
    unsigned dim = 0;
    uint64_t value;
    switch (inst->opcode) {
    case HSA_BRIG_OPCODE_NOP:
    case HSA_BRIG_OPCODE_CLEARDETECTEXCEPT:
    case HSA_BRIG_OPCODE_SETDETECTEXCEPT: return true;
    case HSA_BRIG_OPCODE_ALLOCA: return step_alloca(m, item, inst);
    case HSA_BRIG_OPCODE_ARRIVEFBAR:
    case HSA_BRIG_OPCODE_INITFBAR:
    case HSA_BRIG_OPCODE_JOINFBAR:
    case HSA_BRIG_OPCODE_LEAVEFBAR:
    case HSA_BRIG_OPCODE_RELEASEFBAR: return step_fbarrier(m, item, inst);
    case HSA_BRIG_OPCODE_LDF:
        model_destination(m, item, operand, 0, inst->type, model_source(m, item, second, 0));
        return true;
    case HSA_BRIG_OPCODE_NULLPTR: {
        unsigned segment = ((const hsa_brig_inst_seg_t *)inst)->segment;
        bool narrow = segment == HSA_BRIG_SEGMENT_GROUP || segment == HSA_BRIG_SEGMENT_PRIVATE;
        model_destination(m, item, operand, 0, inst->type, model_defined(narrow ? MODEL_NULL_SEGMENT : 0));
        return true;
    }
    default: break;
    }
    if (is_choice(inst->opcode)) {
        model_destination(m, item, operand, 0, inst->type, model_unknown(64));
        return true;
    }
    if (second)
        dim = (unsigned)model_source(m, item, second, 0).bits % 3;
    if (!dispatch_value(m, item, inst->opcode, dim, &value))
        return false;
    model_destination(m, item, operand, 0, inst->type, model_defined(value));
    return true;
}
