/* SPDX-License-Identifier: MIT */
/* Matrix operations of gfx908 (matrix.def), and moves between vector and accumulation registers.
 *
 * Input: lines of A, B and C; in imm CBSZ, ABID << 3 and BLGP << 7, in aux whether C is one constant. Output: lines of
 * D, all lanes whatever EXEC says. Invariant: everything is read before anything is written, as registers may overlap.
 *
 * Where elements are ("AMD Instinct MI100 Instruction Set Architecture", and AMD's matrix instruction calculator): lane
 * SIZE * g + i holds row i of A, or column i of B, for those PACK values of the depth, g * PACK and on, that fit its
 * register(s); with several blocks g is the block. Four rows of D lie in adjacent registers: rows 4q to 4q + 3 of a
 * block in the lanes from SIZE * (q % n) on, n being 64 / SIZE, and the registers from 4 * (q / n) on. With 16 blocks
 * of 4 rows each block has its own lanes.
 *
 * The order in which products are added is not published: here one after the other, each sum rounded to nearest even,
 * for f32 with the product unrounded. Denormals count, whatever MODE says. */
#include "runtime/gcn/exec/valu.h"

enum { ROWS_AT_ONCE = 4, DEPTH_PACK = 4 };

/* A or B, one line per value of the depth that a lane holds. */
struct factor {
    union {
        float f[DEPTH_PACK][GCN_LANES];
        int32_t i[DEPTH_PACK][GCN_LANES];
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

VALU_INLINE void read_I8(struct factor *to, unsigned lane, const uint32_t *line)
{
    for (unsigned e = 0; e < 4; e++)
        to->i[e][lane] = (int8_t)(line[0] >> 8 * e);
}

/* Where row I of block B of D begins: register * GCN_LANES + lane. */
VALU_INLINE unsigned matrix_place(unsigned size, unsigned b, unsigned i)
{
    unsigned n = GCN_LANES / size, quad = i / ROWS_AT_ONCE;
    if (size == ROWS_AT_ONCE)
        return i * GCN_LANES + size * b;
    return (b * size / n + quad / n * ROWS_AT_ONCE + i % ROWS_AT_ONCE) * GCN_LANES + size * (quad % n);
}

/* Adds to ROW, a row of D, the products of the row of A, in A[E][AT + STEP * g] for all depths, with the columns of B.
 */
#define ADD_ROW(member, T, expression)                                                                                 \
    VALU_INLINE void add_row_##member(const struct factor *a, const struct factor *b, unsigned size, unsigned pack,    \
                                      unsigned depth, unsigned at_a, unsigned at_b, T *row)                            \
    {                                                                                                                  \
        for (unsigned k = 0; k < depth; k++) {                                                                         \
            const T x = a->member[k % pack][at_a + k / pack * size];                                                   \
            const T *y = &b->member[k % pack][at_b + k / pack * size];                                                 \
            for (unsigned j = 0; j < size; j++)                                                                        \
                row[j] = expression;                                                                                   \
        }                                                                                                              \
    }
ADD_ROW(f, float, lane_fma32(x, y[j], row[j], valu_default_mode))
ADD_ROW(i, int32_t, (int32_t)((uint32_t)x *(uint32_t)y[j] + (uint32_t)row[j]))

#define PACK_F32  1
#define PACK_F16  4
#define PACK_BF16 2
#define PACK_I8   4
#define MEMBER_F32  f, float
#define MEMBER_F16  f, float
#define MEMBER_BF16 f, float
#define MEMBER_I8   i, int32_t

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)
#define MATRIX(name, form, size, depth, blocks) MATRIX_BY(name, form, MEMBER_##form, size, depth, blocks)
#define MATRIX_BY(...) MATRIX_HANDLER(__VA_ARGS__)
#define MATRIX_HANDLER(name, form, member, T, size, depth, blocks)                                                     \
    HANDLER(name)                                                                                                      \
    {                                                                                                                  \
        enum { LINES = (size) * (size) * (blocks) / GCN_LANES };                                                       \
        const unsigned group = 1u << (op->imm & 7), chosen = (uint32_t)op->imm >> 3 & 15;                              \
        const unsigned blgp = (uint32_t)op->imm >> 7;                                                                  \
        const uint32_t *a = gcn_line(w, op->src[0]), *b = gcn_line(w, op->src[1]), *c = gcn_line(w, op->src[2]);       \
        struct factor fa, fb;                                                                                          \
        T d[LINES * GCN_LANES] __attribute__((aligned(64)));                                                           \
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {                                                            \
            read_##form(&fa, lane, a + lane);                                                                          \
            read_##form(&fb, lane, b + blgp_lane(blgp, lane));                                                         \
        }                                                                                                              \
        if (op->aux)                                                                                                   \
            for (unsigned i = 0; i < LINES; i++)                                                                       \
                memcpy(d + i * GCN_LANES, c, GCN_LINE);                                                                \
        else                                                                                                           \
            memcpy(d, c, sizeof d);                                                                                    \
        for (unsigned n = 0; n < (blocks); n++) {                                                                      \
            unsigned from = (n & ~(group - 1)) + chosen;                                                               \
            for (unsigned i = 0; i < (size); i++)                                                                      \
                add_row_##member(&fa, &fb, size, PACK_##form, depth, (size) * from + i, (size) * n,                    \
                                 d + matrix_place(size, n, i));                                                            \
        }                                                                                                              \
        memcpy(gcn_dst(w, op->dst), d, sizeof d);                                                                      \
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
    {0, NULL},
};
