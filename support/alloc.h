/* SPDX-License-Identifier: MIT */
/* The one place where the toolchain's own memory comes from.
 *
 * Its functions do as malloc(), calloc(), realloc() and free() do, with one addition: a countdown that makes one chosen
 * allocation of the calling thread fail, by which tests walk every out-of-memory path. */
#ifndef SUPPORT_ALLOC_H
#define SUPPORT_ALLOC_H

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_zalloc(size_t count, size_t size); /* NULL too when COUNT * SIZE overflows */
void *mem_realloc(void *old, size_t size);   /* OLD stays valid when NULL is returned */
void mem_free(void *block);                  /* NULL is ignored */

/* As mem_realloc(), for a block that will be filled from its begin and perhaps not to its end: memory that is not used
 * is not touched, and a large block has large pages where the system has them. NULL, which is no error, when that much
 * cannot be had or the hooks below are in use, whose owner may count it. */
void *mem_reserve(void *old, size_t size);

/* An allocator of somebody else's; all members are set. */
struct mem_hooks {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block); /* never NULL */
    void *user;
};

/* Makes the functions above use HOOKS in this thread; NULL for the C library. Returns what was used before. A block is
 * to be freed under the hooks it was allocated under. */
const struct mem_hooks *mem_use_hooks(const struct mem_hooks *hooks);

/* Lets N allocations of this thread succeed and the next one fail, once; a negative N switches it off.
 * Returns whether the previous countdown came to its failure. Tests only. */
int mem_fail_after(long n);

#endif
