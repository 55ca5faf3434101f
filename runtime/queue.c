/* SPDX-License-Identifier: MIT */
/* User mode queues: creating and destroying them, and reporting their errors. Packets are processed by the agent's
 * driver. (1.0P 2.5; MV 4)
 *
 * Input: pointers of any value. Output: an amd_queue_t with its ring and its doorbell, handed to the driver.
 * Invariant: a queue is in the list from before its client sees it until its driver has let go of it. Whoever sets
 * `destroyed` ends the queue. */
#include "runtime/queue.h"

#include "runtime/callback.h"
#include "runtime/driver_services.h"
#include "runtime/memory.h"
#include "runtime/message.h"
#include "runtime/report.h"
#include "runtime/request.h"
#include "support/bytes.h"

#include <stdio.h>
#include <stdlib.h>

enum { PACKET_BYTES = 64 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t fewer; /* a queue has left the list */
    VEC(struct queue *) live;
    uint64_t last_id;
} queues = {.lock = PTHREAD_MUTEX_INITIALIZER, .fewer = PTHREAD_COND_INITIALIZER};

struct queue *queue_find(const hsa_queue_t *pointer)
{
    struct queue *found = NULL;
    pthread_mutex_lock(&queues.lock);
    for (size_t i = 0; i < queues.live.count && !found; i++)
        if (&queues.live.items[i]->amd->hsa_queue == pointer)
            found = queues.live.items[i];
    pthread_mutex_unlock(&queues.lock);
    return found;
}

struct queue *queue_find_served(const hsa_queue_t *pointer)
{
    struct queue *queue = queue_find(pointer);
    return queue && queue->intercept ? intercept_served(queue->intercept) : queue;
}

/* ---- making ---- */

/* Makes a queue with an empty ring, in no list yet, in the memory of AGENT, or of the host for a soft queue. */
static hsa_status_t queue_make(struct agent *agent, uint32_t size, hsa_queue_type32_t type, uint32_t features,
                               struct queue **result)
{
    struct allocation *memory;
    size_t bytes = QUEUE_PAGE + align_up((uint64_t)size * PACKET_BYTES, QUEUE_PAGE);
    hsa_status_t status = memory_obtain(HSAM_MEMORY_QUEUE, agent, NULL, bytes, &memory);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct queue *queue = mem_zalloc(1, sizeof *queue);
    if (!queue) {
        memory_release(memory);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    char *packets = memory->base + QUEUE_PAGE;
    for (uint32_t i = 0; i < size; i++)
        store16(packets + (size_t)i * PACKET_BYTES, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE);
    queue->memory = memory;
    queue->agent = agent;
    queue->info.packets = packets;
    queue->info.size = size;
    queue->info.type = type;
    queue->amd = &queue_page(memory->base)->amd;
    queue->amd->hsa_queue = (hsa_queue_t){.type = type, .features = features, .base_address = packets, .size = size};
    queue->amd->queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64;
    queue->amd->read_dispatch_id_field_base_byte_offset = offsetof(amd_queue_t, read_dispatch_id);
    cu_mask_default(agent, queue->cu_mask);
    queue->priority = HSA_AMD_QUEUE_PRIORITY_NORMAL;
    *result = queue;
    return HSA_STATUS_SUCCESS;
}

static void set_doorbell(struct queue *queue, hsa_signal_t doorbell)
{
    queue->info.doorbell = doorbell;
    queue->amd->hsa_queue.doorbell_signal = doorbell;
}

static void queue_free(struct queue *queue)
{
    if (queue->doorbell)
        signal_delete(queue->doorbell);
    mem_free(queue->info.destination_private);
    memory_release(queue->memory);
    mem_free(queue);
}

static bool queue_list(struct queue *queue)
{
    pthread_mutex_lock(&queues.lock);
    queue->id = queues.last_id++;
    queue->amd->hsa_queue.id = queue->id;
    bool listed = vec_push(&queues.live, queue);
    pthread_mutex_unlock(&queues.lock);
    return listed;
}

static void queue_unlist(const struct queue *queue)
{
    pthread_mutex_lock(&queues.lock);
    for (size_t i = 0; i < queues.live.count; i++)
        if (queues.live.items[i] == queue)
            queues.live.items[i] = queues.live.items[--queues.live.count];
    pthread_cond_broadcast(&queues.fewer);
    pthread_mutex_unlock(&queues.lock);
}

/* Gives the queue a doorbell whose only destination is the agent, and hands it to the driver. */
static hsa_status_t queue_connect(struct queue *queue, uint32_t private_segment_size, uint32_t group_segment_size)
{
    struct agent *agent = queue->agent;
    queue->doorbell = signal_new(-1, SIGNAL_QUEUE);
    CHECK(queue->doorbell, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    if (agent->config.queue_private_size) {
        queue->info.destination_private = mem_zalloc(1, agent->config.queue_private_size);
        CHECK(queue->info.destination_private, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    }
    queue->doorbell->line->queue = queue->amd;
    set_doorbell(queue, signal_handle(queue->doorbell));
    queue->root = (struct signal_root){.agent = agent};
    queue->root.node = &queue->root.own_node;
    queue->root.own_node.device_driver_id = agent->generic.device_driver_id;
    hsa_status_t status = agent_client(agent, &queue->root.client);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    hsam_queue_info *info = &queue->info;
    info->queue = queue->amd;
    info->read_index = &queue->amd->read_dispatch_id;
    info->write_index = &queue->amd->write_dispatch_id;
    info->doorbell_root = queue->root.node;
    info->private_segment_size = private_segment_size;
    info->group_segment_size = group_segment_size;
    info->callbacks_required = queue->callback != NULL;
    info->memory = queue->memory->memory;
    info->cu_mask = queue->cu_mask;
    info->cu_mask_words = QUEUE_CU_WORDS;
    info->priority = &queue->priority;
    info->own_memory = queue->memory->provider == agent;
    if (!info->own_memory)
        status = memory_tell(queue->memory, agent);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct request request;
    HSAM_Error error =
        request_finish(&request, agent->interface.queue_new(agent->driver, queue->root.client, info,
                                                            request_start(&request), &queue->root.at_agent));
    CHECK(error == HSAM_Done,
          error == HSAM_OutOfResources ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
    queue->doorbell->roots = &queue->root;
    queue->doorbell->root_count = 1;
    signal_roots_show(queue->doorbell);
    return HSA_STATUS_SUCCESS;
}

/* Counts one more queue of the agent; false when the agent has as many as it can have. */
static bool agent_take_queue(struct agent *agent)
{
    const char *wish = getenv("HSA_MAX_QUEUES");
    unsigned long limit = wish && *wish ? strtoul(wish, NULL, 10) : 0;
    if (!limit || limit > agent->config.queues_max)
        limit = agent->config.queues_max;
    if (atomic_fetch_add(&agent->queues, 1) < limit)
        return true;
    atomic_fetch_sub(&agent->queues, 1);
    return false;
}

HSA_API hsa_status_t hsa_queue_create(hsa_agent_t handle, uint32_t size, hsa_queue_type32_t type,
                                      void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
                                      void *data, uint32_t private_segment_size, uint32_t group_segment_size,
                                      hsa_queue_t **result)
{
    CHECK_UP();
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(result && is_power_of_two(size) && type <= HSA_QUEUE_TYPE_COOPERATIVE);
    const hsa_agent_driver_config *config = &agent->config;
    CHECK(agent->interface.queue_new && config->queues_max && !atomic_load(&agent->failed) &&
              !(config->queue_type == HSA_QUEUE_TYPE_SINGLE && type == HSA_QUEUE_TYPE_MULTI) &&
              !(type == HSA_QUEUE_TYPE_COOPERATIVE && !config->cooperative_queues),
          HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
    CHECK(size <= config->queue_max_size && agent_take_queue(agent), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    struct queue *queue;
    hsa_status_t status = queue_make(
        agent, size < config->queue_min_size ? config->queue_min_size : size, type, config->features, &queue);
    if (status == HSA_STATUS_SUCCESS) {
        queue->callback = callback;
        queue->callback_data = data;
        status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        if (queue_list(queue)) {
            status = queue_connect(queue, private_segment_size, group_segment_size);
            if (status != HSA_STATUS_SUCCESS)
                queue_unlist(queue);
        }
        if (status != HSA_STATUS_SUCCESS)
            queue_free(queue);
    }
    if (status != HSA_STATUS_SUCCESS) {
        atomic_fetch_sub(&agent->queues, 1);
        return status;
    }
    *result = &queue->amd->hsa_queue;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type32_t type,
                                           uint32_t features, hsa_signal_t doorbell_signal, hsa_queue_t **result)
{
    CHECK_UP();
    CHECK(region_find(region.handle), HSA_STATUS_ERROR_INVALID_REGION);
    CHECK_ARGUMENT(result && is_power_of_two(size) && type <= HSA_QUEUE_TYPE_SINGLE && features &&
                   !(features & ~(uint32_t)(HSA_QUEUE_FEATURE_KERNEL_DISPATCH | HSA_QUEUE_FEATURE_AGENT_DISPATCH)) &&
                   doorbell_signal.handle);
    CHECK(signal_find(doorbell_signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    struct queue *queue;
    hsa_status_t status = queue_make(NULL, size, type, features, &queue);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    set_doorbell(queue, doorbell_signal);
    queue_page(queue->amd)->is_soft = true;
    if (!queue_list(queue)) {
        queue_free(queue);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *result = &queue->amd->hsa_queue;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t queue_front_new(struct intercept *intercept, uint32_t size, hsa_queue_type32_t type, struct queue **result)
{
    struct queue *queue;
    hsa_status_t status = queue_make(NULL, size, type, 0, &queue);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    queue->intercept = intercept;
    queue->doorbell = signal_new(-1, SIGNAL_QUEUE);
    if (!queue->doorbell || !queue_list(queue)) {
        queue_free(queue);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    set_doorbell(queue, signal_handle(queue->doorbell));
    *result = queue;
    return HSA_STATUS_SUCCESS;
}

void queue_front_delete(struct queue *queue)
{
    queue_unlist(queue);
    queue_free(queue);
}

/* ---- ending ---- */

static void queue_end(struct queue *queue)
{
    struct agent *agent = queue->agent;
    if (queue->intercept)
        intercept_end(queue->intercept);
    if (agent) {
        struct request request;
        HSAM_Error error = HSAM_Done;
        if (agent->interface.queue_remove)
            error =
                request_finish(&request, agent->interface.queue_remove(agent->driver, queue->root.client,
                                                                       queue->root.at_agent, request_start(&request)));
        if (error != HSAM_Done)
            atomic_store(&agent->failed, true);
        atomic_fetch_sub(&agent->queues, 1);
    }
    queue_unlist(queue);
    queue_free(queue);
}

static void queue_end_deferred(void *argument)
{
    queue_end(argument);
}

hsa_status_t queue_destroy(struct queue *queue)
{
    CHECK(queue && !atomic_exchange(&queue->destroyed, true), HSA_STATUS_ERROR_INVALID_QUEUE);
    if (!callback_must_return(queue->intercept ? intercept_served(queue->intercept) : queue)) {
        queue_end(queue);
    } else if (!callback_defer(queue_end_deferred, queue)) {
        atomic_store(&queue->destroyed, false);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_queue_destroy(hsa_queue_t *pointer)
{
    CHECK_UP();
    CHECK_ARGUMENT(pointer);
    return queue_destroy(queue_find(pointer));
}

HSA_API hsa_status_t hsa_queue_inactivate(hsa_queue_t *pointer)
{
    CHECK_UP();
    CHECK_ARGUMENT(pointer);
    struct queue *queue = queue_find_served(pointer);
    CHECK(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
    if (!queue->agent || !queue->agent->interface.queue_inactivate)
        return HSA_STATUS_SUCCESS;
    struct request request;
    return request_status(request_finish(
        &request, queue->agent->interface.queue_inactivate(
                      queue->agent->driver, queue->root.client, queue->root.at_agent, request_start(&request))));
}

/* The newest queue that nobody destroys yet, which the caller must end; NULL: there is none. */
static struct queue *newest_queue(void)
{
    struct queue *found = NULL;
    pthread_mutex_lock(&queues.lock);
    for (size_t i = queues.live.count; i-- > 0 && !found;)
        if (!atomic_load(&queues.live.items[i]->fronted) && !atomic_exchange(&queues.live.items[i]->destroyed, true))
            found = queues.live.items[i];
    pthread_mutex_unlock(&queues.lock);
    return found;
}

void queues_shut_down(void)
{
    for (struct queue *queue; (queue = newest_queue());)
        queue_end(queue);
    callback_deferred_wait();
    pthread_mutex_lock(&queues.lock);
    while (queues.live.count) /* another thread has not finished hsa_queue_destroy() */
        pthread_cond_wait(&queues.fewer, &queues.lock);
    vec_free(&queues.live);
    pthread_mutex_unlock(&queues.lock);
}

/* ---- errors ---- */

/* A callback gets no more than a status, so what it was is printed too if the environment asks for that, unless the
 * client has had it reported. Where neither a callback nor a handler learns of it, it is printed anyway. */
static void print_error(const struct queue *queue, hsa_status_t status)
{
    const char *text = "unknown status";
    bool handled = report_is_handled();
    if ((queue->callback && handled) || ((queue->callback || handled) && !message_queues_asked()))
        return;
    hsa_status_string(status, &text);
    message_print(MESSAGE_QUEUE_STOPPED, (unsigned long long)queue->id, text, queue->error_text);
}

static void tell_of_error(amd_queue_t *amd_queue, hsa_status_t status, const char *text)
{
    struct queue *queue = queue_find(&amd_queue->hsa_queue);
    if (!queue || atomic_exchange(&queue->failed, true))
        return;
    if (text)
        snprintf(queue->error_text, sizeof queue->error_text, "%s", text);
    print_error(queue, status);
    if (!queue->callback)
        return;
    struct callback callback;
    callback_begin(&callback, queue);
    queue->callback(status, &queue->amd->hsa_queue, queue->callback_data);
    callback_end(&callback); /* the queue may be gone */
}

void service_queue_error(amd_queue_t *amd_queue, hsa_status_t status, const char *text)
{
    tell_of_error(amd_queue, status, text);
    report_forget();
}
