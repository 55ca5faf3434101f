/* SPDX-License-Identifier: MIT */
/* Tests random control flow (B01-B03, B12): graphs of blocks with branches from any block to any other, and structured
 * programs with breaks, early ends and switches that fall through. Each program is written as HSAIL and executed, and
 * also interpreted here; every work-item takes its own way. FLOW_SEED and FLOW_COUNT choose other programs. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

enum { GRID = 256, BLOCKS = 4000, ENOUGH = 150, WAYS = 4, FUEL = 300 };

/* A block changes the value, then goes to one of its targets, which bits of the value choose. */
struct block {
    uint32_t factor, term;   /* value = value * factor + term */
    unsigned shift, targets; /* TARGETS is 1, 2 or 4; the bits of the value from SHIFT on choose one */
    unsigned target[WAYS];
};

struct program {
    struct block blocks[BLOCKS];
    unsigned count; /* block COUNT is the end */
};

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static unsigned add_block(struct program *p)
{
    struct block *b = &p->blocks[p->count];
    *b = (struct block){.factor = draw(1 << 30) | 1, .term = draw(1 << 30), .shift = draw(30), .targets = 1};
    b->target[0] = p->count + 1;
    return p->count++;
}

static void make_graph(struct program *p, unsigned count)
{
    static const unsigned ways[] = {1, 2, 2, 2, 4};
    for (unsigned i = 0; i < count; i++) {
        struct block *b = &p->blocks[add_block(p)];
        b->targets = ways[draw(5)];
        for (unsigned k = 0; k < WAYS; k++)
            b->target[k] = draw(3) ? draw(count + 1) : i + 1;
    }
}

enum { OPEN = 1 << 20 }; /* a target that is not known yet, plus the kind */
enum { TO_BREAK = OPEN, TO_END, TO_JOIN };

static void patch(struct program *p, unsigned from, unsigned what, unsigned to)
{
    for (; from < p->count; from++)
        for (unsigned k = 0; k < WAYS; k++)
            if (p->blocks[from].target[k] == what)
                p->blocks[from].target[k] = to;
}

static void make_statements(struct program *p, unsigned depth, bool in_loop);

static void make_if(struct program *p, unsigned depth, bool in_loop)
{
    unsigned head = add_block(p), last;
    p->blocks[head].targets = 2;
    p->blocks[head].target[0] = p->count;
    make_statements(p, depth - 1, in_loop);
    last = add_block(p);
    p->blocks[head].target[1] = p->count;
    if (draw(2)) {
        make_statements(p, depth - 1, in_loop);
        p->blocks[last].target[0] = p->count;
    }
}

static void make_loop(struct program *p, unsigned depth)
{
    unsigned head = add_block(p);
    p->blocks[head].targets = 2;
    p->blocks[head].target[1] = TO_BREAK;
    make_statements(p, depth - 1, true);
    unsigned last = add_block(p);
    p->blocks[last].target[0] = head;
    patch(p, head, TO_BREAK, p->count);
}

static void make_switch(struct program *p, unsigned depth, bool in_loop)
{
    unsigned head = add_block(p);
    p->blocks[head].targets = 4;
    for (unsigned k = 0; k < WAYS; k++) {
        p->blocks[head].target[k] = p->count;
        make_statements(p, depth - 1, in_loop);
        unsigned last = add_block(p);
        if (draw(3))
            p->blocks[last].target[0] = TO_JOIN; /* else it falls through */
    }
    patch(p, head, TO_JOIN, p->count);
}

static void make_statements(struct program *p, unsigned depth, bool in_loop)
{
    for (unsigned n = 1 + draw(3); n; n--) {
        unsigned kind = depth && p->count < ENOUGH ? draw(8) : 7;
        if (kind < 3) {
            make_if(p, depth, in_loop);
        } else if (kind < 5) {
            make_loop(p, depth);
        } else if (kind == 5) {
            make_switch(p, depth, in_loop);
        } else {
            struct block *b = &p->blocks[add_block(p)];
            if (draw(4) == 0) {
                b->targets = 2;
                b->target[1] = in_loop && draw(2) ? TO_BREAK : TO_END;
            }
        }
    }
}

static char *print_program(const struct program *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out,
            "module &random:1:2:$full:$large:$near;\n"
            "prog kernel &flow(kernarg_u64 %%out)\n{\n"
            "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; shl_u64 $d0, $d0, 3;\n"
            "ld_kernarg_u64 $d1, [%%out]; add_u64 $d1, $d1, $d0;\n"
            "mul_u32 $s1, $s0, 2654435761; mov_b32 $s2, %u;\n",
            (unsigned)FUEL);
    for (unsigned i = 0; i < p->count; i++) {
        const struct block *b = &p->blocks[i];
        fprintf(out, "@l%u:\nsub_u32 $s2, $s2, 1; cmp_eq_b1_u32 $c0, $s2, 0; cbr_b1 $c0, @l%u;\n", i, p->count);
        fprintf(out, "mad_u32 $s1, $s1, %u, %u;\n", b->factor, b->term);
        fprintf(out, "bitextract_u32 $s3, $s1, %u, %u;\n", b->shift, b->targets / 2);
        if (b->targets == 4)
            fprintf(out, "sbr_u32 $s3 [@l%u, @l%u, @l%u, @l%u];\n", b->target[0], b->target[1], b->target[2],
                    b->target[3]);
        else if (b->targets == 2)
            fprintf(out, "cmp_ne_b1_u32 $c0, $s3, 0; cbr_b1 $c0, @l%u; br @l%u;\n", b->target[1], b->target[0]);
        else if (b->target[0] != i + 1)
            fprintf(out, "br @l%u;\n", b->target[0]);
    }
    fprintf(out, "@l%u:\nst_v2_global_u32 ($s1, $s2), [$d1];\n};\n", p->count);
    fclose(out);
    return text;
}

static void interpret(const struct program *p, uint32_t id, uint32_t *out)
{
    uint32_t value = id * 2654435761u, fuel = FUEL;
    for (unsigned at = 0; at < p->count;) {
        const struct block *b = &p->blocks[at];
        if (--fuel == 0)
            break;
        value = value * b->factor + b->term;
        at = b->target[value >> b->shift & (b->targets - 1)];
    }
    out[0] = value;
    out[1] = fuel;
}

static bool right(const struct program *p, const char *text, const char *options)
{
    static uint32_t out[GRID][2];
    struct gpu *gpu = gpu_open(text, options);
    bool good = gpu && gpu_run(gpu, "&flow", GRID, 64, (uint64_t[]){(uintptr_t)out}, 1);
    for (uint32_t i = 0; good && i < GRID; i++) {
        uint32_t expected[2];
        interpret(p, i, expected);
        good = !memcmp(expected, out[i], sizeof expected);
        if (!good)
            printf("# work-item %u: %08x with %u left, not %08x with %u\n", i, out[i][0], out[i][1], expected[0],
                   expected[1]);
    }
    gpu_close(gpu);
    return good;
}

/* Makes a graph of SIZE blocks; of any number, or statements, if SIZE is 0. */
static void check(uint64_t seed, unsigned size)
{
    static struct program p;
    state = seed * 0x9e3779b97f4a7c15u;
    p.count = 0;
    if (size || seed % 2) {
        make_graph(&p, size ? size : 2 + draw(14));
    } else {
        make_statements(&p, 3 + seed % 3, false);
        patch(&p, 0, TO_END, p.count);
    }
    char *text = print_program(&p);
    bool good = text && right(&p, text, "-O2") && right(&p, text, "-O0");
    ok(good, "%u blocks of seed %llu", p.count, (unsigned long long)seed);
    free(text);
}

int main(void)
{
    const char *seed = getenv("FLOW_SEED"), *count = getenv("FLOW_COUNT");
    uint64_t first = seed ? strtoull(seed, NULL, 0) : 1, number = count ? strtoull(count, NULL, 0) : 60;
    for (uint64_t i = 0; i < number; i++)
        check(first + i, 0);
    if (!seed) {
        check(387, 0);  /* cycles with two entries beside a loop: what belongs to the loop must stay with it */
        check(5056, 0); /* more scalar values than there are registers: doc/decisions/llvm-scalar-spills.md */
        check(1, 400);  /* more blocks than the limit of doc/decisions/llvm-time.md */
    }
    return tap_done();
}
