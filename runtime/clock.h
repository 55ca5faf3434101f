/* SPDX-License-Identifier: MIT */
/* The host's monotonic clock, and the system timestamp that counts with it. HSA wants a timestamp of 1 to 400 MHz;
 * AMD's GPUs count real time at 100 MHz. */
#ifndef RUNTIME_CLOCK_H
#define RUNTIME_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_FREQUENCY UINT64_C(100000000) /* Hz */
enum { CLOCK_NANOSECONDS = 10 }; /* a tick of the system timestamp */

static inline uint64_t clock_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The system timestamp. */
static inline uint64_t clock_now(void)
{
    return clock_nanoseconds() / CLOCK_NANOSECONDS;
}

#endif
