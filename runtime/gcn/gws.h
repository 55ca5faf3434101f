/* SPDX-License-Identifier: MIT */
/* Global wave sync: barriers and semaphores that waves of different work-groups share. */
#ifndef RUNTIME_GCN_GWS_H
#define RUNTIME_GCN_GWS_H

#include <pthread.h>
#include <stdint.h>

enum { GCN_GWS_RESOURCES = 64 };

/* The resources of a cooperative queue; zero but for the lock at first. */
struct gcn_gws {
    pthread_mutex_t lock;
    struct gcn_gws_resource {
        uint32_t counter;    /* a barrier: how many waves, less one, have not come yet; a semaphore: its value */
        uint32_t generation; /* atomic: of a barrier, grows when it opens */
        uint32_t queued;     /* waves that wait at the semaphore */
    } resources[GCN_GWS_RESOURCES];
};

#endif
