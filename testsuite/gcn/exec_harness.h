/* SPDX-License-Identifier: MIT */
/* Runs single handlers on a wave, without decoder, translator or queue.
 *
 * v() and s() make operands. A micro-operation is described by its fields, in the form of exec.h; run() finds the
 * handler of an operation in the engine under test. */
#ifndef TESTSUITE_GCN_EXEC_HARNESS_H
#define TESTSUITE_GCN_EXEC_HARNESS_H

#include <stdlib.h>
#include <string.h>

#include "runtime/gcn/engine.h"
#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/inst/inst.h"
#include "runtime/gcn/translate/translate.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

static struct gcn_wave *wave;
static uint32_t constants[64 * 4] __attribute__((aligned(64))); /* references to constants are relative to this */

static inline uint32_t v(unsigned n)
{
    return (uint32_t)(offsetof(struct gcn_wave, v) + n * GCN_LINE);
}

static inline uint32_t s(unsigned n)
{
    return (uint32_t)(offsetof(struct gcn_wave, s) + n * 4);
}

/* The constant zero, as scalar and as line. */
#define ZERO ((uint32_t)GCN_REF_CONST)

/* A pseudo-random sequence, the same in every run. */
static uint64_t random_state = 0x9E3779B97F4A7C15;
__attribute__((unused)) static uint64_t random64(void)
{
    return xorshift(&random_state);
}

/* Sets up a wave in which every register is random, except EXEC. */
static void new_wave(uint64_t exec)
{
    if (!wave)
        wave = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
    memset(wave, 0, sizeof *wave);
    wave->base[0] = (const char *)wave;
    wave->base[1] = (const char *)constants;
    for (unsigned i = 0; i < GCN_SGPRS; i++)
        wave->s[i] = (uint32_t)random64();
    uint64_t value = random64();
    for (unsigned i = 0; i < GCN_VGPRS; i++)
        for (unsigned k = 0; k < GCN_LANES; k++, value += value << 5 | 1)
            wave->v[i][k] = (uint32_t)(value >> 32);
    wave->mask_of = 0; /* mask[] is all zero */
    gcn_set64(wave, GCN_S_EXEC, exec);
}

/* The builds of the handlers that this host runs; ENGINE is the one under test. */
static const struct gcn_engine *engine;
static struct gcn_cache *cache;

/* Makes the next engine the one under test; false when there is none left. */
__attribute__((unused)) static bool next_engine(void)
{
    static unsigned next;
    gcn_cache_free(cache);
    engine = each_engine(&next);
    cache = engine ? gcn_cache_new(engine, gcn_target_number(0)) : NULL;
    return cache;
}

/* Runs one micro-operation. Returns whether it went on to the next. */
__attribute__((unused)) static bool run(unsigned id, uint32_t dst, uint32_t src0, uint32_t src1, uint32_t src2,
                                        int32_t imm, uint32_t aux)
{
    static struct gcn_uop op;
    static const uint32_t pc;
    static struct gcn_unit unit;
    unit = (struct gcn_unit){.cache = cache, .ops = &op, .pcs = &pc, .count = 1};
    wave->unit = &unit;
    op = (struct gcn_uop){engine->plain[id], dst, {src0, src1, src2}, imm, aux};
    return op.fn && op.fn(wave, &op) == &op + 1;
}

#endif
