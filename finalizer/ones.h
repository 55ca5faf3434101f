/* SPDX-License-Identifier: MIT */
/* What ones.c, which hides words that are all ones, and ones_copy.c, which prepares the copy of the module that it
 * asks, share. */
#ifndef FINALIZER_ONES_H
#define FINALIZER_ONES_H

#include "finalizer/emit.h"

/* How many bits a value of TYPE has, if it is a number of at least 64 bits or a vector of such; otherwise 0. */
unsigned ones_number_bits(const struct emit *e, LLVMTypeRef type);

/* Element INDEX of the vector WHOLE. */
LLVMValueRef ones_lane(struct emit *e, LLVMValueRef whole, unsigned index);

/* Spells out, in FUNCTION of the copy, saturating operations, casts between numbers and vectors, and the addresses of
 * private variables; and divides numbers into words, if it DIVIDES. */
void ones_spell_out(struct emit *e, LLVMValueRef function, bool divides);

#endif
