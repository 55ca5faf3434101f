/* SPDX-License-Identifier: MIT */
/* How long a fuzzer that is also a test goes on, and with what it begins: its first two arguments or, without these,
 * FUZZ_SECONDS and FUZZ_SEED in the environment. Without either it tries a fixed number of inputs (seconds is 0), from
 * seed 1 on. */
#ifndef TESTSUITE_FUZZ_FUZZ_TIME_H
#define TESTSUITE_FUZZ_FUZZ_TIME_H

#include <stdint.h>
#include <stdlib.h>

struct fuzz_time {
    double seconds;
    uint64_t seed;
};

static inline struct fuzz_time fuzz_time(int argc, char **argv)
{
    const char *seconds = argc > 1 ? argv[1] : getenv("FUZZ_SECONDS"), *seed = argc > 2 ? argv[2] : getenv("FUZZ_SEED");
    return (struct fuzz_time){seconds ? atof(seconds) : 0, seed ? strtoull(seed, NULL, 0) : 1};
}

#endif
