/* SPDX-License-Identifier: MIT */
/* Control directives: the rows of tables/control.def, and what relates several directives of one kernel. Serves the
 * assembler, the validator and the finalizer. */
#ifndef BRIG_CONTROL_H
#define BRIG_CONTROL_H

#include "brig/language.h"

#include <stdbool.h>

#define CONTROL_DIRECTIVES (HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGROUPBASEPTRALIGN + 1)
#define CONTROL_VALUES 3         /* operands at most */
#define CONTROL_EXCEPTIONS 0x1fu /* the bits of exceptions that count */
#define CONTROL_MOST_WAVESIZE 256u

enum control_value { CONTROL_ANY, CONTROL_POSITIVE, CONTROL_EXCEPTION_BITS, CONTROL_DIMENSIONS, CONTROL_ALIGNMENT };

enum control_merge { CONTROL_UNION, CONTROL_SAME, CONTROL_LIMIT, CONTROL_PROMISE };

struct control_row {
    uint16_t type; /* of its operands */
    uint8_t operands;
    bool wavesize;
    uint8_t value; /* enum control_value */
    uint8_t merge; /* enum control_merge */
    uint8_t since; /* minor version of HSAIL */
};

/* The row of a directive; NULL when there is none. */
const struct control_row *control_row(unsigned control);

/* Directives that were given: their bits in MASK, numbered as in BRIG, and their values. A value of 0 where only
 * positive ones are possible is WAVESIZE, as long as the wavefront is not known. */
struct control_set {
    uint64_t mask;
    uint64_t value[CONTROL_DIRECTIVES][CONTROL_VALUES];
};

static inline bool control_given(const struct control_set *set, unsigned control)
{
    return set->mask >> control & 1;
}

/* Whether VALUE can be an operand of the directive. */
bool control_value_fits(unsigned control, uint64_t value);

/* Adds a directive to those of the same kernel; false when it was given before with a value that cannot be equal.
 * WAVESIZE can be equal to a power of two up to 256. The values of the directive added last are kept. */
bool control_add(struct control_set *set, unsigned control, const uint64_t value[CONTROL_VALUES]);

/* Adds a directive to those of the same code block, which may repeat it with another value: the tightest one is kept,
 * which is the smaller size or the larger alignment. False when the values cannot be equal. */
bool control_tighten(struct control_set *set, unsigned control, const uint64_t value[CONTROL_VALUES]);

/* Two directives of the set that contradict each other whatever WAVESIZE is (PRM 13.5: dimensions, sizes, limits). */
bool control_conflict(const struct control_set *set, unsigned pair[2]);

#endif
