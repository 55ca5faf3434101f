/* SPDX-License-Identifier: MIT */
/* The number of processors; see cpu.h.
 * Input: the affinity of the process. Output: a number. Invariant: it does not change after the first call. */
#define _GNU_SOURCE
#include "support/cpu.h"

#include <sched.h>
#include <unistd.h>

unsigned cpu_count(void)
{
    static unsigned count;
    unsigned known = __atomic_load_n(&count, __ATOMIC_RELAXED);
    if (known)
        return known;
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* for machines with more processors than a cpu_set_t can hold */
    known = sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : online > 0 ? (unsigned)online : 1;
    __atomic_store_n(&count, known, __ATOMIC_RELAXED);
    return known;
}
