/* SPDX-License-Identifier: MIT */
/* Compares compiled code with the interpreter, in random programs with loops and forward branches. They contain every
 * scalar, vector and group memory operation that does not leave the program, with random forms of operands. One in
 * eight programs is for the processor that has most operations, mostly of those that the first one lacks.
 *
 * What is expected is what the interpreter does with the same program; other tests compare the interpreter with models.
 * The test compares all registers, group memory, why the wave stopped and where it faulted. In every other program it
 * compares only what the program stores, so that registers are dead at the end. Programs for single parts of the
 * compiler follow (jit_made.c), and loops that diverge (jit_loops.c). */
#include "config.h"

#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/jit/tier.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/jit_loops.h"
#include "testsuite/gcn/jit_made.h"
#include "testsuite/gcn/jit_program.h"
#include "testsuite/gcn/vector_values.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

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
    return operand->kind != GCN_SGPR || operand->index > PROGRAM_COUNTER + 1 || operand->index + 16 < PROGRAM_POINTER;
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
    unsigned count = fields_bases(program_target, (enum gcn_op)op, bases);
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
    uint32_t text[] = {word[0], word[1], PROGRAM_END};
    return gcn_decode(program_target, (const uint8_t *)text, sizeof text, &inst) == GCN_DECODE_OK && inst.op == op &&
           inst.size <= 8 && is_harmless(&inst.dst) && is_harmless(&inst.sdst) && !is_direct(&inst);
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
        if (is_candidate(op) && gcn_op_info[op].targets >> program_target_number & 1 &&
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
        if (program_target_number != GCN_TARGET_gfx900 && value_random() % 2)
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

/* A load of one, two or four scalar registers from the memory that is stored to in the end. */
static void draw_load(struct program *p)
{
    uint32_t size = (uint32_t)(value_random() % 3), first = 8 + 4 * (uint32_t)(value_random() % 4);
    p->body[p->count][0] = 0xc0020000 | size << 18 | first << 6 | PROGRAM_POINTER / 2;
    p->body[p->count][1] = (uint32_t)(value_random() % PROGRAM_LOADED);
    p->count++;
}

static void test_engine(const struct gcn_engine *engine, enum gcn_target_number number, unsigned programs)
{
    static struct program p;
    unsigned next = 0, different = 0, before = gcn_tier_count();
    char text[160], name[32];
    program_choose_target(number);
    snprintf(name, sizeof name, "%s, %s", engine->name, number == GCN_TARGET_gfx900 ? "gfx900" : "gfx90a");
    memset(drawn, 0, sizeof drawn);
    for (unsigned i = 0; i < programs; i++) {
        program_randomize();
        p.count = 0;
        p.keep = i % 4 != 3;
        p.waves = 1 + (unsigned)(value_random() % 2);
        p.group_memory = i % 4 == 0;
        p.guarded = i % 3 == 1;
        p.left_out = value_random() % 4 ? 0 : (unsigned)(value_random() % 4);
        /* short programs are mostly loops without calls of handlers, which are compiled in another way */
        unsigned length = i % 2 ? PROGRAM_LENGTH : 1 + (unsigned)(value_random() % 6);
        for (unsigned left = i % 8 == 6 ? 3 + length : 0; left; left--)
            program_add_arithmetic(&p);
        while (i % 8 != 6 && p.count < length) {
            draw(&p, value_random() % 5 ? &next : NULL);
            if (value_random() % 6 == 0)
                program_add_branch(&p);
            if (value_random() % 8 == 0)
                draw_load(&p);
            if (value_random() % 12 == 0)
                program_add_barrier(&p);
        }
        if (!program_compare(engine, &p, p.count, text, sizeof text))
            continue;
        if (different++ < 10)
            program_report(engine, &p);
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

static void test_loops(const struct gcn_engine *engine, unsigned loops)
{
    unsigned before = gcn_tier_count();
    ok(loops_compare(engine, loops), "%s: loops that lanes leave one after the other", engine->name);
    ok(gcn_tier_count() - before >= loops, "%s: all of them are compiled", engine->name);
}

/* Everything on one kind of engine; one with few programs if BRIEF. */
static void test_all(const struct gcn_engine *engine, unsigned programs, bool brief)
{
    enum { FEW = 6 };
    test_engine(engine, GCN_TARGET_gfx900, brief ? FEW : programs - programs / 8);
    if (brief)
        return;
    if (programs / 8)
        test_engine(engine, GCN_TARGET_gfx90a, programs / 8);
    for (unsigned kind = 0; kind < made_kinds; kind++) {
        const char *what;
        bool same = made_compare(engine, kind, programs, &what);
        ok(same, "%s: %s", engine->name, what);
    }
    test_loops(engine, 2 * programs);
}

/* The arguments are a number of programs and a seed; or `brief`, which executes a few programs on the first engine that
 * there is; or `loops`, a number and a seed, for loops that diverge alone. */
int main(int argc, char **argv)
{
    static const char *const names[] = {"avx2", "avx512"};
    bool brief = argc > 1 && !strcmp(argv[1], "brief"), done = false;
    bool loops = argc > 1 && !strcmp(argv[1], "loops");
    argv += loops;
    argc -= loops;
    unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
    if (argc > 2)
        value_seed(strtoull(argv[2], NULL, 0));
    if (!gcn_guard_acquire())
        return 99;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(brief && done); i++) {
        const struct gcn_engine *engine = gcn_engine_select(names[i]);
        done = engine != NULL;
        if (!engine)
            tap_skip("compiled code", "the host has no such instructions");
        else if (loops)
            test_loops(engine, programs);
        else
            test_all(engine, programs, brief);
    }
    gcn_guard_release();
    return tap_done();
}
