/* SPDX-License-Identifier: MIT */
/* Tests copies, fills and streams that are done at once: random kernels of that kind leave the memory that the
 * interpreter leaves, and are not interpreted; kernels that differ from such a one in something that matters are. */
#include "runtime/gcn/bulk/affine.h"
#include "runtime/gcn/bulk/bulk.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/wave_run.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/gcn/gcn_words.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint64_t seed = UINT64_C(0x243f6a8885a308d3);

static uint64_t pick(uint64_t n)
{
    return xorshift(&seed) % n;
}

/* How many random kernels there are, of COUNT that are good. Compiling each takes time. */
static unsigned kernel_count(unsigned count)
{
    const char *tier = getenv("HSA_GCN_JIT");
    return tier && !strcmp(tier, "now") ? count / 10 : count;
}

/* Functions and boxes */

static affine_int value_at(const struct affine *f, const struct affine_box *box, const uint64_t index[6])
{
    affine_int value = f->at;
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++)
        value += f->step[i] * (affine_int)(index[i] - (i < AFFINE_GROUPS ? box->first[i] : 0));
    return value;
}

/* Whether the parts of BOX cover it once, and each but one at most is on one side of THRESHOLD. */
static bool is_division(const struct affine *f, const struct affine_box *box, affine_int threshold,
                        const struct affine_box *parts, unsigned n)
{
    unsigned mixed[3] = {0}, at[6] = {0};
    for (;;) {
        uint64_t index[6];
        unsigned covered = 0;
        for (unsigned i = 0; i < 6; i++)
            index[i] = at[i] + (i < AFFINE_GROUPS ? box->first[i] : 0);
        for (unsigned p = 0; p < n; p++) {
            bool in = true;
            for (unsigned i = 0; i < AFFINE_GROUPS; i++)
                in &= index[i] - parts[p].first[i] < parts[p].count[i];
            covered += in;
            mixed[p] |= in ? 1u + (value_at(f, box, index) >= threshold) : 0;
        }
        unsigned i = 0;
        while (i < 6 && ++at[i] == box->count[i])
            at[i++] = 0;
        if (covered != 1)
            return false;
        if (i == 6)
            break;
    }
    return (mixed[0] == 3) + (mixed[1] == 3) + (mixed[2] == 3) <= 1;
}

static void test_division(void)
{
    unsigned wrong = 0, divided = 0;
    for (unsigned n = 0; n < 3000; n++) {
        struct affine f = {.at = (affine_int)pick(100)};
        struct affine_box box = {.first = {pick(9), pick(9), pick(9)}}, parts[3];
        for (unsigned i = 0; i < 6; i++) {
            box.count[i] = 1 + pick(4);
            f.step[i] = (affine_int)pick(11) - 5;
        }
        struct affine_range range = affine_range(&f, &box);
        if (range.low == range.high)
            continue;
        affine_int threshold = range.low + 1 + (affine_int)pick((uint64_t)(range.high - range.low));
        unsigned count = affine_split(&f, &box, threshold, parts);
        divided += count != 0;
        wrong += count && !is_division(&f, &box, threshold, parts, count);
    }
    ok(divided > 1000 && !wrong, "boxes are divided at a threshold");
}

/* Kernels */

enum { ARENA = 1 << 20, CODE_AT = 64 };

static struct gcn_cache *cache;
static uint8_t *arena, *initial, *interpreted; /* what kernels read and write, before and after */
static struct gcn_worker worker;
static struct gcn_pool *alone, *helped; /* without and with helpers */

struct arguments {
    uint64_t to, from, count, offset;
    uint32_t pattern[4];
    uint32_t pitch, pad[3];
};

struct kernel {
    struct words words;
    struct arguments arguments;
    uint32_t grid[2], size[2];
    struct guest_memory *guest;
    bool endless; /* it is looked at, but not executed */
    bool helped;  /* several threads execute it; no order of its groups matters */
};

struct loaded {
    amd_kernel_descriptor_t descriptor;
    uint32_t code[WORDS_MAX];
} __attribute__((aligned(64)));
_Static_assert(offsetof(struct loaded, code) == CODE_AT, "the code follows the descriptor");

static struct in_memory {
    hsa_kernel_dispatch_packet_t packet;
    struct arguments arguments;
} *in_memory; /* as the kernel finds them, at the end of the arena */

struct outcome {
    bool bulk; /* some groups were not interpreted */
    uint64_t left;
    struct gcn_fault fault;
};

/* Executes K: what can be done at once is, if BULK. */
static struct outcome run(const struct kernel *k, bool bulk)
{
    static struct loaded kernel; /* always at the same place, as its address is in the packet */
    struct loaded *loaded = &kernel;
    struct gcn_dispatch d;
    struct outcome outcome = {.bulk = false};
    memset(loaded, 0, sizeof *loaded);
    memcpy(loaded->code, k->words.at, sizeof loaded->code);
    loaded->descriptor.kernel_code_entry_byte_offset = CODE_AT;
    loaded->descriptor.compute_pgm_rsrc1 = 0xf0u << 12 | 1u << 21 | 1u << 23 | 7;
    loaded->descriptor.compute_pgm_rsrc2 = 8u << 1 | 3u << 7 | 1u << 11; /* two ids of the group, two of work-items */
    loaded->descriptor.kernel_code_properties =
        AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER | AMD_KERNEL_ENABLE_SGPR_KERNARG_SEGMENT_PTR |
        AMD_KERNEL_ENABLE_SGPR_DISPATCH_ID;
    struct gcn_code *code = gcn_cache_add(cache, loaded->code, 4 * k->words.count, loaded, sizeof *loaded);
    in_memory->arguments = k->arguments;
    in_memory->packet = (hsa_kernel_dispatch_packet_t){
        .setup = 2,
        .workgroup_size_x = (uint16_t)k->size[0],
        .workgroup_size_y = (uint16_t)k->size[1],
        .workgroup_size_z = 1,
        .grid_size_x = k->grid[0],
        .grid_size_y = k->grid[1],
        .grid_size_z = 1,
        .kernel_object = (uint64_t)(uintptr_t)loaded,
        .kernarg_address = &in_memory->arguments};
    if (!gcn_dispatch_begin(&d, cache, &in_memory->packet, (uint64_t)(uintptr_t)&in_memory->packet, 0, 1)) {
        d.guest = k->guest;
        if (bulk)
            gcn_bulk_run(&d, &worker, k->helped ? helped : alone);
        outcome.bulk = d.rest != NULL;
        outcome.left = d.group_total;
        d.stop |= k->endless;
        gcn_worker_run(&worker, &d);
        outcome.fault = d.fault;
    }
    gcn_dispatch_end(&d);
    gcn_cache_remove(cache, code);
    return outcome;
}

enum result { DIFFERENT, INTERPRETED, AT_ONCE };

/* Executes K both ways; DIFFERENT if memory or the fault depends on it. Memory is not compared after a fault, as then
 * it depends on the order of the groups. */
static enum result try_kernel(const struct kernel *k)
{
    memcpy(arena, initial, ARENA);
    struct outcome plain = run(k, false);
    memcpy(interpreted, arena, ARENA);
    memcpy(arena, initial, ARENA);
    struct outcome bulk = run(k, true);
    if ((!plain.fault.kind && memcmp(interpreted, arena, ARENA)) || plain.fault.kind != bulk.fault.kind ||
        plain.fault.address != bulk.fault.address || strcmp(plain.fault.name, bulk.fault.name) != 0)
        return DIFFERENT;
    return bulk.bulk ? AT_ONCE : INTERPRETED;
}

enum { IDS = 12 }; /* ways in which kernels compute the id of a work-item */

/* What a random kernel is made of. */
struct shape {
    bool fills, loops, wide_check;
    bool high;        /* of a byte, what is stored is another one of the register */
    bool gathers;     /* a stream loads from where the data tell, too */
    unsigned decides; /* how often the data decide which work-items go on */
    unsigned width;   /* dwords of an element; 0: a byte */
    unsigned id, address;
    unsigned stores; /* elements of a work-item that lie one after the other */
};

static const unsigned loads[] = {GCN_OP_flat_load_ubyte, GCN_OP_flat_load_dword, GCN_OP_flat_load_dwordx2,
                                 GCN_OP_flat_load_dwordx3, GCN_OP_flat_load_dwordx4};
static const unsigned stores[] = {GCN_OP_flat_store_byte, GCN_OP_flat_store_dword, GCN_OP_flat_store_dwordx2,
                                  GCN_OP_flat_store_dwordx3, GCN_OP_flat_store_dwordx4};

static unsigned bytes_of(const struct shape *shape)
{
    return shape->width ? 4 * shape->width : 1;
}

/* Has v0, the id in the grid, take a detour of kind WAY. */
static void change_id(struct words *w, const struct kernel *k, unsigned way)
{
    static const unsigned clamps[] = {GCN_OP_v_min_u32, GCN_OP_v_max_u32, GCN_OP_v_min_i32, GCN_OP_v_max_i32};
    unsigned size = k->size[0], log = (unsigned)__builtin_ctz(size);
    switch (way) {
    case 8: /* from some group on, or up to it, all work-items have the same id */
        vop2(w, clamps[pick(4)], 0, 255, 0);
        word(w, pick(4) ? size * (uint32_t)pick(k->grid[0] / size + 1) : -size); /* or a negative one */
        break;
    case 9: /* counted from the end of the grid */
        vop1(w, GCN_OP_v_mov_b32, 2, 255);
        word(w, k->grid[0]);
        vop3(w, GCN_OP_v_xad_u32, 0, 0, V(0), ALL_ONES, V(2));
        break;
    case 10: /* the number of the group, and that of the work-item in it */
        vop3(w, GCN_OP_v_bfe_u32, 2, 0, V(0), C(log), C(20));
        vop2(w, GCN_OP_v_lshrrev_b32, 3, C(log), 0);
        vop2(w, GCN_OP_v_and_b32, 0, 255, 0);
        word(w, size - 1);
        vop3(w, GCN_OP_v_lshl_or_b32, 0, 0, pick(2) ? V(2) : V(3), C(log), V(0));
        break;
    default: /* a number and its complement are all ones */
        vop1(w, GCN_OP_v_not_b32, 2, V(0));
        vop2(w, GCN_OP_v_sub_u32, 0, ALL_ONES, 2);
        break;
    }
}

/* v0 = the id in the grid. */
static void emit_id(struct words *w, const struct kernel *k, unsigned way)
{
    unsigned size = k->size[0], log = (unsigned)__builtin_ctz(size);
    switch (way) {
    case 0:
        sop2(w, GCN_OP_s_lshl_b32, 8, 8, C(log));
        vop2(w, GCN_OP_v_add_u32, 0, 8, 0);
        break;
    case 1: vop3(w, GCN_OP_v_lshl_or_b32, 0, 0, 8, C(log), V(0)); break;
    case 2: vop3(w, GCN_OP_v_lshl_add_u32, 0, 0, 8, C(log), V(0)); break;
    case 3:
        sop2(w, GCN_OP_s_mul_i32, 8, 8, 255); /* a literal follows */
        word(w, size);
        vop2(w, GCN_OP_v_add_u32, 0, 8, 0);
        break;
    case 4:
        vop3(w, GCN_OP_v_add_lshl_u32, 2, 0, 8, C(0), C(log));
        vop2(w, GCN_OP_v_add_u32, 0, V(2), 0);
        break;
    case 5:
        sop2(w, GCN_OP_s_lshl3_add_u32, 8, 8, C(0));
        sop2(w, GCN_OP_s_lshl_b32, 8, 8, C(log - 3));
        vop2(w, GCN_OP_v_add_u32, 0, 8, 0);
        break;
    case 6:
        vop1(w, GCN_OP_v_mov_b32, 2, 255);
        word(w, size);
        vop3(w, pick(2) ? GCN_OP_v_mad_u32_u24 : GCN_OP_v_mad_i32_i24, 0, 0, 8, V(2), V(0));
        break;
    case 7: /* the size of the group is the lesser of its size and what is left of the grid */
        sop2(w, GCN_OP_s_lshl_b32, 25, 8, C(log));
        sop2(w, GCN_OP_s_sub_i32, 25, 255, 25);
        word(w, k->grid[0]);
        sop2(w, pick(2) ? GCN_OP_s_min_u32 : GCN_OP_s_min_i32, 25, 25, 255);
        word(w, size);
        sop2(w, GCN_OP_s_mul_i32, 25, 25, 8);
        vop2(w, GCN_OP_v_add_u32, 0, 25, 0);
        break;
    default:
        vop3(w, GCN_OP_v_lshl_add_u32, 0, 0, 8, C(log), V(0));
        change_id(w, k, way);
        break;
    }
}

/* s[12:13] to, s[14:15] from, s[16:17] count, s[18:19] offset, s[20:23] pattern, s24 pitch; the id in the grid, plus
 * the offset, in v[0:1]. */
static void emit_start(struct words *w, const struct kernel *k, const struct shape *shape)
{
    smem(w, GCN_OP_s_load_dwordx4, 12, 4, 0);
    smem(w, GCN_OP_s_load_dwordx8, 16, 4, 16);
    smem(w, GCN_OP_s_load_dword, 24, 4, 48);
    sopp(w, GCN_OP_s_waitcnt, 0);
    emit_id(w, k, shape->id);
    vop1(w, GCN_OP_v_mov_b32, 1, 19);
    vop2(w, GCN_OP_v_add_co_u32, 0, 18, 0);
    vop2(w, GCN_OP_v_addc_co_u32, 1, C(0), 1);
}

/* v[2:3] = the index times the bytes of an element of the work-item. */
static void emit_offset(struct words *w, const struct shape *shape)
{
    unsigned bytes = bytes_of(shape) * shape->stores;
    if (shape->address == 0 && !(bytes & (bytes - 1)))
        vop3(w, GCN_OP_v_lshlrev_b64, 2, 0, C((unsigned)__builtin_ctz(bytes)), V(0), 0);
    else
        vop3(w, GCN_OP_v_mad_u64_u32, 2, 2, V(0), C(bytes), C(0));
}

static void emit_address(struct words *w, unsigned dst, unsigned base)
{
    vop1(w, GCN_OP_v_mov_b32, dst + 1, base + 1);
    vop2(w, GCN_OP_v_add_co_u32, dst, base, 2);
    vop2(w, GCN_OP_v_addc_co_u32, dst + 1, dst + 1 + 256, 3);
}

static void emit_body(struct words *w, const struct shape *shape)
{
    unsigned bytes = bytes_of(shape);
    emit_offset(w, shape);
    if (shape->address != 2) {
        emit_address(w, 4, 14);
        emit_address(w, 6, 12);
    }
    for (unsigned i = 0; i < 4 && shape->fills; i++)
        vop1(w, GCN_OP_v_mov_b32, 8 + i, 20 + i);
    bool base = shape->address == 2;
    unsigned store = shape->high ? GCN_OP_flat_store_byte_d16_hi : stores[shape->width];
    for (unsigned i = 0; i < shape->stores; i++) {
        if (!shape->fills)
            global(w, loads[shape->width], 8, base ? 2 : 4, base ? 14 : -1, i * bytes, 0);
        sopp(w, GCN_OP_s_waitcnt, 0);
        global(w, store, 8, base ? 2 : 6, base ? 12 : -1, i * bytes, 0);
    }
}

/* A kernel that checks its bounds and moves an element, or as many as there are strides of the grid below the bound. */
static void emit_kernel(struct kernel *k, const struct shape *shape)
{
    struct words *w = &k->words;
    w->count = 0;
    emit_start(w, k, shape);
    unsigned loop = w->count;
    if (shape->wide_check)
        vop3(w, GCN_OP_v_cmp_gt_u64, 26, 0, 16, V(0), 0);
    else
        vop3(w, GCN_OP_v_cmp_lt_u32, 26, 0, V(0), 16, 0);
    sop1(w, GCN_OP_s_and_saveexec_b64, 28, 26);
    unsigned skip = w->count;
    sopp(w, GCN_OP_s_cbranch_execz, 0);
    emit_body(w, shape);
    if (shape->loops) {
        vop2(w, GCN_OP_v_add_co_u32, 0, 24, 0);
        vop2(w, GCN_OP_v_addc_co_u32, 1, C(0), 1);
        branch(w, GCN_OP_s_branch, loop);
    }
    w->at[skip] |= w->count - skip - 1;
    sopp(w, GCN_OP_s_endpgm, 0);
}

/* Number N of the random kernels. */
static struct kernel random_kernel(unsigned n, struct shape *shape)
{
    struct kernel k = {.size = {64u << pick(4), 1}, .grid = {0, 1}};
    *shape = (struct shape){
        .fills = pick(2),
        .loops = pick(4) == 0,
        .wide_check = pick(2),
        .width = (unsigned)pick(5),
        .id = n % IDS,
        .address = (unsigned)pick(3),
        .stores = 1 + (unsigned)pick(2)};
    shape->high = !shape->width && pick(3) == 0;
    unsigned bytes = bytes_of(shape) * shape->stores;
    uint64_t most = (ARENA / 2 - 8192) / bytes, count = 20000 < most ? 10000 + pick(most - 10000) : most;
    k.grid[0] = (uint32_t)(count + pick(600) + (shape->loops ? 0 : 1));
    if (shape->loops)
        k.grid[0] = (uint32_t)(count / (1 + pick(4)) + 1);
    k.grid[0] -= pick(2) ? k.grid[0] % k.size[0] : 0;
    for (unsigned i = 0; i < 4; i++)
        k.arguments.pattern[i] = (uint32_t)(pick(2) ? 0 : xorshift(&seed));
    k.arguments.pitch = k.grid[0];
    k.arguments.offset = pick(3);
    if (pick(3) == 0) /* the bound is at the beginning of a group, or beside it */
        count -= (count - k.arguments.offset) % k.size[0] + 1 - pick(3);
    k.arguments.count = count;
    uint64_t half = (uint64_t)(uintptr_t)arena + ARENA / 2;
    bool up = pick(2);
    k.arguments.to = half - (up ? ARENA / 2 : 0) + pick(64);
    k.arguments.from = half - (up ? 0 : ARENA / 2) + pick(64);
    emit_kernel(&k, shape);
    return k;
}

static void test_random(void)
{
    unsigned different = 0, at_once = 0, ways = 0;
    const unsigned kernels = kernel_count(400);
    for (unsigned n = 0; n < kernels && !different; n++) {
        struct shape shape;
        struct kernel k = random_kernel(n, &shape);
        enum result result = try_kernel(&k);
        different += result == DIFFERENT;
        at_once += result == AT_ONCE;
        ways |= result == AT_ONCE ? 1u << shape.id : 0;
        if (result == DIFFERENT)
            printf("# kernel %u: fills %d loops %d width %u id %u address %u stores %u, grid %u by %u\n", n,
                   shape.fills, shape.loops, shape.width, shape.id, shape.address, shape.stores, k.grid[0], k.size[0]);
    }
    ok(!different, "%u random copies and fills leave the memory that the interpreter leaves", kernels);
    if (kernels >= 10 * IDS)
        ok(ways == (1u << IDS) - 1, "some are done at once however they compute the id of a work-item");
    ok(at_once >= kernels * 3 / 4, "most of them are done at once (%u)", at_once);
}

/* Rows */

/* Copies COUNT dwords of each row, OFFSET rows, or twice their values; PITCH is the bytes from one row to the next. */
static void emit_rows(struct kernel *k, bool doubles)
{
    struct words *w = &k->words;
    smem(w, GCN_OP_s_load_dwordx4, 12, 4, 0);
    smem(w, GCN_OP_s_load_dwordx8, 16, 4, 16);
    smem(w, GCN_OP_s_load_dword, 24, 4, 48);
    sopp(w, GCN_OP_s_waitcnt, 0);
    vop3(w, GCN_OP_v_lshl_add_u32, 0, 0, 8, C((unsigned)__builtin_ctz(k->size[0])), V(0));
    vop3(w, GCN_OP_v_lshl_add_u32, 1, 0, 9, C((unsigned)__builtin_ctz(k->size[1])), V(1));
    vop3(w, GCN_OP_v_cmp_gt_u32, 26, 0, 16, V(0), 0);
    vop3(w, GCN_OP_v_cmp_gt_u32, 28, 0, 18, V(1), 0);
    sop2(w, GCN_OP_s_and_b64, VCC, 26, 28);
    sop1(w, GCN_OP_s_and_saveexec_b64, 28, VCC);
    unsigned skip = w->count;
    sopp(w, GCN_OP_s_cbranch_execz, 0);
    vop2(w, GCN_OP_v_lshlrev_b32, 2, C(2), 0);
    vop1(w, GCN_OP_v_mov_b32, 3, doubles ? V(1) : C(0));
    vop3(w, GCN_OP_v_mad_u64_u32, 2, 30, V(1), 24, V(2));
    if (doubles) /* only the low half of the product was wanted */
        vop1(w, GCN_OP_v_mov_b32, 3, C(0));
    emit_address(w, 4, 14);
    emit_address(w, 6, 12);
    global(w, GCN_OP_flat_load_dword, 8, 4, -1, 0, 0);
    sopp(w, GCN_OP_s_waitcnt, 0);
    if (doubles)
        vop2(w, GCN_OP_v_add_u32, 8, V(8), 8);
    global(w, GCN_OP_flat_store_dword, 8, 6, -1, 0, 0);
    w->at[skip] |= w->count - skip - 1;
    sopp(w, GCN_OP_s_endpgm, 0);
}

static void test_rows(bool doubles)
{
    unsigned different = 0, at_once = 0;
    const unsigned kernels = kernel_count(60);
    for (unsigned n = 0; n < kernels; n++) {
        struct kernel k = {.size = {8u << pick(4), 8u >> pick(3)}};
        uint32_t columns = 40 + (uint32_t)pick(200), rows = 100 + (uint32_t)pick(200);
        k.size[1] = k.size[0] * k.size[1] < 64 ? 64 / k.size[0] : k.size[1];
        k.grid[0] = (columns + k.size[0] - 1) / k.size[0] * k.size[0];
        k.grid[1] = (rows + k.size[1] - 1) / k.size[1] * k.size[1];
        k.arguments = (struct arguments){
            .to = (uint64_t)(uintptr_t)arena + pick(64),
            .from = (uint64_t)(uintptr_t)arena + ARENA / 2,
            .count = columns,
            .offset = rows,
            .pitch = 4 * columns + (uint32_t)pick(3) * 12};
        emit_rows(&k, doubles);
        enum result result = try_kernel(&k);
        different += result == DIFFERENT;
        at_once += result == AT_ONCE;
    }
    ok(!different, "%u random %s of rows leave the memory that the interpreter leaves", kernels,
       doubles ? "streams" : "copies");
    ok(at_once >= kernels / 2, "most of them are done at once (%u)", at_once);
}

/* Streams */

/* What computes from loaded data, v8 to v15. */
static void emit_computation(struct words *w)
{
    static const unsigned unary[] = {GCN_OP_v_mov_b32,     GCN_OP_v_not_b32, GCN_OP_v_cvt_f32_u32, GCN_OP_v_cvt_u32_f32,
                                     GCN_OP_v_cvt_f16_f32, GCN_OP_v_rcp_f32, GCN_OP_v_sqrt_f32,    GCN_OP_v_bfrev_b32};
    static const unsigned binary[] = {GCN_OP_v_add_f32, GCN_OP_v_sub_f32,     GCN_OP_v_mul_f32,    GCN_OP_v_max_f32,
                                      GCN_OP_v_add_u32, GCN_OP_v_lshlrev_b32, GCN_OP_v_xor_b32,    GCN_OP_v_mac_f32,
                                      GCN_OP_v_add_f16, GCN_OP_v_cndmask_b32, GCN_OP_v_addc_co_u32};
    static const unsigned ternary[] = {GCN_OP_v_fma_f32,      GCN_OP_v_mad_u32_u24,  GCN_OP_v_med3_f32,
                                       GCN_OP_v_alignbit_b32, GCN_OP_v_div_fmas_f32, GCN_OP_v_mad_f16};
    unsigned dst = 8 + (unsigned)pick(8), data = 8 + (unsigned)pick(8), other = 8 + (unsigned)pick(8);
    const unsigned sources[] = {V(data), V(data), V(0), V(4), 20 + (unsigned)pick(4), C((unsigned)pick(64)), 242};
    unsigned source = sources[pick(sizeof sources / sizeof *sources)];
    switch (pick(7)) {
    case 0: vop1(w, unary[pick(sizeof unary / sizeof *unary)], dst, source); break;
    case 1:
    case 2: vop2(w, binary[pick(sizeof binary / sizeof *binary)], dst, source, other); break;
    case 3:
        if (pick(3))
            vopc(w, pick(2) ? GCN_OP_v_cmp_lt_f32 : GCN_OP_v_cmp_ge_u32, source, other);
        else
            vopc(w, pick(2) ? GCN_OP_v_cmp_eq_u32 : GCN_OP_v_cmp_ne_u32, V(0), 0); /* known for all waves */
        break;
    case 4:
        word(w, 0x7e0000f9u | (dst << 17) | opcode(GCN_OP_v_mov_b32) << 9); /* a part of a register, by SDWA */
        word(w, data | (unsigned)pick(6) << 8 | 2u << 11 | (unsigned)pick(6) << 16);
        break;
    case 5: vop3(w, GCN_OP_v_add_f64, dst & ~1u, 0, V(data & ~1u), V(other & ~1u), 0); break;
    default:
        vop3(w, ternary[pick(sizeof ternary / sizeof *ternary)], dst, pick(4) ? 0 : 1u << 3, source, V(other), V(dst));
        break;
    }
}

/* Reads elements of the shape's width at up to two places, computes a little, and writes one. What other groups write
 * is read only if K has no helpers. */
static void emit_stream(struct kernel *k, const struct shape *shape, unsigned operations)
{
    struct words *w = &k->words;
    w->count = 0;
    emit_start(w, k, shape);
    vop3(w, GCN_OP_v_cmp_gt_u32, 26, 0, 16, V(0), 0);
    sop1(w, GCN_OP_s_and_saveexec_b64, 28, 26);
    unsigned skip = w->count;
    sopp(w, GCN_OP_s_cbranch_execz, 0);
    emit_offset(w, shape);
    emit_address(w, 4, 14);
    emit_address(w, 6, 12);
    for (unsigned i = 0; i < 8; i++)
        vop1(w, GCN_OP_v_mov_b32, 8 + i, pick(3) ? C(0) : 20 + i % 4);
    unsigned load = shape->high ? GCN_OP_flat_load_sbyte : loads[shape->width];
    unsigned store = shape->high ? GCN_OP_flat_store_byte_d16_hi : stores[shape->width];
    global(w, load, 8, 4, -1, 0, 0);
    global(w, loads[shape->width], 12, k->helped || pick(2) ? 4 : 6, -1, 64 * (unsigned)pick(3), 0);
    sopp(w, GCN_OP_s_waitcnt, 0);
    if (shape->gathers) {
        bool scalar = pick(2);
        vop2(w, GCN_OP_v_and_b32, 16, 255, 8);
        word(w, ARENA / 8 - 1);
        vop1(w, GCN_OP_v_mov_b32, 17, 15);
        if (!scalar)
            vop2(w, GCN_OP_v_add_co_u32, 16, 14, 16), vop2(w, GCN_OP_v_addc_co_u32, 17, C(0), 17);
        global(w, loads[1 + pick(4)], 9, 16, scalar ? 14 : -1, (unsigned)pick(100), 0);
    }
    while (operations--)
        emit_computation(w);
    unsigned branches[2], count = 0; /* past the stores */
    for (unsigned n = shape->decides; n--;) {
        vopc(w, pick(2) ? GCN_OP_v_cmp_lt_i32 : GCN_OP_v_cmp_gt_i32, C(0), 8 + (unsigned)pick(8));
        if (pick(3) == 0) {
            static const unsigned masks[] = {GCN_OP_s_and_b64, GCN_OP_s_or_b64, GCN_OP_s_xor_b64, GCN_OP_s_andn2_b64};
            vop3(w, GCN_OP_v_cmp_gt_u32, 30, 0, 16, V(0), 0); /* known, but in one group */
            sop2(w, masks[pick(4)], VCC, pick(2) ? VCC : 30, pick(2) ? VCC : 30);
        }
        if (pick(2))
            sop1(w, GCN_OP_s_and_saveexec_b64, 28, VCC);
        else
            sop2(w, GCN_OP_s_and_b64, EXEC, EXEC, VCC);
        if (pick(2)) {
            branches[count++] = w->count;
            sopp(w, GCN_OP_s_cbranch_execz, 0);
        }
        emit_computation(w);
        global(w, loads[shape->width], 12, 4, -1, 64 * (unsigned)pick(3), 0);
        sopp(w, GCN_OP_s_waitcnt, 0);
        emit_computation(w);
    }
    global(w, store, 8 + (unsigned)pick(5), 6, -1, 0, 0);
    w->at[skip] |= w->count - skip - 1;
    while (count--)
        w->at[branches[count]] |= w->count - branches[count] - 1;
    sopp(w, GCN_OP_s_endpgm, 0);
}

static void test_streams(void)
{
    unsigned different = 0, at_once = 0;
    const unsigned kernels = kernel_count(600);
    for (unsigned n = 0; n < kernels && !different; n++) {
        struct shape shape;
        struct kernel k = random_kernel(n, &shape);
        shape.stores = 1;
        shape.address = (unsigned)pick(2);
        k.grid[0] = 8192 + (uint32_t)pick(20000);
        k.grid[0] -= pick(2) ? k.grid[0] % k.size[0] : 0;
        k.arguments.count = k.grid[0] - pick(1000);
        k.helped = pick(3) != 0;
        shape.gathers = pick(4) == 0;
        shape.decides = pick(3) ? 0 : 1 + (unsigned)pick(2);
        if (!k.helped && shape.id >= 7 && shape.id <= 9) /* the order of groups matters */
            shape.id = 0;
        if (!k.helped) /* in place, or beside it: each group reads what earlier ones have written */
            k.arguments.to = k.arguments.from + 4 * pick(3);
        emit_stream(&k, &shape, 1 + (unsigned)pick(8));
        enum result result = try_kernel(&k);
        different += result == DIFFERENT;
        at_once += result == AT_ONCE;
        if (result == DIFFERENT)
            printf("# stream %u: width %u id %u address %u, grid %u by %u, to %llx from %llx\n", n, shape.width,
                   shape.id, shape.address, k.grid[0], k.size[0], (unsigned long long)k.arguments.to,
                   (unsigned long long)k.arguments.from);
    }
    ok(!different, "%u random streams leave the memory that the interpreter leaves", kernels);
    ok(at_once >= kernels * 3 / 4, "most of them are done at once (%u)", at_once);
}

/* Near misses */

enum near {
    EXACT,
    OVERLAP,
    OWN_ARGUMENTS,
    COHERENT_LOAD,
    COHERENT_STORE,
    OWN_ID,
    SCATTERED,
    ONE_PLACE,
    UNUSED,
    BARRIER,
    ATOMIC,
    HALF_EXEC,
    WRITE_LANE,
    SHORT_WAVES,
    NARROWED,
    OUTSIDE,
    NO_MEMORY,
    CHANGED, /* all from here on compute from what they load */
    CHANGED_OVERLAP,
    CHANGED_ARGUMENTS,
    CHANGED_OUTSIDE,
    CHANGED_NO_MEMORY,
    CHANGED_MUCH,
    ACROSS_LANES,
    BY_DATA,
    BY_DATA_TWICE,
    BY_DATA_BALLOT,
    BY_DATA_CARRIES,
    BY_DATA_AND_BACK,
    BY_DATA_AND_ALL,
    BY_DATA_PAST,
    BY_DATA_INVERTED,
    GATHERS,
    GATHERS_OUTSIDE,
    GATHERS_NO_MEMORY,
    NEAR_COUNT
};
static const struct near_kind {
    const char *name;
    bool at_once;
} nears[] = {
    [EXACT] = {"a plain copy", true},
    [OVERLAP] = {"a copy to where it reads", false},
    [OWN_ARGUMENTS] = {"a copy over its own arguments", false},
    [COHERENT_LOAD] = {"a coherent load", false},
    [COHERENT_STORE] = {"a coherent store", false},
    [OWN_ID] = {"a store of the work-item's id", true},
    [SCATTERED] = {"a copy with gaps", true},
    [ONE_PLACE] = {"a store to one place", false},
    [UNUSED] = {"a load that nothing stores", true},
    [BARRIER] = {"a copy with a barrier", false},
    [ATOMIC] = {"a copy with an atomic", false},
    [HALF_EXEC] = {"a copy by half of the lanes", false},
    [WRITE_LANE] = {"a copy with one lane written without EXEC", false},
    [SHORT_WAVES] = {"a copy by groups of 96", false},
    [NARROWED] = {"a copy of less than it loads", true},
    [OUTSIDE] = {"a copy that leaves guarded memory", false},
    [NO_MEMORY] = {"a copy from memory that there is not", false},
    [CHANGED] = {"a copy that changes the data", true},
    [CHANGED_OVERLAP] = {"one to where it reads", true},
    [CHANGED_ARGUMENTS] = {"one over its own arguments", false},
    [CHANGED_OUTSIDE] = {"one that leaves guarded memory", false},
    [CHANGED_NO_MEMORY] = {"one from memory that there is not", false},
    [CHANGED_MUCH] = {"one that computes much", false},
    [ACROSS_LANES] = {"one with an exchange between lanes", false},
    [BY_DATA] = {"one for which the data decide", true},
    [BY_DATA_TWICE] = {"one for which they decide twice", true},
    [BY_DATA_BALLOT] = {"one that stores which work-items are left", true},
    [BY_DATA_CARRIES] = {"one that stores the carries of these", true},
    [BY_DATA_AND_BACK] = {"one in which all go on after that", false},
    [BY_DATA_AND_ALL] = {"one in which all go on in another way", false},
    [BY_DATA_PAST] = {"one in which a branch skips what they decide", false},
    [BY_DATA_INVERTED] = {"one for which the data decide against", false},
    [GATHERS] = {"one that loads from where the data tell", true},
    [GATHERS_OUTSIDE] = {"one that does so outside of guarded memory", false},
    [GATHERS_NO_MEMORY] = {"one that does so where there is no memory", false}};

static bool is_outside(enum near near)
{
    return near == OUTSIDE || near == CHANGED_OUTSIDE || near == GATHERS_OUTSIDE;
}

static bool lacks_memory(enum near near)
{
    return near == NO_MEMORY || near == CHANGED_NO_MEMORY;
}

static void emit_change(struct words *w, enum near near)
{
    vop2(w, GCN_OP_v_add_u32, 8, C(1), 8);
    /* a negated operand takes a micro-operation of its own */
    for (unsigned i = 0; near == CHANGED_MUCH && i < 30; i++) {
        vop3(w, GCN_OP_v_fma_f32, 8, 0, V(8), V(8), V(8));
        w->at[w->count - 1] |= 1u << 29;
    }
    if (near == ACROSS_LANES) {
        word(w, 0x7e0002fau | 8u << 17); /* v_mov_b32_dpp v8, v8 row_mirror */
        word(w, 8u | 0x140u << 8 | 0xffu << 24);
    }
    if (near >= BY_DATA && near <= BY_DATA_INVERTED) {
        vopc(w, GCN_OP_v_cmp_lt_i32, C(0), 8);
        sop1(w, near == BY_DATA_INVERTED ? GCN_OP_s_andn2_saveexec_b64 : GCN_OP_s_and_saveexec_b64, 28, VCC);
    }
    if (near == BY_DATA_TWICE) {
        vopc(w, GCN_OP_v_cmp_gt_u32, 255, 0); /* known for each wave */
        word(w, 5000);
        sop2(w, GCN_OP_s_and_b64, EXEC, EXEC, VCC);
        vop2(w, GCN_OP_v_lshlrev_b32, 9, C(20), 8);
        vopc(w, GCN_OP_v_cmp_lt_i32, C(0), 9);
        sop2(w, GCN_OP_s_and_b64, EXEC, VCC, EXEC);
    }
    if (near == BY_DATA_BALLOT) /* true for all */
        vopc(w, GCN_OP_v_cmp_le_u32, C(0), 0);
    if (near == BY_DATA_CARRIES) {
        vop1(w, GCN_OP_v_mov_b32, 9, C(1));
        vop2(w, GCN_OP_v_add_co_u32, 9, ALL_ONES, 9);
    }
    if (near == BY_DATA_BALLOT || near == BY_DATA_CARRIES)
        vop1(w, GCN_OP_v_mov_b32, 8, VCC);
    if (near == BY_DATA_PAST)
        sopp(w, GCN_OP_s_cbranch_execz, 1); /* past the next instruction */
    if (near >= BY_DATA_AND_BACK && near <= BY_DATA_PAST)
        vop2(w, GCN_OP_v_add_u32, 8, C(1), 8);
    if (near == BY_DATA_AND_BACK)
        sop2(w, GCN_OP_s_or_b64, EXEC, EXEC, 28);
    if (near == BY_DATA_AND_ALL)
        sop1(w, GCN_OP_s_mov_b64, EXEC, ALL_ONES);
}

/* More that emit_near() does after a load. */
static void emit_gather(struct words *w, enum near near)
{
    if (near >= GATHERS) {
        vop2(w, GCN_OP_v_and_b32, 9, 255, 8);
        word(w, ARENA / 4 - 4);
        vop2(w, GCN_OP_v_add_u32, 9, 255, 9);
        word(w, near == GATHERS_NO_MEMORY ? 5 * ARENA / 2 : 0); /* there is none after three arenas */
        global(w, GCN_OP_flat_load_dword, 8, 9, 14, 0, 0);
    }
}

static void emit_near(struct kernel *k, enum near near)
{
    struct shape shape = {.width = 1, .stores = 1};
    struct words *w = &k->words;
    emit_start(w, k, &shape);
    if (near == HALF_EXEC)
        sop1(w, GCN_OP_s_mov_b32, EXEC, C(0));
    vop3(w, GCN_OP_v_lshlrev_b64, 2, 0, C(near == SCATTERED ? 3 : near == ONE_PLACE ? 63 : 2), V(0), 0);
    emit_address(w, 4, 14);
    emit_address(w, 6, 12);
    if (near == UNUSED)
        global(w, GCN_OP_flat_load_dword, 9, 4, -1, 16, 0);
    global(w, GCN_OP_flat_load_dword, 8, 4, -1, 0, near == COHERENT_LOAD ? WORDS_GLC : 0);
    sopp(w, GCN_OP_s_waitcnt, 0);
    if (near >= CHANGED)
        emit_change(w, near);
    emit_gather(w, near);
    if (near == WRITE_LANE) {
        sop1(w, GCN_OP_s_mov_b64, EXEC, C(0));
        vop3(w, GCN_OP_v_writelane_b32, 8, 0, C(7), C(3), 0);
        sop1(w, GCN_OP_s_mov_b64, EXEC, ALL_ONES);
    }
    if (near == BARRIER)
        sopp(w, GCN_OP_s_barrier, 0);
    if (near == ATOMIC)
        global(w, GCN_OP_flat_atomic_add, 8, 6, -1, 0, 0);
    global(w, near == NARROWED ? GCN_OP_flat_store_byte : GCN_OP_flat_store_dword, near == OWN_ID ? 0 : 8, 6, -1, 0,
           near == COHERENT_STORE ? WORDS_GLC : 0);
    sopp(w, GCN_OP_s_endpgm, 0);
}

static void test_near(enum near near)
{
    struct kernel k = {.size = {near == SHORT_WAVES ? 96 : 256, 1}, .grid = {near == SHORT_WAVES ? 19200 : 16384, 1}};
    uint64_t base = (uint64_t)(uintptr_t)arena;
    k.arguments = (struct arguments){.to = base, .from = base + ARENA / 2};
    if (near == OVERLAP || near == CHANGED_OVERLAP)
        k.arguments.to = k.arguments.from - 4;
    if (near == OWN_ARGUMENTS || near == CHANGED_ARGUMENTS)
        k.arguments.to = base + ARENA - 4 * k.grid[0], k.arguments.from = base;
    if (is_outside(near)) {
        k.guest = guest_memory_new();
        guest_memory_add(k.guest, arena, ARENA / 2 + (near == GATHERS_OUTSIDE ? 4 : 3) * k.grid[0]);
        guest_memory_add(k.guest, (char *)(arena + ARENA) - 4096, 4096);
    }
    if (lacks_memory(near))
        k.arguments.from = base + 3 * (uint64_t)ARENA - 2 * k.grid[0]; /* no access to the pages that follow */
    emit_near(&k, near);
    if (near == SHORT_WAVES)
        k.words.at[9] = 96; /* the ids need not be those of a grid without gaps */
    enum result result = try_kernel(&k);
    bool faults = is_outside(near) || lacks_memory(near) || near == GATHERS_NO_MEMORY;
    if (nears[near].at_once)
        ok(result == AT_ONCE, "%s is done at once", nears[near].name);
    else
        ok(result == INTERPRETED, "%s is interpreted%s", nears[near].name, faults ? ", and its fault reported" : "");
    guest_memory_free(k.guest);
}

/* A kernel that never ends, for a grid that would allow to look at it for hours. */
static void test_endless(void)
{
    struct kernel k = {.size = {64, 1}, .grid = {1u << 31, 1u << 12}, .endless = true};
    branch(&k.words, GCN_OP_s_branch, 0);
    ok(!run(&k, true).bulk, "a kernel that never ends is left to the interpreter soon");
}

static void test_kernels(const struct gcn_engine *engine)
{
    printf("# %s\n", engine->name);
    cache = gcn_cache_new(engine, gcn_target_number(0));
    if (!cache)
        abort();
    test_random();
    test_rows(false);
    test_rows(true);
    test_streams();
    for (unsigned near = 0; near < NEAR_COUNT; near++)
        test_near((enum near)near);
    test_endless();
    gcn_cache_free(cache);
}

int main(void)
{
    const struct gcn_engine *engine;
    unsigned next = 0;
    arena = mmap(NULL, 4 * ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alone = gcn_pool_new(0);
    helped = gcn_pool_new(3);
    if (!alone || !helped || arena == MAP_FAILED || mprotect(arena + 3 * ARENA, ARENA, PROT_NONE) ||
        !gcn_guard_acquire())
        return 1;
    initial = arena + ARENA;
    interpreted = initial + ARENA;
    in_memory = (struct in_memory *)(void *)(initial - 4096);
    for (unsigned i = 0; i < ARENA; i++)
        initial[i] = (uint8_t)xorshift(&seed);
    test_division();
    while ((engine = each_engine(&next)) != NULL)
        test_kernels(engine);
    gcn_pool_free(alone);
    gcn_pool_free(helped);
    gcn_worker_free(&worker);
    gcn_guard_release();
    return tap_done();
}
