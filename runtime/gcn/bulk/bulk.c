/* SPDX-License-Identifier: MIT */
/* Decides whether a dispatch is worth a look, and divides its groups among moves, streams and the interpreter.
 * Input: a dispatch that has not started. Output: memory moved, streams executed, and the groups that are left.
 * Invariant: moves come first, then streams, then the groups that are left, which is one of the orders that the kernel
 * allows: no group of the former waits for anything. If one of them faults, all groups are interpreted, and the fault
 * is that of an instruction. What was done is done again, which leaves memory as no order would have left it if a
 * stream has written what it reads; after a fault nobody may rely on that memory. */
#include "runtime/gcn/bulk/bulk.h"

#include "runtime/gcn/bulk/bulk_wave.h"
#include "runtime/gcn/wave_run.h"
#include "support/alloc.h"

enum {
    LEAST_WAVES = 64,      /* fewer are interpreted in less time than it takes to look at the kernel */
    WAVES_PER_STEP = 2,    /* how many waves there have to be for each instruction that is looked at */
    MOST_STEPS = 1 << 20,  /* instructions that are looked at, whatever the grid: a kernel may loop for ever */
    MOST_LEFT = 1 << 20,   /* groups */
    MOST_PATIENCE = 1 << 6 /* after failures, so many dispatches of the kernel are not looked at */
};

/* Whether fewer than three quarters of the groups are left to the interpreter; *COUNT is how many. */
static bool is_worth_it(const struct bulk *b, uint64_t *count)
{
    *count = 0;
    if ((!b->move_count && !b->stream_count) || b->left_count > BULK_BOXES)
        return false;
    for (unsigned i = 0; i < b->left_count; i++)
        *count += affine_groups(&b->left[i]);
    return *count <= MOST_LEFT && *count < b->dispatch->group_total - b->dispatch->group_total / 4;
}

/* The linear numbers of the COUNT groups that are left; NULL if there is no memory. */
static uint64_t *list_left(const struct bulk *b, uint64_t count)
{
    const struct gcn_dispatch *d = b->dispatch;
    uint64_t *list = mem_alloc((count + 1) * sizeof *list), n = 0;
    for (unsigned i = 0; list && i < b->left_count; i++) {
        const struct affine_box *box = &b->left[i];
        for (uint64_t at = 0, groups = affine_groups(box); at < groups; at++) {
            uint64_t place[AFFINE_GROUPS];
            affine_group_at(box, at, place);
            uint64_t row = box->first[1] + place[1] + d->groups[1] * (box->first[2] + place[2]);
            list[n++] = box->first[0] + place[0] + d->groups[0] * row;
        }
    }
    return list;
}

static void move_all(void *data)
{
    bulk_move_all(data);
}

static bool try_it(struct gcn_dispatch *d, struct gcn_worker *worker, struct gcn_pool *pool)
{
    struct bulk *b = mem_zalloc(1, sizeof *b);
    if (!b)
        return false;
    b->dispatch = d;
    b->steps = d->group_total * d->wave_count / WAVES_PER_STEP;
    b->steps = b->steps < MOST_STEPS ? b->steps : MOST_STEPS;
    uint64_t *list = NULL, count = 0;
    bulk_explore(b);
    bool done = is_worth_it(b, &count) && bulk_moves_allowed(b) && (list = list_left(b, count)) != NULL &&
                gcn_guarded(move_all, b) && bulk_stream_all(b, worker, pool);
    mem_free(b);
    if (!done) {
        mem_free(list);
        return false;
    }
    d->rest = list;
    d->group_total = count;
    return true;
}

/* Whether all groups that are not at an edge of the grid consist of full waves, and there is much to do. */
static bool is_candidate(const struct gcn_dispatch *d)
{
    uint64_t items = (uint64_t)d->size[0] * d->size[1] * d->size[2];
    return d->group_total >= LEAST_WAVES / d->wave_count && d->group_total < UINT64_C(1) << 40 &&
           items % GCN_LANES == 0 && !d->gws && !d->entry.unit->exact && !d->private_size;
}

void gcn_bulk_run(struct gcn_dispatch *d, struct gcn_worker *worker, struct gcn_pool *pool)
{
    uint32_t *patience = (uint32_t *)(uintptr_t)&d->entry.unit->bulk; /* it is no part of the translation */
    if (!is_candidate(d))
        return;
    uint32_t wait = __atomic_load_n(patience, __ATOMIC_RELAXED), failures = wait >> 16;
    if (wait & UINT16_MAX) {
        __atomic_store_n(patience, wait - 1, __ATOMIC_RELAXED);
        return;
    }
    if (try_it(d, worker, pool))
        failures = 0;
    else if (failures < MOST_PATIENCE)
        failures = failures ? 2 * failures : 1;
    __atomic_store_n(patience, failures << 16 | failures, __ATOMIC_RELAXED);
}
