/* SPDX-License-Identifier: MIT */
/* Takes floats apart, rounds, converts and compares them; see float.h. Input: bits. Output: bits, and which of them the
 * manual leaves undefined. Invariant: nothing is computed with the host's floating point. */
#include "testsuite/hsail-model/float.h"

struct model_format model_format(unsigned bits)
{
    switch (bits) {
    case 16: return (struct model_format){16, 10, 15};
    case 32: return (struct model_format){32, 23, 127};
    default: return (struct model_format){64, 52, 1023};
    }
}

static unsigned all_ones(struct model_format f)
{
    return (1u << (f.bits - f.mantissa - 1)) - 1;
}

struct model_number model_unpack(struct model_format f, model_u128 bits)
{
    unsigned biased = (unsigned)(bits >> f.mantissa) & all_ones(f);
    struct model_number n = {.sign = bits >> (f.bits - 1) & 1, .fraction = bits & model_low(f.mantissa)};
    n.exponent = (biased ? (int)biased : 1) - f.bias - (int)f.mantissa;
    if (biased == all_ones(f))
        n.class_ = !n.fraction                          ? MODEL_IS_INFINITY
                   : n.fraction >> (f.mantissa - 1) & 1 ? MODEL_IS_QUIET
                                                        : MODEL_IS_SNAN;
    else if (biased)
        n.class_ = MODEL_IS_NORMAL, n.fraction |= (model_u128)1 << f.mantissa;
    else
        n.class_ = n.fraction ? MODEL_IS_SUBNORMAL : MODEL_IS_ZERO;
    return n;
}

static unsigned width_of(model_u128 value)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high ? 128 - (unsigned)__builtin_clzll(high) : low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

static bool rounds_up(enum model_round round, bool sign, bool odd, bool half, bool rest)
{
    switch (round) {
    case MODEL_NEAR: return half && (rest || odd);
    case MODEL_UP: return !sign && (half || rest);
    case MODEL_DOWN: return sign && (half || rest);
    case MODEL_ZERO: break;
    }
    return false;
}

/* FRACTION * 2^-DROP rounded to an integer. */
static model_u128 round_off(model_u128 fraction, int drop, bool more, enum model_round round, bool sign)
{
    if (drop <= 0)
        return fraction << -drop; /* the number is exact, as MORE is not set here, or has bits enough */
    if (drop > 127)
        return rounds_up(round, sign, false, false, fraction || more);
    model_u128 whole = fraction >> drop;
    bool half = fraction >> (drop - 1) & 1, rest = more || (fraction & model_low((unsigned)drop - 1));
    return whole + rounds_up(round, sign, whole & 1, half, rest);
}

static model_u128 sign_bit(struct model_format f, bool sign)
{
    return (model_u128)sign << (f.bits - 1);
}

static model_u128 infinity(struct model_format f)
{
    return (model_u128)all_ones(f) << f.mantissa;
}

struct model_value model_new_nan(struct model_format f)
{
    return (struct model_value){
        infinity(f) | (model_u128)1 << (f.mantissa - 1), sign_bit(f, true) | model_low(f.mantissa - 1)};
}

/* Adds bits below the fraction, so that MORE is below the last bit that counts. */
static struct model_number widen(struct model_number n)
{
    int shift = 120 - (int)width_of(n.fraction);
    if (shift > 0) {
        n.fraction <<= shift;
        n.exponent -= shift;
    }
    return n;
}

struct model_value model_pack(const struct model_mode *mode, struct model_number n)
{
    struct model_format f = mode->format;
    model_u128 sign = sign_bit(f, n.sign), bits;
    if (n.class_ == MODEL_IS_INFINITY)
        return model_defined(sign | infinity(f));
    if (!n.fraction && !n.more)
        return model_defined(sign);
    n = widen(n);
    int least = 1 - f.bias - (int)f.mantissa; /* exponent of the last bit of a subnormal */
    int top = n.exponent + (int)width_of(n.fraction) - 1;
    int last = top - (int)f.mantissa; /* exponent of the last bit when nothing is lost */
    bool tiny = top < 1 - f.bias;
    model_u128 whole = round_off(n.fraction, (tiny ? least : last) - n.exponent, n.more, mode->round, n.sign);
    if (tiny)
        bits = whole; /* the carry into the smallest normal number is right as it is */
    else
        bits = whole + ((model_u128)(unsigned)(last - least) << f.mantissa);
    if (tiny && mode->ftz) {
        /* Tininess after rounding: the number is rounded to as many bits as a normal one has, and compared with those.
         */
        model_u128 free = round_off(n.fraction, last - n.exponent, n.more, mode->round, n.sign);
        bool after = last + (int)width_of(free) - 1 < 1 - f.bias;
        model_u128 carry = whole & (model_u128)1 << f.mantissa; /* doc/decisions/tininess.md */
        return (struct model_value){sign, after ? carry : model_low(f.bits)};
    }
    if (bits >= infinity(f)) {
        bool away = mode->round == MODEL_NEAR || mode->round == (n.sign ? MODEL_DOWN : MODEL_UP);
        bits = infinity(f) - !away;
    }
    return model_defined(sign | bits);
}

static struct model_number flushed(struct model_format f, model_u128 bits, bool ftz)
{
    struct model_number n = model_unpack(f, bits);
    if (ftz && n.class_ == MODEL_IS_SUBNORMAL)
        n.class_ = MODEL_IS_ZERO, n.fraction = 0;
    return n;
}

struct model_value model_float_to_float(const struct model_mode *mode, struct model_format from, model_u128 bits)
{
    struct model_number n = flushed(from, bits, mode->ftz);
    if (n.class_ == MODEL_IS_QUIET || n.class_ == MODEL_IS_SNAN)
        return model_new_nan(mode->format);
    return model_pack(mode, n);
}

struct model_value model_integer_to_float(const struct model_mode *mode, model_s128 integer)
{
    struct model_number n = {.class_ = integer ? MODEL_IS_NORMAL : MODEL_IS_ZERO, .sign = integer < 0};
    n.fraction = integer < 0 ? -(model_u128)integer : (model_u128)integer;
    return model_pack(mode, n);
}

struct model_value model_float_to_integer(struct model_format from, model_u128 bits, enum model_round round, bool ftz,
                                          unsigned to_bits, bool to_signed, bool saturate)
{
    struct model_number n = flushed(from, bits, ftz);
    model_u128 largest = model_low(to_bits - to_signed), least = to_signed ? largest + 1 : 0;
    model_u128 whole = 0;
    bool over = n.class_ == MODEL_IS_INFINITY;
    if (n.class_ == MODEL_IS_QUIET || n.class_ == MODEL_IS_SNAN)
        return saturate ? model_defined(0) : model_unknown(to_bits);
    if (!over && n.exponent > 66)
        over = n.fraction != 0;
    else if (!over)
        whole = round_off(n.fraction, -n.exponent, false, round, n.sign);
    if (over || whole > (n.sign ? least : largest)) {
        if (!saturate)
            return model_unknown(to_bits);
        whole = n.sign ? least : largest;
    }
    return model_defined((n.sign ? -whole : whole) & model_low(to_bits));
}

unsigned model_float_class(struct model_format f, model_u128 bits)
{
    struct model_number n = model_unpack(f, bits);
    switch (n.class_) {
    case MODEL_IS_SNAN: return 0x001;
    case MODEL_IS_QUIET: return 0x002;
    case MODEL_IS_INFINITY: return n.sign ? 0x004 : 0x200;
    case MODEL_IS_NORMAL: return n.sign ? 0x008 : 0x100;
    case MODEL_IS_SUBNORMAL: return n.sign ? 0x010 : 0x080;
    case MODEL_IS_ZERO: return n.sign ? 0x020 : 0x040;
    }
    return 0;
}

int model_float_compare(struct model_format f, model_u128 a, model_u128 b, bool ftz)
{
    struct model_number x = flushed(f, a, ftz), y = flushed(f, b, ftz);
    if (x.class_ >= MODEL_IS_QUIET || y.class_ >= MODEL_IS_QUIET)
        return 2;
    model_u128 limit = model_low(f.bits - 1);
    model_s128 p = x.class_ == MODEL_IS_ZERO ? 0 : (model_s128)(a & limit);
    model_s128 q = y.class_ == MODEL_IS_ZERO ? 0 : (model_s128)(b & limit);
    p = x.sign ? -p : p;
    q = y.sign ? -q : q;
    return p < q ? -1 : p > q;
}
