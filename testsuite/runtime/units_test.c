/* SPDX-License-Identifier: MIT */
/* Tests the compute units that queues may use, and their priorities, on a software GPU of four units. Expected is what
 * the documents say about the functions and HSA_CU_MASK; kernels tell on which unit they run. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

static hsa_agent_t gpu;
static uint64_t kernels[MACHINE_KERNELS];

static bool begin(const char *mask)
{
    hsa_executable_t executable = {0};
    setenv("HSA_CU_MASK", mask, 1);
    if (hsa_init() == HSA_STATUS_SUCCESS) {
        gpu = agent_named("gfx900", NULL);
        executable = machine_load(gpu, kernels);
    }
    return executable.handle;
}

static hsa_queue_t *queue_new(void)
{
    hsa_queue_t *queue = NULL;
    hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue);
    return queue;
}

static void start_kernel(hsa_queue_t *queue, enum machine_kernel kernel, uint32_t groups, void *argument,
                         hsa_signal_t done)
{
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[kernel], groups, done);
    packet.header |= HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    packet.kernarg_address = argument;
    submit(queue, &packet);
}

/* The units on which the groups of a kernel ran. */
static uint32_t units_used(hsa_queue_t *queue)
{
    static uint32_t used __attribute__((aligned(64)));
    hsa_signal_t done;
    used = 0;
    hsa_signal_create(1, 0, NULL, &done);
    start_kernel(queue, MACHINE_UNIT, 20000, &used, done);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_signal_destroy(done);
    return used;
}

static uint32_t mask_of(hsa_queue_t *queue)
{
    uint32_t mask[2] = {0, 77};
    bool got = hsa_amd_queue_cu_get_mask(queue, 64, mask) == HSA_STATUS_SUCCESS && !mask[1];
    return got ? mask[0] : 0;
}

static hsa_status_t set(hsa_queue_t *queue, uint32_t mask)
{
    return hsa_amd_queue_cu_set_mask(queue, 32, &mask);
}

static void masks(void)
{
    if (!ok(begin(""), "the agent has four units"))
        return;
    hsa_queue_t *queue = queue_new();
    uint32_t mask = 0;
    ok(mask_of(queue) == 0xf, "a queue may use all units");
    ok(set(queue, 4) == HSA_STATUS_SUCCESS && mask_of(queue) == 4 && units_used(queue) == 4,
       "a queue may use the third unit only");
    ok(set(queue, 0xa) == HSA_STATUS_SUCCESS && mask_of(queue) == 0xa, "a queue may use two units");
    mask = units_used(queue);
    ok(mask && !(mask & ~0xau), "kernels run on these: %#x", mask);
    ok(set(queue, 0xf1) == HSA_STATUS_SUCCESS && mask_of(queue) == 1, "units that are not there are ignored");
    ok(set(queue, 0xf0) == HSA_STATUS_ERROR_INVALID_ARGUMENT && mask_of(queue) == 1,
       "a mask that leaves no unit is refused");
    ok(hsa_amd_queue_cu_set_mask(queue, 0, NULL) == HSA_STATUS_SUCCESS && mask_of(queue) == 0xf,
       "an empty mask gives a queue all units again");
    ok(hsa_amd_queue_cu_set_mask(queue, 33, &mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_queue_cu_set_mask(queue, 32, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_queue_cu_set_mask(NULL, 32, &mask) == HSA_STATUS_ERROR_INVALID_QUEUE &&
           hsa_amd_queue_cu_get_mask(queue, 0, &mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_queue_cu_get_mask(queue, 33, &mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_queue_cu_get_mask(queue, 32, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_queue_cu_get_mask(NULL, 32, &mask) == HSA_STATUS_ERROR_INVALID_QUEUE,
       "wrong arguments of masks are refused");
    hsa_shut_down();
}

static void environment(void)
{
    static const struct {
        const char *value;
        uint32_t mask;
    } cases[] = {{"0:0-1", 3},      {"1:0", 0xf}, {"0-2:1,3", 0xa}, {"1:0;0:2", 4}, {"0:x", 0xf},
                 {"0:3-1", 0xf},    {"0", 0xf},   {"0:1;", 0xf},    {"0:9", 0xf},   {"0:0-99999999999", 0xf},
                 {"0:2,100;5:1", 4}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t mask = begin(cases[i].value) ? mask_of(queue_new()) : 0;
        ok(mask == cases[i].mask, "HSA_CU_MASK=%s: %#x", cases[i].value, mask);
        hsa_shut_down();
    }
    begin("0:0-1");
    hsa_queue_t *queue = queue_new();
    ok(set(queue, 6) == (hsa_status_t)HSA_STATUS_CU_MASK_REDUCED && mask_of(queue) == 2,
       "HSA_CU_MASK limits the mask of a queue");
    ok(set(queue, 1) == HSA_STATUS_SUCCESS && units_used(queue) == 1,
       "a queue may have a part of what HSA_CU_MASK leaves");
    hsa_shut_down();
}

enum { URGENT = 300000, OTHERS = 1000000 };

/* Runs OTHERS groups at low priority, and URGENT groups at high priority as soon as the first of those has run. Returns
 * how many of the others ran meanwhile; more than that if the host took the processor away before the count was read.
 */
static uint64_t others_meanwhile(hsa_queue_t *low, hsa_queue_t *high)
{
    static uint64_t counts[2] __attribute__((aligned(64)));
    hsa_signal_t done[2];
    for (unsigned i = 0; i < 2; i++) {
        counts[i] = 0;
        hsa_signal_create(1, 0, NULL, &done[i]);
    }
    start_kernel(low, MACHINE_ADD, OTHERS, &counts[0], done[0]);
    while (!__atomic_load_n(&counts[0], __ATOMIC_RELAXED))
        ;
    start_kernel(high, MACHINE_ADD, URGENT, &counts[1], done[1]);
    while (!__atomic_load_n(&counts[1], __ATOMIC_RELAXED))
        ;
    uint64_t before = __atomic_load_n(&counts[0], __ATOMIC_RELAXED);
    hsa_signal_wait_scacquire(done[1], HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE);
    uint64_t meanwhile = __atomic_load_n(&counts[0], __ATOMIC_RELAXED) - before;
    hsa_signal_wait_scacquire(done[0], HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    bool all = counts[0] == OTHERS && counts[1] == URGENT;
    for (unsigned i = 0; i < 2; i++)
        hsa_signal_destroy(done[i]);
    return all ? meanwhile : UINT64_MAX;
}

static void priorities(void)
{
    enum { ATTEMPTS = 400 }; /* a busy machine needs many until one succeeds, which is the last */
    if (!ok(begin(""), "two queues"))
        return;
    hsa_queue_t *high = queue_new(), *low = queue_new();
    ok(hsa_amd_queue_set_priority(high, HSA_AMD_QUEUE_PRIORITY_HIGH) == HSA_STATUS_SUCCESS &&
           hsa_amd_queue_set_priority(low, HSA_AMD_QUEUE_PRIORITY_LOW) == HSA_STATUS_SUCCESS &&
           hsa_amd_queue_set_priority(low, (hsa_amd_queue_priority_t)3) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_queue_set_priority(NULL, HSA_AMD_QUEUE_PRIORITY_LOW) == HSA_STATUS_ERROR_INVALID_QUEUE,
       "priorities");
    /* Without priorities, at least two thirds as many others run in nearly every attempt. */
    bool complete = true;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < ATTEMPTS && complete && least >= URGENT / 3; i++) {
        uint64_t meanwhile = others_meanwhile(low, high);
        complete = meanwhile != UINT64_MAX;
        least = meanwhile < least ? meanwhile : least;
    }
    ok(least < URGENT / 3, "while %d urgent groups ran, %llu others did", URGENT, (unsigned long long)least);
    ok(complete, "the others come after them");
    hsa_shut_down();
}

int main(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    setenv("HSA_GCN_THREADS", "4", 1);
    masks();
    environment();
    unsetenv("HSA_CU_MASK");
    priorities();
    return tap_done();
}
