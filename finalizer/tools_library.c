/* SPDX-License-Identifier: MIT */
/* The finalizer as a tools library: AMD's runtimes since ROCm 3.5 load no finalizer, but a library that HSA_TOOLS_LIB
 * names, or that is in the process and has a priority, may put functions into their tables.
 * Input: the runtime's tables. Output: tables whose finalizer is this library, until OnUnload().
 * Invariant: a table of another layout is left alone, and the runtime told to close the library. */
#include "finalizer/export.h"
#include "hsa/hsa_ext_finalize_plugin.h"

#include <stdint.h>

/* What opens every table: its version, and its size in bytes. */
struct table_version {
    uint32_t major, size, step, reserved;
};

struct finalizer_functions {
    __typeof__(hsa_ext_program_create) *create;
    __typeof__(hsa_ext_program_destroy) *destroy;
    __typeof__(hsa_ext_program_add_module) *add_module;
    __typeof__(hsa_ext_program_iterate_modules) *iterate_modules;
    __typeof__(hsa_ext_program_get_info) *get_info;
    __typeof__(hsa_ext_program_finalize) *finalize;
};

struct finalizer_table {
    struct table_version version;
    struct finalizer_functions call;
};

struct all_tables {
    struct table_version version;
    void *core, *amd;
    struct finalizer_table *finalizer;
};

/* The version of the finalizer's interface, as clients ask for it. */
enum { INTERFACE_MAJOR = 1, NEWEST_MAJOR = 3 };

FINALIZER_EXPORT const uint32_t HSA_AMD_TOOL_PRIORITY = 50;

static struct {
    struct finalizer_table *table; /* NULL while no runtime has loaded this as a tool */
    struct finalizer_table before;
} loaded;

FINALIZER_EXPORT bool OnLoad(void *api_table, uint64_t runtime_version, uint64_t failed_tool_count,
                             const char *const *failed_tool_names);
FINALIZER_EXPORT void OnUnload(void);

/* Takes the place of the functions that say that there is no finalizer. */
FINALIZER_EXPORT bool OnLoad(void *api_table, uint64_t runtime_version, uint64_t failed_tool_count,
                             const char *const *failed_tool_names)
{
    struct all_tables *all = api_table;
    (void)runtime_version, (void)failed_tool_count, (void)failed_tool_names;
    if (!all || loaded.table || !all->version.major || all->version.major > NEWEST_MAJOR ||
        all->version.size < sizeof *all || !all->finalizer || all->finalizer->version.size < sizeof *all->finalizer)
        return false;
    loaded.table = all->finalizer;
    loaded.before = *all->finalizer;
    all->finalizer->version.major = INTERFACE_MAJOR;
    all->finalizer->call = (struct finalizer_functions){
        hsa_ext_program_create_impl,          hsa_ext_program_destroy_impl,  hsa_ext_program_add_module_impl,
        hsa_ext_program_iterate_modules_impl, hsa_ext_program_get_info_impl, hsa_ext_program_finalize_impl};
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
