/* SPDX-License-Identifier: MIT */
/* Packets of the Architected Queuing Language, for the packet processors of built-in drivers. (1.0P 2.6)
 *
 * A processor copies a packet out of the ring first, as the client can still write there, and works on the
 * copy. */
#ifndef RUNTIME_PACKET_H
#define RUNTIME_PACKET_H

#include "hsa/hsa_ext_amd.h"
#include "hsa/hsam.h"

#include <string.h>

enum { PACKET_DEPENDENCIES = 5 };

union packet {
    uint16_t header;
    hsa_kernel_dispatch_packet_t dispatch;
    hsa_agent_dispatch_packet_t agent_dispatch;
    hsa_barrier_and_packet_t barrier;
    hsa_amd_barrier_value_packet_t barrier_value;
};

static inline unsigned packet_type(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_TYPE & 0xff;
}

/* Whether all packets before must be complete first. */
static inline bool packet_barrier(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_BARRIER & 1;
}

static inline unsigned packet_acquire(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE & 3;
}

static inline unsigned packet_release(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE & 3;
}

/* The slot of the next packet: its header with acquire semantics. INVALID type: nothing to do. */
static inline uint16_t packet_peek(const hsam_queue_info *queue)
{
    uint64_t index = __atomic_load_n(queue->read_index, __ATOMIC_RELAXED);
    const char *slot = (const char *)queue->packets + (index & (queue->size - 1)) * sizeof(union packet);
    return __atomic_load_n((const uint16_t *)(const void *)slot, __ATOMIC_ACQUIRE);
}

/* Copies the next packet, which packet_peek() has seen, and frees its slot; returns its index. */
static inline uint64_t packet_take(const hsam_queue_info *queue, union packet *packet)
{
    uint64_t index = __atomic_load_n(queue->read_index, __ATOMIC_RELAXED);
    char *slot = (char *)queue->packets + (index & (queue->size - 1)) * sizeof *packet;
    memcpy(packet, slot, sizeof *packet);
    __atomic_store_n((uint16_t *)(void *)slot, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELAXED);
    __atomic_store_n(queue->read_index, index + 1, __ATOMIC_RELEASE);
    return index;
}

/* Whether the reserved bits of a header are 0 and its fence scopes exist. */
static inline bool packet_header_valid(uint16_t header)
{
    return header >> 13 == 0 && packet_acquire(header) <= HSA_FENCE_SCOPE_SYSTEM &&
           packet_release(header) <= HSA_FENCE_SCOPE_SYSTEM;
}

/* The signal to complete, 0 for none; every kind of packet has it in the same place. */
static inline hsa_signal_t packet_completion(const union packet *packet)
{
    return packet->dispatch.completion_signal;
}

enum packet_wait {
    PACKET_READY,         /* complete the barrier */
    PACKET_READY_ERROR,   /* complete it, as failed: a dependency of an AND is negative */
    PACKET_WAITING,       /* a dependency is not there yet: watch it (packet_watch()) */
    PACKET_INVALID_SIGNAL /* a dependency is no signal: the packet is not well formed */
};

/* One look at the dependencies of a barrier packet of any kind. Those of an AND that have been seen are
 * struck out of the copy, as they count even when they change again. *PENDING becomes the first one that is
 * waited for. */
static inline enum packet_wait packet_dependencies(union packet *packet, const hsa_generic_driver_interface *core,
                                                   unsigned *pending)
{
    bool any = packet_type(packet->header) == HSA_PACKET_TYPE_BARRIER_OR, waiting = false, failed = false;
    bool none = true;
    for (unsigned i = 0; i < PACKET_DEPENDENCIES; i++) {
        hsa_signal_t signal = packet->barrier.dep_signal[i];
        if (!signal.handle)
            continue;
        if (!core->signal_valid(signal))
            return PACKET_INVALID_SIGNAL;
        none = false;
        int64_t value = __atomic_load_n(&((amd_signal_t *)(uintptr_t)signal.handle)->value, __ATOMIC_ACQUIRE);
        failed |= value < 0;
        if (value == 0 && any)
            return PACKET_READY;
        if (value == 0) {
            packet->barrier.dep_signal[i].handle = 0;
            continue;
        }
        if (!waiting)
            *pending = i;
        waiting = true;
    }
    if (!any && failed)
        return PACKET_READY_ERROR;
    return waiting && !none ? PACKET_WAITING : PACKET_READY;
}

/* Arms WATCHES, one for each dependency that is waited for, to call NOTIFY(watch) with watch->user = USER
 * when any of them may have become good: at 0 for both kinds, and for an AND also below 0. Returns how many
 * were armed, or -1 when one holds already; then none is armed. Each dependency takes two entries. */
static inline int packet_watch(const union packet *packet, const hsa_generic_driver_interface *core,
                               hsam_signal_watch watches[2 * PACKET_DEPENDENCIES],
                               void (*notify)(hsam_signal_watch *watch), void *user)
{
    bool any = packet_type(packet->header) == HSA_PACKET_TYPE_BARRIER_OR;
    int armed = 0;
    for (unsigned i = 0; i < PACKET_DEPENDENCIES; i++) {
        if (!packet->barrier.dep_signal[i].handle)
            continue;
        for (int negative = 0; negative < (any ? 1 : 2); negative++) {
            watches[armed] = (hsam_signal_watch){
                .signal = packet->barrier.dep_signal[i],
                .condition = negative ? HSA_SIGNAL_CONDITION_LT : HSA_SIGNAL_CONDITION_EQ,
                .notify = notify,
                .user = user,
            };
            if (core->signal_watch(&watches[armed])) {
                armed++;
                continue;
            }
            while (armed > 0)
                core->signal_unwatch(&watches[--armed]);
            return -1;
        }
    }
    return armed;
}

#endif
