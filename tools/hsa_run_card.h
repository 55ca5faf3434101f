/* SPDX-License-Identifier: MIT */
/* The files of /sys/class/drm that describe a GPU, as rocm-smi reads them. */
#ifndef TOOLS_HSA_RUN_CARD_H
#define TOOLS_HSA_RUN_CARD_H

#include "hsa/hsa.h"
#include "tools/hsa_run_tree.h"

/* Writes the files of AGENT, the GPU of that NUMBER, to TREE. */
void run_card_put(struct run_tree *tree, hsa_agent_t agent, unsigned number);

#endif
