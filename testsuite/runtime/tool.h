/* SPDX-License-Identifier: MIT */
/* What the tools library tool.c and its test share. */
#ifndef TESTSUITE_RUNTIME_TOOL_H
#define TESTSUITE_RUNTIME_TOOL_H

#include "hsa/hsa_api_trace.h"

/* ROW_hsa_init, ...: a number for each row, from 1. */
enum tool_row {
    TOOL_ROW_NONE,
#define HSA_API_CORE(name)      ROW_##name,
#define HSA_API_AMD(name)       ROW_##name,
#define HSA_API_FINALIZER(name) ROW_##name,
#define HSA_API_IMAGE(name)     ROW_##name,
#include "hsa/hsa_api_trace.def"
    TOOL_ROWS
};

struct tool_state {
    unsigned loads, unloads, agents;
    uint64_t version, failed;
    char failed_name[64];
    bool nested, up_at_unload;
    const struct AmdExtTable *amd; /* as it was before the library changed it */
};

/* Has the library put into all rows functions that answer with the row's number, or else the saved ones. */
void tool_answer(bool answer);
typedef void (*tool_answer_t)(bool answer);

/* The functions that the runtime calls. */
bool OnLoad(struct HsaApiTable *table, uint64_t version, uint64_t failed, const char *const *names);
void OnUnload(void);

#endif
