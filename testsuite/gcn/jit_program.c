/* SPDX-License-Identifier: MIT */
/* Random programs that run twice, interpreted and compiled.
 * Input: instructions, and random values of registers and memory. Output: the first difference between the two runs.
 * Invariant: both runs begin with the same registers and memory. */
#include "config.h"

#include "testsuite/gcn/jit_program.h"

#include "runtime/gcn/group.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/inst/print.h"
#include "runtime/gcn/jit/jit.h"
#include "runtime/gcn/jit/tier.h"
#include "testsuite/gcn/vector_values.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 3 };

const struct gcn_target *program_target;
enum gcn_target_number program_target_number;
struct program_state program_initial;

static struct program_state interpreted, compiled;
static struct gcn_dispatch dispatch;
static struct gcn_group group = {.dispatch = &dispatch};
/* A page, and another one that guarded waves may not touch. */
enum { PAGE = 4096 };
static uint32_t memory[2 * PROGRAM_STORED][GCN_LANES] __attribute__((aligned(PAGE)));
_Static_assert(sizeof memory == 2 * PAGE, "what is stored is a page");

void program_choose_target(enum gcn_target_number number)
{
    program_target_number = number;
    program_target = gcn_target_number(number);
}

/* Instructions */

unsigned program_size_of(const uint32_t word[2])
{
    struct gcn_inst inst;
    return gcn_decode(program_target, (const uint8_t *)word, 8, &inst) == GCN_DECODE_OK ? inst.size / 4 : 1;
}

/* Arithmetic on the same few registers, as loops have it that keep them from one round to the next. */
void program_add_arithmetic(struct program *p)
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
void program_add_branch(struct program *p)
{
    p->body[p->count][0] = 0xbf840000 + (uint32_t)(value_random() % 6 << 16); /* s_cbranch_scc0 ... execnz */
    p->body[p->count][1] = 0;
    p->count++;
}

/* A barrier, before instructions that may be executed while the wave has not come to it. */
void program_add_barrier(struct program *p)
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

/* Puts stores of registers, unless all are compared, and the end. */
static void end(struct program *p)
{
    if (!p->keep) {
        put(p, 0xbefe01c1);       /* s_mov_b64 exec, -1 */
        put(p, 0xd28c0000 | 200); /* v_mbcnt_lo_u32_b32 v200, -1, 0 */
        put(p, 193 | 128 << 9);
        put(p, 0xd28d0000 | 200); /* v_mbcnt_hi_u32_b32 v200, -1, v200 */
        put(p, 193 | (256 + 200) << 9);
        put(p, 0x24000000 | 200 << 17 | 200 << 9 | 130); /* v_lshlrev_b32 v200, 2, v200: the lane's offset */
        for (uint32_t i = 0; i < PROGRAM_STORED; i++) {
            put(p, 0xdc708000); /* global_store_dword v200, vI, s[98:99] */
            put(p, 200 | i << 8 | PROGRAM_POINTER << 16);
            put(p, 0x689190ff); /* v_add_u32 v200, 256, v200 */
            put(p, 256);
        }
    }
    put(p, PROGRAM_END);
}

/* Puts the first COUNT instructions into a loop, and the end after it. */
static void build(struct program *p, unsigned count)
{
    p->words = 0;
    put(p, 0xb0000000 | PROGRAM_COUNTER << 16 | ROUNDS); /* s_movk_i32 */
    unsigned loop = p->words + (p->left_out > 0);
    if (p->left_out)
        put(p, 0xbf820000); /* s_branch */
    for (unsigned i = 0; i < count; i++) {
        uint32_t *word = p->body[i];
        if (i < p->left_out)
            p->text[loop - 1] += program_size_of(word);
        bool branch = word[0] >> 16 >= 0xbf84 && word[0] >> 16 <= 0xbf89;
        unsigned skip = 0;
        for (unsigned k = 1; branch && k <= 2 && i + k < count; k++)
            skip += program_size_of(p->body[i + k]);
        put(p, branch ? (word[0] & 0xffff0000) | skip : word[0]);
        if (!branch && program_size_of(word) == 2)
            put(p, word[1]);
    }
    put(p, 0x80808100u | PROGRAM_COUNTER | PROGRAM_COUNTER << 16); /* s_sub_u32 s100, s100, 1 */
    put(p, 0xbf078000 | PROGRAM_COUNTER);                          /* s_cmp_lg_u32 s100, 0 */
    put(p, 0xbf850000 | (uint16_t)(loop - p->words - 1));
    end(p);
}

/* Has W remember, as one of what it has looked up, that it may touch the first page of the memory. */
static void guard(struct gcn_wave *w, unsigned place)
{
    static struct guest_memory *map;
    if (!map && (map = guest_memory_new()))
        guest_memory_add(map, memory, PAGE);
    if (!map)
        return; /* memory has run out */
    w->guest = map;
    for (unsigned i = 0; i < 8; i++) /* it remembers what it has often looked up */
        guest_memory_holds(w, (uint64_t)(uintptr_t)memory, 4);
    struct gcn_window window = w->guest_windows[0];
    w->guest_windows[0] = w->guest_windows[place];
    w->guest_windows[place] = window;
}

static void start(const struct program *p, struct program_state *s)
{
    memcpy(s, &program_initial, sizeof *s);
    memcpy(memory, program_initial.wave.v, PAGE);
    struct gcn_wave *w = &s->wave;
    w->base[0] = (const char *)w;
    w->group = &group;
    w->lds = s->lds;
    w->lds_size = PROGRAM_LDS_SIZE;
    if (p->guarded)
        guard(w, p->words % GCN_WINDOWS);
    gcn_set64(w, PROGRAM_POINTER, (uint64_t)(uintptr_t)memory);
    gcn_mode_changed(w);
}

static bool run(const struct gcn_engine *engine, const struct program *p, struct program_state *s)
{
    struct gcn_cache *cache = gcn_cache_new(engine, program_target);
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    size_t size = 4 * (size_t)p->words;
    struct gcn_code *code = gcn_cache_add(cache, p->text, size, p->text, size);
    bool found = gcn_cache_find(cache, (uint64_t)(uintptr_t)p->text, &entry, &kind);
    start(p, s);
    group.wave_count = p->waves;
    if (found) {
        gcn_wave_enter(&s->wave, &entry);
        for (unsigned turns = 0; turns < 1000; turns++) {
            s->wave.budget = 1000;
            enum gcn_stop why = gcn_wave_run(&s->wave);
            if (why != GCN_STOP_YIELD && why != GCN_STOP_BARRIER)
                break;
        }
        memcpy(s->stored, memory, PAGE);
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
    if (memcmp(interpreted.lds, compiled.lds, PROGRAM_LDS_SIZE) ||
        memcmp(program_initial.after, compiled.after, sizeof program_initial.after))
        return "group memory";
    if (memcmp(interpreted.stored, compiled.stored, PAGE))
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

const char *program_compare(const struct gcn_engine *engine, struct program *p, unsigned count, char *text, size_t size)
{
    unsigned words = p->words;
    if (p->complete)
        end(p);
    else
        build(p, count);
    gcn_tier_set_mode(GCN_TIER_OFF, 0);
    bool found = run(engine, p, &interpreted);
    gcn_tier_set_mode(GCN_TIER_NOW, GCN_JIT_WHOLE | GCN_JIT_CHECK | (p->keep ? GCN_JIT_KEEP : 0));
    found = found && run(engine, p, &compiled);
    p->words = p->complete ? words : p->words;
    return found ? difference(p, text, size) : "not translated";
}

static void print_instruction(const uint32_t *words, unsigned size)
{
    struct gcn_inst inst;
    char line[160];
    if (gcn_decode(program_target, (const uint8_t *)words, 4 * size, &inst) != GCN_DECODE_OK)
        return;
    gcn_print(program_target, &inst, line, sizeof line);
    printf("#   %s\n", line);
}

void program_report(const struct gcn_engine *engine, struct program *p)
{
    char text[160];
    unsigned count = p->complete ? p->count : 1;
    while (count < p->count && !program_compare(engine, p, count, text, sizeof text))
        count++;
    const char *what = program_compare(engine, p, count, text, sizeof text);
    printf("# EXEC %#llx: %s, after\n", (unsigned long long)gcn_exec(&program_initial.wave), what ? what : "nothing");
    for (unsigned i = count > 4 ? count - 4 : 0; i < count; i++)
        print_instruction(p->body[i], 2);
    for (unsigned i = 0; p->complete && i < p->words; i += program_size_of(p->text + i))
        print_instruction(p->text + i, p->words - i);
}

/* Values */

/* Gives LANE of each vector register a number of some type, which for f64 is in two registers. */
static void draw_lane(unsigned lane)
{
    static const enum gcn_type types[] = {
        GCN_T_F32, GCN_T_F32, GCN_T_F32, GCN_T_U32, GCN_T_U32, GCN_T_V2F16, GCN_T_V2F16, GCN_T_F64};
    for (unsigned i = 0; i < GCN_VGPRS; i++) {
        enum gcn_type type = types[value_random() % (sizeof types / sizeof *types)];
        u128 value = value_of(type);
        program_initial.wave.v[i][lane] = (uint32_t)value;
        if (type == GCN_T_F64 && ++i < GCN_VGPRS)
            program_initial.wave.v[i][lane] = (uint32_t)(value >> 32);
    }
}

void program_randomize(void)
{
    static const uint32_t modes[] = {PROGRAM_DEFAULT_MODE, PROGRAM_DEFAULT_MODE, PROGRAM_DEFAULT_MODE, 0x3c0, 0x3f5};
    memset(&program_initial, 0, sizeof program_initial);
    for (unsigned k = 0; k < GCN_LANES; k++)
        draw_lane(k);
    memcpy(program_initial.wave.a, program_initial.wave.v, sizeof program_initial.wave.a);
    for (unsigned i = 4; i < 8; i++) { /* addresses of group memory: adjacent, equal, scattered, at its end */
        uint32_t base = (uint32_t)(value_random() % (PROGRAM_LDS_SIZE - 64)) & (value_random() % 4 ? ~7u : ~0u);
        uint32_t kind = (uint32_t)(value_random() % 4), before_end = (uint32_t)(value_random() % GCN_LANES);
        for (uint32_t k = 0; k < GCN_LANES; k++)
            program_initial.wave.v[i][k] =
                kind == 0   ? base + 4 * k
                : kind == 1 ? base
                : kind == 2 ? (uint32_t)(value_random() % PROGRAM_LDS_SIZE) & ~7u
                            : PROGRAM_LDS_SIZE - 4 * before_end + 4 * k;
    }
    for (unsigned i = 0; i < GCN_S_TTMP; i++)
        program_initial.wave.s[i] = (uint32_t)value_random();
    for (unsigned i = 0; i < PROGRAM_LDS_SIZE; i++)
        program_initial.lds[i] = (uint8_t)value_random();
    memset(program_initial.after, 0x55, sizeof program_initial.after);
    gcn_set64(&program_initial.wave, GCN_S_EXEC, value_random() % 3 ? UINT64_MAX : value_random());
    program_initial.wave.scc = value_random() & 1;
    program_initial.wave.mode = modes[value_random() % 5];
}
