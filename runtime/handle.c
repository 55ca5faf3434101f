/* SPDX-License-Identifier: MIT */
/* The table that turns the API's opaque handles into objects.
 *
 * Input: objects, and handles of any value, as they come from clients. Output: the object that a handle stands for, or
 * NULL.
 * Invariant: the tag of a slot is 0 when the slot is free, and otherwise generation << 8 | kind. Each new handle gets
 * the next generation, even after handle_shut_down(), so an old handle is recognised as dead until 16 million more have
 * been made and one of them got the same slot. Slots are in chunks that never move, so looking up takes no lock. */
#include "runtime/handle.h"

#include "support/alloc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CHUNK_SLOTS = 1024, CHUNKS = 4096 };

struct slot {
    _Atomic(void *) object;
    _Atomic uint32_t tag;
    uint32_t next_free;
};

static struct {
    pthread_mutex_t lock;
    _Atomic(struct slot *) chunks[CHUNKS];
    uint32_t used;       /* slots handed out at least once since the table was empty */
    uint32_t free;       /* index + 1 of the first free slot */
    uint32_t generation; /* of the newest handle */
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct slot *slot_at(uint32_t index)
{
    if (index >= CHUNK_SLOTS * CHUNKS)
        return NULL;
    struct slot *chunk = atomic_load_explicit(&table.chunks[index / CHUNK_SLOTS], memory_order_acquire);
    return chunk ? &chunk[index % CHUNK_SLOTS] : NULL;
}

/* Takes a slot; the caller holds the lock. Returns its index, or UINT32_MAX when memory is out. */
static uint32_t slot_take(void)
{
    if (table.free) {
        uint32_t index = table.free - 1;
        table.free = slot_at(index)->next_free;
        return index;
    }
    if (table.used == CHUNK_SLOTS * CHUNKS)
        return UINT32_MAX;
    if (!slot_at(table.used)) {
        struct slot *chunk = mem_zalloc(CHUNK_SLOTS, sizeof *chunk);
        if (!chunk)
            return UINT32_MAX;
        atomic_store_explicit(&table.chunks[table.used / CHUNK_SLOTS], chunk, memory_order_release);
    }
    return table.used++;
}

uint64_t handle_new(enum handle_kind kind, void *object)
{
    pthread_mutex_lock(&table.lock);
    uint32_t index = slot_take();
    if (index == UINT32_MAX) {
        pthread_mutex_unlock(&table.lock);
        return 0;
    }
    struct slot *slot = slot_at(index);
    uint32_t generation = table.generation = (table.generation + 1) & 0xffffff;
    atomic_store_explicit(&slot->object, object, memory_order_relaxed);
    atomic_store_explicit(&slot->tag, generation << 8 | kind, memory_order_release);
    pthread_mutex_unlock(&table.lock);
    return (uint64_t)index << 32 | generation << 8 | kind;
}

void *handle_get(uint64_t handle, enum handle_kind kind)
{
    struct slot *slot = slot_at((uint32_t)(handle >> 32));
    if (!slot || (handle & 0xff) != kind || atomic_load_explicit(&slot->tag, memory_order_acquire) != (uint32_t)handle)
        return NULL;
    return atomic_load_explicit(&slot->object, memory_order_relaxed);
}

void *handle_take(uint64_t handle, enum handle_kind kind)
{
    pthread_mutex_lock(&table.lock);
    void *object = handle_get(handle, kind);
    if (object) {
        uint32_t index = (uint32_t)(handle >> 32);
        struct slot *slot = slot_at(index);
        atomic_store_explicit(&slot->tag, 0, memory_order_release);
        slot->next_free = table.free;
        table.free = index + 1;
    }
    pthread_mutex_unlock(&table.lock);
    return object;
}

void handle_delete(uint64_t handle)
{
    handle_take(handle, (enum handle_kind)(handle & 0xff));
}

void handle_visit(enum handle_kind kind, void (*visit)(void *object))
{
    pthread_mutex_lock(&table.lock);
    uint32_t used = table.used;
    pthread_mutex_unlock(&table.lock);
    for (uint32_t index = 0; index < used; index++) {
        struct slot *slot = slot_at(index);
        uint32_t tag = atomic_load_explicit(&slot->tag, memory_order_acquire);
        if (tag && (tag & 0xff) == kind)
            visit(atomic_load_explicit(&slot->object, memory_order_relaxed));
    }
}

void handle_shut_down(void)
{
    pthread_mutex_lock(&table.lock);
    for (size_t i = 0; i < CHUNKS; i++)
        mem_free(atomic_exchange_explicit(&table.chunks[i], NULL, memory_order_acq_rel));
    table.used = table.free = 0;
    pthread_mutex_unlock(&table.lock);
}
