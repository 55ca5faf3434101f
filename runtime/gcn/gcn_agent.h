/* SPDX-License-Identifier: MIT */
/* An agent of the software GPU, and its queues, as the component interface sees them. */
#ifndef RUNTIME_GCN_GCN_AGENT_H
#define RUNTIME_GCN_GCN_AGENT_H

#include "hsa/hsam.h"
#include "runtime/gcn/pool.h"
#include "runtime/gcn/inst/gcn_target.h"
#include "support/vec.h"

#include <pthread.h>

enum { GCN_REGIONS = 4 };

/* What tells one finding from another: its kind and the two instructions, 0 where there is only one. */
struct gcn_reported {
    uint64_t kind, pc, other;
};

struct gcn_agent {
    hsa_agent_driver_config config;
    const hsa_generic_driver_interface *core;
    hsa_generic_driver_config generic;
    const struct gcn_engine *engine;
    const struct gcn_target *target;
    struct gcn_cache *cache;
    struct gcn_pool *pool;            /* exists while there is a client */
    hsam_handle_t client;             /* the client */
    struct guest_memory *guest;       /* NULL: kernels may touch whatever the process may */
    unsigned threads;                 /* how many execute one dispatch */
    unsigned checks;                  /* GCN_CHECK_...: what the checkers look for */
    bool host_counts;                 /* memory of the process that HSA was not told about is no mistake */
    struct gcn_observe_wish *observe; /* NULL: nothing is observed */
    uint64_t loads;                   /* atomic: how often code was loaded or unloaded */
    pthread_mutex_t reported_lock;
    VEC(struct gcn_reported) reported; /* findings that have been reported */
    uint64_t checked_groups;           /* atomic: the work-groups of all dispatches that were checked so far */
    struct race_table *races;          /* left by a dispatch, for the next one; or NULL */
    hsam_isa isa;
    hsam_region regions[GCN_REGIONS];
    char uuid[21], product[32];
};

/* The functions of the interface that concern queues; documented in hsam.h. */
HSAM_Error gcn_queue_new(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                         hsam_handle_t *at_agent);
HSAM_Error gcn_queue_remove(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie);
HSAM_Error gcn_queue_inactivate(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie);
void gcn_queue_unblock(void *driver, hsam_handle_t client, hsam_handle_t queue);

/* The built-in driver's start: registers the agents that the environment asks for. */
int gcn_driver_init(hsa_register_agent_t register_agent);

#endif
