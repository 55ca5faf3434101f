/* SPDX-License-Identifier: MIT */
/**
 * The component interface: what an agent driver and the core of the runtime are to each other.
 *
 * It follows the HSA Platform System Architecture, Multi-vendor Specification 1.1 ("MV" below), realised in one
 * process: the specification's generic driver is the core of libhsa-runtime64.so.1, and an agent driver is a set of
 * functions that registers itself with hsa_register_agent(), once per agent. hsa_init() calls the drivers that are
 * built in, then those in the shared objects that HSA_AGENT_DRIVERS=path[:path...] names:
 *
 *     static const hsa_agent_driver_interface interface = {
 *         .struct_size = sizeof interface, .major = HSAM_VERSION_MAJOR, .minor = HSAM_VERSION_MINOR,
 *         .queue_new = start_a_thread_that_reads_packets, .queue_remove = end_it, ...
 *     };
 *     int hsam_agent_driver_init(hsa_register_agent_t register_agent)
 *     {
 *         core = register_agent(&interface, &config, my_agent, &generic);
 *         return core ? 1 : HSAM_Invalid_Argument;
 *     }
 *
 * Requests (MV 2.2). The core asks the driver ("D>A", struct hsa_agent_driver_interface), and the driver asks the core
 * ("A>D", struct hsa_generic_driver_interface).
 *  - A D>A request with a cookie returns HSAM_Done, an error, or HSAM_Async. After HSAM_Async the driver answers
 *    exactly once with agent_reply(result, cookie), from any thread, even before the request has returned. Results in
 *    memory are written before the answer. The core waits for the answer. A D>A request without a cookie, and every
 *    A>D request, is answered when it returns.
 *  - A D>A function that is NULL stands for one that returns HSAM_Done, unless its comment says otherwise. If
 *    signal_new, event_new or memory_allocation return HSAM_Not_Supported, it is as if they were NULL.
 *  - Whatever a *_remove, *_delete or *_unload request answers but HSAM_Done is a fault of the driver: the agent gets
 *    no more queues.
 *
 * Threads. D>A requests that concern one object (a queue, a signal, an allocation, a code object) are never
 * concurrent; requests that concern different objects may be, so a driver locks what its objects share. A driver may
 * call every A>D function from inside a D>A request and from threads of its own, unless the comment of the function
 * says otherwise. A driver calls no hsa_* function of the client's interface.
 *
 * Ownership. What a pointer leads to belongs to its caller and is read or written during the call only, unless the
 * comment says that it lives longer. Addresses are those of the process for the host and for all agents (MV 5.2):
 * memory has one address, at which an agent may or may not be able to reach it.
 *
 * Versions. A driver states the version it was built for. The core takes drivers of its own major version whose minor
 * version is at most its own, and refuses all others: the minor version grows when members are appended to structures,
 * the major version when a driver has to change. A structure that starts with struct_size may be shorter than the
 * core's; what is missing counts as 0. Version 2 added memory that belongs to drivers, events and doorbells that take
 * a packet's index; a driver for version 1 is refused, and finds the core's version in the hsa_generic_driver_config.
 *
 * Deviations from MV 1.1, forced by one process or by gaps of its text: every D>A function gets the agent's own DRIVER
 * pointer first; sizes are size_t instead of int32_t; addresses in kernel space do not exist; topology (regions,
 * instruction sets, caches) is part of the registration; and what is marked "added" below. doc/MULTIVENDOR.md lists
 * the requirements of the specification with the test that shows each.
 */
#ifndef HSA_HSAM_H
#define HSA_HSAM_H

#include "hsa/amd_hsa_queue.h"
#include "hsa/amd_hsa_signal.h"
#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Marks functions whose answer must be looked at, because nothing else shows that they have failed. */
#if defined(__GNUC__)
#define HSAM_CHECKED __attribute__((warn_unused_result))
#else
#define HSAM_CHECKED
#endif

#define HSAM_VERSION_MAJOR 2
#define HSAM_VERSION_MINOR 1

/** A driver's or the core's name for one of its objects. The other side stores it and hands it back. */
typedef int64_t hsam_handle_t;

/** What a request answers. */
typedef enum {
    HSAM_Done = 0,
    HSAM_Async = -1,            /**< the answer comes by agent_reply() */
    HSAM_Not_Supported = -2,    /**< the driver does not do this at all; asked again, it answers the same */
    HSAM_OutOfResources = -3,   /**< memory, queues or the like are used up; clients are told the same */
    HSAM_Invalid_Argument = -4, /**< the request makes no sense */
    HSAM_Fault = -5,            /**< the agent does not do what its driver says */
    HSAM_Busy = -6              /**< not now */
} HSAM_Error;

/** @name Topology (added): what an agent is, said once at registration
 * @{ */

/** A memory region of an agent. Clients see the regions of an agent in the order in which they are listed. */
typedef struct hsam_region {
    hsa_region_segment_t segment;
    uint32_t global_flags;  /**< of hsa_region_global_flag_t; 0 unless the segment is global */
    size_t size;            /**< bytes */
    size_t alloc_max_size;  /**< bytes; 0: clients cannot allocate here */
    size_t alloc_granule;   /**< bytes, a power of two; 0 when clients cannot allocate */
    size_t alloc_alignment; /**< bytes, a power of two, at most 2 MiB; 0 when clients cannot allocate */
    bool host_accessible;   /**< a client may read and write it through the pointer that it gets */
    bool accessible_by_all; /**< every agent may use it, without hsa_amd_agents_allow_access() */
} hsam_region;

/** A cache of an agent. */
typedef struct hsam_cache {
    const char *name;
    uint8_t level; /**< 1 is nearest to the processor */
    uint32_t size; /**< bytes */
} hsam_cache;

/** An instruction set of an agent. The preferred one is listed first. */
typedef struct hsam_isa {
    const char *name;            /**< "amdgcn-amd-amdhsa--gfx900:xnack-"; at most 255 bytes */
    uint32_t wavefront_sizes[2]; /**< work-items; the preferred size first, 0: none */
    uint32_t waves_per_compute_unit;
    bool profiles[2];                     /**< by hsa_profile_t */
    bool default_float_rounding_modes[3]; /**< by hsa_default_float_rounding_mode_t */
    bool base_profile_default_float_rounding_modes[3];
    bool fast_f16;
    uint16_t workgroup_max_dim[3];  /**< work-items */
    uint32_t workgroup_max_size;    /**< work-items */
    hsa_dim3_t grid_max_dim;        /**< work-items */
    uint64_t grid_max_size;         /**< work-items */
    uint32_t fbarrier_max_size;     /**< fbarriers per work-group */
    uint16_t exception_policies[2]; /**< of hsa_exception_policy_t, by profile */
    uint8_t fma_round_method[2];    /**< hsa_round_method_t of f16, f32 and f64 mad: [0] when it flushes denormals,
                                         [1] when not */
} hsam_isa;

/** What a driver says of an agent (MV 2.3, agent_driver_config, extended). The structure is copied; what it points to
 * lives until fini. */
typedef struct hsa_agent_driver_config {
    size_t struct_size;       /**< sizeof(hsa_agent_driver_config) of the driver's build */
    uint16_t major, minor;    /**< HSAM_VERSION_* of the driver's build */
    const char *name;         /**< 1 to 63 bytes, for example "gfx900" */
    const char *vendor_name;  /**< 1 to 63 bytes */
    const char *product_name; /**< at most 63 bytes; NULL: the same as name */
    const char *uuid;         /**< at most 20 bytes, "GPU-...."; NULL: none */
    hsa_device_type_t device_type;
    hsa_profile_t profile;
    uint32_t features; /**< of hsa_agent_feature_t; 0: no queues */
    hsa_default_float_rounding_mode_t default_float_rounding_mode;
    uint32_t queues_max;         /**< how many there can be at once; 0: none */
    uint32_t queue_min_size;     /**< packets, a power of two; smaller queues are made this large */
    uint32_t queue_max_size;     /**< packets, a power of two */
    hsa_queue_type_t queue_type; /**< MULTI: all types; SINGLE: only that one */
    bool cooperative_queues;
    uint32_t queue_private_size; /**< bytes of hsam_queue_info.destination_private (MV 4, destination_private) */
    bool page_fault_supported;   /**< false: memory is made resident before the agent is told of it (MV 5.3) */
    uint32_t node;               /**< NUMA node */
    const hsam_region *regions;
    size_t region_count;
    const hsam_cache *caches;
    size_t cache_count;
    const hsam_isa *isas; /**< at least one when the agent dispatches kernels */
    size_t isa_count;
    /* What AMD's extension asks of a GPU; 0 where it makes no sense. */
    uint32_t chip_id, cacheline_size, compute_unit_count, max_clock_mhz, max_waves_per_cu, simds_per_cu;
    uint32_t shader_engines, shader_arrays_per_engine, memory_width_bits, memory_max_mhz;
} hsa_agent_driver_config;

/** What the core says of itself and of the agent (MV 2.3, generic_driver_config). The driver provides the memory;
 * hsa_register_agent() fills it in. After a refusal only the version is set, and the rest is 0. */
typedef struct hsa_generic_driver_config {
    uint16_t major, minor;     /**< of the core */
    uint16_t device_driver_id; /**< unique per registered agent, from 1 */
    hsa_agent_t agent;         /**< what clients call it */
} hsa_generic_driver_config;

/** @}
 * @name Signals (MV 3)
 * @{ */

/** What a sender writes to a doorbell (added). */
typedef enum {
    HSAM_DOORBELL_CONSTANT, /**< always doorbell_value (MV 3.2) */
    HSAM_DOORBELL_SIGNAL    /**< the value sent; of a queue's doorbell that is the index of a packet */
} hsam_doorbell;

/** A destination of a signal: how a sender tells an agent that the value has changed.
 *
 * After every store that is not silent, the sender makes the value visible, then writes to doorbell_address if that
 * is not NULL, then calls the agent's unblock_destination() if state is not 0. The agent may change the state at any
 * time by sequentially consistent operations. Between setting it and going to sleep it looks at the value once more,
 * so that it misses no send. The node is the core's; the driver writes its other fields inside signal_new or queue_new
 * only. */
typedef struct hsa_root_dest_node {
    volatile uint32_t state; /**< 0: active, it looks by itself; 1: inactive, it wants unblock_destination() */
    uint32_t device_driver_id;
    volatile uint64_t *doorbell_address; /**< the driver's; lives as long as the signal */
    uint64_t doorbell_value;
    hsam_doorbell doorbell; /**< which value is written (added) */
} hsa_root_dest_node;

/** How device code interrupts (added): what the fields of an amd_signal_t are set to. */
typedef struct hsam_event {
    uint32_t id;         /**< event_id, the argument of the interrupt; not 0 */
    uint64_t mailbox;    /**< event_mailbox_ptr, where device code stores the id first; 0: nowhere */
    hsam_handle_t event; /**< the driver's, for event_remove */
} hsam_event;

/** A one-shot notice that a signal meets a condition, by which a driver waits without a thread of its own (added). The
 * memory is the driver's. It must live until the notice has been given or signal_unwatch() has returned. */
typedef struct hsam_signal_watch {
    hsa_signal_t signal; /**< a live one; the notice is also given when it is destroyed */
    hsa_signal_condition_t condition;
    hsa_signal_value_t value;
    /** Called once, by the thread that made the condition true, with a lock of the core held: it must neither block
     * nor call the core. Waking a thread by a futex or a condition variable is what it is for. */
    void (*notify)(struct hsam_signal_watch *watch);
    void *user;                                /**< not looked at */
    struct hsam_signal_watch *next, *previous; /**< the core's */
    volatile uint32_t armed;                   /**< the core's: 0 once notified or disarmed */
} hsam_signal_watch;

/** @}
 * @name Memory and code (MV 5)
 * @{ */

/** A segment, as memory_allocation() is told. */
typedef enum {
    HSAM_SEGMENT_GLOBAL,
    HSAM_SEGMENT_READONLY,
    HSAM_SEGMENT_PRIVATE,
    HSAM_SEGMENT_GROUP,
    HSAM_SEGMENT_KERNARG,
    HSAM_SEGMENT_SYSTEM /**< ordinary memory of the client, registered or locked */
} hsam_segment;

/** What the core wants memory for (added). */
typedef enum {
    HSAM_MEMORY_CLIENT,  /**< for a client, in a region of the agent */
    HSAM_MEMORY_QUEUE,   /**< an amd_queue_t and, from the next multiple of 4096 bytes on, its packets */
    HSAM_MEMORY_CODE,    /**< a code object */
    HSAM_MEMORY_SIGNALS, /**< all signals: addresses only, which memory_resident() makes usable part by part. Asked
                              of the CPU's driver only. */
} hsam_purpose;

/** A request for memory (added). */
typedef struct hsam_memory_request {
    hsam_purpose purpose;
    size_t size;               /**< bytes, not 0; a multiple of the region's granule, or of 4096 */
    size_t alignment;          /**< bytes, a power of two, at most 2 MiB */
    const hsam_region *region; /**< one of the agent's configuration, for purpose CLIENT; NULL for all others */
} hsam_memory_request;

/** Memory that a driver has given out (added). Its bytes are 0 at first. */
typedef struct hsam_memory {
    void *address;        /**< where agents, and the host if it can, reach it; no other memory has this address */
    size_t size;          /**< bytes, at least as many as asked for */
    bool host_accessible; /**< the host can reach it; otherwise the core touches it by memory_copy() only */
    hsam_handle_t memory; /**< the driver's handle of it */
} hsam_memory;

/** What memory_resident() is to achieve (added). */
typedef enum {
    HSAM_RESIDENCE_USABLE, /**< addresses that were given out without memory can be read and written */
    HSAM_RESIDENCE_LOCKED  /**< it stays in memory, so that an agent without page faults can use it (MV "STA") */
} hsam_residence;

/** A code object as the loader has placed it (added). */
typedef struct hsam_code {
    void *base;       /**< the first byte of everything that was loaded, as device code sees it */
    size_t size;      /**< bytes */
    const void *text; /**< the lowest executable byte */
    size_t text_size; /**< bytes up to the end of the highest executable one */
    const char *isa;  /**< name of the instruction set; lives until code_unload */
    uint64_t id;      /**< unique in the process */
} hsam_code;

/** A fault that concerns no single queue. */
typedef struct hsam_fault {
    uint64_t address; /**< of the access or of the instruction */
    uint32_t reason;  /**< of hsa_amd_memory_fault_reason_t; 0: the fault is not one of an access */
    const char *text; /**< for people; NULL: none */
} hsam_fault;

/** The memory that an access was meant for (added, 2.1). */
typedef enum hsam_access_segment {
    HSAM_ACCESS_NONE, /**< no access, or not known */
    HSAM_ACCESS_GLOBAL,
    HSAM_ACCESS_GROUP,
    HSAM_ACCESS_PRIVATE
} hsam_access_segment;

/** One side of a report: who executed what, and where (added, 2.1). */
typedef struct hsam_report_side {
    uint64_t pc;             /**< of the instruction */
    const char *instruction; /**< its text; NULL: not known */
    bool has_group;          /**< GROUP is known */
    bool has_item;           /**< ITEM is known */
    uint64_t group[3];       /**< work-group id */
    uint32_t item[3];        /**< work-item id in the work-group */
} hsam_report_side;

/** What a kernel did wrong (added, 2.1). */
typedef struct hsam_report {
    size_t struct_size;
    const char *id;         /**< a word that never changes meaning: "fault-memory" */
    const char *text;       /**< what happened, for people; follows the instruction, and what it accesses */
    bool finding;           /**< a checker reports it, and the kernel goes on */
    uint64_t count;         /**< how often it happened */
    uint64_t kernel_object; /**< of the dispatch packet */
    uint64_t queue;         /**< id of the queue */
    hsam_report_side by, other;
    bool has_other;              /**< a second work-item is concerned, which OTHER describes */
    const char *other_text;      /**< how the text introduces OTHER: "and", "without"; NULL: "and" */
    hsam_access_segment segment; /**< NONE: the fields below mean nothing */
    bool writes;
    bool atomic;
    uint32_t bytes; /**< of the access; 0: not known */
    uint64_t address;
    const char *field;  /**< of a dispatch packet that was refused; "align" if the address breaks that promise of an
                             instruction: it is VALUE above a multiple of LIMIT; NULL: neither */
    uint64_t value;     /**< what FIELD held */
    uint64_t limit;     /**< what it was compared with */
    const char *origin; /**< the register or memory that a value that was never written comes from; NULL: none. OTHER.pc
                             is the instruction that read it, or 0; HAS_OTHER is not set for it */
} hsam_report;

/** An allocation, as agents that check accesses need it (added, 2.1). */
typedef struct hsam_extent {
    uint64_t base;
    uint64_t size; /**< as the client asked for it, not rounded up */
} hsam_extent;

/** Where in a program an address of loaded code is (added, 2.1). Names are cut to fit; "": not known. */
typedef struct hsam_place {
    char function[256]; /**< kernel or function */
    uint64_t offset;    /**< from its beginning */
    char file[256];     /**< of the source */
    uint32_t line;
} hsam_place;

/** The line of a call that the compiler has put the function's body in the place of (added, 2.1). */
typedef struct hsam_call {
    char file[256]; /**< of the source */
    uint32_t line;
} hsam_call;

/** The operations of locations that have operands or do more than arithmetic; those, and all numbers, are as in DWARF
 * 5, section 2.5. An agent knows what the numbers of its registers mean. (added, 2.1) */
enum {
    HSAM_OP_ADDR = 0x03, /**< followed by an address of 8 bytes in loaded memory; 0: its symbol is not defined */
    HSAM_OP_CONST1U = 0x08,
    HSAM_OP_CONST1S = 0x09,
    HSAM_OP_CONST2U = 0x0a,
    HSAM_OP_CONST2S = 0x0b,
    HSAM_OP_CONST4U = 0x0c,
    HSAM_OP_CONST4S = 0x0d,
    HSAM_OP_CONST8U = 0x0e,
    HSAM_OP_CONST8S = 0x0f,
    HSAM_OP_CONSTU = 0x10,
    HSAM_OP_CONSTS = 0x11,
    HSAM_OP_DUP = 0x12,
    HSAM_OP_DROP = 0x13,
    HSAM_OP_SWAP = 0x16,
    HSAM_OP_XDEREF = 0x18,
    HSAM_OP_PLUS_UCONST = 0x23,
    HSAM_OP_REGX = 0x90,
    HSAM_OP_FBREG = 0x91,
    HSAM_OP_BREGX = 0x92,
    HSAM_OP_PIECE = 0x93,
    HSAM_OP_STACK_VALUE = 0x9f,
    HSAM_OP_ADDRX = 0xa1,  /**< not in what an agent is given: HSAM_OP_ADDR stands there */
    HSAM_OP_CONVERT = 0xa8 /**< followed by a byte: the size to convert to, with 0x80 if signed; 0: 8 bytes */
};

/** The numbers that a variable holds, as DWARF 5 numbers them in section 7.8 (added, 2.1). */
enum { HSAM_NUMBER_FLOAT = 0x04, HSAM_NUMBER_SIGNED = 0x05, HSAM_NUMBER_SIGNED_CHAR = 0x06 };

/** A variable of the source at an instruction, as debug information has it (added, 2.1). */
typedef struct hsam_variable {
    uint32_t size;          /**< bytes, of an array those of an element; 0: it has no simple type */
    uint32_t number;        /**< what the bytes are, a number of DWARF: HSAM_NUMBER_FLOAT and others */
    uint64_t count;         /**< elements of an array; 0: it is none */
    char type[16];          /**< name of the type, of an array that of an element */
    uint32_t location_size; /**< 0: it is nowhere there, or in a way that cannot be told */
    uint32_t frame_size;    /**< 0: the frame begins at 0 */
    uint8_t location[128];  /**< an expression */
    uint8_t frame[16];      /**< an expression for the base of HSAM_OP_FBREG */
} hsam_variable;

/** An argument of a kernel, as the metadata of its code object has it (added, 2.1). Names are cut to fit. */
typedef struct hsam_argument {
    char name[64];         /**< without the % of HSAIL; "": it has none */
    char type[16];         /**< a type of HSAIL or of OpenCL C; "": it has no name */
    uint32_t offset, size; /**< bytes, in the kernarg segment */
} hsam_argument;

/** What control directives of HSAIL require of a launch (added, 2.1); 0 where there is no such directive. */
typedef struct hsam_launch_limits {
    uint64_t dimensions;    /**< of the grid */
    uint64_t grid[3];       /**< work-items in each dimension */
    uint64_t flat_grid;     /**< the most work-items of a grid */
    uint64_t dynamic_group; /**< the most bytes of group memory in addition to the kernel's own, plus 1 */
    uint64_t whole_groups;  /**< 1: no partial work-groups */
} hsam_launch_limits;

/** What its code object says of a kernel (added, 2.1); 0 where it says nothing. */
typedef struct hsam_kernel {
    char name[256];
    bool has_registers; /**< the five counts are known */
    uint32_t vgprs, agprs, sgprs;
    uint32_t vgpr_spills, sgpr_spills;
    uint32_t kernarg_size, kernarg_align; /**< bytes; of an argument segment; aligned to 1 if the code does not say */
    uint32_t group_size, private_size;    /**< bytes, of a work-group and of a work-item */
    uint32_t required_group[3];           /**< work-items of a work-group in each dimension */
    uint32_t max_group;                   /**< work-items of a work-group in all */
    bool is_opencl;                       /**< it was written in OpenCL C */
    hsam_launch_limits limits;
} hsam_kernel;

/** @}
 * @name Queues (MV 4)
 * @{ */

/** A queue, as its agent sees it (MV 4, HSAM_queue_info_str). Lives until queue_remove has been answered.
 *
 * The agent takes packets in order. It loads the header of slot *read_index % size with acquire semantics; as long as
 * the type there is INVALID, no packet is ready. Once it has copied the packet it stores INVALID into the header and
 * advances *read_index with release semantics. Before it sleeps it sets doorbell_root->state to 1 and looks at the
 * header once more. */
typedef struct hsam_queue_info {
    amd_queue_t *queue; /**< what hsa_queue_create() returns; id, type and features are filled in */
    void *packets;      /**< size packets of 64 bytes, aligned to 4096 */
    uint32_t size;      /**< packets, a power of two */
    hsa_queue_type32_t type;
    volatile uint64_t *read_index;     /**< accessed atomically */
    volatile uint64_t *write_index;    /**< written by producers */
    hsa_signal_t doorbell;             /**< its value: the index of the last packet that was made ready */
    hsa_root_dest_node *doorbell_root; /**< the driver fills in the doorbell, and changes the state as it likes */
    uint32_t private_segment_size;     /**< bytes per work-item, a hint of the client; UINT32_MAX: none */
    uint32_t group_segment_size;       /**< bytes per work-group, likewise */
    bool callbacks_required;           /**< the client gave an error callback */
    void *destination_private;         /**< queue_private_size bytes, 0 at first; NULL when that is 0 */
    hsam_memory memory;                /**< the memory of QUEUE and PACKETS, as its driver gave it out (added) */
    bool own_memory;                   /**< it comes from this agent's memory_new() (added) */
    /** What clients may change at any time, for the kernels that the driver starts after that; accessed atomically,
     * word by word (added). Bit I of CU_MASK: the queue may use compute unit I; PRIORITY: hsa_amd_queue_priority_t. */
    const uint32_t *cu_mask;
    uint32_t cu_mask_words;
    const uint32_t *priority;
} hsam_queue_info;

/** @} */

/**
 * D>A: what the core asks of a driver.
 *
 * DRIVER is the pointer given to hsa_register_agent(), CLIENT what client_new() has set, COOKIE the core's name for the
 * request. These three are not repeated below.
 */
typedef struct hsa_agent_driver_interface {
    size_t struct_size;    /**< sizeof(hsa_agent_driver_interface) of the driver's build */
    uint16_t major, minor; /**< HSAM_VERSION_* of the driver's build */

    /**
     * The process is about to use the agent for the first time since hsa_init(): threads may start (MV 2.4). Right
     * after, memory_allocation() tells the agent of the memory that exists already and that it may use.
     *
     * \param      client              the core's handle of the process.
     * \param      user_virtual_space  NULL.
     * \param[out] at_agent            CLIENT of all further requests.
     * \return Done, or an error, after which it is asked again at the next use. Not_Supported: the agent can be
     *         looked at, but not used; signals that name no consumer do without it.
     */
    HSAM_Error (*client_new)(void *driver, hsam_handle_t client, void *user_virtual_space, void *cookie,
                             hsam_handle_t *at_agent) HSAM_CHECKED;

    /** The process is done with the agent (last hsa_shut_down()): queues are removed, code is unloaded, memory is
     * withdrawn. Threads have ended before the answer. \return Done. */
    HSAM_Error (*client_remove)(void *driver, hsam_handle_t client, void *cookie) HSAM_CHECKED;

    /**
     * A signal was made that names the agent as a consumer, or names none (MV 3). A driver that only watches signals
     * leaves this NULL, which keeps signals cheap.
     *
     * \param[in,out] root      to be filled in; lives until signal_remove has been answered.
     * \param[out]    at_agent  the driver's handle, for signal_remove and unblock_destination.
     * \return Done; OutOfResources or another error, after which the signal is not made.
     */
    HSAM_Error (*signal_new)(void *driver, hsam_handle_t client, hsa_signal_t signal, hsa_root_dest_node *root,
                             void *cookie, hsam_handle_t *at_agent) HSAM_CHECKED;

    /** The signal is destroyed; its root must not be touched after the answer. \return Done. */
    HSAM_Error (*signal_remove)(void *driver, hsam_handle_t client, hsam_handle_t signal, void *cookie) HSAM_CHECKED;

    /** A sender found the state of a destination inactive: every thread of the agent that sleeps on the signal is to
     * be woken. SIGNAL is the handle of signal_new, or of queue_new for a doorbell. Called by the sender, in any
     * thread, also when nothing sleeps; must not block. The driver resets the state itself. NULL: nothing sleeps. */
    void (*unblock_destination)(void *driver, hsam_handle_t client, hsam_handle_t signal);

    /**
     * A queue was made for the agent; processing starts (MV 4). NULL: the agent has no queues.
     *
     * \param      info      lives until queue_remove has been answered.
     * \param[out] at_agent  the driver's handle of the queue, written before the answer.
     * \return Done; OutOfResources, which clients are told; another error, which clients see as an invalid queue
     *         creation.
     */
    HSAM_Error (*queue_new)(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                            hsam_handle_t *at_agent) HSAM_CHECKED;

    /** The queue is destroyed. When this is answered, its kernels have ended or were abandoned, and the driver touches
     * neither the queue nor its packets any more. \return Done. */
    HSAM_Error (*queue_remove)(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie) HSAM_CHECKED;

    /** No more packets are to be launched (added). Answered when none will start; kernels may still run.
     * \return Done. */
    HSAM_Error (*queue_inactivate)(void *driver, hsam_handle_t client, hsam_handle_t queue, void *cookie) HSAM_CHECKED;

    /**
     * Memory became usable by the agent (MV 5.3): fine-grained memory and signals, memory that the client registered
     * or locked, coarse-grained memory once it is assigned to the agent or the agent is allowed to access it, and what
     * the core obtained elsewhere for the agent's queues and code. A driver with page tables of its own maps it.
     *
     * \param size          bytes.
     * \param global_flags  of hsam_region; 0 for memory of the client.
     * \return Done; an error, which the client's call returns.
     */
    HSAM_Error (*memory_allocation)(void *driver, hsam_handle_t client, void *address, size_t size,
                                    hsam_segment segment, uint32_t global_flags, void *cookie) HSAM_CHECKED;

    /** The memory that memory_allocation() told of at ADDRESS is about to go, or is no longer the agent's to use; the
     * agent forgets it. \return Done. */
    HSAM_Error (*memory_free)(void *driver, hsam_handle_t client, void *address, void *cookie) HSAM_CHECKED;

    /** The agent becomes the owner of the coarse-grained allocation at ADDRESS. The former owner has released it.
     * \return Done; an error, which the client's call returns. */
    HSAM_Error (*memory_acquire)(void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access,
                                 void *cookie) HSAM_CHECKED;

    /** The agent stops being the owner of the coarse-grained allocation at ADDRESS: it writes back what it caches.
     * \return Done. */
    HSAM_Error (*memory_release)(void *driver, hsam_handle_t client, void *address, void *cookie) HSAM_CHECKED;

    /** Copies SIZE bytes between ordinary memory and memory that the agent owns or its driver gave out; either may be
     * the source, or both (MV 5.4). Called from any thread, also for several copies at once. NULL: the core copies
     * with memmove(), for which all the driver's memory must be accessible to the host.
     * \return Done; an error, which the client's call returns. */
    HSAM_Error (*memory_copy)(void *driver, hsam_handle_t client, void *destination, const void *source, size_t size,
                              void *cookie) HSAM_CHECKED;

    /**
     * A code object is in its place, relocated, and will not change any more (added). The driver may translate it now
     * or later. Answered before the executable counts as frozen.
     *
     * \param      code      the structure lives during the call only, the memory it describes until code_unload.
     * \param[out] at_agent  the driver's handle, for code_unload.
     * \return Done; an error, which the client's call returns.
     */
    HSAM_Error (*code_load)(void *driver, hsam_handle_t client, const hsam_code *code, void *cookie,
                            hsam_handle_t *at_agent) HSAM_CHECKED;

    /** The code is about to go (added); nothing derived from it may be used after the answer. \return Done. */
    HSAM_Error (*code_unload)(void *driver, hsam_handle_t client, hsam_handle_t code, void *cookie) HSAM_CHECKED;

    /**
     * Asks for an attribute of hsa_agent_get_info() that the configuration does not answer (added). May be called
     * before client_new.
     *
     * \param[out] value  of the attribute's type.
     * \return Done, or Not_Supported for an attribute that the driver does not know.
     */
    HSAM_Error (*agent_get_info)(void *driver, uint32_t attribute, void *value) HSAM_CHECKED;

    /** The last hsa_shut_down() is done with the agent (added): release what registration allocated. No request
     * follows. */
    void (*fini)(void *driver);

    /** @name Memory that belongs to the driver (added in version 2)
     * A driver for a device with memory or page tables of its own gives out the memory of its regions, queues and
     * code. All that follows is NULL in a driver whose agent uses the host's memory: the CPU's driver gives it out.
     * @{ */

    /**
     * Gives out memory.
     *
     * \param      request  read during the call only.
     * \param[out] memory   what was given out; it stays the core's until memory_delete has been answered. Of purpose
     *                      QUEUE it must be accessible to the host; of purpose CODE and CLIENT it need not.
     * \return Done; Not_Supported: the CPU's driver is asked instead; OutOfResources.
     */
    HSAM_Error (*memory_new)(void *driver, hsam_handle_t client, const hsam_memory_request *request, void *cookie,
                             hsam_memory *memory) HSAM_CHECKED;

    /** Takes back MEMORY, as memory_new() has filled it in. No agent uses it any more. \return Done. */
    HSAM_Error (*memory_delete)(void *driver, hsam_handle_t client, const hsam_memory *memory,
                                void *cookie) HSAM_CHECKED;

    /**
     * Makes MEMORY, which this driver gave out, reachable by another agent (hsa_amd_agents_allow_access()). That
     * agent's memory_allocation() follows. NULL: there is nothing to do when MEMORY is accessible to the host;
     * otherwise it cannot be done.
     *
     * \param device_driver_id  of the other agent.
     * \return Done; Not_Supported: that agent cannot reach it, which clients are told as an invalid argument.
     */
    HSAM_Error (*memory_map)(void *driver, hsam_handle_t client, const hsam_memory *memory, uint32_t device_driver_id,
                             void *cookie) HSAM_CHECKED;

    /** Ends what memory_map() did, after that agent's memory_free(). \return Done. */
    HSAM_Error (*memory_unmap)(void *driver, hsam_handle_t client, const hsam_memory *memory, uint32_t device_driver_id,
                               void *cookie) HSAM_CHECKED;

    /**
     * Makes bytes usable, or keeps them in memory. ADDRESS lies in memory that this driver gave out; the CPU's driver
     * is asked for memory of the client, too. Locking is a wish: a driver that cannot lock as much does what it can
     * and answers Done.
     *
     * \param address  a multiple of 4096, unless it is memory of the client.
     * \param size     bytes.
     * \return Done, or OutOfResources when bytes did not become usable.
     */
    HSAM_Error (*memory_resident)(void *driver, hsam_handle_t client, void *address, size_t size,
                                  hsam_residence residence, void *cookie) HSAM_CHECKED;

    /** The bytes at ADDRESS, which lie in memory of purpose CODE, will only be read and executed from now on. Both
     * numbers are multiples of 4096. A driver may see to it that a stray store faults. \return Done. */
    HSAM_Error (*memory_protect)(void *driver, hsam_handle_t client, void *address, size_t size,
                                 void *cookie) HSAM_CHECKED;

    /** @}
     * @name Events (added in version 2)
     * @{ */

    /**
     * Chooses by which event device code interrupts after it has changed the value of SIGNAL. Asked for every signal
     * that has the agent as a consumer, or none; of several agents with this function the one registered first is
     * asked. NULL: the core takes a number of its own, which serves drivers that report any interrupt by
     * signal_interrupt().
     *
     * \param[out] event  several signals may have the same one; it lives until event_remove.
     * \return Done; OutOfResources or another error, after which the signal is not made.
     */
    HSAM_Error (*event_new)(void *driver, hsam_handle_t client, hsa_signal_t signal, void *cookie,
                            hsam_event *event) HSAM_CHECKED;

    /** A signal that has EVENT is destroyed. \return Done. */
    HSAM_Error (*event_remove)(void *driver, hsam_handle_t client, hsam_handle_t event, void *cookie) HSAM_CHECKED;
    /** @} */
} hsa_agent_driver_interface;

/**
 * A>D: what a driver asks of the core. All functions may be called from any thread, and none blocks for longer than
 * a lock is held, except queue_error() and client_error(), which run callbacks of the client.
 */
typedef struct hsa_generic_driver_interface {
    size_t struct_size;    /**< of the core's build */
    uint16_t major, minor; /**< HSAM_VERSION_* of the core's build */

    /** Answers the request that had COOKIE and returned HSAM_Async. RESULT is anything but HSAM_Async, which counts as
     * HSAM_Fault. An unknown cookie and a second answer are ignored. */
    void (*agent_reply)(HSAM_Error result, void *cookie);

    /** The agent met a fault that cannot be attributed to one queue: the client's handlers of system events run, in
     * this thread. FAULT is read during the call only. */
    void (*client_error)(hsam_handle_t client, const hsam_fault *fault);

    /** A sender outside the core found a destination of SIGNAL inactive; the agent of that DEVICE_DRIVER_ID is
     * unblocked (MV 3.2). A signal that does not exist is ignored; false alarms are allowed. */
    void (*destination_unreachable)(hsam_handle_t client, hsa_signal_t signal, uint32_t device_driver_id);

    /**
     * The queue stopped because of an error (added). Its error callback runs in this thread, once per queue. If the
     * callback destroys the queue, queue_remove comes from another thread before this function returns. The driver has
     * called signal_fail() for the packet and launches no more packets.
     *
     * \param queue   of hsam_queue_info.
     * \param status  for the callback; not SUCCESS.
     * \param text    what happened, for people: "v_foo at 0x1234 is no instruction [fault-illegal]". Copied, up to
     *                1,023 bytes; NULL: nothing to add.
     */
    void (*queue_error)(amd_queue_t *queue, hsa_status_t status, const char *text);

    /** Whether SIGNAL, of any value, is the handle of a live signal (added). Takes no lock, so that handles out of
     * packets can be checked on the fast path. */
    bool (*signal_valid)(hsa_signal_t signal) HSAM_CHECKED;

    /** Adds VALUE to a live signal with release semantics and tells everybody who waits for it (added); a packet is
     * completed by adding -1. Costs one locked addition and one load when nobody waits. \return the value before. */
    hsa_signal_value_t (*signal_add)(hsa_signal_t signal, hsa_signal_value_t value);

    /** Marks the completion signal of a packet that failed: makes the value of a live signal negative (added). */
    void (*signal_fail)(hsa_signal_t signal);

    /** Device code interrupted after it changed the value of a signal by itself (added): everybody who waits for a
     * signal looks at its value again. EVENT_ID is a hint. Cheap when nobody waits. */
    void (*signal_interrupt)(uint32_t event_id);

    /** Arms WATCH, whose first five members are set (added). \return false, and no notice is given, when the condition
     * holds already. */
    bool (*signal_watch)(hsam_signal_watch *watch) HSAM_CHECKED;

    /** Disarms WATCH (added). After it has returned no notice is given any more. \return whether it was still armed. */
    bool (*signal_unwatch)(hsam_signal_watch *watch);

    /** @name Memory of the host for the driver's own use (MV 2.6)
     * SIZE is in bytes, not 0, and rounded up to pages; AT is aligned to a page. A function that gives back answers
     * Invalid_Argument unless its counterpart returned this address for this size. What a driver does not give back is
     * released after fini. All answer Done, Invalid_Argument or OutOfResources.
     * @{ */
    /** Reserves addresses that nothing else gets, without memory. */
    HSAM_Error (*agent_memory_reserve)(hsam_handle_t client, size_t size, void **at) HSAM_CHECKED;
    HSAM_Error (*agent_memory_unreserve)(hsam_handle_t client, void *at, size_t size);
    /** Allocates memory whose bytes are 0. */
    HSAM_Error (*agent_memory_allocate)(hsam_handle_t client, size_t size, void **at) HSAM_CHECKED;
    /** Allocates such memory that has been touched and, if the limits allow, locked. */
    HSAM_Error (*agent_memory_allocate_safe_to_access)(hsam_handle_t client, size_t size, void **at) HSAM_CHECKED;
    HSAM_Error (*agent_memory_free)(hsam_handle_t client, void *at, size_t size); /**< frees both kinds */
    /** @} */

    /** Loads a library of the vendor into the process, where it stays (MV 2.7). FILE is as for dlopen().
     * \return Done, or Invalid_Argument when it cannot be loaded. */
    HSAM_Error (*launch_dll)(hsam_handle_t client, const char *file) HSAM_CHECKED;

    /** The system timestamp (added), for start_ts and end_ts of a signal. \return ticks of 10 nanoseconds. */
    uint64_t (*timestamp)(void);

    /** A kernel did something wrong (added, 2.1). The core adds what it knows: names of kernels and memory, lines of
     * the source. It writes a text for people to TEXT of SIZE bytes, for queue_error(), and hands it to whoever wants
     * reports. No lock is held, but the caller may be one of many threads of a dispatch. */
    void (*report)(const hsam_report *report, char *text, size_t size);

    /** Finds the allocation that holds ADDRESS, or else the pages around it of which the client has set attributes of
     * shared virtual memory (added, 2.1). \return false: there is neither. */
    bool (*memory_extent)(uint64_t address, hsam_extent *extent) __attribute__((warn_unused_result));

    /** Finds the name and the line of the instruction at PC (added, 2.1). \return false: there is no code. */
    bool (*code_place)(uint64_t pc, hsam_place *place) __attribute__((warn_unused_result));

    /** Finds what is known of the kernel that dispatch packets refer to as OBJECT (added, 2.1). Takes some time: it is
     * meant to be asked once per kernel. \return false: there is none. */
    bool (*kernel_known)(uint64_t object, hsam_kernel *kernel) __attribute__((warn_unused_result));

    /** Whether ADDRESS is in memory that a client has freed a short time ago (added, 2.1). */
    bool (*memory_freed)(uint64_t address) __attribute__((warn_unused_result));

    /** Finds the variable NAME of the source at the instruction at PC (added, 2.1). \return false: nothing is known of
     * a variable of that name. */
    bool (*code_variable)(uint64_t pc, const char *name, hsam_variable *variable) __attribute__((warn_unused_result));

    /** Finds the calls that led to the instruction at PC although its code is their caller's (added, 2.1): at most
     * COUNT, the innermost first. \return how many there are. */
    size_t (*code_calls)(uint64_t pc, hsam_call *calls, size_t count);

    /** Writes the names of the variables that code_variable() knows at PC to NAMES, which has SIZE bytes, with a blank
     * after each, as many as fit (added, 2.1). \return how many there are. */
    size_t (*code_variables)(uint64_t pc, char *names, size_t size);

    /** Finds the arguments of the kernel that dispatch packets refer to as OBJECT, but for those that compilers add
     * (added, 2.1): at most COUNT. \return how many there are. */
    size_t (*kernel_arguments)(uint64_t object, hsam_argument *arguments, size_t count);
} hsa_generic_driver_interface;

/**
 * Registers one agent (MV 2.3). Called only inside hsam_agent_driver_init() or by a built-in driver, that is, within
 * hsa_init() and in its thread.
 *
 * \param[in]  interface  copied.
 * \param[in]  config     copied, but for what its pointers lead to, which lives until fini.
 * \param      driver     handed to every D>A function, not looked at.
 * \param[out] generic    the core's version and, when the agent was registered, its handle.
 * \return the core's functions, valid until fini has returned; NULL: the version is not supported, the configuration
 *         contradicts itself (a size that is no power of two, a name that is missing, ...), or memory is out.
 */
HSA_API const hsa_generic_driver_interface *hsa_register_agent(
    const hsa_agent_driver_interface *interface, const hsa_agent_driver_config *config, void *driver,
    hsa_generic_driver_config *generic) HSAM_CHECKED;

/** The type of hsa_register_agent(). A driver is given the function, so it need not link to a library for it. */
typedef const hsa_generic_driver_interface *(*hsa_register_agent_t)(
    const hsa_agent_driver_interface *interface, const hsa_agent_driver_config *config, void *driver,
    hsa_generic_driver_config *generic) __attribute__((warn_unused_result));

/**
 * What a driver in a shared object exports: registers its agents by REGISTER_AGENT.
 *
 * \return how many it has registered; 0, which is no error, when the machine has no such hardware; a negative
 *         HSAM_Error. Unless it is positive, the agents that the library has registered are forgotten, and the
 *         library is unloaded.
 */
HSA_API int hsam_agent_driver_init(hsa_register_agent_t register_agent);

#ifdef __cplusplus
}
#endif

#endif
