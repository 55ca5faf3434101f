/* SPDX-License-Identifier: MIT */
/* The contract between a runtime and the finalizer library libhsa-ext-finalize64.so.1; the same by which
 * AMD's runtimes from 2015 to ROCm 3.3 loaded AMD's finalizer, so one library serves all of them.
 *
 * The library exports the six functions below: the public function's name with "_impl" appended, same
 * prototype, same duties, except that the runtime has already checked that it is initialised. It may export
 * Load() and Unload(). The runtime looks every function up by name; a missing one makes the public function
 * return HSA_STATUS_ERROR_NOT_INITIALIZED.
 *
 * What the library may use of the runtime: the public API of the libhsa-runtime64.so.1 that loaded it, found
 * with dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD) and dlsym(), which works however the
 * application loaded the runtime; the library is not linked against it. It needs hsa_isa_get_info_alt(isa,
 * HSA_ISA_INFO_NAME, ...)  for the target: "amdgcn-amd-amdhsa--gfx900:xnack-"
 *   hsa_code_object_deserialize(elf, size, NULL, &co)  for its result: the runtime copies the bytes, and
 *                                                      hsa_code_object_destroy() releases them
 * Where this runtime looks for the library, first hit wins: the file named by HSA_EXT_FINALIZE_LIBRARY; the
 * directory that libhsa-runtime64.so.1 was loaded from; the dynamic linker's search path. It is loaded by the
 * first call of a finalizer function (or table query), stays loaded until the last hsa_shut_down(), and is
 * loaded at most once. */
#ifndef HSA_HSA_EXT_FINALIZE_PLUGIN_H
#define HSA_HSA_EXT_FINALIZE_PLUGIN_H

#include "hsa/hsa_ext_finalize.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HSA_EXT_FINALIZE_LIBRARY_NAME "libhsa-ext-finalize64.so.1"

HSA_API hsa_status_t hsa_ext_program_create_impl(hsa_machine_model_t machine_model, hsa_profile_t profile,
                                                 hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                                 const char *options, hsa_ext_program_t *program);
HSA_API hsa_status_t hsa_ext_program_destroy_impl(hsa_ext_program_t program);
HSA_API hsa_status_t hsa_ext_program_add_module_impl(hsa_ext_program_t program, hsa_ext_module_t module);
HSA_API hsa_status_t hsa_ext_program_iterate_modules_impl(
    hsa_ext_program_t program, hsa_status_t (*callback)(hsa_ext_program_t program, hsa_ext_module_t module, void *data),
    void *data);
HSA_API hsa_status_t hsa_ext_program_get_info_impl(hsa_ext_program_t program, hsa_ext_program_info_t attribute,
                                                   void *value);
HSA_API hsa_status_t hsa_ext_program_finalize_impl(
    hsa_ext_program_t program, hsa_isa_t isa, int32_t call_convention, hsa_ext_control_directives_t control_directives,
    const char *options, hsa_code_object_type_t code_object_type, hsa_code_object_t *code_object);

/* Optional. Called once after the library was loaded and before any other function. API_TABLE is NULL from
 * this runtime, and a table whose layout depends on the version from AMD's: a portable library ignores it. */
HSA_API void Load(const void *api_table);

/* Optional. Called once before the library is unloaded, when all programs are to be destroyed. */
HSA_API void Unload(void);

#ifdef __cplusplus
}
#endif

#endif
