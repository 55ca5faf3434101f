/* SPDX-License-Identifier: MIT */
/* Operations on the indexes of a queue, in every memory order, under their present and their old names. (1.0P 2.5.4)
 *
 * Input: a live queue, which is not checked. Output: its index, read or changed by one atomic access. */
#include "runtime/queue.h"

/* The structure of a queue is const to clients; its indexes are not. */
static inline amd_queue_t *amd_of(const hsa_queue_t *queue)
{
    return (amd_queue_t *)(uintptr_t)queue;
}

#define LOAD(name, index, order)                                                                             \
    HSA_API uint64_t name(const hsa_queue_t *queue)                                                          \
    {                                                                                                        \
        return __atomic_load_n(&amd_of(queue)->index, order);                                                \
    }
LOAD(hsa_queue_load_read_index_relaxed, read_dispatch_id, __ATOMIC_RELAXED)
LOAD(hsa_queue_load_read_index_scacquire, read_dispatch_id, __ATOMIC_ACQUIRE)
LOAD(hsa_queue_load_write_index_relaxed, write_dispatch_id, __ATOMIC_RELAXED)
LOAD(hsa_queue_load_write_index_scacquire, write_dispatch_id, __ATOMIC_ACQUIRE)

#define STORE_WRITE(name, order)                                                                             \
    HSA_API void name(const hsa_queue_t *queue, uint64_t value)                                              \
    {                                                                                                        \
        __atomic_store_n(&amd_of(queue)->write_dispatch_id, value, order);                                   \
    }
STORE_WRITE(hsa_queue_store_write_index_relaxed, __ATOMIC_RELAXED)
STORE_WRITE(hsa_queue_store_write_index_screlease, __ATOMIC_RELEASE)

/* Changes the read index of the application's own queues only: that of others belongs to the packet processor. */
#define STORE_READ(name, order)                                                                              \
    HSA_API void name(const hsa_queue_t *queue, uint64_t value)                                              \
    {                                                                                                        \
        if (queue_page(queue)->is_soft)                                                                      \
            __atomic_store_n(&amd_of(queue)->read_dispatch_id, value, order);                                \
    }
STORE_READ(hsa_queue_store_read_index_relaxed, __ATOMIC_RELAXED)
STORE_READ(hsa_queue_store_read_index_screlease, __ATOMIC_RELEASE)

#define CAS(name, order, failure)                                                                            \
    HSA_API uint64_t name(const hsa_queue_t *queue, uint64_t expected, uint64_t value)                       \
    {                                                                                                        \
        __atomic_compare_exchange_n(&amd_of(queue)->write_dispatch_id, &expected, value, false, order,       \
                                    failure);                                                                \
        return expected;                                                                                     \
    }
#define ADD(name, order, failure)                                                                            \
    HSA_API uint64_t name(const hsa_queue_t *queue, uint64_t value)                                          \
    {                                                                                                        \
        return __atomic_fetch_add(&amd_of(queue)->write_dispatch_id, value, order);                          \
    }
/* hsa_queue_add_write_index_relaxed(), ..., hsa_queue_cas_write_index_acq_rel() */
#define ORDERS(OPERATION, base)                                                                              \
    OPERATION(base##_relaxed, __ATOMIC_RELAXED, __ATOMIC_RELAXED)                                            \
    OPERATION(base##_scacquire, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)                                          \
    OPERATION(base##_screlease, __ATOMIC_RELEASE, __ATOMIC_RELAXED)                                          \
    OPERATION(base##_scacq_screl, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

ORDERS(CAS, hsa_queue_cas_write_index)
ORDERS(ADD, hsa_queue_add_write_index)
