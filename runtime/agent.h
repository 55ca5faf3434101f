/* SPDX-License-Identifier: MIT */
/* Agents as their drivers have registered them, with what belongs to each: regions, caches, instruction sets. */
#ifndef RUNTIME_AGENT_H
#define RUNTIME_AGENT_H

#include "runtime/core.h"

struct region {
    hsa_region_t handle;
    struct agent *agent;
    const hsam_region *is;
};

struct cache {
    hsa_cache_t handle;
    const hsam_cache *is;
};

struct wavefront {
    hsa_wavefront_t handle;
    uint32_t size;
};

struct isa {
    hsa_isa_t handle;
    struct agent *agent;
    const hsam_isa *is;
    struct wavefront wavefronts[2];
};

struct agent {
    hsa_agent_t handle;
    hsa_agent_driver_interface interface; /* a copy, in which members that an older driver does not know are NULL */
    hsa_agent_driver_config config;       /* a copy, too */
    void *driver;
    hsa_generic_driver_config generic;
    struct region *regions;
    struct cache *caches;
    struct isa *isas;
    hsa_amd_coherency_type_t coherency;
    bool visible; /* not hidden by ROCR_VISIBLE_DEVICES */
    _Atomic uint32_t queues;
    _Atomic bool refuses; /* its driver does not take the process, and never will */
    _Atomic bool failed;  /* its driver broke the component interface: the agent gets no more queues */
    pthread_mutex_t client_lock;
    _Atomic bool has_client; /* set last, when the agent knows of the process's memory */
    hsam_handle_t client;    /* client_handle_at_agent */
};

/* The agent, region, instruction set of a handle of any value, or NULL. */
struct agent *agent_find(hsa_agent_t handle);
struct region *region_find(uint64_t handle); /* of a region or a memory pool */
struct isa *isa_find(hsa_isa_t handle);

/* Introduces the process to the agent, once (MV-12); *CLIENT becomes the agent's handle for it. */
hsa_status_t agent_client(struct agent *agent, hsam_handle_t *client) MUST_CHECK;

/* The same, but it is no error if the agent's driver does not support processes: then *TAKES becomes false. */
hsa_status_t agent_client_if_willing(struct agent *agent, hsam_handle_t *client, bool *takes) MUST_CHECK;

/* Whether the agent has been introduced, and so may know of the process's memory and signals. */
bool agent_has_client(struct agent *agent, hsam_handle_t *client);

/* The CPU, whose driver gives out the host's memory; registered first. */
struct agent *agent_host(void);

/* Whether every agent may use the region's memory, or AGENT is its owner. */
static inline bool region_reachable(const struct region *region, const struct agent *agent)
{
    return region->agent == agent || region->is->accessible_by_all;
}

/* Register the agents of all drivers; end the threads of all agents but the CPU, whose driver still has to take the
 * signals' memory back; end the agents. */
hsa_status_t agents_init(void) MUST_CHECK;
void agents_disconnect(void);
void agents_shut_down(void);

/* hsa_isa_from_name() for a name that need not be terminated, among the instruction sets of AGENT, or of all
 * agents when AGENT is NULL: the one that can execute code for NAME. NULL when there is none. */
struct isa *isa_for_code(const struct agent *agent, const char *name, size_t length);

#endif
