/* SPDX-License-Identifier: MIT */
/* The packet processor of agents whose queues are served by threads of the host, one thread per queue.
 *
 * The driver says how its agent executes a kernel (struct packet_agent); everything else about a queue is the same
 * for all of them and is done here: waiting for packets, barrier packets, completion signals, errors, the end. */
#ifndef RUNTIME_PACKET_H
#define RUNTIME_PACKET_H

#include "hsa/hsa_ext_amd.h"
#include "hsa/hsam.h"

#include <pthread.h>

enum { PACKET_BYTES = 64, PACKET_DWORDS = 16, PACKET_DEPENDENCIES = 5 };

/* A copy of a packet, which the client can no longer change. */
union packet {
    uint32_t dwords[PACKET_DWORDS];
    uint16_t header;
    hsa_kernel_dispatch_packet_t dispatch;
    hsa_barrier_and_packet_t barrier; /* a barrier-OR packet has the same fields */
    hsa_amd_barrier_value_packet_t barrier_value;
} __attribute__((aligned(PACKET_BYTES)));

struct packet_processor;

/* Why a packet failed; SUCCESS: it did not. */
struct packet_error {
    hsa_status_t status;
    char text[1024]; /* what the client is told about the packet, with the id of the row of packet_error.def */
};

/* What a driver does for its queues. Lives longer than the processors that use it. */
struct packet_agent {
    /* Executes the kernel of PACKET, number INDEX of its queue, in the processor's thread. PACKET lives until it
     * returns. Returns false when the kernel was abandoned because the queue ends, else ERROR says how it went. */
    bool (*dispatch)(struct packet_processor *processor, const union packet *packet, uint64_t index,
                     struct packet_error *error);
    /* The queue ends: makes a kernel that is running return soon. Called by another thread, with the processor's lock
     * held and its `ending` set. NULL: kernels are short. */
    void (*abandon)(struct packet_processor *processor);
};

struct packet_processor {
    const struct packet_agent *agent;
    const hsa_generic_driver_interface *core;
    hsam_queue_info info;
    pthread_t thread;
    pthread_mutex_t lock; /* held while a packet is taken; the driver uses it for what abandon() looks at */
    bool inactive;        /* under the lock: no packet is taken any more */
    uint32_t ending;      /* atomic */
    uint32_t awake;       /* futex: 0 while the thread sleeps or is about to */
};

/* Starts the thread that serves the queue of INFO, which is copied. Its fields of PROCESSOR are filled in here; the
 * memory is the caller's until packet_processor_stop() has returned. Returns false when there is no thread. */
bool packet_processor_start(struct packet_processor *processor, const struct packet_agent *agent,
                            const hsa_generic_driver_interface *core, const hsam_queue_info *info)
    __attribute__((warn_unused_result));

/* Ends the thread: abandons the packet it works on, leaves the others in the ring. */
void packet_processor_stop(struct packet_processor *processor);

/* Takes no packet any more. A packet that has been taken is finished. */
void packet_processor_inactivate(struct packet_processor *processor);

/* Wakes the thread when it sleeps, to look at the ring again. Any thread may call it, also inside a watch. */
void packet_processor_wake(struct packet_processor *processor);

/* Whether packet_processor_stop() has been called. */
static inline bool packet_processor_ending(const struct packet_processor *processor)
{
    return __atomic_load_n(&processor->ending, __ATOMIC_ACQUIRE);
}

#endif
