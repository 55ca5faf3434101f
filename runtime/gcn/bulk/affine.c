/* SPDX-License-Identifier: MIT */
/* Linear functions on boxes of work-groups. Input: functions, boxes. Output: sums, ranges, and parts of a box on which
 * a comparison has one result. Invariant: nothing overflows as long as values stay within 2^100. */
#include "runtime/gcn/bulk/affine.h"

struct affine affine_constant(affine_int value)
{
    return (struct affine){.at = value};
}

struct affine affine_coordinate(unsigned i, affine_int at)
{
    struct affine f = {.at = at};
    f.step[i] = 1;
    return f;
}

struct affine affine_sum(affine_int a, const struct affine *x, affine_int b, const struct affine *y)
{
    struct affine f = {.at = a * x->at + b * y->at};
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++)
        f.step[i] = a * x->step[i] + b * y->step[i];
    return f;
}

struct affine_range affine_range(const struct affine *f, const struct affine_box *box)
{
    struct affine_range range = {f->at, f->at};
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++) {
        affine_int most = f->step[i] * (affine_int)(box->count[i] - 1);
        *(most < 0 ? &range.low : &range.high) += most;
    }
    return range;
}

bool affine_is_constant(const struct affine *f)
{
    affine_int any = 0;
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++)
        any |= f->step[i];
    return !any;
}

unsigned affine_alignment(const struct affine *f)
{
    uint64_t bits = (uint64_t)f->at | UINT64_C(1) << 63;
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++)
        bits |= (uint64_t)f->step[i];
    return (unsigned)__builtin_ctzll(bits);
}

/* The quotient rounded up; B is positive. */
static affine_int divide_up(affine_int a, affine_int b)
{
    return a / b + (a % b > 0);
}

/* For which coordinates from 0 to COUNT the value STEP * coordinate + REST reaches THRESHOLD first; STEP is positive.
 */
static uint64_t first_at(affine_int step, affine_int rest, affine_int threshold, uint64_t count)
{
    affine_int at = divide_up(threshold - rest, step);
    return at<0 ? 0 : at>(affine_int) count ? count : (uint64_t)at;
}

static unsigned add_part(const struct affine_box *box, unsigned i, uint64_t from, uint64_t to, struct affine_box *part)
{
    if (from >= to)
        return 0;
    *part = *box;
    part->first[i] += from;
    part->count[i] = to - from;
    return 1;
}

unsigned affine_split(const struct affine *f, const struct affine_box *box, affine_int threshold,
                      struct affine_box parts[3])
{
    struct affine_range range = affine_range(f, box);
    for (unsigned i = 0; i < AFFINE_GROUPS; i++) {
        affine_int step = f->step[i];
        uint64_t count = box->count[i];
        if (!step || count == 1)
            continue;
        affine_int most = step * (affine_int)(count - 1), low = range.low - (most < 0 ? most : 0),
                   high = range.high - (most > 0 ? most : 0);
        uint64_t a, b; /* up to A one thing is sure, from B on the other */
        if (step > 0) {
            a = first_at(step, high, threshold, count);
            b = first_at(step, low, threshold, count);
        } else { /* -F passes 1 - THRESHOLD in the other direction */
            a = first_at(-step, -low, 1 - threshold, count);
            b = first_at(-step, -high, 1 - threshold, count);
        }
        if (a == 0 && b == count)
            continue;
        unsigned n = add_part(box, i, 0, a, &parts[0]);
        n += add_part(box, i, a, b, &parts[n]);
        return n + add_part(box, i, b, count, &parts[n]);
    }
    return 0;
}
