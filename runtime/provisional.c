/* SPDX-License-Identifier: MIT */
/* The interface of HSA 1.0 provisional: functions whose names, arguments or numbers are others than those of HSA 1.2.
 * (1.0P 2)
 *
 * Input: calls of programs that were compiled with include/hsa-1.0p. Output: the same calls of the interface of 1.2,
 * through the tables of the API, and their results in the numbers of 1.0P. Invariant: a status that a callback of the
 * client returns is not changed; all others are translated. Ticks are ten of the runtime's. */
#include "runtime/provisional.h"

#include "runtime/agent.h"
#include "runtime/finalizer.h"
#include "runtime/image.h"
#include "runtime/queue.h"

typedef int status_1p; /* hsa_status_t of 1.0P */

/* ---- statuses ---- */

enum { FIRST_ERROR = HSA_STATUS_ERROR, LAST_ERROR = HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, FIRST_ERROR_1P = 0x10000 };

int provisional_status(int status)
{
    static const struct {
        int now, then;
    } others[] = {{HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH, 0x14000},
                  {HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED, 0x14001},
                  {HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED, 0x14002}};
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK || status >= FIRST_ERROR_1P)
        return status;
    if (status >= FIRST_ERROR && status <= LAST_ERROR)
        return status - FIRST_ERROR + FIRST_ERROR_1P;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].now == status)
            return others[i].then;
    return FIRST_ERROR_1P;
}

/* The status of 1.2 that has the text for a status of 1.0P; -1: 1.0P has no such status. */
static int status_now(int status)
{
    switch (status) {
    case HSA_STATUS_SUCCESS:
    case HSA_STATUS_INFO_BREAK: return status;
    case 0x14000: return HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH;
    case 0x14001: return HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED;
    case 0x14002: return HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED;
    }
    bool error = status >= FIRST_ERROR_1P && status <= FIRST_ERROR_1P + LAST_ERROR - FIRST_ERROR;
    return error ? status - FIRST_ERROR_1P + FIRST_ERROR : -1;
}

PROVISIONAL_VERSION(hsa_status_string, status_1p status, const char **status_string)
{
    if (status_string && runtime_up() && (status == 0x4000 || status == 0x4001)) {
        *status_string = status == 0x4000 ? "HSA_EXT_STATUS_INFO_ALREADY_INITIALIZED: It was there before."
                                          : "HSA_EXT_STATUS_INFO_UNRECOGNIZED_OPTIONS: Options were ignored.";
        return HSA_STATUS_SUCCESS;
    }
    return provisional_status(CALL(hsa_status_string)((hsa_status_t)status_now(status), status_string));
}

PROVISIONAL_VERSION(hsa_init, void)
{
    return provisional_status(CALL(hsa_init)());
}

PROVISIONAL_VERSION(hsa_shut_down, void)
{
    return provisional_status(CALL(hsa_shut_down)());
}

/* ---- the system and its agents ---- */

PROVISIONAL_VERSION(hsa_system_get_info, int attribute, void *value)
{
    uint64_t number;
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(value, INVALID_ARGUMENT);
    switch (attribute) {
    case 0: PUT(uint16_t, 1); return HSA_STATUS_SUCCESS;
    case 1: PUT(uint16_t, 0); return HSA_STATUS_SUCCESS;
    case 2:
        CALL(hsa_system_get_info)(HSA_SYSTEM_INFO_TIMESTAMP, &number);
        PUT(uint64_t, number);
        return HSA_STATUS_SUCCESS;
    case 3:
        CALL(hsa_system_get_info)(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &number);
        PUT(uint16_t, (uint16_t)(number / 1000000));
        return HSA_STATUS_SUCCESS;
    case 4:
        CALL(hsa_system_get_info)(HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, &number);
        PUT(uint64_t, number);
        return HSA_STATUS_SUCCESS;
    }
    return PROVISIONAL_ERROR(INVALID_ARGUMENT);
}

/* The attributes of 1.0P, by their numbers. */
static const struct {
    int now;
    unsigned words; /* of the extent that 1.2 writes; 1.0P has three, of which those that are missing are 1 */
} agent_attributes[] = {
    {HSA_AGENT_INFO_NAME, 0},
    {HSA_AGENT_INFO_VENDOR_NAME, 0},
    {HSA_AGENT_INFO_FEATURE, 0},
    {HSA_AGENT_INFO_WAVEFRONT_SIZE, 0},
    {HSA_AGENT_INFO_WORKGROUP_MAX_DIM, 0},
    {HSA_AGENT_INFO_WORKGROUP_MAX_SIZE, 0},
    {HSA_AGENT_INFO_GRID_MAX_DIM, 0},
    {HSA_AGENT_INFO_GRID_MAX_SIZE, 0},
    {HSA_AGENT_INFO_FBARRIER_MAX_SIZE, 0},
    {HSA_AGENT_INFO_QUEUES_MAX, 0},
    {HSA_AGENT_INFO_QUEUE_MAX_SIZE, 0},
    {HSA_AGENT_INFO_QUEUE_TYPE, 0},
    {HSA_AGENT_INFO_NODE, 0},
    {HSA_AGENT_INFO_DEVICE, 0},
    {HSA_AGENT_INFO_CACHE_SIZE, 0},
    {HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS, 1},
    {HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS, 2},
    {HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS, 3},
    {HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS, 0},
    {HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES, 0},
    {HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES, 0},
    {HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS, 0}};

PROVISIONAL_VERSION(hsa_agent_get_info, hsa_agent_t agent, int attribute, void *value)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(agent_find(agent), INVALID_AGENT);
    CHECK_1P(value && attribute >= 0 && (size_t)attribute < sizeof agent_attributes / sizeof *agent_attributes,
             INVALID_ARGUMENT);
    hsa_agent_info_t now = (hsa_agent_info_t)agent_attributes[attribute].now;
    if (!agent_attributes[attribute].words)
        return provisional_status(CALL(hsa_agent_get_info)(agent, now, value));
    uint32_t extent[3] = {0};
    int status = provisional_status(CALL(hsa_agent_get_info)(agent, now, extent));
    for (unsigned i = agent_attributes[attribute].words; i < 3; i++)
        extent[i] = extent[0] != 0;
    if (status == HSA_STATUS_SUCCESS)
        memcpy(value, extent, sizeof extent);
    return status;
}

PROVISIONAL_VERSION(hsa_iterate_agents, hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data)
{
    return provisional_status(CALL(hsa_iterate_agents)(callback, data));
}

PROVISIONAL_NAME(hsa_extension_query, int extension, int *result)
{
    enum { IMAGES = 2 }; /* 0 and 1 are the finalizer and the linker */
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(result && extension >= 0 && extension <= IMAGES, INVALID_ARGUMENT);
    *result = extension == IMAGES ? images_usable() : finalizer_usable();
    return HSA_STATUS_SUCCESS;
}

PROVISIONAL_NAME(hsa_vendor_extension_query, int extension, void *extension_structure, int *result)
{
    enum { VENDORS = 10000 };
    (void)extension_structure;
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(result && extension >= VENDORS, INVALID_ARGUMENT);
    *result = 0;
    return HSA_STATUS_SUCCESS;
}

/* ---- signals ---- */

PROVISIONAL_VERSION(hsa_signal_create, hsa_signal_value_t initial_value, uint32_t num_consumers,
                    const hsa_agent_t *consumers, hsa_signal_t *signal)
{
    return provisional_status(CALL(hsa_signal_create)(initial_value, num_consumers, consumers, signal));
}

PROVISIONAL_VERSION(hsa_signal_destroy, hsa_signal_t signal)
{
    return provisional_status(CALL(hsa_signal_destroy)(signal));
}

PROVISIONAL_VALUE(hsa_signal_value_t, hsa_signal_wait_acquire, hsa_signal_t signal, hsa_signal_condition_t condition,
                  hsa_signal_value_t compare_value, uint64_t timeout_hint, int wait_expectancy_hint)
{
    (void)wait_expectancy_hint;
    return CALL(hsa_signal_wait_scacquire)(signal, condition, compare_value, timeout_hint, HSA_WAIT_STATE_BLOCKED);
}

PROVISIONAL_VALUE(hsa_signal_value_t, hsa_signal_wait_relaxed, hsa_signal_t signal, hsa_signal_condition_t condition,
                  hsa_signal_value_t compare_value, uint64_t timeout_hint, int wait_expectancy_hint)
{
    (void)wait_expectancy_hint;
    return CALL(hsa_signal_wait_relaxed)(signal, condition, compare_value, timeout_hint, HSA_WAIT_STATE_BLOCKED);
}

/* ---- queues ---- */

typedef void (*queue_callback_1p)(status_1p status, hsa_queue_t *source);

static void tell_callback(hsa_status_t status, hsa_queue_t *source, void *data)
{
    ((queue_callback_1p)(uintptr_t)data)(provisional_status((int)status), source);
}

/* The last twelve bytes of the queue's structure hold the number of the queue in 32 bits, and the service queue. */
PROVISIONAL_VERSION(hsa_queue_create, hsa_agent_t agent, uint32_t size, int type, queue_callback_1p callback,
                    const hsa_queue_t *service_queue, hsa_queue_t **queue)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(agent_find(agent), INVALID_AGENT);
    CHECK_1P(type == HSA_QUEUE_TYPE_MULTI || type == HSA_QUEUE_TYPE_SINGLE, INVALID_ARGUMENT);
    hsa_status_t status = CALL(hsa_queue_create)(agent, size, (hsa_queue_type32_t)type, callback ? tell_callback : NULL,
                                                 (void *)(uintptr_t)callback, UINT32_MAX, UINT32_MAX, queue);
    if (status == HSA_STATUS_SUCCESS) {
        (*queue)->reserved1 = (uint32_t)(*queue)->id;
        (*queue)->id = (uintptr_t)service_queue;
    }
    return provisional_status((int)status);
}

PROVISIONAL_VERSION(hsa_queue_destroy, hsa_queue_t *queue)
{
    return provisional_status(CALL(hsa_queue_destroy)(queue));
}

PROVISIONAL_VERSION(hsa_queue_inactivate, hsa_queue_t *queue)
{
    return provisional_status(CALL(hsa_queue_inactivate)(queue));
}

/* ---- memory ---- */

static int segment_then(hsa_region_segment_t segment)
{
    switch (segment) {
    case HSA_REGION_SEGMENT_PRIVATE: return 1;
    case HSA_REGION_SEGMENT_GROUP: return 2;
    case HSA_REGION_SEGMENT_KERNARG: return 3;
    case HSA_REGION_SEGMENT_READONLY: return 4;
    case HSA_REGION_SEGMENT_GLOBAL: break;
    }
    return 0;
}

PROVISIONAL_VERSION(hsa_region_get_info, hsa_region_t handle, int attribute, void *value)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    const struct region *region = region_find(handle.handle);
    CHECK_1P(region, INVALID_REGION);
    CHECK_1P(value, INVALID_ARGUMENT);
    const hsam_region *is = region->is;
    const hsa_agent_driver_config *config = &region->agent->config;
    switch (attribute) {
    case 0: PUT(void *, NULL); return HSA_STATUS_SUCCESS;
    case 1: PUT(size_t, is->size); return HSA_STATUS_SUCCESS;
    case 2: PUT(hsa_agent_t, region->agent->handle); return HSA_STATUS_SUCCESS;
    case 3: PUT(uint32_t, is->global_flags &HSA_REGION_GLOBAL_FLAG_KERNARG); return HSA_STATUS_SUCCESS;
    case 4: PUT(int, segment_then(is->segment)); return HSA_STATUS_SUCCESS;
    case 5: PUT(size_t, is->alloc_max_size); return HSA_STATUS_SUCCESS;
    case 6: PUT(size_t, is->alloc_granule); return HSA_STATUS_SUCCESS;
    case 7: PUT(size_t, is->alloc_alignment); return HSA_STATUS_SUCCESS;
    case 8: PUT(uint32_t, config->memory_width_bits / 8 * config->memory_max_mhz); return HSA_STATUS_SUCCESS;
    case 9: PUT(uint32_t, config->node); return HSA_STATUS_SUCCESS;
    }
    return PROVISIONAL_ERROR(INVALID_ARGUMENT);
}

PROVISIONAL_VERSION(hsa_agent_iterate_regions, hsa_agent_t agent,
                    hsa_status_t (*callback)(hsa_region_t region, void *data), void *data)
{
    return provisional_status(CALL(hsa_agent_iterate_regions)(agent, callback, data));
}

PROVISIONAL_VERSION(hsa_memory_allocate, hsa_region_t region, size_t size, void **ptr)
{
    CHECK_1P(runtime_up(), NOT_INITIALIZED);
    CHECK_1P(region_find(region.handle), INVALID_REGION);
    if (ptr && !size) {
        *ptr = NULL;
        return HSA_STATUS_SUCCESS;
    }
    return provisional_status(CALL(hsa_memory_allocate)(region, size, ptr));
}

PROVISIONAL_VERSION(hsa_memory_free, void *ptr)
{
    return provisional_status(CALL(hsa_memory_free)(ptr));
}

PROVISIONAL_VERSION(hsa_memory_register, void *address, size_t size)
{
    return provisional_status(CALL(hsa_memory_register)(address, size));
}

PROVISIONAL_VERSION(hsa_memory_deregister, void *address, size_t size)
{
    return provisional_status(CALL(hsa_memory_deregister)(address, size));
}
