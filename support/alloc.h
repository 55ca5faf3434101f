/* SPDX-License-Identifier: MIT */
/* Where all of the project's own memory comes from.
 *
 * The functions do what malloc(), calloc(), realloc() and free() do. In addition, a countdown makes one chosen
 * allocation of the calling thread fail, so that tests can reach every path that is taken when memory is out. */
#ifndef SUPPORT_ALLOC_H
#define SUPPORT_ALLOC_H

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_zalloc(size_t count, size_t size); /* NULL also if COUNT * SIZE overflows */
void *mem_realloc(void *old, size_t size);   /* if it returns NULL, OLD stays valid */
void mem_free(void *block);                  /* NULL is ignored */

/* Does the same as mem_realloc(), for a block that will be filled from its beginning and perhaps not to its end. Memory
 * that is not used is not touched, and a large block has large pages if the system has them. Returns NULL, which is no
 * error, if that much memory cannot be had, or if the hooks below are in use, whose owner may count memory. */
void *mem_reserve(void *old, size_t size);

/* An allocator that the user of a library brings along; all members are set. */
struct mem_hooks {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block); /* never NULL */
    void *user;
};

/* Makes the functions above use HOOKS in this thread, or the C library if HOOKS is NULL. Returns what they used before.
 * A block must be freed while the hooks are in use with which it was allocated. */
const struct mem_hooks *mem_use_hooks(const struct mem_hooks *hooks);

/* Lets N allocations of this thread succeed and the one after them fail; a negative N ends the countdown.
 * Returns whether the previous countdown has made an allocation fail. For tests only. */
int mem_fail_after(long n);

#endif
