/* SPDX-License-Identifier: MIT */
/* The component interface: what an agent driver and the generic half of the runtime are to each other.
 *
 * After the HSA Platform System Architecture, Multi-vendor Specification 1.1 ("MV"), realised in one process:
 * the generic driver is the core of libhsa-runtime64.so.1, an agent driver is a set of functions that
 * registers itself with hsa_register_agent(), once per agent. Built-in drivers are called by hsa_init();
 * others are shared objects named in HSA_AGENT_DRIVERS=path[:path...] that export hsam_agent_driver_init().
 *
 * Calling convention (MV 2.2). Requests go from the core to the driver ("D>A", struct
 * hsa_agent_driver_interface) or from the driver to the core ("A>D", struct hsa_generic_driver_interface).
 *  - A D>A request returns HSAM_Done, an error, or HSAM_Async; after HSAM_Async the driver answers exactly
 * once with agent_reply(result, cookie) from any thread, possibly before the request returned. Out-parameters
 * are written before the answer. The core waits for it.
 *  - An A>D request is always synchronous.
 *  - The core holds none of its locks while it calls a driver, unless the comment of the function says so; a
 * driver may call any A>D function from inside a D>A request, and from threads of its own.
 *  - Requests concerning one object (queue, allocation) are never concurrent; requests for different objects
 * may be.
 *  - A D>A pointer that is NULL means "nothing to do": the core goes on as if HSAM_Done had been returned
 *    (queue_new: the agent has no queues). Structures are copied unless said otherwise.
 *  - A result other than HSAM_Done of a *_remove request is a driver fault: the agent is not used any more.
 *
 * Deviations from MV 1.1, all forced by one process or by gaps in its text: every D>A function takes the
 * agent's own DRIVER pointer first; sizes are size_t instead of int32_t; addresses "in kernel space" do not
 * exist; topology (regions, instruction sets, caches) is part of the registration; and the functions marked
 * "added" below. */
#ifndef HSA_HSAM_H
#define HSA_HSAM_H

#include "hsa/amd_hsa_queue.h"
#include "hsa/amd_hsa_signal.h"
#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HSAM_VERSION_MAJOR 1
#define HSAM_VERSION_MINOR 1

typedef int64_t hsam_handle_t;

typedef enum {
    HSAM_Done = 0,
    HSAM_Async = -1,
    HSAM_Not_Supported = -2,
    HSAM_OutOfResources = -3,
    HSAM_Invalid_Argument = -4,
    HSAM_Fault = -5,
    HSAM_Busy = -6
} HSAM_Error;

/* ---- Topology: what an agent is, said once at registration -------------------------------------------
 * (added) */

/* A memory region of the agent. Regions of one agent are listed in the order in which clients see them. */
typedef struct hsam_region {
    hsa_region_segment_t segment;
    uint32_t global_flags;  /* of hsa_region_global_flag_t; 0 unless segment is GLOBAL */
    size_t size;            /* bytes */
    size_t alloc_max_size;  /* bytes; 0: clients cannot allocate here */
    size_t alloc_granule;   /* bytes, power of two; 0 when clients cannot allocate */
    size_t alloc_alignment; /* bytes, power of two, at most 2 MiB; 0 when clients cannot allocate */
    bool host_accessible;   /* a client may read and write it through the pointer it gets */
    bool accessible_by_all; /* every agent may, without hsa_amd_agents_allow_access() */
} hsam_region;

typedef struct hsam_cache {
    const char *name;
    uint8_t level;
    uint32_t size; /* bytes */
} hsam_cache;

/* An instruction set of the agent, preferred first. */
typedef struct hsam_isa {
    const char *name;            /* "amdgcn-amd-amdhsa--gfx900:xnack-" */
    uint32_t wavefront_sizes[2]; /* work-items; the preferred first, 0: none */
    uint32_t waves_per_compute_unit;
    bool profiles[2];                     /* by hsa_profile_t */
    bool default_float_rounding_modes[3]; /* by hsa_default_float_rounding_mode_t */
    bool base_profile_default_float_rounding_modes[3];
    bool fast_f16;
    uint16_t workgroup_max_dim[3];
    uint32_t workgroup_max_size;
    hsa_dim3_t grid_max_dim;
    uint64_t grid_max_size;
    uint32_t fbarrier_max_size;
    uint16_t exception_policies[2]; /* of hsa_exception_policy_t, by profile */
    uint8_t fma_round_method[2];    /* hsa_round_method_t of f16, f32 and f64 mad: flushing, not flushing */
} hsam_isa;

/* MV agent_driver_config, extended. Lives in the driver until client_remove of the last client has been
 * answered and fini was called; the core keeps the pointer. */
typedef struct hsa_agent_driver_config {
    size_t struct_size;      /* sizeof(hsa_agent_driver_config) of the driver's build */
    uint16_t major, minor;   /* HSAM_VERSION_*; a driver newer than the core is refused */
    uint32_t agent_id;       /* a wish for the agent's ordinal; the core makes it unique */
    const char *name;        /* at most 63 bytes, for example "gfx900" */
    const char *vendor_name; /* at most 63 bytes */
    const char *product_name;
    const char *uuid; /* at most 20 bytes, "GPU-...." or NULL */
    hsa_device_type_t device_type;
    hsa_profile_t profile;
    uint32_t features; /* of hsa_agent_feature_t; 0: no queues */
    hsa_default_float_rounding_mode_t default_float_rounding_mode;
    uint32_t queues_max, queue_min_size, queue_max_size; /* sizes in packets, powers of two */
    hsa_queue_type_t queue_type;                         /* MULTI: all types; SINGLE: only that */
    bool cooperative_queues;
    uint32_t queue_private_size; /* MV destination_private: bytes the driver wants behind the amd_queue_t */
    bool page_fault_supported;   /* else every allocation is locked into memory and touched (MV STA flags) */
    uint32_t node;               /* NUMA node */
    const hsam_region *regions;
    size_t region_count;
    const hsam_cache *caches;
    size_t cache_count;
    const hsam_isa *isas;
    size_t isa_count;
    /* What AMD's extension asks of a GPU; 0 where it makes no sense. */
    uint32_t chip_id, cacheline_size, compute_unit_count, max_clock_mhz, max_waves_per_cu, simds_per_cu;
    uint32_t shader_engines, shader_arrays_per_engine, memory_width_bits, memory_max_mhz;
} hsa_agent_driver_config;

/* MV generic_driver_config: allocated by the driver, filled in by hsa_register_agent(). */
typedef struct hsa_generic_driver_config {
    uint16_t major, minor;
    uint16_t device_driver_id; /* unique per registered agent */
    hsa_agent_t agent;         /* what clients call it */
} hsa_generic_driver_config;

/* ---- Signals (MV 3)
 * --------------------------------------------------------------------------------------------- */

/* One destination of a signal: how its sender tells an agent that the value changed. After every store (not a
 * silent one) the sender: makes the value visible, then if DOORBELL_ADDRESS is not NULL stores DOORBELL_VALUE
 * there, then if STATE is not 0 calls the agent's unblock_destination(). The owner may change STATE at any
 * time with sequentially consistent operations, and must look at the value again after setting it and before
 * it sleeps: so no send is missed. The node is the core's; its fields but STATE are written by the driver
 * inside signal_new or queue_new only. */
typedef struct hsa_root_dest_node {
    volatile uint32_t state; /* 0: active, polling; 1: inactive, wants unblock_destination() */
    uint32_t device_driver_id;
    volatile uint64_t *doorbell_address;
    uint64_t doorbell_value;
} hsa_root_dest_node;

/* Added: a one-shot notice that a signal meets a condition, by which a driver waits without a thread of its
 * own. The memory is the driver's and must live until the notice was given or signal_unwatch() returned. */
typedef struct hsam_signal_watch {
    hsa_signal_t signal;
    hsa_signal_condition_t condition;
    hsa_signal_value_t value;
    /* Called once, by whichever thread made the condition true, with a lock of the core held: it must not
     * block and must not call into the core; waking a thread (futex, condition variable) is what it is for.
     */
    void (*notify)(struct hsam_signal_watch *watch);
    void *user;
    struct hsam_signal_watch *next, *previous; /* the core's */
    volatile uint32_t armed;                   /* the core's: 0 once notified or unwatched */
} hsam_signal_watch;

/* ---- Queues (MV 4)
 * ---------------------------------------------------------------------------------------------- */

/* MV HSAM_queue_info_str. Valid until queue_remove has been answered. The driver's thread consumes packets in
 * order: it loads the header of slot (*read_index % size) with acquire, and as long as its type is INVALID
 * there is nothing to do; it stores INVALID into the header when it has copied the packet, and then advances
 * *read_index with release. Before it sleeps it sets doorbell_root->state to 1 and looks at the header again.
 */
typedef struct hsam_queue_info {
    amd_queue_t *queue; /* what hsa_queue_create() returns; id, type and features are filled in */
    void *packets;      /* size packets of 64 bytes, aligned to 4096 */
    uint32_t size;      /* packets, power of two */
    hsa_queue_type32_t type;
    volatile uint64_t *read_index;     /* atomic accesses only */
    volatile uint64_t *write_index;    /* written by producers */
    hsa_signal_t doorbell;             /* value: index of the last packet made ready */
    hsa_root_dest_node *doorbell_root; /* the driver sets doorbell_address and state as it likes */
    uint32_t private_segment_size;     /* hints of the client, UINT32_MAX: none */
    uint32_t group_segment_size;
    bool callbacks_required;   /* the client gave an error callback */
    void *destination_private; /* queue_private_size zeroed bytes, or NULL */
} hsam_queue_info;

/* ---- Memory and code (MV 5)
 * ------------------------------------------------------------------------------------- */

typedef enum {
    HSAM_SEGMENT_GLOBAL,
    HSAM_SEGMENT_READONLY,
    HSAM_SEGMENT_PRIVATE,
    HSAM_SEGMENT_GROUP,
    HSAM_SEGMENT_KERNARG,
    HSAM_SEGMENT_SYSTEM /* ordinary memory of the client, registered */
} hsam_segment;

/* Added: a code object as the loader placed it; addresses are those that device code uses. */
typedef struct hsam_code {
    void *base;       /* of everything that was loaded */
    size_t size;      /* bytes */
    const void *text; /* lowest executable byte */
    size_t text_size; /* bytes to the end of the highest executable one */
    const char *isa;  /* target name */
    uint64_t id;      /* unique in the process */
} hsam_code;

typedef struct hsam_fault {
    uint64_t address; /* of the access or the instruction */
    uint32_t reason;  /* of hsa_amd_memory_fault_reason_t; 0: not an access */
    const char *text; /* for people; NULL: none */
} hsam_fault;

/* ---- D>A: what the core asks of a driver
 * ------------------------------------------------------------------------ */

typedef struct hsa_agent_driver_interface {
    size_t struct_size;    /* sizeof(hsa_agent_driver_interface) of the driver's build */
    uint16_t major, minor; /* HSAM_VERSION_* */

    /* A client (there is one: the process) is about to use the agent for the first time since hsa_init():
     * threads may start. *AT_AGENT is the CLIENT of all further requests. USER_VIRTUAL_SPACE is NULL. */
    HSAM_Error (*client_new)(void *driver, hsam_handle_t client, void *user_virtual_space, void *cookie,
                             hsam_handle_t *at_agent);
    /* The client goes (last hsa_shut_down()); its queues are removed already. Threads must have ended before
     * the answer. */
    HSAM_Error (*client_remove)(void *driver, hsam_handle_t client, void *cookie);

    /* A signal that names the agent as consumer (or no consumer at all) was made. Optional; a driver that
     * only watches signals (signal_watch) leaves it NULL and signals stay cheap. ROOT is for the driver to
     * fill in. */
    HSAM_Error (*signal_new)(void *driver, hsam_handle_t client, hsa_signal_t signal, hsa_root_dest_node *root,
                             void *cookie, hsam_handle_t *at_agent);
    /* The signal goes; ROOT must not be touched after the answer. */
    HSAM_Error (*signal_remove)(void *driver, hsam_handle_t client, hsam_handle_t signal, void *cookie);
    /* A send found the destination's state inactive: wake every thread of the agent that sleeps on SIGNAL
     * (for a doorbell: the queue handle of queue_new). Called on the sender's fast path, from any thread,
     * also when nothing sleeps; must not block. The driver resets STATE itself. */
    void (*unblock_destination)(void *driver, hsam_handle_t client, hsam_handle_t signal);

    /* A queue was made for the agent; processing starts. *AT_AGENT is its handle in later requests, and is
     * written before the answer. INFO stays valid until queue_remove is answered. HSAM_OutOfResources is
     * passed on to the client. */
    HSAM_Error (*queue_new)(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                            hsam_handle_t *at_agent);
    /* The queue goes. When this is answered the driver has stopped (running kernels are abandoned or
     * finished) and touches neither queue nor packets any more. */
    HSAM_Error (*queue_remove)(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie);
    /* Added: launch no packet any more; answered when none will start. The queue stays in memory. */
    HSAM_Error (*queue_inactivate)(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie);

    /* SIZE bytes at ADDRESS became usable by the agent: fine-grained or registered memory, coarse-grained
     * memory at its first assignment to the agent. GLOBAL_FLAGS as of hsam_region. */
    HSAM_Error (*memory_allocation)(void *driver, hsam_handle_t client, void *address, size_t size,
                                    hsam_segment segment, uint32_t global_flags, void *cookie);
    /* The memory is about to be released; the agent forgets it. */
    HSAM_Error (*memory_free)(void *driver, hsam_handle_t client, void *address, void *cookie);
    /* The agent becomes, or stops being, the owner of the coarse-grained allocation at ADDRESS. */
    HSAM_Error (*memory_acquire)(void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access,
                                 void *cookie);
    HSAM_Error (*memory_release)(void *driver, hsam_handle_t client, void *address, void *cookie);
    /* Copies between ordinary memory and coarse-grained memory the agent owns. Without it the core uses
     * memcpy(). */
    HSAM_Error (*memory_copy)(void *driver, hsam_handle_t client, void *destination, const void *source, size_t size,
                              void *cookie);

    /* Added: CODE was placed in memory that client and agent share, relocated, and will not change any more;
     * the driver may translate it now or later. Answered before the executable counts as frozen. */
    HSAM_Error (*code_load)(void *driver, hsam_handle_t client, const hsam_code *code, void *cookie,
                            hsam_handle_t *at_agent);
    /* Added: the code is about to disappear; nothing derived from it may be used after the answer. */
    HSAM_Error (*code_unload)(void *driver, hsam_handle_t client, hsam_handle_t code, void *cookie);

    /* Added: an attribute of hsa_agent_get_info() that the configuration does not answer. May be called
     * before client_new. HSAM_Not_Supported: unknown attribute. Synchronous. */
    HSAM_Error (*agent_get_info)(void *driver, uint32_t attribute, void *value);
    /* Added: the last hsa_shut_down() is done with the agent: release what registration allocated.
     * Synchronous. */
    void (*fini)(void *driver);
} hsa_agent_driver_interface;

/* ---- A>D: what a driver asks of the core
 * ------------------------------------------------------------------------ */

typedef struct hsa_generic_driver_interface {
    size_t struct_size;
    uint16_t major, minor;

    /* Answers a request that returned HSAM_Async; RESULT is anything but HSAM_Async. An unknown or second
     * COOKIE is ignored. */
    void (*agent_reply)(HSAM_Error result, void *cookie);
    /* The agent met a fault that cannot be attributed to one queue: system event handlers are told. FAULT is
     * read during the call only. */
    void (*client_error)(hsam_handle_t client, const hsam_fault *fault);
    /* MV: a sender outside the core found a destination of SIGNAL inactive; its agent is unblocked. A signal
     * that does not exist is ignored, false alarms are allowed. */
    void (*destination_unreachable)(hsam_handle_t client, hsa_signal_t signal, uint32_t device_driver_id);

    /* Added: QUEUE (of hsam_queue_info) stopped because of STATUS; its error callback runs in this thread,
     * once. The driver has made the completion signal of the packet negative (signal_fail) and launches no
     * packet any more. TEXT, copied, says what happened ("illegal instruction v_foo at 0x1234"), NULL:
     * nothing to add. The callback may not destroy the queue. */
    void (*queue_error)(amd_queue_t *queue, hsa_status_t status, const char *text);

    /* Added: whether SIGNAL is a live signal handle; lock free, for handles that come out of packets. */
    bool (*signal_valid)(hsa_signal_t signal);
    /* Added: adds VALUE with release semantics and notifies waiters; the packet's completion is VALUE -1.
     * Returns the old value. The handle must be valid. Costs a locked add and a load when nobody waits. */
    hsa_signal_value_t (*signal_add)(hsa_signal_t signal, hsa_signal_value_t value);
    /* Added: marks the packet's completion signal as failed: its value becomes negative. */
    void (*signal_fail)(hsa_signal_t signal);
    /* Added: device code interrupted (s_sendmsg MSG_INTERRUPT) after it changed a signal's value by itself:
     * every waiter and watch looks again. Cheap when nobody waits. */
    void (*signal_interrupt)(uint32_t event_id);
    /* Added: arms WATCH; returns false, and gives no notice, when the condition holds already. */
    bool (*signal_watch)(hsam_signal_watch *watch);
    /* Added: disarms WATCH; after it returns no notice is given any more. Returns whether it was still armed.
     */
    bool (*signal_unwatch)(hsam_signal_watch *watch);

    /* Memory for the driver's own use (MV 2.6): address space only; with memory; locked and touched. Sizes
     * are rounded up to pages; AT is page aligned. What is freed must have been obtained by the matching
     * function with that size, else HSAM_Invalid_Argument. */
    HSAM_Error (*agent_memory_reserve)(hsam_handle_t client, size_t size, void **at);
    HSAM_Error (*agent_memory_unreserve)(hsam_handle_t client, void *at, size_t size);
    HSAM_Error (*agent_memory_allocate)(hsam_handle_t client, size_t size, void **at);
    HSAM_Error (*agent_memory_allocate_safe_to_access)(hsam_handle_t client, size_t size, void **at);
    HSAM_Error (*agent_memory_free)(hsam_handle_t client, void *at, size_t size);
    /* Loads a library of the vendor into the client; it stays loaded. HSAM_Invalid_Argument: it cannot be
     * loaded. */
    HSAM_Error (*launch_dll)(hsam_handle_t client, const char *file);
    /* Added: system timestamp in ticks (nanoseconds), for start_ts and end_ts of a signal. */
    uint64_t (*timestamp)(void);
} hsa_generic_driver_interface;

/* Registers one agent. Only during hsam_agent_driver_init() or a built-in driver's start, inside hsa_init().
 * INTERFACE and CONFIG stay the driver's and must live until fini. DRIVER is passed back as the first
 * argument of every D>A function. Returns the core's functions, which are valid until fini returns, or NULL:
 * a version that is too new, a configuration that is inconsistent (a region or queue size that is no power of
 * two, a name that is missing), or no memory. */
HSA_API const hsa_generic_driver_interface *hsa_register_agent(
    const hsa_agent_driver_interface *interface, const hsa_agent_driver_config *config, void *driver,
    hsa_generic_driver_config *generic);

typedef const hsa_generic_driver_interface *(*hsa_register_agent_t)(
    const hsa_agent_driver_interface *interface, const hsa_agent_driver_config *config, void *driver,
    hsa_generic_driver_config *generic);

/* What a driver in a shared object exports: registers its agents by REGISTER_AGENT and returns how many, or a
 * negative HSAM_Error, upon which it is unloaded; 0 agents is no error (no such hardware here). */
HSA_API int hsam_agent_driver_init(hsa_register_agent_t register_agent);

#ifdef __cplusplus
}
#endif

#endif
