/* SPDX-License-Identifier: MIT */
/* The checker of initialisation: scalar operations and branches. Input: a wave about to execute one of them, and its
 * plan. Output: the shadow of scalar registers, SCC and EXEC; findings where the wave's way depends on undefined bits.
 * Invariant: a value that decided a branch counts as written from then on, so that it is reported once. */
#include "runtime/gcn/check/check_init.h"

#include <string.h>

/* Whether SCC, which tells that the result is not zero, is undefined although not all bits of the result are. */
static bool is_nonzero_unknown(const struct init_step *s, const struct shadowed o[3], uint64_t shadow)
{
    uint64_t value;
    switch (s->plan->rule) {
    case SHADOW_AND: value = o[0].value & o[1].value; break;
    case SHADOW_OR: value = o[0].value | o[1].value; break;
    case SHADOW_ANDN2: value = o[0].value & ~o[1].value; break;
    case SHADOW_XOR: value = o[0].value ^ o[1].value; break;
    case SHADOW_COPY: value = ~o[0].value; break;
    default: value = 0; break;
    }
    return shadow && !(value & ~shadow);
}

static bool scc_is_unknown(const struct init_step *s, const struct shadowed o[3], const struct shadow_result *result)
{
    const struct gcn_op_info *info = &gcn_op_info[s->plan->inst.op];
    enum shadow_rule rule = (enum shadow_rule)s->plan->rule;
    if (info->dst == GCN_T_NIL)
        return result->shadow;
    if (rule == SHADOW_ADD || rule == SHADOW_SUB)
        return gcn_type_info[info->dst].kind == GCN_KIND_I ? result->shadow : result->carry;
    return is_nonzero_unknown(s, o, result->shadow);
}

/* The operands of a scalar operation, as its rule wants them. */
static void scalar_operands(const struct init_step *s, struct shadowed o[3], struct shadowed *carry)
{
    const struct gcn_inst *inst = &s->plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct shadowed scc = {s->w->scc, s->shadow->scc ? 1 : 0}, old = {0, 0};
    bool immediate = inst->encoding == GCN_SOPK;
    for (unsigned i = 0; i < 2; i++)
        o[i] = init_scalar_operand(s, i);
    o[2] = *carry = (struct shadowed){0, 0};
    if (s->plan->src[4].count) {
        bool wide = s->plan->src[4].count >= 2;
        unsigned at = s->plan->src[4].first;
        old.value = s->w->s[at] | (wide ? (uint64_t)s->w->s[at + 1] << 32 : 0);
        old.shadow = s->shadow->scalar[at] | (wide ? (uint64_t)s->shadow->scalar[at + 1] << 32 : 0);
    }
    if (immediate) {
        o[1] = (struct shadowed){(uint32_t)inst->imm, 0};
        o[0] = s->plan->src[4].count ? old : o[0];
    }
    if (s->plan->reads_exec)
        o[1] = (struct shadowed){gcn_exec(s->w), 0};
    if (s->plan->rule == SHADOW_SELECT) { /* b where the bit is set */
        struct shadowed yes = immediate ? o[1] : o[0], no = s->plan->src[4].count ? old : o[1];
        o[0] = no;
        o[1] = yes;
        o[2] = scc;
    } else if (info->flags & GCN_F_SCC_R) {
        *carry = scc;
    } else if (s->plan->src[4].count && !immediate) {
        o[2] = old;
    }
}

void init_step_scalar(const struct init_step *s)
{
    const struct init_plan *plan = s->plan;
    const struct gcn_op_info *info = &gcn_op_info[plan->inst.op];
    struct gcn_shadow *shadow = s->shadow;
    bool reads_scc = info->flags & GCN_F_SCC_R || plan->inst.src[0].index == GCN_SRC_SCC;
    if (init_sources_are_written(s) && !(reads_scc && shadow->scc)) {
        shadow_write(shadow, &plan->dst, 0);
        if (info->flags & GCN_F_SCC_W)
            shadow->scc = 0;
        return;
    }
    struct shadowed o[3], carry;
    unsigned bits = gcn_type_info[info->dst == GCN_T_NIL ? info->src[0] : info->dst].bits;
    scalar_operands(s, o, &carry);
    struct shadow_result result = shadow_by_rule((enum shadow_rule)plan->rule, bits ? bits : 32, o, carry);
    bool unknown = info->flags & GCN_F_SCC_W && scc_is_unknown(s, o, &result);
    uint32_t origin = result.shadow || unknown ? init_sources_origin(s) : 0;
    bool changes_exec = info->flags & GCN_F_EXEC_W || (plan->dst.count && plan->dst.first >= GCN_EXEC_LO);
    if (plan->reads_exec && !(strstr(info->name, "wrexec")))
        shadow_write(shadow, &plan->dst, 0); /* gets the old EXEC */
    else
        init_put_mask(s, &plan->dst, result.shadow, origin);
    for (unsigned i = 2; i < plan->dst.count; i++)
        shadow->scalar[plan->dst.first + i] = 0;
    if (info->flags & GCN_F_SCC_W) {
        shadow->scc = unknown ? UINT32_MAX : 0;
        shadow->scc_origin = unknown ? origin : 0;
    }
    if (changes_exec)
        init_use_exec(s, plan->dst.count == 1 && plan->dst.first == GCN_EXEC_HI ? result.shadow << 32 : result.shadow,
                      origin);
}

void init_step_branch(const struct init_step *s)
{
    const struct init_plan *plan = s->plan;
    struct gcn_shadow *shadow = s->shadow;
    if (gcn_op_info[plan->inst.op].flags & GCN_F_SCC_R) {
        if (shadow->scc)
            init_report(s, GCN_FINDING_INIT_BRANCH, 0,
                        shadow->scc_origin ? shadow->scc_origin : init_register_origin(s, GCN_ORIGIN_SCC, 0), NULL);
        shadow->scc = 0;
        return;
    }
    if (!shadow_is_written(shadow, &plan->src[0]) && plan->src[0].count == 2) {
        uint64_t undefined = init_mask_bits(shadow->scalar, plan->src[0].first);
        bool decided = plan->src[0].first == GCN_VCC_LO && init_mask_bits(s->w->s, GCN_VCC_LO) & ~undefined;
        if (!decided)
            init_report(s, GCN_FINDING_INIT_BRANCH, 0, init_span_origin(s, &plan->src[0]), NULL);
        shadow_write(shadow, &plan->src[0], 0);
    }
    shadow_write(shadow, &plan->dst, 0);
}
