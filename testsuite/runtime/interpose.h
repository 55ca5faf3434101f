/* SPDX-License-Identifier: MIT */
/* Lets a chosen allocation of the C library fail, for tests of what the runtime does when memory is out. One source
 * file of a program includes it. With sanitizers, which have an allocator of their own, CAN_INTERPOSE is 0. */
#ifndef TESTSUITE_RUNTIME_INTERPOSE_H
#define TESTSUITE_RUNTIME_INTERPOSE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static _Thread_local long allocations_left = -1;                        /* how many succeed; negative: all */
__attribute__((unused)) static _Thread_local bool allocations_stay_out; /* all after it fail, too */
__attribute__((unused)) static _Thread_local unsigned allocations_failed;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CAN_INTERPOSE = 0 };
#else
enum { CAN_INTERPOSE = 1 };

/* These replace the functions of the C library, in the runtime as well. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool allocation_fails(void)
{
    bool fails = allocations_left == 0;
    allocations_failed += fails;
    if (fails)
        errno = ENOMEM; /* pthread_create() relies on it */
    if (allocations_left > 0 || (fails && !allocations_stay_out))
        allocations_left--;
    return fails;
}

#define INTERPOSE __attribute__((visibility("default")))

INTERPOSE void *malloc(size_t size)
{
    return allocation_fails() ? NULL : __libc_malloc(size);
}

INTERPOSE void *calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __libc_calloc(count, size);
}

INTERPOSE void *realloc(void *old, size_t size)
{
    return allocation_fails() ? NULL : __libc_realloc(old, size);
}
#endif

/* Lets the first allocation and all that follow fail, then the second and so on, until the call needs no more, at
 * most ALLOCATIONS times. Expects that the call says so. */
#define FAIL_ALLOCATIONS(function, call)                                                                     \
    for (long n = 0, failing = 1, met = 0; failing && n < ALLOCATIONS; n++) {                                \
        allocations_failed = 0;                                                                              \
        allocations_left = n;                                                                                \
        int status = (int)(call);                                                                            \
        allocations_left = -1;                                                                               \
        failing = allocations_failed != 0;                                                                   \
        met |= status == HSA_STATUS_ERROR_OUT_OF_RESOURCES;                                                  \
        if (!met || (failing && status != HSA_STATUS_SUCCESS))                                               \
            expect(#function, #call " without memory", status, HSA_STATUS_ERROR_OUT_OF_RESOURCES);           \
    }

#endif
