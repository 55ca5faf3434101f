/* SPDX-License-Identifier: MIT */
/* Instruction sets and their wavefronts. (HSA 1.2; ROCR documentation 4.7)
 *
 * Input: handles and names of any value. Output: attributes, and for the target name of some code the instruction set
 * that can execute it. */
#include "runtime/agent.h"
#include "runtime/extension.h"
#include "support/amdgpu.h"

struct isa *isa_find(hsa_isa_t handle)
{
    return handle_get(handle.handle, HANDLE_ISA);
}

/* ---- names ---- */

/* Whether code for the target CODE runs on ISA. A driver may have processors of its own that amdgpu.def does not list;
 * their names must be the same. */
static bool isa_runs(const char *code, size_t length, const struct isa *isa)
{
    const char *name = isa->is->name;
    size_t own_length = strlen(name);
    if (own_length == length && !memcmp(name, code, length))
        return true;
    struct amdgpu_target want, have;
    return amdgpu_target_parse(code, length, &want) && amdgpu_target_parse(name, own_length, &have) &&
           amdgpu_target_runs_on(&want, &have);
}

struct isa *isa_for_code(const struct agent *only, const char *name, size_t length)
{
    for (size_t i = 0; i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        if (only && agent != only)
            continue;
        for (size_t j = 0; j < agent->config.isa_count; j++)
            if (isa_runs(name, length, &agent->isas[j]))
                return &agent->isas[j];
    }
    return NULL;
}

HSA_API hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa)
{
    CHECK_UP();
    CHECK_ARGUMENT(name && isa);
    const struct isa *found = isa_for_code(NULL, name, strlen(name));
    CHECK(found, HSA_STATUS_ERROR_INVALID_ISA_NAME);
    *isa = found->handle;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa, bool *result)
{
    CHECK_UP();
    const struct isa *code = isa_find(code_object_isa), *agent = isa_find(agent_isa);
    CHECK(code && agent, HSA_STATUS_ERROR_INVALID_ISA);
    CHECK_ARGUMENT(result);
    *result = isa_runs(code->is->name, strlen(code->is->name), agent);
    return HSA_STATUS_SUCCESS;
}

/* ---- attributes ---- */

HSA_API hsa_status_t hsa_agent_iterate_isas(hsa_agent_t handle, hsa_status_t (*callback)(hsa_isa_t isa, void *data),
                                            void *data)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < agent->config.isa_count; i++) {
        hsa_status_t status = callback(agent->isas[i].handle, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t isa_get(const struct isa *isa, hsa_isa_info_t attribute, void *value)
{
    const hsam_isa *is = isa->is;
    static const bool large_model[2] = {[HSA_MACHINE_MODEL_LARGE] = true};
    switch ((int)attribute) {
    case HSA_ISA_INFO_NAME_LENGTH: PUT(uint32_t, (uint32_t)strlen(is->name) + 1); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_NAME: memcpy(value, is->name, strlen(is->name) + 1); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_CALL_CONVENTION_COUNT: PUT(uint32_t, 1); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
        PUT(uint32_t, is->wavefront_sizes[0]);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
        PUT(uint32_t, is->waves_per_compute_unit);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_MACHINE_MODELS: memcpy(value, large_model, sizeof large_model); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_PROFILES: memcpy(value, is->profiles, sizeof is->profiles); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
        memcpy(value, is->default_float_rounding_modes, sizeof is->default_float_rounding_modes);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
        memcpy(value, is->base_profile_default_float_rounding_modes,
               sizeof is->base_profile_default_float_rounding_modes);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_FAST_F16_OPERATION: PUT(bool, is->fast_f16); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
        memcpy(value, is->workgroup_max_dim, sizeof is->workgroup_max_dim);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_WORKGROUP_MAX_SIZE: PUT(uint32_t, is->workgroup_max_size); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_GRID_MAX_DIM: PUT(hsa_dim3_t, is->grid_max_dim); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_GRID_MAX_SIZE: PUT(uint64_t, is->grid_max_size); return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_FBARRIER_MAX_SIZE: PUT(uint32_t, is->fbarrier_max_size); return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_isa_get_info_alt(hsa_isa_t handle, hsa_isa_info_t attribute, void *value)
{
    CHECK_UP();
    const struct isa *isa = isa_find(handle);
    CHECK(isa, HSA_STATUS_ERROR_INVALID_ISA);
    CHECK_ARGUMENT(value);
    return isa_get(isa, attribute, value);
}

HSA_API hsa_status_t hsa_isa_get_info(hsa_isa_t handle, hsa_isa_info_t attribute, uint32_t index, void *value)
{
    CHECK_UP();
    const struct isa *isa = isa_find(handle);
    CHECK(isa, HSA_STATUS_ERROR_INVALID_ISA);
    CHECK_ARGUMENT(value);
    CHECK(index == 0, HSA_STATUS_ERROR_INVALID_INDEX);
    return isa_get(isa, attribute, value);
}

HSA_API hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t handle, hsa_profile_t profile, uint16_t *mask)
{
    CHECK_UP();
    const struct isa *isa = isa_find(handle);
    CHECK(isa, HSA_STATUS_ERROR_INVALID_ISA);
    CHECK_ARGUMENT(mask && profile <= HSA_PROFILE_FULL);
    *mask = isa->is->exception_policies[profile];
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_isa_get_round_method(hsa_isa_t handle, hsa_fp_type_t fp_type, hsa_flush_mode_t flush_mode,
                                              hsa_round_method_t *round_method)
{
    CHECK_UP();
    const struct isa *isa = isa_find(handle);
    CHECK(isa, HSA_STATUS_ERROR_INVALID_ISA);
    CHECK_ARGUMENT(round_method &&
                   (fp_type == HSA_FP_TYPE_16 || fp_type == HSA_FP_TYPE_32 || fp_type == HSA_FP_TYPE_64) &&
                   (flush_mode == HSA_FLUSH_MODE_FTZ || flush_mode == HSA_FLUSH_MODE_NON_FTZ));
    uint8_t method = isa->is->fma_round_method[flush_mode == HSA_FLUSH_MODE_NON_FTZ];
    *round_method = method ? (hsa_round_method_t)method : HSA_ROUND_METHOD_SINGLE;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_isa_iterate_wavefronts(
    hsa_isa_t handle, hsa_status_t (*callback)(hsa_wavefront_t wavefront, void *data), void *data)
{
    CHECK_UP();
    const struct isa *isa = isa_find(handle);
    CHECK(isa, HSA_STATUS_ERROR_INVALID_ISA);
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < 2 && isa->wavefronts[i].size; i++) {
        hsa_status_t status = callback(isa->wavefronts[i].handle, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t handle, hsa_wavefront_info_t attribute, void *value)
{
    CHECK_UP();
    const struct wavefront *wavefront = handle_get(handle.handle, HANDLE_WAVEFRONT);
    CHECK(wavefront, HSA_STATUS_ERROR_INVALID_WAVEFRONT);
    CHECK_ARGUMENT(value && attribute == HSA_WAVEFRONT_INFO_SIZE);
    PUT(uint32_t, wavefront->size);
    return HSA_STATUS_SUCCESS;
}
