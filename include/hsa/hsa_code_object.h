/* SPDX-License-Identifier: MIT */
/* Code objects as handles: the part of the core API that is of 1.0 and deprecated since 1.1. hsa.h includes it, and
 * what hsa.h says of every function holds. */
#ifndef HSA_HSA_CODE_OBJECT_H
#define HSA_HSA_CODE_OBJECT_H

#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hsa_code_object_s {
    uint64_t handle; /* the address of the ELF image */
} hsa_code_object_t;

typedef struct hsa_callback_data_s {
    uint64_t handle;
} hsa_callback_data_t;

typedef struct hsa_code_symbol_s {
    uint64_t handle;
} hsa_code_symbol_t;

/* Copies CODE_OBJECT into memory that ALLOC_CALLBACK(size, data, &address) provides, called once with the
 * exact size; its error is returned. INVALID_CODE_OBJECT. */
HSA_API hsa_status_t hsa_code_object_serialize(
    hsa_code_object_t code_object,
    hsa_status_t (*alloc_callback)(size_t size, hsa_callback_data_t data, void **address),
    hsa_callback_data_t callback_data, const char *options, void **serialized_code_object,
    size_t *serialized_code_object_size);

/* *CODE_OBJECT becomes a code object with a copy of the bytes. INVALID_ARGUMENT: the size is 0.
 * INVALID_CODE_OBJECT: the bytes are not a well-formed code object. */
HSA_API hsa_status_t hsa_code_object_deserialize(void *serialized_code_object, size_t serialized_code_object_size,
                                                 const char *options, hsa_code_object_t *code_object);

/* Destroys CODE_OBJECT and its symbols; executables stay. INVALID_CODE_OBJECT. */
HSA_API hsa_status_t hsa_code_object_destroy(hsa_code_object_t code_object);

typedef enum { HSA_CODE_OBJECT_TYPE_PROGRAM = 0 } hsa_code_object_type_t;

typedef enum {
    HSA_CODE_OBJECT_INFO_VERSION = 0,                    /* char[64], NUL-terminated */
    HSA_CODE_OBJECT_INFO_TYPE = 1,                       /* hsa_code_object_type_t */
    HSA_CODE_OBJECT_INFO_ISA = 2,                        /* hsa_isa_t */
    HSA_CODE_OBJECT_INFO_MACHINE_MODEL = 3,              /* hsa_machine_model_t */
    HSA_CODE_OBJECT_INFO_PROFILE = 4,                    /* hsa_profile_t */
    HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE = 5 /* hsa_default_float_rounding_mode_t */
} hsa_code_object_info_t;

/* Writes one property of CODE_OBJECT to VALUE. INVALID_CODE_OBJECT. INVALID_ISA_NAME: ISA was asked for,
 * and no agent here has that of the code object. */
HSA_API hsa_status_t hsa_code_object_get_info(hsa_code_object_t code_object, hsa_code_object_info_t attribute,
                                              void *value);

/* As hsa_executable_load_agent_code_object() from CODE_OBJECT, which can be destroyed afterwards.
 * INVALID_CODE_OBJECT in place of INVALID_CODE_OBJECT_READER. */
HSA_API hsa_status_t hsa_executable_load_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                     hsa_code_object_t code_object, const char *options);

/* *SYMBOL becomes the symbol SYMBOL_NAME of CODE_OBJECT (in the second form of MODULE_NAME, which may be
 * NULL). INVALID_CODE_OBJECT. INVALID_SYMBOL_NAME: no such symbol. */
HSA_API hsa_status_t hsa_code_object_get_symbol(hsa_code_object_t code_object, const char *symbol_name,
                                                hsa_code_symbol_t *symbol);
HSA_API hsa_status_t hsa_code_object_get_symbol_from_name(hsa_code_object_t code_object, const char *module_name,
                                                          const char *symbol_name, hsa_code_symbol_t *symbol);

/* The types are those of hsa_executable_symbol_info_t. */
typedef enum {
    HSA_CODE_SYMBOL_INFO_TYPE = 0,
    HSA_CODE_SYMBOL_INFO_NAME_LENGTH = 1,
    HSA_CODE_SYMBOL_INFO_NAME = 2,
    HSA_CODE_SYMBOL_INFO_MODULE_NAME_LENGTH = 3,
    HSA_CODE_SYMBOL_INFO_MODULE_NAME = 4,
    HSA_CODE_SYMBOL_INFO_LINKAGE = 5,
    HSA_CODE_SYMBOL_INFO_VARIABLE_ALLOCATION = 6,
    HSA_CODE_SYMBOL_INFO_VARIABLE_SEGMENT = 7,
    HSA_CODE_SYMBOL_INFO_VARIABLE_ALIGNMENT = 8,
    HSA_CODE_SYMBOL_INFO_VARIABLE_SIZE = 9,
    HSA_CODE_SYMBOL_INFO_VARIABLE_IS_CONST = 10,
    HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE = 11,
    HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT = 12,
    HSA_CODE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE = 13,
    HSA_CODE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE = 14,
    HSA_CODE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK = 15,
    HSA_CODE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION = 16,
    HSA_CODE_SYMBOL_INFO_IS_DEFINITION = 17,
    HSA_CODE_SYMBOL_INFO_KERNEL_CALL_CONVENTION = 18,
    HSA_CODE_SYMBOL_INFO_KERNEL_WAVEFRONT_SIZE = 19 /* uint32_t */
} hsa_code_symbol_info_t;

/* Writes one property of a symbol to VALUE. INVALID_CODE_SYMBOL. */
HSA_API hsa_status_t hsa_code_symbol_get_info(hsa_code_symbol_t code_symbol, hsa_code_symbol_info_t attribute,
                                              void *value);

/* Calls back for every symbol of CODE_OBJECT. INVALID_CODE_OBJECT. */
HSA_API hsa_status_t hsa_code_object_iterate_symbols(
    hsa_code_object_t code_object,
    hsa_status_t (*callback)(hsa_code_object_t code_object, hsa_code_symbol_t symbol, void *data), void *data);

#ifdef __cplusplus
}
#endif

#endif
