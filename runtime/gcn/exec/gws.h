/* SPDX-License-Identifier: MIT */
/* Global wave sync: barriers and semaphores that waves of different work-groups share. */
#ifndef RUNTIME_GCN_GWS_H
#define RUNTIME_GCN_GWS_H

#include <pthread.h>
#include <stdint.h>

enum { GCN_GWS_RESOURCES = 64 };

/* The resources of a cooperative queue. At first all are zero except the lock. */
struct gcn_gws {
    pthread_mutex_t lock;
    struct gcn_gws_resource {
        uint32_t counter;    /* of a barrier: how many waves have not come yet, less 1; of a semaphore: its value */
        uint32_t generation; /* atomic; of a barrier: how often it has opened */
        uint32_t queued;     /* waves that wait at the semaphore */
    } resources[GCN_GWS_RESOURCES];
};

#endif
