/* SPDX-License-Identifier: MIT */
/* Values of the model of HSAIL: bits, and which of them the manual leaves undefined.
 *
 * An instruction with undefined bits in its sources has undefined bits in its result: after an operation on bits only
 * those that depend on them, after arithmetic the whole element. A NaN has a defined exponent and quiet bit; its sign,
 * and mostly its payload, are the implementation's choice. In the end, only defined bits are compared. */
#ifndef TESTSUITE_HSAIL_MODEL_VALUE_H
#define TESTSUITE_HSAIL_MODEL_VALUE_H

#include "hsail/brig.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 model_u128;
__extension__ typedef __int128 model_s128;

struct model_value {
    model_u128 bits, undefined;
};

/* The lowest COUNT bits, 0 to 128. */
static inline model_u128 model_low(unsigned count)
{
    return count >= 128 ? ~(model_u128)0 : ((model_u128)1 << count) - 1;
}

/* A type as the instructions see it. */
struct model_type {
    uint16_t element; /* hsa_brig_type_t of an element */
    unsigned bits;    /* how many bits an element has */
    unsigned count;   /* how many elements there are */
    bool is_signed, is_float;
};

/* TYPE taken apart; an array type counts as the type of its elements. BITS is 0 for a type without values. */
struct model_type model_type(unsigned type);

static inline unsigned model_type_bits(unsigned type)
{
    struct model_type t = model_type(type);
    return t.bits * t.count;
}

static inline struct model_value model_defined(model_u128 bits)
{
    return (struct model_value){bits, 0};
}

static inline struct model_value model_unknown(unsigned bits)
{
    return (struct model_value){0, model_low(bits)};
}

/* Element INDEX of VALUE. */
static inline struct model_value model_element(struct model_value value, struct model_type type, unsigned index)
{
    unsigned shift = type.bits * index;
    model_u128 mask = model_low(type.bits);
    return (struct model_value){value.bits >> shift & mask, value.undefined >> shift & mask};
}

/* VALUE with element INDEX replaced. */
static inline struct model_value model_with_element(struct model_value value, struct model_type type, unsigned index,
                                                    struct model_value element)
{
    unsigned shift = type.bits * index;
    model_u128 mask = model_low(type.bits) << shift;
    value.bits = (value.bits & ~mask) | ((element.bits << shift) & mask);
    value.undefined = (value.undefined & ~mask) | ((element.undefined << shift) & mask);
    return value;
}

/* The lowest COUNT bits of BITS, as a signed number. */
static inline model_s128 model_signed(model_u128 bits, unsigned count)
{
    return (model_s128)(bits << (128 - count)) >> (128 - count);
}

#endif
