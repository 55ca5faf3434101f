/* SPDX-License-Identifier: MIT */
/* The arithmetic instructions on floating point (PRM 5.11, 5.12); see float.h. Input: defined operands. Output: the
 * result, rounded once. Invariant: 128 bits hold what rounding to 53 bits needs; all lower bits are one sticky bit. */
#include "testsuite/hsail-model/float.h"

static unsigned width_of(model_u128 value)
{
    unsigned width = 0;
    for (; value; value >>= 1)
        width++;
    return width;
}

/* N with its fraction shifted so that it has WIDTH bits. */
static struct model_number at_width(struct model_number n, unsigned width)
{
    int shift = (int)width - (int)width_of(n.fraction);
    if (shift > 0)
        n.fraction <<= shift;
    n.exponent -= shift > 0 ? shift : 0;
    return n;
}

/* The sum of finite numbers of at most 106 bits. An exact 0 is negative when rounding down (IEEE 754, 6.3). */
static struct model_number add(struct model_number a, struct model_number b, enum model_round round)
{
    if (!a.fraction && !b.fraction) {
        a.sign = a.sign == b.sign ? a.sign : round == MODEL_DOWN;
        return a;
    }
    if (!a.fraction || !b.fraction)
        return a.fraction ? a : b;
    a = at_width(a, 124);
    b = at_width(b, 124);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.fraction < b.fraction)) {
        struct model_number other = a;
        a = b;
        b = other;
    }
    unsigned shift = (unsigned)(a.exponent - b.exponent);
    model_u128 part = shift > 127 ? 0 : b.fraction >> shift;
    bool rest = shift > 127 || (b.fraction & model_low(shift));
    if (a.sign == b.sign)
        a.fraction += part;
    else
        a.fraction -= part + rest;
    a.more = rest;
    if (!a.fraction && !rest)
        a.class_ = MODEL_IS_ZERO, a.sign = round == MODEL_DOWN;
    return a;
}

static struct model_number multiply(struct model_number a, struct model_number b)
{
    a.sign ^= b.sign;
    a.fraction *= b.fraction;
    a.exponent += b.exponent;
    a.class_ = a.fraction ? MODEL_IS_NORMAL : MODEL_IS_ZERO;
    return a;
}

static struct model_number divide(struct model_number a, struct model_number b)
{
    if (!a.fraction) {
        a.sign ^= b.sign;
        return a;
    }
    a = at_width(a, 127);
    b = at_width(b, 62);
    a.sign ^= b.sign;
    a.exponent -= b.exponent;
    a.more = a.fraction % b.fraction != 0;
    a.fraction /= b.fraction;
    a.class_ = MODEL_IS_NORMAL;
    return a;
}

static struct model_number square_root(struct model_number a)
{
    if (!a.fraction)
        return a;
    a = at_width(a, 125);
    if (a.exponent & 1) {
        a.fraction <<= 1;
        a.exponent--;
    }
    model_u128 root = 0;
    for (model_u128 bit = (model_u128)1 << 63; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= a.fraction)
            root |= bit;
    a.more = root * root != a.fraction;
    a.fraction = root;
    a.exponent /= 2;
    return a;
}

/* Rounds to an integer; the sign stays. */
static struct model_number integral(struct model_number n, enum model_round round)
{
    if (!n.fraction || n.exponent >= 0)
        return n;
    unsigned drop = (unsigned)-n.exponent;
    model_u128 whole = drop > 127 ? 0 : n.fraction >> drop, rest = n.fraction & model_low(drop);
    model_u128 half = drop > 127 ? ~(model_u128)0 : (model_u128)1 << (drop - 1);
    bool up = round == MODEL_NEAR ? rest > half || (rest == half && whole & 1)
              : round == MODEL_UP ? rest && !n.sign
                                  : round == MODEL_DOWN && rest && n.sign;
    n.fraction = whole + up;
    n.exponent = 0;
    return n;
}

/* src - floor(src), below 1 (5.11.2). */
static struct model_value fraction_of(const struct model_mode *mode, struct model_number n)
{
    if (n.class_ == MODEL_IS_INFINITY || n.class_ == MODEL_IS_ZERO)
        return model_pack(mode, (struct model_number){.class_ = MODEL_IS_ZERO, .sign = n.sign});
    struct model_number whole = integral(n, MODEL_DOWN);
    whole.sign = !whole.sign;
    struct model_value result = model_pack(mode, add(n, whole, mode->round));
    struct model_format f = mode->format;
    model_u128 one = (model_u128)(unsigned)f.bias << f.mantissa;
    if (!(result.bits >> (f.bits - 1)) && result.bits >= one)
        result.bits = one - 1;
    return result;
}

/* The result of an operation with NaN operands: the NaN of the one operand, made quiet; if there are several, any of
 * them.
 */
static struct model_value propagated(struct model_format f, const model_u128 *source, unsigned count)
{
    struct model_value result = model_new_nan(f);
    model_u128 quiet = (model_u128)1 << (f.mantissa - 1), sign = (model_u128)1 << (f.bits - 1);
    bool first = true;
    for (unsigned i = 0; i < count; i++) {
        if (model_unpack(f, source[i]).class_ < MODEL_IS_QUIET)
            continue;
        model_u128 bits = (source[i] | quiet) & ~sign;
        if (first)
            result = (struct model_value){bits, sign};
        else
            result.undefined |= result.bits ^ bits;
        first = false;
    }
    return result;
}

static struct model_value least_or_most(const struct model_mode *mode, bool most, const model_u128 source[2],
                                        const struct model_number n[2])
{
    struct model_format f = mode->format;
    bool nan[2] = {n[0].class_ >= MODEL_IS_QUIET, n[1].class_ >= MODEL_IS_QUIET};
    if ((nan[0] && nan[1]) || n[0].class_ == MODEL_IS_SNAN || n[1].class_ == MODEL_IS_SNAN)
        return propagated(f, source, 2);
    if (nan[0] || nan[1])
        return model_pack(mode, n[nan[0]]);
    int order = model_float_compare(f, source[0], source[1], mode->ftz);
    struct model_value result = model_pack(mode, n[order && (order > 0) != most]);
    if (!order && n[0].sign != n[1].sign) /* IEEE 754-2008, 5.3.1: the result may be either zero */
        result.undefined |= (model_u128)1 << (f.bits - 1);
    return result;
}

static bool is_infinite(struct model_number n)
{
    return n.class_ == MODEL_IS_INFINITY;
}

/* fma, of infinities, too. */
static struct model_value fused(const struct model_mode *mode, struct model_number a, struct model_number b,
                                struct model_number c)
{
    bool sign = a.sign ^ b.sign;
    if (is_infinite(a) || is_infinite(b)) {
        if ((is_infinite(a) ? b : a).class_ == MODEL_IS_ZERO || (is_infinite(c) && c.sign != sign))
            return model_new_nan(mode->format);
        return model_pack(mode, (struct model_number){.class_ = MODEL_IS_INFINITY, .sign = sign});
    }
    if (is_infinite(c))
        return model_pack(mode, c);
    return model_pack(mode, add(multiply(a, b), c, mode->round));
}

static struct model_value quotient(const struct model_mode *mode, struct model_number a, struct model_number b)
{
    bool sign = a.sign ^ b.sign;
    if ((is_infinite(a) && is_infinite(b)) || (a.class_ == MODEL_IS_ZERO && b.class_ == MODEL_IS_ZERO))
        return model_new_nan(mode->format);
    if (is_infinite(a) || b.class_ == MODEL_IS_ZERO)
        return model_pack(mode, (struct model_number){.class_ = MODEL_IS_INFINITY, .sign = sign});
    if (is_infinite(b))
        return model_pack(mode, (struct model_number){.class_ = MODEL_IS_ZERO, .sign = sign});
    return model_pack(mode, divide(a, b));
}

static struct model_value sum(const struct model_mode *mode, struct model_number a, struct model_number b)
{
    if (is_infinite(a) && is_infinite(b) && a.sign != b.sign)
        return model_new_nan(mode->format);
    if (is_infinite(a) || is_infinite(b))
        return model_pack(mode, is_infinite(a) ? a : b);
    return model_pack(mode, add(a, b, mode->round));
}

static unsigned operand_count(unsigned opcode)
{
    switch (opcode) {
    case HSA_BRIG_OPCODE_FMA:
    case HSA_BRIG_OPCODE_MAD: return 3;
    case HSA_BRIG_OPCODE_ADD:
    case HSA_BRIG_OPCODE_SUB:
    case HSA_BRIG_OPCODE_MUL:
    case HSA_BRIG_OPCODE_DIV:
    case HSA_BRIG_OPCODE_MIN:
    case HSA_BRIG_OPCODE_MAX: return 2;
    default: return 1;
    }
}

static struct model_value integral_result(const struct model_mode *mode, struct model_number n, enum model_round round)
{
    return model_pack(mode, is_infinite(n) ? n : integral(n, round));
}

static struct model_value product(const struct model_mode *mode, struct model_number a, struct model_number b)
{
    /* Adding a 0 of the product's sign keeps the sign of a product that is 0. */
    return fused(mode, a, b, (struct model_number){.class_ = MODEL_IS_ZERO, .sign = a.sign ^ b.sign});
}

struct model_value model_float(const struct model_mode *mode, unsigned opcode, const model_u128 source[3])
{
    struct model_number n[3];
    unsigned count = operand_count(opcode);
    bool nan = false;
    for (unsigned i = 0; i < count; i++) {
        n[i] = model_unpack(mode->format, source[i]);
        nan |= n[i].class_ >= MODEL_IS_QUIET;
        if (mode->ftz && n[i].class_ == MODEL_IS_SUBNORMAL)
            n[i].class_ = MODEL_IS_ZERO, n[i].fraction = 0;
    }
    if (opcode == HSA_BRIG_OPCODE_MIN || opcode == HSA_BRIG_OPCODE_MAX)
        return least_or_most(mode, opcode == HSA_BRIG_OPCODE_MAX, source, n);
    if (nan)
        return propagated(mode->format, source, count);
    switch (opcode) {
    case HSA_BRIG_OPCODE_SUB: n[1].sign = !n[1].sign; return sum(mode, n[0], n[1]);
    case HSA_BRIG_OPCODE_ADD: return sum(mode, n[0], n[1]);
    case HSA_BRIG_OPCODE_MUL: return product(mode, n[0], n[1]);
    case HSA_BRIG_OPCODE_DIV: return quotient(mode, n[0], n[1]);
    case HSA_BRIG_OPCODE_FMA:
    case HSA_BRIG_OPCODE_MAD: return fused(mode, n[0], n[1], n[2]); /* rounded once, as the agents say that they do */
    case HSA_BRIG_OPCODE_SQRT:
        if (n[0].sign && n[0].class_ != MODEL_IS_ZERO)
            return model_new_nan(mode->format);
        return is_infinite(n[0]) ? model_pack(mode, n[0]) : model_pack(mode, square_root(n[0]));
    case HSA_BRIG_OPCODE_FRACT: return fraction_of(mode, n[0]);
    case HSA_BRIG_OPCODE_CEIL: return integral_result(mode, n[0], MODEL_UP);
    case HSA_BRIG_OPCODE_FLOOR: return integral_result(mode, n[0], MODEL_DOWN);
    case HSA_BRIG_OPCODE_RINT: return integral_result(mode, n[0], MODEL_NEAR);
    case HSA_BRIG_OPCODE_TRUNC: return integral_result(mode, n[0], MODEL_ZERO);
    default: return model_unknown(mode->format.bits);
    }
}
