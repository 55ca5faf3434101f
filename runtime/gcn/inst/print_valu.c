/* SPDX-License-Identifier: MIT */
/* Text form of vector ALU instructions. Input, output and invariant: print.c. */
#include "runtime/gcn/inst/print_p.h"

static const char *const sel_name[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};

/* " name:[a,b,...]" of the low COUNT bits. */
static void put_bits(struct gcn_text *t, const char *name, unsigned bits, unsigned count)
{
    gcn_put(t, " %s:[", name);
    for (unsigned i = 0; i < count; i++)
        gcn_put(t, "%s%u", i ? "," : "", bits >> i & 1);
    gcn_put(t, "]");
}

static void put_source(struct gcn_text *t, const struct gcn_inst *inst, unsigned slot)
{
    unsigned bit = 1u << slot;
    bool constant = inst->src[slot].kind == GCN_INLINE || inst->src[slot].kind == GCN_LITERAL;
    bool abs = inst->abs & bit, neg = inst->neg & bit && inst->encoding != GCN_VOP3P;
    bool sext = inst->variant == GCN_SDWA && inst->sdwa.sext & bit;
    if (inst->encoding == GCN_VOP3P && gcn_op_info[inst->op].src[0] == GCN_T_MIX)
        neg = inst->neg & bit;
    /* a minus sign before a constant would be taken for part of it */
    bool wrap = neg && constant && !abs;
    gcn_put(t, "%s%s%s", wrap ? "neg(" : neg ? "-" : "", abs ? "|" : "", sext ? "sext(" : "");
    gcn_put_source(t, inst, slot);
    gcn_put(t, "%s%s%s", sext ? ")" : "", abs ? "|" : "", wrap ? ")" : "");
}

static void put_attribute(struct gcn_text *t, const struct gcn_inst *inst)
{
    gcn_put(t, "attr%u.%c", inst->attr.attr, "xyzw"[inst->attr.chan]);
}

static void put_operands(struct gcn_text *t, const struct gcn_inst *inst)
{
    static const char *const param[] = {"p10", "p20", "p0"};
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    const char *separator = " ";
    if (info->dst != GCN_T_NIL) {
        gcn_put(t, " ");
        gcn_put_operand(t, inst->dst, info->dst, gcn_type_info[info->dst].registers, 0);
        separator = ", ";
    }
    if (inst->sdst.kind) {
        gcn_put(t, "%s", separator);
        gcn_put_operand(t, inst->sdst, GCN_T_MASK, 2, 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (i == 1 && info->flags & GCN_F_ATTR) {
            gcn_put(t, "%s", separator);
            put_attribute(t, inst);
        }
        if (inst->src[i].kind) {
            gcn_put(t, "%s", separator);
            put_source(t, inst, i);
            separator = ", ";
        } else if (i == 0 && info->flags & GCN_F_ATTR) {
            gcn_put(t, ", %s", param[inst->attr.param]);
        }
    }
}

static void put_output(struct gcn_text *t, const struct gcn_inst *inst)
{
    static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
    gcn_put(t, "%s%s", inst->clamp ? " clamp" : "", omod[inst->omod]);
}

static void put_sdwa(struct gcn_text *t, const struct gcn_inst *inst)
{
    static const char *const unused[] = {"PAD", "SEXT", "PRESERVE"};
    put_output(t, inst);
    if (inst->encoding != GCN_VOPC)
        gcn_put(t, " dst_sel:%s dst_unused:UNUSED_%s", sel_name[inst->sdwa.dst_sel], unused[inst->sdwa.dst_unused]);
    for (unsigned i = 0; i < 2 && gcn_op_info[inst->op].src[i] != GCN_T_NIL; i++)
        gcn_put(t, " src%u_sel:%s", i, sel_name[inst->sdwa.src_sel[i]]);
}

static void put_dpp(struct gcn_text *t, const struct gcn_inst *inst)
{
    static const char *const row[] = {"shl", "shr", "ror"};
    static const char *const wave[] = {"shl", "rol", "shr", "ror"};
    static const char *const whole[] = {"mirror", "half_mirror", "bcast:15", "bcast:31"};
    unsigned ctrl = inst->dpp.ctrl;
    if (ctrl < GCN_DPP_ROW_SHL)
        gcn_put(t, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6);
    else if (ctrl < GCN_DPP_WAVE_SHL)
        gcn_put(t, " row_%s:%u", row[ctrl >> 4 & 3], ctrl & 15);
    else if (ctrl >= GCN_DPP_ROW_NEWBCAST)
        gcn_put(t, " row_newbcast:%u", ctrl & 15);
    else if (ctrl < GCN_DPP_ROW_MIRROR)
        gcn_put(t, " wave_%s:1", wave[ctrl >> 2 & 3]);
    else
        gcn_put(t, " row_%s", whole[ctrl & 3]);
    gcn_put(t, " row_mask:0x%x bank_mask:0x%x%s", inst->dpp.row_mask, inst->dpp.bank_mask,
            inst->dpp.bound_ctrl ? " bound_ctrl:1" : "");
}

static void put_matrix(struct gcn_text *t, const struct gcn_inst *inst)
{
    if (inst->matrix.cbsz)
        gcn_put(t, " cbsz:%u", inst->matrix.cbsz);
    if (inst->matrix.abid)
        gcn_put(t, " abid:%u", inst->matrix.abid);
    if (inst->matrix.blgp)
        gcn_put(t, " blgp:%u", inst->matrix.blgp);
}

static void put_packed(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool mix = info->src[0] == GCN_T_MIX;
    unsigned count = info->src[2] != GCN_T_NIL ? 3 : 2;
    if (inst->op_sel)
        put_bits(t, "op_sel", inst->op_sel, count);
    if (inst->op_sel_hi != (mix ? 0 : (1u << count) - 1))
        put_bits(t, "op_sel_hi", inst->op_sel_hi, count);
    if (inst->neg && !mix)
        put_bits(t, "neg_lo", inst->neg, count);
    if (inst->neg_hi)
        put_bits(t, "neg_hi", inst->neg_hi, count);
    put_output(t, inst);
}

/* op_sel of VOP3: one element per source, then that of the destination. */
static void put_vop3_op_sel(struct gcn_text *t, const struct gcn_inst *inst)
{
    unsigned sources = gcn_op_info[inst->op].src[2] != GCN_T_NIL ? 3 : 2;
    unsigned low = inst->op_sel & ((1u << sources) - 1);
    if (inst->op_sel)
        put_bits(t, "op_sel", low | (inst->op_sel >> 3 & 1u) << sources, sources + 1);
}

static void put_export(struct gcn_text *t, const struct gcn_inst *inst)
{
    unsigned target = inst->exp.target;
    if (target < 8)
        gcn_put(t, " mrt%u", target);
    else if (target < 12)
        gcn_put(t, " %s", target == 8 ? "mrtz" : "null");
    else
        gcn_put(t, target < 32 ? " pos%u" : " param%u", target < 32 ? target - 12 : target - 32);
    for (unsigned i = 0; i < 4; i++) {
        gcn_put(t, i ? ", " : " ");
        if (inst->exp.en >> i & 1)
            gcn_put_operand(t, inst->src[inst->exp.compr ? i / 2 : i], GCN_T_B32, 1, 0);
        else
            gcn_put(t, "off");
    }
    gcn_put(t, "%s%s%s", inst->exp.done ? " done" : "", inst->exp.compr ? " compr" : "", inst->exp.vm ? " vm" : "");
}

void gcn_print_valu(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    if (inst->encoding == GCN_EXP) {
        put_export(t, inst);
        return;
    }
    put_operands(t, inst);
    if (inst->variant == GCN_SDWA) {
        put_sdwa(t, inst);
    } else if (inst->variant == GCN_DPP) {
        put_dpp(t, inst);
    } else if (info->flags & GCN_F_MATRIX) {
        put_matrix(t, inst);
    } else if (inst->encoding == GCN_VOP3P && !(info->flags & (GCN_F_ACC_S | GCN_F_ACC_D))) {
        put_packed(t, inst);
    } else {
        if (info->flags & GCN_F_ATTR && inst->attr.high)
            gcn_put(t, " high");
        if (info->flags & GCN_F_OPSEL)
            put_vop3_op_sel(t, inst);
        put_output(t, inst);
    }
}
