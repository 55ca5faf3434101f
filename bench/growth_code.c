/* SPDX-License-Identifier: MIT */
/* Writes the kernels that growth_bench measures. Input: a shape and a length. Output: HSAIL text. Invariant: a kernel
 * is a sequence of parts of one shape, whose registers take part in all of them; LLVM can compute none of it. */
#include "bench/growth_code.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 400, REGISTERS = 30 };

struct growth_writer {
    char *at, *end;
    uint32_t random;
    unsigned parts; /* how many parts there will be */
};

static void put(struct growth_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct growth_writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    w->at += vsnprintf(w->at, (size_t)(w->end - w->at), format, arguments);
    va_end(arguments);
}

static unsigned any(struct growth_writer *w)
{
    w->random = w->random * 1664525 + 1013904223;
    return 2 + (w->random >> 16) % REGISTERS;
}

/* Adds an instruction; after some of these, LLVM cannot know their results any more. */
static void add(struct growth_writer *w)
{
    unsigned a = any(w), b = any(w), c = any(w);
    if (any(w) % 2)
        put(w, "mad_u32 $s%u, $s%u, %u, $s%u;\n", a, b, 2 * c + 1, c);
    else
        put(w, "xor_b32 $s%u, $s%u, 0x%x;\n", a, b, w->random);
}

static unsigned straight(struct growth_writer *w, unsigned number)
{
    (void)number;
    for (int i = 0; i < 12; i++)
        add(w);
    return 12;
}

static unsigned memory(struct growth_writer *w, unsigned number)
{
    for (unsigned i = 0; i < 4; i++) {
        put(w, "ld_global_u32 $s%u, [$d0+%u];\n", any(w), 16 * number + 4 * i);
        add(w);
        put(w, "st_global_u32 $s%u, [$d0+%u];\n", any(w), 16 * number + 4 * i);
    }
    return 12;
}

/* Each instruction needs the result of the one before. */
static unsigned chain(struct growth_writer *w, unsigned number)
{
    (void)number;
    for (int i = 0; i < 6; i++) {
        put(w, "mul_u32 $s2, $s2, %u;\n", 2 * any(w) + 1);
        put(w, "xor_b32 $s2, $s2, 0x%x;\n", w->random);
    }
    return 12;
}

/* Loads without stores between them, which may all be in flight at once. */
static unsigned hashed_loads(struct growth_writer *w, unsigned number)
{
    for (unsigned i = 0; i < 4; i++) {
        put(w, "ld_global_u32 $s1, [$d0+%u];\n", 16 * number + 4 * i);
        put(w, "xor_b32 $s2, $s2, $s1;\nmul_u32 $s2, $s2, %u;\n", 2 * any(w) + 1);
    }
    return 12;
}

static unsigned branches(struct growth_writer *w, unsigned number)
{
    put(w, "and_b32 $s1, $s%u, %u;\ncmp_ne_b1_u32 $c0, $s1, 0;\ncbr_b1 $c0, @l%u;\n", any(w), 1u << number % 20,
        number);
    for (int i = 0; i < 9; i++)
        add(w);
    put(w, "@l%u:\n", number);
    return 12;
}

/* Writes a loop that is left when a register has a number that it gets in every 256 rounds. */
static void put_loop_end(struct growth_writer *w, unsigned counter, const char *label, unsigned number)
{
    put(w, "add_u32 $s%u, $s%u, 1;\nand_b32 $s1, $s%u, 255;\ncmp_lt_b1_u32 $c0, $s1, 200;\ncbr_b1 $c0, @%s%u;\n",
        counter, counter, counter, label, number);
}

static unsigned loops(struct growth_writer *w, unsigned number)
{
    unsigned counter = any(w);
    put(w, "@l%u:\n", number);
    for (int i = 0; i < 8; i++)
        add(w);
    put_loop_end(w, counter, "l", number);
    return 12;
}

/* Nests of eight, alternately loops and branches. */
static unsigned nests(struct growth_writer *w, unsigned number)
{
    enum { DEPTH = 8 };
    for (unsigned i = 0; i < DEPTH; i++) {
        if (i % 2)
            put(w, "and_b32 $s1, $s%u, %u;\ncmp_ne_b1_u32 $c0, $s1, 0;\ncbr_b1 $c0, @n%u;\n", any(w), 1u << i,
                DEPTH * number + i);
        else
            put(w, "@n%u:\n", DEPTH * number + i);
        for (int k = 0; k < 5; k++)
            add(w);
    }
    for (unsigned i = DEPTH; i--;) {
        for (int k = 0; k < 5; k++)
            add(w);
        if (i % 2)
            put(w, "@n%u:\n", DEPTH * number + i);
        else
            put_loop_end(w, 2 + number % REGISTERS, "n", DEPTH * number + i);
    }
    return DEPTH * 10 + DEPTH / 2 * 7;
}

/* A switch of 250 labels. */
static unsigned switches(struct growth_writer *w, unsigned number)
{
    enum { WAYS = 250 };
    put(w, "and_b32 $s1, $s%u, 127;\nsbr_u32 $s1 [", any(w));
    for (unsigned i = 0; i < WAYS; i++)
        put(w, "%s@w%u_%u", i ? ", " : "", number, i);
    put(w, "];\n");
    for (unsigned i = 0; i < WAYS; i++) {
        put(w, "@w%u_%u:\n", number, i);
        add(w);
        add(w);
        put(w, "br @e%u;\n", number);
    }
    put(w, "@e%u:\n", number);
    return 2 + 3 * WAYS;
}

/* A switch that fills the kernel, whose 10,000 labels at most stand in the order of the numbers. */
static unsigned one_switch(struct growth_writer *w, unsigned number)
{
    if (!number) {
        put(w, "sbr_u32 $s1 [");
        for (unsigned i = 0; i < w->parts; i++)
            put(w, "%s@w%u", i ? ", " : "", i);
        put(w, "];\n");
    }
    put(w, "@w%u:\n", number);
    for (int i = 0; i < 10; i++)
        add(w);
    put(w, "br @l%u;\n", w->parts);
    return 11;
}

/* A branch to one of the labels that follow, or in a graph, to any. */
static unsigned put_jump(struct growth_writer *w, unsigned number, unsigned to)
{
    put(w, "@l%u:\nand_b32 $s1, $s%u, %u;\ncmp_ne_b1_u32 $c0, $s1, 0;\n", number, any(w), 1u << number % 20);
    for (int i = 0; i < 9; i++)
        add(w);
    put(w, "cbr_b1 $c0, @l%u;\n", to);
    return 12;
}

static unsigned scattered(struct growth_writer *w, unsigned number)
{
    unsigned to = number + 1 + (w->random >> 16) % 40;
    return put_jump(w, number, to < w->parts ? to : w->parts);
}

/* Parts of a graph without structure; a counter ends its loops. */
static unsigned graph(struct growth_writer *w, unsigned number)
{
    put(w, "add_u32 $s40, $s40, 1;\ncmp_gt_b1_u32 $c1, $s40, 1000;\ncbr_b1 $c1, @l%u;\n", w->parts);
    return put_jump(w, number, (w->random >> 8) % w->parts) + 3;
}

/* Loops with a second way out, a second round and a part that some work-items leave out. */
static unsigned exits(struct growth_writer *w, unsigned number)
{
    unsigned counter = any(w);
    put(w, "@l%u:\n", number);
    for (int i = 0; i < 4; i++)
        add(w);
    put(w, "and_b32 $s1, $s%u, 24;\ncmp_eq_b1_u32 $c0, $s1, 8;\ncbr_b1 $c0, @x%u;\n", any(w), number);
    add(w);
    put(w, "cmp_eq_b1_u32 $c0, $s1, 16;\ncbr_b1 $c0, @y%u;\n", number);
    put_loop_end(w, counter, "l", number);
    put(w, "@y%u:\n", number);
    add(w);
    put(w, "@x%u:\n", number);
    return 15;
}

static unsigned doubles(struct growth_writer *w, unsigned number)
{
    (void)number;
    for (int i = 0; i < 4; i++) {
        unsigned a = any(w) / 2, b = any(w) / 2, c = any(w) / 2;
        put(w, "fma_f64 $d%u, $d%u, $d%u, $d%u;\nadd_f64 $d%u, $d%u, $d%u;\n", 3 + a, 3 + b, 3 + c, 3 + a, 3 + b, 3 + a,
            3 + c);
    }
    put(w, "sqrt_f64 $d%u, $d%u;\n", 3 + any(w) / 2, 3 + any(w) / 2);
    put(w, "div_f64 $d%u, $d%u, $d%u;\n", 3 + any(w) / 2, 3 + any(w) / 2, 3 + any(w) / 2);
    return 10;
}

static unsigned images(struct growth_writer *w, unsigned number)
{
    (void)number;
    for (int i = 0; i < 2; i++) {
        unsigned r[4] = {any(w), any(w), any(w), any(w)};
        put(w, "rdimage_v4_2d_f32_roimg_f32 ($s34, $s35, $s36, $s37), $d1, $d2, ($s%u, $s%u);\n", r[0], r[1]);
        put(w, "xor_b32 $s%u, $s34, $s36;\nxor_b32 $s%u, $s35, $s37;\n", r[2], r[3]);
        put(w, "ldimage_v4_2d_u32_rwimg_u32 ($s34, $s35, $s36, $s37), $d3, ($s%u, $s%u);\n", r[2], r[0]);
        put(w, "add_u32 $s%u, $s34, $s37;\n", r[1]);
        put(w, "stimage_v4_2d_u32_rwimg_u32 ($s34, $s%u, $s36, $s37), $d3, ($s%u, $s%u);\n", r[1], r[3], r[0]);
    }
    return 12;
}

static unsigned atomics(struct growth_writer *w, unsigned number)
{
    for (unsigned i = 0; i < 3; i++) {
        put(w, "atomic_add_global_scacq_agent_u32 $s%u, [$d0+%u], $s%u;\n", any(w), 16 * number + 4 * i, any(w));
        put(w, "st_private_u32 $s%u, [%%private][%u];\n", any(w), 4 * (any(w) % 16));
        put(w, "ld_private_u32 $s%u, [%%private][%u];\n", any(w), 4 * (any(w) % 16));
        put(w, "st_group_u32 $s%u, [%%group][%u];\n", any(w), 4 * (any(w) % 16));
    }
    return 12;
}

static unsigned calls(struct growth_writer *w, unsigned number)
{
    for (unsigned i = 0; i < 5; i++)
        add(w);
    put(w, "{ arg_u32 %%r; arg_u32 %%x;\nst_arg_u32 $s%u, [%%x];\ncall &f%u(%%r)(%%x);\nld_arg_u32 $s%u, [%%r]; }\n",
        any(w), number / 2, any(w));
    return 8;
}

/* A function for every two calls, which calls the one before twice if there are not too many in a row. */
static void put_functions(struct growth_writer *w)
{
    for (unsigned i = 0; i <= w->parts / 2; i++) {
        put(w, "function &f%u(arg_u32 %%r)(arg_u32 %%x) {\nld_arg_u32 $s1, [%%x];\n", i);
        for (int k = 0; k < 4; k++)
            put(w, "mad_u32 $s1, $s1, %u, 77;\n", 2 * any(w) + 1);
        for (int k = 0; k < 2 && i % 16; k++)
            put(w,
                "{ arg_u32 %%a; arg_u32 %%b;\nst_arg_u32 $s1, [%%b];\ncall &f%u(%%a)(%%b);\nld_arg_u32 $s1, [%%a]; "
                "}\n",
                i - 1);
        put(w, "st_arg_u32 $s1, [%%r];\n};\n");
    }
}

const struct growth_shape growth_shapes[] = {
    {"one block", straight},
    {"a chain", chain},
    {"loads and stores", memory},
    {"hashed loads", hashed_loads},
    {"atomics", atomics},
    {"f64", doubles},
    {"images", images},
    {"branches", branches},
    {"loops", loops},
    {"loops with exits", exits},
    {"nests of 8", nests},
    {"switches", switches},
    {"one switch", one_switch},
    {"scattered branches", scattered},
    {"graph", graph},
    {"calls", calls},
    {NULL, NULL}};

static unsigned part_length(growth_part *write)
{
    static char ignored[1 << 16];
    struct growth_writer w = {.at = ignored, .end = ignored + sizeof ignored, .parts = 1};
    return write(&w, 0);
}

static void write_kernel(struct growth_writer *w, growth_part *write)
{
    put(w, "module &m:1:2:$full:$large:$near;\nextension \"IMAGE\";\n");
    if (write == calls)
        put_functions(w);
    put(w, "prog kernel &k(kernarg_u64 %%p, kernarg_roimg %%r, kernarg_samp %%s, kernarg_rwimg %%w) {\n"
           "private_u32 %%private[16]; group_u32 %%group[16];\n"
           "ld_kernarg_u64 $d0, [%%p];\nld_kernarg_roimg $d1, [%%r];\nld_kernarg_samp $d2, [%%s];\n"
           "ld_kernarg_rwimg $d3, [%%w];\nld_global_u32 $s1, [$d0];\n"
           "workitemabsid_u32 $s40, 0;\nxor_b32 $s1, $s1, $s40;\nmov_b32 $s40, 0;\n");
    for (unsigned i = 0; i < REGISTERS; i++)
        put(w, "add_u32 $s%u, $s1, %u;\n", 2 + i, i);
    for (unsigned i = 0; i < REGISTERS / 2 && write == doubles; i++)
        put(w, "cvt_f64_u32 $d%u, $s%u;\n", 4 + i, 2 + i);
    for (unsigned number = 0; number < w->parts; number++)
        write(w, number);
    put(w, "@l%u:\n", w->parts);
    for (unsigned i = 1; i < REGISTERS; i++)
        put(w, "xor_b32 $s2, $s2, $s%u;\n", 2 + i);
    for (unsigned i = 0; i < REGISTERS / 2 && write == doubles; i++)
        put(w, "st_global_f64 $d%u, [$d0];\n", 4 + i);
    put(w, "st_global_u32 $s2, [$d0];\n};\n");
}

char *growth_text(const struct growth_shape *shape, unsigned *count, size_t *size)
{
    size_t room = ((size_t)1 << 17) + (size_t)*count * LINE;
    char *text = malloc(room);
    unsigned length = part_length(shape->write);
    struct growth_writer w = {text, text + room, *count, (*count + length - 1) / length};
    if (!text)
        return NULL;
    write_kernel(&w, shape->write);
    *count = w.parts * length;
    *size = (size_t)(w.at - text);
    return text;
}
