/* SPDX-License-Identifier: MIT */
/* The checker of initialisation: vector operations, and those that move values between lanes. Input: a wave about to
 * execute one of them, and its plan. Output: the shadow of its results, lane by lane; findings where EXEC or an address
 * between lanes comes from undefined bits. Invariant: if all that an operation reads is written, it looks at no lane.
 */
#include "runtime/gcn/check/check_init.h"

#include "runtime/gcn/exec/dpp.h"
#include "runtime/gcn/exec/exec_lds.h"

/* ---- operands ---- */

/* The part of X that SDWA selects. */
static uint64_t selected(uint64_t x, unsigned select, bool sign)
{
    unsigned bits = select == GCN_SEL_DWORD ? 32 : select >= GCN_SEL_WORD_0 ? 16 : 8;
    unsigned at = select == GCN_SEL_DWORD ? 0 : select >= GCN_SEL_WORD_0 ? 16 * (select - GCN_SEL_WORD_0) : 8 * select;
    uint32_t part = (uint32_t)(x >> at) << (32 - bits);
    return sign ? (uint32_t)((int32_t)part >> (32 - bits)) : part >> (32 - bits);
}

static uint64_t narrowed(const struct gcn_inst *inst, unsigned slot, enum gcn_type type, uint64_t x)
{
    if (inst->variant == GCN_SDWA && slot < 2)
        x = selected(x, inst->sdwa.src_sel[slot], inst->sdwa.sext >> slot & 1);
    else if (gcn_type_info[type].bits == 16 && gcn_op_info[inst->op].flags & GCN_F_OPSEL && inst->op_sel >> slot & 1)
        x >>= 16;
    return gcn_type_info[type].bits == 16 ? x & 0xffff : x;
}

/* What LANE gets as operand SLOT of a vector operation. */
static struct shadowed lane_operand(const struct init_step *s, unsigned slot, unsigned lane)
{
    const struct gcn_inst *inst = &s->plan->inst;
    enum gcn_type type = gcn_op_info[inst->op].src[slot];
    const struct init_span *span = &s->plan->src[slot];
    struct shadowed x = {0, 0};
    if (type == GCN_T_NIL)
        return x;
    if (type == GCN_T_MASK) {
        if (!span->count)
            return x;
        return (struct shadowed){init_mask_bits(s->w->s, span->first) >> lane & 1,
                                 init_mask_bits(s->shadow->scalar, span->first) >> lane & 1};
    }
    if (span->count && !span->scalar) {
        const uint32_t(*lines)[GCN_LANES] =
            span->first >= INIT_ACCUMULATION ? &s->w->a[span->first - INIT_ACCUMULATION] : &s->w->v[span->first];
        x.value = lines[0][lane];
        x.shadow = shadow_look(s->shadow, span->first)[lane];
        if (span->count >= 2) {
            x.value |= (uint64_t)lines[1][lane] << 32;
            x.shadow |= (uint64_t)shadow_look(s->shadow, span->first + 1u)[lane] << 32;
        }
        for (unsigned i = 2; i < span->count; i++)
            x.shadow |= shadow_look(s->shadow, span->first + i)[lane] ? UINT64_MAX : 0;
    } else {
        x = init_scalar_operand(s, slot);
    }
    x.value = narrowed(inst, slot, type, x.value);
    x.shadow = narrowed(inst, slot, type, x.shadow);
    return x;
}

/* ---- vector operations ---- */

static bool is_packed(const struct gcn_inst *inst)
{
    return gcn_type_info[gcn_op_info[inst->op].dst].elements == 2 && inst->encoding == GCN_VOP3P;
}

/* Packed operations compute each half by itself, v_pk_mov_b32 of one source each. */
static uint64_t packed_shadow(const struct gcn_inst *inst, const struct shadowed o[3])
{
    unsigned bits = gcn_type_info[gcn_op_info[inst->op].dst].bits / 2;
    uint64_t result = 0, part = (UINT64_C(1) << bits) - 1;
    bool moves = inst->op == GCN_OP_v_pk_mov_b32;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i < 3; i++) {
            unsigned high = (half && !moves ? inst->op_sel_hi : inst->op_sel) >> i & 1;
            if ((!moves || i == half) && o[i].shadow >> (high ? bits : 0) & part)
                result |= part << bits * half;
        }
    return result;
}

/* v_mad_mix reads of each operand the half that op_sel names if its bit of op_sel_hi is set, else all of it. */
static uint64_t mixed_shadow(const struct gcn_inst *inst, const struct shadowed o[3])
{
    uint64_t found = 0;
    for (unsigned i = 0; i < 3; i++)
        found |= !(inst->op_sel_hi >> i & 1) ? o[i].shadow : o[i].shadow >> (inst->op_sel >> i & 1 ? 16 : 0) & 0xffff;
    return found ? UINT64_MAX : 0;
}

static struct shadow_result lane_result(const struct init_step *s, const struct shadowed operands[3], unsigned lane)
{
    const struct gcn_inst *inst = &s->plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct shadowed o[3] = {operands[0], operands[1], operands[2]}, carry = {0, 0};
    unsigned bits = gcn_type_info[info->dst == GCN_T_MASK ? info->src[0] : info->dst].bits;
    if (is_packed(inst))
        return (struct shadow_result){packed_shadow(inst, o), false};
    if (info->src[0] == GCN_T_MIX)
        return (struct shadow_result){mixed_shadow(inst, o), false};
    if (info->src[2] == GCN_T_MASK && s->plan->rule != SHADOW_SELECT) {
        carry = o[2];
        o[2] = (struct shadowed){0, 0};
    }
    if (s->plan->rule == SHADOW_MBCNT) {
        unsigned below = inst->op == GCN_OP_v_mbcnt_lo_u32_b32 ? (lane < 32 ? lane : 32) : lane < 32 ? 0 : lane - 32;
        o[0].shadow &= (UINT64_C(1) << below) - 1;
    }
    return shadow_by_rule((enum shadow_rule)s->plan->rule, bits ? bits : 32, o, carry);
}

/* Puts the shadow X of a result into the bits OLD of its register. */
static uint32_t placed(const struct gcn_inst *inst, uint32_t x, uint32_t old, bool keeps)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool half = gcn_type_info[info->dst].bits == 16;
    if (inst->variant == GCN_SDWA) {
        unsigned select = inst->sdwa.dst_sel;
        unsigned bits = select == GCN_SEL_DWORD ? 32 : select >= GCN_SEL_WORD_0 ? 16 : 8;
        unsigned at = bits == 32 ? 0 : bits == 16 ? 16 * (select - GCN_SEL_WORD_0) : 8 * select;
        uint32_t field = (bits == 32 ? UINT32_MAX : (1u << bits) - 1) << at, put = x << at & field;
        if (inst->sdwa.dst_unused == GCN_UNUSED_SEXT && put >> (at + bits - 1) & 1 && at + bits < 32)
            put |= UINT32_MAX << (at + bits);
        return put | (keeps ? old & ~field : 0);
    }
    if (!half)
        return x;
    bool high = (inst->op_sel & 8 && info->flags & GCN_F_OPSEL) || inst->op == GCN_OP_v_mad_mixhi_f16 ||
                inst->op == GCN_OP_v_fma_mixhi_f16;
    return high ? (x & 0xffff) << 16 | (old & 0xffff) : (x & 0xffff) | (keeps ? old & 0xffff0000 : 0);
}

static void put_line(const struct init_step *s, unsigned r, unsigned lane, uint32_t bits)
{
    shadow_change(s->shadow, r)[lane] = bits;
}

/* The lane whose value is the first operand of LANE; -1: the operand is zero. *WRITTEN becomes whether the operation
 * writes LANE at all. */
static int source_lane(const struct init_step *s, unsigned lane, bool *written)
{
    const struct gcn_inst *inst = &s->plan->inst;
    *written = true;
    if (inst->variant != GCN_DPP)
        return (int)lane;
    int from = gcn_dpp_lane(inst->dpp.ctrl, (int)lane);
    bool valid = from >= 0 && s->exec >> (from & 63) & 1;
    bool enabled = inst->dpp.row_mask >> (lane >> 4) & 1 && inst->dpp.bank_mask >> (lane >> 2 & 3) & 1;
    *written = enabled && (valid || inst->dpp.bound_ctrl);
    return valid ? from : -1;
}

struct vector_results {
    uint64_t lanes; /* those that are written */
    uint64_t mask;  /* lanes whose bit of a mask is undefined */
    uint64_t undefined;
    uint64_t shadow[GCN_LANES];
};

static void compute(const struct init_step *s, struct vector_results *r)
{
    *r = (struct vector_results){0};
    bool compares = gcn_op_info[s->plan->inst.op].dst == GCN_T_MASK;
    for (uint64_t left = s->exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        bool written;
        int from = source_lane(s, lane, &written);
        if (!written)
            continue;
        struct shadowed o[3] = {{0, 0}, lane_operand(s, 1, lane), lane_operand(s, 2, lane)};
        if (from >= 0)
            o[0] = lane_operand(s, 0, (unsigned)from);
        if (s->plan->src[4].count && shadow_look(s->shadow, s->plan->src[4].first)[lane])
            o[2].shadow = UINT64_MAX; /* an accumulator */
        struct shadow_result result = lane_result(s, o, lane);
        r->shadow[lane] = result.shadow;
        r->lanes |= UINT64_C(1) << lane;
        r->undefined |= (uint64_t)(result.shadow != 0) << lane;
        r->mask |= (uint64_t)(compares ? result.shadow != 0 : result.carry) << lane;
    }
}

static void put_results(const struct init_step *s, const struct vector_results *r, uint32_t origin)
{
    const struct init_span *dst = &s->plan->dst;
    if (!r->undefined && !s->plan->keeps) {
        shadow_write(s->shadow, dst, r->lanes);
        return;
    }
    for (unsigned i = 0; i < dst->count; i++) {
        unsigned at = dst->first + i;
        for (uint64_t left = r->lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            uint32_t bits = i < 2 ? (uint32_t)(r->shadow[lane] >> 32 * i) : r->shadow[lane] ? UINT32_MAX : 0;
            put_line(s, at, lane,
                     dst->count == 1 ? placed(&s->plan->inst, bits, shadow_look(s->shadow, at)[lane], s->plan->keeps)
                                     : bits);
        }
        if (r->lanes)
            shadow_settle(s->shadow, at);
        if (r->undefined)
            s->shadow->line_origin[at] = origin;
    }
}

void init_step_vector(const struct init_step *s)
{
    const struct init_plan *plan = s->plan;
    const struct gcn_op_info *info = &gcn_op_info[plan->inst.op];
    struct gcn_shadow *shadow = s->shadow;
    bool keeps = plan->keeps && !shadow_is_written(shadow, &plan->dst), dpp = plan->inst.variant == GCN_DPP;
    if (init_sources_are_written(s) && !(shadow->scc && plan->inst.src[0].index == GCN_SRC_SCC) && !keeps &&
        !(dpp && !shadow_is_written(shadow, &plan->dst))) {
        shadow_write(shadow, &plan->dst, s->exec);
        shadow_write(shadow, &plan->sdst, s->exec);
        return;
    }
    struct vector_results results;
    compute(s, &results);
    uint32_t origin = results.undefined | results.mask ? init_sources_origin(s) : 0;
    if (info->dst == GCN_T_MASK)
        init_put_mask(s, &plan->dst, results.mask, origin);
    else
        put_results(s, &results, origin);
    init_put_mask(s, &plan->sdst, results.mask, origin);
    if (info->dst == GCN_T_MASK && (info->flags & GCN_F_EXEC_W))
        init_use_exec(s, results.mask, origin);
    else if (plan->dst.scalar && plan->dst.count && plan->dst.first >= GCN_EXEC_LO)
        init_use_exec(s, results.mask, origin);
}

/* ---- between lanes ---- */

static unsigned lane_number(const struct init_step *s)
{
    return (unsigned)init_scalar_operand(s, 1).value % GCN_LANES;
}

static void read_lane(const struct init_step *s, unsigned lane)
{
    const struct init_span *src = &s->plan->src[0], *dst = &s->plan->dst;
    uint32_t bits = src->count && !src->scalar ? shadow_look(s->shadow, src->first)[lane] : 0;
    if (!dst->count)
        return;
    s->shadow->scalar[dst->first] = bits;
    s->shadow->scalar_origin[dst->first] = bits ? init_line_origin(s, src->first) : 0;
    if (dst->first >= GCN_EXEC_LO)
        init_use_exec(s, bits, bits ? init_line_origin(s, src->first) : 0);
}

static void write_lane(const struct init_step *s)
{
    const struct init_span *dst = &s->plan->dst;
    uint32_t bits = (uint32_t)init_scalar_operand(s, 0).shadow;
    if (!bits && s->shadow->state[dst->first] == SHADOW_WRITTEN)
        return;
    put_line(s, dst->first, lane_number(s), bits);
    if (bits)
        s->shadow->line_origin[dst->first] = init_scalar_origin(s, s->plan->src[0].first);
    shadow_settle(s->shadow, dst->first);
}

/* ds_permute and the like: LANES says from which lane each lane gets its value, -1 for none. */
static void move_lanes(const struct init_step *s, const struct init_span *src, const int8_t *lanes)
{
    const struct init_span *dst = &s->plan->dst;
    uint32_t bits[GCN_LANES], found = 0;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        bits[i] = lanes[i] >= 0 ? shadow_look(s->shadow, src->first)[lanes[i]] : 0;
        found |= s->exec >> i & 1 ? bits[i] : 0;
    }
    if (!found) {
        shadow_write(s->shadow, dst, s->exec);
        return;
    }
    uint32_t origin = init_line_origin(s, src->first), *line = shadow_change(s->shadow, dst->first);
    for (unsigned i = 0; i < GCN_LANES; i++)
        line[i] = s->exec >> i & 1 ? bits[i] : line[i];
    s->shadow->line_origin[dst->first] = origin;
}

static void permute(const struct init_step *s)
{
    const struct gcn_inst *inst = &s->plan->inst;
    bool swizzle = inst->op == GCN_OP_ds_swizzle_b32;
    const struct init_span *data = &s->plan->src[swizzle ? 0 : 1];
    int8_t from[GCN_LANES];
    if (!swizzle) {
        uint64_t undefined = shadow_lanes(s->shadow, &s->plan->src[0], s->exec);
        if (undefined)
            init_report(s, GCN_FINDING_INIT_ADDRESS, undefined, init_span_origin(s, &s->plan->src[0]), NULL);
    }
    const uint32_t *address = s->w->v[s->plan->src[0].first];
    for (unsigned i = 0; i < GCN_LANES; i++)
        from[i] = -1;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        unsigned other = swizzle ? gcn_swizzle(i, (uint32_t)inst->mem.offset)
                                 : (address[i] + (uint32_t)inst->mem.offset) / 4 % GCN_LANES;
        bool forward = inst->op == GCN_OP_ds_permute_b32;
        if (s->exec >> (forward ? i : other) & 1)
            from[forward ? other : i] = (int8_t)(forward ? i : other);
    }
    move_lanes(s, data, from);
}

static void swap(const struct init_step *s)
{
    const struct init_span *a = &s->plan->dst, *b = &s->plan->src[0];
    if (shadow_is_written(s->shadow, a) && shadow_is_written(s->shadow, b))
        return;
    uint32_t origin = s->shadow->line_origin[a->first];
    uint32_t *x = shadow_change(s->shadow, a->first), *y = shadow_change(s->shadow, b->first);
    for (uint64_t left = s->exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t bits = x[lane];
        x[lane] = y[lane];
        y[lane] = bits;
    }
    s->shadow->line_origin[a->first] = s->shadow->line_origin[b->first];
    s->shadow->line_origin[b->first] = origin;
    shadow_settle(s->shadow, a->first);
    shadow_settle(s->shadow, b->first);
}

void init_step_lane(const struct init_step *s)
{
    switch (s->plan->inst.op) {
    case GCN_OP_v_readlane_b32: read_lane(s, lane_number(s)); break;
    case GCN_OP_v_readfirstlane_b32: read_lane(s, s->exec ? (unsigned)__builtin_ctzll(s->exec) : 0); break;
    case GCN_OP_v_writelane_b32: write_lane(s); break;
    case GCN_OP_v_swap_b32: swap(s); break;
    default: permute(s); break;
    }
}
