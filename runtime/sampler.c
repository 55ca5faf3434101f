/* SPDX-License-Identifier: MIT */
/* Samplers. (HSA 1.2; ROCR documentation 4.6)
 *
 * Input: descriptors and handles of any value. Output: sampler resources of GFX9, which kernels read; the handle of a
 * sampler is the address of its resource. */
#include "runtime/image.h"
#include "support/sampler.h"

static struct object_set samplers = {.lock = PTHREAD_MUTEX_INITIALIZER};

HSA_API hsa_status_t hsa_ext_sampler_create_v2(
    hsa_agent_t handle, const hsa_ext_sampler_descriptor_v2_t *sampler_descriptor, hsa_ext_sampler_t *sampler)
{
    CHECK_UP();
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(sampler_descriptor && sampler);
    bool normalized = sampler_descriptor->coordinate_mode == HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED;
    bool linear = sampler_descriptor->filter_mode == HSA_EXT_SAMPLER_FILTER_MODE_LINEAR;
    CHECK(image_agent(agent) && sampler_descriptor->coordinate_mode <= HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED &&
              sampler_descriptor->filter_mode <= HSA_EXT_SAMPLER_FILTER_MODE_LINEAR,
          HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t mode = sampler_descriptor->address_modes[i];
        CHECK(mode < SAMPLER_MODES && (normalized || mode < HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT),
              HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
    }
    uint32_t resource[SAMPLER_WORDS];
    sampler_make(normalized, linear, (const uint32_t *)sampler_descriptor->address_modes, resource);
    struct image_object *made = mem_alloc(sizeof *made);
    CHECK(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    if (!object_keep(&samplers, made, agent, resource, SAMPLER_WORDS)) {
        mem_free(made);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    sampler->handle = (uintptr_t)made->resource;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_ext_sampler_create(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *sampler_descriptor,
                                            hsa_ext_sampler_t *sampler)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(sampler_descriptor && sampler);
    uint32_t mode = sampler_descriptor->address_mode;
    hsa_ext_sampler_descriptor_v2_t is = {
        sampler_descriptor->coordinate_mode, sampler_descriptor->filter_mode, {mode, mode, mode}};
    return hsa_ext_sampler_create_v2(agent, &is, sampler);
}

HSA_API hsa_status_t hsa_ext_sampler_destroy(hsa_agent_t handle, hsa_ext_sampler_t sampler)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(object_destroy(&samplers, agent, sampler.handle));
    return HSA_STATUS_SUCCESS;
}

void samplers_shut_down(void)
{
    object_set_shut_down(&samplers);
}
