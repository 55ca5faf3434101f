/* SPDX-License-Identifier: MIT */
/* Bump allocator: for many small allocations that are released together.
 *
 * An arena never moves or frees a single block; arena_free() releases all of them. Memory comes from the
 * allocator of support/alloc.h, so a test can make the n-th allocation fail. */
#ifndef SUPPORT_ARENA_H
#define SUPPORT_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zero-initialised is empty and valid. Not thread safe: one thread at a time per arena. */
struct arena {
    struct arena_block *head;
    size_t used;     /* bytes taken from the head block */
    size_t capacity; /* bytes the head block holds */
};

/* Returns SIZE bytes aligned to 16, not cleared, or NULL when memory is out. SIZE 0 gives a unique pointer. */
void *arena_alloc(struct arena *arena, size_t size);

/* As arena_alloc(), cleared to zero; NULL too when COUNT * SIZE overflows. */
void *arena_zalloc(struct arena *arena, size_t count, size_t size);

/* Copies LENGTH bytes and adds a NUL; NULL when memory is out. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Releases every block; the arena is empty and can be used again. */
void arena_free(struct arena *arena);

#endif
