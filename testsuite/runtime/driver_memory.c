/* SPDX-License-Identifier: MIT */
/* The memory of the test driver.
 *
 * "vram": the host can touch a coarse-grained allocation, but the agent sees a copy of its own.
 * "fakevram": each of the two agents has a window of addresses without memory, so that the host faults there; the
 * bytes are elsewhere, and only the driver knows where. */
#include "testsuite/runtime/driver_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WINDOW = 64 << 20, BLOCKS = 64, AGENTS = 2 };

static bool with_vram, with_lies;
static int before_refusal; /* for "shy": how many requests are still granted */

/* ---- "vram" ---- */

static struct {
    char *address, *copy;
    size_t size;
} shadow;

HSAM_Error test_driver_memory_allocation(void *driver, hsam_handle_t client, void *address, size_t size,
                                         hsam_segment segment, uint32_t flags, void *cookie)
{
    (void)driver, (void)client, (void)segment;
    COUNT(memory_allocation);
    if (before_refusal >= 0 && before_refusal-- == 0)
        return test_driver_reply(HSAM_OutOfResources, cookie);
    test_driver_counts.told_bytes += size;
    if (with_vram && flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED) {
        shadow.address = address;
        shadow.size = size;
        shadow.copy = calloc(1, size);
    }
    return test_driver_reply(HSAM_Done, cookie);
}

HSAM_Error test_driver_memory_free(void *driver, hsam_handle_t client, void *address, void *cookie)
{
    (void)driver, (void)client;
    COUNT(memory_free);
    if (address == shadow.address) {
        free(shadow.copy);
        memset(&shadow, 0, sizeof shadow);
    }
    return test_driver_reply(HSAM_Done, cookie);
}

HSAM_Error test_driver_memory_acquire(void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access,
                                      void *cookie)
{
    (void)driver, (void)client, (void)address, (void)access;
    COUNT(memory_acquire);
    return test_driver_reply(HSAM_Done, cookie);
}

HSAM_Error test_driver_memory_release(void *driver, hsam_handle_t client, void *address, void *cookie)
{
    (void)driver, (void)client, (void)address;
    COUNT(memory_release);
    return test_driver_reply(HSAM_Done, cookie);
}

/* ---- "fakevram" ---- */

static struct window {
    pthread_mutex_t lock;
    char *addresses, *bytes; /* WINDOW of each, made when they are first needed */
    struct {
        size_t at, size; /* size 0: free entry */
    } blocks[BLOCKS];
} windows[AGENTS] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static struct window *window_of(const void *driver)
{
    return &windows[driver != NULL];
}

static bool window_open(struct window *w)
{
    if (w->addresses)
        return true;
    void *addresses = mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *bytes = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (addresses == MAP_FAILED || bytes == MAP_FAILED)
        return false;
    w->addresses = addresses;
    w->bytes = bytes;
    return true;
}

static bool inside(const struct window *w, const char *address)
{
    return w->addresses && address >= w->addresses && address < w->addresses + WINDOW;
}

/* Finds the first multiple of ALIGNMENT from AT on at which SIZE bytes are free. The caller holds the lock. */
static size_t first_fit(const struct window *w, size_t size, size_t alignment)
{
    size_t at = 0;
    for (unsigned i = 0; i < BLOCKS; i++)
        if (w->blocks[i].size && at < w->blocks[i].at + w->blocks[i].size && w->blocks[i].at < at + size) {
            at = (w->blocks[i].at + w->blocks[i].size + alignment - 1) & ~(alignment - 1);
            i = UINT32_MAX; /* start again with the first */
        }
    return at;
}

static HSAM_Error window_give(struct window *w, const hsam_memory_request *request, hsam_memory *memory)
{
    size_t at = first_fit(w, request->size, request->alignment);
    unsigned i = 0;
    while (i < BLOCKS && w->blocks[i].size)
        i++;
    if (i == BLOCKS || at + request->size > WINDOW)
        return HSAM_OutOfResources;
    w->blocks[i].at = at;
    w->blocks[i].size = request->size;
    memset(w->bytes + at, 0, request->size);
    *memory = (hsam_memory){.address = w->addresses + at, .size = request->size, .memory = (hsam_handle_t)i + 1};
    return HSAM_Done;
}

static HSAM_Error memory_new(void *driver, hsam_handle_t client, const hsam_memory_request *request, void *cookie,
                             hsam_memory *memory)
{
    (void)client;
    struct window *w = window_of(driver);
    if (with_lies) {
        *memory = (hsam_memory){.address = (char *)0 + 4096, .size = request->size - 1};
        return test_driver_reply(HSAM_Done, cookie);
    }
    if (request->purpose == HSAM_MEMORY_QUEUE)
        return test_driver_reply(HSAM_Not_Supported, cookie);
    pthread_mutex_lock(&w->lock);
    HSAM_Error error = window_open(w) ? window_give(w, request, memory) : HSAM_OutOfResources;
    pthread_mutex_unlock(&w->lock);
    if (error == HSAM_Done)
        COUNT(memory_new);
    return test_driver_reply(error, cookie);
}

static HSAM_Error memory_delete(void *driver, hsam_handle_t client, const hsam_memory *memory, void *cookie)
{
    (void)client;
    struct window *w = window_of(driver);
    if (with_lies)
        return test_driver_reply(HSAM_Done, cookie);
    COUNT(memory_delete);
    pthread_mutex_lock(&w->lock);
    bool known = memory->memory > 0 && memory->memory <= BLOCKS && w->blocks[memory->memory - 1].size == memory->size;
    if (known)
        w->blocks[memory->memory - 1].size = 0;
    pthread_mutex_unlock(&w->lock);
    return test_driver_reply(known ? HSAM_Done : HSAM_Fault, cookie);
}

/* Each agent can access the other's memory; the CPU, which was registered first, can access none of it. */
static HSAM_Error memory_map(void *driver, hsam_handle_t client, const hsam_memory *memory, uint32_t device_driver_id,
                             void *cookie)
{
    (void)client;
    COUNT(memory_map);
    bool own = inside(window_of(driver), memory->address);
    return test_driver_reply(own && device_driver_id > 1 ? HSAM_Done : HSAM_Not_Supported, cookie);
}

static HSAM_Error memory_unmap(void *driver, hsam_handle_t client, const hsam_memory *memory, uint32_t device_driver_id,
                               void *cookie)
{
    (void)client, (void)device_driver_id;
    COUNT(memory_unmap);
    return test_driver_reply(inside(window_of(driver), memory->address) ? HSAM_Done : HSAM_Fault, cookie);
}

static HSAM_Error memory_resident(void *driver, hsam_handle_t client, void *address, size_t size,
                                  hsam_residence residence, void *cookie)
{
    (void)client, (void)size;
    COUNT(memory_resident);
    bool good = inside(window_of(driver), address) && residence == HSAM_RESIDENCE_LOCKED;
    return test_driver_reply(good ? HSAM_Done : HSAM_Fault, cookie);
}

static HSAM_Error memory_protect(void *driver, hsam_handle_t client, void *address, size_t size, void *cookie)
{
    (void)client;
    COUNT(memory_protect);
    bool good = inside(window_of(driver), address) && (uintptr_t)address % 4096 == 0 && size % 4096 == 0;
    return test_driver_reply(good ? HSAM_Done : HSAM_Fault, cookie);
}

/* ---- both ---- */

__attribute__((visibility("default"))) void *test_driver_reach(const void *address)
{
    char *at = (char *)(uintptr_t)address;
    for (unsigned i = 0; i < AGENTS; i++)
        if (inside(&windows[i], at))
            return windows[i].bytes + (at - windows[i].addresses);
    if (with_vram && at >= shadow.address && at < shadow.address + shadow.size)
        return shadow.copy + (at - shadow.address);
    return at;
}

/* Refuses the other agent's memory, as a device would whose copy engine cannot reach it. */
HSAM_Error test_driver_memory_copy(void *driver, hsam_handle_t client, void *to, const void *from, size_t size,
                                   void *cookie)
{
    (void)client;
    COUNT(memory_copy);
    const struct window *others = &windows[driver == NULL];
    if (inside(others, to) || inside(others, from))
        return test_driver_reply(HSAM_Fault, cookie);
    memmove(test_driver_reach(to), test_driver_reach(from), size);
    return test_driver_reply(HSAM_Done, cookie);
}

void test_driver_memory(hsa_agent_driver_interface *interface, bool vram, bool fakevram, bool lying, bool shy)
{
    bool own = fakevram || lying;
    with_vram = vram;
    with_lies = lying;
    before_refusal = shy ? 1 : -1;
    interface->memory_new = own ? memory_new : NULL;
    interface->memory_delete = own ? memory_delete : NULL;
    interface->memory_map = own ? memory_map : NULL;
    interface->memory_unmap = own ? memory_unmap : NULL;
    interface->memory_resident = own ? memory_resident : NULL;
    interface->memory_protect = own ? memory_protect : NULL;
}
