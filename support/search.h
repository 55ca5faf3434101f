/* SPDX-License-Identifier: MIT */
/* Binary search. */
#ifndef SUPPORT_SEARCH_H
#define SUPPORT_SEARCH_H

#include <stddef.h>

/* The least I below COUNT for which TEST, an expression that uses I, holds; COUNT if it holds for none. If it holds for
 * some I, it must hold for all greater ones.
 *
 *     size_t first = search_first(v.count, i, v.items[i].offset >= offset); */
#define search_first(count, i, test)                                  \
    __extension__({                                                   \
        size_t search_low_ = 0, search_high_ = (count);               \
        while (search_low_ < search_high_) {                          \
            size_t i = search_low_ + (search_high_ - search_low_) / 2; \
            if (test)                                                 \
                search_high_ = i;                                     \
            else                                                      \
                search_low_ = i + 1;                                  \
        }                                                             \
        search_low_;                                                  \
    })

#endif
