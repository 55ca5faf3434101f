/* SPDX-License-Identifier: MIT */
/* Status texts and the choice of an agent; see hsa_util.h.
 * Input: an initialized runtime. Output: agents in the runtime's order, messages on standard error. */
#include "tools/hsa_util.h"

#include <stdlib.h>
#include <string.h>

void hsa_ask_for_messages(void)
{
    static const char *const names[] = {
        "HSA_ENABLE_QUEUE_FAULT_MESSAGE", "HSA_ENABLE_LOADER_MESSAGE", "HSAIL_FINALIZER_MESSAGES"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], i && cli_uses_json() ? "json" : "1", 0); /* queues are reported by the tool itself */
}

const char *hsa_text(hsa_status_t status)
{
    const char *text = NULL;
    if (hsa_status_string(status, &text) != HSA_STATUS_SUCCESS || !text)
        return "unknown HSA status";
    return text;
}

bool hsa_succeeded(const struct cli_program *program, hsa_status_t status, const char *what)
{
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
        return true;
    cli_error(program, "%s: %s", what, hsa_text(status));
    return false;
}

static hsa_status_t collect_agent(hsa_agent_t agent, void *data)
{
    struct hsa_agent_list *list = data;
    if (list->count == HSA_MAX_AGENTS)
        return HSA_STATUS_INFO_BREAK;
    list->agent[list->count++] = agent;
    return HSA_STATUS_SUCCESS;
}

bool hsa_list_agents(const struct cli_program *program, struct hsa_agent_list *list)
{
    list->count = 0;
    return hsa_succeeded(program, hsa_iterate_agents(collect_agent, list), "listing the agents");
}

static bool runs_kernels(hsa_agent_t agent)
{
    hsa_agent_feature_t features = 0;
    return hsa_agent_get_info(agent, HSA_AGENT_INFO_FEATURE, &features) == HSA_STATUS_SUCCESS &&
           (features & HSA_AGENT_FEATURE_KERNEL_DISPATCH);
}

static bool is_gpu(hsa_agent_t agent)
{
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    return hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) == HSA_STATUS_SUCCESS && type == HSA_DEVICE_TYPE_GPU;
}

/* Whether WANTED is the agent's index or its name. */
static bool is_wanted(const char *wanted, hsa_agent_t agent, size_t index)
{
    uint64_t number;
    if (cli_number(wanted, HSA_MAX_AGENTS, &number))
        return number == index;
    char name[65] = "";
    return hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name) == HSA_STATUS_SUCCESS && !strcmp(wanted, name);
}

bool hsa_choose_agent(const struct cli_program *program, const char *wanted, hsa_agent_t *agent)
{
    struct hsa_agent_list list;
    if (!hsa_list_agents(program, &list))
        return false;
    bool found = false, found_gpu = false;
    for (size_t i = 0; i < list.count; i++) {
        if (wanted && !is_wanted(wanted, list.agent[i], i))
            continue;
        if (!runs_kernels(list.agent[i])) {
            if (!wanted)
                continue;
            cli_error(program, "agent %s does not run kernels", wanted);
            return false;
        }
        if (found && (found_gpu || !is_gpu(list.agent[i])))
            continue;
        *agent = list.agent[i];
        found = true;
        found_gpu = is_gpu(list.agent[i]);
    }
    if (!found && wanted)
        cli_error(program, "there is no agent %s; hsainfo lists those that exist", wanted);
    else if (!found)
        cli_error(program, "no agent runs kernels");
    return found;
}
