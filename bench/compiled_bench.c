/* SPDX-License-Identifier: MIT */
/* Measures how much faster compiled code is than the interpreter, with the kernels of compiled_kernels.cl as clang
 * compiles them for gfx900, on each instruction set of the host and one thread; and what compiling costs. The results
 * of the kernels are compared, too. Arguments: the code object; the name of the only kernel that is wanted; the
 * seconds to dispatch each for, at least. Output: figures as bench.h describes them. */
#include "config.h"

#include "bench/bench.h"
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/jit/jit.h"
#include "runtime/gcn/jit/tier.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { IMAGE_SIZE = 1 << 20, MEMORY_SIZE = 4 << 20, ROUNDS = 4, COMPILATIONS = 5 };

/* A kernel is dispatched for so many seconds at least, since a single dispatch takes less than a millisecond. */
static double least_seconds = 0.1;

struct kernel {
    const char *name;
    uint32_t groups, n;
    double floor; /* the least ratio with AVX-512 */
};
#define KERNEL(name, groups, n) {name, groups, n, 0.95}
static const struct kernel kernels[] = {
    {"alu", 16, 2000, 7},        {"mandel", 64, 400, 4},          {"nbody", 8, 1024, 4},
    {"matmul", 64, 128, 3},      {"rounds", 16, 1000, 7},         {"diverge", 16, 300, 3},
    {"doubles", 8, 1000, 3},     {"vadd", 16, 64, 1.5},           {"saxpy", 16, 64, 1.5},
    KERNEL("bytes", 16, 64),     KERNEL("shorts", 16, 64),        KERNEL("wide", 16, 32),
    KERNEL("gather", 8, 400),    KERNEL("scatter", 16, 64),       KERNEL("stencil", 16, 64),
    KERNEL("matvec", 8, 400),    KERNEL("search", 8, 400),        KERNEL("reduce", 8, 30),
    KERNEL("scan", 8, 30),       KERNEL("bitonic", 4, 10),        KERNEL("transpose", 16, 64),
    KERNEL("histogram", 8, 200), KERNEL("table", 8, 500),         KERNEL("exchange", 8, 100),
    KERNEL("counter", 4, 200),   KERNEL("long_multiply", 8, 500), KERNEL("high_multiply", 8, 1000),
    KERNEL("divide", 4, 200),    KERNEL("bits", 8, 500),          KERNEL("roots", 8, 300),
    KERNEL("waves", 8, 300),     KERNEL("halves", 8, 500),        KERNEL("choose", 8, 300),
    KERNEL("nested", 4, 200),    KERNEL("spill", 4, 300),         KERNEL("wave_scan", 8, 100),
    KERNEL("wave_max", 8, 100),  KERNEL("compact", 8, 200),
};

static char *file, *image;
static uint32_t *in, *out, *expected;

static bool load(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &status))
        return false;
    file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return false;
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Phdr *segment = (const void *)(file + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD)
            memcpy(image + segment[i].p_vaddr, file + segment[i].p_offset, segment[i].p_filesz);
    return true;
}

static uint64_t find(const char *name)
{
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Shdr *section = (const void *)(file + header->e_shoff);
    char symbol_name[64];
    snprintf(symbol_name, sizeof symbol_name, "%s.kd", name);
    for (int i = 0; i < header->e_shnum; i++) {
        if (section[i].sh_type != SHT_DYNSYM)
            continue;
        const Elf64_Sym *symbol = (const void *)(file + section[i].sh_offset);
        const char *names = file + section[section[i].sh_link].sh_offset;
        for (size_t k = 0; k < section[i].sh_size / sizeof *symbol; k++)
            if (!strcmp(names + symbol[k].st_name, symbol_name))
                return (uint64_t)(uintptr_t)(image + symbol[k].st_value);
    }
    return 0;
}

/* Seconds for which this thread, which does everything here, has computed; other threads of the host do not count. */
static double thread_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The code object as one of the tiers executes it. */
struct side {
    struct gcn_cache *cache;
    struct gcn_code *code;
    double first, best; /* seconds of dispatches */
};

static void dispatch(struct side *side, const struct kernel *kernel, enum gcn_tier_mode mode)
{
    static struct gcn_worker worker;
    uint64_t arguments[] = {(uint64_t)(uintptr_t)out, (uint64_t)(uintptr_t)in, kernel->n};
    hsa_kernel_dispatch_packet_t packet = {
        .setup = 1,
        .workgroup_size_x = 256,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = 256 * kernel->groups,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .group_segment_size = 2048,
        .kernel_object = find(kernel->name),
        .kernarg_address = arguments};
    struct gcn_dispatch d;
    gcn_tier_set_mode(mode, 0);
    double start = thread_clock();
    if (gcn_dispatch_begin(&d, side->cache, &packet, 0, 0, 0))
        return;
    gcn_worker_run(&worker, &d);
    double seconds = thread_clock() - start;
    if (d.fault_state)
        printf("%s: %s\n", kernel->name, d.fault.name);
    gcn_dispatch_end(&d);
    side->first = side->first > 0 ? side->first : seconds;
    side->best = seconds < side->best ? seconds : side->best;
}

static void open_side(struct side *side, const struct gcn_engine *engine)
{
    *side = (struct side){.cache = gcn_cache_new(engine, gcn_target_number(0)), .best = 1e9};
    side->code = gcn_cache_add(side->cache, image, IMAGE_SIZE, image, IMAGE_SIZE);
}

static void close_side(struct side *side)
{
    gcn_cache_remove(side->cache, side->code);
    gcn_cache_free(side->cache);
}

/* Dispatches KERNEL in both tiers, by turns, since the host is not equally fast all the time. Returns whether the
 * results are the same. */
static bool measure_both(const struct gcn_engine *engine, const struct kernel *kernel, struct side *sides)
{
    double start = thread_clock();
    bool same = true;
    for (unsigned i = 0; i < 2; i++) {
        open_side(&sides[i], engine);
        memset(out, 0, MEMORY_SIZE);
        dispatch(&sides[i], kernel, i ? GCN_TIER_NOW : GCN_TIER_OFF);
        if (i)
            same = !memcmp(expected, out, MEMORY_SIZE);
        else
            memcpy(expected, out, MEMORY_SIZE);
    }
    for (int round = 0; round < ROUNDS || thread_clock() - start < least_seconds; round++)
        for (unsigned i = 0; i < 2; i++)
            dispatch(&sides[i], kernel, i ? GCN_TIER_NOW : GCN_TIER_OFF);
    for (unsigned i = 0; i < 2; i++)
        close_side(&sides[i]);
    return same;
}

/* Has KERNEL, which is compiled already, compiled some more times. Returns the least of MS and what these take. */
static double compile_again(const struct gcn_engine *engine, const struct kernel *kernel, double ms)
{
    for (int i = 1; i < COMPILATIONS; i++) {
        struct side side;
        struct jit_cost before = gcn_tier_cost();
        open_side(&side, engine);
        dispatch(&side, kernel, GCN_TIER_NOW);
        close_side(&side);
        double again = (double)(gcn_tier_cost().nanoseconds - before.nanoseconds) * 1e-6;
        ms = again < ms ? again : ms;
    }
    return ms;
}

/* What compiling costs, over the kernels: sums from which the line is found that comes closest to all of them. */
struct costs {
    double kernels, instructions, squares, ms, products;
};

static void add_cost(struct costs *costs, double instructions, double ms)
{
    costs->kernels++;
    costs->instructions += instructions;
    costs->squares += instructions * instructions;
    costs->ms += ms;
    costs->products += instructions * ms;
}

/* Prints the time for a machine instruction, as a share of the whole; and that for a kernel as such and for each
 * machine instruction that it has. */
static void print_costs(const char *engine, const struct costs *c)
{
    char name[96];
    double spread = c->kernels * c->squares - c->instructions * c->instructions;
    if (!c->instructions)
        return;
    snprintf(name, sizeof name, "gcn %s, compiling a machine instruction", engine);
    if (!strcmp(engine, "avx512"))
        bench_at_most(name, c->ms / c->instructions, "ms", 0.15);
    else
        bench_figure(name, c->ms / c->instructions, "ms");
    if (spread <= 0)
        return;
    double slope = (c->kernels * c->products - c->instructions * c->ms) / spread;
    snprintf(name, sizeof name, "gcn %s, compiling a kernel as such", engine);
    bench_figure(name, (c->ms - slope * c->instructions) / c->kernels, "ms");
    snprintf(name, sizeof name, "gcn %s, ... and each machine instruction of it", engine);
    bench_figure(name, slope, "ms");
}

/* Returns the ratio, or 0 if there is none. */
static double compare(const struct gcn_engine *engine, const struct kernel *kernel, struct costs *costs)
{
    char name[96];
    struct side sides[2];
    unsigned compiled = gcn_tier_count();
    struct jit_cost before = gcn_tier_cost();
    bool same = measure_both(engine, kernel, sides);
    if (gcn_tier_count() == compiled) {
        printf("%s, %s: nothing was compiled; see HSA_GCN_JIT_WORKER\n", engine->name, kernel->name);
        return 0;
    }
    double ratio = sides[0].best / sides[1].best;
    snprintf(name, sizeof name, "gcn %s, %s, compiled over interpreted", engine->name, kernel->name);
    if (!strcmp(engine->name, "avx512"))
        bench_at_least(name, ratio, "x", kernel->floor);
    else
        bench_figure(name, ratio, "x");
    snprintf(name, sizeof name, "gcn %s, %s, compiling", engine->name, kernel->name);
    struct jit_cost after = gcn_tier_cost();
    double first = (double)(after.nanoseconds - before.nanoseconds) * 1e-6, ms = compile_again(engine, kernel, first);
    double instructions = (double)(after.instructions - before.instructions);
    bench_figure(name, ms, "ms");
    snprintf(name, sizeof name, "gcn %s, %s, compiling for the first time", engine->name, kernel->name);
    bench_figure(name, first, "ms");
    snprintf(name, sizeof name, "gcn %s, %s, machine instructions in loops", engine->name, kernel->name);
    bench_figure(name, instructions, "");
    add_cost(costs, instructions, ms);
    if (!same)
        printf("%s, %s: results differ\n", engine->name, kernel->name);
    return ratio;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"avx2", "avx512"};
    char name[96];
    void *memory =
        mmap(NULL, 3 * (size_t)MEMORY_SIZE + IMAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    setenv("HSA_GCN_JIT_CACHE", "off", 1);
    setenv("HSA_GCN_JIT_WORKER", BENCH_JIT_WORKER, 0);
    if (argc > 3)
        least_seconds = strtod(argv[3], NULL);
    const char *path = argc > 1 ? argv[1] : "bench/compiled_kernels.co";
    if (memory == MAP_FAILED || !gcn_guard_acquire())
        return 1;
    image = memory;
    in = (uint32_t *)(void *)(image + IMAGE_SIZE);
    out = in + MEMORY_SIZE / 4;
    expected = out + MEMORY_SIZE / 4;
    if (!load(path)) {
        printf("no code object %s\n", path);
        return 1;
    }
    for (uint32_t i = 0; i < MEMORY_SIZE / 4; i++) {
        float x = (float)(i * 2654435761u >> 8) * 0x1p-24f;
        memcpy(&in[i], &x, 4);
    }
    gcn_tier_acquire(); /* so that the compiler is started once for all kernels */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct gcn_engine *engine = gcn_engine_select(names[i]);
        struct costs costs = {0};
        double least = 0;
        for (size_t k = 0; engine && k < sizeof kernels / sizeof *kernels; k++) {
            if (argc > 2 && strcmp(argv[2], kernels[k].name))
                continue;
            double ratio = compare(engine, &kernels[k], &costs);
            least = !least || ratio < least ? ratio : least;
        }
        snprintf(name, sizeof name, "gcn %s, least of all kernels", names[i]);
        if (least > 0)
            bench_at_least(name, least, "x", 0.95);
        print_costs(names[i], &costs);
    }
    gcn_tier_release();
    gcn_guard_release();
    return 0;
}
