/* SPDX-License-Identifier: MIT */
/* The tree of files by which programs find GPUs without the kernel's driver.
 *
 * Input: the agents of the running HSA runtime. Output: files below a folder, named as those of /sys and /dev, and
 * bin/lsmod. Invariant: all that is written is below that folder. */
#include "config.h"

#include "tools/hsa_run_tree.h"

#include "hsa/hsa_ext_amd.h"
#include "tools/hsa_run_card.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char nodes[] = "sys/class/kfd/kfd/topology/nodes";

/* Makes the folders that PATH is in. */
static bool make_folders(char *path, size_t root)
{
    for (char *slash = strchr(path + root + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = !mkdir(path, 0700) || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool path_of(const struct run_tree *tree, char path[PATH_MAX], const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", tree->at, name) < PATH_MAX && make_folders(path, strlen(tree->at));
}

void run_tree_put(struct run_tree *tree, const char *name, const char *format, ...)
{
    char path[PATH_MAX];
    FILE *file = path_of(tree, path, name) ? fopen(path, "w") : NULL;
    if (file) {
        va_list list;
        va_start(list, format);
        bool written = vfprintf(file, format, list) >= 0;
        va_end(list);
        if (!fclose(file) && written)
            return;
    }
    if (tree->good)
        cli_error(tree->program, "%s/%s: %s", tree->at, name, strerror(errno));
    tree->good = false;
}

void run_tree_link(struct run_tree *tree, const char *name, const char *to)
{
    char path[PATH_MAX];
    if (path_of(tree, path, name) && !symlink(to, path))
        return;
    cli_error(tree->program, "%s/%s: %s", tree->at, name, strerror(errno));
    tree->good = false;
}

uint32_t run_tree_number(hsa_agent_t agent, int attribute)
{
    uint32_t value = 0;
    hsa_agent_get_info(agent, (hsa_agent_info_t)attribute, &value);
    return value;
}

uint64_t run_tree_unique_id(hsa_agent_t agent)
{
    char text[24] = "";
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_UUID, text);
    return strncmp(text, "GPU-", 4) ? 0 : strtoull(text + 4, NULL, 16);
}

/* The number of a target: gfx90a gives 90010, the major version, then minor and stepping in two digits each. */
static unsigned long target_version(const char *name)
{
    size_t length = strlen(name);
    if (length < 6 || strncmp(name, "gfx", 3))
        return 0;
    char stepping[2] = {name[length - 1]}, minor[2] = {name[length - 2]};
    return strtoul(name + 3, NULL, 10) / (strspn(name + 3, "0123456789") == length - 3 ? 100 : 10) * 10000 +
           strtoul(minor, NULL, 16) * 100 + strtoul(stepping, NULL, 16);
}

/* Counts the agents, and remembers which of the first 64 are GPUs. */
static hsa_status_t count_agent(hsa_agent_t agent, void *data)
{
    struct run_tree *tree = data;
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_GPU && tree->nodes < 64)
        tree->gpu_nodes |= UINT64_C(1) << tree->nodes;
    tree->nodes++;
    return HSA_STATUS_SUCCESS;
}

/* Describes how NODE is linked with the node TO: the NUMBER-th link of that KIND. */
static void put_link_of(struct run_tree *tree, unsigned node, const char *kind, unsigned number, unsigned to)
{
    enum { PCI_EXPRESS = 2, TO_HOST = 20, TO_OTHER_GPU = 40 };
    char name[128];
    snprintf(name, sizeof name, "%s/%u/%s/%u/properties", nodes, node, kind, number);
    run_tree_put(tree, name,
                 "type %d\nversion_major 0\nversion_minor 0\nnode_from %u\nnode_to %u\nweight %d\nmin_latency 0\n"
                 "max_latency 0\nmin_bandwidth 0\nmax_bandwidth 0\nrecommended_transfer_size 0\nflags 1\n",
                 PCI_EXPRESS, node, to, *kind == 'i' ? TO_HOST : TO_OTHER_GPU);
}

/* Describes the links of a node: each GPU is linked with the host, and with each other GPU. */
static void put_links(struct run_tree *tree, unsigned node)
{
    char path[PATH_MAX], name[128];
    const char *kinds[] = {"io_links", "p2p_links"};
    for (size_t i = 0; i < 2; i++) { /* also if there are no such links */
        snprintf(name, sizeof name, "%s/%u/%s/", nodes, node, kinds[i]);
        tree->good = path_of(tree, path, name) && tree->good;
    }
    bool gpu = tree->gpu_nodes >> node & 1;
    unsigned number = 0;
    if (gpu)
        put_link_of(tree, node, "io_links", 0, 0);
    for (unsigned to = 0; to < 64; to++)
        if (tree->gpu_nodes >> to & 1 && to != node && (gpu || !node))
            put_link_of(tree, node, kinds[gpu], number++, to);
}

static hsa_status_t put_agent(hsa_agent_t agent, void *data)
{
    struct run_tree *tree = data;
    char name[128], text[64] = "";
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, text);
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    bool gpu = type == HSA_DEVICE_TYPE_GPU;
    unsigned node = tree->nodes++;
    uint32_t units = run_tree_number(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT);
    uint32_t simds = run_tree_number(agent, HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU);
    uint32_t waves = run_tree_number(agent, HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU);
    unsigned gpus = (unsigned)__builtin_popcountll(tree->gpu_nodes);
    tree->gpus += gpu;
    snprintf(name, sizeof name, "%s/%u/gpu_id", nodes, node);
    run_tree_put(tree, name, "%u\n", gpu ? node : 0);
    snprintf(name, sizeof name, "%s/%u/name", nodes, node);
    run_tree_put(tree, name, "%s\n", gpu ? text : "");
    snprintf(name, sizeof name, "%s/%u/properties", nodes, node);
    run_tree_put(
        tree, name,
        "cpu_cores_count %u\nsimd_count %u\nmem_banks_count 1\ncaches_count 0\nio_links_count %u\np2p_links_count %u\n"
        "cpu_core_id_base 0\nsimd_id_base 0\nmax_waves_per_simd %u\nlds_size_in_kb %u\ngds_size_in_kb 0\n"
        "wave_front_size %u\narray_count 1\nsimd_arrays_per_engine 1\ncu_per_simd_array %u\nsimd_per_cu %u\n"
        "gfx_target_version %lu\nvendor_id %u\ndevice_id %u\nlocation_id %u\ndomain 0\nhive_id 0\ndrm_render_minor %u\n"
        "max_engine_clk_fcompute %u\nunique_id %" PRIu64 "\nnum_xcc %u\n",
        gpu ? 0 : units, gpu ? units * simds : 0,
        gpu    ? 1
        : node ? 0
               : gpus,
        gpu ? gpus - 1 : 0, simds ? waves / simds : 0, gpu ? 64 : 0,
        run_tree_number(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE), gpu ? units : 0, gpu ? simds : 0,
        gpu ? target_version(text) : 0, gpu ? AMD_VENDOR : 0, run_tree_number(agent, HSA_AMD_AGENT_INFO_CHIP_ID),
        run_tree_number(agent, HSA_AMD_AGENT_INFO_BDFID), gpu ? 127 + tree->gpus : 0,
        run_tree_number(agent, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY), gpu ? run_tree_unique_id(agent) : 0,
        gpu ? 1 : 0);
    if (node < 64)
        put_links(tree, node);
    if (gpu)
        run_card_put(tree, agent, tree->gpus - 1);
    return HSA_STATUS_SUCCESS;
}

bool run_tree_make(const struct cli_program *program, const char *at, unsigned *gpus)
{
    struct run_tree tree = {.program = program, .at = at, .good = true};
    hsa_iterate_agents(count_agent, &tree);
    tree.nodes = 0;
    hsa_iterate_agents(put_agent, &tree);
    *gpus = tree.gpus;
    run_tree_put(&tree, "sys/class/kfd/kfd/topology/generation_id", "1\n");
    run_tree_put(&tree, "sys/class/kfd/kfd/topology/system_properties",
                 "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
    run_tree_put(&tree, "sys/class/kfd/kfd/proc/.none", "%s", "");
    run_tree_put(&tree, "sys/class/drm/version", "drm 1.1.0 20060810\n");
    if (tree.gpus) {
        run_tree_put(&tree, "sys/module/amdgpu/initstate", "live\n");
        run_tree_put(&tree, "sys/module/amdgpu/version", "%s-software\n", PACKAGE_VERSION);
        run_tree_link(&tree, "dev/kfd", "/dev/null");
    }
    run_tree_put(
        &tree, "bin/lsmod",
        "#!/bin/sh\n"
        "# The modules of the kernel, and the one that stands for the software GPU.\n"
        "for p in /sbin /usr/sbin /bin; do [ -x $p/lsmod ] && [ -r /proc/modules ] && { $p/lsmod; break; }; done\n"
        "%secho 'amdgpu 0 0'\n",
        tree.gpus ? "" : ": ");
    char path[PATH_MAX];
    return tree.good && path_of(&tree, path, "bin/lsmod") && !chmod(path, 0700);
}

void run_tree_remove(const char *at)
{
    DIR *folder = opendir(at);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[PATH_MAX];
        struct stat is;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            snprintf(path, sizeof path, "%s/%s", at, entry->d_name) >= PATH_MAX || lstat(path, &is))
            continue;
        if (S_ISDIR(is.st_mode))
            run_tree_remove(path);
        else
            unlink(path);
    }
    if (folder)
        closedir(folder);
    rmdir(at);
}
