/* SPDX-License-Identifier: MIT */
/* Tests when code is compiled: in the background once it has run often, not earlier; and compiled code must not outlive
 * its code object. The expected counts and sums follow from the loop, and from the mappings of the process. */
#include "config.h"

#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/jit/jit.h"
#include "runtime/gcn/jit/tier.h"
#include "testsuite/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A loop that adds 3 to v0 and subtracts 1 from s4 until s4 is 0. */
static const uint32_t loop[] = {0x68000083, 0x80848104, 0xbf078004, 0xbf85fffc, 0xbf810000};
static struct gcn_wave wave __attribute__((aligned(64)));
static struct gcn_dispatch dispatch;
static struct gcn_group group = {.dispatch = &dispatch, .wave_count = 1};

/* Runs COUNT rounds of the loop, over as many turns as that takes; returns whether each lane has counted right. */
static bool run(struct gcn_cache *cache, uint32_t count)
{
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    if (!gcn_cache_find(cache, (uint64_t)(uintptr_t)loop, &entry, &kind))
        return false;
    memset(&wave, 0, sizeof wave);
    wave.base[0] = (const char *)&wave;
    wave.group = &group;
    wave.mode = 0x3f0;
    wave.s[4] = count;
    gcn_set64(&wave, GCN_S_EXEC, 0x5555555555555555);
    gcn_mode_changed(&wave);
    gcn_wave_enter(&wave, &entry);
    do
        wave.budget = 1000;
    while (gcn_wave_run(&wave) == GCN_STOP_YIELD);
    for (unsigned i = 0; i < GCN_LANES; i++)
        if (wave.v[0][i] != (i & 1 ? 0 : 3 * count))
            return false;
    return wave.stop == GCN_STOP_END && wave.s[4] == 0;
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
    struct gcn_code *code = gcn_cache_add(cache, loop, sizeof loop, loop, sizeof loop);
    ok(run(cache, 100), "a short loop counts");
    ok(gcn_tier_count() == 0 && !is_mapped("libLLVM"), "nothing is compiled at first, and LLVM is not mapped");
    bool right = true;
    time_t until = time(NULL) + 120;
    while (!gcn_tier_count() && time(NULL) < until)
        right &= run(cache, 20000);
    ok(gcn_tier_count() == 1, "a hot loop is compiled in the background");
    ok(is_mapped("libLLVM"), "LLVM is mapped after that");
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
        struct gcn_code *code = gcn_cache_add(cache, loop, sizeof loop, loop, sizeof loop);
        right &= run(cache, 50000 + i * 100);
        gcn_cache_remove(cache, code);
        if (i & 1) {
            code = gcn_cache_add(cache, loop, sizeof loop, loop, sizeof loop);
            right &= run(cache, 70000);
        }
        gcn_cache_free(cache);
    }
    ok(right, "code may go while it is waiting to be compiled, or being compiled");
}

/* Lets processes end at different times while their code is being compiled; returns whether each ends well. */
static bool all_end_well(const char *program)
{
    bool well = true;
    for (unsigned i = 0; i < 24; i++) {
        char delay[16];
        int status = -1;
        snprintf(delay, sizeof delay, "%u", i * 3000);
        pid_t child = fork();
        if (child == 0) {
            execl(program, program, delay, (char *)NULL);
            _exit(98);
        }
        well &= child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }
    return well;
}

/* Such a process: it ends DELAY microseconds after its loop has become hot, and gives nothing back. If it cannot end,
 * the alarm kills it, so that the test fails instead of waiting for ever. */
static int end_early(const struct gcn_engine *engine, unsigned delay)
{
    static struct gcn_cache *cache; /* static, so that a checker of leaks finds it */
    alarm(120);
    cache = gcn_cache_new(engine, gcn_target_number(0));
    gcn_cache_add(cache, loop, sizeof loop, loop, sizeof loop);
    bool right = run(cache, 400000);
    usleep(delay);
    return !right;
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
    if (argc > 1)
        return end_early(engine, (unsigned)atoi(argv[1]));
    test_background(engine);
    test_removal(engine);
    ok(all_end_well("/proc/self/exe"), "a process may end while its code is being compiled");
    gcn_guard_release();
    return tap_done();
}
