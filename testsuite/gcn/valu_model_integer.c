/* SPDX-License-Identifier: MIT */
/* Integer, bit and move operations of the vector ALU model, and packed integers.
 *
 * Input and output: struct model_lane. Sums are computed in 128 bits, so that clamping sees their true values. */
#include "testsuite/gcn/valu_model.h"

/* Stores VALUE, clamped to the destination's range if the instruction asks for it. */
static bool set(struct model_lane *l, i128 value, unsigned bits, bool is_signed)
{
    if (l->inst->clamp)
        value = model_saturate(value, bits, is_signed);
    l->result = (u128)value & (((u128)1 << bits) - 1);
    return true;
}

static bool bits32(struct model_lane *l, uint32_t value)
{
    l->result = value;
    return true;
}

static int64_t sext(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static uint32_t sad_u8(uint32_t a, uint32_t b, bool masked)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        int x = (int)(a >> i & 255), y = (int)(b >> i & 255);
        sum += masked && !y ? 0 : (uint32_t)(x > y ? x - y : y - x);
    }
    return sum;
}

static uint32_t leading_zeros(uint32_t value)
{
    for (uint32_t i = 0; i < 32; i++)
        if (value >> (31 - i) & 1)
            return i;
    return ~0u;
}

static uint32_t trailing_zeros(uint32_t value)
{
    for (uint32_t i = 0; i < 32; i++)
        if (value >> i & 1)
            return i;
    return ~0u;
}

static uint32_t sign_run(uint32_t value)
{
    for (uint32_t i = 1; i < 32; i++)
        if ((value >> (31 - i) & 1) != value >> 31)
            return i;
    return ~0u;
}

static uint32_t population(uint32_t value)
{
    uint32_t count = 0;
    for (; value; value >>= 1)
        count += value & 1;
    return count;
}

static uint32_t reversed(uint32_t value)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (value >> i & 1) << (31 - i);
    return result;
}

static uint32_t permute(uint32_t high, uint32_t low, uint32_t selectors)
{
    uint64_t pool = (uint64_t)high << 32 | low;
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        uint32_t sel = selectors >> i & 255, byte;
        if (sel >= 13)
            byte = 255;
        else if (sel == 12)
            byte = 0;
        else if (sel >= 8)
            byte = pool >> (8 * (2 * (sel - 8) + 1) + 7) & 1 ? 255 : 0;
        else
            byte = pool >> (8 * sel) & 255;
        result |= byte << i;
    }
    return result;
}

static uint32_t lerp(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8)
        result |= (((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 & 255) << i;
    return result;
}

static i128 median(i128 a, i128 b, i128 c)
{
    i128 low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static i128 least(i128 a, i128 b)
{
    return a < b ? a : b;
}

static i128 most(i128 a, i128 b)
{
    return a > b ? a : b;
}

/* Additions and subtractions with carry: SUM is the exact result, of any size. */
static bool carry(struct model_lane *l, i128 sum)
{
    l->bit = sum < 0 || sum > UINT32_MAX;
    return set(l, sum, 32, false);
}

static bool quad_sad(struct model_lane *l, bool masked, unsigned step)
{
    l->result = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t add = (uint32_t)(l->c >> (step * i)), window = (uint32_t)(l->a >> (8 * i));
        uint64_t sum = (uint64_t)(step == 16 ? add & 0xffff : add) + sad_u8(window, (uint32_t)l->b, masked);
        if (l->inst->clamp)
            sum = (uint64_t)model_saturate(sum, step, false);
        l->result |= (u128)(sum & ((UINT64_C(1) << step) - 1)) << (step * i);
    }
    return true;
}

static bool moves_and_bits(struct model_lane *l)
{
    uint32_t a = (uint32_t)l->a, b = (uint32_t)l->b, c = (uint32_t)l->c;
    switch (l->inst->op) {
    case GCN_OP_v_mov_b32: return bits32(l, a);
    case GCN_OP_v_cndmask_b32: return bits32(l, l->carry ? b : a);
    case GCN_OP_v_not_b32: return bits32(l, ~a);
    case GCN_OP_v_bfrev_b32: return bits32(l, reversed(a));
    case GCN_OP_v_ffbh_u32: return bits32(l, leading_zeros(a));
    case GCN_OP_v_ffbl_b32: return bits32(l, trailing_zeros(a));
    case GCN_OP_v_ffbh_i32: return bits32(l, sign_run(a));
    case GCN_OP_v_and_b32: return bits32(l, a & b);
    case GCN_OP_v_or_b32: return bits32(l, a | b);
    case GCN_OP_v_xor_b32: return bits32(l, a ^ b);
    case GCN_OP_v_xnor_b32: return bits32(l, ~(a ^ b));
    case GCN_OP_v_bfi_b32: return bits32(l, (a & b) | (~a & c));
    case GCN_OP_v_bfm_b32: return bits32(l, ((1u << (a & 31)) - 1) << (b & 31));
    case GCN_OP_v_bfe_u32: return bits32(l, (a >> (b & 31)) & ((1u << (c & 31)) - 1));
    case GCN_OP_v_bfe_i32:
        return bits32(l, c & 31 ? (uint32_t)sext((uint64_t)((int64_t)(int32_t)a >> (b & 31)), c & 31) : 0);
    case GCN_OP_v_alignbit_b32: return bits32(l, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)));
    case GCN_OP_v_alignbyte_b32: return bits32(l, (uint32_t)(((uint64_t)a << 32 | b) >> (8 * (c & 3))));
    case GCN_OP_v_perm_b32: return bits32(l, permute(a, b, c));
    case GCN_OP_v_lerp_u8: return bits32(l, lerp(a, b, c));
    default: return false;
    }
}

static bool fused_and_counts(struct model_lane *l)
{
    uint32_t a = (uint32_t)l->a, b = (uint32_t)l->b, c = (uint32_t)l->c;
    uint64_t below = (UINT64_C(1) << l->lane) - 1;
    switch (l->inst->op) {
    case GCN_OP_v_and_or_b32: return bits32(l, (a & b) | c);
    case GCN_OP_v_or3_b32: return bits32(l, a | b | c);
    case GCN_OP_v_lshl_or_b32: return bits32(l, a << (b & 31) | c);
    case GCN_OP_v_lshl_add_u32: return bits32(l, (a << (b & 31)) + c);
    case GCN_OP_v_add_lshl_u32: return bits32(l, (a + b) << (c & 31));
    case GCN_OP_v_add3_u32: return bits32(l, a + b + c);
    case GCN_OP_v_xad_u32: return bits32(l, (a ^ b) + c);
    case GCN_OP_v_bcnt_u32_b32: return bits32(l, population(a) + b);
    case GCN_OP_v_mbcnt_lo_u32_b32: return bits32(l, population(a & (uint32_t)below) + b);
    case GCN_OP_v_mbcnt_hi_u32_b32: return bits32(l, population(a & (uint32_t)(below >> 32)) + b);
    case GCN_OP_v_pack_b32_f16:
        a = model_f16_modifiers(l, a & 0xffff);
        b = model_f16_modifiers(l, b & 0xffff);
        l->nan = model_is_nan16(a);
        l->nan_high = model_is_nan16(b);
        return bits32(l, a | b << 16);
    default: return false;
    }
}

static bool shifts(struct model_lane *l)
{
    uint64_t a = (uint64_t)l->a, b = (uint64_t)l->b;
    switch (l->inst->op) {
    case GCN_OP_v_lshlrev_b32: return bits32(l, (uint32_t)b << (a & 31));
    case GCN_OP_v_lshrrev_b32: return bits32(l, (uint32_t)b >> (a & 31));
    case GCN_OP_v_ashrrev_i32: return bits32(l, (uint32_t)((int32_t)b >> (a & 31)));
    case GCN_OP_v_lshlrev_b16: return bits32(l, (uint32_t)(b << (a & 15)) & 0xffff);
    case GCN_OP_v_lshrrev_b16: return bits32(l, (uint32_t)(b & 0xffff) >> (a & 15));
    case GCN_OP_v_ashrrev_i16: return bits32(l, (uint32_t)((int16_t)b >> (a & 15)) & 0xffff);
    case GCN_OP_v_lshlrev_b64: l->result = b << (a & 63); return true;
    case GCN_OP_v_lshrrev_b64: l->result = b >> (a & 63); return true;
    case GCN_OP_v_ashrrev_i64: l->result = (uint64_t)((int64_t)b >> (a & 63)); return true;
    default: return false;
    }
}

static bool sums(struct model_lane *l)
{
    i128 a = (uint32_t)l->a, b = (uint32_t)l->b;
    i128 sa = (int32_t)l->a, sb = (int32_t)l->b;
    switch (l->inst->op) {
    case GCN_OP_v_add_u32: return set(l, a + b, 32, false);
    case GCN_OP_v_sub_u32: return set(l, a - b, 32, false);
    case GCN_OP_v_subrev_u32: return set(l, b - a, 32, false);
    case GCN_OP_v_add_i32: return set(l, sa + sb, 32, true);
    case GCN_OP_v_sub_i32: return set(l, sa - sb, 32, true);
    case GCN_OP_v_add_co_u32: return carry(l, a + b);
    case GCN_OP_v_sub_co_u32: return carry(l, a - b);
    case GCN_OP_v_subrev_co_u32: return carry(l, b - a);
    case GCN_OP_v_addc_co_u32: return carry(l, a + b + l->carry);
    case GCN_OP_v_subb_co_u32: return carry(l, a - b - l->carry);
    case GCN_OP_v_subbrev_co_u32: return carry(l, b - a - l->carry);
    default: return false;
    }
}

static bool products(struct model_lane *l)
{
    i128 a = (uint32_t)l->a, b = (uint32_t)l->b, c = (uint32_t)l->c;
    i128 sa = (int32_t)l->a, sb = (int32_t)l->b, sc = (int32_t)l->c;
    switch (l->inst->op) {
    case GCN_OP_v_mul_i32_i24: return set(l, (i128)sext((uint64_t)a, 24) * sext((uint64_t)b, 24), 32, true);
    case GCN_OP_v_mul_hi_i32_i24: return bits32(l, (uint32_t)(sext((uint64_t)a, 24) * sext((uint64_t)b, 24) >> 32));
    case GCN_OP_v_mul_u32_u24: return set(l, (a & 0xffffff) * (b & 0xffffff), 32, false);
    case GCN_OP_v_mul_hi_u32_u24: return bits32(l, (uint32_t)((a & 0xffffff) * (b & 0xffffff) >> 32));
    case GCN_OP_v_mad_i32_i24: return set(l, (i128)sext((uint64_t)a, 24) * sext((uint64_t)b, 24) + sc, 32, true);
    case GCN_OP_v_mad_u32_u24: return set(l, (a & 0xffffff) * (b & 0xffffff) + c, 32, false);
    case GCN_OP_v_mul_lo_u32: return bits32(l, (uint32_t)(a * b));
    case GCN_OP_v_mul_hi_u32: return bits32(l, (uint32_t)(a * b >> 32));
    case GCN_OP_v_mul_hi_i32: return bits32(l, (uint32_t)(sa * sb >> 32));
    case GCN_OP_v_mad_u64_u32: {
        i128 sum = a * b + (i128)(uint64_t)l->c;
        l->bit = sum >> 64 & 1;
        return set(l, sum, 64, false);
    }
    case GCN_OP_v_mad_i64_i32: {
        i128 sum = sa * sb + (i128)(int64_t)l->c;
        l->bit = sum >> 64 & 1;
        return set(l, sum, 64, true);
    }
    default: return false;
    }
}

static bool differences(struct model_lane *l)
{
    i128 a = (uint32_t)l->a, b = (uint32_t)l->b, c = (uint32_t)l->c;
    switch (l->inst->op) {
    case GCN_OP_v_sad_u8: return set(l, c + sad_u8((uint32_t)a, (uint32_t)b, false), 32, false);
    case GCN_OP_v_msad_u8: return set(l, c + sad_u8((uint32_t)a, (uint32_t)b, true), 32, false);
    case GCN_OP_v_sad_hi_u8: return set(l, c + ((i128)sad_u8((uint32_t)a, (uint32_t)b, false) << 16), 32, false);
    case GCN_OP_v_sad_u32: return set(l, c + (a > b ? a - b : b - a), 32, false);
    case GCN_OP_v_sad_u16: {
        i128 low = (a & 0xffff) - (b & 0xffff), high = (a >> 16) - (b >> 16);
        return set(l, c + (low < 0 ? -low : low) + (high < 0 ? -high : high), 32, false);
    }
    case GCN_OP_v_qsad_pk_u16_u8: return quad_sad(l, false, 16);
    case GCN_OP_v_mqsad_pk_u16_u8: return quad_sad(l, true, 16);
    case GCN_OP_v_mqsad_u32_u8: return quad_sad(l, true, 32);
    default: return false;
    }
}

static bool orders(struct model_lane *l)
{
    i128 a = (uint32_t)l->a, b = (uint32_t)l->b, c = (uint32_t)l->c;
    i128 sa = (int32_t)l->a, sb = (int32_t)l->b, sc = (int32_t)l->c;
    switch (l->inst->op) {
    case GCN_OP_v_min_i32: return bits32(l, (uint32_t)least(sa, sb));
    case GCN_OP_v_max_i32: return bits32(l, (uint32_t)most(sa, sb));
    case GCN_OP_v_min_u32: return bits32(l, (uint32_t)least(a, b));
    case GCN_OP_v_max_u32: return bits32(l, (uint32_t)most(a, b));
    case GCN_OP_v_min3_i32: return bits32(l, (uint32_t)least(least(sa, sb), sc));
    case GCN_OP_v_max3_i32: return bits32(l, (uint32_t)most(most(sa, sb), sc));
    case GCN_OP_v_med3_i32: return bits32(l, (uint32_t)median(sa, sb, sc));
    case GCN_OP_v_min3_u32: return bits32(l, (uint32_t)least(least(a, b), c));
    case GCN_OP_v_max3_u32: return bits32(l, (uint32_t)most(most(a, b), c));
    case GCN_OP_v_med3_u32: return bits32(l, (uint32_t)median(a, b, c));
    case GCN_OP_v_cvt_pk_u16_u32:
        return bits32(l, (uint32_t)model_saturate(a, 16, false) | (uint32_t)model_saturate(b, 16, false) << 16);
    case GCN_OP_v_cvt_pk_i16_i32:
        return bits32(l,
                      ((uint32_t)model_saturate(sa, 16, true) & 0xffff) | (uint32_t)model_saturate(sb, 16, true) << 16);
    default: return false;
    }
}

/* A, B and C are 16-bit values, U zero-extended and S sign-extended. */
static bool half_orders(struct model_lane *l, unsigned op, uint32_t ua, uint32_t ub, uint32_t uc)
{
    i128 a = ua & 0xffff, b = ub & 0xffff, c = uc & 0xffff;
    i128 sa = (int16_t)ua, sb = (int16_t)ub, sc = (int16_t)uc;
    switch (op) {
    case GCN_OP_v_min_u16:
    case GCN_OP_v_pk_min_u16: return bits32(l, (uint32_t)least(a, b));
    case GCN_OP_v_max_u16:
    case GCN_OP_v_pk_max_u16: return bits32(l, (uint32_t)most(a, b));
    case GCN_OP_v_min_i16:
    case GCN_OP_v_pk_min_i16: return bits32(l, (uint32_t)least(sa, sb) & 0xffff);
    case GCN_OP_v_max_i16:
    case GCN_OP_v_pk_max_i16: return bits32(l, (uint32_t)most(sa, sb) & 0xffff);
    case GCN_OP_v_min3_u16: return bits32(l, (uint32_t)least(least(a, b), c));
    case GCN_OP_v_max3_u16: return bits32(l, (uint32_t)most(most(a, b), c));
    case GCN_OP_v_med3_u16: return bits32(l, (uint32_t)median(a, b, c));
    case GCN_OP_v_min3_i16: return bits32(l, (uint32_t)least(least(sa, sb), sc) & 0xffff);
    case GCN_OP_v_max3_i16: return bits32(l, (uint32_t)most(most(sa, sb), sc) & 0xffff);
    case GCN_OP_v_med3_i16: return bits32(l, (uint32_t)median(sa, sb, sc) & 0xffff);
    case GCN_OP_v_pk_lshlrev_b16: return bits32(l, (uint32_t)(b << (ua & 15)) & 0xffff);
    case GCN_OP_v_pk_lshrrev_b16: return bits32(l, (uint32_t)(b >> (ua & 15)));
    case GCN_OP_v_pk_ashrrev_i16: return bits32(l, (uint32_t)(sb >> (ua & 15)) & 0xffff);
    default: return false;
    }
}

static bool halves(struct model_lane *l, unsigned op, uint32_t ua, uint32_t ub, uint32_t uc)
{
    i128 a = ua & 0xffff, b = ub & 0xffff, c = uc & 0xffff;
    i128 sa = (int16_t)ua, sb = (int16_t)ub, sc = (int16_t)uc;
    switch (op) {
    case GCN_OP_v_add_u16:
    case GCN_OP_v_pk_add_u16: return set(l, a + b, 16, false);
    case GCN_OP_v_sub_u16:
    case GCN_OP_v_pk_sub_u16: return set(l, a - b, 16, false);
    case GCN_OP_v_subrev_u16: return set(l, b - a, 16, false);
    case GCN_OP_v_add_i16:
    case GCN_OP_v_pk_add_i16: return set(l, sa + sb, 16, true);
    case GCN_OP_v_sub_i16:
    case GCN_OP_v_pk_sub_i16: return set(l, sa - sb, 16, true);
    case GCN_OP_v_mul_lo_u16:
    case GCN_OP_v_pk_mul_lo_u16: return bits32(l, (uint32_t)(a * b) & 0xffff);
    case GCN_OP_v_mad_u16:
    case GCN_OP_v_mad_legacy_u16:
    case GCN_OP_v_pk_mad_u16: return set(l, a * b + c, 16, false);
    case GCN_OP_v_mad_i16:
    case GCN_OP_v_mad_legacy_i16:
    case GCN_OP_v_pk_mad_i16: return set(l, sa * sb + sc, 16, true);
    default: return half_orders(l, op, ua, ub, uc);
    }
}

/* The engines that draw a rectangle, found square by square: the square at x, y belongs to the one whose bits are
 * x[5] ^ y[6] and y[5] ^ x[6]. */
static uint32_t drawing_engines(uint32_t a)
{
    uint32_t engines = 0;
    for (unsigned x = a >> 6 & 3;; x = (x + 1) % 4) {
        for (unsigned y = a >> 4 & 3;; y = (y + 1) % 4) {
            engines |= 1u << (((x & 1) ^ (y >> 1)) * 2 + ((y & 1) ^ (x >> 1)));
            if (y == (a & 3))
                break;
        }
        if (x == (a >> 2 & 3))
            return engines;
    }
}

bool model_integer(struct model_lane *l)
{
    uint32_t a = (uint32_t)l->a, b = (uint32_t)l->b, c = (uint32_t)l->c;
    switch (l->inst->op) {
    case GCN_OP_v_sat_pk_u8_i16:
        return bits32(l, (uint32_t)model_saturate((int16_t)a, 8, false) |
                             (uint32_t)model_saturate((int16_t)(a >> 16), 8, false) << 8);
    case GCN_OP_v_screen_partition_4se_b32: return bits32(l, drawing_engines(a));
    case GCN_OP_v_mad_u32_u16: return set(l, (i128)(a & 0xffff) * (b & 0xffff) + c, 32, false);
    case GCN_OP_v_mad_i32_i16: return set(l, (i128)(int16_t)a * (int16_t)b + (int32_t)c, 32, true);
    default:
        return moves_and_bits(l) || fused_and_counts(l) || shifts(l) || sums(l) || products(l) || differences(l) ||
               orders(l) || halves(l, l->inst->op, a, b, c);
    }
}

/* The half of a packed source that is used for the low or, if HIGH, the high half of the result. */
static unsigned half_of(const struct model_lane *l, u128 value, unsigned slot, bool high)
{
    unsigned sel = high ? l->inst->op_sel_hi : l->inst->op_sel;
    return (unsigned)(value >> (sel >> slot & 1 ? 16 : 0)) & 0xffff;
}

static bool packed_f16(struct model_lane *l, bool high)
{
    const struct gcn_inst *inst = l->inst;
    unsigned in[3];
    u128 source[3] = {l->a, l->b, l->c};
    double x[3];
    for (unsigned i = 0; i < 3; i++) {
        in[i] = half_of(l, source[i], i, high) ^ ((high ? inst->neg_hi : inst->neg) >> i & 1 ? 0x8000u : 0u);
        in[i] = model_f16_in(l->m, in[i]);
        x[i] = model_from_f16(in[i]);
    }
    switch (inst->op) {
    case GCN_OP_v_pk_add_f16: l->result = model_f16_out(l->m, (__float128)x[0] + x[1]); break;
    case GCN_OP_v_pk_mul_f16: l->result = model_f16_out(l->m, (__float128)x[0] * x[1]); break;
    case GCN_OP_v_pk_fma_f16: l->result = model_f16_out(l->m, (__float128)x[0] * x[1] + x[2]); break;
    case GCN_OP_v_pk_min_f16:
    case GCN_OP_v_pk_max_f16: l->result = model_f16_minmax(l->m, in[0], in[1], inst->op == GCN_OP_v_pk_max_f16); break;
    default: return false;
    }
    if (inst->clamp)
        l->result = model_clamp_f16(l->m, (unsigned)l->result);
    return true;
}

static bool packed_half(struct model_lane *l, bool high)
{
    if (gcn_type_info[gcn_op_info[l->inst->op].dst].kind == GCN_KIND_F) {
        if (!packed_f16(l, high))
            return false;
        *(high ? &l->nan_high : &l->nan) = model_is_nan16((unsigned)l->result);
        return true;
    }
    return halves(l, l->inst->op, half_of(l, l->a, 0, high), half_of(l, l->b, 1, high), half_of(l, l->c, 2, high));
}

/* Dot products of integers: PARTS of BITS bits each. */
static bool dot(struct model_lane *l, unsigned bits, bool is_signed)
{
    uint32_t a = (uint32_t)l->a, b = (uint32_t)l->b;
    i128 sum = is_signed ? (int32_t)(uint32_t)l->c : (i128)(uint32_t)l->c;
    if (bits == 16 && l->inst->encoding == GCN_VOP3P) {
        a = half_of(l, l->a, 0, false) | half_of(l, l->a, 0, true) << 16;
        b = half_of(l, l->b, 1, false) | half_of(l, l->b, 1, true) << 16;
    }
    for (unsigned low = 0; low < 32; low += bits) {
        i128 x = a >> low & ((1u << bits) - 1), y = b >> low & ((1u << bits) - 1), top = (i128)1 << (bits - 1);
        if (is_signed) {
            x -= x >= top ? 2 * top : 0;
            y -= y >= top ? 2 * top : 0;
        }
        sum += x * y;
    }
    return set(l, sum, 32, is_signed);
}

static bool pk_fmac(struct model_lane *l)
{
    uint32_t result[2];
    for (unsigned high = 0; high < 2; high++) {
        u128 in[3] = {l->a, l->b, l->old};
        __float128 x[3];
        for (unsigned i = 0; i < 3; i++)
            x[i] = (__float128)model_from_f16(model_f16_in(l->m, (unsigned)(in[i] >> 16 * high) & 0xffff));
        result[high] = model_f16_out(l->m, x[0] * x[1] + x[2]);
        *(high ? &l->nan_high : &l->nan) = model_is_nan16(result[high]);
    }
    l->result = result[0] | result[1] << 16;
    return true;
}

bool model_onto(struct model_lane *l)
{
    l->c = l->old;
    switch (l->inst->op) {
    case GCN_OP_v_dot2c_i32_i16: return dot(l, 16, true);
    case GCN_OP_v_dot4c_i32_i8: return dot(l, 8, true);
    case GCN_OP_v_dot8c_i32_i4: return dot(l, 4, true);
    case GCN_OP_v_pk_fmac_f16: return pk_fmac(l);
    default: return false;
    }
}

bool model_packed(struct model_lane *l)
{
    switch (l->inst->op) {
    case GCN_OP_v_dot2_i32_i16: return dot(l, 16, true);
    case GCN_OP_v_dot2_u32_u16: return dot(l, 16, false);
    case GCN_OP_v_dot4_i32_i8: return dot(l, 8, true);
    case GCN_OP_v_dot4_u32_u8: return dot(l, 8, false);
    case GCN_OP_v_dot8_i32_i4: return dot(l, 4, true);
    case GCN_OP_v_dot8_u32_u4: return dot(l, 4, false);
    default: break;
    }
    if (gcn_op_info[l->inst->op].src[0] == GCN_T_MIX || l->inst->op == GCN_OP_v_dot2_f32_f16)
        return model_float(l);
    if (!packed_half(l, false))
        return false;
    u128 low = l->result & 0xffff;
    if (!packed_half(l, true))
        return false;
    l->result = low | (l->result & 0xffff) << 16;
    return true;
}
