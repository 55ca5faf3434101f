/* SPDX-License-Identifier: MIT */
/* The arithmetic of frequent f32 and f64 operations on whole host vectors, with operands in a fixed order.
 *
 * Which operand's bits a NaN result has depends on the order of a host instruction's operands, and compilers exchange
 * those of additions and multiplications as they like. lane.h decides it by looking at each operand; here, where that
 * would cost half the speed, the instructions are written out. Both give the same bits: those of the first operand that
 * is a NaN, made quiet. */
#ifndef RUNTIME_GCN_LANE_VECTOR_H
#define RUNTIME_GCN_LANE_VECTOR_H

#include "runtime/gcn/exec/lane.h"

#ifdef __FMA__
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR_LANES = 16 };
#elif defined(__AVX2__)
enum { VECTOR_LANES = 8 };
#else
enum { VECTOR_LANES = 4 };
#endif

typedef float vector_f32 __attribute__((vector_size(4 * VECTOR_LANES)));
typedef double vector_f64 __attribute__((vector_size(4 * VECTOR_LANES))); /* half as many */
typedef uint32_t vector_u32 __attribute__((vector_size(4 * VECTOR_LANES)));
typedef uint64_t vector_u64 __attribute__((vector_size(4 * VECTOR_LANES))); /* half as many */

/* Where a last operand may be. If it had the choice, clang would move a register to memory. */
#ifdef __clang__
#define VECTOR_ANY "v"
#else
#define VECTOR_ANY "vm"
#endif

/* LLVM's assembler exchanges the operands of additions and multiplications where a shorter encoding has room for them
 * then, unless the long one is asked for. */
#ifdef __clang__
#define VECTOR_LONG "%{vex3%} "
#else
#define VECTOR_LONG ""
#endif

#if defined(__clang__) && defined(__AVX512F__)
/* LLVM exchanges no operands of operations that say themselves how they round, and compiles them faster than assembly.
 */
#define VECTOR_OPERATION(function, name, T, suffix, M)                                                       \
    LANE T function(T a, T b)                                                                                \
    {                                                                                                        \
        return (T)_mm512_##name##_round_##suffix((M)a, (M)b, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); \
    }
#elif defined(__AVX2__)
#define VECTOR_OPERATION(function, name, T, suffix, M)                                                       \
    LANE T function(T a, T b)                                                                                \
    {                                                                                                        \
        T r;                                                                                                 \
        __asm__(VECTOR_LONG "v" #name #suffix " %2, %1, %0" : "=v"(r) : "v"(a), VECTOR_ANY(b));              \
        return r;                                                                                            \
    }
#else
#define VECTOR_OPERATION(function, name, T, suffix, M)                                                       \
    LANE T function(T a, T b)                                                                                \
    {                                                                                                        \
        __asm__(#name #suffix " %1, %0" : "+x"(a) : "xm"(b));                                                \
        return a;                                                                                            \
    }
#endif
VECTOR_OPERATION(vector_add, add, vector_f32, ps, __m512)
VECTOR_OPERATION(vector_sub, sub, vector_f32, ps, __m512)
VECTOR_OPERATION(vector_mul, mul, vector_f32, ps, __m512)
VECTOR_OPERATION(vector_add64, add, vector_f64, pd, __m512d)
VECTOR_OPERATION(vector_mul64, mul, vector_f64, pd, __m512d)

/* Where the host has minima and maxima as IEEE 754-2008 defines them, with -0 before +0: these are lane.h's, if MODE
 * says so, as it does by default. Of two quiet NaNs the host takes the first operand, which therefore is B, but the
 * first signaling one is A. */
#ifdef __AVX512DQ__
#define VECTOR_PICK(function, T, suffix, M, which)                                                           \
    LANE T function(T a, T b, uint32_t ieee)                                                                 \
    {                                                                                                        \
        const M r = _mm512_range_##suffix((M)b, (M)a, which);                                                \
        (void)ieee;                                                                                          \
        return (T)_mm512_mask_add_##suffix(r, _mm512_fpclass_##suffix##_mask((M)a, SIGNALING), (M)a, (M)a);  \
    }
enum { SIGNALING = 0x80, LESS = 4, GREATER = 5 };
VECTOR_PICK(vector_min, vector_f32, ps, __m512, LESS)
VECTOR_PICK(vector_max, vector_f32, ps, __m512, GREATER)
VECTOR_PICK(vector_min64, vector_f64, pd, __m512d, LESS)
VECTOR_PICK(vector_max64, vector_f64, pd, __m512d, GREATER)
#elif defined(__AVX2__)
/* The same with AVX2. The host's result is its second operand if both are equal or one is a NaN; with the operands in
 * either order, BOTH chooses the sign of zeros. A quiet NaN gives way to the other operand, or to B if that is one,
 * too. The host blends by the sign, to which UP moves the bit that quiet NaNs have. */
#define VECTOR_NAN(suffix, x)              _mm256_cmp_##suffix(x, x, _CMP_UNORD_Q)
#define VECTOR_SIGNALING(suffix, M, up, x) _mm256_andnot_##suffix((M)up(x), VECTOR_NAN(suffix, x))
#define VECTOR_PICK(function, T, suffix, M, name, both, bit, up)                                             \
    LANE T function(T a_in, T b_in, uint32_t ieee)                                                           \
    {                                                                                                        \
        const M a = (M)a_in, b = (M)b_in, quiet = (M)_mm256_set1_epi64x(bit);                                \
        const M b_or_a = _mm256_##name##_##suffix(a, b), a_or_b = _mm256_##name##_##suffix(b, a);            \
        M r = _mm256_##both##_##suffix(a_or_b, b_or_a);                                                      \
        (void)ieee;                                                                                          \
        r = _mm256_blendv_##suffix(r, a_or_b, VECTOR_NAN(suffix, b));                                        \
        r = _mm256_blendv_##suffix(r, b_or_a, VECTOR_NAN(suffix, a));                                        \
        r = _mm256_blendv_##suffix(r, _mm256_or_##suffix(b, quiet), VECTOR_SIGNALING(suffix, M, up, b));     \
        r = _mm256_blendv_##suffix(r, _mm256_or_##suffix(a, quiet), VECTOR_SIGNALING(suffix, M, up, a));     \
        return (T)r;                                                                                         \
    }
#define QUIET_TO_SIGN32(x) _mm256_slli_epi32((__m256i)(x), 9)
#define QUIET_TO_SIGN64(x) _mm256_slli_epi64((__m256i)(x), 12)
VECTOR_PICK(vector_min, vector_f32, ps, __m256, min, or, 0x0040000000400000, QUIET_TO_SIGN32)
VECTOR_PICK(vector_max, vector_f32, ps, __m256, max, and, 0x0040000000400000, QUIET_TO_SIGN32)
VECTOR_PICK(vector_min64, vector_f64, pd, __m256d, min, or, 0x0008000000000000, QUIET_TO_SIGN64)
VECTOR_PICK(vector_max64, vector_f64, pd, __m256d, max, and, 0x0008000000000000, QUIET_TO_SIGN64)
#endif

#ifdef __AVX512DQ__
LANE vector_f32 vector_choose(vector_u32 mask, vector_f32 yes, vector_f32 no)
{
    return (vector_f32)(((vector_u32)yes & mask) | ((vector_u32)no & ~mask));
}

LANE vector_f32 vector_med3(vector_f32 a, vector_f32 b, vector_f32 c, uint32_t ieee)
{
    vector_f32 least = vector_min(vector_min(a, b, ieee), c, ieee), r = vector_max(a, b, ieee);
    vector_f32 largest = vector_max(r, c, ieee);
    vector_u32 nan = (vector_u32)(a != a) | (vector_u32)(b != b) | (vector_u32)(c != c);
    r = vector_choose((vector_u32)(largest == b), vector_max(a, c, ieee), r);
    r = vector_choose((vector_u32)(largest == a), vector_max(b, c, ieee), r);
    return vector_choose(nan, least, r);
}

/* lane_perm32(). The host picks bytes of 16 at a time, so each one is numbered from the beginning of its four dwords
 * on. */
LANE vector_f32 vector_perm(vector_f32 high, vector_f32 low, vector_f32 select)
{
    const __m512i s = (__m512i)select, h = (__m512i)high, l = (__m512i)low;
    const __m512i first = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
    __m512i byte = _mm512_or_si512(_mm512_and_si512(s, _mm512_set1_epi8(3)), first);
    __m512i half = _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(s, _mm512_set1_epi8(1)), 1), first);
    __m512i r = _mm512_mask_blend_epi8(
        _mm512_test_epi8_mask(s, _mm512_set1_epi8(4)), _mm512_shuffle_epi8(l, byte), _mm512_shuffle_epi8(h, byte));
    __m512i signs = _mm512_mask_blend_epi8(
        _mm512_test_epi8_mask(s, _mm512_set1_epi8(2)), _mm512_shuffle_epi8(_mm512_srai_epi16(l, 15), half),
        _mm512_shuffle_epi8(_mm512_srai_epi16(h, 15), half));
    r = _mm512_mask_blend_epi8(_mm512_cmpgt_epu8_mask(s, _mm512_set1_epi8(7)), r, signs);
    r = _mm512_maskz_mov_epi8(_mm512_cmpneq_epu8_mask(s, _mm512_set1_epi8(12)), r);
    return (vector_f32)_mm512_mask_blend_epi8(_mm512_cmpgt_epu8_mask(s, _mm512_set1_epi8(12)), r, _mm512_set1_epi8(-1));
}
#define lane_perm(high, low, select)                                                                         \
    _Generic((high), uint32_t: lane_perm32, vector_f32: vector_perm)(high, low, select)
#define lane_med3(a, b, c, ieee) _Generic((a), float: lane_med3_32, vector_f32: vector_med3)(a, b, c, ieee)
#else
#define lane_med3 lane_med3_32
#define lane_perm lane_perm32
#endif

#ifdef __AVX2__
#define lane_min(a, b, ieee)                                                                                 \
    _Generic((a), float: lane_min32, double: lane_min64, vector_f32: vector_min, vector_f64: vector_min64)(a, b, ieee)
#define lane_max(a, b, ieee)                                                                                 \
    _Generic((a), float: lane_max32, double: lane_max64, vector_f32: vector_max, vector_f64: vector_max64)(a, b, ieee)
#else
#define lane_min(a, b, ieee) _Generic((a), float: lane_min32, double: lane_min64)(a, b, ieee)
#define lane_max(a, b, ieee) _Generic((a), float: lane_max32, double: lane_max64)(a, b, ieee)
#endif

#ifdef __FMA__
LANE vector_f32 vector_fma(vector_f32 a, vector_f32 b, vector_f32 c, struct lane_mode m)
{
    (void)m;
    __asm__("vfmadd231ps %2, %1, %0" : "+v"(c) : "v"(a), VECTOR_ANY(b));
    return c;
}

LANE vector_f64 vector_fma64(vector_f64 a, vector_f64 b, vector_f64 c)
{
    __asm__("vfmadd231pd %2, %1, %0" : "+v"(c) : "v"(a), VECTOR_ANY(b));
    return c;
}
#define lane_fma_wide(a, b, c) _Generic((a), double: lane_fma64, vector_f64: vector_fma64)(a, b, c)
#else
#define lane_fma_wide lane_fma64 /* a function of the C library */

/* The sum in double, where the product is exact, is rounded twice. That differs from rounding once only if the sum lies
 * in the middle between two floats, or may become a denormal. */
LANE int vector_fma_is_hard(__m128d low, __m128d high, __m128 r)
{
    __m128i bottom = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), 0x88));
    __m128i top = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), 0xdd));
    __m128i magnitude = _mm_and_si128(top, _mm_set1_epi32(0x7fffffff));
    __m128i middle = _mm_cmpeq_epi32(_mm_slli_epi32(bottom, 3), _mm_set1_epi32(INT32_MIN));
    __m128i tiny = _mm_and_si128(_mm_cmplt_epi32(magnitude, _mm_set1_epi32(0x38100000)), /* of 2^-126 */
                                 _mm_cmpgt_epi32(magnitude, _mm_setzero_si128()));
    __m128i nan = _mm_castps_si128(_mm_cmpunord_ps(r, r));
    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(middle, tiny), nan));
}

static __attribute__((noinline, unused)) vector_f32 vector_fma_hard(vector_f32 a, vector_f32 b, vector_f32 c)
{
    const struct lane_mode nearest = {0};
    for (int i = 0; i < VECTOR_LANES; i++)
        c[i] = lane_fma32(a[i], b[i], c[i], nearest);
    return c;
}

LANE vector_f32 vector_fma(vector_f32 a, vector_f32 b, vector_f32 c, struct lane_mode m)
{
    (void)m;
    __m128 a2 = _mm_movehl_ps(a, a), b2 = _mm_movehl_ps(b, b), c2 = _mm_movehl_ps(c, c);
    __m128d low = _mm_cvtps_pd(a) * _mm_cvtps_pd(b) + _mm_cvtps_pd(c);
    __m128d high = _mm_cvtps_pd(a2) * _mm_cvtps_pd(b2) + _mm_cvtps_pd(c2);
    __m128 r = _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
    return __builtin_expect(vector_fma_is_hard(low, high, r), 0) ? vector_fma_hard(a, b, c) : (vector_f32)r;
}
#endif

LANE vector_f32 vector_flush(vector_f32 x)
{
    vector_u32 u = (vector_u32)x, tiny = (vector_u32)((u & 0x7f800000) == 0);
    return (vector_f32)(u & ~(tiny & 0x7fffffff));
}

#ifdef __AVX512F__
#define VECTOR_CALL(name, ...) ((vector_f32)_mm512_##name(__VA_ARGS__))
/* lane_rsq32() in a third of the time that this host divides and takes roots in. S is an estimate, which is good to 14
 * bits, corrected once. Its square, corrected twice, is 1 / x, rounded correctly; then S is corrected by how far that
 * is from its square, relative to both, as the difference itself may be denormal. With every estimate that is as good
 * as the host's makers promise, the bits are those of quotient and root. */
LANE vector_f32 vector_rsq(vector_f32 x)
{
    const vector_f32 one = (vector_f32){0} + 1, half = (vector_f32){0} + 0.5f;
    vector_f32 estimate = VECTOR_CALL(rsqrt14_ps, vector_flush(x));
    vector_f32 e = VECTOR_CALL(fnmadd_ps, x * estimate, estimate, one);
    vector_f32 s = VECTOR_CALL(fmadd_ps, 0.5f * estimate, e, estimate), inverse = s * s;
    inverse = VECTOR_CALL(fmadd_ps, inverse, VECTOR_CALL(fnmadd_ps, x, inverse, one), inverse);
    inverse = VECTOR_CALL(fmadd_ps, inverse, VECTOR_CALL(fnmadd_ps, x, inverse, one), inverse);
    vector_f32 root = x * s; /* of x */
    vector_f32 off =
        VECTOR_CALL(fmadd_ps, s, VECTOR_CALL(fnmadd_ps, s, root, one), VECTOR_CALL(fmsub_ps, inverse, root, s));
    vector_f32 r = VECTOR_CALL(fmadd_ps, half, off, s);
    vector_u32 number = (vector_u32)(r == r); /* not for zeros, infinities and NaNs */
    return (vector_f32)(((vector_u32)r & number) | ((vector_u32)estimate & ~number));
}
#elif defined(__AVX2__)
/* lane_rsq32(). The host's estimate takes denormal numbers for zeros; it is the result where it is infinite or a NaN.
 */
LANE vector_f32 vector_rsq(vector_f32 x)
{
    __m256 estimate = _mm256_rsqrt_ps((__m256)x), r = _mm256_sqrt_ps(1.0f / (__m256)x);
    return (vector_f32)_mm256_blendv_ps(r, estimate, _mm256_cmp_ps(estimate, estimate + estimate, _CMP_EQ_UQ));
}
#endif

#ifdef __AVX2__
#define lane_rsq(a) _Generic((a), float: lane_rsq32, vector_f32: vector_rsq)(a)
#else
#define lane_rsq(a) lane_rsq32(a)
#endif

LANE vector_f32 vector_mad(vector_f32 a, vector_f32 b, vector_f32 c)
{
    vector_f32 p = vector_flush(vector_mul(vector_flush(a), vector_flush(b)));
    return vector_flush(vector_add(p, vector_flush(c)));
}

/* Half precision, where the host converts it. */
#ifdef __F16C__
typedef uint16_t vector_u16 __attribute__((vector_size(2 * VECTOR_LANES)));
#ifdef __clang__
typedef _Float16 vector_f16 __attribute__((vector_size(2 * VECTOR_LANES)));
#endif

LANE vector_f32 vector_from16(vector_u32 x) /* its low halves */
{
#if defined(__clang__)
    return __builtin_convertvector((vector_f16) __builtin_convertvector(x, vector_u16), vector_f32);
#elif defined(__AVX512F__)
    return (vector_f32)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)x));
#else
    x &= 0xffff;
    __m256i halves = _mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)x, (__m256i)x), 8);
    return (vector_f32)_mm256_cvtph_ps(_mm256_castsi256_si128(halves));
#endif
}

LANE vector_u32 vector_to16(vector_f32 x) /* to nearest even */
{
#if defined(__clang__)
    return __builtin_convertvector((vector_u16) __builtin_convertvector(x, vector_f16), vector_u32);
#elif defined(__AVX512F__)
    return (vector_u32)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT));
#else
    return (vector_u32)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT));
#endif
}

LANE vector_f32 vector_round16(vector_f32 x, struct lane_mode m)
{
    (void)m;
    return vector_from16(vector_to16(x));
}

/* As lane_fma16(): the sum is rounded to odd. */
LANE vector_f32 vector_fma16(vector_f32 a, vector_f32 b, vector_f32 c, struct lane_mode m)
{
    const vector_f32 zero = {0};
    vector_f32 p = a * b, s = vector_fma(a, b, c, m), part = s - p;
    vector_f32 error = (p - (s - part)) + (c - part);
    vector_u32 more = (vector_u32)(error > zero), less = (vector_u32)(error < zero), u = (vector_u32)s;
    vector_u32 away = (more ^ (vector_u32)(s > zero)) | 1;
    return (vector_f32)(u + (away & (more | less) & ((u & 1) - 1)));
}
#define lane_fma_half(a, b, c, m) _Generic((a), float: lane_fma16, vector_f32: vector_fma16)(a, b, c, m)
#define lane_round_half(x, m)     _Generic((x), float: lane_round16, vector_f32: vector_round16)(x, m)
#else
#define lane_fma_half   lane_fma16
#define lane_round_half lane_round16
#endif

LANE vector_f32 vector_get(const uint32_t *line)
{
    vector_f32 x;
    memcpy(&x, __builtin_assume_aligned(line, sizeof x), sizeof x);
    return x;
}

LANE vector_f32 vector_splat(const uint32_t *scalar)
{
    return (vector_f32)(*scalar - (vector_u32){0});
}

/* Puts X where the bits of MASK are set; everywhere if MASK is NULL. */
LANE void vector_put(uint32_t *line, vector_f32 x, const uint32_t *mask)
{
    if (mask) {
        vector_u32 keep = (vector_u32)vector_get(mask);
        x = (vector_f32)(((vector_u32)x & keep) | ((vector_u32)vector_get(line) & ~keep));
    }
    memcpy(__builtin_assume_aligned(line, sizeof x), &x, sizeof x);
}

/* The upper halves of products. The host multiplies the lower dwords of pairs. */
LANE uint32_t lane_mul_hi32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

#if defined(__AVX512F__)
#define VECTOR_PRODUCTS(a, b) ((vector_u64)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#elif defined(__AVX2__)
#define VECTOR_PRODUCTS(a, b) ((vector_u64)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#else
#define VECTOR_PRODUCTS(a, b) ((vector_u64)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#endif
LANE vector_f32 vector_mul_hi(vector_f32 a, vector_f32 b)
{
    vector_u64 even = VECTOR_PRODUCTS(a, b), odd = VECTOR_PRODUCTS((vector_u64)a >> 32, (vector_u64)b >> 32);
    return (vector_f32)(even >> 32 | (odd & ~(uint64_t)UINT32_MAX));
}

/* What the expressions of ops/ call, chosen by the type of the operands. */
#define lane_mul_hi(a, b)    _Generic((a), uint32_t: lane_mul_hi32, vector_f32: vector_mul_hi)(a, b)
#define lane_fma(a, b, c, m) _Generic((a), float: lane_fma32, vector_f32: vector_fma)(a, b, c, m)
#define lane_add(a, b)                                                                                       \
    _Generic((a), float: lane_add32, double: lane_add64, vector_f32: vector_add, vector_f64: vector_add64)(a, b)
#define lane_sub(a, b)       _Generic((a), float: lane_sub32, double: lane_sub64, vector_f32: vector_sub)(a, b)
#define lane_mul(a, b)                                                                                       \
    _Generic((a), float: lane_mul32, double: lane_mul64, vector_f32: vector_mul, vector_f64: vector_mul64)(a, b)
#define lane_mad(a, b, c)    _Generic((a), float: lane_mad32, vector_f32: vector_mad)(a, b, c)

#endif
