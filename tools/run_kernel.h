/* SPDX-License-Identifier: MIT */
/* From a file to a loaded kernel: what hsailrun does before it dispatches. */
#ifndef TOOLS_RUN_KERNEL_H
#define TOOLS_RUN_KERNEL_H

#include "hsa/hsa.h"
#include "support/cli.h"
#include "tools/input.h"
#include "tools/run_signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_kernel {
    hsa_executable_t executable;
    hsa_code_object_t code_object;
    char *name; /* as found in the executable */
    struct run_signature signature;
    uint64_t object;
    uint32_t kernarg_size, kernarg_alignment, group_size, private_size;
    double finalize_time, load_time; /* seconds; the first is 0 for a code object */
};

/* Loads the COUNT inputs for AGENT: one code object, or modules, which are finalized together first. OPTIONS are for
 * the finalizer, or NULL. On failure prints what went wrong and returns false; *KERNEL must be freed even then. */
bool run_kernel_load(const struct cli_program *program, hsa_agent_t agent, const struct input *inputs, size_t count,
                     const char *options, struct run_kernel *kernel);

/* Finds the kernel NAME, with or without its `&`, and its signature in the inputs; NULL takes the only one. Prints what
 * went wrong, with the names there are, and returns false. */
bool run_kernel_find(const struct cli_program *program, const char *name, const struct input *inputs, size_t count,
                     struct run_kernel *kernel);

/* Prints each kernel with its signature and the sizes of its segments, as lines of JSON if JSON is set. Returns
 * success. */
bool run_kernel_list(const struct cli_program *program, const struct input *inputs, size_t count,
                     const struct run_kernel *kernel, bool json);

/* Frees all that run_kernel_load() and run_kernel_find() have made; a zeroed kernel is allowed. */
void run_kernel_free(struct run_kernel *kernel);

/* Seconds on a clock that never goes back. */
double run_clock(void);

#endif
