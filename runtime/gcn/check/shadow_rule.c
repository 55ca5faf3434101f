/* SPDX-License-Identifier: MIT */
/* Undefined bits of results; see shadow_rule.h.
 * Input: a rule, values and shadows of operands. Output: the shadow of the result.
 * Invariant: a bit that could differ for other values of the undefined bits is never called defined; where the exact
 * answer would take too long, too many bits are called undefined. */
#include "runtime/gcn/check/shadow_rule.h"

#include <stddef.h>

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t any(uint64_t shadow)
{
    return shadow ? UINT64_MAX : 0;
}

static struct shadowed low_bits(struct shadowed x, unsigned bits)
{
    return (struct shadowed){x.value & ones(bits), x.shadow & ones(bits)};
}

/* ---- bit by bit ---- */

static struct shadowed both(struct shadowed a, struct shadowed b)
{
    uint64_t zero_a = ~a.value & ~a.shadow, zero_b = ~b.value & ~b.shadow;
    return (struct shadowed){a.value & b.value, (a.shadow | b.shadow) & ~zero_a & ~zero_b};
}

static struct shadowed inverse(struct shadowed a)
{
    return (struct shadowed){~a.value, a.shadow};
}

static struct shadowed either(struct shadowed a, struct shadowed b)
{
    return inverse(both(inverse(a), inverse(b)));
}

static struct shadowed differ(struct shadowed a, struct shadowed b)
{
    return (struct shadowed){a.value ^ b.value, a.shadow | b.shadow};
}

static struct shadowed chosen(struct shadowed no, struct shadowed yes, struct shadowed bit)
{
    if (!(bit.shadow & 1))
        return bit.value & 1 ? yes : no;
    return (struct shadowed){no.value, no.shadow | yes.shadow | (no.value ^ yes.value)};
}

static uint64_t reversed(uint64_t x, unsigned bits)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (x >> i & 1) << (bits - 1 - i);
    return result;
}

/* ---- shifts ---- */

static struct shadowed left(struct shadowed a, struct shadowed by, unsigned bits)
{
    unsigned n = (unsigned)by.value & (bits - 1);
    if (by.shadow & (bits - 1))
        return (struct shadowed){0, any(1)};
    return (struct shadowed){a.value << n, a.shadow << n};
}

/* Extends X from BITS bits by its sign: an undefined sign makes all that it is copied to undefined. */
static struct shadowed extended(struct shadowed x, unsigned bits)
{
    unsigned n = 64 - bits;
    return (struct shadowed){(uint64_t)((int64_t)(x.value << n) >> n), (uint64_t)((int64_t)(x.shadow << n) >> n)};
}

static struct shadowed right(struct shadowed a, struct shadowed by, unsigned bits, bool sign)
{
    unsigned n = (unsigned)by.value & (bits - 1);
    if (by.shadow & (bits - 1))
        return (struct shadowed){0, any(1)};
    if (!sign)
        return (struct shadowed){a.value >> n, a.shadow >> n};
    a = extended(a, bits);
    return (struct shadowed){(uint64_t)((int64_t)a.value >> n), (uint64_t)((int64_t)a.shadow >> n)};
}

static struct shadowed field(struct shadowed a, struct shadowed at, struct shadowed width, unsigned bits, bool sign)
{
    unsigned first = (unsigned)at.value & (bits - 1), count = (unsigned)width.value & (2 * bits - 1);
    if ((at.shadow & (bits - 1)) || (width.shadow & (bits - 1)))
        return (struct shadowed){0, any(1)};
    if (!count)
        return (struct shadowed){0, 0};
    if (count > bits - first)
        count = bits - first;
    struct shadowed x = low_bits((struct shadowed){a.value >> first, a.shadow >> first}, count);
    return sign ? extended(x, count) : x;
}

static struct shadowed packed_field(struct shadowed a, struct shadowed b, unsigned bits, bool sign)
{
    return field(a, b, (struct shadowed){b.value >> 16 & 127, b.shadow >> 16 & 127}, bits, sign);
}

static struct shadowed joined(struct shadowed high, struct shadowed low, struct shadowed at, unsigned unit)
{
    unsigned mask = 31 / unit, n = ((unsigned)at.value & mask) * unit;
    if (at.shadow & mask)
        return (struct shadowed){0, any(1)};
    return (struct shadowed){(high.value << 32 | low.value) >> n, (high.shadow << 32 | low.shadow) >> n};
}

/* A byte of the selector that is 8 to 11 copies a sign to all bits; 12 and more give constants. */
static uint64_t permuted(struct shadowed a, struct shadowed b, struct shadowed c)
{
    uint64_t bytes = a.shadow << 32 | b.shadow, result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned select = (unsigned)(c.value >> 8 * i) & 255;
        uint64_t byte = select < 8 ? bytes >> 8 * select & 255 : select < 12 ? any(bytes) & 255 : 0;
        if (c.shadow >> 8 * i & 255)
            byte = 255;
        result |= byte << 8 * i;
    }
    return result;
}

/* ---- numbers ---- */

__extension__ typedef unsigned __int128 uint128;

/* a + b + carry: what differs between the smallest and the largest sum is undefined. */
static struct shadow_result sum(struct shadowed a, struct shadowed b, struct shadowed carry, unsigned bits)
{
    uint128 least = (uint128)(a.value & ~a.shadow) + (b.value & ~b.shadow) + (carry.value & ~carry.shadow & 1);
    uint128 most = (uint128)(a.value | a.shadow) + (b.value | b.shadow) + ((carry.value | carry.shadow) & 1);
    return (struct shadow_result){
        a.shadow | b.shadow | (carry.shadow & 1) | (uint64_t)(least ^ most), (least >> bits & 1) != (most >> bits & 1)};
}

static struct shadow_result difference(struct shadowed a, struct shadowed b, struct shadowed carry, unsigned bits)
{
    uint128 least = (uint128)(a.value & ~a.shadow) - (b.value | b.shadow) - ((carry.value | carry.shadow) & 1);
    uint128 most = (uint128)(a.value | a.shadow) - (b.value & ~b.shadow) - (carry.value & ~carry.shadow & 1);
    return (struct shadow_result){
        a.shadow | b.shadow | (carry.shadow & 1) | (uint64_t)(least ^ most), (least >> bits & 1) != (most >> bits & 1)};
}

/* The low bits of a product are defined as far as the zeros at the ends of both operands reach. */
static struct shadowed product(struct shadowed a, struct shadowed b)
{
    unsigned lowest = 64;
    uint64_t x = a.value | a.shadow, y = b.value | b.shadow;
    if (x && y && (a.shadow || b.shadow)) {
        unsigned by_a = a.shadow ? (unsigned)(__builtin_ctzll(a.shadow) + __builtin_ctzll(y)) : 64;
        unsigned by_b = b.shadow ? (unsigned)(__builtin_ctzll(b.shadow) + __builtin_ctzll(x)) : 64;
        lowest = by_a < by_b ? by_a : by_b;
    }
    return (struct shadowed){a.value * b.value, lowest < 64 ? UINT64_MAX << lowest : 0};
}

static uint64_t added(struct shadowed a, struct shadowed b, unsigned bits)
{
    return sum(low_bits(a, bits), low_bits(b, bits), (struct shadowed){0, 0}, bits).shadow;
}

static bool order_is_unknown(struct shadowed a, struct shadowed b, unsigned bits, bool sign)
{
    uint64_t top = sign ? UINT64_C(1) << (bits - 1) : 0; /* with the sign inverted, order is that of unsigned numbers */
    a.value ^= top;
    b.value ^= top;
    uint64_t a_least = a.value & ~a.shadow, a_most = a.value | a.shadow;
    uint64_t b_least = b.value & ~b.shadow, b_most = b.value | b.shadow;
    return !(a_most < b_least || b_most < a_least || (a_least == a_most && b_least == b_most));
}

/* ---- rules ---- */

static uint64_t shift_and_add(struct shadowed a, struct shadowed b, unsigned n, unsigned bits)
{
    return added((struct shadowed){a.value << n, a.shadow << n}, b, bits);
}

static uint64_t by_number(enum shadow_rule rule, unsigned bits, const struct shadowed *o)
{
    struct shadowed a = o[0], b = o[1], c = o[2], none = {0, 0};
    switch (rule) {
    case SHADOW_MUL: return product(a, b).shadow;
    case SHADOW_MUL24: return product(low_bits(a, 24), low_bits(b, 24)).shadow;
    case SHADOW_MAD: return added(product(a, b), c, bits);
    case SHADOW_MAD24: return added(product(low_bits(a, 24), low_bits(b, 24)), c, bits);
    case SHADOW_LSHL_ADD: return added(left(a, b, bits), c, bits);
    case SHADOW_ADD_LSHL: {
        struct shadowed s = {a.value + b.value, sum(a, b, none, bits).shadow};
        return left(s, c, bits).shadow;
    }
    case SHADOW_ADD3: {
        struct shadowed s = {a.value + b.value, sum(a, b, none, bits).shadow};
        return added(s, c, bits);
    }
    case SHADOW_XAD: return added(differ(a, b), c, bits);
    case SHADOW_LSHL1_ADD: return shift_and_add(a, b, 1, bits);
    case SHADOW_LSHL2_ADD: return shift_and_add(a, b, 2, bits);
    case SHADOW_LSHL3_ADD: return shift_and_add(a, b, 3, bits);
    case SHADOW_LSHL4_ADD: return shift_and_add(a, b, 4, bits);
    case SHADOW_EQUAL: return (a.value ^ b.value) & ~(a.shadow | b.shadow) ? 0 : any(a.shadow | b.shadow);
    case SHADOW_ORDER_U: return any(order_is_unknown(a, b, bits, false));
    case SHADOW_ORDER_I: return any(order_is_unknown(a, b, bits, true));
    default: return any(a.shadow | b.shadow | c.shadow);
    }
}

static uint64_t by_bits(enum shadow_rule rule, unsigned bits, const struct shadowed *o)
{
    struct shadowed a = o[0], b = o[1], c = o[2];
    switch (rule) {
    case SHADOW_DEFINED: return 0;
    case SHADOW_COPY: return a.shadow;
    case SHADOW_AND: return both(a, b).shadow;
    case SHADOW_ANDN2: return both(a, inverse(b)).shadow;
    case SHADOW_OR: return either(a, b).shadow;
    case SHADOW_ORN2: return either(a, inverse(b)).shadow;
    case SHADOW_XOR: return differ(a, b).shadow;
    case SHADOW_AND_OR: return either(both(a, b), c).shadow;
    case SHADOW_OR3: return either(either(a, b), c).shadow;
    case SHADOW_LSHL_OR: return either(left(a, b, bits), c).shadow;
    case SHADOW_BFI: return either(both(a, b), both(inverse(a), c)).shadow;
    case SHADOW_LSHL: return left(a, b, bits).shadow;
    case SHADOW_LSHLREV: return left(b, a, bits).shadow;
    case SHADOW_LSHR: return right(a, b, bits, false).shadow;
    case SHADOW_LSHRREV: return right(b, a, bits, false).shadow;
    case SHADOW_ASHR: return right(a, b, bits, true).shadow;
    case SHADOW_ASHRREV: return right(b, a, bits, true).shadow;
    case SHADOW_BFE_U: return field(a, b, low_bits(c, 5), bits, false).shadow;
    case SHADOW_BFE_I: return field(a, b, low_bits(c, 5), bits, true).shadow;
    case SHADOW_SBFE_U: return packed_field(a, b, bits, false).shadow;
    case SHADOW_SBFE_I: return packed_field(a, b, bits, true).shadow;
    case SHADOW_ALIGNBIT: return joined(a, b, c, 1).shadow;
    case SHADOW_ALIGNBYTE: return joined(a, b, c, 8).shadow;
    case SHADOW_PERM: return permuted(a, b, c);
    case SHADOW_SELECT: return chosen(a, b, c).shadow;
    case SHADOW_REVERSE: return reversed(a.shadow, bits);
    case SHADOW_SEXT8: return extended(low_bits(a, 8), 8).shadow;
    case SHADOW_SEXT16: return extended(low_bits(a, 16), 16).shadow;
    case SHADOW_PACK_LL: return (a.shadow & 0xffff) | b.shadow << 16;
    case SHADOW_PACK_LH: return (a.shadow & 0xffff) | (b.shadow & 0xffff0000);
    case SHADOW_PACK_HH: return (a.shadow >> 16 & 0xffff) | (b.shadow & 0xffff0000);
    case SHADOW_BYTE0: return any(a.shadow & 0xff);
    case SHADOW_BYTE1: return any(a.shadow >> 8 & 0xff);
    case SHADOW_BYTE2: return any(a.shadow >> 16 & 0xff);
    case SHADOW_BYTE3: return any(a.shadow >> 24 & 0xff);
    case SHADOW_BIT: return any((b.shadow & (bits - 1)) | (a.shadow >> (b.value & (bits - 1)) & 1));
    default: return by_number(rule, bits, o);
    }
}

struct shadow_result shadow_by_rule(enum shadow_rule rule, unsigned bits, const struct shadowed operands[3],
                                    struct shadowed carry)
{
    struct shadow_result result = {0};
    if (!((operands[0].shadow | operands[1].shadow | operands[2].shadow) || carry.shadow & 1))
        return result;
    switch (rule) {
    case SHADOW_ADD: result = sum(operands[0], operands[1], carry, bits); break;
    case SHADOW_SUB: result = difference(operands[0], operands[1], carry, bits); break;
    case SHADOW_SUBREV: result = difference(operands[1], operands[0], carry, bits); break;
    default: result.shadow = by_bits(rule, bits, operands); break;
    }
    result.shadow &= ones(bits);
    if (rule != SHADOW_ADD && rule != SHADOW_SUB && rule != SHADOW_SUBREV)
        result.carry = result.shadow != 0;
    return result;
}
