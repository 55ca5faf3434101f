/* SPDX-License-Identifier: MIT */
/* Tests those functions of AMD's extension, and those queries for information, that no other test calls. Each must
 * answer, and refuse what the documents say that it refuses. */
#include "testsuite/runtime/common.h"

static hsa_agent_t cpu, gpu;

static hsa_status_t keep_isa(hsa_isa_t isa, void *data)
{
    *(hsa_isa_t *)data = isa;
    return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t keep_wavefront(hsa_wavefront_t wavefront, void *data)
{
    *(hsa_wavefront_t *)data = wavefront;
    return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t keep_cache(hsa_cache_t cache, void *data)
{
    *(hsa_cache_t *)data = cache;
    return HSA_STATUS_INFO_BREAK;
}

static void information(void)
{
    hsa_isa_t isa = {0};
    hsa_wavefront_t wavefront = {0};
    hsa_cache_t cache = {0};
    uint32_t size = 0;
    uint16_t mask = 7;
    uint8_t level = 0;
    bool same = false;
    hsa_round_method_t method;
    ok(hsa_agent_iterate_isas(gpu, keep_isa, &isa) == HSA_STATUS_INFO_BREAK &&
           hsa_agent_iterate_isas((hsa_agent_t){1}, keep_isa, &isa) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_agent_iterate_isas(gpu, NULL, &isa) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "instruction sets");
    ok(hsa_isa_iterate_wavefronts(isa, keep_wavefront, &wavefront) == HSA_STATUS_INFO_BREAK &&
           hsa_wavefront_get_info(wavefront, HSA_WAVEFRONT_INFO_SIZE, &size) == HSA_STATUS_SUCCESS && size == 64 &&
           hsa_wavefront_get_info((hsa_wavefront_t){3}, HSA_WAVEFRONT_INFO_SIZE, &size) ==
               HSA_STATUS_ERROR_INVALID_WAVEFRONT,
       "wavefronts");
    ok(hsa_agent_iterate_caches(gpu, keep_cache, &cache) == HSA_STATUS_INFO_BREAK &&
           hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level) == HSA_STATUS_SUCCESS && level == 1 &&
           hsa_cache_get_info((hsa_cache_t){3}, HSA_CACHE_INFO_LEVEL, &level) == HSA_STATUS_ERROR_INVALID_CACHE &&
           hsa_cache_get_info(cache, (hsa_cache_info_t)99, &level) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "caches");
    const uint16_t both = HSA_EXCEPTION_POLICY_BREAK | HSA_EXCEPTION_POLICY_DETECT;
    ok(hsa_isa_get_exception_policies(isa, HSA_PROFILE_FULL, &mask) == HSA_STATUS_SUCCESS && mask == both &&
           hsa_isa_get_exception_policies(isa, HSA_PROFILE_BASE, &mask) == HSA_STATUS_SUCCESS && mask == 0 &&
           hsa_agent_get_exception_policies(gpu, HSA_PROFILE_FULL, &mask) == HSA_STATUS_SUCCESS && mask == both &&
           hsa_isa_get_exception_policies(isa, HSA_PROFILE_FULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "exceptions of the full profile are detected and halt kernels");
    ok(hsa_isa_compatible(isa, isa, &same) == HSA_STATUS_SUCCESS && same &&
           hsa_isa_compatible(isa, (hsa_isa_t){5}, &same) == HSA_STATUS_ERROR_INVALID_ISA,
       "compatibility");
    ok(hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, HSA_FLUSH_MODE_NON_FTZ, &method) == HSA_STATUS_SUCCESS &&
           method == HSA_ROUND_METHOD_SINGLE &&
           hsa_isa_get_round_method((hsa_isa_t){5}, HSA_FP_TYPE_32, HSA_FLUSH_MODE_NON_FTZ, &method) ==
               HSA_STATUS_ERROR_INVALID_ISA,
       "the rounding of multiply-add");
}

static void queues(void)
{
    hsa_queue_t *queue = NULL;
    uint32_t mask[2] = {1, 0}, back[2] = {9, 9};
    hsa_signal_t signal;
    hsa_amd_profiling_dispatch_time_t dispatch = {9, 9};
    uint64_t tick = 0;
    ok(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) ==
               HSA_STATUS_SUCCESS &&
           hsa_amd_queue_cu_set_mask(queue, 64, mask) != HSA_STATUS_ERROR_INVALID_QUEUE &&
           hsa_amd_queue_cu_get_mask(queue, 64, back) == HSA_STATUS_SUCCESS && back[0] == 1 &&
           hsa_amd_queue_cu_set_mask(queue, 7, mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "masks of compute units");
    ok(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH) == HSA_STATUS_SUCCESS &&
           hsa_amd_queue_set_priority(queue, (hsa_amd_queue_priority_t)9) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "priorities");
    ok(hsa_amd_profiling_set_profiler_enabled(queue, 1) == HSA_STATUS_SUCCESS &&
           hsa_amd_profiling_async_copy_enable(true) == HSA_STATUS_SUCCESS &&
           hsa_amd_signal_create(1, 0, NULL, 0, &signal) == HSA_STATUS_SUCCESS &&
           hsa_amd_signal_create(1, 0, NULL, UINT64_C(1) << 40, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_profiling_get_dispatch_time(gpu, signal, &dispatch) == HSA_STATUS_SUCCESS && !dispatch.start &&
           hsa_amd_profiling_get_dispatch_time(gpu, (hsa_signal_t){0}, &dispatch) == HSA_STATUS_ERROR_INVALID_SIGNAL,
       "profiling");
    ok(hsa_amd_profiling_convert_tick_to_system_domain(gpu, 1234, &tick) == HSA_STATUS_SUCCESS && tick == 1234 &&
           hsa_amd_profiling_convert_tick_to_system_domain((hsa_agent_t){1}, 1, &tick) ==
               HSA_STATUS_ERROR_INVALID_AGENT,
       "ticks");
    hsa_signal_destroy(signal);
    hsa_queue_destroy(queue);
}

static void coherency(void)
{
    hsa_amd_coherency_type_t type;
    ok(hsa_amd_coherency_set_type(gpu, HSA_AMD_COHERENCY_TYPE_NONCOHERENT) == HSA_STATUS_SUCCESS &&
           hsa_amd_coherency_get_type(gpu, &type) == HSA_STATUS_SUCCESS && type == HSA_AMD_COHERENCY_TYPE_NONCOHERENT &&
           hsa_amd_coherency_get_type(gpu, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_coherency_set_type((hsa_agent_t){1}, type) == HSA_STATUS_ERROR_INVALID_AGENT,
       "coherency");
}

int main(void)
{
    setenv("HSA_AGENT_DRIVERS", "", 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    gpu = agent_named("gfx900", &cpu);
    information();
    queues();
    coherency();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
