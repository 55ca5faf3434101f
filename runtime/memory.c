/* SPDX-License-Identifier: MIT */
/* Allocation, ownership and copying of memory. (1.0P 2.7; MV 5)
 *
 * Input: addresses of any value. Output: memory, and the requests by which agents learn of it.
 * Invariant: live allocations are in one array sorted by address, and do not overlap but for locked client
 * memory, which may contain others' addresses only if the client says nonsense. The lock is not held during
 * requests. */
#include "runtime/memory.h"

#include "runtime/request.h"
#include "support/bytes.h"
#include "support/search.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PAGES_FROM = 256 * 1024 }; /* allocations of this size and more are mappings of their own */

static struct {
    pthread_mutex_t lock;
    VEC(struct allocation *) sorted;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

void *memory_aligned(size_t size, size_t alignment)
{
    size_t whole;
    if (__builtin_add_overflow(size, alignment + sizeof(void *), &whole))
        return NULL;
    void *block = mem_zalloc(1, whole);
    if (!block)
        return NULL;
    uintptr_t at = align_up((uintptr_t)block + sizeof(void *), alignment);
    ((void **)at)[-1] = block;
    return (void *)at;
}

void memory_aligned_free(void *at)
{
    if (at)
        mem_free(((void **)at)[-1]);
}

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

static struct allocation *starting(const char *address)
{
    struct allocation *a = holding(address);
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

static void take_out(const struct allocation *allocation)
{
    size_t i = upper(allocation->base) - 1;
    struct allocation **at = &memory.sorted.items[i];
    memmove(at, at + 1, (--memory.sorted.count - i) * sizeof *at);
}

hsa_status_t memory_with(const void *address, hsa_status_t (*use)(struct allocation *allocation, void *data),
                         void *data)
{
    pthread_mutex_lock(&memory.lock);
    hsa_status_t status = use(holding(address), data);
    pthread_mutex_unlock(&memory.lock);
    return status;
}

/* ---- telling agents ---- */

static hsam_segment segment_of(const struct region *region)
{
    if (!region)
        return HSAM_SEGMENT_SYSTEM;
    return region->is->global_flags & HSA_REGION_GLOBAL_FLAG_KERNARG ? HSAM_SEGMENT_KERNARG : HSAM_SEGMENT_GLOBAL;
}

/* Tells AGENT of the memory, if it wants to know. */
static hsa_status_t announce(struct agent *agent, void *base, size_t size, const struct region *region)
{
    hsam_handle_t client;
    if (!agent->interface.memory_allocation || !agent_has_client(agent, &client))
        return HSA_STATUS_SUCCESS;
    struct request request;
    return request_status(request_finish(
        &request, agent->interface.memory_allocation(agent->driver, client, base, size, segment_of(region),
                                                     region ? region->is->global_flags : 0, request_start(&request))));
}

static void withdraw(struct agent *agent, void *base)
{
    hsam_handle_t client;
    struct request request;
    if (agent->interface.memory_free && agent_has_client(agent, &client))
        request_finish(&request, agent->interface.memory_free(agent->driver, client, base, request_start(&request)));
}

static bool coarse(const struct region *region)
{
    return region && region->is->global_flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED;
}

static void withdraw_all(const struct allocation *allocation)
{
    for (size_t i = 0; i < allocation->told.count; i++)
        withdraw(allocation->told.items[i], allocation->base);
    for (size_t i = 0; !coarse(allocation->region) && i < runtime.agents.count; i++)
        withdraw(runtime.agents.items[i], allocation->base);
}

/* ---- allocation ---- */

static void allocation_free(struct allocation *allocation)
{
    if (allocation->region) {
        if (allocation->block)
            memory_aligned_free(allocation->block);
        else
            munmap(allocation->base, allocation->size);
    }
    vec_free(&allocation->told);
    vec_free(&allocation->callbacks);
    vec_free(&allocation->allowed);
    mem_free(allocation);
}

static bool allocation_pages(struct allocation *allocation, size_t alignment)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = align_up(allocation->size, page);
    size_t spare = alignment > page ? alignment : 0, whole;
    if (__builtin_add_overflow(size, spare, &whole))
        return false;
    char *mapped = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return false;
    char *base = spare ? (char *)align_up((uintptr_t)mapped, alignment) : mapped;
    if (base > mapped)
        munmap(mapped, (size_t)(base - mapped));
    if (base + size < mapped + whole)
        munmap(base + size, (size_t)(mapped + whole - base - size));
    allocation->base = base;
    allocation->size = size;
    return true;
}

static struct allocation *allocation_new(struct region *region, size_t size)
{
    struct allocation *allocation = mem_zalloc(1, sizeof *allocation);
    if (!allocation)
        return NULL;
    allocation->region = region;
    allocation->size = size;
    bool good;
    if (size < PAGES_FROM) {
        allocation->block = allocation->base = memory_aligned(size, region->is->alloc_alignment);
        good = allocation->block != NULL;
    } else {
        good = allocation_pages(allocation, region->is->alloc_alignment);
    }
    if (good)
        return allocation;
    mem_free(allocation);
    return NULL;
}

hsa_status_t memory_allocate(struct region *region, size_t size, void **result)
{
    CHECK_ARGUMENT(result && size);
    CHECK(region->is->alloc_max_size && size <= region->is->alloc_max_size, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    size_t granule = region->is->alloc_granule;
    CHECK(size <= SIZE_MAX - granule, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    struct allocation *allocation = allocation_new(region, align_up(size, granule));
    CHECK(allocation, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; !coarse(region) && status == HSA_STATUS_SUCCESS && i < runtime.agents.count; i++)
        status = announce(runtime.agents.items[i], allocation->base, allocation->size, region);
    if (status == HSA_STATUS_SUCCESS) {
        pthread_mutex_lock(&memory.lock);
        bool kept = insert(allocation);
        pthread_mutex_unlock(&memory.lock);
        status = kept ? status : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (status != HSA_STATUS_SUCCESS) {
        withdraw_all(allocation);
        allocation_free(allocation);
        return status;
    }
    *result = allocation->base;
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
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(ptr);
    if (allocation && allocation->region)
        take_out(allocation);
    else
        allocation = NULL;
    pthread_mutex_unlock(&memory.lock);
    CHECK(allocation, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    for (size_t i = 0; i < allocation->callbacks.count; i++)
        allocation->callbacks.items[i].callback(ptr, allocation->callbacks.items[i].user_data);
    withdraw_all(allocation);
    allocation_free(allocation);
    return HSA_STATUS_SUCCESS;
}

void memory_shut_down(void)
{
    while (memory.sorted.count) {
        struct allocation *allocation = memory.sorted.items[--memory.sorted.count];
        withdraw_all(allocation);
        allocation_free(allocation);
    }
    vec_free(&memory.sorted);
}

/* ---- locked and registered memory of the client ---- */

hsa_status_t memory_lock(void *base, size_t size)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(base);
    bool known = allocation != NULL, good = true;
    if (known) {
        allocation->locks++;
        if (!allocation->region && allocation->size < size)
            allocation->size = size;
    } else {
        allocation = mem_zalloc(1, sizeof *allocation);
        good = allocation != NULL;
        if (good) {
            *allocation = (struct allocation){.base = base, .size = size, .locks = 1};
            good = insert(allocation);
            if (!good)
                mem_free(allocation);
        }
    }
    pthread_mutex_unlock(&memory.lock);
    CHECK(good, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; !known && status == HSA_STATUS_SUCCESS && i < runtime.agents.count; i++)
        status = announce(runtime.agents.items[i], base, size, NULL);
    if (status != HSA_STATUS_SUCCESS)
        memory_unlock(base);
    return status;
}

hsa_status_t memory_unlock(void *base)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = starting(base);
    bool locked = allocation && allocation->locks, last = locked && !--allocation->locks && !allocation->region;
    if (last)
        take_out(allocation);
    pthread_mutex_unlock(&memory.lock);
    if (last) {
        withdraw_all(allocation);
        allocation_free(allocation);
    }
    return locked ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_memory_register(void *ptr, size_t size)
{
    CHECK_UP();
    CHECK_ARGUMENT(!ptr == !size);
    return ptr ? memory_lock(ptr, size) : HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_memory_deregister(void *ptr, size_t size)
{
    CHECK_UP();
    (void)size;
    memory_unlock(ptr);
    return HSA_STATUS_SUCCESS;
}

/* ---- ownership and copies ---- */

struct assignment {
    struct agent *to, *from;
    struct allocation *allocation;
    bool first; /* the new owner does not know the memory yet */
};

static hsa_status_t assign(struct allocation *allocation, void *data)
{
    struct assignment *assignment = data;
    if (!allocation || !coarse(allocation->region))
        return HSA_STATUS_SUCCESS;
    assignment->first = true;
    for (size_t i = 0; i < allocation->told.count; i++)
        assignment->first &= allocation->told.items[i] != assignment->to;
    CHECK(!assignment->first || vec_push(&allocation->told, assignment->to), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assignment->allocation = allocation;
    assignment->from = allocation->owner;
    allocation->owner = assignment->to;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_memory_assign_agent(void *ptr, hsa_agent_t handle, hsa_access_permission_t access)
{
    CHECK_UP();
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(ptr && access >= HSA_ACCESS_PERMISSION_RO && access <= HSA_ACCESS_PERMISSION_RW);
    hsam_handle_t client;
    hsa_status_t status = agent_client(agent, &client);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct assignment assignment = {.to = agent};
    status = memory_with(ptr, assign, &assignment);
    struct allocation *allocation = assignment.allocation;
    if (!allocation)
        return status;
    struct request request;
    struct agent *from = assignment.from;
    hsam_handle_t from_client;
    if (from && from != agent && from->interface.memory_release && agent_has_client(from, &from_client))
        request_finish(&request, from->interface.memory_release(
                                     from->driver, from_client, allocation->base, request_start(&request)));
    if (assignment.first)
        status = announce(agent, allocation->base, allocation->size, allocation->region);
    if (status == HSA_STATUS_SUCCESS && agent->interface.memory_acquire)
        status = request_status(request_finish(
            &request,
            agent->interface.memory_acquire(agent->driver, client, allocation->base, access, request_start(&request))));
    return status;
}

/* The agent that must do copies to or from ADDRESS itself, or NULL. */
static hsa_status_t find_copier(struct allocation *allocation, void *data)
{
    struct agent **copier = data;
    *copier = allocation && allocation->owner && allocation->owner->interface.memory_copy ? allocation->owner : NULL;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t copy_by(struct agent *agent, void *destination, const void *source, size_t size)
{
    hsam_handle_t client;
    hsa_status_t status = agent_client(agent, &client);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct request request;
    return request_status(request_finish(
        &request,
        agent->interface.memory_copy(agent->driver, client, destination, source, size, request_start(&request))));
}

hsa_status_t memory_copy(void *destination, const void *source, size_t size)
{
    enum { BOUNCE = 64 * 1024 };
    struct agent *to, *from;
    memory_with(destination, find_copier, &to);
    memory_with(source, find_copier, &from);
    if (!to && !from) {
        memmove(destination, source, size);
        return HSA_STATUS_SUCCESS;
    }
    if (!to || !from || to == from)
        return copy_by(to ? to : from, destination, source, size);
    char *bounce = mem_alloc(BOUNCE); /* private memory of two agents: block by block through the host's (MV-46) */
    CHECK(bounce, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t done = 0; done < size && status == HSA_STATUS_SUCCESS; done += BOUNCE) {
        size_t part = size - done < BOUNCE ? size - done : BOUNCE;
        status = copy_by(from, bounce, (const char *)source + done, part);
        if (status == HSA_STATUS_SUCCESS)
            status = copy_by(to, (char *)destination + done, bounce, part);
    }
    mem_free(bounce);
    return status;
}

HSA_API hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size)
{
    CHECK_UP();
    CHECK_ARGUMENT(dst && src);
    return size ? memory_copy(dst, src, size) : HSA_STATUS_SUCCESS;
}
