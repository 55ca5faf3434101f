/* SPDX-License-Identifier: MIT */
/* Which bits of a result are undefined because bits of the operands are: the checker of initialisation asks for one
 * work-item, or one scalar operation, at a time. A bit of a shadow is 1 if that bit of the value was never written. */
#ifndef RUNTIME_GCN_SHADOW_RULE_H
#define RUNTIME_GCN_SHADOW_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum shadow_rule {
    SHADOW_ANY,     /* one undefined bit makes the whole result undefined */
    SHADOW_DEFINED, /* the result does not depend on the operands */
#define RULE(id) SHADOW_##id,
#define SHADOW(op, rule)
#include "runtime/gcn/tables/shadow.def"
#undef RULE
#undef SHADOW
};

/* A value and its shadow. */
struct shadowed {
    uint64_t value, shadow;
};

struct shadow_result {
    uint64_t shadow; /* of the result */
    bool carry;      /* carry or borrow is undefined */
};

/* The result of an operation by RULE on operands of BITS bits; CARRY is the one that comes in. */
struct shadow_result shadow_by_rule(enum shadow_rule rule, unsigned bits, const struct shadowed operands[3],
                                    struct shadowed carry);

#endif
