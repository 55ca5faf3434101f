/* SPDX-License-Identifier: MIT */
/* Kernel arguments, queue, packet and signal through the HSA API; see run_dispatch.h.
 * Input: a loaded kernel and filled arguments. Output: the buffers as the kernel leaves them, and times.
 * Invariant: a fault in the kernel or a refused packet ends in a message, never in endless waiting. */
#include "tools/run_dispatch.h"

#include <string.h>

#include "tools/hsa_util.h"
#include "tools/run_launch.h"
#include "tools/run_report.h"

#define QUEUE_PACKETS 64

/* An agent's regions of the two kinds needed here. */
struct regions {
    bool kernarg;
    hsa_region_t found;
    bool any;
};

static hsa_status_t look_at_region(hsa_region_t region, void *data)
{
    struct regions *search = data;
    hsa_region_segment_t segment = HSA_REGION_SEGMENT_GROUP;
    uint32_t flags = 0;
    bool allowed = false;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    hsa_region_get_info(region, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
    if (segment != HSA_REGION_SEGMENT_GLOBAL || !allowed)
        return HSA_STATUS_SUCCESS;
    uint32_t wanted = search->kernarg ? HSA_REGION_GLOBAL_FLAG_KERNARG : HSA_REGION_GLOBAL_FLAG_FINE_GRAINED;
    if (!(flags & wanted))
        return HSA_STATUS_SUCCESS;
    search->found = region;
    search->any = true;
    return HSA_STATUS_INFO_BREAK;
}

static bool find_region(const struct cli_program *program, hsa_agent_t agent, bool kernarg, hsa_region_t *region)
{
    struct regions search = {.kernarg = kernarg};
    hsa_status_t status = hsa_agent_iterate_regions(agent, look_at_region, &search);
    if (!hsa_succeeded(program, status, "listing the agent's regions"))
        return false;
    if (!search.any) {
        cli_error(program, "the agent has no region for %s", kernarg ? "kernel arguments" : "buffers");
        return false;
    }
    *region = search.found;
    return true;
}

static void *allocate_buffer(void *context, size_t size)
{
    void *data = NULL;
    hsa_region_t region = {(uint64_t)(uintptr_t)context};
    return hsa_memory_allocate(region, size, &data) == HSA_STATUS_SUCCESS ? data : NULL;
}

static void release_buffer(void *context, void *data)
{
    (void)context;
    if (data)
        hsa_memory_free(data);
}

bool run_memory_open(const struct cli_program *program, hsa_agent_t agent, struct run_memory *memory)
{
    hsa_region_t region;
    if (!find_region(program, agent, false, &region))
        return false;
    *memory = (struct run_memory){allocate_buffer, release_buffer, (void *)(uintptr_t)region.handle};
    return true;
}

/* Allocates the kernel arguments and fills them in; run_launch_check() has accepted them. */
static bool make_kernarg(const struct cli_program *program, hsa_agent_t agent, const struct run_kernel *kernel,
                         const struct run_argument *arguments, size_t count, const struct run_dispatch *dispatch,
                         void **kernarg)
{
    *kernarg = NULL;
    if (!kernel->kernarg_size)
        return true;
    hsa_region_t region;
    if (!find_region(program, agent, true, &region) ||
        !hsa_succeeded(program, hsa_memory_allocate(region, kernel->kernarg_size, kernarg),
                       "allocating kernel arguments"))
        return false;
    memset(*kernarg, 0, kernel->kernarg_size);
    run_launch_store(kernel, arguments, count, dispatch, *kernarg);
    return true;
}

/* What the queue's error callback leaves for the waiting thread. */
struct fault {
    hsa_status_t status;
    bool stopped; /* set by the waiting thread */
    hsa_signal_t completion;
};

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)queue;
    struct fault *fault = data;
    __atomic_store_n(&fault->status, status, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(fault->completion, -1);
}

static void write_packet(hsa_queue_t *queue, const struct run_kernel *kernel, const struct run_dispatch *dispatch,
                         void *kernarg, hsa_signal_t completion)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *packet =
        (hsa_kernel_dispatch_packet_t *)queue->base_address + (index & (queue->size - 1));
    packet->workgroup_size_x = dispatch->group[0];
    packet->workgroup_size_y = dispatch->group[1];
    packet->workgroup_size_z = dispatch->group[2];
    packet->reserved0 = 0;
    packet->grid_size_x = dispatch->grid[0];
    packet->grid_size_y = dispatch->grid[1];
    packet->grid_size_z = dispatch->grid[2];
    packet->private_segment_size = kernel->private_size + dispatch->extra_private;
    packet->group_segment_size = kernel->group_size + dispatch->extra_group;
    packet->kernel_object = kernel->object;
    packet->kernarg_address = kernarg;
    packet->reserved2 = 0;
    packet->completion_signal = completion;
    uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE;
    uint16_t setup = (uint16_t)(dispatch->dimensions << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
    // The header is written last, together with the setup beside it: from then on the packet belongs to the agent.
    __atomic_store_n((uint32_t *)packet, (uint32_t)header | (uint32_t)setup << 16, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

/* Waits until the completion signal drops below 1. A negative value means that the kernel was stopped; run_dispatch()
 * reports that after it has destroyed the queue, when the queue's callback has been called. */
static bool wait_for(const struct cli_program *program, const struct run_dispatch *dispatch, struct fault *fault)
{
    uint64_t frequency = 0, limit = UINT64_MAX;
    hsa_signal_value_t left;
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    if (dispatch->timeout && !__builtin_mul_overflow(dispatch->timeout, frequency, &limit))
        limit = limit ? limit : 1;
    else
        limit = UINT64_MAX;
    double start = run_clock();
    while ((left = hsa_signal_wait_scacquire(
                fault->completion, HSA_SIGNAL_CONDITION_LT, 1, limit, HSA_WAIT_STATE_BLOCKED)) >= 1)
        if (dispatch->timeout && run_clock() - start >= (double)dispatch->timeout) {
            cli_error(program, "the kernel did not end within %llu s", (unsigned long long)dispatch->timeout);
            return false;
        }
    fault->stopped = left < 0;
    return !fault->stopped;
}

static bool run_all(const struct cli_program *program, hsa_queue_t *queue, const struct run_kernel *kernel,
                    struct run_dispatch *dispatch, void *kernarg, struct fault *fault)
{
    dispatch->total = 0;
    for (uint64_t i = 0; i < dispatch->repeat; i++) {
        hsa_signal_store_relaxed(fault->completion, 1);
        double start = run_clock();
        write_packet(queue, kernel, dispatch, kernarg, fault->completion);
        if (!wait_for(program, dispatch, fault))
            return false;
        double time = run_clock() - start;
        dispatch->total += time;
        if (!i || time < dispatch->best)
            dispatch->best = time;
    }
    return true;
}

bool run_dispatch(const struct cli_program *program, hsa_agent_t agent, const struct run_kernel *kernel,
                  const struct run_argument *arguments, size_t count, struct run_dispatch *dispatch)
{
    struct fault fault = {.status = HSA_STATUS_SUCCESS};
    hsa_queue_t *queue = NULL;
    void *kernarg = NULL;
    if (!make_kernarg(program, agent, kernel, arguments, count, dispatch, &kernarg))
        return false;
    bool succeeded = hsa_succeeded(program, hsa_signal_create(1, 0, NULL, &fault.completion), "creating a signal");
    if (succeeded) {
        succeeded = hsa_succeeded(program,
                                  hsa_queue_create(agent, QUEUE_PACKETS, HSA_QUEUE_TYPE_SINGLE, on_error, &fault,
                                                   UINT32_MAX, UINT32_MAX, &queue),
                                  "creating a queue") &&
                    run_all(program, queue, kernel, dispatch, kernarg, &fault);
        if (queue) // ends a kernel that is still running, so that nothing uses what is freed below
            hsa_queue_destroy(queue);
        hsa_status_t status = __atomic_load_n(&fault.status, __ATOMIC_ACQUIRE);
        if (fault.stopped && !run_report_fault())
            hsa_succeeded(program, status == HSA_STATUS_SUCCESS ? HSA_STATUS_ERROR : status, "the kernel was stopped");
        hsa_signal_destroy(fault.completion);
    }
    if (kernarg)
        hsa_memory_free(kernarg);
    return succeeded;
}
