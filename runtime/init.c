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
#include "runtime/driver_services.h"
#include "runtime/executable.h"
#include "runtime/finalizer.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/queue.h"
#include "runtime/share.h"
#include "runtime/report.h"
#include "runtime/signal.h"

struct runtime runtime = {.lifecycle = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

/* Takes everything down in the order of dependency: queues stop first, as kernels use everything else. */
static void take_down(void)
{
    queues_shut_down();
    async_shut_down();
    finalizer_shut_down();
    executables_shut_down();
    images_shut_down();
    svm_shut_down();
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

HSA_API hsa_status_t hsa_init(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    pthread_mutex_lock(&runtime.lifecycle);
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

HSA_API hsa_status_t hsa_shut_down(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    pthread_mutex_lock(&runtime.lifecycle);
    int32_t references = atomic_load(&runtime.references);
    if (references == 0)
        status = HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (references == 1 && tools_unload()) {
        take_down();
        atomic_store_explicit(&runtime.references, 0, memory_order_release);
    } else if (references > 1) {
        atomic_store_explicit(&runtime.references, references - 1, memory_order_release);
    }
    pthread_mutex_unlock(&runtime.lifecycle);
    return status;
}
