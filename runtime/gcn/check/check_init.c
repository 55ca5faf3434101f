/* SPDX-License-Identifier: MIT */
/* The checker of initialisation: follows bits that were never written through the registers of a wave, and reports
 * those that decide where it goes on, which memory it accesses, or what others get to see. Here is what all kinds of
 * instructions need, and the choice among them.
 *
 * Input: a wave about to execute an instruction, and the plan of that instruction. Output: the wave's shadow; findings.
 * Invariant: nothing that the kernel sees changes; copying a value is no use of it. */
#include "runtime/gcn/check/check_init.h"

/* ---- origins and reports ---- */

static uint64_t pc_of(const struct init_step *s)
{
    return gcn_unit_pc(s->w->unit, s->op);
}

static uint32_t origin_of(const struct init_step *s, const struct gcn_origin *origin)
{
    enum { ORIGINS_MAX = 4096 };
    struct gcn_check *check = s->check;
    pthread_mutex_lock(&check->lock);
    size_t i = 0;
    while (i < check->origins.count &&
           (check->origins.items[i].pc != origin->pc || check->origins.items[i].kind != origin->kind ||
            (origin->kind != GCN_ORIGIN_MEMORY && check->origins.items[i].number != origin->number)))
        i++;
    bool known = i < check->origins.count || (i < ORIGINS_MAX && vec_push(&check->origins, *origin));
    pthread_mutex_unlock(&check->lock);
    return known ? (uint32_t)i + 1 : 0;
}

uint32_t init_register_origin(const struct init_step *s, enum gcn_origin_kind kind, uint64_t number)
{
    const struct gcn_origin origin = {.kind = kind, .number = number, .pc = pc_of(s)};
    return origin_of(s, &origin);
}

uint32_t init_memory_origin(const struct init_step *s, uint8_t segment, uint64_t address)
{
    const struct gcn_origin origin = {GCN_ORIGIN_MEMORY, segment, address, pc_of(s)};
    return origin_of(s, &origin);
}

uint32_t init_line_origin(const struct init_step *s, unsigned r)
{
    uint32_t *origin = &s->shadow->line_origin[r];
    if (!*origin)
        *origin = init_register_origin(s, GCN_ORIGIN_VECTOR, r);
    return *origin;
}

uint32_t init_scalar_origin(const struct init_step *s, unsigned r)
{
    uint32_t *origin = &s->shadow->scalar_origin[r];
    if (!*origin)
        *origin = init_register_origin(s, GCN_ORIGIN_SCALAR, r);
    return *origin;
}

uint32_t init_span_origin(const struct init_step *s, const struct init_span *span)
{
    for (unsigned r = span->first; r < span->first + (unsigned)span->count; r++) {
        if (span->scalar && s->shadow->scalar[r])
            return init_scalar_origin(s, r);
        if (!span->scalar && s->shadow->state[r])
            return init_line_origin(s, r);
    }
    return 0;
}

uint32_t init_sources_origin(const struct init_step *s)
{
    uint32_t origin = 0;
    for (unsigned i = 0; !origin && i < INIT_SOURCES; i++)
        origin = init_span_origin(s, &s->plan->src[i]);
    return origin ? origin : s->shadow->scc ? s->shadow->scc_origin : 0;
}

void init_report(const struct init_step *s, enum gcn_finding_kind kind, uint64_t lanes, uint32_t origin,
                 const struct gcn_access *access)
{
    int lane = lanes ? __builtin_ctzll(lanes) : -1;
    struct gcn_finding found = {.kind = kind, .by = gcn_check_party(s->w, pc_of(s), lane)};
    if (access && lane >= 0) {
        found.segment = access->segment[lane];
        found.address = access->address[0][lane];
        found.bytes = access->bytes;
        found.writes = access->writes;
        found.atomic = access->atomic;
    }
    pthread_mutex_lock(&s->check->lock);
    if (origin)
        found.origin = s->check->origins.items[origin - 1];
    pthread_mutex_unlock(&s->check->lock);
    gcn_check_add(s->check, &found, lanes ? (uint64_t)__builtin_popcountll(lanes) : 1);
}

/* ---- operands ---- */

bool init_sources_are_written(const struct init_step *s)
{
    bool written = true;
    for (unsigned i = 0; i < INIT_SOURCES; i++)
        written &= shadow_is_written(s->shadow, &s->plan->src[i]);
    return written;
}

struct shadowed init_scalar_operand(const struct init_step *s, unsigned slot)
{
    const struct gcn_operand *operand = &s->plan->inst.src[slot];
    const struct init_span *span = &s->plan->src[slot];
    bool wide = gcn_type_info[gcn_op_info[s->plan->inst.op].src[slot]].bits == 64;
    const uint32_t *values = s->w->s, *shadows = s->shadow->scalar;
    switch (operand->kind) {
    case GCN_SGPR:
        if (!span->count)
            break;
        return (struct shadowed){values[span->first] | (wide ? (uint64_t)values[span->first + 1] << 32 : 0),
                                 shadows[span->first] | (wide ? (uint64_t)shadows[span->first + 1] << 32 : 0)};
    case GCN_SPECIAL:
        if (operand->index == GCN_SRC_SCC)
            return (struct shadowed){s->w->scc, s->shadow->scc ? 1 : 0};
        break;
    case GCN_INLINE:
    case GCN_LITERAL: return (struct shadowed){s->plan->inst.value[slot], 0};
    default: break;
    }
    return (struct shadowed){0, 0};
}

/* ---- results ---- */

void init_put_mask(const struct init_step *s, const struct init_span *span, uint64_t mask, uint32_t origin)
{
    uint32_t parts[2] = {(uint32_t)mask, (uint32_t)(mask >> 32)};
    for (unsigned i = 0; i < span->count && i < 2; i++) {
        s->shadow->scalar[span->first + i] = parts[i];
        s->shadow->scalar_origin[span->first + i] = parts[i] ? origin : 0;
    }
}

void init_use_exec(const struct init_step *s, uint64_t undefined, uint32_t origin)
{
    if (undefined & s->shadow->lanes)
        init_report(s, GCN_FINDING_INIT_BRANCH, undefined & s->shadow->lanes, origin, NULL);
    s->shadow->scalar[GCN_EXEC_LO] = s->shadow->scalar[GCN_EXEC_HI] = 0;
}

/* ---- the micro-operation ---- */

/* Which registers are addressed relatively is not followed: all that may be written are taken as written. */
static void step_indexing(const struct init_step *s)
{
    struct init_span all = {0, 128, false};
    if (s->plan->dst.count && !s->plan->dst.scalar) {
        shadow_write(s->shadow, &all, s->exec);
        all.first = 128;
        shadow_write(s->shadow, &all, s->exec);
    }
    shadow_write(s->shadow, &s->plan->dst, s->exec);
    shadow_write(s->shadow, &s->plan->sdst, s->exec);
}

static bool is_relative(const struct init_plan *plan)
{
    switch (plan->inst.op) {
    case GCN_OP_s_movrels_b32:
    case GCN_OP_s_movrels_b64:
    case GCN_OP_s_movreld_b32:
    case GCN_OP_s_movreld_b64: return true;
    default: return plan->indexing && (plan->kind == INIT_VECTOR || plan->kind == INIT_LANE);
    }
}

static void step_relative(const struct init_step *s)
{
    struct init_span all = {0, GCN_FLAT_SCRATCH_LO, true};
    if (s->plan->kind == INIT_SCALAR)
        shadow_write(s->shadow, &all, 0);
    else
        step_indexing(s);
}

const struct gcn_uop *gcn_check_init(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct init_group *group = w->group && w->group->check ? w->group->check->init : NULL;
    if (!group)
        return op + 1;
    const struct init_step s = {
        .w = w,
        .shadow = group->waves[w->index],
        .plan = &w->unit->plans[op->imm],
        .op = op,
        .check = w->group->dispatch->check,
        .exec = gcn_exec(w)};
    if (is_relative(s.plan)) {
        step_relative(&s);
        return op + 1;
    }
    switch (s.plan->kind) {
    case INIT_SCALAR: init_step_scalar(&s); break;
    case INIT_VECTOR: init_step_vector(&s); break;
    case INIT_LANE: init_step_lane(&s); break;
    case INIT_BRANCH: init_step_branch(&s); break;
    default: init_step_memory(&s); break;
    }
    return op + 1;
}
