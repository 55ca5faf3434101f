/* SPDX-License-Identifier: MIT */
/* The note with which a code object tells what the control directives of its kernels require of a launch, as far as
 * AMD's metadata have no words for it. The finalizer writes it; the loader and hsailrun read it.
 *
 * Its content is, for each kernel with such directives, its symbol, without ".kd" but with its NUL, and then the
 * numbers of struct launch_limits in their order, 8 bytes each. Zeros may follow. The owner is that of the note of
 * linkage. */
#ifndef SUPPORT_LAUNCH_NOTE_H
#define SUPPORT_LAUNCH_NOTE_H

#include "support/bytes.h"

enum { LAUNCH_NOTE_TYPE = 2 };

/* 0 where a kernel requires nothing. */
struct launch_limits {
    uint64_t dimensions;    /* of the grid */
    uint64_t grid[3];       /* work-items in each dimension */
    uint64_t flat_grid;     /* the most work-items of a grid */
    uint64_t dynamic_group; /* the most bytes of dynamic group memory, plus 1 */
    uint64_t whole_groups;  /* 1: no partial work-groups */
};

/* Reads the record at *AT of a note of any content and moves *AT to the next one. False at the end, or if the rest is
 * no record. *SYMBOL points into the note. */
static inline bool launch_note_next(struct bytes note, uint64_t *at, const char **symbol, struct launch_limits *limits)
{
    const uint8_t *end = *at < note.size ? memchr(note.data + *at, 0, note.size - *at) : NULL;
    if (!end || end == note.data + *at)
        return false;
    uint64_t numbers = (uint64_t)(end - note.data) + 1;
    if (!range_inside(numbers, sizeof *limits, note.size))
        return false;
    *symbol = (const char *)note.data + *at;
    memcpy(limits, note.data + numbers, sizeof *limits);
    *at = numbers + sizeof *limits;
    return true;
}

#endif
