/* SPDX-License-Identifier: MIT */
/* Bit fields of the encodings, and example words for each operation in each of its encodings. */
#ifndef TESTSUITE_GCN_DECODE_FIELDS_H
#define TESTSUITE_GCN_DECODE_FIELDS_H

#include "runtime/gcn/inst/gcn_target.h"

/* Bits LOW .. LOW + WIDTH - 1 of the 64-bit word; a list ends with width 0. Opcode fields are not listed. */
struct field {
    uint8_t low, width;
};

struct base {
    uint64_t word;
    const struct field *fields;
};

enum { MAX_BASES = 64 };

/* Makes example words of OP on TARGET; returns how many, which is 0 if the target lacks OP. */
unsigned fields_bases(const struct gcn_target *target, enum gcn_op op, struct base bases[MAX_BASES]);

#endif
