/* SPDX-License-Identifier: MIT */
/* The clocks that kernels read. */
#ifndef RUNTIME_GCN_EXEC_CLOCK_H
#define RUNTIME_GCN_EXEC_CLOCK_H

#include "runtime/clock.h"

enum { GCN_CORE_MHZ = 1000 }; /* what the agent reports as its frequency */

/* The clock of the processor, as s_memtime and s_sleep count it. */
static inline uint64_t gcn_core_clock(void)
{
    return clock_nanoseconds() * GCN_CORE_MHZ / 1000;
}

/* Real time, as s_memrealtime counts it: the system timestamp. */
static inline uint64_t gcn_real_time(void)
{
    return clock_now();
}

#endif
