/* SPDX-License-Identifier: MIT */
/* The CPU as an agent. It owns the system's memory. It has no queues, because kernels are compiled for GPUs; an
 * application that serves agent-dispatch packets on the CPU makes a soft queue.
 *
 * Input: what the operating system says about processor and memory. Output: one agent with a fine-grained, a kernarg
 * and a coarse-grained region, registered before all others because the core asks it for memory. */
#include "hsa/hsam.h"
#include "runtime/host/host.h"
#include "support/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GRANULE = 4096, ALIGNMENT = 4096 };

#define SYSTEM_REGION(flags)                                                                                 \
    {                                                                                                        \
        .segment = HSA_REGION_SEGMENT_GLOBAL, .global_flags = (flags), .alloc_granule = GRANULE,             \
        .alloc_alignment = ALIGNMENT, .host_accessible = true, .accessible_by_all = true                     \
    }

static hsam_region regions[] = {
    SYSTEM_REGION(HSA_REGION_GLOBAL_FLAG_FINE_GRAINED),
    SYSTEM_REGION(HSA_REGION_GLOBAL_FLAG_FINE_GRAINED | HSA_REGION_GLOBAL_FLAG_KERNARG),
    SYSTEM_REGION(HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED),
};
enum { REGIONS = sizeof regions / sizeof *regions, CACHES = 3 };

static hsam_cache caches[CACHES];
static char name[64];

static void fini(void *driver)
{
    (void)driver;
    host_memory_fini();
}

static const hsa_agent_driver_interface interface = {
    .struct_size = sizeof interface,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .memory_new = host_memory_new,
    .memory_delete = host_memory_delete,
    .memory_resident = host_memory_resident,
    .memory_protect = host_memory_protect,
    .fini = fini,
};

static hsa_agent_driver_config config = {
    .struct_size = sizeof config,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .name = name,
    .vendor_name = "CPU",
    .product_name = name,
    .uuid = "CPU-XX",
    .device_type = HSA_DEVICE_TYPE_CPU,
    .profile = HSA_PROFILE_FULL,
    .default_float_rounding_mode = HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
    .page_fault_supported = true,
    .regions = regions,
    .region_count = REGIONS,
    .caches = caches,
    .cacheline_size = 64,
};

/* Reads the name from the line "model name : ..." of the first processor. Without that line it remains "x86-64". */
static void read_name(void)
{
    snprintf(name, sizeof name, "x86-64");
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && !strncmp(line, "model name", 10)) {
            int length = (int)strcspn(colon + 2, "\n");
            snprintf(name, sizeof name, "%.*s", length < 63 ? length : 63, colon + 2);
            break;
        }
    }
    fclose(file);
}

static void read_caches(void)
{
    static const struct {
        int key;
        uint8_t level;
        const char *name;
    } known[CACHES] = {
        {_SC_LEVEL1_DCACHE_SIZE, 1, "L1 data"}, {_SC_LEVEL2_CACHE_SIZE, 2, "L2"}, {_SC_LEVEL3_CACHE_SIZE, 3, "L3"}};
    config.cache_count = 0;
    for (size_t i = 0; i < CACHES; i++) {
        long size = sysconf(known[i].key);
        if (size > 0)
            caches[config.cache_count++] = (hsam_cache){known[i].name, known[i].level, (uint32_t)size};
    }
}

int host_driver_init(hsa_register_agent_t register_agent)
{
    size_t size = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < REGIONS; i++)
        regions[i].size = regions[i].alloc_max_size = size;
    host_memory_init();
    read_name();
    read_caches();
    config.compute_unit_count = cpu_count();
    hsa_generic_driver_config generic;
    return register_agent(&interface, &config, NULL, &generic) ? 1 : HSAM_OutOfResources;
}
