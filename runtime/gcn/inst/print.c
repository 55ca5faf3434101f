/* SPDX-License-Identifier: MIT */
/* Text form of decoded instructions: mnemonic, register and constant operands, scalar formats.
 *
 * Input: an instruction as gcn_decode() leaves it. Output: the text that LLVM's disassembler prints for its
 * bytes. Only the tables are looked up, and the buffer is never overrun. */
#include "runtime/gcn/inst/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/gcn/inst/print_p.h"

void gcn_put(struct gcn_text *t, const char *format, ...)
{
    va_list args;
    size_t room = t->length < t->size ? t->size - t->length : 0;
    va_start(args, format);
    int n = vsnprintf(room ? t->buf + t->length : NULL, room, format, args);
    va_end(args);
    if (n > 0)
        t->length += (size_t)n;
}

void gcn_put_registers(struct gcn_text *t, const char *file, unsigned first, unsigned registers)
{
    if (registers <= 1)
        gcn_put(t, "%s%u", file, first);
    else
        gcn_put(t, "%s[%u:%u]", file, first, first + registers - 1);
}

static void put_scalar(struct gcn_text *t, unsigned code, unsigned registers)
{
    static const char *const pair[] = {"flat_scratch", "xnack_mask", "vcc"};
    if (code < GCN_FLAT_SCRATCH_LO)
        gcn_put_registers(t, "s", code, registers);
    else if (code <= GCN_VCC_HI)
        gcn_put(t, "%s%s", pair[(code - GCN_FLAT_SCRATCH_LO) / 2], registers > 1 ? "" : code & 1 ? "_hi" : "_lo");
    else if (code <= GCN_TTMP15)
        gcn_put_registers(t, "ttmp", code - GCN_TTMP0, registers);
    else if (code == GCN_M0 || code == GCN_NULL)
        gcn_put(t, "%s", code == GCN_M0 ? "m0" : "null");
    else
        gcn_put(t, "exec%s", registers > 1 ? "" : code & 1 ? "_hi" : "_lo");
}

static void put_special(struct gcn_text *t, unsigned code)
{
    static const char *const aperture[] = {
        "shared_base", "shared_limit", "private_base", "private_limit", "pops_exiting_wave_id"};
    static const char *const state[] = {"vccz", "execz", "scc", "lds_direct"};
    gcn_put(t, "src_%s", code >= GCN_SRC_VCCZ ? state[code - GCN_SRC_VCCZ] : aperture[code - GCN_SRC_SHARED_BASE]);
}

/* Spelling of the floating-point inline constants, and their patterns. */
static const struct {
    const char *text;
    uint32_t f32;
    uint16_t f16;
} float_constant[] = {
    {"0.5", 0x3f000000, 0x3800},  {"-0.5", 0xbf000000, 0xb800}, {"1.0", 0x3f800000, 0x3c00},
    {"-1.0", 0xbf800000, 0xbc00}, {"2.0", 0x40000000, 0x4000},  {"-2.0", 0xc0000000, 0xc000},
    {"4.0", 0x40800000, 0x4400},  {"-4.0", 0xc0800000, 0xc400}, {"0.15915494", 0x3e22f983, 0x3118},
};

enum { INLINE_FLOAT = 240 };

/* 16-bit integer operands, whose floating-point inline constants are printed as f16 patterns. */
static bool is_int16(enum gcn_type type)
{
    return type == GCN_T_B16 || type == GCN_T_U16 || type == GCN_T_I16;
}

static void put_inline(struct gcn_text *t, unsigned code, enum gcn_type type)
{
    if (code <= 208)
        gcn_put(t, "%d", code <= 192 ? (int)code - 128 : 192 - (int)code);
    else if (is_int16(type))
        gcn_put(t, "0x%x", (unsigned)float_constant[code - INLINE_FLOAT].f16);
    else if (code == 248 && gcn_has_wide_constants(type))
        gcn_put(t, "0.15915494309189532");
    else
        gcn_put(t, "%s", float_constant[code - INLINE_FLOAT].text);
}

/* A literal is the high half of a double. */
static void put_double(struct gcn_text *t, uint64_t value)
{
    static const char *const text[] = {"0.5", "1.0", "2.0", "4.0"};
    uint64_t exponent = value >> 52 & 0x7ff;
    if (!value)
        gcn_put(t, "0");
    else if (exponent >= 1022 && exponent <= 1025 && !(value << 12))
        gcn_put(t, "%s%s", value >> 63 ? "-" : "", text[exponent - 1022]);
    else
        gcn_put(t, "0x%x", (unsigned)(value >> 32));
}

static void put_literal(struct gcn_text *t, uint64_t value, enum gcn_type type)
{
    if (type == GCN_T_F64) {
        put_double(t, value);
        return;
    }
    if (gcn_type_info[type].bits == 64) {
        gcn_put(t, (uint32_t)value <= 64 ? "%u" : "0x%x", (uint32_t)value);
        return;
    }
    /* of 16-bit operands, LLVM looks at the low half alone only if they are f16 */
    bool f16 = type == GCN_T_F16;
    int32_t number = f16 ? (int16_t)value : (int32_t)value;
    if (number >= -16 && number <= 64) {
        gcn_put(t, "%d", (int)number);
        return;
    }
    bool pair = type == GCN_T_V2F16; /* LLVM looks at the whole of it */
    uint32_t whole = f16 ? (uint16_t)value : (uint32_t)value;
    for (unsigned i = 0; i < sizeof float_constant / sizeof *float_constant; i++)
        if (whole == (f16 || pair ? float_constant[i].f16 : float_constant[i].f32)) {
            gcn_put(t, "%s", float_constant[i].text);
            return;
        }
    gcn_put(t, "0x%x", gcn_type_info[type].bits == 16 ? (unsigned)(uint16_t)value : (unsigned)value);
}

void gcn_put_operand(struct gcn_text *t, struct gcn_operand operand, enum gcn_type type, unsigned registers,
                     uint64_t value)
{
    switch ((enum gcn_operand_kind)operand.kind) {
    case GCN_NONE: gcn_put(t, "off"); break;
    case GCN_VGPR: gcn_put_registers(t, "v", operand.index, registers); break;
    case GCN_AGPR: gcn_put_registers(t, "a", operand.index, registers); break;
    case GCN_SGPR: put_scalar(t, operand.index, registers); break;
    case GCN_SPECIAL: put_special(t, operand.index); break;
    case GCN_INLINE: put_inline(t, operand.index, type); break;
    case GCN_LITERAL: put_literal(t, value, type); break;
    }
}

void gcn_put_source(struct gcn_text *t, const struct gcn_inst *inst, unsigned slot)
{
    enum gcn_type type = gcn_op_info[inst->op].src[slot];
    bool constant = inst->src[slot].kind == GCN_INLINE || inst->src[slot].kind == GCN_LITERAL;
    if (gcn_op_info[inst->op].flags & GCN_F_LITERAL && inst->src[slot].kind == GCN_LITERAL && slot) {
        gcn_put(t, "0x%x", (unsigned)inst->value[slot]); /* v_madmk, v_madak */
        return;
    }
    gcn_put_operand(t, inst->src[slot], type, gcn_type_info[type].registers, constant ? inst->value[slot] : 0);
}

/* FLAT rows are named flat_...; the other segments replace the prefix. VALU encodings have suffixes. */
static void put_mnemonic(struct gcn_text *t, const struct gcn_inst *inst)
{
    static const char *const prefix[GCN_ENCODING_COUNT] = {
#define ENCODING(id, prefix_) [GCN_##id] = prefix_,
#include "runtime/gcn/tables/encoding.def"
#undef ENCODING
    };
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    const char *segment = prefix[inst->encoding];
    const char *suffix = "";
    if (inst->variant)
        suffix = inst->variant == GCN_SDWA ? "_sdwa" : "_dpp";
    else if ((info->flags & GCN_F_E64 && info->dst != GCN_T_NIL) || inst->op == GCN_OP_v_pk_fmac_f16)
        suffix = inst->encoding == GCN_VOP3 ? "_e64" : "_e32";
    gcn_put(t, "%s%s%s", segment, info->name + (*segment ? strlen("flat") : 0), suffix);
}

/* Counters that are not waited for are not printed, unless that is all of them. */
static void put_waitcnt(struct gcn_text *t, unsigned imm)
{
    const struct gcn_layout *is = t->target->layout;
    unsigned vm = gcn_waitcnt_vm(is, imm), vm_all = (1u << (is->vm[0].width + is->vm[1].width)) - 1;
    unsigned exp_all = (1u << is->exp.width) - 1, lgkm_all = (1u << is->lgkm.width) - 1;
    unsigned exp = gcn_field(imm, is->exp), lgkm = gcn_field(imm, is->lgkm);
    bool all = vm == vm_all && exp == exp_all && lgkm == lgkm_all;
    if (all || vm != vm_all)
        gcn_put(t, " vmcnt(%u)", vm);
    if (all || exp != exp_all)
        gcn_put(t, " expcnt(%u)", exp);
    if (all || lgkm != lgkm_all)
        gcn_put(t, " lgkmcnt(%u)", lgkm);
}

static void put_message(struct gcn_text *t, unsigned imm)
{
    static const char *const gs_op[] = {"NOP", "CUT", "EMIT", "EMIT_CUT"};
    static const char *const sys_op[] = {NULL, "ECC_ERR_INTERRUPT", "REG_RD", NULL, "TTRACE_PC"};
    unsigned id = imm & 15, op = imm >> 4 & 7, stream = imm >> 8 & 3, message = t->target->layout->message[id];
    bool gs = (message == GCN_SENDMSG_GS && op >= 1 && op <= 3) ||
              (message == GCN_SENDMSG_GS_DONE && (op ? op <= 3 : !stream));
    if (gs) {
        gcn_put(t, " sendmsg(MSG_%s, GS_OP_%s", gcn_sendmsg_name[message], gs_op[op]);
        if (op)
            gcn_put(t, ", %u", stream);
        gcn_put(t, ")");
    } else if (message == GCN_SENDMSG_SYSMSG && op < 5 && sys_op[op] && !stream) {
        gcn_put(t, " sendmsg(MSG_SYSMSG, SYSMSG_OP_%s)", sys_op[op]);
    } else if (message && message != GCN_SENDMSG_SYSMSG && message != GCN_SENDMSG_GS &&
               message != GCN_SENDMSG_GS_DONE && !op && !stream) {
        gcn_put(t, " sendmsg(MSG_%s)", gcn_sendmsg_name[message]);
    } else if (imm & ~0x37fu) {
        gcn_put(t, " %u", imm);
    } else {
        gcn_put(t, " sendmsg(%u, %u, %u)", id, op, stream);
    }
}

static void put_hwreg(struct gcn_text *t, unsigned imm)
{
    unsigned id = imm & 63, offset = imm >> 6 & 31, size = (imm >> 11 & 31) + 1;
    if (t->target->layout->hwreg[id])
        gcn_put(t, "hwreg(HW_REG_%s", gcn_hwreg_name[t->target->layout->hwreg[id]]);
    else
        gcn_put(t, "hwreg(%u", id);
    if (offset || size != 32)
        gcn_put(t, ", %u, %u", offset, size);
    gcn_put(t, ")");
}

static void put_gpr_index(struct gcn_text *t, unsigned imm)
{
    static const char *const operand[] = {"SRC0", "SRC1", "SRC2", "DST"};
    const char *separator = "";
    if (imm > 15) {
        gcn_put(t, "0x%x", imm);
        return;
    }
    gcn_put(t, "gpr_idx(");
    for (unsigned i = 0; i < 4; i++)
        if (imm >> i & 1) {
            gcn_put(t, "%s%s", separator, operand[i]);
            separator = ",";
        }
    gcn_put(t, ")");
}

static void put_sopp(struct gcn_text *t, const struct gcn_inst *inst)
{
    unsigned imm = (uint16_t)inst->imm;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    if (inst->op == GCN_OP_s_waitcnt) {
        put_waitcnt(t, imm);
    } else if (inst->op == GCN_OP_s_sendmsg || inst->op == GCN_OP_s_sendmsghalt) {
        put_message(t, imm);
    } else if (inst->op == GCN_OP_s_set_gpr_idx_mode) {
        gcn_put(t, " ");
        put_gpr_index(t, imm);
    } else if (info->flags & GCN_F_BRANCH) {
        gcn_put(t, " %u", imm);
    } else if (inst->op == GCN_OP_s_endpgm) {
        if (imm)
            gcn_put(t, " %u", imm);
    } else if (info->flags & GCN_F_IMM) {
        gcn_put(t, imm <= 64 ? " %u" : " 0x%x", imm);
    }
}

static void put_sopk(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    unsigned imm = (uint16_t)inst->imm;
    bool writes = inst->op == GCN_OP_s_setreg_b32 || inst->op == GCN_OP_s_setreg_imm32_b32;
    gcn_put(t, " ");
    if (writes) {
        put_hwreg(t, imm);
        gcn_put(t, ", ");
        gcn_put_source(t, inst, 0);
        return;
    }
    if (info->dst != GCN_T_NIL)
        gcn_put_operand(t, inst->dst, info->dst, gcn_type_info[info->dst].registers, 0);
    else
        gcn_put_source(t, inst, 0);
    gcn_put(t, ", ");
    if (inst->op == GCN_OP_s_getreg_b32)
        put_hwreg(t, imm);
    else
        gcn_put(t, info->flags & GCN_F_BRANCH ? "%u" : "0x%x", imm);
}

static void put_sop12c(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    const char *separator = " ";
    if (info->dst != GCN_T_NIL) {
        gcn_put(t, "%s", separator);
        gcn_put_operand(t, inst->dst, info->dst, gcn_type_info[info->dst].registers, 0);
        separator = ", ";
    }
    for (unsigned i = 0; i < 2 && info->src[i] != GCN_T_NIL; i++) {
        gcn_put(t, "%s", separator);
        gcn_put_source(t, inst, i);
        separator = ", ";
    }
    if (info->flags & GCN_F_IMM) {
        gcn_put(t, "%s", separator);
        put_gpr_index(t, (uint8_t)inst->imm);
    }
}

size_t gcn_print(const struct gcn_target *target, const struct gcn_inst *inst, char *buf, size_t size)
{
    struct gcn_text text = {target, buf, size, 0};
    if (size)
        buf[0] = '\0';
    put_mnemonic(&text, inst);
    switch ((enum gcn_encoding)inst->encoding) {
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC: put_sop12c(&text, inst); break;
    case GCN_SOPK: put_sopk(&text, inst); break;
    case GCN_SOPP: put_sopp(&text, inst); break;
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC:
    case GCN_VOP3:
    case GCN_VOP3P:
    case GCN_VINTRP:
    case GCN_EXP: gcn_print_valu(&text, inst); break;
    case GCN_SMEM:
    case GCN_DS:
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH:
    case GCN_MUBUF:
    case GCN_MTBUF:
    case GCN_MIMG: gcn_print_memory(&text, inst); break;
    case GCN_ENCODING_COUNT: break;
    }
    return text.length;
}
