/* SPDX-License-Identifier: MIT */
/* The seed of the hash functions; see hash.h.
 * Input: the kernel's random numbers. Output: one number per process. Invariant: it never changes. */
#include "support/hash.h"

#include <stdatomic.h>
#include <sys/random.h>
#include <time.h>

static _Atomic uint64_t process_seed;

uint64_t hash_seed(void)
{
    uint64_t seed = atomic_load_explicit(&process_seed, memory_order_relaxed);
    if (seed)
        return seed;
    uint64_t fresh = 0;
    if (getrandom(&fresh, sizeof fresh, GRND_NONBLOCK) != (ssize_t)sizeof fresh) {
        struct timespec now = {0, 0};
        clock_gettime(CLOCK_REALTIME, &now);
        fresh = hash_mix((uint64_t)now.tv_nsec ^ (uintptr_t)&now, UINT64_C(0x9e3779b97f4a7c15));
    }
    fresh |= 1; /* 0 means that none was drawn yet */
    return atomic_compare_exchange_strong(&process_seed, &seed, fresh) ? fresh : seed;
}
