/* SPDX-License-Identifier: MIT */
/* Instructions that compute values from values: PRM chapter 5 without lda, segmentp, ftos, stof. */
#ifndef TESTSUITE_HSAIL_MODEL_ALU_H
#define TESTSUITE_HSAIL_MODEL_ALU_H

#include "testsuite/hsail-model/float.h"

enum { MODEL_SOURCES = 5 };

/* An instruction as its BRIG entry has it, without operands. */
struct model_op {
    unsigned opcode, type, source_type; /* source_type is 0 where the entry has none */
    unsigned pack, compare;             /* hsa_brig_pack_t, hsa_brig_compare_operation_t */
    unsigned integer_round;             /* hsa_brig_round_t of a conversion to an integer, else 0 */
    enum model_round round;             /* rounding of floating point; the module's default if none is named */
    bool ftz, saturate, any_payload;
};

/* Computes OP on SOURCE, raw register contents or constants; OLD is what the destination held. False when this is not
 * an instruction on values. *RESULT is as wide as the type of the instruction. */
bool model_alu(const struct model_op *op, const struct model_value source[MODEL_SOURCES], struct model_value old,
               struct model_value *result);

/* VALUE of TYPE as a register holds it: short integers extended, the upper half of an f16 unknown (4.16.2, 4.19.1). */
struct model_value model_in_register(unsigned type, struct model_value value);

/* These compute one element: integer arithmetic, operations on bits, media, a conversion, a comparison. */
struct model_value model_integer(const struct model_op *op, struct model_type type, bool saturate,
                                 const struct model_value source[3]);
bool model_bits(const struct model_op *op, const struct model_value source[MODEL_SOURCES], struct model_value *result);
bool model_media(const struct model_op *op, const struct model_value source[MODEL_SOURCES], struct model_value *result);
struct model_value model_convert(const struct model_op *op, struct model_value source);
struct model_value model_compare(const struct model_op *op, const struct model_value source[2]);

/* Whether ANY of the lowest bits of these values is undefined. */
static inline bool model_any_unknown(const struct model_value *source, unsigned count, unsigned bits)
{
    for (unsigned i = 0; i < count; i++)
        if (source[i].undefined & model_low(bits))
            return true;
    return false;
}

/* Whether arithmetic on the float VALUE is defined: all bits are, or VALUE is a quiet NaN whatever its undefined bits
 * are.
 */
static inline bool model_float_usable(unsigned bits, struct model_value value)
{
    struct model_format f = model_format(bits);
    model_u128 nan = model_low(f.bits - 1) & ~model_low(f.mantissa - 1);
    return !(value.undefined & model_low(bits)) || (!(value.undefined & nan) && (value.bits & nan) == nan);
}

#endif
