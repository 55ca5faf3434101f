/* SPDX-License-Identifier: MIT */
/* The memory of a queue, which device code reads directly: the hsa_queue_t * of a queue that an agent processes is the
 * address of an amd_queue_t. The layout is that of AMD's runtime. */
#ifndef HSA_AMD_HSA_QUEUE_H
#define HSA_AMD_HSA_QUEUE_H

#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum amd_queue_properties_t {
    AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER = 1 << 0,
    AMD_QUEUE_PROPERTIES_IS_PTR64 = 1 << 1,
    AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER_DEBUG_SGPRS = 1 << 2,
    AMD_QUEUE_PROPERTIES_ENABLE_PROFILING = 1 << 3
};
typedef uint32_t amd_queue_properties32_t;

typedef struct __attribute__((aligned(64))) amd_queue_s {
    hsa_queue_t hsa_queue;
    uint32_t caps;
    uint32_t reserved1[3];
    volatile uint64_t write_dispatch_id; /* the write index */
    uint32_t group_segment_aperture_base_hi;
    uint32_t private_segment_aperture_base_hi;
    uint32_t max_cu_id;
    uint32_t max_wave_id;
    volatile uint64_t max_legacy_doorbell_dispatch_id_plus_1;
    volatile uint32_t legacy_doorbell_lock;
    uint32_t reserved2[9];
    volatile uint64_t read_dispatch_id; /* the read index */
    uint32_t read_dispatch_id_field_base_byte_offset;
    uint32_t compute_tmpring_size;
    uint32_t scratch_resource_descriptor[4];
    uint64_t scratch_backing_memory_location;
    uint64_t scratch_backing_memory_byte_size;
    uint32_t scratch_wave64_lane_byte_size;
    amd_queue_properties32_t queue_properties;
    volatile uint64_t scratch_last_used_index;
    hsa_signal_t queue_inactive_signal;
    uint32_t reserved4[14];
} amd_queue_t;

#ifdef __cplusplus
}
#endif

#endif
