/* SPDX-License-Identifier: MIT */
/* What AMD's extension tells and changes about a single allocation. (ROCR documentation 4.8)
 *
 * Input: addresses of any value. Output: what the list of memory holds about the allocation at that address. */
#include "runtime/memory.h"
#include "runtime/share.h"

/* ---- access and locks ---- */

HSA_API hsa_status_t hsa_amd_agents_allow_access(uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags,
                                                 const void *ptr)
{
    CHECK_UP();
    CHECK_ARGUMENT(num_agents && agents && !flags && ptr);
    for (uint32_t i = 0; i < num_agents; i++)
        CHECK(agent_find(agents[i]), HSA_STATUS_ERROR_INVALID_AGENT);
    VEC(struct agent *) allowed = {0};
    CHECK(vec_reserve(&allowed, num_agents), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    for (uint32_t i = 0; i < num_agents; i++)
        allowed.items[i] = agent_find(agents[i]);
    hsa_status_t status = memory_allow(ptr, num_agents, allowed.items);
    vec_free(&allowed);
    return status;
}

HSA_API hsa_status_t hsa_amd_memory_lock(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
                                         void **agent_ptr)
{
    CHECK_UP();
    CHECK_ARGUMENT(host_ptr && size && agent_ptr && num_agent >= 0 && !agents == !num_agent);
    for (int i = 0; i < num_agent; i++)
        CHECK(agent_find(agents[i]), HSA_STATUS_ERROR_INVALID_AGENT);
    hsa_status_t status = memory_lock(host_ptr, size);
    if (status == HSA_STATUS_SUCCESS)
        *agent_ptr = host_ptr;
    return status;
}

HSA_API hsa_status_t hsa_amd_memory_lock_to_pool(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
                                                 hsa_amd_memory_pool_t pool, uint32_t flags, void **agent_ptr)
{
    CHECK_UP();
    const struct region *region = region_find(pool.handle);
    CHECK(region && region->agent->config.device_type == HSA_DEVICE_TYPE_CPU, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_ARGUMENT(!flags);
    return hsa_amd_memory_lock(host_ptr, size, agents, num_agent, agent_ptr);
}

HSA_API hsa_status_t hsa_amd_memory_unlock(void *host_ptr)
{
    CHECK_UP();
    CHECK_ARGUMENT(host_ptr);
    return memory_unlock(host_ptr);
}

/* ---- what is known ---- */

struct description {
    hsa_amd_pointer_info_t info;
    VEC(hsa_agent_t) agents;
};

static hsa_status_t describe_allocation(struct allocation *allocation, void *data)
{
    struct description *to = data;
    hsa_amd_pointer_info_t *info = &to->info;
    if (!allocation)
        return HSA_STATUS_SUCCESS;
    const struct region *region = allocation->region;
    info->type = region || allocation->mapped ? HSA_EXT_POINTER_TYPE_HSA : HSA_EXT_POINTER_TYPE_LOCKED;
    info->agentBaseAddress = allocation->base;
    info->hostBaseAddress = allocation->memory.host_accessible ? allocation->base : NULL;
    info->sizeInBytes = allocation->size;
    info->userData = allocation->user_data;
    info->global_flags = region ? region->is->global_flags : HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
    info->agentOwner = region ? region->agent->handle : runtime.agents.items[0]->handle;
    for (size_t i = 0; i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        bool may = !allocation->mapped && (!region || region_reachable(region, agent));
        for (size_t j = 0; j < allocation->allowed.count && !may; j++)
            may = allocation->allowed.items[j] == agent;
        CHECK(!may || vec_push(&to->agents, agent->handle), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_pointer_info(const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc)(size_t),
                                          uint32_t *num_agents_accessible, hsa_agent_t **accessible)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && info && (!alloc || (num_agents_accessible && accessible)));
    struct description description = {0};
    hsa_status_t status = memory_with(ptr, describe_allocation, &description);
    if (status == HSA_STATUS_SUCCESS && description.info.type == HSA_EXT_POINTER_TYPE_UNKNOWN &&
        vmem_reserved(ptr, &description.info.agentBaseAddress, &description.info.sizeInBytes))
        description.info.type = HSA_EXT_POINTER_TYPE_RESERVED_ADDR;
    if (status == HSA_STATUS_SUCCESS && alloc) {
        size_t bytes = description.agents.count * sizeof *description.agents.items;
        hsa_agent_t *list = bytes ? alloc(bytes) : NULL;
        if (list)
            memcpy(list, description.agents.items, bytes);
        else if (bytes)
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        if (status == HSA_STATUS_SUCCESS) {
            *accessible = list;
            *num_agents_accessible = (uint32_t)description.agents.count;
        }
    }
    if (status == HSA_STATUS_SUCCESS) {
        uint32_t size = info->size < sizeof *info ? info->size : (uint32_t)sizeof *info;
        description.info.size = size;
        memcpy(info, &description.info, size);
    }
    vec_free(&description.agents);
    return status;
}

/* ---- what the client attaches ---- */

struct attachment {
    void *at;
    void *user_data;
    hsa_amd_deallocation_callback_t callback;
};

static hsa_status_t set_user_data(struct allocation *allocation, void *data)
{
    const struct attachment *attachment = data;
    CHECK_ARGUMENT(allocation && allocation->base == attachment->at);
    allocation->user_data = attachment->user_data;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_pointer_info_set_userdata(const void *ptr, void *userdata)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr);
    return memory_with(ptr, set_user_data, &(struct attachment){.at = (void *)(uintptr_t)ptr, .user_data = userdata});
}

static hsa_status_t add_callback(struct allocation *allocation, void *data)
{
    const struct attachment *attachment = data;
    CHECK(allocation && allocation->region, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    struct deallocation entry = {attachment->at, attachment->callback, attachment->user_data};
    return vec_push(&allocation->callbacks, entry) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

HSA_API hsa_status_t hsa_amd_register_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback,
                                                            void *user_data)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && callback);
    return memory_with(ptr, add_callback,
                       &(struct attachment){.at = ptr, .callback = callback, .user_data = user_data});
}

static hsa_status_t remove_callback(struct allocation *allocation, void *data)
{
    const struct attachment *attachment = data;
    CHECK_ARGUMENT(allocation);
    for (size_t i = 0; i < allocation->callbacks.count; i++)
        if (allocation->callbacks.items[i].callback == attachment->callback &&
            allocation->callbacks.items[i].at == attachment->at) {
            allocation->callbacks.items[i] = allocation->callbacks.items[--allocation->callbacks.count];
            return HSA_STATUS_SUCCESS;
        }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_amd_deregister_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && callback);
    return memory_with(ptr, remove_callback, &(struct attachment){.at = ptr, .callback = callback});
}
