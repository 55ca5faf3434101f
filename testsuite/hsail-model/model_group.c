/* SPDX-License-Identifier: MIT */
/* Runs the work-items of a group in turn, to the instructions at which they meet (PRM 9.1, 9.2, 9.4); see
 * model_parts.h. Input: work-items at the first instruction. Output: all of them have ended, or a status. Invariant: no
 * work-item passes a barrier before all that have not ended have come to it. */
#include "testsuite/hsail-model/model_parts.h"

static void advance(const struct model *m, struct model_item *item)
{
    item->pc += model_code(m, item->pc)->byte_count;
    item->state = MODEL_RUNS;
}

/* activelanepermute: the value of another lane, or the identity operand of the work-item itself. */
static struct model_value permuted(struct model *m, struct model_item **lanes, uint64_t active, unsigned lane,
                                   const hsa_brig_inst_base_t *inst)
{
    struct model_value which = model_source(m, lanes[lane], model_inst_operand(m, inst, 2), 0);
    struct model_value identity = model_source(m, lanes[lane], model_inst_operand(m, inst, 3), 0);
    struct model_value keep = model_source(m, lanes[lane], model_inst_operand(m, inst, 4), 0);
    unsigned from = (unsigned)which.bits % MODEL_LANES;
    if (keep.undefined & 1)
        return model_unknown(128);
    if (keep.bits & 1)
        return identity;
    if (which.undefined & (MODEL_LANES - 1))
        return model_unknown(128);
    return active >> from & 1 ? model_source(m, lanes[from], model_inst_operand(m, inst, 1), 0) : identity;
}

/* The lanes of ACTIVE whose source is not 0; *UNKNOWN gets those of which this is undefined. */
static uint64_t nonzero(struct model *m, struct model_item **lanes, uint64_t active, const hsa_brig_inst_base_t *inst,
                        uint64_t *unknown)
{
    uint64_t set = 0;
    *unknown = 0;
    for (unsigned i = 0; i < MODEL_LANES; i++) {
        if (!(active >> i & 1))
            continue;
        struct model_value value = model_source(m, lanes[i], model_inst_operand(m, inst, 1), 0);
        set |= (uint64_t)(value.bits & 1) << i;
        *unknown |= (uint64_t)(value.undefined & 1) << i;
    }
    return set;
}

bool model_step_lanes(struct model *m, struct model_item **lanes, uint64_t active)
{
    unsigned first = (unsigned)__builtin_ctzll(active);
    const hsa_brig_inst_base_t *inst = (const void *)model_code(m, lanes[first]->pc);
    uint32_t destination = model_inst_operand(m, inst, 0);
    struct model_value results[MODEL_LANES];
    uint64_t unknown = 0, set = 0;
    if (inst->opcode == HSA_BRIG_OPCODE_ACTIVELANECOUNT || inst->opcode == HSA_BRIG_OPCODE_ACTIVELANEMASK)
        set = nonzero(m, lanes, active, inst, &unknown);
    for (unsigned i = 0; i < MODEL_LANES; i++) {
        if (!(active >> i & 1))
            continue;
        switch (inst->opcode) {
        case HSA_BRIG_OPCODE_ACTIVELANECOUNT:
            results[i] = unknown ? model_unknown(32) : model_defined((unsigned)__builtin_popcountll(set));
            break;
        case HSA_BRIG_OPCODE_ACTIVELANEID:
            results[i] = model_defined((unsigned)__builtin_popcountll(active & ((UINT64_C(1) << i) - 1)));
            break;
        case HSA_BRIG_OPCODE_ACTIVELANEMASK: results[i] = (struct model_value){set, unknown}; break;
        case HSA_BRIG_OPCODE_ACTIVELANEPERMUTE: results[i] = permuted(m, lanes, active, i, inst); break;
        default: break; /* wavebarrier */
        }
    }
    for (unsigned i = 0; i < MODEL_LANES; i++) {
        if (!(active >> i & 1))
            continue;
        if (inst->opcode != HSA_BRIG_OPCODE_WAVEBARRIER)
            model_destination(m, lanes[i], destination, 0, inst->type, results[i]);
        for (unsigned n = 1; inst->opcode == HSA_BRIG_OPCODE_ACTIVELANEMASK && n < 4; n++)
            model_destination(m, lanes[i], destination, n, inst->type, model_defined(0));
        advance(m, lanes[i]);
    }
    return true;
}

/* Runs the wavefront until no lane of it can go on alone. */
static bool run_wave(struct model *m, struct model_item *items, unsigned count)
{
    struct model_item *lanes[MODEL_LANES] = {NULL};
    for (;;) {
        uint64_t active = 0;
        const struct model_item *chosen = NULL;
        for (unsigned i = 0; i < count; i++) {
            lanes[i] = &items[i];
            while (items[i].state == MODEL_RUNS)
                if (!model_step(m, &items[i]))
                    return false;
        }
        for (unsigned i = 0; i < count; i++)
            if (items[i].state == MODEL_AT_LANES && (!chosen || items[i].depth > chosen->depth ||
                                                     (items[i].depth == chosen->depth && items[i].pc < chosen->pc)))
                chosen = &items[i];
        if (!chosen)
            return true;
        for (unsigned i = 0; i < count; i++)
            if (items[i].state == MODEL_AT_LANES && items[i].depth == chosen->depth && items[i].pc == chosen->pc)
                active |= UINT64_C(1) << i;
        if (!model_step_lanes(m, lanes, active))
            return false;
    }
}

/* Whether all members of fbarrier NUMBER have arrived. */
static bool complete(const struct model *m, unsigned number)
{
    for (unsigned i = 0; i < m->item_count; i++)
        if (m->items[i].state != MODEL_ENDED && m->items[i].member >> number & 1 &&
            !(m->items[i].arrived >> number & 1))
            return false;
    return true;
}

static bool release_fbarriers(struct model *m)
{
    bool released = false;
    for (unsigned number = 0; number < MODEL_FBARRIERS; number++) {
        bool done = complete(m, number), here = false;
        for (unsigned i = 0; done && i < m->item_count; i++) {
            struct model_item *item = &m->items[i];
            if (item->state == MODEL_AT_FBARRIER && item->waits_for == number) {
                advance(m, item);
                here = true;
            }
        }
        released |= here;
        for (unsigned i = 0; here && i < m->item_count; i++)
            m->items[i].arrived &= ~(UINT64_C(1) << number);
    }
    return released;
}

static bool release_barrier(struct model *m)
{
    bool released = false;
    for (unsigned i = 0; i < m->item_count; i++)
        if (m->items[i].state != MODEL_ENDED && m->items[i].state != MODEL_AT_BARRIER)
            return false;
    for (unsigned i = 0; i < m->item_count; i++)
        if (m->items[i].state == MODEL_AT_BARRIER) {
            advance(m, &m->items[i]);
            released = true;
        }
    return released;
}

bool model_run_group(struct model *m)
{
    for (;;) {
        bool ended = true;
        for (unsigned i = 0; i < m->item_count; i += MODEL_LANES) {
            unsigned count = m->item_count - i < MODEL_LANES ? m->item_count - i : MODEL_LANES;
            if (!run_wave(m, m->items + i, count))
                return false;
        }
        for (unsigned i = 0; i < m->item_count; i++)
            ended &= m->items[i].state == MODEL_ENDED;
        if (ended)
            return true;
        bool released = release_fbarriers(m);
        if (!release_barrier(m) && !released)
            return model_stop(m, MODEL_ENDLESS, "every work-item waits");
    }
}
