/* SPDX-License-Identifier: MIT */
/* Measures how the processor time of finalization grows with the length of a kernel: the time per instruction of a long
 * kernel is divided by that of a kernel of a thousand instructions, for code of several shapes. 1 means linear time.
 * Arguments: how many instructions long kernels have; 10,000 by default. In the environment, GROWTH_SHAPE chooses the
 * shapes with that word in their names, GROWTH_OPTIONS are options of the finalizer, and GROWTH_PRINT=1 prints the
 * kernels. */
#include "bench/bench.h"
#include "hsail/finalize.h"
#include "hsail/hsail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 1000, LINE = 400, REGISTERS = 30 };

struct writer {
    char *at, *end;
    uint32_t random;
    unsigned parts; /* how many parts there will be */
};

static void put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    w->at += vsnprintf(w->at, (size_t)(w->end - w->at), format, arguments);
    va_end(arguments);
}

static unsigned any(struct writer *w)
{
    w->random = w->random * 1664525 + 1013904223;
    return 2 + (w->random >> 16) % REGISTERS;
}

/* Adds an instruction; after some of these, LLVM cannot know their results any more. */
static void add(struct writer *w)
{
    unsigned a = any(w), b = any(w), c = any(w);
    if (any(w) % 2)
        put(w, "mad_u32 $s%u, $s%u, %u, $s%u;\n", a, b, 2 * c + 1, c);
    else
        put(w, "xor_b32 $s%u, $s%u, 0x%x;\n", a, b, w->random);
}

/* Writes some instructions, whose labels have NUMBER in their names; returns how many. */
typedef unsigned part(struct writer *w, unsigned number);

static unsigned straight(struct writer *w, unsigned number)
{
    (void)number;
    for (int i = 0; i < 12; i++)
        add(w);
    return 12;
}

static unsigned memory(struct writer *w, unsigned number)
{
    for (unsigned i = 0; i < 4; i++) {
        put(w, "ld_global_u32 $s%u, [$d0+%u];\n", any(w), 16 * number + 4 * i);
        add(w);
        put(w, "st_global_u32 $s%u, [$d0+%u];\n", any(w), 16 * number + 4 * i);
    }
    return 12;
}

static unsigned branches(struct writer *w, unsigned number)
{
    put(w, "and_b32 $s1, $s%u, %u;\ncmp_ne_b1_u32 $c0, $s1, 0;\ncbr_b1 $c0, @l%u;\n", any(w), 1u << number % 20,
        number);
    for (int i = 0; i < 9; i++)
        add(w);
    put(w, "@l%u:\n", number);
    return 12;
}

/* Writes a loop that is left when a register has a number that it gets in every 256 rounds. */
static void put_loop_end(struct writer *w, unsigned counter, const char *label, unsigned number)
{
    put(w, "add_u32 $s%u, $s%u, 1;\nand_b32 $s1, $s%u, 255;\ncmp_lt_b1_u32 $c0, $s1, 200;\ncbr_b1 $c0, @%s%u;\n",
        counter, counter, counter, label, number);
}

static unsigned loops(struct writer *w, unsigned number)
{
    unsigned counter = any(w);
    put(w, "@l%u:\n", number);
    for (int i = 0; i < 8; i++)
        add(w);
    put_loop_end(w, counter, "l", number);
    return 12;
}

/* Nests of eight, alternately loops and branches. */
static unsigned nests(struct writer *w, unsigned number)
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
static unsigned switches(struct writer *w, unsigned number)
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

/* A branch to one of the labels that follow, or in a graph, to any. */
static unsigned put_jump(struct writer *w, unsigned number, unsigned to)
{
    put(w, "@l%u:\nand_b32 $s1, $s%u, %u;\ncmp_ne_b1_u32 $c0, $s1, 0;\n", number, any(w), 1u << number % 20);
    for (int i = 0; i < 9; i++)
        add(w);
    put(w, "cbr_b1 $c0, @l%u;\n", to);
    return 12;
}

static unsigned scattered(struct writer *w, unsigned number)
{
    unsigned to = number + 1 + (w->random >> 16) % 40;
    return put_jump(w, number, to < w->parts ? to : w->parts);
}

/* Parts of a graph without structure; a counter ends its loops. */
static unsigned graph(struct writer *w, unsigned number)
{
    put(w, "add_u32 $s40, $s40, 1;\ncmp_gt_b1_u32 $c1, $s40, 1000;\ncbr_b1 $c1, @l%u;\n", w->parts);
    return put_jump(w, number, (w->random >> 8) % w->parts) + 3;
}

static unsigned calls(struct writer *w, unsigned number)
{
    for (unsigned i = 0; i < 5; i++)
        add(w);
    put(w, "{ arg_u32 %%r; arg_u32 %%x;\nst_arg_u32 $s%u, [%%x];\ncall &f%u(%%r)(%%x);\nld_arg_u32 $s%u, [%%r]; }\n",
        any(w), number / 2, any(w));
    return 8;
}

/* A function for every two calls, which calls the one before twice if there are not too many in a row. */
static void put_functions(struct writer *w)
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

static const struct shape {
    const char *name;
    part *write;
} shapes[] = {
    {"one block", straight},
    {"loads and stores", memory},
    {"branches", branches},
    {"loops", loops},
    {"nests of 8", nests},
    {"switches", switches},
    {"scattered branches", scattered},
    {"graph", graph},
    {"calls", calls}};

static unsigned part_length(part *write)
{
    static char ignored[1 << 16];
    struct writer w = {.at = ignored, .end = ignored + sizeof ignored, .parts = 1};
    return write(&w, 0);
}

static void write_kernel(struct writer *w, part *write)
{
    put(w, "module &m:1:2:$full:$large:$near;\n");
    if (write == calls)
        put_functions(w);
    put(w, "prog kernel &k(kernarg_u64 %%p) {\nld_kernarg_u64 $d0, [%%p];\nld_global_u32 $s1, [$d0];\n"
           "workitemabsid_u32 $s40, 0;\nxor_b32 $s1, $s1, $s40;\nmov_b32 $s40, 0;\n");
    for (unsigned i = 0; i < REGISTERS; i++)
        put(w, "add_u32 $s%u, $s1, %u;\n", 2 + i, i);
    for (unsigned number = 0; number < w->parts; number++)
        write(w, number);
    put(w, "@l%u:\n", w->parts);
    for (unsigned i = 1; i < REGISTERS; i++)
        put(w, "xor_b32 $s2, $s2, $s%u;\n", 2 + i);
    put(w, "st_global_u32 $s2, [$d0];\n};\n");
}

static hsail_module_t *make(hsail_context_t *context, part *write, unsigned count)
{
    size_t room = ((size_t)1 << 17) + (size_t)count * LINE;
    char *text = malloc(room);
    unsigned length = part_length(write);
    struct writer w = {text, text + room, count, (count + length - 1) / length};
    hsail_module_t *module = NULL;
    if (!text)
        return NULL;
    write_kernel(&w, write);
    if (getenv("GROWTH_PRINT"))
        fputs(text, stdout);
    if (hsail_assemble(context, "growth.hsail", text, (size_t)(w.at - text), 0, &module) != HSAIL_STATUS_OK)
        module = NULL;
    free(text);
    return module;
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void complain(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    fprintf(stderr, "growth_bench: %s\n", diagnostic->message);
}

/* The best of some rounds, in milliseconds; negative if finalization failed. */
static double best_of(const hsail_module_t *module, int rounds)
{
    hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), "growth.hsail"};
    double best = 1e9;
    for (int i = 0; i < rounds; i++) {
        void *code;
        size_t size;
        double start = processor_time();
        if (hsail_finalize(&input, 1, "gfx900:xnack-", getenv("GROWTH_OPTIONS"), complain, NULL, &code, &size) !=
            HSAIL_STATUS_OK)
            return -1;
        double spent = (processor_time() - start) * 1e3;
        hsail_finalize_free(code);
        best = spent < best ? spent : best;
    }
    return best;
}

static double measure(hsail_context_t *context, const struct shape *shape, unsigned count, int rounds)
{
    hsail_module_t *module = make(context, shape->write, count);
    double spent = module ? best_of(module, rounds) : -1;
    hsail_module_destroy(module);
    return spent;
}

static void compare(hsail_context_t *context, const struct shape *shape, char **counts, int number)
{
    double brief = measure(context, shape, SHORT, 3);
    for (int i = 0; i < number; i++) {
        unsigned count = (unsigned)strtoul(counts[i], NULL, 10);
        double full = measure(context, shape, count, count > SHORT ? 1 : 3);
        char name[96];
        snprintf(name, sizeof name, "finalize %u instructions, %s", count, shape->name);
        bench_figure(name, full, "ms");
        snprintf(name, sizeof name, "... for each, beside %d: %s", SHORT, shape->name);
        bench_at_most(name, full / brief * SHORT / count, "times", 3);
    }
}

int main(int argc, char **argv)
{
    static char usual[] = "10000", *defaults[] = {usual};
    const char *chosen = getenv("GROWTH_SHAPE");
    hsail_context_t *context = NULL;
    char **counts = argc > 1 ? argv + 1 : defaults;
    setenv("HSAIL_FINALIZER_WORKER", "0", 0); /* processor time is measured, which a busy machine does not change */
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    measure(context, &shapes[0], SHORT, 1);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!chosen || strstr(shapes[i].name, chosen))
            compare(context, &shapes[i], counts, argc > 1 ? argc - 1 : 1);
    hsail_context_destroy(context);
    return 0;
}
