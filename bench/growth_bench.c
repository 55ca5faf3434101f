/* SPDX-License-Identifier: MIT */
/* Measures how the time of finalization grows with the length of a kernel: the time per instruction of a long kernel is
 * divided by that of a kernel of a thousand instructions, for code in one block, for loads and stores, for branches and
 * for loops. 1 means linear time. Arguments: how many instructions long kernels have; 10,000 by default. */
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

static unsigned loops(struct writer *w, unsigned number)
{
    unsigned counter = any(w);
    put(w, "@l%u:\n", number);
    for (int i = 0; i < 8; i++)
        add(w);
    put(w, "add_u32 $s%u, $s%u, 1;\nand_b32 $s1, $s%u, 255;\ncmp_lt_b1_u32 $c0, $s1, 200;\ncbr_b1 $c0, @l%u;\n",
        counter, counter, counter, number);
    return 12;
}

static const struct {
    const char *name;
    part *write;
} kinds[] = {{"one block", straight}, {"loads and stores", memory}, {"branches", branches}, {"loops", loops}};

static hsail_module_t *make(hsail_context_t *context, part *write, unsigned count)
{
    size_t room = 4096 + (size_t)count * LINE;
    char *text = malloc(room);
    struct writer w = {text, text + room, count};
    hsail_module_t *module = NULL;
    if (!text)
        return NULL;
    put(&w, "module &m:1:2:$full:$large:$near;\nprog kernel &k(kernarg_u64 %%p) {\nld_kernarg_u64 $d0, [%%p];\n"
            "ld_global_u32 $s1, [$d0];\n");
    for (unsigned i = 0; i < REGISTERS; i++)
        put(&w, "add_u32 $s%u, $s1, %u;\n", 2 + i, i);
    for (unsigned done = 0, number = 0; done < count; number++)
        done += write(&w, number);
    for (unsigned i = 1; i < REGISTERS; i++)
        put(&w, "xor_b32 $s2, $s2, $s%u;\n", 2 + i);
    put(&w, "st_global_u32 $s2, [$d0];\n};\n");
    if (hsail_assemble(context, "growth.hsail", text, (size_t)(w.at - text), 0, &module) != HSAIL_STATUS_OK)
        module = NULL;
    free(text);
    return module;
}

/* The best of some rounds, in milliseconds; negative if finalization failed. */
static double best_of(const hsail_module_t *module, int rounds)
{
    hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), "growth.hsail"};
    double best = 1e9;
    for (int i = 0; i < rounds; i++) {
        void *code;
        size_t size;
        double start = bench_clock();
        if (hsail_finalize(&input, 1, "gfx900:xnack-", NULL, NULL, NULL, &code, &size) != HSAIL_STATUS_OK)
            return -1;
        double spent = (bench_clock() - start) * 1e3;
        hsail_finalize_free(code);
        best = spent < best ? spent : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10000;
    hsail_context_t *context = NULL;
    if (count < SHORT || count > 1000000 || hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        hsail_module_t *one = make(context, kinds[i].write, SHORT), *other = make(context, kinds[i].write, count);
        double brief = one ? best_of(one, 5) : -1, full = other ? best_of(other, 2) : -1;
        char name[96];
        snprintf(name, sizeof name, "finalize %u instructions, %s", count, kinds[i].name);
        bench_figure(name, full, "ms");
        snprintf(name, sizeof name, "... for each, beside %d: %s", SHORT, kinds[i].name);
        bench_at_most(name, full / brief * SHORT / count, "times", 3);
        hsail_module_destroy(one);
        hsail_module_destroy(other);
    }
    hsail_context_destroy(context);
    return 0;
}
