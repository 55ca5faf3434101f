/* SPDX-License-Identifier: MIT */
/* Control directives; see control.h (PRM 13.5).
 * Input: directives of one kernel or function with their values. Output: whether they agree. Invariant: only what
 * holds for every size of a wavefront is called a contradiction. */
#include "brig/control.h"

#include "support/bytes.h"

static const struct control_row rows[CONTROL_DIRECTIVES] = {
#define NO false
#define YES true
#define VALUE_ANY CONTROL_ANY
#define VALUE_POSITIVE CONTROL_POSITIVE
#define VALUE_EXCEPTIONS CONTROL_EXCEPTION_BITS
#define VALUE_DIMENSIONS CONTROL_DIMENSIONS
#define VALUE_ALIGNMENT CONTROL_ALIGNMENT
#define CONTROL(name, operands, type, wavesize, value, merge, since) \
    [HSA_BRIG_CONTROL_DIRECTIVE_##name] = {HSA_BRIG_TYPE_##type, operands, wavesize, VALUE_##value, \
                                           CONTROL_##merge, since},
#include "brig/tables/control.def"
};

const struct control_row *control_row(unsigned control)
{
    return control < CONTROL_DIRECTIVES && rows[control].type ? &rows[control] : NULL;
}

bool control_value_fits(unsigned control, uint64_t value)
{
    switch ((enum control_value)rows[control].value) {
    case CONTROL_POSITIVE: return value > 0;
    case CONTROL_DIMENSIONS: return value >= 1 && value <= 3;
    case CONTROL_ALIGNMENT: return is_power_of_two(value) && value <= 256;
    case CONTROL_ANY:
    case CONTROL_EXCEPTION_BITS: break;
    }
    return true;
}

static bool may_be_wavesize(uint64_t value)
{
    return !value || (is_power_of_two(value) && value <= CONTROL_MOST_WAVESIZE);
}

static bool may_equal(const struct control_row *row, uint64_t a, uint64_t b)
{
    return a == b || (row->wavesize && (!a || !b) && may_be_wavesize(a | b));
}

bool control_add(struct control_set *set, unsigned control, const uint64_t value[CONTROL_VALUES])
{
    const struct control_row *row = &rows[control];
    bool agrees = true, given = control_given(set, control);
    for (unsigned i = 0; i < row->operands; i++) {
        uint64_t before = set->value[control][i];
        if (row->merge == CONTROL_UNION)
            set->value[control][i] |= value[i];
        else
            set->value[control][i] = value[i];
        agrees &= !given || row->merge == CONTROL_UNION || may_equal(row, before, value[i]);
    }
    set->mask |= UINT64_C(1) << control;
    return agrees;
}

bool control_tighten(struct control_set *set, unsigned control, const uint64_t value[CONTROL_VALUES])
{
    struct control_set before = *set;
    bool agrees = control_add(set, control, value), largest = rows[control].value == CONTROL_ALIGNMENT;
    for (unsigned i = 0; !agrees && i < rows[control].operands; i++) {
        uint64_t old = before.value[control][i], new = value[i];
        bool keep = !new || (old && (largest ? old > new : old < new)); /* a number rather than WAVESIZE */
        set->value[control][i] = keep ? old : new;
    }
    return agrees;
}

/* Whether the product of SIZE is more than LIMIT, a maximum. */
static bool exceeds(const struct control_set *set, unsigned size, unsigned limit)
{
    uint64_t product = 1, most = set->value[limit][0] ? set->value[limit][0] : CONTROL_MOST_WAVESIZE;
    for (unsigned i = 0; i < CONTROL_VALUES; i++)
        if (set->value[size][i] && __builtin_mul_overflow(product, set->value[size][i], &product))
            return true;
    return product > most;
}

bool control_conflict(const struct control_set *set, unsigned pair[2])
{
    static const uint8_t pairs[2][2] = {
        {HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE},
        {HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE},
    };
    const unsigned dim = HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM;
    for (unsigned i = 0; i < 2; i++) {
        unsigned size = pairs[i][0], limit = pairs[i][1];
        if (!control_given(set, size))
            continue;
        pair[0] = size;
        pair[1] = limit;
        if (control_given(set, limit) && exceeds(set, size, limit))
            return true;
        pair[1] = dim;
        for (uint64_t d = set->value[dim][0]; control_given(set, dim) && d < CONTROL_VALUES; d++)
            if (set->value[size][d] > 1)
                return true;
    }
    return false;
}
