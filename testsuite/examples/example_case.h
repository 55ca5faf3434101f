/* SPDX-License-Identifier: MIT */
/* The six example kernels as test cases: launch, arguments, and the results that plain C computes. */
#ifndef TESTSUITE_EXAMPLES_EXAMPLE_CASE_H
#define TESTSUITE_EXAMPLES_EXAMPLE_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXAMPLE_ARGUMENTS 8

struct example_argument {
    const char *type; /* HSAIL type of the scalar or of the elements */
    uint64_t scalar;  /* bits of a scalar */
    size_t size;      /* bytes of a buffer; 0 for a scalar */
    void *data;       /* contents before the kernel runs */
    void *expected;   /* contents afterwards */
};

struct example_case {
    unsigned dimensions;
    uint32_t grid[3];
    uint16_t group[3];
    size_t count;
    struct example_argument argument[EXAMPLE_ARGUMENTS];
};

struct example {
    const char *name; /* of the file, without .hsail, and of its kernel */
    void (*make)(struct example_case *made);
};

extern const struct example examples[];
extern const size_t example_count;

/* Makes the case of EXAMPLE; example_free() frees it. Ends the process if memory runs out. */
void example_make(const struct example *example, struct example_case *made);
void example_free(struct example_case *made);

#endif
