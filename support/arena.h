/* SPDX-License-Identifier: MIT */
/* An arena: many small allocations, which are released together.
 *
 * An arena never moves or frees a single allocation; arena_free() releases all of them. The memory comes from
 * support/alloc.h, so a test can make the n-th allocation fail. */
#ifndef SUPPORT_ARENA_H
#define SUPPORT_ARENA_H

#include <stddef.h>

struct arena_block;

/* A zero-initialised arena is empty and valid. Only one thread at a time may use an arena. */
struct arena {
    struct arena_block *head;
    size_t used;     /* how many bytes of the head block are taken */
    size_t capacity; /* how many bytes the head block has */
};

/* Returns SIZE bytes aligned to 16, not cleared, or NULL if memory is out. SIZE 0 gives a unique pointer. */
void *arena_alloc(struct arena *arena, size_t size);

/* Returns COUNT * SIZE bytes like arena_alloc(), but cleared to zero; NULL also if the product overflows. */
void *arena_zalloc(struct arena *arena, size_t count, size_t size);

/* Copies LENGTH bytes and adds a NUL; NULL if memory is out. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Releases every allocation; the arena is then empty and can be used again. */
void arena_free(struct arena *arena);

#endif
