/* SPDX-License-Identifier: MIT */
/* What programs of 2014 use of AMD's extension. The conventions of hsa-1.0p/hsa.h hold. */
#ifndef HSA_1_0P_HSA_EXT_AMD_H
#define HSA_1_0P_HSA_EXT_AMD_H

#include "hsa-1.0p/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an agent that is no CPU sees the host's memory. INVALID_AGENT: also a CPU that is to be changed. */
typedef enum hsa_amd_memory_type_s {
    HSA_AMD_MEMORY_TYPE_COHERENT = 0,
    HSA_AMD_MEMORY_TYPE_NONCOHERENT = 1
} hsa_amd_memory_type_t;
hsa_status_t hsa_ext_get_memory_type(hsa_agent_t agent, hsa_amd_memory_type_t *type);
hsa_status_t hsa_ext_set_memory_type(hsa_agent_t agent, hsa_amd_memory_type_t type);

/* When the kernel that completed SIGNAL started and ended, in ticks of the system timestamp, if ENABLE was not 0 for
 * its queue. */
typedef struct hsa_amd_dispatch_time_s {
    uint64_t start, end;
} hsa_amd_dispatch_time_t;
hsa_status_t hsa_ext_set_profiling(hsa_queue_t *queue, int enable);
hsa_status_t hsa_ext_get_dispatch_times(hsa_agent_t agent, hsa_signal_t signal, hsa_amd_dispatch_time_t *time);

#ifdef __cplusplus
}
#endif

#endif
