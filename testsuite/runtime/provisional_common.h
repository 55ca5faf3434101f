/* SPDX-License-Identifier: MIT */
/* What the tests of programs of HSA 1.0 provisional share: modules as tables of sections, two GPUs, dispatches. */
#ifndef TESTSUITE_RUNTIME_PROVISIONAL_COMMON_H
#define TESTSUITE_RUNTIME_PROVISIONAL_COMMON_H

#include "hsa-1.0p/hsa.h"
#include "hsa-1.0p/hsa_ext_finalize.h"

#include <stdbool.h>
#include <stddef.h>

/* A table of sections, as programs of that time have it. */
struct table {
    uint32_t count;
    hsa_ext_brig_section_header_t *section[3];
    char *bytes; /* what the sections are in */
};

extern hsa_agent_t gpus[2], cpu;
extern hsa_region_t kernarg;

/* Sets these; false if there are no two GPUs. */
bool find_two_gpus(void);

/* Assembles a text into sections. With OLD_HEADERS these get headers of 1.0P, with as many bytes as before. */
bool assemble_table(struct table *table, const char *text, bool old_headers);

/* The offset of the entry with that name: code entries begin with their size, and name is the second word. */
uint32_t find_entry(const struct table *table, const char *name);

/* Runs the kernel of DESCRIPTOR with one work-item, and returns what it stores. */
uint32_t run_descriptor(hsa_agent_t agent, const hsa_ext_code_descriptor_t *descriptor);

#endif
