/* SPDX-License-Identifier: MIT */
/* Instructions on values; see alu.h. This file knows types and packing, and which file computes what.
 * Input: an instruction and its sources. Output: the result. Invariant: the packing controls of table 4-6 are here and
 * nowhere else. */
#include "testsuite/hsail-model/alu.h"

struct model_type model_type(unsigned type)
{
    static const uint8_t bits[] = {
        0, 8, 16, 32, 64, 8, 16, 32, 64, 16, 32, 64, 1, 8, 16, 32, 64, 128, 64, 64, 64, 64, 64, 64};
    unsigned base = type & HSA_BRIG_TYPE_CLASS_BASE_MASK, pack = type >> HSA_BRIG_TYPE_CLASS_PACK_SHIFT & 3;
    struct model_type t = {.element = (uint16_t)base, .count = 1};
    t.bits = base < sizeof bits ? bits[base] : 0;
    if (pack && t.bits)
        t.count = (16u << pack) / t.bits;
    t.is_signed = base >= HSA_BRIG_TYPE_S8 && base <= HSA_BRIG_TYPE_S64;
    t.is_float = base >= HSA_BRIG_TYPE_F16 && base <= HSA_BRIG_TYPE_F64;
    return t;
}

struct model_value model_in_register(unsigned type, struct model_value value)
{
    struct model_type t = model_type(type);
    unsigned bits = t.bits * t.count;
    value.bits &= model_low(bits);
    value.undefined &= model_low(bits);
    if (bits >= 32 || bits == 1)
        return value;
    model_u128 above = model_low(32) & ~model_low(bits);
    if (t.is_float)
        value.undefined |= above;
    else if (t.is_signed && value.undefined >> (bits - 1))
        value.undefined |= above;
    else if (t.is_signed && value.bits >> (bits - 1))
        value.bits |= above;
    return value;
}

static bool is_unary(unsigned opcode)
{
    switch (opcode) {
    case HSA_BRIG_OPCODE_ABS:
    case HSA_BRIG_OPCODE_NEG:
    case HSA_BRIG_OPCODE_CEIL:
    case HSA_BRIG_OPCODE_FLOOR:
    case HSA_BRIG_OPCODE_RINT:
    case HSA_BRIG_OPCODE_TRUNC:
    case HSA_BRIG_OPCODE_FRACT:
    case HSA_BRIG_OPCODE_SQRT: return true;
    default: return false;
    }
}

/* abs, neg and copysign, which change nothing but the sign bit. */
static struct model_value sign_operation(unsigned opcode, unsigned bits, const struct model_value source[2])
{
    model_u128 sign = (model_u128)1 << (bits - 1);
    struct model_value result = source[0];
    switch (opcode) {
    case HSA_BRIG_OPCODE_NEG: result.bits ^= sign; break;
    case HSA_BRIG_OPCODE_ABS:
        result.bits &= ~sign;
        result.undefined &= ~sign;
        break;
    default:
        result.bits = (result.bits & ~sign) | (source[1].bits & sign);
        result.undefined = (result.undefined & ~sign) | (source[1].undefined & sign);
    }
    return result;
}

static struct model_value float_element(const struct model_op *op, struct model_type type,
                                        const struct model_value source[3], unsigned count)
{
    struct model_mode mode = {model_format(type.bits), op->round, op->ftz};
    model_u128 plain[3] = {0};
    model_u128 open = 0, nan = model_low(mode.format.mantissa - 1);
    switch (op->opcode) {
    case HSA_BRIG_OPCODE_ABS:
    case HSA_BRIG_OPCODE_NEG:
    case HSA_BRIG_OPCODE_COPYSIGN: return sign_operation(op->opcode, type.bits, source);
    default: break;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!model_float_usable(type.bits, source[i]))
            return model_unknown(type.bits);
        plain[i] = source[i].bits;
        open |= source[i].undefined & nan;
    }
    struct model_value result = model_float(&mode, op->opcode, plain);
    if (op->any_payload)
        open = nan;
    if (open && model_unpack(mode.format, result.bits).class_ == MODEL_IS_QUIET)
        result.undefined |= open | (model_u128)1 << (type.bits - 1);
    return result;
}

static struct model_value element(const struct model_op *op, struct model_type type, bool saturate,
                                  const struct model_value source[3], unsigned count)
{
    if (type.is_float)
        return float_element(op, type, source, count);
    if (model_any_unknown(source, count, type.bits))
        return model_unknown(type.bits);
    return model_integer(op, type, saturate, source);
}

/* A packing control: for which sources the lowest element is used throughout, and whether only the lowest element of
 * the result is written. */
struct control {
    bool low_first, low_second, single, saturate;
};

static struct control control_of(unsigned pack)
{
    switch (pack) {
    case HSA_BRIG_PACK_PS: return (struct control){false, true, false, false};
    case HSA_BRIG_PACK_SP: return (struct control){true, false, false, false};
    case HSA_BRIG_PACK_S:
    case HSA_BRIG_PACK_SS: return (struct control){true, true, true, false};
    case HSA_BRIG_PACK_PPSAT:
    case HSA_BRIG_PACK_PSAT: return (struct control){false, false, false, true};
    case HSA_BRIG_PACK_PSSAT: return (struct control){false, true, false, true};
    case HSA_BRIG_PACK_SPSAT: return (struct control){true, false, false, true};
    case HSA_BRIG_PACK_SSAT:
    case HSA_BRIG_PACK_SSSAT: return (struct control){true, true, true, true};
    default: return (struct control){false, false, false, false};
    }
}

/* Executes an instruction that works element by element on sources of its own type. */
static struct model_value by_elements(const struct model_op *op, unsigned count, const struct model_value *source,
                                      struct model_value old)
{
    struct model_type type = model_type(op->type);
    struct control control = control_of(op->pack);
    struct model_value result = control.single ? old : model_defined(0);
    for (unsigned i = 0; i < (control.single ? 1 : type.count); i++) {
        struct model_value part[3] = {{0, 0}};
        part[0] = model_element(source[0], type, control.low_first ? 0 : i);
        for (unsigned n = 1; n < count; n++)
            part[n] = model_element(source[n], type, control.low_second ? 0 : i);
        result = model_with_element(result, type, i, element(op, type, op->saturate || control.saturate, part, count));
    }
    return result;
}

/* shl and shr: one u32 is the count for all elements, and as many of its bits count as the element size needs (5.5). */
static struct model_value shift(const struct model_op *op, const struct model_value source[2])
{
    struct model_type type = model_type(op->type);
    struct model_value result = model_defined(0);
    for (unsigned i = 0; i < type.count; i++) {
        struct model_value value = model_element(source[0], type, i);
        unsigned count = (unsigned)source[1].bits & (type.bits - 1);
        if (source[1].undefined & (type.bits - 1))
            value = model_unknown(type.bits);
        else if (op->opcode == HSA_BRIG_OPCODE_SHL)
            value = (struct model_value){value.bits << count, value.undefined << count};
        else if (type.is_signed)
            value = (struct model_value){(model_u128)(model_signed(value.bits, type.bits) >> count),
                                         (model_u128)(model_signed(value.undefined, type.bits) >> count)};
        else
            value = (struct model_value){value.bits >> count, value.undefined >> count};
        result = model_with_element(result, type, i, value);
    }
    return result;
}

static struct model_value conditional_move(const struct model_op *op, const struct model_value source[3])
{
    struct model_type type = model_type(op->type);
    struct model_value result = model_defined(0);
    struct model_type mask = type;
    if (type.count == 1)
        mask.bits = 1;
    for (unsigned i = 0; i < type.count; i++) {
        struct model_value which = model_element(source[0], mask, i);
        struct model_value chosen = model_element(source[which.bits ? 1 : 2], type, i);
        /* If a bit of the mask is known to be 1, the mask is not 0; else an undefined bit leaves that open. */
        if (which.undefined && !(which.bits & ~which.undefined))
            chosen = model_unknown(type.bits);
        result = model_with_element(result, type, i, chosen);
    }
    return result;
}

static bool elementwise(const struct model_op *op, const struct model_value *source, struct model_value old,
                        struct model_value *result)
{
    switch (op->opcode) {
    case HSA_BRIG_OPCODE_MAD:
    case HSA_BRIG_OPCODE_FMA:
    case HSA_BRIG_OPCODE_MAD24:
    case HSA_BRIG_OPCODE_MAD24HI: *result = by_elements(op, 3, source, old); return true;
    case HSA_BRIG_OPCODE_ADD:
    case HSA_BRIG_OPCODE_SUB:
    case HSA_BRIG_OPCODE_MUL:
    case HSA_BRIG_OPCODE_MULHI:
    case HSA_BRIG_OPCODE_DIV:
    case HSA_BRIG_OPCODE_REM:
    case HSA_BRIG_OPCODE_MIN:
    case HSA_BRIG_OPCODE_MAX:
    case HSA_BRIG_OPCODE_BORROW:
    case HSA_BRIG_OPCODE_CARRY:
    case HSA_BRIG_OPCODE_MUL24:
    case HSA_BRIG_OPCODE_MUL24HI:
    case HSA_BRIG_OPCODE_COPYSIGN: *result = by_elements(op, 2, source, old); return true;
    default:
        if (!is_unary(op->opcode))
            return false;
        *result = by_elements(op, 1, source, old);
        return true;
    }
}

bool model_alu(const struct model_op *op, const struct model_value source[MODEL_SOURCES], struct model_value old,
               struct model_value *result)
{
    switch (op->opcode) {
    case HSA_BRIG_OPCODE_MOV: *result = source[0]; return true;
    case HSA_BRIG_OPCODE_SHL:
    case HSA_BRIG_OPCODE_SHR: *result = shift(op, source); return true;
    case HSA_BRIG_OPCODE_CMOV: *result = conditional_move(op, source); return true;
    case HSA_BRIG_OPCODE_CMP: *result = model_compare(op, source); return true;
    case HSA_BRIG_OPCODE_CVT: *result = model_convert(op, source[0]); return true;
    default:
        return elementwise(op, source, old, result) || model_bits(op, source, result) ||
               model_media(op, source, result);
    }
}
