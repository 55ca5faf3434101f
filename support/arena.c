/* SPDX-License-Identifier: MIT */
/* The arena; see arena.h.
 * Input: sizes. Output: memory aligned to 16. Invariant: `head` leads to every block that the arena has ever taken, the
 * newest first. */
#include "support/arena.h"

#include "support/alloc.h"

#include <stdint.h>
#include <string.h>

#define ARENA_ALIGN 16u
#define ARENA_FIRST (4u << 10)
#define ARENA_LARGEST (1u << 20)

struct arena_block {
    struct arena_block *next;
    size_t padding;
    unsigned char bytes[];
};

_Static_assert(offsetof(struct arena_block, bytes) % ARENA_ALIGN == 0, "payload is aligned");

static int add_block(struct arena *arena, size_t size)
{
    size_t capacity = arena->capacity ? arena->capacity * 2 : ARENA_FIRST;
    if (capacity > ARENA_LARGEST)
        capacity = ARENA_LARGEST;
    if (capacity < size)
        capacity = size;
    if (capacity > SIZE_MAX - sizeof(struct arena_block))
        return 0;
    struct arena_block *block = mem_alloc(sizeof *block + capacity);
    if (!block)
        return 0;
    block->next = arena->head;
    arena->head = block;
    arena->used = 0;
    arena->capacity = capacity;
    return 1;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - ARENA_ALIGN)
        return NULL;
    size_t rounded = size ? (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1) : ARENA_ALIGN;
    if (rounded > arena->capacity - arena->used && !add_block(arena, rounded))
        return NULL;
    void *result = arena->head->bytes + arena->used;
    arena->used += rounded;
    return result;
}

void *arena_zalloc(struct arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *result = arena_alloc(arena, bytes);
    if (result)
        memset(result, 0, bytes);
    return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX)
        return NULL;
    char *copy = arena_alloc(arena, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void arena_free(struct arena *arena)
{
    for (struct arena_block *block = arena->head; block;) {
        struct arena_block *next = block->next;
        mem_free(block);
        block = next;
    }
    *arena = (struct arena){0};
}
