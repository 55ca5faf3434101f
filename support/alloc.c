/* SPDX-License-Identifier: MIT */
/* Allocation with an injectable failure; see alloc.h.
 * Input: sizes. Output: blocks of the C library. Invariant: with the countdown off, nothing is added. */
#include "support/alloc.h"

#include <stdint.h>
#include <stdlib.h>

static _Thread_local long countdown = -1;
static _Thread_local int failed;

static int fails_now(void)
{
    if (__builtin_expect(countdown < 0, 1))
        return 0;
    if (countdown-- > 0)
        return 0;
    failed = 1;
    return 1;
}

void *mem_alloc(size_t size)
{
    return fails_now() ? NULL : malloc(size ? size : 1);
}

void *mem_zalloc(size_t count, size_t size)
{
    return fails_now() ? NULL : calloc(count ? count : 1, size ? size : 1);
}

void *mem_realloc(void *old, size_t size)
{
    return fails_now() ? NULL : realloc(old, size ? size : 1);
}

void mem_free(void *block)
{
    free(block);
}

int mem_fail_after(long n)
{
    int result = failed;
    failed = 0;
    countdown = n;
    return result;
}
