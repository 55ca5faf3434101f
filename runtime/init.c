/* SPDX-License-Identifier: MIT */
/* Starts and ends the runtime. (1.0P 2.1)
 *
 * Input: calls of hsa_init() and hsa_shut_down(), nested, from any thread. Output: the runtime is up, or down.
 * Invariant: `references` counts the successful calls of hsa_init() that hsa_shut_down() has not balanced. All other
 * state of the runtime exists exactly while that is not 0. */
#include "config.h"

#include "runtime/core.h"

#include "runtime/agent.h"
#include "runtime/api_table.h"
#include "runtime/callback.h"
#include "runtime/driver_services.h"
#include "runtime/executable.h"
#include "runtime/finalizer.h"
#include "runtime/image.h"
#include "runtime/logging.h"
#include "runtime/memory.h"
#include "runtime/provisional_program.h"
#include "runtime/queue.h"
#include "runtime/share.h"
#include "runtime/report.h"
#include "runtime/signal.h"
#include "support/thread.h"

#include <sched.h>

struct runtime runtime = {.lifecycle = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

/* Under the lock, but read without it by callbacks. */
static struct {
    _Atomic bool running; /* the runtime is being taken down */
    bool deferred;        /* this began in a callback; a thread does it when the callback has returned */
    pthread_cond_t over;  /* it is not deferred any more */
} ending = {.over = PTHREAD_COND_INITIALIZER};

/* Takes the lock; false in a callback that runs while the runtime ends, as the holder waits for its return. */
static bool lock_lifecycle(void)
{
    if (!callback_here())
        return !pthread_mutex_lock(&runtime.lifecycle);
    while (pthread_mutex_trylock(&runtime.lifecycle)) {
        if (atomic_load(&ending.running))
            return false;
        sched_yield();
    }
    return true;
}

/* Takes everything down in the order of dependency: queues stop first, as kernels use everything else. */
static void take_down(void)
{
    queues_shut_down();
    async_shut_down();
    logging_shut_down();
    provisional_shut_down();
    finalizer_shut_down();
    executables_shut_down();
    images_shut_down();
    svm_shut_down();
    vmem_shut_down();
    shares_shut_down();
    memory_shut_down();
    signal_groups_shut_down();
    signals_delete_all();
    agents_disconnect();
    signals_shut_down();
    agents_shut_down();
    services_shut_down();
    reports_shut_down();
    handle_shut_down();
}

/* Waits for an end that was deferred; false in a callback, for which that may be waiting. */
static bool wait_for_deferred_end(void)
{
    while (ending.deferred && !callback_here())
        pthread_cond_wait(&ending.over, &runtime.lifecycle);
    return !ending.deferred;
}

/* In a child of fork() there are no threads of the runtime, and its locks are as they were. If it was up, it is down in
 * the child, and cannot start there. The child may still end, and run another program. */
static _Atomic bool forked_away;

static void leave_to_parent(void)
{
    if (runtime_up()) {
        atomic_store(&forked_away, true);
        atomic_store_explicit(&runtime.references, 0, memory_order_release);
    }
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, leave_to_parent);
}

HSA_API hsa_status_t hsa_init(void)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    CHECK(!atomic_load(&forked_away), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    pthread_once(&watched, watch_forks);
    CHECK(lock_lifecycle(), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    if (!wait_for_deferred_end()) {
        pthread_mutex_unlock(&runtime.lifecycle);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    int32_t references = atomic_load(&runtime.references);
    if (references == INT32_MAX) {
        status = HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
    } else if (references == 0) {
        status = agents_init();
        if (status == HSA_STATUS_SUCCESS)
            status = signals_init();
        if (status != HSA_STATUS_SUCCESS)
            take_down();
    }
    if (status == HSA_STATUS_SUCCESS)
        atomic_store_explicit(&runtime.references, references + 1, memory_order_release);
    if (status == HSA_STATUS_SUCCESS && references == 0)
        tools_load();
    pthread_mutex_unlock(&runtime.lifecycle);
    return status;
}

/* Takes the runtime down after its last reference; false if a tools library asks for that while it is being unloaded.
 */
static bool end_now(void)
{
    bool before = atomic_exchange(&ending.running, true);
    bool unloaded = tools_unload();
    if (unloaded)
        take_down();
    atomic_store(&ending.running, before);
    return unloaded;
}

static void *end_deferred(void *argument)
{
    callbacks_wait();
    pthread_mutex_lock(&runtime.lifecycle);
    atomic_store_explicit(&runtime.references, tools_loaded(), memory_order_release); /* tools may use the API still */
    end_now();
    atomic_store_explicit(&runtime.references, 0, memory_order_release);
    ending.deferred = false;
    pthread_cond_broadcast(&ending.over);
    pthread_mutex_unlock(&runtime.lifecycle);
    return argument;
}

/* Leaves the end to a thread, which waits until the callback that asks has returned. */
static hsa_status_t defer_end(void)
{
    pthread_t thread;
    CHECK(!thread_start(&thread, end_deferred, NULL), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    pthread_detach(thread);
    ending.deferred = true;
    atomic_store_explicit(&runtime.references, 0, memory_order_release);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_shut_down(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    CHECK(!atomic_load(&forked_away), HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(lock_lifecycle(), HSA_STATUS_ERROR_NOT_INITIALIZED);
    int32_t references = atomic_load(&runtime.references);
    if (references == 0)
        status = HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (references == 1 && callback_here()) {
        status = defer_end();
    } else if (references == 1 && end_now()) {
        atomic_store_explicit(&runtime.references, 0, memory_order_release);
    } else if (references > 1) {
        atomic_store_explicit(&runtime.references, references - 1, memory_order_release);
    }
    pthread_mutex_unlock(&runtime.lifecycle);
    return status;
}
