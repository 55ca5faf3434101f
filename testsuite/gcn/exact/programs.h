/* SPDX-License-Identifier: MIT */
/* The programs of this folder, as the host executes them. */
#ifndef TESTSUITE_GCN_EXACT_PROGRAMS_H
#define TESTSUITE_GCN_EXACT_PROGRAMS_H

#include <stdint.h>

enum { PROGRAM_WORDS = 4096 }; /* more results than any program has */

struct program {
    const char *name;
    void (*run)(uint32_t *results);
    unsigned groups, group, words; /* work-groups, their work-items, and results */
};
extern const struct program programs[];
extern const unsigned program_count;

/* Runs a program, whose results begin with zeros, and stores them. */
void run_on_host(const struct program *program, uint32_t *results);

#endif
