/* SPDX-License-Identifier: MIT */
/* Allocates memory, and makes a chosen allocation fail; see alloc.h.
 * Input: sizes. Output: blocks of the C library or of the thread's hooks. Invariant: as long as the countdown is off,
 * every call goes straight to one of these. */
#include "support/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE (UINT64_C(2) << 20)
#define LARGE_BLOCK (2 * LARGE_PAGE) /* a smaller block may not contain a single whole large page */

static _Thread_local long countdown = -1;
static _Thread_local int failed;

static _Thread_local const struct mem_hooks *current;

const struct mem_hooks *mem_use_hooks(const struct mem_hooks *hooks)
{
    const struct mem_hooks *before = current;
    current = hooks;
    return before;
}

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
    if (fails_now())
        return NULL;
    size = size ? size : 1;
    return current ? current->allocate(current->user, size) : malloc(size);
}

static void use_large_pages(void *block, size_t size)
{
    uintptr_t begin = ((uintptr_t)block + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = ((uintptr_t)block + size) / LARGE_PAGE * LARGE_PAGE;
    if (block && size >= LARGE_BLOCK && end > begin)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* only a hint, so a failure does not matter */
}

void *mem_reserve(void *old, size_t size)
{
    void *block = current ? NULL : realloc(old, size);
    use_large_pages(block, size);
    return block;
}

void *mem_zalloc(size_t count, size_t size)
{
    if (fails_now())
        return NULL;
    if (!current) {
        void *block = calloc(count ? count : 1, size ? size : 1);
        use_large_pages(block, count * size); /* most zeroed blocks are tables that are accessed at random */
        return block;
    }
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *block = current->allocate(current->user, bytes ? bytes : 1);
    return block ? memset(block, 0, bytes) : NULL;
}

void *mem_realloc(void *old, size_t size)
{
    if (fails_now())
        return NULL;
    size = size ? size : 1;
    if (!current)
        return realloc(old, size);
    return old ? current->reallocate(current->user, old, size) : current->allocate(current->user, size);
}

void mem_free(void *block)
{
    if (!current)
        free(block);
    else if (block)
        current->release(current->user, block);
}

int mem_fail_after(long n)
{
    int result = failed;
    failed = 0;
    countdown = n;
    return result;
}
