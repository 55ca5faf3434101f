/* SPDX-License-Identifier: MIT */
/* A small core; see driver_core.h. Input: requests of the test and of the driver. Output: what happened, in `core`. */
#include "testsuite/gcn/driver_core.h"

#include "runtime/gcn/gcn_agent.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct core core;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hsam_signal_watch *watches;

static void reply(HSAM_Error result, void *cookie)
{
    (void)result, (void)cookie;
}

static void queue_error(amd_queue_t *queue, hsa_status_t status, const char *text)
{
    (void)queue;
    core.error = status;
    snprintf(core.text, sizeof core.text, "%s", text ? text : "");
    __atomic_fetch_add(&core.errors, 1, __ATOMIC_SEQ_CST);
}

static bool signal_valid(hsa_signal_t signal)
{
    return signal.handle > 4096 && signal.handle % 64 == 0;
}

static amd_signal_t *memory(hsa_signal_t signal)
{
    return (amd_signal_t *)(uintptr_t)signal.handle;
}

static hsa_signal_value_t signal_add(hsa_signal_t signal, hsa_signal_value_t value)
{
    return __atomic_fetch_add(&memory(signal)->value, value, __ATOMIC_SEQ_CST);
}

static void signal_fail(hsa_signal_t signal)
{
    __atomic_store_n(&memory(signal)->value, -1, __ATOMIC_SEQ_CST);
}

static void signal_interrupt(uint32_t id)
{
    __atomic_store_n(&core.interrupts, id, __ATOMIC_SEQ_CST);
}

static bool holds(const hsam_signal_watch *watch)
{
    hsa_signal_value_t value = __atomic_load_n(&memory(watch->signal)->value, __ATOMIC_SEQ_CST);
    switch (watch->condition) {
    case HSA_SIGNAL_CONDITION_EQ: return value == watch->value;
    case HSA_SIGNAL_CONDITION_NE: return value != watch->value;
    case HSA_SIGNAL_CONDITION_LT: return value < watch->value;
    case HSA_SIGNAL_CONDITION_GTE: return value >= watch->value;
    }
    return false;
}

static bool signal_watch(hsam_signal_watch *watch)
{
    pthread_mutex_lock(&lock);
    bool armed = !holds(watch);
    if (armed) {
        watch->next = watches;
        watches = watch;
    }
    watch->armed = armed;
    pthread_mutex_unlock(&lock);
    return armed;
}

static bool signal_unwatch(hsam_signal_watch *watch)
{
    pthread_mutex_lock(&lock);
    bool armed = watch->armed;
    for (hsam_signal_watch **link = &watches; *link; link = &(*link)->next)
        if (*link == watch) {
            *link = watch->next;
            break;
        }
    watch->armed = 0;
    pthread_mutex_unlock(&lock);
    return armed;
}

void core_signal_store(amd_signal_t *signal, int64_t value)
{
    __atomic_store_n(&signal->value, value, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&lock);
    for (hsam_signal_watch *watch = watches; watch; watch = watch->next)
        if (watch->armed && holds(watch)) {
            watch->armed = 0;
            watch->notify(watch);
        }
    pthread_mutex_unlock(&lock);
}

static uint64_t timestamp(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static const hsa_generic_driver_interface services = {
    .struct_size = sizeof services,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .agent_reply = reply,
    .queue_error = queue_error,
    .signal_valid = signal_valid,
    .signal_add = signal_add,
    .signal_fail = signal_fail,
    .signal_interrupt = signal_interrupt,
    .signal_watch = signal_watch,
    .signal_unwatch = signal_unwatch,
    .timestamp = timestamp,
};

static const hsa_generic_driver_interface *register_agent(const hsa_agent_driver_interface *interface,
                                                          const hsa_agent_driver_config *config, void *driver,
                                                          hsa_generic_driver_config *generic)
{
    core.driver = interface;
    core.config = config;
    core.driver_data = driver;
    *generic = (hsa_generic_driver_config){.major = HSAM_VERSION_MAJOR, .minor = HSAM_VERSION_MINOR};
    return &services;
}

static void must(HSAM_Error answer)
{
    if (answer != HSAM_Done)
        abort();
}

bool core_start(void)
{
    return gcn_driver_init(register_agent) == 1 &&
           core.driver->client_new(core.driver_data, 1, NULL, NULL, &core.client) == HSAM_Done;
}

void core_stop(void)
{
    must(core.driver->client_remove(core.driver_data, core.client, NULL));
    core.driver->fini(core.driver_data);
}

struct core_queue *core_queue_new(void)
{
    struct core_queue *queue = aligned_alloc(4096, (sizeof *queue + 4095) / 4096 * 4096);
    if (!queue)
        return NULL;
    memset(queue, 0, sizeof *queue);
    for (unsigned i = 0; i < CORE_RING; i++)
        queue->ring[i].header = HSA_PACKET_TYPE_INVALID;
    hsam_queue_info info = {
        .queue = &queue->amd,
        .packets = queue->ring,
        .size = CORE_RING,
        .read_index = &queue->amd.read_dispatch_id,
        .write_index = &queue->amd.write_dispatch_id,
        .doorbell = core_handle(&queue->doorbell),
        .doorbell_root = &queue->root};
    if (core.driver->queue_new(core.driver_data, core.client, &info, NULL, &queue->at_agent) != HSAM_Done) {
        free(queue);
        return NULL;
    }
    return queue;
}

void core_queue_free(struct core_queue *queue)
{
    must(core.driver->queue_remove(core.driver_data, core.client, queue->at_agent, NULL));
    free(queue);
}

void core_submit(struct core_queue *queue, const void *packet, bool ring)
{
    uint64_t index = queue->amd.write_dispatch_id++;
    while (index - __atomic_load_n(&queue->amd.read_dispatch_id, __ATOMIC_ACQUIRE) >= CORE_RING)
        sched_yield();
    char *slot = (char *)&queue->ring[index % CORE_RING];
    uint32_t first;
    memcpy(&first, packet, 4);
    memcpy(slot + 4, (const char *)packet + 4, 60);
    __atomic_store_n((uint32_t *)(void *)slot, first, __ATOMIC_RELEASE);
    if (!ring)
        return;
    __atomic_store_n(&queue->doorbell.value, (int64_t)index, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&queue->root.state, __ATOMIC_SEQ_CST))
        core.driver->unblock_destination(core.driver_data, core.client, queue->at_agent);
}

void core_load(struct core_kernel *kernel, const uint32_t *code, unsigned n)
{
    memset(kernel, 0, sizeof *kernel);
    memcpy(kernel->code, code, 4 * n);
    kernel->descriptor.kernel_code_entry_byte_offset = offsetof(struct core_kernel, code);
    kernel->descriptor.compute_pgm_rsrc1 = 0xf0u << 12 | 1u << 21 | 1u << 23;
    kernel->descriptor.compute_pgm_rsrc2 = 8u << 1 | 1u << 7;
    kernel->descriptor.kernel_code_properties =
        AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER | AMD_KERNEL_ENABLE_SGPR_KERNARG_SEGMENT_PTR |
        AMD_KERNEL_ENABLE_SGPR_DISPATCH_ID;
    hsam_code loaded = {.base = kernel,
                        .size = sizeof *kernel,
                        .text = kernel->code,
                        .text_size = 4 * n,
                        .isa = core.config->isas[0].name};
    must(core.driver->code_load(core.driver_data, core.client, &loaded, NULL, &kernel->loaded));
}

void core_unload(struct core_kernel *kernel)
{
    must(core.driver->code_unload(core.driver_data, core.client, kernel->loaded, NULL));
}

void core_signal_init(amd_signal_t *signal, int64_t value)
{
    memset(signal, 0, sizeof *signal);
    signal->kind = AMD_SIGNAL_KIND_USER;
    signal->value = value;
}

hsa_signal_t core_handle(amd_signal_t *signal)
{
    return (hsa_signal_t){(uint64_t)(uintptr_t)signal};
}

/* After this time the test gives up. It is long, as slow machines with a sanitizer have needed more than ten seconds.
 */
#define MOST_WAIT UINT64_C(200000000000) /* ns */

bool core_wait(const amd_signal_t *signal, int64_t limit)
{
    uint64_t end = timestamp() + MOST_WAIT;
    for (unsigned i = 0; __atomic_load_n(&signal->value, __ATOMIC_ACQUIRE) > limit; i++) {
        if (i % 1000 == 999 && timestamp() > end)
            return false;
        if (i > 20000)
            sched_yield();
        else
            __builtin_ia32_pause();
    }
    return true;
}

bool core_wait_error(void)
{
    uint64_t end = timestamp() + MOST_WAIT;
    while (!__atomic_load_n(&core.errors, __ATOMIC_SEQ_CST)) {
        if (timestamp() > end)
            return false;
        sched_yield();
    }
    return true;
}
