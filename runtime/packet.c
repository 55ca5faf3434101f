/* SPDX-License-Identifier: MIT */
/* The packet processor: one host thread per queue. (1.0P 2.6; doc/decisions/failed-dependencies.md)
 *
 * Input: AQL packets, of any content. Output: kernels executed by the driver, signals completed, errors reported.
 * Invariant: packets complete in order, so their barrier bits need no further attention; after an error no more packets
 * are taken. A packet is copied out of the ring before it is looked at, as the client can still write there. The thread
 * looks for the next packet for a short time, then sleeps; a doorbell or a watched signal wakes it. */
#include "runtime/packet.h"

#include "support/cpu.h"
#include "support/fence.h"
#include "support/thread.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 4000, BARRIER_SPINS = 1000 };

/* ---- errors ---- */

/* ERROR_TYPE, ...: one for each row of packet_error.def. */
enum packet_error_row {
#define PACKET_ERROR(name, id, status, text) ERROR_##name,
#include "runtime/packet_error.def"
#undef PACKET_ERROR
};

static const struct {
    const char *id, *text;
    hsa_status_t status;
} error_rows[] = {
#define PACKET_ERROR(name, id, status, text) [ERROR_##name] = {id, text, status},
#include "runtime/packet_error.def"
#undef PACKET_ERROR
};

static void set_error(struct packet_error *error, enum packet_error_row row)
{
    error->status = error_rows[row].status;
    snprintf(error->text, sizeof error->text, "%s [%s]", error_rows[row].text, error_rows[row].id);
}

/* Stops the queue because of an error. */
static void fail_queue(struct packet_processor *p, hsa_signal_t completion, const struct packet_error *error)
{
    packet_processor_inactivate(p);
    if (completion.handle && p->core->signal_valid(completion))
        p->core->signal_fail(completion);
    p->core->queue_error(p->info.queue, error->status, error->text);
}

/* ---- sleeping ---- */

void packet_processor_wake(struct packet_processor *p)
{
    if (!__atomic_exchange_n(&p->awake, 1, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &p->awake, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void sleep_until_woken(struct packet_processor *p)
{
    while (!__atomic_load_n(&p->awake, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &p->awake, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void relax(void)
{
    __builtin_ia32_pause();
}

/* ---- packets in the ring ---- */

static uint32_t *packet_slot(const struct packet_processor *p, uint64_t index)
{
    return (uint32_t *)p->info.packets + (index & (p->info.size - 1)) * PACKET_DWORDS;
}

static unsigned type_of(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_TYPE & ((1 << HSA_PACKET_HEADER_WIDTH_TYPE) - 1);
}

static uint32_t load_header(const uint32_t *slot)
{
    return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

static bool is_packet_ready(const uint32_t *slot)
{
    return type_of((uint16_t)load_header(slot)) != HSA_PACKET_TYPE_INVALID;
}

/* Waits until the next packet is ready. Returns false when the queue ends. */
static bool wait_for_packet(struct packet_processor *p, const uint32_t *slot)
{
    for (;;) {
        for (unsigned i = cpu_spins(SPINS); i; i--) {
            if (is_packet_ready(slot))
                return true;
            if (packet_processor_ending(p))
                return false;
            relax();
        }
        __atomic_store_n(&p->awake, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&p->info.doorbell_root->state, 1, __ATOMIC_SEQ_CST);
        if (!is_packet_ready(slot) && !packet_processor_ending(p))
            sleep_until_woken(p);
        __atomic_store_n(&p->info.doorbell_root->state, 0, __ATOMIC_SEQ_CST);
    }
}

/* Copies the packet and gives its slot back to the producers. */
static void take_packet(struct packet_processor *p, uint64_t index, union packet *packet)
{
    uint32_t *slot = packet_slot(p, index);
    packet->dwords[0] = load_header(slot);
    memcpy(packet->dwords + 1, slot + 1, sizeof *packet - sizeof *slot);
    __atomic_store_n((uint16_t *)(void *)slot, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELAXED);
    __atomic_store_n(p->info.read_index, index + 1, __ATOMIC_RELEASE);
}

/* ---- barrier packets ---- */

/* The dependencies of a barrier packet that are still waited for. */
struct dependencies {
    hsa_signal_t pending[PACKET_DEPENDENCIES];
    unsigned count;
    bool any; /* barrier-OR: one is enough */
};

enum barrier { BARRIER_WAITS, BARRIER_HOLDS, BARRIER_FAILED, BARRIER_INVALID, BARRIER_ENDED };

/* Looks once at every pending dependency. One that has been seen with 0, or failed, is not pending any more, as it
 * counts even when its value changes again. */
static enum barrier look_at_barrier(struct packet_processor *p, struct dependencies *d)
{
    bool failed = false;
    for (unsigned i = 0; i < d->count;) {
        if (!p->core->signal_valid(d->pending[i]))
            return BARRIER_INVALID;
        const amd_signal_t *signal = (const amd_signal_t *)(uintptr_t)d->pending[i].handle;
        int64_t value = __atomic_load_n(&signal->value, __ATOMIC_ACQUIRE);
        if (value > 0) {
            i++;
            continue;
        }
        if (value == 0 && d->any)
            return BARRIER_HOLDS;
        failed |= value < 0;
        d->pending[i] = d->pending[--d->count];
    }
    if (failed && (!d->any || !d->count))
        return BARRIER_FAILED;
    return d->count ? BARRIER_WAITS : BARRIER_HOLDS;
}

static void packet_notify(struct hsam_signal_watch *watch)
{
    packet_processor_wake(watch->user);
}

/* Sleeps until the condition of one of the N watches holds, or something else wakes the thread. The caller has set the
 * signal, condition and value of each watch. */
static void sleep_on(struct packet_processor *p, struct hsam_signal_watch *watches, unsigned n)
{
    unsigned armed = 0;
    __atomic_store_n(&p->awake, 0, __ATOMIC_SEQ_CST);
    for (bool holds = false; armed < n && !holds; armed += !holds) {
        watches[armed].notify = packet_notify;
        watches[armed].user = p;
        holds = !p->core->signal_watch(&watches[armed]);
    }
    if (armed == n && !packet_processor_ending(p))
        sleep_until_woken(p);
    while (armed)
        p->core->signal_unwatch(&watches[--armed]);
}

static void sleep_on_dependencies(struct packet_processor *p, const struct dependencies *d)
{
    struct hsam_signal_watch watches[PACKET_DEPENDENCIES];
    for (unsigned i = 0; i < d->count; i++)
        watches[i] =
            (struct hsam_signal_watch){.signal = d->pending[i], .condition = HSA_SIGNAL_CONDITION_LT, .value = 1};
    sleep_on(p, watches, d->count);
}

static enum barrier wait_for_dependencies(struct packet_processor *p, const union packet *packet, bool any)
{
    struct dependencies d = {.any = any};
    for (unsigned i = 0; i < PACKET_DEPENDENCIES; i++)
        if (packet->barrier.dep_signal[i].handle)
            d.pending[d.count++] = packet->barrier.dep_signal[i];
    enum barrier result = look_at_barrier(p, &d);
    for (unsigned spin = cpu_spins(BARRIER_SPINS); spin && result == BARRIER_WAITS; spin--) {
        relax();
        result = look_at_barrier(p, &d);
    }
    while (result == BARRIER_WAITS) {
        if (packet_processor_ending(p))
            return BARRIER_ENDED;
        sleep_on_dependencies(p, &d);
        result = look_at_barrier(p, &d);
    }
    return result;
}

/* Looks once at the signal of a barrier-value packet, whose value becomes *SEEN. */
static enum barrier look_at_value(struct packet_processor *p, const hsa_amd_barrier_value_packet_t *packet,
                                  hsa_signal_value_t *seen)
{
    if (!p->core->signal_valid(packet->signal))
        return BARRIER_INVALID;
    *seen = __atomic_load_n(&((const amd_signal_t *)(uintptr_t)packet->signal.handle)->value, __ATOMIC_ACQUIRE);
    hsa_signal_value_t value = *seen & packet->mask;
    bool holds = false;
    switch ((hsa_signal_condition_t)packet->cond) {
    case HSA_SIGNAL_CONDITION_EQ: holds = value == packet->value; break;
    case HSA_SIGNAL_CONDITION_NE: holds = value != packet->value; break;
    case HSA_SIGNAL_CONDITION_LT: holds = value < packet->value; break;
    case HSA_SIGNAL_CONDITION_GTE: holds = value >= packet->value; break;
    }
    return holds ? BARRIER_HOLDS : BARRIER_WAITS;
}

static enum barrier wait_for_value(struct packet_processor *p, const hsa_amd_barrier_value_packet_t *packet)
{
    hsa_signal_value_t seen;
    enum barrier result = look_at_value(p, packet, &seen);
    for (unsigned spin = cpu_spins(BARRIER_SPINS); spin && result == BARRIER_WAITS; spin--) {
        relax();
        result = look_at_value(p, packet, &seen);
    }
    while (result == BARRIER_WAITS) {
        if (packet_processor_ending(p))
            return BARRIER_ENDED;
        struct hsam_signal_watch watch = {
            .signal = packet->signal, .condition = HSA_SIGNAL_CONDITION_NE, .value = seen};
        sleep_on(p, &watch, 1);
        result = look_at_value(p, packet, &seen);
    }
    return result;
}

/* ---- processing ---- */

/* Completes a packet that did what it should. */
static void packet_complete(struct packet_processor *p, hsa_signal_t completion, uint64_t start)
{
    fence_all();
    if (!completion.handle)
        return;
    if (!p->core->signal_valid(completion)) { /* destroyed while the packet was active */
        struct packet_error error;
        set_error(&error, ERROR_COMPLETION);
        fail_queue(p, completion, &error);
        return;
    }
    if (start) {
        amd_signal_t *signal = (amd_signal_t *)(uintptr_t)completion.handle;
        signal->start_ts = start;
        signal->end_ts = p->core->timestamp();
    }
    p->core->signal_add(completion, -1);
}

/* Reports how the wait of a barrier packet went. Returns false when the packet does not complete in the ordinary way:
 * the queue ends, or a dependency failed, which makes the completion signal negative but does not stop the queue. */
static bool barrier_finish(struct packet_processor *p, const union packet *packet, enum barrier result,
                           struct packet_error *error)
{
    hsa_signal_t completion = packet->barrier.completion_signal;
    switch (result) {
    case BARRIER_WAITS:
    case BARRIER_HOLDS: return true;
    case BARRIER_INVALID: set_error(error, ERROR_DEPENDENCY); return true;
    case BARRIER_FAILED:
        if (completion.handle && p->core->signal_valid(completion))
            p->core->signal_fail(completion);
        return false;
    case BARRIER_ENDED: break;
    }
    return false;
}

/* Processes a packet in one of AMD's formats. (ROCR documentation 4.1) */
static bool vendor_packet(struct packet_processor *p, const union packet *packet, struct packet_error *error)
{
    if (packet->barrier_value.header.AmdFormat != HSA_AMD_PACKET_TYPE_BARRIER_VALUE)
        set_error(error, ERROR_VENDOR);
    else if (packet->barrier_value.cond > HSA_SIGNAL_CONDITION_GTE)
        set_error(error, ERROR_CONDITION);
    else
        return barrier_finish(p, packet, wait_for_value(p, &packet->barrier_value), error);
    return true;
}

/* Does what the packet asks for. Returns false when its end is not to be reported any more. */
static bool packet_execute(struct packet_processor *p, const union packet *packet, uint64_t index,
                           struct packet_error *error)
{
    switch (type_of(packet->header)) {
    case HSA_PACKET_TYPE_KERNEL_DISPATCH: return p->agent->dispatch(p, packet, index, error);
    case HSA_PACKET_TYPE_BARRIER_AND: return barrier_finish(p, packet, wait_for_dependencies(p, packet, false), error);
    case HSA_PACKET_TYPE_BARRIER_OR: return barrier_finish(p, packet, wait_for_dependencies(p, packet, true), error);
    case HSA_PACKET_TYPE_AGENT_DISPATCH: set_error(error, ERROR_AGENT_DISPATCH); return true;
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC: return vendor_packet(p, packet, error);
    default: set_error(error, ERROR_TYPE); return true;
    }
}

static void process_packet(struct packet_processor *p, const union packet *packet, uint64_t index)
{
    struct packet_error error;
    hsa_signal_t completion = packet->dispatch.completion_signal; /* every kind of packet has it in the same place */
    bool profiled = p->info.queue->queue_properties & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    uint64_t start = profiled ? p->core->timestamp() : 0;
    error.status = HSA_STATUS_SUCCESS;
    fence_all();
    if (completion.handle && !p->core->signal_valid(completion))
        set_error(&error, ERROR_COMPLETION);
    else if (!packet_execute(p, packet, index, &error))
        return;
    if (error.status != HSA_STATUS_SUCCESS)
        fail_queue(p, completion, &error);
    else
        packet_complete(p, completion, start);
}

/* ---- the thread ---- */

static void *processor_main(void *argument)
{
    struct packet_processor *p = argument;
    union packet packet;
    uint64_t index = __atomic_load_n(p->info.read_index, __ATOMIC_ACQUIRE);
    while (wait_for_packet(p, packet_slot(p, index))) {
        pthread_mutex_lock(&p->lock);
        bool inactive = p->inactive;
        if (!inactive)
            take_packet(p, index, &packet);
        pthread_mutex_unlock(&p->lock);
        if (inactive)
            break;
        process_packet(p, &packet, index++);
    }
    return NULL;
}

bool packet_processor_start(struct packet_processor *p, const struct packet_agent *agent,
                            const hsa_generic_driver_interface *core, const hsam_queue_info *info)
{
    p->agent = agent;
    p->core = core;
    p->info = *info;
    p->inactive = false;
    p->ending = 0;
    p->awake = 1;
    pthread_mutex_init(&p->lock, NULL);
    if (!thread_start(&p->thread, processor_main, p))
        return true;
    pthread_mutex_destroy(&p->lock);
    return false;
}

void packet_processor_stop(struct packet_processor *p)
{
    __atomic_store_n(&p->ending, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&p->lock);
    if (p->agent->abandon)
        p->agent->abandon(p);
    pthread_mutex_unlock(&p->lock);
    packet_processor_wake(p);
    pthread_join(p->thread, NULL);
    pthread_mutex_destroy(&p->lock);
}

void packet_processor_inactivate(struct packet_processor *p)
{
    pthread_mutex_lock(&p->lock);
    p->inactive = true;
    pthread_mutex_unlock(&p->lock);
}
