/* SPDX-License-Identifier: MIT */
/* Several threads destroy the same executables at the same time. For each executable, exactly one of them must succeed.
 */
#include "hsa/hsa.h"
#include "testsuite/tap.h"

#include <pthread.h>

enum { EXECUTABLES = 4000, THREADS = 4 };

static hsa_executable_t executables[EXECUTABLES];
static unsigned destroyed, refused, other;

static void *destroy(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < EXECUTABLES; i++) {
        hsa_status_t status = hsa_executable_destroy(executables[i]);
        unsigned *count = status == HSA_STATUS_SUCCESS                    ? &destroyed
                          : status == HSA_STATUS_ERROR_INVALID_EXECUTABLE ? &refused
                                                                          : &other;
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    bool made = hsa_init() == HSA_STATUS_SUCCESS;
    for (unsigned i = 0; i < EXECUTABLES; i++)
        made &= hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                          &executables[i]) == HSA_STATUS_SUCCESS;
    if (!ok(made, "executables"))
        return tap_done();
    for (unsigned i = 0; i < THREADS; i++)
        made &= !pthread_create(&threads[i], NULL, destroy, NULL);
    for (unsigned i = 0; made && i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ok(made && destroyed == EXECUTABLES && refused == (THREADS - 1) * EXECUTABLES && !other,
       "each is destroyed once: %u, %u refused", destroyed, refused);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
