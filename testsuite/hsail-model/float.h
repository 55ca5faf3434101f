/* SPDX-License-Identifier: MIT */
/* Binary floating point of 16, 32 and 64 bits by integer arithmetic, each result rounded once (PRM 4.19). */
#ifndef TESTSUITE_HSAIL_MODEL_FLOAT_H
#define TESTSUITE_HSAIL_MODEL_FLOAT_H

#include "testsuite/hsail-model/value.h"

enum model_round { MODEL_NEAR, MODEL_ZERO, MODEL_UP, MODEL_DOWN };

struct model_format {
    unsigned bits, mantissa; /* of the whole number, of its fraction */
    int bias;
};

/* The format of BITS: 16, 32 or 64. */
struct model_format model_format(unsigned bits);

enum model_class {
    MODEL_IS_ZERO,
    MODEL_IS_SUBNORMAL,
    MODEL_IS_NORMAL,
    MODEL_IS_INFINITY,
    MODEL_IS_QUIET,
    MODEL_IS_SNAN
};

/* A number taken apart: (-1)^sign * fraction * 2^exponent; FRACTION is an integer. */
struct model_number {
    enum model_class class_;
    bool sign;
    int exponent;
    model_u128 fraction;
    bool more; /* the number is a little more than that, by less than the last bit of FRACTION */
};

struct model_number model_unpack(struct model_format format, model_u128 bits);

/* The mode of an operation: format of its result, rounding, flushing. */
struct model_mode {
    struct model_format format;
    enum model_round round;
    bool ftz;
};

/* NUMBER, which is no NaN, in the format of MODE. Bits of it are undefined only if flushing depends on whether tininess
 * is found before or after rounding. */
struct model_value model_pack(const struct model_mode *mode, struct model_number number);

/* The quiet NaN that an operation makes from operands that are no NaNs, and which of its bits are undefined. */
struct model_value model_new_nan(struct model_format format);

/* Arithmetic on defined operands of the format of MODE. Opcode is that of HSAIL: add, sub, mul, div, fma, mad, sqrt,
 * fract, ceil, floor, rint, trunc, min, max. */
struct model_value model_float(const struct model_mode *mode, unsigned opcode, const model_u128 source[3]);

/* Conversions (5.19): of a float in the format FROM, and of an integer, to the format of MODE. */
struct model_value model_float_to_float(const struct model_mode *mode, struct model_format from, model_u128 bits);
struct model_value model_integer_to_float(const struct model_mode *mode, model_s128 integer);

/* Converts a float in the format FROM to an integer of BITS; undefined if it does not fit and SATURATE is not set. */
struct model_value model_float_to_integer(struct model_format from, model_u128 bits, enum model_round round, bool ftz,
                                          unsigned to_bits, bool to_signed, bool saturate);

/* The bit of the mask of `class` that stands for the class of BITS (5.13). */
unsigned model_float_class(struct model_format format, model_u128 bits);

/* -1, 0 or 1 if A is less than, equal to or greater than B; 2 if one of them is a NaN. */
int model_float_compare(struct model_format format, model_u128 a, model_u128 b, bool ftz);

#endif
