/* SPDX-License-Identifier: MIT */
/* Compares compiled code with the interpreter, in random programs with loops and forward branches. They contain every
 * scalar, vector and group memory operation that does not leave the program, with random forms of operands. One in
 * eight programs is for the processor that has most operations, mostly of those that the first one lacks.
 *
 * What is expected is what the interpreter does with the same program; other tests compare the interpreter with models.
 * The test compares all registers, group memory, why the wave stopped and where it faulted. In every other program it
 * compares only what the program stores, so that registers are dead at the end.
 * Arguments: the number of programs, and a seed. */
#include "config.h"

#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/jit/jit.h"
#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/inst/print.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/vector_values.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH = 24, WORDS_MAX = 512, LDS_SIZE = 4096, COUNTER = 100, POINTER = 98, STORED = 16, ROUNDS = 3 };
enum { END = 0xbf810000, DEFAULT_MODE = 0x3f0 };

struct program {
    uint32_t text[WORDS_MAX];
    unsigned words;
    uint32_t body[LENGTH * 3 + 8][2]; /* instructions */
    unsigned count;
    bool keep;         /* registers are compared in the end */
    bool group_memory; /* half of the instructions access group memory */
    unsigned left_out; /* instructions, in the first round */
};

struct state {
    struct gcn_wave wave __attribute__((aligned(64)));
    uint8_t lds[LDS_SIZE];
    uint8_t after[256]; /* what may not be read */
    uint32_t stored[STORED][GCN_LANES];
};

static const struct gcn_target *target;
static enum gcn_target_number target_number;
static struct state initial, interpreted, compiled;
static struct gcn_dispatch dispatch;
static struct gcn_group group = {.dispatch = &dispatch, .wave_count = 1};
static uint32_t memory[STORED][GCN_LANES] __attribute__((aligned(64)));
static uint8_t drawn[GCN_OP_COUNT];

/* Random instructions */

static bool is_candidate(unsigned op)
{
    static const char *const others[] = {
        "pc_b64", "s_call", "rfe",     "fork",    "join",    "movrel",  "interp", "s_end",
        "trap",   "halt",   "sleep",   "sendmsg", "kill",    "barrier", "getreg", "gpr_idx",
        "branch", "gws",    "ordered", "append",  "consume", "ds_nop",  "gs_"};
    const struct gcn_op_info *info = &gcn_op_info[op];
    switch (info->encoding) {
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC:
    case GCN_VOP3:
    case GCN_VOP3P:
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC:
    case GCN_SOPK:
    case GCN_DS: break;
    default: return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(info->name, others[i]))
            return false;
    return true;
}

/* Whether the operand is none of the registers that the program needs for itself. */
static bool is_harmless(const struct gcn_operand *operand)
{
    return operand->kind != GCN_SGPR || operand->index > COUNTER + 1 || operand->index + 16 < POINTER;
}

static bool is_direct(const struct gcn_inst *inst)
{
    for (unsigned i = 0; i < 3; i++)
        if (inst->src[i].kind == GCN_SPECIAL && inst->src[i].index == GCN_SRC_LDS_DIRECT)
            return true;
    return false;
}

/* Puts random values into the fields of an example of OP. False if the result is not an instruction of that kind. */
static bool draw_form(unsigned op, uint32_t word[2])
{
    struct base bases[MAX_BASES];
    struct gcn_inst inst;
    unsigned count = fields_bases(target, (enum gcn_op)op, bases);
    if (!count)
        return false;
    const struct base *base = &bases[value_random() % count];
    uint64_t bits = base->word;
    for (const struct field *field = base->fields; field->width; field++)
        if (value_random() % 2) {
            uint64_t mask = ((UINT64_C(1) << field->width) - 1) << field->low;
            bits = (bits & ~mask) | (value_random() << field->low & mask);
        }
    word[0] = (uint32_t)bits;
    word[1] = (uint32_t)(bits >> 32);
    if (gcn_op_info[op].encoding == GCN_DS && value_random() % 8) { /* mostly such that it does not fault */
        word[0] &= value_random() % 2 ? ~UINT32_C(0x1f0f8) : ~UINT32_C(0x1ffff); /* GDS, large offsets */
        word[1] = (word[1] & ~0xffu) | (4 + (uint32_t)(value_random() % 4));
    }
    uint32_t text[] = {word[0], word[1], END};
    return gcn_decode(target, (const uint8_t *)text, sizeof text, &inst) == GCN_DECODE_OK && inst.op == op &&
           inst.size <= 8 && is_harmless(&inst.dst) && is_harmless(&inst.sdst) && !is_direct(&inst);
}

static unsigned size_of(const uint32_t word[2])
{
    struct gcn_inst inst;
    return gcn_decode(target, (const uint8_t *)word, 8, &inst) == GCN_DECODE_OK ? inst.size / 4 : 1;
}

/* Some read or write of group memory. */
static unsigned draw_group_access(void)
{
    for (;;) {
        unsigned op = (unsigned)(value_random() % GCN_OP_COUNT);
        const char *name = gcn_op_info[op].name;
        if (gcn_op_info[op].encoding == GCN_DS && (!strncmp(name, "ds_read", 7) || !strncmp(name, "ds_write", 8)))
            return op;
    }
}

/* Some operation that the first processor lacks: packed f32, f64 atomics of group memory, accumulation registers, ...
 */
static unsigned draw_new(void)
{
    for (;;) {
        unsigned op = (unsigned)(value_random() % GCN_OP_COUNT);
        if (is_candidate(op) && gcn_op_info[op].targets >> target_number & 1 &&
            !(gcn_op_info[op].targets >> GCN_TARGET_gfx900 & 1))
            return op;
    }
}

static void draw(struct program *p, unsigned *next)
{
    for (unsigned tries = 0;; tries++) {
        unsigned op = next && tries < 50 ? *next : (unsigned)(value_random() % GCN_OP_COUNT);
        while (next && tries < 50 && !is_candidate(op))
            op = *next = (op + 1) % GCN_OP_COUNT;
        if (p->group_memory && value_random() % 2)
            op = draw_group_access();
        if (target_number != GCN_TARGET_gfx900 && value_random() % 2)
            op = draw_new();
        if (!is_candidate(op) || !draw_form(op, p->body[p->count]))
            continue;
        drawn[op] = 1;
        if (next)
            *next = (op + 1) % GCN_OP_COUNT;
        p->count++;
        return;
    }
}

/* Arithmetic on the same few registers, as loops have it that keep them from one round to the next. */
static void draw_arithmetic(struct program *p)
{
    static const uint8_t ops[] = {1, 2, 5, 16, 20, 21, 22, 52}; /* v_add_f32, v_sub_f32, v_mul_f32, v_lshrrev_b32 ... */
    uint32_t dst = value_random() % 6, a = 256 + value_random() % 6, b = value_random() % 6;
    uint32_t *word = p->body[p->count++];
    a = value_random() % 6 ? a : value_random() % 8;
    word[0] = (uint32_t)ops[value_random() % sizeof ops] << 25 | dst << 17 | b << 9 | a;
    word[1] = 0;
    if (value_random() % 3)
        return;
    word[0] = 0xd1cb0000 | dst; /* v_fma_f32 */
    word[1] = a | (256 + b) << 9 | (uint32_t)(256 + value_random() % 6) << 18;
}

/* A branch over the next one or two instructions. */
static void draw_branch(struct program *p)
{
    p->body[p->count][0] = 0xbf840000 + (uint32_t)(value_random() % 6 << 16); /* s_cbranch_scc0 ... execnz */
    p->body[p->count][1] = 0;
    p->count++;
}

/* A load of one, two or four scalar registers from the memory that is stored to in the end. */
static void draw_load(struct program *p)
{
    uint32_t size = (uint32_t)(value_random() % 3), first = 8 + 4 * (uint32_t)(value_random() % 4);
    p->body[p->count][0] = 0xc0020000 | size << 18 | first << 6 | POINTER / 2;
    p->body[p->count][1] = (uint32_t)(value_random() % (sizeof memory - 16));
    p->count++;
}

/* A barrier, before instructions that may be executed while the wave has not come to it. */
static void draw_barrier(struct program *p)
{
    p->body[p->count][0] = 0xbf8a0000; /* s_barrier */
    p->body[p->count][1] = 0;
    p->count++;
}

/* Building and running */

static void put(struct program *p, uint32_t word)
{
    p->text[p->words++] = word;
}

/* Puts the first COUNT instructions into a loop, and stores of registers after it. */
static void build(struct program *p, unsigned count)
{
    p->words = 0;
    put(p, 0xb0000000 | COUNTER << 16 | ROUNDS); /* s_movk_i32 */
    unsigned loop = p->words + (p->left_out > 0);
    if (p->left_out)
        put(p, 0xbf820000); /* s_branch */
    for (unsigned i = 0; i < count; i++) {
        uint32_t *word = p->body[i];
        if (i < p->left_out)
            p->text[loop - 1] += size_of(word);
        bool branch = word[0] >> 16 >= 0xbf84 && word[0] >> 16 <= 0xbf89;
        unsigned skip = 0;
        for (unsigned k = 1; branch && k <= 2 && i + k < count; k++)
            skip += size_of(p->body[i + k]);
        put(p, branch ? (word[0] & 0xffff0000) | skip : word[0]);
        if (!branch && size_of(word) == 2)
            put(p, word[1]);
    }
    put(p, 0x80808100u | COUNTER | COUNTER << 16); /* s_sub_u32 s100, s100, 1 */
    put(p, 0xbf078000 | COUNTER);                  /* s_cmp_lg_u32 s100, 0 */
    put(p, 0xbf850000 | (uint16_t)(loop - p->words - 1));
    if (!p->keep) {
        put(p, 0xbefe01c1);       /* s_mov_b64 exec, -1 */
        put(p, 0xd28c0000 | 200); /* v_mbcnt_lo_u32_b32 v200, -1, 0 */
        put(p, 193 | 128 << 9);
        put(p, 0xd28d0000 | 200); /* v_mbcnt_hi_u32_b32 v200, -1, v200 */
        put(p, 193 | (256 + 200) << 9);
        put(p, 0x24000000 | 200 << 17 | 200 << 9 | 130); /* v_lshlrev_b32 v200, 2, v200: the lane's offset */
        for (uint32_t i = 0; i < STORED; i++) {
            put(p, 0xdc708000); /* global_store_dword v200, vI, s[98:99] */
            put(p, 200 | i << 8 | POINTER << 16);
            put(p, 0x689190ff); /* v_add_u32 v200, 256, v200 */
            put(p, 256);
        }
    }
    put(p, END);
}

static void start(struct state *s)
{
    memcpy(s, &initial, sizeof *s);
    memcpy(memory, initial.wave.v, sizeof memory);
    struct gcn_wave *w = &s->wave;
    w->base[0] = (const char *)w;
    w->group = &group;
    w->lds = s->lds;
    w->lds_size = LDS_SIZE;
    gcn_set64(w, POINTER, (uint64_t)(uintptr_t)memory);
    gcn_mode_changed(w);
}

static bool run(const struct gcn_engine *engine, const struct program *p, struct state *s)
{
    struct gcn_cache *cache = gcn_cache_new(engine, target);
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    size_t size = 4 * (size_t)p->words;
    struct gcn_code *code = gcn_cache_add(cache, p->text, size, p->text, size);
    bool found = gcn_cache_find(cache, (uint64_t)(uintptr_t)p->text, &entry, &kind);
    start(s);
    if (found) {
        gcn_wave_enter(&s->wave, &entry);
        for (unsigned turns = 0; turns < 1000; turns++) {
            s->wave.budget = 1000;
            enum gcn_stop why = gcn_wave_run(&s->wave);
            if (why != GCN_STOP_YIELD && why != GCN_STOP_BARRIER)
                break;
        }
        memcpy(s->stored, memory, sizeof memory);
    }
    gcn_cache_remove(cache, code);
    gcn_cache_free(cache);
    return found;
}

/* Says what differs between the two states; NULL if nothing does. */
static const char *difference(const struct program *p, char *text, size_t size)
{
    const struct gcn_wave *a = &interpreted.wave, *b = &compiled.wave;
    if (a->stop != b->stop || a->fault.kind != b->fault.kind || a->fault.pc != b->fault.pc)
        return "it stops elsewhere";
    if (memcmp(interpreted.lds, compiled.lds, LDS_SIZE) || memcmp(initial.after, compiled.after, sizeof initial.after))
        return "group memory";
    if (memcmp(interpreted.stored, compiled.stored, sizeof memory))
        return "what is stored";
    if (a->stop == GCN_STOP_FAULT)
        return NULL;
    for (unsigned i = 0; i < GCN_SGPRS; i++)
        if (a->s[i] != b->s[i]) {
            snprintf(text, size, "s%u is %#x, compiled %#x", i, a->s[i], b->s[i]);
            return text;
        }
    if (a->scc != b->scc)
        return "SCC";
    for (unsigned i = 0; p->keep && i < GCN_VGPRS; i++)
        for (unsigned k = 0; k < GCN_LANES; k++)
            if (a->v[i][k] != b->v[i][k]) {
                snprintf(text, size, "v%u of lane %u is %#x, compiled %#x", i, k, a->v[i][k], b->v[i][k]);
                return text;
            }
    return p->keep && memcmp(a->a, b->a, sizeof a->a) ? "an accumulation register" : NULL;
}

static const char *compare(const struct gcn_engine *engine, struct program *p, unsigned count, char *text, size_t size)
{
    build(p, count);
    gcn_tier_set_mode(GCN_TIER_OFF, 0);
    bool found = run(engine, p, &interpreted);
    gcn_tier_set_mode(GCN_TIER_NOW, GCN_JIT_WHOLE | GCN_JIT_CHECK | (p->keep ? GCN_JIT_KEEP : 0));
    return found && run(engine, p, &compiled) ? difference(p, text, size) : "not translated";
}

/* Prints the shortest beginning of the program that still shows a difference. */
static void report(const struct gcn_engine *engine, struct program *p)
{
    char text[160], line[160];
    unsigned count = 1;
    while (count < p->count && !compare(engine, p, count, text, sizeof text))
        count++;
    const char *what = compare(engine, p, count, text, sizeof text);
    printf("# EXEC %#llx: %s, after\n", (unsigned long long)gcn_exec(&initial.wave), what ? what : "nothing");
    for (unsigned i = count > 4 ? count - 4 : 0; i < count; i++) {
        struct gcn_inst inst;
        if (gcn_decode(target, (const uint8_t *)p->body[i], 8, &inst) == GCN_DECODE_OK) {
            gcn_print(target, &inst, line, sizeof line);
            printf("#   %s\n", line);
        }
    }
}

/* Gives LANE of each vector register a number of some type, which for f64 is in two registers. */
static void draw_lane(unsigned lane)
{
    static const enum gcn_type types[] = {
        GCN_T_F32, GCN_T_F32, GCN_T_F32, GCN_T_U32, GCN_T_U32, GCN_T_V2F16, GCN_T_V2F16, GCN_T_F64};
    for (unsigned i = 0; i < GCN_VGPRS; i++) {
        enum gcn_type type = types[value_random() % (sizeof types / sizeof *types)];
        u128 value = value_of(type);
        initial.wave.v[i][lane] = (uint32_t)value;
        if (type == GCN_T_F64 && ++i < GCN_VGPRS)
            initial.wave.v[i][lane] = (uint32_t)(value >> 32);
    }
}

static void randomize(void)
{
    static const uint32_t modes[] = {DEFAULT_MODE, DEFAULT_MODE, DEFAULT_MODE, 0x3c0, 0x3f5};
    memset(&initial, 0, sizeof initial);
    for (unsigned k = 0; k < GCN_LANES; k++)
        draw_lane(k);
    memcpy(initial.wave.a, initial.wave.v, sizeof initial.wave.a);
    for (unsigned i = 4; i < 8; i++) { /* addresses of group memory: adjacent, equal, scattered, at its end */
        uint32_t base = (uint32_t)(value_random() % (LDS_SIZE - 64)) & (value_random() % 4 ? ~7u : ~0u);
        uint32_t kind = (uint32_t)(value_random() % 4), before_end = (uint32_t)(value_random() % GCN_LANES);
        for (uint32_t k = 0; k < GCN_LANES; k++)
            initial.wave.v[i][k] =
                kind == 0   ? base + 4 * k
                : kind == 1 ? base
                : kind == 2 ? (uint32_t)(value_random() % LDS_SIZE) & ~7u
                            : LDS_SIZE - 4 * before_end + 4 * k;
    }
    for (unsigned i = 0; i < GCN_S_TTMP; i++)
        initial.wave.s[i] = (uint32_t)value_random();
    for (unsigned i = 0; i < LDS_SIZE; i++)
        initial.lds[i] = (uint8_t)value_random();
    memset(initial.after, 0x55, sizeof initial.after);
    gcn_set64(&initial.wave, GCN_S_EXEC, value_random() % 3 ? UINT64_MAX : value_random());
    initial.wave.scc = value_random() & 1;
    initial.wave.mode = modes[value_random() % 5];
}

static void test_engine(const struct gcn_engine *engine, enum gcn_target_number number, unsigned programs)
{
    static struct program p;
    unsigned next = 0, different = 0, before = gcn_tier_count();
    char text[160], name[32];
    target_number = number;
    target = gcn_target_number(number);
    snprintf(name, sizeof name, "%s, %s", engine->name, number == GCN_TARGET_gfx900 ? "gfx900" : "gfx90a");
    memset(drawn, 0, sizeof drawn);
    for (unsigned i = 0; i < programs; i++) {
        randomize();
        p.count = 0;
        p.keep = i % 4 != 3;
        group.wave_count = 1 + (uint32_t)(value_random() % 2); /* a barrier stops a wave only if there is another one */
        p.group_memory = i % 4 == 0;
        p.left_out = value_random() % 4 ? 0 : (unsigned)(value_random() % 4);
        /* short programs are mostly loops without calls of handlers, which are compiled in another way */
        unsigned length = i % 2 ? LENGTH : 1 + (unsigned)(value_random() % 6);
        for (unsigned left = i % 8 == 6 ? 3 + length : 0; left; left--)
            draw_arithmetic(&p);
        while (i % 8 != 6 && p.count < length) {
            draw(&p, value_random() % 5 ? &next : NULL);
            if (value_random() % 6 == 0)
                draw_branch(&p);
            if (value_random() % 8 == 0)
                draw_load(&p);
            if (value_random() % 12 == 0)
                draw_barrier(&p);
        }
        if (!compare(engine, &p, p.count, text, sizeof text))
            continue;
        if (different++ < 10)
            report(engine, &p);
    }
    unsigned operations = 0;
    for (unsigned i = 0; i < GCN_OP_COUNT; i++)
        operations += drawn[i];
    printf("# %s: %u programs of %u operations, %u units compiled\n", name, programs, operations,
           gcn_tier_count() - before);
    /* what follows an instruction that sets VSKIP is another unit */
    ok(gcn_tier_count() - before >= programs, "%s: all programs are compiled", name);
    ok(!different, "%s: compiled code does as the interpreter", name);
}

/* A comparison that writes EXEC, and a register that keeps nothing. Operations before it are in the same segment. */
static void test_exec(const struct gcn_engine *engine)
{
    static const uint32_t words[][2] = {{0x7e1440f3}, {0x7cb40cf9, 0x0306fa04}};
    static struct program p;
    char text[160];
    target_number = GCN_TARGET_gfx900;
    target = gcn_target_number(target_number);
    randomize();
    p.keep = true;
    p.count = sizeof words / sizeof *words;
    memcpy(p.body, words, sizeof words);
    ok(!compare(engine, &p, p.count, text, sizeof text),
       "%s: v_exp_f32 v10, -1.0; v_cmpx_nlg_f32_sdwa ttmp[14:15], v4, v6 src1_sel:BYTE_3", engine->name);
}

/* Shifts of 64 bits by constants, of registers that are written before as single ones, as addresses are. */
static void test_shifts(const struct gcn_engine *engine)
{
    static const uint32_t opcodes[] = {
        0xd28f0000, 0xd2900000, 0xd2910000}; /* v_lshlrev_b64, v_lshrrev_b64, v_ashrrev_i64 */
    static const uint32_t counts[] = {0, 1, 2, 5, 31, 32, 33, 47, 63, 64};
    static struct program p;
    char text[160];
    bool right = true;
    target_number = GCN_TARGET_gfx900;
    target = gcn_target_number(target_number);
    for (size_t op = 0; op < sizeof opcodes / sizeof *opcodes; op++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            randomize();
            p.keep = true;
            p.count = 0;
            for (uint32_t k = 8; k < 14; k += 2) {
                uint32_t *add = p.body[p.count++], *shift = p.body[p.count++];
                add[0] = 0x68000000 | k << 17 | (k + 1) << 9 | (256 + k); /* v_add_u32 vK, vK, vK+1 */
                add[1] = 0;
                shift[0] = opcodes[op] | k;
                shift[1] = (128 + counts[i]) | (256 + k) << 9;
            }
            right &= !compare(engine, &p, p.count, text, sizeof text);
        }
    ok(right, "%s: shifts of 64 bits by constants", engine->name);
}

/* Addresses in vector register NUMBER that lie near the first lane's in each chunk, or for one lane in a few registers
 * just do not: adjacent ones if KIND is 0, equal ones if it is 1, else any. Those of the last chunk may be at the end
 * of group memory. */
static void draw_near_addresses(unsigned number, uint32_t kind, uint32_t chunk)
{
    uint32_t *v = initial.wave.v[number], last = LDS_SIZE - 4 * chunk;
    uint32_t lane = (uint32_t)(value_random() % GCN_LANES), odd = (uint32_t)(value_random() % 8);
    for (uint32_t k = 0; k < GCN_LANES; k++) {
        uint32_t base = (odd == 1 ? last - 1024 : odd == 6 ? last - 64 * (GCN_LANES / chunk - 1) : 1024);
        base += odd == 1 ? 0 : 64 * (k / chunk);
        uint32_t step = kind == 0 ? k % chunk : kind == 1 ? 0 : (uint32_t)(value_random() % chunk);
        v[k] = base + (k % chunk ? 4 * step : 0);
    }
    if (odd == 2)
        v[lane] = v[lane - lane % chunk] + 4 * chunk;
    else if (odd == 3)
        v[lane] += 2;
    else if (odd == 4)
        v[lane] -= 4;
    else if (odd == 5)
        v[lane] = LDS_SIZE - 4 - (uint32_t)(value_random() % 1100);
}

/* Compares COUNT programs: MAKE adds the instructions of the N-th one, after all registers have got new values. */
static void test_made(const struct gcn_engine *engine, const char *what, unsigned count,
                      void (*make)(const struct gcn_engine *engine, struct program *p, unsigned n))
{
    static struct program p;
    char text[160];
    unsigned different = 0;
    target_number = GCN_TARGET_gfx900;
    target = gcn_target_number(target_number);
    for (unsigned n = 0; n < count; n++) {
        randomize();
        p.keep = n % 4 != 3;
        p.count = 0;
        p.left_out = n % 8 == 7;
        make(engine, &p, n);
        if (compare(engine, &p, p.count, text, sizeof text) && different++ < 10)
            report(engine, &p);
    }
    ok(!different, "%s: %s", engine->name, what);
}

/* One to five reads of group memory in one segment, whose lanes are near each other, or one of them is not. */
static void make_near_reads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    enum { READS = 5 };
    static const uint32_t reads[] = {0xd86e0000, 0xd86e0000, 0xd86c0000, 0xd8ec0000, 0xd9fe0000};
    initial.wave.mode = DEFAULT_MODE;
    for (unsigned i = 4; i < 8; i++)
        draw_near_addresses(i, n % 2 ? n / 2 % 3 : (uint32_t)(value_random() % 4),
                            strcmp(engine->name, "avx512") ? 8 : 16);
    p->keep = true;
    unsigned count = 1 + n % READS;
    p->count = count + 1;
    for (unsigned i = 0; i < count; i++) {
        uint32_t offsets = (uint32_t)(value_random() & (value_random() % 16 ? 0x707 : 0x3fff));
        p->body[i][0] = reads[value_random() % (sizeof reads / sizeof *reads)] | offsets;
        p->body[i][1] = (16 + 4 * i) << 24 | (4 + (uint32_t)(value_random() % 2));
    }
    p->body[count][0] = 0x68502110; /* v_add_u32 v40, s16, v16 */
    p->body[count][1] = 0;
}

/* Reads of group memory, all but the first at what the one before has read, or some bits of it. */
static void make_chained_reads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    static const uint32_t reads[] = {0xd86c0000, 0xd86c0000, 0xd86c0000, 0xd86e0000, 0xd8ec0000};
    uint32_t address = 4;
    (void)engine;
    initial.wave.mode = DEFAULT_MODE;
    for (unsigned left = 1 + n % 4; left; left--) {
        uint32_t *read = p->body[p->count++], *mask = p->body[p->count++], value = 16 + 4 * left;
        read[0] = reads[value_random() % (sizeof reads / sizeof *reads)] | (uint32_t)(value_random() & 7);
        read[1] = value << 24 | address;
        address = 8 + left;
        mask[0] = 0x260000ff | address << 17 | value << 9; /* v_and_b32 with a constant */
        mask[1] = value_random() % 8 ? LDS_SIZE - 4 : 4 * LDS_SIZE - 1;
    }
}

/* Operations across lanes, with the same few registers as the arithmetic around them. */

enum exchange { READS_FIRST_LANE, READS_LANE, WRITES_LANE, COUNTS_LOW, COUNTS_HIGH, PERMUTES, EXCHANGES };

/* The values of the controls of DPP: each from a number on, so many. */
static const struct {
    uint16_t first, count;
} controls[] = {{0, 256},   {0x101, 15}, {0x111, 15}, {0x121, 15}, {0x130, 1}, {0x134, 1},
                {0x138, 1}, {0x13c, 1},  {0x140, 1},  {0x141, 1},  {0x142, 1}, {0x143, 1}};
enum { CONTROLS = sizeof controls / sizeof *controls };

/* Appends an operation with DPP: one that writes lanes, or sometimes a mask too. */
static void draw_dpp(struct program *p, unsigned control)
{
    static const uint8_t ops[] = {1, 2, 5, 0, 22, 52, 20, 25}; /* ... v_cndmask_b32, v_mac_f32, ..., v_add_co_u32 */
    uint32_t dst = value_random() % 6, a = value_random() % 6, b = value_random() % 6;
    uint32_t ctrl = controls[control].first + (uint32_t)(value_random() % controls[control].count);
    uint32_t *word = p->body[p->count++];
    word[0] = (uint32_t)ops[value_random() % sizeof ops] << 25 | dst << 17 | b << 9 | 0xfa;
    if (value_random() % 2)
        word[0] = 0x7e0002fa | dst << 17; /* v_mov_b32 */
    word[1] = a | ctrl << 8 | (uint32_t)(value_random() % 2) << 19;
    word[1] |= value_random() % 2 ? 0xff000000 : (uint32_t)(value_random() % 256) << 24;
    if (value_random() % 4 == 0)
        word[1] |= (uint32_t)(value_random() % 16) << 20;
    if (size_of(word) != 2) /* the operation knows no such modifiers */
        word[1] &= ~(UINT32_C(15) << 20);
}

static void draw_exchange(struct program *p, enum exchange kind)
{
    uint32_t dst = value_random() % 6, v = 256 + value_random() % 6, w = 256 + value_random() % 6;
    uint32_t scalar = value_random() % 3 ? value_random() % 8 : 128 + value_random() % 65;
    uint32_t *word = p->body[p->count++];
    word[1] = scalar | v << 9;
    switch (kind) {
    case READS_FIRST_LANE: word[0] = 0x7e000500 | dst << 17 | v; break;
    case READS_LANE:
        word[0] = 0xd2890000 | dst;
        word[1] = v | scalar << 9;
        break;
    case WRITES_LANE:
        word[0] = 0xd28a0000 | dst;
        word[1] = (uint32_t)(value_random() % 8) | scalar << 9;
        break;
    case COUNTS_LOW: word[0] = 0xd28c0000 | dst; break;
    case COUNTS_HIGH:
        word[0] = 0xd28d0000 | dst;
        word[1] = value_random() % 2 ? v | w << 9 : word[1];
        break;
    case PERMUTES:
        word[0] = value_random() % 2 ? 0xd87e0000 : 0xd87c0000; /* ds_bpermute_b32, ds_permute_b32 */
        word[1] = dst << 24 | (w & 255) << 8 | (v & 255);
        break;
    default:
        p->count--;
        draw_dpp(p, (unsigned)(value_random() % CONTROLS));
        break;
    }
}

static void make_exchanges(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    if (n < 2 * CONTROLS) /* each control at least twice */
        draw_dpp(p, n % CONTROLS);
    for (unsigned left = 1 + (unsigned)(value_random() % 8); left; left--) {
        draw_exchange(p, value_random() % 2 ? EXCHANGES : (enum exchange)(value_random() % EXCHANGES));
        for (uint64_t more = value_random() % 4; more; more--)
            draw_arithmetic(p);
    }
}

/* A read or write of group memory at the addresses in v6 or v7. */
static void draw_access(struct program *p)
{
    enum { WRITE = 13, WRITES = 2 };
    static const uint8_t ops[] = {WRITE, WRITE, 54, 118, 255, 55}; /* ds_read_b32, _b64, _b128, ds_read2_b32 */
    uint64_t op = value_random() % sizeof ops;
    uint32_t *word = p->body[p->count++];
    word[0] = 0xd8000000 | (uint32_t)ops[op] << 17;
    word[1] = (uint32_t)(6 + value_random() % 2) | (op < WRITES ? (uint32_t)(value_random() % 6) << 8 : 16u << 24);
}

/* Some lanes access group memory, among arithmetic: their addresses are inside of it, those of other lanes anywhere. */
static void make_some_lanes(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    uint64_t exec = value_random() | (n % 4 ? 0 : value_random());
    (void)engine;
    gcn_set64(&initial.wave, GCN_S_EXEC, exec);
    for (unsigned i = 6; i < 8; i++)
        for (unsigned k = 0; k < GCN_LANES; k++) {
            uint32_t any = (uint32_t)value_random();
            initial.wave.v[i][k] = exec >> k & 1 ? any % (LDS_SIZE - 64) & ~7u : any;
        }
    for (unsigned left = 1 + n % 4; left; left--) {
        draw_arithmetic(p);
        draw_access(p);
        draw_arithmetic(p);
    }
}

/* Appends an instruction that writes VCC or some other mask, reads one, or does something between the two. */
static void draw_mask(struct program *p)
{
    enum { VCC = 106, OTHER = 10 };
    uint32_t dst = value_random() % 6, v = 256 + value_random() % 6, w = value_random() % 6;
    uint32_t half = VCC + (uint32_t)(value_random() % 2), pair = value_random() % 3 ? VCC : OTHER;
    const uint32_t choices[][2] = {
        {0x7d920000 | w << 9 | v, 0},                        /* v_cmp_lt_u32 vcc */
        {0x7c820000 | w << 9 | v, 0},                        /* v_cmp_lt_f32 vcc */
        {0x32000000 | dst << 17 | w << 9 | v, 0},            /* v_add_co_u32 vD, vcc */
        {0x38000000 | dst << 17 | w << 9 | v, 0},            /* v_addc_co_u32 vD, vcc, ..., vcc */
        {0x3a000000 | dst << 17 | w << 9 | v, 0},            /* v_subb_co_u32 vD, vcc, ..., vcc */
        {0x00000000 | dst << 17 | w << 9 | v, 0},            /* v_cndmask_b32 with vcc */
        {0xd0c90000 | pair, v | (256 + w) << 9},             /* v_cmp_lt_u32 */
        {0xd1000000 | dst, v | (256 + w) << 9 | pair << 18}, /* v_cndmask_b32 */
        {0xd1e20000 | dst, v | (256 + w) << 9 | v << 18},    /* v_div_fmas_f32 */
        {0x7e000200 | dst << 17 | half, 0},                  /* v_mov_b32 vD, vcc_lo or vcc_hi */
        {0xbe800000 | (12 + dst) << 16 | half, 0},           /* s_mov_b32 sD, vcc_lo or vcc_hi */
        {0xbe800000 | half << 16 | (8 + dst), 0},            /* s_mov_b32 vcc_lo or vcc_hi, sD */
        {0xbe800100 | (pair ^ VCC ^ OTHER) << 16 | pair, 0}, /* s_mov_b64 vcc, s[10:11], or the reverse */
        {0x86800000 | OTHER << 16 | OTHER << 8 | VCC, 0},    /* s_and_b64 s[10:11], vcc, s[10:11] */
        {0xd2890000 | (12 + dst), v | half << 9},            /* v_readlane_b32 sD, v, vcc_lo or vcc_hi */
        {0xd87e0000, dst << 24 | w << 8 | (v & 255)},        /* ds_bpermute_b32, which its handler executes */
    };
    memcpy(p->body[p->count++], choices[value_random() % (sizeof choices / sizeof *choices)], sizeof *choices);
}

/* Masks that are written and then read, by way of branches too, or written again. */
static void make_masks(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    for (unsigned left = 3 + n % 12; left; left--) {
        draw_mask(p);
        if (value_random() % 3 == 0) {
            draw_branch(p);
            p->body[p->count - 1][0] = 0xbf860000 | (uint32_t)(value_random() % 2) << 16; /* s_cbranch_vccz, vccnz */
        }
        if (value_random() % 5 == 0)
            draw_arithmetic(p);
        if (value_random() % 9 == 0)
            draw_barrier(p);
    }
}

/* Appends a load of any kind, from group memory or from what is stored in the end, to one of the registers that
 * arithmetic uses. */
static void draw_vector_load(struct program *p)
{
    enum { ADDRESS = 7 };
    uint32_t dst = value_random() % 6, *word = p->body[p->count++];
    unsigned op;
    do
        op = (unsigned)(value_random() % GCN_OP_COUNT);
    while (strncmp(gcn_op_info[op].name, "ds_read", 7) && strncmp(gcn_op_info[op].name, "flat_load", 9));
    if (gcn_op_info[op].encoding == GCN_DS) {
        word[0] = 0xd8000000 | (uint32_t)gcn_op_info[op].opcode << 17;
        word[1] = ADDRESS | dst << 24;
    } else { /* with the encoding of GLOBAL, and an address in scalar registers */
        word[0] = 0xdc008000 | (uint32_t)gcn_op_info[op].opcode << 18;
        word[1] = ADDRESS | POINTER << 16 | dst << 24;
    }
}

/* Loads to registers that were just computed, wholly or in part. */
static void make_loads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    for (unsigned k = 0; k < GCN_LANES; k++)
        initial.wave.v[7][k] = (uint32_t)(value_random() % (LDS_SIZE - 1024)) & ~15u;
    for (unsigned left = 1 + n % 4; left; left--) {
        for (uint64_t more = 1 + value_random() % 3; more; more--)
            draw_arithmetic(p);
        draw_vector_load(p);
    }
    draw_arithmetic(p);
}

/* Everything on one kind of engine; one with few programs if BRIEF. False if the host cannot execute it. */
static bool test_all(const char *name, unsigned programs, bool brief)
{
    enum { FEW = 6 };
    const struct gcn_engine *engine = gcn_engine_select(name);
    if (!engine) {
        tap_skip("compiled code", "the host has no such instructions");
        return false;
    }
    test_engine(engine, GCN_TARGET_gfx900, brief ? FEW : programs - programs / 8);
    if (brief)
        return true;
    if (programs / 8)
        test_engine(engine, GCN_TARGET_gfx90a, programs / 8);
    test_exec(engine);
    test_shifts(engine);
    test_made(engine, "reads of group memory by lanes that are near each other", 150, make_near_reads);
    test_made(engine, "reads of group memory at what was read there", programs / 4, make_chained_reads);
    test_made(engine, "operations across lanes", programs, make_exchanges);
    test_made(engine, "accesses of some lanes to group memory", programs / 4, make_some_lanes);
    test_made(engine, "masks that are written and read", programs, make_masks);
    test_made(engine, "loads to registers that were just computed", programs / 2, make_loads);
    return true;
}

/* The arguments are a number of programs and a seed; or `brief`, which executes a few programs on the first engine that
 * there is. */
int main(int argc, char **argv)
{
    static const char *const names[] = {"avx2", "avx512"};
    bool brief = argc > 1 && !strcmp(argv[1], "brief"), done = false;
    unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
    if (argc > 2)
        value_seed(strtoull(argv[2], NULL, 0));
    if (!gcn_guard_acquire())
        return 99;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(brief && done); i++)
        done = test_all(names[i], programs, brief);
    gcn_guard_release();
    return tap_done();
}
