/* SPDX-License-Identifier: MIT */
/* What the files that make whole programs share. */
#ifndef TESTSUITE_FINALIZER_RANDOM_RANDOM_PROGRAM_H
#define TESTSUITE_FINALIZER_RANDOM_RANDOM_PROGRAM_H

#include "testsuite/finalizer/random/random.h"

struct program {
    struct random *random;
    struct random_text *out;
    enum random_kind kind;
    const char *name;   /* of the kernel; the names of its functions begin with it */
    int left;           /* how many statements are still to be made */
    unsigned labels;    /* how many labels there are so far */
    unsigned divergent; /* how many branches around this place may differ between work-items */
    unsigned functions, calls;
    unsigned loops; /* how many loops are around this place; each has a counter */
    bool in_function;
};

/* Adds private, spill and group variables of a kernel or function. */
void random_variables(struct random_text *out);

/* Adds one statement, or statements in branches and loops of at most DEPTH levels. */
void random_block(struct program *p, unsigned depth);

/* Adds a sequence of statements on values that compilers have a special instruction for. */
void random_shape(struct random *r, struct random_text *out);

/* Adds accesses to memory: loads, stores, vectors, atomic operations, arrays. */
void random_memory(struct program *p);

/* Adds barriers and instructions across lanes; only in places that all work-items come to. */
void random_lanes(struct program *p);

/* The first adds the functions that the kernel calls, the second a call of one. */
void random_functions(struct program *p);
void random_call(struct program *p);

#endif
