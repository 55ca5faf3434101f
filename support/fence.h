/* SPDX-License-Identifier: MIT */
/* Memory fences that the thread sanitizer understands. It does not know fences that stand alone and takes what they
 * order for races, so with it a fence is an atomic operation on a variable of its own, which orders at least as much.
 */
#ifndef SUPPORT_FENCE_H
#define SUPPORT_FENCE_H

#include <stdint.h>

/* A fence of all memory orders: acquire, release and sequential consistency. */
static inline void fence_all(void)
{
#ifdef __SANITIZE_THREAD__
    static uint32_t turn;
    __atomic_fetch_add(&turn, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* A fence of acquire and release. */
static inline void fence_acquire_release(void)
{
#ifdef __SANITIZE_THREAD__
    fence_all();
#else
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
#endif
}

#endif
