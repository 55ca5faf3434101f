/* SPDX-License-Identifier: MIT */
/* Memory whose addresses and pages are managed apart: ranges of addresses are reserved, handles stand for pages, and
 * mappings put the pages of a handle at an address. (ROCR documentation 4.8)
 *
 * Input: addresses, sizes and handles of any value. Output: mappings, of which those agents are told that have access.
 * Invariant: reservations do not overlap, and neither do mappings, each of which lies in one reservation. The pages of
 * a handle are a memory file; they stay as long as a client holds the handle, something is mapped, or another process
 * has the file. All agents execute on the host, so its page tables give each mapping what the agents together may do.
 */
#include "runtime/memory.h"
#include "runtime/share.h"
#include "support/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct vmem_pages {
    uint64_t handle;
    unsigned held, mapped; /* by clients, and how often at addresses; at 0 and 0 the pages go */
    int file;
    size_t size;
    struct region *region;
    hsa_amd_memory_type_t type;
};

struct vmem_access {
    struct agent *agent;
    hsa_access_permission_t permission;
};

struct vmem_mapping {
    char *base;
    struct vmem_pages *pages;
    struct allocation *allocation; /* in the list of memory */
    VEC(struct vmem_access) access;
};

struct vmem_reservation {
    char *base;
    size_t size;
};

static struct {
    pthread_mutex_t lock;
    VEC(struct vmem_reservation) reservations;
    VEC(struct vmem_mapping) mappings;
} vmem = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Runs CALL under the lock and returns its status. */
#define LOCKED(call)                                                                                         \
    do {                                                                                                     \
        pthread_mutex_lock(&vmem.lock);                                                                      \
        hsa_status_t status_ = (call);                                                                       \
        pthread_mutex_unlock(&vmem.lock);                                                                    \
        return status_;                                                                                      \
    } while (0)

/* ---- addresses ---- */

/* Reserves SIZE bytes that nothing can be read from; at WISH if that is free. */
static char *reserve_at(size_t size, uintptr_t wish, size_t alignment)
{
    enum { FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    if (wish && wish % alignment == 0) {
        char *at = mmap((void *)wish, size, PROT_NONE, FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
        if (at == (char *)wish)
            return at;
        if (at != MAP_FAILED)
            munmap(at, size);
    }
    size_t room;
    if (__builtin_add_overflow(size, alignment - PAGE, &room))
        return NULL;
    char *at = mmap(NULL, room, PROT_NONE, FLAGS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    size_t before = align_up((uintptr_t)at, alignment) - (uintptr_t)at;
    if (before)
        munmap(at, before);
    if (room - before - size)
        munmap(at + before + size, room - before - size);
    return at + before;
}

HSA_API hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address, uint64_t alignment,
                                                        uint64_t flags)
{
    CHECK_UP();
    alignment = alignment ? alignment : PAGE;
    CHECK_ARGUMENT(va && size && size % PAGE == 0 && !flags && alignment >= PAGE && !(alignment & (alignment - 1)));
    struct vmem_reservation made = {reserve_at(size, address, alignment), size};
    CHECK(made.base, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    pthread_mutex_lock(&vmem.lock);
    bool kept = vec_push(&vmem.reservations, made);
    pthread_mutex_unlock(&vmem.lock);
    if (!kept) {
        munmap(made.base, size);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *va = made.base;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags)
{
    return hsa_amd_vmem_address_reserve_align(va, size, address, 0, flags);
}

/* The first mapping that shares an address with the range, or NULL. */
static struct vmem_mapping *mapping_in(const char *base, size_t size)
{
    for (size_t i = 0; i < vmem.mappings.count; i++) {
        struct vmem_mapping *it = &vmem.mappings.items[i];
        if (it->base < base + size && base < it->base + it->pages->size)
            return it;
    }
    return NULL;
}

static hsa_status_t address_free(const char *va, size_t size)
{
    size_t i = 0;
    while (i < vmem.reservations.count && vmem.reservations.items[i].base != va)
        i++;
    CHECK(i < vmem.reservations.count, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    struct vmem_reservation it = vmem.reservations.items[i];
    CHECK_ARGUMENT(it.size == size);
    CHECK(!mapping_in(it.base, it.size), HSA_STATUS_ERROR_RESOURCE_FREE);
    vmem.reservations.items[i] = vmem.reservations.items[--vmem.reservations.count];
    munmap(it.base, it.size);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size)
{
    CHECK_UP();
    LOCKED(address_free(va, size));
}

/* ---- handles; the caller holds the lock ---- */

/* The pages of a handle that a client holds, or NULL. */
static struct vmem_pages *pages_find(hsa_amd_vmem_alloc_handle_t handle)
{
    struct vmem_pages *pages = handle_get(handle.handle, HANDLE_VMEM);
    return pages && pages->held ? pages : NULL;
}

static void pages_drop(struct vmem_pages *pages)
{
    if (pages->held || pages->mapped)
        return;
    handle_delete(pages->handle);
    close(pages->file);
    mem_free(pages);
}

/* Owns FILE from then on, whether it succeeds or not. */
static hsa_status_t pages_new(int file, size_t size, struct region *region, hsa_amd_memory_type_t type,
                              hsa_amd_vmem_alloc_handle_t *result)
{
    struct vmem_pages *pages = file >= 0 ? mem_zalloc(1, sizeof *pages) : NULL;
    uint64_t handle = pages ? handle_new(HANDLE_VMEM, pages) : 0;
    if (!handle) {
        mem_free(pages);
        if (file >= 0)
            close(file);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *pages =
        (struct vmem_pages){.handle = handle, .held = 1, .file = file, .size = size, .region = region, .type = type};
    result->handle = handle;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, hsa_amd_memory_type_t type,
                                                uint64_t flags, hsa_amd_vmem_alloc_handle_t *memory_handle)
{
    CHECK_UP();
    struct region *region = region_find(pool.handle);
    CHECK_ARGUMENT(region && memory_handle && size && !flags && type <= MEMORY_TYPE_PINNED);
    CHECK(memory_of_host(region), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK_ARGUMENT(size % region->is->alloc_granule == 0 && size % PAGE == 0);
    CHECK(size <= region->is->alloc_max_size, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return pages_new(share_file_new(size), size, region, type, memory_handle);
}

static hsa_status_t handle_release(hsa_amd_vmem_alloc_handle_t handle)
{
    struct vmem_pages *pages = pages_find(handle);
    CHECK(pages, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    pages->held--;
    pages_drop(pages);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t memory_handle)
{
    CHECK_UP();
    LOCKED(handle_release(memory_handle));
}

static hsa_status_t retain(hsa_amd_vmem_alloc_handle_t *handle, const char *address)
{
    const struct vmem_mapping *mapping = mapping_in(address, 1);
    CHECK(mapping, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    mapping->pages->held++;
    handle->handle = mapping->pages->handle;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *memory_handle, void *addr)
{
    CHECK_UP();
    CHECK_ARGUMENT(memory_handle);
    LOCKED(retain(memory_handle, addr));
}

static hsa_status_t properties(hsa_amd_vmem_alloc_handle_t handle, hsa_amd_memory_pool_t *pool,
                               hsa_amd_memory_type_t *type)
{
    const struct vmem_pages *pages = pages_find(handle);
    CHECK(pages, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK_ARGUMENT(pool && type);
    pool->handle = pages->region->handle.handle;
    *type = pages->type;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(
    hsa_amd_vmem_alloc_handle_t memory_handle, hsa_amd_memory_pool_t *pool, hsa_amd_memory_type_t *type)
{
    CHECK_UP();
    LOCKED(properties(memory_handle, pool, type));
}

static hsa_status_t export_file(int *file, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags)
{
    const struct vmem_pages *pages = pages_find(handle);
    CHECK(pages, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK_ARGUMENT(file && !flags);
    int copy = fcntl(pages->file, F_DUPFD_CLOEXEC, 0);
    CHECK(copy >= 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *file = copy;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_export_shareable_handle(int *dmabuf_fd, hsa_amd_vmem_alloc_handle_t handle,
                                                          uint64_t flags)
{
    CHECK_UP();
    LOCKED(export_file(dmabuf_fd, handle, flags));
}

/* The file does not say of which pool it is; the first of the host that has such memory is named. */
static struct region *region_of_imports(void)
{
    struct agent *host = agent_host();
    for (size_t i = 0; i < host->config.region_count; i++)
        if (memory_of_host(&host->regions[i]))
            return &host->regions[i];
    return NULL;
}

HSA_API hsa_status_t hsa_amd_vmem_import_shareable_handle(int dmabuf_fd, hsa_amd_vmem_alloc_handle_t *handle)
{
    CHECK_UP();
    CHECK_ARGUMENT(handle);
    struct region *region = region_of_imports();
    struct stat is;
    CHECK(region && share_file_sealed(dmabuf_fd) && !fstat(dmabuf_fd, &is) && is.st_size && is.st_size % PAGE == 0,
          HSA_STATUS_ERROR_INVALID_ALLOCATION);
    int copy = fcntl(dmabuf_fd, F_DUPFD_CLOEXEC, 0);
    return pages_new(copy, (size_t)is.st_size, region, MEMORY_TYPE_NONE, handle);
}

/* ---- mappings; the caller holds the lock ---- */

static bool is_reserved(const char *va, size_t size)
{
    for (size_t i = 0; i < vmem.reservations.count; i++) {
        const struct vmem_reservation *it = &vmem.reservations.items[i];
        if (va >= it->base && range_inside((uint64_t)(va - it->base), size, it->size))
            return true;
    }
    return false;
}

/* Puts back addresses from which nothing can be read. */
static void unmap_pages(char *base, size_t size)
{
    mmap(base, size, PROT_NONE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static hsa_status_t map_pages_at(char *va, size_t size, hsa_amd_vmem_alloc_handle_t handle)
{
    struct vmem_pages *pages = pages_find(handle);
    CHECK_ARGUMENT(pages && size == pages->size && (uintptr_t)va % PAGE == 0 && is_reserved(va, size) &&
                   !mapping_in(va, size));
    CHECK(vec_reserve(&vmem.mappings, 1), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    if (mmap(va, size, PROT_NONE, MAP_FIXED | MAP_SHARED, pages->file, 0) == MAP_FAILED)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    struct vmem_mapping made = {.base = va, .pages = pages};
    if (memory_list_mapping(va, size, &made.allocation) != HSA_STATUS_SUCCESS) {
        unmap_pages(va, size);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    pages->mapped++;
    vmem.mappings.items[vmem.mappings.count++] = made;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset,
                                      hsa_amd_vmem_alloc_handle_t memory_handle, uint64_t flags)
{
    CHECK_UP();
    CHECK_ARGUMENT(va && !in_offset && !flags);
    LOCKED(map_pages_at(va, size, memory_handle));
}

/* The mapping that starts at VA and has SIZE bytes. */
static hsa_status_t mapping_of(const char *va, size_t size, struct vmem_mapping **result)
{
    *result = mapping_in(va, 1);
    CHECK(*result && (*result)->base == va, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK_ARGUMENT((*result)->pages->size == size);
    return HSA_STATUS_SUCCESS;
}

static void mapping_end(struct vmem_mapping *mapping)
{
    struct vmem_pages *pages = mapping->pages;
    memory_release(mapping->allocation);
    unmap_pages(mapping->base, pages->size);
    vec_free(&mapping->access);
    *mapping = vmem.mappings.items[--vmem.mappings.count];
    pages->mapped--;
    pages_drop(pages);
}

static hsa_status_t unmap_one(const char *va, size_t size)
{
    struct vmem_mapping *mapping;
    hsa_status_t status = mapping_of(va, size, &mapping);
    if (status == HSA_STATUS_SUCCESS)
        mapping_end(mapping);
    return status;
}

HSA_API hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size)
{
    CHECK_UP();
    LOCKED(unmap_one(va, size));
}

/* ---- access; the caller holds the lock ---- */

static struct vmem_access *access_of(const struct vmem_mapping *mapping, const struct agent *agent)
{
    for (size_t i = 0; i < mapping->access.count; i++)
        if (mapping->access.items[i].agent == agent)
            return &mapping->access.items[i];
    return NULL;
}

/* Makes the page tables and what the agents know of the mapping agree with the list of accesses. */
static hsa_status_t access_apply(const struct vmem_mapping *mapping)
{
    static const int protections[] = {
        [HSA_ACCESS_PERMISSION_NONE] = PROT_NONE,
        [HSA_ACCESS_PERMISSION_RO] = PROT_READ,
        [HSA_ACCESS_PERMISSION_WO] = PROT_READ | PROT_WRITE,
        [HSA_ACCESS_PERMISSION_RW] = PROT_READ | PROT_WRITE};
    VEC(struct agent *) allowed = {0};
    int protection = PROT_NONE;
    CHECK(vec_reserve(&allowed, mapping->access.count), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    for (size_t i = 0; i < mapping->access.count; i++) {
        const struct vmem_access *it = &mapping->access.items[i];
        protection |= protections[it->permission];
        if (it->permission != HSA_ACCESS_PERMISSION_NONE)
            allowed.items[allowed.count++] = it->agent;
    }
    hsa_status_t status = memory_allow(mapping->base, (uint32_t)allowed.count, allowed.items);
    vec_free(&allowed);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    CHECK(!mprotect(mapping->base, mapping->pages->size, protection), HSA_STATUS_ERROR);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t set_access(const char *va, size_t size, const hsa_amd_memory_access_desc_t *desc, size_t count)
{
    struct vmem_mapping *mapping;
    hsa_status_t status = mapping_of(va, size, &mapping);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    CHECK(count <= SIZE_MAX / 64 && vec_reserve(&mapping->access, count), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    for (size_t i = 0; i < count; i++) {
        struct agent *agent = agent_find(desc[i].agent_handle);
        struct vmem_access *known = access_of(mapping, agent);
        if (!known)
            mapping->access.items[mapping->access.count++] = (struct vmem_access){agent, desc[i].permissions};
        else
            known->permission = desc[i].permissions;
    }
    return access_apply(mapping);
}

HSA_API hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size, const hsa_amd_memory_access_desc_t *desc,
                                             size_t desc_cnt)
{
    CHECK_UP();
    CHECK_ARGUMENT(desc && desc_cnt);
    for (size_t i = 0; i < desc_cnt; i++) {
        CHECK(agent_find(desc[i].agent_handle), HSA_STATUS_ERROR_INVALID_AGENT);
        CHECK_ARGUMENT(desc[i].permissions <= HSA_ACCESS_PERMISSION_RW);
    }
    LOCKED(set_access(va, size, desc, desc_cnt));
}

static hsa_status_t get_access(const char *va, hsa_access_permission_t *permission, const struct agent *agent)
{
    const struct vmem_mapping *mapping = mapping_in(va, 1);
    const struct vmem_access *access = mapping ? access_of(mapping, agent) : NULL;
    CHECK(access, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK_ARGUMENT(permission);
    *permission = access->permission;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_vmem_get_access(void *va, hsa_access_permission_t *perms, hsa_agent_t agent_handle)
{
    CHECK_UP();
    const struct agent *agent = agent_find(agent_handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    LOCKED(get_access(va, perms, agent));
}

/* ---- the end ---- */

bool vmem_reserved(const void *address, void **base, size_t *size)
{
    bool found = false;
    pthread_mutex_lock(&vmem.lock);
    for (size_t i = 0; i < vmem.reservations.count && !found; i++) {
        const struct vmem_reservation *it = &vmem.reservations.items[i];
        found = (const char *)address >= it->base && (size_t)((const char *)address - it->base) < it->size;
        *base = it->base;
        *size = it->size;
    }
    pthread_mutex_unlock(&vmem.lock);
    return found;
}

static void pages_left(void *object)
{
    struct vmem_pages *pages = object;
    pages->held = 0;
    pages_drop(pages);
}

void vmem_shut_down(void)
{
    while (vmem.mappings.count)
        mapping_end(&vmem.mappings.items[vmem.mappings.count - 1]);
    handle_visit(HANDLE_VMEM, pages_left);
    for (size_t i = 0; i < vmem.reservations.count; i++)
        munmap(vmem.reservations.items[i].base, vmem.reservations.items[i].size);
    vec_free(&vmem.reservations);
    vec_free(&vmem.mappings);
}
