/* SPDX-License-Identifier: MIT */
/* Branches, loops and switches (PRM chapter 8); see random_program.h. Input: random numbers. Output: text. Invariant:
 * every loop ends after some rounds, which are counted in a register of its depth that nothing else writes. */
#include "testsuite/finalizer/random/random_program.h"

enum { DEEPEST = 4, COUNTER = 104 };

/* Puts a number of BITS bits that decides something into a register: from the work-item's input, from the input that
 * all work-items share, so that they decide alike, or computed. */
static void put_wide_decision(struct program *p, unsigned bits)
{
    struct random *r = p->random;
    if (random_chance(r, 70)) {
        bool alike = random_chance(r, 25);
        if (alike)
            random_put(p->out, "ld_kernarg_u64 $d111, [%%in];\n");
        random_put(p->out, "ld_global_align(4)_u32 $s101, [$d%u+%u];\n", alike ? 111 : 100,
                   4 * random_below(r, RANDOM_IN / 4));
        random_put(p->out, "bitextract_u32 $s101, $s101, %u, %u;\n", random_below(r, 8), bits);
    } else if (random_chance(r, 50)) {
        random_put(p->out, "and_b32 $s101, $s100, %u;\n", (1u << bits) - 1);
    } else {
        random_put(p->out, "and_b32 $s101, $s%u, %u;\n", random_below(r, 8), (1u << bits) - 1);
    }
}

static void put_decision(struct program *p)
{
    put_wide_decision(p, 2);
}

static void put_blocks(struct program *p, unsigned depth)
{
    unsigned count = random_below(p->random, 4);
    p->divergent++;
    for (unsigned i = 0; i < count && p->left > 0; i++)
        random_block(p, depth + 1);
    p->divergent--;
}

static void put_condition(struct program *p)
{
    static const char *const compare[] = {"eq", "ne", "lt", "ge"};
    put_decision(p);
    random_put(p->out, "cmp_%s_b1_u32 $c101, $s101, %u;\n", compare[random_below(p->random, 4)],
               random_below(p->random, 4));
}

static void put_if(struct program *p, unsigned depth)
{
    unsigned label = p->labels++;
    bool otherwise = random_chance(p->random, 60);
    put_condition(p);
    random_put(p->out, "cbr_b1 $c101, @else%u;\n", label);
    put_blocks(p, depth);
    if (otherwise)
        random_put(p->out, "br @end%u;\n", label);
    random_put(p->out, "@else%u:\n", label);
    if (otherwise) {
        put_blocks(p, depth);
        random_put(p->out, "@end%u:\n", label);
    }
}

static void put_loop(struct program *p, unsigned depth)
{
    struct random *r = p->random;
    unsigned label = p->labels++, counter = COUNTER + p->loops++;
    if (random_chance(r, 50)) {
        random_put(p->out, "mov_b32 $s%u, %u;\n", counter, 1 + random_below(r, 5));
    } else {
        put_decision(p);
        random_put(p->out, "add_u32 $s%u, $s101, 1;\n", counter);
    }
    random_put(p->out, "@loop%u:\n", label);
    put_blocks(p, depth);
    random_put(p->out, "sub_u32 $s%u, $s%u, 1;\n", counter, counter);
    if (random_chance(r, 40)) { /* leaves the loop early */
        put_condition(p);
        random_put(p->out, "cbr_b1 $c101, @out%u;\n", label);
        put_blocks(p, depth);
    }
    random_put(p->out, "cmp_ne_b1_u32 $c102, $s%u, 0;\ncbr_b1 $c102, @loop%u;\n@out%u:\n", counter, label, label);
    p->loops--;
}

static void put_switch(struct program *p, unsigned depth)
{
    unsigned label = p->labels++;
    put_decision(p);
    random_put(p->out, "sbr_u32 $s101 [@case%u_0, @case%u_1, @case%u_2, @case%u_%u];\n", label, label, label, label,
               random_below(p->random, 4));
    for (unsigned i = 0; i < 4; i++) {
        random_put(p->out, "@case%u_%u:\n", label, i);
        put_blocks(p, depth);
        if (random_chance(p->random, 70))
            random_put(p->out, "br @done%u;\n", label);
    }
    random_put(p->out, "@done%u:\n", label);
}

/* A branch to one of the nodes of a graph, or out of it, for each value of a decision. */
static void put_branches(struct program *p, unsigned label, unsigned count)
{
    struct random *r = p->random;
    unsigned bits = count > 8 ? 1 + random_below(r, 4) : 2;
    put_wide_decision(p, bits);
    random_put(p->out, "sbr_u32 $s101 [");
    for (unsigned i = 0; i < 1u << bits; i++)
        if (i && random_chance(r, 10))
            random_put(p->out, ", @left%u", label);
        else
            random_put(p->out, "%s@node%u_%u", i ? ", " : "", label, random_below(r, count));
    random_put(p->out, "];\n");
}

/* Blocks with random jumps between them, which may make loops with several entries. A counter ends them. */
static void put_graph(struct program *p)
{
    struct random *r = p->random;
    unsigned label = p->labels++, count = random_chance(r, 70) ? 3 + random_below(r, 5) : 9 + random_below(r, 16);
    unsigned jumps = random_below(r, 3); /* how often a node ends in a branch with many targets */
    random_put(p->out, "mov_b32 $s108, %u;\n", 4 + random_below(r, 12));
    p->divergent++;
    if (random_chance(r, 30))
        put_branches(p, label, count);
    for (unsigned i = 0; i < count; i++) {
        random_put(p->out, "@node%u_%u:\nsub_u32 $s108, $s108, 1;\ncmp_eq_b1_u32 $c102, $s108, 0;\n", label, i);
        random_put(p->out, "cbr_b1 $c102, @left%u;\n", label);
        for (unsigned n = random_below(r, 3); n && p->left > 0; n--)
            random_block(p, DEEPEST);
        if (random_chance(r, 10 + 30 * jumps)) {
            put_branches(p, label, count);
        } else if (random_chance(r, 30)) {
            random_put(p->out, "br @node%u_%u;\n", label, random_below(r, count));
        } else {
            put_condition(p);
            random_put(p->out, "cbr_b1 $c101, @node%u_%u;\n", label, random_below(r, count));
        }
    }
    random_put(p->out, "@left%u:\n", label);
    p->divergent--;
}

void random_block(struct program *p, unsigned depth)
{
    struct random *r = p->random;
    size_t begin = p->out->used;
    p->left--;
    if (p->kind == RANDOM_FLOW && !depth && random_chance(r, 8)) {
        put_graph(p);
    } else if (p->kind != RANDOM_STRAIGHT && depth < DEEPEST && random_chance(r, p->kind == RANDOM_FLOW ? 22 : 6)) {
        switch (random_below(r, 4)) {
        case 0: put_switch(p, depth); break;
        case 1: put_loop(p, depth); break;
        default: put_if(p, depth);
        }
    } else if (p->kind == RANDOM_MEMORY && random_chance(r, 50)) {
        random_memory(p);
        random_leave_out(p->out, begin);
    } else if (p->kind == RANDOM_LANES && !p->divergent && random_chance(r, 40)) {
        random_lanes(p);
    } else if (p->kind == RANDOM_CALLS && p->calls < 12 && random_chance(r, 15)) {
        random_call(p);
    } else {
        if (random_chance(r, 20))
            random_shape(r, p->out);
        else
            random_statement(r, p->out);
        random_leave_out(p->out, begin);
    }
}
