/* SPDX-License-Identifier: MIT */
/* Kernels of any length, of code of several shapes. */
#ifndef BENCH_GROWTH_CODE_H
#define BENCH_GROWTH_CODE_H

#include <stddef.h>
#include <stdint.h>

struct growth_writer;

/* Writes some instructions, whose labels have NUMBER in their names; returns how many. */
typedef unsigned growth_part(struct growth_writer *w, unsigned number);

struct growth_shape {
    const char *name;
    growth_part *write;
};

extern const struct growth_shape growth_shapes[]; /* the last has no name */

/* The text of a kernel of about *COUNT instructions, and its size; *COUNT becomes their number. NULL if memory is out.
 */
char *growth_text(const struct growth_shape *shape, unsigned *count, size_t *size);

#endif
