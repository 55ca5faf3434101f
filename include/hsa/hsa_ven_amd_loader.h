/* SPDX-License-Identifier: MIT */
/* What AMD's loader tells debuggers and profilers. There are no functions to link to:
 * hsa_system_get_major_extension_table() for HSA_EXTENSION_AMD_LOADER, version 1, fills one of the tables. The
 * conventions of hsa.h hold. */
#ifndef HSA_HSA_VEN_AMD_LOADER_H
#define HSA_HSA_VEN_AMD_LOADER_H

#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_NONE = 0,
    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE = 1,
    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY = 2
} hsa_ven_amd_loader_code_object_storage_type_t;

/* A segment in memory, and where its bytes are in the code object. */
typedef struct hsa_ven_amd_loader_segment_descriptor_s {
    hsa_agent_t agent; /* 0: program allocation */
    hsa_executable_t executable;
    hsa_ven_amd_loader_code_object_storage_type_t code_object_storage_type;
    const void *code_object_storage_base;
    size_t code_object_storage_size, code_object_storage_offset; /* bytes */
    const void *segment_base;
    size_t segment_size; /* bytes */
} hsa_ven_amd_loader_segment_descriptor_t;

typedef enum {
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_PROGRAM = 1,
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT = 2
} hsa_ven_amd_loader_loaded_code_object_kind_t;

typedef enum hsa_ven_amd_loader_loaded_code_object_info_e {
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE = 1,                      /* hsa_executable_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND = 2,                            /* uint32_t, ..._kind_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT = 3,                           /* hsa_agent_t; kind AGENT */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE = 4,        /* uint32_t, ..._type_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE = 5, /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE = 6, /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE = 7,        /* int; of files */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA = 8,  /* int64_t, to addresses of the file */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE = 9,   /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE = 10,  /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH = 11, /* uint32_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI = 12         /* char[URI_LENGTH] */
} hsa_ven_amd_loader_loaded_code_object_info_t;

#define hsa_ven_amd_loader 001003

typedef struct hsa_ven_amd_loader_1_00_pfn_s {
    hsa_status_t (*hsa_ven_amd_loader_query_host_address)(const void *device_address, const void **host_address);
    hsa_status_t (*hsa_ven_amd_loader_query_segment_descriptors)(
        hsa_ven_amd_loader_segment_descriptor_t *segment_descriptors, size_t *num_segment_descriptors);
    hsa_status_t (*hsa_ven_amd_loader_query_executable)(const void *device_address, hsa_executable_t *executable);
} hsa_ven_amd_loader_1_00_pfn_t;

typedef struct hsa_ven_amd_loader_1_01_pfn_s {
    hsa_status_t (*hsa_ven_amd_loader_query_host_address)(const void *device_address, const void **host_address);
    hsa_status_t (*hsa_ven_amd_loader_query_segment_descriptors)(
        hsa_ven_amd_loader_segment_descriptor_t *segment_descriptors, size_t *num_segment_descriptors);
    hsa_status_t (*hsa_ven_amd_loader_query_executable)(const void *device_address, hsa_executable_t *executable);
    hsa_status_t (*hsa_ven_amd_loader_executable_iterate_loaded_code_objects)(
        hsa_executable_t executable,
        hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded_code_object, void *data),
        void *data);
    hsa_status_t (*hsa_ven_amd_loader_loaded_code_object_get_info)(
        hsa_loaded_code_object_t loaded_code_object, hsa_ven_amd_loader_loaded_code_object_info_t attribute,
        void *value);
} hsa_ven_amd_loader_1_01_pfn_t;

typedef struct hsa_ven_amd_loader_1_02_pfn_s {
    hsa_status_t (*hsa_ven_amd_loader_query_host_address)(const void *device_address, const void **host_address);
    hsa_status_t (*hsa_ven_amd_loader_query_segment_descriptors)(
        hsa_ven_amd_loader_segment_descriptor_t *segment_descriptors, size_t *num_segment_descriptors);
    hsa_status_t (*hsa_ven_amd_loader_query_executable)(const void *device_address, hsa_executable_t *executable);
    hsa_status_t (*hsa_ven_amd_loader_executable_iterate_loaded_code_objects)(
        hsa_executable_t executable,
        hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded_code_object, void *data),
        void *data);
    hsa_status_t (*hsa_ven_amd_loader_loaded_code_object_get_info)(
        hsa_loaded_code_object_t loaded_code_object, hsa_ven_amd_loader_loaded_code_object_info_t attribute,
        void *value);
    hsa_status_t (*hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size)(
        hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t *code_object_reader);
} hsa_ven_amd_loader_1_02_pfn_t;

/* The tables are parts of each other. */
typedef struct hsa_ven_amd_loader_1_03_pfn_s {
    /* What the host reads at the place of DEVICE_ADDRESS. INVALID_ARGUMENT: it is in no loaded code object. */
    hsa_status_t (*hsa_ven_amd_loader_query_host_address)(const void *device_address, const void **host_address);
    /* With NULL, counts the segments of all frozen executables; else writes as many descriptors as were counted.
     * INCOMPATIBLE_ARGUMENTS: the number is another by now. */
    hsa_status_t (*hsa_ven_amd_loader_query_segment_descriptors)(
        hsa_ven_amd_loader_segment_descriptor_t *segment_descriptors, size_t *num_segment_descriptors);
    /* The executable whose code or data is at DEVICE_ADDRESS. INVALID_ARGUMENT: there is none. */
    hsa_status_t (*hsa_ven_amd_loader_query_executable)(const void *device_address, hsa_executable_t *executable);
    /* INVALID_EXECUTABLE, INVALID_ARGUMENT, or what CALLBACK returns. */
    hsa_status_t (*hsa_ven_amd_loader_executable_iterate_loaded_code_objects)(
        hsa_executable_t executable,
        hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded_code_object, void *data),
        void *data);
    /* INVALID_CODE_OBJECT. INVALID_ARGUMENT: also an attribute that the kind or the storage does not have. */
    hsa_status_t (*hsa_ven_amd_loader_loaded_code_object_get_info)(
        hsa_loaded_code_object_t loaded_code_object, hsa_ven_amd_loader_loaded_code_object_info_t attribute,
        void *value);
    /* INVALID_FILE: also when it ends before OFFSET + SIZE. INVALID_ARGUMENT, OUT_OF_RESOURCES. */
    hsa_status_t (*hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size)(
        hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t *code_object_reader);
    /* INVALID_ARGUMENT, or what CALLBACK returns. */
    hsa_status_t (*hsa_ven_amd_loader_iterate_executables)(
        hsa_status_t (*callback)(hsa_executable_t executable, void *data), void *data);
} hsa_ven_amd_loader_1_03_pfn_t;

#ifdef __cplusplus
}
#endif

#endif
