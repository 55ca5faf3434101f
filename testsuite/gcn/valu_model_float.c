/* SPDX-License-Identifier: MIT */
/* f32 and f64 operations and conversions of the vector ALU model.
 *
 * Input and output: struct model_lane. The host does the arithmetic, in the rounding mode that MODE asks for. Results
 * that the hardware only approximates get a tolerance. */
#include "testsuite/gcn/valu_model.h"
#include "testsuite/float_bits.h"

#include <math.h>
#include <string.h>

static float flush32(float value)
{
    return fabsf(value) < 0x1p-126f ? copysignf(0, value) : value;
}

static double flush64(double value)
{
    return fabs(value) < 0x1p-1022 ? copysign(0, value) : value;
}

static float in32(const struct model *m, u128 bits)
{
    float value = f32_of_bits((uint64_t)bits);
    return m->mode & 0x10 ? value : flush32(value);
}

static double in64(const struct model *m, u128 bits)
{
    double value = f64_of_bits((uint64_t)bits);
    return m->mode & 0x40 ? value : flush64(value);
}

static bool out32(struct model_lane *l, float value)
{
    if (!(l->m->mode & 0x20))
        value = flush32(value);
    l->nan = value != value;
    l->result = bits_of_f32(value);
    return true;
}

static bool out64(struct model_lane *l, double value)
{
    if (!(l->m->mode & 0x80))
        value = flush64(value);
    l->nan = value != value;
    l->result = bits_of_f64(value);
    return true;
}

/* An f16 result, clamp included. */
static bool out16(struct model_lane *l, __float128 value)
{
    unsigned bits = model_f16_modifiers(l, model_f16_out(l->m, value));
    l->nan = model_is_nan16(bits);
    l->result = bits;
    return true;
}

/* A result that the hardware approximates: it may be ULPS units in the last place off. */
static bool about32(struct model_lane *l, double value, double ulps)
{
    l->m->ulps = ulps;
    float rounded = flush32((float)value);
    l->nan = rounded != rounded;
    l->result = bits_of_f32(rounded);
    return true;
}

static bool about64(struct model_lane *l, double value)
{
    l->m->ulps = 2;
    return out64(l, value);
}

static bool is_signaling32(uint32_t bits)
{
    return (bits & 0x7fc00000) == 0x7f800000 && bits & 0x3fffff;
}

static bool is_signaling64(uint64_t bits)
{
    return (bits & 0x7ff8000000000000) == 0x7ff0000000000000 && bits & 0x7ffffffffffff;
}

static double minmax(double a, double b, bool max, bool quiet)
{
    if (quiet)
        return NAN;
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return !signbit(a) == max ? a : b; /* -0 is less than +0 */
    return (a < b) == max ? b : a;
}

static float minmax32(const struct model *m, float a, float b, bool max)
{
    bool quiet = m->mode & MODEL_IEEE && (is_signaling32(bits_of_f32(a)) || is_signaling32(bits_of_f32(b)));
    return (float)minmax((double)a, (double)b, max, quiet);
}

static float med3(const struct model *m, float a, float b, float c)
{
    if (a != a || b != b || c != c)
        return minmax32(m, minmax32(m, a, b, false), c, false);
    float high = minmax32(m, minmax32(m, a, b, true), c, true);
    return high == a ? minmax32(m, b, c, true) : high == b ? minmax32(m, a, c, true) : minmax32(m, a, b, true);
}

static int64_t to_integer(double value, int64_t low, int64_t high)
{
    if (value != value)
        return 0;
    value = trunc(value);
    return value <= (double)low ? low : value >= (double)high ? high : (int64_t)value;
}

static double fraction(double value, double below_one)
{
    double result = value - floor(value);
    return isfinite(value) ? (result < below_one ? result : below_one) : NAN;
}

static double revolutions(double value)
{
    return isfinite(value) ? 2 * M_PI * (value - floor(value)) : NAN;
}

static double norm(float value, double scale)
{
    double low = scale == 32767 ? -1 : 0, wide = (double)value;
    if (wide != wide)
        return 0;
    return rint((wide < low ? low : wide > 1 ? 1 : wide) * scale);
}

static uint32_t byte_of(float value)
{
    return (uint32_t)to_integer(rint((double)value), 0, 255);
}

static bool cube(struct model_lane *l, float x, float y, float z)
{
    bool is_z = fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y), is_y = !is_z && fabsf(y) >= fabsf(x);
    switch (l->inst->op) {
    case GCN_OP_v_cubeid_f32: return out32(l, is_z ? (z < 0 ? 5 : 4) : is_y ? (y < 0 ? 3 : 2) : x < 0 ? 1 : 0);
    case GCN_OP_v_cubesc_f32: return out32(l, is_z ? (z < 0 ? -x : x) : is_y ? x : x < 0 ? z : -z);
    case GCN_OP_v_cubetc_f32: return out32(l, is_z ? -y : is_y ? (y < 0 ? -z : z) : -y);
    case GCN_OP_v_cubema_f32: return out32(l, 2 * (is_z ? z : is_y ? y : x));
    default: return false;
    }
}

/* v_mad_f32 and similar operations round twice, and flush denormals whatever MODE says. */
static float mad(float a, float b, float c)
{
    volatile float product = flush32(flush32(a) * flush32(b));
    volatile float sum = product + flush32(c);
    return flush32(sum);
}

static float mul_legacy(float a, float b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static bool arithmetic32(struct model_lane *l)
{
    const struct model *m = l->m;
    volatile float a = in32(m, l->a), b = in32(m, l->b), c = in32(m, l->c);
    volatile float d = f32_of_bits((uint64_t)l->old);
    model_round(m->mode & 3);
    switch (l->inst->op) {
    case GCN_OP_v_pk_add_f32:
    case GCN_OP_v_add_f32: return out32(l, a + b);
    case GCN_OP_v_sub_f32: return out32(l, a - b);
    case GCN_OP_v_subrev_f32: return out32(l, b - a);
    case GCN_OP_v_pk_mul_f32:
    case GCN_OP_v_mul_f32: return out32(l, a * b);
    case GCN_OP_v_mul_legacy_f32_e64:
    case GCN_OP_v_mul_legacy_f32: return out32(l, mul_legacy(a, b));
    case GCN_OP_v_mac_f32: return out32(l, mad(f32_of_bits((uint64_t)l->a), f32_of_bits((uint64_t)l->b), d));
    case GCN_OP_v_mad_f32:
    case GCN_OP_v_madmk_f32:
    case GCN_OP_v_madak_f32:
        return out32(l, mad(f32_of_bits((uint64_t)l->a), f32_of_bits((uint64_t)l->b), f32_of_bits((uint64_t)l->c)));
    case GCN_OP_v_mad_legacy_f32: {
        volatile float product = mul_legacy(flush32(a), flush32(b));
        return out32(l, flush32(flush32(product) + flush32(c)));
    }
    case GCN_OP_v_pk_fma_f32:
    case GCN_OP_v_fma_f32: return out32(l, fmaf(a, b, c));
    case GCN_OP_v_fmac_f32: return out32(l, fmaf(a, b, in32(m, l->old)));
    case GCN_OP_v_div_fmas_f32: {
        int scale = !l->carry ? 0 : (bits_of_f32(c) >> 23 & 255) > 127 ? 32 : -32;
        float x = ldexpf(a, scale), y = ldexpf(b, scale), z = ldexpf(c, 2 * scale);
        l->skip = ldexpf(x, -scale) != a || ldexpf(y, -scale) != b || ldexpf(z, -2 * scale) != c;
        return out32(l, fmaf(x, y, z));
    }
    case GCN_OP_v_ldexp_f32: return out32(l, (float)ldexp((double)a, (int)to_integer((int32_t)l->b, -2000, 2000)));
    case GCN_OP_v_fract_f32:
        l->skip = m->mode & 3; /* how the operation rounds is not published */
        return out32(l, (float)fraction((double)a, 0x1.fffffep-1));
    default: return cube(l, a, b, c);
    }
}

static bool selection32(struct model_lane *l)
{
    const struct model *m = l->m;
    float a = in32(m, l->a), b = in32(m, l->b), c = in32(m, l->c);
    switch (l->inst->op) {
    case GCN_OP_v_min_f32: return out32(l, minmax32(m, a, b, false));
    case GCN_OP_v_max_f32: return out32(l, minmax32(m, a, b, true));
    case GCN_OP_v_min3_f32: return out32(l, minmax32(m, minmax32(m, a, b, false), c, false));
    case GCN_OP_v_max3_f32: return out32(l, minmax32(m, minmax32(m, a, b, true), c, true));
    case GCN_OP_v_med3_f32: return out32(l, med3(m, a, b, c));
    case GCN_OP_v_trunc_f32: return out32(l, truncf(a));
    case GCN_OP_v_ceil_f32: return out32(l, ceilf(a));
    case GCN_OP_v_rndne_f32: return out32(l, rintf(a));
    case GCN_OP_v_floor_f32: return out32(l, floorf(a));
    case GCN_OP_v_frexp_mant_f32: {
        int exponent;
        return out32(l, isfinite(a) ? frexpf(a, &exponent) : a);
    }
    case GCN_OP_v_frexp_exp_i32_f32: {
        int exponent = 0;
        if (isfinite(a))
            frexpf(a, &exponent);
        l->result = (uint32_t)exponent;
        return true;
    }
    default: return false;
    }
}

static bool transcendental32(struct model_lane *l)
{
    double a = (double)flush32(f32_of_bits((uint64_t)l->a));
    switch (l->inst->op) {
    case GCN_OP_v_rcp_f32:
    case GCN_OP_v_rcp_iflag_f32: return about32(l, 1 / a, 1);
    case GCN_OP_v_rsq_f32: return about32(l, a == 0 ? copysign(INFINITY, a) : 1 / sqrt(a), a > 0x1p126 ? 2 : 1);
    case GCN_OP_v_sqrt_f32: return about32(l, sqrt(a), 1);
    case GCN_OP_v_exp_f32:
    case GCN_OP_v_exp_legacy_f32: return about32(l, exp2(a), 1);
    case GCN_OP_v_log_f32:
    case GCN_OP_v_log_legacy_f32: return about32(l, log2(a), 1);
    case GCN_OP_v_sin_f32: l->m->absolute = 0x1p-20; return about32(l, sin(revolutions(a)), 2);
    case GCN_OP_v_cos_f32: l->m->absolute = 0x1p-20; return about32(l, cos(revolutions(a)), 2);
    default: return false;
    }
}

static bool from_integer(struct model_lane *l)
{
    uint32_t a = (uint32_t)l->a;
    model_round(l->m->mode & 3);
    switch (l->inst->op) {
    case GCN_OP_v_cvt_f32_i32: {
        volatile int32_t value = (int32_t)a;
        return out32(l, (float)value);
    }
    case GCN_OP_v_cvt_f32_u32: {
        volatile int64_t value = a;
        return out32(l, (float)value);
    }
    case GCN_OP_v_cvt_f32_ubyte0:
    case GCN_OP_v_cvt_f32_ubyte1:
    case GCN_OP_v_cvt_f32_ubyte2:
    case GCN_OP_v_cvt_f32_ubyte3: return out32(l, (float)(a >> (8 * (l->inst->op - GCN_OP_v_cvt_f32_ubyte0)) & 255));
    case GCN_OP_v_cvt_off_f32_i4: return out32(l, (float)((int)(a << 28) >> 28) / 16);
    case GCN_OP_v_cvt_f64_i32: return out64(l, (double)(int32_t)a);
    case GCN_OP_v_cvt_f64_u32: return out64(l, (double)a);
    case GCN_OP_v_cvt_f16_u16: return out16(l, a & 0xffff);
    case GCN_OP_v_cvt_f16_i16: return out16(l, (int16_t)a);
    default: return false;
    }
}

static bool integer(struct model_lane *l, int64_t value)
{
    l->result = (uint32_t)value;
    return true;
}

static bool to_integers(struct model_lane *l)
{
    const struct model *m = l->m;
    float a = in32(m, l->a), b = in32(m, l->b);
    double wide = in64(m, l->a);
    uint32_t b_bits = (uint32_t)l->b, shift = 8 * (b_bits & 3);
    switch (l->inst->op) {
    case GCN_OP_v_cvt_i32_f32: return integer(l, to_integer((double)a, INT32_MIN, INT32_MAX));
    case GCN_OP_v_cvt_u32_f32: return integer(l, to_integer((double)a, 0, UINT32_MAX));
    case GCN_OP_v_cvt_i32_f64: return integer(l, to_integer(wide, INT32_MIN, INT32_MAX));
    case GCN_OP_v_cvt_u32_f64: return integer(l, to_integer(wide, 0, UINT32_MAX));
    case GCN_OP_v_cvt_flr_i32_f32: return integer(l, to_integer(floor((double)a), INT32_MIN, INT32_MAX));
    case GCN_OP_v_cvt_rpi_i32_f32: {
        volatile float sum = a + 0.5f;
        return integer(l, to_integer(floor((double)sum), INT32_MIN, INT32_MAX));
    }
    case GCN_OP_v_cvt_pk_u8_f32: return integer(l, ((uint32_t)l->c & ~(255u << shift)) | byte_of(a) << shift);
    case GCN_OP_v_cvt_pkaccum_u8_f32: return integer(l, ((uint32_t)l->old & ~(255u << shift)) | byte_of(a) << shift);
    case GCN_OP_v_cvt_pknorm_i16_f32:
        return integer(l, ((uint32_t)(int32_t)norm(a, 32767) & 0xffff) | (uint32_t)(int32_t)norm(b, 32767) << 16);
    case GCN_OP_v_cvt_pknorm_u16_f32: return integer(l, (uint32_t)norm(a, 65535) | (uint32_t)norm(b, 65535) << 16);
    case GCN_OP_v_cvt_pkrtz_f16_f32: {
        unsigned low = model_to_f16((__float128)a, 3, false), high = model_to_f16((__float128)b, 3, false);
        low = model_f16_modifiers(l, low);
        high = model_f16_modifiers(l, high);
        l->nan = model_is_nan16(low);
        l->nan_high = model_is_nan16(high);
        return integer(l, low | high << 16);
    }
    default: return false;
    }
}

static bool between_floats(struct model_lane *l)
{
    const struct model *m = l->m;
    switch (l->inst->op) {
    case GCN_OP_v_cvt_f16_f32: return out16(l, (__float128)in32(m, l->a));
    case GCN_OP_v_cvt_f32_f16: return out32(l, (float)model_from_f16((unsigned)l->a));
    case GCN_OP_v_cvt_f32_f64: {
        volatile double value = in64(m, l->a);
        model_round(m->mode >> 2 & 3);
        return out32(l, (float)value);
    }
    case GCN_OP_v_cvt_f64_f32: return out64(l, (double)in32(m, l->a));
    default: return false;
    }
}

static bool arithmetic64(struct model_lane *l)
{
    const struct model *m = l->m;
    volatile double a = in64(m, l->a), b = in64(m, l->b), c = in64(m, l->c);
    bool quiet = m->mode & MODEL_IEEE && (is_signaling64((uint64_t)l->a) || is_signaling64((uint64_t)l->b));
    int exponent = 0;
    model_round(m->mode >> 2 & 3);
    switch (l->inst->op) {
    case GCN_OP_v_add_f64: return out64(l, a + b);
    case GCN_OP_v_mul_f64: return out64(l, a * b);
    case GCN_OP_v_fma_f64: return out64(l, fma(a, b, c));
    case GCN_OP_v_fmac_f64: return out64(l, fma(a, b, in64(m, l->old)));
    case GCN_OP_v_div_fmas_f64: {
        int scale = !l->carry ? 0 : (bits_of_f64(c) >> 52 & 2047) > 1023 ? 64 : -64;
        double x = ldexp(a, scale), y = ldexp(b, scale), z = ldexp(c, 2 * scale);
        l->skip = ldexp(x, -scale) != a || ldexp(y, -scale) != b || ldexp(z, -2 * scale) != c;
        l->skip |= !(fabs(fma(a, b, c)) < 0x1.fffffffffffffp1023); /* when it overflows is not published */
        l->skip |= fabs(fma(a, b, c)) < 0x1p-1022;
        return out64(l, fma(x, y, z));
    }
    case GCN_OP_v_min_f64: return out64(l, minmax(a, b, false, quiet));
    case GCN_OP_v_max_f64: return out64(l, minmax(a, b, true, quiet));
    case GCN_OP_v_ldexp_f64: return out64(l, ldexp(a, (int)to_integer((int32_t)l->b, -5000, 5000)));
    case GCN_OP_v_trunc_f64: return out64(l, trunc(a));
    case GCN_OP_v_ceil_f64: return out64(l, ceil(a));
    case GCN_OP_v_floor_f64: return out64(l, floor(a));
    case GCN_OP_v_rndne_f64: model_round(0); return out64(l, rint(a));
    case GCN_OP_v_fract_f64: l->skip = m->mode & 12; return out64(l, fraction(a, 0x1.fffffffffffffp-1));
    case GCN_OP_v_frexp_mant_f64: return out64(l, isfinite(a) ? frexp(a, &exponent) : a);
    case GCN_OP_v_frexp_exp_i32_f64:
        if (isfinite(a))
            frexp(a, &exponent);
        return integer(l, exponent);
    case GCN_OP_v_rcp_f64: return about64(l, 1 / a);
    case GCN_OP_v_rsq_f64: return about64(l, a == 0 ? copysign(INFINITY, a) : 1 / sqrt(a));
    case GCN_OP_v_sqrt_f64: return about64(l, sqrt(a));
    default: return false;
    }
}

/* NUM / DEN, for which QUOTIENT is a candidate. UNDERFLOW: the result is of magnitude TINY if no special case applies.
 */
static double div_fixup(double quotient, double den, double num, bool underflow, double tiny)
{
    double sign = signbit(den) != signbit(num) ? -1 : 1;
    if (num != num || den != den || (den == 0 && num == 0) || (isinf(den) && isinf(num)))
        return NAN;
    if (den == 0 || isinf(num))
        return copysign(INFINITY, sign);
    if (isinf(den) || num == 0)
        return copysign(0, sign);
    if (underflow)
        return copysign(tiny, sign);
    return quotient != quotient ? copysign(INFINITY, sign) : copysign(quotient, sign);
}

static bool division(struct model_lane *l)
{
    const struct model *m = l->m;
    bool negative = (l->b >> 31 ^ l->c >> 31) & 1, negative64 = (l->b >> 63 ^ l->c >> 63) & 1;
    unsigned rm = m->mode & 3, rm64 = m->mode >> 2 & 3;
    int distance;
    switch (l->inst->op) {
    case GCN_OP_v_div_fixup_f32:
        distance = (int)(l->c >> 23 & 255) - (int)(l->b >> 23 & 255);
        return out32(l, (float)div_fixup((double)in32(m, l->a), (double)in32(m, l->b), (double)in32(m, l->c),
                                         distance < -150, rm == (negative ? 2 : 1) ? 0x1p-149 : 0));
    case GCN_OP_v_div_fixup_f64:
        distance = (int)(l->c >> 52 & 2047) - (int)(l->b >> 52 & 2047);
        return out64(l, div_fixup(in64(m, l->a), in64(m, l->b), in64(m, l->c), distance < -1075,
                                  rm64 == (negative64 ? 2 : 1) ? 0x1p-1074 : 0));
    default: return false;
    }
}

/* v_mad_mix, v_fma_mix: each source an f32, or one half of an f16 pair. */
static bool mix(struct model_lane *l)
{
    const struct gcn_inst *inst = l->inst;
    u128 source[3] = {l->a, l->b, l->c};
    float in[3];
    for (unsigned i = 0; i < 3; i++) {
        unsigned half = (unsigned)(source[i] >> (inst->op_sel >> i & 1 ? 16 : 0)) & 0xffff;
        in[i] = inst->op_sel_hi >> i & 1 ? (float)model_from_f16(half) : f32_of_bits((uint64_t)source[i]);
        in[i] = inst->abs >> i & 1 ? fabsf(in[i]) : in[i];
        in[i] = inst->neg >> i & 1 ? -in[i] : in[i];
    }
    bool fused =
        inst->op == GCN_OP_v_fma_mix_f32 || inst->op == GCN_OP_v_fma_mixlo_f16 || inst->op == GCN_OP_v_fma_mixhi_f16;
    for (unsigned i = 0; i < 3 && fused && !(l->m->mode & 0x10); i++)
        in[i] = flush32(in[i]);
    model_round(l->m->mode & 3);
    float result = fused ? fmaf(in[0], in[1], in[2]) : mad(in[0], in[1], in[2]);
    model_round(0);
    if (inst->op == GCN_OP_v_mad_mix_f32 || inst->op == GCN_OP_v_fma_mix_f32)
        return out32(l, result);
    return out16(l, (__float128)result);
}

/* v_dot2_f32_f16, of the halves that op_sel and op_sel_hi choose, with their signs; f32 denormals count as zero. */
static bool dot2(struct model_lane *l)
{
    const struct gcn_inst *inst = l->inst;
    u128 source[2] = {l->a, l->b};
    bool packed =
        inst->encoding == GCN_VOP3P; /* else v_dot2c_f32_f16, which adds to the old value of the destination */
    volatile float in[2][2], c = flush32(f32_of_bits((uint32_t)(packed ? l->c : l->old)));
    for (unsigned i = 0; i < 2; i++)
        for (unsigned high = 0; high < 2; high++) {
            unsigned sel = !packed ? (high ? 3 : 0) : high ? inst->op_sel_hi : inst->op_sel;
            unsigned neg = !packed ? 0 : high ? inst->neg_hi : inst->neg;
            unsigned half = (unsigned)(source[i] >> (sel >> i & 1 ? 16 : 0)) & 0xffff;
            in[i][high] = (float)model_from_f16(model_f16_in(l->m, half ^ (neg >> i & 1 ? 0x8000u : 0u)));
        }
    if (packed && inst->neg >> 2 & 1)
        c = -c;
    model_round(l->m->mode & 3);
    volatile float products = in[0][0] * in[1][0];
    products += in[0][1] * in[1][1];
    volatile float result = flush32(products + c);
    model_round(0);
    return out32(l, result);
}

bool model_float(struct model_lane *l)
{
    if (l->inst->op == GCN_OP_v_dot2_f32_f16 || l->inst->op == GCN_OP_v_dot2c_f32_f16)
        return dot2(l);
    if (gcn_op_info[l->inst->op].src[0] == GCN_T_MIX)
        return mix(l);
    bool known = from_integer(l);
    model_round(0);
    known = known || to_integers(l) || between_floats(l) || selection32(l);
    known = known || transcendental32(l) || division(l) || arithmetic64(l) || arithmetic32(l);
    model_round(0);
    return known;
}
