/* SPDX-License-Identifier: MIT */
/* Memory regions, and the memory pools by which AMD's extension presents the same regions. (1.0P 2.7.2; ROCR
 * documentation 4.8)
 *
 * Input: handles and attributes of any value. Output: attributes, taken from the driver's configuration. */
#include "runtime/memory.h"

struct region *region_find(uint64_t handle)
{
    return handle_get(handle, HANDLE_REGION);
}

/* ---- regions ---- */

HSA_API hsa_status_t hsa_region_get_info(hsa_region_t handle, hsa_region_info_t attribute, void *value)
{
    CHECK_UP();
    const struct region *region = region_find(handle.handle);
    CHECK(region, HSA_STATUS_ERROR_INVALID_REGION);
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_REGION_INFO_SEGMENT: PUT(hsa_region_segment_t, region->is->segment); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_GLOBAL_FLAGS: PUT(uint32_t, region->is->global_flags); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_SIZE: PUT(size_t, region->is->size); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_ALLOC_MAX_SIZE: PUT(size_t, region->is->alloc_max_size); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED: PUT(bool, region->is->alloc_max_size != 0); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE: PUT(size_t, region->is->alloc_granule); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT: PUT(size_t, region->is->alloc_alignment); return HSA_STATUS_SUCCESS;
    case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
        PUT(uint32_t, region->is->segment == HSA_REGION_SEGMENT_PRIVATE ? (uint32_t)region->is->size : 0);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE: PUT(bool, region->is->host_accessible); return HSA_STATUS_SUCCESS;
    case HSA_AMD_REGION_INFO_BASE: PUT(void *, NULL); return HSA_STATUS_SUCCESS;
    case HSA_AMD_REGION_INFO_BUS_WIDTH:
        PUT(uint32_t, region->agent->config.memory_width_bits);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
        PUT(uint32_t, region->agent->config.memory_max_mhz);
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* An agent's own regions come first, then the system's that every agent may use. */
HSA_API hsa_status_t hsa_agent_iterate_regions(hsa_agent_t handle,
                                               hsa_status_t (*callback)(hsa_region_t region, void *data), void *data)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < agent->config.region_count; i++) {
        hsa_status_t status = callback(agent->regions[i].handle, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    for (size_t i = 0; i < runtime.agents.count; i++) {
        const struct agent *other = runtime.agents.items[i];
        bool system = other != agent && other->config.device_type == HSA_DEVICE_TYPE_CPU;
        for (size_t j = 0; system && j < other->config.region_count; j++) {
            if (!other->regions[j].is->accessible_by_all)
                continue;
            hsa_status_t status = callback(other->regions[j].handle, data);
            CHECK(status == HSA_STATUS_SUCCESS, status);
        }
    }
    return HSA_STATUS_SUCCESS;
}

/* ---- memory pools ---- */

static hsa_amd_segment_t pool_segment(hsa_region_segment_t segment)
{
    switch (segment) {
    case HSA_REGION_SEGMENT_READONLY: return HSA_AMD_SEGMENT_READONLY;
    case HSA_REGION_SEGMENT_PRIVATE: return HSA_AMD_SEGMENT_PRIVATE;
    case HSA_REGION_SEGMENT_GROUP: return HSA_AMD_SEGMENT_GROUP;
    case HSA_REGION_SEGMENT_GLOBAL:
    case HSA_REGION_SEGMENT_KERNARG: break;
    }
    return HSA_AMD_SEGMENT_GLOBAL;
}

HSA_API hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t pool, hsa_amd_memory_pool_info_t attribute,
                                                  void *value)
{
    CHECK_UP();
    const struct region *region = region_find(pool.handle);
    CHECK(region, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
        PUT(hsa_amd_segment_t, pool_segment(region->is->segment));
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
        PUT(bool, region->is->accessible_by_all);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE: PUT(size_t, region->is->alloc_max_size); return HSA_STATUS_SUCCESS;
    case HSA_AMD_MEMORY_POOL_INFO_LOCATION:
        PUT(hsa_amd_memory_pool_location_t,
            region->agent->config.device_type == HSA_DEVICE_TYPE_CPU
                ? HSA_AMD_MEMORY_POOL_LOCATION_CPU
                : HSA_AMD_MEMORY_POOL_LOCATION_GPU);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE:
        PUT(size_t, region->is->alloc_granule);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS: /* these have the numbers of the region's attributes */
    case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
        return hsa_region_get_info(region->handle, (hsa_region_info_t)attribute, value);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t handle, hsa_status_t (*callback)(hsa_amd_memory_pool_t memory_pool, void *data), void *data)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < agent->config.region_count; i++) {
        hsa_status_t status = callback((hsa_amd_memory_pool_t){agent->regions[i].handle.handle}, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void **ptr)
{
    CHECK_UP();
    struct region *region = region_find(pool.handle);
    CHECK(region, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_ARGUMENT(!(flags & ~(uint32_t)(HSA_AMD_MEMORY_POOL_PCIE_FLAG | HSA_AMD_MEMORY_POOL_CONTIGUOUS_FLAG |
                                         HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG)));
    return memory_allocate(region, size, ptr);
}

HSA_API hsa_status_t hsa_amd_memory_pool_free(void *ptr)
{
    return hsa_memory_free(ptr);
}

static hsa_amd_memory_pool_access_t pool_access(const struct agent *agent, const struct region *region)
{
    if (region->is->segment != HSA_REGION_SEGMENT_GLOBAL && region->agent != agent)
        return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    return region_reachable(region, agent) ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
                                           : HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
}

HSA_API hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t handle, hsa_amd_memory_pool_t pool,
                                                        hsa_amd_agent_memory_pool_info_t attribute, void *value)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    const struct region *region = region_find(pool.handle);
    CHECK(region, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_ARGUMENT(value);
    uint32_t hops = region->agent != agent;
    switch ((int)attribute) {
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
        PUT(hsa_amd_memory_pool_access_t, pool_access(agent, region));
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS: PUT(uint32_t, hops); return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
        if (hops)
            PUT(hsa_amd_memory_pool_link_info_t,
                (hsa_amd_memory_pool_link_info_t){
                    .atomic_support_32bit = true,
                    .atomic_support_64bit = true,
                    .coherent_support = true,
                    .link_type = HSA_AMD_LINK_INFO_TYPE_PCIE,
                    .numa_distance = 20});
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t src_memory_pool,
                                                     hsa_amd_memory_pool_t dst_memory_pool, bool *result)
{
    CHECK_UP();
    CHECK(region_find(src_memory_pool.handle) && region_find(dst_memory_pool.handle),
          HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_ARGUMENT(result);
    *result = memory_migrates(region_find(src_memory_pool.handle), region_find(dst_memory_pool.handle));
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_memory_migrate(const void *ptr, hsa_amd_memory_pool_t pool, uint32_t flags)
{
    CHECK_UP();
    CHECK(region_find(pool.handle), HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_ARGUMENT(ptr && !flags);
    return memory_migrate(ptr, region_find(pool.handle));
}
