/* SPDX-License-Identifier: MIT */
/* Runs HSAIL text through the HSA API; see on_hsa.h.
 * Input: texts, kernels, arguments. Output: what the kernels write. Invariant: only one dispatch runs at a time. */
#include "testsuite/finalizer/on_hsa.h"

#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "testsuite/runtime/common.h"

enum { MODULES_MAX = 4 };

static struct {
    hsa_agent_t agent;
    hsa_region_t kernarg;
    hsa_queue_t *queue;
    hsa_signal_t done;
} hsa;

static hsa_status_t find_gpu_device(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;
    (void)data;
    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) == HSA_STATUS_SUCCESS && type == HSA_DEVICE_TYPE_GPU)
        hsa.agent = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t find_kernarg_region(hsa_region_t region, void *data)
{
    uint32_t flags = 0;
    (void)data;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
        hsa.kernarg = region;
    return HSA_STATUS_SUCCESS;
}

bool on_hsa_start(void)
{
    if (hsa_init() != HSA_STATUS_SUCCESS)
        return false;
    hsa_iterate_agents(find_gpu_device, NULL);
    hsa_agent_iterate_regions(hsa.agent, find_kernarg_region, NULL);
    return hsa_queue_create(hsa.agent, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX, &hsa.queue) ==
               HSA_STATUS_SUCCESS &&
           hsa_signal_create(1, 0, NULL, &hsa.done) == HSA_STATUS_SUCCESS;
}

void on_hsa_stop(void)
{
    hsa_signal_destroy(hsa.done);
    hsa_queue_destroy(hsa.queue);
    hsa_shut_down();
}

hsa_agent_t on_hsa_agent(void)
{
    return hsa.agent;
}

static void print_problem(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    printf("# line %zu: %s\n", diagnostic->line, diagnostic->message);
}

void *on_hsa_finalize(const char *const *texts, size_t count, size_t *size)
{
    hsail_context_t *context = NULL;
    hsail_module_t *modules[MODULES_MAX] = {NULL};
    hsail_finalize_module_t inputs[MODULES_MAX];
    void *code = NULL;
    bool fits = count <= MODULES_MAX && hsail_context_create(NULL, &context) == HSAIL_STATUS_OK;
    if (fits)
        hsail_context_set_diagnostics(context, print_problem, NULL);
    for (size_t i = 0; i < count && fits; i++) {
        fits = hsail_assemble(context, "text", texts[i], strlen(texts[i]), 0, &modules[i]) == HSAIL_STATUS_OK;
        if (fits)
            inputs[i] = (hsail_finalize_module_t){hsail_module_data(modules[i]), hsail_module_size(modules[i]), NULL};
    }
    if (fits && hsail_finalize(inputs, count, "gfx900", NULL, print_problem, NULL, &code, size) != HSAIL_STATUS_OK)
        code = NULL;
    for (size_t i = 0; i < MODULES_MAX; i++)
        hsail_module_destroy(modules[i]);
    hsail_context_destroy(context);
    return code;
}

hsa_executable_t on_hsa_executable(void)
{
    hsa_executable_t executable = {0};
    hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable);
    return executable;
}

hsa_status_t on_hsa_load(hsa_executable_t executable, const void *code, size_t size)
{
    hsa_code_object_reader_t reader = {0};
    hsa_status_t status = hsa_code_object_reader_create_from_memory(code, size, &reader);
    if (status == HSA_STATUS_SUCCESS)
        status = hsa_executable_load_agent_code_object(executable, hsa.agent, reader, NULL, NULL);
    hsa_code_object_reader_destroy(reader);
    return status;
}

static uint32_t kernel_number(hsa_executable_symbol_t kernel, hsa_executable_symbol_info_t attribute)
{
    uint32_t value = 0;
    hsa_executable_symbol_get_info(kernel, attribute, &value);
    return value;
}

/* A queue that has failed completes no packet, so the wait needs a limit. This one is more than enough on any machine.
 */
static bool wait_for_packet_done(void)
{
    enum { SECONDS = 120 };
    uint64_t frequency = 0;
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    return hsa_signal_wait_scacquire(
               hsa.done, HSA_SIGNAL_CONDITION_LT, 1, SECONDS * frequency, HSA_WAIT_STATE_BLOCKED) == 0;
}

bool on_hsa_run(hsa_executable_symbol_t kernel, uint32_t grid, uint16_t group, uint32_t dynamic,
                const uint64_t *arguments, size_t count)
{
    void *kernarg = NULL;
    uint64_t object = 0;
    hsa_executable_symbol_get_info(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
    hsa_kernel_dispatch_packet_t body = kernel_packet(object, grid, hsa.done);
    body.header |= HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
                   HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE;
    body.workgroup_size_x = group;
    body.private_segment_size = kernel_number(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
    body.group_segment_size = kernel_number(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE) + dynamic;
    if (!object || hsa_memory_allocate(hsa.kernarg, count * 8 + 8, &kernarg) != HSA_STATUS_SUCCESS)
        return false;
    memcpy(kernarg, arguments, count * 8);
    body.kernarg_address = kernarg;
    hsa_signal_store_relaxed(hsa.done, 1);
    submit(hsa.queue, &body);
    bool done = wait_for_packet_done();
    hsa_memory_free(kernarg);
    return done;
}
