/* SPDX-License-Identifier: MIT */
/* A GPU as a card; see hsa_run_card.h.
 *
 * Input: an agent. Output: files as the kernel's driver makes them. Invariant: they hold what the agent says of itself;
 * what software does not have, such as temperatures, power and fans, has no file. */
#include "tools/hsa_run_card.h"

#include "hsa/hsa_ext_amd.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct card {
    struct run_tree *tree;
    char folder[128];
};

/* Writes the file NAME of the card. */
__attribute__((format(printf, 3, 4))) static void put_card(const struct card *card, const char *name,
                                                           const char *format, ...)
{
    char path[256], text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(path, sizeof path, "%s/%s", card->folder, name);
    run_tree_put(card->tree, path, "%s\n", text);
}

/* Makes a node of the card: a folder in the card's, and a link to it where programs look. */
static void put_node(const struct card *card, const char *kind, unsigned number)
{
    char name[256], target[256];
    snprintf(name, sizeof name, "%s/drm/%s%u/device", card->folder, kind, number);
    run_tree_link(card->tree, name, "../..");
    snprintf(name, sizeof name, "sys/class/drm/%s%u", kind, number);
    snprintf(target, sizeof target, "../../../%s/drm/%s%u", card->folder, kind, number);
    run_tree_link(card->tree, name, target);
}

/* Finds the size of the card's own memory. Regions of the host come after those of the agent. */
static hsa_status_t find_memory(hsa_region_t region, void *data)
{
    uint32_t flags = 0;
    size_t size = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    hsa_region_get_info(region, HSA_REGION_INFO_SIZE, &size);
    if (!(flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED))
        return HSA_STATUS_SUCCESS;
    *(size_t *)data = size;
    return HSA_STATUS_INFO_BREAK;
}

static void put_memory(const struct card *card, hsa_agent_t agent)
{
    static const char *const kinds[] = {"vram", "vis_vram"};
    size_t size = 0;
    char name[64];
    hsa_agent_iterate_regions(agent, find_memory, &size);
    for (size_t i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "mem_info_%s_total", kinds[i]);
        put_card(card, name, "%zu", size);
        snprintf(name, sizeof name, "mem_info_%s_used", kinds[i]);
        put_card(card, name, "0");
    }
    put_card(card, "mem_info_gtt_total", "0"); /* other memory of the host is not the card's */
    put_card(card, "mem_info_gtt_used", "0");
    put_card(card, "mem_info_vram_vendor", "host");
}

static void put_state(const struct card *card, hsa_agent_t agent)
{
    uint32_t core = run_tree_number(agent, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY);
    uint32_t memory = run_tree_number(agent, HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY);
    put_card(card, "gpu_busy_percent", "0");
    put_card(card, "mem_busy_percent", "0");
    put_card(card, "pp_dpm_sclk", "0: %" PRIu32 "Mhz *", core);
    put_card(card, "pp_dpm_mclk", "0: %" PRIu32 "Mhz *", memory);
    put_card(card, "power_dpm_state", "performance");
    put_card(card, "power_dpm_force_performance_level", "auto");
}

void run_card_put(struct run_tree *tree, hsa_agent_t agent, unsigned number)
{
    struct card card = {.tree = tree};
    char product[64] = "";
    uint32_t at = run_tree_number(agent, HSA_AMD_AGENT_INFO_BDFID);
    uint32_t chip = run_tree_number(agent, HSA_AMD_AGENT_INFO_CHIP_ID);
    snprintf(card.folder, sizeof card.folder, "sys/devices/pci0000:00/0000:%02x:%02x.%u", at >> 8 & 0xff, at >> 3 & 31,
             at & 7);
    put_node(&card, "card", number);
    put_node(&card, "renderD", 128 + number);
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_PRODUCT_NAME, product);
    put_card(&card, "vendor", "0x%04x", AMD_VENDOR);
    put_card(&card, "device", "0x%04x", chip);
    put_card(&card, "subsystem_vendor", "0x%04x", AMD_VENDOR);
    put_card(&card, "subsystem_device", "0x%04x", chip);
    put_card(&card, "revision", "0x00");
    put_card(&card, "vbios_version", "000-SOFTWARE-000"); /* a card without this file is passed over */
    put_card(&card, "class", "0x038000");
    put_card(&card, "unique_id", "%016" PRIx64, run_tree_unique_id(agent));
    put_card(&card, "product_name", "%s", product);
    put_card(&card, "hwmon/hwmon0/name", "amdgpu"); /* sensors, of which none has a value */
    put_card(&card, "hwmon/hwmon0/in0_label", "vddgfx");
    put_memory(&card, agent);
    put_state(&card, agent);
}
