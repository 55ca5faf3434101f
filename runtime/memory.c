/* SPDX-License-Identifier: MIT */
/* The list of all memory, and how it is obtained and released. (1.0P 2.7; MV 5)
 *
 * Input: addresses of any value, sizes; what drivers give out. Output: memory, which agents have been told of.
 * Invariant: listed allocations are in one array sorted by address. They do not overlap, except that memory which the
 * client has locked may contain others, if the client names a wrong range. An allocation that is taken out of the list
 * is released under the lock of requests only, so one that was found there stays as long as that lock is held. The lock
 * of the list is not held during requests. */
#include "runtime/memory.h"

#include "runtime/heap_block.h"
#include "runtime/message.h"
#include "runtime/request.h"
#include "runtime/share.h"
#include "support/bytes.h"
#include "support/search.h"

#include <stdio.h>

enum { FORMER = 256 }; /* allocations that are remembered after they were freed */

static struct {
    pthread_mutex_t lock;
    VEC(struct allocation *) sorted;
    struct memory_near former[FORMER]; /* clients' memory that was freed, a ring */
    size_t former_count;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the array; the caller holds the lock ---- */

/* The index of the first allocation with a base above ADDRESS. */
static size_t upper(const char *address)
{
    return search_first(memory.sorted.count, i, memory.sorted.items[i]->base > address);
}

static struct allocation *holding(const char *address)
{
    size_t i = upper(address);
    struct allocation *a = i ? memory.sorted.items[i - 1] : NULL;
    return a && (size_t)(address - a->base) < a->size ? a : NULL;
}

/* The client's allocation that holds ADDRESS. */
static struct allocation *clients(const char *address)
{
    struct allocation *a = holding(address);
    return a && a->purpose == HSAM_MEMORY_CLIENT ? a : NULL;
}

static struct allocation *starting(const char *address)
{
    struct allocation *a = clients(address);
    return a && a->base == address ? a : NULL;
}

static bool insert(struct allocation *allocation)
{
    if (!vec_reserve(&memory.sorted, 1))
        return false;
    size_t i = upper(allocation->base);
    struct allocation **at = &memory.sorted.items[i];
    memmove(at + 1, at, (memory.sorted.count - i) * sizeof *at);
    *at = allocation;
    memory.sorted.count++;
    return true;
}

/* Looks for the allocation itself, as a client may have locked memory that starts where another allocation does. */
static void take_out(const struct allocation *allocation)
{
    size_t i = upper(allocation->base);
    while (i && memory.sorted.items[i - 1] != allocation && memory.sorted.items[i - 1]->base == allocation->base)
        i--;
    if (!i || memory.sorted.items[i - 1] != allocation)
        return;
    struct allocation **at = &memory.sorted.items[i - 1];
    memmove(at, at + 1, (memory.sorted.count - i) * sizeof *at);
    memory.sorted.count--;
}

/* Remembers a freed allocation, for those who ask later what was at an address. */
static void remember_freed(const struct allocation *allocation, const struct memory_caller *caller)
{
    struct memory_near *to = &memory.former[memory.former_count++ % FORMER];
    *to = (struct memory_near){
        .purpose = allocation->purpose,
        .base = (uintptr_t)allocation->base,
        .size = allocation->wanted,
        .freed = true,
        .allocated_by = allocation->caller,
        .freed_by = *caller};
    memcpy(to->name, allocation->name, sizeof to->name);
}

/* ---- what lies where ---- */

hsa_status_t memory_name(const void *base, const char *name)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(base);
    if (allocation)
        snprintf(allocation->name, sizeof allocation->name, "%s", name);
    pthread_mutex_unlock(&memory.lock);
    return allocation ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

bool memory_extent(uint64_t address, hsam_extent *extent)
{
    pthread_mutex_lock(&memory.lock);
    const struct allocation *found = holding((const char *)(uintptr_t)address);
    if (found)
        *extent = (hsam_extent){(uintptr_t)found->base, found->wanted};
    pthread_mutex_unlock(&memory.lock);
    return (found && address - extent->base < extent->size) || svm_extent(address, extent);
}

bool memory_freed(uint64_t address)
{
    struct memory_near near;
    return memory_nearest(address, &near) && near.freed && !near.distance;
}

/* Makes *BEST the one of the two that is nearer to ADDRESS. At equal distance, live memory wins over freed memory. */
static void take_nearer(uint64_t address, struct memory_near *best, const struct memory_near *other)
{
    struct memory_near near = *other;
    near.before = address < near.base;
    near.distance = near.before                       ? near.base - address
                    : address - near.base < near.size ? 0
                                                      : address - near.base - near.size + 1;
    if (!best->base || near.distance < best->distance || (near.distance == best->distance && best->freed))
        *best = near;
}

bool memory_nearest(uint64_t address, struct memory_near *near)
{
    *near = (struct memory_near){0};
    pthread_mutex_lock(&memory.lock);
    size_t above = upper((const char *)(uintptr_t)address);
    for (size_t i = above ? above - 1 : 0; i <= above && i < memory.sorted.count; i++) {
        const struct allocation *a = memory.sorted.items[i];
        struct memory_near other = {
            .purpose = a->purpose, .base = (uintptr_t)a->base, .size = a->wanted, .allocated_by = a->caller};
        memcpy(other.name, a->name, sizeof other.name);
        take_nearer(address, near, &other);
    }
    for (size_t i = 0; i < FORMER; i++)
        if (memory.former[i].base)
            take_nearer(address, near, &memory.former[i]);
    pthread_mutex_unlock(&memory.lock);
    struct memory_near block = {.name = "block of malloc()"};
    if (heap_block(address, &block.base, &block.size) != HEAP_UNKNOWN)
        take_nearer(address, near, &block);
    return near->base != 0;
}

hsa_status_t memory_with(const void *address, hsa_status_t (*use)(struct allocation *allocation, void *data),
                         void *data)
{
    pthread_mutex_lock(&memory.lock);
    hsa_status_t status = use(clients(address), data);
    pthread_mutex_unlock(&memory.lock);
    return status;
}

hsa_status_t memory_with_any(const void *address, hsa_status_t (*use)(struct allocation *allocation, void *data),
                             void *data)
{
    pthread_mutex_lock(&memory.lock);
    hsa_status_t status = use(holding(address), data);
    pthread_mutex_unlock(&memory.lock);
    return status;
}

hsa_status_t memory_visit(hsa_status_t (*visit)(struct allocation *allocation, void *data), void *data)
{
    VEC(struct allocation *) all = {0};
    pthread_mutex_lock(&memory.lock);
    bool copied = vec_reserve(&all, memory.sorted.count);
    if (copied && memory.sorted.count)
        memcpy(all.items, memory.sorted.items, memory.sorted.count * sizeof *all.items);
    all.count = copied ? memory.sorted.count : 0;
    pthread_mutex_unlock(&memory.lock);
    hsa_status_t status = copied ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (size_t i = 0; i < all.count && status == HSA_STATUS_SUCCESS; i++)
        status = visit(all.items[i], data);
    vec_free(&all);
    return status;
}

bool memory_list(struct allocation *allocation)
{
    pthread_mutex_lock(&memory.lock);
    bool kept = insert(allocation);
    pthread_mutex_unlock(&memory.lock);
    return kept;
}

/* ---- obtaining and releasing ---- */

/* Whether a driver has given out what was asked for. */
static bool sound(const hsam_memory_request *request, const hsam_memory *given)
{
    return given->address && (uintptr_t)given->address % request->alignment == 0 && given->size >= request->size &&
           (given->host_accessible || request->purpose == HSAM_MEMORY_CLIENT || request->purpose == HSAM_MEMORY_CODE);
}

static HSAM_Error ask_provider(struct agent *provider, const hsam_memory_request *wish, hsam_memory *given)
{
    hsam_handle_t client;
    struct request request;
    if (!provider->interface.memory_new)
        return HSAM_Not_Supported;
    if (agent_client(provider, &client) != HSA_STATUS_SUCCESS)
        return HSAM_OutOfResources;
    *given = (hsam_memory){0};
    return request_finish(
        &request, provider->interface.memory_new(provider->driver, client, wish, request_start(&request), given));
}

static void give_back(struct agent *provider, const hsam_memory *given)
{
    hsam_handle_t client;
    struct request request;
    if (provider->interface.memory_delete && agent_has_client(provider, &client) &&
        request_finish(&request, provider->interface.memory_delete(
                                     provider->driver, client, given, request_start(&request))) != HSAM_Done)
        atomic_store(&provider->failed, true);
}

hsa_status_t memory_obtain(hsam_purpose purpose, struct agent *agent, struct region *region, size_t size,
                           struct allocation **result)
{
    struct allocation *allocation = mem_zalloc(1, sizeof *allocation);
    CHECK(allocation, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsam_memory_request wish = {.purpose = purpose,
                                .size = size,
                                .alignment = region ? region->is->alloc_alignment : 4096,
                                .region = region ? region->is : NULL};
    struct agent *provider = agent ? agent : agent_host();
    HSAM_Error error = ask_provider(provider, &wish, &allocation->memory);
    if (error == HSAM_Not_Supported && provider != agent_host()) {
        provider = agent_host();
        wish.region = NULL;
        error = ask_provider(provider, &wish, &allocation->memory);
    }
    if (error == HSAM_Done && !sound(&wish, &allocation->memory)) {
        give_back(provider, &allocation->memory);
        atomic_store(&provider->failed, true);
        message_print(MESSAGE_DRIVER_MEMORY, provider->config.name);
        error = HSAM_Fault;
    }
    if (error != HSAM_Done) {
        mem_free(allocation);
        return error == HSAM_Fault ? HSA_STATUS_ERROR : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    allocation->base = allocation->memory.address;
    allocation->size = allocation->wanted = size;
    allocation->purpose = purpose;
    allocation->provider = provider;
    allocation->region = region;
    *result = allocation;
    return HSA_STATUS_SUCCESS;
}

/* Ends an allocation that is in no list any more. */
static void allocation_end(struct allocation *allocation)
{
    memory_withdraw(allocation);
    if (allocation->provider)
        give_back(allocation->provider, &allocation->memory);
    vec_free(&allocation->told);
    vec_free(&allocation->callbacks);
    vec_free(&allocation->allowed);
    mem_free(allocation);
}

void memory_release(struct allocation *allocation)
{
    if (!allocation)
        return;
    pthread_mutex_lock(&memory.lock);
    take_out(allocation);
    pthread_mutex_unlock(&memory.lock);
    allocation_end(allocation);
}

void memory_shut_down(void)
{
    while (memory.sorted.count)
        allocation_end(memory.sorted.items[--memory.sorted.count]);
    vec_free(&memory.sorted);
    memset(memory.former, 0, sizeof memory.former);
    memory.former_count = 0;
}

/* ---- of clients ---- */

hsa_status_t memory_allocate(struct region *region, size_t size, void **result)
{
    CHECK_ARGUMENT(result && size);
    CHECK(region->is->alloc_max_size && size <= region->is->alloc_max_size, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    size_t granule = region->is->alloc_granule;
    CHECK(size <= SIZE_MAX - granule, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    struct allocation *allocation;
    hsa_status_t status =
        memory_obtain(HSAM_MEMORY_CLIENT, region->agent, region, align_up(size, granule), &allocation);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    allocation->wanted = size;
    memory_caller_note(&allocation->caller);
    void *base = allocation->base; /* a client may guess the address and free it before this function returns */
    if (!memory_list(allocation))
        status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    else if (!region_coarse(region))
        status = memory_tell_all(allocation);
    else if (memory_in_region_of(allocation, region->agent))
        status = memory_tell(allocation, region->agent);
    if (status != HSA_STATUS_SUCCESS) {
        memory_release(allocation);
        return status;
    }
    *result = base;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_memory_allocate(hsa_region_t handle, size_t size, void **ptr)
{
    CHECK_UP();
    struct region *region = region_find(handle.handle);
    CHECK(region, HSA_STATUS_ERROR_INVALID_REGION);
    return memory_allocate(region, size, ptr);
}

HSA_API hsa_status_t hsa_memory_free(void *ptr)
{
    CHECK_UP();
    if (!ptr)
        return HSA_STATUS_SUCCESS;
    struct memory_caller caller;
    memory_caller_note(&caller);
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(ptr);
    if (allocation && allocation->region) {
        take_out(allocation);
        remember_freed(allocation, &caller);
    } else {
        allocation = NULL;
    }
    pthread_mutex_unlock(&memory.lock);
    CHECK(allocation, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    for (size_t i = 0; i < allocation->callbacks.count; i++)
        allocation->callbacks.items[i].callback(
            allocation->callbacks.items[i].at, allocation->callbacks.items[i].user_data);
    allocation_end(allocation);
    return HSA_STATUS_SUCCESS;
}

/* ---- memory that nobody gave out: the client's, locked or registered, and parts of the signals' ---- */

static struct allocation *foreign(hsam_purpose purpose, void *base, size_t size)
{
    struct allocation *allocation = mem_zalloc(1, sizeof *allocation);
    if (allocation)
        *allocation = (struct allocation){
            .base = base,
            .size = size,
            .wanted = size,
            .memory = {.address = base, .size = size, .host_accessible = true},
            .purpose = purpose};
    return allocation;
}

hsa_status_t memory_list_mapping(void *base, size_t size, struct allocation **result)
{
    struct allocation *allocation = foreign(HSAM_MEMORY_CLIENT, base, size);
    CHECK(allocation, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    allocation->mapped = true;
    if (!memory_list(allocation)) {
        mem_free(allocation);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *result = allocation;
    return HSA_STATUS_SUCCESS;
}

/* Lists the memory and tells every agent of it. If that fails, the memory is in the list no longer. */
static hsa_status_t list_foreign(hsam_purpose purpose, void *base, size_t size, unsigned locks)
{
    struct allocation *allocation = foreign(purpose, base, size);
    CHECK(allocation, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    allocation->locks = locks;
    hsa_status_t status = memory_list(allocation) ? memory_tell_all(allocation) : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (status != HSA_STATUS_SUCCESS)
        memory_release(allocation);
    return status;
}

hsa_status_t memory_list_signals(void *base, size_t size)
{
    return list_foreign(HSAM_MEMORY_SIGNALS, base, size, 0);
}

hsa_status_t memory_lock(void *base, size_t size)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(base);
    if (allocation) {
        allocation->locks++;
        if (!allocation->region && allocation->size < size)
            allocation->size = allocation->wanted = size;
    }
    pthread_mutex_unlock(&memory.lock);
    return allocation ? HSA_STATUS_SUCCESS : list_foreign(HSAM_MEMORY_CLIENT, base, size, 1);
}

hsa_status_t memory_unlock(void *base)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(base);
    bool locked = allocation && allocation->locks, last = locked && !--allocation->locks && !allocation->region;
    if (last)
        take_out(allocation);
    pthread_mutex_unlock(&memory.lock);
    if (last)
        allocation_end(allocation);
    return locked ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_memory_register(void *ptr, size_t size)
{
    CHECK_UP();
    CHECK_ARGUMENT(!ptr || size);
    return ptr ? memory_lock(ptr, size) : HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_memory_deregister(void *ptr, size_t size)
{
    CHECK_UP();
    (void)size;
    memory_unlock(ptr);
    return HSA_STATUS_SUCCESS;
}
