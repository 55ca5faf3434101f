/* SPDX-License-Identifier: MIT */
/* The checker of waits: waves that wait for memory which nobody writes, such as for a lock that another work-item of
 * the same wave holds.
 * Input: the work-groups of a host thread, and whether any of them could go on. Output: reports, at once, because such
 * a dispatch may never end. Invariant: nothing is reported while any wave of the dispatch computes, ends, or comes to a
 * barrier within SECONDS. */
#include "runtime/gcn/check/check.h"

#include <time.h>

enum { SECONDS = 3 };

static uint64_t seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec;
}

/* The first instruction from PC on that reads memory, which of a loop that begins at PC is the one that waits; PC, if
 * there is none soon. */
static uint64_t reader_from(struct gcn_cache *cache, uint64_t pc)
{
    enum { INSTRUCTIONS = 32 };
    struct gcn_inst inst;
    uint64_t at = pc;
    for (unsigned i = 0; i < INSTRUCTIONS && gcn_cache_decode(cache, at, &inst, NULL, 0); i++) {
        if (gcn_op_info[inst.op].flags & (GCN_F_LOAD | GCN_F_ATOMIC))
            return at;
        at += inst.size;
    }
    return pc;
}

/* W waits in a loop that begins at OP. Work-items of it that are not active there cannot go on before those that are.
 */
static void tell(const struct gcn_wave *w, const struct gcn_uop *op)
{
    uint64_t pc = reader_from(w->unit->cache, gcn_unit_pc(w->unit, op));
    uint64_t exec = gcn_exec(w), others = w->group->shape->ids[w->index].lanes & ~exec;
    struct gcn_finding finding = {.kind = GCN_FINDING_WAIT,
                                  .by = gcn_check_party(w, pc, exec ? __builtin_ctzll(exec) : -1),
                                  .has_other = exec && others};
    if (finding.has_other)
        finding.other = gcn_check_party(w, 0, __builtin_ctzll(others));
    gcn_check_tell(w->group->dispatch->check, &finding);
}

static void tell_of_group(const struct gcn_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const struct gcn_wave *w = g->waves[i];
        if (g->state[i] == GCN_STOP_SLEEP)
            tell(w, w->at);
        else if (g->state[i] == GCN_STOP_YIELD && g->turns[i].place)
            tell(w, g->turns[i].place);
    }
}

void gcn_check_round(struct gcn_check *check, struct gcn_group *const *groups, unsigned count, bool progressed)
{
    if (!(check->checks & GCN_CHECK_WAIT))
        return;
    uint64_t now = seconds(), last = __atomic_load_n(&check->progressed, __ATOMIC_RELAXED);
    if (progressed || !last) {
        if (last != now)
            __atomic_store_n(&check->progressed, now, __ATOMIC_RELAXED);
        return;
    }
    if (now <= last + SECONDS)
        return;
    for (unsigned i = 0; i < count; i++)
        tell_of_group(groups[i]);
}
