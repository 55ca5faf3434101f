/* SPDX-License-Identifier: MIT */
/* Programs, their modules, symbols and finalization in the interface of HSA 1.0 provisional (2014). The conventions of
 * hsa-1.0p/hsa.h hold.
 *
 * The sections of a module hold the entries of BRIG 1.0 to 1.2. They begin with the header below or with that of BRIG
 * 1.0; offsets count from the beginning of the section, including its header. Modules are added, and variables defined,
 * before the first finalization. */
#ifndef HSA_1_0P_HSA_EXT_FINALIZE_H
#define HSA_1_0P_HSA_EXT_FINALIZE_H

#include "hsa-1.0p/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t hsa_ext_brig_profile8_t;
typedef enum { HSA_EXT_BRIG_PROFILE_BASE = 0, HSA_EXT_BRIG_PROFILE_FULL = 1 } hsa_ext_brig_profile_t;
typedef uint8_t hsa_ext_brig_machine_model8_t;
typedef enum { HSA_EXT_BRIG_MACHINE_SMALL = 0, HSA_EXT_BRIG_MACHINE_LARGE = 1 } hsa_ext_brig_machine_model_t;
typedef uint32_t hsa_ext_brig_section_id32_t;
typedef enum {
    HSA_EXT_BRIG_SECTION_DATA = 0,
    HSA_EXT_BRIG_SECTION_CODE = 1,
    HSA_EXT_BRIG_SECTION_OPERAND = 2
} hsa_ext_brig_section_id_t;
typedef struct hsa_ext_brig_section_header_s {
    uint32_t byte_count, header_byte_count; /* multiples of 4 */
    uint32_t name_length;
    uint8_t name[1];
} hsa_ext_brig_section_header_t;
typedef struct hsa_ext_brig_module_s {
    uint32_t section_count; /* at least 3 */
    hsa_ext_brig_section_header_t *section[1];
} hsa_ext_brig_module_t;
typedef struct hsa_ext_brig_module_handle_s {
    uint64_t handle;
} hsa_ext_brig_module_handle_t;
typedef uint32_t hsa_ext_brig_code_section_offset32_t; /* 0: none */

typedef uint16_t hsa_ext_exception_kind16_t;
typedef enum {
    HSA_EXT_EXCEPTION_INVALID_OPERATION = 1,
    HSA_EXT_EXCEPTION_DIVIDE_BY_ZERO = 2,
    HSA_EXT_EXCEPTION_OVERFLOW = 4,
    HSA_EXT_EXCEPTION_UNDERFLOW = 8,
    HSA_EXT_EXCEPTION_INEXACT = 16
} hsa_ext_exception_kind_t;
typedef uint64_t hsa_ext_control_directive_present64_t;
typedef enum {
    HSA_EXT_CONTROL_DIRECTIVE_ENABLE_BREAK_EXCEPTIONS = 0, /* no bit: it counts when the field is not 0 */
    HSA_EXT_CONTROL_DIRECTIVE_ENABLE_DETECT_EXCEPTIONS = 1,
    HSA_EXT_CONTROL_DIRECTIVE_MAX_DYNAMIC_GROUP_SIZE = 2,
    HSA_EXT_CONTROL_DIRECTIVE_MAX_FLAT_GRID_SIZE = 4,
    HSA_EXT_CONTROL_DIRECTIVE_MAX_FLAT_WORKGROUP_SIZE = 8,
    HSA_EXT_CONTROL_DIRECTIVE_REQUESTED_WORKGROUPS_PER_CU = 16,
    HSA_EXT_CONTROL_DIRECTIVE_REQUIRED_GRID_SIZE = 32,
    HSA_EXT_CONTROL_DIRECTIVE_REQUIRED_WORKGROUP_SIZE = 64,
    HSA_EXT_CONTROL_DIRECTIVE_REQUIRED_DIM = 128,
    HSA_EXT_CONTROL_DIRECTIVE_REQUIRED_NO_PARTIAL_WORKGROUPS = 256
} hsa_ext_control_directive_present_t;
typedef struct hsa_ext_control_directives_s {
    hsa_ext_control_directive_present64_t enabled_control_directives;
    hsa_ext_exception_kind16_t enable_break_exceptions, enable_detect_exceptions;
    uint32_t max_dynamic_group_size, max_flat_grid_size, max_flat_workgroup_size;
    uint32_t requested_workgroups_per_cu;
    hsa_dim3_t required_grid_size, required_workgroup_size;
    uint8_t required_dim;
    uint8_t reserved[75];
} hsa_ext_control_directives_t;

typedef uint32_t hsa_ext_code_kind32_t;
typedef enum { HSA_EXT_CODE_NONE = 0, HSA_EXT_CODE_KERNEL = 1, HSA_EXT_CODE_INDIRECT_FUNCTION = 2 } hsa_ext_code_kind_t;
typedef uint32_t hsa_ext_program_call_convention_id32_t;
typedef enum { HSA_EXT_PROGRAM_CALL_CONVENTION_FINALIZER_DETERMINED = -1 } hsa_ext_program_call_convention_id_t;
typedef struct hsa_ext_code_handle_s {
    uint64_t handle; /* kernel_object_address of a dispatch packet */
} hsa_ext_code_handle_t;
typedef struct hsa_ext_debug_information_handle_s {
    uint64_t handle;
} hsa_ext_debug_information_handle_t;
typedef struct hsa_ext_code_descriptor_s {
    hsa_ext_code_kind32_t code_type; /* NONE before finalization */
    uint32_t workgroup_group_segment_byte_size;
    uint64_t kernarg_segment_byte_size;
    uint32_t workitem_private_segment_byte_size;
    uint32_t workgroup_fbarrier_count;
    hsa_ext_code_handle_t code;
    hsa_powertwo8_t kernarg_segment_alignment, group_segment_alignment, private_segment_alignment;
    hsa_powertwo8_t wavefront_size;
    hsa_ext_program_call_convention_id32_t program_call_convention;
    hsa_ext_brig_module_handle_t module;
    hsa_ext_brig_code_section_offset32_t symbol;
    hsa_ext_brig_profile8_t hsail_profile;
    hsa_ext_brig_machine_model8_t hsail_machine_model;
    uint16_t reserved1;
    hsa_ext_debug_information_handle_t debug_information;
    char agent_vendor[24], agent_name[24];
    uint32_t hsail_version_major, hsail_version_minor;
    uint64_t reserved2;
    hsa_ext_control_directives_t control_directive;
} hsa_ext_code_descriptor_t;
typedef struct hsa_ext_finalization_request_s {
    hsa_ext_brig_module_handle_t module;
    hsa_ext_brig_code_section_offset32_t symbol; /* of a kernel or an indirect function */
    hsa_ext_program_call_convention_id32_t program_call_convention;
} hsa_ext_finalization_request_t;
typedef hsa_status_t (*hsa_ext_error_message_callback_t)(
    hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t statement,
    uint32_t indent_level, const char *message);
typedef struct hsa_ext_finalization_handle_s {
    uint64_t handle;
} hsa_ext_finalization_handle_t;

/* Who defines a symbol that MODULE declares. DEFINITION_MODULE_BRIG has room for 64 sections; the handle says as much.
 */
typedef hsa_status_t (*hsa_ext_symbol_definition_callback_t)(
    hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    hsa_ext_brig_module_handle_t *definition_module, hsa_ext_brig_module_t *definition_module_brig,
    hsa_ext_brig_code_section_offset32_t *definition_symbol);
typedef hsa_status_t (*hsa_ext_symbol_address_callback_t)(
    hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    uint64_t *symbol_address);
typedef struct hsa_ext_program_handle_s {
    uint64_t handle;
} hsa_ext_program_handle_t;
typedef uint32_t hsa_ext_program_agent_id_t;

hsa_status_t hsa_ext_program_create(hsa_agent_t *agents, uint32_t agent_count,
                                    hsa_ext_brig_machine_model8_t machine_model, hsa_ext_brig_profile8_t profile,
                                    hsa_ext_program_handle_t *program);
hsa_status_t hsa_ext_program_destroy(hsa_ext_program_handle_t program);
hsa_status_t hsa_ext_add_module(hsa_ext_program_handle_t program, hsa_ext_brig_module_t *brig_module,
                                hsa_ext_brig_module_handle_t *module);
hsa_status_t hsa_ext_finalize_program(
    hsa_ext_program_handle_t program, hsa_agent_t agent, size_t finalization_request_count,
    hsa_ext_finalization_request_t *finalization_request_list, hsa_ext_control_directives_t *control_directives,
    hsa_ext_error_message_callback_t error_message_callback, uint8_t optimization_level, const char *options,
    int debug_information);
hsa_status_t hsa_ext_query_program_agent_id(hsa_ext_program_handle_t program, hsa_agent_t agent,
                                            hsa_ext_program_agent_id_t *program_agent_id);
hsa_status_t hsa_ext_query_program_agent_count(hsa_ext_program_handle_t program, uint32_t *program_agent_count);
hsa_status_t hsa_ext_query_program_agents(hsa_ext_program_handle_t program, uint32_t program_agent_count,
                                          hsa_agent_t *agents);
hsa_status_t hsa_ext_query_program_module_count(hsa_ext_program_handle_t program, uint32_t *program_module_count);
hsa_status_t hsa_ext_query_program_modules(hsa_ext_program_handle_t program, uint32_t program_module_count,
                                           hsa_ext_brig_module_handle_t *modules);
hsa_status_t hsa_ext_query_program_brig_module(hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module,
                                               hsa_ext_brig_module_t **brig_module);
hsa_status_t hsa_ext_query_call_convention(hsa_ext_program_handle_t program, hsa_agent_t agent,
                                           hsa_ext_program_call_convention_id32_t *first_call_convention_id,
                                           uint32_t *call_convention_count);
hsa_status_t hsa_ext_query_symbol_definition(
    hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    hsa_ext_brig_module_handle_t *definition_module, hsa_ext_brig_module_t **definition_module_brig,
    hsa_ext_brig_code_section_offset32_t *definition_symbol);
hsa_status_t hsa_ext_define_program_allocation_global_variable_address(
    hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    hsa_ext_error_message_callback_t error_message_callback, void *address);
hsa_status_t hsa_ext_query_program_allocation_global_variable_address(
    hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    void **address);
hsa_status_t hsa_ext_define_agent_allocation_global_variable_address(
    hsa_ext_program_handle_t program, hsa_agent_t agent, hsa_ext_brig_module_handle_t module,
    hsa_ext_brig_code_section_offset32_t symbol, hsa_ext_error_message_callback_t error_message_callback,
    void *address);
hsa_status_t hsa_ext_query_agent_global_variable_address(hsa_ext_program_handle_t program, hsa_agent_t agent,
                                                         hsa_ext_brig_module_handle_t module,
                                                         hsa_ext_brig_code_section_offset32_t symbol, void **address);
hsa_status_t hsa_ext_define_readonly_variable_address(
    hsa_ext_program_handle_t program, hsa_agent_t agent, hsa_ext_brig_module_handle_t module,
    hsa_ext_brig_code_section_offset32_t symbol, hsa_ext_error_message_callback_t error_message_callback,
    void *address);
hsa_status_t hsa_ext_query_readonly_variable_address(hsa_ext_program_handle_t program, hsa_agent_t agent,
                                                     hsa_ext_brig_module_handle_t module,
                                                     hsa_ext_brig_code_section_offset32_t symbol, void **address);

/* Sets *DESCRIPTOR to an array with an element for each agent of the program, by its id. It lives as long as the
 * program. */
hsa_status_t hsa_ext_query_kernel_descriptor_address(
    hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    hsa_ext_code_descriptor_t **kernel_descriptor);
/* The same, by call convention; each agent has one. */
hsa_status_t hsa_ext_query_indirect_function_descriptor_address(
    hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module, hsa_ext_brig_code_section_offset32_t symbol,
    hsa_ext_code_descriptor_t **indirect_function_descriptor);

/* Finalizes kernels of modules that are in a program, for an agent that need not be one of its agents. Without
 * callbacks the program defines symbols and places variables. A variable that has no address yet gets memory of its
 * own. */
hsa_status_t hsa_ext_finalize(
    hsa_runtime_caller_t caller, hsa_agent_t agent, hsa_ext_program_agent_id_t program_agent_id,
    uint32_t program_agent_count, size_t finalization_request_count,
    hsa_ext_finalization_request_t *finalization_request_list, hsa_ext_control_directives_t *control_directives,
    hsa_ext_symbol_definition_callback_t symbol_definition_callback,
    hsa_ext_symbol_address_callback_t symbol_address_callback, hsa_ext_error_message_callback_t error_message_callback,
    uint8_t optimization_level, const char *options, int debug_information,
    hsa_ext_finalization_handle_t *finalization);
hsa_status_t hsa_ext_query_finalization_code_descriptor_count(
    hsa_agent_t agent, hsa_ext_finalization_handle_t finalization, uint32_t *code_descriptor_count);
hsa_status_t hsa_ext_query_finalization_code_descriptor(hsa_agent_t agent, hsa_ext_finalization_handle_t finalization,
                                                        uint32_t index, hsa_ext_code_descriptor_t *code_descriptor);
hsa_status_t hsa_ext_destroy_finalization(hsa_agent_t agent, hsa_ext_finalization_handle_t finalization);

/* SERIALIZED_OBJECT is where the address of the object is written, which the callback has allocated. The object knows
 * its size, so the functions that read it take its address only. It is for the same version of this library. */
hsa_status_t hsa_ext_serialize_finalization(
    hsa_runtime_caller_t caller, hsa_agent_t agent, hsa_ext_finalization_handle_t finalization,
    hsa_runtime_alloc_data_callback_t alloc_serialize_data_callback,
    hsa_ext_error_message_callback_t error_message_callback, int debug_information, void *serialized_object);
/* The callback is given the modules and symbols that were finalized then. */
hsa_status_t hsa_ext_deserialize_finalization(
    hsa_runtime_caller_t caller, void *serialized_object, hsa_agent_t agent, uint32_t program_agent_id,
    uint32_t program_agent_count, hsa_ext_symbol_address_callback_t symbol_address_callback,
    hsa_ext_error_message_callback_t error_message_callback, int debug_information,
    hsa_ext_finalization_handle_t *finalization);

typedef hsa_status_t (*hsa_ext_program_allocation_symbol_address_t)(hsa_runtime_caller_t caller, const char *name,
                                                                    uint64_t *symbol_address);
typedef hsa_status_t (*hsa_ext_agent_allocation_symbol_address_t)(hsa_runtime_caller_t caller, hsa_agent_t agent,
                                                                  const char *name, uint64_t *symbol_address);
hsa_status_t hsa_ext_serialize_program(hsa_runtime_caller_t caller, hsa_ext_program_handle_t program,
                                       hsa_runtime_alloc_data_callback_t alloc_serialize_data_callback,
                                       hsa_ext_error_message_callback_t error_message_callback, int debug_information,
                                       void *serialized_object);
/* The callbacks are asked for the variables that the client had defined. *PROGRAM lives as long as the program. */
hsa_status_t hsa_ext_deserialize_program(
    hsa_runtime_caller_t caller, void *serialized_object,
    hsa_ext_program_allocation_symbol_address_t program_allocation_symbol_address,
    hsa_ext_agent_allocation_symbol_address_t agent_allocation_symbol_address,
    hsa_ext_error_message_callback_t error_message_callback, int debug_information, hsa_ext_program_handle_t **program);
hsa_status_t hsa_ext_validate_program(hsa_ext_program_handle_t program,
                                      hsa_ext_error_message_callback_t error_message_callback);
hsa_status_t hsa_ext_validate_program_module(hsa_ext_program_handle_t program, hsa_ext_brig_module_handle_t module,
                                             hsa_ext_error_message_callback_t error_message_callback);

HSA_1_0P_VERSION(hsa_ext_program_create);
HSA_1_0P_VERSION(hsa_ext_program_destroy);

#ifdef __cplusplus
}
#endif

#endif
