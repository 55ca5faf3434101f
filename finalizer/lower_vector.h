/* SPDX-License-Identifier: MIT */
/* Takes packed values apart and puts them together, and reads modifiers that several kinds of instructions share. */
#ifndef FINALIZER_LOWER_VECTOR_H
#define FINALIZER_LOWER_VECTOR_H

#include "finalizer/lower.h"

/* A packed value that is being put together. Element 0 is the least significant. */
struct packed_vector {
    LLVMValueRef value;
};

struct packed_vector vector_open(struct emit *e, unsigned type, LLVMValueRef start);
void vector_set(struct emit *e, struct packed_vector *v, unsigned index, LLVMValueRef element);
LLVMValueRef vector_close(struct emit *e, struct packed_vector *v);
LLVMValueRef vector_element(struct emit *e, unsigned type, LLVMValueRef value, unsigned index);
/* The value as an LLVM vector of its elements, and back as an integer. */
LLVMValueRef vector_of(struct emit *e, unsigned type, LLVMValueRef value);

/* What an instruction says about rounding: to a floating point number, to an integer, or nothing. */
struct rounding {
    enum { ROUNDS_BY_DEFAULT, ROUNDS_FLOAT, ROUNDS_INTEGER } of;
    enum fp_round round;
    bool saturates;
    bool signals; /* what is not integral is inexact */
};
struct rounding lower_rounding(const struct lang_inst *in);
/* Rounding and flushing of an instruction; the module's default rounding if the instruction names none. */
struct fp_env lower_fp_env(struct fn *f, const struct lang_inst *in);

#endif
