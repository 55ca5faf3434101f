/* SPDX-License-Identifier: MIT */
/* Memory that processes share, and buffers of other interfaces. (ROCR documentation 4.8)
 *
 * Input: allocations, handles of any content, open files. Output: mappings, known to the agents as locked memory.
 * Invariant: a handle leads to a sealed memory file of the size it names, whose size cannot change, so that no access
 * to a mapping of it ends in SIGBUS. The pages of a shared allocation are those of its file until it is freed. */
#define _GNU_SOURCE /* memfd_create(), mremap() */
#include "runtime/share.h"

#include "runtime/memory.h"
#include "support/bytes.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
#define MAGIC UINT32_C(0x4d435049)

/* What hsa_amd_ipc_memory_t holds: descriptor FILE of PROCESS leads to a file of this size and inode. */
struct name {
    uint32_t magic, process, file, zero;
    uint64_t size, inode;
};
static_assert(sizeof(struct name) == sizeof(hsa_amd_ipc_memory_t), "a name fits a handle");

/* An allocation of this process that other processes may map. */
struct shared {
    char *base;
    size_t size;
    int file;
};

struct shared_mapping {
    char *base;
    size_t size;
    bool interop;
};

static struct {
    pthread_mutex_t lock;
    VEC(struct shared) shared;
    VEC(struct shared_mapping) mappings;
} shares = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- giving ---- */

/* Makes the pages private again before their memory is used for something else. */
static void end_sharing(void *base, void *data)
{
    (void)data;
    pthread_mutex_lock(&shares.lock);
    for (size_t i = 0; i < shares.shared.count; i++)
        if (shares.shared.items[i].base == base) {
            struct shared *it = &shares.shared.items[i];
            mmap(it->base, it->size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
            close(it->file);
            *it = shares.shared.items[--shares.shared.count];
            break;
        }
    pthread_mutex_unlock(&shares.lock);
}

int share_file_new(size_t size)
{
    int file = memfd_create("hsa", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && !ftruncate(file, (off_t)size) && fcntl(file, F_ADD_SEALS, SEALS) >= 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

bool share_file_sealed(int file)
{
    int seals = fcntl(file, F_GET_SEALS);
    return seals >= 0 && (seals & SEALS) == SEALS;
}

/* Replaces SIZE bytes at BASE by a file of the same content. Returns the file, or -1. */
static int replace_pages(char *base, size_t size)
{
    int file = share_file_new(size);
    if (file < 0)
        return -1;
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (copy != MAP_FAILED) {
        memcpy(copy, base, size);
        /* One step, so that another thread sees the old pages or the new ones. */
        if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, base) != MAP_FAILED)
            return file;
        munmap(copy, size);
    }
    close(file);
    return -1;
}

struct query {
    const char *base;
    size_t length, size; /* LENGTH is what the client says, SIZE is that of the allocation */
    bool pages;
};

static hsa_status_t find_allocation(struct allocation *allocation, void *data)
{
    struct query *query = data;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    CHECK_ARGUMENT(allocation && allocation->region && allocation->base == query->base);
    CHECK_ARGUMENT(allocation->provider == agent_host()); /* a driver's own pages must not be replaced */
    query->size = allocation->size;
    query->pages = (uintptr_t)allocation->base % page == 0 && allocation->size % page == 0;
    size_t granule = allocation->region->is->alloc_granule;
    CHECK_ARGUMENT(query->length && query->length <= query->size &&
                   align_up(query->length, granule) == align_up(query->size, granule));
    return HSA_STATUS_SUCCESS;
}

/* Shares the allocation unless it is shared already; the caller holds the lock. Returns its file, or -1. */
static int share(char *base, size_t size)
{
    for (size_t i = 0; i < shares.shared.count; i++)
        if (shares.shared.items[i].base == base)
            return shares.shared.items[i].file;
    if (!vec_reserve(&shares.shared, 1))
        return -1;
    int file = replace_pages(base, size);
    if (file >= 0)
        shares.shared.items[shares.shared.count++] = (struct shared){base, size, file};
    return file;
}

/* The same, without the lock; sharing ends when the client frees the allocation. */
static int share_allocation(char *base, size_t size)
{
    pthread_mutex_lock(&shares.lock);
    size_t before = shares.shared.count;
    int file = share(base, size);
    bool made = shares.shared.count > before;
    pthread_mutex_unlock(&shares.lock);
    if (made && hsa_amd_register_deallocation_callback(base, end_sharing, NULL) != HSA_STATUS_SUCCESS) {
        end_sharing(base, NULL);
        return -1;
    }
    return file;
}

struct export_span {
    const char *from;
    size_t size;
    char *base; /* of the allocation */
    size_t whole;
};

static hsa_status_t find_span(struct allocation *allocation, void *data)
{
    struct export_span *span = data;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    CHECK(allocation && allocation->region && span->from >= allocation->base &&
              span->size <= allocation->size - (size_t)(span->from - allocation->base),
          HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(allocation->provider == agent_host(), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK((uintptr_t)allocation->base % page == 0 && allocation->size % page == 0, HSA_STATUS_ERROR_INVALID_AGENT);
    span->base = allocation->base;
    span->whole = allocation->size;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_portable_export_dmabuf(const void *ptr, size_t size, int *dmabuf, uint64_t *offset)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && dmabuf && offset);
    struct export_span span = {.from = ptr, .size = size};
    hsa_status_t status = memory_with(ptr, find_span, &span);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    int file = share_allocation(span.base, span.whole);
    if (file >= 0)
        file = fcntl(file, F_DUPFD_CLOEXEC, 0);
    CHECK(file >= 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *dmabuf = file;
    *offset = (uint64_t)(span.from - span.base);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_portable_close_dmabuf(int dmabuf)
{
    CHECK_UP();
    CHECK(share_file_sealed(dmabuf) && !close(dmabuf), HSA_STATUS_ERROR_RESOURCE_FREE);
    return HSA_STATUS_SUCCESS;
}

bool share_name_file(int file, uint32_t magic, size_t size, hsa_amd_ipc_memory_t *handle)
{
    struct stat is;
    if (fstat(file, &is))
        return false;
    struct name name = {
        .magic = magic, .process = (uint32_t)getpid(), .file = (uint32_t)file, .size = size, .inode = is.st_ino};
    memcpy(handle, &name, sizeof name);
    return true;
}

HSA_API hsa_status_t hsa_amd_ipc_memory_create(void *ptr, size_t len, hsa_amd_ipc_memory_t *handle)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && handle);
    struct query query = {.base = ptr, .length = len};
    hsa_status_t status = memory_with(ptr, find_allocation, &query);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    CHECK(query.pages, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    int file = share_allocation(ptr, query.size);
    CHECK(file >= 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    CHECK(share_name_file(file, MAGIC, query.size, handle), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return HSA_STATUS_SUCCESS;
}

/* ---- taking ---- */

/* Opens the file that NAME leads to, if it is sealed and has the size and inode of NAME. Returns -1 otherwise. */
static int open_named(const struct name *name, uint32_t magic)
{
    char path[64];
    struct stat is;
    if (name->magic != magic || name->zero || !name->process || name->process > INT32_MAX || name->file > INT32_MAX)
        return -1;
    snprintf(path, sizeof path, "/proc/%u/fd/%u", name->process, name->file);
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return -1;
    if (share_file_sealed(file) && !fstat(file, &is) && is.st_ino == name->inode && (uint64_t)is.st_size == name->size)
        return file;
    close(file);
    return -1;
}

int share_open_named(const hsa_amd_ipc_memory_t *handle, uint32_t magic, size_t size)
{
    struct name name;
    memcpy(&name, handle, sizeof name);
    return name.size == size ? open_named(&name, magic) : -1;
}

/* Maps SIZE bytes of FILE, and tells the agents. */
static hsa_status_t map_file(int file, size_t size, bool interop, void **result)
{
    char *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK_ARGUMENT(base != MAP_FAILED);
    hsa_status_t status = memory_lock(base, size);
    if (status == HSA_STATUS_SUCCESS) {
        pthread_mutex_lock(&shares.lock);
        if (!vec_push(&shares.mappings, ((struct shared_mapping){base, size, interop})))
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        pthread_mutex_unlock(&shares.lock);
        if (status != HSA_STATUS_SUCCESS)
            memory_unlock(base);
    }
    if (status != HSA_STATUS_SUCCESS) {
        munmap(base, size);
        return status;
    }
    *result = base;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t unmap_file(void *base, bool interop)
{
    struct shared_mapping found = {0};
    pthread_mutex_lock(&shares.lock);
    for (size_t i = 0; i < shares.mappings.count && !found.base; i++)
        if (shares.mappings.items[i].base == base && shares.mappings.items[i].interop == interop) {
            found = shares.mappings.items[i];
            shares.mappings.items[i] = shares.mappings.items[--shares.mappings.count];
        }
    pthread_mutex_unlock(&shares.lock);
    CHECK_ARGUMENT(base && found.base);
    memory_unlock(found.base);
    munmap(found.base, found.size);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t check_agents(uint32_t count, const hsa_agent_t *agents)
{
    CHECK_ARGUMENT(agents || !count);
    for (uint32_t i = 0; i < count; i++)
        CHECK(agent_find(agents[i]), HSA_STATUS_ERROR_INVALID_AGENT);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t *handle, size_t len, uint32_t num_agents,
                                               const hsa_agent_t *mapping_agents, void **mapped_ptr)
{
    CHECK_UP();
    CHECK_ARGUMENT(handle && len && mapped_ptr);
    hsa_status_t status = check_agents(num_agents, mapping_agents);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct name name;
    memcpy(&name, handle, sizeof name);
    CHECK_ARGUMENT(len <= name.size && name.size - len < (size_t)sysconf(_SC_PAGESIZE));
    int file = open_named(&name, MAGIC);
    CHECK_ARGUMENT(file >= 0);
    status = map_file(file, name.size, false, mapped_ptr);
    close(file);
    return status;
}

HSA_API hsa_status_t hsa_amd_ipc_memory_detach(void *mapped_ptr)
{
    CHECK_UP();
    return unmap_file(mapped_ptr, false);
}

HSA_API hsa_status_t hsa_amd_interop_map_buffer(uint32_t num_agents, hsa_agent_t *agents, int interop_handle,
                                                uint32_t flags, size_t *size, void **ptr, size_t *metadata_size,
                                                const void **metadata)
{
    CHECK_UP();
    CHECK_ARGUMENT(size && ptr && !flags);
    hsa_status_t status = check_agents(num_agents, agents);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    off_t end = lseek(interop_handle, 0, SEEK_END); /* the size of a dma-buf too */
    CHECK_ARGUMENT(end > 0);
    status = map_file(interop_handle, (size_t)end, true, ptr);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    *size = (size_t)end;
    if (metadata_size)
        *metadata_size = 0;
    if (metadata)
        *metadata = NULL;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_interop_unmap_buffer(void *ptr)
{
    CHECK_UP();
    return unmap_file(ptr, true);
}

void shares_shut_down(void)
{
    while (shares.mappings.count) {
        struct shared_mapping *last = &shares.mappings.items[--shares.mappings.count];
        memory_unlock(last->base);
        munmap(last->base, last->size);
    }
    vec_free(&shares.mappings);
    while (shares.shared.count)
        end_sharing(shares.shared.items[shares.shared.count - 1].base, NULL);
    vec_free(&shares.shared);
}
