/* SPDX-License-Identifier: MIT */
/* Memory that clients allocate, pin or register, as the runtime knows it. */
#ifndef RUNTIME_MEMORY_H
#define RUNTIME_MEMORY_H

#include "runtime/agent.h"

struct deallocation {
    hsa_amd_deallocation_callback_t callback;
    void *user_data;
};

struct allocation {
    char *base;
    size_t size;              /* bytes, rounded up to the granule */
    struct region *region;    /* NULL: memory of the client, locked */
    void *block;              /* what mem_free() takes, or NULL: pages to unmap */
    struct agent *owner;      /* of coarse-grained memory, once assigned */
    VEC(struct agent *) told; /* of coarse-grained memory: agents that were its owner */
    unsigned locks;           /* of the client's memory */
    void *user_data;
    VEC(struct deallocation) callbacks;
    VEC(hsa_agent_t) allowed; /* by hsa_amd_agents_allow_access() */
};

/* SIZE zeroed bytes at a multiple of ALIGNMENT, a power of two, from the toolchain's allocator; NULL: memory
 * is out. */
void *memory_aligned(size_t size, size_t alignment);
void memory_aligned_free(void *memory);

/* Allocates in REGION as hsa_memory_allocate() does. */
hsa_status_t memory_allocate(struct region *region, size_t size, void **result);

/* Calls USE with the allocation that holds ADDRESS, or with NULL, under the memory lock; returns what USE
 * returns. */
hsa_status_t memory_with(const void *address, hsa_status_t (*use)(struct allocation *allocation, void *data),
                         void *data);

/* Copies as hsa_memory_copy() does. */
hsa_status_t memory_copy(void *destination, const void *source, size_t size);

/* Adds or drops one lock of the client's memory at BASE. */
hsa_status_t memory_lock(void *base, size_t size);
hsa_status_t memory_unlock(void *base);

void memory_shut_down(void);

#endif
