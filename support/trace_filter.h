/* SPDX-License-Identifier: MIT */
/* Filters: which instructions of which waves are to be traced. The tools and the runtime read the same words. */
#ifndef SUPPORT_TRACE_FILTER_H
#define SUPPORT_TRACE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_range {
    uint64_t first, last;
};

struct trace_filter {
    char kernel[256]; /* without its `&`; "": all */
    bool has_group;
    uint64_t group[3];
    struct trace_range waves;   /* numbers of waves in their work-group */
    struct trace_range offsets; /* of instructions, from the beginning of their function */
    struct trace_range lines;
    unsigned kinds; /* bit N: row N of instruction_kind.def */
};

/* Reads "all", or any of these separated by commas: kernel=NAME, group=X[xY[xZ]], wave=N[-N], pc=N[-N], line=N[-N],
 * kind=WORD[+WORD...]. False if TEXT is something else; then *WRONG is where it stops to make sense. */
bool trace_filter_parse(const char *text, struct trace_filter *filter, const char **wrong);

static inline bool trace_range_has(const struct trace_range *range, uint64_t number)
{
    return number >= range->first && number <= range->last;
}

/* Whether KERNEL, with or without its `&`, is to be traced. */
bool trace_filter_kernel(const struct trace_filter *filter, const char *kernel);

#endif
