/* SPDX-License-Identifier: MIT */
/* A slow, plain model of the vector ALU, written from the published pseudo-code. It computes one lane at a time.
 *
 * With the software GPU it shares the decoder, which is compared with LLVM's, and nothing else. */
#ifndef TESTSUITE_GCN_VALU_MODEL_H
#define TESTSUITE_GCN_VALU_MODEL_H

#include "runtime/gcn/inst/inst.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

enum { MODEL_LANES = 64 };

/* Fields of MODE. */
enum {
    MODEL_IEEE = 1 << 9,
    MODEL_DX10_CLAMP = 1 << 8,
    MODEL_FP16_OVFL = 1 << 23,
    MODEL_DENORM_ALL = 0xf0,
};

struct model {
    uint32_t v[256][MODEL_LANES];
    uint32_t s[GCN_SCALAR_COUNT];
    uint32_t scc, mode;
    /* What is not defined about results of the last instruction: how far a float may be from ours, and in which lanes
     * the result is a NaN, whose sign and payload are not defined. */
    double ulps, absolute;
    uint64_t skip;   /* lanes that the model cannot compute */
    uint64_t nan[2]; /* by lane; for packed results the low and the high half */
};

/* One lane's computation. */
struct model_lane {
    const struct gcn_inst *inst;
    struct model *m;
    unsigned lane;
    u128 a, b, c, old; /* sources after selection and sign modifiers; destination before */
    bool carry;        /* carry-in, selector, or VCC bit */
    u128 result;
    bool bit; /* carry-out or comparison */
    bool nan, nan_high, skip;
};

/* Executes INST; false if the model does not know it. */
bool model_valu(struct model *m, const struct gcn_inst *inst);

/* The parts of the model. They return false if another part has the operation. */
bool model_integer(struct model_lane *l);
bool model_float(struct model_lane *l);
bool model_f16(struct model_lane *l);
bool model_compare(struct model_lane *l);
/* Packed operations and dot products that add to the old value of the destination. */
bool model_onto(struct model_lane *l);
bool model_packed(struct model_lane *l);

/* The exact value of an f16, and X rounded to f16 by rounding mode RM (0 to nearest even, 1 up, 2 down, 3 to zero). */
double model_from_f16(unsigned bits);
unsigned model_to_f16(__float128 x, unsigned rm, bool saturate);
/* Sets the host's floating-point unit to rounding mode RM. */
void model_round(unsigned rm);

/* VALUE brought into the range of the signed or unsigned type of BITS bits. */
i128 model_saturate(i128 value, unsigned bits, bool is_signed);

/* Functions for f16 that packed operations also use: inputs and results follow the denormal mode. */
unsigned model_f16_in(const struct model *m, unsigned bits);
unsigned model_f16_out(const struct model *m, __float128 value);
unsigned model_f16_minmax(const struct model *m, unsigned a, unsigned b, bool max);
unsigned model_clamp_f16(const struct model *m, unsigned bits);
/* An f16 result after the output modifiers of the instruction. */
unsigned model_f16_modifiers(const struct model_lane *l, unsigned bits);
bool model_is_nan16(unsigned bits);

#endif
