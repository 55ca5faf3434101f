/* SPDX-License-Identifier: MIT */
/* Tests cooperative queues and global wave sync on the software GPU: barriers of whole grids, semaphores, and what is
 * refused. Expected values follow from what the kernels of machine_kernels.h do. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

static hsa_agent_t gpu;
static uint64_t kernels[MACHINE_KERNELS];
static hsa_status_t reported;
static uint32_t numbers[3] __attribute__((aligned(64)));

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)queue, (void)data;
    __atomic_store_n(&reported, status, __ATOMIC_RELEASE);
}

static hsa_queue_t *queue_of(hsa_queue_type32_t type)
{
    hsa_queue_t *queue = NULL;
    reported = HSA_STATUS_SUCCESS;
    hsa_queue_create(gpu, 64, type, on_error, NULL, UINT32_MAX, UINT32_MAX, &queue);
    return queue;
}

/* Runs a kernel with GROUPS groups of ITEMS work-items on the three numbers; false if it does not complete. */
static bool run(hsa_queue_t *queue, enum machine_kernel kernel, uint32_t groups, uint16_t items)
{
    hsa_signal_t done;
    hsa_signal_create(1, 0, NULL, &done);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[kernel], groups * items, done);
    packet.header |= HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    packet.workgroup_size_x = (uint16_t)items;
    packet.kernarg_address = numbers;
    submit(queue, &packet);
    hsa_signal_value_t value =
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_signal_destroy(done);
    return value == 0;
}

static void set(uint32_t first)
{
    numbers[0] = first;
    numbers[1] = numbers[2] = 0;
}

static void barriers(hsa_queue_t *queue)
{
    static const uint32_t counts[] = {1, 2, 60, 300};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint32_t n = counts[i];
        bool good = true;
        set(n - 1);
        good &= run(queue, MACHINE_GWS_INIT, 1, 1);
        for (unsigned round = 0; round < 3; round++) { /* the barrier has set the counter for the next round */
            set(n - 1);
            good &= run(queue, MACHINE_GWS_MEET, n, 64) && numbers[1] == n && numbers[2] == n * n;
        }
        ok(good, "%u groups meet: %u, %u", n, numbers[1], numbers[2]);
    }
}

static void semaphores(hsa_queue_t *queue)
{
    set(0);
    bool good = run(queue, MACHINE_GWS_INIT, 1, 1);
    for (unsigned round = 0; round < 3; round++) {
        set(49);
        good &= run(queue, MACHINE_GWS_SEMAPHORE, 50, 64) && numbers[1] == 49;
        set(0);
        good &= run(queue, MACHINE_GWS_INIT, 1, 1);
    }
    ok(good, "49 groups pass a semaphore: %u", numbers[1]);
}

/* The status with which the callback reports the kernel that has just failed. */
static hsa_status_t error_said(void)
{
    for (unsigned i = 0; i < 5000 && !__atomic_load_n(&reported, __ATOMIC_ACQUIRE); i++)
        usleep(1000);
    return reported;
}

static void refusals(void)
{
    hsa_queue_t *queue = queue_of(HSA_QUEUE_TYPE_MULTI);
    set(0);
    ok(!run(queue, MACHINE_GWS_MEET, 1, 64) && error_said() == (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
       "a queue that is not cooperative");
    hsa_queue_destroy(queue);
    queue = queue_of(HSA_QUEUE_TYPE_COOPERATIVE);
    set(4999);
    bool ready = run(queue, MACHINE_GWS_INIT, 1, 1);
    ok(ready && !run(queue, MACHINE_GWS_MEET, 5000, 1) && error_said() == HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "more groups than run at once");
    hsa_queue_destroy(queue);
    queue = queue_of(HSA_QUEUE_TYPE_COOPERATIVE);
    set(9);
    ready = run(queue, MACHINE_GWS_INIT, 1, 1);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_GWS_MEET], 9, (hsa_signal_t){0});
    packet.kernarg_address = numbers;
    submit(queue, &packet);
    while (__atomic_load_n(&numbers[1], __ATOMIC_ACQUIRE) < 9)
        usleep(100);
    ok(ready && !hsa_queue_destroy(queue), "a queue is destroyed while nine groups wait for a tenth");
}

int main(void)
{
    bool may = false;
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    setenv("HSA_GCN_THREADS", "2", 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    gpu = agent_named("gfx900", NULL);
    hsa_agent_get_info(gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES, &may);
    hsa_executable_t executable = machine_load(gpu, kernels);
    hsa_queue_t *queue = queue_of(HSA_QUEUE_TYPE_COOPERATIVE);
    if (!ok(may && executable.handle && queue && queue->type == HSA_QUEUE_TYPE_COOPERATIVE, "a cooperative queue"))
        return tap_done();
    barriers(queue);
    semaphores(queue);
    ok(reported == HSA_STATUS_SUCCESS && !hsa_queue_destroy(queue),
       "no error was reported, and the queue is destroyed");
    refusals();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
