/* SPDX-License-Identifier: MIT */
/* Tests instructions, and forms of instructions, that no compiler makes for kernels: the message that asks for the
 * doorbell, exports to nowhere, scalar registers where only vector registers can be, and levels of detail. LLVM 19 has
 * assembled the words that it assembles at all. */
#include "runtime/gcn/group.h"
#include "testsuite/float_bits.h"
#include "testsuite/gcn/wave_bench.h"

#include <math.h>

enum { MODE = 0x3f0, END = 0xbf810000, DATA = 20, COORDINATES = 12, IMAGE = 40, SAMPLER = 48 };

static struct bench bench;
static const struct gcn_target *target;
static struct gcn_dispatch dispatch = {.doorbell = 0x2a5};
static struct gcn_group group = {.dispatch = &dispatch, .wave_count = 1};

static void prepare(uint64_t exec)
{
    struct gcn_wave *w = bench.wave;
    memset(w, 0, sizeof *w);
    w->group = &group;
    for (unsigned i = 0; i < GCN_SGPRS; i++)
        w->s[i] = (uint32_t)random64();
    for (unsigned i = 0; i < 64; i++)
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            w->v[i][lane] = (uint32_t)random64();
    gcn_set64(w, GCN_S_EXEC, exec);
}

static void check(bool good, const struct gcn_engine *engine, const char *name)
{
    ok(good, "%s, %s: %s", engine->name, target->processor->name, name);
}

static bool same_vectors(void)
{
    return !memcmp(bench.wave->v, bench.before->v, sizeof bench.wave->v);
}

static void doorbell(const struct gcn_engine *engine)
{
    /* s_mov_b32 exec_lo, 0x80000000; s_sendmsg sendmsg(MSG_GET_DOORBELL); v_mov_b32 v20, 7 */
    static const uint32_t words[] = {0xbefe00ff, 0x80000000, 0xbf90000a, 0x7e280287, END};
    struct gcn_wave *w = bench.wave;
    prepare(UINT64_MAX);
    bool good = bench_run(&bench, words, 5, MODE) && gcn_get64(w, GCN_S_EXEC) == 0xffffffff000002a5;
    for (unsigned lane = 0; lane < GCN_LANES; lane++)
        good &= w->v[20][lane] == (0xffffffff000002a5 >> lane & 1 ? 7 : bench.before->v[20][lane]);
    check(good, engine, "the message GET_DOORBELL writes the doorbell's number to EXEC_LO");
}

static void exports(const struct gcn_engine *engine)
{
    /* exp null off, off, off, off done vm; exp null v1, off, off, off */
    static const uint32_t words[] = {0xc4001890, 0, 0xc4000091, 1, END};
    static const uint32_t color[] = {0xc400180f, 0x04030201, END}; /* exp mrt0 v1, v2, v3, v4 done vm */
    prepare(random64());
    bool good = bench_run(&bench, words, 5, MODE) && same_vectors() &&
                !memcmp(bench.wave->s, bench.before->s, sizeof bench.wave->s);
    check(good, engine, "exports to null do nothing");
    prepare(UINT64_MAX);
    good = !bench_run(&bench, color, 3, MODE) && bench.wave->fault.kind == GCN_FAULT_GRAPHICS;
    check(good, engine, "there are no other exports");
}

static void refuse(const struct gcn_engine *engine, const uint32_t *words, size_t count, const char *name)
{
    prepare(UINT64_MAX);
    bool good = !bench_run(&bench, words, count, MODE) && bench.wave->fault.kind == GCN_FAULT_ILLEGAL && same_vectors();
    check(good, engine, name);
}

/* What LLVM 19 prints with a remark that the register is invalid, and does not assemble. */
static void illegal_forms(const struct gcn_engine *engine)
{
    static const uint32_t swap[] = {0x7e02a201, END};             /* v_swap_b32 v1, s1 */
    static const uint32_t wide[] = {0xd1e70014, 0x00120302, END}; /* v_mqsad_u32_u8 v[20:23], v[2:3], v1, s[4:7] */
    refuse(engine, swap, 2, "a swap with a scalar is illegal");
    refuse(engine, wide, 3, "four scalar registers are no operand of a vector operation");
}

/* Levels of detail of a 2D image of 64 x 16 texels with 7 levels, from level 1 on. */
static void prepare_image(uint64_t exec, bool unnormalized)
{
    struct gcn_wave *w = bench.wave;
    prepare(exec);
    memset(&w->s[IMAGE], 0, 12 * sizeof w->s[0]);
    w->s[IMAGE + 1] = 10 << 20 | 4 << 26;
    w->s[IMAGE + 2] = 63 | 15 << 14;
    w->s[IMAGE + 3] = 07654 | 1 << 12 | 6 << 16 | 9u << 28;
    w->s[IMAGE + 4] = 63 << 13;
    w->s[SAMPLER] = (uint32_t)unnormalized << 15;
    w->s[SAMPLER + 1] = 0x080 | 0x380 << 12;    /* at least 0.5, at most 3.5 */
    w->s[SAMPLER + 2] = (uint32_t)-64 & 0x3fff; /* -0.25 */
    for (unsigned lane = 0; lane < GCN_LANES; lane++)
        for (unsigned i = 0; i < 2; i++) {
            float scale = ldexpf(1, (int)(random64() % 12) - 8);
            w->v[COORDINATES + i][lane] = bits_of_f32(scale * (float)(random64() % 4096) / 4096);
        }
}

static float expected_level(unsigned lane, bool unnormalized, bool clamped)
{
    long double most = 0;
    for (unsigned other = 1; other < 3; other++) {
        long double squares = 0;
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t *line = bench.before->v[COORDINATES + i] + lane / 4 * 4;
            long double step = (long double)f32_of_bits(line[other]) - f32_of_bits(line[0]);
            step *= unnormalized ? 1 : i ? 16 : 64;
            squares += step * step;
        }
        most = fmaxl(most, squares);
    }
    long double level = logl(most) / (2 * logl(2)) - 0.25L;
    if (clamped)
        level = fminl(fminl(fmaxl(level, 0.5L), 3.5L), 5);
    return (float)level;
}

static void levels(const struct gcn_engine *engine, unsigned first)
{
    /* image_get_lod v[20:21], v[12:13], s[40:47], s[48:51] dmask:0x3; the second time into v[12:13] */
    const uint32_t words[] = {0xf1800300, 0x018a000c | first << 8, END};
    bool good = true;
    for (unsigned round = 0; round < 8; round++) {
        uint64_t exec = round ? random64() : UINT64_MAX;
        prepare_image(exec, round & 1);
        good &= bench_run(&bench, words, 3, MODE);
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            for (unsigned i = 0; i < 2; i++) {
                float level = f32_of_bits(bench.wave->v[first + i][lane]), want = expected_level(lane, round & 1, !i);
                bool kept = bench.wave->v[first + i][lane] == bench.before->v[first + i][lane];
                good &= exec >> lane & 1 ? fabsf(level - want) <= 1e-6f * (1 + fabsf(want)) : kept;
            }
    }
    check(good, engine, first == DATA ? "image_get_lod" : "image_get_lod into its operands");
}

int main(void)
{
    if (!bench_begin(&bench))
        return 1;
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        for (unsigned t = 0; t < GCN_TARGET_COUNT; t++) {
            bool gfx90a = t == GCN_TARGET_gfx90a; /* which has no exports, and samples only plainly */
            target = gcn_target_number(t);
            bench.cache = gcn_cache_new(engine, target);
            doorbell(engine);
            illegal_forms(engine);
            if (!gfx90a) {
                exports(engine);
                levels(engine, DATA);
                levels(engine, COORDINATES);
            }
            gcn_cache_free(bench.cache);
        }
    }
    bench_end(&bench);
    return tap_done();
}
