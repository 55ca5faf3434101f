/* SPDX-License-Identifier: MIT */
/* Checks of a launch before it happens: the arguments against the kernel's signature, grid and work-group against what
 * the kernel requires. */
#ifndef TOOLS_RUN_LAUNCH_H
#define TOOLS_RUN_LAUNCH_H

#include "tools/run_argument.h"
#include "tools/run_dispatch.h"
#include "tools/run_kernel.h"

/* Fills in what the command line has left open in *DISPATCH (0 dimensions: no grid was given; a group of 0: no group
 * was given), from what the kernel requires or from hsailrun's defaults. If sizes contradict the kernel's directives or
 * the AGENT's limit, prints names and numbers of both and returns false. */
bool run_launch_sizes(const struct cli_program *program, hsa_agent_t agent, const struct run_kernel *kernel,
                      struct run_dispatch *dispatch);

/* Compares COUNT arguments with the kernel's formal ones. If there are too few or too many, or if one has a wrong size
 * or kind, prints that with the signature and returns false. */
bool run_launch_check(const struct cli_program *program, const struct run_kernel *kernel,
                      const struct run_argument *arguments, size_t count);

/* The name of the formal argument that argument INDEX stands for, "" when it has none. */
const char *run_launch_name(const struct run_kernel *kernel, size_t index);

/* Stores the checked arguments and the hidden ones at KERNARG, which has the size that the kernel needs. */
void run_launch_store(const struct run_kernel *kernel, const struct run_argument *arguments, size_t count,
                      const struct run_dispatch *dispatch, void *kernarg);

#endif
