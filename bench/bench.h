/* SPDX-License-Identifier: MIT */
/* What every benchmark prints: one line per figure, with the least or greatest value that it should have. bench/run
 * makes a table of these lines.
 *
 *     name <TAB> value <TAB> unit <TAB> floor <TAB> at-least | at-most | -
 *
 * A benchmark takes the best of several rounds, since on a shared machine only the best says what the code does. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdio.h>
#include <time.h>

/* Seconds on a clock that never goes back. */
static inline double bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline void bench_figure(const char *name, double value, const char *unit)
{
    printf("%s\t%.6g\t%s\t0\t-\n", name, value, unit);
    fflush(stdout);
}

static inline void bench_at_least(const char *name, double value, const char *unit, double floor)
{
    printf("%s\t%.6g\t%s\t%.6g\tat-least\n", name, value, unit, floor);
    fflush(stdout);
}

static inline void bench_at_most(const char *name, double value, const char *unit, double ceiling)
{
    printf("%s\t%.6g\t%s\t%.6g\tat-most\n", name, value, unit, ceiling);
    fflush(stdout);
}

#endif
