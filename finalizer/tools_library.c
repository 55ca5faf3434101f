/* SPDX-License-Identifier: MIT */
/* The finalizer as a tools library: AMD's runtimes since ROCm 3.5 load no finalizer, but a library that HSA_TOOLS_LIB
 * names, or that is in the process and has a priority, may put functions into their tables.
 * Input: the runtime's tables. Output: tables whose finalizer is this library, until OnUnload().
 * Invariant: a table of another layout stays as it is, and the runtime is told to close the library. */
#include "finalizer/export.h"
#include "hsa/hsa_api_trace.h"
#include "hsa/hsa_ext_finalize_plugin.h"

#include <stddef.h>

/* The version of the finalizer's interface, as clients ask for it. */
enum { INTERFACE_MAJOR = 1, NEWEST_MAJOR = 3 };

FINALIZER_EXPORT const uint32_t HSA_AMD_TOOL_PRIORITY = 50;

static struct {
    struct FinalizerExtTable *table; /* NULL while no runtime has loaded this as a tool */
    struct FinalizerExtTable before;
} loaded;

FINALIZER_EXPORT bool OnLoad(void *api_table, uint64_t runtime_version, uint64_t failed_tool_count,
                             const char *const *failed_tool_names);
FINALIZER_EXPORT void OnUnload(void);

/* Whether a table has the functions. AMD's runtimes since ROCm 3.5 fill in its functions, but not its version. */
static bool has_functions(const struct FinalizerExtTable *table)
{
    bool is_unversioned = !table->version.major_id && !table->version.minor_id && table->hsa_ext_program_create_fn &&
                          table->hsa_ext_program_finalize_fn;
    return is_unversioned || table->version.minor_id >= sizeof *table;
}

/* Replaces the functions of the runtime, which say that there is no finalizer. */
FINALIZER_EXPORT bool OnLoad(void *api_table, uint64_t runtime_version, uint64_t failed_tool_count,
                             const char *const *failed_tool_names)
{
    struct HsaApiTable *all = api_table;
    (void)runtime_version, (void)failed_tool_count, (void)failed_tool_names;
    /* What comes after the finalizer's table is not looked at and need not be there. */
    if (!all || loaded.table || !all->version.major_id || all->version.major_id > NEWEST_MAJOR ||
        all->version.minor_id < offsetof(struct HsaApiTable, image_ext_) || !all->finalizer_ext_ ||
        !has_functions(all->finalizer_ext_))
        return false;
    struct FinalizerExtTable *table = all->finalizer_ext_;
    loaded.table = table;
    loaded.before = *table;
    table->version.major_id = INTERFACE_MAJOR;
    if (!table->version.minor_id)
        table->version.minor_id = sizeof *table;
    table->hsa_ext_program_create_fn = hsa_ext_program_create_impl;
    table->hsa_ext_program_destroy_fn = hsa_ext_program_destroy_impl;
    table->hsa_ext_program_add_module_fn = hsa_ext_program_add_module_impl;
    table->hsa_ext_program_iterate_modules_fn = hsa_ext_program_iterate_modules_impl;
    table->hsa_ext_program_get_info_fn = hsa_ext_program_get_info_impl;
    table->hsa_ext_program_finalize_fn = hsa_ext_program_finalize_impl;
    return true;
}

FINALIZER_EXPORT void OnUnload(void)
{
    if (!loaded.table)
        return;
    *loaded.table = loaded.before;
    loaded.table = NULL;
    Unload();
}
