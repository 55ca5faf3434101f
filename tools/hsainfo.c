/* SPDX-License-Identifier: MIT */
/* hsainfo: shows what the HSA runtime offers: its agents with their limits, memory regions and instruction sets.
 * Input: the runtime's answers to the attributes of hsainfo.def. Output: text, or JSON with --json.
 * Invariant: an attribute that the runtime refuses is left out; any other failure ends the tool with status 1. */
#include "tools/hsa_util.h"
#include "tools/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTENSION_BYTES 128

enum { OPT_JSON = 1 };

static const struct cli_option options[] = {
    {OPT_JSON, 'j', "json", NULL, "write JSON"},
    {0},
};

static const struct cli_program program = {
    "hsainfo", "[options]", "Shows the HSA runtime's agents, their limits, memory regions and instruction sets.",
    options,   NULL,
};

/* How a value is stored; the kinds from ENDIANNESS on have names in hsainfo_names.def. */
enum kind {
    KIND_U16,
    KIND_U32,
    KIND_U64,
    KIND_SIZE,
    KIND_BOOL,
    KIND_TEXT,
    KIND_ISANAME,
    KIND_U16X3,
    KIND_U32X4,
    KIND_DIM3,
    KIND_EXT,
    KIND_ENDIANNESS,
    KIND_MODEL,
    KIND_PROFILE,
    KIND_ROUNDING,
    KIND_DEVICE,
    KIND_QUEUE,
    KIND_SEGMENT, /* from ENDIANNESS to here: one named value */
    KIND_FEATURE,
    KIND_ROUNDINGS,
    KIND_GLOBALFLAGS, /* from FEATURE to here: a mask of named values */
    KIND_MODELS,
    KIND_PROFILES,
    KIND_ROUNDINGFLAGS, /* from MODELS to here: an array with a boolean per named value */
};

struct info_row {
    int attribute;
    enum kind kind;
    const char *name, *unit;
};
#define ROW(attribute, kind, name, unit) {attribute, KIND_##kind, name, unit},

static const struct info_row system_rows[] = {
#define SYSTEM_ROW ROW
#include "tools/hsainfo.def"
    {0},
};
static const struct info_row agent_rows[] = {
#define AGENT_ROW ROW
#include "tools/hsainfo.def"
    {0},
};
static const struct info_row kernel_rows[] = {
#define KERNEL_ROW ROW
#include "tools/hsainfo.def"
    {0},
};
static const struct info_row isa_rows[] = {
#define ISA_ROW ROW
#include "tools/hsainfo.def"
    {0},
};
static const struct info_row region_rows[] = {
#define REGION_ROW ROW
#include "tools/hsainfo.def"
    {0},
};

static const struct {
    enum kind kind;
    uint32_t value;
    const char *name;
} value_names[] = {
#define VALUE(kind, value, name) {KIND_##kind, value, name},
#include "tools/hsainfo_names.def"
};
#define VALUE_NAMES (sizeof value_names / sizeof *value_names)

/* Large enough for the value of every attribute, except an ISA's name, which may have any length. */
union value {
    uint16_t u16[3];
    uint32_t u32[4];
    uint64_t u64;
    size_t size;
    hsa_dim3_t dim3;
    bool flags[8];
    uint8_t bits[EXTENSION_BYTES];
    char text[1024];
};

/* Shows the names of the value: of the number that it equals, of the flags in it, or of the booleans that are true. */
static void show_names(struct report *report, const struct info_row *row, const union value *value)
{
    const char *names[VALUE_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < VALUE_NAMES; i++) {
        if (value_names[i].kind != row->kind)
            continue;
        uint32_t wanted = value_names[i].value;
        bool fits = row->kind >= KIND_MODELS    ? value->flags[wanted]
                    : row->kind >= KIND_FEATURE ? (value->u32[0] & wanted) != 0
                                                : value->u32[0] == wanted;
        if (fits)
            names[count++] = value_names[i].name;
    }
    if (row->kind >= KIND_FEATURE)
        report_texts(report, row->name, names, count);
    else
        report_text(report, row->name, count ? names[0] : "unknown");
}

/* Shows extensions by the names that the runtime gives them. */
static void show_extensions(struct report *report, const struct info_row *row, const uint8_t *bits)
{
    const char *names[EXTENSION_BYTES * 8];
    size_t count = 0;
    for (uint16_t i = 0; i < EXTENSION_BYTES * 8; i++) {
        const char *name = NULL;
        if ((bits[i / 8] >> i % 8 & 1) && hsa_extension_get_name(i, &name) == HSA_STATUS_SUCCESS && name)
            names[count++] = name;
    }
    report_texts(report, row->name, names, count);
}

static void show_row(struct report *report, const struct info_row *row, const union value *value)
{
    switch (row->kind) {
    case KIND_U16: report_number(report, row->name, value->u16[0], row->unit); break;
    case KIND_U32: report_number(report, row->name, value->u32[0], row->unit); break;
    case KIND_U64: report_number(report, row->name, value->u64, row->unit); break;
    case KIND_SIZE: report_number(report, row->name, value->size, row->unit); break;
    case KIND_BOOL: report_bool(report, row->name, value->flags[0]); break;
    case KIND_TEXT:
    case KIND_ISANAME: report_text(report, row->name, value->text); break;
    case KIND_U16X3:
        report_numbers(report, row->name, (uint64_t[]){value->u16[0], value->u16[1], value->u16[2]}, 3, " x ");
        break;
    case KIND_U32X4:
        report_numbers(report, row->name, (uint64_t[]){value->u32[0], value->u32[1], value->u32[2], value->u32[3]}, 4,
                       ", ");
        break;
    case KIND_DIM3:
        report_numbers(report, row->name, (uint64_t[]){value->dim3.x, value->dim3.y, value->dim3.z}, 3, " x ");
        break;
    case KIND_EXT: show_extensions(report, row, value->bits); break;
    default: show_names(report, row, value); break;
    }
}

static hsa_status_t ask_system(uint64_t handle, int attribute, void *value)
{
    (void)handle;
    return hsa_system_get_info((hsa_system_info_t)attribute, value);
}

static hsa_status_t ask_agent(uint64_t handle, int attribute, void *value)
{
    return hsa_agent_get_info((hsa_agent_t){handle}, (hsa_agent_info_t)attribute, value);
}

static hsa_status_t ask_isa(uint64_t handle, int attribute, void *value)
{
    uint32_t length = 0;
    hsa_isa_t isa = {handle};
    if (attribute == HSA_ISA_INFO_NAME) {
        hsa_status_t status = hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length);
        if (status != HSA_STATUS_SUCCESS)
            return status;
        if (length >= sizeof(union value))
            return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    return hsa_isa_get_info_alt(isa, (hsa_isa_info_t)attribute, value);
}

static hsa_status_t ask_region(uint64_t handle, int attribute, void *value)
{
    return hsa_region_get_info((hsa_region_t){handle}, (hsa_region_info_t)attribute, value);
}

typedef hsa_status_t ask_function(uint64_t handle, int attribute, void *value);

static void show_rows(struct report *report, const struct info_row *row, ask_function *ask, uint64_t handle)
{
    for (; row->name; row++) {
        union value value;
        memset(&value, 0, sizeof value);
        if (ask(handle, row->attribute, &value) == HSA_STATUS_SUCCESS)
            show_row(report, row, &value);
    }
}

/* How to show the items that belong to an agent: each is a numbered group. */
struct item {
    struct report *report;
    const char *title;
    const struct info_row *rows;
    ask_function *ask;
    unsigned count;
};

static void show_item(struct item *item, uint64_t handle)
{
    char title[64];
    snprintf(title, sizeof title, "%s %u", item->title, item->count++);
    report_open(item->report, NULL, false, title);
    show_rows(item->report, item->rows, item->ask, handle);
    report_close(item->report, false);
}

static hsa_status_t show_region(hsa_region_t region, void *data)
{
    show_item(data, region.handle);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t show_isa(hsa_isa_t isa, void *data)
{
    show_item(data, isa.handle);
    return HSA_STATUS_SUCCESS;
}

static bool show_agent(struct report *report, size_t index, hsa_agent_t agent)
{
    char title[32];
    snprintf(title, sizeof title, "Agent %zu", index);
    report_open(report, NULL, false, title);
    show_rows(report, agent_rows, ask_agent, agent.handle);
    hsa_agent_feature_t features = 0;
    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_FEATURE, &features) == HSA_STATUS_SUCCESS &&
        (features & HSA_AGENT_FEATURE_KERNEL_DISPATCH))
        show_rows(report, kernel_rows, ask_agent, agent.handle);

    struct item regions = {report, "Region", region_rows, ask_region, 0};
    report_open(report, "regions", true, NULL);
    hsa_status_t status = hsa_agent_iterate_regions(agent, show_region, &regions);
    report_close(report, true);
    bool succeeded = hsa_succeeded(&program, status, "listing the regions");

    struct item isas = {report, "Instruction set", isa_rows, ask_isa, 0};
    report_open(report, "isas", true, NULL);
    status = hsa_agent_iterate_isas(agent, show_isa, &isas);
    report_close(report, true);
    // An agent that runs no kernels has no instruction set.
    if (status != HSA_STATUS_ERROR_INVALID_AGENT && !hsa_succeeded(&program, status, "listing the instruction sets"))
        succeeded = false;
    report_close(report, false);
    return succeeded;
}

static bool show_all(bool json)
{
    struct report report = {.json = json};
    struct hsa_agent_list list;
    if (!hsa_list_agents(&program, &list))
        return false;
    report_open(&report, NULL, false, NULL);
    report_open(&report, "system", false, "System");
    show_rows(&report, system_rows, ask_system, 0);
    report_close(&report, false);
    report_open(&report, "agents", true, NULL);
    bool succeeded = true;
    for (size_t i = 0; i < list.count; i++)
        succeeded &= show_agent(&report, i, list.agent[i]);
    report_close(&report, true);
    report_close(&report, false);
    return succeeded;
}

int main(int argc, char **argv)
{
    bool json = false;
    struct cli cli = cli_start(&program, argc, argv);
    for (int id; (id = cli_next(&cli)) != CLI_END;)
        switch (id) {
        case OPT_JSON: json = true; break;
        case CLI_OPERAND: return cli_usage_error(&program, "unexpected argument %s", cli.value);
        case CLI_EXIT: return cli.status;
        }
    hsa_ask_for_messages();
    if (!hsa_succeeded(&program, hsa_init(), "starting the HSA runtime"))
        return CLI_STATUS_DIAGNOSED;
    int status = show_all(json) ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED;
    if (!hsa_succeeded(&program, hsa_shut_down(), "stopping the HSA runtime"))
        status = CLI_STATUS_DIAGNOSED;
    return cli_finish(&program, status);
}
