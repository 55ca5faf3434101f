/* SPDX-License-Identifier: MIT */
/* What the checker of initialisation has to do for an instruction.
 * Input: a decoded instruction. Output: the registers that it reads and writes, and by which rule.
 * Invariant: a register that the instruction writes is never left out, so that nothing stale is called undefined. */
#include "runtime/gcn/check/init_plan.h"

#include "runtime/gcn/check/shadow_rule.h"

#include <string.h>

static const uint8_t rules[GCN_OP_COUNT] = {
#define RULE(id)
#define SHADOW(op, rule) [GCN_OP_##op] = SHADOW_##rule,
#include "runtime/gcn/tables/shadow.def"
#undef RULE
#undef SHADOW
};

static struct init_span span_of(const struct gcn_operand *operand, unsigned count)
{
    switch (operand->kind) {
    case GCN_VGPR: return (struct init_span){operand->index, (uint8_t)count, false};
    case GCN_AGPR: return (struct init_span){(uint16_t)(INIT_ACCUMULATION + operand->index), (uint8_t)count, false};
    case GCN_SGPR: return (struct init_span){operand->index, (uint8_t)count, true};
    case GCN_SPECIAL:
        if (operand->index == GCN_SRC_VCCZ)
            return (struct init_span){GCN_VCC_LO, 2, true};
        break;
    default: break;
    }
    return (struct init_span){0, 0, false};
}

static unsigned registers_of(unsigned type)
{
    unsigned count = gcn_type_info[type].registers;
    return type == GCN_T_MASK ? 2 : count ? count : 1;
}

static bool contains(const char *text, const char *const *words)
{
    while (*words && strncmp(text, *words, strlen(*words)) != 0)
        words++;
    return *words;
}

/* The rule of a compare, by its name: v_cmp_lt_u32, s_cmpk_lg_i32. */
static enum shadow_rule compare_rule(const struct gcn_inst *inst, enum gcn_type type)
{
    static const char *const prefixes[] = {"v_cmp_", "v_cmpx_", "s_cmp_", "s_cmpk_", NULL};
    static const char *const equal[] = {"eq_", "lg_", "ne_", NULL};
    static const char *const order[] = {"lt_", "le_", "gt_", "ge_", NULL};
    static const char *const fixed[] = {"f_", "t_", "tru_", NULL};
    const char *name = gcn_op_info[inst->op].name;
    if (!contains(name, prefixes))
        return (enum shadow_rule)rules[inst->op];
    name += strcspn(name + 2, "_") + 3;
    uint8_t kind = gcn_type_info[type].kind;
    if (contains(name, fixed))
        return SHADOW_DEFINED;
    if (kind == GCN_KIND_F)
        return SHADOW_ANY;
    return contains(name, equal)    ? SHADOW_EQUAL
           : !contains(name, order) ? SHADOW_ANY
           : kind == GCN_KIND_I     ? SHADOW_ORDER_I
                                    : SHADOW_ORDER_U;
}

static void add_source(struct init_plan *plan, unsigned slot, unsigned count)
{
    plan->src[slot] = span_of(&plan->inst.src[slot], count);
}

/* ---- memory ---- */

static void plan_flat(struct init_plan *plan)
{
    const struct gcn_inst *inst = &plan->inst;
    bool scratch = inst->encoding == GCN_SCRATCH, saddr = inst->src[2].kind == GCN_SGPR;
    add_source(plan, 0, scratch || saddr ? 1 : 2);
    add_source(plan, 2, scratch ? 1 : 2);
    plan->data[0] = span_of(&inst->src[1], registers_of(gcn_op_info[inst->op].src[1]));
}

static void plan_group(struct init_plan *plan)
{
    const struct gcn_inst *inst = &plan->inst;
    add_source(plan, 0, 1);
    plan->data[0] = span_of(&inst->src[1], registers_of(gcn_op_info[inst->op].src[1]));
    plan->data[1] = span_of(&inst->src[2], registers_of(gcn_op_info[inst->op].src[2]));
}

static void plan_buffer(struct init_plan *plan)
{
    const struct gcn_inst *inst = &plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    unsigned address = (inst->mem.flags & GCN_MEM_OFFEN ? 1 : 0) + (inst->mem.flags & GCN_MEM_IDXEN ? 1 : 0);
    add_source(plan, 0, address);
    add_source(plan, 2, 4);
    add_source(plan, 3, 1);
    if (info->flags & (GCN_F_STORE | GCN_F_ATOMIC))
        plan->data[0] = inst->src[1].kind ? span_of(&inst->src[1], registers_of(info->src[1]))
                                          : span_of(&inst->dst, registers_of(info->dst));
    if (info->flags & GCN_F_ATOMIC && !(inst->mem.flags & GCN_MEM_GLC))
        plan->dst.count = 0;
    if (inst->mem.flags & GCN_MEM_LDS)
        plan->dst.count = 0;
    else if (inst->mem.flags & GCN_MEM_TFE && plan->dst.count)
        plan->dst.count++;
}

static void plan_scalar_memory(struct init_plan *plan)
{
    const struct gcn_inst *inst = &plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    add_source(plan, 0, registers_of(info->src[0]));
    add_source(plan, 3, 1);
    if (info->flags & (GCN_F_STORE | GCN_F_ATOMIC))
        plan->data[0] = span_of(&inst->src[1], registers_of(info->src[1]));
}

static void plan_image(struct init_plan *plan)
{
    const struct gcn_inst *inst = &plan->inst;
    unsigned count = gcn_image_data_registers(inst);
    plan->kind = INIT_IMAGE;
    plan->dst = span_of(&inst->dst, count);
    plan->data[0] = span_of(&inst->src[1], count);
    add_source(plan, 0, 1);
    add_source(plan, 2, 8);
    add_source(plan, 3, 4);
}

static bool plan_memory(struct init_plan *plan)
{
    const struct gcn_op_info *info = &gcn_op_info[plan->inst.op];
    plan->kind = INIT_MEMORY;
    plan->dst = span_of(&plan->inst.dst, registers_of(info->dst));
    plan->keeps = info->flags & GCN_F_D16 && info->flags & GCN_F_LOAD;
    switch (plan->inst.encoding) {
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH: plan_flat(plan); return true;
    case GCN_DS: plan_group(plan); return true;
    case GCN_MUBUF:
    case GCN_MTBUF: plan_buffer(plan); return true;
    case GCN_SMEM: plan_scalar_memory(plan); return true;
    case GCN_MIMG: plan_image(plan); return true;
    default: return false;
    }
}

/* ---- arithmetic ---- */

static void plan_sources(struct init_plan *plan)
{
    const struct gcn_op_info *info = &gcn_op_info[plan->inst.op];
    for (unsigned i = 0; i < 3; i++)
        if (info->src[i] != GCN_T_NIL)
            add_source(plan, i, registers_of(info->src[i]));
}

static bool plan_vector(struct init_plan *plan)
{
    const struct gcn_inst *inst = &plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    unsigned bits = gcn_type_info[info->dst].bits;
    plan_sources(plan);
    plan->dst = info->dst == GCN_T_NIL ? plan->dst : span_of(&inst->dst, registers_of(info->dst));
    plan->sdst = span_of(&inst->sdst, 2);
    plan->kind = INIT_VECTOR;
    plan->keeps = (inst->variant == GCN_SDWA && inst->sdwa.dst_sel != GCN_SEL_DWORD &&
                   inst->sdwa.dst_unused == GCN_UNUSED_PRESERVE && info->dst != GCN_T_MASK) ||
                  (info->flags & GCN_F_DST_R && bits == 16);
    if (info->flags & GCN_F_DST_R && bits >= 32)
        plan->src[4] = plan->dst;
    plan->rule = (uint8_t)compare_rule(inst, info->src[0]);
    if (inst->op == GCN_OP_v_readlane_b32 || inst->op == GCN_OP_v_readfirstlane_b32 ||
        inst->op == GCN_OP_v_writelane_b32 || inst->op == GCN_OP_v_swap_b32)
        plan->kind = INIT_LANE;
    return true;
}

static bool plan_cross(struct init_plan *plan)
{
    plan_sources(plan);
    plan->dst = span_of(&plan->inst.dst, 1);
    add_source(plan, 0, 1);
    plan->kind = INIT_LANE;
    return true;
}

static bool plan_scalar(struct init_plan *plan)
{
    struct gcn_inst *inst = &plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    plan_sources(plan);
    plan->kind = INIT_SCALAR;
    plan->dst = info->dst == GCN_T_NIL ? plan->dst : span_of(&inst->dst, registers_of(info->dst));
    if (inst->dst.kind != GCN_SGPR || inst->dst.index == GCN_NULL)
        plan->dst.count = 0;
    if (info->flags & GCN_F_DST_R)
        plan->src[4] = plan->dst;
    plan->rule = (uint8_t)compare_rule(inst, info->src[0]);
    plan->reads_exec = strstr(info->name, "saveexec") || strstr(info->name, "wrexec");
    if (info->flags & GCN_F_BRANCH)
        plan->kind = INIT_BRANCH;
    if (info->flags & GCN_F_VCC_R)
        plan->src[0] = (struct init_span){GCN_VCC_LO, 2, true};
    return plan->dst.count || plan->kind == INIT_BRANCH || info->flags & (GCN_F_SCC_W | GCN_F_EXEC_W);
}

bool init_plan_make(struct init_plan *plan, const struct gcn_inst *inst, bool indexing)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    *plan = (struct init_plan){.inst = *inst, .indexing = indexing};
    switch (inst->encoding) {
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC:
    case GCN_SOPK: return plan_scalar(plan);
    case GCN_SOPP: return info->flags & (GCN_F_SCC_R | GCN_F_VCC_R) && plan_scalar(plan);
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOP3:
    case GCN_VOP3P:
    case GCN_VOPC: return plan_vector(plan);
    case GCN_SMEM: return (inst->dst.kind || info->bytes) && plan_memory(plan);
    case GCN_DS:
        if (inst->op == GCN_OP_ds_bpermute_b32 || inst->op == GCN_OP_ds_permute_b32 ||
            inst->op == GCN_OP_ds_swizzle_b32)
            return plan_cross(plan);
        return (inst->dst.kind || info->bytes) && plan_memory(plan);
    default: return plan_memory(plan);
    }
}
