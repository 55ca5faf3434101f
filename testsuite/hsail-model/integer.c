/* SPDX-License-Identifier: MIT */
/* Integer arithmetic, conversion and comparison (PRM 5.2 to 5.4, 5.18, 5.19); see alu.h. Input: elements. Output: an
 * element. Invariant: every intermediate result fits into 128 bits, or wraps as the manual says. */
#include "testsuite/hsail-model/alu.h"

/* VALUE clamped to the range of BITS bits. */
static model_u128 clamp(model_s128 value, unsigned bits, bool is_signed)
{
    model_s128 most = (model_s128)model_low(bits - is_signed), least = is_signed ? -most - 1 : 0;
    return (model_u128)(value > most ? most : value < least ? least : value);
}

/* a * b + c, saturated. With unsigned numbers of 64 bits the sum needs more than the 127 bits of a signed number. */
static model_u128 saturated_mad(struct model_type type, model_s128 a, model_s128 b, model_s128 c)
{
    if (!type.is_signed) {
        model_u128 product = (model_u128)a * (model_u128)b;
        model_u128 most = model_low(type.bits);
        return product > most || product + (model_u128)c > most ? most : product + (model_u128)c;
    }
    return clamp(a * b + c, type.bits, true);
}

/* The 48-bit product of 24-bit numbers; false when an operand has more bits. */
static bool product_24(struct model_type type, model_s128 a, model_s128 b, model_s128 *product)
{
    model_s128 most = type.is_signed ? 0x7fffff : 0xffffff, least = type.is_signed ? -0x800000 : 0;
    *product = a * b;
    return a >= least && a <= most && b >= least && b <= most;
}

static struct model_value arithmetic_24(unsigned opcode, struct model_type type, model_s128 a, model_s128 b,
                                        model_s128 c)
{
    model_s128 product;
    if (!product_24(type, a, b, &product))
        return model_unknown(type.bits);
    bool high = opcode == HSA_BRIG_OPCODE_MUL24HI || opcode == HSA_BRIG_OPCODE_MAD24HI;
    bool adds = opcode == HSA_BRIG_OPCODE_MAD24 || opcode == HSA_BRIG_OPCODE_MAD24HI;
    return model_defined((model_u128)((high ? product >> 32 : product) + (adds ? c : 0)));
}

static struct model_value quotient(unsigned opcode, struct model_type type, model_s128 a, model_s128 b)
{
    model_s128 least = model_signed((model_u128)1 << (type.bits - 1), type.bits);
    if (!b || (type.is_signed && b == -1 && a == least))
        return model_unknown(type.bits);
    return model_defined((model_u128)(opcode == HSA_BRIG_OPCODE_DIV ? a / b : a % b));
}

struct model_value model_integer(const struct model_op *op, struct model_type type, bool saturate,
                                 const struct model_value source[3])
{
    model_s128 n[3];
    model_u128 mask = model_low(type.bits);
    for (unsigned i = 0; i < 3; i++)
        n[i] = type.is_signed ? model_signed(source[i].bits, type.bits) : (model_s128)(source[i].bits & mask);
    model_s128 a = n[0], b = n[1], c = n[2];
    switch (op->opcode) {
    case HSA_BRIG_OPCODE_ABS: return model_defined((model_u128)(a < 0 ? -a : a) & mask);
    case HSA_BRIG_OPCODE_NEG: return model_defined((model_u128)-a & mask);
    case HSA_BRIG_OPCODE_ADD:
        return model_defined((saturate ? clamp(a + b, type.bits, type.is_signed) : (model_u128)(a + b)) & mask);
    case HSA_BRIG_OPCODE_SUB:
        return model_defined((saturate ? clamp(a - b, type.bits, type.is_signed) : (model_u128)(a - b)) & mask);
    case HSA_BRIG_OPCODE_MUL: c = 0; /* fall through */
    case HSA_BRIG_OPCODE_MAD:
        return model_defined(
            (saturate ? saturated_mad(type, a, b, c) : (model_u128)a * (model_u128)b + (model_u128)c) & mask);
    case HSA_BRIG_OPCODE_MULHI: return model_defined(((model_u128)a * (model_u128)b) >> type.bits & mask);
    case HSA_BRIG_OPCODE_MIN: return model_defined((model_u128)(a < b ? a : b) & mask);
    case HSA_BRIG_OPCODE_MAX: return model_defined((model_u128)(a > b ? a : b) & mask);
    case HSA_BRIG_OPCODE_BORROW: return model_defined((source[0].bits & mask) < (source[1].bits & mask));
    case HSA_BRIG_OPCODE_CARRY:
        return model_defined(((source[0].bits & mask) + (source[1].bits & mask)) >> type.bits & 1);
    case HSA_BRIG_OPCODE_DIV:
    case HSA_BRIG_OPCODE_REM: {
        struct model_value value = quotient(op->opcode, type, a, b);
        value.bits &= mask;
        return value;
    }
    default: {
        struct model_value value = arithmetic_24(op->opcode, type, a, b, c);
        value.bits &= mask;
        return value;
    }
    }
}

static bool integer_saturates(unsigned round)
{
    return (round >= HSA_BRIG_ROUND_INTEGER_NEAR_EVEN_SAT && round <= HSA_BRIG_ROUND_INTEGER_MINUS_INFINITY_SAT) ||
           round >= HSA_BRIG_ROUND_INTEGER_SIGNALING_NEAR_EVEN_SAT;
}

static enum model_round integer_round(unsigned round)
{
    static const enum model_round modes[] = {MODEL_NEAR, MODEL_ZERO, MODEL_UP, MODEL_DOWN};
    return round < HSA_BRIG_ROUND_INTEGER_NEAR_EVEN
               ? MODEL_ZERO
               : modes[(round - HSA_BRIG_ROUND_INTEGER_NEAR_EVEN) % 4];
}

static struct model_value to_bit(const struct model_op *op, struct model_type from, struct model_value value)
{
    struct model_format f = model_format(from.bits);
    model_u128 counted = from.is_float ? model_low(from.bits - 1) : model_low(from.bits);
    if (value.bits & counted & ~value.undefined) {
        if (!from.is_float || !op->ftz || !(value.undefined & counted))
            return model_defined(
                from.is_float && op->ftz ? model_unpack(f, value.bits).class_ != MODEL_IS_SUBNORMAL : 1);
        return model_unknown(1);
    }
    return value.undefined & counted ? model_unknown(1) : model_defined(0);
}

/* Converts one element from type FROM to type TO. */
static struct model_value convert(const struct model_op *op, struct model_type to, struct model_type from,
                                  bool saturate, struct model_value value)
{
    struct model_mode mode = {model_format(to.bits), op->round, op->ftz};
    if (to.element == HSA_BRIG_TYPE_B1)
        return to_bit(op, from, value);
    if (from.is_float ? !model_float_usable(from.bits, value) : value.undefined != 0)
        return model_unknown(to.bits);
    if (from.is_float && to.is_float) {
        struct model_value result = model_float_to_float(&mode, model_format(from.bits), value.bits);
        return result;
    }
    if (from.is_float)
        return model_float_to_integer(model_format(from.bits), value.bits, integer_round(op->integer_round), op->ftz,
                                      to.bits, to.is_signed, integer_saturates(op->integer_round));
    model_s128 number = from.is_signed ? model_signed(value.bits, from.bits) : (model_s128)value.bits;
    if (to.is_float)
        return model_integer_to_float(&mode, number);
    if (from.element == HSA_BRIG_TYPE_B1 && to.is_signed && to.bits >= 32)
        number = -number;
    return model_defined((saturate ? clamp(number, to.bits, to.is_signed) : (model_u128)number) & model_low(to.bits));
}

struct model_value model_convert(const struct model_op *op, struct model_value source)
{
    struct model_type to = model_type(op->type), from = model_type(op->source_type);
    struct model_value result = model_defined(0);
    for (unsigned i = 0; i < to.count; i++)
        result = model_with_element(result, to, i, convert(op, to, from, op->saturate, model_element(source, from, i)));
    return result;
}

/* For which of less, equal, greater and unordered a comparison is true. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static unsigned relations(unsigned compare)
{
    switch (compare) {
    case HSA_BRIG_COMPARE_OPERATION_EQ:
    case HSA_BRIG_COMPARE_OPERATION_SEQ: return EQUAL;
    case HSA_BRIG_COMPARE_OPERATION_NE:
    case HSA_BRIG_COMPARE_OPERATION_SNE: return LESS | GREATER;
    case HSA_BRIG_COMPARE_OPERATION_LT:
    case HSA_BRIG_COMPARE_OPERATION_SLT: return LESS;
    case HSA_BRIG_COMPARE_OPERATION_LE:
    case HSA_BRIG_COMPARE_OPERATION_SLE: return LESS | EQUAL;
    case HSA_BRIG_COMPARE_OPERATION_GT:
    case HSA_BRIG_COMPARE_OPERATION_SGT: return GREATER;
    case HSA_BRIG_COMPARE_OPERATION_GE:
    case HSA_BRIG_COMPARE_OPERATION_SGE: return GREATER | EQUAL;
    case HSA_BRIG_COMPARE_OPERATION_EQU:
    case HSA_BRIG_COMPARE_OPERATION_SEQU: return EQUAL | UNORDERED;
    case HSA_BRIG_COMPARE_OPERATION_NEU:
    case HSA_BRIG_COMPARE_OPERATION_SNEU: return LESS | GREATER | UNORDERED;
    case HSA_BRIG_COMPARE_OPERATION_LTU:
    case HSA_BRIG_COMPARE_OPERATION_SLTU: return LESS | UNORDERED;
    case HSA_BRIG_COMPARE_OPERATION_LEU:
    case HSA_BRIG_COMPARE_OPERATION_SLEU: return LESS | EQUAL | UNORDERED;
    case HSA_BRIG_COMPARE_OPERATION_GTU:
    case HSA_BRIG_COMPARE_OPERATION_SGTU: return GREATER | UNORDERED;
    case HSA_BRIG_COMPARE_OPERATION_GEU:
    case HSA_BRIG_COMPARE_OPERATION_SGEU: return GREATER | EQUAL | UNORDERED;
    case HSA_BRIG_COMPARE_OPERATION_NAN:
    case HSA_BRIG_COMPARE_OPERATION_SNAN: return UNORDERED;
    default: return LESS | EQUAL | GREATER;
    }
}

static struct model_value compare(const struct model_op *op, struct model_type to, struct model_type from,
                                  struct model_value a, struct model_value b)
{
    int order;
    if (from.is_float ? !model_float_usable(from.bits, a) || !model_float_usable(from.bits, b)
                      : a.undefined || b.undefined)
        return model_unknown(to.bits);
    if (from.is_float) {
        order = model_float_compare(model_format(from.bits), a.bits, b.bits, op->ftz);
    } else {
        model_s128 x = from.is_signed ? model_signed(a.bits, from.bits) : (model_s128)a.bits;
        model_s128 y = from.is_signed ? model_signed(b.bits, from.bits) : (model_s128)b.bits;
        order = x < y ? -1 : x > y;
    }
    unsigned relation = order == 2 ? UNORDERED : order < 0 ? LESS : order ? GREATER : EQUAL;
    bool is_true = relations(op->compare) & relation;
    struct model_format f = model_format(to.bits);
    if (to.is_float)
        return model_defined(is_true ? (model_u128)(unsigned)f.bias << f.mantissa : 0);
    return model_defined(is_true ? model_low(to.bits) : 0);
}

struct model_value model_compare(const struct model_op *op, const struct model_value source[2])
{
    struct model_type to = model_type(op->type), from = model_type(op->source_type);
    struct model_value result = model_defined(0);
    for (unsigned i = 0; i < to.count; i++)
        result = model_with_element(
            result, to, i, compare(op, to, from, model_element(source[0], from, i), model_element(source[1], from, i)));
    return result;
}
