/* SPDX-License-Identifier: MIT */
/* Vector instructions of all waves of a box at once.
 * Input: decoded instructions. Output: registers and masks. Invariant: a mask has all lanes or none, which is the same
 * for all waves of the box, or the stream computes it; boxes that differ are divided. */
#include "runtime/gcn/bulk/bulk_wave.h"

/* Whether INST has no modifiers, which are not known here. */
static bool is_plain(const struct gcn_inst *inst)
{
    return inst->variant == GCN_PLAIN && !inst->abs && !inst->neg && !inst->neg_hi && !inst->op_sel && !inst->omod &&
           !inst->clamp && inst->encoding != GCN_VOP3P;
}

/* The mask that stands in a source or a scalar register: all lanes or none. */
static bool mask_in(const struct bulk *b, const struct gcn_inst *inst, unsigned i, bool *all)
{
    uint64_t mask;
    if (inst->src[i].kind != GCN_SGPR || !bulk_number(b, inst->src[i].index, 2, &mask))
        return false;
    *all = mask == UINT64_MAX;
    return *all || !mask;
}

static enum bulk_outcome put_mask(struct bulk *b, struct gcn_operand dst, bool all)
{
    struct affine mask = affine_constant(all ? (affine_int)UINT64_MAX : 0);
    return dst.kind == GCN_SGPR ? bulk_put(b, dst, 2, &mask) : BULK_LEAVE;
}

/* With no lanes, only comparisons have an effect, and v_writelane, which does not look at EXEC. */
static enum bulk_outcome no_lanes(struct bulk *b, const struct gcn_inst *inst)
{
    if (inst->op == GCN_OP_v_writelane_b32)
        return BULK_LEAVE;
    if (gcn_op_info[inst->op].dst == GCN_T_MASK)
        return gcn_op_info[inst->op].flags & GCN_F_EXEC_W ? BULK_LEAVE : put_mask(b, inst->dst, false);
    return inst->dst.kind == GCN_VGPR && inst->sdst.kind == GCN_NONE ? BULK_ON : BULK_LEAVE;
}

static struct bulk_value *vector_of(struct bulk *b, struct gcn_operand operand)
{
    return operand.kind == GCN_VGPR && operand.index < BULK_VGPRS ? &b->v[operand.index] : NULL;
}

/* Instructions that move a value, whatever it is; BULK_LEAVE if INST is none of them. */
static enum bulk_outcome move_value(struct bulk *b, const struct gcn_inst *inst)
{
    bool second = false;
    if (inst->op == GCN_OP_v_readfirstlane_b32) {
        struct affine f;
        bool same = bulk_source(b, inst, 0, 1, &f);
        for (unsigned i = AFFINE_GROUPS; i < AFFINE_COORDINATES; i++)
            same &= !f.step[i];
        return same ? bulk_put(b, inst->dst, 1, &f) : BULK_LEAVE;
    }
    if (inst->op != GCN_OP_v_mov_b32 && (inst->op != GCN_OP_v_cndmask_b32 || !mask_in(b, inst, 2, &second)))
        return BULK_LEAVE;
    const struct bulk_value *from = vector_of(b, inst->src[second]);
    struct bulk_value *to = vector_of(b, inst->dst);
    if (to && from && from->kind != BULK_COMPUTED) {
        struct bulk_value moved = *from;
        if (moved.kind == BULK_LOADED)
            b->recorded &= bulk_record(b, inst) == BULK_ON;
        *to = moved;
        to->placed = false;
        return BULK_ON;
    }
    struct affine f;
    return bulk_source(b, inst, second, 1, &f) ? bulk_put(b, inst->dst, 1, &f) : BULK_LEAVE;
}

/* Forgets what COUNT registers from the one that OPERAND names hold. */
static void forget(struct bulk *b, struct gcn_operand operand, unsigned count)
{
    struct bulk_value *value = operand.kind == GCN_VGPR ? b->v : b->s;
    unsigned limit = operand.kind == GCN_VGPR ? BULK_VGPRS : GCN_SCALAR_COUNT;
    for (unsigned i = operand.index; i < operand.index + count && i < limit; i++)
        value[i] = (struct bulk_value){.kind = BULK_LOST};
}

/* What an arithmetic instruction reads. */
struct sources {
    struct affine is[3];
    bool carry;
    bool low; /* of the addend only the low half is looked at, so only the low half of the result is known */
};

/* Whether the high half of a 64-bit addend, source I of INST, is what happens to be in a register after another one:
 * compilers compute low halves by v_mad_u64_u32, too. */
static bool has_any_high_half(const struct bulk *b, const struct gcn_inst *inst, unsigned i)
{
    if (inst->op != GCN_OP_v_mad_u64_u32 || i != 2 || inst->src[i].kind != GCN_VGPR ||
        inst->src[i].index + 1 >= BULK_VGPRS)
        return false;
    const struct bulk_value *high = &b->v[inst->src[i].index + 1];
    return high->kind != BULK_AFFINE || !affine_is_constant(&high->is);
}

/* Reads source I of INST. */
static bool read_source(const struct bulk *b, const struct gcn_inst *inst, unsigned i, struct sources *from)
{
    enum gcn_type type = gcn_op_info[inst->op].src[i];
    if (inst->src[i].kind == GCN_NONE)
        return true;
    if (type == GCN_T_MASK)
        return mask_in(b, inst, i, &from->carry);
    bool low = has_any_high_half(b, inst, i);
    from->low |= low;
    return bulk_source(b, inst, i, low ? 1 : gcn_type_info[type].registers, &from->is[i]);
}

static enum bulk_outcome arithmetic(struct bulk *b, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct sources from = {.carry = false};
    struct bulk_result result;
    for (unsigned i = 0; i < 3; i++)
        if (!read_source(b, inst, i, &from))
            return BULK_LEAVE;
    unsigned count = info->dst == GCN_T_MASK || from.low ? 1 : gcn_type_info[info->dst].registers;
    enum bulk_outcome outcome = bulk_compute(b, inst->op, from.is, from.carry, 32 * count, &result);
    if (outcome != BULK_ON)
        return outcome;
    /* lanes that are not active have no bit in a mask, whatever they all would have */
    if (bulk_is_masked(b) && (result.compared ? result.is.at : inst->sdst.kind != GCN_NONE && result.carry))
        return BULK_LEAVE;
    if (result.compared)
        return put_mask(b, inst->dst, result.is.at);
    if (from.low) {
        forget(b, inst->dst, 2);
        forget(b, inst->sdst, 2);
        return bulk_put(b, inst->dst, 1, &result.is);
    }
    outcome = bulk_put(b, inst->dst, count, &result.is);
    return outcome == BULK_ON && inst->sdst.kind != GCN_NONE ? put_mask(b, inst->sdst, result.carry != 0) : outcome;
}

enum bulk_outcome bulk_vector(struct bulk *b, const struct gcn_inst *inst)
{
    int lanes = bulk_lanes(b);
    enum bulk_outcome outcome = BULK_LEAVE;
    if (lanes < 0 || gcn_op_info[inst->op].flags & GCN_F_EXEC_W)
        return BULK_LEAVE;
    if (!lanes)
        return is_plain(inst) ? no_lanes(b, inst) : BULK_LEAVE;
    if (is_plain(inst))
        outcome = move_value(b, inst);
    if (is_plain(inst) && outcome == BULK_LEAVE)
        outcome = arithmetic(b, inst);
    return outcome == BULK_LEAVE ? bulk_record(b, inst) : outcome;
}
