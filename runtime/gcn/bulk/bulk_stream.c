/* SPDX-License-Identifier: MIT */
/* Executes the streams of boxes: the waves of a box run their program one after the other, on all workers.
 * Input: streams. Output: memory. Invariant: each wave runs from beginning to end without a pause, so a worker needs
 * one wave only, in whose registers the kernel's values are.
 *
 * Between two waves, only the slots change. What is added to them in each lane is the same for all waves, in lines that
 * are made once. */
#include "runtime/gcn/bulk/bulk_wave.h"

#include "runtime/gcn/wave_run.h"

#include <string.h>

enum { PART_WAVES = 256 }; /* of a part that a worker takes: some microseconds */

const struct gcn_uop *bulk_put_scalar(struct gcn_wave *w, const struct gcn_uop *op)
{
    *gcn_dst(w, op->dst) = gcn_s32(w, op->src[0]);
    return op + 1;
}

const struct gcn_uop *bulk_end(struct gcn_wave *w, const struct gcn_uop *op)
{
    return gcn_stop(w, GCN_STOP_END, op);
}

/* The streams of a dispatch while they are executed. */
struct execution {
    struct gcn_shared_work work; /* must be first */
    const struct bulk *b;
    struct gcn_unit unit;                            /* the micro-operations of the streams */
    uint64_t steps[BULK_SLOTS][GCN_GROUP_WAVES_MAX]; /* what a slot of a wave is more than that of the group */
    uint64_t group_parts;                            /* groups of a part */
    uint64_t parts;
    uint64_t next;   /* atomic: the first part that nobody has taken */
    uint32_t failed; /* atomic */
};

/* Preparations */

static void find_steps(struct execution *e)
{
    const struct bulk *b = e->b;
    const struct gcn_group_shape *shape = &b->dispatch->shapes[0];
    for (unsigned n = 0; n < b->slot_count; n++) {
        uint64_t steps[AFFINE_COORDINATES - AFFINE_GROUPS];
        for (unsigned i = 0; i < AFFINE_COORDINATES - AFFINE_GROUPS; i++)
            steps[i] = (uint64_t)b->slots[n].step[AFFINE_GROUPS + i];
        for (uint32_t k = 0; k < shape->wave_count; k++)
            e->steps[n][k] = bulk_at_lane(&shape->ids[k], 0, steps) + bulk_lead(&shape->ids[k], steps);
    }
}

static uint64_t parts_of(const struct execution *e, const struct bulk_stream *stream)
{
    return (affine_groups(&stream->box) + e->group_parts - 1) / e->group_parts;
}

/* Running */

/* Groups of a stream that a worker executes. */
struct stream_part {
    const struct execution *e;
    const struct bulk_stream *stream;
    struct gcn_wave *wave;
    uint64_t first, end;
    bool done;
};

static bool run_wave(const struct stream_part *part, const uint64_t *values, uint32_t k)
{
    struct gcn_wave *w = part->wave;
    uint64_t *slots = (uint64_t *)(void *)w->v[BULK_SLOT_LINE] + part->stream->first_slot;
    const struct gcn_uop *op = part->e->unit.ops + part->stream->first_op;
    for (unsigned i = 0; i < part->stream->slot_count; i++)
        slots[i] = values[i] + part->e->steps[part->stream->first_slot + i][k];
    gcn_set64(w, GCN_EXEC_LO, UINT64_MAX);
    do
        op = op->fn(w, op);
    while (op);
    return w->stop == GCN_STOP_END;
}

static void run_part(void *data)
{
    struct stream_part *part = data;
    const struct affine_box *box = &part->stream->box;
    const struct affine *slots = &part->e->b->slots[part->stream->first_slot];
    uint64_t values[BULK_SLOTS];
    for (uint64_t at = part->first; at < part->end; at++) {
        uint64_t place[AFFINE_GROUPS];
        affine_group_at(box, at, place);
        for (unsigned i = 0; i < part->stream->slot_count; i++) {
            values[i] = (uint64_t)slots[i].at;
            for (unsigned n = 0; n < AFFINE_GROUPS; n++)
                values[i] += (uint64_t)slots[i].step[n] * place[n];
        }
        for (uint32_t k = 0; k < part->e->b->dispatch->wave_count; k++)
            if (!run_wave(part, values, k))
                return;
    }
    part->done = true;
}

/* The wave of a worker, which stands before the first micro-operation; NULL if there is no memory. */
static struct gcn_wave *start_wave(const struct execution *e, struct gcn_worker *worker)
{
    struct gcn_group *g = gcn_worker_resident(worker, 0);
    if (!g || !gcn_group_start(g, e->work.dispatch, 0, worker->number))
        return NULL;
    struct gcn_wave *w = g->waves[0];
    w->unit = &e->unit;
    memcpy(w->v[BULK_PATTERN_LINE], e->b->lines, sizeof e->b->lines);
    return w;
}

static bool is_left(const struct gcn_shared_work *work)
{
    const struct execution *e = (const struct execution *)work;
    return __atomic_load_n(&e->next, __ATOMIC_RELAXED) < e->parts && !__atomic_load_n(&e->failed, __ATOMIC_RELAXED) &&
           !bulk_is_stopped(e->b);
}

/* Finds the groups of part number N. */
static struct stream_part part_at(const struct execution *e, uint64_t n, struct gcn_wave *wave)
{
    const struct bulk_stream *stream = e->b->streams;
    for (uint64_t count; n >= (count = parts_of(e, stream)); stream++)
        n -= count;
    uint64_t first = n * e->group_parts, left = affine_groups(&stream->box) - first;
    return (struct stream_part){e, stream, wave, first, first + (left < e->group_parts ? left : e->group_parts), false};
}

static void run_parts(struct gcn_shared_work *work, struct gcn_worker *worker)
{
    struct execution *e = (struct execution *)work;
    struct gcn_wave *w = start_wave(e, worker);
    if (!w && !worker->helps)
        __atomic_store_n(&e->failed, 1, __ATOMIC_RELAXED);
    uint32_t caller_csr = gcn_float_begin();
    while (w && is_left(work) && !(worker->helps && gcn_dispatch_is_outranked(work->dispatch))) {
        gcn_dispatch_let_pass(work->dispatch);
        uint64_t n = __atomic_fetch_add(&e->next, 1, __ATOMIC_RELAXED);
        if (n >= e->parts)
            break;
        struct stream_part part = part_at(e, n, w);
        if (!gcn_guarded(run_part, &part) || !part.done)
            __atomic_store_n(&e->failed, 1, __ATOMIC_RELAXED);
    }
    gcn_float_end(caller_csr);
}

bool bulk_stream_all(struct bulk *b, struct gcn_worker *worker, struct gcn_pool *pool)
{
    struct gcn_dispatch *d = (struct gcn_dispatch *)(uintptr_t)b->dispatch;
    struct execution e = {.work = {d, run_parts, is_left}, .b = b, .unit = *d->entry.unit};
    if (!b->stream_count)
        return true;
    e.unit.ops = b->ops;
    e.unit.pcs = b->pcs;
    e.unit.count = e.unit.total = b->op_count;
    e.group_parts = d->wave_count < PART_WAVES ? PART_WAVES / d->wave_count : 1;
    for (unsigned i = 0; i < b->stream_count; i++)
        e.parts += parts_of(&e, &b->streams[i]);
    find_steps(&e);
    gcn_pool_share(pool, worker, &e.work);
    return !__atomic_load_n(&e.failed, __ATOMIC_ACQUIRE);
}
