/* SPDX-License-Identifier: MIT */
/* Drivers that do odd things which the interface allows.
 *
 * "null": every request is answered with HSAM_Not_Supported.
 * "spurious": a thread wakes all queues, interrupts, and answers requests that nobody has made, again and again. */
#include "testsuite/runtime/driver_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- "null" ---- */

/* A function for one request, whatever its other parameters are. */
#define REFUSE(name, ...)                                                                                              \
    static HSAM_Error null_##name(__VA_ARGS__)                                                                         \
    {                                                                                                                  \
        COUNT(not_supported);                                                                                          \
        return HSAM_Not_Supported;                                                                                     \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSE(client_new, void *driver, hsam_handle_t client, void *space, void *cookie, hsam_handle_t *at_agent)
REFUSE(of_client, void *driver, hsam_handle_t client, void *cookie)
REFUSE(signal_new, void *driver, hsam_handle_t client, hsa_signal_t signal, hsa_root_dest_node *root, void *cookie,
       hsam_handle_t *at_agent)
REFUSE(of_handle, void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
REFUSE(queue_new, void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
       hsam_handle_t *at_agent)
REFUSE(allocation, void *driver, hsam_handle_t client, void *address, size_t size, hsam_segment segment, uint32_t flags,
       void *cookie)
REFUSE(of_address, void *driver, hsam_handle_t client, void *address, void *cookie)
REFUSE(acquire, void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access, void *cookie)
REFUSE(copy, void *driver, hsam_handle_t client, void *to, const void *from, size_t size, void *cookie)
REFUSE(code_load, void *driver, hsam_handle_t client, const hsam_code *code, void *cookie, hsam_handle_t *at_agent)
REFUSE(get_info, void *driver, uint32_t attribute, void *value)
REFUSE(memory_new, void *driver, hsam_handle_t client, const hsam_memory_request *request, void *cookie,
       hsam_memory *memory)
REFUSE(event_new, void *driver, hsam_handle_t client, hsa_signal_t signal, void *cookie, hsam_event *event)
#pragma GCC diagnostic pop

void test_driver_null(hsa_agent_driver_interface *interface, bool takes_process)
{
    if (!takes_process) {
        interface->client_new = null_client_new;
        interface->client_remove = null_of_client;
    }
    interface->signal_new = null_signal_new;
    interface->signal_remove = null_of_handle;
    interface->queue_new = null_queue_new;
    interface->queue_remove = null_of_handle;
    interface->queue_inactivate = null_of_handle;
    interface->memory_allocation = null_allocation;
    interface->memory_free = null_of_address;
    interface->memory_acquire = null_acquire;
    interface->memory_release = null_of_address;
    interface->memory_copy = null_copy;
    interface->code_load = null_code_load;
    interface->code_unload = null_of_handle;
    interface->agent_get_info = null_get_info;
    interface->memory_new = null_memory_new;
    interface->event_new = null_event_new;
    interface->event_remove = null_of_handle;
}

/* ---- "spurious" ---- */

enum { NOISY_QUEUES = 64 };

static struct {
    pthread_mutex_t lock;
    pthread_t thread;
    bool runs, stop;
    struct packet_processor *queues[NOISY_QUEUES]; /* NULL: a free place */
} noise = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void disturb(struct packet_processor *queue, unsigned number)
{
    const hsa_generic_driver_interface *core = test_driver_counts.core;
    packet_processor_wake(queue);
    core->destination_unreachable(
        test_driver_counts.client, queue->info.doorbell, test_driver_counts.generic.device_driver_id);
    core->signal_interrupt(number);
    core->agent_reply(HSAM_Fault, (void *)(UINTPTR_MAX - number)); /* requests are counted from 1 */
    COUNT(noise);
}

static void *make_noise(void *argument)
{
    unsigned seed = 7;
    pthread_mutex_lock(&noise.lock);
    while (!noise.stop) {
        for (unsigned i = 0; i < NOISY_QUEUES; i++)
            if (noise.queues[i])
                disturb(noise.queues[i], (unsigned)rand_r(&seed) % 100000);
        pthread_mutex_unlock(&noise.lock);
        usleep((useconds_t)rand_r(&seed) % 200);
        pthread_mutex_lock(&noise.lock);
    }
    pthread_mutex_unlock(&noise.lock);
    return argument;
}

static void replace_queue(struct packet_processor *old, struct packet_processor *new)
{
    pthread_mutex_lock(&noise.lock);
    for (unsigned i = 0; i < NOISY_QUEUES && noise.runs; i++)
        if (noise.queues[i] == old) {
            noise.queues[i] = new;
            break;
        }
    pthread_mutex_unlock(&noise.lock);
}

void test_driver_noise_at(struct packet_processor *queue)
{
    replace_queue(NULL, queue);
}

void test_driver_quiet_at(struct packet_processor *queue)
{
    replace_queue(queue, NULL);
}

void test_driver_noise_start(void)
{
    noise.stop = false;
    noise.runs = !pthread_create(&noise.thread, NULL, make_noise, NULL);
}

void test_driver_noise_stop(void)
{
    if (!noise.runs)
        return;
    pthread_mutex_lock(&noise.lock);
    noise.stop = true;
    pthread_mutex_unlock(&noise.lock);
    pthread_join(noise.thread, NULL);
    noise.runs = false;
    memset(noise.queues, 0, sizeof noise.queues);
}
