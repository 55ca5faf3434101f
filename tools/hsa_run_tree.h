/* SPDX-License-Identifier: MIT */
/* The tree of files that hsa-run shows to programs. */
#ifndef TOOLS_HSA_RUN_TREE_H
#define TOOLS_HSA_RUN_TREE_H

#include "hsa/hsa.h"
#include "support/cli.h"

enum { AMD_VENDOR = 0x1002 }; /* the vendor of PCI devices that AMD's programs look for */

/* A tree that is being made. */
struct run_tree {
    const struct cli_program *program;
    const char *at;       /* the folder */
    unsigned nodes, gpus; /* how many are described so far */
    uint64_t gpu_nodes;   /* bit N: node N is a GPU */
    bool good;            /* no message has been printed */
};

/* Writes what stands for the agents of the runtime, which is up, below the folder AT; counts the GPUs. False after a
 * message. */
bool run_tree_make(const struct cli_program *program, const char *at, unsigned *gpus);

/* Removes the folder AT with all that is in it, following no links. */
void run_tree_remove(const char *at);

/* Write a file, and a symbolic link with the text TO, below the folder. If that fails, TREE is not good any more. */
void run_tree_put(struct run_tree *tree, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void run_tree_link(struct run_tree *tree, const char *name, const char *to);

/* An attribute of the agent that is a number of 32 bits; 0 if it has none. */
uint32_t run_tree_number(hsa_agent_t agent, int attribute);

/* The number that is in the agent's UUID. */
uint64_t run_tree_unique_id(hsa_agent_t agent);

#endif
