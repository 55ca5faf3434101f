/* SPDX-License-Identifier: MIT */
/* Queues of the software GPU: what it does for the packet processor (runtime/packet.h).
 * Input: kernel-dispatch packets, of any content. Output: kernels executed on the threads of the agent's pool; faults
 * as errors of the queue. Invariant: once the queue is ending, no dispatch starts, and the one that runs is told to
 * stop.
 */
#include "runtime/gcn/gcn_agent.h"
#include "runtime/gcn/bulk/bulk.h"
#include "runtime/gcn/check/check.h"
#include "runtime/gcn/fault.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/observe/observe.h"
#include "runtime/gcn/exec/gws.h"
#include "runtime/packet.h"
#include "support/alloc.h"

#include <stdio.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* How many numbers of doorbells there are. Kernels may take 0 for none. */
enum { DOORBELLS = 1024 };

enum { KNOWN_KERNELS = 16 };

/* What the core has said of a kernel. It holds as long as LOADS is that of the agent. */
struct known_kernel {
    uint64_t object, loads;
    hsam_kernel is;
};

struct gcn_queue {
    struct packet_processor processor; /* must be first */
    struct gcn_agent *agent;
    struct gcn_dispatch *running;         /* under the processor's lock */
    hsa_kernel_dispatch_packet_t *packet; /* the copy that kernels see, alone in a page between two inaccessible ones */
    struct gcn_worker worker;
    struct known_kernel known[KNOWN_KERNELS];
    struct gcn_gws gws; /* of a cooperative queue */
};

static struct gcn_queue *queue_of(struct packet_processor *processor)
{
    return (struct gcn_queue *)(void *)processor;
}

static void refuse_packet(struct packet_error *error, hsa_status_t status, const char *text)
{
    error->status = status;
    snprintf(error->text, sizeof error->text, "%s", text);
}

/* Kernels */

static void interrupt(void *data, uint32_t event_id)
{
    struct gcn_queue *q = data;
    q->agent->core->signal_interrupt(event_id);
}

/* Makes D the running dispatch; false if the queue is ending, as then D must not start. */
static bool set_running(struct gcn_queue *q, struct gcn_dispatch *d)
{
    pthread_mutex_lock(&q->processor.lock);
    q->running = d;
    bool may = !packet_processor_ending(&q->processor);
    pthread_mutex_unlock(&q->processor.lock);
    return may;
}

/* What the code object says of the kernel OBJECT, which the queue remembers. */
static const hsam_kernel *known_kernel(struct gcn_queue *q, uint64_t object)
{
    struct known_kernel *known = &q->known[object / sizeof(amd_kernel_descriptor_t) % KNOWN_KERNELS];
    uint64_t loads = __atomic_load_n(&q->agent->loads, __ATOMIC_ACQUIRE);
    if (known->object == object && known->loads == loads)
        return &known->is;
    *known = (struct known_kernel){.object = object, .loads = loads};
    if (q->agent->core->kernel_known && !q->agent->core->kernel_known(object, &known->is))
        known->is = (hsam_kernel){.name = ""};
    return &known->is;
}

/* Makes the page for the packet that is executed, between two pages that nobody can access. */
static bool packet_page_new(struct gcn_queue *q)
{
    char *pages = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    q->packet = (void *)(pages + PAGE);
    if (!mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE) && guest_memory_add(q->agent->guest, q->packet, PAGE))
        return true;
    munmap(pages, 3 * PAGE);
    return false;
}

static void packet_page_free(struct gcn_queue *q)
{
    guest_memory_remove(q->agent->guest, q->packet);
    munmap((char *)q->packet - PAGE, 3 * PAGE);
}

/* Executes D, on this thread alone if somebody observes it. */
static bool execute_dispatch(struct gcn_queue *q, struct gcn_dispatch *d)
{
    if (!d->observe && !d->check)
        gcn_bulk_run(d, &q->worker, q->agent->pool);
    return d->observe ? gcn_worker_run(&q->worker, d) : gcn_pool_run(q->agent->pool, &q->worker, d);
}

/* Tells D what the client asked for: which compute units, and how urgent it is. */
static void obey_client(struct gcn_dispatch *d, const struct gcn_queue *q)
{
    const hsam_queue_info *info = &q->processor.info;
    uint32_t units = 0, threads = q->agent->threads;
    for (uint32_t i = 0; i < threads && i < GCN_COMPUTE_UNITS_MAX && i / 32 < info->cu_mask_words; i++) {
        uint32_t bit = __atomic_load_n(&info->cu_mask[i / 32], __ATOMIC_RELAXED) & UINT32_C(1) << i % 32;
        d->unit_mask[i / 32] |= bit;
        units += bit != 0;
    }
    d->units = units == threads ? 0 : units;
    uint32_t priority = info->priority ? __atomic_load_n(info->priority, __ATOMIC_RELAXED) : 0;
    d->priority = priority < GCN_PRIORITIES ? priority : GCN_PRIORITIES - 1;
}

static bool dispatch(struct packet_processor *processor, const union packet *packet, uint64_t index,
                     struct packet_error *error)
{
    struct gcn_queue *q = queue_of(processor);
    struct gcn_dispatch d;
    *q->packet = packet->dispatch;
    const hsam_kernel *kernel = NULL;
    hsa_status_t status = gcn_dispatch_begin(&d, q->agent->cache, &packet->dispatch, (uint64_t)(uintptr_t)q->packet,
                                             (uint64_t)(uintptr_t)processor->info.queue, index);
    if (!status)
        status = gcn_launch_check(&d, kernel = known_kernel(q, packet->dispatch.kernel_object));
    if (status) {
        gcn_dispatch_end(&d);
        gcn_launch_report(&d, q->agent, processor->info.queue, error);
        return true;
    }
    d.interrupt = interrupt;
    d.interrupt_data = q;
    d.doorbell = 1 + (uint32_t)(processor->info.queue->hsa_queue.id % (DOORBELLS - 1));
    d.guest = q->agent->guest;
    obey_client(&d, q);
    d.gws = processor->info.type == HSA_QUEUE_TYPE_COOPERATIVE ? &q->gws : NULL;
    struct gcn_check check;
    if (q->agent->checks && gcn_check_begin(&check, &d, kernel, q->agent, processor->info.queue))
        d.check = &check;
    struct gcn_observe observe;
    if (q->agent->observe && gcn_observe_begin(&observe, &d, q->agent, processor->info.queue->hsa_queue.id))
        d.observe = &observe;
    bool started = set_running(q, &d), done = started && execute_dispatch(q, &d);
    set_running(q, NULL);
    if (d.observe)
        gcn_observe_end(&observe);
    if (d.check)
        gcn_check_end(&check);
    gcn_dispatch_end(&d);
    if (d.fault_state)
        gcn_fault_report(&d, q->agent, processor->info.queue, error);
    else if (!started || (packet_processor_ending(processor) && __atomic_load_n(&d.stop, __ATOMIC_ACQUIRE)))
        return false;
    else if (!done)
        refuse_packet(error, HSA_STATUS_ERROR_OUT_OF_RESOURCES, "no memory for a work-group [packet-memory]");
    return true;
}

static void abandon(struct packet_processor *processor)
{
    struct gcn_queue *q = queue_of(processor);
    if (q->running)
        __atomic_store_n(&q->running->stop, 1, __ATOMIC_RELEASE);
}

static const struct packet_agent packet_agent = {.dispatch = dispatch, .abandon = abandon};

/* The interface */

HSAM_Error gcn_queue_new(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                         hsam_handle_t *at_agent)
{
    (void)client, (void)cookie;
    static uint32_t numbers;
    struct gcn_queue *q = mem_zalloc(1, sizeof *q);
    if (!q)
        return HSAM_OutOfResources;
    q->agent = driver;
    q->worker.number = q->agent->threads - 1 + __atomic_fetch_add(&numbers, 1, __ATOMIC_RELAXED);
    info->queue->group_segment_aperture_base_hi = GCN_SHARED_BASE_HI;
    info->queue->private_segment_aperture_base_hi = GCN_PRIVATE_BASE_HI;
    info->queue->max_cu_id = GCN_COMPUTE_UNITS_MAX - 1;
    info->queue->max_wave_id = GCN_UNIT_SIMDS * q->agent->target->processor->generation->simd_waves - 1;
    *at_agent = (hsam_handle_t)(intptr_t)q;
    pthread_mutex_init(&q->gws.lock, NULL);
    if (packet_page_new(q)) {
        if (packet_processor_start(&q->processor, &packet_agent, q->agent->core, info))
            return HSAM_Done;
        packet_page_free(q);
    }
    pthread_mutex_destroy(&q->gws.lock);
    mem_free(q);
    return HSAM_OutOfResources;
}

HSAM_Error gcn_queue_remove(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    struct gcn_queue *q = (struct gcn_queue *)(intptr_t)queue;
    packet_processor_stop(&q->processor);
    gcn_worker_free(&q->worker);
    packet_page_free(q);
    pthread_mutex_destroy(&q->gws.lock);
    mem_free(q);
    return HSAM_Done;
}

HSAM_Error gcn_queue_inactivate(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    packet_processor_inactivate(&((struct gcn_queue *)(intptr_t)queue)->processor);
    return HSAM_Done;
}

void gcn_queue_unblock(void *driver, hsam_handle_t client, hsam_handle_t queue)
{
    (void)driver, (void)client;
    packet_processor_wake(&((struct gcn_queue *)(intptr_t)queue)->processor);
}
