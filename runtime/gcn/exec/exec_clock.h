/* SPDX-License-Identifier: MIT */
/* The clock that kernels read: the host's monotonic one in nanoseconds, which is also what the runtime reports as
 * the system timestamp. */
#ifndef RUNTIME_GCN_EXEC_CLOCK_H
#define RUNTIME_GCN_EXEC_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t gcn_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
