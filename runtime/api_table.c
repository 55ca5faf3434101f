/* SPDX-License-Identifier: MIT */
/* The tables through which every call of the API goes.
 *
 * Input: what tools libraries write into rows. Output: the functions that runtime/entry.S jumps to. Invariant: from the
 * start of the process, and again after tools_unload(), each row holds the implementation. */
#include "runtime/api_table.h"

#include "runtime/core.h"

#define ROW(name) .name##_fn = (name),
#define VERSION(major, table)                                                                                \
    {                                                                                                        \
        .major_id = (major), .minor_id = sizeof(struct table)                                                \
    }

struct CoreApiTable api_core = {
    .version = VERSION(HSA_CORE_API_TABLE_MAJOR_VERSION, CoreApiTable),
#define HSA_API_CORE ROW
#include "hsa/hsa_api_trace.def"
};

struct AmdExtTable api_amd = {
    .version = VERSION(HSA_AMD_EXT_API_TABLE_MAJOR_VERSION, AmdExtTable),
#define HSA_API_AMD ROW
#include "hsa/hsa_api_trace.def"
};

struct FinalizerExtTable api_finalizer = {
    .version = VERSION(HSA_FINALIZER_API_TABLE_MAJOR_VERSION, FinalizerExtTable),
#define HSA_API_FINALIZER ROW
#include "hsa/hsa_api_trace.def"
};

struct ImageExtTable api_image = {
    .version = VERSION(HSA_IMAGE_API_TABLE_MAJOR_VERSION, ImageExtTable),
#define HSA_API_IMAGE ROW
#include "hsa/hsa_api_trace.def"
};

struct HsaApiTable *api_tables(void)
{
    static struct HsaApiTable all = {
        .version = VERSION(HSA_API_TABLE_MAJOR_VERSION, HsaApiTable),
        .core_ = &api_core,
        .amd_ext_ = &api_amd,
        .finalizer_ext_ = &api_finalizer,
        .image_ext_ = &api_image,
    };
    return &all;
}

void api_tables_reset(void)
{
#define HSA_API_CORE(name)      api_core.name##_fn = (name);
#define HSA_API_AMD(name)       api_amd.name##_fn = (name);
#define HSA_API_FINALIZER(name) api_finalizer.name##_fn = (name);
#define HSA_API_IMAGE(name)     api_image.name##_fn = (name);
#include "hsa/hsa_api_trace.def"
}
