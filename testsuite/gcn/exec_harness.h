/* SPDX-License-Identifier: MIT */
/* A wave on which single handlers are run, without decoder, translator or queue.
 *
 * Operands are made by v() and s(), micro-operations by their fields as exec.h lays them out; run() finds the
 * handler of an operation in the tables, in the build for the instruction set asked for. */
#ifndef TESTSUITE_GCN_EXEC_HARNESS_H
#define TESTSUITE_GCN_EXEC_HARNESS_H

#include <stdlib.h>
#include <string.h>

#include "runtime/gcn/exec.h"
#include "runtime/gcn/inst.h"
#include "runtime/gcn/isa.h"
#include "support/alloc.h"
#include "testsuite/tap.h"

static struct gcn_wave *wave;
static uint32_t constants[64 * 4] __attribute__((aligned(64))); /* what constant references are relative to */

static inline uint32_t v(unsigned n)
{
    return (uint32_t)(offsetof(struct gcn_wave, v) + n * GCN_LINE);
}

static inline uint32_t s(unsigned n)
{
    return (uint32_t)(offsetof(struct gcn_wave, s) + n * 4);
}

/* Constant zero, as scalar and as line. */
#define ZERO ((uint32_t)GCN_REF_CONST)

/* A pseudo-random sequence, the same in every run. */
static uint64_t random_state = 0x9E3779B97F4A7C15;
__attribute__((unused)) static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A wave with every register random, except EXEC. */
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

#define EACH_ISA(X) X(base) X(avx2) X(avx512)

/* The handler tables, those built per instruction set for ISA 0..2. */
#define DECLARE(name) extern const struct gcn_handler_row name[];
GCN_PLAIN_TABLES(DECLARE)
#define DECLARE_BASE(name) DECLARE(name##_base)
GCN_ISA_TABLES(DECLARE_BASE)
#undef DECLARE_BASE
#undef DECLARE

static gcn_handler *find_in(const struct gcn_handler_row *row, unsigned id)
{
    for (; row->fn; row++)
        if (row->id == id)
            return row->fn;
    return NULL;
}

__attribute__((unused)) static gcn_handler *handler_of(unsigned id)
{
    gcn_handler *fn = NULL;
#define FIND(name) fn = fn ? fn : find_in(name, id);
#define FIND_BASE(name) FIND(name##_base)
    GCN_PLAIN_TABLES(FIND)
    GCN_ISA_TABLES(FIND_BASE)
#undef FIND
#undef FIND_BASE
    return fn;
}

/* Runs one micro-operation; whether it went on to the next. */
__attribute__((unused)) static bool run(unsigned id, uint32_t dst, uint32_t src0, uint32_t src1, uint32_t src2,
                                        int32_t imm, uint32_t aux)
{
    static struct gcn_uop op;
    op = (struct gcn_uop){handler_of(id), dst, {src0, src1, src2}, imm, aux};
    return op.fn && op.fn(wave, &op) == &op + 1;
}

#endif
