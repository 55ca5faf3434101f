/* SPDX-License-Identifier: MIT */
/* Blocks of malloc(), which are known where hsa-run has preloaded tools/hsa_run_heap.c. */
#ifndef RUNTIME_HEAP_BLOCK_H
#define RUNTIME_HEAP_BLOCK_H

#include <dlfcn.h>
#include <stdint.h>

enum heap_answer { HEAP_BETWEEN = -1, HEAP_UNKNOWN, HEAP_INSIDE };

/* Finds the block that holds ADDRESS, or else the nearest one before it: *FROM and *SIZE are set unless nothing is
 * known of that place. */
static inline enum heap_answer heap_block(uint64_t address, uint64_t *from, uint64_t *size)
{
    int (*block_of)(uint64_t address, uint64_t *from, uint64_t *size);
    *(void **)(void *)&block_of = dlsym(RTLD_DEFAULT, "hsa_run_block");
    return block_of ? (enum heap_answer)block_of(address, from, size) : HEAP_UNKNOWN;
}

#endif
