/* SPDX-License-Identifier: MIT */
/* Queues, as the files of the runtime share them. */
#ifndef RUNTIME_QUEUE_H
#define RUNTIME_QUEUE_H

#include "runtime/signal.h"

enum { QUEUE_CU_WORDS = 64 };

/* What hsa_queue_t * points to: the first page of the queue's memory, which the packets follow. Clients and kernels see
 * it, and kernels may overwrite it. Nothing of the runtime's own is beside it. */
struct queue_page {
    amd_queue_t amd;
    bool is_soft; /* the client processes the packets, so its stores of the read index count */
};

struct queue {
    amd_queue_t *amd;            /* the first page of MEMORY */
    struct agent *agent;         /* NULL: a soft queue, or one with handlers */
    struct intercept *intercept; /* intercept.c: the handlers, and the queue of the agent; or NULL */
    struct allocation *memory;
    struct signal *doorbell; /* the queue's own; NULL for a soft queue */
    struct signal_root root;
    uint64_t id;
    hsam_queue_info info;
    void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data);
    void *callback_data;
    _Atomic bool failed;    /* the error callback has been or is being called */
    _Atomic bool destroyed; /* decides which of two threads destroys the queue */
    _Atomic bool fronted;   /* a queue in front of it, which intercepts packets, destroys it */
    char error_text[1024];
    uint32_t cu_mask[QUEUE_CU_WORDS]; /* atomic words; bit I: the queue may use compute unit I */
    uint32_t priority;                /* atomic: hsa_amd_queue_priority_t */
};

enum { QUEUE_PAGE = 4096 };
static_assert(sizeof(struct queue_page) <= QUEUE_PAGE, "packets start at the second page");

/* The page of a live queue, by what is at its beginning. */
static inline struct queue_page *queue_page(const void *start)
{
    return (struct queue_page *)(uintptr_t)start;
}

/* The live queue at a pointer of any value, or NULL. */
struct queue *queue_find(const hsa_queue_t *queue);

/* The same, but of a queue with handlers the one that the agent serves. */
struct queue *queue_find_served(const hsa_queue_t *queue);

/* cu_mask.c: the units that a queue of AGENT may use at first. */
void cu_mask_default(const struct agent *agent, uint32_t mask[QUEUE_CU_WORDS]);

/* For intercept.c: makes the queue that a client has while INTERCEPT has that of the agent, and takes it back when the
 * client has not seen it. */
hsa_status_t queue_front_new(struct intercept *intercept, uint32_t size, hsa_queue_type32_t type,
                             struct queue **result) MUST_CHECK;
void queue_front_delete(struct queue *queue);

/* intercept.c: the queue of the agent; ends the handlers' thread, and that queue. */
struct queue *intercept_served(const struct intercept *intercept);
void intercept_end(struct intercept *intercept);

/* What hsa_queue_destroy() does with a queue that was found, or NULL. */
hsa_status_t queue_destroy(struct queue *queue);

void queues_shut_down(void);

#endif
