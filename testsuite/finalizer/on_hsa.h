/* SPDX-License-Identifier: MIT */
/* Runs HSAIL text through the HSA API on the software GPU, for tests of the finalizer together with the runtime. */
#ifndef TESTSUITE_FINALIZER_ON_HSA_H
#define TESTSUITE_FINALIZER_ON_HSA_H

#include "hsa/hsa.h"

#include <stdbool.h>
#include <stddef.h>

/* Initialises HSA, finds the software GPU, and makes a queue; false, after printing the reason, if that fails. */
bool on_hsa_start(void);
void on_hsa_stop(void);
hsa_agent_t on_hsa_agent(void);

/* Assembles and finalizes COUNT modules as one program, and returns its code object, which hsail_finalize_free()
 * releases; NULL, after printing the reason, if that fails. */
void *on_hsa_finalize(const char *const *texts, size_t count, size_t *size);

/* Loads a code object into an executable; returns the status of the first call that fails. */
hsa_status_t on_hsa_load(hsa_executable_t executable, const void *code, size_t size);
hsa_executable_t on_hsa_executable(void);

/* Dispatches a kernel over GRID work-items in groups of GROUP, with COUNT 64-bit kernel arguments and DYNAMIC bytes of
 * group memory beyond what the kernel declares. False if it does not complete. */
bool on_hsa_run(hsa_executable_symbol_t kernel, uint32_t grid, uint16_t group, uint32_t dynamic,
                const uint64_t *arguments, size_t count);

#endif
