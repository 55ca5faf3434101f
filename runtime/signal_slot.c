/* SPDX-License-Identifier: MIT */
/* The memory of signals.
 *
 * Input: handles of any value, from clients and out of packets. Output: slots that are free, or the signal of a handle.
 * Invariant: signals are slots of one size in one range of addresses, so a handle is checked without a lock. The memory
 * of a destroyed signal stays readable until shut down. */
#include "runtime/signal_slot.h"

#include "runtime/memory.h"

enum {
    GROW_BYTES = 1 << 20, /* memory is made usable in steps of this size */
    /* Signals that processes share are at the end of the range; they have a line of one page and the next page. */
    IPC_MAX = 1024,
    IPC_PAGE = 4096,
    IPC_STRIDE = 2 * IPC_PAGE,
};
#define RESERVE_MAX ((size_t)4 << 30) /* 32 M signals */
#define RESERVE_MIN ((size_t)16 << 20)

static struct {
    pthread_mutex_t lock; /* of the slot list */
    struct allocation *memory;
    struct signal *base;
    size_t reserved, usable;   /* bytes */
    _Atomic uint32_t used;     /* slots ever handed out */
    uint32_t free;             /* index + 1 of the first free slot */
    _Atomic uint32_t ipc_used; /* slots of shared signals ever handed out */
    uint32_t ipc_free;         /* index + 1 of the first free one of them */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct signal *signal_ipc_number(uint32_t index)
{
    char *pages = (char *)pool.base + pool.reserved + (size_t)index * IPC_STRIDE;
    return (struct signal *)(void *)(pages + IPC_PAGE - offsetof(struct signal, life));
}

hsa_status_t signals_init(void)
{
    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (size_t size = RESERVE_MAX; size >= RESERVE_MIN && status != HSA_STATUS_SUCCESS; size /= 2)
        status = memory_obtain(HSAM_MEMORY_SIGNALS, NULL, NULL, size, &pool.memory);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    pool.base = pool.memory->memory.address;
    pool.reserved = pool.memory->size - (size_t)IPC_MAX * IPC_STRIDE;
    return HSA_STATUS_SUCCESS;
}

void signals_shut_down(void)
{
    memory_release(pool.memory);
    pool.memory = NULL;
    pool.base = NULL;
    pool.reserved = pool.usable = 0;
    pool.free = 0;
    atomic_store(&pool.used, 0);
    pool.ipc_free = 0;
    atomic_store(&pool.ipc_used, 0);
}

/* Makes the next slots usable, by the host and by every agent; the caller holds the lock. */
static bool grow(void)
{
    char *at = (char *)pool.base + pool.usable;
    if (pool.usable == pool.reserved ||
        memory_resident(NULL, at, GROW_BYTES, HSAM_RESIDENCE_USABLE) != HSA_STATUS_SUCCESS ||
        memory_list_signals(at, GROW_BYTES) != HSA_STATUS_SUCCESS)
        return false;
    pool.usable += GROW_BYTES;
    return true;
}

/* Takes a free slot; the caller holds the lock. */
static struct signal *take_slot(void)
{
    if (pool.free) {
        struct signal *signal = &pool.base[pool.free - 1];
        pool.free = signal->next_free;
        return signal;
    }
    uint32_t used = atomic_load_explicit(&pool.used, memory_order_relaxed);
    if ((used + (size_t)1) * sizeof(struct signal) > pool.usable && !grow())
        return NULL;
    pool.base[used].watches = NULL; /* memory of a driver may hold anything */
    atomic_store_explicit(&pool.used, used + 1, memory_order_release);
    return &pool.base[used];
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
    pool.free = (uint32_t)(signal - pool.base) + 1;
    pthread_mutex_unlock(&pool.lock);
}

struct signal *signal_slots(uint32_t *count)
{
    *count = atomic_load_explicit(&pool.used, memory_order_acquire);
    return pool.base;
}

uint32_t signal_ipc_count(void)
{
    return atomic_load_explicit(&pool.ipc_used, memory_order_acquire);
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
        char *pages = (char *)pool.base + pool.reserved + (size_t)used * IPC_STRIDE;
        if (memory_resident(NULL, pages, IPC_STRIDE, HSAM_RESIDENCE_USABLE) == HSA_STATUS_SUCCESS &&
            memory_list_signals(pages, IPC_STRIDE) == HSA_STATUS_SUCCESS) {
            signal = signal_ipc_number(used);
            atomic_store_explicit(&pool.ipc_used, used + 1, memory_order_release);
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return signal;
}

void signal_slot_ipc_use(struct signal *signal)
{
    signal->generation++;
    signal->watches = NULL;
    signal->roots = NULL;
    signal->root_count = 0;
    signal->event_agent = NULL;
    atomic_store_explicit(&signal->life, SIGNAL_IPC, memory_order_release);
}

void signal_slot_ipc_free(struct signal *signal)
{
    pthread_mutex_lock(&pool.lock);
    signal->next_free = pool.ipc_free;
    pool.ipc_free = (uint32_t)(((char *)signal - ((char *)pool.base + pool.reserved)) / IPC_STRIDE) + 1;
    pthread_mutex_unlock(&pool.lock);
}

bool signal_is_ipc(const struct signal *signal)
{
    return (char *)(uintptr_t)signal >= (char *)pool.base + pool.reserved;
}

static bool is_ipc_slot(uint64_t offset)
{
    uint64_t first = pool.reserved + IPC_PAGE - offsetof(struct signal, life);
    return offset >= first && (offset - first) % IPC_STRIDE == 0 &&
           (offset - first) / IPC_STRIDE < atomic_load_explicit(&pool.ipc_used, memory_order_acquire);
}

struct signal *signal_find(hsa_signal_t handle)
{
    uint64_t offset = handle.handle - (uintptr_t)pool.base;
    uint32_t used = atomic_load_explicit(&pool.used, memory_order_acquire);
    if ((offset % sizeof(struct signal) || offset / sizeof(struct signal) >= used) &&
        !(pool.base && is_ipc_slot(offset)))
        return NULL;
    struct signal *signal = signal_of(handle);
    return atomic_load_explicit(&signal->life, memory_order_acquire) == SIGNAL_FREE ? NULL : signal;
}

bool signal_valid(hsa_signal_t handle)
{
    return signal_find(handle) != NULL;
}
