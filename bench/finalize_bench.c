/* SPDX-License-Identifier: MIT */
/* Measures how long finalization takes: the first one in a process, further ones, and how the time grows with the code.
 * Argument: an HSAIL file; examples/vector_copy.hsail by default. */
#include "bench/bench.h"
#include "hsail/finalize.h"
#include "hsail/hsail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, LARGE = 5000 };

static hsail_module_t *assemble(hsail_context_t *context, const char *text, size_t size)
{
    hsail_module_t *module = NULL;
    return hsail_assemble(context, "bench.hsail", text, size, 0, &module) == HSAIL_STATUS_OK ? module : NULL;
}

static void complain(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    fprintf(stderr, "finalize_bench: %s\n", diagnostic->message);
}

/* Milliseconds of one finalization; negative if it failed. */
static double finalize(const hsail_module_t *module)
{
    hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), "bench.hsail"};
    void *code;
    size_t size;
    double start = bench_clock();
    if (hsail_finalize(&input, 1, "gfx900:xnack-", NULL, complain, NULL, &code, &size) != HSAIL_STATUS_OK)
        return -1;
    double spent = (bench_clock() - start) * 1e3;
    hsail_finalize_free(code);
    return spent;
}

static double best_of(const hsail_module_t *module, int rounds)
{
    double best = 1e9;
    for (int i = 0; i < rounds; i++) {
        double spent = finalize(module);
        if (spent < best)
            best = spent;
    }
    return best;
}

/* A kernel of LARGE dependent additions. */
static char *large_kernel(size_t *size)
{
    enum { LINE = 40 };
    char *text = malloc(512 + (size_t)LARGE * LINE);
    if (!text)
        return NULL;
    int at = sprintf(text, "module &m:1:0:$full:$large:$default;\nprog kernel &k(kernarg_u64 %%p) {\n"
                           "ld_kernarg_u64 $d0, [%%p];\nld_global_u32 $s0, [$d0];\n");
    for (int i = 0; i < LARGE; i++)
        at += sprintf(text + at, "mad_u32 $s%d, $s%d, 77, $s0;\n", i % 16 + 1, i % 13);
    at += sprintf(text + at, "st_global_u32 $s1, [$d0];\n};\n");
    *size = (size_t)at;
    return text;
}

static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(1 << 20) : NULL;
    *size = text ? fread(text, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    const char *source = getenv("srcdir");
    char path[512];
    snprintf(path, sizeof path, "%s/examples/vector_copy.hsail", source ? source : ".");
    size_t size, large_size;
    char *text = read_text(argc > 1 ? argv[1] : path, &size), *large_text = large_kernel(&large_size);
    hsail_context_t *context = NULL;
    if (!text || !large_text || hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    hsail_module_t *small = assemble(context, text, size), *large = assemble(context, large_text, large_size);
    if (!small || !large)
        return 1;
    bench_at_most("finalize vector_copy, first in the process", finalize(small), "ms", 15);
    bench_at_most("finalize vector_copy, warm", best_of(small, ROUNDS), "ms", 5);
    bench_figure("finalize 5,000 instructions, warm", best_of(large, 3), "ms");
    hsail_module_destroy(small);
    hsail_module_destroy(large);
    hsail_context_destroy(context);
    free(text);
    free(large_text);
    return 0;
}
