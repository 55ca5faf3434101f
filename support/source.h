/* SPDX-License-Identifier: MIT */
/* A text file in memory and the positions in it. */
#ifndef SUPPORT_SOURCE_H
#define SUPPORT_SOURCE_H

#include "support/bytes.h"
#include "support/vec.h"

/* The user sets name and text, and the rest to zero. The first question finds the starts of the lines, so only one
 * thread at a time may use a source. */
struct source {
    const char *name;  /* its name in messages; NULL: "<input>" */
    struct bytes text; /* owned by the caller */
    VEC(size_t) line_starts;
};

struct source_position {
    size_t line, column; /* from 1; the column counts bytes */
};

/* The position of a byte; an offset after the end counts as the end. If memory is out, the line is 0. */
struct source_position source_position(struct source *source, size_t offset);

/* The bytes of a line without the end of line; empty if there is no such line. */
struct bytes source_line(struct source *source, size_t line);

void source_free(struct source *source); /* does not free the text */

#endif
