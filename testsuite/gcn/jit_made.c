/* SPDX-License-Identifier: MIT */
/* Compares compiled code with the interpreter, in programs that are made for one part of the compiler each.
 * Input: an engine. Output: whether all programs of a kind do the same, and a description of those that do not.
 * Invariant: the programs of a kind differ only by the random numbers, so that a seed brings a failure back. */
#include "config.h"

#include "testsuite/gcn/jit_made.h"

#include "testsuite/gcn/jit_program.h"
#include "testsuite/gcn/vector_values.h"

#include <string.h>

/* A comparison that writes EXEC, and a register that keeps nothing. Operations before it are in the same segment. */
static bool same_exec(const struct gcn_engine *engine)
{
    static const uint32_t words[][2] = {{0x7e1440f3}, {0x7cb40cf9, 0x0306fa04}};
    static struct program p = {.waves = 1};
    char text[160];
    program_randomize();
    p.keep = true;
    p.count = sizeof words / sizeof *words;
    memcpy(p.body, words, sizeof words);
    return !program_compare(engine, &p, p.count, text, sizeof text);
}

/* Shifts of 64 bits by constants, of registers that are written before as single ones, as addresses are. */
static bool same_shifts(const struct gcn_engine *engine)
{
    static const uint32_t opcodes[] = {
        0xd28f0000, 0xd2900000, 0xd2910000}; /* v_lshlrev_b64, v_lshrrev_b64, v_ashrrev_i64 */
    static const uint32_t counts[] = {0, 1, 2, 5, 31, 32, 33, 47, 63, 64};
    static struct program p = {.waves = 1};
    char text[160];
    bool right = true;
    for (size_t op = 0; op < sizeof opcodes / sizeof *opcodes; op++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            program_randomize();
            p.keep = true;
            p.count = 0;
            for (uint32_t k = 8; k < 14; k += 2) {
                uint32_t *add = p.body[p.count++], *shift = p.body[p.count++];
                add[0] = 0x68000000 | k << 17 | (k + 1) << 9 | (256 + k); /* v_add_u32 vK, vK, vK+1 */
                add[1] = 0;
                shift[0] = opcodes[op] | k;
                shift[1] = (128 + counts[i]) | (256 + k) << 9;
            }
            right &= !program_compare(engine, &p, p.count, text, sizeof text);
        }
    return right;
}

/* Addresses in vector register NUMBER that lie near the first lane's in each chunk, or for one lane in a few registers
 * just do not: those of adjacent elements of SIZE dwords if KIND is 0, equal ones if it is 1, else any. Those of the
 * last chunk may be at the end of group memory. */
static void draw_near_addresses(unsigned number, uint32_t kind, uint32_t size, uint32_t chunk)
{
    uint32_t *v = program_initial.wave.v[number], last = PROGRAM_LDS_SIZE - 4 * chunk;
    uint32_t lane = (uint32_t)(value_random() % GCN_LANES), odd = (uint32_t)(value_random() % 8);
    for (uint32_t k = 0; k < GCN_LANES; k++) {
        uint32_t base = (odd == 1 ? last - 1024 : odd == 6 ? last - 64 * (GCN_LANES / chunk - 1) : 1024);
        base += odd == 1 ? 0 : 64 * size * (k / chunk);
        uint32_t step = kind == 0 ? size * (k % chunk) : kind == 1 ? 0 : (uint32_t)(value_random() % chunk);
        v[k] = base + (k % chunk ? 4 * step : 0);
    }
    if (odd == 2)
        v[lane] = v[lane - lane % chunk] + 4 * chunk;
    else if (odd == 3)
        v[lane] += 2;
    else if (odd == 4)
        v[lane] -= 4;
    else if (odd == 5)
        v[lane] = PROGRAM_LDS_SIZE - 4 - (uint32_t)(value_random() % 1100);
}

/* One to five reads of group memory in one segment, whose lanes are near each other, or one of them is not. */
static void make_near_reads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    enum { READS = 5 };
    /* ds_read2_b32, ds_read2_b64, ds_read_b32, _b64, _b96 and _b128 */
    static const uint32_t reads[] = {
        0xd86e0000, 0xd86e0000, 0xd8ee0000, 0xd8ee0000, 0xd86c0000, 0xd8ec0000, 0xd9fc0000, 0xd9fe0000};
    program_initial.wave.mode = PROGRAM_DEFAULT_MODE;
    for (unsigned i = 4; i < 8; i++)
        draw_near_addresses(i, n % 2 ? n / 2 % 3 : (uint32_t)(value_random() % 4),
                            n % 3 ? 1 + (uint32_t)(value_random() % 4) : 1, strcmp(engine->name, "avx512") ? 8 : 16);
    p->keep = true;
    unsigned count = 1 + n % READS;
    p->count = count + 1;
    for (unsigned i = 0; i < count; i++) {
        uint32_t offsets = (uint32_t)(value_random() & (value_random() % 16 ? 0x707 : 0x3fff));
        if (value_random() % 2) /* neighbors, if it has two */
            offsets = (offsets & 255) | ((offsets & 255) + 1) << 8;
        p->body[i][0] = reads[value_random() % (sizeof reads / sizeof *reads)] | offsets;
        p->body[i][1] = (16 + 4 * i) << 24 | (4 + (uint32_t)(value_random() % 2));
    }
    p->body[count][0] = 0x68502110; /* v_add_u32 v40, s16, v16 */
    p->body[count][1] = 0;
}

/* Lets the lanes' addresses in v4 and v5 be those of a tile of COLUMNS columns: all of a row in v4, and the columns in
 * v5. In most cases a lane, or a chunk of eight of them, differs, or the last one reads up to the allocation's end or
 * beyond it. */
static void draw_tile(unsigned columns, unsigned end)
{
    unsigned odd = (unsigned)(value_random() % 8), lane = (unsigned)(value_random() % GCN_LANES);
    uint32_t *rows = program_initial.wave.v[4], *next = program_initial.wave.v[5];
    uint32_t *other = value_random() % 2 ? rows : next;
    for (unsigned k = 0; k < GCN_LANES; k++) {
        rows[k] = 512 + 64 * (k / columns);
        next[k] = 2048 + 4 * (k % columns);
    }
    for (unsigned k = 0; k < GCN_LANES && odd < 2; k++)
        other[k] += PROGRAM_LDS_SIZE - end - other[GCN_LANES - 1] + 4 * odd;
    for (unsigned k = 0; k < 8 && odd == 2; k++)
        other[lane / 8 * 8 + k] += 32;
    if (odd == 3)
        other[lane] += 4;
}

/* Reads as the product of two matrices has them, of a row by all lanes of a chunk and of columns, most often of all
 * chunks; and sums of what is read, and a mask of it or not. */
static void make_regular_reads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    const uint32_t chunk = strcmp(engine->name, "avx512") ? 8 : 16, offset = n % 64;
    const uint32_t words[][2] = {
        {0xd86e0000 | offset | (offset + 1) << 8, 16u << 24 | 4}, /* ds_read2_b32 v[16:17], v4 */
        {0xd86e0000 | offset | (offset + 9) << 8, 18u << 24 | 5}, /* ds_read2_b32 v[18:19], v5 */
        {0xd1cb0014, 0x04522510},                                 /* v_fma_f32 v20, v16, v18, v20 */
        {0x7d922711, 0},                                          /* v_cmp_lt_u32 vcc, v17, v19 */
        {0xd1cb0014, 0x04522711},                                 /* v_fma_f32 v20, v17, v19, v20 */
    };
    program_initial.wave.mode = PROGRAM_DEFAULT_MODE;
    if (n / 8 % 4 == 0) {
        draw_near_addresses(4, 1, 1, chunk);
        draw_near_addresses(5, 0, 1, chunk);
    } else {
        draw_tile(8u << n / 8 % 4, 4 * offset + (value_random() % 2 ? 8 : 40));
        gcn_set64(&program_initial.wave, GCN_S_EXEC, UINT64_MAX);
    }
    p->count = sizeof words / sizeof *words;
    memcpy(p->body, words, sizeof words);
    if (n / 32 % 4) { /* no mask */
        p->count--;
        memcpy(p->body[3], words[4], sizeof *words);
    }
    if (n / 32 % 4 == 3) { /* all of a row */
        p->body[1][0] = words[0][0];
        p->body[1][1] = 18u << 24 | 4;
    }
}

/* Fused multiplications and additions in a loop, whose results replace one of their operands or none. Half of these
 * begin as NaNs, quiet and signaling ones, whose payloads tell them apart. */
static void make_fused(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    enum { REGISTERS = 4 };
    const uint32_t wide = n % 2; /* f64 */
    (void)engine;
    program_initial.wave.mode = PROGRAM_DEFAULT_MODE;
    gcn_set64(&program_initial.wave, GCN_S_EXEC, UINT64_MAX);
    for (unsigned i = 0; i < (unsigned)REGISTERS << wide; i++)
        for (unsigned k = 0; k < GCN_LANES; k++) {
            uint32_t nan = (wide ? 0x7ff00000 : 0x7f800000) | (uint32_t)(value_random() % 2) << (wide ? 19 : 22);
            if ((k ^ value_random()) % 2 && (!wide || i % 2))
                program_initial.wave.v[i][k] = nan | (1 + i);
        }
    for (p->count = 0; p->count < 1 + n / 2 % 4; p->count++) {
        uint32_t number[4];
        for (unsigned i = 0; i < 4; i++)
            number[i] = (uint32_t)(value_random() % REGISTERS) << wide;
        p->body[p->count][0] = (wide ? 0xd1cc0000 : 0xd1cb0000) | number[0]; /* v_fma_f64, v_fma_f32 */
        p->body[p->count][1] = (256 + number[1]) | (256 + number[2]) << 9 | (256 + number[3]) << 18;
    }
}

/* Reads of group memory, all but the first at what the one before has read, or some bits of it. */
static void make_chained_reads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    static const uint32_t reads[] = {0xd86c0000, 0xd86c0000, 0xd86c0000, 0xd86e0000, 0xd8ec0000};
    uint32_t address = 4;
    (void)engine;
    program_initial.wave.mode = PROGRAM_DEFAULT_MODE;
    for (unsigned left = 1 + n % 4; left; left--) {
        uint32_t *read = p->body[p->count++], *mask = p->body[p->count++], value = 16 + 4 * left;
        read[0] = reads[value_random() % (sizeof reads / sizeof *reads)] | (uint32_t)(value_random() & 7);
        read[1] = value << 24 | address;
        address = 8 + left;
        mask[0] = 0x260000ff | address << 17 | value << 9; /* v_and_b32 with a constant */
        mask[1] = value_random() % 8 ? PROGRAM_LDS_SIZE - 4 : 4 * PROGRAM_LDS_SIZE - 1;
    }
}

/* Operations across lanes, with the same few registers as the arithmetic around them. */

enum exchange { READS_FIRST_LANE, READS_LANE, WRITES_LANE, COUNTS_LOW, COUNTS_HIGH, PERMUTES, EXCHANGES };

/* The values of the controls of DPP: each from a number on, so many. */
static const struct {
    uint16_t first, count;
} controls[] = {{0, 256},   {0x101, 15}, {0x111, 15}, {0x121, 15}, {0x130, 1}, {0x134, 1},
                {0x138, 1}, {0x13c, 1},  {0x140, 1},  {0x141, 1},  {0x142, 1}, {0x143, 1}};
enum { CONTROLS = sizeof controls / sizeof *controls };

/* Appends an operation with DPP: one that writes lanes, or sometimes a mask too. */
static void draw_dpp(struct program *p, unsigned control)
{
    static const uint8_t ops[] = {1, 2, 5, 0, 22, 52, 20, 25}; /* ... v_cndmask_b32, v_mac_f32, ..., v_add_co_u32 */
    uint32_t dst = value_random() % 6, a = value_random() % 6, b = value_random() % 6;
    uint32_t ctrl = controls[control].first + (uint32_t)(value_random() % controls[control].count);
    uint32_t *word = p->body[p->count++];
    word[0] = (uint32_t)ops[value_random() % sizeof ops] << 25 | dst << 17 | b << 9 | 0xfa;
    if (value_random() % 2)
        word[0] = 0x7e0002fa | dst << 17; /* v_mov_b32 */
    word[1] = a | ctrl << 8 | (uint32_t)(value_random() % 2) << 19;
    word[1] |= value_random() % 2 ? 0xff000000 : (uint32_t)(value_random() % 256) << 24;
    if (value_random() % 4 == 0)
        word[1] |= (uint32_t)(value_random() % 16) << 20;
    if (program_size_of(word) != 2) /* the operation knows no such modifiers */
        word[1] &= ~(UINT32_C(15) << 20);
}

static void draw_exchange(struct program *p, enum exchange kind)
{
    uint32_t dst = value_random() % 6, v = 256 + value_random() % 6, w = 256 + value_random() % 6;
    uint32_t scalar = value_random() % 3 ? value_random() % 8 : 128 + value_random() % 65;
    uint32_t *word = p->body[p->count++];
    word[1] = scalar | v << 9;
    switch (kind) {
    case READS_FIRST_LANE: word[0] = 0x7e000500 | dst << 17 | v; break;
    case READS_LANE:
        word[0] = 0xd2890000 | dst;
        word[1] = v | scalar << 9;
        break;
    case WRITES_LANE:
        word[0] = 0xd28a0000 | dst;
        word[1] = (uint32_t)(value_random() % 8) | scalar << 9;
        break;
    case COUNTS_LOW: word[0] = 0xd28c0000 | dst; break;
    case COUNTS_HIGH:
        word[0] = 0xd28d0000 | dst;
        word[1] = value_random() % 2 ? v | w << 9 : word[1];
        break;
    case PERMUTES:
        word[0] = value_random() % 2 ? 0xd87e0000 : 0xd87c0000; /* ds_bpermute_b32, ds_permute_b32 */
        word[1] = dst << 24 | (w & 255) << 8 | (v & 255);
        break;
    default:
        p->count--;
        draw_dpp(p, (unsigned)(value_random() % CONTROLS));
        break;
    }
}

static void make_exchanges(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    if (n < 2 * CONTROLS) /* each control at least twice */
        draw_dpp(p, n % CONTROLS);
    for (unsigned left = 1 + (unsigned)(value_random() % 8); left; left--) {
        draw_exchange(p, value_random() % 2 ? EXCHANGES : (enum exchange)(value_random() % EXCHANGES));
        for (uint64_t more = value_random() % 4; more; more--)
            program_add_arithmetic(p);
    }
}

/* A read or write of group memory at the addresses in v6 or v7. */
static void draw_access(struct program *p)
{
    enum { WRITE = 13, WRITES = 2 };
    static const uint8_t ops[] = {WRITE, WRITE, 54, 118, 255, 55}; /* ds_read_b32, _b64, _b128, ds_read2_b32 */
    uint64_t op = value_random() % sizeof ops;
    uint32_t *word = p->body[p->count++];
    word[0] = 0xd8000000 | (uint32_t)ops[op] << 17;
    word[1] = (uint32_t)(6 + value_random() % 2) | (op < WRITES ? (uint32_t)(value_random() % 6) << 8 : 16u << 24);
}

/* Some lanes access group memory, among arithmetic: their addresses are inside of it, those of other lanes anywhere. */
static void make_some_lanes(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    uint64_t exec = value_random() | (n % 4 ? 0 : value_random());
    (void)engine;
    gcn_set64(&program_initial.wave, GCN_S_EXEC, exec);
    for (unsigned i = 6; i < 8; i++)
        for (unsigned k = 0; k < GCN_LANES; k++) {
            uint32_t any = (uint32_t)value_random();
            program_initial.wave.v[i][k] = exec >> k & 1 ? any % (PROGRAM_LDS_SIZE - 64) & ~7u : any;
        }
    for (unsigned left = 1 + n % 4; left; left--) {
        program_add_arithmetic(p);
        draw_access(p);
        program_add_arithmetic(p);
    }
}

/* Appends an instruction that writes VCC or some other mask, reads one, or does something between the two. */
static void draw_mask(struct program *p)
{
    enum { VCC = 106, OTHER = 10 };
    uint32_t dst = value_random() % 6, v = 256 + value_random() % 6, w = value_random() % 6;
    uint32_t half = VCC + (uint32_t)(value_random() % 2), pair = value_random() % 3 ? VCC : OTHER;
    const uint32_t choices[][2] = {
        {0x7d920000 | w << 9 | v, 0},                        /* v_cmp_lt_u32 vcc */
        {0x7c820000 | w << 9 | v, 0},                        /* v_cmp_lt_f32 vcc */
        {0x32000000 | dst << 17 | w << 9 | v, 0},            /* v_add_co_u32 vD, vcc */
        {0x38000000 | dst << 17 | w << 9 | v, 0},            /* v_addc_co_u32 vD, vcc, ..., vcc */
        {0x3a000000 | dst << 17 | w << 9 | v, 0},            /* v_subb_co_u32 vD, vcc, ..., vcc */
        {0x00000000 | dst << 17 | w << 9 | v, 0},            /* v_cndmask_b32 with vcc */
        {0xd0c90000 | pair, v | (256 + w) << 9},             /* v_cmp_lt_u32 */
        {0xd1000000 | dst, v | (256 + w) << 9 | pair << 18}, /* v_cndmask_b32 */
        {0xd1e20000 | dst, v | (256 + w) << 9 | v << 18},    /* v_div_fmas_f32 */
        {0x7e000200 | dst << 17 | half, 0},                  /* v_mov_b32 vD, vcc_lo or vcc_hi */
        {0xbe800000 | (12 + dst) << 16 | half, 0},           /* s_mov_b32 sD, vcc_lo or vcc_hi */
        {0xbe800000 | half << 16 | (8 + dst), 0},            /* s_mov_b32 vcc_lo or vcc_hi, sD */
        {0xbe800100 | (pair ^ VCC ^ OTHER) << 16 | pair, 0}, /* s_mov_b64 vcc, s[10:11], or the reverse */
        {0x86800000 | OTHER << 16 | OTHER << 8 | VCC, 0},    /* s_and_b64 s[10:11], vcc, s[10:11] */
        {0xd2890000 | (12 + dst), v | half << 9},            /* v_readlane_b32 sD, v, vcc_lo or vcc_hi */
        {0xd87e0000, dst << 24 | w << 8 | (v & 255)},        /* ds_bpermute_b32, which its handler executes */
    };
    memcpy(p->body[p->count++], choices[value_random() % (sizeof choices / sizeof *choices)], sizeof *choices);
}

/* Masks that are written and then read, by way of branches too, or written again. */
static void make_masks(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    for (unsigned left = 3 + n % 12; left; left--) {
        draw_mask(p);
        if (value_random() % 3 == 0) {
            program_add_branch(p);
            p->body[p->count - 1][0] = 0xbf860000 | (uint32_t)(value_random() % 2) << 16; /* s_cbranch_vccz, vccnz */
        }
        if (value_random() % 5 == 0)
            program_add_arithmetic(p);
        if (value_random() % 9 == 0)
            program_add_barrier(p);
    }
}

/* Appends a load of any kind, from group memory or from what is stored in the end, to one of the registers that
 * arithmetic uses. Register ADDRESS has offsets. */
static void draw_vector_load(struct program *p, uint32_t address)
{
    uint32_t dst = value_random() % 6, *word = p->body[p->count++];
    unsigned op;
    do
        op = (unsigned)(value_random() % GCN_OP_COUNT);
    while (strncmp(gcn_op_info[op].name, "ds_read", 7) && strncmp(gcn_op_info[op].name, "flat_load", 9));
    if (gcn_op_info[op].encoding == GCN_DS) {
        word[0] = 0xd8000000 | (uint32_t)gcn_op_info[op].opcode << 17;
        word[1] = address | dst << 24;
    } else { /* with the encoding of GLOBAL, and an address in scalar registers */
        word[0] = 0xdc008000 | (uint32_t)gcn_op_info[op].opcode << 18;
        word[1] = address | PROGRAM_POINTER << 16 | dst << 24;
    }
}

/* Loads to registers that were just computed, wholly or in part. */
static void make_loads(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    for (unsigned k = 0; k < GCN_LANES; k++)
        program_initial.wave.v[7][k] = (uint32_t)(value_random() % (PROGRAM_LDS_SIZE - 1024)) & ~15u;
    for (unsigned left = 1 + n % 4; left; left--) {
        for (uint64_t more = 1 + value_random() % 3; more; more--)
            program_add_arithmetic(p);
        draw_vector_load(p, 7);
    }
    program_add_arithmetic(p);
}

/* Accesses at addresses that were just computed, in registers that nothing else reads. */
static void make_addresses(const struct gcn_engine *engine, struct program *p, unsigned n)
{
    (void)engine;
    p->keep = false;
    for (unsigned left = 1 + n % 4; left; left--) {
        uint32_t address = 20 + value_random() % 4, data = value_random() % 6;
        const uint32_t others[][2] = {
            {0xd81a0000, address | data << 8},                         /* ds_write_b32 */
            {0xd87e0000, address | data << 8 | data << 24},            /* ds_bpermute_b32 */
            {0xdc708000, address | data << 8 | PROGRAM_POINTER << 16}, /* global_store_dword */
        };
        program_add_arithmetic(p);
        uint32_t *mask = p->body[p->count++];
        mask[0] = 0x260000ff | address << 17 | (uint32_t)(value_random() % 6) << 9; /* v_and_b32 with a constant */
        mask[1] = 0x7f0;
        if (value_random() % 4 == 0)
            program_add_barrier(p);
        if (value_random() % 2)
            draw_vector_load(p, address);
        else
            memcpy(p->body[p->count++], others[value_random() % 3], sizeof *others);
    }
    program_add_arithmetic(p);
}

static const struct {
    const char *what;
    bool (*same)(const struct gcn_engine *engine); /* a kind that makes all of its programs by itself, or NULL */
    void (*make)(const struct gcn_engine *engine, struct program *p, unsigned n);
    unsigned quarters; /* of how many programs are asked for */
} kinds[] = {
    {"a comparison that writes EXEC, after operations of its segment", same_exec, NULL, 0},
    {"shifts of 64 bits by constants", same_shifts, NULL, 0},
    {"reads of group memory by lanes that are near each other", NULL, make_near_reads, 5},
    {"reads of group memory at what was read there", NULL, make_chained_reads, 1},
    {"reads of group memory as in a product of matrices", NULL, make_regular_reads, 4},
    {"fused multiplications and additions of NaNs", NULL, make_fused, 1},
    {"operations across lanes", NULL, make_exchanges, 4},
    {"accesses of some lanes to group memory", NULL, make_some_lanes, 1},
    {"masks that are written and read", NULL, make_masks, 4},
    {"loads to registers that were just computed", NULL, make_loads, 2},
    {"accesses at addresses that were just computed", NULL, make_addresses, 2},
};
const unsigned made_kinds = sizeof kinds / sizeof *kinds;

bool made_compare(const struct gcn_engine *engine, unsigned kind, unsigned programs, const char **what)
{
    static struct program p;
    char text[160];
    unsigned different = 0;
    *what = kinds[kind].what;
    program_choose_target(GCN_TARGET_gfx900);
    if (kinds[kind].same)
        return kinds[kind].same(engine);
    for (unsigned n = 0; n < programs * kinds[kind].quarters / 4; n++) {
        program_randomize();
        p.keep = n % 4 != 3;
        p.count = 0;
        p.left_out = n % 8 == 7;
        p.waves = 1 + n / 8 % 2;
        kinds[kind].make(engine, &p, n);
        if (program_compare(engine, &p, p.count, text, sizeof text) && different++ < 10)
            program_report(engine, &p);
    }
    return !different;
}
