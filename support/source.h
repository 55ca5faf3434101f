/* SPDX-License-Identifier: MIT */
/* A text file in memory and the positions in it. */
#ifndef SUPPORT_SOURCE_H
#define SUPPORT_SOURCE_H

#include "support/bytes.h"
#include "support/vec.h"

/* Initialise with name and text, the rest zero. Line starts are found on the first question, so one thread at a
 * time per source. */
struct source {
    const char *name;  /* for messages; NULL: "<input>" */
    struct bytes text; /* owned by the caller */
    VEC(size_t) line_starts;
};

struct source_position {
    size_t line, column; /* from 1; the column counts bytes */
};

/* The position of a byte; offsets after the end count as the end. When memory is out, line 0. */
struct source_position source_position(struct source *source, size_t offset);

/* The bytes of a line without its end; empty when there is no such line. */
struct bytes source_line(struct source *source, size_t line);

void source_free(struct source *source); /* not the text */

#endif
