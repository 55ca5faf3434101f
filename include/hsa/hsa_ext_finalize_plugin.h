/* SPDX-License-Identifier: MIT */
/* The contract between a runtime and the finalizer's library, libhsa-ext-finalize64.so.1. AMD's runtimes from 2015 to
 * ROCm 3.3 loaded AMD's finalizer by the same contract, so one library serves all of them.
 *
 * The library exports the six functions below. Each is named like the public function with "_impl" appended, has the
 * same prototype and does the same, but the runtime has already checked that it is initialised. The library may also
 * export Load() and Unload(). The runtime looks each function up by its name; when one is missing, the public function
 * returns HSA_STATUS_ERROR_NOT_INITIALIZED.
 *
 * The library is not linked with a runtime. It uses the public API of the libhsa-runtime64.so.1 that has loaded it,
 * which it finds by dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD) and dlsym(), however the application has
 * loaded the runtime. It needs
 *   hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, ...)  for the target, "amdgcn-amd-amdhsa--gfx900:xnack-",
 *   hsa_code_object_deserialize(elf, size, NULL, &co)  for its result: the runtime copies the bytes, and
 *                                                      hsa_code_object_destroy() releases them.
 *
 * This runtime looks for the library in the file that HSA_EXT_FINALIZE_LIBRARY names, then in the directory that
 * libhsa-runtime64.so.1 was loaded from, then where the dynamic linker looks. The first call of a finalizer function,
 * or the first query for their table, loads it, once; it stays until the last hsa_shut_down(). */
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
