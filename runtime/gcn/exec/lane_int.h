/* SPDX-License-Identifier: MIT */
/* Integer operations on one lane that C does not have as an operator; see lane.h. */
#ifndef RUNTIME_GCN_LANE_INT_H
#define RUNTIME_GCN_LANE_INT_H

#include "runtime/gcn/exec/lane.h"

/* Compilers know the way to sum up the bytes by a multiplication, and make of it an instruction for one lane; in
 * templates, which become vector code in any case, LLVM does what is best for the host. */
LANE uint32_t lane_popcount(uint32_t x)
{
#ifdef LANE_TEMPLATES
    return (uint32_t)__builtin_popcount(x);
#else
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    x += x >> 8;
    return (x + (x >> 16)) & 63;
#endif
}

/* How many of the bits BELOW a lane MASK has. */
LANE uint32_t lane_count_below(uint32_t mask, uint32_t below)
{
    return lane_popcount(mask & below);
}

LANE uint32_t lane_reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}

/* The numbers from FIRST to LAST modulo 4, as bits; all four where the one after LAST is FIRST. */
LANE uint32_t lane_run_of_4(uint32_t first, uint32_t last)
{
    uint32_t run = ((2u << ((last - first) & 3)) - 1) << (first & 3);
    return (run | run >> 4) & 15;
}

/* The shader engines, of four, that draw a rectangle of pixels, as bits. X has the places of its corners in squares of
 * 32 pixels, modulo 4: left, top, right, bottom, each of two bits, the last one lowest. The square in column c and row
 * r belongs to the engine whose number is r ^ (c with its two bits exchanged). */
LANE uint32_t lane_drawing_engines(uint32_t x)
{
    uint32_t columns = lane_run_of_4(x >> 6, x >> 2), rows = lane_run_of_4(x >> 4, x);
    uint32_t by_2 = (rows << 2 | rows >> 2) & 15; /* of each row the engine r ^ 2; then r ^ 1, and r ^ 3 */
    uint32_t by_1 = (rows & 5) << 1 | (rows >> 1 & 5), by_3 = (by_2 & 5) << 1 | (by_2 >> 1 & 5);
    return (rows & -(columns & 1)) | (by_2 & -(columns >> 1 & 1)) | (by_1 & -(columns >> 2 & 1)) |
           (by_3 & -(columns >> 3));
}

/* The position of the highest bit of X, below which the next one must not be set, by way of a number's exponent: gcc
 * makes no vectors of what counts zeros on most hosts. Any number if X is 0. */
LANE uint32_t lane_highest_bit(uint32_t x)
{
    return (lane_bits32((float)x) >> 23) - 127;
}

LANE uint32_t lane_leading_zeros(uint32_t x) /* ~0 if there is no one */
{
#if defined(__clang__) || defined(__AVX512CD__)
    return x ? (uint32_t)__builtin_clz(x) : UINT32_MAX;
#else
    return (31 - lane_highest_bit(x & ~(x >> 1))) | -(uint32_t)(x == 0);
#endif
}

LANE uint32_t lane_trailing_zeros(uint32_t x)
{
#if defined(__clang__)
    return x ? (uint32_t)__builtin_ctz(x) : UINT32_MAX;
#else
    return lane_highest_bit(x & -x) | -(uint32_t)(x == 0);
#endif
}

LANE uint32_t lane_sign_bits(uint32_t x) /* index from the top of the first bit that differs from the sign */
{
    return lane_leading_zeros(x ^ (uint32_t)((int32_t)x >> 31));
}

LANE int32_t lane_sext(uint32_t x, uint32_t bits)
{
    return (int32_t)(x << (32 - bits)) >> (32 - bits);
}

LANE uint32_t lane_ones(uint32_t width) /* WIDTH < 32 */
{
    return (1u << width) - 1;
}

LANE uint32_t lane_bfe_i32(int32_t x, uint32_t offset, uint32_t width)
{
    offset &= 31;
    width &= 31;
    uint32_t field = (uint32_t)(x >> offset) & lane_ones(width);
    uint32_t sign = width ? 1u << (width - 1) : 0;
    return (field ^ sign) - sign;
}

/* SHIFT < 32. Shifts to the left in two steps, as hosts shift vectors of dwords faster than vectors of 64-bit values.
 */
LANE uint32_t lane_align(uint32_t high, uint32_t low, uint32_t shift)
{
    return low >> shift | high << (31 - shift) << 1;
}

LANE uint32_t lane_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

LANE uint32_t lane_byte(uint32_t x, uint32_t n)
{
    return x >> (8 * n) & 0xff;
}

LANE uint32_t lane_sad8(uint32_t a, uint32_t b)
{
    return lane_distance(lane_byte(a, 0), lane_byte(b, 0)) + lane_distance(lane_byte(a, 1), lane_byte(b, 1)) +
           lane_distance(lane_byte(a, 2), lane_byte(b, 2)) + lane_distance(lane_byte(a, 3), lane_byte(b, 3));
}

/* Bytes that are 0 in the reference B do not count. */
LANE uint32_t lane_msad8(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t n = 0; n < 4; n++)
        sum += lane_byte(b, n) ? lane_distance(lane_byte(a, n), lane_byte(b, n)) : 0;
    return sum;
}

/* Four windows of A, one byte apart, against B, each added to a 16-bit field of C. */
LANE uint64_t lane_qsad(uint64_t a, uint32_t b, uint64_t c, int masked)
{
    uint64_t r = 0;
    for (int n = 0; n < 4; n++) {
        uint32_t window = (uint32_t)(a >> (8 * n));
        uint32_t sum = (masked ? lane_msad8(window, b) : lane_sad8(window, b)) + (uint32_t)(c >> (16 * n) & 0xffff);
        r |= (uint64_t)(sum & 0xffff) << (16 * n);
    }
    return r;
}

LANE uint64_t lane_qsad_clamp(uint64_t a, uint32_t b, uint64_t c, int masked)
{
    uint64_t r = 0;
    for (int n = 0; n < 4; n++) {
        uint32_t window = (uint32_t)(a >> (8 * n));
        uint32_t sum = (masked ? lane_msad8(window, b) : lane_sad8(window, b)) + (uint32_t)(c >> (16 * n) & 0xffff);
        r |= (uint64_t)(sum > 0xffff ? 0xffff : sum) << (16 * n);
    }
    return r;
}

/* A + B, saturated; and bit 64 of the sum, as of infinitely many. */
LANE int64_t lane_add_i64_clamp(int64_t a, int64_t b)
{
    int64_t r;
    return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}

LANE uint32_t lane_add_i64_top(int64_t a, int64_t b)
{
    int64_t r;
    return __builtin_add_overflow(a, b, &r) ? a < 0 : r < 0;
}

LANE uint32_t lane_lerp8(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t even = ((a & 0x00ff00ff) + (b & 0x00ff00ff) + (c & 0x00010001)) >> 1 & 0x00ff00ff;
    uint32_t odd = ((a >> 8 & 0x00ff00ff) + (b >> 8 & 0x00ff00ff) + (c >> 8 & 0x00010001)) >> 1 & 0x00ff00ff;
    return even | odd << 8;
}

LANE uint32_t lane_perm_byte(uint32_t high, uint32_t low, uint32_t select)
{
    uint32_t byte = lane_choose32(select >> 2 & 1, high, low) >> 8 * (select & 3) & 0xff;
    uint32_t sign = lane_choose32(select >> 1 & 1, high, low) >> (16 * (select & 1) + 15) & 1;
    byte = lane_choose32(select >= 8, 0xff & -sign, byte);
    byte = lane_choose32(select == 12, 0, byte);
    return lane_choose32(select > 12, 0xff, byte);
}

LANE uint32_t lane_perm32(uint32_t high, uint32_t low, uint32_t select)
{
    return lane_perm_byte(high, low, lane_byte(select, 0)) | lane_perm_byte(high, low, lane_byte(select, 1)) << 8 |
           lane_perm_byte(high, low, lane_byte(select, 2)) << 16 |
           lane_perm_byte(high, low, lane_byte(select, 3)) << 24;
}

LANE int32_t lane_clamp(int64_t x, int64_t low, int64_t high)
{
    x = x < low ? low : x;
    return (int32_t)(x > high ? high : x);
}

LANE uint32_t lane_clamp_u32(uint64_t x)
{
    return x > UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

LANE uint32_t lane_clamp_i32(int64_t x)
{
    return (uint32_t)lane_clamp(x, INT32_MIN, INT32_MAX);
}

LANE uint32_t lane_pack16(uint32_t low, uint32_t high)
{
    return (low & 0xffff) | high << 16;
}

/* Halves of a packed operand as numbers. */
#define LO_U(x) ((x)&0xffff)
#define HI_U(x) ((x) >> 16)
#define LO_I(x) ((int32_t)(int16_t)(x))
#define HI_I(x) ((int32_t)(x) >> 16)
#define LO_F(x) lane_number16((x)&0xffff)
#define HI_F(x) lane_number16((x) >> 16)

/* Dot products without their addend */

LANE int64_t lane_dot2_i16(uint32_t a, uint32_t b)
{
    return (int64_t)LO_I(a) * LO_I(b) + (int64_t)HI_I(a) * HI_I(b);
}

LANE uint64_t lane_dot2_u16(uint32_t a, uint32_t b)
{
    return (uint64_t)LO_U(a) * LO_U(b) + (uint64_t)HI_U(a) * HI_U(b);
}

LANE int32_t lane_dot4_i8(uint32_t a, uint32_t b)
{
    int32_t sum = 0;
    for (int at = 0; at < 32; at += 8)
        sum += lane_sext(a >> at & 0xff, 8) * lane_sext(b >> at & 0xff, 8);
    return sum;
}

LANE uint32_t lane_dot4_u8(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (int at = 0; at < 32; at += 8)
        sum += (a >> at & 0xff) * (b >> at & 0xff);
    return sum;
}

LANE int32_t lane_dot8_i4(uint32_t a, uint32_t b)
{
    int32_t sum = 0;
    for (int at = 0; at < 32; at += 4)
        sum += lane_sext(a >> at & 15, 4) * lane_sext(b >> at & 15, 4);
    return sum;
}

LANE uint32_t lane_dot8_u4(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (int at = 0; at < 32; at += 4)
        sum += (a >> at & 15) * (b >> at & 15);
    return sum;
}

/* Adds in the order of the published pseudo-code; the products are exact. Denormals of f32 become zero whatever the
 * mode says, as LLVM assumes where it selects the operation. */
LANE float lane_dot2_f16(uint32_t a, uint32_t b, float c, struct lane_mode m)
{
    float a0 = LO_F(a), a1 = HI_F(a), b0 = LO_F(b), b1 = HI_F(b);
    if (m.in64) {
        a0 = lane_flush16(a0), a1 = lane_flush16(a1);
        b0 = lane_flush16(b0), b1 = lane_flush16(b1);
    }
    float products = lane_add32(lane_mul32(a0, b0), lane_mul32(a1, b1));
    return lane_flush32(lane_add32(products, lane_flush32(c)));
}

#endif
