/* SPDX-License-Identifier: MIT */
/* Text form of memory instructions. Input, output and invariant: print.c. */
#include "runtime/gcn/inst/print_p.h"
#include "support/bytes.h"

static unsigned registers_of_type(enum gcn_type type)
{
    return gcn_type_info[type].registers;
}

/* The words for the flags of MASK that are set, in the order of the bits, each after a space. */
static void put_flags(struct gcn_text *t, const struct gcn_inst *inst, unsigned mask)
{
    static const struct {
        uint16_t flag;
        const char *word;
    } words[] = {
        {GCN_MEM_IDXEN, "idxen"}, {GCN_MEM_OFFEN, "offen"}, {GCN_MEM_UNORM, "unorm"}, {GCN_MEM_GLC, "glc"},
        {GCN_MEM_SLC, "slc"},     {GCN_MEM_SCC, "scc"},     {GCN_MEM_A16, "a16"},     {GCN_MEM_TFE, "tfe"},
        {GCN_MEM_LWE, "lwe"},     {GCN_MEM_DA, "da"},       {GCN_MEM_D16, "d16"},     {GCN_MEM_GDS, "gds"},
        {GCN_MEM_LDS, "lds"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (inst->mem.flags & mask & words[i].flag)
            gcn_put(t, " %s", words[i].word);
}

static void put_smem(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    enum gcn_type data = info->flags & GCN_F_ATOMIC || info->dst == GCN_T_NIL ? info->src[1] : info->dst;
    if (info->flags & GCN_F_IMM)
        gcn_put(t, inst->imm <= 64 ? " %d, " : " 0x%x, ", (int)inst->imm);
    else if (data != GCN_T_NIL)
        gcn_put_operand((gcn_put(t, " "), t), inst->src[1].kind ? inst->src[1] : inst->dst, data,
                        registers_of_type(data), 0);
    if (info->src[0] == GCN_T_NIL)
        return;
    gcn_put(t, data == GCN_T_NIL ? (info->flags & GCN_F_IMM ? "" : " ") : ", ");
    gcn_put_operand(t, inst->src[0], info->src[0], registers_of_type(info->src[0]), 0);
    gcn_put(t, ", ");
    if (inst->src[3].kind)
        gcn_put_operand(t, inst->src[3], GCN_T_B32, 1, 0);
    if (inst->mem.has_offset) {
        gcn_put(t, "%s%s0x%x", inst->src[3].kind ? " offset:" : "", inst->mem.offset < 0 ? "-" : "",
                (unsigned)(inst->mem.offset < 0 ? -inst->mem.offset : inst->mem.offset));
    }
    if (data != GCN_T_NIL)
        put_flags(t, inst, GCN_MEM_GLC);
}

static void put_swizzle(struct gcn_text *t, unsigned imm)
{
    unsigned keep = imm & 31, set = imm >> 5 & 31, flip = imm >> 10 & 31, group = 32 - keep;
    if (!imm)
        return;
    gcn_put(t, " offset:");
    if (imm & 0x8000) {
        if (imm & 0x7f00)
            gcn_put(t, "%u", imm);
        else
            gcn_put(t, "swizzle(QUAD_PERM,%u,%u,%u,%u)", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
    } else if (keep == 31 && !set && flip && is_power_of_two(flip)) {
        gcn_put(t, "swizzle(SWAP,%u)", flip);
    } else if (keep == 31 && !set && flip && is_power_of_two(flip + 1)) {
        gcn_put(t, "swizzle(REVERSE,%u)", flip + 1);
    } else if (!flip && group > 1 && is_power_of_two(group) && set < group) {
        gcn_put(t, "swizzle(BROADCAST,%u,%u)", group, set);
    } else {
        gcn_put(t, "swizzle(BITMASK_PERM,\"");
        for (unsigned bit = 16; bit; bit >>= 1) {
            bool on_zero = (set ^ flip) & bit, on_one = ((keep | set) ^ flip) & bit;
            gcn_put(t, "%c", "0pi1"[on_zero << 1 | on_one]);
        }
        gcn_put(t, "\")");
    }
}

static void put_ds(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    const char *separator = " ";
    if (info->dst != GCN_T_NIL) {
        gcn_put_operand((gcn_put(t, " "), t), inst->dst, info->dst, registers_of_type(info->dst), 0);
        separator = ", ";
    }
    for (unsigned i = 0; i < 3; i++)
        if (inst->src[i].kind) {
            gcn_put(t, "%s", separator);
            gcn_put_operand(t, inst->src[i], info->src[i], registers_of_type(info->src[i]), 0);
            separator = ", ";
        }
    if (inst->op == GCN_OP_ds_swizzle_b32) {
        put_swizzle(t, (unsigned)inst->mem.offset);
    } else if (info->flags & GCN_F_OFFSET2) {
        if (inst->mem.offset0)
            gcn_put(t, " offset0:%u", inst->mem.offset0);
        if (inst->mem.offset1)
            gcn_put(t, " offset1:%u", inst->mem.offset1);
    } else if (inst->mem.offset) {
        gcn_put(t, " offset:%d", (int)inst->mem.offset);
    }
    put_flags(t, inst, GCN_MEM_GDS);
}

static void put_flat(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    unsigned address = inst->encoding == GCN_SCRATCH || (inst->encoding == GCN_GLOBAL && inst->src[2].kind) ? 1 : 2;
    gcn_put(t, " ");
    if (inst->dst.kind) {
        gcn_put_operand(t, inst->dst, info->dst, registers_of_type(info->dst), 0);
        gcn_put(t, ", ");
    }
    gcn_put_operand(t, inst->src[0], GCN_T_ADDR, address, 0);
    if (inst->src[1].kind) {
        gcn_put(t, ", ");
        gcn_put_operand(t, inst->src[1], info->src[1], registers_of_type(info->src[1]), 0);
    }
    if (inst->encoding != GCN_FLAT) {
        gcn_put(t, ", ");
        gcn_put_operand(t, inst->src[2], GCN_T_NIL, inst->encoding == GCN_GLOBAL ? 2 : 1, 0);
    }
    if (inst->mem.offset)
        gcn_put(t, " offset:%d", (int)inst->mem.offset);
    put_flags(t, inst, GCN_MEM_GLC | GCN_MEM_SLC | GCN_MEM_SCC | GCN_MEM_LDS);
}

static void put_buffer_format(struct gcn_text *t, const struct gcn_inst *inst)
{
    static const char *const data[] = {
        "INVALID",    "8",          "16",      "8_8",   "32",          "16_16",    "10_11_11",    "11_11_10",
        "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
    static const char *const number[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};
    bool has_data = inst->mem.dfmt != 1, has_number = inst->mem.nfmt;
    if (!has_data && !has_number)
        return;
    gcn_put(t, " format:[");
    if (has_data)
        gcn_put(t, "BUF_DATA_FORMAT_%s%s", data[inst->mem.dfmt], has_number ? "," : "");
    if (has_number)
        gcn_put(t, "BUF_NUM_FORMAT_%s", number[inst->mem.nfmt]);
    gcn_put(t, "]");
}

static void put_buffer(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    unsigned both = GCN_MEM_OFFEN | GCN_MEM_IDXEN;
    unsigned fault_status = inst->mem.flags & GCN_MEM_TFE ? 1 : 0;
    const char *separator = " ";
    if (info->src[2] == GCN_T_NIL)
        return;
    for (unsigned i = 0; i < 2; i++) {
        struct gcn_operand data = i ? inst->dst : inst->src[1];
        enum gcn_type type = i ? info->dst : info->src[1];
        if (data.kind && separator[0] == ' ') {
            gcn_put_operand((gcn_put(t, " "), t), data, type, registers_of_type(type) + fault_status, 0);
            separator = ", ";
        }
    }
    if (inst->op != GCN_OP_buffer_store_lds_dword) {
        gcn_put(t, "%s", separator);
        gcn_put_operand(t, inst->src[0], GCN_T_ADDR, (inst->mem.flags & both) == both ? 2 : 1, 0);
        separator = ", ";
    }
    gcn_put(t, "%s", separator);
    gcn_put_operand(t, inst->src[2], GCN_T_B128, 4, 0);
    gcn_put(t, ", ");
    gcn_put_operand(t, inst->src[3], GCN_T_B32, 1, 0);
    if (inst->encoding == GCN_MTBUF)
        put_buffer_format(t, inst);
    put_flags(t, inst, both);
    if (inst->mem.offset)
        gcn_put(t, " offset:%d", (int)inst->mem.offset);
    bool stores_lds = inst->op == GCN_OP_buffer_store_lds_dword;
    if (stores_lds)
        put_flags(t, inst, GCN_MEM_LDS);
    put_flags(t, inst, GCN_MEM_GLC | GCN_MEM_SLC | GCN_MEM_SCC | GCN_MEM_TFE | (stores_lds ? 0 : GCN_MEM_LDS));
}

static void put_image(struct gcn_text *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    gcn_put(t, " ");
    gcn_put_operand(t, inst->src[1].kind ? inst->src[1] : inst->dst, GCN_T_NIL, gcn_image_data_registers(inst), 0);
    gcn_put(t, ", ");
    gcn_put_operand(t, inst->src[0], info->src[0], registers_of_type(info->src[0]), 0);
    gcn_put(t, ", ");
    gcn_put_operand(t, inst->src[2], GCN_T_B256, 8, 0);
    if (inst->src[3].kind) {
        gcn_put(t, ", ");
        gcn_put_operand(t, inst->src[3], GCN_T_B128, 4, 0);
    }
    if (inst->mem.dmask)
        gcn_put(t, " dmask:0x%x", inst->mem.dmask);
    put_flags(t, inst, ~0u);
}

void gcn_print_memory(struct gcn_text *t, const struct gcn_inst *inst)
{
    switch ((enum gcn_encoding)inst->encoding) {
    case GCN_SMEM: put_smem(t, inst); break;
    case GCN_DS: put_ds(t, inst); break;
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH: put_flat(t, inst); break;
    case GCN_MUBUF:
    case GCN_MTBUF: put_buffer(t, inst); break;
    case GCN_MIMG: put_image(t, inst); break;
    default: break;
    }
}
