/* SPDX-License-Identifier: MIT */
/* The interface of HSA 1.0 provisional (2014) to libhsa-runtime64: agents, signals, queues, memory.
 *
 * A translation unit includes these headers or those of hsa/, never both, as they give the same names other values.
 * What both have under one name is served in two versions by the library; including this header selects HSA_1.0P.
 *
 * Kernels are finalized with hsa_ext_finalize.h, or loaded with the interface of hsa/ in another translation unit. */
#ifndef HSA_1_0P_HSA_H
#define HSA_1_0P_HSA_H

#ifdef HSA_HSA_H
#error "hsa-1.0p/hsa.h and hsa/hsa.h do not go together"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Selects the version of a function for this translation unit. */
#define HSA_1_0P_VERSION(name) __asm__(".symver " #name "," #name "@HSA_1.0P")

/* ---- Statuses */

typedef enum {
    HSA_STATUS_SUCCESS = 0,
    HSA_STATUS_INFO_BREAK = 1,
    HSA_EXT_STATUS_INFO_ALREADY_INITIALIZED = 0x4000,
    HSA_EXT_STATUS_INFO_UNRECOGNIZED_OPTIONS = 0x4001,
    HSA_STATUS_ERROR = 0x10000,
    HSA_STATUS_ERROR_INVALID_ARGUMENT = 0x10001,
    HSA_STATUS_ERROR_INVALID_QUEUE_CREATION = 0x10002,
    HSA_STATUS_ERROR_INVALID_ALLOCATION = 0x10003,
    HSA_STATUS_ERROR_INVALID_AGENT = 0x10004,
    HSA_STATUS_ERROR_INVALID_REGION = 0x10005,
    HSA_STATUS_ERROR_INVALID_SIGNAL = 0x10006,
    HSA_STATUS_ERROR_INVALID_QUEUE = 0x10007,
    HSA_STATUS_ERROR_OUT_OF_RESOURCES = 0x10008,
    HSA_STATUS_ERROR_INVALID_PACKET_FORMAT = 0x10009,
    HSA_STATUS_ERROR_RESOURCE_FREE = 0x1000A,
    HSA_STATUS_ERROR_NOT_INITIALIZED = 0x1000B,
    HSA_STATUS_ERROR_REFCOUNT_OVERFLOW = 0x1000C,
    HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH = 0x14000,
    HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED = 0x14001,
    HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED = 0x14002
} hsa_status_t;

typedef struct hsa_dim3_s {
    uint32_t x, y, z;
} hsa_dim3_t;
typedef enum { HSA_DIM_X = 0, HSA_DIM_Y = 1, HSA_DIM_Z = 2 } hsa_dim_t;

typedef struct hsa_runtime_caller_s {
    uint64_t caller;
} hsa_runtime_caller_t;
typedef hsa_status_t (*hsa_runtime_alloc_data_callback_t)(hsa_runtime_caller_t caller, size_t byte_size,
                                                          void **address);

/* The logarithm of a power of two. */
typedef uint8_t hsa_powertwo8_t;
typedef enum {
    HSA_POWERTWO_1 = 0,
    HSA_POWERTWO_2 = 1,
    HSA_POWERTWO_4 = 2,
    HSA_POWERTWO_8 = 3,
    HSA_POWERTWO_16 = 4,
    HSA_POWERTWO_32 = 5,
    HSA_POWERTWO_64 = 6,
    HSA_POWERTWO_128 = 7,
    HSA_POWERTWO_256 = 8
} hsa_powertwo_t;

hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string);
hsa_status_t hsa_init(void);
hsa_status_t hsa_shut_down(void);

/* ---- The system and its agents */

typedef enum {
    HSA_SYSTEM_INFO_VERSION_MAJOR = 0,       /* uint16_t, 1 */
    HSA_SYSTEM_INFO_VERSION_MINOR = 1,       /* uint16_t, 0 */
    HSA_SYSTEM_INFO_TIMESTAMP = 2,           /* uint64_t */
    HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY = 3, /* uint16_t, MHz */
    HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT = 4      /* uint64_t, ticks */
} hsa_system_info_t;
hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value);

typedef uint64_t hsa_agent_t;
typedef enum { HSA_AGENT_FEATURE_DISPATCH = 1, HSA_AGENT_FEATURE_AGENT_DISPATCH = 2 } hsa_agent_feature_t;
typedef enum { HSA_DEVICE_TYPE_CPU = 0, HSA_DEVICE_TYPE_GPU = 1, HSA_DEVICE_TYPE_DSP = 2 } hsa_device_type_t;
typedef enum {
    HSA_AGENT_INFO_NAME = 0,                      /* char[64] */
    HSA_AGENT_INFO_VENDOR_NAME = 1,               /* char[64] */
    HSA_AGENT_INFO_FEATURE = 2,                   /* hsa_agent_feature_t */
    HSA_AGENT_INFO_WAVEFRONT_SIZE = 3,            /* uint32_t */
    HSA_AGENT_INFO_WORKGROUP_MAX_DIM = 4,         /* uint16_t[3] */
    HSA_AGENT_INFO_WORKGROUP_MAX_SIZE = 5,        /* uint32_t */
    HSA_AGENT_INFO_GRID_MAX_DIM = 6,              /* hsa_dim3_t */
    HSA_AGENT_INFO_GRID_MAX_SIZE = 7,             /* uint32_t */
    HSA_AGENT_INFO_FBARRIER_MAX_SIZE = 8,         /* uint32_t */
    HSA_AGENT_INFO_QUEUES_MAX = 9,                /* uint32_t */
    HSA_AGENT_INFO_QUEUE_MAX_SIZE = 10,           /* uint32_t */
    HSA_AGENT_INFO_QUEUE_TYPE = 11,               /* hsa_queue_type_t */
    HSA_AGENT_INFO_NODE = 12,                     /* uint32_t */
    HSA_AGENT_INFO_DEVICE = 13,                   /* hsa_device_type_t */
    HSA_AGENT_INFO_CACHE_SIZE = 14,               /* uint32_t[4] */
    HSA_EXT_AGENT_INFO_IMAGE1D_MAX_DIM = 15,      /* hsa_dim3_t */
    HSA_EXT_AGENT_INFO_IMAGE2D_MAX_DIM = 16,      /* hsa_dim3_t */
    HSA_EXT_AGENT_INFO_IMAGE3D_MAX_DIM = 17,      /* hsa_dim3_t */
    HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_SIZE = 18, /* uint32_t */
    HSA_EXT_AGENT_INFO_IMAGE_RD_MAX = 19,         /* uint32_t */
    HSA_EXT_AGENT_INFO_IMAGE_RDWR_MAX = 20,       /* uint32_t */
    HSA_EXT_AGENT_INFO_SAMPLER_MAX = 21           /* uint32_t */
} hsa_agent_info_t;
hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value);
hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data);

/* *RESULT becomes 1 if the extension is there, else 0. */
typedef enum {
    HSA_EXT_START = 0,
    HSA_EXT_FINALIZER = HSA_EXT_START,
    HSA_EXT_LINKER = 1,
    HSA_EXT_IMAGES = 2,
    HSA_SVEXT_START = 10000
} hsa_extension_t;
hsa_status_t hsa_extension_query(hsa_extension_t extension, int *result);
hsa_status_t hsa_vendor_extension_query(hsa_extension_t extension, void *extension_structure, int *result);

/* ---- Signals */

typedef int64_t hsa_signal_value_t;
typedef uint64_t hsa_signal_t;
typedef enum { HSA_EQ = 0, HSA_NE = 1, HSA_LT = 2, HSA_GTE = 3 } hsa_signal_condition_t;
typedef enum {
    HSA_WAIT_EXPECTANCY_SHORT = 0,
    HSA_WAIT_EXPECTANCY_LONG = 1,
    HSA_WAIT_EXPECTANCY_UNKNOWN = 2
} hsa_wait_expectancy_t;

hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers, const hsa_agent_t *consumers,
                               hsa_signal_t *signal);
hsa_status_t hsa_signal_destroy(hsa_signal_t signal);
hsa_signal_value_t hsa_signal_load_acquire(hsa_signal_t signal);
hsa_signal_value_t hsa_signal_load_relaxed(hsa_signal_t signal);
void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_store_release(hsa_signal_t signal, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_exchange_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_exchange_acquire(hsa_signal_t signal, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_exchange_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_exchange_release(hsa_signal_t signal, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_cas_acq_rel(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_cas_acquire(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_cas_relaxed(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value);
hsa_signal_value_t hsa_signal_cas_release(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value);
void hsa_signal_add_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_add_acquire(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_add_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_add_release(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_subtract_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_subtract_acquire(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_subtract_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_subtract_release(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_and_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_and_acquire(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_and_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_and_release(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_or_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_or_acquire(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_or_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_or_release(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_xor_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_xor_acquire(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_xor_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
void hsa_signal_xor_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Waits at most TIMEOUT_HINT ticks. */
hsa_signal_value_t hsa_signal_wait_acquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                           hsa_wait_expectancy_t wait_expectancy_hint);
hsa_signal_value_t hsa_signal_wait_relaxed(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                           hsa_wait_expectancy_t wait_expectancy_hint);

/* ---- Queues */

typedef enum { HSA_QUEUE_TYPE_MULTI = 0, HSA_QUEUE_TYPE_SINGLE = 1 } hsa_queue_type_t;
typedef enum { HSA_QUEUE_FEATURE_DISPATCH = 1, HSA_QUEUE_FEATURE_AGENT_DISPATCH = 2 } hsa_queue_feature_t;
typedef struct hsa_queue_s {
    hsa_queue_type_t type;
    uint32_t features;
    uint64_t base_address;
    hsa_signal_t doorbell_signal;
    uint32_t size; /* packets */
    uint32_t id;
    uint64_t service_queue;
} hsa_queue_t;

/* SERVICE_QUEUE, which may be NULL, is only kept, for those who read it from the queue. */
hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type_t type,
                              void (*callback)(hsa_status_t status, hsa_queue_t *source),
                              const hsa_queue_t *service_queue, hsa_queue_t **queue);
hsa_status_t hsa_queue_destroy(hsa_queue_t *queue);
hsa_status_t hsa_queue_inactivate(hsa_queue_t *queue);
uint64_t hsa_queue_load_read_index_acquire(const hsa_queue_t *queue);
uint64_t hsa_queue_load_read_index_relaxed(const hsa_queue_t *queue);
uint64_t hsa_queue_load_write_index_acquire(const hsa_queue_t *queue);
uint64_t hsa_queue_load_write_index_relaxed(const hsa_queue_t *queue);
void hsa_queue_store_write_index_relaxed(const hsa_queue_t *queue, uint64_t value);
void hsa_queue_store_write_index_release(const hsa_queue_t *queue, uint64_t value);
uint64_t hsa_queue_cas_write_index_acq_rel(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
uint64_t hsa_queue_cas_write_index_acquire(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
uint64_t hsa_queue_cas_write_index_relaxed(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
uint64_t hsa_queue_cas_write_index_release(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
uint64_t hsa_queue_add_write_index_acq_rel(const hsa_queue_t *queue, uint64_t value);
uint64_t hsa_queue_add_write_index_acquire(const hsa_queue_t *queue, uint64_t value);
uint64_t hsa_queue_add_write_index_relaxed(const hsa_queue_t *queue, uint64_t value);
uint64_t hsa_queue_add_write_index_release(const hsa_queue_t *queue, uint64_t value);
void hsa_queue_store_read_index_relaxed(const hsa_queue_t *queue, uint64_t value);
void hsa_queue_store_read_index_release(const hsa_queue_t *queue, uint64_t value);

/* ---- Packets */

typedef enum {
    HSA_PACKET_TYPE_ALWAYS_RESERVED = 0,
    HSA_PACKET_TYPE_INVALID = 1,
    HSA_PACKET_TYPE_DISPATCH = 2,
    HSA_PACKET_TYPE_BARRIER = 3,
    HSA_PACKET_TYPE_AGENT_DISPATCH = 4
} hsa_packet_type_t;
typedef enum { HSA_FENCE_SCOPE_NONE = 0, HSA_FENCE_SCOPE_COMPONENT = 1, HSA_FENCE_SCOPE_SYSTEM = 2 } hsa_fence_scope_t;

typedef struct hsa_packet_header_s {
    uint16_t type : 8;
    uint16_t barrier : 1;
    uint16_t acquire_fence_scope : 2;
    uint16_t release_fence_scope : 2;
    uint16_t reserved : 3;
} hsa_packet_header_t;

typedef struct hsa_dispatch_packet_s {
    hsa_packet_header_t header;
    uint16_t dimensions : 2;
    uint16_t reserved : 14;
    uint16_t workgroup_size_x, workgroup_size_y, workgroup_size_z;
    uint16_t reserved2;
    uint32_t grid_size_x, grid_size_y, grid_size_z;
    uint32_t private_segment_size, group_segment_size; /* bytes */
    uint64_t kernel_object_address;
    uint64_t kernarg_address;
    uint64_t reserved3;
    hsa_signal_t completion_signal;
} hsa_dispatch_packet_t;

typedef struct hsa_agent_dispatch_packet_s {
    hsa_packet_header_t header;
    uint16_t type;
    uint32_t reserved2;
    uint64_t return_address;
    uint64_t arg[4];
    uint64_t reserved3;
    hsa_signal_t completion_signal;
} hsa_agent_dispatch_packet_t;

typedef struct hsa_barrier_packet_s {
    hsa_packet_header_t header;
    uint16_t reserved2;
    uint32_t reserved3;
    hsa_signal_t dep_signal[5];
    uint64_t reserved4;
    hsa_signal_t completion_signal;
} hsa_barrier_packet_t;

/* ---- Memory */

typedef uint64_t hsa_region_t;
typedef enum {
    HSA_SEGMENT_GLOBAL = 0,
    HSA_SEGMENT_PRIVATE = 1,
    HSA_SEGMENT_GROUP = 2,
    HSA_SEGMENT_KERNARG = 3,
    HSA_SEGMENT_READONLY = 4,
    HSA_SEGMENT_SPILL = 5,
    HSA_SEGMENT_ARG = 6
} hsa_segment_t;
typedef enum {
    HSA_REGION_FLAG_KERNARG = 1,
    HSA_REGION_FLAG_CACHED_L1 = 2,
    HSA_REGION_FLAG_CACHED_L2 = 4,
    HSA_REGION_FLAG_CACHED_L3 = 8,
    HSA_REGION_FLAG_CACHED_L4 = 16
} hsa_region_flag_t;
typedef enum {
    HSA_REGION_INFO_BASE = 0,            /* void *, NULL: there is no single one */
    HSA_REGION_INFO_SIZE = 1,            /* size_t */
    HSA_REGION_INFO_AGENT = 2,           /* hsa_agent_t */
    HSA_REGION_INFO_FLAGS = 3,           /* uint32_t, of hsa_region_flag_t */
    HSA_REGION_INFO_SEGMENT = 4,         /* hsa_segment_t */
    HSA_REGION_INFO_ALLOC_MAX_SIZE = 5,  /* size_t */
    HSA_REGION_INFO_ALLOC_GRANULE = 6,   /* size_t */
    HSA_REGION_INFO_ALLOC_ALIGNMENT = 7, /* size_t */
    HSA_REGION_INFO_BANDWIDTH = 8,       /* uint32_t, MB/s; 0: unknown */
    HSA_REGION_INFO_NODE = 9             /* uint32_t */
} hsa_region_info_t;
hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void *value);
hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent, hsa_status_t (*callback)(hsa_region_t region, void *data),
                                       void *data);

/* A SIZE of 0 succeeds, and *PTR becomes NULL. */
hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr);
hsa_status_t hsa_memory_free(void *ptr);
hsa_status_t hsa_memory_register(void *address, size_t size);
hsa_status_t hsa_memory_deregister(void *address, size_t size);

HSA_1_0P_VERSION(hsa_status_string);
HSA_1_0P_VERSION(hsa_init);
HSA_1_0P_VERSION(hsa_shut_down);
HSA_1_0P_VERSION(hsa_system_get_info);
HSA_1_0P_VERSION(hsa_agent_get_info);
HSA_1_0P_VERSION(hsa_iterate_agents);
HSA_1_0P_VERSION(hsa_signal_create);
HSA_1_0P_VERSION(hsa_signal_destroy);
HSA_1_0P_VERSION(hsa_signal_wait_acquire);
HSA_1_0P_VERSION(hsa_signal_wait_relaxed);
HSA_1_0P_VERSION(hsa_queue_create);
HSA_1_0P_VERSION(hsa_queue_destroy);
HSA_1_0P_VERSION(hsa_queue_inactivate);
HSA_1_0P_VERSION(hsa_region_get_info);
HSA_1_0P_VERSION(hsa_agent_iterate_regions);
HSA_1_0P_VERSION(hsa_memory_allocate);
HSA_1_0P_VERSION(hsa_memory_free);
HSA_1_0P_VERSION(hsa_memory_register);
HSA_1_0P_VERSION(hsa_memory_deregister);

#ifdef __cplusplus
}
#endif

#endif
