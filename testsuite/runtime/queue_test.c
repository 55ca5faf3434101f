/* SPDX-License-Identifier: MIT */
/* Tests queues, packets and the component interface. The same cases run with a driver whose kernels are C functions, in
 * each of its modes, and with the software GPU, which runs machine code. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

#include <time.h>

static hsa_agent_t agent, cpu;
static uint64_t kernels[MACHINE_KERNELS]; /* the values for the field kernel_object on AGENT */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static hsa_signal_t signal_make(hsa_signal_value_t value)
{
    hsa_signal_t signal = {0};
    hsa_signal_create(value, 0, NULL, &signal);
    return signal;
}

static hsa_signal_value_t wait_below(hsa_signal_t signal, hsa_signal_value_t limit)
{
    hsa_signal_value_t value;
    int patience = 1000;
    do
        value = hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, limit, 10000000, HSA_WAIT_STATE_BLOCKED);
    while (value >= limit && patience--);
    return value;
}

static void creation(unsigned queues_of_agent)
{
    hsa_queue_t *queue = NULL, *more[128] = {NULL};
    bool cooperative = true;
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES, &cooperative);
    ok(hsa_queue_create((hsa_agent_t){0}, 64, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_queue_create(agent, 0, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_create(agent, 65, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_create(agent, 64, 3, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong arguments are refused");
    ok(hsa_queue_create(cpu, 64, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_QUEUE_CREATION &&
           (cooperative || hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_COOPERATIVE, NULL, NULL, 0, 0, &queue) ==
                               HSA_STATUS_ERROR_INVALID_QUEUE_CREATION),
       "an agent without such queues refuses");
    uint32_t largest = 0;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MAX_SIZE, &largest);
    ok(hsa_queue_create(agent, 2 * largest, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "too large is out of resources");
    ok(hsa_queue_create(agent, 2, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_SUCCESS && queue->size == 64 &&
           (uintptr_t)queue->base_address % 64 == 0 && queue->doorbell_signal.handle,
       "a small size is raised to the minimum");
    bool invalid = true;
    for (uint32_t i = 0; i < queue->size; i++)
        invalid &= ((uint16_t *)queue->base_address)[i * 32] == HSA_PACKET_TYPE_INVALID;
    ok(invalid, "all packets start invalid");
    unsigned made = 0;
    while (made < queues_of_agent &&
           hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &more[made]) == HSA_STATUS_SUCCESS)
        made++;
    ok(made == queues_of_agent - 1, "as many queues as the agent has");
    ok(more[0]->id != queue->id && more[0]->id != more[1]->id, "ids differ");
    while (made)
        hsa_queue_destroy(more[--made]);
    ok(hsa_signal_destroy(queue->doorbell_signal) == HSA_STATUS_ERROR_INVALID_SIGNAL, "a doorbell is the queue's");
    ok(hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS && hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE &&
           hsa_queue_destroy(NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_inactivate((hsa_queue_t *)(uintptr_t)0x1234) == HSA_STATUS_ERROR_INVALID_QUEUE,
       "stale and made-up queues are refused");
}

static hsa_status_t first_region(hsa_region_t r, void *data)
{
    *(hsa_region_t *)data = r;
    return HSA_STATUS_INFO_BREAK;
}

static void indexes(void)
{
    hsa_queue_t *queue;
    hsa_region_t none = {0};
    hsa_signal_t bell = signal_make(0);
    ok(hsa_soft_queue_create(none, 16, 0, 1, bell, &queue) == HSA_STATUS_ERROR_INVALID_REGION,
       "a soft queue needs a region");
    hsa_region_t region = {0};
    hsa_agent_iterate_regions(cpu, first_region, &region);
    ok(hsa_soft_queue_create(region, 15, 0, 1, bell, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_soft_queue_create(region, 16, 2, 1, bell, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_soft_queue_create(region, 16, 0, 0, bell, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_soft_queue_create(region, 16, 0, 1, (hsa_signal_t){0}, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_soft_queue_create(region, 16, 0, 1, (hsa_signal_t){77}, &queue) == HSA_STATUS_ERROR_INVALID_SIGNAL,
       "wrong arguments of soft queues are refused");
    ok(hsa_soft_queue_create(region, 16, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_FEATURE_AGENT_DISPATCH, bell, &queue) ==
               HSA_STATUS_SUCCESS &&
           queue->size == 16 && queue->type == HSA_QUEUE_TYPE_SINGLE && queue->features == 2 &&
           queue->doorbell_signal.handle == bell.handle,
       "a soft queue is as asked for");
    ok(hsa_queue_add_write_index_relaxed(queue, 3) == 0 && hsa_queue_add_write_index_acq_rel(queue, 2) == 3 &&
           hsa_queue_cas_write_index_scacquire(queue, 5, 9) == 5 &&
           hsa_queue_cas_write_index_release(queue, 5, 1) == 9 && hsa_queue_load_write_index_acquire(queue) == 9,
       "write index operations");
    hsa_queue_store_write_index_release(queue, 11);
    hsa_queue_store_read_index_relaxed(queue, 4);
    ok(hsa_queue_load_write_index_relaxed(queue) == 11 && hsa_queue_load_read_index_scacquire(queue) == 4,
       "stored indexes are read back");
    ok(hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS && hsa_signal_destroy(bell) == HSA_STATUS_SUCCESS,
       "a soft queue's doorbell outlives it");
}

/* Kernels of the test driver; machine_kernels.c has the same ones for the software GPU. */
static void add_one(const hsa_kernel_dispatch_packet_t *packet, const hsa_generic_driver_interface *core)
{
    (void)core;
    __atomic_add_fetch((uint64_t *)packet->kernarg_address, 1, __ATOMIC_RELAXED);
}

/* Does what device code does: changes the value itself, then raises an interrupt. */
static void store_and_interrupt(const hsa_kernel_dispatch_packet_t *packet, const hsa_generic_driver_interface *core)
{
    amd_signal_t *signal = packet->kernarg_address;
    __atomic_store_n(&signal->value, 42, __ATOMIC_RELAXED);
    core->signal_interrupt(signal->event_id);
}

static void packets(void)
{
    hsa_queue_t *queue;
    uint64_t counter = 0;
    ok(hsa_queue_create(agent, 64, 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) == HSA_STATUS_SUCCESS, "queue");
    hsa_signal_t done = signal_make(1000);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_ADD], 1, done);
    packet.kernarg_address = &counter;
    for (int i = 0; i < 1000; i++)
        submit(queue, &packet);
    ok(wait_below(done, 1) == 0 && counter == 1000, "1000 kernels through a ring of 64");
    ok(hsa_queue_load_read_index_relaxed(queue) == 1000, "the read index follows");
    hsa_queue_store_read_index_relaxed(queue, 5);
    ok(hsa_queue_load_read_index_relaxed(queue) == 1000, "the read index is the agent's");

    hsa_signal_t value = signal_make(0);
    packet = kernel_packet(kernels[MACHINE_STORE], 1, (hsa_signal_t){0});
    packet.kernarg_address = (void *)(uintptr_t)value.handle;
    submit(queue, &packet);
    ok(hsa_signal_wait_scacquire(value, HSA_SIGNAL_CONDITION_EQ, 42, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 42,
       "a store by device code is seen");

    hsa_queue_destroy(queue);
    hsa_signal_destroy(value);
    hsa_signal_destroy(done);
}

enum { A_WHILE = 2000000 }; /* ticks of 10 nanoseconds */

static bool stays_for(uint64_t time, hsa_signal_t signal, hsa_signal_value_t value)
{
    return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_NE, value, time, HSA_WAIT_STATE_BLOCKED) == value;
}

/* Waits for a while and checks that the signal keeps VALUE. */
static bool stays(hsa_signal_t signal, hsa_signal_value_t value)
{
    return stays_for(A_WHILE, signal, value);
}

/* Submits a barrier-AND whose first dependency is 0 for TIME only, before the second one is. Returns whether the packet
 * completes while the first is not 0 any more; it is complete in any case. */
static bool counts_passing_zero(hsa_queue_t *queue, const hsa_barrier_and_packet_t *barrier, uint64_t time)
{
    hsa_signal_t one = barrier->dep_signal[0], two = barrier->dep_signal[2], result = barrier->completion_signal;
    hsa_signal_store_relaxed(one, 1);
    hsa_signal_store_relaxed(two, 1);
    hsa_signal_store_relaxed(result, 1);
    submit(queue, barrier);
    hsa_signal_store_relaxed(one, 0);
    ok(stays_for(time, result, 1), "barrier-and waits for the second dependency");
    hsa_signal_store_relaxed(one, 5);
    hsa_signal_store_relaxed(two, 0);
    bool counts = !stays_for(time, result, 1);
    hsa_signal_store_relaxed(one, 0);
    ok(wait_below(result, 1) == 0, "barrier-and completes when both have been 0");
    return counts;
}

static void barriers(void)
{
    hsa_queue_t *queue;
    hsa_queue_create(agent, 64, 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue);
    hsa_signal_t one = signal_make(1), two = signal_make(1), result = signal_make(1);
    hsa_barrier_and_packet_t barrier = {
        .header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {one, {0}, two}, .completion_signal = result};
    bool counts = false; /* a packet processor that did not get to run in that time has not seen the 0: try longer */
    for (uint64_t time = A_WHILE; !counts && time < UINT64_C(500) * A_WHILE; time *= 4)
        counts = counts_passing_zero(queue, &barrier, time);
    ok(counts, "barrier-and: a dependency that was 0 once counts");
    hsa_signal_store_relaxed(one, 1);
    hsa_signal_store_relaxed(two, 1);
    hsa_signal_store_relaxed(result, 1);
    barrier.header = HSA_PACKET_TYPE_BARRIER_OR;
    submit(queue, &barrier);
    ok(stays(result, 1), "barrier-or waits");
    hsa_signal_store_relaxed(two, 0);
    ok(wait_below(result, 1) == 0, "barrier-or completes with one");
    memset(barrier.dep_signal, 0, sizeof barrier.dep_signal);
    hsa_signal_store_relaxed(result, 2);
    submit(queue, &barrier);
    barrier.header = HSA_PACKET_TYPE_BARRIER_AND;
    submit(queue, &barrier);
    ok(wait_below(result, 1) == 0, "barriers without dependencies complete");
    hsa_queue_destroy(queue);
    hsa_signal_destroy(one);
    hsa_signal_destroy(two);
    hsa_signal_destroy(result);
}

/* A dependency has failed if its signal is negative; see doc/decisions/failed-dependencies.md. */
static void failed_dependencies(void)
{
    hsa_queue_t *queue;
    uint64_t counter = 0;
    hsa_queue_create(agent, 64, 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue);
    hsa_signal_t one = signal_make(1), two = signal_make(1), result = signal_make(1), done = signal_make(1);
    hsa_barrier_and_packet_t barrier = {
        .header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {one, two}, .completion_signal = result};
    submit(queue, &barrier);
    ok(stays(result, 1), "barrier-and waits for two");
    hsa_signal_store_relaxed(two, -1);
    ok(wait_below(result, 1) < 0, "barrier-and passes a failure on, whatever else it waits for");
    hsa_signal_store_relaxed(result, 1);
    submit(queue, &barrier);
    ok(wait_below(result, 1) < 0, "barrier-and sees a failure that was there before");
    barrier.header = HSA_PACKET_TYPE_BARRIER_OR;
    hsa_signal_store_relaxed(result, 1);
    submit(queue, &barrier);
    ok(stays(result, 1), "barrier-or goes on waiting while another dependency can come");
    hsa_signal_store_relaxed(one, 0);
    ok(wait_below(result, 1) == 0, "and completes with it");
    hsa_signal_store_relaxed(one, 1);
    hsa_signal_store_relaxed(result, 1);
    submit(queue, &barrier);
    hsa_signal_store_relaxed(one, INT64_MIN);
    ok(wait_below(result, 1) < 0, "barrier-or fails when all have failed");
    barrier.completion_signal.handle = 0;
    submit(queue, &barrier);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_ADD], 1, done);
    packet.kernarg_address = &counter;
    submit(queue, &packet);
    ok(wait_below(done, 1) == 0 && counter == 1, "the queue goes on after a failed barrier");
    hsa_queue_destroy(queue);
    hsa_signal_destroy(one);
    hsa_signal_destroy(two);
    hsa_signal_destroy(result);
    hsa_signal_destroy(done);
}

/* AMD's barrier-value packet, which waits for a value under a mask; AMD's libraries use it instead of several barriers.
 */
static void value_barriers(void)
{
    static const struct {
        hsa_signal_condition_t condition;
        hsa_signal_value_t value, before, after;
    } cases[] = {{HSA_SIGNAL_CONDITION_EQ, 0x30, 0x1020, 0x1035},
                 {HSA_SIGNAL_CONDITION_NE, 0x30, 0x1030, 0x1020},
                 {HSA_SIGNAL_CONDITION_LT, 0x30, 0x1030, 0x1020},
                 {HSA_SIGNAL_CONDITION_GTE, 0x30, 0x1020, 0x1041}};
    hsa_queue_t *queue;
    hsa_queue_create(agent, 64, 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue);
    hsa_signal_t signal = signal_make(0), result = signal_make(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hsa_amd_barrier_value_packet_t packet = {
            .header = {HSA_PACKET_TYPE_VENDOR_SPECIFIC, HSA_AMD_PACKET_TYPE_BARRIER_VALUE, 0},
            .signal = signal,
            .value = cases[i].value,
            .mask = 0xf0,
            .cond = cases[i].condition,
            .completion_signal = result};
        hsa_signal_store_relaxed(result, 1);
        hsa_signal_store_relaxed(signal, cases[i].before);
        submit(queue, &packet);
        bool waits = stays(result, 1);
        hsa_signal_store_relaxed(signal, cases[i].before + 1); /* under the mask nothing changes */
        waits &= stays(result, 1);
        hsa_signal_store_relaxed(signal, cases[i].after);
        ok(waits && wait_below(result, 1) == 0, "barrier-value waits for condition %d", (int)cases[i].condition);
    }
    hsa_queue_destroy(queue);
    hsa_signal_destroy(signal);
    hsa_signal_destroy(result);
}

/* A queue can be destroyed, and the runtime shut down, while the packet processor waits. */
static void abandoned_barriers(void)
{
    hsa_queue_t *queue;
    hsa_signal_t never = signal_make(1), result = signal_make(1);
    hsa_queue_create(agent, 64, 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue);
    hsa_barrier_and_packet_t barrier = {
        .header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {never}, .completion_signal = result};
    submit(queue, &barrier);
    ok(stays(result, 1), "barrier-and waits for what never comes");
    ok(hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS && hsa_signal_load_relaxed(result) == 1,
       "its queue can be destroyed, and the packet is not complete");
    hsa_signal_destroy(never);
    hsa_signal_destroy(result);
}

static struct {
    int calls;
    hsa_status_t status;
    hsa_queue_t *queue;
    hsa_signal_t told;
} failure;

static void failed(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    failure.calls++;
    failure.status = status;
    failure.queue = queue;
    (void)data;
    hsa_signal_store_screlease(failure.told, 1);
}

/* Submits one packet to a new queue, waits for its error callback, and looks at what it says. */
static void refused(const char *what, const void *packet, hsa_status_t status, const char *says)
{
    hsa_queue_t *queue;
    const char *text = NULL;
    failure.calls = 0;
    failure.told = signal_make(0);
    hsa_queue_create(agent, 64, 0, failed, NULL, 0, 0, &queue);
    submit(queue, packet);
    submit(queue, packet);
    hsa_signal_wait_scacquire(failure.told, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    ok(failure.status == status && failure.queue == queue, "%s: its status", what);
    hsa_status_t asked = hsa_amd_queue_get_info(queue, HSA_EXT_QUEUE_INFO_ERROR_TEXT, &text);
    ok(asked == HSA_STATUS_SUCCESS && strstr(text, says), "%s: its text is \"%s\"", what, text);
    ok(hsa_queue_inactivate(queue) == HSA_STATUS_SUCCESS && hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS &&
           failure.calls == 1,
       "%s: the callback is called once; the queue can be inactivated and destroyed", what);
    hsa_signal_destroy(failure.told);
}

/* NO_KERNEL: what the agent says about a packet without a kernel. */
static void errors(const char *no_kernel)
{
    hsa_signal_t done = signal_make(1);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(0, 1, done);
    refused("no kernel", &packet, HSA_STATUS_ERROR_INVALID_CODE_OBJECT, no_kernel);
    ok(wait_below(done, 1) < 0, "a failed kernel makes its completion signal negative");
    packet = kernel_packet(kernels[MACHINE_EMPTY], 1, (hsa_signal_t){0xdeadbeef});
    refused("made-up completion signal", &packet, HSA_STATUS_ERROR_INVALID_SIGNAL, "[packet-completion]");
    packet = kernel_packet(kernels[MACHINE_EMPTY], 1, done);
    packet.header = HSA_PACKET_TYPE_AGENT_DISPATCH;
    hsa_signal_store_relaxed(done, 1);
    refused("agent dispatch", &packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "[packet-agent-dispatch]");
    ok(wait_below(done, 1) < 0, "a refused packet makes its completion signal negative");
    packet.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
    refused("vendor packet", &packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "[packet-vendor]");
    hsa_amd_barrier_value_packet_t value = {
        .header = {HSA_PACKET_TYPE_VENDOR_SPECIFIC, HSA_AMD_PACKET_TYPE_BARRIER_VALUE, 0}, .signal = done, .cond = 4};
    refused("unknown condition", &value, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "[packet-condition]");
    value.cond = HSA_SIGNAL_CONDITION_EQ;
    value.signal.handle = 77;
    refused("made-up signal", &value, HSA_STATUS_ERROR_INVALID_SIGNAL, "[packet-dependency]");
    packet.header = 0xff;
    refused("unknown packet", &packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "[packet-type]");
    hsa_barrier_and_packet_t barrier = {.header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {{0}, {0}, {77}}};
    refused("made-up dependency", &barrier, HSA_STATUS_ERROR_INVALID_SIGNAL, "[packet-dependency]");
    hsa_signal_destroy(done);
}

/* What the runtime prints while PACKET stops a queue that has no callback, in a buffer that the next call overwrites.
 */
static const char *printed(const void *packet)
{
    static struct capture capture;
    hsa_queue_t *queue;
    capture_begin(&capture);
    hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue);
    submit(queue, packet);
    while (hsa_queue_load_read_index_scacquire(queue) == 0)
        ;
    hsa_queue_destroy(queue);
    return capture_end(&capture);
}

/* The same with a callback. */
static const char *printed_with_callback(const void *packet)
{
    static struct capture capture;
    hsa_queue_t *queue;
    failure.told = signal_make(0);
    hsa_queue_create(agent, 64, 0, failed, NULL, 0, 0, &queue);
    capture_begin(&capture);
    submit(queue, packet);
    hsa_signal_wait_scacquire(failure.told, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    const char *text = capture_end(&capture);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(failure.told);
    return text;
}

static void messages(void)
{
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_EMPTY], 1, (hsa_signal_t){0});
    packet.header = 0xff;
    static const char *const wishes[] = {NULL, "maybe", "1"};
    for (unsigned i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        unsetenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE");
        if (wishes[i])
            setenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE", wishes[i], 1);
        const char *text = printed(&packet);
        ok(strstr(text, "[packet-type]") && strstr(text, "[queue-stopped]"),
           "why a queue without a callback stops is printed (%s)", wishes[i] ? wishes[i] : "by default");
    }
    setenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE", "0", 1);
    ok(!*printed(&packet), "but not if the environment says so");
    unsetenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE");
    ok(!*printed_with_callback(&packet), "nor by default of a queue with a callback");
    setenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE", "1", 1);
    ok(strstr(printed_with_callback(&packet), "[packet-type]"), "but if the environment asks for it");
    unsetenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE");
}
static void speed(void)
{
    enum { TURNS = 2000, BATCH = 100000 };
    hsa_queue_t *queue;
    hsa_queue_create(agent, 4096, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue);
    hsa_signal_t done = signal_make(1);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_EMPTY], 1, done);
    double start = seconds();
    for (int i = 0; i < TURNS; i++) {
        hsa_signal_store_relaxed(done, 1);
        submit(queue, &packet);
        wait_below(done, 1);
    }
    double each = (seconds() - start) / TURNS;
    hsa_signal_store_relaxed(done, BATCH);
    start = seconds();
    for (int i = 0; i < BATCH; i++)
        submit(queue, &packet);
    wait_below(done, 1);
    double rate = BATCH / (seconds() - start);
    printf("# empty dispatch: %.2f us each, %.0f/s in batches\n", each * 1e6, rate);
    ok(hsa_signal_load_relaxed(done) == 0, "all dispatches are complete");
    hsa_queue_destroy(queue);
    hsa_signal_destroy(done);
}

static void all(unsigned queues_of_agent, const char *no_kernel)
{
    creation(queues_of_agent);
    indexes();
    packets();
    barriers();
    failed_dependencies();
    value_barriers();
    abandoned_barriers();
    errors(no_kernel);
    messages();
    speed();
}

static void with_test_driver(const char *mode, int number, bool announces_signals)
{
    int announced = counts()->signal_new;
    if (!start(mode))
        return;
    agent = test_agent(&cpu);
    ok(agent.handle && cpu.handle, "both agents are there");
    kernels[MACHINE_ADD] = (uintptr_t)add_one;
    kernels[MACHINE_STORE] = (uintptr_t)store_and_interrupt;
    kernels[MACHINE_EMPTY] = 1;
    all(8, "asks for what the agent cannot do");
    hsa_queue_t *left;
    hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &left);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with a queue left");
    ok(counts()->queue_new == counts()->queue_remove && counts()->client_new == counts()->client_remove &&
           counts()->client_new == number && counts()->fini == number,
       "the driver lost nothing");
    ok(counts()->signal_new == counts()->signal_remove && (counts()->signal_new > announced) == announces_signals,
       "signals were announced to the driver that asked for it");
}

/* A kernel adds to every number that is beside the structure of a queue, up to its packets. The runtime must have
 * nothing of its own there. */
static void stray_stores(void)
{
    hsa_queue_t *queue = NULL, *other = NULL;
    hsa_queue_create(agent, 64, 0, failed, NULL, 0, 0, &other);
    bool good = hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_SUCCESS && other;
    uintptr_t from = ((uintptr_t)other + sizeof(amd_queue_t) + 15) & ~(uintptr_t)15;
    hsa_signal_t done = signal_make(1);
    for (uintptr_t at = from; good && at < (uintptr_t)other->base_address; at += 16) {
        hsa_signal_store_relaxed(done, 1);
        hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_ADD], 64, done);
        packet.kernarg_address = (void *)at;
        submit(queue, &packet);
        good = wait_below(done, 1) == 0;
    }
    ok(good && (uintptr_t)other->base_address > from, "a kernel stores beside the structure of a queue");
    hsa_kernel_dispatch_packet_t last = kernel_packet(kernels[MACHINE_EMPTY], 1, done);
    hsa_signal_store_relaxed(done, 1);
    if (good)
        submit(other, &last);
    good = good && wait_below(done, 1) == 0;
    ok(good && hsa_queue_destroy(other) == HSA_STATUS_SUCCESS && hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS,
       "the queue works, and ends");
    hsa_signal_destroy(done);
}

static void with_software_gpu(void)
{
    unsetenv("HSA_AGENT_DRIVERS");
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start with the software GPU");
    agent = agent_named("gfx900", &cpu);
    if (!ok(agent.handle && machine_load(agent, kernels).handle, "its kernels are loaded"))
        return;
    all(128, "[packet-kernel-object]");
    stray_stores();
    hsa_queue_t *left;
    hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &left);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_SPIN], 1, (hsa_signal_t){0});
    submit(left, &packet);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with a queue left whose kernel never ends");
}

int main(void)
{
    static const char *const modes[] = {"", "async", "signals,async", "spurious"};
    if (!counts()) /* the counters must exist before the runtime loads the driver */
        return tap_done();
    for (int i = 0; i < 4; i++)
        with_test_driver(modes[i], i + 1, i == 2);
    ok(counts()->noise > 0, "the spurious driver has woken its queues without reason (%d times)", counts()->noise);
    static const char *const left_out[] = {"newer", "broken"};
    for (size_t i = 0; i < 2; i++) {
        start(left_out[i]);
        ok(!test_agent(NULL).handle, "a driver that is %s is left out", left_out[i]);
        hsa_shut_down();
    }
    with_software_gpu();
    return tap_done();
}
