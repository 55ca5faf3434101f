/* SPDX-License-Identifier: MIT */
/* The finalizer extension 1.0 of HSA: from BRIG modules to a code object. (1.0P 3, ROCR documentation 4.5)
 *
 * The runtime exports these functions, but what they do is in libhsa-ext-finalize64.so.1, which the first call of one
 * of them loads; hsa_ext_finalize_plugin.h says how. Without that library they return HSA_STATUS_ERROR_NOT_INITIALIZED.
 * What hsa.h says of every function holds. */
#ifndef HSA_HSA_EXT_FINALIZE_H
#define HSA_HSA_EXT_FINALIZE_H

#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Continues hsa_status_t. */
enum {
    HSA_EXT_STATUS_ERROR_INVALID_PROGRAM = 0x2000,
    HSA_EXT_STATUS_ERROR_INVALID_MODULE = 0x2001,
    HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE = 0x2002,
    HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED = 0x2003,
    HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH = 0x2004,
    HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED = 0x2005,
    HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH = 0x2006
};

#ifndef BRIG_H /* a BRIG header that comes first may define the module header itself */
struct BrigModuleHeader;
typedef struct BrigModuleHeader *BrigModule_t;
#endif

/* A BRIG module in memory: its bytes, starting with the module header. */
typedef BrigModule_t hsa_ext_module_t;

typedef struct hsa_ext_program_s {
    uint64_t handle;
} hsa_ext_program_t;

/* Makes an empty program. OPTIONS may be NULL.
 * INVALID_ARGUMENT: an enumerator is unknown. OUT_OF_RESOURCES: also an option that is unknown. */
HSA_API hsa_status_t hsa_ext_program_create(hsa_machine_model_t machine_model, hsa_profile_t profile,
                                            hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                            const char *options, hsa_ext_program_t *program);

/* Destroys PROGRAM; its modules stay the caller's, code objects made from it stay valid. INVALID_PROGRAM. */
HSA_API hsa_status_t hsa_ext_program_destroy(hsa_ext_program_t program);

/* Adds MODULE, which must stay unchanged until PROGRAM is destroyed. INVALID_PROGRAM. INVALID_MODULE: the
 * bytes are no valid BRIG. INCOMPATIBLE_MODULE: other machine model or profile than the program's, or rounding zero
 * in a program of near; else the module's own rounding holds. MODULE_ALREADY_INCLUDED. SYMBOL_MISMATCH: its symbols
 * contradict those of another module. */
HSA_API hsa_status_t hsa_ext_program_add_module(hsa_ext_program_t program, hsa_ext_module_t module);

/* Calls back for every module of PROGRAM in the order of addition. INVALID_PROGRAM. */
HSA_API hsa_status_t hsa_ext_program_iterate_modules(
    hsa_ext_program_t program, hsa_status_t (*callback)(hsa_ext_program_t program, hsa_ext_module_t module, void *data),
    void *data);

typedef enum {
    HSA_EXT_PROGRAM_INFO_MACHINE_MODEL = 0,              /* hsa_machine_model_t */
    HSA_EXT_PROGRAM_INFO_PROFILE = 1,                    /* hsa_profile_t */
    HSA_EXT_PROGRAM_INFO_DEFAULT_FLOAT_ROUNDING_MODE = 2 /* hsa_default_float_rounding_mode_t */
} hsa_ext_program_info_t;

/* Writes one property of PROGRAM to VALUE. INVALID_PROGRAM. */
HSA_API hsa_status_t hsa_ext_program_get_info(hsa_ext_program_t program, hsa_ext_program_info_t attribute, void *value);

typedef enum { HSA_EXT_FINALIZER_CALL_CONVENTION_AUTO = -1 } hsa_ext_finalizer_call_convention_t;

/* Constraints that the finalizer may rely on; a field counts only when the bit of its directive, numbered as
 * in BRIG, is set in CONTROL_DIRECTIVES_MASK. All zero: none. */
typedef struct hsa_ext_control_directives_s {
    uint64_t control_directives_mask;
    uint16_t break_exceptions_mask;
    uint16_t detect_exceptions_mask;
    uint32_t max_dynamic_group_size; /* bytes */
    uint64_t max_flat_grid_size;     /* work-items */
    uint32_t max_flat_workgroup_size;
    uint32_t reserved1;
    uint64_t required_grid_size[3];
    hsa_dim3_t required_workgroup_size;
    uint8_t required_dim;
    uint8_t reserved2[75];
} hsa_ext_control_directives_t;

/* Finalizes every kernel and indirect function of PROGRAM for ISA; *CODE_OBJECT is the caller's to destroy
 * with hsa_code_object_destroy(). CODE_OBJECT_TYPE is HSA_CODE_OBJECT_TYPE_PROGRAM, OPTIONS may be NULL.
 * INVALID_PROGRAM, INVALID_ISA. INVALID_ARGUMENT: also an empty program. DIRECTIVE_MISMATCH:
 * CONTROL_DIRECTIVES contradict the code's own. FINALIZATION_FAILED: the code cannot be compiled, for example
 * for an undefined function. */
HSA_API hsa_status_t hsa_ext_program_finalize(hsa_ext_program_t program, hsa_isa_t isa, int32_t call_convention,
                                              hsa_ext_control_directives_t control_directives, const char *options,
                                              hsa_code_object_type_t code_object_type, hsa_code_object_t *code_object);

#define hsa_ext_finalizer_1_00

/* What hsa_system_get_(major_)extension_table() fills in for HSA_EXTENSION_FINALIZER, version 1. */
typedef struct hsa_ext_finalizer_1_00_pfn_s {
    hsa_status_t (*hsa_ext_program_create)(hsa_machine_model_t machine_model, hsa_profile_t profile,
                                           hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                           const char *options, hsa_ext_program_t *program);
    hsa_status_t (*hsa_ext_program_destroy)(hsa_ext_program_t program);
    hsa_status_t (*hsa_ext_program_add_module)(hsa_ext_program_t program, hsa_ext_module_t module);
    hsa_status_t (*hsa_ext_program_iterate_modules)(
        hsa_ext_program_t program,
        hsa_status_t (*callback)(hsa_ext_program_t program, hsa_ext_module_t module, void *data), void *data);
    hsa_status_t (*hsa_ext_program_get_info)(hsa_ext_program_t program, hsa_ext_program_info_t attribute, void *value);
    hsa_status_t (*hsa_ext_program_finalize)(hsa_ext_program_t program, hsa_isa_t isa, int32_t call_convention,
                                             hsa_ext_control_directives_t control_directives, const char *options,
                                             hsa_code_object_type_t code_object_type, hsa_code_object_t *code_object);
} hsa_ext_finalizer_1_00_pfn_t;

#ifdef __cplusplus
}
#endif

#endif
