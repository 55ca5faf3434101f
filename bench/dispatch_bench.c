/* SPDX-License-Identifier: MIT */
/* Measures the overhead of a dispatch on the software GPU, through the public API: an empty kernel of one wavefront is
 * dispatched one at a time, from doorbell to completion signal, and in batches that fill the queue and have one signal
 * at the end. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_hsa.h"
#include "hsa/hsa.h"
#include "hsa/hsa_ext_finalize.h"
#include "hsail/hsail.h"

#define QUEUE_PACKETS 4096
#define ROUNDS 20
#define SINGLES 2000

static const char empty_kernel[] =
    "module &bench:1:0:$full:$large:$near;\n"
    "prog kernel &empty() { ret; };\n";

/* Returns the kernel's object; executable and code object are kept until the process ends. */
static uint64_t load_kernel(hsa_agent_t gpu, hsa_ext_module_t brig)
{
    hsa_ext_program_t program;
    hsa_ext_control_directives_t directives;
    hsa_code_object_t code_object;
    hsa_executable_t executable;
    hsa_executable_symbol_t symbol;
    hsa_isa_t isa;
    uint64_t object = 0;
    memset(&directives, 0, sizeof directives);
    bench_require(hsa_agent_get_info(gpu, HSA_AGENT_INFO_ISA, &isa), "instruction set");
    bench_require(hsa_ext_program_create(
                      HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL, &program),
                  "program");
    bench_require(hsa_ext_program_add_module(program, brig), "module");
    bench_require(hsa_ext_program_finalize(program, isa, HSA_EXT_FINALIZER_CALL_CONVENTION_AUTO, directives, NULL,
                                           HSA_CODE_OBJECT_TYPE_PROGRAM, &code_object),
                  "finalization");
    hsa_ext_program_destroy(program);
    bench_require(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable),
                  "executable");
    bench_require(hsa_executable_load_code_object(executable, gpu, code_object, NULL), "loading");
    bench_require(hsa_executable_freeze(executable, NULL), "freezing");
    bench_require(hsa_executable_get_symbol(executable, NULL, "&empty", gpu, 0, &symbol), "symbol");
    bench_require(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object), "symbol");
    return object;
}

/* Writes COUNT packets, of which only the last signals, and rings the doorbell once. */
static void submit(hsa_queue_t *queue, uint64_t object, size_t count, hsa_signal_t completion)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, count);
    hsa_kernel_dispatch_packet_t *packets = queue->base_address;
    uint32_t first = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                     HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
                     HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE |
                     1u << (16 + HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
    for (size_t i = 0; i < count; i++) {
        hsa_kernel_dispatch_packet_t *packet = &packets[(index + i) & (queue->size - 1)];
        memset((char *)packet + 4, 0, sizeof *packet - 4);
        packet->workgroup_size_x = 64;
        packet->workgroup_size_y = packet->workgroup_size_z = 1;
        packet->grid_size_x = 64;
        packet->grid_size_y = packet->grid_size_z = 1;
        packet->kernel_object = object;
        if (i + 1 == count) {
            packet->completion_signal = completion;
            // With the barrier bit, the last packet completes after all packets before it.
            first |= 1u << HSA_PACKET_HEADER_BARRIER;
        }
        __atomic_store_n((uint32_t *)packet, first, __ATOMIC_RELEASE);
    }
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)(index + count - 1));
}

static double run(hsa_queue_t *queue, uint64_t object, size_t count, hsa_signal_t completion)
{
    hsa_signal_store_relaxed(completion, 1);
    double start = bench_clock();
    submit(queue, object, count, completion);
    while (hsa_signal_wait_scacquire(completion, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) >= 1)
        ;
    return bench_clock() - start;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(void)
{
    hsa_agent_t gpu = {0};
    hsa_queue_t *queue;
    hsa_signal_t completion;
    static double times[SINGLES];
    hsail_context_t *context;
    hsail_module_t *module;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK ||
        hsail_assemble(context, NULL, empty_kernel, sizeof empty_kernel - 1, 0, &module) != HSAIL_STATUS_OK)
        return 1;
    bench_require(hsa_init(), "hsa_init");
    bench_require(hsa_iterate_agents(bench_find_gpu, &gpu), "agents");
    uint64_t object = load_kernel(gpu, (hsa_ext_module_t)hsail_module_data(module));
    bench_require(hsa_signal_create(1, 0, NULL, &completion), "signal");
    bench_require(
        hsa_queue_create(gpu, QUEUE_PACKETS, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue),
        "queue");

    for (int i = 0; i < SINGLES; i++)
        times[i] = run(queue, object, 1, completion);
    qsort(times, SINGLES, sizeof *times, compare);
    bench_at_most("empty dispatch, doorbell to signal, median", times[SINGLES / 2] * 1e6, "us", 10);
    bench_figure("empty dispatch, doorbell to signal, best", times[0] * 1e6, "us");

    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double time = run(queue, object, QUEUE_PACKETS, completion);
        best = time < best ? time : best;
    }
    bench_at_least("empty dispatches in batches", QUEUE_PACKETS / best, "dispatches/s", 300000);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(completion);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    bench_require(hsa_shut_down(), "hsa_shut_down");
    return 0;
}
