/* SPDX-License-Identifier: MIT */
/* Tests the count of calls of hsa_init() at its limit, with runtime/init.c alone: the rest of the runtime is replaced
 * by functions that count, as two thousand million calls would take a minute. */
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
#include "runtime/report.h"
#include "runtime/share.h"
#include "runtime/signal.h"
#include "testsuite/tap.h"

static int starts, ends;

hsa_status_t agents_init(void)
{
    starts++;
    return HSA_STATUS_SUCCESS;
}

void agents_shut_down(void)
{
    ends++;
}

hsa_status_t signals_init(void)
{
    return HSA_STATUS_SUCCESS;
}

bool callback_here(void)
{
    return false;
}

bool tools_loaded(void)
{
    return false;
}

bool tools_unload(void)
{
    return true;
}

#define NOTHING(name)                                                                                                  \
    void name(void)                                                                                                    \
    {                                                                                                                  \
    }
NOTHING(agents_disconnect)
NOTHING(async_shut_down)
NOTHING(callbacks_wait)
NOTHING(executables_shut_down)
NOTHING(finalizer_shut_down)
NOTHING(handle_shut_down)
NOTHING(images_shut_down)
NOTHING(logging_shut_down)
NOTHING(memory_shut_down)
NOTHING(provisional_shut_down)
NOTHING(queues_shut_down)
NOTHING(reports_shut_down)
NOTHING(services_shut_down)
NOTHING(shares_shut_down)
NOTHING(signal_groups_shut_down)
NOTHING(signals_delete_all)
NOTHING(signals_shut_down)
NOTHING(svm_shut_down)
NOTHING(tools_load)
NOTHING(vmem_shut_down)

int main(void)
{
    ok(hsa_init() == HSA_STATUS_SUCCESS && starts == 1, "the first call starts the runtime");
    atomic_store(&runtime.references, INT32_MAX - 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS && atomic_load(&runtime.references) == INT32_MAX,
       "the runtime is initialised INT32_MAX times");
    ok(hsa_init() == HSA_STATUS_ERROR_REFCOUNT_OVERFLOW && hsa_init() == HSA_STATUS_ERROR_REFCOUNT_OVERFLOW &&
           atomic_load(&runtime.references) == INT32_MAX,
       "one more call overflows, and changes nothing");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && hsa_init() == HSA_STATUS_SUCCESS,
       "after a shut down the runtime can be initialised once more");
    ok(starts == 1 && !ends, "the runtime was started once and never ended");
    atomic_store(&runtime.references, 1);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && ends == 1, "the last shut down ends the runtime");
    ok(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED, "a shut down without a start is refused");
    return tap_done();
}
