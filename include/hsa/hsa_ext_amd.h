/* SPDX-License-Identifier: MIT */
/* AMD's extension of the HSA runtime, as far as this runtime has it: memory pools, asynchronous copies, locked memory,
 * information about pointers, waits for several signals, handlers of signals, profiling, attributes of queues, sharing
 * between processes, attributes of shared virtual memory, images. Values, layouts and names are AMD's. What hsa.h says
 * of every function holds. (ROCR documentation 4.8 - 4.13) */
#ifndef HSA_HSA_EXT_AMD_H
#define HSA_HSA_EXT_AMD_H

#include "hsa/hsa.h"
#include "hsa/hsa_ext_image.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HSA_AMD_INTERFACE_VERSION_MAJOR 1
#define HSA_AMD_INTERFACE_VERSION_MINOR 1

/* Continues hsa_status_t. */
enum {
    HSA_STATUS_ERROR_INVALID_MEMORY_POOL = 40,
    HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION = 41,
    HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION = 42,
    HSA_STATUS_ERROR_MEMORY_FAULT = 43,
    HSA_STATUS_CU_MASK_REDUCED = 44,
    HSA_STATUS_ERROR_OUT_OF_REGISTERS = 45,
    HSA_STATUS_ERROR_RESOURCE_BUSY = 46
};

/* ---- Packets ---- */

typedef enum { HSA_AMD_PACKET_TYPE_BARRIER_VALUE = 2, HSA_AMD_PACKET_TYPE_AIE_ERT = 3 } hsa_amd_packet_type_t;
typedef uint8_t hsa_amd_packet_type8_t;

typedef struct hsa_amd_vendor_packet_header_s {
    uint16_t header; /* type HSA_PACKET_TYPE_VENDOR_SPECIFIC */
    hsa_amd_packet_type8_t AmdFormat;
    uint8_t reserved;
} hsa_amd_vendor_packet_header_t;

typedef uint32_t hsa_signal_condition32_t;

/* Complete when (value of SIGNAL & MASK) meets COND against VALUE. */
typedef struct hsa_amd_barrier_value_packet_s {
    hsa_amd_vendor_packet_header_t header;
    uint32_t reserved0;
    hsa_signal_t signal;
    hsa_signal_value_t value;
    hsa_signal_value_t mask;
    hsa_signal_condition32_t cond;
    uint32_t reserved1;
    uint64_t reserved2;
    uint64_t reserved3;
    hsa_signal_t completion_signal;
} hsa_amd_barrier_value_packet_t;

/* ---- Agents ---- */

/* Further attributes of hsa_agent_get_info(). */
typedef enum hsa_amd_agent_info_s {
    HSA_AMD_AGENT_INFO_CHIP_ID = 0xa000,                        /* uint32_t */
    HSA_AMD_AGENT_INFO_CACHELINE_SIZE = 0xa001,                 /* uint32_t bytes */
    HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT = 0xa002,             /* uint32_t */
    HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY = 0xa003,            /* uint32_t MHz */
    HSA_AMD_AGENT_INFO_DRIVER_NODE_ID = 0xa004,                 /* uint32_t */
    HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS = 0xa005,       /* uint32_t */
    HSA_AMD_AGENT_INFO_BDFID = 0xa006,                          /* uint32_t */
    HSA_AMD_AGENT_INFO_MEMORY_WIDTH = 0xa007,                   /* uint32_t bits */
    HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY = 0xa008,           /* uint32_t MHz */
    HSA_AMD_AGENT_INFO_PRODUCT_NAME = 0xa009,                   /* char[64] */
    HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU = 0xa00a,               /* uint32_t */
    HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU = 0xa00b,               /* uint32_t */
    HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES = 0xa00c,             /* uint32_t */
    HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE = 0xa00d,       /* uint32_t */
    HSA_AMD_AGENT_INFO_HDP_FLUSH = 0xa00e,                      /* hsa_amd_hdp_flush_t */
    HSA_AMD_AGENT_INFO_DOMAIN = 0xa00f,                         /* uint32_t */
    HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES = 0xa010,             /* bool */
    HSA_AMD_AGENT_INFO_UUID = 0xa011,                           /* char[21] */
    HSA_AMD_AGENT_INFO_ASIC_REVISION = 0xa012,                  /* uint32_t */
    HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS = 0xa013,         /* bool */
    HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT = 0xa014, /* uint32_t */
    HSA_AMD_AGENT_INFO_MEMORY_AVAIL = 0xa015,                   /* uint64_t bytes */
    HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY = 0xa016,            /* uint64_t Hz */
    HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID = 0xa107,                 /* uint32_t */
    HSA_AMD_AGENT_INFO_UCODE_VERSION = 0xa108,                  /* uint32_t */
    HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION = 0xa109,             /* uint32_t */
    HSA_AMD_AGENT_INFO_NUM_SDMA_ENG = 0xa10a,                   /* uint32_t */
    HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG = 0xa10b,              /* uint32_t */
    HSA_AMD_AGENT_INFO_IOMMU_SUPPORT = 0xa110,                  /* hsa_amd_iommu_version_t */
    HSA_AMD_AGENT_INFO_NUM_XCC = 0xa111,                        /* uint32_t */
    HSA_AMD_AGENT_INFO_DRIVER_UID = 0xa112,                     /* uint32_t */
    HSA_AMD_AGENT_INFO_NEAREST_CPU = 0xa113,                    /* hsa_agent_t */
    HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES = 0xa114,              /* uint8_t[8] bits */
    HSA_AMD_AGENT_INFO_AQL_EXTENSIONS = 0xa115                  /* uint8_t[8] bits */
} hsa_amd_agent_info_t;

typedef struct hsa_amd_hdp_flush_s {
    uint32_t *HDP_MEM_FLUSH_CNTL; /* NULL: no flush needed */
    uint32_t *HDP_REG_FLUSH_CNTL;
} hsa_amd_hdp_flush_t;

typedef enum hsa_amd_iommu_version_s { HSA_IOMMU_SUPPORT_NONE = 0, HSA_IOMMU_SUPPORT_V2 = 1 } hsa_amd_iommu_version_t;

typedef enum hsa_amd_coherency_type_s {
    HSA_AMD_COHERENCY_TYPE_COHERENT = 0,
    HSA_AMD_COHERENCY_TYPE_NONCOHERENT = 1
} hsa_amd_coherency_type_t;

/* Reads and sets how AGENT caches fine-grained memory. INVALID_AGENT: also a CPU, for set. INVALID_ARGUMENT:
 * unknown TYPE. Software agents are always coherent; the setting is kept and read back. */
HSA_API hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t *type);
HSA_API hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type);

/* ---- Regions and memory pools ---- */

/* Further attributes of hsa_region_get_info(). */
typedef enum hsa_amd_region_info_s {
    HSA_AMD_REGION_INFO_HOST_ACCESSIBLE = 0xa000,    /* bool */
    HSA_AMD_REGION_INFO_BASE = 0xa001,               /* void *: NULL, regions have no base */
    HSA_AMD_REGION_INFO_BUS_WIDTH = 0xa002,          /* uint32_t bits */
    HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY = 0xa003 /* uint32_t MHz */
} hsa_amd_region_info_t;

/* A memory pool is a region seen by this interface; both have the same handle value. */
typedef struct hsa_amd_memory_pool_s {
    uint64_t handle;
} hsa_amd_memory_pool_t;

typedef enum {
    HSA_AMD_SEGMENT_GLOBAL = 0,
    HSA_AMD_SEGMENT_READONLY = 1,
    HSA_AMD_SEGMENT_PRIVATE = 2,
    HSA_AMD_SEGMENT_GROUP = 3
} hsa_amd_segment_t;

typedef enum hsa_amd_memory_pool_global_flag_s {
    HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT = 1,
    HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED = 2,
    HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED = 4,
    HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_EXTENDED_SCOPE_FINE_GRAINED = 8
} hsa_amd_memory_pool_global_flag_t;

typedef enum hsa_amd_memory_pool_location_s {
    HSA_AMD_MEMORY_POOL_LOCATION_CPU = 0,
    HSA_AMD_MEMORY_POOL_LOCATION_GPU = 1
} hsa_amd_memory_pool_location_t;

typedef enum {
    HSA_AMD_MEMORY_POOL_INFO_SEGMENT = 0,                   /* hsa_amd_segment_t */
    HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS = 1,              /* uint32_t of hsa_amd_memory_pool_global_flag_t */
    HSA_AMD_MEMORY_POOL_INFO_SIZE = 2,                      /* size_t bytes */
    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED = 5,     /* bool */
    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE = 6,     /* size_t bytes */
    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT = 7,   /* size_t bytes */
    HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL = 15,        /* bool */
    HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE = 16,           /* size_t bytes */
    HSA_AMD_MEMORY_POOL_INFO_LOCATION = 17,                 /* hsa_amd_memory_pool_location_t */
    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE = 18 /* size_t bytes */
} hsa_amd_memory_pool_info_t;

typedef enum hsa_amd_memory_pool_flag_s {
    HSA_AMD_MEMORY_POOL_STANDARD_FLAG = 0,
    HSA_AMD_MEMORY_POOL_PCIE_FLAG = 1,
    HSA_AMD_MEMORY_POOL_CONTIGUOUS_FLAG = 2,
    HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG = 4
} hsa_amd_memory_pool_flag_t;

/* Writes one property of MEMORY_POOL to VALUE. INVALID_MEMORY_POOL. */
HSA_API hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t memory_pool,
                                                  hsa_amd_memory_pool_info_t attribute, void *value);

/* Calls back for every memory pool of AGENT itself. INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t memory_pool, void *data), void *data);

/* As hsa_memory_allocate(); FLAGS of hsa_amd_memory_pool_flag_t are hints. INVALID_MEMORY_POOL.
 * INVALID_ARGUMENT: SIZE is 0 or FLAGS unknown. */
HSA_API hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t memory_pool, size_t size, uint32_t flags,
                                                  void **ptr);

/* The same as hsa_memory_free(). */
HSA_API hsa_status_t hsa_amd_memory_pool_free(void *ptr);

typedef enum {
    HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED = 0,
    HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT = 1,
    HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT = 2
} hsa_amd_memory_pool_access_t;

typedef enum {
    HSA_AMD_LINK_INFO_TYPE_HYPERTRANSPORT = 0,
    HSA_AMD_LINK_INFO_TYPE_QPI = 1,
    HSA_AMD_LINK_INFO_TYPE_PCIE = 2,
    HSA_AMD_LINK_INFO_TYPE_INFINBAND = 3,
    HSA_AMD_LINK_INFO_TYPE_XGMI = 4
} hsa_amd_link_info_type_t;

typedef struct hsa_amd_memory_pool_link_info_s {
    uint32_t min_latency, max_latency;     /* ns; 0 unknown */
    uint32_t min_bandwidth, max_bandwidth; /* MB/s; 0 unknown */
    bool atomic_support_32bit, atomic_support_64bit, coherent_support;
    hsa_amd_link_info_type_t link_type;
    uint32_t numa_distance;
} hsa_amd_memory_pool_link_info_t;

typedef enum {
    HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS = 0,        /* hsa_amd_memory_pool_access_t */
    HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS = 1, /* uint32_t */
    HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO = 2      /* hsa_amd_memory_pool_link_info_t[NUM_LINK_HOPS] */
} hsa_amd_agent_memory_pool_info_t;

/* Writes how AGENT reaches MEMORY_POOL to VALUE. INVALID_AGENT, INVALID_MEMORY_POOL. */
HSA_API hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t memory_pool,
                                                        hsa_amd_agent_memory_pool_info_t attribute, void *value);

/* Makes the allocation at PTR accessible to exactly these agents, its owner and the agents that always have
 * access. FLAGS must be NULL. INVALID_ARGUMENT: NUM_AGENTS is 0, or PTR lies in no allocation. INVALID_AGENT.
 */
HSA_API hsa_status_t hsa_amd_agents_allow_access(uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags,
                                                 const void *ptr);

/* Whether memory of the first pool can migrate to the second: here never, unless they are the same.
 * INVALID_MEMORY_POOL. */
HSA_API hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t src_memory_pool,
                                                     hsa_amd_memory_pool_t dst_memory_pool, bool *result);

/* Moves an allocation to another pool. INVALID_MEMORY_POOL. INVALID_ARGUMENT: FLAGS is not 0, or PTR lies in
 * no allocation. OUT_OF_RESOURCES: it cannot migrate there (see hsa_amd_memory_pool_can_migrate()). */
HSA_API hsa_status_t hsa_amd_memory_migrate(const void *ptr, hsa_amd_memory_pool_t memory_pool, uint32_t flags);

/* Makes SIZE bytes of host memory usable by AGENTS (NULL and 0: all); *AGENT_PTR becomes the address that
 * they use. The second form gives the memory the properties of POOL, a CPU's; FLAGS must be 0. INVALID_AGENT,
 * INVALID_MEMORY_POOL. INVALID_ARGUMENT: SIZE is 0, or exactly one of AGENTS and NUM_AGENT is empty. */
HSA_API hsa_status_t hsa_amd_memory_lock(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
                                         void **agent_ptr);
HSA_API hsa_status_t hsa_amd_memory_lock_to_pool(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
                                                 hsa_amd_memory_pool_t pool, uint32_t flags, void **agent_ptr);

/* Undoes one hsa_amd_memory_lock() of HOST_PTR. INVALID_ARGUMENT: HOST_PTR is not locked. */
HSA_API hsa_status_t hsa_amd_memory_unlock(void *host_ptr);

/* Stores VALUE in COUNT words of 32 bits. INVALID_ARGUMENT: PTR is not aligned to 4. INVALID_ALLOCATION: the
 * words do not lie in one allocation. */
HSA_API hsa_status_t hsa_amd_memory_fill(void *ptr, uint32_t value, size_t count);

/* Copies SIZE bytes once all NUM_DEP_SIGNALS signals have been seen with value 0; then COMPLETION_SIGNAL is
 * decremented, or made negative when the copy failed. SIZE 0 does nothing at all. INVALID_AGENT,
 * INVALID_SIGNAL. INVALID_ARGUMENT: a count without list or a list without count. */
HSA_API hsa_status_t hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent,
                                               size_t size, uint32_t num_dep_signals, const hsa_signal_t *dep_signals,
                                               hsa_signal_t completion_signal);

/* Copy engines, as bits. Agents of this runtime have the first one. */
typedef enum {
    HSA_AMD_SDMA_ENGINE_0 = 0x1,
    HSA_AMD_SDMA_ENGINE_1 = 0x2,
    HSA_AMD_SDMA_ENGINE_2 = 0x4,
    HSA_AMD_SDMA_ENGINE_3 = 0x8,
    HSA_AMD_SDMA_ENGINE_4 = 0x10,
    HSA_AMD_SDMA_ENGINE_5 = 0x20,
    HSA_AMD_SDMA_ENGINE_6 = 0x40,
    HSA_AMD_SDMA_ENGINE_7 = 0x80,
    HSA_AMD_SDMA_ENGINE_8 = 0x100,
    HSA_AMD_SDMA_ENGINE_9 = 0x200,
    HSA_AMD_SDMA_ENGINE_10 = 0x400,
    HSA_AMD_SDMA_ENGINE_11 = 0x800,
    HSA_AMD_SDMA_ENGINE_12 = 0x1000,
    HSA_AMD_SDMA_ENGINE_13 = 0x2000,
    HSA_AMD_SDMA_ENGINE_14 = 0x4000,
    HSA_AMD_SDMA_ENGINE_15 = 0x8000
} hsa_amd_sdma_engine_id_t;

/* As hsa_amd_memory_async_copy(), by one engine, whether or not FORCE_COPY_ON_SDMA. INVALID_ARGUMENT: also another
 * ENGINE_ID than one that hsa_amd_memory_copy_engine_status() reports, and no completion signal. */
HSA_API hsa_status_t hsa_amd_memory_async_copy_on_engine(
    void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent, size_t size, uint32_t num_dep_signals,
    const hsa_signal_t *dep_signals, hsa_signal_t completion_signal, hsa_amd_sdma_engine_id_t engine_id,
    bool force_copy_on_sdma);

/* *ENGINE_IDS_MASK becomes the engines that copy from one agent to another. INVALID_AGENT: also twice the same. */
HSA_API hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                                       uint32_t *engine_ids_mask);

typedef struct hsa_pitched_ptr_s {
    void *base;
    size_t pitch; /* bytes from row to row */
    size_t slice; /* bytes from slice to slice */
} hsa_pitched_ptr_t;

typedef enum {
    hsaHostToHost = 0,
    hsaHostToDevice = 1,
    hsaDeviceToHost = 2,
    hsaDeviceToDevice = 3
} hsa_amd_copy_direction_t;

/* As hsa_amd_memory_async_copy() for a box: RANGE.x bytes of RANGE.y rows of RANGE.z slices, at offsets
 * counted in the same units. INVALID_ARGUMENT: also a pitch or slice too small for the box. */
HSA_API hsa_status_t hsa_amd_memory_async_copy_rect(
    const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset, const hsa_pitched_ptr_t *src,
    const hsa_dim3_t *src_offset, const hsa_dim3_t *range, hsa_agent_t copy_agent, hsa_amd_copy_direction_t dir,
    uint32_t num_dep_signals, const hsa_signal_t *dep_signals, hsa_signal_t completion_signal);

typedef enum {
    HSA_EXT_POINTER_TYPE_UNKNOWN = 0,
    HSA_EXT_POINTER_TYPE_HSA = 1,
    HSA_EXT_POINTER_TYPE_LOCKED = 2,
    HSA_EXT_POINTER_TYPE_GRAPHICS = 3,
    HSA_EXT_POINTER_TYPE_IPC = 4,
    HSA_EXT_POINTER_TYPE_RESERVED_ADDR = 5 /* by hsa_amd_vmem_address_reserve(), and nothing is mapped there */
} hsa_amd_pointer_type_t;

typedef struct hsa_amd_pointer_info_s {
    uint32_t size; /* in: bytes of this structure that the caller has; out: bytes filled in */
    hsa_amd_pointer_type_t type;
    void *agentBaseAddress;
    void *hostBaseAddress;
    size_t sizeInBytes;
    void *userData;
    hsa_agent_t agentOwner;
    uint32_t global_flags;
} hsa_amd_pointer_info_t;

/* Describes the allocation that holds PTR; one that is not known has type UNKNOWN and leaves the rest 0. With
 * ALLOC, *ACCESSIBLE becomes a list, in memory from ALLOC, of *NUM_AGENTS_ACCESSIBLE agents.
 * INVALID_ARGUMENT: also ALLOC without the other two. */
HSA_API hsa_status_t hsa_amd_pointer_info(const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc)(size_t),
                                          uint32_t *num_agents_accessible, hsa_agent_t **accessible);

/* Attaches USERDATA to the allocation that starts at PTR. INVALID_ARGUMENT: there is none. */
HSA_API hsa_status_t hsa_amd_pointer_info_set_userdata(const void *ptr, void *userdata);

typedef void (*hsa_amd_deallocation_callback_t)(void *ptr, void *user_data);

/* Has CALLBACK called once when the allocation that starts at PTR is freed. INVALID_ALLOCATION: there is
 * none. */
HSA_API hsa_status_t hsa_amd_register_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback,
                                                            void *user_data);

/* Takes back one registration. INVALID_ARGUMENT: there is none with this PTR and CALLBACK. */
HSA_API hsa_status_t hsa_amd_deregister_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback);

/* ---- Signals ---- */

typedef enum { HSA_AMD_SIGNAL_AMD_GPU_ONLY = 1, HSA_AMD_SIGNAL_IPC = 2 } hsa_amd_signal_attribute_t;

/* As hsa_signal_create(). With the attribute IPC, other processes can attach to the signal; device code that changes it
 * wakes nobody promptly then. INVALID_ARGUMENT: also an unknown attribute. */
HSA_API hsa_status_t hsa_amd_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                           const hsa_agent_t *consumers, uint64_t attributes, hsa_signal_t *signal);

/* *VALUE_PTR becomes the address of the signal's value; stores there wake nobody promptly. INVALID_SIGNAL. */
HSA_API hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t **value_ptr);

typedef bool (*hsa_amd_signal_handler)(hsa_signal_value_t value, void *arg);

/* Has HANDLER(value, ARG) called in a thread of the runtime when SIGNAL meets COND against VALUE, and again
 * as long as HANDLER returns true. Handlers run one at a time and must not block. INVALID_SIGNAL.
 * INVALID_ARGUMENT: unknown COND. Destroying SIGNAL removes its handlers. */
HSA_API hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond,
                                                  hsa_signal_value_t value, hsa_amd_signal_handler handler, void *arg);

/* Has CALLBACK(ARG) called once in the thread of the signal handlers. */
HSA_API hsa_status_t hsa_amd_async_function(void (*callback)(void *arg), void *arg);

/* Waits until signal I meets CONDS[I] against VALUES[I] for any I and returns I, and in *SATISFYING_VALUE, if
 * not NULL, the value seen; UINT32_MAX after TIMEOUT_HINT ticks, or for a count of 0 or an unknown condition.
 * Handles must be live. */
HSA_API uint32_t hsa_amd_signal_wait_any(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                         hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                         hsa_signal_value_t *satisfying_value);

/* Waits until every signal has been seen to meet its condition, not necessarily all at the same time; returns
 * 0 and in SATISFYING_VALUES[], if not NULL, what was seen; UINT32_MAX as above. */
HSA_API uint32_t hsa_amd_signal_wait_all(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                         hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                         hsa_signal_value_t *satisfying_values);

/* ---- System events ---- */

typedef enum hsa_amd_event_type_s {
    HSA_AMD_GPU_MEMORY_FAULT_EVENT = 0,
    HSA_AMD_GPU_HW_EXCEPTION_EVENT = 1,
    HSA_AMD_GPU_MEMORY_ERROR_EVENT = 2
} hsa_amd_event_type_t;

typedef enum {
    HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT = 1,
    HSA_AMD_MEMORY_FAULT_READ_ONLY = 2,
    HSA_AMD_MEMORY_FAULT_NX = 4,
    HSA_AMD_MEMORY_FAULT_HOST_ONLY = 8,
    HSA_AMD_MEMORY_FAULT_DRAMECC = 0x10,
    HSA_AMD_MEMORY_FAULT_IMPRECISE = 0x20,
    HSA_AMD_MEMORY_FAULT_SRAMECC = 0x40,
    HSA_AMD_MEMORY_FAULT_HANG = (int)0x80000000u
} hsa_amd_memory_fault_reason_t;

typedef struct hsa_amd_gpu_memory_fault_info_s {
    hsa_agent_t agent;
    uint64_t virtual_address;
    uint32_t fault_reason_mask;
} hsa_amd_gpu_memory_fault_info_t;

typedef struct hsa_amd_event_s {
    hsa_amd_event_type_t event_type;
    union {
        hsa_amd_gpu_memory_fault_info_t memory_fault;
    };
} hsa_amd_event_t;

typedef hsa_status_t (*hsa_amd_system_event_callback_t)(const hsa_amd_event_t *event, void *data);

/* Has CALLBACK called in a thread of the runtime for every event; several callbacks can be registered, all
 * are called, until the last hsa_shut_down(). */
HSA_API hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void *data);

/* ---- Queues ---- */

typedef enum {
    HSA_AMD_QUEUE_PRIORITY_LOW = 0,
    HSA_AMD_QUEUE_PRIORITY_NORMAL = 1,
    HSA_AMD_QUEUE_PRIORITY_HIGH = 2
} hsa_amd_queue_priority_t;

/* Wishes a priority for QUEUE; software agents treat all alike. INVALID_QUEUE. INVALID_ARGUMENT: unknown
 * PRIORITY. */
HSA_API hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t *queue, hsa_amd_queue_priority_t priority);

/* Sets and reads which compute units serve QUEUE: bit I of the words is unit I; software agents keep the mask
 * and use all units. NUM_CU_MASK_COUNT counts bits, a multiple of 32; 0 and NULL set all. INVALID_QUEUE. */
HSA_API hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t *queue, uint32_t num_cu_mask_count,
                                               const uint32_t *cu_mask);
HSA_API hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t *queue, uint32_t num_cu_mask_count, uint32_t *cu_mask);

typedef enum {
    HSA_AMD_QUEUE_INFO_AGENT = 0,       /* hsa_agent_t */
    HSA_AMD_QUEUE_INFO_DOORBELL_ID = 1, /* uint64_t */
    /* Of this runtime: const char *, why the queue stopped, valid until it is destroyed; "" while it runs. */
    HSA_EXT_QUEUE_INFO_ERROR_TEXT = 0x48000000
} hsa_queue_info_attribute_t;

/* Writes one property of QUEUE to VALUE. INVALID_QUEUE. */
HSA_API hsa_status_t hsa_amd_queue_get_info(hsa_queue_t *queue, hsa_queue_info_attribute_t attribute, void *value);

/* ---- Profiling ---- */

typedef struct hsa_amd_profiling_dispatch_time_s {
    uint64_t start, end; /* system timestamp ticks */
} hsa_amd_profiling_dispatch_time_t;

typedef struct hsa_amd_profiling_async_copy_time_s {
    uint64_t start, end; /* system timestamp ticks */
} hsa_amd_profiling_async_copy_time_t;

/* Switches time stamps of the kernels of QUEUE on (not 0) or off. INVALID_QUEUE. */
HSA_API hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *queue, int enable);

/* Switches time stamps of asynchronous copies on or off, for the process. */
HSA_API hsa_status_t hsa_amd_profiling_async_copy_enable(bool enable);

/* When the kernel that completed SIGNAL started and ended; 0 without profiling. INVALID_AGENT,
 * INVALID_SIGNAL. */
HSA_API hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                         hsa_amd_profiling_dispatch_time_t *time);

/* When the copy that completed SIGNAL started and ended; 0 without profiling. INVALID_SIGNAL. */
HSA_API hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal,
                                                           hsa_amd_profiling_async_copy_time_t *time);

/* Streaming performance monitor. No agent of this runtime has one: HSA_STATUS_ERROR. INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_spm_acquire(hsa_agent_t preferred_agent);
HSA_API hsa_status_t hsa_amd_spm_release(hsa_agent_t preferred_agent);
HSA_API hsa_status_t hsa_amd_spm_set_dest_buffer(hsa_agent_t preferred_agent, size_t size_in_bytes, uint32_t *timeout,
                                                 uint32_t *size_copied, void *dest, bool *is_data_loss);

/* Limits private memory that stays with queues. No agent of this runtime reclaims any: INVALID_ARGUMENT.
 * INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t threshold);

/* Converts a tick of AGENT's clock to system timestamp ticks: here they are the same. INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t agent_tick,
                                                                     uint64_t *system_tick);

/* ---- Sharing between processes
 * -------------------------------------------------------------------------------- */

/* Names memory of one process to others; no pointers, so it can be sent. */
typedef struct hsa_amd_ipc_memory_s {
    uint32_t handle[8];
} hsa_amd_ipc_memory_t;

/* Makes the allocation of LEN bytes at PTR sharable and writes its name to HANDLE. Other processes of the same user
 * can attach it while this one lives and has not freed it. What is written to the memory during the call may be lost.
 * INVALID_ARGUMENT: PTR is not the start of an allocation, LEN not its size, or HANDLE is NULL. */
HSA_API hsa_status_t hsa_amd_ipc_memory_create(void *ptr, size_t len, hsa_amd_ipc_memory_t *handle);

/* Maps the memory that HANDLE names, LEN bytes, for all agents or for NUM_AGENTS MAPPING_AGENTS; each call may give
 * another address. INVALID_ARGUMENT: there is no such memory, or it has another size. INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t *handle, size_t len, uint32_t num_agents,
                                               const hsa_agent_t *mapping_agents, void **mapped_ptr);

/* Takes one mapping away. INVALID_ARGUMENT: MAPPED_PTR is not from hsa_amd_ipc_memory_attach(). */
HSA_API hsa_status_t hsa_amd_ipc_memory_detach(void *mapped_ptr);

typedef hsa_amd_ipc_memory_t hsa_amd_ipc_signal_t;

/* The same for signals; *SIGNAL is ended by hsa_signal_destroy(), and lives as long as one process has it. A handle
 * leads to it while the process lives that made the handle. INVALID_ARGUMENT: SIGNAL was made without the attribute
 * IPC, HANDLE is of no signal. */
HSA_API hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t *handle);
HSA_API hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t *handle, hsa_signal_t *signal);

/* *DMABUF becomes an open file that holds the allocation in which SIZE bytes at PTR lie, *OFFSET where PTR is in it.
 * The memory stays while the file is open or mapped. It is a memory file, which hsa_amd_interop_map_buffer() and mmap()
 * take, not a dma-buf of the kernel, so HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED is false. INVALID_ALLOCATION: the bytes do
 * not lie in one allocation of a pool. INVALID_AGENT: its memory belongs to a driver that cannot share it. */
HSA_API hsa_status_t hsa_amd_portable_export_dmabuf(const void *ptr, size_t size, int *dmabuf, uint64_t *offset);

/* Closes such a file. RESOURCE_FREE: DMABUF is none. */
HSA_API hsa_status_t hsa_amd_portable_close_dmabuf(int dmabuf);

/* Maps all of the open file INTEROP_HANDLE, a dma-buf or any other that can be mapped shared, and has no metadata to
 * offer. FLAGS must be 0. INVALID_ARGUMENT: it cannot be mapped, or SIZE or PTR is NULL. INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_interop_map_buffer(uint32_t num_agents, hsa_agent_t *agents, int interop_handle,
                                                uint32_t flags, size_t *size, void **ptr, size_t *metadata_size,
                                                const void **metadata);

/* Takes the mapping away. INVALID_ARGUMENT: PTR is not from hsa_amd_interop_map_buffer(). */
HSA_API hsa_status_t hsa_amd_interop_unmap_buffer(void *ptr);

/* ---- Shared virtual memory
 * ------------------------------------------------------------------------------------ */

typedef enum hsa_amd_svm_model_s {
    HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED = 0,
    HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED = 1,
    HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE = 2 /* parts differ; an answer only */
} hsa_amd_svm_model_t;

/* The comment after each attribute names the type of its value. */
typedef enum hsa_amd_svm_attribute_s {
    HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG = 0,           /* hsa_amd_svm_model_t */
    HSA_AMD_SVM_ATTRIB_READ_ONLY = 1,             /* bool */
    HSA_AMD_SVM_ATTRIB_HIVE_LOCAL = 2,            /* bool */
    HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY = 3, /* uint64_t, log2 of pages */
    HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION = 4,    /* hsa_agent_t, 0: none */
    HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION = 5,     /* hsa_agent_t, 0: none or several; an answer only */
    HSA_AMD_SVM_ATTRIB_READ_MOSTLY = 6,           /* bool */
    HSA_AMD_SVM_ATTRIB_GPU_EXEC = 7,              /* bool */
    /* Set only; the agent gets this access. */
    HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE = 0x200,          /* hsa_agent_t */
    HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE = 0x201, /* hsa_agent_t */
    HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS = 0x202,           /* hsa_agent_t */
    /* Get only: the agent's access replaces the attribute. */
    HSA_AMD_SVM_ATTRIB_ACCESS_QUERY = 0x203 /* hsa_agent_t */
} hsa_amd_svm_attribute_t;

typedef struct hsa_amd_svm_attribute_pair_s {
    uint64_t attribute, value;
} hsa_amd_svm_attribute_pair_t;

/* Sets attributes of the pages that [PTR, PTR + SIZE) touches. All memory is the host's and every agent reaches it, so
 * they are remembered and change nothing else. INVALID_ARGUMENT: also an attribute that cannot be set, and an empty
 * range. INVALID_AGENT: a value names none. Then nothing was set. */
HSA_API hsa_status_t hsa_amd_svm_attributes_set(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attribute_list,
                                                size_t attribute_count);

/* Reads attributes of those pages together: where they differ, a bool is false, a location 0, the granularity the
 * smallest, an agent's access the least. INVALID_ARGUMENT: also an attribute that can only be set. */
HSA_API hsa_status_t hsa_amd_svm_attributes_get(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attribute_list,
                                                size_t attribute_count);

/* Asks to move memory to AGENT when all DEP_SIGNALS have been 0; COMPLETION_SIGNAL, which may be 0, is decremented
 * after, or made negative on failure. INVALID_AGENT, INVALID_SIGNAL. */
HSA_API hsa_status_t hsa_amd_svm_prefetch_async(void *ptr, size_t size, hsa_agent_t agent, uint32_t num_dep_signals,
                                                const hsa_signal_t *dep_signals, hsa_signal_t completion_signal);

/* ---- Virtual memory: addresses and pages apart */

typedef struct hsa_amd_vmem_alloc_handle_s {
    uint64_t handle;
} hsa_amd_vmem_alloc_handle_t;

typedef enum { MEMORY_TYPE_NONE = 0, MEMORY_TYPE_PINNED = 1 } hsa_amd_memory_type_t;

typedef struct hsa_amd_memory_access_desc_s {
    hsa_access_permission_t permissions;
    hsa_agent_t agent_handle;
} hsa_amd_memory_access_desc_t;

/* Reserves SIZE bytes of addresses, whole pages, at ADDRESS if that is possible, else elsewhere; at a multiple of
 * ALIGNMENT, a power of two and at least a page, or 0. FLAGS must be 0. */
HSA_API hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags);
HSA_API hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address, uint64_t alignment,
                                                        uint64_t flags);

/* Ends a reservation. INVALID_ALLOCATION: VA is none. INVALID_ARGUMENT: it has another size. RESOURCE_FREE: something
 * is mapped there. */
HSA_API hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size);

/* Makes a handle that stands for SIZE bytes of pages, whole granules of POOL. INVALID_ARGUMENT: also a POOL that is
 * none. INVALID_ALLOCATION: POOL cannot do that, for example because its memory belongs to a driver. */
HSA_API hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, hsa_amd_memory_type_t type,
                                                uint64_t flags, hsa_amd_vmem_alloc_handle_t *memory_handle);

/* Gives one hold of a handle back. The pages stay while they are mapped. INVALID_ALLOCATION. */
HSA_API hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t memory_handle);

/* Maps all pages of a handle at VA, in a reservation. Nobody may access them yet. IN_OFFSET and FLAGS must be 0.
 * INVALID_ARGUMENT: also a handle that is none, another size than that of the handle, and a VA where something is
 * mapped or that is not reserved. */
HSA_API hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset,
                                      hsa_amd_vmem_alloc_handle_t memory_handle, uint64_t flags);

/* Ends the mapping that starts at VA. INVALID_ALLOCATION: there is none. INVALID_ARGUMENT: it has another size. */
HSA_API hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size);

/* Sets what the agents of the list may do with the mapping at VA; others keep what they may. The agents of this runtime
 * execute on the host, so each can do what any of them may. Statuses as above; INVALID_AGENT. */
HSA_API hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size, const hsa_amd_memory_access_desc_t *desc,
                                             size_t desc_cnt);

/* Reads that. INVALID_ALLOCATION: nothing is mapped at VA, or nothing was ever set for the agent. */
HSA_API hsa_status_t hsa_amd_vmem_get_access(void *va, hsa_access_permission_t *perms, hsa_agent_t agent_handle);

/* *DMABUF_FD becomes an open file that stands for the handle's pages, and can be sent to other processes. It is a
 * memory file, not a dma-buf of the kernel. INVALID_ALLOCATION: no such handle. */
HSA_API hsa_status_t hsa_amd_vmem_export_shareable_handle(int *dmabuf_fd, hsa_amd_vmem_alloc_handle_t handle,
                                                          uint64_t flags);

/* Makes a handle of such a file, which the client may close. INVALID_ALLOCATION: it is none. */
HSA_API hsa_status_t hsa_amd_vmem_import_shareable_handle(int dmabuf_fd, hsa_amd_vmem_alloc_handle_t *handle);

/* *MEMORY_HANDLE becomes the handle that is mapped at ADDR, held once more. INVALID_ALLOCATION. */
HSA_API hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *memory_handle, void *addr);

/* The pool and type that a handle was made with; of an imported one, a pool of the CPU. INVALID_ALLOCATION. */
HSA_API hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(
    hsa_amd_vmem_alloc_handle_t memory_handle, hsa_amd_memory_pool_t *pool, hsa_amd_memory_type_t *type);

/* ---- Logging */

/* Numbers of bits in the flags below. */
typedef enum hsa_amd_log_flag_s { HSA_AMD_LOG_FLAG_BLIT_KERNEL_PKTS = 0 } hsa_amd_log_flag_t;

/* Sets and tests bit number BIT of VALUE[8]. */
static inline void hsa_flag_set64(uint8_t *value, uint32_t bit)
{
    if (bit < 64)
        value[bit / 8] = (uint8_t)(value[bit / 8] | 1u << bit % 8);
}
static inline bool hsa_flag_isset64(const uint8_t *value, uint32_t bit)
{
    return bit < 64 && value[bit / 8] >> bit % 8 & 1;
}

/* Has the kinds of work that FLAGS[8] names written to FILE, a FILE *, or standard error if that is NULL, until the
 * next call or hsa_shut_down(). BLIT_KERNEL_PKTS: a line for each asynchronous copy. INVALID_ARGUMENT: FLAGS is NULL.
 */
HSA_API hsa_status_t hsa_amd_enable_logging(uint8_t *flags, void *file);

/* ---- Images
 * --------------------------------------------------------------------------------------------------- */

/* An image as a program of the vendor describes it. */
typedef struct hsa_amd_image_descriptor_s {
    uint32_t version;  /* 1 */
    uint32_t deviceID; /* vendor << 16 | device, of PCI */
    uint32_t data[1];  /* eight words of image resource, and more */
} hsa_amd_image_descriptor_t;

/* As hsa_ext_image_create(), with the image resource of IMAGE_LAYOUT. INVALID_ARGUMENT: it is of another device or
 * version, does not fit IMAGE_DESCRIPTOR, or is not linear. */
HSA_API hsa_status_t hsa_amd_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                          const hsa_amd_image_descriptor_t *image_layout, const void *image_data,
                                          hsa_access_permission_t access_permission, hsa_ext_image_t *image);

/* Writes the largest extents of a kind of image, an attribute of hsa_agent_get_info(), to VALUE. */
HSA_API hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void *value);

#ifdef __cplusplus
}
#endif

#endif
