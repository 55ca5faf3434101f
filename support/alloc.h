/* SPDX-License-Identifier: MIT */
/* The one place where the toolchain's own memory comes from.
 *
 * Functions as malloc/calloc/realloc/free, with one addition: a countdown that makes one chosen allocation
 * of the calling thread fail, by which tests walk every out-of-memory path. */
#ifndef SUPPORT_ALLOC_H
#define SUPPORT_ALLOC_H

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_zalloc(size_t count, size_t size); /* NULL too when COUNT * SIZE overflows */
void *mem_realloc(void *old, size_t size);   /* OLD stays valid when NULL is returned */
void mem_free(void *block);                  /* NULL is ignored */

/* Lets N allocations of this thread succeed and the next one fail, once; a negative N switches it off.
 * Returns whether the previous countdown came to its failure. Tests only. */
int mem_fail_after(long n);

#endif
