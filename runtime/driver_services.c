/* SPDX-License-Identifier: MIT */
/* What drivers ask of the core besides signals: memory for their own use, libraries, reports of faults that concern no
 * queue. (MV 2.6)
 *
 * Input: requests of drivers. Output: mapped memory; calls of the clients' event handlers.
 * Invariant: memory that was given out is in the list until it is given back with the same address, size and kind.
 * What a driver leaves there is unmapped at shut down. */
#include "runtime/driver_services.h"

#include "runtime/agent.h"
#include "runtime/callback.h"
#include "runtime/signal.h"
#include "support/bytes.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

struct service_mapping {
    void *at;
    size_t size;
    bool reserved; /* address space only */
};

struct event_handler {
    hsa_amd_system_event_callback_t callback;
    void *data;
};

static struct {
    pthread_mutex_t lock;
    VEC(struct service_mapping) mappings;
    VEC(struct event_handler) handlers;
} services = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- memory ---- */

static HSAM_Error map_pages(size_t size, void **at, int protection, int flags)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!size || size > SIZE_MAX - page || !at)
        return HSAM_Invalid_Argument;
    size = align_up(size, page);
    void *mapped = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (mapped == MAP_FAILED)
        return HSAM_OutOfResources;
    struct service_mapping mapping = {mapped, size, protection == PROT_NONE};
    pthread_mutex_lock(&services.lock);
    bool kept = vec_push(&services.mappings, mapping);
    pthread_mutex_unlock(&services.lock);
    if (!kept) {
        munmap(mapped, size);
        return HSAM_OutOfResources;
    }
    *at = mapped;
    return HSAM_Done;
}

static HSAM_Error unmap_pages(void *at, size_t size, bool reserved)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!size || size > SIZE_MAX - page)
        return HSAM_Invalid_Argument;
    size = align_up(size, page);
    HSAM_Error result = HSAM_Invalid_Argument;
    pthread_mutex_lock(&services.lock);
    for (size_t i = 0; i < services.mappings.count; i++) {
        struct service_mapping *m = &services.mappings.items[i];
        if (m->at == at && m->size == size && m->reserved == reserved) {
            *m = services.mappings.items[--services.mappings.count];
            result = HSAM_Done;
            break;
        }
    }
    pthread_mutex_unlock(&services.lock);
    if (result == HSAM_Done)
        munmap(at, size);
    return result;
}

HSAM_Error service_memory_reserve(hsam_handle_t client, size_t size, void **at)
{
    (void)client;
    return map_pages(size, at, PROT_NONE, MAP_NORESERVE);
}

HSAM_Error service_memory_unreserve(hsam_handle_t client, void *at, size_t size)
{
    (void)client;
    return unmap_pages(at, size, true);
}

HSAM_Error service_memory_allocate(hsam_handle_t client, size_t size, void **at)
{
    (void)client;
    return map_pages(size, at, PROT_READ | PROT_WRITE, 0);
}

/* Memory that cannot be locked is no error: an ordinary process may lock only a little, and pages that have been
 * touched serve here as well. */
HSAM_Error service_memory_allocate_locked(hsam_handle_t client, size_t size, void **at)
{
    (void)client;
    HSAM_Error error = map_pages(size, at, PROT_READ | PROT_WRITE, MAP_POPULATE);
    if (error == HSAM_Done && mlock(*at, size))
        return HSAM_Done;
    return error;
}

HSAM_Error service_memory_free(hsam_handle_t client, void *at, size_t size)
{
    (void)client;
    return unmap_pages(at, size, false);
}

HSAM_Error service_launch_dll(hsam_handle_t client, const char *file)
{
    (void)client;
    return file && dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) ? HSAM_Done : HSAM_Invalid_Argument;
}

/* ---- signals and faults ---- */

void service_destination_unreachable(hsam_handle_t client, hsa_signal_t handle, uint32_t device_driver_id)
{
    (void)client;
    struct signal *signal = signal_find(handle);
    if (signal)
        signal_unblock_roots(signal, device_driver_id);
}

void service_client_error(hsam_handle_t client, const hsam_fault *fault)
{
    struct agent *agent = NULL;
    for (size_t i = 0; i < runtime.agents.count && !agent; i++)
        if (runtime.agents.items[i]->has_client && runtime.agents.items[i]->client == client)
            agent = runtime.agents.items[i];
    hsa_amd_event_t event = {.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT};
    event.memory_fault.agent = agent ? agent->handle : (hsa_agent_t){0};
    event.memory_fault.virtual_address = fault->address;
    event.memory_fault.fault_reason_mask = fault->reason;
    for (size_t i = 0;; i++) { /* a handler may register another one */
        pthread_mutex_lock(&services.lock);
        struct event_handler handler = {0};
        if (i < services.handlers.count)
            handler = services.handlers.items[i];
        pthread_mutex_unlock(&services.lock);
        if (!handler.callback)
            break;
        struct callback callback;
        callback_begin(&callback, NULL);
        handler.callback(&event, handler.data);
        callback_end(&callback);
    }
}

HSA_API hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void *data)
{
    CHECK_UP();
    CHECK_ARGUMENT(callback);
    struct event_handler handler = {callback, data};
    pthread_mutex_lock(&services.lock);
    bool kept = vec_push(&services.handlers, handler);
    pthread_mutex_unlock(&services.lock);
    return kept ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

void services_shut_down(void)
{
    for (size_t i = 0; i < services.mappings.count; i++)
        munmap(services.mappings.items[i].at, services.mappings.items[i].size);
    vec_free(&services.mappings);
    vec_free(&services.handlers);
}
