/* SPDX-License-Identifier: MIT */
/* Attributes of the system, and its extensions. (1.0P 2.3.1, 2.8)
 *
 * Input: attributes and numbers of extensions, of any value. Output: attributes, and tables of functions.
 * Invariant: the table below is the only list of extensions, and one is announced only when it can be used. */
#include "config.h"

#include "runtime/clock.h"
#include "runtime/extension.h"
#include "runtime/finalizer.h"
#include "runtime/image.h"
#include "runtime/loader_table.h"
#include "runtime/report.h"

#include "hsa/hsa_ven_amd_loader.h"
#include "hsa/hsa_ven_hsail_report.h"

struct extension {
    uint16_t number, major, minor; /* number, the only major version and its highest minor version */
    const char *name;
    bool (*usable)(void);                        /* NULL: this runtime does not have it */
    bool (*of_agent)(const struct agent *agent); /* whether an agent has it */
    const void *(*table)(void);                  /* its functions */
    size_t table_size;                           /* bytes of that table */
};

static bool runs_kernels(const struct agent *agent)
{
    return agent->config.features & HSA_AGENT_FEATURE_KERNEL_DISPATCH;
}

static const struct extension extensions[] = {
    {HSA_EXTENSION_FINALIZER, 1, 0, "HSA_EXTENSION_FINALIZER", finalizer_usable, runs_kernels, finalizer_table,
     sizeof(hsa_ext_finalizer_1_00_pfn_t)},
    {HSA_EXTENSION_IMAGES, 1, 0, "HSA_EXTENSION_IMAGES", images_usable, image_agent, images_table,
     sizeof(hsa_ext_images_1_pfn_t)},
    {HSA_EXTENSION_PERFORMANCE_COUNTERS, 1, 0, "HSA_EXTENSION_PERFORMANCE_COUNTERS"},
    {HSA_EXTENSION_PROFILING_EVENTS, 1, 0, "HSA_EXTENSION_PROFILING_EVENTS"},
    {HSA_EXTENSION_AMD_PROFILER, 1, 0, "HSA_EXTENSION_AMD_PROFILER"},
    {HSA_EXTENSION_AMD_LOADER, 1, 3, "HSA_EXTENSION_AMD_LOADER", loader_usable, loader_of_agent, loader_table,
     sizeof(hsa_ven_amd_loader_1_03_pfn_t)},
    {HSA_EXTENSION_AMD_AQLPROFILE, 1, 0, "HSA_EXTENSION_AMD_AQLPROFILE"},
    {HSA_EXTENSION_AMD_PC_SAMPLING, 1, 0, "HSA_EXTENSION_AMD_PC_SAMPLING"},
    {HSA_EXTENSION_HSAIL_REPORT, 1, 1, "HSA_EXTENSION_HSAIL_REPORT", report_usable, report_of_agent, report_table,
     sizeof(hsa_ven_hsail_report_1_01_pfn_t)},
};

static const struct extension *extension_find(uint16_t number)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (extensions[i].number == number)
            return &extensions[i];
    return NULL;
}

static bool extension_usable(const struct extension *extension, const struct agent *agent)
{
    return extension->usable && (!agent || extension->of_agent(agent)) && extension->usable();
}

void extension_mask(const struct agent *agent, uint8_t mask[EXTENSION_MASK_BYTES])
{
    memset(mask, 0, EXTENSION_MASK_BYTES);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (extension_usable(&extensions[i], agent))
            mask[extensions[i].number / 8] |= (uint8_t)(1u << extensions[i].number % 8);
}

static hsa_status_t supported(const struct agent *agent, uint16_t number, uint16_t major, uint16_t *minor, bool *result)
{
    const struct extension *extension = extension_find(number);
    CHECK_ARGUMENT(extension && minor && result);
    *result = major == extension->major && extension_usable(extension, agent);
    if (*result)
        *minor = extension->minor;
    return HSA_STATUS_SUCCESS;
}

/* Answers the deprecated question for exactly one version. A version includes all those with a lower minor number. */
static hsa_status_t supported_version(const struct agent *agent, uint16_t number, uint16_t major, uint16_t minor,
                                      bool *result)
{
    uint16_t highest = 0;
    hsa_status_t status = supported(agent, number, major, &highest, result);
    if (status == HSA_STATUS_SUCCESS && minor > highest)
        *result = false;
    return status;
}

HSA_API hsa_status_t hsa_extension_get_name(uint16_t extension, const char **name)
{
    CHECK_UP();
    const struct extension *found = extension_find(extension);
    CHECK_ARGUMENT(found && name);
    *name = found->name;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                                    bool *result)
{
    CHECK_UP();
    return supported_version(NULL, extension, version_major, version_minor, result);
}

HSA_API hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t version_major,
                                                          uint16_t *version_minor, bool *result)
{
    CHECK_UP();
    return supported(NULL, extension, version_major, version_minor, result);
}

HSA_API hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                                   uint16_t version_minor, bool *result)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return supported_version(agent_find(agent), extension, version_major, version_minor, result);
}

HSA_API hsa_status_t hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                                         uint16_t *version_minor, bool *result)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return supported(agent_find(agent), extension, version_major, version_minor, result);
}

HSA_API hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t version_major,
                                                          size_t table_length, void *table)
{
    CHECK_UP();
    const struct extension *found = extension_find(extension);
    CHECK_ARGUMENT(found && table && table_length);
    CHECK(version_major == found->major && extension_usable(found, NULL) && found->table, HSA_STATUS_ERROR);
    memcpy(table, found->table(), table_length < found->table_size ? table_length : found->table_size);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                                    void *table)
{
    CHECK_UP();
    const struct extension *found = extension_find(extension);
    CHECK_ARGUMENT(found && table);
    CHECK(version_minor <= found->minor, HSA_STATUS_ERROR);
    return hsa_system_get_major_extension_table(extension, version_major, SIZE_MAX, table);
}

HSA_API hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
    CHECK_UP();
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR: PUT(uint16_t, RUNTIME_VERSION_MAJOR); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_VERSION_MINOR: PUT(uint16_t, RUNTIME_VERSION_MINOR); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_TIMESTAMP: PUT(uint64_t, clock_now()); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY: PUT(uint64_t, CLOCK_FREQUENCY); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT: PUT(uint64_t, UINT64_MAX); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_ENDIANNESS: PUT(hsa_endianness_t, HSA_ENDIANNESS_LITTLE); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_MACHINE_MODEL: PUT(hsa_machine_model_t, HSA_MACHINE_MODEL_LARGE); return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_EXTENSIONS: extension_mask(NULL, value); return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION: PUT(const char *, "hsail " PACKAGE_VERSION); return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED: /* hsa_amd_vmem_* */
    case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED: /* hsa_amd_svm_* */ PUT(bool, true); return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT: /* clients take it to mean that the GPU retries after faults */
    case HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED:
    case HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED:
    case HSA_AMD_SYSTEM_INFO_XNACK_ENABLED: PUT(bool, false); return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR:
        PUT(uint16_t, HSA_AMD_INTERFACE_VERSION_MAJOR);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR:
        PUT(uint16_t, HSA_AMD_INTERFACE_VERSION_MINOR);
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
