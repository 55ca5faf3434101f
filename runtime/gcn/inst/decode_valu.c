/* SPDX-License-Identifier: MIT */
/* Decoder of the vector ALU formats: VOP1, VOP2, VOPC with SDWA and DPP, VOP3, VOP3P, VINTRP, EXP.
 *
 * Input, output and invariant: decode.c. */
#include "runtime/gcn/inst/decode_p.h"

enum { SRC_SDWA = 249, SRC_DPP = 250 }; /* codes of src0 that announce a second dword */

static const struct gcn_operand vcc = {GCN_SGPR, GCN_VCC_LO};

static bool takes_sign(const struct gcn_op_info *info, unsigned slot)
{
    return gcn_type_info[info->src[slot]].kind == GCN_KIND_F ||
           (info->flags & GCN_F_SIGN && info->src[slot] != GCN_T_MASK && info->src[slot] != GCN_T_NIL);
}

/* Fills in the registers that the 32-bit encodings imply. */
static void fill_implied(struct gcn_decoder *c)
{
    if (c->info->flags & GCN_F_SDST)
        c->inst->sdst = vcc;
    if (c->info->src[2] == GCN_T_MASK)
        c->inst->src[2] = vcc;
}

static enum gcn_decode_status vector_dst(struct gcn_decoder *c, unsigned number)
{
    enum gcn_type type = c->info->dst;
    if (type == GCN_T_NIL)
        return number ? GCN_REJECT_RESERVED : GCN_DECODE_OK;
    if (c->info->flags & GCN_F_SGPR_D || type == GCN_T_MASK)
        return gcn_scalar_operand(number, gcn_type_info[type].registers, &c->inst->dst);
    return gcn_vector_operand(c, number, gcn_type_info[type].registers, &c->inst->dst);
}

static enum gcn_decode_status sdwa_source(struct gcn_decoder *c, unsigned slot, unsigned code)
{
    unsigned bits = c->w1 >> (16 + 8 * slot) & 255;
    unsigned sel = bits & 7, sext = bits >> 3 & 1, neg = bits >> 4 & 1, abs = bits >> 5 & 1;
    bool scalar = bits >> 7;
    if (c->info->src[slot] == GCN_T_NIL)
        return bits & ~0x40u ? GCN_REJECT_RESERVED : GCN_DECODE_OK;
    if (sel > GCN_SEL_DWORD)
        return GCN_REJECT_SDWA;
    if (takes_sign(c->info, slot) ? sext : neg | abs)
        return GCN_REJECT_MODIFIER;
    c->inst->sdwa.src_sel[slot] = (uint8_t)sel;
    c->inst->sdwa.sext |= (uint8_t)(sext << slot);
    c->inst->neg |= (uint8_t)(neg << slot);
    c->inst->abs |= (uint8_t)(abs << slot);
    return gcn_source_operand(c, slot, scalar ? code : code + 256, GCN_ALLOW_VALU);
}

static enum gcn_decode_status decode_sdwa(struct gcn_decoder *c, unsigned src1)
{
    struct gcn_inst *inst = c->inst;
    enum gcn_decode_status status;
    if (!c->have_w1)
        return GCN_REJECT_TRUNCATED;
    inst->size = 8;
    inst->variant = GCN_SDWA;
    if (!(c->info->flags & GCN_F_SDWA))
        return GCN_REJECT_SDWA;
    if (inst->encoding == GCN_VOPC) {
        inst->sdwa.dst_sel = GCN_SEL_DWORD;
        inst->dst = vcc;
        if (c->w1 >> 15 & 1) {
            status = gcn_scalar_operand(c->w1 >> 8 & 127, 2, &inst->dst);
            if (status)
                return status;
        }
    } else {
        inst->sdwa.dst_sel = c->w1 >> 8 & 7;
        inst->sdwa.dst_unused = c->w1 >> 11 & 3;
        inst->clamp = c->w1 >> 13 & 1;
        inst->omod = c->w1 >> 14 & 3;
        if (inst->sdwa.dst_sel > GCN_SEL_DWORD || inst->sdwa.dst_unused > GCN_UNUSED_PRESERVE)
            return GCN_REJECT_SDWA;
        if (inst->omod && gcn_type_info[c->info->dst].kind != GCN_KIND_F)
            return GCN_REJECT_MODIFIER;
    }
    status = sdwa_source(c, 0, c->w1 & 255);
    return status ? status : sdwa_source(c, 1, src1);
}

/* Operations on 64 bits, which take data-parallel primitives of one kind only. */
static bool is_wide(const struct gcn_op_info *info)
{
    return info->dst == GCN_T_F64 || info->src[0] == GCN_T_F64;
}

static bool is_dpp_ctrl(const struct gcn_decoder *c, unsigned ctrl)
{
    if (c->target->layout->unified && ctrl >= GCN_DPP_ROW_NEWBCAST && ctrl <= GCN_DPP_ROW_NEWBCAST + 15)
        return true;
    if (is_wide(c->info))
        return false;
    if (ctrl < GCN_DPP_WAVE_SHL)
        return ctrl < GCN_DPP_ROW_SHL || ctrl & 15;
    return ctrl < GCN_DPP_ROW_MIRROR ? !(ctrl & 3) : ctrl <= GCN_DPP_ROW_BCAST31;
}

static enum gcn_decode_status decode_dpp(struct gcn_decoder *c, unsigned src1)
{
    struct gcn_inst *inst = c->inst;
    unsigned sign = c->w1 >> 20 & 15; /* neg0 abs0 neg1 abs1 */
    enum gcn_decode_status status;
    if (!c->have_w1)
        return GCN_REJECT_TRUNCATED;
    inst->size = 8;
    inst->variant = GCN_DPP;
    if (!(c->info->flags & GCN_F_DPP) &&
        !(c->target->layout->unified && is_wide(c->info) && inst->encoding != GCN_VOPC))
        return GCN_REJECT_DPP;
    inst->dpp.ctrl = c->w1 >> 8 & 511;
    inst->dpp.bound_ctrl = c->w1 >> 19 & 1;
    inst->dpp.bank_mask = c->w1 >> 24 & 15;
    inst->dpp.row_mask = (uint8_t)(c->w1 >> 28);
    if (!is_dpp_ctrl(c, inst->dpp.ctrl))
        return GCN_REJECT_DPP;
    for (unsigned i = 0; i < 2; i++)
        if (sign >> (2 * i) & 3 && !takes_sign(c->info, i))
            return GCN_REJECT_MODIFIER;
    inst->neg = (uint8_t)((sign & 1) | (sign >> 1 & 2));
    inst->abs = (uint8_t)((sign >> 1 & 1) | (sign >> 2 & 2));
    status = gcn_source_operand(c, 0, (c->w1 & 255) + 256, GCN_ALLOW_VALU);
    if (!status && c->info->src[1] != GCN_T_NIL)
        status = gcn_source_operand(c, 1, src1 + 256, GCN_ALLOW_VALU);
    return status;
}

/* v_madmk: the literal is src1 and vsrc1 is src2; v_madak: the literal is src2. */
static enum gcn_decode_status decode_madk(struct gcn_decoder *c, unsigned src1)
{
    bool in_the_middle = c->inst->op == GCN_OP_v_madmk_f32 || c->inst->op == GCN_OP_v_madmk_f16;
    unsigned addend = in_the_middle ? 1 : 2, allow = GCN_ALLOW_VALU | GCN_ALLOW_LITERAL;
    enum gcn_decode_status status = gcn_source_operand(c, addend, 255, allow);
    if (!status)
        status = gcn_source_operand(c, 0, c->w0 & 511, allow);
    return status ? status : gcn_source_operand(c, 3 - addend, src1 + 256, allow);
}

enum gcn_decode_status gcn_decode_vop12c(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    unsigned opcode = c->w0 >> 25, src0 = c->w0 & 511, src1 = c->w0 >> 9 & 255, dst = c->w0 >> 17 & 255;
    enum gcn_decode_status status = GCN_DECODE_OK;
    inst->encoding = opcode == 62 ? GCN_VOPC : opcode == 63 ? GCN_VOP1 : GCN_VOP2;
    if (inst->encoding != GCN_VOP2)
        opcode = inst->encoding == GCN_VOPC ? dst : src1;
    if (!gcn_find_op(c, (enum gcn_encoding)inst->encoding, opcode))
        return GCN_REJECT_OPCODE;
    const struct gcn_op_info *info = c->info;
    if (inst->encoding == GCN_VOPC)
        inst->dst = vcc;
    else
        status = vector_dst(c, dst);
    if (status)
        return status;
    fill_implied(c);
    if (src0 == SRC_SDWA)
        return decode_sdwa(c, inst->encoding == GCN_VOP1 ? 0 : src1);
    if (src0 == SRC_DPP)
        return decode_dpp(c, src1);
    if (info->flags & GCN_F_LITERAL)
        return decode_madk(c, src1);
    if (info->src[0] != GCN_T_NIL)
        status = gcn_source_operand(
            c, 0, src0,
            info->flags & GCN_F_VSRC0 ? GCN_ALLOW_VECTOR | (info->flags & GCN_F_SGPR_D ? GCN_ALLOW_LDS : 0)
                                      : GCN_ALLOW_VALU | GCN_ALLOW_LITERAL);
    if (!status && info->src[1] != GCN_T_NIL && inst->encoding != GCN_VOP1)
        status = gcn_source_operand(c, 1, src1 + 256, GCN_ALLOW_VALU);
    if (info->flags & GCN_F_ACC_D) /* v_accvgpr_mov_b32 */
        gcn_accumulate(&inst->dst);
    if (info->flags & GCN_F_ACC_S)
        gcn_accumulate(&inst->src[0]);
    return status;
}

/* abs and neg of a VOP3 instruction, bit i for source i. */
static enum gcn_decode_status vop3_signs(struct gcn_decoder *c, unsigned abs, unsigned neg)
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned bit = 1u << i;
        if (!((abs | neg) & bit) || takes_sign(c->info, i))
            continue;
        /* in 16-bit integer operations with op_sel the bits exist but mean nothing */
        if (!(c->info->flags & GCN_F_OPSEL) || c->info->src[i] == GCN_T_NIL)
            return GCN_REJECT_MODIFIER;
        abs &= ~bit;
        neg &= ~bit;
    }
    c->inst->abs = (uint8_t)abs;
    c->inst->neg = (uint8_t)neg;
    return GCN_DECODE_OK;
}

static enum gcn_decode_status vop3_output(struct gcn_decoder *c)
{
    c->inst->clamp = c->w0 >> 15 & 1;
    c->inst->omod = c->w1 >> 27 & 3;
    if ((c->inst->clamp && !(c->info->flags & GCN_F_CLAMP)) || (c->inst->omod && !(c->info->flags & GCN_F_OMOD)))
        return GCN_REJECT_MODIFIER;
    return GCN_DECODE_OK;
}

/* Interpolation in VOP3: the field of src0 holds the attribute, and those of src1 and src2 the vector sources. */
static enum gcn_decode_status decode_vop3_interp(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    const struct gcn_op_info *info = c->info;
    unsigned abs = c->w0 >> 8 & 7, neg = c->w1 >> 29, code = c->w1 >> 9 & 511;
    bool is_f16 = info->encoding == GCN_VOP3;
    enum gcn_decode_status status = vop3_output(c);
    if ((abs | neg) & (info->src[0] == GCN_T_NIL ? 7 : info->src[2] == GCN_T_NIL ? 5 : 1))
        return GCN_REJECT_MODIFIER;
    if ((c->w1 >> 8 & 1 && !is_f16) || (info->src[2] == GCN_T_NIL && c->w1 >> 18 & 511))
        return GCN_REJECT_RESERVED;
    if (!status)
        status = vector_dst(c, c->w0 & 255);
    if (!status && info->src[0] != GCN_T_NIL)
        status = gcn_source_operand(c, 0, code, GCN_ALLOW_VECTOR);
    else if (!status && code > 2)
        return GCN_REJECT_SOURCE;
    if (!status && info->src[2] != GCN_T_NIL)
        status = gcn_source_operand(c, 2, c->w1 >> 18 & 511, GCN_ALLOW_VECTOR);
    inst->abs = (uint8_t)((abs >> 1 & 1) | (abs & 4));
    inst->neg = (uint8_t)((neg >> 1 & 1) | (neg & 4));
    inst->attr.attr = c->w1 & 63;
    inst->attr.chan = c->w1 >> 6 & 3;
    inst->attr.high = c->w1 >> 8 & 1;
    inst->attr.param = info->src[0] == GCN_T_NIL ? (uint8_t)code : 0;
    return status;
}

static enum gcn_decode_status decode_vop3p(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    bool three = c->info->src[2] != GCN_T_NIL, mix = c->info->src[0] == GCN_T_MIX;
    enum gcn_decode_status status = vector_dst(c, c->w0 & 255);
    inst->encoding = GCN_VOP3P;
    inst->neg_hi = c->w0 >> 8 & 7;
    inst->op_sel = c->w0 >> 11 & 7;
    inst->op_sel_hi = (uint8_t)((c->w1 >> 27 & 3) | (c->w0 >> 12 & 4));
    inst->neg = (uint8_t)(c->w1 >> 29);
    inst->clamp = c->w0 >> 15 & 1;
    if (!three && (inst->neg_hi | inst->op_sel | inst->neg) & 4)
        return GCN_REJECT_MODIFIER;
    if (!three)
        inst->op_sel_hi &= 3;
    if (mix) {
        inst->abs = inst->neg_hi;
        inst->neg_hi = 0;
    }
    for (unsigned i = 0; i < 3 && !status; i++) {
        unsigned code = c->w1 >> (9 * i) & 511;
        if (i < 2 || three)
            status = gcn_source_operand(c, i, code, GCN_ALLOW_VALU);
        else if (code)
            status = GCN_REJECT_RESERVED;
        if (mix && inst->op_sel_hi >> i & 1 && inst->src[i].kind == GCN_INLINE)
            inst->value[i] = gcn_inline_value(inst->src[i].index, GCN_T_F16);
    }
    return status;
}

static enum gcn_decode_status decode_matrix(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    enum gcn_decode_status status = vector_dst(c, c->w0 & 255);
    bool accumulates = !c->target->layout->unified || c->w0 >> 15 & 1;
    inst->encoding = GCN_VOP3P;
    inst->matrix.cbsz = c->w0 >> 8 & 7;
    inst->matrix.abid = c->w0 >> 11 & 15;
    inst->matrix.blgp = (uint8_t)(c->w1 >> 29);
    if (accumulates)
        gcn_accumulate(&inst->dst);
    for (unsigned i = 0; i < 3 && !status; i++) {
        unsigned code = c->w1 >> (9 * i) & 511;
        bool constant = code > 127 && code < 256;
        status = i < 2 || !constant ? gcn_source_operand(c, i, code, GCN_ALLOW_VECTOR)
                                    : gcn_source_operand(c, i, code, GCN_ALLOW_SCALAR);
        if (!status && inst->src[i].kind == GCN_SPECIAL)
            status = GCN_REJECT_SOURCE;
        if (i == 2 ? accumulates : c->w1 >> (27 + i) & 1)
            gcn_accumulate(&inst->src[i]);
    }
    return status;
}

/* Moves between vector and accumulation registers. */
static enum gcn_decode_status decode_accumulator_move(struct gcn_decoder *c)
{
    bool reads = c->info->flags & GCN_F_ACC_S;
    enum gcn_decode_status status = vector_dst(c, c->w0 & 255);
    c->inst->encoding = GCN_VOP3P;
    if (c->w0 & 0x3f00 || c->w1 & 0xe7fffe00)
        return GCN_REJECT_RESERVED;
    if (!status)
        status = gcn_source_operand(c, 0, c->w1 & 511, reads ? GCN_ALLOW_VECTOR : GCN_ALLOW_VECTOR | GCN_ALLOW_SCALAR);
    gcn_accumulate(reads ? &c->inst->src[0] : &c->inst->dst);
    return status;
}

static unsigned vop3_allow(const struct gcn_op_info *info, unsigned slot)
{
    enum gcn_type type = info->src[slot];
    if (type == GCN_T_B128 || (slot == 0 && info->flags & GCN_F_VSRC0))
        return GCN_ALLOW_VECTOR | GCN_ALLOW_LDS;
    if (type == GCN_T_LANE || (slot == 0 && info->flags & GCN_F_SSRC0))
        return GCN_ALLOW_SCALAR;
    return GCN_ALLOW_VALU;
}

static enum gcn_decode_status vop3_sources(struct gcn_decoder *c)
{
    enum gcn_decode_status status = GCN_DECODE_OK;
    for (unsigned i = 0; i < 3 && !status; i++) {
        unsigned code = c->w1 >> (9 * i) & 511;
        if (c->info->src[i] == GCN_T_NIL) {
            status = code ? GCN_REJECT_RESERVED : GCN_DECODE_OK;
        } else if (c->info->src[i] == GCN_T_MASK) {
            status = gcn_scalar_operand(code, 2, &c->inst->src[i]);
            if (code == GCN_EXEC_LO || status == GCN_REJECT_DEST)
                status = GCN_REJECT_SOURCE;
        } else {
            status = gcn_source_operand(c, i, code, vop3_allow(c->info, i));
        }
    }
    return status;
}

/* Finds the home encoding of an operation by its opcode in VOP3: of the encodings whose ranges begin at or before the
 * opcode, it is the one that begins last. The operations of VINTRP lie among those of VOP3. */
static bool find_vop3(struct gcn_decoder *c, unsigned opcode)
{
    static const enum gcn_encoding homes[] = {GCN_VOP3, GCN_VOP1, GCN_VOP2, GCN_VOPC};
    const uint16_t *first = c->target->layout->vop3;
    if (opcode >= first[GCN_VINTRP] && gcn_find_op(c, GCN_VINTRP, opcode - first[GCN_VINTRP]))
        return true;
    size_t i = 0;
    while (opcode < first[homes[i]])
        i++;
    return gcn_find_op(c, homes[i], opcode - first[homes[i]]) && (!i || c->info->flags & GCN_F_E64);
}

enum gcn_decode_status gcn_decode_vop3(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    unsigned opcode = c->w0 >> 16 & 1023;
    enum gcn_decode_status status;
    inst->encoding = GCN_VOP3;
    if (opcode >= c->target->layout->vop3[GCN_VOP3P])
        return !gcn_find_op(c, GCN_VOP3P, opcode - c->target->layout->vop3[GCN_VOP3P]) ? GCN_REJECT_OPCODE
               : c->info->flags & GCN_F_MATRIX                                         ? decode_matrix(c)
               : c->info->flags & (GCN_F_ACC_S | GCN_F_ACC_D)
                   ? decode_accumulator_move(c)
                   : decode_vop3p(c);
    if (!find_vop3(c, opcode))
        return GCN_REJECT_OPCODE;
    if (c->info->flags & GCN_F_ATTR)
        return decode_vop3_interp(c);
    status = vector_dst(c, c->w0 & 255);
    if (!status && c->info->flags & GCN_F_SDST)
        status = gcn_scalar_operand(c->w0 >> 8 & 127, 2, &inst->sdst);
    if (!status)
        status = vop3_signs(c, c->info->flags & GCN_F_SDST ? 0 : c->w0 >> 8 & 7, c->w1 >> 29);
    if (!status)
        status = vop3_output(c);
    if (!status)
        status = vop3_sources(c);
    if (c->info->flags & GCN_F_OPSEL) {
        inst->op_sel = c->w0 >> 11 & 15;
        if (c->info->src[2] == GCN_T_NIL && inst->op_sel & 4)
            return GCN_REJECT_MODIFIER;
    }
    return status;
}

enum gcn_decode_status gcn_decode_vintrp(struct gcn_decoder *c)
{
    enum gcn_decode_status status;
    c->inst->encoding = GCN_VINTRP;
    if (!gcn_find_op(c, GCN_VINTRP, c->w0 >> 16 & 3))
        return GCN_REJECT_OPCODE;
    status = vector_dst(c, c->w0 >> 18 & 255);
    c->inst->attr.attr = c->w0 >> 10 & 63;
    c->inst->attr.chan = c->w0 >> 8 & 3;
    if (!status && c->info->src[0] != GCN_T_NIL)
        return gcn_source_operand(c, 0, (c->w0 & 255) + 256, GCN_ALLOW_VECTOR);
    c->inst->attr.param = c->w0 & 255;
    return status || c->inst->attr.param <= 2 ? status : GCN_REJECT_SOURCE;
}

enum gcn_decode_status gcn_decode_exp(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    inst->encoding = GCN_EXP;
    if (!gcn_find_op(c, GCN_EXP, 0))
        return GCN_REJECT_OPCODE;
    inst->exp.en = c->w0 & 15;
    inst->exp.target = c->w0 >> 4 & 63;
    inst->exp.compr = c->w0 >> 10 & 1;
    inst->exp.done = c->w0 >> 11 & 1;
    inst->exp.vm = c->w0 >> 12 & 1;
    if ((inst->exp.target > 9 && inst->exp.target < 12) || (inst->exp.target > 15 && inst->exp.target < 32))
        return GCN_REJECT_DEST;
    for (unsigned i = 0; i < 4; i++) /* compressed: a register holds two components */
        if (inst->exp.compr ? i < 2 && inst->exp.en >> (2 * i) & 3 : inst->exp.en >> i & 1)
            inst->src[i] = (struct gcn_operand){GCN_VGPR, c->w1 >> (8 * i) & 255};
    return GCN_DECODE_OK;
}
