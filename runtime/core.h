/* SPDX-License-Identifier: MIT */
/* The runtime as a whole: its state, the headers that all of it needs, and the checks with which API functions begin.
 *
 * Comments name sections of documents in parentheses: "1.0P" is the HSA Runtime specification 1.0 provisional, "HSA
 * 1.2" that of version 1.2, "MV" the HSA Multi-vendor specification 1.1, "ROCR documentation" AMD's manual of its
 * runtime.
 *
 * Lock order, outermost first: runtime.lifecycle; the lock of an executable, and that of the signals' memory;
 * client_lock of an agent; the lock of requests about memory; the locks of the lists of memory, queues and requests;
 * the lock of a signal's bucket. The locks of lists are never held while a driver or a callback of the client runs, and
 * that of a bucket only while a watch's notice is given. The lock of the list of callbacks is innermost. */
#ifndef RUNTIME_CORE_H
#define RUNTIME_CORE_H

#include "hsa/hsa_ext_amd.h"
#include "hsa/hsam.h"
#include "runtime/handle.h"
#include "support/vec.h"

#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

/* Follows the prototype of a function that can fail: its caller must look at the result. */
#define MUST_CHECK __attribute__((warn_unused_result))

struct agent;

typedef VEC(struct agent *) agent_list;

struct runtime {
    pthread_mutex_t lifecycle; /* serialises hsa_init() and hsa_shut_down(), which tools libraries call inside them */
    _Atomic int32_t references;
    agent_list agents; /* unchanged while references > 0 */
};

extern struct runtime runtime;

static inline bool runtime_up(void)
{
    return atomic_load_explicit(&runtime.references, memory_order_acquire) > 0;
}

/* The first statements of API functions. */
#define CHECK_UP()                                                                                           \
    do {                                                                                                     \
        if (!runtime_up())                                                                                   \
            return HSA_STATUS_ERROR_NOT_INITIALIZED;                                                         \
    } while (0)
#define CHECK(condition, status)                                                                             \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            return (hsa_status_t)(status);                                                                   \
    } while (0)
#define CHECK_ARGUMENT(condition) CHECK(condition, HSA_STATUS_ERROR_INVALID_ARGUMENT)

/* Writes one attribute, which has the given type; for the switches of the get_info functions. */
#define PUT(type, ...)                                                                                       \
    do {                                                                                                     \
        type put_ = (__VA_ARGS__);                                                                           \
        memcpy(value, &put_, sizeof put_);                                                                   \
    } while (0)

#endif
