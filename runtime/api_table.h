/* SPDX-License-Identifier: MIT */
/* The tables through which calls of the API go, and the libraries that change them. */
#ifndef RUNTIME_API_TABLE_H
#define RUNTIME_API_TABLE_H

#include "hsa/hsa_api_trace.h"
#include "runtime/core.h"

/* The tables of hsa_api_trace.h; runtime/entry.S reads their rows. */
extern struct CoreApiTable api_core;
extern struct AmdExtTable api_amd;
extern struct FinalizerExtTable api_finalizer;
extern struct ImageExtTable api_image;

/* entry_hsa_init() and so on: what clients call by that name without the prefix, for tables of functions. */
#define HSA_API_CORE(name)      extern __typeof__(name) entry_##name __attribute__((visibility("hidden")));
#define HSA_API_AMD(name)       extern __typeof__(name) entry_##name __attribute__((visibility("hidden")));
#define HSA_API_FINALIZER(name) extern __typeof__(name) entry_##name __attribute__((visibility("hidden")));
#define HSA_API_IMAGE(name)     extern __typeof__(name) entry_##name __attribute__((visibility("hidden")));
#include "hsa/hsa_api_trace.def"

/* All tables, for OnLoad(). */
struct HsaApiTable *api_tables(void);

/* Puts the implementation into every row. */
void api_tables_reset(void);

/* tools.c: loads the libraries that HSA_TOOLS_LIB names, and unloads them. The runtime is up. tools_unload() is false
 * when it is called inside itself, by a library that ends the runtime in its OnUnload(). */
void tools_load(void);
bool tools_loaded(void);
bool tools_unload(void) MUST_CHECK;

#endif
