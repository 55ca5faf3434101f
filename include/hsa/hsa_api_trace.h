/* SPDX-License-Identifier: MIT */
/* The tables through which every call of the API goes, for libraries that the environment variable HSA_TOOLS_LIB names.
 *
 * hsa_init() loads such a library and calls its OnLoad(). That function saves entries of the tables and puts its own
 * functions in their place. From then on these are called whenever a program calls the API, by its names or through the
 * tables of extensions, and they call the saved ones. Calls inside the runtime do not go through the tables. The last
 * hsa_shut_down() calls OnUnload() while the runtime is still up, restores the tables and unloads the library.
 *
 * Layout and names are those of AMD's runtime 5.2; tables may be longer than they are there, as `minor_id` tells. */
#ifndef HSA_HSA_API_TRACE_H
#define HSA_HSA_API_TRACE_H

#include "hsa/hsa.h"
#include "hsa/hsa_ext_amd.h"
#include "hsa/hsa_ext_finalize.h"
#include "hsa/hsa_ext_image.h"

#define HSA_API_TABLE_MAJOR_VERSION           1
#define HSA_CORE_API_TABLE_MAJOR_VERSION      1
#define HSA_AMD_EXT_API_TABLE_MAJOR_VERSION   1
#define HSA_FINALIZER_API_TABLE_MAJOR_VERSION 1
#define HSA_IMAGE_API_TABLE_MAJOR_VERSION     1
#define HSA_API_TABLE_STEP_VERSION            0
#define HSA_CORE_API_TABLE_STEP_VERSION       0
#define HSA_AMD_EXT_API_TABLE_STEP_VERSION    0
#define HSA_FINALIZER_API_TABLE_STEP_VERSION  0
#define HSA_IMAGE_API_TABLE_STEP_VERSION      0

#ifdef __cplusplus
extern "C" {
#endif

/* ---- queues whose packets a tool sees; only the table leads to these functions ---- */

/* Hands packets on: to the handler that was registered before the calling one, or to the agent. To be called inside a
 * handler, on its thread, any number of times. */
typedef void (*hsa_amd_queue_intercept_packet_writer)(const void *pkts, uint64_t pkt_count);

/* Called with packets that a client has submitted. USER_PKT_INDEX is the index of the first in the client's queue. */
typedef void (*hsa_amd_queue_intercept_handler)(const void *pkts, uint64_t pkt_count, uint64_t user_pkt_index,
                                                void *data, hsa_amd_queue_intercept_packet_writer writer);

/* As hsa_queue_create(), but the queue has room for handlers. */
hsa_status_t hsa_amd_queue_intercept_create(
    hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
    void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data), void *data, uint32_t private_segment_size,
    uint32_t group_segment_size, hsa_queue_t **queue);

/* Adds a handler to such a queue; the last one added sees packets first. HSA_STATUS_ERROR_INVALID_QUEUE for a queue
 * that was made otherwise. */
hsa_status_t hsa_amd_queue_intercept_register(hsa_queue_t *queue, hsa_amd_queue_intercept_handler callback,
                                              void *user_data);

typedef void (*hsa_amd_runtime_queue_notifier)(const hsa_queue_t *queue, hsa_agent_t agent, void *data);

/* Asks to be told of queues that the runtime makes for itself. This runtime makes none. */
hsa_status_t hsa_amd_runtime_queue_create_register(hsa_amd_runtime_queue_notifier callback, void *user_data);

/* ---- the tables ---- */

/* The first member of every table. */
struct ApiTableVersion {
    uint32_t major_id;
    uint32_t minor_id; /* bytes of the table */
    uint32_t step_id;
    uint32_t reserved;
};

#define HSA_API_ROW(name) __typeof__(name) *name##_fn;

struct FinalizerExtTable {
    struct ApiTableVersion version;
#define HSA_API_FINALIZER HSA_API_ROW
#include "hsa/hsa_api_trace.def"
};

struct ImageExtTable {
    struct ApiTableVersion version;
#define HSA_API_IMAGE HSA_API_ROW
#include "hsa/hsa_api_trace.def"
};

struct AmdExtTable {
    struct ApiTableVersion version;
#define HSA_API_AMD HSA_API_ROW
#include "hsa/hsa_api_trace.def"
};

struct CoreApiTable {
    struct ApiTableVersion version;
#define HSA_API_CORE HSA_API_ROW
#include "hsa/hsa_api_trace.def"
};

#undef HSA_API_ROW

struct HsaApiTable {
    struct ApiTableVersion version;
    struct CoreApiTable *core_;
    struct AmdExtTable *amd_ext_;
    struct FinalizerExtTable *finalizer_ext_;
    struct ImageExtTable *image_ext_;
};

/* ---- what a tools library exports ---- */

/* Called once the runtime is up, before hsa_init() returns. RUNTIME_VERSION is the major version of TABLE; the names
 * are those of libraries that could not be loaded. False: the library has changed nothing and is unloaded. */
typedef bool (*hsa_tools_on_load)(struct HsaApiTable *table, uint64_t runtime_version, uint64_t failed_tool_count,
                                  const char *const *failed_tool_names);
typedef void (*hsa_tools_on_unload)(void);

#ifdef __cplusplus
}
#endif
#endif
