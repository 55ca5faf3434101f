/* SPDX-License-Identifier: MIT */
/* Tests VSKIP: a wave that has it in MODE executes scalar instructions only. Each vector operation of each processor is
 * executed that way, and must change nothing; and random code in which VSKIP changes must do what the same code does
 * without the instructions that are skipped. LLVM 19 has assembled the words that are not made from the tables. */
#include "runtime/gcn/group.h"
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/inst/print.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/wave_bench.h"

enum {
    MODE = 0x3f0,
    VSKIP = 1 << 28,
    SKIP = 0xbf108081,     /* s_setvskip 1, 0 */
    SKIP_NOT = 0xbf108080, /* s_setvskip 0, 0 */
    MARK = 0x7e1e02c1,     /* v_mov_b32 v15, -1 */
    END = 0xbf810000,
    LDS = 4096,
};

static struct bench bench;
static const struct gcn_target *target;
static struct gcn_dispatch dispatch;
static struct gcn_group group = {.dispatch = &dispatch, .wave_count = 1};
static uint32_t lds[LDS / 4], lds_before[LDS / 4];

static void prepare(uint64_t exec)
{
    struct gcn_wave *w = bench.wave;
    memset(w, 0, sizeof *w);
    w->group = &group;
    w->lds = (uint8_t *)lds;
    w->lds_size = LDS;
    for (unsigned i = 0; i < GCN_SGPRS; i++)
        w->s[i] = (uint32_t)random64();
    for (unsigned i = 0; i < GCN_VGPRS; i++)
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            w->v[i][lane] = w->a[i][lane] = (uint32_t)random64();
    for (unsigned i = 0; i < LDS / 4; i++)
        lds[i] = lds_before[i] = (uint32_t)random64();
    gcn_set64(w, GCN_S_EXEC, exec);
}

static bool is_vector(enum gcn_op op)
{
    enum gcn_encoding encoding = (enum gcn_encoding)gcn_op_info[op].encoding;
    return encoding != GCN_SOP1 && encoding != GCN_SOP2 && encoding != GCN_SOPC && encoding != GCN_SOPK &&
           encoding != GCN_SOPP && encoding != GCN_SMEM;
}

/* Whether the wave's registers and group memory are as they were before the code ran. */
static bool is_unchanged(void)
{
    const struct gcn_wave *w = bench.wave, *b = bench.before;
    return !memcmp(w->s, b->s, sizeof w->s) && !memcmp(w->v, b->v, sizeof w->v) && !memcmp(w->a, b->a, sizeof w->a) &&
           w->scc == b->scc && w->trapsts == b->trapsts && !memcmp(lds, lds_before, sizeof lds);
}

/* The addresses of memory operations are random, so that each one would fault if it were executed. */
static void each_operation(const struct gcn_engine *engine)
{
    unsigned wrong = 0, count = 0;
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        struct base bases[MAX_BASES];
        unsigned forms = is_vector((enum gcn_op)op) ? fields_bases(target, (enum gcn_op)op, bases) : 0;
        for (unsigned i = 0; i < forms; i++) {
            struct gcn_inst inst;
            if (gcn_decode(target, &bases[i].word, 8, &inst) != GCN_DECODE_OK || inst.op != op)
                continue;
            uint32_t code[6] = {SKIP, (uint32_t)bases[i].word};
            unsigned words = 1 + inst.size / 4u;
            if (inst.size == 8)
                code[2] = (uint32_t)(bases[i].word >> 32);
            code[words++] = SKIP_NOT;
            code[words++] = END;
            count++;
            prepare(i % 2 ? random64() : UINT64_MAX);
            bool good = bench_run(&bench, code, words, MODE) && is_unchanged() && bench.wave->mode == MODE;
            if (!good && wrong++ < 5)
                printf("# %s is not skipped: %s\n", gcn_op_info[op].name, bench.wave->fault.name);
        }
    }
    ok(!wrong && count > 500, "%s, %s: %u forms of vector operations are skipped", engine->name,
       target->processor->name, count);
}

/* Programs written by hand */

static const struct program {
    const char *name;
    uint32_t words[20];
    uint32_t s20;                  /* at the beginning */
    uint32_t s22, s23, s24, vskip; /* at the end */
    bool marked;                   /* v15 is written */
} programs[] = {
    {"s_setvskip takes bit 3 of a register",
     /* s_setvskip s20, 3; v_mov_b32 v15, -1; s_getreg_b32 s22, hwreg(HW_REG_MODE, 28, 1) */
     {0xbf108314, MARK, 0xb8960701, END},
     8,
     1,
     0,
     0,
     1,
     false},
    {"s_setvskip takes only that bit", {0xbf108314, MARK, 0xb8960701, END}, ~8u, 0, 0, 0, 0, true},
    {"s_setreg_imm32 sets and clears VSKIP",
     /* s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1; ... 0; s_getreg_b32 s22, hwreg(HW_REG_MODE, 28, 1) */
     {0xba000701, 1, MARK, 0xb8960701, 0xba000701, 0, END},
     0,
     1,
     0,
     0,
     0,
     false},
    {"s_setreg of all of MODE sets VSKIP", /* s_setreg_b32 hwreg(HW_REG_MODE, 0, 29), s20 */
     {0xb914e001, MARK, 0xb8960701, END},
     VSKIP | MODE,
     1,
     0,
     0,
     1,
     false},
    {"s_setreg without VSKIP leaves it", /* s_setvskip 1, 0; s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0 */
     {SKIP, 0xba001801, 0, MARK, 0xb8960701, END},
     0,
     1,
     0,
     0,
     1,
     false},
    {"scalar instructions, loads among them, are executed",
     /* s_load_dword s24, s[2:3], 0x4; s_add_u32 s23, s23, 1; s_cmp_lt_u32 s23, 5; s_cbranch_scc1 -4 */
     {SKIP, 0xc0020601, 4, 0x80178117, MARK, 0xbf0a8517, 0xbf85fffc, END},
     0,
     0,
     5,
     0x1234,
     1,
     false},
    {"VSKIP alternates in a loop",
     /* s_setvskip s23, 0; v_add_u32 v15, 1, v15; s_add_u32 s23, s23, 1; s_cmp_lt_u32 s23, 5; s_cbranch_scc1 -5 */
     {0xbf108017, 0x681e1e81, 0x80178117, 0xbf0a8517, 0xbf85fffb, SKIP_NOT, END},
     0,
     0,
     5,
     0,
     0,
     true},
    {"a function is called and skips too",
     /* s_getpc_b64 s[28:29]; s_add_u32 s28, s28, 24; s_addc_u32 s29, s29, 0; s_setvskip 1, 0;
      * s_swappc_b64 s[30:31], s[28:29]; s_endpgm; v_mov_b32 v15, -1; s_add_u32 s23, s23, 1; s_setpc_b64 s[30:31] */
     {0xbe9c1c00, 0x801c981c, 0x821d801d, SKIP, 0xbe9e1e1c, END, END, MARK, 0x80178117, 0xbe801d1e},
     0,
     0,
     1,
     0,
     1,
     false},
    {"a function's VSKIP lasts when it returns",
     {0xbe9c1c00, 0x801c981c, 0x821d801d, 0xbe9e1e1c, MARK, END, END, SKIP, 0x80178117, 0xbe801d1e},
     0,
     0,
     1,
     0,
     1,
     false},
};

static void run_program(const struct gcn_engine *engine, const struct program *p, uint64_t exec)
{
    static const uint32_t memory[2] __attribute__((aligned(8))) = {0, 0x1234};
    struct gcn_wave *w = bench.wave;
    prepare(exec);
    gcn_set64(w, 2, (uint64_t)(uintptr_t)memory);
    w->s[20] = p->s20;
    w->s[22] = w->s[23] = w->s[24] = 0;
    for (unsigned lane = 0; lane < GCN_LANES; lane++)
        w->v[15][lane] = 0;
    unsigned words = 20;
    while (!p->words[words - 1])
        words--;
    bool good = bench_run(&bench, p->words, words, MODE) && w->s[22] == p->s22 && w->s[23] == p->s23 &&
                w->s[24] == p->s24 && (w->mode >> 28 & 1) == p->vskip;
    for (unsigned lane = 0; lane < GCN_LANES; lane++)
        good &= (w->v[15][lane] != 0) == (p->marked && (exec >> lane & 1));
    ok(good, "%s, %s: %s", engine->name, target->processor->name, p->name);
}

/* Random code */

/* Whether OP may be part of random code: it leaves control flow, MODE and memory alone, and is executed in all forms of
 * its example words. */
static bool is_harmless(enum gcn_op op)
{
    static const char *const others[] = {
        "s_setpc",  "s_swappc", "s_getpc", "s_call", "s_rfe",    "s_cbranch", "s_setreg",
        "s_getreg", "vskip",    "gpr_idx", "movrel", "v_interp", "screen",    "_dot"};
    const struct gcn_op_info *info = &gcn_op_info[op];
    bool alu = info->encoding == GCN_SOP1 || info->encoding == GCN_SOP2 || info->encoding == GCN_SOPC ||
               info->encoding == GCN_SOPK || info->encoding == GCN_VOP1 || info->encoding == GCN_VOP2 ||
               info->encoding == GCN_VOPC || info->encoding == GCN_VOP3 || info->encoding == GCN_VOP3P;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(info->name, others[i]))
            return false;
    return alu && !(info->flags & GCN_F_MATRIX);
}

struct code {
    uint32_t words[256];
    unsigned count;
};

static void put(struct code *c, const uint32_t *words, unsigned count)
{
    memcpy(c->words + c->count, words, count * sizeof *words);
    c->count += count;
}

static unsigned draw(uint32_t words[2], bool *vector)
{
    for (;;) {
        struct base bases[MAX_BASES];
        struct gcn_inst inst;
        enum gcn_op op = (enum gcn_op)(random64() % GCN_OP_COUNT);
        unsigned count = is_harmless(op) ? fields_bases(target, op, bases) : 0;
        uint64_t word = count ? bases[random64() % count].word : 0;
        if (!count || gcn_decode(target, &word, 8, &inst) != GCN_DECODE_OK || inst.op != op)
            continue;
        words[0] = (uint32_t)word;
        words[1] = (uint32_t)(word >> 32);
        *vector = is_vector(op);
        return inst.size / 4u;
    }
}

/* Makes random code in which VSKIP changes, and the same code without what is skipped. */
static void make_code(struct code *all, struct code *executed)
{
    static const uint32_t end = END;
    bool skips = false;
    all->count = executed->count = 0;
    for (unsigned i = 0; i < 60; i++) {
        uint32_t words[2];
        bool vector;
        if (!(random64() % 6)) {
            skips = random64() % 2;
            put(all, (const uint32_t[]){skips ? SKIP : SKIP_NOT}, 1);
            continue;
        }
        unsigned count = draw(words, &vector);
        put(all, words, count);
        if (!vector || !skips)
            put(executed, words, count);
    }
    put(all, &end, 1);
    put(executed, &end, 1);
}

static void random_code(const struct gcn_engine *engine)
{
    static struct gcn_wave start, expected;
    unsigned wrong = 0;
    for (unsigned round = 0; round < 100; round++) {
        struct code all, executed;
        make_code(&all, &executed);
        prepare(round % 3 ? random64() : UINT64_MAX);
        memcpy(&start, bench.wave, sizeof start);
        bool good = bench_run(&bench, executed.words, executed.count, MODE);
        memcpy(&expected, bench.wave, sizeof expected);
        memcpy(bench.wave, &start, sizeof start);
        good = bench_run(&bench, all.words, all.count, MODE) && good;
        memcpy(bench.before, &expected, sizeof expected);
        if ((!good || !is_unchanged()) && wrong++ < 5)
            printf("# a program differs: %s\n", bench.wave->fault.name);
    }
    ok(!wrong, "%s, %s: what is not skipped is executed as ever", engine->name, target->processor->name);
}

int main(void)
{
    if (!bench_begin(&bench))
        return 1;
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        for (unsigned t = 0; t < GCN_TARGET_COUNT; t++) {
            target = gcn_target_number(t);
            bench.cache = gcn_cache_new(engine, target);
            each_operation(engine);
            for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
                run_program(engine, &programs[k], UINT64_MAX);
                run_program(engine, &programs[k], random64());
            }
            random_code(engine);
            gcn_cache_free(bench.cache);
        }
    }
    bench_end(&bench);
    return tap_done();
}
