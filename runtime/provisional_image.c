/* SPDX-License-Identifier: MIT */
/* Images, samplers, and AMD's functions of 2014 in the interface of HSA 1.0 provisional. (1.0P 3.3)
 *
 * Input: calls of programs that were compiled with include/hsa-1.0p. Output: calls of the interface of 1.2. Invariant:
 * copies are done when they return, so a completion signal is decremented before. */
#include "runtime/provisional.h"

#include "runtime/agent.h"
#include "runtime/image.h"
#include "runtime/signal.h"

/* 1.0P has no status for an invalid agent in the functions of images, only that of an agent which is 0. */
#define CHECK_AGENT_1P(agent)                                                                                          \
    CHECK_1P(runtime_up(), NOT_INITIALIZED);                                                                           \
    CHECK_1P((agent).handle, INVALID_ARGUMENT)

/* ---- what has other numbers ---- */

/* 0: read, 1: write, 2: both. Another number stays wrong. */
static hsa_access_permission_t access_now(int access)
{
    static const hsa_access_permission_t now[] = {
        HSA_ACCESS_PERMISSION_RO, HSA_ACCESS_PERMISSION_WO, HSA_ACCESS_PERMISSION_RW};
    return access >= 0 && access < 3 ? now[access] : HSA_ACCESS_PERMISSION_NONE;
}

/* In 1.0P a depth, height or number of layers that the geometry does not have may also be 1. */
static hsa_ext_image_descriptor_t descriptor_now(const hsa_ext_image_descriptor_t *then)
{
    hsa_ext_image_descriptor_t now = *then;
    bool lines = then->geometry == HSA_EXT_IMAGE_GEOMETRY_1D || then->geometry == HSA_EXT_IMAGE_GEOMETRY_1DA ||
                 then->geometry == HSA_EXT_IMAGE_GEOMETRY_1DB;
    bool layers = then->geometry == HSA_EXT_IMAGE_GEOMETRY_1DA || then->geometry == HSA_EXT_IMAGE_GEOMETRY_2DA ||
                  then->geometry == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH;
    if (lines && now.height == 1)
        now.height = 0;
    if (then->geometry == HSA_EXT_IMAGE_GEOMETRY_3D)
        now.depth = now.depth ? now.depth : 1;
    else if (now.depth == 1)
        now.depth = 0;
    if (!layers && now.array_size == 1)
        now.array_size = 0;
    return now;
}

static int finish_copy(hsa_status_t status, const hsa_signal_t *completion_signal)
{
    if (status == HSA_STATUS_SUCCESS && completion_signal && signal_find(*completion_signal))
        CALL(hsa_signal_subtract_screlease)(*completion_signal, 1);
    return provisional_status((int)status);
}

/* ---- images ---- */

PROVISIONAL_NAME(hsa_ext_image_get_format_capability, hsa_agent_t agent, const hsa_ext_image_format_t *image_format,
                 int image_geometry, uint32_t *capability_mask)
{
    CHECK_AGENT_1P(agent);
    return provisional_status(CALL_IMAGE(hsa_ext_image_get_capability)(
        agent, (hsa_ext_image_geometry_t)image_geometry, image_format, capability_mask));
}

PROVISIONAL_NAME(hsa_ext_image_get_info, hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                 int access_permission, hsa_ext_image_data_info_t *image_info)
{
    CHECK_AGENT_1P(agent);
    hsa_ext_image_descriptor_t now =
        image_descriptor ? descriptor_now(image_descriptor) : (hsa_ext_image_descriptor_t){0};
    return provisional_status(CALL_IMAGE(hsa_ext_image_data_get_info)(
        agent, image_descriptor ? &now : NULL, access_now(access_permission), image_info));
}

PROVISIONAL_NAME(hsa_ext_image_create_handle, hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                 const void *image_data, int access_permission, hsa_ext_image_t *image_handle)
{
    CHECK_AGENT_1P(agent);
    hsa_ext_image_descriptor_t now =
        image_descriptor ? descriptor_now(image_descriptor) : (hsa_ext_image_descriptor_t){0};
    return provisional_status(CALL_IMAGE(hsa_ext_image_create)(
        agent, image_descriptor ? &now : NULL, image_data, access_now(access_permission), image_handle));
}

PROVISIONAL_NAME(hsa_ext_image_destroy_handle, hsa_agent_t agent, hsa_ext_image_t *image_handle)
{
    CHECK_AGENT_1P(agent);
    CHECK_1P(image_handle, INVALID_ARGUMENT);
    return provisional_status(CALL_IMAGE(hsa_ext_image_destroy)(agent, *image_handle));
}

PROVISIONAL_VERSION(hsa_ext_image_import, hsa_agent_t agent, const void *src_memory, size_t src_row_pitch,
                    size_t src_slice_pitch, hsa_ext_image_t dst_image_handle,
                    const hsa_ext_image_region_t *image_region, const hsa_signal_t *completion_signal)
{
    CHECK_AGENT_1P(agent);
    return finish_copy(CALL_IMAGE(hsa_ext_image_import)(
                           agent, src_memory, src_row_pitch, src_slice_pitch, dst_image_handle, image_region),
                       completion_signal);
}

PROVISIONAL_VERSION(hsa_ext_image_export, hsa_agent_t agent, hsa_ext_image_t src_image_handle, void *dst_memory,
                    size_t dst_row_pitch, size_t dst_slice_pitch, const hsa_ext_image_region_t *image_region,
                    const hsa_signal_t *completion_signal)
{
    CHECK_AGENT_1P(agent);
    return finish_copy(CALL_IMAGE(hsa_ext_image_export)(
                           agent, src_image_handle, dst_memory, dst_row_pitch, dst_slice_pitch, image_region),
                       completion_signal);
}

PROVISIONAL_VERSION(hsa_ext_image_copy, hsa_agent_t agent, hsa_ext_image_t src_image_handle,
                    hsa_ext_image_t dst_image_handle, const hsa_ext_image_region_t *image_region,
                    const hsa_signal_t *completion_signal)
{
    CHECK_AGENT_1P(agent);
    CHECK_1P(agent_find(agent), INVALID_AGENT);
    CHECK_1P(image_region, INVALID_ARGUMENT);
    return finish_copy(CALL_IMAGE(hsa_ext_image_copy)(agent, src_image_handle, &image_region->offset, dst_image_handle,
                                                      &image_region->offset, &image_region->range),
                       completion_signal);
}

static bool has_integers(uint32_t type)
{
    return type >= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8 && type <= HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32;
}

/* The float as an integer of 32 bits, the nearest to zero; without a sign for unsigned channel types. */
static uint32_t component_now(float value, bool is_signed)
{
    if (is_signed)
        return (uint32_t)(value >= 2147483648.0f    ? INT32_MAX
                          : value > -2147483648.0f  ? (int32_t)value
                          : value <= -2147483648.0f ? INT32_MIN
                                                    : 0);
    return value >= 4294967296.0f ? UINT32_MAX : value > 0 ? (uint32_t)value : 0;
}

PROVISIONAL_VERSION(hsa_ext_image_clear, hsa_agent_t agent, hsa_ext_image_t image_handle, const float *data,
                    const hsa_ext_image_region_t *image_region, const hsa_signal_t *completion_signal)
{
    CHECK_AGENT_1P(agent);
    const struct agent *found = agent_find(agent);
    CHECK_1P(found, INVALID_AGENT);
    const struct image *image = image_find(found, image_handle);
    CHECK_1P(image && data, INVALID_ARGUMENT);
    uint32_t components[4], type = image->is.format.channel_type;
    memcpy(components, data, sizeof components);
    for (unsigned i = 0; i < 4 && has_integers(type); i++)
        components[i] = component_now(data[i], type <= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32);
    return finish_copy(CALL_IMAGE(hsa_ext_image_clear)(agent, image_handle, components, image_region),
                       completion_signal);
}

/* ---- samplers ---- */

PROVISIONAL_NAME(hsa_ext_sampler_create_handle, hsa_agent_t agent,
                 const hsa_ext_sampler_descriptor_t *sampler_descriptor, hsa_ext_sampler_t *sampler_handle)
{
    CHECK_AGENT_1P(agent);
    hsa_ext_sampler_descriptor_t now = {0};
    if (sampler_descriptor) {
        now = *sampler_descriptor;
        if (now.coordinate_mode <= 1) /* normalized is 0 there and 1 here */
            now.coordinate_mode = !now.coordinate_mode;
    }
    return provisional_status(
        CALL_IMAGE(hsa_ext_sampler_create)(agent, sampler_descriptor ? &now : NULL, sampler_handle));
}

PROVISIONAL_NAME(hsa_ext_sampler_destroy_handle, hsa_agent_t agent, hsa_ext_sampler_t *sampler_handle)
{
    CHECK_AGENT_1P(agent);
    CHECK_1P(sampler_handle, INVALID_ARGUMENT);
    return provisional_status(CALL_IMAGE(hsa_ext_sampler_destroy)(agent, *sampler_handle));
}

/* ---- of AMD's runtime of 2014 ---- */

PROVISIONAL_NAME(hsa_ext_get_memory_type, hsa_agent_t agent, hsa_amd_coherency_type_t *type)
{
    return provisional_status(api_amd.hsa_amd_coherency_get_type_fn(agent, type));
}

PROVISIONAL_NAME(hsa_ext_set_memory_type, hsa_agent_t agent, hsa_amd_coherency_type_t type)
{
    return provisional_status(api_amd.hsa_amd_coherency_set_type_fn(agent, type));
}

PROVISIONAL_NAME(hsa_ext_set_profiling, hsa_queue_t *queue, int enable)
{
    return provisional_status(api_amd.hsa_amd_profiling_set_profiler_enabled_fn(queue, enable));
}

PROVISIONAL_NAME(hsa_ext_get_dispatch_times, hsa_agent_t agent, hsa_signal_t signal,
                 hsa_amd_profiling_dispatch_time_t *time)
{
    return provisional_status(api_amd.hsa_amd_profiling_get_dispatch_time_fn(agent, signal, time));
}
