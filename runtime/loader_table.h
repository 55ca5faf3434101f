/* SPDX-License-Identifier: MIT */
/* AMD's loader extension, for the list of extensions. */
#ifndef RUNTIME_LOADER_TABLE_H
#define RUNTIME_LOADER_TABLE_H

#include "runtime/agent.h"

bool loader_usable(void);
bool loader_of_agent(const struct agent *agent);

/* A hsa_ven_amd_loader_1_03_pfn_t. */
const void *loader_table(void);

#endif
