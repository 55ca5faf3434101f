/* SPDX-License-Identifier: MIT */
/* Instructions on bits, packed data and media (PRM 5.6 to 5.9, 5.13 to 5.15); see alu.h. Input: sources. Output: the
 * result. Invariant: when bits are moved, it moves with them which of them are undefined. */
#include "testsuite/hsail-model/alu.h"

/* and, or, xor: a known 0 of one source decides a bit of and, a known 1 one of or. */
static struct model_value logic(unsigned opcode, struct model_value a, struct model_value b)
{
    model_u128 either = a.undefined | b.undefined, decided = 0;
    struct model_value result;
    switch (opcode) {
    case HSA_BRIG_OPCODE_AND:
        decided = (~a.bits & ~a.undefined) | (~b.bits & ~b.undefined);
        result.bits = a.bits & b.bits & ~decided;
        break;
    case HSA_BRIG_OPCODE_OR:
        decided = (a.bits & ~a.undefined) | (b.bits & ~b.undefined);
        result.bits = a.bits | b.bits | decided;
        break;
    default: result.bits = a.bits ^ b.bits;
    }
    result.undefined = either & ~decided;
    return result;
}

/* Offset and width of a bit field, in a value of BITS; false when the result is undefined. */
static bool field(const struct model_value at[2], unsigned bits, unsigned *offset, unsigned *width)
{
    *offset = (unsigned)at[0].bits & (bits - 1);
    *width = (unsigned)at[1].bits & (bits - 1);
    return !model_any_unknown(at, 2, bits == 32 ? 5 : 6) && *offset + *width <= bits;
}

static struct model_value extract(struct model_type type, const struct model_value source[3])
{
    unsigned offset, width;
    if (!field(source + 1, type.bits, &offset, &width))
        return model_unknown(type.bits);
    if (!width)
        return model_defined(0);
    model_u128 bits = source[0].bits >> offset & model_low(width);
    model_u128 open = source[0].undefined >> offset & model_low(width);
    if (type.is_signed) {
        bits = (model_u128)model_signed(bits, width);
        open = (model_u128)model_signed(open, width);
    }
    return (struct model_value){bits & model_low(type.bits), open & model_low(type.bits)};
}

static struct model_value insert(struct model_type type, const struct model_value source[4])
{
    unsigned offset, width;
    if (!field(source + 2, type.bits, &offset, &width))
        return model_unknown(type.bits);
    model_u128 mask = model_low(width) << offset;
    return (struct model_value){(source[0].bits & ~mask) | (source[1].bits << offset & mask),
                                (source[0].undefined & ~mask) | (source[1].undefined << offset & mask)};
}

static model_u128 reversed(model_u128 value, unsigned bits)
{
    model_u128 result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (value >> i & 1) << (bits - 1 - i);
    return result;
}

/* popcount, firstbit, lastbit of a source of type FROM. */
static model_u128 count_bits(unsigned opcode, struct model_type from, model_u128 value)
{
    unsigned count = 0;
    value &= model_low(from.bits);
    if (opcode == HSA_BRIG_OPCODE_POPCOUNT) {
        for (; value; value &= value - 1)
            count++;
        return count;
    }
    if (opcode == HSA_BRIG_OPCODE_FIRSTBIT && from.is_signed && value >> (from.bits - 1))
        value = ~value & model_low(from.bits);
    if (!value)
        return model_low(32);
    if (opcode == HSA_BRIG_OPCODE_LASTBIT)
        while (!(value >> count & 1))
            count++;
    else
        while (!(value >> (from.bits - 1 - count) & 1))
            count++;
    return count;
}

/* bitselect: where a bit of the mask is undefined, the result is defined only if both sources have the same bit. */
static struct model_value choose(const struct model_value source[3])
{
    struct model_value on = logic(HSA_BRIG_OPCODE_AND, source[1], source[0]);
    struct model_value mask = {~source[0].bits, source[0].undefined};
    return logic(HSA_BRIG_OPCODE_OR, on, logic(HSA_BRIG_OPCODE_AND, source[2], mask));
}

/* The low 32 bits of source 1 : source 0 shifted right. */
static struct model_value align(unsigned unit, const struct model_value source[3])
{
    unsigned mask = unit == 1 ? 31 : 3, shift = ((unsigned)source[2].bits & mask) * unit;
    if (source[2].undefined & mask)
        return model_unknown(32);
    model_u128 low = model_low(32);
    return (struct model_value){((source[1].bits & low) << 32 | (source[0].bits & low)) >> shift & low,
                                ((source[1].undefined & low) << 32 | (source[0].undefined & low)) >> shift & low};
}

bool model_bits(const struct model_op *op, const struct model_value source[MODEL_SOURCES], struct model_value *result)
{
    struct model_type type = model_type(op->type), from = model_type(op->source_type);
    unsigned offset, width;
    switch (op->opcode) {
    case HSA_BRIG_OPCODE_AND:
    case HSA_BRIG_OPCODE_OR:
    case HSA_BRIG_OPCODE_XOR: *result = logic(op->opcode, source[0], source[1]); return true;
    case HSA_BRIG_OPCODE_NOT: *result = (struct model_value){~source[0].bits, source[0].undefined}; return true;
    case HSA_BRIG_OPCODE_POPCOUNT:
    case HSA_BRIG_OPCODE_FIRSTBIT:
    case HSA_BRIG_OPCODE_LASTBIT:
        *result = model_any_unknown(source, 1, from.bits) ? model_unknown(32)
                                                          : model_defined(count_bits(op->opcode, from, source[0].bits));
        return true;
    case HSA_BRIG_OPCODE_BITEXTRACT: *result = extract(type, source); return true;
    case HSA_BRIG_OPCODE_BITINSERT: *result = insert(type, source); return true;
    case HSA_BRIG_OPCODE_BITMASK:
        *result = field(source, type.bits, &offset, &width)
                      ? model_defined(model_low(width) << offset)
                      : model_unknown(type.bits);
        return true;
    case HSA_BRIG_OPCODE_BITREV:
        *result = (struct model_value){reversed(source[0].bits, type.bits), reversed(source[0].undefined, type.bits)};
        return true;
    case HSA_BRIG_OPCODE_BITSELECT: *result = choose(source); return true;
    case HSA_BRIG_OPCODE_BITALIGN: *result = align(1, source); return true;
    case HSA_BRIG_OPCODE_BYTEALIGN: *result = align(8, source); return true;
    default: return false;
    }
}

static struct model_value shuffle(struct model_type type, const struct model_value source[3])
{
    unsigned bits = (unsigned)__builtin_ctz(type.count);
    struct model_value result = model_defined(0);
    for (unsigned i = 0; i < type.count; i++) {
        unsigned from = (unsigned)(source[2].bits >> (bits * i)) & (type.count - 1);
        result = model_with_element(result, type, i, model_element(source[i >= type.count / 2], type, from));
    }
    return result;
}

static struct model_value interleave(struct model_type type, bool high, const struct model_value source[2])
{
    struct model_value result = model_defined(0);
    for (unsigned i = 0; i < type.count; i++)
        result = model_with_element(
            result, type, i, model_element(source[i & 1], type, i / 2 + (high ? type.count / 2 : 0)));
    return result;
}

static struct model_value pack(struct model_type type, const struct model_value source[3])
{
    unsigned mask = type.count - 1, index = (unsigned)source[2].bits & mask;
    if (source[2].undefined & mask)
        return model_unknown(type.bits * type.count);
    return model_with_element(source[0], type, index, source[1]);
}

/* An element, extended to the type of the instruction. */
static struct model_value unpack(const struct model_op *op, const struct model_value source[2])
{
    struct model_type from = model_type(op->source_type);
    unsigned mask = from.count - 1;
    if (source[1].undefined & mask)
        return model_unknown(model_type_bits(op->type));
    struct model_value value = model_element(source[0], from, (unsigned)source[1].bits & mask);
    return from.is_float ? value : model_in_register(from.element, value);
}

static struct model_value average(const struct model_value source[3])
{
    model_u128 result = 0;
    if (model_any_unknown(source, 3, 32))
        return model_unknown(32);
    for (unsigned i = 0; i < 32; i += 8)
        result |= (((source[0].bits >> i & 255) + (source[1].bits >> i & 255) + (source[2].bits >> i & 1)) / 2) << i;
    return model_defined(result);
}

static struct model_value sum_of_differences(const struct model_op *op, const struct model_value source[3])
{
    struct model_type from = model_type(op->source_type);
    model_u128 sum = 0;
    if (model_any_unknown(source, 3, 32))
        return model_unknown(32);
    for (unsigned i = 0; i < from.count; i++) {
        model_u128 a = model_element(source[0], from, i).bits, b = model_element(source[1], from, i).bits;
        sum += a < b ? b - a : a - b;
    }
    if (op->opcode == HSA_BRIG_OPCODE_SADHI)
        sum <<= 16;
    return model_defined((sum + source[2].bits) & model_low(32));
}

static struct model_value convert_and_pack(const struct model_value source[4])
{
    static const struct model_type bytes = {.bits = 8, .count = 4};
    struct model_value result = model_defined(0);
    for (unsigned i = 0; i < 4; i++) {
        struct model_value byte = model_unknown(8);
        if (model_float_usable(32, source[i]))
            byte = model_float_to_integer(
                model_format(32), source[i].bits & model_low(32), MODEL_NEAR, false, 8, false, true);
        result = model_with_element(result, bytes, i, byte);
    }
    return result;
}

static struct model_value unpack_and_convert(const struct model_op *op, const struct model_value source[2])
{
    struct model_mode mode = {model_format(32), op->round, false};
    struct model_value byte = model_element(source[0], model_type(HSA_BRIG_TYPE_U8X4), (unsigned)source[1].bits & 3);
    return byte.undefined ? model_unknown(32) : model_integer_to_float(&mode, (model_s128)byte.bits);
}

/* class: whether a test that the mask asks for holds. With undefined bits, the result is defined if they do not change
 * it.
 */
static struct model_value classify(const struct model_op *op, const struct model_value source[2])
{
    unsigned bits = model_type_bits(op->source_type);
    if (!model_float_usable(bits, source[0]) || source[1].undefined & 0x3ff)
        return model_unknown(1);
    unsigned is = model_float_class(model_format(bits), source[0].bits & model_low(bits));
    return model_defined((source[1].bits & is) != 0);
}

bool model_media(const struct model_op *op, const struct model_value source[MODEL_SOURCES], struct model_value *result)
{
    struct model_type type = model_type(op->type);
    switch (op->opcode) {
    case HSA_BRIG_OPCODE_SHUFFLE: *result = shuffle(type, source); return true;
    case HSA_BRIG_OPCODE_UNPACKLO: *result = interleave(type, false, source); return true;
    case HSA_BRIG_OPCODE_UNPACKHI: *result = interleave(type, true, source); return true;
    case HSA_BRIG_OPCODE_PACK: *result = pack(type, source); return true;
    case HSA_BRIG_OPCODE_UNPACK: *result = unpack(op, source); return true;
    case HSA_BRIG_OPCODE_LERP: *result = average(source); return true;
    case HSA_BRIG_OPCODE_SAD:
    case HSA_BRIG_OPCODE_SADHI: *result = sum_of_differences(op, source); return true;
    case HSA_BRIG_OPCODE_PACKCVT: *result = convert_and_pack(source); return true;
    case HSA_BRIG_OPCODE_UNPACKCVT: *result = unpack_and_convert(op, source); return true;
    case HSA_BRIG_OPCODE_CLASS: *result = classify(op, source); return true;
    /* Native functions may have any accuracy (5.14). */
    case HSA_BRIG_OPCODE_NCOS:
    case HSA_BRIG_OPCODE_NSIN:
    case HSA_BRIG_OPCODE_NEXP2:
    case HSA_BRIG_OPCODE_NLOG2:
    case HSA_BRIG_OPCODE_NFMA:
    case HSA_BRIG_OPCODE_NRCP:
    case HSA_BRIG_OPCODE_NRSQRT:
    case HSA_BRIG_OPCODE_NSQRT: *result = model_unknown(type.bits); return true;
    default: return false;
    }
}
