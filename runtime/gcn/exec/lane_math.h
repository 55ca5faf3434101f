/* SPDX-License-Identifier: MIT */
/* Transcendental operations and the division helpers on one lane; see lane.h.
 *
 * The hardware's tables are not published; it promises about one unit in the last place. Here the functions
 * are computed in double precision, so the f32 results are almost always correctly rounded. f32 forms read
 * denormals as zero and flush denormal results, as the hardware does. */
#ifndef RUNTIME_GCN_LANE_MATH_H
#define RUNTIME_GCN_LANE_MATH_H

#include "runtime/gcn/exec/lane.h"

LANE double lane_exp2(double x)
{
    double bounded = lane_limit(x, -300, 300);
    double n = lane_nearest(bounded), t = (bounded - n) * 0.693147180559945309417;
    double r = 1.0 / 39916800;
    static const double inverse_factorial[] = {
        1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1};
    for (int k = 0; k < 11; k++)
        r = r * t + inverse_factorial[k];
    r *= lane_power2((int32_t)n);
    return lane_isnan64(x) ? x : r;
}

LANE double lane_log2(double x) /* X not denormal */
{
    uint64_t u = lane_bits64(x);
    int32_t e = (int32_t)(u >> 52 & 0x7ff) - 1023;
    double m = lane_f64((u & 0xfffffffffffff) | 0x3ff0000000000000);
    int high = m > 1.4142135623730951;
    m = high ? m * 0.5 : m;
    double s = (m - 1) / (m + 1), q = s * s, r = 1.0 / 17;
    static const double inverse_odd[] = {1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1};
    for (int k = 0; k < 8; k++)
        r = r * q + inverse_odd[k];
    r = r * s * 2.885390081777926814 + (e + high);
    r = x < 0 ? (double)NAN : r;
    r = x == 0 ? -(double)INFINITY : r;
    r = u == 0x7ff0000000000000 ? x : r;
    return lane_isnan64(x) ? x : r;
}

LANE double lane_sin_quarter(double f) /* sin(2 pi F), |F| <= 1/4 */
{
    double t = f * 6.283185307179586477, q = t * t;
    double r = -1.0 / 121645100408832000.0;
    static const double factor[] = {
        1.0 / 355687428096000.0,
        -1.0 / 1307674368000.0,
        1.0 / 6227020800.0,
        -1.0 / 39916800,
        1.0 / 362880,
        -1.0 / 5040,
        1.0 / 120,
        -1.0 / 6,
        1};
    for (int k = 0; k < 9; k++)
        r = r * q + factor[k];
    return r * t;
}

/* Sine and cosine of X full turns. The fraction is exact, so the whole range is valid. */
LANE double lane_turn_fraction(float x)
{
    return (double)x - __builtin_rint((double)x);
}

LANE float lane_sin(float x)
{
    double f = lane_turn_fraction(x), a = fabs(f);
    double folded = copysign(a > 0.25 ? 0.5 - a : a, (double)x < 0 && f == 0 ? (double)x : f);
    return (float)lane_sin_quarter(folded);
}

LANE float lane_cos(float x)
{
    return (float)lane_sin_quarter(0.25 - fabs(lane_turn_fraction(x)));
}

LANE float lane_rcp32(float x)
{
    return lane_flush32(1.0f / lane_flush32(x));
}

/* A * B + C, rounded once, to nearest; the bits of NaNs are those of the host. */
LANE float lane_fma_nearest(float a, float b, float c)
{
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return (float)lane_sum_odd((double)a * b, c);
#endif
}

/* 1 / sqrt(x), rounded correctly: the error E of x * r * r is computed with twice the precision, and its square counts,
 * too. vector_rsq() gives the same bits in another way. */
LANE float lane_rsq32(float x)
{
    x = lane_flush32(x);
    float r = 1.0f / __builtin_sqrtf(x), product = x * r, rest = lane_fma_nearest(x, r, -product);
    float e = lane_fma_nearest(-rest, r, lane_fma_nearest(-product, r, 1));
    float better = lane_fma_nearest(r * e, lane_fma_nearest(0.375f, e, 0.5f), r);
    return better == better ? better : r; /* not for zeros, infinities and NaNs */
}

LANE float lane_sqrt32(float x)
{
    return __builtin_sqrtf(lane_flush32(x));
}

LANE float lane_exp32(float x)
{
    return lane_flush32((float)lane_exp2((double)lane_flush32(x)));
}

LANE float lane_log32(float x)
{
    return (float)lane_log2((double)lane_flush32(x));
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
