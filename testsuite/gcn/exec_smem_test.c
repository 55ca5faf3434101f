/* SPDX-License-Identifier: MIT */
/* Tests scalar memory, clocks, and the operations of DS that move data between lanes or count lanes. */
#include "testsuite/gcn/exec_harness.h"

#include <time.h>

enum { VADDR = 10, VDATA = 20, VDST = 40, SBASE = 36, SOFF = 44, SDATA = 48 };

static uint32_t memory[64], before[64];

static const struct {
    const char *name;
    unsigned id, n;
    bool store, buffer;
    unsigned scale; /* by which the offset in a register is multiplied */
} rows[] = {
    {"s_load_dword", GCN_OP_s_load_dword, 1, false, false, 1},
    {"s_load_dwordx2", GCN_OP_s_load_dwordx2, 2, false, false, 1},
    {"s_load_dwordx4", GCN_OP_s_load_dwordx4, 4, false, false, 1},
    {"s_load_dwordx8", GCN_OP_s_load_dwordx8, 8, false, false, 1},
    {"s_load_dwordx16", GCN_OP_s_load_dwordx16, 16, false, false, 1},
    {"s_buffer_load_dword", GCN_OP_s_buffer_load_dword, 1, false, true, 1},
    {"s_buffer_load_dwordx2", GCN_OP_s_buffer_load_dwordx2, 2, false, true, 1},
    {"s_buffer_load_dwordx4", GCN_OP_s_buffer_load_dwordx4, 4, false, true, 1},
    {"s_buffer_load_dwordx8", GCN_OP_s_buffer_load_dwordx8, 8, false, true, 1},
    {"s_buffer_load_dwordx16", GCN_OP_s_buffer_load_dwordx16, 16, false, true, 1},
    {"s_scratch_load_dword", GCN_OP_s_scratch_load_dword, 1, false, false, 64},
    {"s_scratch_load_dwordx2", GCN_OP_s_scratch_load_dwordx2, 2, false, false, 64},
    {"s_scratch_load_dwordx4", GCN_OP_s_scratch_load_dwordx4, 4, false, false, 64},
    {"s_store_dword", GCN_OP_s_store_dword, 1, true, false, 1},
    {"s_store_dwordx2", GCN_OP_s_store_dwordx2, 2, true, false, 1},
    {"s_store_dwordx4", GCN_OP_s_store_dwordx4, 4, true, false, 1},
    {"s_buffer_store_dword", GCN_OP_s_buffer_store_dword, 1, true, true, 1},
    {"s_buffer_store_dwordx2", GCN_OP_s_buffer_store_dwordx2, 2, true, true, 1},
    {"s_buffer_store_dwordx4", GCN_OP_s_buffer_store_dwordx4, 4, true, true, 1},
    {"s_scratch_store_dword", GCN_OP_s_scratch_store_dword, 1, true, false, 64},
    {"s_scratch_store_dwordx2", GCN_OP_s_scratch_store_dwordx2, 2, true, false, 64},
    {"s_scratch_store_dwordx4", GCN_OP_s_scratch_store_dwordx4, 4, true, false, 64},
};

/* Tries row I with an access at byte AT of memory, misaligned by MIS; a buffer ends after LIMIT bytes. */
static bool try_scalar(unsigned i, unsigned at, unsigned mis, unsigned limit, unsigned stride, bool overlap)
{
    uint32_t want[16], dst = overlap ? SBASE : SDATA;
    new_wave(0);
    for (unsigned k = 0; k < 64; k++)
        before[k] = memory[k] = (uint32_t)random64();
    int32_t imm = rows[i].buffer ? 8 : -60;
    uint32_t soffset = rows[i].scale == 64 ? 2 : 20;
    uint64_t base = rows[i].buffer ? (uintptr_t)memory
                                   : (uintptr_t)memory + at + mis - (uint64_t)(int64_t)imm - soffset * rows[i].scale;
    if (rows[i].buffer)
        soffset = at + mis - (uint32_t)imm;
    gcn_set64(wave, SBASE, base | (uint64_t)stride << 48);
    if (rows[i].buffer)
        gcn_set64(wave, SBASE + 2, stride ? limit / stride : limit);
    wave->s[SOFF] = soffset;
    for (unsigned k = 0; k < rows[i].n; k++) {
        unsigned word = at / 4 + k;
        bool in = !rows[i].buffer || 4 * word + 4 <= (stride ? limit / stride * stride : limit);
        if (rows[i].store && in)
            before[word] = wave->s[dst + k];
        want[k] = rows[i].store ? wave->s[dst + k] : in ? memory[word] : 0;
    }
    uint32_t behind = wave->s[dst + rows[i].n];
    return run(rows[i].id, s(dst), s(SBASE), s(SOFF), ZERO, imm, 0) && !memcmp(memory, before, sizeof memory) &&
           !memcmp(want, wave->s + dst, 4 * rows[i].n) && wave->s[dst + rows[i].n] == behind;
}

/* Whether the clock that OP reads tells the host's time in units of NANOSECONDS. */
static bool counts(unsigned op, uint64_t nanoseconds)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    bool on = run(op, s(SDATA), ZERO, ZERO, ZERO, 0, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t first = (uint64_t)start.tv_sec * 1000000000 + (uint64_t)start.tv_nsec;
    uint64_t last = (uint64_t)end.tv_sec * 1000000000 + (uint64_t)end.tv_nsec, now = gcn_get64(wave, SDATA);
    return on && now >= first / nanoseconds && now <= last / nanoseconds;
}

static void check_scalar(void)
{
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned wrong = 0;
        for (unsigned at = 8; at < 160; at += 4)
            for (unsigned mis = 0; mis < 4; mis++) {
                wrong += !try_scalar(i, at, mis, 1 << 20, 0, false);
                wrong += !try_scalar(i, at, mis, 120, 0, !rows[i].store);
                wrong += rows[i].buffer && !try_scalar(i, at, mis, 122, 12, false);
            }
        ok(!wrong, "%s", rows[i].name);
    }
    new_wave(0);
    gcn_set64(wave, SBASE, UINT64_C(1) << 47);
    ok(!run(GCN_OP_s_load_dword, s(SDATA), s(SBASE), ZERO, ZERO, 0, 0) && wave->fault.kind == GCN_FAULT_MEMORY &&
           wave->fault.address == UINT64_C(1) << 47,
       "a scalar load beyond user addresses is a fault");
    ok(counts(GCN_OP_s_memtime, 1), "s_memtime counts clocks of 1000 MHz");
    ok(counts(GCN_OP_s_memrealtime, 10), "s_memrealtime counts at 100 MHz");
    ok(run(GCN_OP_s_dcache_inv, ZERO, ZERO, ZERO, ZERO, 0, 0) &&
           run(GCN_OP_s_dcache_wb, ZERO, ZERO, ZERO, ZERO, 0, 0) &&
           run(GCN_OP_s_dcache_discard, ZERO, ZERO, ZERO, ZERO, 0, 0) &&
           run(GCN_OP_buffer_wbinvl1_vol, ZERO, ZERO, ZERO, ZERO, 0, 0),
       "cache operations");
}

static bool active(uint64_t exec, unsigned lane)
{
    return exec >> lane & 1;
}

/* The lane that LANE reads according to the published text of ds_swizzle. */
static unsigned swizzled(unsigned lane, unsigned offset)
{
    if (offset & 0x8000)
        return (lane & 60) + (offset >> lane % 4 * 2) % 4;
    unsigned and = offset & 31, or = offset >> 5 & 31, xor = offset >> 10 & 31;
    return (lane & 32) + ((((lane & 31) & and) | or) ^ xor);
}

static const uint64_t execs[] = {UINT64_MAX, 0, 0xFFFF0000FFFF, 0xA53C965A0FF0C3E1, 2};

/* The lane with which lane I exchanges values in round T: one of eight in a row that are the same for all of them, or
 * of two such, or of all; or all do so but the eight that are ODD. */
static unsigned partner(unsigned t, unsigned i)
{
    unsigned odd = t / 40 % 8;
    switch (t / 8 % 5) {
    case 0: return i ^ 5;
    case 1: return i + 3;
    case 2: return (i & 48) | ((i + 3) & 15);
    case 3: return i / 8 == odd ? i + 3 : i ^ 5;
    default: return i / 8 == odd ? i * 5 : i + 3;
    }
}

static void check_exchange(const char *name, unsigned id, bool same_register)
{
    unsigned wrong = 0;
    for (unsigned t = 0; t < 1600; t++) {
        uint64_t exec = execs[t / 3 % 5];
        new_wave(exec);
        unsigned dst = same_register ? VDATA : t & 1 ? VADDR : VDST;
        uint32_t offset = t & 2 ? (uint32_t)random64() & 0xFFFF : 0, want[GCN_LANES];
        if (id == GCN_OP_ds_swizzle_b32)
            offset = t % 3 ? (uint32_t)random64() & 0x7FFF : 0x8000 | ((uint32_t)random64() & 0xFF);
        if (t & 4)
            for (unsigned i = 0; i < GCN_LANES; i++)
                wave->v[VADDR][i] = 4 * partner(t, i);
        for (unsigned i = 0; i < GCN_LANES; i++)
            want[i] = active(exec, i) ? 0 : wave->v[dst][i];
        for (unsigned i = 0; i < GCN_LANES; i++) {
            unsigned other = (wave->v[VADDR][i] + offset) / 4 % 64;
            if (id == GCN_OP_ds_permute_b32) {
                if (active(exec, i) && active(exec, other))
                    want[other] = wave->v[VDATA][i];
                continue;
            }
            bool swizzle = id == GCN_OP_ds_swizzle_b32;
            unsigned from = swizzle ? swizzled(i, offset) : other;
            if (active(exec, i) && active(exec, from))
                want[i] = wave->v[swizzle ? VADDR : VDATA][from];
        }
        wrong +=
            !run(id, v(dst), v(VADDR), v(VDATA), ZERO, (int32_t)offset, 0) || memcmp(want, wave->v[dst], sizeof want);
    }
    ok(!wrong, "%s%s", name, same_register ? ", destination is the source" : "");
}

/* ds_permute several times in the same way: also where lanes write the same one, and none writes others, and where
 * eight lanes in a row exchange their values with such, or with none. */
static void check_permute_again(void)
{
    static const struct {
        uint8_t factor, first, lanes;
        bool sixteens; /* each sixteen lanes in a row write those */
    } ways[] = {{29, 3, 64, false}, {6, 3, 64, false},  {1, 3, 64, false}, {1, 0, 32, false},
                {3, 40, 8, false},  {9, 16, 64, false}, {1, 3, 64, true}};
    unsigned wrong = 0;
    new_wave(UINT64_MAX);
    for (unsigned t = 0; t < 5 * sizeof ways / sizeof *ways; t++) {
        uint32_t want[GCN_LANES] = {0};
        for (unsigned i = 0; i < GCN_LANES; i++) {
            unsigned to = i * ways[t / 5].factor % ways[t / 5].lanes + ways[t / 5].first;
            to = ways[t / 5].sixteens ? (i & 48) | (to & 15) : to;
            wave->v[VADDR][i] = 4 * to;
            wave->v[VDATA][i] = (uint32_t)random64();
            want[to % GCN_LANES] = wave->v[VDATA][i];
        }
        unsigned dst = t % 5 == 4 ? VDATA : VDST;
        wrong += !run(GCN_OP_ds_permute_b32, v(dst), v(VADDR), v(VDATA), ZERO, 0, 0) ||
                 memcmp(want, wave->v[dst], sizeof want);
    }
    ok(!wrong, "ds_permute_b32, again");
}

/* Checks FFT and rotation modes, for which the published tables list these sources of lanes 0, 1, ... */
static void check_fft(void)
{
    static const uint8_t order[32] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                                      1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};
    bool right = true;
    new_wave(UINT64_MAX);
    right = run(GCN_OP_ds_swizzle_b32, v(VDST), v(VADDR), ZERO, ZERO, 0xE000, 0);
    for (unsigned i = 0; i < GCN_LANES; i++)
        right = right && wave->v[VDST][i] == wave->v[VADDR][(i & 32) + order[i & 31]];
    ok(right, "ds_swizzle in Fourier order");
    right = run(GCN_OP_ds_swizzle_b32, v(VDST), v(VADDR), ZERO, ZERO, 0xC000 | 3 << 5, 0);
    for (unsigned i = 0; i < GCN_LANES; i++)
        right = right && wave->v[VDST][i] == wave->v[VADDR][(i & 32) + (i + 3) % 32];
    ok(right, "ds_swizzle rotating");
}

static void check_count(void)
{
    uint64_t exec = 0xF0000000000000FF;
    new_wave(exec);
    memory[3] = 100;
    wave->lds = (uint8_t *)memory;
    wave->lds_size = sizeof memory;
    wave->s[GCN_S_M0] = 8;
    bool on = run(GCN_OP_ds_append, v(VDST), ZERO, ZERO, ZERO, 4, 0), same = true;
    for (unsigned i = 0; i < GCN_LANES; i++)
        same = same && (wave->v[VDST][i] == 100) == active(exec, i);
    ok(on && same && memory[3] == 112, "ds_append counts the active lanes");
    on = run(GCN_OP_ds_consume, v(VDST), ZERO, ZERO, ZERO, 4, 0);
    ok(on && wave->v[VDST][0] == 112 && memory[3] == 100, "ds_consume takes them back");
    ok(!run(GCN_OP_ds_append, v(VDST), ZERO, ZERO, ZERO, 4, GCN_GDS) && wave->fault.kind == GCN_FAULT_UNIMPLEMENTED,
       "global data share is refused");
    for (unsigned i = 0; i < 64; i++)
        memory[i] = 1000 + i;
    gcn_set64(wave, GCN_S_EXEC, 0x7);
    wave->s[GCN_S_M0] = 0xABCD0010;
    on = run(GCN_OP_ds_read_addtid_b32, v(VDST), ZERO, ZERO, ZERO, 8, 0);
    ok(on && wave->v[VDST][0] == 1006 && wave->v[VDST][2] == 1008, "ds_read_addtid_b32");
    on = run(GCN_OP_ds_write_addtid_b32, ZERO, ZERO, v(VDATA), ZERO, 12, 0);
    ok(on && memory[7] == wave->v[VDATA][0] && memory[9] == wave->v[VDATA][2] && memory[10] == 1010,
       "ds_write_addtid_b32");
}

int main(void)
{
    while (next_engine()) {
        printf("# built for %s\n", engine->name);
        check_scalar();
        check_exchange("ds_bpermute_b32", GCN_OP_ds_bpermute_b32, false);
        check_exchange("ds_bpermute_b32", GCN_OP_ds_bpermute_b32, true);
        check_exchange("ds_permute_b32", GCN_OP_ds_permute_b32, false);
        check_exchange("ds_permute_b32", GCN_OP_ds_permute_b32, true);
        check_exchange("ds_swizzle_b32", GCN_OP_ds_swizzle_b32, false);
        check_permute_again();
        check_fft();
        check_count();
    }
    free(wave);
    return tap_done();
}
