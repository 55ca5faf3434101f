/* SPDX-License-Identifier: MIT */
/* Counting what instructions do.
 * Input: waves about to execute an instruction. Output: sums by instruction.
 * Invariant: the numbers follow from the kernel and its input alone, never from the host. */
#include "runtime/gcn/observe/observe.h"
#include "runtime/gcn/observe/count_sample.h"

#include <string.h>

/* The cycles that an instruction other than of memory takes its wave. A SIMD issues an instruction of a wave every four
 * cycles, and executes a vector instruction on 16 lanes in each of them. Transcendental functions, products of 32-bit
 * integers and double precision are taken to run at a quarter of the rate, matrix instructions at a sixteenth. */
enum { CYCLES = 4, CYCLES_QUARTER = 16, CYCLES_MATRIX = 64 };

static bool is_quarter_rate(unsigned op)
{
    static const char *const prefixes[] = {
        "v_exp_",     "v_log_",    "v_rcp_",     "v_rsq_",     "v_sqrt_",    "v_sin_",     "v_cos_",
        "v_mul_lo_u", "v_mul_hi_", "v_mul_lo_i", "v_mad_u64_", "v_mad_i64_", "v_div_fmas", "v_div_scale"};
    const struct gcn_op_info *info = &gcn_op_info[op];
    if (info->dst == GCN_T_F64 || info->src[0] == GCN_T_F64 || info->src[1] == GCN_T_F64)
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(info->name, prefixes[i], strlen(prefixes[i])) && !strstr(info->name, "u16") &&
            !strstr(info->name, "u24") && !strstr(info->name, "i24"))
            return true;
    return false;
}

uint8_t gcn_count_cycles(unsigned op, enum gcn_instruction_kind kind)
{
    if (kind == GCN_INSTRUCTION_MATRIX)
        return gcn_op_info[op].flags & GCN_F_MATRIX ? CYCLES_MATRIX : CYCLES;
    return kind == GCN_INSTRUCTION_VALU && is_quarter_rate(op) ? CYCLES_QUARTER : CYCLES;
}

/* Whether W will take the branch OP, with its registers as they are. */
static bool is_taken(const struct gcn_wave *w, unsigned op)
{
    switch (op) {
    case GCN_OP_s_cbranch_scc0: return !w->scc;
    case GCN_OP_s_cbranch_scc1: return w->scc;
    case GCN_OP_s_cbranch_vccz: return !gcn_get64(w, GCN_S_VCC);
    case GCN_OP_s_cbranch_vccnz: return gcn_get64(w, GCN_S_VCC) != 0;
    case GCN_OP_s_cbranch_execz: return !gcn_exec(w);
    case GCN_OP_s_cbranch_execnz: return gcn_exec(w) != 0;
    case GCN_OP_s_cbranch_cdbgsys:
    case GCN_OP_s_cbranch_cdbguser:
    case GCN_OP_s_cbranch_cdbgsys_or_user:
    case GCN_OP_s_cbranch_cdbgsys_and_user: return false;
    default: return true;
    }
}

static void count_branch(struct gcn_count *count, const struct gcn_wave *w, unsigned op)
{
    uint64_t exec = gcn_exec(w), all = w->group->shape->ids[w->index].lanes;
    bool taken = is_taken(w, op), mixed = exec & all && (exec & all) != all;
    count->taken += taken;
    count->mixed += mixed;
    count->mixed_taken += taken && mixed;
}

static bool is_memory(enum gcn_instruction_kind kind)
{
    return kind == GCN_INSTRUCTION_SMEM || kind == GCN_INSTRUCTION_VMEM || kind == GCN_INSTRUCTION_LDS ||
           kind == GCN_INSTRUCTION_IMAGE;
}

static bool accesses(unsigned op)
{
    return gcn_op_info[op].flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC);
}

void gcn_count_step(struct gcn_site *site, struct gcn_wave *w, const struct gcn_uop *op)
{
    struct gcn_count *count = &site->count;
    uint64_t cycles = site->cycles;
    count->executed++;
    count->lanes += (uint64_t)__builtin_popcountll(gcn_exec(w));
    if (site->kind == GCN_INSTRUCTION_BRANCH)
        count_branch(count, w, site->op);
    if (is_memory((enum gcn_instruction_kind)site->kind) && accesses(site->op) && gcn_exec(w)) {
        struct gcn_access access;
        uint64_t longer = 0;
        if (site->kind != GCN_INSTRUCTION_IMAGE && gcn_access_of(w, op, site->op, &access)) {
            longer = gcn_count_access(count, w, &access, (enum gcn_instruction_kind)site->kind);
            gcn_sample_access(site, &access);
        } else {
            count->undescribed++;
        }
        cycles = longer > cycles ? longer : cycles;
    }
    count->cycles += cycles;
    w->group->observe->waves[w->index].clock += cycles;
}

void gcn_count_add(struct gcn_count *to, const struct gcn_count *count)
{
    uint64_t *sums = (uint64_t *)to;
    const uint64_t *numbers = (const uint64_t *)count;
    _Static_assert(sizeof *to % sizeof *sums == 0, "all members are numbers of 64 bits");
    for (size_t i = 0; i < sizeof *to / sizeof *sums; i++)
        sums[i] += numbers[i];
}
