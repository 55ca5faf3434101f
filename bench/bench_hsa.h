/* SPDX-License-Identifier: MIT */
/* What benchmarks of the runtime share. */
#ifndef BENCH_BENCH_HSA_H
#define BENCH_BENCH_HSA_H

#include "hsa/hsa.h"

#include <stdio.h>
#include <stdlib.h>

/* Ends the benchmark if a call of the runtime has failed; WHAT names the call. */
static inline void bench_require(hsa_status_t status, const char *what)
{
    const char *text = "";
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
        return;
    hsa_status_string(status, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

/* For hsa_iterate_agents(): puts the first GPU into FOUND, a hsa_agent_t. */
static inline hsa_status_t bench_find_gpu(hsa_agent_t agent, void *found)
{
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type != HSA_DEVICE_TYPE_GPU)
        return HSA_STATUS_SUCCESS;
    *(hsa_agent_t *)found = agent;
    return HSA_STATUS_INFO_BREAK;
}

#endif
