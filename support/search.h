/* SPDX-License-Identifier: MIT */
/* Binary search in an array of structures that begin with the number they are sorted by. */
#ifndef SUPPORT_SEARCH_H
#define SUPPORT_SEARCH_H

#include "support/bytes.h"

/* The index of the first of COUNT items of SIZE bytes whose leading uint32_t is not below KEY; COUNT when none is. */
static inline size_t search_lower_bound(const void *items, size_t count, size_t size, uint32_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (load32((const char *)items + middle * size) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same for a vector of vec.h. */
#define vec_lower_bound(v, key) search_lower_bound((v)->items, (v)->count, sizeof *(v)->items, key)

#endif
