/* SPDX-License-Identifier: MIT */
/* Transcendental operations and the division helpers on one lane; see lane.h.
 *
 * The hardware's tables are not published; it promises about one unit in the last place, and so do the functions here,
 * which math_test measures. Each is the polynomial in f32 whose greatest error is the least, with fused multiplications
 * and additions, which all hosts can compute, so that all builds have the same bits, on as many lanes at once as a
 * vector of the host has. f32 forms read denormals as zero and flush denormal results, as the hardware does. */
#ifndef RUNTIME_GCN_LANE_MATH_H
#define RUNTIME_GCN_LANE_MATH_H

#include "runtime/gcn/exec/lane.h"

/* A * B + C, rounded once, to nearest; the bits of NaNs are those of the host. */
LANE float lane_fma_nearest(float a, float b, float c)
{
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return (float)lane_sum_odd((double)a * b, c);
#endif
}

/* The sum of COUNT products of a factor and a power of X, from the highest power to X^0. */
LANE float lane_polynomial(const float *factors, int count, float x)
{
    float r = factors[0];
    for (int i = 1; i < count; i++)
        r = lane_fma_nearest(r, x, factors[i]);
    return r;
}

/* R, or X if that is a NaN. */
LANE float lane_unless_nan(float r, float x)
{
    return lane_f32(lane_choose32(lane_isnan32(x), lane_bits32(lane_quiet32(x)), lane_bits32(r)));
}

/* 2 to the power of X: of the nearest integer, which is added to the exponent, and of the rest. */
LANE float lane_exp32(float x)
{
    static const float factors[] = {0x1.d9eacep-17f, 0x1.44175ap-13f, 0x1.5da9b2p-10f, 0x1.3b2a54p-7f,
                                    0x1.c6b06cp-5f,  0x1.ebfbep-3f,   0x1.62e43p-1f,   1};
    const float integers = 0x1.8p23f; /* among numbers as large as that, the next one is 1 more */
    float shifted = x + integers, rest = x - (shifted - integers);
    uint32_t r = lane_bits32(lane_polynomial(factors, 8, rest)) + (lane_bits32(shifted) << 23);
    r = lane_choose32(x < -126, 0, r);
    r = lane_choose32(x >= 128, lane_bits32((float)INFINITY), r);
    return lane_unless_nan(lane_f32(r), x);
}

/* The logarithm to the base 2 of X: the sum of the exponent and that of the mantissa, 1 + F, which is between the roots
 * of 1/2 and 2. The first factor is given in two parts, as small F count on it alone. */
LANE float lane_log32(float x)
{
    static const float factors[] = {-0x1.c367c8p-4f, 0x1.7e0e4cp-3f, -0x1.877adep-3f, 0x1.a2e68p-3f,
                                    -0x1.eab182p-3f, 0x1.277ef4p-2f, -0x1.715ac8p-2f, 0x1.ec7094p-2f};
    const float second = -0x1.71547p-1f, first = 0x1.715476p+0f, first_rest = 0x1.4aeae8p-26f;
    const uint32_t least = 0x3f3504f3; /* the root of 1/2 */
    x = lane_flush32(x);
    uint32_t u = lane_bits32(x);
    int32_t e = (int32_t)(u - least) >> 23;
    float f = lane_f32(u - ((uint32_t)e << 23)) - 1, square = f * f;
    float rest = lane_fma_nearest(square, lane_polynomial(factors, 8, f), first_rest);
    float r = (float)e + lane_fma_nearest(f, first, f * lane_fma_nearest(f, second, rest));
    u = lane_choose32(u == 0x7f800000, u, lane_bits32(r));
    u = lane_choose32(x < 0, lane_bits32((float)NAN), u);
    u = lane_choose32(x == 0, lane_bits32(-(float)INFINITY), u);
    return lane_unless_nan(lane_f32(u), x);
}

/* Sine and cosine of X full turns. The fraction of a turn is exact, so the whole range is valid; an eighth of a turn at
 * most is given to one of two polynomials. */

LANE float lane_turn_fraction(float x)
{
    return x - __builtin_rintf(x);
}

LANE float lane_sin_eighth(float x)
{
    static const float factors[] = {-0x1.2d9e5ap+6f, 0x1.465edcp+6f, -0x1.4abbbap+5f};
    const float first = 0x1.921fb6p+2f, first_rest = -0x1.9e5eep-23f;
    float square = x * x, rest = lane_fma_nearest(lane_polynomial(factors, 3, square), square, first_rest);
    return lane_fma_nearest(x, first, x * rest);
}

LANE float lane_cos_eighth(float x)
{
    static const float factors[] = {0x1.d09344p+5f, -0x1.55a5bp+6f, 0x1.03c19ep+6f, -0x1.3bd3ccp+4f, 1};
    return lane_polynomial(factors, 5, x * x);
}

/* Sine or cosine of A turns, up to half a one. */
LANE float lane_half_turn(float a, int cosine)
{
    int middle = (a > 0.125f) & (a <= 0.375f), late = a > 0.375f;
    uint32_t early = lane_bits32(a), up = lane_bits32(0.25f - a), end = lane_bits32(0.5f - a);
    float from = lane_f32(lane_choose32(middle, up, lane_choose32(late, end, early)));
    uint32_t sine = lane_bits32(lane_sin_eighth(from)), other = lane_bits32(lane_cos_eighth(from));
    uint32_t negative = cosine && late ? 0x80000000 : 0;
    return lane_f32(lane_choose32(middle == !cosine, other, sine) ^ negative);
}

/* The result with the bits R, or a NaN if X has no fraction F. */
LANE float lane_of_turns(uint32_t r, float f, float x)
{
    return lane_unless_nan(lane_f32(lane_choose32(f == f, r, lane_bits32((float)NAN))), x);
}

LANE float lane_sin(float x)
{
    float f = lane_turn_fraction(x);
    uint32_t sign = lane_bits32(x < 0 && f == 0 ? x : f) & 0x80000000;
    return lane_of_turns(lane_bits32(lane_half_turn(fabsf(f), 0)) | sign, f, x);
}

LANE float lane_cos(float x)
{
    float f = lane_turn_fraction(x);
    return lane_of_turns(lane_bits32(lane_half_turn(fabsf(f), 1)), f, x);
}

LANE float lane_rcp32(float x)
{
    return lane_flush32(1.0f / lane_flush32(x));
}

/* 1 / sqrt(x), as the root of 1 / x: less than one unit in the last place away, and two where 1 / x is denormal. Hosts
 * divide and take roots in a fraction of the time that a result rounded correctly takes. vector_rsq() gives the same
 * bits. */
LANE float lane_rsq32(float x)
{
    x = lane_flush32(x);
    float inverse = 1.0f / x, r = __builtin_sqrtf(x < 0 ? x : inverse);
    return x == 0 ? inverse : r;
}

LANE float lane_sqrt32(float x)
{
    return __builtin_sqrtf(lane_flush32(x));
}

LANE double lane_rsq64(double x)
{
    double r = 1.0 / sqrt(x);
    return x == 0 ? copysign((double)INFINITY, x) : r;
}

/* Division: scale, refine, fix up. The rules of V_DIV_SCALE in the order of the pseudo-code, with its slips
 * corrected: where a quotient or the reciprocal of the denominator (S1) would leave the normal range, operand
 * S0 (equal to S1 or to the numerator S2) is scaled, and the lane's bit asks V_DIV_FMAS to scale back. */
LANE float lane_div_scale32(float s0, float s1, float s2, uint32_t *scaled)
{
    uint32_t u0 = lane_bits32(s0), u1 = lane_bits32(s1), u2 = lane_bits32(s2);
    int32_t e1 = (int32_t)(u1 >> 23 & 0xff), e2 = (int32_t)(u2 >> 23 & 0xff);
    int zero = (s1 == 0) | (s2 == 0), far = e2 - e1 >= 96, denormal = e1 == 0;
    int inverse = (u1 & 0x7fffffff) > 0x7e800000, below = e2 - e1 <= -126;
    int both = inverse & below;
    uint32_t up = lane_bits32(s0 * 0x1p64f), down = lane_bits32(s0 * 0x1p-64f);
    uint32_t r = lane_choose32(e2 <= 23, up, u0);
    r = lane_choose32(below, lane_choose32(u0 == u2, up, u0), r);
    r = lane_choose32(inverse, down, r);
    r = lane_choose32(both, lane_choose32(u0 == u1, down, u0), r);
    r = lane_choose32(denormal, up, r);
    r = lane_choose32(far, lane_choose32(u0 == u1, up, u0), r);
    *scaled = (uint32_t)((zero == 0) & (far | ((denormal == 0) & (both | ((inverse == 0) & below)))));
    return lane_f32(lane_choose32(zero, lane_bits32((float)NAN), r));
}

LANE double lane_div_scale64(double s0, double s1, double s2, uint32_t *scaled)
{
    uint64_t u0 = lane_bits64(s0), u1 = lane_bits64(s1), u2 = lane_bits64(s2);
    int32_t e1 = (int32_t)(u1 >> 52 & 0x7ff), e2 = (int32_t)(u2 >> 52 & 0x7ff);
    int zero = (s1 == 0) | (s2 == 0), far = e2 - e1 >= 768, denormal = e1 == 0;
    int inverse = (u1 & 0x7fffffffffffffff) > 0x7fd0000000000000, below = e2 - e1 <= -1022;
    int both = inverse & below;
    uint64_t up = lane_bits64(s0 * 0x1p128), down = lane_bits64(s0 * 0x1p-128);
    uint64_t r = lane_choose64(e2 <= 53, up, u0);
    r = lane_choose64(below, lane_choose64(u0 == u2, up, u0), r);
    r = lane_choose64(inverse, down, r);
    r = lane_choose64(both, lane_choose64(u0 == u1, down, u0), r);
    r = lane_choose64(denormal, up, r);
    r = lane_choose64(far, lane_choose64(u0 == u1, up, u0), r);
    *scaled = (uint32_t)((zero == 0) & (far | ((denormal == 0) & (both | ((inverse == 0) & below)))));
    return lane_f64(lane_choose64(zero, lane_bits64((double)NAN), r));
}

LANE float lane_div_fmas32(float a, float b, float c, uint32_t scaled, struct lane_mode m)
{
    double p = (double)a * b, s = m.round32 ? p + c : lane_sum_odd(p, c);
    double factor = (lane_bits32(c) >> 23 & 0xff) > 127 ? 0x1p64 : 0x1p-64;
    float r = lane_fma32(a, b, c, m);
    return lane_f32(lane_choose32((int)scaled & (r == r), lane_bits32((float)(s * factor)), lane_bits32(r)));
}

/* (h + l) * 2^-128 below the normal range, rounded only once: h is rounded to the grid of subnormals, and l decides
 * where h lies half way between two of them. */
LANE double lane_scale_down64(double h, double l)
{
    const double unit = 0x1p-946, magic = h < 0 ? -0x1p-894 : 0x1p-894;
    double t = (h + magic) - magic, d = h - t;
    int more = (fabs(d) == unit / 2) & (l != 0) & ((d > 0) == (l > 0));
    return (t + lane_f64(lane_choose64(more, lane_bits64(copysign(unit, d)), 0))) * 0x1p-128;
}

/* In a directed mode, rounding twice is rounding once. */
LANE double lane_div_fmas64(double a, double b, double c, uint32_t scaled, struct lane_mode m)
{
    /* p + e is the product and h + l its sum with c, both exactly */
    double p = a * b, e = lane_fma64(a, b, -p), h = p + c, z = h - p, l = (p - (h - z)) + (c - z);
    double r = lane_fma64(a, b, c);
    int up = (lane_bits64(c) >> 52 & 0x7ff) > 1023;
    /* a result that underflows to zero keeps the sign of the sum, which the grid of subnormals does not preserve */
    int small = (m.round64 == 0) & (fabs(r) <= 0x1p-894);
    uint64_t down =
        lane_choose64(small, lane_bits64(copysign(lane_scale_down64(h, l + e), r)), lane_bits64(r * 0x1p-128));
    down = lane_choose64(up, lane_bits64(r * 0x1p128), down);
    return lane_f64(lane_choose64((int)scaled & (r == r), down, lane_bits64(r)));
}

LANE float lane_div_fixup32(float q, float den, float num)
{
    uint32_t sign = (lane_bits32(den) ^ lane_bits32(num)) & 0x80000000;
    uint32_t un = lane_bits32(num) & 0x7fffffff, ud = lane_bits32(den) & 0x7fffffff, inf = 0x7f800000;
    int under = (int32_t)(un >> 23) - (int32_t)(ud >> 23) < -150;
    uint32_t r = lane_isnan32(q) ? inf : lane_bits32(q) & 0x7fffffff;
    r |= sign;
    r = under ? lane_bits32(lane_f32(sign | 0x00800000) * 0x1p-126f)
              : r; /* the mode decides how underflow is rounded */
    r = ((ud == inf) | (un == 0)) ? sign : r;
    r = ((ud == 0) | (un == inf)) ? sign | inf : r;
    r = ((ud == 0) & (un == 0)) | ((ud == inf) & (un == inf)) ? 0xffc00000 : r;
    r = ud > inf ? lane_bits32(den) | 0x400000 : r;
    r = un > inf ? lane_bits32(num) | 0x400000 : r;
    return lane_f32(r);
}

LANE double lane_div_fixup64(double q, double den, double num)
{
    const uint64_t top = UINT64_C(1) << 63, inf = UINT64_C(0x7ff) << 52, quiet = UINT64_C(1) << 51;
    uint64_t sign = (lane_bits64(den) ^ lane_bits64(num)) & top;
    uint64_t un = lane_bits64(num) & ~top, ud = lane_bits64(den) & ~top;
    int under = (int32_t)(un >> 52) - (int32_t)(ud >> 52) < -1075;
    uint64_t r = lane_isnan64(q) ? inf : lane_bits64(q) & ~top;
    r |= sign;
    r = under ? lane_bits64(lane_f64(sign | UINT64_C(1) << 52) * 0x1p-1022) : r;
    r = ((ud == inf) | (un == 0)) ? sign : r;
    r = ((ud == 0) | (un == inf)) ? sign | inf : r;
    r = ((ud == 0) & (un == 0)) | ((ud == inf) & (un == inf)) ? top | inf | quiet : r;
    r = ud > inf ? lane_bits64(den) | quiet : r;
    r = un > inf ? lane_bits64(num) | quiet : r;
    return lane_f64(r);
}

LANE float lane_div_fixup16(float q, float den, float num) /* half-precision values in floats */
{
    float sign = copysignf(1.0f, den) * copysignf(1.0f, num);
    float r = lane_isnan32(q) ? INFINITY : fabsf(q);
    r = ((fabsf(den) == INFINITY) | (num == 0)) ? 0 : r;
    r = ((den == 0) | (fabsf(num) == INFINITY)) ? INFINITY : r;
    r = copysignf(r, sign);
    int invalid = ((den == 0) & (num == 0)) | ((fabsf(den) == INFINITY) & (fabsf(num) == INFINITY));
    r = invalid ? lane_f32(0xffc00000) : r;
    r = lane_isnan32(den) ? lane_quiet32(den) : r;
    return lane_isnan32(num) ? lane_quiet32(num) : r;
}

/* 2/pi, from the bit below the binary point down; 53 bits of it are what V_TRIG_PREOP_F64 gives. */
static const uint32_t lane_two_over_pi[] __attribute__((unused)) = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
};

LANE double lane_trig_preop(double x, uint32_t segment)
{
    uint32_t e = (uint32_t)(lane_bits64(x) >> 52 & 0x7ff);
    uint32_t shift = (segment & 31) * 53 + (e > 1077 ? e - 1077 : 0);
    if (shift > 1200)
        return 0; /* past the digits that the hardware has */
    uint32_t word = shift / 32, bit = shift % 32, last = sizeof lane_two_over_pi / sizeof *lane_two_over_pi - 1;
    uint64_t high = (uint64_t)lane_two_over_pi[word] << 32 | (word < last ? lane_two_over_pi[word + 1] : 0);
    uint64_t low = word + 1 < last ? lane_two_over_pi[word + 2] : 0;
    uint64_t bits = bit ? high << bit | low >> (32 - bit) : high;
    if (shift > 1201 - 53) /* zeros follow the last digit */
        bits &= ~(UINT64_MAX >> (1201 - shift));
    double r = (double)(bits >> 11);
    return ldexp(r, -53 - (int)shift + (e >= 1968 ? 128 : 0));
}

/* Cube maps: face, coordinates on it and twice the major axis. */
LANE int lane_cube_z(float x, float y, float z)
{
    return (fabsf(z) >= fabsf(x)) & (fabsf(z) >= fabsf(y));
}

LANE float lane_cube_id(float x, float y, float z)
{
    float r = fabsf(y) >= fabsf(x) ? (y < 0 ? 3.0f : 2.0f) : (x < 0 ? 1.0f : 0.0f);
    return lane_cube_z(x, y, z) ? (z < 0 ? 5.0f : 4.0f) : r;
}

LANE float lane_cube_sc(float x, float y, float z)
{
    float r = fabsf(y) >= fabsf(x) ? x : (x < 0 ? z : -z);
    return lane_cube_z(x, y, z) ? (z < 0 ? -x : x) : r;
}

LANE float lane_cube_tc(float x, float y, float z)
{
    float r = fabsf(y) >= fabsf(x) ? (y < 0 ? -z : z) : -y;
    return lane_cube_z(x, y, z) ? -y : r;
}

LANE float lane_cube_ma(float x, float y, float z)
{
    float r = fabsf(y) >= fabsf(x) ? y : x;
    return 2 * (lane_cube_z(x, y, z) ? z : r);
}

#endif
