/* SPDX-License-Identifier: MIT */
/* Operands, lanes and destinations of the vector ALU model.
 *
 * Input: registers and a decoded instruction. Output: the registers after it. Invariant: lanes outside EXEC,
 * and everything that is no destination, keep their values. */
#include "testsuite/gcn/valu_model.h"
#include "testsuite/float_bits.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static uint64_t pair(const struct model *m, unsigned code)
{
    return m->s[code] | (uint64_t)m->s[code + 1] << 32;
}

static void set_pair(struct model *m, unsigned code, uint64_t value)
{
    m->s[code] = (uint32_t)value;
    m->s[code + 1] = (uint32_t)(value >> 32);
}

void model_round(unsigned rm)
{
    static const int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    fesetround(host[rm & 3]);
}

i128 model_saturate(i128 value, unsigned bits, bool is_signed)
{
    i128 high = ((i128)1 << (is_signed ? bits - 1 : bits)) - 1, low = is_signed ? -high - 1 : 0;
    return value > high ? high : value < low ? low : value;
}

/* Data-parallel primitives: the lane from which LANE reads src0, or -1. */
static int dpp_source(unsigned ctrl, int lane)
{
    int row = lane & ~15, in = lane & 15, n = (int)(ctrl & 15);
    if (ctrl < GCN_DPP_ROW_SHL)
        return (lane & ~3) + (int)(ctrl >> (2 * (lane & 3)) & 3);
    if (ctrl < GCN_DPP_ROW_SHR)
        return in + n <= 15 ? lane + n : -1;
    if (ctrl < GCN_DPP_ROW_ROR)
        return in - n >= 0 ? lane - n : -1;
    if (ctrl < GCN_DPP_WAVE_SHL)
        return row + ((in - n) & 15);
    switch (ctrl) {
    case GCN_DPP_WAVE_SHL: return lane == 63 ? -1 : lane + 1;
    case GCN_DPP_WAVE_ROL: return (lane + 1) & 63;
    case GCN_DPP_WAVE_SHR: return lane - 1;
    case GCN_DPP_WAVE_ROR: return (lane - 1) & 63;
    case GCN_DPP_ROW_MIRROR: return row + 15 - in;
    case GCN_DPP_ROW_HALF_MIRROR: return (lane & ~7) + 7 - (lane & 7);
    case GCN_DPP_ROW_BCAST15: return row - 1;
    default: break;
    }
    if (ctrl >= GCN_DPP_ROW_NEWBCAST)
        return row + n;
    return lane < 32 ? -1 : 31;
}

/* Returns 0 if the lane is not written, 1 if it reads lane *FROM, 2 if it reads zero. */
static int dpp_lane(const struct model *m, const struct gcn_inst *inst, unsigned lane, unsigned *from)
{
    *from = lane;
    if (inst->variant != GCN_DPP)
        return 1;
    if (!(inst->dpp.row_mask >> (lane / 16) & 1) || !(inst->dpp.bank_mask >> (lane / 4 & 3) & 1))
        return 0;
    int source = dpp_source(inst->dpp.ctrl, (int)lane);
    if (source >= 0 && pair(m, GCN_EXEC_LO) >> source & 1) {
        *from = (unsigned)source;
        return 1;
    }
    return inst->dpp.bound_ctrl ? 2 : 0;
}

static u128 special(const struct model *m, unsigned code)
{
    switch (code) {
    case GCN_SRC_VCCZ: return pair(m, GCN_VCC_LO) == 0;
    case GCN_SRC_EXECZ: return pair(m, GCN_EXEC_LO) == 0;
    case GCN_SRC_SCC: return m->scc;
    default: return 0;
    }
}

static u128 read_raw(const struct model *m, const struct gcn_inst *inst, unsigned slot, unsigned lane)
{
    struct gcn_operand operand = inst->src[slot];
    unsigned registers = gcn_type_info[gcn_op_info[inst->op].src[slot]].registers;
    u128 value = 0;
    switch ((enum gcn_operand_kind)operand.kind) {
    case GCN_VGPR:
        for (unsigned i = 0; i < registers; i++)
            value |= (u128)m->v[operand.index + i][lane] << (32 * i);
        return value;
    case GCN_SGPR:
        if (operand.index == GCN_NULL)
            return 0;
        for (unsigned i = 0; i < registers; i++)
            value |= (u128)m->s[operand.index + i] << (32 * i);
        return value;
    case GCN_SPECIAL: return special(m, operand.index);
    case GCN_INLINE:
    case GCN_LITERAL: return inst->value[slot];
    case GCN_AGPR:
    case GCN_NONE: break;
    }
    return 0;
}

static uint32_t sdwa_select(uint32_t value, unsigned sel, bool sext)
{
    if (sel <= 3)
        return sext ? (uint32_t)(int8_t)(value >> (8 * sel)) : value >> (8 * sel) & 0xff;
    if (sel < GCN_SEL_DWORD)
        return sext ? (uint32_t)(int16_t)(value >> (16 * (sel - 4))) : value >> (16 * (sel - 4)) & 0xffff;
    return value;
}

static u128 source(const struct model *m, const struct gcn_inst *inst, unsigned slot, unsigned lane)
{
    enum gcn_type type = gcn_op_info[inst->op].src[slot];
    unsigned bits = gcn_type_info[type].bits;
    u128 value = read_raw(m, inst, slot, lane);
    if (inst->variant == GCN_SDWA && slot < 2)
        value = sdwa_select((uint32_t)value, inst->sdwa.src_sel[slot], inst->sdwa.sext >> slot & 1);
    if (inst->encoding == GCN_VOP3P)
        return value; /* the operation itself chooses halves and signs */
    if (inst->encoding == GCN_VOP3 && bits == 16 && inst->op_sel >> slot & 1)
        value >>= 16;
    if (bits < 128)
        value &= ((u128)1 << bits) - 1;
    if (inst->abs >> slot & 1)
        value &= ~((u128)1 << (bits - 1));
    if (inst->neg >> slot & 1)
        value ^= (u128)1 << (bits - 1);
    return value;
}

/* Output modifiers of f32 and f64 results; those of f16 results are part of the operation. */
static void output(struct model_lane *l, enum gcn_type type)
{
    const struct model *m = l->m;
    bool flushed = !(m->mode & (type == GCN_T_F32 ? 0x20u : 0x80u));
    if (type != GCN_T_F32 && type != GCN_T_F64)
        return;
    double value;
    if (type == GCN_T_F32) {
        float f;
        memcpy(&f, &l->result, 4);
        value = (double)f;
    } else {
        memcpy(&value, &l->result, 8);
    }
    if (l->inst->omod && flushed && !(m->mode & MODEL_IEEE)) {
        static const double factor[] = {1, 2, 4, 0.5};
        value *= factor[l->inst->omod];
        if (value == 0)
            value = 0;
    }
    if (l->inst->clamp) {
        if (value != value)
            value = m->mode & MODEL_DX10_CLAMP ? 0 : value;
        else
            value = value > 1 ? 1 : value > 0 ? value : 0;
    }
    if (!l->inst->omod && !l->inst->clamp)
        return;
    l->nan = value != value;
    if (type == GCN_T_F32) {
        uint32_t bits = bits_of_f32((float)value);
        if (flushed && (bits & 0x7f800000) == 0)
            bits &= 0x80000000;
        l->result = bits;
    } else {
        uint64_t bits = bits_of_f64(value);
        if (flushed && (bits & 0x7ff0000000000000) == 0)
            bits &= 0x8000000000000000;
        l->result = bits;
    }
}

static uint32_t sdwa_place(uint32_t result, uint32_t old, unsigned sel, unsigned unused)
{
    unsigned low = sel <= 3 ? 8 * sel : sel < GCN_SEL_DWORD ? 16 * (sel - 4) : 0;
    unsigned width = sel <= 3 ? 8 : sel < GCN_SEL_DWORD ? 16 : 32;
    uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << low, placed = result << low & mask;
    if (unused == GCN_UNUSED_PRESERVE)
        return placed | (old & ~mask);
    if (unused == GCN_UNUSED_SEXT && width + low < 32 && placed >> (low + width - 1) & 1)
        return placed | ~((1u << (low + width)) - 1);
    return placed;
}

/* Whether a 16-bit result leaves the other half of the register alone. */
static bool keeps_other_half(const struct gcn_inst *inst)
{
    switch (inst->op) {
    case GCN_OP_v_mac_f16:
    case GCN_OP_v_madmk_f16:
    case GCN_OP_v_madak_f16:
    case GCN_OP_v_mad_mixlo_f16:
    case GCN_OP_v_mad_mixhi_f16:
    case GCN_OP_v_fma_mixlo_f16:
    case GCN_OP_v_fma_mixhi_f16: return true;
    default: return gcn_op_info[inst->op].flags & GCN_F_OPSEL;
    }
}

static u128 placed_result(const struct model_lane *l, enum gcn_type type)
{
    const struct gcn_inst *inst = l->inst;
    uint32_t result = (uint32_t)l->result, old = (uint32_t)l->old;
    bool half = gcn_type_info[type].bits == 16;
    if (inst->variant == GCN_SDWA)
        return sdwa_place(half ? result & 0xffff : result, old, inst->sdwa.dst_sel, inst->sdwa.dst_unused);
    if (!half)
        return l->result;
    bool high = inst->op == GCN_OP_v_mad_mixhi_f16 || inst->op == GCN_OP_v_fma_mixhi_f16 ||
                (inst->encoding == GCN_VOP3 && inst->op_sel >> 3 & 1);
    if (!keeps_other_half(inst))
        return result & 0xffff;
    return high ? result << 16 | (old & 0xffff) : (result & 0xffff) | (old & 0xffff0000);
}

static bool is_mask_user(const struct gcn_inst *inst)
{
    return gcn_op_info[inst->op].src[2] == GCN_T_MASK;
}

static bool is_onto(unsigned op)
{
    return op == GCN_OP_v_dot2c_i32_i16 || op == GCN_OP_v_dot4c_i32_i8 || op == GCN_OP_v_dot8c_i32_i4 ||
           op == GCN_OP_v_pk_fmac_f16;
}

/* Packed operations on dwords: each of the two results takes the dwords of the sources that op_sel and op_sel_hi name.
 */
static bool packed_dwords(struct model_lane *l)
{
    const struct gcn_inst *inst = l->inst;
    const u128 source[3] = {l->a, l->b, l->c};
    if (inst->op == GCN_OP_v_pk_mov_b32) {
        l->result = (uint32_t)(l->a >> (inst->op_sel & 1 ? 32 : 0)) |
                    (u128)(uint32_t)(l->b >> (inst->op_sel & 2 ? 32 : 0)) << 32;
        return true;
    }
    for (unsigned high = 0; high < 2; high++) {
        struct model_lane part = *l;
        uint32_t in[3];
        for (unsigned i = 0; i < 3; i++) {
            in[i] = (uint32_t)(source[i] >> ((high ? inst->op_sel_hi : inst->op_sel) >> i & 1 ? 32 : 0));
            in[i] ^= (high ? inst->neg_hi : inst->neg) >> i & 1 ? 0x80000000 : 0;
        }
        part.a = in[0];
        part.b = in[1];
        part.c = in[2];
        part.result = 0;
        if (!model_float(&part))
            return false;
        model_round(0);
        output(&part, GCN_T_F32);
        l->result |= (u128)(uint32_t)part.result << 32 * high;
        *(high ? &l->nan_high : &l->nan) = part.nan;
    }
    return true;
}

static bool run_lane(struct model_lane *l)
{
    const struct gcn_inst *inst = l->inst;
    bool known;
    if (inst->encoding == GCN_VOPC || gcn_op_info[inst->op].encoding == GCN_VOPC)
        return model_compare(l);
    if (gcn_op_info[inst->op].dst == GCN_T_V2F32 || gcn_op_info[inst->op].dst == GCN_T_V2B32)
        return packed_dwords(l);
    known = inst->encoding == GCN_VOP3P ? model_packed(l)
            : is_onto(inst->op)         ? model_onto(l)
                                        : model_integer(l) || model_float(l) || model_f16(l);
    model_round(0);
    if (known)
        output(l, gcn_op_info[inst->op].dst);
    return known;
}

/* Operations that move values between lanes and the scalar registers; EXEC does not matter to them. */
static bool lane_moves(struct model *m, const struct gcn_inst *inst)
{
    uint64_t exec = pair(m, GCN_EXEC_LO);
    unsigned lane = (unsigned)source(m, inst, 1, 0) & 63;
    switch (inst->op) {
    case GCN_OP_v_readlane_b32: m->s[inst->dst.index] = m->v[inst->src[0].index][lane]; return true;
    case GCN_OP_v_readfirstlane_b32:
        m->s[inst->dst.index] = m->v[inst->src[0].index][exec ? __builtin_ctzll(exec) : 0];
        return true;
    case GCN_OP_v_writelane_b32: m->v[inst->dst.index][lane] = (uint32_t)source(m, inst, 0, 0); return true;
    case GCN_OP_v_swap_b32:
        for (unsigned i = 0; i < MODEL_LANES; i++)
            if (exec >> i & 1) {
                uint32_t other = m->v[inst->src[0].index][i];
                m->v[inst->src[0].index][i] = m->v[inst->dst.index][i];
                m->v[inst->dst.index][i] = other;
            }
        return true;
    default: return inst->op == GCN_OP_v_nop || inst->op == GCN_OP_v_clrexcp;
    }
}

bool model_valu(struct model *m, const struct gcn_inst *inst)
{
    static struct model before;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    enum gcn_type type = info->dst;
    uint64_t exec = pair(m, GCN_EXEC_LO), bits = 0;
    m->ulps = m->absolute = 0;
    m->nan[0] = m->nan[1] = m->skip = 0;
    if (lane_moves(m, inst))
        return true;
    before = *m;
    for (unsigned lane = 0; lane < MODEL_LANES; lane++) {
        struct model_lane l = {.inst = inst, .m = m, .lane = lane};
        unsigned from;
        int use = dpp_lane(&before, inst, lane, &from);
        if (!(exec >> lane & 1) || !use)
            continue;
        l.a = use == 2 ? 0 : source(&before, inst, 0, from);
        if (use == 2 && inst->neg & 1)
            l.a = (u128)1 << (gcn_type_info[info->src[0]].bits - 1);
        l.b = source(&before, inst, 1, lane);
        l.c = is_mask_user(inst) ? 0 : source(&before, inst, 2, lane);
        for (unsigned i = 0; inst->dst.kind == GCN_VGPR && i < gcn_type_info[type].registers; i++)
            l.old |= (u128)before.v[inst->dst.index + i][lane] << (32 * i);
        if (is_mask_user(inst))
            l.carry = pair(&before, inst->src[2].index) >> lane & 1;
        else if (info->flags & GCN_F_VCC_R)
            l.carry = pair(&before, GCN_VCC_LO) >> lane & 1;
        if (!run_lane(&l))
            return false;
        bits |= (uint64_t)l.bit << lane;
        m->skip |= (uint64_t)l.skip << lane;
        m->nan[0] |= (uint64_t)l.nan << lane;
        m->nan[1] |= (uint64_t)l.nan_high << lane;
        u128 value = placed_result(&l, type);
        for (unsigned i = 0; inst->dst.kind == GCN_VGPR && i < gcn_type_info[type].registers; i++)
            m->v[inst->dst.index + i][lane] = (uint32_t)(value >> (32 * i));
    }
    if (inst->sdst.kind)
        set_pair(m, inst->sdst.index, bits);
    if (type == GCN_T_MASK)
        set_pair(m, inst->dst.index, bits);
    if (info->flags & GCN_F_EXEC_W)
        set_pair(m, GCN_EXEC_LO, bits);
    return true;
}
