/* SPDX-License-Identifier: MIT */
/* Matrix operations of gfx908 and gfx90a (matrix.def), and moves between vector and accumulation registers.
 *
 * Input: lines of A, B and C; in imm CBSZ, ABID << 3 and BLGP << 7, in aux whether C is one constant. Output: lines of
 * D, all lanes whatever EXEC says. Invariant: everything is read before anything is written, as registers may overlap.
 *
 * Where elements are ("AMD Instinct MI100 Instruction Set Architecture", and AMD's matrix instruction calculator): lane
 * SIZE * (b + BLOCKS * g) + i holds row i of A, or column i of B, of block b for those PACK values of the depth, g *
 * PACK and on, that fit its register(s). Four rows of D, for f64 one, lie in adjacent registers; matrix_place() has the
 * rest.
 *
 * The order in which products are added is not published: here one after the other, each sum rounded to nearest even,
 * for f32 and f64 with the product unrounded. Denormals count, whatever MODE says, except in operations on f16 and bf16
 * of gfx90a, where those of A, B, C and D are zero. */
#include "runtime/gcn/exec/valu.h"
#include "runtime/gcn/translate/micro.h"

enum { DEPTH_PACK = 4 };

/* A or B, one line per value of the depth that a lane holds. */
struct factor {
    union {
        float f[DEPTH_PACK][GCN_LANES];
        int32_t i[DEPTH_PACK][GCN_LANES];
        double d[1][GCN_LANES];
    };
};

/* The lane whose B is used instead of the B of LANE. */
static unsigned blgp_lane(unsigned blgp, unsigned lane)
{
    switch (blgp) {
    case 0: return lane;
    case 1: return lane & 31;
    case 2: return 32 | (lane & 31);
    case 3: return (lane + 16) & 63;
    default: return 16 * (blgp - 4) | (lane & 15);
    }
}

VALU_INLINE void read_F32(struct factor *to, unsigned lane, const uint32_t *line)
{
    to->f[0][lane] = lane_f32(line[0]);
}

VALU_INLINE void read_F16(struct factor *to, unsigned lane, const uint32_t *line)
{
    for (unsigned e = 0; e < 4; e++)
        to->f[e][lane] = lane_from16(line[e / 2 * GCN_LANES] >> 16 * (e & 1) & 0xffff);
}

VALU_INLINE void read_BF16(struct factor *to, unsigned lane, const uint32_t *line)
{
    to->f[0][lane] = lane_f32(line[0] << 16);
    to->f[1][lane] = lane_f32(line[0] & 0xffff0000);
}

VALU_INLINE void read_BF16X4(struct factor *to, unsigned lane, const uint32_t *line)
{
    for (unsigned e = 0; e < 4; e++)
        to->f[e][lane] = lane_f32(line[e / 2 * GCN_LANES] >> 16 * (e & 1) << 16);
}

VALU_INLINE void read_F64(struct factor *to, unsigned lane, const uint32_t *line)
{
    to->d[0][lane] = GET_f64(line, 0);
}

VALU_INLINE void read_I8(struct factor *to, unsigned lane, const uint32_t *line)
{
    for (unsigned e = 0; e < 4; e++)
        to->i[e][lane] = (int8_t)(line[0] >> 8 * e);
}

/* Where row I of block B of D begins, as the number of the element within its lane * GCN_LANES + the lane. A row takes
 * SIZE lanes, one per column. A lane has HIGH adjacent rows as its first elements; the rows after them are in the next
 * SIZE lanes. When a block has all its rows, the next lanes have the next block. When all lanes are used, the next
 * elements of the first lanes follow. */
VALU_INLINE unsigned matrix_place(unsigned size, unsigned high, unsigned b, unsigned i)
{
    unsigned groups = GCN_LANES / size, parts = size / high, part = i / high;
    unsigned rows = parts < groups ? parts : groups, blocks = groups / rows;
    unsigned item = i % high + high * (part / rows + parts / rows * (b / blocks));
    return item * GCN_LANES + size * (part % rows + rows * (b % blocks));
}

/* Adds to ROW, a row of D, the products of the row of A, in A[E][AT + STEP * g] for all depths, with the columns of B.
 */
#define ADD_ROW(member, T, expression)                                                                                 \
    VALU_INLINE void add_row_##member(const struct factor *a, const struct factor *b, unsigned size, unsigned step,    \
                                      unsigned pack, unsigned depth, unsigned at_a, unsigned at_b, T *row)             \
    {                                                                                                                  \
        for (unsigned k = 0; k < depth; k++) {                                                                         \
            const T x = a->member[k % pack][at_a + k / pack * step];                                                   \
            const T *y = &b->member[k % pack][at_b + k / pack * step];                                                 \
            for (unsigned j = 0; j < size; j++)                                                                        \
                row[j] = expression;                                                                                   \
        }                                                                                                              \
    }
ADD_ROW(f, float, lane_fma32(x, y[j], row[j], valu_default_mode))
ADD_ROW(i, int32_t, (int32_t)((uint32_t)x *(uint32_t)y[j] + (uint32_t)row[j]))
ADD_ROW(d, double, lane_fma64(x, y[j], row[j]))

/* C into D, N elements in each lane, and D into registers. C may be one constant for all elements. */
#define GET_MATRIX(member, T, LINES_EACH, value)                                                                       \
    static void get_##member(T *d, const uint32_t *c, unsigned n, bool constant)                                       \
    {                                                                                                                  \
        for (unsigned e = 0; e < n; e++) {                                                                             \
            const uint32_t *p = c + (constant ? 0 : e * (LINES_EACH) * GCN_LANES);                                     \
            for (unsigned i = 0; i < GCN_LANES; i++)                                                                   \
                d[e * GCN_LANES + i] = value;                                                                          \
        }                                                                                                              \
    }
GET_MATRIX(f, float, 1, lane_f32(p[i]))
GET_MATRIX(i, int32_t, 1, (int32_t)p[i])
GET_MATRIX(d, double, 2, GET_f64(p, i))

static void put_f(uint32_t *to, const float *d, unsigned n)
{
    memcpy(to, d, (size_t)n * GCN_LINE);
}

static void put_i(uint32_t *to, const int32_t *d, unsigned n)
{
    memcpy(to, d, (size_t)n * GCN_LINE);
}

static void put_d(uint32_t *to, const double *d, unsigned n)
{
    for (unsigned e = 0; e < n; e++)
        for (unsigned i = 0; i < GCN_LANES; i++) {
            uint64_t bits = lane_bits64(d[e * GCN_LANES + i]);
            to[2 * e * GCN_LANES + i] = (uint32_t)bits;
            to[(2 * e + 1) * GCN_LANES + i] = (uint32_t)(bits >> 32);
        }
}

/* Makes zeros of the numbers below LEAST. */
static void matrix_flush(float *x, unsigned n, float least)
{
    for (unsigned i = 0; i < n; i++)
        x[i] = fabsf(x[i]) < least ? copysignf(0, x[i]) : x[i];
}

static void no_flush(const void *x, unsigned n, float least)
{
    (void)x, (void)n, (void)least;
}

#define PACK_F32    1
#define PACK_F16    4
#define PACK_BF16   2
#define PACK_BF16X4 4
#define PACK_I8     4
#define PACK_F64    1
#define MEMBER_F32    f, float, 4
#define MEMBER_F16    f, float, 4
#define MEMBER_BF16   f, float, 4
#define MEMBER_BF16X4 f, float, 4
#define MEMBER_I8     i, int32_t, 4
#define MEMBER_F64    d, double, 1
/* What flushes denormals where MATRIX_FLUSH asks for it, and the least numbers of A and B that are none. */
#define FLUSH_F32    no_flush, 0
#define FLUSH_F16    matrix_flush, 0x1p-14f
#define FLUSH_BF16   matrix_flush, 0x1p-126f
#define FLUSH_BF16X4 matrix_flush, 0x1p-126f
#define FLUSH_I8     no_flush, 0
#define FLUSH_F64    no_flush, 0

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)
#define MATRIX(name, form, size, depth, blocks) MATRIX_BY(name, form, MEMBER_##form, FLUSH_##form, size, depth, blocks)
#define MATRIX_BY(...) MATRIX_HANDLER(__VA_ARGS__)
#define MATRIX_HANDLER(name, form, member, T, high, flush, least, size, depth, blocks)                                 \
    HANDLER(name)                                                                                                      \
    {                                                                                                                  \
        enum { ITEMS = (size) * (size) * (blocks) / GCN_LANES };                                                       \
        const unsigned group = 1u << (op->imm & 7), chosen = (uint32_t)op->imm >> 3 & 15;                              \
        const unsigned blgp = (uint32_t)op->imm >> 7;                                                                  \
        const uint32_t *a = gcn_line(w, op->src[0]), *b = gcn_line(w, op->src[1]);                                     \
        struct factor fa, fb;                                                                                          \
        T d[ITEMS * GCN_LANES] __attribute__((aligned(64)));                                                           \
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {                                                            \
            read_##form(&fa, lane, a + lane);                                                                          \
            read_##form(&fb, lane, b + blgp_lane(blgp, lane));                                                         \
        }                                                                                                              \
        get_##member(d, gcn_line(w, op->src[2]), ITEMS, op->aux & MATRIX_CONSTANT);                                    \
        if (op->aux & MATRIX_FLUSH) {                                                                                  \
            flush(fa.f[0], PACK_##form * GCN_LANES, least);                                                            \
            flush(fb.f[0], PACK_##form * GCN_LANES, least);                                                            \
            flush(d, ITEMS * GCN_LANES, 0x1p-126f);                                                                    \
        }                                                                                                              \
        for (unsigned n = 0; n < (blocks); n++) {                                                                      \
            unsigned from = (n & ~(group - 1)) + chosen;                                                               \
            for (unsigned i = 0; i < (size); i++)                                                                      \
                add_row_##member(&fa, &fb, size, (size) * (blocks), PACK_##form, depth, (size) * from + i, (size) * n, \
                                 d + matrix_place(size, high, n, i));                                                  \
        }                                                                                                              \
        if (op->aux & MATRIX_FLUSH)                                                                                    \
            flush(d, ITEMS * GCN_LANES, 0x1p-126f);                                                                    \
        put_##member(gcn_dst(w, op->dst), d, ITEMS);                                                                   \
        return op + 1;                                                                                                 \
    }
#include "runtime/gcn/tables/matrix.def"
#undef MATRIX

HANDLER(move)
{
    const uint32_t *src = gcn_line(w, op->src[0]), *mask = gcn_mask(w);
    uint32_t *dst = gcn_dst(w, op->dst);
    GCN_LANE_LOOP
    VALU_BLEND(dst, i, src[i], mask[i]);
    return op + 1;
}

const struct gcn_handler_row GCN_SIMD_SYM(gcn_matrix_handlers)[] = {
#define MATRIX(name, form, size, depth, blocks) {GCN_OP_v_mfma_##name, name},
#include "runtime/gcn/tables/matrix.def"
#undef MATRIX
    {GCN_OP_v_accvgpr_read_b32, move},
    {GCN_OP_v_accvgpr_write_b32, move},
    {GCN_OP_v_accvgpr_mov_b32, move},
    {0, NULL},
};
