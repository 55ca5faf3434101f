/* SPDX-License-Identifier: MIT */
/* See valu_model.h. Input: raw operands of one lane. Output: the raw result. */
#include "testsuite/gcn/valu_model.h"

#include "runtime/gcn/inst.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef _Float16 f16;

static float f32(uint64_t raw) { float f; uint32_t u = (uint32_t)raw; memcpy(&f, &u, 4); return f; }
static double f64(uint64_t raw) { double f; memcpy(&f, &raw, 8); return f; }
static f16 half(uint64_t raw) { f16 f; uint16_t u = (uint16_t)raw; memcpy(&f, &u, 2); return f; }
static uint64_t r32(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static uint64_t r64(double f) { uint64_t u; memcpy(&u, &f, 8); return u; }
static uint64_t r16(f16 f) { uint16_t u; memcpy(&u, &f, 2); return u; }
static uint64_t high(uint64_t d) { return d & 0xffff0000; }

#define A x->a
#define B x->b
#define C x->c
#define UA ((uint32_t)x->a)
#define UB ((uint32_t)x->b)
#define UC ((uint32_t)x->c)
#define IA ((int32_t)x->a)
#define IB ((int32_t)x->b)
#define IC ((int32_t)x->c)
#define HA ((uint32_t)(uint16_t)x->a)
#define HB ((uint32_t)(uint16_t)x->b)
#define HC ((uint32_t)(uint16_t)x->c)
#define SA ((int32_t)(int16_t)x->a)
#define SB ((int32_t)(int16_t)x->b)
#define SC ((int32_t)(int16_t)x->c)
#define FA f32(x->a)
#define FB f32(x->b)
#define FC f32(x->c)
#define DA f64(x->a)
#define DB f64(x->b)
#define DC f64(x->c)
#define XA half(x->a)
#define XB half(x->b)
#define XC half(x->c)

static float ftz(float f) { return fabsf(f) < FLT_MIN ? copysignf(0, f) : f; }
static float mad(float a, float b, float c)
{
    volatile float p = ftz(ftz(a) * ftz(b));
    return ftz(p + ftz(c));
}
static int snan32(float f) { return isnan(f) && !(r32(f) >> 22 & 1); }
static int snan64(double f) { return isnan(f) && !(r64(f) >> 51 & 1); }
static float min32(float a, float b)
{
    if (snan32(a) || snan32(b))
        return NAN;
    if (isnan(a))
        return b;
    if (isnan(b))
        return a;
    if (a == 0 && b == 0)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}
static float max32(float a, float b)
{
    if (snan32(a) || snan32(b))
        return NAN;
    if (isnan(a))
        return b;
    if (isnan(b))
        return a;
    if (a == 0 && b == 0)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}
static double min64(double a, double b)
{
    if (snan64(a) || snan64(b))
        return NAN;
    return isnan(a) ? b : isnan(b) ? a : a == 0 && b == 0 ? (signbit(a) ? a : b) : a < b ? a : b;
}
static double max64(double a, double b)
{
    if (snan64(a) || snan64(b))
        return NAN;
    return isnan(a) ? b : isnan(b) ? a : a == 0 && b == 0 ? (signbit(a) ? b : a) : a > b ? a : b;
}
static float med32(float a, float b, float c)
{
    if (isnan(a) || isnan(b) || isnan(c))
        return min32(min32(a, b), c);
    float m = max32(max32(a, b), c);
    return m == a ? max32(b, c) : m == b ? max32(a, c) : max32(a, b);
}
/* Half precision has no conversions that lose a NaN's quiet bit here: the float's is the same. */
static float wide(uint64_t raw)
{
    uint32_t u = (uint32_t)raw & 0x7fff, sign = (uint32_t)(raw & 0x8000) << 16;
    return u > 0x7c00 ? f32(sign | 0x7f800000 | (u & 0x3ff) << 13) : (float)half(raw);
}
static uint64_t narrow(float f) { return r16((f16)f); }

static int64_t clampi(int64_t v, int64_t lo, int64_t hi) { return v < lo ? lo : v > hi ? hi : v; }
static uint32_t to_u32(double v) { return isnan(v) || v <= 0 ? 0 : v >= 4294967295.0 ? UINT32_MAX : (uint32_t)v; }
static int32_t to_i32(double v)
{
    return isnan(v) ? 0 : v <= -2147483648.0 ? INT32_MIN : v >= 2147483647.0 ? INT32_MAX : (int32_t)v;
}
static int32_t sx(uint32_t v, int bits)
{
    int64_t m = (int64_t)1 << (bits - 1), u = v & (((int64_t)1 << bits) - 1);
    return (int32_t)((u ^ m) - m);
}
static uint32_t bits_of(uint32_t v) { uint32_t n = 0; for (; v; v >>= 1) n += v & 1; return n; }
static uint32_t first_high(uint32_t v)
{
    for (uint32_t i = 0; i < 32; i++)
        if (v >> (31 - i) & 1)
            return i;
    return ~0u;
}
static uint32_t first_low(uint32_t v) { for (uint32_t i = 0; i < 32; i++) if (v >> i & 1) return i; return ~0u; }
static uint32_t reversed(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
static uint32_t byte(uint64_t v, int n) { return (uint32_t)(v >> (8 * n)) & 255; }
static uint32_t diff(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }
static uint32_t sad(uint64_t a, uint64_t b, int masked)
{
    uint32_t s = 0;
    for (int i = 0; i < 4; i++)
        if (!masked || byte(b, i))
            s += diff(byte(a, i), byte(b, i));
    return s;
}
static uint64_t qsad(struct lane_case *x, int masked)
{
    uint64_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint64_t)((sad(A >> (8 * i), B, masked) + (C >> (16 * i) & 0xffff)) & 0xffff) << (16 * i);
    return r;
}
static uint64_t lerp(struct lane_case *x)
{
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= ((byte(A, i) + byte(B, i) + (byte(C, i) & 1)) >> 1) << (8 * i);
    return r;
}
static uint64_t perm(struct lane_case *x)
{
    uint64_t pool = (uint64_t)UA << 32 | UB, r = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t s = byte(C, i), v;
        if (s >= 13)
            v = 255;
        else if (s == 12)
            v = 0;
        else if (s >= 8)
            v = byte(pool, 2 * (int)(s - 8) + 1) & 128 ? 255 : 0;
        else
            v = byte(pool, (int)s);
        r |= (uint64_t)v << (8 * i);
    }
    return r;
}
static uint64_t pack(uint64_t lo, uint64_t hi) { return (lo & 0xffff) | (hi & 0xffff) << 16; }
static uint64_t snorm(float f)
{
    return isnan(f) ? 0 : (uint64_t)(int64_t)rint(fmin(fmax((double)f, -1), 1) * 32767) & 0xffff;
}
static uint64_t unorm(float f) { return isnan(f) ? 0 : (uint64_t)rint(fmin(fmax((double)f, 0), 1) * 65535); }
static uint64_t put_byte(float f, uint32_t n, uint32_t old)
{
    uint32_t v = isnan(f) ? 0 : (uint32_t)rint(fmin(fmax((double)f, 0), 255));
    return (old & ~(255u << (8 * (n & 3)))) | v << (8 * (n & 3));
}
static uint64_t rtz16(float f)
{
    if (isnan(f))
        return 0x7e00;
    f16 h = (f16)f;
    if (isinf(f) || fabsf((float)h) <= fabsf(f))
        return r16(h);
    return r16(h) - 1; /* the neighbour toward zero, or the largest number for infinity */
}
static int frexp_exp(double v) { int e = 0; if (isfinite(v) && v != 0) frexp(v, &e); return e; }
static double frexp_mant(double v) { int e; return isfinite(v) && v != 0 ? frexp(v, &e) : v; }
static double fraction(double v, double top) { double r = v - floor(v); return isinf(v) ? NAN : r > top ? top : r; }
static unsigned classify(int sign, int nan, int quiet, int inf, int zero, int tiny)
{
    if (nan)
        return quiet ? 2 : 1;
    int k = inf ? 0 : zero ? 3 : tiny ? 2 : 1;
    return 1u << (sign ? 2 + k : 9 - k);
}
static int cube_axis(float x, float y, float z)
{
    return fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y) ? 2 : fabsf(y) >= fabsf(x);
}
static float cube_id(float x, float y, float z)
{
    float v[] = {x, y, z};
    int axis = cube_axis(x, y, z);
    return (float)(2 * axis + (v[axis] < 0));
}
static float cube_sc(float x, float y, float z)
{
    int axis = cube_axis(x, y, z);
    return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : x < 0 ? z : -z;
}
static float cube_tc(float x, float y, float z)
{
    return cube_axis(x, y, z) == 1 ? (y < 0 ? -z : z) : -y;
}
static uint64_t carry(struct lane_case *x, uint64_t wide_sum)
{
    x->bit = wide_sum >> 32 & 1;
    return (uint32_t)wide_sum;
}
static uint64_t borrow(struct lane_case *x, uint32_t a, uint32_t b, uint32_t c)
{
    x->bit = (uint64_t)b + c > a;
    return (uint32_t)(a - b - c);
}
static uint64_t mad_u64(struct lane_case *x)
{
    unsigned __int128 s = (unsigned __int128)((uint64_t)UA * UB) + C;
    x->bit = (unsigned)(s >> 64) & 1;
    return (uint64_t)s;
}
static uint64_t mad_i64(struct lane_case *x)
{
    __int128 s = (__int128)((int64_t)IA * IB) + (int64_t)C;
    x->bit = (unsigned)(s >> 64) & 1;
    return (uint64_t)s;
}
/* Where the exact result is 0, the host's sine of a rounded multiple of pi is not. */
static float sin_turns(float v)
{
    long double f = remainderl(v, 1);
    return !isfinite(v) ? NAN : 2 * f == rintl(2 * f) ? 0 : (float)sinl(6.283185307179586476925286766559L * f);
}
static float cos_turns(float v)
{
    long double f = remainderl(v, 1);
    return !isfinite(v) ? NAN : fabsl(f) == 0.25L ? 0 : (float)cosl(6.283185307179586476925286766559L * f);
}
static float exp2_ftz(float v) { return ftz((float)exp2l(ftz(v))); }
static float log2_ftz(float v) { return (float)log2l(ftz(v)); }

#define MODELS                                                                                                  \
    X(v_mov_b32, 0, A) X(v_not_b32, 0, ~UA) X(v_bfrev_b32, 0, reversed(UA)) X(v_ffbh_u32, 0, first_high(UA))    \
    X(v_ffbl_b32, 0, first_low(UA)) X(v_ffbh_i32, 0, first_high(IA < 0 ? ~UA : UA))                             \
    X(v_sat_pk_u8_i16, 0, clampi(SA, 0, 255) | clampi(IA >> 16, 0, 255) << 8)                                   \
    X(v_and_b32, 0, A & B) X(v_or_b32, 0, A | B) X(v_xor_b32, 0, A ^ B) X(v_add_u32, 0, UA + UB)                \
    X(v_sub_u32, 0, UA - UB) X(v_subrev_u32, 0, UB - UA) X(v_lshlrev_b32, 0, UB << (UA % 32))                   \
    X(v_lshrrev_b32, 0, UB >> (UA % 32)) X(v_ashrrev_i32, 0, (uint32_t)(IB >> (UA % 32)))                       \
    X(v_min_i32, 0, (uint32_t)(IA < IB ? IA : IB)) X(v_max_i32, 0, (uint32_t)(IA > IB ? IA : IB))               \
    X(v_min_u32, 0, UA < UB ? UA : UB) X(v_max_u32, 0, UA > UB ? UA : UB)                                       \
    X(v_mul_i32_i24, 0, (uint32_t)((int64_t)sx(UA, 24) * sx(UB, 24)))                                           \
    X(v_mul_u32_u24, 0, (uint32_t)((uint64_t)(UA % 0x1000000) * (UB % 0x1000000)))                              \
    X(v_mul_hi_i32_i24, 0, (uint32_t)((int64_t)sx(UA, 24) * sx(UB, 24) >> 32))                                  \
    X(v_mul_hi_u32_u24, 0, (uint64_t)(UA % 0x1000000) * (UB % 0x1000000) >> 32)                                 \
    X(v_mul_lo_u32, 0, (uint32_t)((uint64_t)UA * UB)) X(v_mul_hi_u32, 0, (uint64_t)UA * UB >> 32)               \
    X(v_mul_hi_i32, 0, (uint32_t)((int64_t)IA * IB >> 32)) X(v_bcnt_u32_b32, 0, bits_of(UA) + UB)               \
    X(v_mbcnt_lo_u32_b32, 0, bits_of(UA & (uint32_t)(x->lane >= 32 ? ~0u : (1u << x->lane) - 1)) + UB)          \
    X(v_mbcnt_hi_u32_b32, 0, bits_of(UA & (uint32_t)(x->lane < 32 ? 0 : (1u << (x->lane - 32)) - 1)) + UB)      \
    X(v_bfm_b32, 0, ((1u << (UA % 32)) - 1) << (UB % 32))                                                       \
    X(v_cvt_pk_u16_u32, 0, pack(UA > 65535 ? 65535 : UA, UB > 65535 ? 65535 : UB))                              \
    X(v_cvt_pk_i16_i32, 0, pack((uint64_t)clampi(IA, -32768, 32767), (uint64_t)clampi(IB, -32768, 32767)))      \
    X(v_add_i32, 0, UA + UB) X(v_sub_i32, 0, UA - UB) X(v_lshlrev_b64, 0, B << (UA % 64))                       \
    X(v_lshrrev_b64, 0, B >> (UA % 64)) X(v_ashrrev_i64, 0, (uint64_t)((int64_t)B >> (UA % 64)))                \
    X(v_add_u16, 0, (HA + HB) & 0xffff) X(v_sub_u16, 0, (HA - HB) & 0xffff)                                     \
    X(v_subrev_u16, 0, (HB - HA) & 0xffff) X(v_mul_lo_u16, 0, HA * HB & 0xffff)                                 \
    X(v_lshlrev_b16, 0, HB << (HA % 16) & 0xffff) X(v_lshrrev_b16, 0, HB >> (HA % 16))                          \
    X(v_ashrrev_i16, 0, (uint32_t)(SB >> (HA % 16)) & 0xffff) X(v_max_u16, 0, HA > HB ? HA : HB)                \
    X(v_min_u16, 0, HA < HB ? HA : HB) X(v_max_i16, 0, (uint32_t)(SA > SB ? SA : SB) & 0xffff)                  \
    X(v_min_i16, 0, (uint32_t)(SA < SB ? SA : SB) & 0xffff) X(v_add_i16, 0, high(x->d) | ((HA + HB) & 0xffff))  \
    X(v_sub_i16, 0, high(x->d) | ((HA - HB) & 0xffff)) X(v_pack_b32_f16, 0, HA | HB << 16)                      \
    X(v_mad_i32_i24, 0, (uint32_t)((int64_t)sx(UA, 24) * sx(UB, 24) + IC))                                      \
    X(v_mad_u32_u24, 0, (uint32_t)((uint64_t)(UA % 0x1000000) * (UB % 0x1000000) + UC))                         \
    X(v_bfe_u32, 0, UC % 32 ? (UA >> (UB % 32)) & (UINT32_MAX >> (32 - UC % 32)) : 0)                           \
    X(v_bfe_i32, 0, UC % 32 ? (uint32_t)sx((uint32_t)(IA >> (UB % 32)), (int)(UC % 32)) : 0)                    \
    X(v_bfi_b32, 0, (UA & UB) | (~UA & UC))                                                                     \
    X(v_alignbit_b32, 0, (uint32_t)(((uint64_t)UA << 32 | UB) >> (UC % 32)))                                    \
    X(v_alignbyte_b32, 0, (uint32_t)(((uint64_t)UA << 32 | UB) >> (8 * (UC % 4)))) X(v_lerp_u8, 0, lerp(x))     \
    X(v_min3_i32, 0, (uint32_t)clampi(IA < IB ? IA : IB, INT32_MIN, IC))                                        \
    X(v_max3_i32, 0, (uint32_t)clampi(IA > IB ? IA : IB, IC, INT32_MAX))                                        \
    X(v_med3_i32, 0, (uint32_t)clampi(IC, IA < IB ? IA : IB, IA < IB ? IB : IA))                                \
    X(v_min3_u32, 0, clampi(UA < UB ? UA : UB, 0, UC)) X(v_max3_u32, 0, clampi(UA > UB ? UA : UB, UC, ~0u))     \
    X(v_med3_u32, 0, clampi(UC, UA < UB ? UA : UB, UA < UB ? UB : UA))                                          \
    X(v_sad_u8, 0, sad(A, B, 0) + UC) X(v_sad_hi_u8, 0, (sad(A, B, 0) << 16) + UC)                              \
    X(v_sad_u16, 0, diff(HA, HB) + diff(UA >> 16, UB >> 16) + UC) X(v_sad_u32, 0, diff(UA, UB) + UC)            \
    X(v_msad_u8, 0, sad(A, B, 1) + UC) X(v_qsad_pk_u16_u8, 0, qsad(x, 0)) X(v_mqsad_pk_u16_u8, 0, qsad(x, 1))   \
    X(v_perm_b32, 0, perm(x)) X(v_mad_u32_u16, 0, HA * HB + UC) X(v_mad_i32_i16, 0, (uint32_t)(SA * SB) + UC)   \
    X(v_xad_u32, 0, (UA ^ UB) + UC) X(v_lshl_add_u32, 0, (UA << (UB % 32)) + UC)                                \
    X(v_add_lshl_u32, 0, (UA + UB) << (UC % 32)) X(v_add3_u32, 0, UA + UB + UC)                                 \
    X(v_lshl_or_b32, 0, (UA << (UB % 32)) | UC) X(v_and_or_b32, 0, (UA & UB) | UC) X(v_or3_b32, 0, UA | UB | UC)\
    X(v_min3_i16, 0, high(x->d) | ((uint64_t)clampi(SA < SB ? SA : SB, INT32_MIN, SC) & 0xffff))                \
    X(v_max3_i16, 0, high(x->d) | ((uint64_t)clampi(SA > SB ? SA : SB, SC, INT32_MAX) & 0xffff))                \
    X(v_med3_i16, 0, high(x->d) | ((uint64_t)clampi(SC, SA < SB ? SA : SB, SA < SB ? SB : SA) & 0xffff))        \
    X(v_min3_u16, 0, high(x->d) | (uint64_t)clampi(HA < HB ? HA : HB, 0, HC))                                   \
    X(v_max3_u16, 0, high(x->d) | (uint64_t)clampi(HA > HB ? HA : HB, HC, 65535))                               \
    X(v_med3_u16, 0, high(x->d) | (uint64_t)clampi(HC, HA < HB ? HA : HB, HA < HB ? HB : HA))                   \
    X(v_mad_u16, 0, high(x->d) | ((HA * HB + HC) & 0xffff)) X(v_mad_i16, 0, high(x->d) | ((HA * HB + HC) & 0xffff)) \
    X(v_mad_legacy_u16, 0, (HA * HB + HC) & 0xffff) X(v_mad_legacy_i16, 0, (HA * HB + HC) & 0xffff)             \
    X(v_cndmask_b32, 0, x->carry ? UB : UA) X(v_add_co_u32, 0, carry(x, (uint64_t)UA + UB))                     \
    X(v_sub_co_u32, 0, borrow(x, UA, UB, 0)) X(v_subrev_co_u32, 0, borrow(x, UB, UA, 0))                        \
    X(v_addc_co_u32, 0, carry(x, (uint64_t)UA + UB + x->carry))                                                 \
    X(v_subb_co_u32, 0, borrow(x, UA, UB, x->carry)) X(v_subbrev_co_u32, 0, borrow(x, UB, UA, x->carry))        \
    X(v_mad_u64_u32, 0, mad_u64(x)) X(v_mad_i64_i32, 0, mad_i64(x))                                             \
    X(v_pk_mul_lo_u16, 0, pack(HA * HB, (UA >> 16) * (UB >> 16))) X(v_pk_add_i16, 0, pack(HA + HB, (UA >> 16) + (UB >> 16))) \
    X(v_pk_sub_i16, 0, pack(HA - HB, (UA >> 16) - (UB >> 16))) X(v_pk_add_u16, 0, pack(HA + HB, (UA >> 16) + (UB >> 16))) \
    X(v_pk_sub_u16, 0, pack(HA - HB, (UA >> 16) - (UB >> 16)))                                                  \
    X(v_pk_lshlrev_b16, 0, pack(HB << (UA % 16), (UB >> 16) << (UA >> 16) % 16))                                \
    X(v_pk_lshrrev_b16, 0, pack(HB >> (UA % 16), (UB >> 16) >> (UA >> 16) % 16))                                \
    X(v_pk_ashrrev_i16, 0, pack((uint64_t)(SB >> (UA % 16)), (uint64_t)((IB >> 16) >> (UA >> 16) % 16)))        \
    X(v_pk_max_i16, 0, pack((uint64_t)(SA > SB ? SA : SB), (uint64_t)(IA >> 16 > IB >> 16 ? IA >> 16 : IB >> 16)))  \
    X(v_pk_min_i16, 0, pack((uint64_t)(SA < SB ? SA : SB), (uint64_t)(IA >> 16 < IB >> 16 ? IA >> 16 : IB >> 16)))  \
    X(v_pk_max_u16, 0, pack(HA > HB ? HA : HB, UA >> 16 > UB >> 16 ? UA >> 16 : UB >> 16))                      \
    X(v_pk_min_u16, 0, pack(HA < HB ? HA : HB, UA >> 16 < UB >> 16 ? UA >> 16 : UB >> 16))                      \
    X(v_pk_mad_i16, 0, pack(HA * HB + HC, (UA >> 16) * (UB >> 16) + (UC >> 16)))                                \
    X(v_pk_mad_u16, 0, pack(HA * HB + HC, (UA >> 16) * (UB >> 16) + (UC >> 16)))                                \
    X(v_cvt_f32_i32, 0, r32((float)IA)) X(v_cvt_f32_u32, 0, r32((float)UA)) X(v_cvt_u32_f32, 0, to_u32(FA))     \
    X(v_cvt_i32_f32, 0, (uint32_t)to_i32(FA)) X(v_cvt_f16_f32, 0, r16((f16)FA)) X(v_cvt_f32_f16, 0, r32((float)XA)) \
    X(v_cvt_rpi_i32_f32, 0, (uint32_t)to_i32(floorf(FA + 0.5f))) X(v_cvt_flr_i32_f32, 0, (uint32_t)to_i32(floorf(FA))) \
    X(v_cvt_off_f32_i4, 0, r32((float)sx(UA & 15, 4) / 16)) X(v_cvt_f32_ubyte0, 0, r32((float)byte(A, 0)))      \
    X(v_cvt_f32_ubyte1, 0, r32((float)byte(A, 1))) X(v_cvt_f32_ubyte2, 0, r32((float)byte(A, 2)))               \
    X(v_cvt_f32_ubyte3, 0, r32((float)byte(A, 3))) X(v_fract_f32, 0, r32((float)fraction(FA, 0x1.fffffep-1)))   \
    X(v_trunc_f32, 0, r32(truncf(FA))) X(v_ceil_f32, 0, r32(ceilf(FA))) X(v_rndne_f32, 0, r32(rintf(FA)))       \
    X(v_floor_f32, 0, r32(floorf(FA))) X(v_exp_f32, 1, r32(exp2_ftz(FA))) X(v_log_f32, 1, r32(log2_ftz(FA)))    \
    X(v_exp_legacy_f32, 1, r32(exp2_ftz(FA))) X(v_log_legacy_f32, 1, r32(log2_ftz(FA)))                         \
    X(v_rcp_f32, 1, r32(ftz(1 / ftz(FA)))) X(v_rcp_iflag_f32, 1, r32(ftz(1 / ftz(FA))))                         \
    X(v_rsq_f32, 1, r32((float)(1 / sqrtl(ftz(FA))))) X(v_sqrt_f32, 1, r32((float)sqrtl(ftz(FA))))              \
    X(v_sin_f32, 1, r32(sin_turns(ftz(FA)))) X(v_cos_f32, 1, r32(cos_turns(ftz(FA))))                           \
    X(v_frexp_exp_i32_f32, 0, (uint32_t)frexp_exp(FA)) X(v_frexp_mant_f32, 0, r32((float)frexp_mant(FA)))       \
    X(v_add_f32, 0, r32(FA + FB)) X(v_sub_f32, 0, r32(FA - FB)) X(v_subrev_f32, 0, r32(FB - FA))                \
    X(v_mul_f32, 0, r32(FA * FB)) X(v_mul_legacy_f32, 0, r32(FA == 0 || FB == 0 ? 0 : FA * FB))                 \
    X(v_min_f32, 0, r32(min32(FA, FB))) X(v_max_f32, 0, r32(max32(FA, FB))) X(v_mac_f32, 0, r32(mad(FA, FB, f32(x->d)))) \
    X(v_ldexp_f32, 0, r32(ldexpf(FA, IB))) X(v_cvt_pkrtz_f16_f32, 0, pack(rtz16(FA), rtz16(FB)))                \
    X(v_cvt_pknorm_i16_f32, 0, pack(snorm(FA), snorm(FB))) X(v_cvt_pknorm_u16_f32, 0, pack(unorm(FA), unorm(FB))) \
    X(v_cvt_pkaccum_u8_f32, 0, put_byte(FA, UB, (uint32_t)x->d)) X(v_mad_f32, 0, r32(mad(FA, FB, FC)))          \
    X(v_mad_legacy_f32, 0, r32(ftz(FA) == 0 || ftz(FB) == 0 ? ftz(0 + ftz(FC)) : mad(FA, FB, FC)))              \
    X(v_fma_f32, 0, r32(fmaf(FA, FB, FC))) X(v_cubeid_f32, 0, r32(cube_id(FA, FB, FC)))                         \
    X(v_cubesc_f32, 0, r32(cube_sc(FA, FB, FC))) X(v_cubetc_f32, 0, r32(cube_tc(FA, FB, FC)))                   \
    X(v_cubema_f32, 0, r32(2 * (cube_axis(FA, FB, FC) == 2 ? FC : cube_axis(FA, FB, FC) ? FB : FA)))            \
    X(v_min3_f32, 0, r32(min32(min32(FA, FB), FC))) X(v_max3_f32, 0, r32(max32(max32(FA, FB), FC)))             \
    X(v_med3_f32, 0, r32(med32(FA, FB, FC))) X(v_cvt_pk_u8_f32, 0, put_byte(FA, UB, UC))                        \
    X(v_cvt_i32_f64, 0, (uint32_t)to_i32(DA)) X(v_cvt_u32_f64, 0, to_u32(DA)) X(v_cvt_f64_i32, 0, r64(IA))      \
    X(v_cvt_f64_u32, 0, r64(UA)) X(v_cvt_f32_f64, 0, r32((float)DA)) X(v_cvt_f64_f32, 0, r64(FA))               \
    X(v_trunc_f64, 0, r64(trunc(DA))) X(v_ceil_f64, 0, r64(ceil(DA))) X(v_rndne_f64, 0, r64(rint(DA)))          \
    X(v_floor_f64, 0, r64(floor(DA))) X(v_fract_f64, 0, r64(fraction(DA, 0x1.fffffffffffffp-1)))                \
    X(v_rcp_f64, 1, r64(1 / DA)) X(v_rsq_f64, 1, r64(DA == 0 ? copysign(INFINITY, DA) : (double)(1 / sqrtl(DA)))) \
    X(v_sqrt_f64, 1, r64(sqrt(DA))) X(v_frexp_exp_i32_f64, 0, (uint32_t)frexp_exp(DA))                          \
    X(v_frexp_mant_f64, 0, r64(frexp_mant(DA))) X(v_add_f64, 0, r64(DA + DB)) X(v_mul_f64, 0, r64(DA * DB))     \
    X(v_min_f64, 0, r64(min64(DA, DB))) X(v_max_f64, 0, r64(max64(DA, DB))) X(v_ldexp_f64, 0, r64(ldexp(DA, IB))) \
    X(v_fma_f64, 0, r64(fma(DA, DB, DC)))                                                                       \
    X(v_cvt_f16_u16, 0, r16((f16)HA)) X(v_cvt_f16_i16, 0, r16((f16)SA))                                         \
    X(v_cvt_u16_f16, 0, clampi(to_i32((double)XA), 0, 65535)) X(v_cvt_i16_f16, 0, (uint64_t)clampi(to_i32((double)XA), -32768, 32767) & 0xffff) \
    X(v_rcp_f16, 1, narrow(1 / (float)XA)) X(v_sqrt_f16, 1, narrow(sqrtf((float)XA)))                           \
    X(v_rsq_f16, 1, narrow((float)(1 / sqrtl((float)XA)))) X(v_log_f16, 1, narrow((float)log2l((float)XA)))     \
    X(v_exp_f16, 1, narrow((float)exp2l((float)XA))) X(v_frexp_mant_f16, 0, narrow((float)frexp_mant((float)XA))) \
    X(v_frexp_exp_i16_f16, 0, (uint32_t)frexp_exp((float)XA) & 0xffff) X(v_floor_f16, 0, narrow(floorf((float)XA))) \
    X(v_ceil_f16, 0, narrow(ceilf((float)XA))) X(v_trunc_f16, 0, narrow(truncf((float)XA)))                     \
    X(v_rndne_f16, 0, narrow(rintf((float)XA))) X(v_fract_f16, 0, narrow((float)fraction((float)XA, 0x1.ffcp-1))) \
    X(v_sin_f16, 1, narrow(sin_turns((float)XA))) X(v_cos_f16, 1, narrow(cos_turns((float)XA)))                 \
    X(v_cvt_norm_i16_f16, 0, snorm((float)XA)) X(v_cvt_norm_u16_f16, 0, unorm((float)XA))                       \
    X(v_add_f16, 0, narrow((float)XA + (float)XB)) X(v_sub_f16, 0, narrow((float)XA - (float)XB))               \
    X(v_subrev_f16, 0, narrow((float)XB - (float)XA)) X(v_mul_f16, 0, narrow((float)XA * (float)XB))            \
    X(v_mac_f16, 0, high(x->d) | narrow((float)(f16)((float)XA * (float)XB) + (float)half(x->d)))               \
    X(v_mad_f16, 0, high(x->d) | narrow((float)(f16)((float)XA * (float)XB) + (float)XC))                       \
    X(v_mad_legacy_f16, 0, narrow((float)(f16)((float)XA * (float)XB) + (float)XC))                             \
    X(v_max_f16, 0, narrow(max32(wide(A), wide(B)))) X(v_min_f16, 0, narrow(min32(wide(A), wide(B))))           \
    X(v_ldexp_f16, 0, narrow(ldexpf((float)XA, SB))) X(v_cvt_pknorm_i16_f16, 0, pack(snorm((float)XA), snorm((float)XB))) \
    X(v_cvt_pknorm_u16_f16, 0, pack(unorm((float)XA), unorm((float)XB)))                                        \
    X(v_fma_f16, 0, high(x->d) | r16((f16)((long double)XA * XB + (long double)XC)))                            \
    X(v_fma_legacy_f16, 0, r16((f16)((long double)XA * XB + (long double)XC)))                                  \
    X(v_min3_f16, 0, high(x->d) | narrow(min32(min32(wide(A), wide(B)), wide(C))))                              \
    X(v_max3_f16, 0, high(x->d) | narrow(max32(max32(wide(A), wide(B)), wide(C))))                              \
    X(v_med3_f16, 0, high(x->d) | narrow(med32(wide(A), wide(B), wide(C))))                                     \
    X(v_pk_add_f16, 0, pack(narrow((float)XA + (float)XB), narrow((float)half(A >> 16) + (float)half(B >> 16)))) \
    X(v_pk_mul_f16, 0, pack(narrow((float)XA * (float)XB), narrow((float)half(A >> 16) * (float)half(B >> 16)))) \
    X(v_pk_min_f16, 0, pack(narrow(min32(wide(A), wide(B))), narrow(min32(wide(A >> 16), wide(B >> 16)))))      \
    X(v_pk_max_f16, 0, pack(narrow(max32(wide(A), wide(B))), narrow(max32(wide(A >> 16), wide(B >> 16)))))      \
    X(v_pk_fma_f16, 0, pack(r16((f16)((long double)XA * XB + (long double)XC)),                                 \
                            r16((f16)((long double)half(A >> 16) * half(B >> 16) + (long double)half(C >> 16))))) \
    X(v_mad_mix_f32, 0, r32(mad(FA, FB, FC))) X(v_mad_mixlo_f16, 0, high(x->d) | narrow(mad(FA, FB, FC)))       \
    X(v_mad_mixhi_f16, 0, (x->d & 0xffff) | narrow(mad(FA, FB, FC)) << 16)

#define X(name, ulps, expr) static uint64_t model_##name(struct lane_case *x) { return (uint64_t)(expr); }
MODELS
#undef X

/* Compares: the result is the lane's bit. */
#define FLOAT_PREDICATES(T, V)                                                                                  \
    P(f_##T, V, 0) P(lt_##T, V, l < r) P(eq_##T, V, l == r) P(le_##T, V, l <= r) P(gt_##T, V, l > r)            \
    P(lg_##T, V, l < r || l > r) P(ge_##T, V, l >= r) P(o_##T, V, !isnan(l) && !isnan(r))                       \
    P(u_##T, V, isnan(l) || isnan(r)) P(nge_##T, V, !(l >= r)) P(nlg_##T, V, !(l < r || l > r))                 \
    P(ngt_##T, V, !(l > r)) P(nle_##T, V, !(l <= r)) P(neq_##T, V, !(l == r)) P(nlt_##T, V, !(l < r)) P(tru_##T, V, 1)
#define INT_PREDICATES(T, V)                                                                                    \
    P(f_##T, V, 0) P(lt_##T, V, l < r) P(eq_##T, V, l == r) P(le_##T, V, l <= r) P(gt_##T, V, l > r)            \
    P(ne_##T, V, l != r) P(ge_##T, V, l >= r) P(t_##T, V, 1)
#define PREDICATES                                                                                              \
    FLOAT_PREDICATES(f16, (float)half) FLOAT_PREDICATES(f32, f32) FLOAT_PREDICATES(f64, f64)                    \
    INT_PREDICATES(i16, (int16_t)) INT_PREDICATES(u16, (uint16_t)) INT_PREDICATES(i32, (int32_t))               \
    INT_PREDICATES(u32, (uint32_t)) INT_PREDICATES(i64, (int64_t)) INT_PREDICATES(u64, (uint64_t))
#define P(name, V, condition)                                                                                   \
    static uint64_t model_cmp_##name(struct lane_case *x)                                                       \
    {                                                                                                           \
        __typeof__(V(x->a)) l = V(x->a), r = V(x->b);                                                           \
        (void)l, (void)r;                                                                                       \
        x->bit = (condition);                                                                                   \
        return 0;                                                                                               \
    }
PREDICATES
#undef P

static uint64_t class_f32(struct lane_case *x)
{
    x->bit = (classify(UA >> 31, isnan(FA), UA >> 22 & 1, isinf(FA) != 0, FA == 0, fabsf(FA) < FLT_MIN) & UB) != 0;
    return 0;
}
static uint64_t class_f64(struct lane_case *x)
{
    x->bit = (classify((int)(A >> 63), isnan(DA), A >> 51 & 1, isinf(DA) != 0, DA == 0, fabs(DA) < DBL_MIN) & UB) != 0;
    return 0;
}
static uint64_t class_f16(struct lane_case *x)
{
    float f = (float)XA;
    x->bit = (classify(HA >> 15, isnan(f), HA >> 9 & 1, isinf(f) != 0, f == 0, fabsf(f) < 0x1p-14f) & UB) != 0;
    return 0;
}

const struct valu_model valu_models[] = {
#define X(name, ulps, expr) {GCN_OP_##name, ulps, model_##name},
    MODELS
#undef X
#define P(name, V, condition) {GCN_OP_v_cmp_##name, 0, model_cmp_##name}, {GCN_OP_v_cmpx_##name, 0, model_cmp_##name},
    PREDICATES
#undef P
    {GCN_OP_v_cmp_class_f32, 0, class_f32}, {GCN_OP_v_cmpx_class_f32, 0, class_f32},
    {GCN_OP_v_cmp_class_f64, 0, class_f64}, {GCN_OP_v_cmpx_class_f64, 0, class_f64},
    {GCN_OP_v_cmp_class_f16, 0, class_f16}, {GCN_OP_v_cmpx_class_f16, 0, class_f16},
    {0, 0, NULL},
};
