/* SPDX-License-Identifier: MIT */
/* Signals: their memory, creating and destroying them, and telling whoever waits for them. (1.0P 2.4; MV 3.2 - 3.4)
 *
 * Input: handles of any value, from clients and out of packets. Output: struct signal; notices to watches and to
 * agents.
 * Invariant: signals are slots of one size in one range of addresses, so a handle is checked without a lock. The
 * memory of a destroyed signal stays readable until shut down. An armed watch is linked to its signal and counted in
 * `attention`, and links change under the lock of the signal's bucket only. A sender stores the value and then reads
 * `attention`; a waiter counts itself in `attention` and then reads the value. Both have a full fence in between, so
 * at least one of them sees the other. */
#include "runtime/signal.h"

#include "runtime/memory.h"
#include "runtime/request.h"

enum {
    BUCKETS = 64,
    GROW_BYTES = 1 << 20, /* memory is made usable in steps of this size */
    EVENT_IDS = 255,      /* an interrupt message carries 8 bits; 0 is none */
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
    _Atomic uint32_t watches;  /* armed ones, of all signals */
    _Atomic uint32_t ipc_used; /* slots of shared signals ever handed out */
    uint32_t ipc_free;         /* index + 1 of the first free one of them */
    pthread_mutex_t buckets[BUCKETS];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .buckets = {[0 ... BUCKETS - 1] = PTHREAD_MUTEX_INITIALIZER}};

static pthread_mutex_t *bucket_of(const struct signal *signal)
{
    return &pool.buckets[(uintptr_t)signal / sizeof *signal % BUCKETS];
}

/* The shared signal number INDEX. */
static struct signal *ipc_slot(uint32_t index)
{
    char *pages = (char *)pool.base + pool.reserved + (size_t)index * IPC_STRIDE;
    return (struct signal *)(void *)(pages + IPC_PAGE - offsetof(struct signal, life));
}

/* ---- memory ---- */

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

void signals_delete_all(void)
{
    uint32_t used = atomic_load(&pool.used);
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load(&pool.base[i].life) != SIGNAL_FREE)
            signal_delete(&pool.base[i]);
    uint32_t ipc_used = atomic_load(&pool.ipc_used);
    for (uint32_t i = 0; i < ipc_used; i++)
        if (atomic_load(&ipc_slot(i)->life) != SIGNAL_FREE)
            signal_delete(ipc_slot(i));
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
    atomic_store(&pool.watches, 0);
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
static struct signal *signal_slot_take(void)
{
    if (pool.free) {
        struct signal *signal = &pool.base[pool.free - 1];
        pool.free = signal->next_free;
        return signal;
    }
    uint32_t used = atomic_load_explicit(&pool.used, memory_order_relaxed);
    if ((used + (size_t)1) * sizeof(struct signal) > pool.usable && !grow())
        return NULL;
    atomic_store_explicit(&pool.used, used + 1, memory_order_release);
    return &pool.base[used];
}

struct signal *signal_new(hsa_signal_value_t value, uint32_t life)
{
    pthread_mutex_lock(&pool.lock);
    struct signal *signal = signal_slot_take();
    pthread_mutex_unlock(&pool.lock);
    if (!signal)
        return NULL;
    size_t index = (size_t)(signal - pool.base);
    signal->amd.kind = life == SIGNAL_QUEUE ? AMD_SIGNAL_KIND_DOORBELL : AMD_SIGNAL_KIND_USER;
    atomic_store_explicit(&signal->amd.value, value, memory_order_relaxed);
    signal->amd.event_id = 1 + (uint32_t)(index % EVENT_IDS);
    signal->amd.event_mailbox_ptr = (uintptr_t)&signal->mailbox;
    signal->amd.start_ts = signal->amd.end_ts = 0;
    signal->amd.queue = NULL;
    atomic_store_explicit(&signal->amd.attention, 0, memory_order_relaxed);
    signal->generation++;
    signal->watches = NULL;
    signal->roots = NULL;
    signal->root_count = 0;
    signal->event_agent = NULL;
    atomic_store_explicit(&signal->life, life, memory_order_release);
    return signal;
}

struct signal *signal_slot_ipc(void)
{
    struct signal *signal = NULL;
    pthread_mutex_lock(&pool.lock);
    uint32_t used = atomic_load_explicit(&pool.ipc_used, memory_order_relaxed);
    if (pool.ipc_free) {
        signal = ipc_slot(pool.ipc_free - 1);
        pool.ipc_free = signal->next_free;
    } else if (used < IPC_MAX && pool.memory->provider == agent_host()) { /* pages of a driver cannot be replaced */
        char *pages = (char *)pool.base + pool.reserved + (size_t)used * IPC_STRIDE;
        if (memory_resident(NULL, pages, IPC_STRIDE, HSAM_RESIDENCE_USABLE) == HSA_STATUS_SUCCESS &&
            memory_list_signals(pages, IPC_STRIDE) == HSA_STATUS_SUCCESS) {
            signal = ipc_slot(used);
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

/* Disarms the watches that are left on SIGNAL. Each is notified, and its owner finds that the signal is gone. */
static void watches_drop(struct signal *signal)
{
    pthread_mutex_lock(bucket_of(signal));
    while (signal->watches) {
        struct hsam_signal_watch *watch = signal->watches;
        signal->watches = watch->next;
        atomic_fetch_sub(&signal->amd.attention, 1);
        atomic_fetch_sub(&pool.watches, 1);
        __atomic_store_n(&watch->armed, 0, __ATOMIC_RELAXED);
        watch->notify(watch);
    }
    pthread_mutex_unlock(bucket_of(signal));
}

/* Gives the event back to the driver that chose it. */
static void event_end(struct signal *signal)
{
    struct agent *agent = signal->event_agent;
    hsam_handle_t client;
    struct request request;
    if (agent && agent->interface.event_remove && agent_has_client(agent, &client))
        request_finish(&request,
                       agent->interface.event_remove(agent->driver, client, signal->event, request_start(&request)));
    signal->event_agent = NULL;
}

/* Whether SIGNAL, which may just have been destroyed by hsa_signal_destroy(), is one that processes share. */
static bool is_ipc(const struct signal *signal)
{
    return (char *)(uintptr_t)signal >= (char *)pool.base + pool.reserved;
}

static void ipc_delete(struct signal *signal)
{
    atomic_store_explicit(&signal->life, SIGNAL_FREE, memory_order_release);
    watches_drop(signal);
    signal_ipc_end(signal);
    signal_slot_ipc_free(signal);
}

void signal_delete(struct signal *signal)
{
    if (!signal)
        return;
    if (is_ipc(signal)) {
        ipc_delete(signal);
        return;
    }
    bool user = signal->amd.kind == AMD_SIGNAL_KIND_USER; /* the root of a doorbell belongs to its queue */
    for (uint32_t i = 0; user && i < signal->root_count; i++) {
        struct signal_root *root = &signal->roots[i];
        struct request request;
        if (root->agent->interface.signal_remove)
            request_finish(&request, root->agent->interface.signal_remove(
                                         root->agent->driver, root->client, root->at_agent, request_start(&request)));
    }
    event_end(signal);
    atomic_store_explicit(&signal->life, SIGNAL_FREE, memory_order_release);
    watches_drop(signal);
    if (user)
        mem_free(signal->roots);
    signal->roots = NULL;
    signal->root_count = 0;
    signal->amd.kind = AMD_SIGNAL_KIND_INVALID;
    pthread_mutex_lock(&pool.lock);
    signal->next_free = pool.free;
    pool.free = (uint32_t)(signal - pool.base) + 1;
    pthread_mutex_unlock(&pool.lock);
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

/* ---- notification ---- */

void signal_tell_watches(struct signal *signal)
{
    pthread_mutex_lock(bucket_of(signal));
    int64_t value = atomic_load_explicit(&signal->amd.value, memory_order_acquire);
    struct hsam_signal_watch **link = &signal->watches;
    while (*link) {
        struct hsam_signal_watch *watch = *link;
        if (!signal_condition_holds(watch->condition, value, watch->value)) {
            link = &watch->next;
            continue;
        }
        *link = watch->next;
        atomic_fetch_sub(&signal->amd.attention, 1);
        atomic_fetch_sub(&pool.watches, 1);
        __atomic_store_n(&watch->armed, 0, __ATOMIC_RELAXED);
        watch->notify(watch); /* the watch may be gone as soon as this lock is released */
    }
    pthread_mutex_unlock(bucket_of(signal));
}

static uint64_t doorbell_value(const struct signal *signal, const hsa_root_dest_node *node)
{
    switch (node->doorbell) {
    case HSAM_DOORBELL_CONSTANT: return node->doorbell_value;
    case HSAM_DOORBELL_SIGNAL: break;
    }
    return (uint64_t)atomic_load_explicit(&signal->amd.value, memory_order_relaxed);
}

void signal_notify(struct signal *signal)
{
    uint32_t attention = atomic_load_explicit(&signal->amd.attention, memory_order_acquire);
    for (uint32_t i = 0; attention & SIGNAL_ROOTS && i < signal->root_count; i++) {
        const struct signal_root *root = &signal->roots[i];
        volatile uint64_t *doorbell = root->node->doorbell_address;
        if (doorbell) /* the doorbell is visible before the state is read */
            __atomic_store_n(doorbell, doorbell_value(signal, root->node), __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&root->node->state, __ATOMIC_SEQ_CST) && root->agent->interface.unblock_destination)
            root->agent->interface.unblock_destination(root->agent->driver, root->client, root->at_agent);
    }
    if (attention & ~SIGNAL_ROOTS)
        signal_tell_watches(signal);
    if (is_ipc(signal))
        signal_ipc_ring(signal);
}

bool signal_watch(hsam_signal_watch *watch)
{
    struct signal *signal = signal_of(watch->signal);
    pthread_mutex_lock(bucket_of(signal));
    if (is_ipc(signal))
        signal_ipc_listen(signal);
    watch->next = signal->watches;
    watch->armed = 1;
    signal->watches = watch;
    atomic_fetch_add(&pool.watches, 1);
    atomic_fetch_add(&signal->amd.attention, 1); /* the count is visible before the value is read */
    int64_t value = atomic_load_explicit(&signal->amd.value, memory_order_seq_cst);
    bool holds = signal_condition_holds(watch->condition, value, watch->value);
    if (holds) {
        signal->watches = watch->next;
        watch->armed = 0;
        atomic_fetch_sub(&signal->amd.attention, 1);
        atomic_fetch_sub(&pool.watches, 1);
    }
    pthread_mutex_unlock(bucket_of(signal));
    return !holds;
}

bool signal_unwatch(hsam_signal_watch *watch)
{
    struct signal *signal = signal_of(watch->signal);
    pthread_mutex_lock(bucket_of(signal));
    bool armed = watch->armed;
    if (armed) {
        struct hsam_signal_watch **link = &signal->watches;
        while (*link != watch)
            link = &(*link)->next;
        *link = watch->next;
        watch->armed = 0;
        atomic_fetch_sub(&signal->amd.attention, 1);
        atomic_fetch_sub(&pool.watches, 1);
    }
    pthread_mutex_unlock(bucket_of(signal));
    return armed;
}

/* Called when device code has stored values by itself. The message's event id is a hash of the signal at best and may
 * be wrong, so every signal with a watch is looked at; there are few of those. */
void signal_interrupt(uint32_t event_id)
{
    (void)event_id;
    if (!atomic_fetch_add(&pool.watches, 0)) /* a full fence after the device's store */
        return;
    uint32_t used = atomic_load_explicit(&pool.used, memory_order_acquire);
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load_explicit(&pool.base[i].amd.attention, memory_order_relaxed) & ~SIGNAL_ROOTS)
            signal_tell_watches(&pool.base[i]);
    used = atomic_load_explicit(&pool.ipc_used, memory_order_acquire);
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load_explicit(&ipc_slot(i)->life, memory_order_acquire) == SIGNAL_IPC)
            signal_tell_watches(ipc_slot(i));
}

/* ---- what packet processors do ---- */

hsa_signal_value_t signal_add(hsa_signal_t handle, hsa_signal_value_t value)
{
    struct signal *signal = signal_of(handle);
    hsa_signal_value_t old = atomic_fetch_add_explicit(&signal->amd.value, value, memory_order_seq_cst);
    signal_sent(signal);
    return old;
}

void signal_fail(hsa_signal_t handle)
{
    struct signal *signal = signal_of(handle);
    atomic_store_explicit(&signal->amd.value, -1, memory_order_seq_cst);
    signal_sent(signal);
}

/* ---- API ---- */

/* Whether AGENT is among the consumers. When none are named, every agent is one. */
static bool consumes(const struct agent *agent, uint32_t count, const hsa_agent_t *consumers)
{
    for (uint32_t i = 0; i < count; i++)
        if (consumers[i].handle == agent->handle.handle)
            return true;
    return count == 0;
}

/* Gives SIGNAL a root for every consumer whose driver wants to be told of sends, and tells that driver of it. */
static hsa_status_t roots_make(struct signal *signal, uint32_t count, const hsa_agent_t *consumers)
{
    uint32_t interested = 0;
    for (size_t i = 0; i < runtime.agents.count; i++)
        interested += runtime.agents.items[i]->interface.signal_new != NULL;
    if (!interested)
        return HSA_STATUS_SUCCESS;
    signal->roots = mem_zalloc(interested, sizeof *signal->roots);
    CHECK(signal->roots, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    for (size_t i = 0; i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        if (!agent->interface.signal_new || !consumes(agent, count, consumers))
            continue;
        struct signal_root *root = &signal->roots[signal->root_count];
        *root = (struct signal_root){.node = &root->own_node, .agent = agent};
        root->own_node.device_driver_id = agent->generic.device_driver_id;
        hsa_status_t status = agent_client(agent, &root->client);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        struct request request;
        HSAM_Error error =
            request_finish(&request, agent->interface.signal_new(agent->driver, root->client, signal_handle(signal),
                                                                 root->node, request_start(&request), &root->at_agent));
        CHECK(error == HSAM_Done, request_status(error));
        signal->root_count++;
    }
    if (signal->root_count)
        atomic_fetch_add(&signal->amd.attention, SIGNAL_ROOTS);
    return HSA_STATUS_SUCCESS;
}

/* Asks the driver of the first consumer that chooses events itself by which event device code is to interrupt. */
static hsa_status_t event_choose(struct signal *signal, uint32_t count, const hsa_agent_t *consumers)
{
    for (size_t i = 0; i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        if (!agent->interface.event_new || !consumes(agent, count, consumers))
            continue;
        hsam_handle_t client;
        hsam_event event = {0};
        struct request request;
        hsa_status_t status = agent_client(agent, &client);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        HSAM_Error error = request_finish(
            &request,
            agent->interface.event_new(agent->driver, client, signal_handle(signal), request_start(&request), &event));
        CHECK(error == HSAM_Done, request_status(error));
        signal->amd.event_id = event.id;
        signal->amd.event_mailbox_ptr = event.mailbox;
        signal->event = event.event;
        signal->event_agent = agent;
        break;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t signal_check_consumers(uint32_t count, const hsa_agent_t *consumers, const hsa_signal_t *signal)
{
    CHECK_ARGUMENT(signal && (consumers || !count));
    for (uint32_t i = 0; i < count; i++) {
        CHECK(agent_find(consumers[i]), HSA_STATUS_ERROR_INVALID_AGENT);
        for (uint32_t j = 0; j < i; j++)
            CHECK_ARGUMENT(consumers[i].handle != consumers[j].handle);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                       const hsa_agent_t *consumers, hsa_signal_t *signal)
{
    CHECK_UP();
    hsa_status_t status = signal_check_consumers(num_consumers, consumers, signal);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct signal *made = signal_new(initial_value, SIGNAL_USER);
    CHECK(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    status = roots_make(made, num_consumers, consumers);
    if (status == HSA_STATUS_SUCCESS)
        status = event_choose(made, num_consumers, consumers);
    if (status != HSA_STATUS_SUCCESS) {
        signal_delete(made);
        return status;
    }
    *signal = signal_handle(made);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_destroy(hsa_signal_t signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(signal.handle);
    struct signal *found = signal_find(signal);
    /* The exchange decides between two threads that destroy the same signal. */
    uint32_t user = found && is_ipc(found) ? SIGNAL_IPC : SIGNAL_USER;
    CHECK(found && atomic_compare_exchange_strong(&found->life, &user, SIGNAL_FREE), HSA_STATUS_ERROR_INVALID_SIGNAL);
    signal_delete(found);
    return HSA_STATUS_SUCCESS;
}
