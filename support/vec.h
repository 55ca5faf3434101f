/* SPDX-License-Identifier: MIT */
/* A typed array that grows.
 *
 *     VEC(uint32_t) offsets = {0};
 *     if (!vec_push(&offsets, 4)) return out_of_memory;
 *     for (size_t i = 0; i < offsets.count; i++) use(offsets.items[i]);
 *     vec_free(&offsets);
 *
 * A zero-initialised vector is empty and valid. Pushing may move the items. */
#ifndef SUPPORT_VEC_H
#define SUPPORT_VEC_H

#include "support/alloc.h"

#include <stddef.h>
#include <stdint.h>

#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

/* Makes room for MORE further items; 0 if memory is out, and then nothing has changed. */
#define vec_reserve(v, more) \
    ((v)->capacity - (v)->count >= (size_t)(more) || \
     vec_grow_((void **)&(v)->items, (v)->count, &(v)->capacity, (size_t)(more), sizeof *(v)->items))

/* Appends one item; 0 if memory is out. */
#define vec_push(v, item) (vec_reserve(v, 1) ? ((v)->items[(v)->count++] = (item), 1) : 0)

#define vec_free(v) (mem_free((v)->items), (v)->items = NULL, (v)->count = (v)->capacity = 0)

/* Lets the array grow to one and a half times its size, and to at least 8 items; the body of vec_reserve(). */
static inline int vec_grow_(void **items, size_t count, size_t *capacity, size_t more, size_t size)
{
    size_t need, want, bytes;
    if (__builtin_add_overflow(count, more, &need))
        return 0;
    want = *capacity + *capacity / 2;
    if (want < need)
        want = need;
    if (want < 8)
        want = 8;
    if (__builtin_mul_overflow(want, size, &bytes))
        return 0;
    void *grown = mem_realloc(*items, bytes);
    if (!grown)
        return 0;
    *items = grown;
    *capacity = want;
    return 1;
}

#endif
