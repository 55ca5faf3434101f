/* SPDX-License-Identifier: MIT */
/* Measures the instructions of the software GPU that profiles of HIP programs show on top: exchanges between lanes,
 * loads, stores and atomic operations of all kinds, some arithmetic; interpreted and compiled, on one thread and the
 * best instruction set of the host, with all lanes unless it says that some are active: 44 of them. The first one,
 * v_add_u32, is what the others of the same run may be compared with. Argument: a part of the names of those wanted.
 * Output: figures as bench.h describes them, in million instructions of a wave per second. */
#include "bench/bench.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/wave_run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ITERATIONS = 4096, COPIES = 16, ROUNDS = 5, GROUP_MEMORY = 2048 };

/* Where the lanes access memory: side by side, in another order, all at one place; side by side and in another order
 * with some lanes active. */
enum pattern { ADJACENT, SCATTERED, SAME, SOME_ADJACENT, SOME_SCATTERED };

struct row {
    const char *name;
    uint32_t word[2];
    uint32_t step; /* bytes between the elements */
    enum pattern pattern;
    double floor;
};

/* The address of group memory is v1, the other one v[2:3], data are v5 and later, results v4 and later. */
static const struct row rows[] = {
    {"v_add_u32", {0x68080b05, 0x00000000}, 0, ADJACENT, 60},
    {"ds_bpermute_b32", {0xd87e0000, 0x04000501}, 4, SCATTERED, 60},
    {"ds_permute_b32", {0xd87c0000, 0x04000501}, 4, SCATTERED, 60},
    {"ds_bpermute_b32", {0xd87e0000, 0x04000501}, 4, ADJACENT, 60},
    {"ds_permute_b32", {0xd87c0000, 0x04000501}, 4, ADJACENT, 60},
    {"v_add_u32 row_shr", {0x68080cfa, 0xff011105}, 0, ADJACENT, 0},
    {"v_add_u32 row_shr, bound_ctrl", {0x68080cfa, 0xff091105}, 0, ADJACENT, 0},
    {"v_add_u32 quad_perm", {0x68080cfa, 0xff00b105}, 0, ADJACENT, 0},
    {"v_mov_b32 row_bcast", {0x7e0802fa, 0xaf014205}, 0, ADJACENT, 0},
    {"v_writelane_b32", {0xd28a0004, 0x00010600}, 0, ADJACENT, 0},
    {"v_mbcnt_lo_u32_b32", {0xd28c0004, 0x000100c1}, 0, ADJACENT, 0},
    {"ds_swizzle_b32", {0xd87a041f, 0x04000005}, 4, ADJACENT, 60},
    {"v_sub_f32 of a scalar", {0x04080a08, 0x00000000}, 0, ADJACENT, 60},
    {"v_mul_hi_u32", {0xd2860004, 0x00020d05}, 0, ADJACENT, 60},
    {"v_cmp_lt_u64", {0x7dd20d04, 0x00000000}, 0, ADJACENT, 60},
    {"v_cmp_lt_f64", {0x7cc20d04, 0x00000000}, 0, ADJACENT, 60},
    {"v_min_f32", {0x14080d05, 0x00000000}, 0, ADJACENT, 60},
    {"v_med3_f32", {0xd1d60004, 0x041e0d05}, 0, ADJACENT, 0},
    {"v_min_f64", {0xd282000a, 0x00020b05}, 0, ADJACENT, 0},
    {"v_ldexp_f64", {0xd284000a, 0x00020d05}, 0, ADJACENT, 0},
    {"v_exp_f32", {0x7e084105, 0x00000000}, 0, ADJACENT, 15},
    {"v_log_f32", {0x7e084305, 0x00000000}, 0, ADJACENT, 8},
    {"v_sin_f32", {0x7e085305, 0x00000000}, 0, ADJACENT, 8},
    {"v_ffbl_b32", {0x7e085d05, 0x00000000}, 0, ADJACENT, 60},
    {"v_add_f64", {0xd2800004, 0x00021106}, 0, ADJACENT, 60},
    {"flat_load_ubyte", {0xdc400000, 0x04000002}, 1, ADJACENT, 60},
    {"flat_load_sbyte", {0xdc440000, 0x04000002}, 1, ADJACENT, 60},
    {"flat_load_ushort", {0xdc480000, 0x04000002}, 2, ADJACENT, 60},
    {"flat_load_dword", {0xdc500000, 0x04000002}, 4, ADJACENT, 60},
    {"flat_load_dwordx2", {0xdc540000, 0x04000002}, 8, ADJACENT, 60},
    {"flat_load_dwordx4", {0xdc5c0000, 0x04000002}, 16, ADJACENT, 60},
    {"flat_load_dword", {0xdc500000, 0x04000002}, 0, SAME, 60},
    {"flat_load_ubyte", {0xdc400000, 0x04000002}, 1, SCATTERED, 20},
    {"flat_load_dword", {0xdc500000, 0x04000002}, 4, SCATTERED, 20},
    {"flat_load_dwordx2", {0xdc540000, 0x04000002}, 8, SCATTERED, 20},
    {"flat_store_byte", {0xdc600000, 0x00000502}, 1, ADJACENT, 60},
    {"flat_store_short", {0xdc680000, 0x00000502}, 2, ADJACENT, 60},
    {"flat_store_dword", {0xdc700000, 0x00000502}, 4, ADJACENT, 60},
    {"flat_store_dwordx2", {0xdc740000, 0x00000502}, 8, ADJACENT, 60},
    {"flat_store_dwordx4", {0xdc7c0000, 0x00000502}, 16, ADJACENT, 60},
    {"flat_store_dword", {0xdc700000, 0x00000502}, 4, SCATTERED, 20},
    {"flat_atomic_add", {0xdd080000, 0x00000502}, 0, SAME, 10},
    {"flat_atomic_add, returning", {0xdd090000, 0x04000502}, 0, SAME, 10},
    {"flat_atomic_umax", {0xdd1c0000, 0x00000502}, 0, SAME, 10},
    {"flat_atomic_add", {0xdd080000, 0x00000502}, 4, ADJACENT, 0},
    {"ds_add_u32", {0xd8000000, 0x00000501}, 0, SAME, 10},
    {"ds_add_rtn_u32", {0xd8400000, 0x04000501}, 0, SAME, 10},
    {"ds_max_u32", {0xd8100000, 0x00000501}, 0, SAME, 10},
    {"ds_add_u32", {0xd8000000, 0x00000501}, 4, ADJACENT, 20},
    {"ds_read_b32", {0xd86c0000, 0x04000001}, 4, ADJACENT, 60},
    {"ds_read_b64", {0xd8ec0000, 0x04000001}, 8, ADJACENT, 60},
    {"ds_read_b128", {0xd9fe0000, 0x04000001}, 16, ADJACENT, 60},
    {"ds_read_u8", {0xd8740000, 0x04000001}, 1, ADJACENT, 60},
    {"ds_read_b32", {0xd86c0000, 0x04000001}, 4, SCATTERED, 20},
    {"ds_write_b32", {0xd81a0000, 0x00000501}, 4, ADJACENT, 60},
    {"ds_write_b64", {0xd89a0000, 0x00000501}, 8, ADJACENT, 60},
    {"ds_write_b8", {0xd83c0000, 0x00000501}, 1, ADJACENT, 60},
    {"ds_write_b32", {0xd81a0000, 0x00000501}, 4, SCATTERED, 20},
    {"v_add_u32", {0x68080b05, 0x00000000}, 0, SOME_ADJACENT, 0},
    {"flat_load_ubyte", {0xdc400000, 0x04000002}, 1, SOME_ADJACENT, 0},
    {"flat_load_dword", {0xdc500000, 0x04000002}, 4, SOME_ADJACENT, 0},
    {"flat_load_dword", {0xdc500000, 0x04000002}, 4, SOME_SCATTERED, 0},
    {"flat_load_dwordx2", {0xdc540000, 0x04000002}, 8, SOME_ADJACENT, 0},
    {"flat_load_dwordx4", {0xdc5c0000, 0x04000002}, 16, SOME_ADJACENT, 0},
    {"flat_store_byte", {0xdc600000, 0x00000502}, 1, SOME_ADJACENT, 0},
    {"flat_store_dword", {0xdc700000, 0x00000502}, 4, SOME_ADJACENT, 0},
    {"flat_store_dword", {0xdc700000, 0x00000502}, 4, SOME_SCATTERED, 0},
    {"flat_store_dwordx2", {0xdc740000, 0x00000502}, 8, SOME_ADJACENT, 0},
    {"flat_store_dwordx4", {0xdc7c0000, 0x00000502}, 16, SOME_ADJACENT, 0},
    {"ds_read_u8", {0xd8740000, 0x04000001}, 1, SOME_ADJACENT, 0},
    {"ds_read_b32", {0xd86c0000, 0x04000001}, 4, SOME_ADJACENT, 0},
    {"ds_read2_b32 of neighbors", {0xd86e0100, 0x04000001}, 8, ADJACENT, 60},
    {"ds_read2_b64 of neighbors", {0xd8ee0100, 0x04000001}, 16, ADJACENT, 0},
    {"ds_write2_b32 of neighbors", {0xd81c0100, 0x00060501}, 8, ADJACENT, 60},
    {"ds_read_b96", {0xd9fc0000, 0x04000001}, 12, ADJACENT, 0},
    {"global_load_dwordx3", {0xdc588000, 0x047f0002}, 12, ADJACENT, 60},
    {"global_store_dwordx3", {0xdc788000, 0x007f0502}, 12, ADJACENT, 60},
    {"ds_read_b32", {0xd86c0000, 0x04000001}, 4, SOME_SCATTERED, 0},
    {"ds_read_b128", {0xd9fe0000, 0x04000001}, 16, SOME_ADJACENT, 0},
    {"ds_write_b8", {0xd83c0000, 0x00000501}, 1, SOME_ADJACENT, 0},
    {"ds_write_b32", {0xd81a0000, 0x00000501}, 4, SOME_ADJACENT, 0},
    {"ds_write_b32", {0xd81a0000, 0x00000501}, 4, SOME_SCATTERED, 0},
};

struct kernel_image {
    amd_kernel_descriptor_t descriptor;
    uint32_t code[128];
    unsigned words;
} __attribute__((aligned(256)));

static struct kernel_image image;
static uint32_t data[4096] __attribute__((aligned(65536)));

static void put_word(uint32_t word)
{
    image.code[image.words++] = word;
}

static void make_code(const struct row *row)
{
    uint64_t address = (uint64_t)(uintptr_t)data;
    memset(&image, 0, sizeof image);
    image.descriptor.kernel_code_entry_byte_offset = offsetof(struct kernel_image, code);
    image.descriptor.compute_pgm_rsrc1 = 0xf0u << 12 | 1u << 21 | 1u << 23;
    put_word(0xbe8400ff); /* s_mov_b32 s4, the address */
    put_word((uint32_t)address);
    put_word(0xbe8500ff);
    put_word((uint32_t)(address >> 32));
    put_word(0xb07cffff); /* s_movk_i32 m0, -1 */
    bool scattered = row->pattern == SCATTERED || row->pattern == SOME_SCATTERED;
    put_word(scattered ? 0x1002009d : 0x7e020300); /* v_mul_u32_u24 v1, 29, v0; or a copy */
    put_word(0x260202bf);                          /* v_and_b32 v1, 63, v1 */
    put_word(0x10020280 + row->step);              /* v_mul_u32_u24 v1, step, v1 */
    put_word(0x68040204);                          /* v_add_u32 v2, s4, v1 */
    put_word(0x7e060205);                          /* v_mov_b32 v3, s5 */
    put_word(0x7e0a0d00);                          /* v_cvt_f32_u32 v5, v0 */
    put_word(0x7e0c02f2);                          /* v_mov_b32 v6, 1.0; v7, v5; v8, v5 */
    put_word(0x7e0e0305);
    put_word(0x7e100305);
    put_word(0xbe8800f2); /* s_mov_b32 s8, 1.0; s0, 0 */
    put_word(0xbe800080);
    if (row->pattern >= SOME_ADJACENT) {
        put_word(0xbefe00ff); /* s_mov_b32 exec_lo, ...; exec_hi */
        put_word(0xfdb7b5f6);
        put_word(0xbeff00ff);
        put_word(0x5bb6e3b5);
    }
    unsigned loop = image.words;
    for (unsigned i = 0; i < COPIES; i++) {
        put_word(row->word[0]);
        if (row->word[1])
            put_word(row->word[1]);
    }
    put_word(0x80008100); /* s_add_u32 s0, s0, 1 */
    put_word(0xbf0700ff); /* s_cmp_lg_u32 s0, ITERATIONS */
    put_word(ITERATIONS);
    put_word(0xbf850000 | (uint16_t)(loop - image.words - 1));
    put_word(0xbf810000);
}

/* Seconds for which this thread, which does everything here, has computed; other threads of the host do not count. */
static double thread_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Million instructions per second, in the best of several dispatches. */
static double measure_row(const struct gcn_engine *engine, enum gcn_tier_mode mode)
{
    static struct gcn_worker worker;
    double best = 1e9;
    gcn_tier_set_mode(mode, 0);
    struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
    struct gcn_code *code = cache ? gcn_cache_add(cache, image.code, sizeof image.code, &image, sizeof image) : NULL;
    hsa_kernel_dispatch_packet_t packet = {
        .setup = 1,
        .workgroup_size_x = 64,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = 64,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .group_segment_size = GROUP_MEMORY,
        .kernel_object = (uint64_t)(uintptr_t)&image};
    for (int round = 0; code && round < ROUNDS; round++) {
        struct gcn_dispatch d;
        if (gcn_dispatch_begin(&d, cache, &packet, 0, 0, 0))
            break;
        double start = thread_time();
        gcn_worker_run(&worker, &d);
        double seconds = thread_time() - start;
        best = seconds < best ? seconds : best;
        if (d.fault_state)
            printf("%s: %s\n", d.fault.name, d.fault.text);
        gcn_dispatch_end(&d);
    }
    gcn_cache_remove(cache, code);
    gcn_cache_free(cache);
    return 1e-6 * COPIES * ITERATIONS / best;
}

/* Million copies per second that the host's C library makes of what an instruction with four dwords per lane moves. */
static double measure_copies(void)
{
    enum { SIZE = 64 * 16 };
    static char from[SIZE] __attribute__((aligned(64))), to[SIZE] __attribute__((aligned(64)));
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = thread_time();
        for (int i = 0; i < COPIES * ITERATIONS; i++) {
            memcpy(to, from, SIZE);
            __asm__ volatile("" : : "r"(to), "r"(from) : "memory");
        }
        double seconds = thread_time() - start;
        best = seconds < best ? seconds : best;
    }
    return 1e-6 * COPIES * ITERATIONS / best;
}

int main(int argc, char **argv)
{
    static const char *const patterns[] = {
        "", ", scattered", ", one address", ", some lanes", ", some lanes, scattered"};
    const struct gcn_engine *engine = gcn_engine_select(NULL);
    if (!engine || !gcn_guard_acquire())
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (argc > 1 && !strstr(row->name, argv[1]))
            continue;
        for (int compiled = 0; compiled < 2; compiled++) {
            char name[96];
            unsigned before = gcn_tier_count();
            make_code(row);
            double value = measure_row(engine, compiled ? GCN_TIER_NOW : GCN_TIER_OFF);
            if (compiled && gcn_tier_count() == before)
                continue;
            snprintf(name, sizeof name, "gcn %s%s%s", row->name, patterns[row->pattern], compiled ? ", compiled" : "");
            if (row->floor > 0)
                bench_at_least(name, value, "M/s", row->floor);
            else
                bench_figure(name, value, "M/s");
        }
    }
    if (argc == 1)
        bench_figure("host, memcpy of 1 KiB, as much as four dwords per lane are", measure_copies(), "M/s");
    gcn_guard_release();
    return 0;
}
