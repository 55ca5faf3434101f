/* SPDX-License-Identifier: MIT */
/* What clients see of agents: finding them, their attributes and their caches. (1.0P 2.3)
 *
 * Input: handles and attributes of any value. Output: the attribute's value, from the configuration that the driver
 * registered or, when it is not there, from the driver. */
#include "runtime/agent.h"

#include "runtime/clock.h"
#include "runtime/extension.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/request.h"

#include <unistd.h>

struct agent *agent_find(hsa_agent_t handle)
{
    return handle_get(handle.handle, HANDLE_AGENT);
}

struct agent *agent_host(void)
{
    return runtime.agents.items[0];
}

bool agent_has_client(struct agent *agent, hsam_handle_t *client)
{
    bool has = atomic_load_explicit(&agent->has_client, memory_order_acquire);
    if (has)
        *client = agent->client;
    return has;
}

/* Introduces the process to the driver, and tells the driver of the memory that exists already. */
static hsa_status_t introduce_process(struct agent *agent)
{
    enum { THE_PROCESS = 1 };
    struct request request;
    hsam_handle_t client = 0;
    HSAM_Error error = HSAM_Done;
    if (agent->interface.client_new)
        error = request_finish(
            &request, agent->interface.client_new(agent->driver, THE_PROCESS, NULL, request_start(&request), &client));
    if (error == HSAM_Not_Supported)
        atomic_store(&agent->refuses, true);
    CHECK(error == HSAM_Done, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_status_t status = memory_introduce(agent, client);
    if (status != HSA_STATUS_SUCCESS && agent->interface.client_remove)
        request_finish(&request, agent->interface.client_remove(agent->driver, client, request_start(&request)));
    return status;
}

hsa_status_t agent_client(struct agent *agent, hsam_handle_t *client)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (agent_has_client(agent, client))
        return status;
    pthread_mutex_lock(&agent->client_lock);
    if (!agent_has_client(agent, client))
        status = introduce_process(agent);
    *client = agent->client;
    pthread_mutex_unlock(&agent->client_lock);
    return status;
}

hsa_status_t agent_client_if_willing(struct agent *agent, hsam_handle_t *client, bool *takes)
{
    hsa_status_t status = agent_client(agent, client);
    *takes = status == HSA_STATUS_SUCCESS || !atomic_load(&agent->refuses);
    return *takes ? status : HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data)
{
    CHECK_UP();
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < runtime.agents.count; i++) {
        if (!runtime.agents.items[i]->visible)
            continue;
        hsa_status_t status = callback(runtime.agents.items[i]->handle, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

/* ---- attributes ---- */

static void put_text(void *value, const char *text, size_t size)
{
    memset(value, 0, size);
    if (text)
        memcpy(value, text, strnlen(text, size - 1));
}

static void put_cache_sizes(const struct agent *agent, void *value)
{
    uint32_t sizes[4] = {0};
    for (size_t i = 0; i < agent->config.cache_count; i++) {
        const hsam_cache *cache = &agent->config.caches[i];
        if (cache->level >= 1 && cache->level <= 4 && !sizes[cache->level - 1])
            sizes[cache->level - 1] = cache->size;
    }
    memcpy(value, sizes, sizeof sizes);
}

static uint32_t base_rounding_modes(const hsam_isa *isa)
{
    uint32_t modes = 0;
    for (unsigned i = 0; i < 3; i++)
        modes |= (uint32_t)isa->base_profile_default_float_rounding_modes[i] << i;
    return modes;
}

/* Answers the attributes that come from the preferred instruction set. An agent without one answers 0. */
static bool isa_attribute(const struct agent *agent, hsa_agent_info_t attribute, void *value)
{
    static const hsam_isa none;
    const hsam_isa *isa = agent->config.isa_count ? &agent->config.isas[0] : &none;
    switch ((int)attribute) {
    case HSA_AGENT_INFO_WAVEFRONT_SIZE: PUT(uint32_t, isa->wavefront_sizes[0]); return true;
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
        memcpy(value, isa->workgroup_max_dim, sizeof isa->workgroup_max_dim);
        return true;
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE: PUT(uint32_t, isa->workgroup_max_size); return true;
    case HSA_AGENT_INFO_GRID_MAX_DIM: PUT(hsa_dim3_t, isa->grid_max_dim); return true;
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
        PUT(uint32_t, isa->grid_max_size > UINT32_MAX ? UINT32_MAX : (uint32_t)isa->grid_max_size);
        return true;
    case HSA_AGENT_INFO_FBARRIER_MAX_SIZE: PUT(uint32_t, isa->fbarrier_max_size); return true;
    case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: PUT(uint32_t, base_rounding_modes(isa)); return true;
    case HSA_AGENT_INFO_FAST_F16_OPERATION: PUT(bool, isa->fast_f16); return true;
    case HSA_AGENT_INFO_ISA:
        PUT(hsa_isa_t, agent->config.isa_count ? agent->isas[0].handle : (hsa_isa_t){0});
        return true;
    }
    return false;
}

static bool core_attribute(const struct agent *agent, hsa_agent_info_t attribute, void *value)
{
    const hsa_agent_driver_config *config = &agent->config;
    switch ((int)attribute) {
    case HSA_AGENT_INFO_NAME: put_text(value, config->name, 64); return true;
    case HSA_AGENT_INFO_VENDOR_NAME: put_text(value, config->vendor_name, 64); return true;
    case HSA_AGENT_INFO_FEATURE: PUT(hsa_agent_feature_t, (hsa_agent_feature_t)config->features); return true;
    case HSA_AGENT_INFO_MACHINE_MODEL: PUT(hsa_machine_model_t, HSA_MACHINE_MODEL_LARGE); return true;
    case HSA_AGENT_INFO_PROFILE: PUT(hsa_profile_t, config->profile); return true;
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
        PUT(hsa_default_float_rounding_mode_t, config->default_float_rounding_mode);
        return true;
    case HSA_AGENT_INFO_QUEUES_MAX: PUT(uint32_t, config->queues_max); return true;
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE: PUT(uint32_t, config->queue_min_size); return true;
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE: PUT(uint32_t, config->queue_max_size); return true;
    case HSA_AGENT_INFO_QUEUE_TYPE: PUT(hsa_queue_type32_t, config->queue_type); return true;
    case HSA_AGENT_INFO_NODE: PUT(uint32_t, config->node); return true;
    case HSA_AGENT_INFO_DEVICE: PUT(hsa_device_type_t, config->device_type); return true;
    case HSA_AGENT_INFO_CACHE_SIZE: put_cache_sizes(agent, value); return true;
    case HSA_AGENT_INFO_EXTENSIONS: extension_mask(agent, value); return true;
    case HSA_AGENT_INFO_VERSION_MAJOR: PUT(uint16_t, RUNTIME_VERSION_MAJOR); return true;
    case HSA_AGENT_INFO_VERSION_MINOR: PUT(uint16_t, RUNTIME_VERSION_MINOR); return true;
    }
    return false;
}

/* Answers the numbers of AMD's extension that the configuration holds, or that are 0 for every agent here. */
static bool amd_number(const struct agent *agent, hsa_agent_info_t attribute, void *value)
{
    const hsa_agent_driver_config *config = &agent->config;
    uint32_t number = 0;
    switch ((int)attribute) {
    case HSA_AMD_AGENT_INFO_CHIP_ID: number = config->chip_id; break;
    case HSA_AMD_AGENT_INFO_CACHELINE_SIZE: number = config->cacheline_size; break;
    case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT: number = config->compute_unit_count; break;
    case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY: number = config->max_clock_mhz; break;
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID: number = config->node; break;
    case HSA_AMD_AGENT_INFO_DRIVER_UID: number = agent->generic.device_driver_id; break;
    case HSA_AMD_AGENT_INFO_BDFID: /* an agent is not a PCI device; each GPU gets a bus number of its own */
        number = config->device_type == HSA_DEVICE_TYPE_GPU ? (uint32_t)agent->generic.device_driver_id << 8 : 0;
        break;
    case HSA_AMD_AGENT_INFO_MEMORY_WIDTH: number = config->memory_width_bits; break;
    case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY: number = config->memory_max_mhz; break;
    case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU: number = config->max_waves_per_cu; break;
    case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU: number = config->simds_per_cu; break;
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES: number = config->shader_engines; break;
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE: number = config->shader_arrays_per_engine; break;
    case HSA_AMD_AGENT_INFO_NUM_XCC: number = config->device_type == HSA_DEVICE_TYPE_GPU; break;
    case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
    case HSA_AMD_AGENT_INFO_DOMAIN:
    case HSA_AMD_AGENT_INFO_ASIC_REVISION:
    case HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID:
    case HSA_AMD_AGENT_INFO_UCODE_VERSION:
    case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
    case HSA_AMD_AGENT_INFO_NUM_SDMA_ENG:
    case HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG:
    case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT: /* an enumeration, of the same size as uint32_t */ break;
    default: return false;
    }
    PUT(uint32_t, number);
    return true;
}

static hsa_agent_t nearest_cpu(void)
{
    for (size_t i = 0; i < runtime.agents.count; i++)
        if (runtime.agents.items[i]->config.device_type == HSA_DEVICE_TYPE_CPU)
            return runtime.agents.items[i]->handle;
    return (hsa_agent_t){0};
}

static bool amd_attribute(const struct agent *agent, hsa_agent_info_t attribute, void *value)
{
    const hsa_agent_driver_config *config = &agent->config;
    static const char no_uuid[] = "GPU-XX", no_cpu_uuid[] = "CPU-XX";
    switch ((int)attribute) {
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
        put_text(value, config->product_name ? config->product_name : config->name, 64);
        return true;
    case HSA_AMD_AGENT_INFO_UUID:
        put_text(value,
                 config->uuid                                 ? config->uuid
                 : config->device_type == HSA_DEVICE_TYPE_CPU ? no_cpu_uuid
                                                              : no_uuid,
                 21);
        return true;
    case HSA_AMD_AGENT_INFO_HDP_FLUSH: PUT(hsa_amd_hdp_flush_t, (hsa_amd_hdp_flush_t){0}); return true;
    case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES: PUT(bool, config->cooperative_queues); return true;
    case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS: PUT(bool, config->profile == HSA_PROFILE_FULL); return true;
    case HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
        PUT(uint64_t, (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
        return true;
    case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY: PUT(uint64_t, CLOCK_FREQUENCY); return true;
    case HSA_AMD_AGENT_INFO_NEAREST_CPU: PUT(hsa_agent_t, nearest_cpu()); return true;
    case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES: /* bit 0: memory is shared with the CPU */
        PUT(uint64_t, config->profile == HSA_PROFILE_FULL);
        return true;
    case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS: PUT(uint64_t, 0); return true;
    }
    return amd_number(agent, attribute, value);
}

HSA_API hsa_status_t hsa_agent_get_info(hsa_agent_t handle, hsa_agent_info_t attribute, void *value)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(value);
    if (core_attribute(agent, attribute, value) || isa_attribute(agent, attribute, value) ||
        amd_attribute(agent, attribute, value) || image_attribute(agent, (int)attribute, value))
        return HSA_STATUS_SUCCESS;
    if (agent->interface.agent_get_info &&
        agent->interface.agent_get_info(agent->driver, (uint32_t)attribute, value) == HSAM_Done)
        return HSA_STATUS_SUCCESS;
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t handle, hsa_profile_t profile, uint16_t *mask)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(mask && profile <= HSA_PROFILE_FULL);
    *mask = agent->config.isa_count ? agent->config.isas[0].exception_policies[profile] : 0;
    return HSA_STATUS_SUCCESS;
}

/* ---- caches ---- */

HSA_API hsa_status_t hsa_agent_iterate_caches(hsa_agent_t handle,
                                              hsa_status_t (*callback)(hsa_cache_t cache, void *data), void *data)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < agent->config.cache_count; i++) {
        hsa_status_t status = callback(agent->caches[i].handle, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_cache_get_info(hsa_cache_t handle, hsa_cache_info_t attribute, void *value)
{
    CHECK_UP();
    const struct cache *cache = handle_get(handle.handle, HANDLE_CACHE);
    CHECK(cache, HSA_STATUS_ERROR_INVALID_CACHE);
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_CACHE_INFO_NAME_LENGTH: PUT(uint32_t, (uint32_t)strlen(cache->is->name)); return HSA_STATUS_SUCCESS;
    case HSA_CACHE_INFO_NAME: PUT(const char *, cache->is->name); return HSA_STATUS_SUCCESS;
    case HSA_CACHE_INFO_LEVEL: PUT(uint8_t, cache->is->level); return HSA_STATUS_SUCCESS;
    case HSA_CACHE_INFO_SIZE: PUT(uint32_t, cache->is->size); return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
