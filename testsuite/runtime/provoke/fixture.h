/* SPDX-License-Identifier: MIT */
/* What the rows of provoke/provoke_NAME.def use as arguments. */
#ifndef TESTSUITE_RUNTIME_PROVOKE_FIXTURE_H
#define TESTSUITE_RUNTIME_PROVOKE_FIXTURE_H

#include "hsa/hsa_ext_finalize.h"
#include "hsa/hsa_ext_image.h"
#include "testsuite/runtime/common.h"

#define KERNEL "&vector_add"
#define NEAR   HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR
#define RO     HSA_ACCESS_PERMISSION_RO
#define OPAQUE HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE
#define LINEAR HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR

/* ---- objects that live from fixture_make() to hsa_shut_down() ---- */

extern hsa_agent_t cpu, gpu;
extern hsa_isa_t isa;
extern hsa_cache_t cache;
extern hsa_wavefront_t wavefront;
extern hsa_region_t region, group_region; /* clients may not allocate group memory */
extern hsa_amd_memory_pool_t pool, group_pool;
extern hsa_signal_t signal, ipc_signal;
extern hsa_signal_group_t group;
extern hsa_queue_t *queue;
extern hsa_code_object_t object;
extern hsa_code_symbol_t code_symbol;
extern hsa_code_object_reader_t reader, program_reader; /* PROGRAM_READER: a code object without kernels, or 0 */
extern hsa_executable_t executable, frozen, defined;    /* DEFINED: has the variables &v and, of the GPU, &a */
extern hsa_executable_t unresolved;                     /* uses a variable that nobody defines; may be 0 */
extern hsa_executable_symbol_t symbol;
extern hsa_ext_program_t program; /* 0 without a finalizer */
extern hsa_ext_module_t kernel_module, base_module, mismatch_module;
extern hsa_ext_image_t canvas; /* 8 x 8 texels of 4 bytes */
extern void *block;            /* 4096 bytes of POOL */
extern char page[];            /* four pages of the host, of 4096 bytes each */
extern hsa_amd_ipc_memory_t shared_block;
extern hsa_amd_ipc_signal_t shared_signal;
extern int image_file, map_file, pages_file; /* PAGES_FILE: of PAGES */
extern hsa_amd_vmem_alloc_handle_t pages;
extern void *mapped_at; /* 8192 bytes of PAGES, which the CPU may access */
extern hsa_amd_memory_access_desc_t may_write;
extern char *image; /* the file vector_add.co */
extern size_t image_size;

/* ---- what is no handle ---- */

struct layout {
    hsa_amd_image_descriptor_t is;
    uint32_t more[15];
};
extern struct layout layout;
extern hsa_ext_image_descriptor_t picture, odd, large;
extern void *texels;
extern const hsa_dim3_t corner, extent;
extern const hsa_ext_image_region_t whole;
extern const hsa_ext_sampler_descriptor_t nearest, no_filter;
extern const hsa_ext_sampler_descriptor_v2_t nearest_v2, no_mode_v2;
extern hsa_pitched_ptr_t pitched, pitched_from;
extern hsa_amd_svm_attribute_pair_t read_mostly;
extern const hsa_signal_condition_t holds; /* of GROUP, against ONE */
extern const hsa_signal_value_t one;
extern const hsa_ext_control_directives_t no_directives, other_directives;
extern const hsa_callback_data_t no_data;
extern const char zeros[256];

/* ---- results nobody reads ---- */

extern char bytes[4096], colors[1024];
extern const char *text;
extern bool flag;
extern uint16_t half;
extern uint32_t word;
extern uint64_t offset;
extern size_t size;
extern void *pointer;
extern int made_file;
extern volatile hsa_signal_value_t *value;
extern hsa_signal_value_t seen;
extern hsa_round_method_t method;
extern hsa_amd_coherency_type_t coherency;
extern hsa_amd_pointer_info_t pointer_info;
extern hsa_amd_ipc_memory_t ipc;
extern hsa_agent_t *agents;
extern hsa_amd_profiling_dispatch_time_t dispatch_time;
extern hsa_amd_profiling_async_copy_time_t copy_time;
extern hsa_ext_image_data_info_t data_info;
extern hsa_signal_t made_signal;
extern hsa_signal_group_t made_group;
extern hsa_queue_t *made_queue;
extern hsa_code_object_t made_object;
extern hsa_code_symbol_t made_code_symbol;
extern hsa_code_object_reader_t made_reader;
extern hsa_executable_t made_executable;
extern hsa_loaded_code_object_t made_loaded;
extern hsa_executable_symbol_t made_symbol;
extern hsa_ext_program_t made_program;
extern hsa_ext_image_t made_image;
extern hsa_ext_sampler_t made_sampler;
extern hsa_amd_vmem_alloc_handle_t made_pages;
extern hsa_amd_memory_pool_t made_pool;
extern hsa_amd_memory_type_t memory_type;
extern hsa_access_permission_t permission;

/* Makes all of the above. Returns what could not be made, or NULL. */
const char *fixture_make(void);

/* Begins or ends a time in which no allocation fails. The program defines it. */
void hold_allocations(bool hold);

/* ---- objects of one call ---- */

hsa_signal_t new_signal(void), gone_signal(void);
hsa_signal_group_t new_group(void), gone_group(void);
hsa_queue_t *new_queue(void), *gone_queue(void);
hsa_code_object_t new_object(void), gone_object(void);
hsa_code_object_reader_t new_reader(void), gone_reader(void);
hsa_executable_t new_executable(void), gone_executable(void);
hsa_executable_symbol_t gone_symbol(void);
hsa_ext_program_t new_program(bool with_module), gone_program(void);
hsa_ext_image_t new_image(void);
hsa_ext_sampler_t new_sampler(void);
void *new_block(void), *new_mapping(void), *new_attachment(void), *new_watched(void);
int new_dmabuf(void);
void *new_reservation(void), *new_view(void);
hsa_amd_vmem_alloc_handle_t new_pages(void), gone_pages(void);

#define dead_signal     gone_signal()
#define dead_group      gone_group()
#define dead_queue      gone_queue()
#define dead_object     gone_object()
#define dead_reader     gone_reader()
#define dead_executable gone_executable()
#define dead_symbol     gone_symbol()
#define dead_program    gone_program()
#define dead_pages      gone_pages()

/* The status of CALL when no file can be opened. */
#define without_files(call)                                                                                  \
    __extension__({                                                                                          \
        allow_files(false);                                                                                  \
        hsa_status_t status_ = (call);                                                                       \
        allow_files(true);                                                                                   \
        status_;                                                                                             \
    })
void allow_files(bool allowed);

/* The status of CALL, which makes a signal, when it is repeated until it fails: the runtime allocates memory for many
 * signals at a time. */
#define many_signals(call)                                                                                   \
    __extension__({                                                                                          \
        hsa_status_t status_ = HSA_STATUS_SUCCESS;                                                           \
        for (unsigned i_ = 0; i_ < MANY_SIGNALS && status_ == HSA_STATUS_SUCCESS; i_++)                      \
            status_ = (call);                                                                                \
        status_;                                                                                             \
    })
enum { MANY_SIGNALS = 20000 };

/* ---- callbacks; those of iterations stop with the status at DATA, if there is one ---- */

hsa_status_t any_agent(hsa_agent_t agent, void *data);
hsa_status_t any_cache(hsa_cache_t found, void *data);
hsa_status_t any_isa(hsa_isa_t found, void *data);
hsa_status_t any_wavefront(hsa_wavefront_t found, void *data);
hsa_status_t any_region(hsa_region_t found, void *data);
hsa_status_t any_pool(hsa_amd_memory_pool_t found, void *data);
hsa_status_t any_code_symbol(hsa_code_object_t of, hsa_code_symbol_t found, void *data);
hsa_status_t any_symbol(hsa_executable_t of, hsa_executable_symbol_t found, void *data);
hsa_status_t any_agent_symbol(hsa_executable_t of, hsa_agent_t agent, hsa_executable_symbol_t found, void *data);
hsa_status_t any_module(hsa_ext_program_t of, hsa_ext_module_t found, void *data);
hsa_status_t give_bytes(size_t wanted, hsa_callback_data_t data, void **address);
hsa_status_t give_nothing(size_t wanted, hsa_callback_data_t data, void **address);
hsa_status_t on_event(const hsa_amd_event_t *event, void *data);
void *give_null(size_t wanted);
void on_free(void *ptr, void *user_data);
bool once(hsa_signal_value_t now, void *data);

#endif
