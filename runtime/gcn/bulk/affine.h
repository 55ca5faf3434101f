/* SPDX-License-Identifier: MIT */
/* Values that depend linearly on where a work-item stands in a box of work-groups. */
#ifndef RUNTIME_GCN_AFFINE_H
#define RUNTIME_GCN_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Wide enough for products of 64-bit values and counts. */
__extension__ typedef __int128 affine_int;

/* A work-item of a box has six coordinates: how far its group is from the first one along each dimension, and its ids
 * in the group. */
enum { AFFINE_GROUPS = 3, AFFINE_COORDINATES = 6 };

/* A box of work-groups: its first group, and how many values each coordinate takes. */
struct affine_box {
    uint64_t first[AFFINE_GROUPS];
    uint64_t count[AFFINE_COORDINATES];
};

static inline uint64_t affine_groups(const struct affine_box *box)
{
    return box->count[0] * box->count[1] * box->count[2];
}

/* The place of group number AT of BOX, counted from its first group on. */
static inline void affine_group_at(const struct affine_box *box, uint64_t at, uint64_t place[AFFINE_GROUPS])
{
    uint64_t row = at / box->count[0];
    place[0] = at - row * box->count[0];
    place[1] = row % box->count[1];
    place[2] = row / box->count[1];
}

/* The exact value AT + the sum of STEP[i] * coordinate[i]; it does not wrap around. */
struct affine {
    affine_int at, step[AFFINE_COORDINATES];
};

/* The constant VALUE. */
struct affine affine_constant(affine_int value);
/* A coordinate, plus AT. */
struct affine affine_coordinate(unsigned i, affine_int at);

/* A * X + B * Y. */
struct affine affine_sum(affine_int a, const struct affine *x, affine_int b, const struct affine *y);

/* The least and the greatest value that F has in BOX. */
struct affine_range {
    affine_int low, high;
};
struct affine_range affine_range(const struct affine *f, const struct affine_box *box);

/* Whether F has one value for the whole box. Steps along coordinates that do not vary are zero. */
bool affine_is_constant(const struct affine *f);

/* The greatest power of two, up to 2^63, that divides F everywhere. */
unsigned affine_alignment(const struct affine *f);

/* Divides BOX at THRESHOLD, which lies within the range of F: into groups where F is less everywhere, where it is not
 * less anywhere, and those between. Returns the number of PARTS, or 0 if the box cannot be divided so. */
unsigned affine_split(const struct affine *f, const struct affine_box *box, affine_int threshold,
                      struct affine_box parts[3]);

#endif
