/* SPDX-License-Identifier: MIT */
/* What the files that make whole programs share. */
#ifndef TESTSUITE_FINALIZER_RANDOM_RANDOM_PROGRAM_H
#define TESTSUITE_FINALIZER_RANDOM_RANDOM_PROGRAM_H

#include "testsuite/finalizer/random/random.h"

struct program {
    struct random *random;
    struct random_text *out;
    enum random_kind kind;
    const char *name;   /* of the kernel; its functions are called after it */
    int left;           /* statements to go */
    unsigned labels;    /* used so far */
    unsigned divergent; /* branches around this place on which work-items may differ */
    unsigned functions, calls;
    unsigned loops; /* around this place; each has a counter */
    bool in_function;
};

/* Private, spill and group variables of a kernel or function. */
void random_variables(struct random_text *out);

/* One statement, or a structure of them DEPTH deep. */
void random_block(struct program *p, unsigned depth);

/* Memory: loads, stores, vectors, atomics, arrays. */
void random_memory(struct program *p);

/* Barriers and instructions that look at other lanes; only where all work-items are. */
void random_lanes(struct program *p);

/* The functions that the kernel calls, and a call of one. */
void random_functions(struct program *p);
void random_call(struct program *p);

#endif
