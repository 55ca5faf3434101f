/* SPDX-License-Identifier: MIT */
/* The tree of files that hsa-run shows to programs. */
#ifndef TOOLS_HSA_RUN_TREE_H
#define TOOLS_HSA_RUN_TREE_H

#include "support/cli.h"

/* Writes what stands for the agents of the runtime, which is up, below the folder AT; counts the GPUs. False after a
 * message. */
bool run_tree_make(const struct cli_program *program, const char *at, unsigned *gpus);

/* Removes the folder AT with all that is in it, following no links. */
void run_tree_remove(const char *at);

#endif
