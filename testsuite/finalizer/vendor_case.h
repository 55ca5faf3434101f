/* SPDX-License-Identifier: MIT */
/* Executes instructions of the extension amd:gcn on random sources and compares the results with functions in C. */
#ifndef TESTSUITE_FINALIZER_VENDOR_CASE_H
#define TESTSUITE_FINALIZER_VENDOR_CASE_H

#include <stdbool.h>
#include <stdint.h>

/* What a work-item computes with: $s0 to $s3, and $d2 and $d3. */
struct sources {
    uint32_t word[4];
    uint64_t wide[2];
};

/* How the sources are chosen. */
enum vendor_fill {
    FILL_INTEGERS, /* any bits; in each word a byte that is 0 */
    FILL_FLOATS,   /* words: floats that are neither NaN nor subnormal */
    FILL_NUMBERS   /* word 0 and 1: any floats; 2: a small integer; 3: two halves but no NaN; wide: any doubles */
};

struct vendor_case {
    const char *instruction; /* its result is in $s8, or in $d4 if it is wide */
    uint64_t (*expected)(const struct sources *s);
    bool is_wide;
    enum vendor_fill fill;
};

/* Whether a case that is compiled with OPTIONS gives what is expected; prints up to three results that differ. */
bool vendor_right(const struct vendor_case *c, const char *options);

#endif
