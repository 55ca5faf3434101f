/* SPDX-License-Identifier: MIT */
/* Decoder of machine code of the GFX9 kind: the entry point, scalar formats and what all formats share.
 *
 * Input: untrusted bytes. Output: struct gcn_inst with every operand resolved, or the reason why they are
 * refused. No byte at or after SIZE is read. What the hardware ignores is ignored, and what it reserves is refused, as
 * by LLVM's disassembler; testsuite/gcn/decode_test.c lists the differences. */
#include "runtime/gcn/inst/decode.h"

#include "runtime/gcn/inst/decode_p.h"
#include "support/bytes.h"

static const char *const reason_text[GCN_DECODE_STATUS_COUNT] = {
    [GCN_DECODE_OK] = "",
#define REJECT(id, text) [GCN_REJECT_##id] = text,
#include "runtime/gcn/tables/reject.def"
#undef REJECT
};

const char *gcn_decode_reason(enum gcn_decode_status status)
{
    return (unsigned)status < GCN_DECODE_STATUS_COUNT ? reason_text[status] : "";
}

enum gcn_decode_status gcn_scalar_operand(unsigned code, unsigned registers, struct gcn_operand *to)
{
    bool trap = code >= GCN_TTMP0 && code <= GCN_TTMP15;
    if (code >= GCN_SCALAR_COUNT)
        return GCN_REJECT_DEST;
    if (registers == 2) {
        if (code < GCN_FLAT_SCRATCH_LO || trap)
            code &= ~1u;
        else if (code != GCN_NULL && (code & 1 || code == GCN_M0))
            return GCN_REJECT_REGISTERS;
    } else if (registers > 2 && code != GCN_NULL) {
        if (code >= GCN_FLAT_SCRATCH_LO && !trap)
            return GCN_REJECT_REGISTERS;
        code &= ~3u;
        if (code + registers > (trap ? GCN_TTMP15 + 1u : GCN_FLAT_SCRATCH_HI + 1u))
            return GCN_REJECT_REGISTERS;
    }
    *to = (struct gcn_operand){GCN_SGPR, (uint8_t)code};
    return GCN_DECODE_OK;
}

enum gcn_decode_status gcn_vector_operand(const struct gcn_decoder *c, unsigned number, unsigned registers,
                                          struct gcn_operand *to)
{
    if (number + registers > 256)
        return GCN_REJECT_REGISTERS;
    if (c->target->layout->unified && registers > 1 && number & 1)
        return GCN_REJECT_ALIGNMENT;
    *to = (struct gcn_operand){GCN_VGPR, (uint8_t)number};
    return GCN_DECODE_OK;
}

void gcn_accumulate(struct gcn_operand *operand)
{
    if (operand->kind == GCN_VGPR)
        operand->kind = GCN_AGPR;
}

uint64_t gcn_inline_value(unsigned code, enum gcn_type type)
{
    static const uint16_t f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
    static const uint32_t f32[] = {
        0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
    static const uint64_t f64[] = {
        0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x4000000000000000,
        0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
    bool wide = gcn_has_wide_constants(type);
    if (code <= 208) {
        int64_t number = code <= 192 ? (int64_t)code - 128 : 192 - (int64_t)code;
        return wide ? (uint64_t)number : (uint32_t)number;
    }
    if (wide)
        return f64[code - 240];
    return type == GCN_T_F16 || type == GCN_T_V2F16 ? f16[code - 240] : f32[code - 240];
}

static enum gcn_decode_status literal(struct gcn_decoder *c, unsigned slot, enum gcn_type type)
{
    if (!c->have_w1)
        return GCN_REJECT_TRUNCATED;
    uint64_t value = c->w1;
    if (type == GCN_T_F64)
        value <<= 32;
    else if (type == GCN_T_I64)
        value = (uint64_t)(int64_t)(int32_t)c->w1;
    c->inst->src[slot] = (struct gcn_operand){GCN_LITERAL, 255};
    c->inst->value[slot] = value;
    c->inst->size = 8;
    return GCN_DECODE_OK;
}

enum gcn_decode_status gcn_source_operand(struct gcn_decoder *c, unsigned slot, unsigned code, unsigned allow)
{
    enum gcn_type type = c->info->src[slot];
    unsigned registers = gcn_type_info[type].registers;
    struct gcn_operand *to = &c->inst->src[slot];
    enum gcn_decode_status status = GCN_DECODE_OK;
    if (code >= 256)
        status = allow & GCN_ALLOW_VECTOR ? gcn_vector_operand(c, code - 256, registers, to) : GCN_REJECT_SOURCE;
    else if (code == GCN_SRC_LDS_DIRECT)
        status = allow & GCN_ALLOW_LDS && registers == 1 ? GCN_DECODE_OK : GCN_REJECT_SOURCE;
    else if (!(allow & GCN_ALLOW_SCALAR))
        return GCN_REJECT_SOURCE;
    else if (code < GCN_SCALAR_COUNT)
        return gcn_scalar_operand(code, registers, to);
    else if (code == 255)
        return allow & GCN_ALLOW_LITERAL ? literal(c, slot, type) : GCN_REJECT_LITERAL;
    if (code >= 256 || status)
        return status;
    if (code <= 208 || (code >= 240 && code <= 248)) {
        *to = (struct gcn_operand){GCN_INLINE, (uint8_t)code};
        c->inst->value[slot] = gcn_inline_value(code, type);
    } else if ((code >= GCN_SRC_SHARED_BASE && code <= GCN_SRC_POPS_EXITING_WAVE_ID) ||
               (code >= GCN_SRC_VCCZ && code <= GCN_SRC_LDS_DIRECT)) {
        *to = (struct gcn_operand){GCN_SPECIAL, (uint8_t)code};
    } else {
        return GCN_REJECT_SOURCE;
    }
    return GCN_DECODE_OK;
}

bool gcn_find_op(struct gcn_decoder *c, enum gcn_encoding encoding, unsigned opcode)
{
    unsigned op = opcode < GCN_OPCODES ? c->target->op_of[encoding][opcode] : 0;
    if (!op)
        return false;
    c->inst->op = (uint16_t)(op - 1);
    c->info = &gcn_op_info[op - 1];
    return true;
}

static enum gcn_decode_status decode_sop12c(struct gcn_decoder *c)
{
    enum gcn_decode_status status = GCN_DECODE_OK;
    unsigned immediate = c->w0 >> 8 & 255;
    if (c->info->dst != GCN_T_NIL)
        status = gcn_scalar_operand(c->w0 >> 16 & 127, gcn_type_info[c->info->dst].registers, &c->inst->dst);
    for (unsigned i = 0; i < 2 && !status; i++)
        if (c->info->src[i] != GCN_T_NIL)
            status = gcn_source_operand(c, i, c->w0 >> (8 * i) & 255, GCN_ALLOW_SCALAR | GCN_ALLOW_LITERAL);
    if (!status && c->info->flags & GCN_F_REG0 && c->inst->src[0].kind != GCN_SGPR)
        status = GCN_REJECT_SOURCE;
    if (c->info->flags & GCN_F_IMM) /* s_set_gpr_idx_on */
        c->inst->imm = (int32_t)immediate;
    return status;
}

static enum gcn_decode_status decode_sopk(struct gcn_decoder *c)
{
    unsigned code = c->w0 >> 16 & 127;
    c->inst->imm = (int16_t)c->w0;
    if (c->info->flags & GCN_F_LITERAL)
        return literal(c, 0, c->info->src[0]);
    if (c->info->dst != GCN_T_NIL)
        return gcn_scalar_operand(code, gcn_type_info[c->info->dst].registers, &c->inst->dst);
    return gcn_source_operand(c, 0, code, GCN_ALLOW_SCALAR);
}

static enum gcn_decode_status decode_sopp(struct gcn_decoder *c)
{
    c->inst->imm = (int16_t)c->w0;
    return c->inst->imm && !(c->info->flags & (GCN_F_IMM | GCN_F_BRANCH)) ? GCN_REJECT_RESERVED : GCN_DECODE_OK;
}

static enum gcn_decode_status decode_smem(struct gcn_decoder *c)
{
    struct gcn_inst *inst = c->inst;
    const struct gcn_op_info *info = c->info;
    bool immediate = c->w0 >> 17 & 1, and_register = c->w0 >> 14 & 1;
    enum gcn_decode_status status = GCN_DECODE_OK;
    enum gcn_type data = info->dst != GCN_T_NIL && !(info->flags & GCN_F_ATOMIC) ? info->dst : info->src[1];
    struct gcn_operand operand = {0};
    if (data != GCN_T_NIL) {
        unsigned code = c->w0 >> 6 & 127;
        status = gcn_scalar_operand(code, gcn_type_info[data].registers, &operand);
        if (code == GCN_M0 || code >= GCN_EXEC_LO)
            status = GCN_REJECT_DEST;
        if (info->src[1] != GCN_T_NIL)
            inst->src[1] = operand;
    }
    if (c->w0 >> 16 & 1)
        inst->mem.flags |= GCN_MEM_GLC;
    if (c->w0 >> 15 & 1)
        inst->mem.flags |= GCN_MEM_NV;
    if (info->dst != GCN_T_NIL && (!(info->flags & GCN_F_ATOMIC) || inst->mem.flags & GCN_MEM_GLC))
        inst->dst = operand;
    if (info->flags & GCN_F_IMM) /* s_atc_probe */
        inst->imm = c->w0 >> 6 & 127;
    if (info->src[0] == GCN_T_NIL)
        return status || !immediate ? status : GCN_REJECT_RESERVED;
    if (!status)
        status = gcn_scalar_operand(2 * (c->w0 & 63), gcn_type_info[info->src[0]].registers, &inst->src[0]);
    inst->mem.has_offset = immediate;
    if (immediate)
        inst->mem.offset = (int32_t)(c->w1 << 11) >> 11;
    if (!status && and_register)
        status = gcn_scalar_operand(c->w1 >> 25, 1, &inst->src[3]);
    else if (!status && !immediate)
        status = gcn_scalar_operand(c->w1 & 127, 1, &inst->src[3]);
    return status;
}

static enum gcn_decode_status decode_scalar(struct gcn_decoder *c)
{
    unsigned opcode = c->w0 >> 23 & 127;
    enum gcn_encoding encoding = GCN_SOP2;
    if (opcode == 125)
        encoding = GCN_SOP1, opcode = c->w0 >> 8 & 255;
    else if (opcode == 126)
        encoding = GCN_SOPC, opcode = c->w0 >> 16 & 127;
    else if (opcode == 127)
        encoding = GCN_SOPP, opcode = c->w0 >> 16 & 127;
    else if (opcode >= 96)
        encoding = GCN_SOPK, opcode -= 96;
    c->inst->encoding = (uint8_t)encoding;
    if (!gcn_find_op(c, encoding, opcode))
        return GCN_REJECT_OPCODE;
    return encoding == GCN_SOPP ? decode_sopp(c) : encoding == GCN_SOPK ? decode_sopk(c) : decode_sop12c(c);
}

static enum gcn_decode_status decode_long(struct gcn_decoder *c)
{
    switch (c->w0 >> 26) {
    case 48:
        c->inst->encoding = GCN_SMEM;
        return gcn_find_op(c, GCN_SMEM, c->w0 >> 18 & 255) ? decode_smem(c) : GCN_REJECT_OPCODE;
    case 49: return gcn_decode_exp(c);
    case 52: return gcn_decode_vop3(c);
    case 54: return gcn_decode_ds(c);
    case 55: return gcn_decode_flat(c);
    case 56:
    case 58: return gcn_decode_buffer(c);
    case 60: return gcn_decode_mimg(c);
    default: return GCN_REJECT_FORMAT;
    }
}

enum gcn_decode_status gcn_decode(const struct gcn_target *target, const void *bytes, size_t size,
                                  struct gcn_inst *inst)
{
    struct gcn_decoder c = {.target = target, .inst = inst};
    enum gcn_decode_status status;
    memset(inst, 0, sizeof *inst);
    if (size < 4)
        return GCN_REJECT_TRUNCATED;
    c.w0 = load32(bytes);
    c.have_w1 = size >= 8;
    c.w1 = c.have_w1 ? load32((const char *)bytes + 4) : 0;
    inst->size = 4;
    if (c.w0 >> 31 == 0) {
        status = gcn_decode_vop12c(&c);
    } else if (c.w0 >> 30 == 2) {
        status = decode_scalar(&c);
    } else if (c.w0 >> 26 == 53) {
        status = gcn_decode_vintrp(&c);
    } else {
        inst->size = c.have_w1 ? 8 : 4;
        status = c.have_w1 ? decode_long(&c) : GCN_REJECT_TRUNCATED;
    }
    if (status) {
        uint8_t skip = inst->size;
        memset(inst, 0, sizeof *inst);
        inst->size = skip;
    }
    return status;
}
