/* SPDX-License-Identifier: MIT */
/* Intercepted queues: handlers of a tools library see the packets before the agent does. (hsa_api_trace.h)
 *
 * Input: packets of any content in the ring of the client's queue. Output: what the handlers hand on, in the ring of
 * another queue, which the agent serves and no client sees. Invariant: one thread per queue takes packets in order; a
 * slot is given back to the client when all handlers have returned. */
#include "config.h"

#include "runtime/queue.h"

#include "hsa/hsa_api_trace.h"
#include "runtime/api_table.h"
#include "runtime/callback.h"
#include "runtime/clock.h"
#include "support/thread.h"

#include <unistd.h>

enum {
    PACKET = 64,
    FULL_RING_PAUSE_US = 20,
    LOOK_TICKS =
        CLOCK_FREQUENCY / 10 /* a kernel may have taken back the doorbell that was to end the handlers' thread */
};

struct handler {
    hsa_amd_queue_intercept_handler call;
    void *data;
};

struct intercept {
    struct queue *front; /* the client's */
    struct queue *real;  /* the one that the agent serves */
    void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data);
    void *callback_data;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the handlers */
    VEC(struct handler) handlers;
    _Atomic bool ending;
};

/* What the thread is doing, for the function that handlers call to hand packets on. */
static _Thread_local struct {
    struct intercept *intercept;
    size_t level; /* how many handlers have not seen the packets yet */
    uint64_t index;
} current;

/* ---- handing packets on ---- */

/* Waits for COUNT free slots; false when there will never be any. */
static bool wait_for_room(const struct intercept *i, uint64_t index, uint64_t count)
{
    const amd_queue_t *amd = i->real->amd;
    while (index + count - __atomic_load_n(&amd->read_dispatch_id, __ATOMIC_ACQUIRE) > i->real->info.size) {
        if (atomic_load(&i->ending) || atomic_load(&i->real->failed))
            return false;
        usleep(FULL_RING_PAUSE_US);
    }
    return true;
}

static void intercept_submit(struct intercept *i, const char *packets, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++) {
        uint64_t index = __atomic_load_n(&i->real->amd->write_dispatch_id, __ATOMIC_RELAXED);
        if (!wait_for_room(i, index, 1))
            return;
        uint32_t first;
        char *slot = (char *)i->real->info.packets + (index & (i->real->info.size - 1)) * PACKET;
        memcpy(&first, packets + n * PACKET, sizeof first);
        memcpy(slot + sizeof first, packets + n * PACKET + sizeof first, PACKET - sizeof first);
        __atomic_store_n(&i->real->amd->write_dispatch_id, index + 1, __ATOMIC_RELEASE);
        __atomic_store_n((uint32_t *)(void *)slot, first, __ATOMIC_RELEASE);
        hsa_signal_store_screlease(signal_handle(i->real->doorbell), (hsa_signal_value_t)index);
    }
}

/* The function that each handler is given to hand packets on. */
static void hand_on(const void *packets, uint64_t count)
{
    struct intercept *i = current.intercept;
    if (!i || !packets)
        return;
    size_t level = current.level;
    if (!level) {
        intercept_submit(i, packets, count);
        return;
    }
    current.level = level - 1;
    pthread_mutex_lock(&i->lock);
    struct handler handler = i->handlers.items[level - 1];
    pthread_mutex_unlock(&i->lock);
    struct callback callback;
    callback_begin(&callback, i->real);
    handler.call(packets, count, current.index, handler.data, hand_on);
    callback_end(&callback);
    current.level = level;
}

/* ---- the thread ---- */

static uint32_t *slot_of(const struct queue *queue, uint64_t index)
{
    return (uint32_t *)(void *)((char *)queue->info.packets + (index & (queue->info.size - 1)) * PACKET);
}

static bool is_ready(const uint32_t *slot)
{
    uint32_t header = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    return (header >> HSA_PACKET_HEADER_TYPE & 0xff) != HSA_PACKET_TYPE_INVALID;
}

/* Takes the packets that are ready, up to the end of the ring; false when there are none. */
static bool intercept_take(struct intercept *i)
{
    uint64_t *read = (uint64_t *)&i->front->amd->read_dispatch_id, index = __atomic_load_n(read, __ATOMIC_RELAXED);
    uint32_t size = i->front->info.size;
    uint64_t count = 0;
    while (count < size - (index & (size - 1)) && is_ready(slot_of(i->front, index + count)))
        count++;
    if (!count)
        return false;
    pthread_mutex_lock(&i->lock);
    current.level = i->handlers.count;
    pthread_mutex_unlock(&i->lock);
    current.intercept = i;
    current.index = index;
    hand_on(slot_of(i->front, index), count);
    for (uint64_t n = 0; n < count; n++)
        __atomic_store_n((uint16_t *)(void *)slot_of(i->front, index + n),
                         HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELAXED);
    __atomic_store_n(read, index + count, __ATOMIC_RELEASE);
    return true;
}

static void *intercept_main(void *argument)
{
    struct intercept *i = argument;
    hsa_signal_t doorbell = signal_handle(i->front->doorbell);
    while (!atomic_load(&i->ending)) {
        hsa_signal_value_t seen = hsa_signal_load_scacquire(doorbell);
        if (!intercept_take(i) && !atomic_load(&i->ending))
            hsa_signal_wait_scacquire(doorbell, HSA_SIGNAL_CONDITION_NE, seen, LOOK_TICKS, HSA_WAIT_STATE_BLOCKED);
    }
    return NULL;
}

/* ---- making and ending ---- */

static void pass_error_on(hsa_status_t status, hsa_queue_t *source, void *data)
{
    struct intercept *i = data;
    (void)source;
    i->callback(status, &i->front->amd->hsa_queue, i->callback_data);
}

/* Gives the front queue what clients read in the structure of the real one. */
static void dress_front(struct intercept *i)
{
    amd_queue_t *front = i->front->amd;
    const amd_queue_t *real = i->real->amd;
    front->hsa_queue.features = real->hsa_queue.features;
    front->hsa_queue.type = real->hsa_queue.type;
    front->caps = real->caps;
    front->group_segment_aperture_base_hi = real->group_segment_aperture_base_hi;
    front->private_segment_aperture_base_hi = real->private_segment_aperture_base_hi;
    front->max_cu_id = real->max_cu_id;
    front->max_wave_id = real->max_wave_id;
    front->queue_properties = real->queue_properties;
}

static void intercept_free(struct intercept *i)
{
    pthread_mutex_destroy(&i->lock);
    vec_free(&i->handlers);
    mem_free(i);
}

void intercept_end(struct intercept *i)
{
    atomic_store(&i->ending, true);
    hsa_signal_store_screlease(signal_handle(i->front->doorbell), INT64_MIN);
    pthread_join(i->thread, NULL);
    queue_destroy(i->real);
    intercept_free(i);
}

struct queue *intercept_served(const struct intercept *i)
{
    return i->real;
}

hsa_status_t hsa_amd_queue_intercept_create(
    hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
    void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data), void *data, uint32_t private_segment_size,
    uint32_t group_segment_size, hsa_queue_t **result)
{
    CHECK_UP();
    CHECK_ARGUMENT(result);
    struct intercept *i = mem_zalloc(1, sizeof *i);
    CHECK(i, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    i->callback = callback;
    i->callback_data = data;
    pthread_mutex_init(&i->lock, NULL);
    hsa_queue_t *real;
    hsa_status_t status = hsa_queue_create(
        agent, size, type, callback ? pass_error_on : NULL, i, private_segment_size, group_segment_size, &real);
    if (status == HSA_STATUS_SUCCESS) {
        i->real = queue_find(real);
        status = queue_front_new(i, real->size, type, &i->front);
        if (status == HSA_STATUS_SUCCESS) {
            dress_front(i);
            if (!thread_start(&i->thread, intercept_main, i)) {
                atomic_store(&i->real->fronted, true);
                *result = &i->front->amd->hsa_queue;
                return HSA_STATUS_SUCCESS;
            }
            queue_front_delete(i->front);
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        }
        hsa_queue_destroy(real);
    }
    intercept_free(i);
    return status;
}

hsa_status_t hsa_amd_queue_intercept_register(hsa_queue_t *pointer, hsa_amd_queue_intercept_handler callback,
                                              void *user_data)
{
    CHECK_UP();
    CHECK_ARGUMENT(pointer && callback);
    struct queue *queue = queue_find(pointer);
    CHECK(queue && queue->intercept, HSA_STATUS_ERROR_INVALID_QUEUE);
    struct handler handler = {callback, user_data};
    pthread_mutex_lock(&queue->intercept->lock);
    bool added = vec_push(&queue->intercept->handlers, handler);
    pthread_mutex_unlock(&queue->intercept->lock);
    return added ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_amd_runtime_queue_create_register(hsa_amd_runtime_queue_notifier callback, void *user_data)
{
    CHECK_UP();
    CHECK_ARGUMENT(callback);
    (void)user_data; /* the runtime makes no queue for itself, so there is nothing to tell */
    return HSA_STATUS_SUCCESS;
}
