/* SPDX-License-Identifier: MIT */
/* Operand values for tests of the vector ALU, and when results count as equal. */
#ifndef TESTSUITE_GCN_VECTOR_VALUES_H
#define TESTSUITE_GCN_VECTOR_VALUES_H

#include "testsuite/gcn/valu_model.h"

/* A pseudo-random sequence, the same in every run; and beginning another one, of which SEED says which. */
uint64_t value_random(void);
void value_seed(uint64_t seed);

/* A special or random value of TYPE. */
u128 value_of(enum gcn_type type);

/* Whether HERE counts as equal to the model's result THERE: both are NaNs, or the difference is within the tolerance.
 */
bool value_matches(const struct model *m, const struct gcn_inst *inst, unsigned lane, u128 here, u128 there);

#endif
