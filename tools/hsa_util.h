/* SPDX-License-Identifier: MIT */
/* What the tools that use the HSA runtime share: messages for its statuses and the choice of an agent. */
#ifndef TOOLS_HSA_UTIL_H
#define TOOLS_HSA_UTIL_H

#include "hsa/hsa.h"
#include "support/cli.h"

#include <stdbool.h>
#include <stddef.h>

#define HSA_MAX_AGENTS 64

struct hsa_agent_list {
    hsa_agent_t agent[HSA_MAX_AGENTS];
    size_t count;
};

/* Asks runtime and finalizer to print to standard error why they refuse something, unless the environment already says
 * whether they are to. To be called before the runtime is started. */
void hsa_ask_for_messages(void);

/* The runtime's text for STATUS, never NULL. */
const char *hsa_text(hsa_status_t status);

/* True when STATUS is a success; otherwise prints `tool: WHAT: text of the status` and returns false. */
bool hsa_succeeded(const struct cli_program *program, hsa_status_t status, const char *what);

/* Lists the agents in the order of the runtime. Prints what went wrong and returns false when it fails. */
bool hsa_list_agents(const struct cli_program *program, struct hsa_agent_list *list);

/* Chooses the agent that kernels are run on: WANTED is an index into the list or an agent's name; NULL takes the
 * first GPU that accepts kernels, or else the first agent that does. Prints why there is none, and returns false. */
bool hsa_choose_agent(const struct cli_program *program, const char *wanted, hsa_agent_t *agent);

#endif
