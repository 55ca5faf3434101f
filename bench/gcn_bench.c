/* SPDX-License-Identifier: MIT */
/* Measures how fast the software GPU executes: vector instructions per second, in a mix of fma, add, xor and compare
 * with all lanes and with half of them, on each instruction set of the host and on one and two threads; the set-up of
 * groups and waves; and what counting and accounting for exceptions cost. What two threads of the host do that share
 * nothing is measured, too, as processors may share more with each other than software can help. Output: figures as
 * bench.h describes them. */
#include "bench/bench.h"
#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/observe/observe.h"
#include "support/alloc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ITERATIONS = 0x4000, MIX_OPS = 8, LOOP_OPS = 11 };

/* Perhaps a mask for EXEC; then v_cvt_f32_u32 v1, v0 and constants; then ITERATIONS times a loop of fma, add, xor, cmp,
 * fma, add, xor, cmp, s_add, s_cmp and a branch. */
#define MIX                                                                                                  \
    0xbe800080, 0x7e020d00, 0x7e0402f2, 0x7e060300, 0x7e0a02f0, 0xd1cb0001, 0x040a0b01, 0x68060103,          \
        0x2a080103, 0x7d920704, 0xd1cb0006, 0x040a0b01, 0x680e0103, 0x2a100f03, 0x7c820501, 0x80008100,      \
        0xbf0aff00, ITERATIONS, 0xbf85fff2, 0xbf810000
static const uint32_t code_full[] = {MIX};
static const uint32_t code_half[] = {0xbefe00ff, 0x55555555, 0xbeff007e, MIX};
static const uint32_t code_empty[] = {0xbf810000};

/* A kernel descriptor and code, in the places that a loader would give them. */
struct image {
    amd_kernel_descriptor_t descriptor;
    uint32_t code[64];
} __attribute__((aligned(256)));

struct helper {
    struct gcn_worker worker;
    struct gcn_dispatch *dispatch;
};

static void *help(void *argument)
{
    struct helper *h = argument;
    gcn_worker_run(&h->worker, h->dispatch);
    return NULL;
}

/* As much of an agent that counts as a dispatch uses. */
static const hsa_generic_driver_interface no_core;
static struct gcn_observe_wish counts = {.count = "/dev/null"};
static struct gcn_agent counting = {.core = &no_core, .observe = &counts};

/* What happens in addition to execution: nothing; a micro-operation that tests whether somebody observes; counting;
 * accounting for exceptions. */
enum observed { NOT_OBSERVED, NOBODY_LOOKS, COUNTED, ACCOUNTED };

/* Seconds that GROUPS groups of one wave take on THREADS host threads; the best of several rounds. */
static double measure(const struct gcn_engine *engine, const uint32_t *code, size_t size, uint32_t groups,
                      unsigned threads, enum observed observed)
{
    static struct image image;
    double best = 1e9;
    memset(&image, 0, sizeof image);
    memcpy(image.code, code, size);
    image.descriptor.kernel_code_entry_byte_offset = offsetof(struct image, code);
    image.descriptor.compute_pgm_rsrc1 = 0xf0u << 12 | 1u << 21 | 1u << 23;
    if (observed == ACCOUNTED)
        image.descriptor.compute_pgm_rsrc2 = 1u << 30; /* division of integers by zero, which does not happen */
    struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
    if (cache && (observed == NOBODY_LOOKS || observed == COUNTED))
        gcn_cache_observe(cache);
    struct gcn_code *loaded = cache ? gcn_cache_add(cache, image.code, size, &image, sizeof image) : NULL;
    hsa_kernel_dispatch_packet_t packet = {
        .setup = 1,
        .workgroup_size_x = 64,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = 64 * groups,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .kernel_object = (uint64_t)(uintptr_t)&image};
    static struct helper helpers[8];
    for (int round = 0; loaded && round < 7; round++) {
        struct gcn_dispatch d;
        pthread_t thread[8];
        if (gcn_dispatch_begin(&d, cache, &packet, 0, 0, 0))
            return 0;
        struct gcn_observe observe;
        if (observed == COUNTED && gcn_observe_begin(&observe, &d, &counting, 0))
            d.observe = &observe;
        double start = bench_clock();
        for (unsigned i = 0; i < threads; i++) {
            helpers[i].worker.number = i;
            helpers[i].dispatch = &d;
            if (i && pthread_create(&thread[i], NULL, help, &helpers[i]))
                return 0;
        }
        help(&helpers[0]);
        for (unsigned i = 1; i < threads; i++)
            pthread_join(thread[i], NULL);
        double seconds = bench_clock() - start;
        best = seconds < best ? seconds : best;
        if (!gcn_dispatch_is_over(&d) || d.fault_state)
            printf("dispatch failed: %s\n", d.fault.name);
        if (d.observe)
            gcn_observe_end(&observe);
        gcn_dispatch_end(&d);
    }
    for (unsigned i = 0; i < threads; i++)
        gcn_worker_free(&helpers[i].worker);
    gcn_cache_free(cache);
    return best;
}

/* Loads and stores what fits into the nearest cache, as the interpreter does most of the time. */
static void *move(void *unused)
{
    enum { WORDS = 2048, ROUNDS = 60000 };
    uint64_t words[2 * WORDS] = {0};
    (void)unused;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < WORDS; i++)
            words[WORDS + i] = words[i] + round;
        __asm__ volatile("" : : "r"(words) : "memory");
    }
    return NULL;
}

/* How much two threads that share nothing move, over what one does: the best of several rounds each. */
static double host_scaling(void)
{
    double best[2] = {1e9, 1e9};
    for (int round = 0; round < 10; round++) {
        pthread_t thread;
        double start = bench_clock();
        if (round % 2 && pthread_create(&thread, NULL, move, NULL))
            return 0;
        move(NULL);
        if (round % 2)
            pthread_join(thread, NULL);
        double seconds = bench_clock() - start;
        best[round % 2] = seconds < best[round % 2] ? seconds : best[round % 2];
    }
    return 2 * best[0] / best[1];
}

static void figure(const char *engine, const char *what, double value, const char *unit, double floor)
{
    char name[64];
    snprintf(name, sizeof name, "gcn %s, %s", engine, what);
    if (floor > 0)
        bench_at_least(name, value, unit, floor);
    else
        bench_figure(name, value, unit);
}

int main(void)
{
    static const struct {
        const char *name;
        double full, half; /* the floors with all and with half of the lanes */
    } engines[] = {{"base", 20, 0}, {"avx2", 100, 60}, {"avx512", 100, 60}};
    if (!gcn_guard_acquire())
        return 1;
    gcn_tier_set_mode(GCN_TIER_OFF, 0);
    bench_figure("host, two threads over one", host_scaling(), "x");
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        const char *name = engines[i].name;
        const struct gcn_engine *engine = gcn_engine_select(name);
        if (!engine)
            continue;
        double work = 4e-6 * MIX_OPS * ITERATIONS;
        double full = work / measure(engine, code_full, sizeof code_full, 4, 1, NOT_OBSERVED);
        double half = work / measure(engine, code_half, sizeof code_half, 4, 1, NOT_OBSERVED);
        double one = measure(engine, code_full, sizeof code_full, 64, 1, NOT_OBSERVED);
        double two = measure(engine, code_full, sizeof code_full, 64, 2, NOT_OBSERVED);
        double empty = measure(engine, code_empty, sizeof code_empty, 100000, 1, NOT_OBSERVED) / 100000;
        figure(name, "vector instructions, all lanes", full, "M/s", engines[i].full);
        figure(name, "vector instructions, half of the lanes", half, "M/s", engines[i].half);
        figure(name, "two threads over one", one / two, "x", 1.8);
        double plain = measure(engine, code_full, sizeof code_full, 4, 1, NOT_OBSERVED);
        double idle = measure(engine, code_full, sizeof code_full, 4, 1, NOBODY_LOOKS);
        double counted = measure(engine, code_full, sizeof code_full, 4, 1, COUNTED);
        figure(name, "observed by nobody, time over not observed", idle / plain, "x", 0);
        double accounted = measure(engine, code_full, sizeof code_full, 1, 1, ACCOUNTED);
        figure(name, "counted, time over not observed", counted / plain, "x", 0);
        figure(name, "exceptions accounted, time over not", 4 * accounted / plain, "x", 0);
        figure(name, "group of one empty wave", empty * 1e9, "ns", 0);
    }
    gcn_guard_release();
    return 0;
}
