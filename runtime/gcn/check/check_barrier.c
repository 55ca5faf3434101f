/* SPDX-License-Identifier: MIT */
/* The checker of barriers: all work-items of a group must come to the same ones.
 * Input: waves that come to a barrier, groups that pass one. Output: findings; the group goes on.
 * Invariant: a report names the first work-item that came and the first that did not.
 *
 * HSAIL and OpenCL C want all work-items of the group at a barrier, those that have ended among them. The machine does
 * not, and programs for it rely on that: a barrier waits for waves that have not ended. So in other kernels a
 * work-item is missing only if it does something later. Machine code does not tell a return from a jump to the end. */
#include "runtime/gcn/check/check.h"

static struct gcn_finding finding(enum gcn_finding_kind kind, struct gcn_party by, struct gcn_party other)
{
    return (struct gcn_finding){.kind = kind, .has_other = true, .by = by, .other = other};
}

static struct gcn_absent *absent_of(const struct gcn_wave *w)
{
    return &w->group->check->absent[w->index];
}

/* W executes the instruction at PC, and some of LANES were not active when it came to a barrier. */
static void add_returned(const struct gcn_wave *w, uint64_t lanes, uint64_t pc)
{
    struct gcn_absent *absent = absent_of(w);
    struct gcn_finding found = finding(GCN_FINDING_DIVERGENT, gcn_check_party(w, absent->pc, absent->present),
                                       gcn_check_party(w, pc, __builtin_ctzll(lanes & absent->lanes)));
    absent->lanes &= ~lanes;
    gcn_check_add(w->group->dispatch->check, &found, 1);
}

void gcn_check_return(const struct gcn_wave *w, const struct gcn_access *access, uint64_t pc)
{
    const struct gcn_absent *absent = absent_of(w);
    /* Functions save registers of all lanes in private memory, even of lanes that do not execute them. */
    if (absent->lanes & access->lanes && !access->scalar &&
        access->segment[__builtin_ctzll(absent->lanes & access->lanes)] != HSAM_ACCESS_PRIVATE)
        add_returned(w, access->lanes, pc);
}

/* Remembers who is not at the barrier at PC to which W has come with the lanes PRESENT. */
static void note_absent(const struct gcn_wave *w, uint64_t pc, uint64_t present, uint64_t lanes)
{
    struct gcn_absent *absent = absent_of(w);
    if (absent->lanes & present)
        add_returned(w, present, pc);
    if (!absent->lanes)
        *absent = (struct gcn_absent){.pc = pc, .present = __builtin_ctzll(present)};
    absent->lanes |= lanes;
}

const struct gcn_uop *gcn_check_barrier(struct gcn_wave *w, const struct gcn_uop *op)
{
    if (!w->group || !w->group->check || !(w->group->dispatch->check->checks & GCN_CHECK_BARRIER))
        return op + 1;
    uint64_t exec = gcn_exec(w), absent = w->group->shape->ids[w->index].lanes & ~exec;
    uint64_t pc = gcn_unit_pc(w->unit, op);
    w->group->check->barrier[w->index] = pc;
    if (!exec)
        return op + 1;
    if (!w->group->dispatch->check->ended_count) {
        note_absent(w, pc, exec, absent);
    } else if (absent) {
        struct gcn_finding found = finding(GCN_FINDING_DIVERGENT, gcn_check_party(w, pc, __builtin_ctzll(exec)),
                                           gcn_check_party(w, 0, __builtin_ctzll(absent)));
        gcn_check_add(w->group->dispatch->check, &found, 1);
    }
    return op + 1;
}

static struct gcn_party first_item(const struct gcn_group *g, uint32_t wave, uint64_t pc)
{
    return gcn_check_party(g->waves[wave], pc, __builtin_ctzll(g->shape->ids[wave].lanes));
}

void gcn_check_release(struct gcn_group *g)
{
    g->check->epoch++;
    if (!(g->dispatch->check->checks & GCN_CHECK_BARRIER))
        return;
    uint32_t first = 0;
    while (g->state[first] != GCN_STOP_BARRIER)
        first++;
    const uint64_t *barrier = g->check->barrier;
    struct gcn_party here = first_item(g, first, barrier[first]);
    for (uint32_t i = 0; i < g->wave_count; i++) {
        bool waits = g->state[i] == GCN_STOP_BARRIER;
        if (waits ? barrier[i] == here.pc : !g->dispatch->check->ended_count)
            continue;
        struct gcn_party other = first_item(g, i, waits ? barrier[i] : 0);
        struct gcn_finding found = finding(waits ? GCN_FINDING_DIFFERENT : GCN_FINDING_MISSING, here, other);
        gcn_check_add(g->dispatch->check, &found, 1);
        return;
    }
}
