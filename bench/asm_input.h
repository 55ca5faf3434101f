/* SPDX-License-Identifier: MIT */
/* Texts for asm_bench. */
#ifndef BENCH_ASM_INPUT_H
#define BENCH_ASM_INPUT_H

#include "support/textbuf.h"

#include <stdbool.h>

/* About LINES lines of kernels as compilers write them: a mix of instructions, labels, arg blocks, variables and
 * comments; and as many of x86 functions in the syntax of GNU as. */
void make_mixed(struct textbuf *text, unsigned lines);
void make_x86(struct textbuf *text, unsigned lines);

/* A module that has much of one thing. */
struct asm_case {
    const char *name; /* the name of the things of which there are COUNT; NULL ends the list */
    void (*make)(struct textbuf *text, unsigned count);
    unsigned count;
    bool legal;
};

extern const struct asm_case asm_cases[];

#endif
