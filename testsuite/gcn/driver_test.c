/* SPDX-License-Identifier: MIT */
/* Tests the driver of the software GPU: kernels, barrier packets, errors, groups that wait for each other, queues that
 * are destroyed while a kernel spins, profiling, and how fast empty dispatches are. */
#include "hsa/hsa_ext_amd.h"
#include "testsuite/dispatch_packet.h"
#include "testsuite/gcn/driver_core.h"
#include "testsuite/seconds.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Kernels: s[4:5] kernarg, s8 work-group id. */
static const uint32_t store_triple[] = {/* out[gid] = 3 * gid, in groups of 64 */
                                        0xc0060002, 0,          0x24020086, 0x8e028608, 0x68040002, 0x10060483,
                                        0x24040482, 0xbf8cc07f, 0xdc708000, 0x00000302, 0xbf810000};
static const uint32_t endless[] = {0xbf82ffff};
static const uint32_t bad_address[] = {0x7e000290, 0x7e020280, 0xdc508000, 0x027f0000, 0xbf810000};
static const uint32_t trap[] = {0xbf920002, 0xbf810000};
static const uint32_t illegal[] = {0xbf800000, 0xffffffff};
static const uint32_t interpolates[] = {0xd4000002, 0xbf810000};
static const uint32_t exports[] = {0xc400180f, 0x03020100, 0xbf810000};
static const uint32_t counts_in_order[] = {0xd97f0000, 0x00000001, 0xbf810000};
static const uint32_t no_form[] = {0xbf110100, 0x7e0002f9, 0x00050601, 0xbf810000}; /* relative addressing and SDWA */
static const uint32_t runs_off[] = {0xbf800000};
static const uint32_t reciprocal_of_zero[] = {0x7e024480, 0xbf810000};
static const uint32_t empty[] = {0xbf810000};
/* Every group but number kernarg[2] waits until that one has set *kernarg[0] to 1. */
static const uint32_t wait_for_last[] = {
    0xc0060002, 0,          0xc0020082, 8,          0x7e020280, 0x7e040281, 0xbf8cc07f,
    0xbf060208, 0xbf850006, 0xdc518000, 0x03000001, 0xbf8c0f70, 0x7d940681, 0xbf86fffa,
    0xbf810000, 0xdc708000, 0x00000201, 0xbf8c0f70, 0xbf810000};
#define LOAD(kernel, code) core_load(kernel, code, sizeof code / sizeof code[0])

static struct core_kernel *kernel;
static amd_signal_t signals[4] __attribute__((aligned(64)));

static hsa_kernel_dispatch_packet_t dispatch(uint32_t group, uint32_t grid, void *kernarg, amd_signal_t *done)
{
    hsa_kernel_dispatch_packet_t packet = dispatch_packet((uint64_t)(uintptr_t)kernel, group, grid);
    packet.header |= 1 << HSA_PACKET_HEADER_BARRIER;
    packet.kernarg_address = kernarg;
    packet.completion_signal = done ? core_handle(done) : (hsa_signal_t){0};
    return packet;
}

static void test_kernel(struct core_queue *queue)
{
    enum { ITEMS = 1000 };
    static uint32_t out[ITEMS + 64];
    uint32_t *argument = out;
    hsa_kernel_dispatch_packet_t packet = dispatch(64, ITEMS, &argument, &signals[0]);
    LOAD(kernel, store_triple);
    memset(out, 0xff, sizeof out);
    core_signal_init(&signals[0], 1);
    queue->amd.queue_properties |= AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    core_submit(queue, &packet, true);
    ok(core_wait(&signals[0], 0), "a kernel completes");
    unsigned wrong = 0;
    for (uint32_t i = 0; i < ITEMS + 64; i++)
        wrong += out[i] != (i < ITEMS ? 3 * i : UINT32_MAX);
    ok(wrong == 0, "each work-item of the grid, and no other, has stored its value (%u wrong)", wrong);
    ok(signals[0].start_ts && signals[0].end_ts >= signals[0].start_ts, "profiling times");
    queue->amd.queue_properties &= ~(uint32_t)AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    core_unload(kernel);
}

static void test_barriers(struct core_queue *queue)
{
    hsa_barrier_and_packet_t packet = {.header = HSA_PACKET_TYPE_BARRIER_AND};
    struct timespec pause = {0, 3000000};
    for (int i = 0; i < 3; i++)
        core_signal_init(&signals[i], 1);
    packet.dep_signal[0] = core_handle(&signals[1]);
    packet.dep_signal[3] = core_handle(&signals[2]);
    packet.completion_signal = core_handle(&signals[0]);
    core_submit(queue, &packet, true);
    core_signal_store(&signals[2], 0);
    nanosleep(&pause, NULL);
    ok(signals[0].value == 1, "barrier-AND waits for all");
    core_signal_store(&signals[1], 0);
    ok(core_wait(&signals[0], 0), "barrier-AND completes");
    for (int i = 0; i < 3; i++)
        core_signal_init(&signals[i], 1);
    packet.header = HSA_PACKET_TYPE_BARRIER_OR;
    core_submit(queue, &packet, true);
    nanosleep(&pause, NULL);
    ok(signals[0].value == 1, "barrier-OR waits");
    core_signal_store(&signals[2], 0);
    ok(core_wait(&signals[0], 0), "barrier-OR completes after one");
    for (int i = 0; i < 3; i++)
        core_signal_init(&signals[i], 1);
    packet.header = HSA_PACKET_TYPE_BARRIER_AND;
    core_submit(queue, &packet, true);
    nanosleep(&pause, NULL);
    core_signal_store(&signals[1], -1);
    ok(core_wait(&signals[0], -1), "barrier-AND fails with a dependency that failed");
    packet.header = HSA_PACKET_TYPE_BARRIER_OR;
    memset(packet.dep_signal, 0, sizeof packet.dep_signal);
    core_signal_init(&signals[0], 1);
    core_submit(queue, &packet, true);
    ok(core_wait(&signals[0], 0), "barrier-OR without dependencies completes");
}

static void test_error(const char *name, const uint32_t *code, unsigned n, int status, const char *says)
{
    struct core_queue *queue = core_queue_new();
    core_load(kernel, code, n);
    core_signal_init(&signals[0], 1);
    core_signal_init(&signals[1], 1);
    core.errors = 0;
    hsa_kernel_dispatch_packet_t packet = dispatch(64, 64, NULL, &signals[0]);
    core_submit(queue, &packet, false);
    packet.completion_signal = core_handle(&signals[1]);
    core_submit(queue, &packet, true);
    bool told = core_wait_error(); /* before its text is read */
    ok(told && (int)core.error == status && strstr(core.text, says), "%s: %s", name, core.text);
    ok(signals[0].value < 0, "%s: completion signal is negative", name);
    core_queue_free(queue);
    ok(signals[1].value == 1 && core.errors == 1, "%s: nothing runs after it", name);
    core_unload(kernel);
}

/* A kernel with the address of its packet in s[0:1] reads the packet, and then stores to the page after it. */
static void test_packet_page(void)
{
    static const uint32_t overrun[] = {0xc0020080, 0, 0xbf8cc07f, 0xc0420080, 0x1000, 0xbf810000};
    struct core_queue *queue = core_queue_new();
    LOAD(kernel, overrun);
    kernel->descriptor.kernel_code_properties = AMD_KERNEL_ENABLE_SGPR_DISPATCH_PTR;
    hsa_kernel_dispatch_packet_t packet = dispatch(64, 64, NULL, NULL);
    core.errors = 0;
    core_submit(queue, &packet, true);
    bool told = core_wait_error();
    ok(told && core.error == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT && strstr(core.text, "s_store_dword"),
       "what follows the packet that a kernel sees is not there: %s", core.text);
    core_queue_free(queue);
    core_unload(kernel);
}

/* Exceptions that the descriptor enables stop the queue; others do nothing. */
static void test_exceptions(struct core_queue *queue)
{
    enum { ENABLE_DIVISION = 1 << 26, ENABLE_OTHERS = 0x7b << 24 };
    struct core_queue *stopped = core_queue_new();
    LOAD(kernel, reciprocal_of_zero);
    hsa_kernel_dispatch_packet_t packet = dispatch(64, 64, NULL, &signals[0]);
    kernel->descriptor.compute_pgm_rsrc2 |= ENABLE_OTHERS;
    core_signal_init(&signals[0], 1);
    core_submit(queue, &packet, true);
    ok(core_wait(&signals[0], 0), "a kernel that raises other exceptions than the enabled ones completes");
    kernel->descriptor.compute_pgm_rsrc2 |= ENABLE_DIVISION;
    core.errors = 0;
    core_submit(stopped, &packet, true);
    bool told = core_wait_error();
    ok(told && core.error == (hsa_status_t)HSA_STATUS_ERROR_EXCEPTION && strstr(core.text, "v_rcp_f32") &&
           strstr(core.text, "fault-divide-by-zero"),
       "one that raises an enabled exception stops: %s", core.text);
    core_queue_free(stopped);
    core_unload(kernel);
}

static void test_bad_packet(const char *name, hsa_kernel_dispatch_packet_t packet, hsa_status_t status)
{
    struct core_queue *queue = core_queue_new();
    core.errors = 0;
    core_submit(queue, &packet, true);
    bool told = core_wait_error();
    ok(told && core.error == status, "%s: status %d, %s", name, (int)core.error, core.text);
    core_queue_free(queue);
}

static void test_bad_packets(void)
{
    LOAD(kernel, empty);
    hsa_kernel_dispatch_packet_t good = dispatch(64, 64, NULL, NULL), packet = good;
    packet.header = HSA_PACKET_TYPE_AGENT_DISPATCH;
    test_bad_packet("agent dispatch", packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    packet.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
    test_bad_packet("vendor packet", packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    packet.header = 77;
    test_bad_packet("unknown packet", packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    packet = good;
    packet.setup = 0;
    test_bad_packet("no dimensions", packet, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    packet = good;
    packet.workgroup_size_x = 1025;
    test_bad_packet("large group", packet, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    packet = good;
    packet.grid_size_x = 0;
    test_bad_packet("empty grid", packet, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    packet = good;
    packet.group_segment_size = 65537;
    test_bad_packet("large group segment", packet, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    packet = good;
    packet.kernel_object = 64;
    test_bad_packet("no kernel", packet, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    packet = good;
    packet.completion_signal.handle = 17;
    test_bad_packet("no signal", packet, HSA_STATUS_ERROR_INVALID_SIGNAL);
    core_unload(kernel);
}

static void test_waiting_groups(struct core_queue *queue)
{
    static uint32_t flag;
    struct {
        uint32_t *flag;
        uint32_t last;
    } argument = {&flag, 15};
    LOAD(kernel, wait_for_last);
    hsa_kernel_dispatch_packet_t packet = dispatch(64, 64 * 16, &argument, &signals[0]);
    core_signal_init(&signals[0], 1);
    core_submit(queue, &packet, true);
    ok(core_wait(&signals[0], 0), "groups that wait for a later one let it run");
    core_unload(kernel);
}

static void test_endless(void)
{
    struct core_queue *queue = core_queue_new();
    struct timespec pause = {0, 5000000};
    LOAD(kernel, endless);
    hsa_kernel_dispatch_packet_t packet = dispatch(256, 256 * 64, NULL, NULL);
    core_submit(queue, &packet, true);
    nanosleep(&pause, NULL);
    core_queue_free(queue);
    ok(true, "a queue can go while its kernel spins");
    core_unload(kernel);
}

static void test_speed(struct core_queue *queue)
{
    enum { SINGLE = 2000, BATCH = 100000 };
    LOAD(kernel, empty);
    hsa_kernel_dispatch_packet_t packet = dispatch(64, 64, NULL, &signals[0]);
    double best = 1;
    bool good = true;
    for (int i = 0; i < SINGLE && good; i++) {
        core_signal_init(&signals[0], 1);
        double start = seconds_now();
        core_submit(queue, &packet, true);
        good = core_wait(&signals[0], 0);
        double time = seconds_now() - start;
        best = time < best ? time : best;
    }
    ok(good, "single empty dispatches: best %.2f us", best * 1e6);
    core_signal_init(&signals[0], BATCH);
    double start = seconds_now();
    for (int i = 0; i < BATCH; i++)
        core_submit(queue, &packet, i % 64 == 63 || i == BATCH - 1);
    ok(core_wait(&signals[0], 0), "batches: %.0f dispatches/s", BATCH / (seconds_now() - start));
    core_unload(kernel);
}

int main(void)
{
    kernel = aligned_alloc(256, sizeof *kernel);
    setenv("HSA_GCN_THREADS", "2", 1);
    if (!kernel || !ok(core_start(), "the driver registers an agent"))
        return 1;
    ok(!strcmp(core.config->name, "gfx900") && !strcmp(core.config->isas[0].name, "amdgcn-amd-amdhsa--gfx900:xnack-"),
       "names");
    struct core_queue *queue = core_queue_new();
    test_kernel(queue);
    test_barriers(queue);
    test_waiting_groups(queue);
    test_exceptions(queue);
    test_speed(queue);
    core_queue_free(queue);
#define ERROR(code, status, says) test_error(#code, code, sizeof code / 4, status, says)
    ERROR(bad_address, HSA_STATUS_ERROR_MEMORY_FAULT, "global_load_dword");
    ERROR(trap, HSA_STATUS_ERROR_EXCEPTION, "s_trap");
    ERROR(illegal, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "is no instruction");
    ERROR(interpolates, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "v_interp_p1_f32");
    ERROR(interpolates, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "of graphics, which can do nothing in a kernel");
    ERROR(exports, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "of graphics, which can do nothing in a kernel");
    ERROR(counts_in_order, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "of graphics, which can do nothing in a kernel");
    ERROR(no_form, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "not implemented in this form");
    ERROR(runs_off, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "no code");
    test_packet_page();
    test_bad_packets();
    test_endless();
    core_stop();
    free(kernel);
    return tap_done();
}
