/* SPDX-License-Identifier: MIT */
/* Tests fairness. A queue can be destroyed soon, whatever its kernel does. A wave that waits for memory is recognized
 * as waiting, and one that computes is not. What is expected follows from what the programs below do. */
#include "hsa/hsa_ext_amd.h"
#include "runtime/gcn/turn.h"
#include "testsuite/dispatch_packet.h"
#include "testsuite/gcn/driver_core.h"
#include "testsuite/gcn/wave_bench.h"
#include "testsuite/seconds.h"

#include <time.h>

enum { LONG = 1 << 22, S_ENDPGM = 0xbf810000u, V_SIN = 0x7e005300, S_ADD_0 = 0x80008100u, S_NOP = 0xbf800000u };

/* Kernels that run for a long time */

/* Such a kernel: HEAD, then BODY REPEATED times, then TAIL. */
static const struct endless {
    const char *name;
    uint32_t grid, group, repeated;
    uint32_t body;
    uint32_t head[6], tail[6]; /* dwords that are 0 are left out */
} endless[] = {
    {"branches to itself", 1 << 14, 256, 1, S_NOP, {0}, {0xbf82ffff}},
    {"loops over much straight code", 64, 64, 1000, V_SIN, {0}, {0xbf82fc17}},
    {"loops over more than a unit of translated code", 64, 64, 32000, V_SIN, {0}, {0xbf8282ff}},
    {"is millions of instructions", 1 << 14, 256, LONG, V_SIN, {0}, {S_ENDPGM}},
    {"jumps ahead over the counts", 1 << 14, 256, LONG, 0xbf820000, {0}, {S_ENDPGM}},
    {"jumps by address", 64, 64, 1, S_NOP, {0xbe821c00}, {0xbe801d02}}, /* s_getpc s[2:3]; s_nop; s_setpc s[2:3] */
    {"sleeps", 1024, 256, 1, 0xbf8e007f, {0}, {0xbf82fffe}},
    {"has 2^32 work-items", UINT32_MAX, 64, 16, V_SIN, {0}, {S_ENDPGM}},
    {"waits at a barrier in a loop", 1 << 14, 1024, 1, 0xbf8a0000, {0}, {0xbf82fffe}},
};

static unsigned copy_words(uint32_t *to, const uint32_t *from, unsigned n)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        if (from[i])
            to[count++] = from[i];
    return count;
}

/* Destroys a queue while it executes PACKET; returns how long that takes. */
static double time_destruction(const hsa_kernel_dispatch_packet_t *packet)
{
    struct timespec pause = {0, 20000000};
    struct core_queue *queue = core_queue_new();
    core_submit(queue, packet, true);
    nanosleep(&pause, NULL);
    double start = seconds_now();
    core_queue_free(queue);
    return seconds_now() - start;
}

/* On a busy host the threads of the queue also wait for a processor, so the shortest of several attempts counts. */
static void test_endless(struct core_kernel *kernel, uint32_t *words, const struct endless *e)
{
    enum { ATTEMPTS = 5 };
    unsigned n = copy_words(words, e->head, 6);
    for (uint32_t i = 0; i < e->repeated; i++)
        words[n++] = e->body;
    n += copy_words(words + n, e->tail, 6);
    core_load(kernel, words, n);
    hsa_kernel_dispatch_packet_t packet = dispatch_packet((uint64_t)(uintptr_t)kernel, e->group, e->grid);
    core.errors = 0;
    double took = time_destruction(&packet);
    for (int i = 1; i < ATTEMPTS && took >= 1; i++)
        took = time_destruction(&packet);
    bool legal = !core.errors || core.error != (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
    ok(took < 1 && legal, "a queue whose kernel %s goes (in %.1f ms; 100 are allowed on an idle host)", e->name,
       took * 1e3);
    core_unload(kernel);
}

static void test_queues(uint32_t *words)
{
    struct core_kernel *kernel = aligned_alloc(256, (sizeof *kernel + 4 * (LONG + 4096) + 255) / 256 * 256);
    for (size_t i = 0; kernel && i < sizeof endless / sizeof endless[0]; i++)
        test_endless(kernel, words, &endless[i]);
    free(kernel);
}

/* Turns */

/* Sets the wave to the start of N dwords of code. */
static struct gcn_code *enter(struct bench *b, const uint32_t *words, size_t n)
{
    struct gcn_code *code = gcn_cache_add(b->cache, words, 4 * n, words, 4 * n);
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    memset(b->wave, 0, sizeof *b->wave);
    b->wave->base[0] = (const char *)b->wave;
    gcn_mode_changed(b->wave);
    gcn_set64(b->wave, GCN_S_EXEC, UINT64_MAX);
    static _Alignas(64) uint8_t scratch[16 * 64], lds[64];
    memset(scratch, 0, sizeof scratch);
    memset(lds, 0, sizeof lds);
    b->wave->scratch = scratch;
    b->wave->scratch_size = sizeof scratch / 64;
    b->wave->lds = lds;
    b->wave->lds_size = sizeof lds;
    if (gcn_cache_find(b->cache, (uint64_t)(uintptr_t)words, &entry, &kind))
        gcn_wave_enter(b->wave, &entry);
    return code;
}

/* v1 = 0; loop: v3 = memory at s[0:1]; while v3 is not 1 */
static const uint32_t spin[] = {0x7e020280, 0xdc518000, 0x03000001, 0xbf8c0f70, 0x7d940681, 0xbf86fffb, S_ENDPGM};
/* the same with a scalar load */
static const uint32_t spin_scalar[] = {0xc0030080, 0x00000000, 0xbf8cc07f, 0xbf068102, 0xbf84fffb, S_ENDPGM};
/* loop: s0 += 1; while s0 < 1,000,000 */
static const uint32_t count[] = {S_ADD_0, 0xbf0aff00, 1000000, 0xbf85fffc, S_ENDPGM};
/* the same with v2, in a register that nothing else shows */
static const uint32_t count_vector[] = {0x68040481, 0x7d8204ff, 100000, 0xbf86fffc, S_ENDPGM};

/* loop: v2 = private memory + 1, which is stored there; while v2 < 100,000; but v2 = 0 before the branch */
static const uint32_t count_private[] = {0xdc504000, 0x027f0001, 0xbf8c0f70, 0x68040481, 0xdc704000, 0x007f0201,
                                         0x7d9804ff, 100000,     0x7e040280, 0xbf87fff6, S_ENDPGM};
/* the same in group memory */
static const uint32_t count_group[] = {0xd86c0000, 0x02000001, 0xbf8cc07f, 0x68040481, 0xd81a0000, 0x00000201,
                                       0x7d9804ff, 100000,     0x7e040280, 0xbf87fff6, S_ENDPGM};
/* a loop that waits, as it is without optimization: what it loads goes through private memory */
static const uint32_t spin_private[] = {0x7e020280, 0xdc508000, 0x03000001, 0xbf8c0f70, 0xdc704000, 0x007f0301,
                                        0xdc504000, 0x037f0001, 0xbf8c0f70, 0x7d9a0681, 0xbf87fff6, S_ENDPGM};

static enum gcn_stop turn_of(struct gcn_wave *w, struct gcn_turn *turn)
{
    const uint32_t stop = 0;
    return gcn_turns_run(&w, turn, 4, &stop, NULL);
}

static void test_spinning(struct bench *b, const char *name, const uint32_t *words, size_t n)
{
    static volatile uint32_t flag;
    struct gcn_turn turn = {0};
    struct gcn_code *code = enter(b, words, n);
    flag = 0;
    gcn_set64(b->wave, 0, (uintptr_t)&flag);
    bool waits = true;
    for (int i = 0; i < 10; i++)
        waits &= turn_of(b->wave, &turn) == GCN_STOP_YIELD && turn.place;
    ok(waits, "%s is seen to wait", name);
    flag = 1;
    ok(turn_of(b->wave, &turn) == GCN_STOP_END, "%s ends when memory has changed", name);
    gcn_cache_remove(b->cache, code);
}

static void test_computing(struct bench *b, const char *name, const uint32_t *words, size_t n)
{
    struct gcn_turn turn = {0};
    struct gcn_code *code = enter(b, words, n);
    enum gcn_stop why = GCN_STOP_YIELD;
    bool waits = false;
    int turns = 0;
    for (; why == GCN_STOP_YIELD && turns < 1000; turns++) {
        why = turn_of(b->wave, &turn);
        waits |= turn.place != NULL;
    }
    ok(why == GCN_STOP_END && turns > 1 && !waits, "%s is not taken to wait, and makes way (%d turns)", name, turns);
    gcn_cache_remove(b->cache, code);
}

/* Translation */

static void test_targets(struct bench *b, uint32_t *words)
{
    enum { TARGETS = 8000, STEP = 8 };
    const struct gcn_unit *before = NULL;
    uint64_t operations = 0, wrong = 0;
    for (unsigned i = 0; i < TARGETS * STEP; i++)
        words[i] = S_ADD_0;
    words[TARGETS * STEP - 1] = S_ENDPGM;
    struct gcn_code *code = gcn_cache_add(b->cache, words, 4 * TARGETS * STEP, words, 4 * TARGETS * STEP);
    for (unsigned i = TARGETS; i-- > 0;) {
        struct gcn_entry entry;
        enum gcn_fault_kind kind;
        uint64_t pc = (uint64_t)(uintptr_t)(words + STEP * i);
        wrong += !gcn_cache_find(b->cache, pc, &entry, &kind) || gcn_unit_pc(entry.unit, entry.op) != pc;
        operations += entry.unit == before ? 0 : entry.unit->count;
        before = entry.unit;
    }
    ok(!wrong && operations < 2 * TARGETS * STEP,
       "code that is reached by jumps to addresses is translated once (%llu operations)",
       (unsigned long long)operations);
    gcn_cache_remove(b->cache, code);
}

static bool finish(struct bench *b)
{
    enum gcn_stop why = GCN_STOP_YIELD;
    for (int i = 0; why == GCN_STOP_YIELD && i < 1000; i++) {
        b->wave->budget = GCN_BUDGET;
        why = gcn_wave_run(b->wave);
    }
    return why == GCN_STOP_END;
}

/* Code of several units, with a loop and with relative addressing across units. */
static void test_long_code(struct bench *b, uint32_t *words)
{
    enum { ADDS = 6000, MOVES = 5000 };
    unsigned n = 0;
    while (n < ADDS)
        words[n++] = S_ADD_0;
    words[n++] = 0x80018101; /* s_add_u32 s1, s1, 1 */
    words[n++] = 0xbf0a8301; /* s_cmp_lt_u32 s1, 3 */
    words[n] = 0xbf850000 | (uint16_t)(-(int)n - 1);
    words[++n] = S_ENDPGM;
    struct gcn_code *code = enter(b, words, n + 1);
    ok(finish(b) && b->wave->s[0] == 3 * ADDS, "a loop over several units");
    gcn_cache_remove(b->cache, code);
    n = 0;
    words[n++] = 0xbf110183; /* s_set_gpr_idx_on 3, src0 */
    while (n < MOVES)
        words[n++] = 0x7e020300; /* v_mov_b32 v1, v0 */
    words[n++] = 0x7e040301;     /* v_mov_b32 v2, v1 */
    words[n++] = 0xbf9c0000;     /* s_set_gpr_idx_off */
    words[n++] = 0x7e0a0301;     /* v_mov_b32 v5, v1 */
    words[n++] = S_ENDPGM;
    code = enter(b, words, n);
    for (uint32_t i = 0; i < 8; i++)
        b->wave->v[i][7] = 100 + i;
    ok(finish(b) && b->wave->v[1][7] == 103 && b->wave->v[2][7] == 104 && b->wave->v[5][7] == 103,
       "relative addressing over more than a unit");
    gcn_cache_remove(b->cache, code);
}

/* Code that changes while it is translated. */

static volatile uint32_t *changing;
enum { CHANGING = 60000 };

static void *change(void *argument)
{
    (void)argument;
    while (__atomic_load_n(&changing, __ATOMIC_ACQUIRE)) {
        volatile uint32_t *words = __atomic_load_n(&changing, __ATOMIC_ACQUIRE);
        for (unsigned i = 0; words && i < CHANGING; i += 7)
            words[i] = words[i] == 0xbf840000 ? 0xbf847000 : 0xbf840000; /* branches: to the next, and far ahead */
    }
    return NULL;
}

static void test_changing(struct bench *b, uint32_t *words)
{
    pthread_t thread;
    unsigned entered = 0;
    for (unsigned i = 0; i < CHANGING + 0x8000; i++)
        words[i] = 0xbf840000;
    changing = words;
    if (pthread_create(&thread, NULL, change, NULL))
        return;
    for (int round = 0; round < 20; round++) {
        struct gcn_code *code = gcn_cache_add(b->cache, words, 4 * (CHANGING + 0x8000), words, 4);
        struct gcn_entry entry;
        enum gcn_fault_kind kind;
        for (unsigned i = 0; i < CHANGING; i += 1111)
            entered += (unsigned)gcn_cache_find(b->cache, (uint64_t)(uintptr_t)(words + i), &entry, &kind);
        gcn_cache_remove(b->cache, code);
    }
    __atomic_store_n(&changing, NULL, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    ok(entered == 20 * (CHANGING / 1111 + 1), "text may change while it is translated");
}

/* Code that is unloaded while other code runs. */

struct search {
    struct gcn_cache *cache;
    uint64_t pc;
    uint32_t stop;  /* atomic */
    uint64_t found; /* atomic */
    uint64_t missed;
};

static void *search(void *argument)
{
    struct search *s = argument;
    gcn_cache_enter(s->cache);
    while (!__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
        struct gcn_entry entry;
        enum gcn_fault_kind kind;
        bool found = gcn_cache_find(s->cache, s->pc, &entry, &kind) && gcn_unit_pc(entry.unit, entry.op) == s->pc;
        __atomic_fetch_add(&s->found, found, __ATOMIC_RELAXED);
        s->missed += !found;
    }
    gcn_cache_leave(s->cache);
    return NULL;
}

/* Unloads code when its last entry has just made the table of entries grow; false if something was not found.
 * Sanitizers see it if the smaller table goes while the other thread looks at it. */
static bool unload(const struct bench *b, const uint32_t *words)
{
    enum { ENTRIES = 128 }; /* as many as the first table takes; one is the other thread's */
    static const uint32_t stays[] = {S_ADD_0, S_ENDPGM};
    struct gcn_cache *cache = gcn_cache_new(gcn_engine_select(NULL), gcn_cache_target(b->cache));
    struct gcn_code *other = gcn_cache_add(cache, stays, sizeof stays, stays, sizeof stays);
    struct gcn_code *code = gcn_cache_add(cache, words, 4 * ENTRIES, words, 4 * ENTRIES);
    struct search s = {.cache = cache, .pc = (uintptr_t)stays};
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    pthread_t thread;
    const bool begun = !pthread_create(&thread, NULL, search, &s);
    bool good = begun;
    while (begun && !__atomic_load_n(&s.found, __ATOMIC_RELAXED))
        sched_yield();
    for (unsigned i = 0; i < ENTRIES; i++)
        good &= gcn_cache_find(cache, (uintptr_t)(words + i), &entry, &kind);
    gcn_cache_remove(cache, code);
    good = good && !gcn_cache_find(cache, (uintptr_t)words, &entry, &kind);
    for (uint64_t nowhere = 0; nowhere < GCN_WAYS; nowhere++) /* what a jump to address 0 looks for */
        good = good && !gcn_cache_find(cache, nowhere, &entry, &kind);
    __atomic_store_n(&s.stop, 1, __ATOMIC_RELEASE);
    if (begun)
        pthread_join(thread, NULL);
    gcn_cache_remove(cache, other);
    gcn_cache_free(cache);
    return good && !s.missed;
}

static void test_unloading(const struct bench *b, uint32_t *words)
{
    enum { ROUNDS = 1000, STEP = 8 };
    unsigned good = 0;
    for (unsigned i = 0; i < ROUNDS * STEP + 256; i++)
        words[i] = S_ENDPGM;
    for (unsigned i = 0; i < ROUNDS; i++)
        good += unload(b, words + i * STEP); /* so that entries are elsewhere in the table */
    ok(good == ROUNDS, "code is unloaded while other code runs (%u times)", good);
}

int main(void)
{
    struct bench b;
    uint32_t *words = malloc(4 * (LONG + 4096));
    setenv("HSA_GCN_THREADS", "2", 1);
    if (!words || !bench_begin(&b) || !core_start())
        return 1;
    test_queues(words);
    core_stop();
    b.cache = gcn_cache_new(gcn_engine_select(NULL), gcn_target_number(0));
    test_spinning(&b, "a loop of vector loads", spin, sizeof spin / 4);
    test_spinning(&b, "a loop of scalar loads", spin_scalar, sizeof spin_scalar / 4);
    test_computing(&b, "a loop that counts", count, sizeof count / 4);
    test_computing(&b, "a loop that counts in a vector register", count_vector, sizeof count_vector / 4);
    test_computing(&b, "a loop that counts in private memory", count_private, sizeof count_private / 4);
    test_computing(&b, "a loop that counts in group memory", count_group, sizeof count_group / 4);
    test_spinning(&b, "a loop that loads through private memory", spin_private, sizeof spin_private / 4);
    test_targets(&b, words);
    test_long_code(&b, words);
    test_changing(&b, words);
    test_unloading(&b, words);
    gcn_cache_free(b.cache);
    bench_end(&b);
    free(words);
    return tap_done();
}
