/* SPDX-License-Identifier: MIT */
/* Measures how processor time and memory of finalization grow with the length of a kernel: what a kernel of 100, 10,000
 * or 50,000 instructions takes for each is divided by what one of 1,000 takes, for code of several shapes. 1 means
 * linear. Arguments: other lengths. In the environment, GROWTH_SHAPE chooses the shapes with that word in their names,
 * GROWTH_SECONDS is when a measurement is given up (60), GROWTH_OPTIONS are options of the finalizer, and
 * GROWTH_PRINT=1 prints the kernels instead. */
#include "bench/bench.h"
#include "bench/growth_code.h"
#include "hsail/finalize.h"
#include "hsail/hsail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHORT = 1000 };

struct cost {
    double milliseconds, megabytes; /* negative when finalization failed or took too long */
};

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void complain(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    fprintf(stderr, "growth_bench: %s\n", diagnostic->message);
}

/* The best of some rounds. */
static struct cost measure_here(const hsail_module_t *module, int rounds)
{
    hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), "growth.hsail"};
    struct cost best = {1e9, peak_memory()};
    for (int i = 0; i < rounds; i++) {
        void *code;
        size_t size;
        double start = processor_time();
        if (hsail_finalize(&input, 1, "gfx900:xnack-", getenv("GROWTH_OPTIONS"), complain, NULL, &code, &size) !=
            HSAIL_STATUS_OK)
            return (struct cost){-1, -1};
        double spent = (processor_time() - start) * 1e3;
        hsail_finalize_free(code);
        best.milliseconds = spent < best.milliseconds ? spent : best.milliseconds;
    }
    best.megabytes = peak_memory() - best.megabytes;
    return best;
}

static void limit_time(void)
{
    const char *seconds = getenv("GROWTH_SECONDS");
    struct rlimit limit = {seconds ? strtoul(seconds, NULL, 10) : 60, RLIM_INFINITY};
    setrlimit(RLIMIT_CPU, &limit);
}

/* Measures in a child process, which starts with LLVM loaded and warm, so that its memory is its own. */
static struct cost measure_apart(const hsail_module_t *module, int rounds)
{
    struct cost cost = {-1, -1};
    int pipes[2];
    if (pipe(pipes))
        return cost;
    pid_t child = fork();
    if (child == 0) {
        limit_time();
        cost = measure_here(module, rounds);
        _exit(write(pipes[1], &cost, sizeof cost) != (ssize_t)sizeof cost);
    }
    close(pipes[1]);
    if (read(pipes[0], &cost, sizeof cost) != (ssize_t)sizeof cost)
        cost = (struct cost){-1, -1};
    close(pipes[0]);
    waitpid(child, NULL, 0);
    return cost;
}

/* Makes *COUNT the true number of instructions. */
static hsail_module_t *make(hsail_context_t *context, const struct growth_shape *shape, unsigned *count)
{
    size_t size;
    char *text = growth_text(shape, count, &size);
    hsail_module_t *module = NULL;
    if (getenv("GROWTH_PRINT") && text)
        fputs(text, stdout);
    else if (text && hsail_assemble(context, "growth.hsail", text, size, 0, &module) != HSAIL_STATUS_OK)
        module = NULL;
    free(text);
    return module;
}

static struct cost measure(hsail_context_t *context, const struct growth_shape *shape, unsigned *count)
{
    hsail_module_t *module = make(context, shape, count);
    struct cost cost = module ? measure_apart(module, *count > 2 * SHORT ? 1 : 3) : (struct cost){-1, -1};
    hsail_module_destroy(module);
    return cost;
}

static void report(const char *shape, unsigned count, const struct cost *cost, double ratio)
{
    char name[96];
    snprintf(name, sizeof name, "%s, %u instructions", shape, count);
    bench_figure(name, cost->milliseconds, "ms");
    bench_figure(name, cost->megabytes, "MB");
    if (ratio > 0)
        bench_at_most(name, ratio, "times linear", 3);
}

static void compare(hsail_context_t *context, const struct growth_shape *shape, char **counts, int number)
{
    unsigned brief_count = getenv("GROWTH_PRINT") ? (unsigned)strtoul(counts[0], NULL, 10) : SHORT;
    struct cost brief = measure(context, shape, &brief_count);
    if (getenv("GROWTH_PRINT"))
        return;
    report(shape->name, brief_count, &brief, 0);
    for (int i = 0; i < number && brief.milliseconds > 0; i++) {
        unsigned count = (unsigned)strtoul(counts[i], NULL, 10);
        struct cost full = measure(context, shape, &count);
        report(shape->name, count, &full, full.milliseconds / brief.milliseconds * brief_count / count);
        if (full.milliseconds < 0)
            break;
    }
}

int main(int argc, char **argv)
{
    static char small[] = "100", large[] = "10000", huge[] = "50000", *defaults[] = {small, large, huge};
    const char *chosen = getenv("GROWTH_SHAPE");
    hsail_context_t *context = NULL;
    char **counts = argc > 1 ? argv + 1 : defaults;
    unsigned warm = SHORT;
    setenv("HSAIL_FINALIZER_WORKER", "0", 0); /* processor time is measured, which a busy machine does not change */
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    hsail_module_t *module = getenv("GROWTH_PRINT") ? NULL : make(context, &growth_shapes[0], &warm);
    if (module)
        measure_here(module, 1);
    hsail_module_destroy(module);
    for (const struct growth_shape *shape = growth_shapes; shape->name; shape++)
        if (!chosen || strstr(shape->name, chosen))
            compare(context, shape, counts, argc > 1 ? argc - 1 : 3);
    hsail_context_destroy(context);
    return 0;
}
