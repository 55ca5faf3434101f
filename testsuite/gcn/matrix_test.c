/* SPDX-License-Identifier: MIT */
/* Compares operations on matrices, of gfx908 and gfx90a, with a plain matrix product; the elements are in the registers
 * that AMD's matrix instruction calculator and its manuals of these processors tell. Sums of floats must be within the
 * bound that holds for any order of additions, and equal where all orders give the same. */
#include "testsuite/gcn/wave_bench.h"
#include "testsuite/float_bits.h"

#include "runtime/gcn/inst/gcn_target.h"

#include <math.h>

enum kind { F32, F16, BF16, I8, BF16X4, F64 }; /* BF16X4: four in the registers of a lane, not two */
enum { OLD_SHAPES = 20, S_ENDPGM = 0xbf810000u };

/* The operations, in the order of the manual; the opcodes are those of LLVM's assembler. */
static const struct shape {
    const char *name;
    unsigned opcode;
    enum kind kind;
    unsigned size, depth, blocks;
} shapes[] = {
    {"f32_32x32x1f32", 64, F32, 32, 1, 2},
    {"f32_16x16x1f32", 65, F32, 16, 1, 4},
    {"f32_4x4x1f32", 66, F32, 4, 1, 16},
    {"f32_32x32x2f32", 68, F32, 32, 2, 1},
    {"f32_16x16x4f32", 69, F32, 16, 4, 1},
    {"f32_32x32x4f16", 72, F16, 32, 4, 2},
    {"f32_16x16x4f16", 73, F16, 16, 4, 4},
    {"f32_4x4x4f16", 74, F16, 4, 4, 16},
    {"f32_32x32x8f16", 76, F16, 32, 8, 1},
    {"f32_16x16x16f16", 77, F16, 16, 16, 1},
    {"i32_32x32x4i8", 80, I8, 32, 4, 2},
    {"i32_16x16x4i8", 81, I8, 16, 4, 4},
    {"i32_4x4x4i8", 82, I8, 4, 4, 16},
    {"i32_32x32x8i8", 84, I8, 32, 8, 1},
    {"i32_16x16x16i8", 85, I8, 16, 16, 1},
    {"f32_32x32x2bf16", 104, BF16, 32, 2, 2},
    {"f32_16x16x2bf16", 105, BF16, 16, 2, 4},
    {"f32_4x4x2bf16", 107, BF16, 4, 2, 16},
    {"f32_32x32x4bf16", 108, BF16, 32, 4, 1},
    {"f32_16x16x8bf16", 109, BF16, 16, 8, 1},
    /* from here on of gfx90a only */
    {"f32_32x32x4bf16_1k", 99, BF16X4, 32, 4, 2},
    {"f32_16x16x4bf16_1k", 100, BF16X4, 16, 4, 4},
    {"f32_4x4x4bf16_1k", 101, BF16X4, 4, 4, 16},
    {"f32_32x32x8bf16_1k", 102, BF16X4, 32, 8, 1},
    {"f32_16x16x16bf16_1k", 103, BF16X4, 16, 16, 1},
    {"f64_16x16x4f64", 110, F64, 16, 4, 1},
    {"f64_4x4x4f64", 111, F64, 4, 4, 4},
};

static bool unified; /* the target is gfx90a */

static double f16_value(unsigned bits)
{
    int exponent = bits >> 10 & 31;
    double fraction = bits & 1023, value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

/* The element of row or column I and depth K of block B, in the registers from LINES on. MOVED says for each lane in
 * which lane its data are. */
static double element(const struct shape *s, uint32_t (*lines)[GCN_LANES], unsigned b, unsigned i, unsigned k,
                      const unsigned *moved)
{
    static const unsigned packs[] = {[F32] = 1, [F16] = 4, [BF16] = 2, [I8] = 4, [BF16X4] = 4, [F64] = 1};
    unsigned pack = packs[s->kind], lane = moved[i + s->size * (b + s->blocks * (k / pack))], e = k % pack;
    switch (s->kind) {
    case F32: return (double)f32_of_bits(lines[0][lane]);
    case F16: return f16_value(lines[e / 2][lane] >> 16 * (e % 2) & 0xffff);
    case BF16: return (double)f32_of_bits(lines[0][lane] >> 16 * e << 16);
    case BF16X4: return (double)f32_of_bits(lines[e / 2][lane] >> 16 * (e % 2) << 16);
    case F64: return f64_of_bits(lines[0][lane] | (uint64_t)lines[1][lane] << 32);
    case I8: return (int8_t)(lines[0][lane] >> 8 * e);
    }
    return 0;
}

/* Register and lane of an element of C and D; the first of two registers for f64. */
static void place(const struct shape *s, unsigned b, unsigned i, unsigned j, unsigned *line, unsigned *lane)
{
    if (s->kind == F64) {
        *line = s->size == 4 ? 0 : 2 * (i / 4);
        *lane = s->size == 4 ? 16 * b + 4 * i + j : 16 * (i % 4) + j;
        return;
    }
    switch (s->size) {
    case 4: *line = i, *lane = 4 * b + j; break;
    case 16: *line = 4 * b + i % 4, *lane = 16 * (i / 4) + j; break;
    default: *line = 16 * b + 4 * (i / 8) + i % 4, *lane = 32 * (i / 4 % 2) + j; break;
    }
}

/* Small integers, whose sums are exact, or any numbers of similar size. */
static uint32_t random_element(enum kind kind, bool exact, unsigned n)
{
    static const uint16_t f16[] = {0, 0x3c00, 0xbc00, 0x4000, 0xc200, 0x4400},
                          bf16[] = {0, 0x3f80, 0xbf80, 0x4000, 0xc040};
    uint32_t r = (uint32_t)random64(), low = random64() % 12, high = random64() % 12;
    switch (kind) {
    case F32: return exact ? (uint32_t)PICK(bf16) << 16 : (r & 0x807fffff) | (118 + low) << 23;
    case F16:
        return exact ? PICK(f16) | (uint32_t)PICK(f16) << 16 : (r & 0x83ff83ff) | (8 + low) << 10 | (8 + high) << 26;
    case F64: /* the low dwords are in even registers */
        return n % 2 ? (exact ? (0x3ff + low % 2) << 20 : (r & 0x800fffff) | (0x3f8 + low) << 20) : exact ? 0 : r;
    case BF16X4:
    case BF16:
        return exact ? PICK(bf16) | (uint32_t)PICK(bf16) << 16
                     : (r & 0x807f807f) | (118 + low) << 7 | (118 + high) << 23;
    case I8: return r;
    }
    return 0;
}

struct form {
    unsigned cbsz, abid, blgp, acc;
    bool exact, constant; /* C is 2 */
    bool vector;          /* C and D are vector registers */
};

static void fill(struct gcn_wave *w, const struct shape *s, const struct form *f)
{
    for (unsigned n = 0; n < GCN_VGPRS; n++)
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            enum kind kind = n < 16 || s->kind == I8 || s->kind == F64 ? s->kind : F32;
            w->v[n][lane] = random_element(kind, f->exact, n);
            w->a[n][lane] = random_element(kind, f->exact, n);
        }
}

static unsigned lane_of_b(unsigned blgp, unsigned lane)
{
    const unsigned from[] = {
        lane, lane % 32, 32 + lane % 32, (lane + 16) % 64, lane % 16, 16 + lane % 16, 32 + lane % 16, 48 + lane % 16};
    return from[blgp];
}

/* The element of C or D at LINE of LANE. */
static double result_at(const struct shape *s, uint32_t (*lines)[GCN_LANES], unsigned line, unsigned lane)
{
    return s->kind == I8    ? (double)(int32_t)lines[line][lane]
           : s->kind == F64 ? f64_of_bits(lines[line][lane] | (uint64_t)lines[line + 1][lane] << 32)
                            : (double)f32_of_bits(lines[line][lane]);
}

/* Whether an element of D, computed as HERE, can be SUM. BOUND is the sum of the absolute values. */
static bool agrees(const struct shape *s, const struct form *f, long double sum, long double bound, double here)
{
    if (s->kind == I8)
        return (uint32_t)(int64_t)sum == (uint32_t)(int64_t)here;
    long double error = f->exact ? 0 : bound * s->depth * (s->kind == F64 ? 0x1p-52L : 0x1p-23L);
    return fabsl((long double)here - sum) <= error;
}

/* Whether each element of D is right. D begins at register 64 of its file, C at 128, A at v[4] or a[4], and B at v[8]
 * or a[8]. */
static bool is_right(const struct bench *x, const struct shape *s, const struct form *f)
{
    struct gcn_wave *was = x->before;
    unsigned same[GCN_LANES], moved[GCN_LANES], line, lane;
    for (unsigned l = 0; l < GCN_LANES; l++) {
        same[l] = l;
        moved[l] = lane_of_b(f->blgp, l);
    }
    for (unsigned b = 0; b < s->blocks; b++)
        for (unsigned i = 0; i < s->size; i++)
            for (unsigned j = 0; j < s->size; j++) {
                unsigned group = 1u << f->cbsz, of = b / group * group + f->abid;
                place(s, b, i, j, &line, &lane);
                long double sum = f->constant ? 2 : result_at(s, (f->vector ? was->v : was->a) + 128, line, lane);
                long double bound = fabsl(sum);
                for (unsigned k = 0; k < s->depth; k++) {
                    long double product =
                        (long double)element(s, f->acc & 1 ? was->a + 4 : was->v + 4, of, i, k, same) *
                        element(s, f->acc & 2 ? was->a + 8 : was->v + 8, b, j, k, moved);
                    sum += product;
                    bound += fabsl(product);
                }
                double here = result_at(s, (f->vector ? x->wave->v : x->wave->a) + 64, line, lane);
                if (!agrees(s, f, sum, bound, here))
                    return false;
            }
    return true;
}

/* Whether nothing but D has changed. */
static bool is_intact(const struct bench *x, const struct shape *s, const struct form *f)
{
    unsigned lines = s->size * s->size * s->blocks / GCN_LANES * (s->kind == F64 ? 2 : 1);
    uint32_t(*const now[])[GCN_LANES] = {x->wave->v, x->wave->a},
                    (*const was[])[GCN_LANES] = {x->before->v, x->before->a};
    unsigned with_d = f->vector ? 0 : 1;
    return !memcmp(now[!with_d], was[!with_d], sizeof x->wave->v) && !memcmp(now[with_d], was[with_d], 64 * GCN_LINE) &&
           !memcmp(now[with_d] + 64 + lines, was[with_d] + 64 + lines, (GCN_VGPRS - 64 - lines) * GCN_LINE);
}

static bool multiply(struct bench *x, const struct shape *s, const struct form *f)
{
    uint32_t words[3] = {0xd3800000 | s->opcode << 16 | f->cbsz << 8 | f->abid << 11 | 64, 0, S_ENDPGM};
    words[0] |= unified && !f->vector ? 1 << 15 : 0;
    words[1] = (256 + 4) | (256 + 8) << 9 | (f->constant ? s->kind == I8 ? 130u : 244u : 256u + 128) << 18 |
               f->acc << 27 | f->blgp << 29;
    fill(x->wave, s, f);
    gcn_set64(x->wave, GCN_S_EXEC, f->abid ? 0 : random64()); /* these operations ignore it */
    return bench_run(x, words, 3, 0x2f0) && is_right(x, s, f) && is_intact(x, s, f);
}

static void test_shape(struct bench *x, const struct shape *s, const char *engine)
{
    bool good = true;
    struct form form = {0};
    for (unsigned n = 0; n < (unified ? 8 : 4); n++)
        for (form.acc = 0; form.acc < 4; form.acc++) {
            form.exact = n & 1;
            form.constant = n & 2;
            form.vector = n & 4;
            good &= multiply(x, s, &form);
        }
    ok(good, "%s: %s", engine, s->name);
    good = true;
    form = (struct form){.cbsz = 1};
    if (s->kind == F64) {
        ok(!multiply(x, s, &form) && x->wave->fault.kind == GCN_FAULT_UNIMPLEMENTED,
           "%s: %s: cbsz, whose effect on f64 is not published, is a fault", engine, s->name);
        return;
    }
    form = (struct form){0};
    for (form.cbsz = 0; 1u << form.cbsz <= s->blocks; form.cbsz++)
        for (form.abid = 0; form.abid < 1u << form.cbsz; form.abid++)
            for (form.blgp = 0; form.blgp < 8; form.blgp++)
                good &= multiply(x, s, &form);
    ok(good, "%s: %s with cbsz, abid and blgp", engine, s->name);
    form = (struct form){.cbsz = form.cbsz};
    ok(!multiply(x, s, &form) && x->wave->fault.kind == GCN_FAULT_UNIMPLEMENTED, "%s: %s: more blocks than there are",
       engine, s->name);
}

/* Denormals of f16 and bf16 matrices count as zero on gfx90a, and count on gfx908; those of f32 always count. */
static void test_denormals(struct bench *x, const char *engine)
{
    static const struct {
        unsigned opcode;
        uint32_t a, b, c, flushed, kept;
    } rows[] = {
        {74, 0x00010001, 0x64006400, 0, 0, 0x39800000},          /* 4x4x4f16: 2^-24 * 1024, four times */
        {74, 0, 0, 0x00400000, 0, 0x00400000},                   /* C alone */
        {107, 0x00400040, 0x7f007f00, 0, 0, 0x40000000},         /* 4x4x2bf16: 2^-127 * 2^127, twice */
        {66, 0x00400000, 0x7f000000, 0, 0x3f800000, 0x3f800000}, /* 4x4x1f32 */
    };
    bool good = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[3] = {0xd3808040 | rows[i].opcode << 16, (256 + 4) | (256 + 8) << 9 | (256 + 128) << 18,
                             S_ENDPGM};
        for (unsigned n = 0; n < 4; n++)
            for (unsigned l = 0; l < GCN_LANES; l++) {
                x->wave->v[4 + n][l] = rows[i].a;
                x->wave->v[8 + n][l] = rows[i].b;
                x->wave->a[128 + n][l] = rows[i].c;
            }
        good &= bench_run(x, words, 3, 0x2f0) && x->wave->a[66][17] == (unified ? rows[i].flushed : rows[i].kept);
    }
    ok(good, "%s: denormals", engine);
}

static void test_moves(struct bench *x, const char *engine)
{
    /* v_accvgpr_write_b32 a200, v3; v_accvgpr_write_b32 a201, 1.0; v_accvgpr_read_b32 v4, a202; of gfx90a also
     * v_accvgpr_mov_b32 a204, a203 */
    static const uint32_t words[] = {
        0xd3d940c8, 0x18000103, 0xd3d940c9, 0x180000f2, 0xd3d84004, 0x180001ca, S_ENDPGM, S_ENDPGM};
    uint32_t code[8];
    uint64_t exec = random64();
    fill(x->wave, &shapes[0], &(struct form){0});
    gcn_set64(x->wave, GCN_S_EXEC, exec);
    memcpy(code, words, sizeof code);
    if (unified)
        code[6] = 0x7f98a5cb;
    bool good = bench_run(x, code, 8, 0x2f0);
    for (unsigned l = 0; l < GCN_LANES && good; l++) {
        const struct gcn_wave *w = x->wave, *was = x->before;
        good = !unified || w->a[204][l] == (exec >> l & 1 ? was->a[203][l] : was->a[204][l]);
        bool on = exec >> l & 1;
        good &= w->a[200][l] == (on ? was->v[3][l] : was->a[200][l]) &&
                w->v[4][l] == (on ? was->a[202][l] : was->v[4][l]) &&
                w->a[201][l] == (on ? 0x3f800000 : was->a[201][l]);
    }
    ok(good, "%s: moves between vector and accumulation registers, in the lanes of EXEC", engine);
}

static void test_target(struct bench *x, const struct gcn_engine *engine, const char *name, bool gfx90a)
{
    char text[32];
    snprintf(text, sizeof text, "%s, %s", name, gfx90a ? "gfx90a" : "gfx908");
    unified = gfx90a;
    x->cache = gcn_cache_new(engine, gcn_target_find(gfx90a ? "gfx90a" : "gfx908", 6));
    for (size_t n = 0; n < (gfx90a ? sizeof shapes / sizeof *shapes : OLD_SHAPES); n++)
        test_shape(x, &shapes[n], text);
    test_moves(x, text);
    test_denormals(x, text);
    gcn_cache_free(x->cache);
}

int main(void)
{
    struct bench x;
    if (!bench_begin(&x))
        return 1;
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        test_target(&x, engine, engine->name, false);
        test_target(&x, engine, engine->name, true);
    }
    bench_end(&x);
    return tap_done();
}
