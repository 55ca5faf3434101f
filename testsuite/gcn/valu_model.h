/* SPDX-License-Identifier: MIT */
/* A model of the vector operations, written from the published pseudo-code with the host's arithmetic and without any
 * code of the engine. One lane at a time, default modes (IEEE, denormals kept, to nearest even). */
#ifndef TESTSUITE_GCN_VALU_MODEL_H
#define TESTSUITE_GCN_VALU_MODEL_H

#include <stdint.h>

struct lane_case {
    uint64_t a, b, c; /* raw sources */
    uint64_t d;       /* raw old destination */
    unsigned carry;   /* lane's bit of the mask read */
    unsigned lane;
    unsigned bit;     /* out: lane's bit of the mask written */
};

typedef uint64_t lane_model(struct lane_case *x);

struct valu_model {
    uint16_t id; /* enum gcn_op */
    uint8_t ulps; /* how far a floating result may be off; 0: exact, except for the bits of a NaN */
    lane_model *fn;
};

extern const struct valu_model valu_models[]; /* ended by a row without function */

#endif
