/* SPDX-License-Identifier: MIT */
/* Gives the functions that implement the API other names for the linker: hsa_init() becomes impl_hsa_init. The names of
 * the API belong to the entries of runtime/entry.S, which go through the tables of runtime/api_table.c. Calls inside
 * the runtime so reach the implementation, and no tools library sees them.
 *
 * The compiler is told to include this file before everything else, see runtime/local.mk. */
#if !defined(RUNTIME_API_NAMES_H) && !defined(__ASSEMBLER__)
#define RUNTIME_API_NAMES_H

#define API_PRAGMA(words)    _Pragma(#words)
#define API_RENAME(name)     API_PRAGMA(redefine_extname name impl_##name)
#define HSA_API_CORE(name)      API_RENAME(name)
#define HSA_API_AMD(name)       API_RENAME(name)
#define HSA_API_FINALIZER(name) API_RENAME(name)
#define HSA_API_IMAGE(name)     API_RENAME(name)
#include "hsa/hsa_api_trace.def"

#endif
