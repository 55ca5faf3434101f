/* SPDX-License-Identifier: MIT */
/* Decoder of the vector memory formats: DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF, MIMG.
 *
 * Input, output and invariant: decode.c. */
#include "runtime/gcn/inst/decode_p.h"

enum { SADDR_OFF = 127 };

/* Loads of at most a dword into a whole register can be directed to group memory instead. */
static bool can_load_to_lds(const struct gcn_op_info *info)
{
    return info->flags & GCN_F_LOAD && info->dst == GCN_T_B32 && !(info->flags & GCN_F_D16);
}

/* A vector operand of TYPE in an 8-bit field; a field that the operation does not use must be 0. */
static enum gcn_decode_status strict_vector(const struct gcn_decoder *c, unsigned number, enum gcn_type type,
                                            struct gcn_operand *to)
{
    unsigned registers = type == GCN_T_ADDR ? 1 : gcn_type_info[type].registers;
    if (type == GCN_T_NIL)
        return number ? GCN_REJECT_RESERVED : GCN_DECODE_OK;
    return gcn_vector_operand(c, number, registers, to);
}

/* Makes accumulation registers of the data if the target has the bit of the instruction, ACC, that asks for it. */
static void accumulate_data(const struct gcn_decoder *c, bool acc)
{
    if (!acc || !c->target->layout->unified)
        return;
    gcn_accumulate(&c->inst->dst);
    gcn_accumulate(&c->inst->src[1]);
    if (c->inst->encoding == GCN_DS)
        gcn_accumulate(&c->inst->src[c->info->flags & GCN_F_GDS ? 0 : 2]);
}

enum gcn_decode_status gcn_decode_ds(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    inst->encoding = GCN_DS;
    if (!gcn_find_op(c, GCN_DS, c->w0 >> 17 & 255))
        return GCN_REJECT_OPCODE;
    const struct gcn_op_info *info = c->info;
    bool no_gds = c->target->layout->unified && !(info->flags & GCN_F_GDS);
    if (c->w0 >> 16 & 1)
        inst->mem.flags = GCN_MEM_GDS;
    else if (info->flags & GCN_F_GDS)
        return GCN_REJECT_MODIFIER;
    bool lanes_only = inst->op == GCN_OP_ds_permute_b32 || inst->op == GCN_OP_ds_bpermute_b32;
    if (((lanes_only || no_gds) && inst->mem.flags) || (inst->op == GCN_OP_ds_nop && c->w0 & 0x1ffff))
        return GCN_REJECT_MODIFIER;
    inst->mem.offset0 = c->w0 & 255;
    inst->mem.offset1 = c->w0 >> 8 & 255;
    inst->mem.offset = info->flags & GCN_F_OFFSET2 ? 0 : (int32_t)(c->w0 & 0xffff);
    enum gcn_decode_status status = strict_vector(c, c->w1 >> 24, info->dst, &inst->dst);
    for (unsigned i = 0; i < 3 && !status; i++)
        status = strict_vector(c, c->w1 >> (8 * i) & 255, info->src[i], &inst->src[i]);
    accumulate_data(c, c->w0 >> 25 & 1);
    return status;
}

/* The address operands of GLOBAL and SCRATCH: a vector, a scalar, or for GLOBAL both. */
static enum gcn_decode_status flat_address(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    unsigned saddr = c->w1 >> 16 & 127, vaddr = c->w1 & 255;
    enum gcn_decode_status status = GCN_DECODE_OK;
    if (inst->encoding == GCN_FLAT) {
        if (saddr || inst->mem.offset < 0)
            return GCN_REJECT_RESERVED;
        return gcn_vector_operand(c, vaddr, 2, &inst->src[0]);
    }
    if (saddr != SADDR_OFF)
        status = gcn_scalar_operand(saddr, inst->encoding == GCN_GLOBAL ? 2 : 1, &inst->src[2]);
    if (!status && (saddr == SADDR_OFF || inst->encoding == GCN_GLOBAL))
        status =
            gcn_vector_operand(c, vaddr, saddr == SADDR_OFF && inst->encoding == GCN_GLOBAL ? 2 : 1, &inst->src[0]);
    return status;
}

enum gcn_decode_status gcn_decode_flat(struct gcn_decoder *c)
{
    static const uint8_t segment[] = {GCN_FLAT, GCN_SCRATCH, GCN_GLOBAL};
    struct gcn_inst *inst = c->inst;
    unsigned seg = c->w0 >> 14 & 3;
    if (seg > 2)
        return GCN_REJECT_FORMAT;
    inst->encoding = segment[seg];
    if (!gcn_find_op(c, GCN_FLAT, c->w0 >> 18 & 127) ||
        (inst->encoding == GCN_SCRATCH && !(c->info->flags & GCN_F_SCRATCH)) ||
        (inst->encoding == GCN_FLAT && c->info->flags & GCN_F_GLOBAL))
        return GCN_REJECT_OPCODE;
    const struct gcn_op_info *info = c->info;
    inst->mem.offset = (int32_t)(c->w0 << 19) >> 19;
    bool unified = c->target->layout->unified, last = c->w1 >> 23 & 1, coherent = unified && c->w0 >> 25 & 1;
    inst->mem.flags = (uint16_t)((c->w0 >> 16 & 1 ? GCN_MEM_GLC : 0) | (c->w0 >> 17 & 1 ? GCN_MEM_SLC : 0) |
                                 (last && !unified ? GCN_MEM_NV : 0) | (coherent ? GCN_MEM_SCC : 0));
    if (c->w0 >> 13 & 1) {
        if (inst->encoding == GCN_FLAT || !can_load_to_lds(info) || last)
            return GCN_REJECT_MODIFIER;
        inst->mem.flags |= GCN_MEM_LDS;
    }
    enum gcn_decode_status status = flat_address(c);
    if (gcn_refuses_flags(c))
        return GCN_REJECT_MODIFIER;
    if (info->flags & GCN_F_GLOBAL && c->w0 >> 25 & 1 && !unified) /* has no meaning elsewhere */
        return GCN_REJECT_RESERVED;
    bool returns = info->flags & GCN_F_ATOMIC ? inst->mem.flags & GCN_MEM_GLC : info->dst != GCN_T_NIL;
    if (!status && returns && !(inst->mem.flags & GCN_MEM_LDS))
        status = gcn_vector_operand(c, c->w1 >> 24, gcn_type_info[info->dst].registers, &inst->dst);
    if (!status && info->src[1] != GCN_T_NIL)
        status = gcn_vector_operand(c, c->w1 >> 8 & 255, gcn_type_info[info->src[1]].registers, &inst->src[1]);
    accumulate_data(c, last);
    return status;
}

static enum gcn_decode_status buffer_soffset(struct gcn_decoder *c, unsigned code)
{
    struct gcn_operand *to = &c->inst->src[3];
    if (code < GCN_SCALAR_COUNT)
        return gcn_scalar_operand(code, 1, to);
    if (code <= 208 || (code >= 240 && code <= 248)) {
        *to = (struct gcn_operand){GCN_INLINE, (uint8_t)code};
        c->inst->mem.soffset = (uint32_t)gcn_inline_value(code, GCN_T_B32);
    } else if ((code >= GCN_SRC_SHARED_BASE && code <= GCN_SRC_POPS_EXITING_WAVE_ID) ||
               (code >= GCN_SRC_VCCZ && code <= GCN_SRC_SCC)) {
        *to = (struct gcn_operand){GCN_SPECIAL, (uint8_t)code};
    } else {
        return code == 255 ? GCN_REJECT_LITERAL : GCN_REJECT_SOURCE;
    }
    return GCN_DECODE_OK;
}

static enum gcn_decode_status buffer_data(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    const struct gcn_op_info *info = c->info;
    bool fault_status = inst->mem.flags & GCN_MEM_TFE;
    enum gcn_type type = info->src[1] != GCN_T_NIL ? info->src[1] : info->dst;
    struct gcn_operand data = {0};
    if (inst->mem.flags & GCN_MEM_LDS)
        return fault_status ? GCN_REJECT_MODIFIER : GCN_DECODE_OK;
    if (gcn_refuses_flags(c))
        return GCN_REJECT_MODIFIER;
    if (fault_status && (info->flags & GCN_F_ATOMIC || inst->encoding == GCN_MTBUF))
        return GCN_REJECT_MODIFIER;
    enum gcn_decode_status status =
        gcn_vector_operand(c, c->w1 >> 8 & 255, gcn_type_info[type].registers + fault_status, &data);
    if (info->src[1] != GCN_T_NIL)
        inst->src[1] = data;
    if (info->flags & GCN_F_ATOMIC ? inst->mem.flags & GCN_MEM_GLC : info->dst != GCN_T_NIL)
        inst->dst = data;
    return status;
}

/* Flags of MUBUF, and whether the operation takes them. */
static enum gcn_decode_status buffer_flags(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    bool typed = inst->encoding == GCN_MTBUF;
    unsigned addressing = c->w0 >> 12 & 3;
    bool unified = c->target->layout->unified, glc = c->w0 >> 14 & 1, lds = !typed && c->w0 >> 16 & 1;
    bool tfe = !unified && c->w1 >> 23 & 1, scc = unified && (typed ? c->w1 >> 21 : c->w0 >> 15) & 1;
    bool slc = typed ? c->w1 >> 22 & 1 : c->w0 >> 17 & 1;
    inst->mem.flags = (uint16_t)((addressing & 1 ? GCN_MEM_OFFEN : 0) | (addressing & 2 ? GCN_MEM_IDXEN : 0) |
                                 (glc ? GCN_MEM_GLC : 0) | (lds ? GCN_MEM_LDS : 0) | (slc ? GCN_MEM_SLC : 0) |
                                 (tfe ? GCN_MEM_TFE : 0) | (scc ? GCN_MEM_SCC : 0));
    if (c->info->src[2] == GCN_T_NIL) /* cache control */
        return addressing || (glc && c->inst->op != GCN_OP_buffer_wbl2) || lds || c->w1 >> 23 & 1 ||
                       (c->w0 >> 15 & 1 && c->inst->op != GCN_OP_buffer_wbl2)
                   ? GCN_REJECT_RESERVED
                   : GCN_DECODE_OK;
    if (c->inst->op == GCN_OP_buffer_store_lds_dword)
        return !lds || addressing || (unified && c->w1 >> 23 & 1) ? GCN_REJECT_MODIFIER : GCN_DECODE_OK;
    return lds && (!can_load_to_lds(c->info) || (unified && c->w1 >> 23 & 1)) ? GCN_REJECT_MODIFIER : GCN_DECODE_OK;
}

enum gcn_decode_status gcn_decode_buffer(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    bool typed = c->w0 >> 26 == 58;
    inst->encoding = typed ? GCN_MTBUF : GCN_MUBUF;
    if (!gcn_find_op(c, (enum gcn_encoding)inst->encoding, typed ? c->w0 >> 15 & 15 : c->w0 >> 18 & 127))
        return GCN_REJECT_OPCODE;
    enum gcn_decode_status status = buffer_flags(c);
    if (status || c->info->src[2] == GCN_T_NIL)
        return status;
    inst->mem.offset = c->w0 & 0xfff;
    if (typed) {
        inst->mem.dfmt = c->w0 >> 19 & 15;
        inst->mem.nfmt = c->w0 >> 23 & 7;
    }
    unsigned addresses = (inst->mem.flags & GCN_MEM_OFFEN ? 1u : 0) + (inst->mem.flags & GCN_MEM_IDXEN ? 1u : 0);
    status = buffer_data(c);
    if (!status && addresses)
        status = gcn_vector_operand(c, c->w1 & 255, addresses, &inst->src[0]);
    if (!status)
        status = gcn_scalar_operand(c->w1 >> 14 & 124, 4, &inst->src[2]);
    accumulate_data(c, c->w1 >> 23 & 1);
    return status ? status : buffer_soffset(c, c->w1 >> 24);
}

enum gcn_decode_status gcn_decode_mimg(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    inst->encoding = GCN_MIMG;
    if (c->w0 & 1 || !gcn_find_op(c, GCN_MIMG, c->w0 >> 18 & 127))
        return GCN_REJECT_OPCODE;
    const struct gcn_op_info *info = c->info;
    bool unified = c->target->layout->unified;
    inst->mem.dmask = c->w0 >> 8 & 15;
    inst->mem.flags =
        (uint16_t)((c->w0 >> 12 & 1 ? GCN_MEM_UNORM : 0) | (c->w0 >> 13 & 1 ? GCN_MEM_GLC : 0) |
                   (c->w0 >> 14 & 1 ? GCN_MEM_DA : 0) | (c->w0 >> 15 & 1 ? GCN_MEM_A16 : 0) |
                   (c->w0 >> 16 & 1 && !unified ? GCN_MEM_TFE : 0) | (c->w0 >> 17 & 1 ? GCN_MEM_LWE : 0) |
                   (c->w0 >> 25 & 1 ? GCN_MEM_SLC : 0) | (unified && c->w0 >> 7 & 1 ? GCN_MEM_SCC : 0) |
                   (c->w1 >> 31 ? GCN_MEM_D16 : 0));
    unsigned registers = gcn_image_data_registers(inst);
    struct gcn_operand data = {0};
    if (!registers || (inst->mem.flags & GCN_MEM_D16 && !(info->flags & GCN_F_MD16)))
        return GCN_REJECT_MODIFIER;
    enum gcn_decode_status status = gcn_vector_operand(c, c->w1 >> 8 & 255, registers, &data);
    if (info->src[1] != GCN_T_NIL)
        inst->src[1] = data;
    if (info->flags & GCN_F_ATOMIC ? inst->mem.flags & GCN_MEM_GLC : info->dst != GCN_T_NIL)
        inst->dst = data;
    if (!status)
        status = gcn_vector_operand(c, c->w1 & 255, gcn_type_info[info->src[0]].registers, &inst->src[0]);
    if (!status)
        status = gcn_scalar_operand(c->w1 >> 14 & 124, 8, &inst->src[2]);
    if (!status && info->flags & GCN_F_SAMPLER)
        status = gcn_scalar_operand(c->w1 >> 19 & 124, 4, &inst->src[3]);
    else if (!status && c->w1 >> 21 & 31)
        status = GCN_REJECT_RESERVED;
    accumulate_data(c, c->w0 >> 16 & 1);
    return status;
}
