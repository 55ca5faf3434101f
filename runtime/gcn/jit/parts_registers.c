/* SPDX-License-Identifier: MIT */
/* Finds the vector registers that bring nothing from one round of a loop in two parts (parts.h) to the next, or out of
 * it: in each round, a lane that reads them has written them before. What they hold in other lanes may be anything, so
 * that results need not be blended with it.
 * Input: the steps of a loop, and EXEC at each step in all cases (parts_masks.c). Output: marks of such registers.
 * Invariant: nothing is emitted. */
#include "runtime/gcn/jit/parts.h"

static bool reads(const struct builder *f, const struct step *step, int line)
{
    const struct effect *effect = f->effects[step->index];
    const struct gcn_uop *op = &f->unit->ops[step->index];
    bool read = false;
    for (unsigned slot = PA; step->kind == STEP_VECTOR && slot <= PD; slot++) {
        int first = ref_line(loop_source_of(op, slot));
        read |= first >= 0 && line >= first && line < first + (int)loop_source_lines(effect, slot);
    }
    return read;
}

static bool writes(const struct builder *f, const struct step *step, int line)
{
    const struct effect *effect = f->effects[step->index];
    const struct gcn_uop *op = &f->unit->ops[step->index];
    int first = ref_line(op->dst);
    if (step->kind != STEP_VECTOR || first < 0)
        return false;
    bool swaps = effect->kind == EFFECT_SWAP && line == ref_line(op->src[0]);
    return swaps || (line >= first && line < first + (int)loop_result_lines(effect));
}

/* The lanes in which steps from AT on, up to the end of the round, read LINE before they write it. */
static uint64_t lanes_that_read(const struct builder *f, unsigned at, int line)
{
    uint64_t read = 0, written = 0;
    for (; at < f->parts->count; at++) {
        uint64_t exec = f->parts->simple.exec[at];
        if (reads(f, &f->parts->steps[at], line))
            read |= exec & ~written;
        if (writes(f, &f->parts->steps[at], line))
            written |= exec;
    }
    return read;
}

static uint64_t lanes_of_entry(const struct builder *f, const struct jit_loop *loop, unsigned at, unsigned k)
{
    uint64_t lanes = lanes_that_read(f, at, loop->line[k]);
    return loop->wide[k] ? lanes | lanes_that_read(f, at, loop->line[k] + 1) : lanes;
}

void parts_find_temporaries(struct builder *f, const struct jit_loop *loop)
{
    struct parts *parts = f->parts;
    for (unsigned k = 0; k < loop->lines; k++) {
        parts->temporary[k] = !lanes_of_entry(f, loop, 0, k);
        for (unsigned at = 0; at < parts->count; at++) {
            const struct step *step = &parts->steps[at];
            if ((step->kind == STEP_EMPTY || step->kind == STEP_LEAVE) && loop_is_live(f, loop, step->target, k))
                parts->temporary[k] = false;
        }
    }
}

bool parts_needs_old(const struct builder *f, unsigned at, unsigned k)
{
    const struct parts *parts = f->parts;
    if (!parts->temporary[k])
        return true;
    return at < parts->count && lanes_of_entry(f, f->loop, at + 1, k) & ~parts->simple.exec[at];
}
