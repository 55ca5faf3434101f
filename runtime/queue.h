/* SPDX-License-Identifier: MIT */
/* Queues, as the files of the runtime share them. */
#ifndef RUNTIME_QUEUE_H
#define RUNTIME_QUEUE_H

#include "runtime/signal.h"

/* What hsa_queue_t * points to: the first page of the queue's memory, which the packets follow. */
struct queue {
    amd_queue_t amd;
    struct agent *agent; /* NULL: a soft queue */
    struct allocation *memory;
    struct signal *doorbell; /* the queue's own; NULL for a soft queue */
    struct signal_root root;
    hsam_queue_info info;
    void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data);
    void *callback_data;
    _Atomic bool failed;    /* the error callback has been or is being called */
    _Atomic bool destroyed; /* decides which of two threads destroys the queue */
    char error_text[1024];
    uint32_t cu_mask[64]; /* as set by hsa_amd_queue_cu_set_mask() */
};

enum { QUEUE_PAGE = 4096 };
static_assert(sizeof(struct queue) <= QUEUE_PAGE, "packets start at the second page");

/* The live queue at a pointer of any value, or NULL. */
struct queue *queue_find(const hsa_queue_t *queue);

void queues_shut_down(void);

#endif
