/* SPDX-License-Identifier: MIT */
/* See valu_model.h. Input: raw operands of one lane. Output: the raw result. */
#include "testsuite/gcn/valu_model.h"

#include "runtime/gcn/inst.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef _Float16 f16;

static float f32(uint64_t raw)
{
    float f;
    uint32_t u = (uint32_t)raw;
    memcpy(&f, &u, 4);
    return f;
}
static double f64(uint64_t raw)
{
    double f;
    memcpy(&f, &raw, 8);
    return f;
}
static f16 half(uint64_t raw)
{
    f16 f;
    uint16_t u = (uint16_t)raw;
    memcpy(&f, &u, 2);
    return f;
}
static uint64_t r32(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
static uint64_t r64(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return u;
}
static uint64_t r16(f16 f)
{
    uint16_t u;
    memcpy(&u, &f, 2);
    return u;
}
static uint64_t high(uint64_t d)
{
    return d & 0xffff0000;
}

#define A  x->a
#define B  x->b
#define C  x->c
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

static float ftz(float f)
{
    return fabsf(f) < FLT_MIN ? copysignf(0, f) : f;
}
static float mad(float a, float b, float c)
{
    volatile float p = ftz(ftz(a) * ftz(b));
    return ftz(p + ftz(c));
}
static int snan32(float f)
{
    return isnan(f) && !(r32(f) >> 22 & 1);
}
static int snan64(double f)
{
    return isnan(f) && !(r64(f) >> 51 & 1);
}
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
static uint64_t narrow(float f)
{
    return r16((f16)f);
}

static int64_t clampi(int64_t v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}
static uint32_t to_u32(double v)
{
    return isnan(v) || v <= 0 ? 0 : v >= 4294967295.0 ? UINT32_MAX : (uint32_t)v;
}
static int32_t to_i32(double v)
{
    return isnan(v) ? 0 : v <= -2147483648.0 ? INT32_MIN : v >= 2147483647.0 ? INT32_MAX : (int32_t)v;
}
static int32_t sx(uint32_t v, int bits)
{
    int64_t m = (int64_t)1 << (bits - 1), u = v & (((int64_t)1 << bits) - 1);
    return (int32_t)((u ^ m) - m);
}
static uint32_t bits_of(uint32_t v)
{
    uint32_t n = 0;
    for (; v; v >>= 1)
        n += v & 1;
    return n;
}
static uint32_t first_high(uint32_t v)
{
    for (uint32_t i = 0; i < 32; i++)
        if (v >> (31 - i) & 1)
            return i;
    return ~0u;
}
static uint32_t first_low(uint32_t v)
{
    for (uint32_t i = 0; i < 32; i++)
        if (v >> i & 1)
            return i;
    return ~0u;
}
static uint32_t reversed(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
static uint32_t byte(uint64_t v, int n)
{
    return (uint32_t)(v >> (8 * n)) & 255;
}
static uint32_t diff(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}
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
static uint64_t pack(uint64_t lo, uint64_t hi)
{
    return (lo & 0xffff) | (hi & 0xffff) << 16;
}
static uint64_t snorm(float f)
{
    return isnan(f) ? 0 : (uint64_t)(int64_t)rint(fmin(fmax((double)f, -1), 1) * 32767) & 0xffff;
}
static uint64_t unorm(float f)
{
    return isnan(f) ? 0 : (uint64_t)rint(fmin(fmax((double)f, 0), 1) * 65535);
}
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
static int frexp_exp(double v)
{
    int e = 0;
    if (isfinite(v) && v != 0)
        frexp(v, &e);
    return e;
}
static double frexp_mant(double v)
{
    int e;
    return isfinite(v) && v != 0 ? frexp(v, &e) : v;
}
static double fraction(double v, double top)
{
    double r = v - floor(v);
    return isinf(v) ? NAN : r > top ? top : r;
}
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
    return !isfinite(v)            ? NAN
           : 2 * f == rintl(2 * f) ? 0
                                   : (float)sinl(6.283185307179586476925286766559L * f);
}
static float cos_turns(float v)
{
    long double f = remainderl(v, 1);
    return !isfinite(v) ? NAN : fabsl(f) == 0.25L ? 0 : (float)cosl(6.283185307179586476925286766559L * f);
}
static float exp2_ftz(float v)
{
    return ftz((float)exp2l(ftz(v)));
}
static float log2_ftz(float v)
{
    return (float)log2l(ftz(v));
}

#define X(name, ulps, expr)                                                                                  \
    static uint64_t model_##name(struct lane_case *x)                                                        \
    {                                                                                                        \
        return (uint64_t)(expr);                                                                             \
    }
#include "testsuite/gcn/valu_model.def"
#undef X

/* Compares: the result is the lane's bit. */
#define FLOAT_PREDICATES(T, V)                                                                               \
    P(f_##T, V, 0)                                                                                           \
    P(lt_##T, V, l < r) P(eq_##T, V, l == r) P(le_##T, V, l <= r) P(gt_##T, V, l > r)                        \
        P(lg_##T, V, l<r || l> r) P(ge_##T, V, l >= r) P(o_##T, V, !isnan(l) && !isnan(r))                   \
            P(u_##T, V, isnan(l) || isnan(r)) P(nge_##T, V, !(l >= r)) P(nlg_##T, V, !(l < r || l > r))      \
                P(ngt_##T, V, !(l > r)) P(nle_##T, V, !(l <= r)) P(neq_##T, V, !(l == r))                    \
                    P(nlt_##T, V, !(l < r)) P(tru_##T, V, 1)
#define INT_PREDICATES(T, V)                                                                                 \
    P(f_##T, V, 0)                                                                                           \
    P(lt_##T, V, l < r) P(eq_##T, V, l == r) P(le_##T, V, l <= r) P(gt_##T, V, l > r) P(ne_##T, V, l != r)   \
        P(ge_##T, V, l >= r) P(t_##T, V, 1)
#define PREDICATES                                                                                           \
    FLOAT_PREDICATES(f16, (float)half)                                                                       \
    FLOAT_PREDICATES(f32, f32) FLOAT_PREDICATES(f64, f64) INT_PREDICATES(i16, (int16_t))                     \
        INT_PREDICATES(u16, (uint16_t)) INT_PREDICATES(i32, (int32_t)) INT_PREDICATES(u32, (uint32_t))       \
            INT_PREDICATES(i64, (int64_t)) INT_PREDICATES(u64, (uint64_t))
#define P(name, V, condition)                                                                                \
    static uint64_t model_cmp_##name(struct lane_case *x)                                                    \
    {                                                                                                        \
        __typeof__(V(x->a)) l = V(x->a), r = V(x->b);                                                        \
        (void)l, (void)r;                                                                                    \
        x->bit = (condition);                                                                                \
        return 0;                                                                                            \
    }
PREDICATES
#undef P

static uint64_t class_f32(struct lane_case *x)
{
    x->bit =
        (classify(UA >> 31, isnan(FA), UA >> 22 & 1, isinf(FA) != 0, FA == 0, fabsf(FA) < FLT_MIN) & UB) != 0;
    return 0;
}
static uint64_t class_f64(struct lane_case *x)
{
    x->bit = (classify((int)(A >> 63), isnan(DA), A >> 51 & 1, isinf(DA) != 0, DA == 0, fabs(DA) < DBL_MIN) &
              UB) != 0;
    return 0;
}
static uint64_t class_f16(struct lane_case *x)
{
    float f = (float)XA;
    x->bit =
        (classify(HA >> 15, isnan(f), HA >> 9 & 1, isinf(f) != 0, f == 0, fabsf(f) < 0x1p-14f) & UB) != 0;
    return 0;
}

const struct valu_model valu_models[] = {
#define X(name, ulps, expr) {GCN_OP_##name, ulps, model_##name},
#include "testsuite/gcn/valu_model.def"
#undef X
#define P(name, V, condition)                                                                                \
    {GCN_OP_v_cmp_##name, 0, model_cmp_##name}, {GCN_OP_v_cmpx_##name, 0, model_cmp_##name},
    PREDICATES
#undef P
    {GCN_OP_v_cmp_class_f32, 0, class_f32},
    {GCN_OP_v_cmpx_class_f32, 0, class_f32},
    {GCN_OP_v_cmp_class_f64, 0, class_f64},
    {GCN_OP_v_cmpx_class_f64, 0, class_f64},
    {GCN_OP_v_cmp_class_f16, 0, class_f16},
    {GCN_OP_v_cmpx_class_f16, 0, class_f16},
    {0, 0, NULL},
};
