/* SPDX-License-Identifier: MIT */
/* The host's memory. The CPU's driver gives it out to clients, and to the core for agents that have no memory of their
 * own. (MV 5)
 *
 * Input: the core's requests. Output: zeroed memory at a multiple of the alignment asked for.
 * Invariant: every piece of memory is a mapping of its own, so nothing else of the process lies on its pages. With
 * HSA_MEMORY_GUARD or a checker of memory, the page before and the page after a client's memory belong to nothing else;
 * freed memory cannot be accessed, and its addresses are not used again for a while. With HSA_MEMORY_GUARD, those two
 * pages cannot be accessed; without it they can, so that the kernel goes on after the checker has seen its access, and
 * more can be found. */
#include "runtime/host/host.h"

#include "runtime/gcn/check/check.h"
#include "support/bytes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A value of hsam_memory.memory: the memory lies between two such pages, and the addresses stay unused for a while when
 * it is freed. */
enum { KEPT = 1 };
enum { GONE_MAX = 256 }; /* how many freed mappings keep their addresses, so that nothing else gets them yet */

static struct {
    pthread_mutex_t lock;
    bool keep, guard;
    struct bytes gone[GONE_MAX]; /* a ring of freed mappings, with their guards */
    size_t next;
} host = {.lock = PTHREAD_MUTEX_INITIALIZER};

void host_memory_init(void)
{
    const char *wish = getenv("HSA_MEMORY_GUARD");
    host.guard = wish && !strcmp(wish, "1");
    host.keep = host.guard || gcn_checks_named(getenv("HSA_GCN_CHECK")) & GCN_CHECK_MEMORY;
}

static void unmap(struct bytes mapped)
{
    if (mapped.size)
        munmap((void *)(uintptr_t)mapped.data, mapped.size);
}

void host_memory_fini(void)
{
    for (size_t i = 0; i < GONE_MAX; i++)
        unmap(host.gone[i]);
    memset(host.gone, 0, sizeof host.gone);
}

/* Makes freed memory inaccessible but keeps its addresses, and gives back those that have been kept longest. */
static void retire(char *base, size_t size)
{
    struct bytes gone = {(uint8_t *)base, size}, oldest;
    mmap(base, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    pthread_mutex_lock(&host.lock);
    struct bytes *slot = &host.gone[host.next++ % GONE_MAX];
    oldest = *slot;
    *slot = gone;
    pthread_mutex_unlock(&host.lock);
    unmap(oldest);
}

/* Large memory of clients begins at a multiple of LARGE, as AMD's driver aligns it: malloc() in kernels of HIP finds
 * the beginning of its blocks by their addresses. */
static size_t alignment_of(const hsam_memory_request *request, size_t page)
{
    enum { LARGE = 2 << 20 };
    if (request->purpose == HSAM_MEMORY_CLIENT && request->size >= LARGE && request->alignment < LARGE)
        return LARGE;
    return request->alignment > page ? request->alignment : page;
}

static bool give_pages(const hsam_memory_request *request, hsam_memory *memory)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = align_up(request->size, page);
    size_t alignment = alignment_of(request, page), spare = alignment > page ? alignment : 0, whole;
    size_t guard = host.keep && request->purpose == HSAM_MEMORY_CLIENT ? page : 0;
    bool closed = guard && host.guard;
    int access = request->purpose == HSAM_MEMORY_SIGNALS || closed ? PROT_NONE : PROT_READ | PROT_WRITE;
    if (size < request->size || __builtin_add_overflow(size, spare + 2 * guard, &whole))
        return false;
    char *mapped = mmap(NULL, whole, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return false;
    char *base = (char *)align_up((uintptr_t)mapped + guard, alignment);
    char *end = mapped + whole;
    if (base - guard > mapped)
        munmap(mapped, (size_t)(base - guard - mapped));
    if (base + size + guard < end)
        munmap(base + size + guard, (size_t)(end - (base + size + guard)));
    if (closed && mprotect(base, size, PROT_READ | PROT_WRITE)) {
        munmap(base - guard, size + 2 * guard);
        return false;
    }
    memory->address = base;
    memory->size = size;
    memory->memory = guard ? KEPT : 0;
    return true;
}

HSAM_Error host_memory_new(void *driver, hsam_handle_t client, const hsam_memory_request *request, void *cookie,
                           hsam_memory *memory)
{
    (void)driver, (void)client, (void)cookie;
    *memory = (hsam_memory){.size = request->size, .host_accessible = true};
    return give_pages(request, memory) ? HSAM_Done : HSAM_OutOfResources;
}

HSAM_Error host_memory_delete(void *driver, hsam_handle_t client, const hsam_memory *memory, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    size_t guard = memory->memory == KEPT ? (size_t)sysconf(_SC_PAGESIZE) : 0;
    if (memory->memory)
        retire((char *)memory->address - guard, memory->size + 2 * guard);
    else
        munmap(memory->address, memory->size);
    return HSAM_Done;
}

/* Touches whole pages, then locks them. Failure of either is no error: an ordinary process may lock only a little
 * memory, and where pages cannot be locked it is enough that they are there. */
static void lock(char *address, size_t size)
{
    size_t before = (uintptr_t)address % (size_t)sysconf(_SC_PAGESIZE);
#ifdef MADV_POPULATE_WRITE
    int touched = madvise(address - before, size + before, MADV_POPULATE_WRITE);
#else
    int touched = madvise(address - before, size + before, MADV_WILLNEED);
#endif
    int locked = mlock(address, size);
    (void)touched, (void)locked;
}

HSAM_Error host_memory_resident(void *driver, hsam_handle_t client, void *address, size_t size,
                                hsam_residence residence, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    switch (residence) {
    case HSAM_RESIDENCE_USABLE:
        return mprotect(address, size, PROT_READ | PROT_WRITE) ? HSAM_OutOfResources : HSAM_Done;
    case HSAM_RESIDENCE_LOCKED: lock(address, size); break;
    }
    return HSAM_Done;
}

HSAM_Error host_memory_protect(void *driver, hsam_handle_t client, void *address, size_t size, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    return mprotect(address, size, PROT_READ) ? HSAM_Fault : HSAM_Done;
}
