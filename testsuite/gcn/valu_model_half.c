/* SPDX-License-Identifier: MIT */
/* f16 operations and comparisons of the vector ALU model.
 *
 * Input and output: struct model_lane. f16 results are computed exactly in 128-bit floating point and rounded once;
 * those that the hardware approximates are computed in double. */
#include "testsuite/gcn/valu_model.h"
#include "testsuite/float_bits.h"

#include <math.h>
#include <string.h>

double model_from_f16(unsigned bits)
{
    double sign = bits & 0x8000 ? -1 : 1, mantissa = bits & 0x3ff;
    int exponent = (int)(bits >> 10 & 31);
    if (exponent == 31)
        return mantissa != 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

bool model_is_nan16(unsigned bits)
{
    return (bits & 0x7fff) > 0x7c00;
}

unsigned model_to_f16(__float128 x, unsigned rm, bool saturate)
{
    u128 raw;
    memcpy(&raw, &x, sizeof raw);
    unsigned sign = (unsigned)(raw >> 127) << 15;
    int exponent = (int)(raw >> 112 & 0x7fff) - 16383;
    if (x != x)
        return 0x7e00;
    if (exponent == 16384)
        return sign | 0x7c00;
    if (x == 0)
        return sign;
    int scale = exponent < -14 ? -14 : exponent;
    __float128 quotient = (sign ? -x : x) * (__float128)ldexp(1, 10 - (scale > 1000 ? 1000 : scale));
    if (exponent > 100)
        quotient = 1e9;
    uint64_t n = (uint64_t)quotient;
    __float128 rest = quotient - (__float128)n;
    bool up = rm == 0   ? rest > 0.5 || (rest == 0.5 && n & 1)
              : rm == 1 ? rest > 0 && !sign
              : rm == 2 ? rest > 0 && sign
                        : false;
    n += up;
    if (exponent > 15 || (scale == 15 && n >= 2048)) {
        bool to_infinity = rm == 0 || (rm == 1 && !sign) || (rm == 2 && sign);
        return sign | (to_infinity && !saturate ? 0x7c00 : 0x7bff);
    }
    return sign | (n < 1024 ? (unsigned)n : (unsigned)((scale + 15) << 10) + (unsigned)n - 1024);
}

unsigned model_f16_in(const struct model *m, unsigned bits)
{
    bits &= 0xffff;
    return !(m->mode & 0x40) && !(bits & 0x7c00) ? bits & 0x8000 : bits;
}

unsigned model_f16_out(const struct model *m, __float128 value)
{
    unsigned bits = model_to_f16(value, m->mode >> 2 & 3, m->mode & MODEL_FP16_OVFL);
    return !(m->mode & 0x80) && !(bits & 0x7c00) ? bits & 0x8000 : bits;
}

unsigned model_clamp_f16(const struct model *m, unsigned bits)
{
    if (model_is_nan16(bits))
        return m->mode & MODEL_DX10_CLAMP ? 0 : bits;
    double value = model_from_f16(bits);
    return value > 1 ? 0x3c00 : value > 0 ? bits : 0;
}

unsigned model_f16_modifiers(const struct model_lane *l, unsigned bits)
{
    static const double factor[] = {1, 2, 4, 0.5};
    if (l->inst->omod && !(l->m->mode & (0x80 | MODEL_IEEE)) && !model_is_nan16(bits)) {
        bits = model_f16_out(l->m, (__float128)(model_from_f16(bits) * factor[l->inst->omod]));
        bits = bits == 0x8000 ? 0 : bits;
    }
    return l->inst->clamp ? model_clamp_f16(l->m, bits) : bits;
}

static bool is_signaling16(unsigned bits)
{
    return model_is_nan16(bits) && !(bits & 0x200);
}

unsigned model_f16_minmax(const struct model *m, unsigned a, unsigned b, bool max)
{
    double x = model_from_f16(a), y = model_from_f16(b);
    if (m->mode & MODEL_IEEE && (is_signaling16(a) || is_signaling16(b)))
        return 0x7e00;
    if (x != x)
        return b;
    if (y != y)
        return a;
    if (x == y)
        return !(a & 0x8000) == max ? a : b;
    return (x < y) == max ? b : a;
}

static bool put(struct model_lane *l, unsigned bits)
{
    if (!(l->m->mode & 0x80) && !(bits & 0x7c00))
        bits &= 0x8000;
    bits = model_f16_modifiers(l, bits);
    l->nan = model_is_nan16(bits);
    l->result = bits;
    return true;
}

static bool value(struct model_lane *l, __float128 x)
{
    return put(l, model_f16_out(l->m, x));
}

static bool about(struct model_lane *l, double x)
{
    l->m->ulps = 1;
    return value(l, (__float128)x);
}

static bool integer16(struct model_lane *l, double x, double low, double high)
{
    x = x != x ? 0 : x < low ? low : x > high ? high : x;
    l->result = (uint32_t)(int32_t)x & 0xffff;
    return true;
}

static double turn(double x)
{
    return isfinite(x) ? 2 * M_PI * (x - floor(x)) : NAN;
}

static bool one_source(struct model_lane *l, double a)
{
    int exponent = 0;
    switch (l->inst->op) {
    case GCN_OP_v_rcp_f16: return about(l, 1 / a);
    case GCN_OP_v_sqrt_f16: return about(l, sqrt(a));
    case GCN_OP_v_rsq_f16: return about(l, a == 0 ? copysign(INFINITY, a) : 1 / sqrt(a));
    case GCN_OP_v_log_f16: return about(l, log2(a));
    case GCN_OP_v_exp_f16: return about(l, exp2(a));
    case GCN_OP_v_sin_f16: l->m->absolute = 0x1p-11; return about(l, sin(turn(a)));
    case GCN_OP_v_cos_f16: l->m->absolute = 0x1p-11; return about(l, cos(turn(a)));
    case GCN_OP_v_floor_f16: return value(l, (__float128)floor(a));
    case GCN_OP_v_ceil_f16: return value(l, (__float128)ceil(a));
    case GCN_OP_v_trunc_f16: return value(l, (__float128)trunc(a));
    case GCN_OP_v_rndne_f16: return value(l, (__float128)rint(a));
    case GCN_OP_v_fract_f16: {
        double fraction = a - floor(a), most = 1 - 0x1p-11;
        l->skip = l->m->mode & 12;
        return value(l, (__float128)(!isfinite(a) ? NAN : fraction < most ? fraction : most));
    }
    case GCN_OP_v_frexp_mant_f16: return value(l, (__float128)(isfinite(a) ? frexp(a, &exponent) : a));
    case GCN_OP_v_frexp_exp_i16_f16:
        if (isfinite(a))
            frexp(a, &exponent);
        return integer16(l, exponent, -100, 100);
    case GCN_OP_v_cvt_u16_f16: return integer16(l, trunc(a), 0, 65535);
    case GCN_OP_v_cvt_i16_f16: return integer16(l, trunc(a), -32768, 32767);
    case GCN_OP_v_cvt_norm_i16_f16: return integer16(l, rint((a < -1 ? -1 : a > 1 ? 1 : a) * 32767), -32768, 32767);
    case GCN_OP_v_cvt_norm_u16_f16: return integer16(l, rint((a < 0 ? 0 : a > 1 ? 1 : a) * 65535), 0, 65535);
    default: return false;
    }
}

/* v_mad_f16: the product is rounded before the sum. */
static bool mad(struct model_lane *l, double a, double b, double c)
{
    double product = model_from_f16(model_f16_out(l->m, (__float128)a * b));
    return value(l, (__float128)product + c);
}

static unsigned fixup(unsigned quotient, unsigned den, unsigned num)
{
    double d = model_from_f16(den), n = model_from_f16(num);
    unsigned sign = (den ^ num) & 0x8000;
    if (d != d || n != n || (d == 0 && n == 0) || (isinf(d) && isinf(n)))
        return 0x7e00;
    if (d == 0 || isinf(n) || (model_is_nan16(quotient) && !isinf(d) && n != 0))
        return sign | 0x7c00;
    return isinf(d) || n == 0 ? sign : sign | (quotient & 0x7fff);
}

static unsigned norm16(double x, double low, double scale)
{
    return x != x ? 0 : (unsigned)(int)rint((x < low ? low : x > 1 ? 1 : x) * scale) & 0xffff;
}

static bool more_sources(struct model_lane *l, const unsigned bits[3], const double x[3])
{
    const struct model *m = l->m;
    double old = model_from_f16(model_f16_in(m, (unsigned)l->old));
    switch (l->inst->op) {
    case GCN_OP_v_add_f16: return value(l, (__float128)x[0] + x[1]);
    case GCN_OP_v_sub_f16: return value(l, (__float128)x[0] - x[1]);
    case GCN_OP_v_subrev_f16: return value(l, (__float128)x[1] - x[0]);
    case GCN_OP_v_mul_f16: return value(l, (__float128)x[0] * x[1]);
    case GCN_OP_v_mac_f16: return mad(l, x[0], x[1], old);
    case GCN_OP_v_mad_f16:
    case GCN_OP_v_mad_legacy_f16:
    case GCN_OP_v_madmk_f16:
    case GCN_OP_v_madak_f16: return mad(l, x[0], x[1], x[2]);
    case GCN_OP_v_fma_f16:
    case GCN_OP_v_fma_legacy_f16: return value(l, (__float128)x[0] * x[1] + x[2]);
    case GCN_OP_v_min_f16:
    case GCN_OP_v_max_f16: return put(l, model_f16_minmax(m, bits[0], bits[1], l->inst->op == GCN_OP_v_max_f16));
    case GCN_OP_v_min3_f16:
        return put(l, model_f16_minmax(m, model_f16_minmax(m, bits[0], bits[1], false), bits[2], false));
    case GCN_OP_v_max3_f16:
        return put(l, model_f16_minmax(m, model_f16_minmax(m, bits[0], bits[1], true), bits[2], true));
    case GCN_OP_v_med3_f16: {
        unsigned low = model_f16_minmax(m, model_f16_minmax(m, bits[0], bits[1], false), bits[2], false);
        if (x[0] != x[0] || x[1] != x[1] || x[2] != x[2])
            return put(l, low);
        unsigned high = model_f16_minmax(m, model_f16_minmax(m, bits[0], bits[1], true), bits[2], true);
        double top = model_from_f16(high);
        unsigned one = top == x[0] ? bits[1] : bits[0], two = top != x[0] && top == x[1] ? bits[2] : bits[1];
        return put(l, model_f16_minmax(m, one, top == x[0] ? bits[2] : two, true));
    }
    case GCN_OP_v_ldexp_f16: {
        int power = (int16_t)l->b;
        return value(l, (__float128)ldexp(x[0], power < -200 ? -200 : power > 200 ? 200 : power));
    }
    case GCN_OP_v_div_fixup_f16:
    case GCN_OP_v_div_fixup_legacy_f16: return put(l, fixup(bits[0], bits[1], bits[2]));
    case GCN_OP_v_cvt_pknorm_i16_f16: l->result = norm16(x[0], -1, 32767) | norm16(x[1], -1, 32767) << 16; return true;
    case GCN_OP_v_cvt_pknorm_u16_f16: l->result = norm16(x[0], 0, 65535) | norm16(x[1], 0, 65535) << 16; return true;
    default: return false;
    }
}

bool model_f16(struct model_lane *l)
{
    unsigned bits[3] = {model_f16_in(l->m, (unsigned)l->a), model_f16_in(l->m, (unsigned)l->b),
                        model_f16_in(l->m, (unsigned)l->c)};
    double x[3] = {model_from_f16(bits[0]), model_from_f16(bits[1]), model_from_f16(bits[2])};
    return one_source(l, x[0]) || more_sources(l, bits, x);
}

/* Comparisons: the low opcode bits tell the condition. */
static bool float_condition(unsigned condition, double a, double b)
{
    bool unordered = a != a || b != b;
    switch (condition & 15) {
    case 0: return false;
    case 1: return a < b;
    case 2: return a == b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a < b || a > b;
    case 6: return a >= b;
    case 7: return !unordered;
    case 8: return unordered;
    case 15: return true;
    default: return !float_condition(15 - (condition & 15), a, b);
    }
}

static bool int_condition(unsigned condition, i128 a, i128 b)
{
    bool less = a < b, equal = a == b;
    return (condition & 1 && less) || (condition & 2 && equal) || (condition & 4 && !less && !equal);
}

static bool class_of(double x, bool signaling, bool denormal, unsigned mask)
{
    unsigned bit;
    if (x != x)
        bit = signaling ? 0 : 1;
    else if (isinf(x))
        bit = x < 0 ? 2 : 9;
    else if (x == 0)
        bit = signbit(x) ? 5 : 6;
    else
        bit = x < 0 ? (denormal ? 4 : 3) : (denormal ? 7 : 8);
    return mask >> bit & 1;
}

/* The value of the bits RAW of a float type; sets SIGNALING and DENORMAL. */
static double decode(enum gcn_type type, u128 raw, bool *signaling, bool *denormal)
{
    uint32_t low = (uint32_t)raw;
    uint64_t wide = (uint64_t)raw;
    switch (type) {
    case GCN_T_F16:
        *signaling = is_signaling16(low);
        *denormal = !(low & 0x7c00) && low & 0x3ff;
        return model_from_f16(low);
    case GCN_T_F32:
        *signaling = (low & 0x7fc00000) == 0x7f800000;
        *denormal = !(low & 0x7f800000) && low & 0x7fffff;
        return (double)f32_of_bits(low);
    default:
        *signaling = (wide & 0x7ff8000000000000) == 0x7ff0000000000000;
        *denormal = !(wide & 0x7ff0000000000000) && wide & 0xfffffffffffff;
        return f64_of_bits(wide);
    }
}

bool model_compare(struct model_lane *l)
{
    const struct gcn_op_info *info = &gcn_op_info[l->inst->op];
    enum gcn_type type = info->src[0];
    unsigned bits = gcn_type_info[type].bits;
    bool signaling, denormal;
    if (gcn_type_info[type].kind != GCN_KIND_F) {
        bool is_signed = gcn_type_info[type].kind == GCN_KIND_I;
        i128 a = (i128)(l->a << (128 - bits)), b = (i128)(l->b << (128 - bits));
        l->bit = is_signed ? int_condition(info->opcode, a, b) : int_condition(info->opcode, (i128)l->a, (i128)l->b);
        return true;
    }
    double a = decode(type, l->a, &signaling, &denormal);
    if (info->src[1] != type) { /* v_cmp_class */
        l->bit = class_of(a, signaling, denormal, (unsigned)l->b);
        return true;
    }
    bool flush = !(l->m->mode & (type == GCN_T_F32 ? 0x10u : 0x40u));
    a = flush && denormal ? 0 : a;
    double b = decode(type, l->b, &signaling, &denormal);
    b = flush && denormal ? 0 : b;
    l->bit = float_condition(info->opcode, a, b);
    return true;
}
