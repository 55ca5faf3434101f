/* SPDX-License-Identifier: MIT */
/* Runs every example through the public API: libhsail assembles it, the HSA extension finalizes it, and it is
 * dispatched. Each buffer is compared with what plain C computes, with one and with two worker threads of the software
 * GPU, which reads their number when the runtime starts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hsa/hsa.h"
#include "hsa/hsa_ext_finalize.h"
#include "hsail/hsail.h"
#include "testsuite/examples/example_case.h"
#include "testsuite/tap.h"

/* The module of examples/NAME.hsail, validated. */
static hsail_module_t *assemble(const char *name)
{
    char path[4096], text[65536];
    snprintf(path, sizeof path, "%s/examples/%s.hsail", getenv("srcdir"), name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    hsail_context_t *context;
    hsail_module_t *module = NULL;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK ||
        hsail_assemble(context, path, text, size, 0, &module) != HSAIL_STATUS_OK)
        printf("# %s: it does not assemble\n", path);
    hsail_context_destroy(context);
    return module;
}

static hsa_status_t find_gpu(hsa_agent_t agent, void *found)
{
    hsa_device_type_t type;
    hsa_agent_feature_t features;
    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) != HSA_STATUS_SUCCESS ||
        hsa_agent_get_info(agent, HSA_AGENT_INFO_FEATURE, &features) != HSA_STATUS_SUCCESS ||
        type != HSA_DEVICE_TYPE_GPU || !(features & HSA_AGENT_FEATURE_KERNEL_DISPATCH))
        return HSA_STATUS_SUCCESS;
    *(hsa_agent_t *)found = agent;
    return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t find_kernarg(hsa_region_t region, void *found)
{
    uint32_t flags = 0;
    if (hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags) != HSA_STATUS_SUCCESS ||
        !(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
        return HSA_STATUS_SUCCESS;
    *(hsa_region_t *)found = region;
    return HSA_STATUS_INFO_BREAK;
}

static void on_queue_error(hsa_status_t status, hsa_queue_t *queue, void *completion)
{
    const char *text = "";
    (void)queue;
    hsa_status_string(status, &text);
    printf("# the queue stopped: %s\n", text);
    hsa_signal_store_screlease(*(hsa_signal_t *)completion, -1);
}

static hsa_status_t finalize(hsa_agent_t agent, hsa_ext_module_t brig, hsa_code_object_t *code_object)
{
    hsa_ext_program_t program;
    hsa_ext_control_directives_t directives;
    memset(&directives, 0, sizeof directives);
    hsa_isa_t isa;
    hsa_status_t status = hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa);
    if (status == HSA_STATUS_SUCCESS)
        status = hsa_ext_program_create(
            HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL, &program);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    status = hsa_ext_program_add_module(program, brig);
    if (status == HSA_STATUS_SUCCESS)
        status = hsa_ext_program_finalize(program, isa, HSA_EXT_FINALIZER_CALL_CONVENTION_AUTO, directives, NULL,
                                          HSA_CODE_OBJECT_TYPE_PROGRAM, code_object);
    hsa_ext_program_destroy(program);
    return status;
}

/* Lays the arguments out as HSAIL does, each at a multiple of its size; buffers get fresh copies of their data. */
static size_t place_arguments(const struct example_case *made, void *buffers[], char *kernarg)
{
    size_t offset = 0;
    for (size_t i = 0; i < made->count; i++) {
        const struct example_argument *argument = &made->argument[i];
        size_t bytes = argument->size ? 8 : 4;
        offset = (offset + bytes - 1) / bytes * bytes;
        if (argument->size) {
            buffers[i] = malloc(argument->size);
            memcpy(buffers[i], argument->data, argument->size);
            memcpy(kernarg + offset, &buffers[i], sizeof buffers[i]);
        } else {
            memcpy(kernarg + offset, &argument->scalar, bytes);
        }
        offset += bytes;
    }
    return offset;
}

static bool dispatch(hsa_agent_t agent, const struct example_case *made, uint64_t object, uint32_t group_size,
                     uint32_t private_size, void *kernarg)
{
    hsa_queue_t *queue;
    hsa_signal_t completion;
    if (hsa_signal_create(1, 0, NULL, &completion) != HSA_STATUS_SUCCESS)
        return false;
    if (hsa_queue_create(agent, 16, HSA_QUEUE_TYPE_SINGLE, on_queue_error, &completion, UINT32_MAX, UINT32_MAX,
                         &queue) != HSA_STATUS_SUCCESS)
        return false;
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *packet =
        (hsa_kernel_dispatch_packet_t *)queue->base_address + (index & (queue->size - 1));
    hsa_kernel_dispatch_packet_t body = {
        .setup = (uint16_t)made->dimensions,
        .workgroup_size_x = made->group[0],
        .workgroup_size_y = made->group[1],
        .workgroup_size_z = made->group[2],
        .grid_size_x = made->grid[0],
        .grid_size_y = made->grid[1],
        .grid_size_z = made->grid[2],
        .private_segment_size = private_size,
        .group_segment_size = group_size,
        .kernel_object = object,
        .kernarg_address = kernarg,
        .completion_signal = completion,
    };
    memcpy((char *)packet + 4, (char *)&body + 4, sizeof body - 4);
    uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE;
    __atomic_store_n((uint32_t *)packet, header | (uint32_t)body.setup << 16, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
    hsa_signal_value_t left =
        hsa_signal_wait_scacquire(completion, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(completion);
    return left == 0;
}

/* Runs the kernel and compares every buffer, also those that it must leave alone. */
static void run_kernel(hsa_agent_t agent, const char *name, hsa_executable_t executable)
{
    char symbol_name[64];
    snprintf(symbol_name, sizeof symbol_name, "&%s", name);
    hsa_executable_symbol_t symbol;
    uint64_t object = 0;
    uint32_t kernarg_size = 0, group_size = 0, private_size = 0;
    hsa_region_t region = {0};
    void *kernarg = NULL;
    if (!ok(hsa_executable_get_symbol(executable, NULL, symbol_name, agent, 0, &symbol) == HSA_STATUS_SUCCESS,
            "%s: the kernel is found", name))
        return;
    uint32_t length = 0;
    char reported[sizeof symbol_name] = "";
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length);
    if (length < sizeof reported)
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, reported);
    ok(!strcmp(reported, symbol_name), "%s: it is called %s", name, reported);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernarg_size);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group_size);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &private_size);
    hsa_agent_iterate_regions(agent, find_kernarg, &region);

    struct example_case made;
    for (size_t i = 0; i < example_count; i++)
        if (!strcmp(examples[i].name, name))
            example_make(&examples[i], &made);
    char block[256] = {0};
    void *buffers[EXAMPLE_ARGUMENTS] = {0};
    size_t needed = place_arguments(&made, buffers, block);
    if (ok(needed <= kernarg_size && kernarg_size < needed + 16, "%s: %u bytes of kernel arguments", name,
           kernarg_size) &&
        ok(hsa_memory_allocate(region, kernarg_size, &kernarg) == HSA_STATUS_SUCCESS, "%s: kernarg memory", name)) {
        memcpy(kernarg, block, kernarg_size);
        ok(dispatch(agent, &made, object, group_size, private_size, kernarg), "%s: completes", name);
        hsa_memory_free(kernarg);
        for (size_t i = 0; i < made.count; i++) {
            const struct example_argument *argument = &made.argument[i];
            if (argument->size)
                ok(!memcmp(buffers[i], argument->expected ? argument->expected : argument->data, argument->size),
                   "%s: argument %zu", name, i + 1);
        }
    }
    for (size_t i = 0; i < made.count; i++)
        free(buffers[i]);
    example_free(&made);
}

static void run_example(hsa_agent_t agent, const char *name)
{
    hsa_code_object_t code_object;
    hsa_executable_t executable;
    hsail_module_t *module = assemble(name);
    if (!ok(module != NULL, "%s: assembles", name))
        return;
    if (ok(finalize(agent, (hsa_ext_module_t)hsail_module_data(module), &code_object) == HSA_STATUS_SUCCESS,
           "%s: finalizes", name)) {
        ok(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable) ==
                   HSA_STATUS_SUCCESS &&
               hsa_executable_load_code_object(executable, agent, code_object, NULL) == HSA_STATUS_SUCCESS &&
               hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS,
           "%s: loads", name);
        run_kernel(agent, name, executable);
        ok(hsa_executable_destroy(executable) == HSA_STATUS_SUCCESS &&
               hsa_code_object_destroy(code_object) == HSA_STATUS_SUCCESS,
           "%s: unloads", name);
    }
    hsail_module_destroy(module);
}

int main(void)
{
    // hsa_init() reads the number of threads, so one process can try both.
    static const char *const threads[] = {"1", "2"};
    for (int i = 0; i < 2; i++) {
        hsa_agent_t gpu = {0};
        setenv("HSA_GCN_THREADS", threads[i], 1);
        printf("# %s worker threads\n", threads[i]);
        ok(hsa_init() == HSA_STATUS_SUCCESS, "hsa_init");
        hsa_iterate_agents(find_gpu, &gpu);
        if (ok(gpu.handle != 0, "there is a GPU agent"))
            for (size_t e = 0; e < example_count; e++)
                run_example(gpu, examples[e].name);
        ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "hsa_shut_down");
    }
    return tap_done();
}
