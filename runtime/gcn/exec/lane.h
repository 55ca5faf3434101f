/* SPDX-License-Identifier: MIT */
/* What the vector operations do to one lane: the arithmetic that C does not have as an operator.
 *
 * Pure functions of their arguments, written without branches where a loop over lanes should become host
 * vector code. Half-precision values travel as `float` (exact); their rounding happens when a result is
 * stored. Floating arithmetic follows the host's rounding mode, which valu.h sets where MODE asks for other
 * than nearest even. Sources of the rules: the published Vega and CDNA pseudo-code; what deviates is
 * explained where it does. */
#ifndef RUNTIME_GCN_LANE_H
#define RUNTIME_GCN_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANE static inline __attribute__((always_inline, unused))

/* The part of MODE that arithmetic depends on. */
struct lane_mode {
    uint32_t in32, out32; /* f32 denormals become zero: as operands, as results */
    uint32_t in64, out64; /* f64 and f16 denormals */
    uint32_t round32, round64;
    uint32_t ieee, dx10_clamp, ovfl16;
};

/* Bits and values */

LANE uint32_t lane_bits32(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

LANE float lane_f32(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

LANE uint64_t lane_bits64(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

LANE double lane_f64(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* YES if CONDITION is 1, and NO if it is 0. Of several conditions on one value gcc makes branches, and then no vectors
 * of the loop around them. */
LANE uint32_t lane_choose32(int condition, uint32_t yes, uint32_t no)
{
    uint32_t mask = -(uint32_t)condition;
    return (yes & mask) | (no & ~mask);
}

LANE uint64_t lane_choose64(int condition, uint64_t yes, uint64_t no)
{
    uint64_t mask = -(uint64_t)condition;
    return (yes & mask) | (no & ~mask);
}

LANE float lane_flush32(float x)
{
    uint32_t u = lane_bits32(x);
    return lane_f32(u & 0x7f800000 ? u : u & 0x80000000);
}

LANE double lane_flush64(double x)
{
    uint64_t u = lane_bits64(x);
    return lane_f64(u & 0x7ff0000000000000 ? u : u & 0x8000000000000000);
}

LANE float lane_flush16(float x) /* a half-precision value in a float */
{
    uint32_t u = lane_bits32(x);
    return lane_f32((u & 0x7fffffff) >= 0x38800000 ? u : u & 0x80000000);
}

LANE int lane_isnan32(float x)
{
    return (lane_bits32(x) & 0x7fffffff) > 0x7f800000;
}

LANE int lane_issnan32(float x)
{
    return (x != x) & !(lane_bits32(x) & 0x400000);
}

LANE int lane_isnan64(double x)
{
    return (lane_bits64(x) & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/* Results that are NaN have the bits of the first operand that is a NaN, made quiet. With one NaN the host does this by
 * itself; with several it depends on the order of the operands, which compilers are free to exchange. */

LANE float lane_quiet32(float x)
{
    return lane_f32(lane_bits32(x) | 0x400000);
}

LANE float lane_nan32(float r, float a, float b)
{
    r = b != b ? lane_quiet32(b) : r;
    return a != a ? lane_quiet32(a) : r;
}

LANE double lane_quiet64(double x)
{
    return lane_f64(lane_bits64(x) | UINT64_C(1) << 51);
}

LANE double lane_nan64(double r, double a, double b)
{
    r = b != b ? lane_quiet64(b) : r;
    return a != a ? lane_quiet64(a) : r;
}

LANE float lane_add32(float a, float b)
{
    return lane_nan32(a + b, a, b);
}

LANE float lane_sub32(float a, float b)
{
    return lane_nan32(a - b, a, b);
}

LANE float lane_mul32(float a, float b)
{
    return lane_nan32(a * b, a, b);
}

LANE double lane_add64(double a, double b)
{
    return lane_nan64(a + b, a, b);
}

LANE double lane_sub64(double a, double b)
{
    return lane_nan64(a - b, a, b);
}

LANE double lane_mul64(double a, double b)
{
    return lane_nan64(a * b, a, b);
}

/* Half precision */

LANE float lane_from16(uint32_t h)
{
    uint32_t magnitude = (h & 0x7fff) << 13;
    uint32_t u = lane_bits32(lane_f32(magnitude) * 0x1p112f);
    u = (h & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000 : u;
    return lane_f32(u | (h & 0x8000) << 16);
}

/* As lane_from16(), but a signaling NaN becomes quiet, as in every conversion. */
LANE float lane_widen16(uint32_t h)
{
#ifdef LANE_TEMPLATES
    uint16_t bits = (uint16_t)h;
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return (float)half;
#else
    float x = lane_from16(h);
    return lane_issnan32(x) ? lane_quiet32(x) : x;
#endif
}

/* For arithmetic, which makes NaNs quiet itself: whichever of the two is faster. */
LANE float lane_number16(uint32_t h)
{
#ifdef LANE_TEMPLATES
    return lane_widen16(h);
#else
    return lane_from16(h);
#endif
}

LANE uint32_t lane_to16(float x) /* to nearest even */
{
#ifdef LANE_TEMPLATES
    _Float16 half = (_Float16)x;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
#else
    uint32_t u = lane_bits32(x), sign = u >> 16 & 0x8000;
    u &= 0x7fffffff;
    uint32_t small = lane_bits32(lane_f32(u) + 0.5f) - 0x3f000000;
    uint32_t normal = (u + (u >> 13 & 1) + 0xfff - (112u << 23)) >> 13;
    uint32_t r = u < 0x38800000 ? small : normal;
    r = u >= 0x47800000 ? 0x7c00 : r;
    r = u > 0x7f800000 ? 0x7e00 | (u >> 13 & 0x3ff) : r;
    return r | sign;
#endif
}

/* To half precision in rounding mode ROUND (MODE's encoding); finite overflow gives the largest value if
 * OVFL. */
LANE uint32_t lane_to16_mode(float x, uint32_t round, uint32_t ovfl)
{
    uint32_t u = lane_bits32(x), sign = u >> 16 & 0x8000;
    u &= 0x7fffffff;
    if (u > 0x7f800000)
        return sign | 0x7e00 | (u >> 13 & 0x3ff);
    if (u == 0x7f800000)
        return sign | 0x7c00;
    int exponent = (int)(u >> 23);
    uint32_t mantissa = exponent ? (u & 0x7fffff) | 0x800000 : u & 0x7fffff;
    int shift = exponent >= 113 ? 13 : 126 - (exponent ? exponent : 1);
    shift = shift > 26 ? 26 : shift;
    uint32_t kept = mantissa >> shift, lost = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    uint32_t up = round == 0   ? lost > half || (lost == half && (kept & 1))
                  : round == 1 ? lost && !sign
                  : round == 2 ? lost && sign
                               : 0;
    uint32_t r = kept + up;
    if (exponent >= 113)
        r += (uint32_t)(exponent - 113) << 10;
    if (r >= 0x7c00) {
        int to_max = ovfl || round == 3 || (round == 1 && sign) || (round == 2 && !sign);
        r = to_max ? 0x7bff : 0x7c00;
    }
    return sign | r;
}

LANE uint32_t lane_result16(float x, struct lane_mode m)
{
    uint32_t r = (m.round64 | m.ovfl16) ? lane_to16_mode(x, m.round64, m.ovfl16) : lane_to16(x);
    return m.out64 && !(r & 0x7c00) ? r & 0x8000 : r;
}

/* Fused multiply-add, correctly rounded with and without host support */

/* P + C rounded to odd, so that rounding the result to a narrower type gives the same as rounding the exact sum. */
LANE double lane_sum_odd(double p, double c)
{
    double s = p + c, part = s - p;
    double error = (p - (s - part)) + (c - part);
    uint64_t u = lane_bits64(s);
    uint64_t away = (error > 0) == (s > 0) ? 1 : UINT64_MAX;
    uint64_t inexact = (error > 0) | (error < 0);
    return lane_f64(inexact & ~u & 1 ? u + away : u);
}

LANE float lane_fma32(float a, float b, float c, struct lane_mode m)
{
#ifdef __FMA__
    (void)m;
    float r = __builtin_fmaf(a, b, c);
#else
    double p = (double)a * b; /* exact */
    float r = (float)(m.round32 ? p + c : lane_sum_odd(p, c));
#endif
    return lane_nan32(c != c ? lane_quiet32(c) : r, a, b);
}

LANE double lane_fma64(double a, double b, double c)
{
    return lane_nan64(c != c ? lane_quiet64(c) : __builtin_fma(a, b, c), a, b);
}

/* As lane_sum_odd(), in single precision. */
LANE float lane_sum_odd32(float p, float c)
{
    float s = p + c, part = s - p;
    float error = (p - (s - part)) + (c - part);
    uint32_t u = lane_bits32(s);
    uint32_t away = (error > 0) == (s > 0) ? 1 : UINT32_MAX;
    uint32_t inexact = (error > 0) | (error < 0);
    return lane_f32(inexact & ~u & 1 ? u + away : u);
}

/* Half-precision operands; the result, in a float, rounds to the right half-precision value. */
LANE float lane_fma16(float a, float b, float c, struct lane_mode m)
{
    float p = a * b; /* exact */
    float r = m.round64 ? p + c : lane_sum_odd32(p, c);
    return lane_nan32(c != c ? lane_quiet32(c) : r, a, b);
}

/* Multiply, round, add, round; f32 denormals always become zero. */
LANE float lane_mad32(float a, float b, float c)
{
    float p = lane_flush32(lane_mul32(lane_flush32(a), lane_flush32(b)));
    return lane_flush32(lane_add32(p, lane_flush32(c)));
}

LANE float lane_mul_legacy(float a, float b)
{
    return ((a == 0) | (b == 0)) ? 0.0f : lane_mul32(a, b);
}

/* Like v_mad_f32, it flushes denormals whatever the mode says. */
LANE float lane_mad_legacy(float a, float b, float c)
{
    float product = lane_flush32(lane_mul_legacy(lane_flush32(a), lane_flush32(b)));
    return lane_flush32(lane_add32(product, lane_flush32(c)));
}

LANE float lane_round16(float x, struct lane_mode m)
{
    return lane_number16(lane_result16(x, m));
}

/* Minimum, maximum, median */

/* R, which is B where an operand is a NaN; A where only B is one. If IEEE is 1, signaling NaNs are the result, made
 * quiet. */
LANE float lane_pick32(float a, float b, uint32_t r, uint32_t ieee)
{
    r = lane_choose32((b != b) & (a == a), lane_bits32(a), r);
    r = lane_choose32((int)ieee & lane_issnan32(b), lane_bits32(lane_quiet32(b)), r);
    return lane_f32(lane_choose32((int)ieee & lane_issnan32(a), lane_bits32(lane_quiet32(a)), r));
}

/* The bits of the lesser and of the greater one, or of B if one is a NaN. Of zeros, -0 is less. */
LANE uint32_t lane_lesser32(float a, float b)
{
    return lane_bits32(a < b ? a : b) | (lane_bits32(a) & -(uint32_t)(a == b));
}

LANE uint32_t lane_greater32(float a, float b)
{
    return lane_bits32(a > b ? a : b) & (lane_bits32(a) | -(uint32_t)(a != b));
}

LANE float lane_min32(float a, float b, uint32_t ieee)
{
    return lane_pick32(a, b, lane_lesser32(a, b), ieee);
}

LANE float lane_max32(float a, float b, uint32_t ieee)
{
    return lane_pick32(a, b, lane_greater32(a, b), ieee);
}

/* The quiet bit of a half-precision NaN is that of the float. */
#define lane_min16 lane_min32
#define lane_max16 lane_max32

LANE float lane_min3_32(float a, float b, float c, uint32_t ieee)
{
    return lane_min32(lane_min32(a, b, ieee), c, ieee);
}

LANE float lane_max3_32(float a, float b, float c, uint32_t ieee)
{
    return lane_max32(lane_max32(a, b, ieee), c, ieee);
}

LANE float lane_med3_32(float a, float b, float c, uint32_t ieee)
{
    uint32_t r = lane_greater32(a, b);
    float largest = lane_f32(lane_greater32(lane_f32(r), c));
    r = lane_choose32(largest == b, lane_greater32(a, c), r);
    r = lane_choose32(largest == a, lane_greater32(b, c), r);
    int nan = (a != a) | (b != b) | (c != c);
    return lane_f32(lane_choose32(nan, lane_bits32(lane_min3_32(a, b, c, ieee)), r));
}

LANE int lane_issnan64(double x)
{
    return (x != x) & !(lane_bits64(x) & UINT64_C(1) << 51);
}

LANE double lane_pick64(double a, double b, uint64_t r, uint32_t ieee)
{
    r = lane_choose64((b != b) & (a == a), lane_bits64(a), r);
    r = lane_choose64((int)ieee & lane_issnan64(b), lane_bits64(lane_quiet64(b)), r);
    return lane_f64(lane_choose64((int)ieee & lane_issnan64(a), lane_bits64(lane_quiet64(a)), r));
}

LANE double lane_min64(double a, double b, uint32_t ieee)
{
    return lane_pick64(a, b, lane_bits64(a < b ? a : b) | (lane_bits64(a) & -(uint64_t)(a == b)), ieee);
}

LANE double lane_max64(double a, double b, uint32_t ieee)
{
    return lane_pick64(a, b, lane_bits64(a > b ? a : b) & (lane_bits64(a) | -(uint64_t)(a != b)), ieee);
}

#define LANE_ORDER(type, suffix)                                                                             \
    LANE type lane_min_##suffix(type a, type b)                                                              \
    {                                                                                                        \
        return a < b ? a : b;                                                                                \
    }                                                                                                        \
    LANE type lane_max_##suffix(type a, type b)                                                              \
    {                                                                                                        \
        return a > b ? a : b;                                                                                \
    }                                                                                                        \
    LANE type lane_med3_##suffix(type a, type b, type c)                                                     \
    {                                                                                                        \
        return lane_max_##suffix(lane_min_##suffix(a, b), lane_min_##suffix(lane_max_##suffix(a, b), c));    \
    }
LANE_ORDER(int32_t, i32)
LANE_ORDER(uint32_t, u32)
LANE_ORDER(int64_t, i64)

/* Conversions to integers: toward zero, saturating, NaN gives 0 */

LANE double lane_limit(double x, double low, double high)
{
    x = x < low ? low : x;
    x = x > high ? high : x;
    return lane_isnan64(x) ? 0 : x;
}

LANE int32_t lane_to_i32(double x)
{
    return (int32_t)lane_limit(x, -2147483648.0, 2147483647.0);
}

LANE uint32_t lane_to_u32(double x)
{
    x = lane_limit(x, 0, 4294967295.0);
    double high = x >= 2147483648.0 ? 2147483648.0 : 0;
    return (uint32_t)(int32_t)(x - high) ^ (high > 0 ? 0x80000000u : 0);
}

LANE int32_t lane_single_to_i32(float x)
{
    int below = x < 0x1p31f;
    float bounded = below ? x : 0;
    bounded = bounded < -0x1p31f ? -0x1p31f : bounded;
    int32_t otherwise = x == x ? INT32_MAX : 0;
    return below ? (int32_t)bounded : otherwise;
}

LANE uint32_t lane_single_to_u32(float x)
{
    float positive = x > 0 ? x : 0;
    int below = positive < 0x1p32f;
    uint32_t r = (uint32_t)(below ? positive : 0);
    return below ? r : UINT32_MAX;
}

LANE int32_t lane_to_range(double x, int32_t low, int32_t high)
{
    return (int32_t)lane_limit(x, low, high);
}

/* X rounded to nearest even integer; |X| < 2^51. */
LANE double lane_nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

LANE uint32_t lane_norm_i16(float x)
{
    return (uint32_t)lane_to_range(lane_nearest(lane_limit(x, -1, 1) * 32767), -32767, 32767) & 0xffff;
}

LANE uint32_t lane_norm_u16(float x)
{
    return (uint32_t)lane_to_range(lane_nearest(lane_limit(x, 0, 1) * 65535), 0, 65535);
}

/* V_CVT_PK_U8_F32: how it rounds is not published; nearest even is what HSAIL's packcvt needs of it. */
LANE uint32_t lane_byte_f32(float x, uint32_t where, uint32_t old)
{
    uint32_t byte = (uint32_t)lane_to_range(lane_nearest(lane_limit(x, 0, 255)), 0, 255), shift = (where & 3) * 8;
    return (old & ~(0xffu << shift)) | byte << shift;
}

LANE uint32_t lane_rtz16(float x)
{
    return lane_to16_mode(x, 3, 0);
}

/* Exponents */

LANE double lane_power2(int32_t n) /* 2^n, -1022 <= n <= 1023 */
{
    return lane_f64((uint64_t)(int64_t)(n + 1023) << 52);
}

LANE float lane_ldexp32(float x, int32_t n)
{
    n = n < -400 ? -400 : n;
    n = n > 400 ? 400 : n;
    return (float)((double)x * lane_power2(n));
}

/* Only the last product is rounded, unless the result is far less than the least denormal. */
LANE double lane_ldexp64(double x, int32_t n)
{
    n = n < -2100 ? -2100 : n;
    n = n > 2100 ? 2100 : n;
    int32_t last = n < -1022 ? -1022 : n;
    last = last > 1023 ? 1023 : last;
    int32_t first = (n - last) / 2, second = n - last - first;
    return x * lane_power2(first) * lane_power2(second) * lane_power2(last);
}

/* Value and exponent with x = mantissa * 2^exponent, 0.5 <= |mantissa| < 1; X finite and not zero. */
LANE int lane_is_special64(double x)
{
    uint64_t u = lane_bits64(x) & 0x7fffffffffffffff;
    return (u == 0) | (u >= 0x7ff0000000000000);
}

LANE int32_t lane_frexp_exp64(double x)
{
    uint64_t tiny = !(lane_bits64(x) & 0x7ff0000000000000);
    uint64_t u = lane_bits64(tiny ? x * 0x1p54 : x);
    int32_t e = (int32_t)(u >> 52 & 0x7ff) - 1022 - (tiny ? 54 : 0);
    return lane_is_special64(x) ? 0 : e;
}

LANE double lane_frexp_mant64(double x)
{
    uint64_t tiny = !(lane_bits64(x) & 0x7ff0000000000000);
    uint64_t u = lane_bits64(tiny ? x * 0x1p54 : x);
    return lane_is_special64(x) ? x : lane_f64((u & 0x800fffffffffffff) | 0x3fe0000000000000);
}

/* R, which is X rounded to an integer. If the host has no instruction for that, what gcc makes of it leaves signaling
 * NaNs as they are, and gives zeros a wrong sign where sums are rounded down. */
LANE double lane_whole64(double r, double x)
{
#ifdef __SSE4_1__
    (void)x;
    return r;
#else
    r = copysign(r, x);
    return r != r ? lane_quiet64(r) : r;
#endif
}

LANE float lane_whole32(float r, float x)
{
#ifdef __SSE4_1__
    (void)x;
    return r;
#else
    r = copysignf(r, x);
    return r != r ? lane_quiet32(r) : r;
#endif
}

LANE double lane_fract64(double x)
{
    double r = x - lane_whole64(__builtin_floor(x), x);
    return r >= 1 ? 0x1.fffffffffffffp-1 : r;
}

LANE float lane_fract32(float x)
{
    float r = x - lane_whole32(__builtin_floorf(x), x);
    return r >= 1 ? 0x1.fffffep-1f : r;
}

LANE float lane_fract16(float x, struct lane_mode m)
{
    float r = lane_round16(x - lane_whole32(__builtin_floorf(x), x), m);
    return r >= 1 ? 0x1.ffcp-1f : r;
}

/* Bits set in the mask M for NaN, infinity, ... as V_CMP_CLASS numbers them. DENORMAL is set for zero, too. */
LANE uint32_t lane_class(uint32_t sign, int nan, int quiet, int inf, int zero, int denormal)
{
    uint32_t number = 1 - (uint32_t)inf + (uint32_t)denormal + (uint32_t)zero;
    uint32_t bit = sign ? 2 + number : 9 - number;
    return 1u << (nan ? (quiet ? 1 : 0) : bit);
}

LANE uint32_t lane_class32(uint32_t u)
{
    uint32_t a = u & 0x7fffffff;
    return lane_class(u >> 31, a > 0x7f800000, a >= 0x7fc00000, a == 0x7f800000, a == 0, a < 0x800000);
}

LANE uint32_t lane_class16(uint32_t u)
{
    uint32_t a = u & 0x7fff;
    return lane_class(u >> 15 & 1, a > 0x7c00, a >= 0x7e00, a == 0x7c00, a == 0, a < 0x400);
}

LANE uint32_t lane_class64(uint64_t u)
{
    uint64_t a = u & 0x7fffffffffffffff;
    return lane_class((uint32_t)(u >> 63), a > 0x7ff0000000000000, a >= 0x7ff8000000000000, a == 0x7ff0000000000000,
                      a == 0, a < 0x10000000000000);
}

#endif
