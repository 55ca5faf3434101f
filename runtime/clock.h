/* SPDX-License-Identifier: MIT */
/* The system timestamp: the monotonic clock in nanoseconds. */
#ifndef RUNTIME_CLOCK_H
#define RUNTIME_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_FREQUENCY UINT64_C(1000000000) /* Hz */

static inline uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * CLOCK_FREQUENCY + (uint64_t)now.tv_nsec;
}

#endif
