/* SPDX-License-Identifier: MIT */
/* A tools library for tools_test.c: puts a function into every row of the tables that answers with the row's number.
 *
 * Input: HSA_TEST_TOOL: "refuse" has OnLoad() return false. Output: tool_state, and rows that answer or call the saved
 * functions. */
#include "testsuite/runtime/tool.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT struct tool_state tool_state;

static struct {
    struct CoreApiTable core;
    struct AmdExtTable amd;
    struct FinalizerExtTable finalizer;
    struct ImageExtTable image;
} saved;
static struct HsaApiTable *live;

#define ANSWER(name)                                                                                         \
    static uint64_t answer_##name(void)                                                                      \
    {                                                                                                        \
        return ROW_##name;                                                                                   \
    }
#define HSA_API_CORE      ANSWER
#define HSA_API_AMD       ANSWER
#define HSA_API_FINALIZER ANSWER
#define HSA_API_IMAGE     ANSWER
#include "hsa/hsa_api_trace.def"

EXPORT void tool_answer(bool answer)
{
    if (!answer) {
        *live->core_ = saved.core;
        *live->amd_ext_ = saved.amd;
        *live->finalizer_ext_ = saved.finalizer;
        *live->image_ext_ = saved.image;
        return;
    }
#define PUT(table, name)       table->name##_fn = (__typeof__(table->name##_fn))(void (*)(void))answer_##name;
#define HSA_API_CORE(name)      PUT(live->core_, name)
#define HSA_API_AMD(name)       PUT(live->amd_ext_, name)
#define HSA_API_FINALIZER(name) PUT(live->finalizer_ext_, name)
#define HSA_API_IMAGE(name)     PUT(live->image_ext_, name)
#include "hsa/hsa_api_trace.def"
}

static hsa_status_t count_agent(hsa_agent_t agent, void *data)
{
    (void)agent;
    ++*(unsigned *)data;
    return HSA_STATUS_SUCCESS;
}

EXPORT bool OnLoad(struct HsaApiTable *table, uint64_t version, uint64_t failed, const char *const *names)
{
    const char *wish = getenv("HSA_TEST_TOOL");
    if (wish && !strcmp(wish, "refuse"))
        return false;
    live = table;
    saved.core = *table->core_;
    saved.amd = *table->amd_ext_;
    saved.finalizer = *table->finalizer_ext_;
    saved.image = *table->image_ext_;
    tool_state.amd = &saved.amd;
    tool_state.loads++;
    tool_state.version = version;
    tool_state.failed = failed;
    strncpy(tool_state.failed_name, failed ? names[0] : "", sizeof tool_state.failed_name - 1);
    tool_state.agents = 0;
    saved.core.hsa_iterate_agents_fn(count_agent, &tool_state.agents);
    if (saved.core.hsa_init_fn() == HSA_STATUS_SUCCESS) /* a second time, inside of OnLoad() */
        tool_state.nested = saved.core.hsa_shut_down_fn() == HSA_STATUS_SUCCESS;
    return true;
}

EXPORT void OnUnload(void)
{
    const char *name = NULL;
    tool_state.unloads++;
    tool_state.up_at_unload = saved.core.hsa_extension_get_name_fn(0, &name) == HSA_STATUS_SUCCESS;
    saved.core.hsa_shut_down_fn(); /* does nothing here */
}
