/* SPDX-License-Identifier: MIT */
/* The memory of signals.
 *
 * Input: handles of any value, from clients and out of packets. Output: slots that are free, or the signal of a handle.
 * Invariant: what kernels see of a signal is a slot of one size in one range of addresses, so a handle is checked
 * without a lock. What the runtime knows of it is in memory of the host that no agent is told of, in blocks that
 * correspond to those of the slots. The memory of a destroyed signal stays readable until shut down.
 *
 * Slots are single cache lines: the next one belongs to another signal, and two threads that each write to one of two
 * neighbours were measured to be as fast as with a line in between. */
#include "runtime/signal_slot.h"

#include "runtime/memory.h"

#include <sys/mman.h>

enum {
    GROW_BYTES = 1 << 20, /* slots are made usable in steps of this size */
    PER_BLOCK = GROW_BYTES / sizeof(struct signal_line),
    BLOCK_BYTES = PER_BLOCK * sizeof(struct signal),
    IPC_MAX = 1024, /* signals that processes share are at the end of the range */
};
#define RESERVE_MAX ((size_t)2 << 30) /* 32 M signals */
#define RESERVE_MIN ((size_t)16 << 20)

static struct {
    pthread_mutex_t lock; /* of the slot list */
    struct allocation *memory;
    struct signal_line *base;
    size_t reserved, usable;                         /* bytes */
    _Atomic uint32_t used;                           /* slots ever handed out */
    uint32_t free;                                   /* index + 1 of the first free slot */
    _Atomic uint32_t ipc_used;                       /* slots of shared signals ever handed out */
    uint32_t ipc_free;                               /* index + 1 of the first free one of them */
    struct signal *blocks[RESERVE_MAX / GROW_BYTES]; /* those of slots that are usable */
    struct signal_ipc ipc[IPC_MAX];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct signal *signal_number(uint32_t index)
{
    return &pool.blocks[index / PER_BLOCK][index % PER_BLOCK];
}

uint32_t signal_count(void)
{
    return atomic_load_explicit(&pool.used, memory_order_acquire);
}

struct signal *signal_ipc_number(uint32_t index)
{
    return &pool.ipc[index].signal;
}

uint32_t signal_ipc_count(void)
{
    return atomic_load_explicit(&pool.ipc_used, memory_order_acquire);
}

hsa_status_t signals_init(void)
{
    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (size_t size = RESERVE_MAX; size >= RESERVE_MIN && status != HSA_STATUS_SUCCESS; size /= 2)
        status = memory_obtain(HSAM_MEMORY_SIGNALS, NULL, NULL, size, &pool.memory);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    pool.base = pool.memory->memory.address;
    pool.reserved = pool.memory->size - (size_t)IPC_MAX * SIGNAL_PAGE;
    return HSA_STATUS_SUCCESS;
}

void signals_shut_down(void)
{
    memory_release(pool.memory);
    for (size_t i = 0; i < pool.usable / GROW_BYTES; i++) {
        munmap(pool.blocks[i], BLOCK_BYTES);
        pool.blocks[i] = NULL;
    }
    memset(pool.ipc, 0, signal_ipc_count() * sizeof pool.ipc[0]);
    pool.memory = NULL;
    pool.base = NULL;
    pool.reserved = pool.usable = 0;
    pool.free = 0;
    atomic_store(&pool.used, 0);
    pool.ipc_free = 0;
    atomic_store(&pool.ipc_used, 0);
}

/* Makes the next slots usable, by the host and by every agent, and a block for them; the caller holds the lock. The
 * pages of a block are its own: a client that shares memory with an agent shares whole pages. */
static bool grow(void)
{
    char *at = (char *)pool.base + pool.usable;
    if (pool.usable == pool.reserved)
        return false;
    void *block = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return false;
    if (memory_resident(NULL, at, GROW_BYTES, HSAM_RESIDENCE_USABLE) != HSA_STATUS_SUCCESS ||
        memory_list_signals(at, GROW_BYTES) != HSA_STATUS_SUCCESS) {
        munmap(block, BLOCK_BYTES);
        return false;
    }
    pool.blocks[pool.usable / GROW_BYTES] = block;
    pool.usable += GROW_BYTES;
    return true;
}

/* Takes a free slot; the caller holds the lock. */
static struct signal *take_slot(void)
{
    if (pool.free) {
        struct signal *signal = signal_number(pool.free - 1);
        pool.free = signal->next_free;
        return signal;
    }
    uint32_t used = atomic_load_explicit(&pool.used, memory_order_relaxed);
    if ((used + (size_t)1) * sizeof(struct signal_line) > pool.usable && !grow())
        return NULL;
    signal_number(used)->line = &pool.base[used];
    atomic_store_explicit(&pool.used, used + 1, memory_order_release);
    return signal_number(used);
}

struct signal *signal_slot_take(void)
{
    pthread_mutex_lock(&pool.lock);
    struct signal *signal = take_slot();
    pthread_mutex_unlock(&pool.lock);
    return signal;
}

void signal_slot_give(struct signal *signal)
{
    pthread_mutex_lock(&pool.lock);
    signal->next_free = pool.free;
    pool.free = (uint32_t)(signal->line - pool.base) + 1;
    pthread_mutex_unlock(&pool.lock);
}

struct signal *signal_slot_ipc(void)
{
    struct signal *signal = NULL;
    pthread_mutex_lock(&pool.lock);
    uint32_t used = atomic_load_explicit(&pool.ipc_used, memory_order_relaxed);
    if (pool.ipc_free) {
        signal = signal_ipc_number(pool.ipc_free - 1);
        pool.ipc_free = signal->next_free;
    } else if (used < IPC_MAX && pool.memory->provider == agent_host()) { /* pages of a driver cannot be replaced */
        char *page = (char *)pool.base + pool.reserved + (size_t)used * SIGNAL_PAGE;
        if (memory_resident(NULL, page, SIGNAL_PAGE, HSAM_RESIDENCE_USABLE) == HSA_STATUS_SUCCESS &&
            memory_list_signals(page, SIGNAL_PAGE) == HSA_STATUS_SUCCESS) {
            signal = signal_ipc_number(used);
            signal->line = (struct signal_line *)(void *)page;
            atomic_store_explicit(&pool.ipc_used, used + 1, memory_order_release);
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return signal;
}

void signal_slot_ipc_use(struct signal *signal)
{
    signal_slot_renew(signal);
    signal->roots = NULL;
    signal->root_count = 0;
    signal->event_agent = NULL;
    atomic_store_explicit(&signal->life, SIGNAL_IPC, memory_order_release);
}

void signal_slot_ipc_free(struct signal *signal)
{
    pthread_mutex_lock(&pool.lock);
    signal->next_free = pool.ipc_free;
    pool.ipc_free = (uint32_t)((struct signal_ipc *)(void *)signal - pool.ipc) + 1;
    pthread_mutex_unlock(&pool.lock);
}

bool signal_is_ipc(const struct signal *signal)
{
    return (const struct signal_ipc *)(const void *)signal >= pool.ipc &&
           (const struct signal_ipc *)(const void *)signal < pool.ipc + IPC_MAX;
}

struct signal *signal_at(hsa_signal_t handle)
{
    uint64_t offset = handle.handle - (uintptr_t)pool.base;
    if (offset % sizeof(struct signal_line) == 0 && offset / sizeof(struct signal_line) < signal_count())
        return signal_number((uint32_t)(offset / sizeof(struct signal_line)));
    offset -= pool.reserved;
    if (offset % SIGNAL_PAGE == 0 && offset / SIGNAL_PAGE < signal_ipc_count())
        return signal_ipc_number((uint32_t)(offset / SIGNAL_PAGE));
    return NULL;
}

struct signal *signal_find(hsa_signal_t handle)
{
    struct signal *signal = signal_at(handle);
    return signal && atomic_load_explicit(&signal->life, memory_order_acquire) != SIGNAL_FREE ? signal : NULL;
}

bool signal_valid(hsa_signal_t handle)
{
    return signal_find(handle) != NULL;
}
