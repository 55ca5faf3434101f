/* SPDX-License-Identifier: MIT */
/* Measures how long finalization takes: the first one in a process, further ones, a long kernel beside LLVM's llc, and
 * a thousand kernels on two threads and in one program. Argument: an HSAIL file; examples/vector_copy.hsail by default.
 * LLVM_BINDIR in the environment is where opt and llc are.
 *
 * Each measurement is a process of its own. The finalizer's workers become children of this program when that process
 * has ended, so that their processor time can be told, which a busy machine changes less than the elapsed time. */
#define _GNU_SOURCE
#include "bench/bench.h"
#include "hsail/finalize.h"
#include "hsail/hsail.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLD = 7, ROUNDS = 40, LONG = 1000, LONGER = 5000, KERNELS = 1000, THREADS = 2 };

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

/* Milliseconds of one finalization; this process ends if it fails. */
static double finalize(const hsail_module_t *module, const char *options)
{
    hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), "bench.hsail"};
    void *code;
    size_t size;
    double start = bench_clock();
    if (hsail_finalize(&input, 1, "gfx900:xnack-", options, complain, NULL, &code, &size) != HSAIL_STATUS_OK)
        _exit(1);
    double spent = (bench_clock() - start) * 1e3;
    hsail_finalize_free(code);
    return spent;
}

/* ---- processes ---- */

struct cost {
    double elapsed, processor; /* milliseconds; what WORK says, and all that its process and its workers took */
};

typedef double work(const hsail_module_t *module);

/* Does the work in a process of its own. */
static struct cost in_process(work *what, const hsail_module_t *module)
{
    struct cost cost = {-1, 0};
    struct rusage used;
    int ends[2], status;
    pid_t child = pipe(ends) ? -1 : fork();
    if (child < 0)
        return cost;
    if (child == 0) {
        double elapsed = what(module);
        _exit(write(ends[1], &elapsed, sizeof elapsed) != sizeof elapsed);
    }
    close(ends[1]);
    if (read(ends[0], &cost.elapsed, sizeof cost.elapsed) != sizeof cost.elapsed)
        cost.elapsed = -1;
    close(ends[0]);
    while (wait4(-1, &status, __WALL, &used) > 0)
        cost.processor += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
                          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-3;
    return cost;
}

/* The least of some rounds. */
static struct cost best_of(work *what, const hsail_module_t *module, int rounds)
{
    struct cost best = {1e9, 1e9};
    for (int i = 0; i < rounds; i++) {
        struct cost cost = in_process(what, module);
        best.elapsed = cost.elapsed < best.elapsed ? cost.elapsed : best.elapsed;
        best.processor = cost.processor < best.processor ? cost.processor : best.processor;
    }
    return best;
}

/* ---- what is measured ---- */

static double finalize_once(const hsail_module_t *module)
{
    return finalize(module, NULL);
}

static double finalize_often(const hsail_module_t *module)
{
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double spent = finalize(module, NULL);
        best = spent < best ? spent : best;
    }
    return best;
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Processor time of a finalization without a worker, when LLVM is warm. */
static double finalize_here(const hsail_module_t *module)
{
    double best = 1e9;
    setenv("HSAIL_FINALIZER_WORKER", "0", 1);
    for (int i = 0; i < 6; i++) {
        double start = processor_time();
        finalize(module, NULL);
        double spent = processor_time() - start;
        best = spent < best ? spent : best;
    }
    return best;
}

static void *finalize_share(void *module)
{
    for (int i = 0; i < KERNELS / THREADS; i++)
        finalize(module, NULL);
    return NULL;
}

static double finalize_on_threads(const hsail_module_t *module)
{
    pthread_t thread[THREADS];
    double start = bench_clock();
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, finalize_share, (void *)(uintptr_t)module))
            _exit(1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return (bench_clock() - start) * 1e3;
}

static double finalize_on_one_thread(const hsail_module_t *module)
{
    double start = bench_clock();
    for (int i = 0; i < THREADS; i++)
        finalize_share((void *)(uintptr_t)module);
    return (bench_clock() - start) * 1e3;
}

static double finalize_whole(const hsail_module_t *module)
{
    return finalize(module, "-shares=1");
}

/* On the first of the processors that this process may use. */
static double finalize_on_one_processor(const hsail_module_t *module)
{
    cpu_set_t set, one;
    int first = 0;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof set, &set))
        _exit(1);
    while (!CPU_ISSET(first, &set))
        first++;
    CPU_SET(first, &one);
    if (sched_setaffinity(0, sizeof one, &one))
        _exit(1);
    return finalize(module, NULL);
}

/* ---- beside llc ---- */

/* Processor time of a command. */
static double command_time(const char *command)
{
    struct cost cost = {0, 0};
    struct rusage used;
    int status;
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status)
        return -1;
    cost.processor = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
                     (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-3;
    return cost.processor;
}

static double best_command(const char *command)
{
    double best = 1e9;
    for (int i = 0; i < 6; i++) {
        double spent = command_time(command);
        if (spent < 0)
            return -1;
        best = spent < best ? spent : best;
    }
    return best;
}

static char folder[] = "/tmp/finalize_bench.XXXXXX";

static double dump_module(const hsail_module_t *module)
{
    char options[256];
    snprintf(options, sizeof options, "-dump-ir=%s/k.ll", folder);
    return finalize(module, options);
}

/* Finalization beside `llc -O2`, which gets what the passes before code generation have made. What it takes to start
 * llc is subtracted, since the finalizer is warm. */
static void compare_with_llc(const hsail_module_t *module, const char *what)
{
    static const char llc[] = "llc -O2 -mcpu=gfx900 -mattr=-xnack -relocation-model=pic -filetype=obj -o /dev/null";
    const char *tools = getenv("LLVM_BINDIR");
    char command[1024], name[96];
    if (!tools || in_process(dump_module, module).elapsed < 0)
        return;
    snprintf(command, sizeof command,
             "cd %s && exec %s/opt "
             "-passes='always-inline,function(sroa,early-cse,simplifycfg,instsimplify,"
             "adce,lower-switch),globaldce,function(separate-const-offset-from-gep,early-cse,sccp),globaldce,"
             "amdgpu-attributor' "
             "-mcpu=gfx900 -o k.bc k.ll",
             folder, tools);
    if (command_time(command) < 0)
        return;
    snprintf(command, sizeof command, "cd %s && exec %s/%s k.bc", folder, tools, llc);
    double theirs = best_command(command);
    snprintf(command, sizeof command, "exec %s/llc --version >/dev/null", tools);
    double start = best_command(command);
    double ours = in_process(finalize_here, module).elapsed;
    if (theirs < 0 || start < 0 || ours < 0)
        return;
    snprintf(name, sizeof name, "finalize %s, processor time", what);
    bench_figure(name, ours, "ms");
    snprintf(name, sizeof name, "... llc -O2 on the same IR");
    bench_figure(name, theirs - start, "ms");
    bench_at_most("... finalizer / llc", ours / (theirs - start), "times", 1.25);
}

/* ---- input ---- */

/* A kernel of COUNT dependent multiplications and additions; if MIXED, with loads, stores, branches and loops among
 * them. */
static hsail_module_t *long_kernel(hsail_context_t *context, int count, bool mixed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "module &m:1:0:$full:$large:$default;\nprog kernel &k(kernarg_u64 %%p) {\n"
                 "ld_kernarg_u64 $d0, [%%p];\nld_global_u32 $s0, [$d0];\n");
    for (int i = 0; i < count; i++) {
        int a = i % 16 + 1, b = i % 13, k = i / 10;
        if (mixed && i % 10 == 4)
            fprintf(out, "ld_global_u32 $s%d, [$d0+%d];\n", a, 4 * k);
        else if (mixed && i % 10 == 6)
            fprintf(out, "st_global_u32 $s%d, [$d0+%d];\n", b, 4 * k);
        else if (mixed && i % 10 == 8)
            fprintf(out, "cmp_lt_b1_u32 $c0, $s%d, $s%d;\n", a, b);
        else if (mixed && i % 10 == 9)
            fprintf(out, k % 2 ? "cbr_b1 $c0, @l%d;\n@l%d:\n" : "cbr_b1 $c0, @l%d;\nadd_u32 $s1, $s1, 5;\n@l%d:\n", k,
                    k);
        else
            fprintf(out, "mad_u32 $s%d, $s%d, 77, $s0;\n", a, b);
    }
    fprintf(out, "st_global_u32 $s1, [$d0];\n};\n");
    fclose(out);
    hsail_module_t *module = assemble(context, text, size);
    free(text);
    return module;
}

/* A program of COUNT kernels like that of vector_copy, which differ in a constant. */
static hsail_module_t *many_kernels(hsail_context_t *context, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "module &m:1:0:$full:$large:$default;\n");
    for (int i = 0; i < count; i++)
        fprintf(out,
                "prog kernel &k%d(kernarg_u64 %%in, kernarg_u64 %%out) {\n"
                "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; shl_u64 $d0, $d0, 2;\n"
                "ld_kernarg_u64 $d1, [%%in]; add_u64 $d1, $d1, $d0; ld_global_u32 $s1, [$d1];\n"
                "ld_kernarg_u64 $d2, [%%out]; add_u64 $d2, $d2, $d0; add_u32 $s1, $s1, %d;\n"
                "st_global_u32 $s1, [$d2];\n};\n",
                i, i);
    fclose(out);
    hsail_module_t *module = assemble(context, text, size);
    free(text);
    return module;
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

static void measure_small(const hsail_module_t *module)
{
    struct cost first = best_of(finalize_once, module, COLD);
    bench_at_most("finalize vector_copy, first in a process", first.elapsed, "ms", 15);
    bench_at_most("... processor time, of process and worker", first.processor, "ms", 15);
    bench_at_most("finalize vector_copy, warm", in_process(finalize_often, module).elapsed, "ms", 5);
    struct cost many = in_process(finalize_on_threads, module), one = in_process(finalize_on_one_thread, module);
    bench_figure("finalize 1,000 kernels on two threads", many.elapsed, "ms");
    bench_figure("... processor time, of process and workers", many.processor, "ms");
    bench_at_least("... as fast as on one thread", one.elapsed / many.elapsed, "times", 1.5);
}

static void measure_many(hsail_context_t *context)
{
    hsail_module_t *many = many_kernels(context, KERNELS);
    if (!many)
        return;
    struct cost whole = best_of(finalize_whole, many, 3), shares = best_of(finalize_once, many, 3);
    struct cost one = best_of(finalize_on_one_processor, many, 3);
    bench_figure("finalize 1,000 kernels in one program", shares.elapsed, "ms");
    bench_figure("... processor time, of process and workers", shares.processor, "ms");
    bench_figure("... undivided", whole.elapsed, "ms");
    bench_figure("... processor time, undivided", whole.processor, "ms");
    bench_at_least("... 1,000 kernels in one program, both processors over one", one.elapsed / shares.elapsed, "times",
                   1.5);
    hsail_module_destroy(many);
}

static void measure_long(hsail_context_t *context)
{
    hsail_module_t *plain = long_kernel(context, LONG, false), *mixed = long_kernel(context, LONG, true);
    hsail_module_t *longer = long_kernel(context, LONGER, false);
    if (!plain || !mixed || !longer)
        return;
    if (mkdtemp(folder)) {
        char command[64];
        compare_with_llc(plain, "1,000 multiplications");
        compare_with_llc(mixed, "1,000 mixed instructions");
        snprintf(command, sizeof command, "rm -rf %s", folder);
        command_time(command);
    }
    bench_figure("finalize 5,000 instructions, processor time", in_process(finalize_here, longer).elapsed, "ms");
    hsail_module_destroy(plain);
    hsail_module_destroy(mixed);
    hsail_module_destroy(longer);
}

int main(int argc, char **argv)
{
    const char *source = getenv("srcdir");
    char path[512];
    snprintf(path, sizeof path, "%s/examples/vector_copy.hsail", source ? source : ".");
    size_t size;
    char *text = read_text(argc > 1 ? argv[1] : path, &size);
    hsail_context_t *context = NULL;
    if (!text || hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    hsail_module_t *small = assemble(context, text, size);
    if (!small || prctl(PR_SET_CHILD_SUBREAPER, 1))
        return 1;
    measure_small(small);
    measure_many(context);
    measure_long(context);
    hsail_module_destroy(small);
    hsail_context_destroy(context);
    free(text);
    return 0;
}
