/* SPDX-License-Identifier: MIT */
/* Operand values and comparison for tests of the vector ALU; see vector_values.h. */
#include "testsuite/gcn/vector_values.h"
#include "testsuite/xorshift.h"

#include <math.h>
#include <string.h>

#define STATE_OF(seed) (UINT64_C(0x853c49e6748fea9b) ^ (seed) * UINT64_C(0x9e3779b97f4a7c15))
static uint64_t state = STATE_OF(0);

uint64_t value_random(void)
{
    return xorshift(&state) * UINT64_C(0x2545f4914f6cdd1d);
}

void value_seed(uint64_t seed)
{
    state = STATE_OF(seed);
    state += !state;
}

static uint32_t any_f32(void)
{
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x7f800000, 0xff800000, 0x7fc00000,
        0x7f800001, 0xffc12345, 0x00000001, 0x807fffff, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f800001,
        0x3f7fffff, 0x4f000000, 0x4f800000, 0xcf000000, 0x477fe000, 0x477ff000, 0x33000000, 0x33000001, 0x387fc000,
        0x38800000, 0x437f8000, 0x3effffff, 0xbf000000, 0x4b000001, 0x80000001, 0x4b800001, 0x4f7fffff, 0x7fffffff,
        0xffffffff, 0xbf000001, 0x42fe0000, 0xc2fe0000, 0x40490fdb, 0x33800000,
    };
    uint64_t r = value_random();
    uint32_t bits = (uint32_t)(r >> 16);
    switch (r % 4) {
    case 0: return special[bits % (sizeof special / sizeof *special)];
    case 1: return bits;
    case 2: return (bits & 0x83ffffff) | 0x3c000000; /* near 1 */
    default: return (bits & 0x80ffff00) | (uint32_t)(r >> 60 & 7) << 24 | 0x40000000;
    }
}

static uint64_t any_f64(void)
{
    static const uint64_t special[] = {
        0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
        0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0x0000000000000001, 0x800fffffffffffff,
        0x0010000000000000, 0x7fefffffffffffff, 0x3fefffffffffffff, 0x41e0000000000000, 0xc1e0000000000000,
        0x41f0000000000000, 0x36a0000000000000, 0x380fffffffffffff, 0x47efffffefffffff, 0x47effffff0000000,
        0x000fffffffffffff, 0x41dfffffffc00000, 0x41efffffffe00000, 0x3fe0000000000000, 0x4330000000000001,
        0x7fffffffffffffff, 0xffffffffffffffff, 0xfff8123456789abc, 0x7ff4000000000000,
    };
    uint64_t r = value_random(), bits = value_random();
    switch (r % 3) {
    case 0: return special[bits % (sizeof special / sizeof *special)];
    case 1: return bits;
    default: return (bits & 0x807fffffffffffff) | 0x3f80000000000000;
    }
}

static uint32_t any_f16(void)
{
    static const uint16_t special[] = {
        0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x4000, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe12, 0x0001,
        0x83ff, 0x0400, 0x7bff, 0xfbff, 0x3bff, 0x77ff, 0x8001, 0x03ff, 0x7fff, 0xffff, 0x6400, 0x0011};
    uint64_t r = value_random();
    uint32_t bits = (uint32_t)(r >> 16) & 0xffff;
    if (r % 4 == 0)
        return special[bits % (sizeof special / sizeof *special)];
    return r % 4 == 1 ? bits : (bits & 0x8fff) | 0x3000;
}

static uint64_t any_integer(unsigned bits)
{
    uint64_t r = value_random(), top = UINT64_C(1) << (bits - 1);
    const uint64_t special[] = {
        0, 1, 2, ~UINT64_C(0), top, top - 1, top + 1, 255, 0xffff, 0x8000, 0xffffff, 0x800000, 31, 32, 0xff00ff};
    switch (r % 5) {
    case 0: return special[(r >> 8) % (sizeof special / sizeof *special)];
    case 1: return r >> 58;
    case 2: return r >> 8 & 0xffffff;
    case 3: return value_random() & UINT64_C(0x0f0f0f0f0f0f0f0f); /* as v_perm_b32 selects bytes */
    default: return value_random();
    }
}

u128 value_of(enum gcn_type type)
{
    const struct gcn_type_info *info = &gcn_type_info[type];
    uint32_t high = (uint32_t)value_random() & 0xffff;
    switch (type) {
    case GCN_T_F16: return any_f16() | high << 16;
    case GCN_T_V2F16: return any_f16() | any_f16() << 16;
    case GCN_T_F32: return any_f32();
    case GCN_T_V2F32: return any_f32() | (u128)any_f32() << 32;
    case GCN_T_MIX: return value_random() & 1 ? any_f32() : any_f16() | any_f16() << 16;
    case GCN_T_F64: return any_f64();
    case GCN_T_V2U16:
    case GCN_T_V2I16: return (uint32_t)(any_integer(16) & 0xffff) | (uint32_t)any_integer(16) << 16;
    default:
        if (info->bits == 16)
            return (uint32_t)(any_integer(16) & 0xffff) | high << 16;
        if (info->bits == 128)
            return (u128)value_random() << 64 | value_random();
        return any_integer(info->bits == 64 ? 64 : 32);
    }
}

/* Positions on a line on which neighbouring floats are 1 apart. */
static double ordinal(uint64_t bits, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1), magnitude = bits & (sign - 1);
    return bits & sign ? -(double)magnitude : (double)magnitude;
}

static bool close_enough(const struct model *m, enum gcn_type type, uint64_t here, uint64_t there)
{
    unsigned width = gcn_type_info[type].bits;
    float a32, b32;
    double a, b;
    if (width == 64)
        return (double)(here > there ? here - there : there - here) <= m->ulps;
    if (fabs(ordinal(here, width) - ordinal(there, width)) <= m->ulps)
        return true;
    if (width == 16) {
        a = model_from_f16((unsigned)here);
        b = model_from_f16((unsigned)there);
    } else {
        uint32_t h = (uint32_t)here, t = (uint32_t)there;
        memcpy(&a32, &h, 4);
        memcpy(&b32, &t, 4);
        a = (double)a32;
        b = (double)b32;
    }
    return fabs(a - b) <= m->absolute;
}

static bool is_nan(enum gcn_type type, uint64_t bits)
{
    if (type == GCN_T_F64)
        return (bits & INT64_MAX) > 0x7ff0000000000000;
    return type == GCN_T_F32 ? (bits & 0x7fffffff) > 0x7f800000 : model_is_nan16((unsigned)bits & 0xffff);
}

static bool float_matches(bool nan, uint32_t here, uint32_t there)
{
    return here == there || (nan && is_nan(GCN_T_F32, here));
}

static bool half_matches(const struct model *m, bool nan, uint32_t here, uint32_t there)
{
    here &= 0xffff;
    there &= 0xffff;
    return here == there || (nan && is_nan(GCN_T_F16, here)) || close_enough(m, GCN_T_F16, here, there);
}

bool value_matches(const struct model *m, const struct gcn_inst *inst, unsigned lane, u128 here, u128 there)
{
    enum gcn_type type = gcn_op_info[inst->op].dst;
    bool nan = m->nan[0] >> lane & 1, nan_high = m->nan[1] >> lane & 1;
    uint32_t h = (uint32_t)here, t = (uint32_t)there;
    if (m->skip >> lane & 1)
        return true;
    if (gcn_type_info[type].kind != GCN_KIND_F)
        return false;
    if (inst->variant == GCN_SDWA && nan)
        return true; /* a part of a NaN */
    if (type == GCN_T_V2F32)
        return float_matches(nan, h, t) && float_matches(nan_high, (uint32_t)(here >> 32), (uint32_t)(there >> 32));
    if (type == GCN_T_V2F16)
        return half_matches(m, nan, h, t) && half_matches(m, nan_high, h >> 16, t >> 16);
    if (type == GCN_T_F16) {
        bool high = inst->op == GCN_OP_v_mad_mixhi_f16 || inst->op == GCN_OP_v_fma_mixhi_f16 ||
                    (inst->encoding == GCN_VOP3 && inst->op_sel >> 3 & 1);
        unsigned shift = high ? 16 : 0;
        bool other_half_equal = ((h ^ t) >> (16 - shift) & 0xffff) == 0;
        return other_half_equal && half_matches(m, nan, h >> shift, t >> shift);
    }
    return nan ? is_nan(type, (uint64_t)here) : close_enough(m, type, (uint64_t)here, (uint64_t)there);
}
