/* SPDX-License-Identifier: MIT */
/* Profiling, and the attributes of queues and agents that AMD's extension adds. (ROCR documentation 4.9, 4.13)
 *
 * Input: queues, signals, agents of any value. Output: times in ticks of the system timestamp; attributes. */
#include "runtime/queue.h"

#include "runtime/agent.h"

HSA_API hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *pointer, int enable)
{
    CHECK_UP();
    CHECK_ARGUMENT(pointer);
    struct queue *queue = queue_find_served(pointer);
    CHECK(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
    if (enable)
        __atomic_fetch_or(&queue->amd->queue_properties, AMD_QUEUE_PROPERTIES_ENABLE_PROFILING, __ATOMIC_SEQ_CST);
    else
        __atomic_fetch_and(&queue->amd->queue_properties, ~(uint32_t)AMD_QUEUE_PROPERTIES_ENABLE_PROFILING,
                           __ATOMIC_SEQ_CST);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                         hsa_amd_profiling_dispatch_time_t *time)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    const struct signal *found = signal_find(signal);
    CHECK(found, HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK_ARGUMENT(time);
    *time = (hsa_amd_profiling_dispatch_time_t){found->line->start_ts, found->line->end_ts};
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal,
                                                           hsa_amd_profiling_async_copy_time_t *time)
{
    CHECK_UP();
    const struct signal *found = signal_find(signal);
    CHECK(found, HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK_ARGUMENT(time);
    *time = (hsa_amd_profiling_async_copy_time_t){found->line->start_ts, found->line->end_ts};
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t agent_tick,
                                                                     uint64_t *system_tick)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(system_tick);
    *system_tick = agent_tick;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t handle, hsa_amd_coherency_type_t *type)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(type);
    *type = agent->coherency;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t handle, hsa_amd_coherency_type_t type)
{
    CHECK_UP();
    struct agent *agent = agent_find(handle);
    CHECK(agent && agent->config.device_type != HSA_DEVICE_TYPE_CPU, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(type <= HSA_AMD_COHERENCY_TYPE_NONCOHERENT);
    agent->coherency = type;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_queue_get_info(hsa_queue_t *pointer, hsa_queue_info_attribute_t attribute, void *value)
{
    CHECK_UP();
    const struct queue *queue = queue_find_served(pointer);
    CHECK(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_AMD_QUEUE_INFO_AGENT:
        PUT(hsa_agent_t, queue->agent ? queue->agent->handle : (hsa_agent_t){0});
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_QUEUE_INFO_DOORBELL_ID: PUT(uint64_t, queue->info.doorbell.handle); return HSA_STATUS_SUCCESS;
    case HSA_EXT_QUEUE_INFO_ERROR_TEXT: PUT(const char *, queue->error_text); return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* ---- what no agent has ---- */

static hsa_status_t no_monitor(hsa_agent_t agent)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return HSA_STATUS_ERROR;
}

HSA_API hsa_status_t hsa_amd_spm_acquire(hsa_agent_t preferred_agent)
{
    return no_monitor(preferred_agent);
}

HSA_API hsa_status_t hsa_amd_spm_release(hsa_agent_t preferred_agent)
{
    return no_monitor(preferred_agent);
}

HSA_API hsa_status_t hsa_amd_spm_set_dest_buffer(hsa_agent_t preferred_agent, size_t size_in_bytes, uint32_t *timeout,
                                                 uint32_t *size_copied, void *dest, bool *is_data_loss)
{
    (void)size_in_bytes, (void)timeout, (void)size_copied, (void)dest, (void)is_data_loss;
    return no_monitor(preferred_agent);
}

HSA_API hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t threshold)
{
    CHECK_UP();
    (void)threshold;
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
