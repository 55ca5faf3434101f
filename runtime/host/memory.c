/* SPDX-License-Identifier: MIT */
/* The host's memory. The CPU's driver gives it out to clients, and to the core for agents that have no memory of their
 * own. (MV 5)
 *
 * Input: the core's wishes. Output: zeroed memory at a multiple of the alignment asked for.
 * Invariant: small memory for a client is a heap block, which hsam_memory.memory names so that it can be freed. All
 * other memory is a mapping of its own, with 0 there, as memory that is made resident or protected must be. */
#include "runtime/host/host.h"
#include "support/alloc.h"
#include "support/bytes.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PAGES_FROM = 256 * 1024 }; /* bytes; clients' memory of this size and more is mapped */

static bool give_block(const hsam_memory_request *request, hsam_memory *memory)
{
    size_t whole;
    if (__builtin_add_overflow(request->size, request->alignment, &whole))
        return false;
    char *block = mem_zalloc(1, whole);
    memory->memory = (hsam_handle_t)(intptr_t)block;
    memory->address = (void *)(uintptr_t)align_up((uintptr_t)block, request->alignment);
    return block != NULL;
}

static bool give_pages(const hsam_memory_request *request, hsam_memory *memory)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = align_up(request->size, page);
    size_t spare = request->alignment > page ? request->alignment : 0, whole;
    int access = request->purpose == HSAM_MEMORY_SIGNALS ? PROT_NONE : PROT_READ | PROT_WRITE;
    if (size < request->size || __builtin_add_overflow(size, spare, &whole))
        return false;
    char *mapped = mmap(NULL, whole, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return false;
    char *base = spare ? (char *)align_up((uintptr_t)mapped, request->alignment) : mapped;
    if (base > mapped)
        munmap(mapped, (size_t)(base - mapped));
    if (base + size < mapped + whole)
        munmap(base + size, (size_t)(mapped + whole - base - size));
    memory->address = base;
    memory->size = size;
    return true;
}

HSAM_Error host_memory_new(void *driver, hsam_handle_t client, const hsam_memory_request *request, void *cookie,
                           hsam_memory *memory)
{
    (void)driver, (void)client, (void)cookie;
    bool small = request->purpose == HSAM_MEMORY_CLIENT && request->size < PAGES_FROM;
    *memory = (hsam_memory){.size = request->size, .host_accessible = true};
    return (small ? give_block(request, memory) : give_pages(request, memory)) ? HSAM_Done : HSAM_OutOfResources;
}

HSAM_Error host_memory_delete(void *driver, hsam_handle_t client, const hsam_memory *memory, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    if (memory->memory)
        mem_free((void *)(intptr_t)memory->memory);
    else
        munmap(memory->address, memory->size);
    return HSAM_Done;
}

/* Touches whole pages, then locks them. Both are wishes: an ordinary process may not lock much, and where pages cannot
 * be locked it serves that they are there. */
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
