/* SPDX-License-Identifier: MIT */
/* Compares scalar ALU operations with a model that is written from the published pseudo-code, and works bit by bit
 * where the pseudo-code does. The sources are pairs of edge and random values, SCC is 0 or 1, and EXEC is random. */
#include "testsuite/gcn/exec_harness.h"

/* What an operation reads and writes. With SOPK, B is the immediate. */
struct state {
    uint64_t a, b, d, exec;
    bool scc;
};
typedef void model(struct state *x);

static uint64_t bits(uint64_t value, unsigned count)
{
    return count >= 64 ? value : value & (((uint64_t)1 << count) - 1);
}

static bool bit(uint64_t value, unsigned i)
{
    return value >> i & 1;
}

static int64_t sext(uint64_t value, unsigned count)
{
    return count == 0 ? 0 : count >= 64 ? (int64_t)value : (int64_t)(value << (64 - count)) >> (64 - count);
}

/* These set the result of the operation to VALUE, of SIZE bits. The second also sets SCC to whether it is not zero. */
static void result(struct state *x, uint64_t value, unsigned size)
{
    x->d = bits(value, size);
}

static void result_scc(struct state *x, uint64_t value, unsigned size)
{
    x->d = bits(value, size);
    x->scc = x->d != 0;
}

static uint64_t wqm(uint64_t a, unsigned size)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < size; i++)
        if (bits(a >> (i & ~3u), 4))
            d |= (uint64_t)1 << i;
    return d;
}

static uint64_t reverse(uint64_t a, unsigned size)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < size; i++)
        d |= (uint64_t)bit(a, i) << (size - 1 - i);
    return d;
}

static uint64_t count(uint64_t a, unsigned size, bool of)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < size; i++)
        n += bit(a, i) == of;
    return n;
}

static uint64_t first(uint64_t a, unsigned size, bool of)
{
    for (unsigned i = 0; i < size; i++)
        if (bit(a, i) == of)
            return i;
    return UINT64_MAX;
}

static uint64_t first_from_top(uint64_t a, unsigned size, bool from, bool of)
{
    for (unsigned i = from; i < size; i++)
        if (bit(a, size - 1 - i) == of)
            return i;
    return UINT64_MAX;
}

static uint64_t quadmask(uint64_t a, unsigned size)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < size / 4; i++)
        d |= (uint64_t)(bits(a >> (4 * i), 4) != 0) << i;
    return d;
}

static uint64_t replicate(uint64_t a)
{
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++)
        if (bit(a, i))
            d |= (uint64_t)3 << (2 * i);
    return d;
}

static void arithmetic(struct state *x, __int128 exact, bool is_signed)
{
    x->d = bits((uint64_t)exact, 32);
    x->scc = exact != (is_signed ? (__int128)(int32_t)x->d : (__int128)(uint32_t)x->d);
}

static void choose(struct state *x, bool of_a)
{
    x->scc = of_a;
    x->d = of_a ? x->a : x->b;
}

static void bfe(struct state *x, unsigned size, bool is_signed)
{
    unsigned offset = (unsigned)bits(x->b, size == 32 ? 5 : 6), width = (unsigned)bits(x->b >> 16, 7);
    uint64_t value = 0;
    for (unsigned i = 0; i < width && i < size; i++) {
        unsigned from = offset + i;
        bool set = from < size ? bit(x->a, from) : is_signed && bit(x->a, size - 1);
        value |= (uint64_t)set << i;
    }
    if (is_signed && width && width < size)
        value = (uint64_t)sext(value, width);
    result_scc(x, value, size);
}

static void save(struct state *x, uint64_t exec, bool old)
{
    x->d = old ? x->exec : exec;
    x->exec = exec;
    x->scc = exec != 0;
}

/* OPS(name, bits of d, a, b, what the model does): 0 bits = no such operand. */
#define S32(value) ((int32_t)(value))
#define OPS                                                                                             \
    OP(s_mov_b32, 32, 32, 0, result(x, x->a, 32))                                                       \
    OP(s_mov_b64, 64, 64, 0, result(x, x->a, 64))                                                       \
    OP(s_cmov_b32, 32, 32, 0, if (x->scc) result(x, x->a, 32))                                          \
    OP(s_cmov_b64, 64, 64, 0, if (x->scc) result(x, x->a, 64))                                          \
    OP(s_not_b32, 32, 32, 0, result_scc(x, ~x->a, 32))                                                  \
    OP(s_not_b64, 64, 64, 0, result_scc(x, ~x->a, 64))                                                  \
    OP(s_wqm_b32, 32, 32, 0, result_scc(x, wqm(x->a, 32), 32))                                          \
    OP(s_wqm_b64, 64, 64, 0, result_scc(x, wqm(x->a, 64), 64))                                          \
    OP(s_brev_b32, 32, 32, 0, result(x, reverse(x->a, 32), 32))                                         \
    OP(s_brev_b64, 64, 64, 0, result(x, reverse(x->a, 64), 64))                                         \
    OP(s_bcnt0_i32_b32, 32, 32, 0, result_scc(x, count(x->a, 32, 0), 32))                               \
    OP(s_bcnt0_i32_b64, 32, 64, 0, result_scc(x, count(x->a, 64, 0), 32))                               \
    OP(s_bcnt1_i32_b32, 32, 32, 0, result_scc(x, count(x->a, 32, 1), 32))                               \
    OP(s_bcnt1_i32_b64, 32, 64, 0, result_scc(x, count(x->a, 64, 1), 32))                               \
    OP(s_ff0_i32_b32, 32, 32, 0, result(x, first(x->a, 32, 0), 32))                                     \
    OP(s_ff0_i32_b64, 32, 64, 0, result(x, first(x->a, 64, 0), 32))                                     \
    OP(s_ff1_i32_b32, 32, 32, 0, result(x, first(x->a, 32, 1), 32))                                     \
    OP(s_ff1_i32_b64, 32, 64, 0, result(x, first(x->a, 64, 1), 32))                                     \
    OP(s_flbit_i32_b32, 32, 32, 0, result(x, first_from_top(x->a, 32, 0, 1), 32))                       \
    OP(s_flbit_i32_b64, 32, 64, 0, result(x, first_from_top(x->a, 64, 0, 1), 32))                       \
    OP(s_flbit_i32, 32, 32, 0, result(x, first_from_top(x->a, 32, 1, !bit(x->a, 31)), 32))              \
    OP(s_flbit_i32_i64, 32, 64, 0, result(x, first_from_top(x->a, 64, 1, !bit(x->a, 63)), 32))          \
    OP(s_sext_i32_i8, 32, 32, 0, result(x, (uint64_t)sext(x->a, 8), 32))                                \
    OP(s_sext_i32_i16, 32, 32, 0, result(x, (uint64_t)sext(x->a, 16), 32))                              \
    OP(s_bitset0_b32, 32, 32, 0, result(x, x->d & ~((uint64_t)1 << x->a % 32), 32))                     \
    OP(s_bitset0_b64, 64, 32, 0, result(x, x->d & ~((uint64_t)1 << x->a % 64), 64))                     \
    OP(s_bitset1_b32, 32, 32, 0, result(x, x->d | (uint64_t)1 << x->a % 32, 32))                        \
    OP(s_bitset1_b64, 64, 32, 0, result(x, x->d | (uint64_t)1 << x->a % 64, 64))                        \
    OP(s_and_saveexec_b64, 64, 64, 0, save(x, x->a & x->exec, true))                                    \
    OP(s_or_saveexec_b64, 64, 64, 0, save(x, x->a | x->exec, true))                                     \
    OP(s_xor_saveexec_b64, 64, 64, 0, save(x, x->a ^ x->exec, true))                                    \
    OP(s_andn2_saveexec_b64, 64, 64, 0, save(x, x->a & ~x->exec, true))                                 \
    OP(s_orn2_saveexec_b64, 64, 64, 0, save(x, x->a | ~x->exec, true))                                  \
    OP(s_nand_saveexec_b64, 64, 64, 0, save(x, ~(x->a & x->exec), true))                                \
    OP(s_nor_saveexec_b64, 64, 64, 0, save(x, ~(x->a | x->exec), true))                                 \
    OP(s_xnor_saveexec_b64, 64, 64, 0, save(x, ~(x->a ^ x->exec), true))                                \
    OP(s_andn1_saveexec_b64, 64, 64, 0, save(x, ~x->a & x->exec, true))                                 \
    OP(s_orn1_saveexec_b64, 64, 64, 0, save(x, ~x->a | x->exec, true))                                  \
    OP(s_andn1_wrexec_b64, 64, 64, 0, save(x, ~x->a & x->exec, false))                                  \
    OP(s_andn2_wrexec_b64, 64, 64, 0, save(x, x->a & ~x->exec, false))                                  \
    OP(s_quadmask_b32, 32, 32, 0, result_scc(x, quadmask(x->a, 32), 32))                                \
    OP(s_quadmask_b64, 64, 64, 0, result_scc(x, quadmask(x->a, 64), 64))                                \
    OP(s_abs_i32, 32, 32, 0, result_scc(x, S32(x->a) < 0 ? 0 - x->a : x->a, 32))                        \
    OP(s_bitreplicate_b64_b32, 64, 32, 0, result(x, replicate(x->a), 64))                               \
    OP(s_add_u32, 32, 32, 32, arithmetic(x, (__int128)x->a + x->b, false))                              \
    OP(s_sub_u32, 32, 32, 32, arithmetic(x, (__int128)x->a - x->b, false))                              \
    OP(s_add_i32, 32, 32, 32, arithmetic(x, (__int128)S32(x->a) + S32(x->b), true))                     \
    OP(s_sub_i32, 32, 32, 32, arithmetic(x, (__int128)S32(x->a) - S32(x->b), true))                     \
    OP(s_addc_u32, 32, 32, 32, arithmetic(x, (__int128)x->a + x->b + x->scc, false))                    \
    OP(s_subb_u32, 32, 32, 32, arithmetic(x, (__int128)x->a - x->b - x->scc, false))                    \
    OP(s_min_i32, 32, 32, 32, choose(x, S32(x->a) < S32(x->b)))                                         \
    OP(s_min_u32, 32, 32, 32, choose(x, x->a < x->b))                                                   \
    OP(s_max_i32, 32, 32, 32, choose(x, S32(x->a) >= S32(x->b)))                                        \
    OP(s_max_u32, 32, 32, 32, choose(x, x->a >= x->b))                                                  \
    OP(s_cselect_b32, 32, 32, 32, x->d = x->scc ? x->a : x->b)                                          \
    OP(s_cselect_b64, 64, 64, 64, x->d = x->scc ? x->a : x->b)                                          \
    OP(s_and_b32, 32, 32, 32, result_scc(x, x->a & x->b, 32))                                           \
    OP(s_and_b64, 64, 64, 64, result_scc(x, x->a & x->b, 64))                                           \
    OP(s_or_b32, 32, 32, 32, result_scc(x, x->a | x->b, 32))                                            \
    OP(s_or_b64, 64, 64, 64, result_scc(x, x->a | x->b, 64))                                            \
    OP(s_xor_b32, 32, 32, 32, result_scc(x, x->a ^ x->b, 32))                                           \
    OP(s_xor_b64, 64, 64, 64, result_scc(x, x->a ^ x->b, 64))                                           \
    OP(s_andn2_b32, 32, 32, 32, result_scc(x, x->a & ~x->b, 32))                                        \
    OP(s_andn2_b64, 64, 64, 64, result_scc(x, x->a & ~x->b, 64))                                        \
    OP(s_orn2_b32, 32, 32, 32, result_scc(x, x->a | ~x->b, 32))                                         \
    OP(s_orn2_b64, 64, 64, 64, result_scc(x, x->a | ~x->b, 64))                                         \
    OP(s_nand_b32, 32, 32, 32, result_scc(x, ~(x->a & x->b), 32))                                       \
    OP(s_nand_b64, 64, 64, 64, result_scc(x, ~(x->a & x->b), 64))                                       \
    OP(s_nor_b32, 32, 32, 32, result_scc(x, ~(x->a | x->b), 32))                                        \
    OP(s_nor_b64, 64, 64, 64, result_scc(x, ~(x->a | x->b), 64))                                        \
    OP(s_xnor_b32, 32, 32, 32, result_scc(x, ~(x->a ^ x->b), 32))                                       \
    OP(s_xnor_b64, 64, 64, 64, result_scc(x, ~(x->a ^ x->b), 64))                                       \
    OP(s_lshl_b32, 32, 32, 32, result_scc(x, x->a << x->b % 32, 32))                                    \
    OP(s_lshl_b64, 64, 64, 32, result_scc(x, x->a << x->b % 64, 64))                                    \
    OP(s_lshr_b32, 32, 32, 32, result_scc(x, x->a >> x->b % 32, 32))                                    \
    OP(s_lshr_b64, 64, 64, 32, result_scc(x, x->a >> x->b % 64, 64))                                    \
    OP(s_ashr_i32, 32, 32, 32, result_scc(x, (uint64_t)(sext(x->a, 32) >> x->b % 32), 32))              \
    OP(s_ashr_i64, 64, 64, 32, result_scc(x, (uint64_t)((int64_t)x->a >> x->b % 64), 64))               \
    OP(s_bfm_b32, 32, 32, 32, result(x, bits(UINT64_MAX, x->a % 32) << x->b % 32, 32))                  \
    OP(s_bfm_b64, 64, 32, 32, result(x, bits(UINT64_MAX, x->a % 64) << x->b % 64, 64))                  \
    OP(s_mul_i32, 32, 32, 32, result(x, x->a * x->b, 32))                                               \
    OP(s_bfe_u32, 32, 32, 32, bfe(x, 32, false))                                                        \
    OP(s_bfe_i32, 32, 32, 32, bfe(x, 32, true))                                                         \
    OP(s_bfe_u64, 64, 64, 32, bfe(x, 64, false))                                                        \
    OP(s_bfe_i64, 64, 64, 32, bfe(x, 64, true))                                                         \
    OP(s_absdiff_i32, 32, 32, 32, uint32_t t = (uint32_t)(x->a - x->b);                                 \
       result_scc(x, S32(t) < 0 ? 0 - t : t, 32))                                                       \
    OP(s_mul_hi_u32, 32, 32, 32, result(x, x->a * x->b >> 32, 32))                                      \
    OP(s_mul_hi_i32, 32, 32, 32, result(x, (uint64_t)((sext(x->a, 32) * sext(x->b, 32)) >> 32), 32))    \
    OP(s_lshl1_add_u32, 32, 32, 32, arithmetic(x, ((__int128)x->a << 1) + x->b, false))                 \
    OP(s_lshl2_add_u32, 32, 32, 32, arithmetic(x, ((__int128)x->a << 2) + x->b, false))                 \
    OP(s_lshl3_add_u32, 32, 32, 32, arithmetic(x, ((__int128)x->a << 3) + x->b, false))                 \
    OP(s_lshl4_add_u32, 32, 32, 32, arithmetic(x, ((__int128)x->a << 4) + x->b, false))                 \
    OP(s_pack_ll_b32_b16, 32, 32, 32, result(x, bits(x->a, 16) | bits(x->b, 16) << 16, 32))             \
    OP(s_pack_lh_b32_b16, 32, 32, 32, result(x, bits(x->a, 16) | x->b >> 16 << 16, 32))                 \
    OP(s_pack_hh_b32_b16, 32, 32, 32, result(x, x->a >> 16 | x->b >> 16 << 16, 32))                     \
    OP(s_cmp_eq_i32, 0, 32, 32, x->scc = S32(x->a) == S32(x->b))                                        \
    OP(s_cmp_lg_i32, 0, 32, 32, x->scc = S32(x->a) != S32(x->b))                                        \
    OP(s_cmp_gt_i32, 0, 32, 32, x->scc = S32(x->a) > S32(x->b))                                         \
    OP(s_cmp_ge_i32, 0, 32, 32, x->scc = S32(x->a) >= S32(x->b))                                        \
    OP(s_cmp_lt_i32, 0, 32, 32, x->scc = S32(x->a) < S32(x->b))                                         \
    OP(s_cmp_le_i32, 0, 32, 32, x->scc = S32(x->a) <= S32(x->b))                                        \
    OP(s_cmp_eq_u32, 0, 32, 32, x->scc = x->a == x->b)                                                  \
    OP(s_cmp_lg_u32, 0, 32, 32, x->scc = x->a != x->b)                                                  \
    OP(s_cmp_gt_u32, 0, 32, 32, x->scc = x->a > x->b)                                                   \
    OP(s_cmp_ge_u32, 0, 32, 32, x->scc = x->a >= x->b)                                                  \
    OP(s_cmp_lt_u32, 0, 32, 32, x->scc = x->a < x->b)                                                   \
    OP(s_cmp_le_u32, 0, 32, 32, x->scc = x->a <= x->b)                                                  \
    OP(s_cmp_eq_u64, 0, 64, 64, x->scc = x->a == x->b)                                                  \
    OP(s_cmp_lg_u64, 0, 64, 64, x->scc = x->a != x->b)                                                  \
    OP(s_bitcmp0_b32, 0, 32, 32, x->scc = !bit(x->a, x->b % 32))                                        \
    OP(s_bitcmp1_b32, 0, 32, 32, x->scc = bit(x->a, x->b % 32))                                         \
    OP(s_bitcmp0_b64, 0, 64, 32, x->scc = !bit(x->a, x->b % 64))                                        \
    OP(s_bitcmp1_b64, 0, 64, 32, x->scc = bit(x->a, x->b % 64))                                         \
    OP(s_cmpk_eq_i32, 0, 32, 16, x->scc = S32(x->a) == (int16_t)x->b)                                   \
    OP(s_cmpk_lg_i32, 0, 32, 16, x->scc = S32(x->a) != (int16_t)x->b)                                   \
    OP(s_cmpk_gt_i32, 0, 32, 16, x->scc = S32(x->a) > (int16_t)x->b)                                    \
    OP(s_cmpk_ge_i32, 0, 32, 16, x->scc = S32(x->a) >= (int16_t)x->b)                                   \
    OP(s_cmpk_lt_i32, 0, 32, 16, x->scc = S32(x->a) < (int16_t)x->b)                                    \
    OP(s_cmpk_le_i32, 0, 32, 16, x->scc = S32(x->a) <= (int16_t)x->b)                                   \
    OP(s_cmpk_eq_u32, 0, 32, 16, x->scc = x->a == bits(x->b, 16))                                       \
    OP(s_cmpk_lg_u32, 0, 32, 16, x->scc = x->a != bits(x->b, 16))                                       \
    OP(s_cmpk_gt_u32, 0, 32, 16, x->scc = x->a > bits(x->b, 16))                                        \
    OP(s_cmpk_ge_u32, 0, 32, 16, x->scc = x->a >= bits(x->b, 16))                                       \
    OP(s_cmpk_lt_u32, 0, 32, 16, x->scc = x->a < bits(x->b, 16))                                        \
    OP(s_cmpk_le_u32, 0, 32, 16, x->scc = x->a <= bits(x->b, 16))                                       \
    OP(s_movk_i32, 32, 0, 16, result(x, (uint64_t)sext(x->b, 16), 32))                                  \
    OP(s_cmovk_i32, 32, 0, 16, if (x->scc) result(x, (uint64_t)sext(x->b, 16), 32))                     \
    OP(s_addk_i32, 32, 0, 16, arithmetic(x, (__int128)S32(x->d) + sext(x->b, 16), true))                \
    OP(s_mulk_i32, 32, 0, 16, result(x, x->d * (uint64_t)sext(x->b, 16), 32))

#define OP(name, d, a, b, ...)                                                                          \
    static void model_##name(struct state *x)                                                           \
    {                                                                                                   \
        __VA_ARGS__;                                                                                    \
    }
OPS
#undef OP

    static const struct row {
    const char *name;
    unsigned id, d, a, b;
    model *model;
} rows[] = {
#define OP(name, d, a, b, ...) {#name, GCN_OP_##name, d, a, b, model_##name},
    OPS
#undef OP
};

static const uint64_t edge[] = {
    0,
    1,
    2,
    3,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x200000,
    0x210004,
    0x3F0001,
    0x400000,
    0x7F0000,
    0x1F001F,
    0x20001F,
    0x55555555,
    0x80000000,
    0x80000001,
    0x7FFFFFFF,
    0xFFFFFFFE,
    0xFFFFFFFF,
    0xFFFF8000,
    0x100000000,
    0x8000000000000000,
    0x7FFFFFFFFFFFFFFF,
    0xFFFFFFFF00000000,
    0xFFFFFFFFFFFFFFFF,
    0x123456789ABCDEF0,
    0x0F00000000F00000,
};
enum { EDGES = sizeof edge / sizeof edge[0], VALUES = EDGES + 20 };

static uint64_t value_of(unsigned i)
{
    return i < EDGES ? edge[i] : random64() >> (random64() & 31);
}

/* Runs ROW on A and B; DST, A and B may share registers. */
static bool agrees(const struct row *row, uint64_t a, uint64_t b, bool scc, unsigned dst, unsigned src)
{
    uint64_t exec = random64(), old = random64();
    struct state x = {bits(a, row->a), bits(b, row->b), 0, exec, scc};
    gcn_set64(wave, GCN_S_EXEC, exec);
    gcn_set64(wave, dst, old);
    gcn_set64(wave, 20, b);
    gcn_set64(wave, src, a); /* last: DST may be SRC */
    if (src == GCN_S_EXEC)
        x.exec = a;
    x.d = bits(gcn_get64(wave, dst), row->d);
    uint64_t beyond = gcn_get64(wave, dst) >> 32;
    wave->scc = scc;
    row->model(&x);
    bool k = row->b == 16;
    if (!run(row->id, s(dst),
             k && row->a ? s(src)
             : k         ? s(dst)
                         : s(src),
             row->b && !k ? s(20) : ZERO, ZERO, k ? (int16_t)b : 0, 0))
        return false;
    uint64_t d = gcn_get64(wave, dst), want_exec = x.exec;
    if (row->d == 32 && d >> 32 != beyond)
        return false;
    return (!row->d || bits(d, row->d) == x.d) && wave->scc == x.scc && gcn_exec(wave) == want_exec;
}

static void check(const struct row *row)
{
    unsigned wrong = 0, aliased = 0;
    for (unsigned i = 0; i < VALUES; i++)
        for (unsigned j = 0; j < (row->b ? VALUES : 1); j++) {
            uint64_t a = value_of(i), b = value_of(j);
            for (unsigned scc = 0; scc < 2; scc++) {
                if (!agrees(row, a, b, scc, 30, 10) && !wrong++)
                    printf("# %s of %llx, %llx, scc %u: %llx, scc %u\n", row->name, (unsigned long long)a,
                           (unsigned long long)b, scc, (unsigned long long)gcn_get64(wave, 30), wave->scc);
                aliased += row->a && row->d == row->a && !agrees(row, a, b, scc, 10, 10);
            }
        }
    ok(!wrong && !aliased, "%s", row->name);
}

static void check_indexed(void)
{
    new_wave(~UINT64_C(0));
    wave->s[GCN_S_M0] = 7;
    wave->s[17] = 0x1234;
    wave->s[18] = 0x5678;
    ok(run(GCN_OP_s_movrels_b32, s(3), s(10), ZERO, ZERO, 0, 0) && wave->s[3] == 0x1234, "s_movrels_b32");
    ok(run(GCN_OP_s_movreld_b32, s(11), s(17), ZERO, ZERO, 0, 0) && wave->s[18] == 0x1234, "s_movreld_b32");
    wave->s[GCN_S_M0] = 8;
    ok(run(GCN_OP_s_movrels_b64, s(4), s(10), ZERO, ZERO, 0, 0) && wave->s[4] == 0x1234 && wave->s[5] == wave->s[19],
       "s_movrels_b64");
    ok(run(GCN_OP_s_movreld_b64, s(12), s(18), ZERO, ZERO, 0, 0) && wave->s[20] == 0x1234 && wave->s[21] == wave->s[19],
       "s_movreld_b64");
    struct gcn_wave *before = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
    bool same = true;
    for (unsigned i = 0; i < 5; i++) {
        static const uint32_t far[] = {128, 1u << 20, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFF00};
        wave->s[GCN_S_M0] = far[i];
        memcpy(before, wave, sizeof *wave);
        run(GCN_OP_s_movreld_b32, s(10), s(17), ZERO, ZERO, 0, 0);
        run(GCN_OP_s_movreld_b64, s(10), s(18), ZERO, ZERO, 0, 0);
        same = same && !memcmp(before, wave, sizeof *wave);
        wave->s[30] = 1;
        run(GCN_OP_s_movrels_b32, s(30), s(10), ZERO, ZERO, 0, 0);
        same = same && !wave->s[30];
    }
    free(before);
    ok(same, "indices outside the register file neither write nor read");
}

int main(void)
{
    next_engine(); /* scalar operations are built once */
    new_wave(~UINT64_C(0));
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
    check_indexed();
    free(wave);
    gcn_cache_free(cache);
    return tap_done();
}
