/* SPDX-License-Identifier: MIT */
/* What the checker of initialisation has to do for an instruction: found out once, when the instruction is translated.
 */
#ifndef RUNTIME_GCN_INIT_PLAN_H
#define RUNTIME_GCN_INIT_PLAN_H

#include "runtime/gcn/inst/inst.h"

/* Adjacent registers: lines of vector registers, accumulation registers after them; or scalar registers. */
struct init_span {
    uint16_t first;
    uint8_t count; /* 0: there are none */
    bool scalar;
};

enum { INIT_SOURCES = 5, INIT_ACCUMULATION = 256 };

enum init_step_kind {
    INIT_SCALAR,
    INIT_VECTOR,
    INIT_LANE, /* v_readlane and others that move between lanes, or between kinds of registers */
    INIT_BRANCH,
    INIT_MEMORY,
    INIT_IMAGE,
};

struct init_plan {
    struct gcn_inst inst;
    uint8_t kind;    /* enum init_step_kind */
    uint8_t rule;    /* enum shadow_rule */
    bool keeps;      /* a part of the destination stays as it is */
    bool indexing;   /* registers are addressed relatively */
    bool reads_exec; /* one operand of a scalar operation is EXEC, which the operation changes */
    struct init_span src[INIT_SOURCES], dst, sdst;
    struct init_span data[2]; /* what a memory operation stores: two elements at most */
};

/* Fills in PLAN for INST; false if it concerns no register. */
bool init_plan_make(struct init_plan *plan, const struct gcn_inst *inst, bool indexing);

#endif
