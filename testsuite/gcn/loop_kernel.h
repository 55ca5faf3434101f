/* SPDX-License-Identifier: MIT */
/* A loop of machine code for tests of when and where code is compiled, and running it on a wave. */
#ifndef TESTSUITE_GCN_LOOP_KERNEL_H
#define TESTSUITE_GCN_LOOP_KERNEL_H

#include "runtime/gcn/group.h"
#include "runtime/gcn/wave_run.h"

#include <stdbool.h>
#include <string.h>

/* Adds 3 to v0 and subtracts 1 from s4 until s4 is 0. */
static const uint32_t loop_kernel[] = {0x68000083, 0x80848104, 0xbf078004, 0xbf85fffc, 0xbf810000};

/* A cache that has the loop. */
static inline struct gcn_cache *new_loop_cache(const struct gcn_engine *engine)
{
    struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
    gcn_cache_add(cache, loop_kernel, sizeof loop_kernel, loop_kernel, sizeof loop_kernel);
    return cache;
}

/* Has wave W run COUNT rounds of the loop, over as many turns as that takes; returns whether each lane has counted
 * right. */
static inline bool run_loop(struct gcn_wave *w, struct gcn_cache *cache, uint32_t count)
{
    static struct gcn_dispatch dispatch;
    static struct gcn_group group = {.dispatch = &dispatch, .wave_count = 1};
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    if (!gcn_cache_find(cache, (uint64_t)(uintptr_t)loop_kernel, &entry, &kind))
        return false;
    memset(w, 0, sizeof *w);
    w->base[0] = (const char *)w;
    w->group = &group;
    w->mode = 0x3f0;
    w->s[4] = count;
    gcn_set64(w, GCN_S_EXEC, 0x5555555555555555);
    gcn_mode_changed(w);
    gcn_wave_enter(w, &entry);
    do
        w->budget = 1000;
    while (gcn_wave_run(w) == GCN_STOP_YIELD);
    for (unsigned i = 0; i < GCN_LANES; i++)
        if (w->v[0][i] != (i & 1 ? 0 : 3 * count))
            return false;
    return w->stop == GCN_STOP_END && w->s[4] == 0;
}

#endif
