/* SPDX-License-Identifier: MIT */
/* The packet processor: one host thread per queue.
 * Input: AQL packets, of any content. Output: kernels executed, signals completed, errors reported.
 * Invariant: packets complete in order; after an error none is processed any more. The thread spins shortly
 * for the next packet, then sleeps; a doorbell or a watched signal wakes it. */
#include "hsa/hsa_ext_amd.h"
#include "runtime/gcn/agent.h"
#include "support/alloc.h"
#include "support/cpu.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 4000, PACKET_DWORDS = 16, DEPENDENCIES = 5 };

struct gcn_queue {
    struct gcn_agent *agent;
    hsam_queue_info info;
    pthread_t thread;
    pthread_mutex_t launch;       /* held while a packet is taken */
    uint32_t awake;               /* futex: 0 while the thread sleeps or is about to */
    uint32_t ending;              /* atomic */
    bool inactive;                /* under LAUNCH */
    struct gcn_dispatch *running; /* under LAUNCH */
    struct gcn_worker worker;
};

union packet {
    uint32_t dwords[PACKET_DWORDS];
    uint16_t header;
    hsa_kernel_dispatch_packet_t kernel;
    hsa_barrier_and_packet_t barrier;
} __attribute__((aligned(64)));

/* Sleeping */

static void wake(struct gcn_queue *q)
{
    if (!__atomic_exchange_n(&q->awake, 1, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &q->awake, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void sleep_until_woken(struct gcn_queue *q)
{
    while (!__atomic_load_n(&q->awake, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &q->awake, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static bool is_ending(const struct gcn_queue *q)
{
    return __atomic_load_n(&q->ending, __ATOMIC_ACQUIRE);
}

static void relax(void)
{
    __builtin_ia32_pause();
}

/* Packets in the ring */

static uint32_t *slot_of(const struct gcn_queue *q, uint64_t index)
{
    return (uint32_t *)q->info.packets + (index & (q->info.size - 1)) * PACKET_DWORDS;
}

static unsigned type_of(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_TYPE & ((1 << HSA_PACKET_HEADER_WIDTH_TYPE) - 1);
}

static uint32_t load_header(const uint32_t *slot)
{
    return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

static bool is_ready(const uint32_t *slot)
{
    return type_of((uint16_t)load_header(slot)) != HSA_PACKET_TYPE_INVALID;
}

/* Waits until the next packet is ready. Returns false when the queue goes. */
static bool wait_for_packet(struct gcn_queue *q, const uint32_t *slot)
{
    for (;;) {
        for (unsigned i = cpu_spins(SPINS); i; i--) {
            if (is_ready(slot))
                return true;
            if (is_ending(q))
                return false;
            relax();
        }
        __atomic_store_n(&q->awake, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&q->info.doorbell_root->state, 1, __ATOMIC_SEQ_CST);
        if (!is_ready(slot) && !is_ending(q))
            sleep_until_woken(q);
        __atomic_store_n(&q->info.doorbell_root->state, 0, __ATOMIC_SEQ_CST);
    }
}

/* Copies the packet and gives its slot back to the producers. */
static void take_packet(struct gcn_queue *q, uint64_t index, union packet *packet)
{
    uint32_t *slot = slot_of(q, index);
    packet->dwords[0] = load_header(slot);
    memcpy(packet->dwords + 1, slot + 1, 4 * (PACKET_DWORDS - 1));
    __atomic_store_n((uint16_t *)(void *)slot, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELAXED);
    __atomic_store_n(q->info.read_index, index + 1, __ATOMIC_RELEASE);
}

/* Errors */

static void fail(struct gcn_queue *q, hsa_signal_t completion, hsa_status_t status, const char *text)
{
    const hsa_generic_driver_interface *core = q->agent->core;
    pthread_mutex_lock(&q->launch);
    q->inactive = true;
    pthread_mutex_unlock(&q->launch);
    if (completion.handle && core->signal_valid(completion))
        core->signal_fail(completion);
    core->queue_error(q->info.queue, status, text);
}

static hsa_status_t fault_status(enum gcn_fault_kind kind)
{
    switch (kind) {
    case GCN_FAULT_ILLEGAL:
    case GCN_FAULT_UNIMPLEMENTED:
    case GCN_FAULT_FETCH: return (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
    case GCN_FAULT_MEMORY:
    case GCN_FAULT_ALIGNMENT: return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT;
    case GCN_FAULT_APERTURE: return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION;
    case GCN_FAULT_TRAP: return HSA_STATUS_ERROR_EXCEPTION;
    case GCN_FAULT_RESOURCES: return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    case GCN_FAULT_NONE: break;
    }
    return HSA_STATUS_ERROR;
}

static const char *fault_text(enum gcn_fault_kind kind)
{
    switch (kind) {
    case GCN_FAULT_ILLEGAL: return "encoding is no instruction";
    case GCN_FAULT_UNIMPLEMENTED: return "is not implemented in this form";
    case GCN_FAULT_MEMORY: return "accesses memory that is not there";
    case GCN_FAULT_APERTURE: return "leaves the group or private segment";
    case GCN_FAULT_ALIGNMENT: return "is an atomic operation on a misaligned address";
    case GCN_FAULT_TRAP: return "stops the kernel";
    case GCN_FAULT_FETCH: return "continues where there is no code";
    case GCN_FAULT_RESOURCES: return "cannot be translated: out of memory";
    case GCN_FAULT_NONE: break;
    }
    return "failed";
}

static void report_fault(struct gcn_queue *q, hsa_signal_t completion, const struct gcn_fault *fault)
{
    char text[200];
    int length = snprintf(text, sizeof text, "%s at 0x%llx %s", fault->name, (unsigned long long)fault->pc,
                          fault_text(fault->kind));
    if (fault->address && length > 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length, " (0x%llx)", (unsigned long long)fault->address);
    fail(q, completion, fault_status(fault->kind), text);
}

/* Completion */

static amd_signal_t *memory_of(hsa_signal_t signal)
{
    return (amd_signal_t *)(uintptr_t)signal.handle;
}

static bool is_profiled(const struct gcn_queue *q)
{
    return q->info.queue->queue_properties & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
}

static void complete(struct gcn_queue *q, hsa_signal_t completion, uint64_t start)
{
    const hsa_generic_driver_interface *core = q->agent->core;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!completion.handle)
        return;
    if (!core->signal_valid(completion)) {
        fail(q, completion, HSA_STATUS_ERROR_INVALID_SIGNAL, "the completion signal of a packet is not a signal");
        return;
    }
    if (is_profiled(q)) {
        memory_of(completion)->start_ts = start;
        memory_of(completion)->end_ts = core->timestamp();
    }
    core->signal_add(completion, -1);
}

/* Kernels */

static void interrupt(void *data, uint32_t event_id)
{
    struct gcn_queue *q = data;
    q->agent->core->signal_interrupt(event_id);
}

/* Makes D the running dispatch, unless the queue is going: then it must not start. */
static bool set_running(struct gcn_queue *q, struct gcn_dispatch *d)
{
    pthread_mutex_lock(&q->launch);
    q->running = d;
    bool may = !is_ending(q);
    pthread_mutex_unlock(&q->launch);
    return may;
}

static void run_kernel(struct gcn_queue *q, const union packet *packet, uint64_t index)
{
    struct gcn_dispatch d;
    hsa_signal_t completion = packet->kernel.completion_signal;
    uint64_t start = is_profiled(q) ? q->agent->core->timestamp() : 0;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    hsa_status_t status = gcn_dispatch_begin(
        &d, q->agent->cache, &packet->kernel, (uint64_t)(uintptr_t)packet, (uint64_t)(uintptr_t)q->info.queue, index);
    if (status) {
        gcn_dispatch_end(&d);
        fail(q, completion, status, "the kernel-dispatch packet asks for what the agent cannot do");
        return;
    }
    d.interrupt = interrupt;
    d.interrupt_data = q;
    bool done = set_running(q, &d) && gcn_pool_run(q->agent->pool, &q->worker, &d);
    set_running(q, NULL);
    gcn_dispatch_end(&d);
    if (is_ending(q) && !d.fault_state && __atomic_load_n(&d.stop, __ATOMIC_ACQUIRE))
        return;
    if (d.fault_state)
        report_fault(q, completion, &d.fault);
    else if (!done)
        fail(q, completion, HSA_STATUS_ERROR_OUT_OF_RESOURCES, "no memory for a work-group");
    else
        complete(q, completion, start);
}

/* Barrier packets */

static void notify(struct hsam_signal_watch *watch)
{
    wake(watch->user);
}

static bool is_zero(hsa_signal_t signal)
{
    return __atomic_load_n(&memory_of(signal)->value, __ATOMIC_ACQUIRE) == 0;
}

/* Sleeps until one of the N signals is seen with 0, or something else wakes the thread. Returns whether one
 * was. */
static bool sleep_on_signals(struct gcn_queue *q, const hsa_signal_t *signals, unsigned n)
{
    const hsa_generic_driver_interface *core = q->agent->core;
    struct hsam_signal_watch watches[DEPENDENCIES];
    bool seen = false;
    unsigned armed = 0;
    __atomic_store_n(&q->awake, 0, __ATOMIC_SEQ_CST);
    while (armed < n && !seen) {
        watches[armed] = (struct hsam_signal_watch){
            .signal = signals[armed], .condition = HSA_SIGNAL_CONDITION_EQ, .value = 0, .notify = notify, .user = q};
        if (core->signal_watch(&watches[armed]))
            armed++;
        else
            seen = true;
    }
    if (!seen && !is_ending(q))
        sleep_until_woken(q);
    for (unsigned i = 0; i < armed; i++)
        seen |= !core->signal_unwatch(&watches[i]);
    return seen;
}

/* Waits until one of the N signals has been 0; spins first. Returns false when the queue goes. */
static bool wait_for_any(struct gcn_queue *q, const hsa_signal_t *signals, unsigned n)
{
    for (unsigned spin = cpu_spins(SPINS / 4); spin; spin--, relax())
        for (unsigned i = 0; i < n; i++)
            if (is_zero(signals[i]))
                return true;
    while (!is_ending(q))
        if (sleep_on_signals(q, signals, n))
            return true;
    return false;
}

static void run_barrier(struct gcn_queue *q, const union packet *packet, bool any)
{
    hsa_signal_t pending[DEPENDENCIES];
    unsigned count = 0;
    for (unsigned i = 0; i < DEPENDENCIES; i++) {
        hsa_signal_t signal = packet->barrier.dep_signal[i];
        if (!signal.handle)
            continue;
        if (!q->agent->core->signal_valid(signal)) {
            fail(q, packet->barrier.completion_signal, HSA_STATUS_ERROR_INVALID_SIGNAL,
                 "a barrier packet depends on what is not a signal");
            return;
        }
        pending[count++] = signal;
    }
    if (any && count && !wait_for_any(q, pending, count))
        return;
    for (unsigned i = 0; !any && i < count; i++)
        if (!wait_for_any(q, &pending[i], 1))
            return;
    complete(q, packet->barrier.completion_signal, 0);
}

/* The thread */

static void process(struct gcn_queue *q, const union packet *packet, uint64_t index)
{
    switch (type_of(packet->header)) {
    case HSA_PACKET_TYPE_KERNEL_DISPATCH: run_kernel(q, packet, index); break;
    case HSA_PACKET_TYPE_BARRIER_AND: run_barrier(q, packet, false); break;
    case HSA_PACKET_TYPE_BARRIER_OR: run_barrier(q, packet, true); break;
    case HSA_PACKET_TYPE_AGENT_DISPATCH:
        fail(q, packet->kernel.completion_signal, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
             "agent-dispatch packets are for agents that are not kernel agents");
        break;
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
        fail(q, packet->kernel.completion_signal, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
             "the agent knows no vendor-specific packets");
        break;
    default:
        fail(q, (hsa_signal_t){0}, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "the packet has an unknown type");
        break;
    }
}

static void *queue_main(void *argument)
{
    struct gcn_queue *q = argument;
    union packet packet;
    uint64_t index = __atomic_load_n(q->info.read_index, __ATOMIC_ACQUIRE);
    while (wait_for_packet(q, slot_of(q, index))) {
        pthread_mutex_lock(&q->launch);
        bool inactive = q->inactive;
        if (!inactive)
            take_packet(q, index, &packet);
        pthread_mutex_unlock(&q->launch);
        if (inactive)
            break;
        process(q, &packet, index++);
    }
    gcn_worker_free(&q->worker);
    return NULL;
}

HSAM_Error gcn_queue_new(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                         hsam_handle_t *at_agent)
{
    (void)client, (void)cookie;
    static uint32_t numbers;
    struct gcn_queue *q = mem_zalloc(1, sizeof *q);
    if (!q)
        return HSAM_OutOfResources;
    q->agent = driver;
    q->info = *info;
    q->awake = 1;
    q->worker.number = q->agent->threads - 1 + __atomic_fetch_add(&numbers, 1, __ATOMIC_RELAXED);
    info->queue->group_segment_aperture_base_hi = GCN_SHARED_BASE_HI;
    info->queue->private_segment_aperture_base_hi = GCN_PRIVATE_BASE_HI;
    info->queue->max_cu_id = GCN_COMPUTE_UNITS_MAX - 1;
    info->queue->max_wave_id = GCN_UNIT_SIMDS * q->agent->target->processor->generation->simd_waves - 1;
    *at_agent = (hsam_handle_t)(intptr_t)q;
    pthread_mutex_init(&q->launch, NULL);
    if (pthread_create(&q->thread, NULL, queue_main, q)) {
        pthread_mutex_destroy(&q->launch);
        mem_free(q);
        return HSAM_OutOfResources;
    }
    return HSAM_Done;
}

HSAM_Error gcn_queue_remove(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    struct gcn_queue *q = (struct gcn_queue *)(intptr_t)queue;
    __atomic_store_n(&q->ending, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&q->launch);
    if (q->running)
        __atomic_store_n(&q->running->stop, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&q->launch);
    wake(q);
    pthread_join(q->thread, NULL);
    pthread_mutex_destroy(&q->launch);
    mem_free(q);
    return HSAM_Done;
}

HSAM_Error gcn_queue_inactivate(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    struct gcn_queue *q = (struct gcn_queue *)(intptr_t)queue;
    pthread_mutex_lock(&q->launch);
    q->inactive = true;
    pthread_mutex_unlock(&q->launch);
    return HSAM_Done;
}

void gcn_queue_unblock(void *driver, hsam_handle_t client, hsam_handle_t queue)
{
    (void)driver, (void)client;
    wake((struct gcn_queue *)(intptr_t)queue);
}
