/* SPDX-License-Identifier: MIT */
/* Tests when code is compiled: in the background once it has run often, not earlier; and compiled code must not outlive
 * its code object. The expected counts and sums follow from the loop, and from the mappings of the process. */
#include "config.h"

#include "runtime/gcn/jit/jit.h"
#include "runtime/gcn/jit/tier.h"
#include "testsuite/gcn/loop_kernel.h"
#include "testsuite/tap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct gcn_wave wave __attribute__((aligned(64)));

static bool run(struct gcn_cache *cache, uint32_t count)
{
    return run_loop(&wave, cache, count);
}

/* Whether the loop is compiled in the background, in a new cache, once waves that run COUNT rounds of it have run
 * often.
 */
static bool is_compiled_later(const struct gcn_engine *engine, uint32_t count)
{
    struct gcn_cache *cache = new_loop_cache(engine);
    unsigned before = gcn_tier_count();
    bool right = true;
    time_t until = time(NULL) + 120;
    while (gcn_tier_count() == before && time(NULL) < until)
        right &= run(cache, count);
    gcn_cache_free(cache);
    return right && gcn_tier_count() > before;
}

/* How many instructions are compiled then; 0 if it goes wrong. */
static uint64_t compiled_instructions(const struct gcn_engine *engine, uint32_t count)
{
    uint64_t before = gcn_tier_cost().instructions;
    return is_compiled_later(engine, count) ? gcn_tier_cost().instructions - before : 0;
}

static void test_parts(const struct gcn_engine *engine)
{
    enum { INSTRUCTIONS = sizeof loop_kernel / sizeof loop_kernel[0] };
    ok(compiled_instructions(engine, 20000) == INSTRUCTIONS - 1, "where waves stay in a loop, that is compiled");
    ok(compiled_instructions(engine, 10) == INSTRUCTIONS, "where they soon leave it, what is outside of it is, too");
}

/* A kernel that calls a function at the address in s[2:3], twice, and the function, which adds 3 to v0 eight times. */
static const uint32_t calls[] = {0xbe861e02, 0xbe861e02, 0xbf810000, 0x68000083, 0x68000083, 0x68000083,
                                 0x68000083, 0x68000083, 0x68000083, 0x68000083, 0x68000083, 0xbe801d06};
enum { CALLED = 3, CALLED_INSTRUCTIONS = 9 };

static bool run_calls(struct gcn_cache *cache)
{
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    if (!gcn_cache_find(cache, (uintptr_t)calls, &entry, &kind))
        return false;
    wave.s[2] = (uint32_t)(uintptr_t)(calls + CALLED);
    wave.s[3] = (uint32_t)((uintptr_t)(calls + CALLED) >> 32);
    gcn_set64(&wave, GCN_S_EXEC, UINT64_MAX);
    wave.v[0][9] = 0;
    gcn_wave_enter(&wave, &entry);
    do
        wave.budget = 1000;
    while (gcn_wave_run(&wave) == GCN_STOP_YIELD);
    return wave.stop == GCN_STOP_END && wave.v[0][9] == 2 * 8 * 3;
}

/* Waves pass through several units then, and end in the last one. */
static void test_calls(const struct gcn_engine *engine)
{
    struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
    struct gcn_code *code = gcn_cache_add(cache, calls, sizeof calls, calls, sizeof calls);
    uint64_t before = gcn_tier_cost().instructions;
    bool right = true;
    time_t until = time(NULL) + 120;
    while (gcn_tier_cost().instructions < before + CALLED_INSTRUCTIONS && time(NULL) < until)
        right &= run_calls(cache);
    ok(right && gcn_tier_cost().instructions >= before + CALLED_INSTRUCTIONS,
       "a function without loops is compiled that is called by its address (%llu instructions)",
       (unsigned long long)(gcn_tier_cost().instructions - before));
    for (unsigned i = 0; i < 20; i++)
        right &= run_calls(cache);
    ok(right, "it computes the same as before");
    gcn_cache_remove(cache, code);
    gcn_cache_free(cache);
}

static bool is_mapped(const char *library)
{
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, library) != NULL;
    if (maps)
        fclose(maps);
    return found;
}

static void test_background(const struct gcn_engine *engine)
{
    struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
    struct gcn_code *code = gcn_cache_add(cache, loop_kernel, sizeof loop_kernel, loop_kernel, sizeof loop_kernel);
    ok(run(cache, 100), "a short loop counts");
    ok(gcn_tier_count() == 0, "nothing is compiled at first");
    bool right = true;
    time_t until = time(NULL) + 120;
    while (!gcn_tier_count() && time(NULL) < until)
        right &= run(cache, 20000);
    ok(gcn_tier_count() == 1, "a hot loop is compiled in the background");
    ok(!is_mapped("libLLVM"), "LLVM is not mapped, as another process compiles");
    for (unsigned i = 0; i < 20; i++)
        right &= run(cache, 12345 + i);
    ok(right, "the loop counts right while it is replaced by compiled code, and after that");
    gcn_cache_remove(cache, code);
    gcn_cache_free(cache);
}

static void test_removal(const struct gcn_engine *engine)
{
    bool right = true;
    for (unsigned i = 0; i < 30; i++) {
        struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
        struct gcn_code *code = gcn_cache_add(cache, loop_kernel, sizeof loop_kernel, loop_kernel, sizeof loop_kernel);
        right &= run(cache, 50000 + i * 100);
        gcn_cache_remove(cache, code);
        if (i & 1) {
            code = gcn_cache_add(cache, loop_kernel, sizeof loop_kernel, loop_kernel, sizeof loop_kernel);
            right &= run(cache, 70000);
        }
        gcn_cache_free(cache);
    }
    ok(right, "code may go while it is waiting to be compiled, or being compiled");
}

struct rounds {
    const struct gcn_engine *engine;
    bool right;
};

static void *make_and_free(void *data)
{
    struct rounds *r = data;
    struct gcn_wave *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    for (unsigned i = 0; i < 20; i++) {
        struct gcn_cache *cache = new_loop_cache(r->engine);
        r->right &= run_loop(w, cache, 110000);
        gcn_cache_free(cache);
    }
    free(w);
    return NULL;
}

/* The thread that compiles ends with the last cache, and another begins with the next one; two threads make and free
 * caches, so that this happens in all orders. */
static void test_threads(const struct gcn_engine *engine)
{
    struct rounds rounds[2] = {{engine, true}, {engine, true}};
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, make_and_free, &rounds[i]);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    ok(rounds[0].right && rounds[1].right, "two threads may make and free caches at once");
    ok(is_compiled_later(engine, 20000), "code is still compiled after that");
}

/* What a process does that ends while code is being compiled. */
static const char *const ways[] = {"return", "handler", "now"};

/* Lets processes end at different times while their code is being compiled; returns whether each ends well. */
static bool all_end_well(const char *way)
{
    bool well = true;
    for (unsigned i = 0; i < 12; i++) {
        char delay[16];
        int status = -1;
        snprintf(delay, sizeof delay, "%u", i * i * 700);
        pid_t child = fork();
        if (child == 0) {
            execl("/proc/self/exe", "tier_test", way, delay, (char *)NULL);
            _exit(98);
        }
        well &= child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }
    return well;
}

static struct gcn_cache *last_cache; /* static, so that a checker of leaks finds it */

static void free_last_cache(void)
{
    gcn_cache_free(last_cache);
}

static void *compile_for_ever(void *data)
{
    while (true) {
        struct gcn_cache *cache = new_loop_cache(data);
        struct gcn_entry entry;
        enum gcn_fault_kind kind;
        gcn_cache_find(cache, (uint64_t)(uintptr_t)loop_kernel, &entry, &kind);
        gcn_cache_free(cache);
    }
    return NULL;
}

/* Such a process ends DELAY microseconds after its loop has become hot: and gives nothing back; or frees the cache in a
 * handler of exit(), as a program does that calls hsa_shut_down() there; or while a thread compiles everything it
 * makes. If it cannot end, the alarm kills it, so that the test fails instead of waiting for ever. */
static int end_early(const struct gcn_engine *engine, const char *way, unsigned delay)
{
    bool right = true;
    pthread_t thread;
    alarm(120);
    if (!strcmp(way, "now")) {
        gcn_tier_set_mode(GCN_TIER_NOW, GCN_JIT_WHOLE);
        pthread_create(&thread, NULL, compile_for_ever, (void *)(uintptr_t)engine);
        pthread_detach(thread);
    } else {
        last_cache = new_loop_cache(engine);
        if (!strcmp(way, "handler"))
            atexit(free_last_cache);
        right = run(last_cache, 400000);
    }
    usleep(delay);
    return !right;
}

/* A child of fork() has a worker of its own, also if its parent was just compiling; returns whether all goes well. */
static bool fork_while_compiling(const struct gcn_engine *engine, unsigned delay)
{
    struct gcn_cache *cache = new_loop_cache(engine);
    int status = -1;
    bool right = run(cache, 400000);
    usleep(delay);
    pid_t child = fork();
    if (child == 0) {
        alarm(240);
        _exit(!(run(cache, 400000) && is_compiled_later(engine, 20000)));
    }
    right &= run(cache, 400000);
    gcn_cache_free(cache);
    return right & (child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void test_forks(const struct gcn_engine *engine)
{
    bool well = true;
    for (unsigned i = 0; i < 6; i++)
        well &= fork_while_compiling(engine, i * i * 1500);
    ok(well, "a process may fork while its code is being compiled, and its child has code compiled, too");
}

int main(int argc, char **argv)
{
    const struct gcn_engine *engine = gcn_engine_select("avx2");
    if (!engine) {
        tap_skip("compiled code", "the host has no AVX2");
        return tap_done();
    }
    if (!gcn_guard_acquire())
        return 99;
    gcn_tier_set_mode(GCN_TIER_AUTO, GCN_JIT_KEEP); /* as run() looks at the registers of waves that have ended */
    if (argc > 2)
        return end_early(engine, argv[1], (unsigned)atoi(argv[2]));
    test_background(engine);
    test_parts(engine);
    test_calls(engine);
    test_removal(engine);
    test_threads(engine);
    test_forks(engine);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        ok(all_end_well(ways[i]), "a process may end while its code is being compiled: %s", ways[i]);
    gcn_guard_release();
    return tap_done();
}
