/* SPDX-License-Identifier: MIT */
/* What the tests of programs of HSA 1.0 provisional share; see provisional_common.h. */
#include "testsuite/runtime/provisional_common.h"

#include "hsail/hsail.h"

#include <stdlib.h>
#include <string.h>

hsa_agent_t gpus[2], cpu;
hsa_region_t kernarg;
static int gpu_count;

static hsa_status_t keep_agent(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;
    (void)data;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_CPU)
        cpu = agent;
    else if (gpu_count < 2)
        gpus[gpu_count++] = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t keep_region(hsa_region_t region, void *data)
{
    hsa_segment_t segment;
    uint32_t flags;
    (void)data;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    hsa_region_get_info(region, HSA_REGION_INFO_FLAGS, &flags);
    if (segment == HSA_SEGMENT_GLOBAL && flags & HSA_REGION_FLAG_KERNARG)
        kernarg = region;
    return HSA_STATUS_SUCCESS;
}

static uint64_t number(const char *at, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

bool assemble_table(struct table *table, const char *text, bool old_headers)
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    bool good = hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
                hsail_assemble(context, "text", text, strlen(text), 0, &module) == HSAIL_STATUS_OK;
    size_t size = good ? hsail_module_size(module) : 0;
    char *bytes = table->bytes = good ? malloc(size) : NULL;
    if (bytes)
        memcpy(bytes, hsail_module_data(module), size);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    table->count = 3;
    for (size_t i = 0; i < 3 && bytes; i++) {
        char *section = bytes + number(bytes + number(bytes + 96, 8) + 8 * i, 8);
        if (old_headers) {
            uint32_t header[3] = {(uint32_t)number(section, 4), (uint32_t)number(section + 8, 4),
                                  (uint32_t)number(section + 12, 4)};
            memmove(section + 12, section + 16, header[2]);
            memcpy(section, header, sizeof header);
        }
        table->section[i] = (hsa_ext_brig_section_header_t *)(void *)section;
    }
    return bytes != NULL;
}

uint32_t find_entry(const struct table *table, const char *name)
{
    const char *code = (const char *)table->section[1], *data = (const char *)table->section[0];
    bool now = !number(code + 4, 4);
    uint32_t at = (uint32_t)number(code + (now ? 8 : 4), 4), end = (uint32_t)number(code, 4);
    for (; at < end; at += (uint32_t)number(code + at, 2)) {
        uint32_t kind = (uint32_t)number(code + at + 2, 2), string = (uint32_t)number(code + at + 4, 4);
        bool symbol = (kind >= 0x1006 && kind <= 0x1008) || kind == 0x100e;
        if (symbol && number(data + string, 4) == strlen(name) && !memcmp(data + string + 4, name, strlen(name)))
            return at;
    }
    return 0;
}

bool find_two_gpus(void)
{
    return hsa_iterate_agents(keep_agent, NULL) == HSA_STATUS_SUCCESS && gpu_count == 2 &&
           hsa_agent_iterate_regions(gpus[0], keep_region, NULL) == HSA_STATUS_SUCCESS && kernarg;
}

static void submit(hsa_queue_t *queue, const hsa_dispatch_packet_t *packet)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    char *slot = (char *)(uintptr_t)queue->base_address + index % queue->size * 64;
    memcpy(slot + 4, (const char *)packet + 4, 60);
    __atomic_store_n((uint32_t *)(void *)slot, (uint32_t)number((const char *)packet, 4), __ATOMIC_RELEASE);
    hsa_signal_store_release(queue->doorbell_signal, (hsa_signal_value_t)index);
}

uint32_t run_descriptor(hsa_agent_t agent, const hsa_ext_code_descriptor_t *descriptor)
{
    uint32_t *result = NULL;
    uint64_t *arguments = NULL;
    hsa_queue_t *queue = NULL;
    hsa_signal_t done;
    if (hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, &queue) != HSA_STATUS_SUCCESS ||
        hsa_memory_allocate(kernarg, 4096, (void **)&arguments) != HSA_STATUS_SUCCESS)
        return 0;
    result = (uint32_t *)(arguments + 8);
    *result = 0;
    arguments[0] = (uintptr_t)result;
    hsa_signal_create(1, 0, NULL, &done);
    hsa_dispatch_packet_t packet = {
        .header = {.type = HSA_PACKET_TYPE_DISPATCH,
                   .acquire_fence_scope = HSA_FENCE_SCOPE_SYSTEM,
                   .release_fence_scope = HSA_FENCE_SCOPE_SYSTEM},
        .dimensions = 1,
        .workgroup_size_x = 1,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = 1,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .private_segment_size = descriptor->workitem_private_segment_byte_size,
        .group_segment_size = descriptor->workgroup_group_segment_byte_size,
        .kernel_object_address = descriptor->code.handle,
        .kernarg_address = (uintptr_t)arguments,
        .completion_signal = done};
    submit(queue, &packet);
    while (hsa_signal_wait_acquire(done, HSA_LT, 1, UINT64_MAX, HSA_WAIT_EXPECTANCY_UNKNOWN) > 0)
        ;
    uint32_t value = *result;
    hsa_signal_destroy(done);
    hsa_queue_destroy(queue);
    hsa_memory_free(arguments);
    return value;
}
