/* SPDX-License-Identifier: MIT */
/* What the micro-operations of runtime/gcn/ops/micro.def do to one lane; see micro.h. */
#ifndef RUNTIME_GCN_LANE_MICRO_H
#define RUNTIME_GCN_LANE_MICRO_H

#include "runtime/gcn/exec/lane_int.h"
#include "runtime/gcn/exec/valu.h"
#include "runtime/gcn/inst/inst.h"
#include "runtime/gcn/translate/micro.h"

/* In aux of output micro-operations. */
enum { MICRO_CLAMP = 1, MICRO_NAN_TO_ZERO = 2 };

/* Bits and position of an SDWA selection. */
LANE uint32_t micro_bits(uint32_t select)
{
    return select == GCN_SEL_DWORD ? 32 : select >= GCN_SEL_WORD_0 ? 16 : 8;
}

LANE uint32_t micro_shift(uint32_t select)
{
    return select == GCN_SEL_DWORD ? 0 : (select >= GCN_SEL_WORD_0 ? 16 * (select - GCN_SEL_WORD_0) : 8 * select) & 31;
}

LANE uint32_t micro_select(uint32_t x, uint32_t imm, uint32_t aux)
{
    uint32_t bits = micro_bits(imm & 7), sign = (imm >> 3 & 1) << (bits - 1);
    uint32_t top = aux & MICRO_SIGN32 ? 0x80000000 : 0x8000;
    uint32_t drop = aux & MICRO_ABS ? top : 0, flip = aux & MICRO_NEG ? top : 0;
    x = x >> micro_shift(imm & 7) & (UINT32_MAX >> (32 - bits));
    return (((x ^ sign) - sign) & ~drop) ^ flip;
}

LANE uint32_t micro_packed(uint32_t x, uint32_t imm)
{
    uint32_t low = imm & MICRO_LO_HIGH ? 16 : 0, high = imm & MICRO_HI_HIGH ? 16 : 0;
    uint32_t flip = (imm & MICRO_LO_NEG ? 0x8000 : 0) | (imm & MICRO_HI_NEG ? 0x80000000 : 0);
    return ((x >> low & 0xffff) | x >> high << 16) ^ flip;
}

LANE uint32_t micro_mix(uint32_t x, uint32_t imm)
{
    uint32_t shift = imm & MICRO_HIGH ? 16 : 0;
    uint32_t drop = imm & MICRO_MIX_ABS ? 0x80000000 : 0, flip = imm & MICRO_MIX_NEG ? 0x80000000 : 0;
    return (lane_bits32(lane_number16(x >> shift & 0xffff)) & ~drop) ^ flip;
}

LANE uint32_t micro_place(uint32_t x, uint32_t old, uint32_t imm)
{
    uint32_t shift = micro_shift(imm & 7), end = shift + micro_bits(imm & 7), unused = imm >> 3;
    uint32_t field = UINT32_MAX >> (32 - micro_bits(imm & 7)) << shift;
    uint32_t kept = unused == GCN_UNUSED_PRESERVE ? ~field : 0;
    uint32_t above = unused == GCN_UNUSED_SEXT && end < 32 ? UINT32_MAX << (end & 31) : 0;
    x = x << shift & field;
    return x | (-(x >> (end - 1) & 1) & above) | (old & kept);
}

/* Output modifier (*2, *4, /2; -0 becomes +0), then clamp to [0, 1]. */
#define MICRO_OUTPUT_OF(name, type, bits, of_bits, to_bits, isnan)                                           \
    LANE type name(type x, uint32_t omod, uint32_t aux)                                                      \
    {                                                                                                        \
        x = omod == GCN_OMOD_MUL2   ? x * 2                                                                  \
            : omod == GCN_OMOD_MUL4 ? x * 4                                                                  \
            : omod == GCN_OMOD_DIV2 ? x / 2                                                                  \
                                    : x;                                                                     \
        x = omod && x == 0 ? 0 : x;                                                                          \
        type y = x > 0 ? x : 0;                                                                              \
        y = y > 1 ? 1 : y;                                                                                   \
        bits use = -(bits)(aux & ((uint32_t)!isnan(x) | aux >> 1) & 1);                                      \
        return of_bits((to_bits(y) & use) | (to_bits(x) & ~use));                                            \
    }
MICRO_OUTPUT_OF(micro_output32, float, uint32_t, lane_f32, lane_bits32, lane_isnan32)
MICRO_OUTPUT_OF(micro_output64, double, uint64_t, lane_f64, lane_bits64, lane_isnan64)

#define MICRO_CORE(id, R, A, EXPR)                                                                           \
    VALU_INLINE void id##_micro(uint32_t *dst, const uint32_t *pa, const uint32_t *mask,                     \
                                const struct lane_mode m, const uint32_t imm, const uint32_t aux)            \
    {                                                                                                        \
        (void)m, (void)pa, (void)imm, (void)aux;                                                             \
        GCN_LANE_LOOP                                                                                        \
        {                                                                                                    \
            const T_##A a = GET_##A(pa, i);                                                                  \
            const T_##R d = GET_##R(dst, i);                                                                 \
            (void)a, (void)d;                                                                                \
            const T_##R r = (EXPR);                                                                          \
            const uint32_t keep = mask ? mask[i] : UINT32_MAX;                                               \
            (void)keep;                                                                                      \
            PUT_##R(dst, i, r, keep, m);                                                                     \
        }                                                                                                    \
    }

#endif
