/* SPDX-License-Identifier: MIT */
/* The core API of the HSA runtime, version 1.2. It serves clients of 1.0 final and of 1.1 unchanged.
 *
 * What holds for every function unless its comment says otherwise:
 *  - It may be called from any thread at any time, also inside callbacks.
 *  - It returns HSA_STATUS_SUCCESS, or an error, and then it has changed nothing and written nothing.
 *  - Before hsa_init() and after hsa_shut_down() it returns HSA_STATUS_ERROR_NOT_INITIALIZED.
 *  - No pointer argument may be NULL but the DATA of a callback and an OPTIONS string; if one is, it returns
 *    HSA_STATUS_ERROR_INVALID_ARGUMENT. Option strings are ignored where no option is named.
 *  - A handle that is 0, made up, or of an object that is gone is refused with the status of its kind, as
 *    HSA_STATUS_ERROR_INVALID_AGENT for an agent. Only the operations on signals and queue indexes trust their handle.
 *  - A query writes one value of the type that a comment beside the attribute names. For an unknown attribute it
 * returns HSA_STATUS_ERROR_INVALID_ARGUMENT.
 *  - An iteration calls back once per element. The first result other than HSA_STATUS_SUCCESS ends it and is returned.
 *  - When memory or another resource is used up, it returns HSA_STATUS_ERROR_OUT_OF_RESOURCES.
 *  - The hsa_shut_down() that balances the first hsa_init() ends the life of every handle.
 *
 * "1.0P n.n" names a section of the provisional HSA Runtime Programmer's Reference Manual (2014); "1.0" and "1.1" are
 * the final one and its successor. */
#ifndef HSA_HSA_H
#define HSA_HSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__x86_64__)
#error "the large machine model on x86-64 is assumed"
#endif
#define HSA_LARGE_MODEL   1
#define HSA_LITTLE_ENDIAN 1
#define HSA_VERSION_1_0   1

/* On every function that the runtime exports. */
#define HSA_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1.0P 2.2: Status ---------------------------------------------------------------------------------- */

typedef enum {
    HSA_STATUS_SUCCESS = 0x0,
    HSA_STATUS_INFO_BREAK = 0x1, /* a callback ended an iteration early */
    HSA_STATUS_ERROR = 0x1000,
    HSA_STATUS_ERROR_INVALID_ARGUMENT = 0x1001,
    HSA_STATUS_ERROR_INVALID_QUEUE_CREATION = 0x1002,
    HSA_STATUS_ERROR_INVALID_ALLOCATION = 0x1003,
    HSA_STATUS_ERROR_INVALID_AGENT = 0x1004,
    HSA_STATUS_ERROR_INVALID_REGION = 0x1005,
    HSA_STATUS_ERROR_INVALID_SIGNAL = 0x1006,
    HSA_STATUS_ERROR_INVALID_QUEUE = 0x1007,
    HSA_STATUS_ERROR_OUT_OF_RESOURCES = 0x1008,
    HSA_STATUS_ERROR_INVALID_PACKET_FORMAT = 0x1009,
    HSA_STATUS_ERROR_RESOURCE_FREE = 0x100a,
    HSA_STATUS_ERROR_NOT_INITIALIZED = 0x100b,
    HSA_STATUS_ERROR_REFCOUNT_OVERFLOW = 0x100c,
    HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS = 0x100d,
    HSA_STATUS_ERROR_INVALID_INDEX = 0x100e,
    HSA_STATUS_ERROR_INVALID_ISA = 0x100f,
    HSA_STATUS_ERROR_INVALID_CODE_OBJECT = 0x1010,
    HSA_STATUS_ERROR_INVALID_EXECUTABLE = 0x1011,
    HSA_STATUS_ERROR_FROZEN_EXECUTABLE = 0x1012,
    HSA_STATUS_ERROR_INVALID_SYMBOL_NAME = 0x1013,
    HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED = 0x1014,
    HSA_STATUS_ERROR_VARIABLE_UNDEFINED = 0x1015,
    HSA_STATUS_ERROR_EXCEPTION = 0x1016,
    HSA_STATUS_ERROR_INVALID_ISA_NAME = 0x1017,
    HSA_STATUS_ERROR_INVALID_CODE_SYMBOL = 0x1018,
    HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL = 0x1019,
    HSA_STATUS_ERROR_INVALID_FILE = 0x1020,
    HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER = 0x1021,
    HSA_STATUS_ERROR_INVALID_CACHE = 0x1022,
    HSA_STATUS_ERROR_INVALID_WAVEFRONT = 0x1023,
    HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP = 0x1024,
    HSA_STATUS_ERROR_INVALID_RUNTIME_STATE = 0x1025,
    HSA_STATUS_ERROR_FATAL = 0x1026
} hsa_status_t;

/* Describes STATUS: *STATUS_STRING becomes a static text "NAME: explanation", extension codes included.
 * Works before hsa_init() too. INVALID_ARGUMENT: STATUS is not a status. */
HSA_API hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string);

/* ---- Common types -------------------------------------------------------------------------------------- */

typedef struct hsa_dim3_s {
    uint32_t x, y, z;
} hsa_dim3_t;

typedef enum {
    HSA_ACCESS_PERMISSION_NONE = 0,
    HSA_ACCESS_PERMISSION_RO = 1,
    HSA_ACCESS_PERMISSION_WO = 2,
    HSA_ACCESS_PERMISSION_RW = 3
} hsa_access_permission_t;

typedef int hsa_file_t; /* a file descriptor */

/* ---- 1.0P 2.1: Initialization and shut down ------------------------------------------------------------ */

/* Takes one more reference to the runtime; the first one brings it up (drivers, agents, regions). A child of fork() has
 * no runtime if its parent had one: all functions that have a status say so there. It may end, and run another program.
 * OUT_OF_RESOURCES: it could not be brought up, or this is such a child. REFCOUNT_OVERFLOW: INT32_MAX references are
 * held. */
HSA_API hsa_status_t hsa_init(void);

/* Gives one reference back; the last one destroys queues, signals, executables and memory that are left.
 * NOT_INITIALIZED: no reference is held. In a callback of a queue, a signal or the system, the last one does so after
 * the callback has returned; until then hsa_init() fails there, and waits elsewhere. Not to be called from a callback
 * of an iteration. */
HSA_API hsa_status_t hsa_shut_down(void);

/* ---- 1.0P 2.3: System and agents ----------------------------------------------------------------------- */

typedef enum { HSA_ENDIANNESS_LITTLE = 0, HSA_ENDIANNESS_BIG = 1 } hsa_endianness_t;
typedef enum { HSA_MACHINE_MODEL_SMALL = 0, HSA_MACHINE_MODEL_LARGE = 1 } hsa_machine_model_t;
typedef enum { HSA_PROFILE_BASE = 0, HSA_PROFILE_FULL = 1 } hsa_profile_t;

typedef enum {
    HSA_SYSTEM_INFO_VERSION_MAJOR = 0,                     /* uint16_t */
    HSA_SYSTEM_INFO_VERSION_MINOR = 1,                     /* uint16_t */
    HSA_SYSTEM_INFO_TIMESTAMP = 2,                         /* uint64_t: now, in ticks of TIMESTAMP_FREQUENCY */
    HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY = 3,               /* uint64_t: Hz */
    HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT = 4,                   /* uint64_t: longest wait, in ticks */
    HSA_SYSTEM_INFO_ENDIANNESS = 5,                        /* hsa_endianness_t */
    HSA_SYSTEM_INFO_MACHINE_MODEL = 6,                     /* hsa_machine_model_t */
    HSA_SYSTEM_INFO_EXTENSIONS = 7,                        /* uint8_t[128]: bit N set: extension N is supported */
    HSA_AMD_SYSTEM_INFO_BUILD_VERSION = 0x200,             /* const char * */
    HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED = 0x201,             /* bool */
    HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT = 0x202, /* bool */
    HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED = 0x203,            /* bool */
    HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED = 0x204,          /* bool */
    HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED = 0x205, /* bool */
    HSA_AMD_SYSTEM_INFO_XNACK_ENABLED = 0x206,             /* bool */
    HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR = 0x207,         /* uint16_t */
    HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR = 0x208          /* uint16_t */
} hsa_system_info_t;

/* Writes one property of the system to VALUE. */
HSA_API hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value);

typedef enum {
    HSA_EXTENSION_FINALIZER = 0,
    HSA_EXTENSION_IMAGES = 1,
    HSA_EXTENSION_PERFORMANCE_COUNTERS = 2,
    HSA_EXTENSION_PROFILING_EVENTS = 3,
    HSA_EXTENSION_STD_LAST = 3,
    HSA_AMD_FIRST_EXTENSION = 0x200,
    HSA_EXTENSION_AMD_PROFILER = 0x200,
    HSA_EXTENSION_AMD_LOADER = 0x201,
    HSA_EXTENSION_AMD_AQLPROFILE = 0x202,
    HSA_EXTENSION_AMD_PC_SAMPLING = 0x203,
    HSA_AMD_LAST_EXTENSION = 0x203
} hsa_extension_t;

/* *NAME becomes the static name of EXTENSION. INVALID_ARGUMENT: no such extension. */
HSA_API hsa_status_t hsa_extension_get_name(uint16_t extension, const char **name);

/* Deprecated: whether exactly this version of EXTENSION is supported. INVALID_ARGUMENT: no such extension. */
HSA_API hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                                    bool *result);

/* Whether VERSION_MAJOR of EXTENSION is supported, and then the highest minor version of it in
 * *VERSION_MINOR. INVALID_ARGUMENT: no such extension. */
HSA_API hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t version_major,
                                                          uint16_t *version_minor, bool *result);

/* Deprecated: fills TABLE with the functions of that version of EXTENSION (for example a
 * hsa_ext_finalizer_1_00_pfn_t). HSA_STATUS_ERROR: the version, or what implements it, is not there. */
HSA_API hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                                    void *table);

/* Fills the first TABLE_LENGTH bytes, at most, of TABLE with the functions of VERSION_MAJOR of EXTENSION.
 * INVALID_ARGUMENT: no such extension, or TABLE_LENGTH is 0. HSA_STATUS_ERROR: not available. */
HSA_API hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t version_major,
                                                          size_t table_length, void *table);

typedef struct hsa_agent_s {
    uint64_t handle; /* 0 is never an agent */
} hsa_agent_t;

typedef enum { HSA_AGENT_FEATURE_KERNEL_DISPATCH = 1, HSA_AGENT_FEATURE_AGENT_DISPATCH = 2 } hsa_agent_feature_t;

typedef enum {
    HSA_DEVICE_TYPE_CPU = 0,
    HSA_DEVICE_TYPE_GPU = 1,
    HSA_DEVICE_TYPE_DSP = 2,
    HSA_DEVICE_TYPE_AIE = 3
} hsa_device_type_t;

typedef enum {
    HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT = 0,
    HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO = 1,
    HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR = 2
} hsa_default_float_rounding_mode_t;

/* "ISA": deprecated here, ask the agent's instruction set. */
typedef enum {
    HSA_AGENT_INFO_NAME = 0,                                       /* char[64], NUL-padded */
    HSA_AGENT_INFO_VENDOR_NAME = 1,                                /* char[64], NUL-padded */
    HSA_AGENT_INFO_FEATURE = 2,                                    /* hsa_agent_feature_t, combined */
    HSA_AGENT_INFO_MACHINE_MODEL = 3,                              /* hsa_machine_model_t; ISA */
    HSA_AGENT_INFO_PROFILE = 4,                                    /* hsa_profile_t; ISA */
    HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE = 5,                /* hsa_default_float_rounding_mode_t; ISA */
    HSA_AGENT_INFO_WAVEFRONT_SIZE = 6,                             /* uint32_t work-items; ISA */
    HSA_AGENT_INFO_WORKGROUP_MAX_DIM = 7,                          /* uint16_t[3] work-items; ISA */
    HSA_AGENT_INFO_WORKGROUP_MAX_SIZE = 8,                         /* uint32_t work-items; ISA */
    HSA_AGENT_INFO_GRID_MAX_DIM = 9,                               /* hsa_dim3_t work-items; ISA */
    HSA_AGENT_INFO_GRID_MAX_SIZE = 10,                             /* uint32_t work-items; ISA */
    HSA_AGENT_INFO_FBARRIER_MAX_SIZE = 11,                         /* uint32_t fbarriers per work-group; ISA */
    HSA_AGENT_INFO_QUEUES_MAX = 12,                                /* uint32_t */
    HSA_AGENT_INFO_QUEUE_MIN_SIZE = 13,                            /* uint32_t packets */
    HSA_AGENT_INFO_QUEUE_MAX_SIZE = 14,                            /* uint32_t packets */
    HSA_AGENT_INFO_QUEUE_TYPE = 15,                                /* hsa_queue_type32_t */
    HSA_AGENT_INFO_NODE = 16,                                      /* uint32_t NUMA node */
    HSA_AGENT_INFO_DEVICE = 17,                                    /* hsa_device_type_t */
    HSA_AGENT_INFO_CACHE_SIZE = 18,                                /* uint32_t[4] bytes of L1..L4 */
    HSA_AGENT_INFO_ISA = 19,                                       /* hsa_isa_t: the preferred one */
    HSA_AGENT_INFO_EXTENSIONS = 20,                                /* uint8_t[128] */
    HSA_AGENT_INFO_VERSION_MAJOR = 21,                             /* uint16_t HSA version */
    HSA_AGENT_INFO_VERSION_MINOR = 22,                             /* uint16_t */
    HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES = 23, /* uint32_t bit per mode; ISA */
    HSA_AGENT_INFO_FAST_F16_OPERATION = 24,                        /* bool; ISA */
    HSA_AGENT_INFO_LAST = 0x7fffffff
} hsa_agent_info_t;

/* Writes one property of AGENT to VALUE. Attributes of hsa_ext_amd.h are served too.
 * INVALID_AGENT. INVALID_ARGUMENT: also an ISA attribute of an agent without instruction set. */
HSA_API hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value);

/* Calls back for every agent. There are always a CPU agent and an agent that executes kernels. */
HSA_API hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data);

typedef enum { HSA_EXCEPTION_POLICY_BREAK = 1, HSA_EXCEPTION_POLICY_DETECT = 2 } hsa_exception_policy_t;

/* Deprecated: *MASK becomes the exception policies AGENT supports under PROFILE. INVALID_AGENT.
 * INVALID_ARGUMENT: PROFILE is no profile. */
HSA_API hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile, uint16_t *mask);

typedef struct hsa_cache_s {
    uint64_t handle;
} hsa_cache_t;

typedef enum {
    HSA_CACHE_INFO_NAME_LENGTH = 0, /* uint32_t: bytes without NUL */
    HSA_CACHE_INFO_NAME = 1,        /* const char *: static text, as AMD's runtime answers */
    HSA_CACHE_INFO_LEVEL = 2,       /* uint8_t: 1 is nearest to the processor */
    HSA_CACHE_INFO_SIZE = 3         /* uint32_t: bytes, 0 unknown */
} hsa_cache_info_t;

/* Writes one property of CACHE to VALUE. INVALID_CACHE. */
HSA_API hsa_status_t hsa_cache_get_info(hsa_cache_t cache, hsa_cache_info_t attribute, void *value);

/* Calls back for every cache of AGENT, nearest first. INVALID_AGENT. */
HSA_API hsa_status_t hsa_agent_iterate_caches(hsa_agent_t agent,
                                              hsa_status_t (*callback)(hsa_cache_t cache, void *data), void *data);

/* Deprecated: as hsa_system_extension_supported(), for one agent. INVALID_AGENT. */
HSA_API hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                                   uint16_t version_minor, bool *result);

/* As hsa_system_major_extension_supported(), for one agent. INVALID_AGENT. */
HSA_API hsa_status_t hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                                         uint16_t *version_minor, bool *result);

/* ---- 1.0P 2.4: Signals --------------------------------------------------------------------------------- */
/* The operations below come in memory orders: relaxed; scacquire, screlease and scacq_screl order the
 * operation against the caller's other accesses as C11's acquire, release and acq_rel do. acquire,
 * release and acq_rel are the old names. They have no status: a handle that is not a live signal is
 * undefined behaviour. */

typedef struct hsa_signal_s {
    uint64_t handle; /* 0 is never a signal; the address of an amd_signal_t (amd_hsa_signal.h) */
} hsa_signal_t;

typedef int64_t hsa_signal_value_t;

/* Makes a signal with value INITIAL_VALUE that the NUM_CONSUMERS agents of CONSUMERS may wait on; 0 and
 * NULL: all. INVALID_ARGUMENT: CONSUMERS is NULL though NUM_CONSUMERS is not 0, or names an agent twice.
 * INVALID_AGENT: one of them is not an agent. */
HSA_API hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                       const hsa_agent_t *consumers, hsa_signal_t *signal);

/* Destroys SIGNAL; nothing may wait on it or use it any more. INVALID_ARGUMENT: the handle is 0.
 * INVALID_SIGNAL: it is not a live signal, or belongs to a queue. */
HSA_API hsa_status_t hsa_signal_destroy(hsa_signal_t signal);

/* Reads the value of SIGNAL. */
HSA_API hsa_signal_value_t hsa_signal_load_scacquire(hsa_signal_t signal);
HSA_API hsa_signal_value_t hsa_signal_load_relaxed(hsa_signal_t signal);
HSA_API hsa_signal_value_t hsa_signal_load_acquire(hsa_signal_t signal);

/* Sets the value of SIGNAL and notifies everything that waits on it. */
HSA_API void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_store_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Sets the value of SIGNAL without notifying: a waiter notices it at its next look, which is not
 * bounded in time by the specification (here: within some milliseconds). */
HSA_API void hsa_signal_silent_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_silent_store_screlease(hsa_signal_t signal, hsa_signal_value_t value);

/* Replaces the value of SIGNAL by VALUE, notifies, and returns the previous value. */
HSA_API hsa_signal_value_t hsa_signal_exchange_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_exchange_scacquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_exchange_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_exchange_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_exchange_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_exchange_acquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_exchange_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Replaces the value of SIGNAL by VALUE if it equals EXPECTED, and then notifies. Returns the value observed,
 * which equals EXPECTED exactly when the replacement took place. */
HSA_API hsa_signal_value_t hsa_signal_cas_scacq_screl(hsa_signal_t signal, hsa_signal_value_t expected,
                                                      hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_cas_scacquire(hsa_signal_t signal, hsa_signal_value_t expected,
                                                    hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_cas_relaxed(hsa_signal_t signal, hsa_signal_value_t expected,
                                                  hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_cas_screlease(hsa_signal_t signal, hsa_signal_value_t expected,
                                                    hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_cas_acq_rel(hsa_signal_t signal, hsa_signal_value_t expected,
                                                  hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_cas_acquire(hsa_signal_t signal, hsa_signal_value_t expected,
                                                  hsa_signal_value_t value);
HSA_API hsa_signal_value_t hsa_signal_cas_release(hsa_signal_t signal, hsa_signal_value_t expected,
                                                  hsa_signal_value_t value);

/* Adds VALUE to the value of SIGNAL (modulo 2^64) and notifies. */
HSA_API void hsa_signal_add_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_add_scacquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_add_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_add_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_add_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_add_acquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_add_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Subtracts VALUE from the value of SIGNAL (modulo 2^64) and notifies. */
HSA_API void hsa_signal_subtract_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_subtract_scacquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_subtract_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_subtract_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_subtract_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_subtract_acquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_subtract_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Replaces the value of SIGNAL by its bitwise AND with VALUE and notifies. */
HSA_API void hsa_signal_and_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_and_scacquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_and_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_and_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_and_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_and_acquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_and_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Replaces the value of SIGNAL by its bitwise OR with VALUE and notifies. */
HSA_API void hsa_signal_or_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_or_scacquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_or_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_or_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_or_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_or_acquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_or_release(hsa_signal_t signal, hsa_signal_value_t value);

/* Replaces the value of SIGNAL by its bitwise exclusive OR with VALUE and notifies. */
HSA_API void hsa_signal_xor_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_xor_scacquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_xor_relaxed(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_xor_screlease(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_xor_acq_rel(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_xor_acquire(hsa_signal_t signal, hsa_signal_value_t value);
HSA_API void hsa_signal_xor_release(hsa_signal_t signal, hsa_signal_value_t value);

typedef enum {
    HSA_SIGNAL_CONDITION_EQ = 0,
    HSA_SIGNAL_CONDITION_NE = 1,
    HSA_SIGNAL_CONDITION_LT = 2, /* signed comparison */
    HSA_SIGNAL_CONDITION_GTE = 3
} hsa_signal_condition_t;

typedef enum {
    HSA_WAIT_STATE_BLOCKED = 0, /* the wait may be long: sleep after a short spin */
    HSA_WAIT_STATE_ACTIVE = 1   /* the wait is expected to be short: keep polling */
} hsa_wait_state_t;

/* Waits until the value of SIGNAL compared with COMPARE_VALUE meets CONDITION, or about TIMEOUT_HINT
 * ticks of the system timestamp have passed (UINT64_MAX: no limit). Returns the value seen last, which
 * after a timeout does not meet CONDITION; a value that met it only for a moment can be missed. An
 * unknown CONDITION returns 0 at once. */
HSA_API hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                                     hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                                     hsa_wait_state_t wait_state_hint);
HSA_API hsa_signal_value_t hsa_signal_wait_relaxed(hsa_signal_t signal, hsa_signal_condition_t condition,
                                                   hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                                   hsa_wait_state_t wait_state_hint);
HSA_API hsa_signal_value_t hsa_signal_wait_acquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                                   hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                                   hsa_wait_state_t wait_state_hint);

typedef struct hsa_signal_group_s {
    uint64_t handle;
} hsa_signal_group_t;

/* Makes a group of NUM_SIGNALS signals that the NUM_CONSUMERS agents may wait on together; the signals
 * must outlive it. INVALID_ARGUMENT: a count is 0, or a pointer is NULL. INVALID_SIGNAL, INVALID_AGENT:
 * an element is not one. */
HSA_API hsa_status_t hsa_signal_group_create(uint32_t num_signals, const hsa_signal_t *signals, uint32_t num_consumers,
                                             const hsa_agent_t *consumers, hsa_signal_group_t *signal_group);

/* Destroys SIGNAL_GROUP, not its signals. INVALID_SIGNAL_GROUP. */
HSA_API hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t signal_group);

/* Waits until signal I of the group meets CONDITIONS[I] against COMPARE_VALUES[I], for any I; *SIGNAL and
 * *VALUE become that signal and the value seen. INVALID_SIGNAL_GROUP. INVALID_ARGUMENT: also an unknown
 * condition. */
HSA_API hsa_status_t hsa_signal_group_wait_any_scacquire(
    hsa_signal_group_t signal_group, const hsa_signal_condition_t *conditions, const hsa_signal_value_t *compare_values,
    hsa_wait_state_t wait_state_hint, hsa_signal_t *signal, hsa_signal_value_t *value);
HSA_API hsa_status_t hsa_signal_group_wait_any_relaxed(
    hsa_signal_group_t signal_group, const hsa_signal_condition_t *conditions, const hsa_signal_value_t *compare_values,
    hsa_wait_state_t wait_state_hint, hsa_signal_t *signal, hsa_signal_value_t *value);

/* ---- 1.0P 2.7: Memory regions -------------------------------------------------------------------------- */

typedef struct hsa_region_s {
    uint64_t handle;
} hsa_region_t;

typedef enum {
    HSA_REGION_SEGMENT_GLOBAL = 0,
    HSA_REGION_SEGMENT_READONLY = 1,
    HSA_REGION_SEGMENT_PRIVATE = 2,
    HSA_REGION_SEGMENT_GROUP = 3,
    HSA_REGION_SEGMENT_KERNARG = 4
} hsa_region_segment_t;

typedef enum {
    HSA_REGION_GLOBAL_FLAG_KERNARG = 1,
    HSA_REGION_GLOBAL_FLAG_FINE_GRAINED = 2,
    HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED = 4,
    HSA_REGION_GLOBAL_FLAG_EXTENDED_SCOPE_FINE_GRAINED = 8
} hsa_region_global_flag_t;

typedef enum {
    HSA_REGION_INFO_SEGMENT = 0,                         /* hsa_region_segment_t */
    HSA_REGION_INFO_GLOBAL_FLAGS = 1,                    /* uint32_t of hsa_region_global_flag_t */
    HSA_REGION_INFO_SIZE = 2,                            /* size_t bytes */
    HSA_REGION_INFO_ALLOC_MAX_SIZE = 4,                  /* size_t bytes */
    HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED = 5,           /* bool */
    HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE = 6,           /* size_t bytes, 0 when not allowed */
    HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT = 7,         /* size_t bytes, power of two, 0 when not allowed */
    HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE = 8 /* uint32_t bytes */
} hsa_region_info_t;

/* Writes one property of REGION to VALUE. Attributes of hsa_ext_amd.h are served too. INVALID_REGION. */
HSA_API hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void *value);

/* Calls back for every region that AGENT can use. INVALID_AGENT. */
HSA_API hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent,
                                               hsa_status_t (*callback)(hsa_region_t region, void *data), void *data);

/* Allocates SIZE bytes, rounded up to the region's granule; *PTR is aligned to the region's alignment and
 * zeroed. INVALID_REGION. INVALID_ARGUMENT: SIZE is 0. INVALID_ALLOCATION: the region does not allow it,
 * or SIZE is above its ALLOC_MAX_SIZE. Released by hsa_memory_free(), at latest by the last
 * hsa_shut_down(). */
HSA_API hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr);

/* Releases what hsa_memory_allocate() or hsa_amd_memory_pool_allocate() returned; NULL does nothing.
 * INVALID_ALLOCATION: PTR is not the start of a live allocation. */
HSA_API hsa_status_t hsa_memory_free(void *ptr);

/* Copies SIZE bytes and returns when they have arrived; SIZE 0 does nothing. Overlap is undefined. */
HSA_API hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size);

/* Makes AGENT the owner of the coarse-grained allocation that holds PTR, with ACCESS. INVALID_AGENT.
 * INVALID_ARGUMENT: ACCESS is NONE or unknown. Memory that is not coarse-grained: no effect. */
HSA_API hsa_status_t hsa_memory_assign_agent(void *ptr, hsa_agent_t agent, hsa_access_permission_t access);

/* Announces that agents will use SIZE bytes of ordinary host memory at PTR, which full-profile agents can
 * do anyway. (NULL, 0) does nothing. INVALID_ARGUMENT: SIZE is 0 and PTR is not NULL, or PTR is NULL and
 * SIZE is not 0. */
HSA_API hsa_status_t hsa_memory_register(void *ptr, size_t size);

/* Undoes the hsa_memory_register() that had the same arguments; others do nothing. */
HSA_API hsa_status_t hsa_memory_deregister(void *ptr, size_t size);

/* ---- 1.0P 2.5: Queues ---------------------------------------------------------------------------------- */

typedef enum {
    HSA_QUEUE_TYPE_MULTI = 0,      /* several producers */
    HSA_QUEUE_TYPE_SINGLE = 1,     /* one producer at a time */
    HSA_QUEUE_TYPE_COOPERATIVE = 2 /* kernels whose work-groups all run at the same time (AMD) */
} hsa_queue_type_t;
typedef uint32_t hsa_queue_type32_t;

typedef enum { HSA_QUEUE_FEATURE_KERNEL_DISPATCH = 1, HSA_QUEUE_FEATURE_AGENT_DISPATCH = 2 } hsa_queue_feature_t;

/* A user mode queue; the application reads it and never writes it. The start of an amd_queue_t
 * (amd_hsa_queue.h). */
typedef struct hsa_queue_s {
    hsa_queue_type32_t type;
    uint32_t features;            /* of hsa_queue_feature_t */
    void *base_address;           /* packets, 64 bytes each, aligned to 64 */
    hsa_signal_t doorbell_signal; /* told the index of a packet that is ready */
    uint32_t size;                /* packets, a power of two */
    uint32_t reserved1;
    uint64_t id; /* unique in the process */
} hsa_queue_t;

/* Makes a queue whose packets AGENT processes. SIZE counts packets; smaller sizes than the agent's
 * minimum are raised to it. PRIVATE_SEGMENT_SIZE (bytes per work-item) and GROUP_SEGMENT_SIZE (bytes per
 * work-group) are hints, UINT32_MAX for none. CALLBACK(status, queue, DATA) is called at most once, from
 * a thread of the runtime, when the queue has gone into its error state and stopped; without one the
 * failure is written to standard error unless HSA_ENABLE_QUEUE_FAULT_MESSAGE=0. INVALID_AGENT.
 * INVALID_ARGUMENT: SIZE is no power of two or TYPE no type. INVALID_QUEUE_CREATION: AGENT has no queues
 * of that TYPE. OUT_OF_RESOURCES: also SIZE above the agent's maximum or its number of queues used up. */
HSA_API hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                      void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
                                      void *data, uint32_t private_segment_size, uint32_t group_segment_size,
                                      hsa_queue_t **queue);

/* Makes a queue in REGION that the application processes itself; it watches DOORBELL_SIGNAL (which it
 * owns), clears the packets and moves the read index. INVALID_REGION. INVALID_ARGUMENT: SIZE is no power
 * of two, TYPE is neither MULTI nor SINGLE, FEATURES is 0 or unknown, or the doorbell is 0.
 * INVALID_SIGNAL: it is not a signal. */
HSA_API hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type32_t type,
                                           uint32_t features, hsa_signal_t doorbell_signal, hsa_queue_t **queue);

/* Stops QUEUE and destroys it; packets not finished are abandoned. Its own CALLBACK may call this; then the queue is
 * gone after the callback has returned. INVALID_QUEUE. */
HSA_API hsa_status_t hsa_queue_destroy(hsa_queue_t *queue);

/* Stops QUEUE: no packet is launched any more; packets stay in the ring. INVALID_QUEUE. */
HSA_API hsa_status_t hsa_queue_inactivate(hsa_queue_t *queue);

/* Queue indexes count packets from 0 and never wrap; packet I lies in slot I modulo the size. As for
 * signals the name gives the memory order, there is no status, and a pointer that is not a live queue is
 * undefined behaviour. */

/* Reads the read index of QUEUE: the number of packets that its packet processor has taken. */
HSA_API uint64_t hsa_queue_load_read_index_scacquire(const hsa_queue_t *queue);
HSA_API uint64_t hsa_queue_load_read_index_relaxed(const hsa_queue_t *queue);
HSA_API uint64_t hsa_queue_load_read_index_acquire(const hsa_queue_t *queue);

/* Reads the write index of QUEUE: the number of packets ever reserved. */
HSA_API uint64_t hsa_queue_load_write_index_scacquire(const hsa_queue_t *queue);
HSA_API uint64_t hsa_queue_load_write_index_relaxed(const hsa_queue_t *queue);
HSA_API uint64_t hsa_queue_load_write_index_acquire(const hsa_queue_t *queue);

/* Sets the write index of QUEUE; for a queue with a single producer. */
HSA_API void hsa_queue_store_write_index_relaxed(const hsa_queue_t *queue, uint64_t value);
HSA_API void hsa_queue_store_write_index_screlease(const hsa_queue_t *queue, uint64_t value);
HSA_API void hsa_queue_store_write_index_release(const hsa_queue_t *queue, uint64_t value);

/* Replaces the write index of QUEUE by VALUE if it equals EXPECTED; returns the index observed. */
HSA_API uint64_t hsa_queue_cas_write_index_scacq_screl(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
HSA_API uint64_t hsa_queue_cas_write_index_scacquire(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
HSA_API uint64_t hsa_queue_cas_write_index_relaxed(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
HSA_API uint64_t hsa_queue_cas_write_index_screlease(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
HSA_API uint64_t hsa_queue_cas_write_index_acq_rel(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
HSA_API uint64_t hsa_queue_cas_write_index_acquire(const hsa_queue_t *queue, uint64_t expected, uint64_t value);
HSA_API uint64_t hsa_queue_cas_write_index_release(const hsa_queue_t *queue, uint64_t expected, uint64_t value);

/* Adds VALUE to the write index of QUEUE, by which VALUE packets are reserved; returns the index before. */
HSA_API uint64_t hsa_queue_add_write_index_scacq_screl(const hsa_queue_t *queue, uint64_t value);
HSA_API uint64_t hsa_queue_add_write_index_scacquire(const hsa_queue_t *queue, uint64_t value);
HSA_API uint64_t hsa_queue_add_write_index_relaxed(const hsa_queue_t *queue, uint64_t value);
HSA_API uint64_t hsa_queue_add_write_index_screlease(const hsa_queue_t *queue, uint64_t value);
HSA_API uint64_t hsa_queue_add_write_index_acq_rel(const hsa_queue_t *queue, uint64_t value);
HSA_API uint64_t hsa_queue_add_write_index_acquire(const hsa_queue_t *queue, uint64_t value);
HSA_API uint64_t hsa_queue_add_write_index_release(const hsa_queue_t *queue, uint64_t value);

/* Sets the read index of QUEUE. Only for soft queues and agent-dispatch queues that the application serves;
 * ignored for a queue whose packets an agent processes. */
HSA_API void hsa_queue_store_read_index_relaxed(const hsa_queue_t *queue, uint64_t value);
HSA_API void hsa_queue_store_read_index_screlease(const hsa_queue_t *queue, uint64_t value);
HSA_API void hsa_queue_store_read_index_release(const hsa_queue_t *queue, uint64_t value);

/* ---- 1.0P 2.6: Packets of the Architected Queuing Language --------------------------------------------- */

typedef enum {
    HSA_PACKET_TYPE_VENDOR_SPECIFIC = 0,
    HSA_PACKET_TYPE_INVALID = 1, /* the slot is free or not complete */
    HSA_PACKET_TYPE_KERNEL_DISPATCH = 2,
    HSA_PACKET_TYPE_BARRIER_AND = 3,
    HSA_PACKET_TYPE_AGENT_DISPATCH = 4,
    HSA_PACKET_TYPE_BARRIER_OR = 5
} hsa_packet_type_t;

typedef enum { HSA_FENCE_SCOPE_NONE = 0, HSA_FENCE_SCOPE_AGENT = 1, HSA_FENCE_SCOPE_SYSTEM = 2 } hsa_fence_scope_t;

/* First bit of each field of a packet header ... */
typedef enum {
    HSA_PACKET_HEADER_TYPE = 0,
    HSA_PACKET_HEADER_BARRIER = 8, /* wait until all packets before are complete */
    HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE = 9,
    HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE = 9,
    HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE = 11,
    HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE = 11
} hsa_packet_header_t;

/* ... and its width in bits. */
typedef enum {
    HSA_PACKET_HEADER_WIDTH_TYPE = 8,
    HSA_PACKET_HEADER_WIDTH_BARRIER = 1,
    HSA_PACKET_HEADER_WIDTH_SCACQUIRE_FENCE_SCOPE = 2,
    HSA_PACKET_HEADER_WIDTH_ACQUIRE_FENCE_SCOPE = 2,
    HSA_PACKET_HEADER_WIDTH_SCRELEASE_FENCE_SCOPE = 2,
    HSA_PACKET_HEADER_WIDTH_RELEASE_FENCE_SCOPE = 2
} hsa_packet_header_width_t;

typedef enum { HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS = 0 } hsa_kernel_dispatch_packet_setup_t;
typedef enum { HSA_KERNEL_DISPATCH_PACKET_SETUP_WIDTH_DIMENSIONS = 2 } hsa_kernel_dispatch_packet_setup_width_t;

/* The completion signal of every kind is decremented when the packet is done, and made negative when it
 * failed. */
typedef struct hsa_kernel_dispatch_packet_s {
    uint16_t header;                                               /* stored last, with release semantics */
    uint16_t setup;                                                /* bits 1-0: dimensions, 1 to 3 */
    uint16_t workgroup_size_x, workgroup_size_y, workgroup_size_z; /* work-items */
    uint16_t reserved0;
    uint32_t grid_size_x, grid_size_y, grid_size_z; /* work-items */
    uint32_t private_segment_size;                  /* bytes per work-item */
    uint32_t group_segment_size;                    /* bytes per work-group */
    uint64_t kernel_object;                         /* HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT */
    void *kernarg_address;                          /* aligned to 16 at least */
    uint64_t reserved2;
    hsa_signal_t completion_signal; /* 0: none */
} hsa_kernel_dispatch_packet_t;

typedef struct hsa_agent_dispatch_packet_s {
    uint16_t header;
    uint16_t type; /* function: 0x0000 vendor, 0x4000 runtime, 0x8000 application */
    uint32_t reserved0;
    void *return_address;
    uint64_t arg[4];
    uint64_t reserved2;
    hsa_signal_t completion_signal;
} hsa_agent_dispatch_packet_t;

/* Complete when every dependent signal has been seen with value 0; handle 0 means no dependency. */
typedef struct hsa_barrier_and_packet_s {
    uint16_t header;
    uint16_t reserved0;
    uint32_t reserved1;
    hsa_signal_t dep_signal[5];
    uint64_t reserved2;
    hsa_signal_t completion_signal;
} hsa_barrier_and_packet_t;

/* Complete when one dependent signal has been seen with value 0; all handles 0: at once. */
typedef struct hsa_barrier_or_packet_s {
    uint16_t header;
    uint16_t reserved0;
    uint32_t reserved1;
    hsa_signal_t dep_signal[5];
    uint64_t reserved2;
    hsa_signal_t completion_signal;
} hsa_barrier_or_packet_t;

/* ---- Instruction sets (new in 1.0) --------------------------------------------------------------------- */

typedef struct hsa_isa_s {
    uint64_t handle;
} hsa_isa_t;

typedef enum {
    HSA_ISA_INFO_NAME_LENGTH = 0,                         /* uint32_t: bytes with the NUL, as AMD's runtime answers */
    HSA_ISA_INFO_NAME = 1,                                /* char[NAME_LENGTH] */
    HSA_ISA_INFO_CALL_CONVENTION_COUNT = 2,               /* uint32_t; deprecated */
    HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE = 3, /* uint32_t; deprecated */
    HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT = 4, /* uint32_t; deprecated */
    HSA_ISA_INFO_MACHINE_MODELS = 5,                                   /* bool[2] by hsa_machine_model_t */
    HSA_ISA_INFO_PROFILES = 6,                                         /* bool[2] by hsa_profile_t */
    HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES = 7,                     /* bool[3] by rounding mode */
    HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES = 8,        /* bool[3] by rounding mode */
    HSA_ISA_INFO_FAST_F16_OPERATION = 9,                               /* bool */
    HSA_ISA_INFO_WORKGROUP_MAX_DIM = 12,                               /* uint16_t[3] work-items */
    HSA_ISA_INFO_WORKGROUP_MAX_SIZE = 13,                              /* uint32_t work-items */
    HSA_ISA_INFO_GRID_MAX_DIM = 14,                                    /* hsa_dim3_t work-items */
    HSA_ISA_INFO_GRID_MAX_SIZE = 16,                                   /* uint64_t work-items */
    HSA_ISA_INFO_FBARRIER_MAX_SIZE = 17                                /* uint32_t fbarriers per work-group */
} hsa_isa_info_t;

/* *ISA becomes the instruction set called NAME, case counting: "amdgcn-amd-amdhsa--gfx900:xnack-", or the
 * old form "AMD:AMDGPU:9:0:0". INVALID_ISA_NAME: no agent has it. */
HSA_API hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa);

/* Calls back for every instruction set of AGENT, preferred first. INVALID_AGENT. */
HSA_API hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*callback)(hsa_isa_t isa, void *data),
                                            void *data);

/* Deprecated: as hsa_isa_get_info_alt(); INDEX chooses a call convention and is otherwise 0.
 * INVALID_ISA. INVALID_INDEX: INDEX is not 0, as there is one call convention. */
HSA_API hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void *value);

/* Writes one property of ISA to VALUE. INVALID_ISA. */
HSA_API hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value);

/* *MASK becomes the exception policies of ISA under PROFILE. INVALID_ISA. INVALID_ARGUMENT: no profile. */
HSA_API hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t profile, uint16_t *mask);

typedef enum { HSA_FP_TYPE_16 = 1, HSA_FP_TYPE_32 = 2, HSA_FP_TYPE_64 = 4 } hsa_fp_type_t;
typedef enum { HSA_FLUSH_MODE_FTZ = 1, HSA_FLUSH_MODE_NON_FTZ = 2 } hsa_flush_mode_t;
typedef enum { HSA_ROUND_METHOD_SINGLE = 1, HSA_ROUND_METHOD_DOUBLE = 2 } hsa_round_method_t;

/* *ROUND_METHOD becomes how ISA rounds mad of FP_TYPE under FLUSH_MODE: once or twice.
 * INVALID_ISA. INVALID_ARGUMENT: an enumerator is unknown. */
HSA_API hsa_status_t hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t fp_type, hsa_flush_mode_t flush_mode,
                                              hsa_round_method_t *round_method);

typedef struct hsa_wavefront_s {
    uint64_t handle;
} hsa_wavefront_t;

typedef enum { HSA_WAVEFRONT_INFO_SIZE = 0 /* uint32_t work-items */ } hsa_wavefront_info_t;

/* Writes one property of WAVEFRONT to VALUE. INVALID_WAVEFRONT. */
HSA_API hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t wavefront, hsa_wavefront_info_t attribute, void *value);

/* Calls back for every wavefront form of ISA. INVALID_ISA. */
HSA_API hsa_status_t
hsa_isa_iterate_wavefronts(hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t wavefront, void *data), void *data);

/* Deprecated: whether code for CODE_OBJECT_ISA runs on AGENT_ISA. INVALID_ISA: either is not one. */
HSA_API hsa_status_t hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa, bool *result);

/* ---- Code objects and executables (new in 1.0 and 1.1) ------------------------------------------------- */

typedef struct hsa_code_object_reader_s {
    uint64_t handle;
} hsa_code_object_reader_t;

typedef struct hsa_executable_s {
    uint64_t handle;
} hsa_executable_t;

typedef struct hsa_loaded_code_object_s {
    uint64_t handle;
} hsa_loaded_code_object_t;

typedef struct hsa_executable_symbol_s {
    uint64_t handle;
} hsa_executable_symbol_t;

/* A reader of the code object in FILE, from its start to its end; FILE must stay open and unchanged until
 * the reader is destroyed. INVALID_FILE: FILE is not a readable file. */
HSA_API hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file,
                                                             hsa_code_object_reader_t *code_object_reader);

/* A reader of SIZE bytes at CODE_OBJECT, which stay the caller's and must not change until the reader is
 * destroyed. INVALID_ARGUMENT: SIZE is 0. */
HSA_API hsa_status_t hsa_code_object_reader_create_from_memory(const void *code_object, size_t size,
                                                               hsa_code_object_reader_t *code_object_reader);

/* Destroys a reader; what was loaded through it stays. INVALID_CODE_OBJECT_READER. */
HSA_API hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t code_object_reader);

typedef enum { HSA_EXECUTABLE_STATE_UNFROZEN = 0, HSA_EXECUTABLE_STATE_FROZEN = 1 } hsa_executable_state_t;

/* Deprecated: an empty executable. INVALID_ARGUMENT: PROFILE or EXECUTABLE_STATE is unknown. */
HSA_API hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t executable_state,
                                           const char *options, hsa_executable_t *executable);

/* An empty executable, unfrozen. INVALID_ARGUMENT: PROFILE or the rounding mode is unknown. */
HSA_API hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
                                               hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                               const char *options, hsa_executable_t *executable);

/* Destroys EXECUTABLE, its symbols and the memory it was loaded into; none of its kernels may be running
 * or queued. INVALID_EXECUTABLE. */
HSA_API hsa_status_t hsa_executable_destroy(hsa_executable_t executable);

/* Loads the program-scope variables of a code object. *LOADED_CODE_OBJECT, if not NULL, becomes its
 * handle. INVALID_EXECUTABLE, INVALID_CODE_OBJECT_READER. FROZEN_EXECUTABLE. INVALID_CODE_OBJECT: the
 * bytes are not a code object. INCOMPATIBLE_ARGUMENTS: it holds agent code, or does not match the
 * executable's profile. */
HSA_API hsa_status_t hsa_executable_load_program_code_object(
    hsa_executable_t executable, hsa_code_object_reader_t code_object_reader, const char *options,
    hsa_loaded_code_object_t *loaded_code_object);

/* Loads a code object for AGENT: allocates its segments, copies and relocates them, and defines its
 * symbols. *LOADED_CODE_OBJECT, if not NULL, becomes its handle. INVALID_EXECUTABLE, INVALID_AGENT,
 * INVALID_CODE_OBJECT_READER. FROZEN_EXECUTABLE. INVALID_CODE_OBJECT: the bytes are not a well-formed
 * code object. INVALID_ISA_NAME: it names no known instruction set. INCOMPATIBLE_ARGUMENTS: AGENT cannot
 * execute it. VARIABLE_ALREADY_DEFINED: a symbol of it is defined for AGENT already. */
HSA_API hsa_status_t hsa_executable_load_agent_code_object(
    hsa_executable_t executable, hsa_agent_t agent, hsa_code_object_reader_t code_object_reader, const char *options,
    hsa_loaded_code_object_t *loaded_code_object);

/* Makes EXECUTABLE unchangeable and its kernels dispatchable. INVALID_EXECUTABLE. FROZEN_EXECUTABLE: it
 * is already. VARIABLE_UNDEFINED: a variable has no definition; the executable stays unfrozen. */
HSA_API hsa_status_t hsa_executable_freeze(hsa_executable_t executable, const char *options);

typedef enum {
    HSA_EXECUTABLE_INFO_PROFILE = 1,                    /* hsa_profile_t */
    HSA_EXECUTABLE_INFO_STATE = 2,                      /* hsa_executable_state_t */
    HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE = 3 /* hsa_default_float_rounding_mode_t */
} hsa_executable_info_t;

/* Writes one property of EXECUTABLE to VALUE. INVALID_EXECUTABLE. */
HSA_API hsa_status_t hsa_executable_get_info(hsa_executable_t executable, hsa_executable_info_t attribute, void *value);

/* Defines the external variable VARIABLE_NAME as the memory at ADDRESS, which stays the caller's: with
 * program allocation, for all agents; with agent allocation, for AGENT; in the readonly segment, for
 * AGENT. To be called before the code objects that refer to it are loaded, or any time before the
 * executable is frozen. INVALID_EXECUTABLE, INVALID_AGENT. FROZEN_EXECUTABLE. VARIABLE_ALREADY_DEFINED. */
HSA_API hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char *variable_name,
                                                           void *address);
HSA_API hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                                 const char *variable_name, void *address);
HSA_API hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                             const char *variable_name, void *address);

/* *RESULT becomes 0 when EXECUTABLE is consistent, else the status that says what is wrong (for example
 * VARIABLE_UNDEFINED). INVALID_EXECUTABLE. The first one is deprecated. */
HSA_API hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t *result);
HSA_API hsa_status_t hsa_executable_validate_alt(hsa_executable_t executable, const char *options, uint32_t *result);

/* Deprecated: as hsa_executable_get_symbol_by_name(); MODULE_NAME may be NULL; AGENT and CALL_CONVENTION
 * are ignored for symbols with program allocation. */
HSA_API hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char *module_name,
                                               const char *symbol_name, hsa_agent_t agent, int32_t call_convention,
                                               hsa_executable_symbol_t *symbol);

/* *SYMBOL becomes the symbol SYMBOL_NAME of AGENT, or with AGENT NULL the one with program allocation. A
 * kernel is found by "name.kd" and by "name". INVALID_EXECUTABLE, INVALID_AGENT. INVALID_SYMBOL_NAME: no
 * such symbol. */
HSA_API hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char *symbol_name,
                                                       const hsa_agent_t *agent, hsa_executable_symbol_t *symbol);

typedef enum {
    HSA_SYMBOL_KIND_VARIABLE = 0,
    HSA_SYMBOL_KIND_KERNEL = 1,
    HSA_SYMBOL_KIND_INDIRECT_FUNCTION = 2
} hsa_symbol_kind_t;
typedef enum { HSA_SYMBOL_LINKAGE_MODULE = 0, HSA_SYMBOL_LINKAGE_PROGRAM = 1 } hsa_symbol_linkage_t;
typedef enum { HSA_VARIABLE_ALLOCATION_AGENT = 0, HSA_VARIABLE_ALLOCATION_PROGRAM = 1 } hsa_variable_allocation_t;
typedef enum { HSA_VARIABLE_SEGMENT_GLOBAL = 0, HSA_VARIABLE_SEGMENT_READONLY = 1 } hsa_variable_segment_t;

/* Names are written without NUL. Sizes in bytes; "variable" and "kernel" attributes of other symbols are
 * refused. */
typedef enum {
    HSA_EXECUTABLE_SYMBOL_INFO_TYPE = 0,                               /* hsa_symbol_kind_t */
    HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH = 1,                        /* uint32_t */
    HSA_EXECUTABLE_SYMBOL_INFO_NAME = 2,                               /* char[NAME_LENGTH]; "&name" for HSAIL */
    HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH = 3,                 /* uint32_t */
    HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME = 4,                        /* char[MODULE_NAME_LENGTH] */
    HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE = 5,                            /* hsa_symbol_linkage_t */
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION = 6,                /* hsa_variable_allocation_t */
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT = 7,                   /* hsa_variable_segment_t */
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT = 8,                 /* uint32_t; 0 unknown (external) */
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE = 9,                      /* uint32_t; 0 unknown (external) */
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST = 10,                 /* bool */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE = 11,       /* uint32_t, a multiple of 16 */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT = 12,  /* uint32_t, at least 16 */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE = 13,         /* uint32_t, static part */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE = 14,       /* uint32_t */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK = 15,          /* bool */
    HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION = 16, /* uint32_t */
    HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION = 17,                     /* bool */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION = 18,            /* uint32_t */
    HSA_EXECUTABLE_SYMBOL_INFO_AGENT = 20,                             /* hsa_agent_t */
    HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS = 21,                  /* uint64_t */
    HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT = 22,                     /* uint64_t, for the dispatch packet */
    HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT = 23           /* uint64_t */
} hsa_executable_symbol_info_t;

/* Writes one property of a symbol to VALUE. INVALID_EXECUTABLE_SYMBOL. */
HSA_API hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t executable_symbol,
                                                    hsa_executable_symbol_info_t attribute, void *value);

/* Deprecated: calls back for every symbol of EXECUTABLE. INVALID_EXECUTABLE. */
HSA_API hsa_status_t hsa_executable_iterate_symbols(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data), void *data);

/* Calls back for every symbol of EXECUTABLE that belongs to AGENT. INVALID_EXECUTABLE, INVALID_AGENT. */
HSA_API hsa_status_t hsa_executable_iterate_agent_symbols(
    hsa_executable_t executable, hsa_agent_t agent,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_agent_t agent, hsa_executable_symbol_t symbol,
                             void *data),
    void *data);

/* Calls back for every symbol of EXECUTABLE with program allocation. INVALID_EXECUTABLE. */
HSA_API hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data), void *data);

#ifdef __cplusplus
}
#endif

#include "hsa/hsa_code_object.h"

#endif
