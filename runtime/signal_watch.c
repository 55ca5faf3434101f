/* SPDX-License-Identifier: MIT */
/* Telling whoever waits for a signal: watches of threads and tasks, agents that the signal has as destinations, and
 * other processes. (MV 3.2 - 3.4)
 *
 * Input: live signals whose value has changed. Output: notices to watches and to agents.
 * Invariant: an armed watch is linked to its signal and counted in `attention`, and links change under the lock of the
 * signal's bucket only. A sender stores the value and then reads `attention`; a waiter counts itself in `attention` and
 * then reads the value. Both have a full fence in between, so at least one of them sees the other. */
#include "runtime/signal_slot.h"

#include "runtime/agent.h"

#include <sched.h>

enum { BUCKETS = 64 };

static struct {
    _Atomic uint32_t armed;            /* watches of all signals */
    _Atomic uint32_t telling[BUCKETS]; /* threads that are about to look at the roots of a client's signal, or do so */
    pthread_mutex_t buckets[BUCKETS];
} watches = {.buckets = {[0 ... BUCKETS - 1] = PTHREAD_MUTEX_INITIALIZER}};

static unsigned bucket_number(const struct signal *signal)
{
    return (uintptr_t)signal / sizeof *signal % BUCKETS;
}

static pthread_mutex_t *bucket_of(const struct signal *signal)
{
    return &watches.buckets[bucket_number(signal)];
}

/* Counts DELTA more armed watches of SIGNAL; its bucket is locked. The count that senders see comes last: it is visible
 * before the value is read. */
static void count_watches(struct signal *signal, uint32_t delta)
{
    atomic_fetch_add(&watches.armed, delta);
    atomic_fetch_add(&signal->watch_count, delta);
    atomic_fetch_add(&signal->line->attention, delta);
}

void signal_roots_show(struct signal *signal)
{
    atomic_store(&signal->rooted, true);
    atomic_fetch_or(&signal->line->attention, SIGNAL_ROOTS);
}

/* A waiter that has seen the value may destroy the signal before its sender has told the roots. So the roots are taken
 * away first, and live until no thread can be looking at them. */
void signal_roots_drop(struct signal *signal)
{
    atomic_fetch_and(&signal->line->attention, ~SIGNAL_ROOTS);
    atomic_store(&signal->rooted, false);
    while (atomic_load(&watches.telling[bucket_number(signal)]))
        sched_yield();
}

void signal_watches_drop(struct signal *signal)
{
    pthread_mutex_lock(bucket_of(signal));
    while (signal->watches) {
        struct hsam_signal_watch *watch = signal->watches;
        signal->watches = watch->next;
        count_watches(signal, UINT32_MAX);
        __atomic_store_n(&watch->armed, 0, __ATOMIC_RELAXED);
        watch->notify(watch);
    }
    pthread_mutex_unlock(bucket_of(signal));
}

void signal_tell_watches(struct signal *signal)
{
    pthread_mutex_lock(bucket_of(signal));
    int64_t value = atomic_load_explicit(&signal->line->value, memory_order_acquire);
    struct hsam_signal_watch **link = &signal->watches;
    while (*link) {
        struct hsam_signal_watch *watch = *link;
        if (!signal_condition_holds(watch->condition, value, watch->value)) {
            link = &watch->next;
            continue;
        }
        *link = watch->next;
        count_watches(signal, UINT32_MAX);
        __atomic_store_n(&watch->armed, 0, __ATOMIC_RELAXED);
        watch->notify(watch); /* its owner may take the watch away before this lock is released */
    }
    pthread_mutex_unlock(bucket_of(signal));
}

static uint64_t doorbell_value(const struct signal *signal, const hsa_root_dest_node *node)
{
    switch (node->doorbell) {
    case HSAM_DOORBELL_CONSTANT: return node->doorbell_value;
    case HSAM_DOORBELL_SIGNAL: break;
    }
    return (uint64_t)atomic_load_explicit(&signal->line->value, memory_order_relaxed);
}

static void tell_roots(struct signal *signal)
{
    for (uint32_t i = 0; i < signal->root_count; i++) {
        const struct signal_root *root = &signal->roots[i];
        volatile uint64_t *doorbell = root->node->doorbell_address;
        if (doorbell) /* the doorbell is visible before the state is read */
            __atomic_store_n(doorbell, doorbell_value(signal, root->node), __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&root->node->state, __ATOMIC_SEQ_CST) && root->agent->interface.unblock_destination)
            root->agent->interface.unblock_destination(root->agent->driver, root->client, root->at_agent);
    }
}

/* Tells the roots of a client's signal, which may have been destroyed, and its slot used again, since the value was
 * stored. */
static void tell_roots_of_client(struct signal *signal)
{
    _Atomic uint32_t *telling = &watches.telling[bucket_number(signal)];
    atomic_fetch_add(telling, 1); /* visible before the next line looks */
    if (atomic_load(&signal->rooted))
        tell_roots(signal);
    atomic_fetch_sub(telling, 1);
}

void signal_unblock_roots(struct signal *signal, uint32_t device_driver_id)
{
    _Atomic uint32_t *telling = &watches.telling[bucket_number(signal)];
    atomic_fetch_add(telling, 1); /* visible before the roots are looked at */
    for (uint32_t i = 0; atomic_load(&signal->rooted) && i < signal->root_count; i++) {
        const struct signal_root *root = &signal->roots[i];
        if (root->node->device_driver_id == device_driver_id && root->agent->interface.unblock_destination)
            root->agent->interface.unblock_destination(root->agent->driver, root->client, root->at_agent);
    }
    atomic_fetch_sub(telling, 1);
}

void signal_notify(hsa_signal_t handle)
{
    struct signal *signal = signal_at(handle);
    if (!signal)
        return;
    uint32_t attention = atomic_load_explicit(&signal->line->attention, memory_order_acquire);
    if (attention & SIGNAL_ROOTS && atomic_load(&signal->rooted)) {
        if (signal->is_doorbell)
            tell_roots(signal);
        else
            tell_roots_of_client(signal);
    }
    if (attention & ~SIGNAL_ROOTS)
        signal_tell_watches(signal);
    if (signal_is_ipc(signal))
        signal_ipc_ring(signal);
}

bool signal_watch(hsam_signal_watch *watch)
{
    struct signal *signal = signal_at(watch->signal);
    watch->armed = 0;
    if (!signal) /* nobody can send to it */
        return true;
    pthread_mutex_lock(bucket_of(signal));
    if (signal_is_ipc(signal))
        signal_ipc_listen(signal);
    watch->next = signal->watches;
    watch->armed = 1;
    signal->watches = watch;
    count_watches(signal, 1);
    int64_t value = atomic_load_explicit(&signal->line->value, memory_order_seq_cst);
    bool holds = signal_condition_holds(watch->condition, value, watch->value);
    if (holds) {
        signal->watches = watch->next;
        watch->armed = 0;
        count_watches(signal, UINT32_MAX);
    }
    pthread_mutex_unlock(bucket_of(signal));
    return !holds;
}

bool signal_unwatch(hsam_signal_watch *watch)
{
    struct signal *signal = signal_at(watch->signal);
    if (!signal)
        return false;
    pthread_mutex_lock(bucket_of(signal));
    bool armed = watch->armed;
    if (armed) {
        struct hsam_signal_watch **link = &signal->watches;
        while (*link != watch)
            link = &(*link)->next;
        *link = watch->next;
        watch->armed = 0;
        count_watches(signal, UINT32_MAX);
    }
    pthread_mutex_unlock(bucket_of(signal));
    return armed;
}

/* Called when device code has stored values by itself. The message's event id is a hash of the signal at best and may
 * be wrong, so every signal with a watch is looked at; there are few of those. */
void signal_interrupt(uint32_t event_id)
{
    (void)event_id;
    if (!atomic_fetch_add(&watches.armed, 0)) /* a full fence after the device's store */
        return;
    uint32_t used = signal_count(), shared = signal_ipc_count();
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load_explicit(&signal_number(i)->watch_count, memory_order_relaxed))
            signal_tell_watches(signal_number(i));
    for (uint32_t i = 0; i < shared; i++)
        if (atomic_load_explicit(&signal_ipc_number(i)->life, memory_order_acquire) == SIGNAL_IPC)
            signal_tell_watches(signal_ipc_number(i));
}

/* ---- what packet processors do ---- */

hsa_signal_value_t signal_add(hsa_signal_t handle, hsa_signal_value_t value)
{
    hsa_signal_value_t old = atomic_fetch_add_explicit(&signal_line(handle)->value, value, memory_order_seq_cst);
    signal_sent(handle);
    return old;
}

void signal_fail(hsa_signal_t handle)
{
    atomic_store_explicit(&signal_line(handle)->value, -1, memory_order_seq_cst);
    signal_sent(handle);
}
