/* SPDX-License-Identifier: MIT */
/* Handlers of global wave sync, with which kernels have the waves of a whole grid wait for each other.
 *
 * Input: ds_gws_* micro-operations of a dispatch of a cooperative queue. Output: the next micro-operation, or a wave
 * that sleeps at the same one until it may pass. Invariant: a wave counts once, however often it tries its operation;
 * what a wave wrote to memory before it came to a barrier is visible to the waves that leave the barrier. Resources
 * have six-bit numbers: bits 16 to 21 of M0 plus the offset of the instruction. */
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/exec/gws.h"
#include "runtime/gcn/exec/host_simd.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

/* The resources, or NULL if the wave may not use any: its queue is not a cooperative one. */
static struct gcn_gws *gws_of(const struct gcn_wave *w)
{
    return w->group && w->group->dispatch ? w->group->dispatch->gws : NULL;
}

static struct gcn_gws_resource *resource_of(struct gcn_gws *gws, const struct gcn_wave *w, const struct gcn_uop *op)
{
    return &gws->resources[((w->s[GCN_S_M0] >> 16) + (uint32_t)op->imm) % GCN_GWS_RESOURCES];
}

/* The number that the instruction takes is that of its first active lane, or of lane 0 if there is none. */
static uint32_t number(const struct gcn_wave *w, const struct gcn_uop *op)
{
    uint64_t exec = gcn_exec(w);
    return gcn_line(w, op->src[0])[exec ? __builtin_ctzll(exec) : 0];
}

static const struct gcn_uop *refuse(struct gcn_wave *w, const struct gcn_uop *op)
{
    return gcn_raise(w, op, GCN_FAULT_GWS, 0);
}

/* Has the wave try the same operation again at its next turn. */
static const struct gcn_uop *sleep_at(struct gcn_wave *w, const struct gcn_uop *op)
{
    w->wake = 0;
    return gcn_stop(w, GCN_STOP_SLEEP, op);
}

HANDLER(ds_gws_init)
{
    struct gcn_gws *gws = gws_of(w);
    if (!gws)
        return refuse(w, op);
    struct gcn_gws_resource *r = resource_of(gws, w, op);
    pthread_mutex_lock(&gws->lock);
    r->counter = number(w, op);
    r->queued = 0;
    pthread_mutex_unlock(&gws->lock);
    return op + 1;
}

/* The wave that finds the counter at 0 opens the barrier, and its number becomes the counter of the next round. */
HANDLER(ds_gws_barrier)
{
    struct gcn_gws *gws = gws_of(w);
    if (!gws)
        return refuse(w, op);
    if (w->group->dispatch->group_total > GCN_RESIDENT_MAX)
        return gcn_raise(w, op, GCN_FAULT_GRID, w->group->dispatch->group_total);
    struct gcn_gws_resource *r = resource_of(gws, w, op);
    if (w->gws_wait) {
        if (__atomic_load_n(&r->generation, __ATOMIC_ACQUIRE) == (uint32_t)(w->gws_wait - 1))
            return sleep_at(w, op);
        w->gws_wait = 0;
        return op + 1;
    }
    pthread_mutex_lock(&gws->lock);
    bool last = !r->counter;
    uint32_t generation = r->generation;
    if (last) {
        r->counter = number(w, op);
        __atomic_store_n(&r->generation, generation + 1, __ATOMIC_RELEASE);
    } else {
        r->counter--;
    }
    pthread_mutex_unlock(&gws->lock);
    if (last)
        return op + 1;
    w->gws_wait = (uint64_t)generation + 1;
    return sleep_at(w, op);
}

/* Waits until the semaphore is not 0, and takes 1 from it. */
HANDLER(ds_gws_sema_p)
{
    struct gcn_gws *gws = gws_of(w);
    if (!gws)
        return refuse(w, op);
    struct gcn_gws_resource *r = resource_of(gws, w, op);
    pthread_mutex_lock(&gws->lock);
    bool pass = r->counter != 0;
    if (pass)
        r->counter--;
    if (pass && w->gws_wait && r->queued)
        r->queued--;
    if (!pass && !w->gws_wait)
        r->queued++;
    pthread_mutex_unlock(&gws->lock);
    w->gws_wait = !pass;
    return pass ? op + 1 : sleep_at(w, op);
}

/* Adds VALUE to the semaphore. With ALL, it is set to the number of waves that wait at it. */
static const struct gcn_uop *post(struct gcn_wave *w, const struct gcn_uop *op, uint32_t value, bool all)
{
    struct gcn_gws *gws = gws_of(w);
    if (!gws)
        return refuse(w, op);
    struct gcn_gws_resource *r = resource_of(gws, w, op);
    pthread_mutex_lock(&gws->lock);
    r->counter = all ? r->queued : r->counter + value;
    pthread_mutex_unlock(&gws->lock);
    return op + 1;
}

HANDLER(ds_gws_sema_v)
{
    return post(w, op, 1, false);
}

HANDLER(ds_gws_sema_br)
{
    return post(w, op, number(w, op), false);
}

HANDLER(ds_gws_sema_release_all)
{
    return post(w, op, 0, true);
}

const struct gcn_handler_row gcn_gws_handlers[] = {
#define ROW(name)                                                                                            \
    {                                                                                                        \
        GCN_OP_##name, name                                                                                  \
    }
    ROW(ds_gws_init),    ROW(ds_gws_barrier),          ROW(ds_gws_sema_p), ROW(ds_gws_sema_v),
    ROW(ds_gws_sema_br), ROW(ds_gws_sema_release_all), {0, NULL},
#undef ROW
};
