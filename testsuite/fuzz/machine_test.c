/* SPDX-License-Identifier: MIT */
/* Fuzzing of machine code: streams of random instructions of the tables run on a wave whose registers, group and
 * private memory end at inaccessible pages.
 *
 *   machine_test                             a fixed number of streams, as a test; with FUZZ_SECONDS and FUZZ_SEED in
 *                                            the environment, as many as fit into the time, from the seed on
 *   machine_test SECONDS [SEED [PROCESSOR]]  the same, on a processor other than gfx900
 *
 * Input: a seed per stream. Expected: a stream ends or is stopped by a fault of its own; the host has no fault, and
 * what is beside the registers is unchanged. Output: how many operations were executed, and how many there are. */
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/inst/print.h"
#include "testsuite/fuzz/fuzz_time.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/seconds.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ARENA = 1 << 20, GUARD = 64 * PAGE, STREAM = 12, STREAMS = 20000, PRIVATE = 512 };

static uint64_t seed;
static const struct gcn_target *target;

static uint64_t random64(void)
{
    return xorshift(&seed) * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)((random64() >> 32) * n >> 32);
}

/* Memory that begins exactly after an inaccessible page and ends exactly before one. */
struct walled {
    uint8_t *begin, *end; /* bounds of the memory */
};

static struct walled walled_new(size_t size)
{
    size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    uint8_t *all = mmap(NULL, whole + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || mprotect(all + GUARD, whole, PROT_READ | PROT_WRITE))
        exit(1);
    return (struct walled){all + GUARD + whole - size, all + GUARD + whole};
}

/* The memory map refuses all memory that does not exist before it is touched, so no access may fault on the host. */
static volatile sig_atomic_t host_faults;
static struct sigaction guard;

static void on_host_fault(int number, siginfo_t *info, void *context)
{
    host_faults++;
    guard.sa_sigaction(number, info, context);
}

static struct walled registers, lds, private, arena;
static struct gcn_wave *wave;
static struct gcn_dispatch dispatch;
static struct gcn_group group = {.dispatch = &dispatch, .wave_count = 1};
static uint64_t executed[GCN_OP_COUNT], faulted[GCN_OP_COUNT];

/* Instructions */

static bool goes_elsewhere(const struct gcn_inst *inst)
{
    return (gcn_op_info[inst->op].flags & (GCN_F_BRANCH | GCN_F_END)) || inst->op == GCN_OP_s_setpc_b64 ||
           inst->op == GCN_OP_s_swappc_b64 || inst->op == GCN_OP_s_call_b64 || inst->op == GCN_OP_s_rfe_b64 ||
           inst->op == GCN_OP_s_cbranch_i_fork || inst->op == GCN_OP_s_cbranch_g_fork ||
           inst->op == GCN_OP_s_cbranch_join || inst->op == GCN_OP_s_setkill || inst->op == GCN_OP_s_sethalt;
}

static uint64_t mutated(const struct base *base)
{
    uint64_t word = base->word;
    unsigned count = 0;
    while (base->fields[count].width)
        count++;
    for (unsigned changes = below(6); changes && count; changes--) {
        const struct field *f = &base->fields[below(count)];
        uint64_t mask = (f->width == 64 ? 0 : UINT64_C(1) << f->width) - 1, value = random64();
        if (!below(4))
            value = mask - below(4); /* the last registers */
        word = (word & ~(mask << f->low)) | (value & mask) << f->low;
    }
    return word;
}

/* Puts a legal instruction, after which execution goes on with the next one, into WORDS; returns how many dwords it
 * has. */
static unsigned draw(uint32_t *words, struct gcn_inst *inst)
{
    for (;;) {
        struct base bases[MAX_BASES];
        unsigned count = fields_bases(target, (enum gcn_op)below(GCN_OP_COUNT), bases);
        uint64_t word = count ? mutated(&bases[below(count)]) : random64();
        if (gcn_decode(target, &word, sizeof word, inst) != GCN_DECODE_OK || goes_elsewhere(inst))
            continue;
        memcpy(words, &word, sizeof word);
        return inst->size / 4;
    }
}

/* The wave before a stream */

static uint64_t some_address(void)
{
    uint64_t at = (uintptr_t)arena.begin + below(ARENA);
    switch (below(8)) {
    case 0: return at & ~UINT64_C(255);
    case 1: return (uintptr_t)arena.end - below(64);
    case 2: return (uint64_t)GCN_SHARED_BASE_HI << 32 | below(70000);
    case 3: return (uint64_t)GCN_PRIVATE_BASE_HI << 32 | below(600);
    case 4: return random64();
    default: return at & ~UINT64_C(3);
    }
}

static void fill_registers(void)
{
    for (unsigned i = 0; i + 1 < GCN_SGPRS; i += 2)
        gcn_set64(wave, i, below(2) ? some_address() : random64());
    for (unsigned i = 0; i < GCN_SGPRS; i += 4) /* some buffer descriptors */
        if (!below(3)) {
            wave->s[i + 1] = (wave->s[i + 1] & 0xffff) | below(64) << 16 | (uint32_t)below(2) << 31;
            wave->s[i + 2] = below(2) ? below(ARENA) : (uint32_t)random64();
        }
    for (unsigned i = 0; i < GCN_SGPRS; i += 8) /* and some image descriptors */
        if (!below(3)) {
            uint64_t base = (uintptr_t)arena.begin >> 8;
            gcn_set64(wave, i, base | (uint64_t)below(64) << 52 | (uint64_t)below(16) << 58);
            wave->s[i + 2] = below(64) | below(64) << 14;
            wave->s[i + 3] = (uint32_t)(random64() & 0xfffff) | (8 + below(6)) << 28;
            wave->s[i + 4] = below(16) | below(64) << 13;
        }
    for (unsigned i = 2; i < 8; i += 2) /* the registers that instructions use most as base addresses */
        if (below(8))
            gcn_set64(wave, i, ((uintptr_t)arena.begin + below(ARENA / 2)) & ~UINT64_C(15));
    for (unsigned i = 8; i < 20; i++)
        if (below(4))
            wave->s[i] = below(16) * 4;
    for (unsigned n = 0; n < GCN_VGPRS; n++) {
        uint64_t first = some_address(), step = below(4) * 4, kind = below(4);
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            uint64_t value = kind == 0 ? first + step * lane : kind == 1 ? some_address() : random64();
            wave->v[n][lane] = kind == 3 ? below(64) : (uint32_t)value;
            if (n + 1 < GCN_VGPRS && kind < 2)
                wave->v[n + 1][lane] = (uint32_t)(value >> 32);
        }
        n += kind < 2;
    }
}

static void prepare(const struct gcn_unit *unit, struct guest_memory *guest)
{
    memset(wave, 0, offsetof(struct gcn_wave, v));
    wave->base[0] = (const char *)wave;
    wave->unit = unit;
    wave->group = &group;
    wave->guest = guest;
    wave->lds_size = below(4) ? (uint32_t)(lds.end - lds.begin) : below(16) * 4;
    wave->lds = lds.end - wave->lds_size;
    wave->scratch = private.begin;
    wave->scratch_size = PRIVATE;
    wave->mode = below(2) ? 0x2f0 : (uint32_t)random64() & 0x8007ff;
    gcn_mode_changed(wave);
    fill_registers();
    gcn_set64(wave, GCN_S_EXEC, below(3) ? UINT64_MAX : below(8) ? random64() : 0);
    wave->s[GCN_S_M0] = below(2) ? below(0x10000) : (uint32_t)random64();
}

/* One stream */

struct stream {
    uint32_t words[2 * STREAM + 1];
    unsigned at[STREAM + 1]; /* the dword at which each instruction begins */
    uint16_t op[STREAM];
    unsigned count;
};

static void draw_stream(struct stream *s)
{
    unsigned n = 0;
    s->count = 1 + below(STREAM);
    for (unsigned i = 0; i < s->count; i++) {
        struct gcn_inst inst;
        s->at[i] = n;
        n += draw(s->words + n, &inst);
        s->op[i] = inst.op;
    }
    s->at[s->count] = n;
    s->words[n++] = 0xbf810000; /* s_endpgm */
}

/* Counts the instructions that were executed; if WHY is a fault, the wave has stopped at the last of them. */
static void count(const struct stream *s, enum gcn_stop why)
{
    uint64_t stop = (uint64_t)(uintptr_t)s->words;
    for (unsigned i = 0; i < s->count; i++) {
        uint64_t pc = stop + 4 * s->at[i];
        if (why == GCN_STOP_FAULT && pc == wave->fault.pc) {
            faulted[s->op[i]]++;
            return;
        }
        executed[s->op[i]]++;
    }
}

static void print(const struct stream *s, uint64_t from)
{
    printf("# seed %llu, %u faults of the host:\n", (unsigned long long)from, (unsigned)host_faults);
    for (unsigned i = 0; i < s->count; i++) {
        struct gcn_inst inst;
        char text[200] = "?";
        if (gcn_decode(target, s->words + s->at[i], 8, &inst) == GCN_DECODE_OK)
            gcn_print(target, &inst, text, sizeof text);
        printf("#   %s\n", text);
    }
}

/* Whether the wave is in UNIT, of the code that ends at LAST, or, if it skips vector instructions, in the unit that
 * leaves them out. */
static bool is_in_unit(struct gcn_cache *cache, const struct gcn_unit *unit, const uint32_t *last)
{
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    uint64_t pc = (uint64_t)(uintptr_t)last;
    if (!(wave->mode >> GCN_MODE_VSKIP & 1))
        return wave->unit == unit;
    return gcn_cache_find(cache, pc | GCN_SKIPS, &entry, &kind) && wave->unit == entry.unit;
}

/* Whether what a kernel cannot change is as prepare() has made it. */
static bool is_intact(const struct guest_memory *guest)
{
    return wave->base[0] == (const char *)wave && wave->group == &group && wave->guest == guest &&
           wave->scratch == private.begin && wave->scratch_size == PRIVATE && wave->lds + wave->lds_size == lds.end;
}

static enum gcn_stop run_wave(void)
{
    enum gcn_stop why;
    do {
        wave->budget = GCN_BUDGET;
        why = gcn_wave_run(wave);
    } while (why == GCN_STOP_YIELD || why == GCN_STOP_SLEEP || why == GCN_STOP_BARRIER);
    return why;
}

static bool run_stream(struct gcn_cache *cache, struct guest_memory *guest, uint64_t from)
{
    static struct stream s;
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    seed = from * UINT64_C(0x9e3779b97f4a7c15) | 1;
    draw_stream(&s);
    size_t size = 4 * (s.at[s.count] + 1);
    struct gcn_code *code = gcn_cache_add(cache, s.words, size, s.words, size);
    bool good = gcn_cache_find(cache, (uint64_t)(uintptr_t)s.words, &entry, &kind);
    if (good) {
        prepare(entry.unit, guest);
        gcn_wave_enter(wave, &entry);
        enum gcn_stop why = run_wave();
        count(&s, why);
        good = is_in_unit(cache, entry.unit, s.words + s.at[s.count]) && is_intact(guest);
        good = good && !host_faults;
        if (why == GCN_STOP_FAULT && wave->fault.kind == GCN_FAULT_ILLEGAL) /* more registers than there are, or none */
            good = good && (!strncmp(wave->fault.name, "image_", 6) || !strcmp(wave->fault.name, "v_swap_b32"));
    }
    if (!good) {
        print(&s, from);
        printf("# fault %d of %s at %llx, address %llx\n", wave->fault.kind, wave->fault.name,
               (unsigned long long)wave->fault.pc, (unsigned long long)wave->fault.address);
    }
    host_faults = 0;
    gcn_cache_remove(cache, code);
    return good;
}

int main(int argc, char **argv)
{
    const struct fuzz_time time = fuzz_time(argc, argv);
    double start = seconds_now();
    uint64_t streams = 0, bad = 0;
    target = argc > 3 ? gcn_target_find(argv[3], strlen(argv[3])) : gcn_target_number(0);
    if (!target)
        return 1;
    registers = walled_new(sizeof *wave);
    lds = walled_new(GCN_LDS_MAX);
    private = walled_new(PRIVATE * GCN_LANES);
    arena = walled_new(ARENA);
    wave = (struct gcn_wave *)(void *)registers.begin;
    struct guest_memory *guest = guest_memory_new();
    struct sigaction action = {.sa_sigaction = on_host_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (!guest || !guest_memory_add(guest, arena.begin, ARENA) ||
        !guest_memory_add(guest, private.begin, PRIVATE * GCN_LANES) || !gcn_guard_acquire() ||
        sigaction(SIGSEGV, &action, &guard))
        return 1;
    struct gcn_cache *caches[3];
    unsigned engines = 0, next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next)); engines++)
        caches[engines] = gcn_cache_new(engine, target);
    for (; bad < 10 && (time.seconds > 0 ? seconds_now() - start < time.seconds : streams < STREAMS); streams++)
        bad += !run_stream(caches[streams % engines], guest, time.seed + streams);
    ok(!bad, "streams of machine code (%llu from seed %llu on)", (unsigned long long)streams,
       (unsigned long long)time.seed);
    unsigned legal = 0, done = 0;
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        legal += executed[op] || faulted[op];
        done += executed[op] > 0;
        if (faulted[op] && !executed[op])
            printf("# never executed without a fault: %s\n", gcn_op_info[op].name);
    }
    /* If a slow machine has little time, it runs too few streams for this number of operations. */
    ok(streams < STREAMS || done > legal * 3 / 4, "operations executed: %u, of %u drawn and %u there are", done, legal,
       (unsigned)GCN_OP_COUNT);
    for (unsigned i = 0; i < engines; i++)
        gcn_cache_free(caches[i]);
    sigaction(SIGSEGV, &guard, NULL);
    gcn_guard_release();
    guest_memory_free(guest);
    return tap_done();
}
