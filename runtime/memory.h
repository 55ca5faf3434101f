/* SPDX-License-Identifier: MIT */
/* Memory as the runtime knows it: who gave it out, who may use it, who owns it.
 *
 * memory.c keeps the list of it and obtains it from drivers, memory_agents.c tells agents of it, memory_copy.c copies
 * it. Locks, outermost first: an agent's client_lock; the lock of requests, which is held while agents are told of
 * memory; the lock of the list. */
#ifndef RUNTIME_MEMORY_H
#define RUNTIME_MEMORY_H

#include "runtime/agent.h"
#include "runtime/memory_caller.h"

struct deallocation {
    void *at; /* what the client watches, in the allocation */
    hsa_amd_deallocation_callback_t callback;
    void *user_data;
};

enum { MEMORY_NAME = 64 };

struct allocation {
    char *base;
    size_t size;        /* bytes, rounded up to the granule */
    size_t wanted;      /* bytes that were asked for */
    hsam_memory memory; /* as the provider gave it out */
    hsam_purpose purpose;
    struct agent
        *provider;         /* whose driver gave it out; NULL: nobody's, it is memory of the client or part of another */
    struct region *region; /* NULL unless a client allocated it */
    struct agent *owner;   /* of coarse-grained memory, once assigned */
    VEC(struct agent *) told; /* agents that know of it; under the lock of requests */
    unsigned locks;           /* of memory of the client */
    bool mapped;              /* by hsa_amd_vmem_map(): only the agents in ALLOWED may use it */
    void *user_data;
    VEC(struct deallocation) callbacks;
    VEC(struct agent *) allowed; /* by hsa_amd_agents_allow_access() or hsa_amd_vmem_set_access() */
    char name[MEMORY_NAME];      /* for people; empty: none */
    struct memory_caller caller; /* who allocated it */
};

/* ---- memory.c ---- */

/* Asks AGENT's driver for memory, or the CPU's when AGENT is NULL or its driver gives none out. SIZE is a multiple of
 * the region's granule, or of 4096. The allocation is in no list; memory_release() ends it. */
hsa_status_t memory_obtain(hsam_purpose purpose, struct agent *agent, struct region *region, size_t size,
                           struct allocation **result) MUST_CHECK;

/* Puts an allocation into the list, where addresses are looked up; false when memory is out. */
bool memory_list(struct allocation *allocation) MUST_CHECK;

/* Ends an allocation: takes it out of the list if it is there, withdraws it from agents, gives it back. NULL is
 * ignored. */
void memory_release(struct allocation *allocation);

/* Allocates in REGION as hsa_memory_allocate() does. */
hsa_status_t memory_allocate(struct region *region, size_t size, void **result) MUST_CHECK;

/* Lists SIZE bytes at BASE, part of memory obtained for signals, and tells every agent. It ends with the runtime. */
hsa_status_t memory_list_signals(void *base, size_t size) MUST_CHECK;

/* Calls USE with the allocation of the client that holds ADDRESS, or with NULL, under the lock of the list; returns
 * what USE returns. */
hsa_status_t memory_with(const void *address, hsa_status_t (*use)(struct allocation *allocation, void *data),
                         void *data);

/* The same for memory of every purpose. */
hsa_status_t memory_with_any(const void *address, hsa_status_t (*use)(struct allocation *allocation, void *data),
                             void *data);

/* Gives the client's allocation at BASE a name for reports. */
hsa_status_t memory_name(const void *base, const char *name) MUST_CHECK;

/* What lies at an address, or nearest to it. */
struct memory_near {
    char name[MEMORY_NAME];
    hsam_purpose purpose;
    uint64_t base, size; /* as asked for */
    uint64_t distance;   /* bytes between its nearest byte and the address; 0: the address is inside */
    bool before;         /* the address is before it, else after it */
    bool freed;          /* it was given back */
    struct memory_caller allocated_by, freed_by;
};

/* The allocation, or the one given back lately, that holds ADDRESS, else the nearest. False: there is none at all. */
bool memory_nearest(uint64_t address, struct memory_near *near) MUST_CHECK;

/* hsa_generic_driver_interface.memory_extent and memory_freed. */
bool memory_extent(uint64_t address, hsam_extent *extent);
bool memory_freed(uint64_t address);

/* Adds or drops one lock of the client's memory at BASE. */
hsa_status_t memory_lock(void *base, size_t size) MUST_CHECK;
hsa_status_t memory_unlock(void *base);

/* Lists SIZE bytes at BASE, a mapping of hsa_amd_vmem_map(), which no agent may use until memory_allow() says so. */
hsa_status_t memory_list_mapping(void *base, size_t size, struct allocation **result) MUST_CHECK;

/* Calls VISIT for every listed allocation as long as it returns SUCCESS. The lock of requests is held. */
hsa_status_t memory_visit(hsa_status_t (*visit)(struct allocation *allocation, void *data), void *data) MUST_CHECK;

/* Releases all memory that is listed, and forgets what was freed. */
void memory_shut_down(void);

/* ---- memory_agents.c ---- */

/* Whether the memory is in a region of AGENT, whose driver does not know of it because another one gave it out. */
static inline bool memory_in_region_of(const struct allocation *allocation, const struct agent *agent)
{
    return allocation->region && allocation->region->agent == agent && allocation->provider != agent;
}

/* Tells AGENT, or every agent, of the memory; those that are not in use yet learn of it when they are. */
hsa_status_t memory_tell(struct allocation *allocation, struct agent *agent) MUST_CHECK;
hsa_status_t memory_tell_all(struct allocation *allocation) MUST_CHECK;

/* Tells AGENT, which is introduced for it, of SIZE bytes at BASE that are no allocation: memory of the process that a
 * client shares with it. The runtime does not learn when they are given back, so the agent keeps them. */
hsa_status_t memory_tell_range(struct agent *agent, void *base, size_t size) MUST_CHECK;
void memory_withdraw(struct allocation *allocation);

/* Tells AGENT, whose client is CLIENT now, of all memory that it may use, and from then on of what is to come. */
hsa_status_t memory_introduce(struct agent *agent, hsam_handle_t client) MUST_CHECK;

/* Lets these agents, and no others but those that may anyway, use the allocation that holds ADDRESS. */
hsa_status_t memory_allow(const void *address, uint32_t count, struct agent *const *agents) MUST_CHECK;

/* Moves the client's allocation that holds ADDRESS to REGION. Afterwards it is told to the agents that REGION's memory
 * is told to. OUT_OF_RESOURCES: it does not fit there, or another driver would have to hold it. */
hsa_status_t memory_migrate(const void *address, struct region *region) MUST_CHECK;

/* Whether clients may allocate in the region and get memory from the host's driver, not from one with its own. */
bool memory_of_host(const struct region *region);

/* Whether memory of one region can be moved to the other. */
bool memory_migrates(const struct region *from, const struct region *to);

/* Makes bytes resident, by PROVIDER's driver, or by the CPU's when that is NULL. */
hsa_status_t memory_resident(struct agent *provider, void *address, size_t size, hsam_residence residence) MUST_CHECK;

/* ---- memory_copy.c ---- */

/* Copies as hsa_memory_copy() does. INVALID_ARGUMENT when there is no memory at some of the addresses. */
hsa_status_t memory_copy(void *destination, const void *source, size_t size) MUST_CHECK;

/* Copies SIZE bytes from the host to BASE + OFFSET of an allocation, whose memory the host perhaps cannot reach. */
hsa_status_t memory_write(const struct allocation *allocation, size_t offset, const void *source,
                          size_t size) MUST_CHECK;

/* Whether the region's memory is coarse-grained, so that one agent at a time owns it. */
static inline bool region_coarse(const struct region *region)
{
    return region && region->is->global_flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED;
}

#endif
