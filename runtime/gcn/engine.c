/* SPDX-License-Identifier: MIT */
/* Collects the handler tables into one engine per instruction set of the host, at first use.
 * Input: the tables named in host_simd.h and below. Output: struct gcn_engine. Invariant: immutable once published.
 */
#include "runtime/gcn/engine.h"

#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/exec/host_simd.h"

#include <pthread.h>
#include <string.h>

#define VALU_TABLES(X, isa) X(gcn_valu_rows_##isa) X(gcn_lane_rows_##isa)

#define DECLARE_ROWS(table) extern const struct gcn_handler_row table[];
#define DECLARE_VALU(table) extern const struct gcn_valu_row table[];
GCN_PLAIN_TABLES(DECLARE_ROWS)
DECLARE_ROWS(gcn_control_handlers)

static void add_rows(gcn_handler **to, const struct gcn_handler_row *row)
{
    for (; row->fn; row++)
        to[row->id] = row->fn;
}

static void add_valu(struct gcn_engine *engine, const struct gcn_valu_row *row)
{
    for (; row->pp; row++) {
        engine->plain[row->id] = row->pp;
        engine->scalar0[row->id] = row->sp;
        engine->scalar1[row->id] = row->ps;
    }
}

#define ADD_ROWS(table) add_rows(engine->plain, table);
#define ADD_VALU(table) add_valu(engine, table);

static void add_plain(struct gcn_engine *engine)
{
    GCN_PLAIN_TABLES(ADD_ROWS)
    add_rows(engine->plain, gcn_control_handlers);
}

/* GCN_SIMD_TABLES names tables without their suffix; ISA_TABLE puts it on. */
#define ENGINE(isa)                                                                                          \
    static struct gcn_engine engine_##isa;                                                                   \
    VALU_TABLES(DECLARE_VALU, isa)                                                                           \
    extern const struct gcn_handler_row gcn_saturating_rows_##isa[], gcn_adjacent_rows_##isa[],              \
        gcn_dword_rows_##isa[];              \
    extern gcn_handler *const gcn_micro_handlers_##isa[GCN_MICRO_COUNT];                                     \
    GCN_SIMD_TABLES(DECLARE_##isa)                                                                            \
    static void build_##isa(void)                                                                            \
    {                                                                                                        \
        struct gcn_engine *engine = &engine_##isa;                                                           \
        engine->name = #isa;                                                                                 \
        engine->micro = gcn_micro_handlers_##isa;                                                            \
        add_plain(engine);                                                                                   \
        GCN_SIMD_TABLES(ADD_##isa)                                                                            \
        VALU_TABLES(ADD_VALU, isa)                                                                           \
        add_rows(engine->saturating, gcn_saturating_rows_##isa);                                             \
        add_rows(engine->adjacent, gcn_adjacent_rows_##isa);                                                 \
        add_rows(engine->in_rows, gcn_dword_rows_##isa);                                                     \
    }
#define DECLARE_base(table)   DECLARE_ROWS(table##_base)
#define DECLARE_avx2(table)   DECLARE_ROWS(table##_avx2)
#define DECLARE_avx512(table) DECLARE_ROWS(table##_avx512)
#define ADD_base(table)       ADD_ROWS(table##_base)
#define ADD_avx2(table)       ADD_ROWS(table##_avx2)
#define ADD_avx512(table)     ADD_ROWS(table##_avx512)
ENGINE(base)
ENGINE(avx2)
ENGINE(avx512)

const uint32_t gcn_lane_bit[GCN_LANES] = {
#define BITS8(n)                                                                                             \
    UINT32_C(1) << (n), UINT32_C(2) << (n), UINT32_C(4) << (n), UINT32_C(8) << (n), UINT32_C(16) << (n),     \
        UINT32_C(32) << (n), UINT32_C(64) << (n), UINT32_C(128) << (n)
    BITS8(0), BITS8(8), BITS8(16), BITS8(24), BITS8(0), BITS8(8), BITS8(16), BITS8(24),
};

/* For each lane, the mask of the lanes before it: in the low and in the high half of the wave. */
#define BELOW8(n)                                                                                            \
    LESS(n), LESS(n + 1), LESS(n + 2), LESS(n + 3), LESS(n + 4), LESS(n + 5), LESS(n + 6), LESS(n + 7)
#define BELOW32  BELOW8(0), BELOW8(8), BELOW8(16), BELOW8(24)
#define SAME8(x) x, x, x, x, x, x, x, x
#define LESS(n)  (UINT32_C(1) << (n)) - 1
extern const uint32_t valu_below_lo[GCN_LANES], valu_below_hi[GCN_LANES];
const uint32_t valu_below_lo[GCN_LANES] = {
    BELOW32, SAME8(UINT32_MAX), SAME8(UINT32_MAX), SAME8(UINT32_MAX), SAME8(UINT32_MAX)};
const uint32_t valu_below_hi[GCN_LANES] = {SAME8(0), SAME8(0), SAME8(0), SAME8(0), BELOW32};

static void build_engines(void)
{
    build_base();
    build_avx2();
    build_avx512();
}

static int host_runs(const struct gcn_engine *engine)
{
    if (engine == &engine_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (engine == &engine_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    return 1;
}

const struct gcn_engine *gcn_engine_select(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const struct gcn_engine *const best_first[] = {&engine_avx512, &engine_avx2, &engine_base};
    pthread_once(&once, build_engines);
    for (size_t i = 0; i < sizeof best_first / sizeof best_first[0]; i++)
        if ((!name || !*name || !strcmp(name, best_first[i]->name)) && host_runs(best_first[i]))
            return best_first[i];
    return NULL;
}
