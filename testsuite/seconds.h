/* SPDX-License-Identifier: MIT */
/* Time for tests that go on for a while, or that print how long something took. */
#ifndef TESTSUITE_SECONDS_H
#define TESTSUITE_SECONDS_H

#include <time.h>

/* Seconds on a clock that never goes back. */
static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
