/* SPDX-License-Identifier: MIT */
/* Lowering: one decoded instruction to its micro-operations. Private to the translator. */
#ifndef RUNTIME_GCN_LOWER_H
#define RUNTIME_GCN_LOWER_H

#include "runtime/gcn/engine.h"
#include "support/vec.h"

#include <stdbool.h>

struct lower_constant {
    uint64_t value;
    uint32_t kind;   /* 0: slot is free */
    uint32_t offset; /* byte offset in the unit's constants */
};

/* State of translating one unit. A failed allocation sets OOM, is not reported at each step, and leaves the
 * vectors valid. */
struct lowering {
    const struct gcn_engine *engine;
    VEC(struct gcn_uop) ops;
    VEC(uint32_t) pcs;
    VEC(uint32_t) constants;
    struct lower_constant *slots;
    uint32_t slot_count, slots_used;
    uint32_t pc;   /* of the instruction being lowered, as in gcn_unit.pcs */
    uint32_t temp; /* next free line of w->temp */
    bool indexing; /* between s_set_gpr_idx_on and _off */
    bool oom;
};

/* Appends the micro-operations of INST at address PC; not for direct branches. */
void lower_instruction(struct lowering *t, const struct gcn_inst *inst, uint64_t pc);

struct gcn_uop *lower_emit(struct lowering *t, gcn_handler *fn, uint32_t dst, uint32_t src0);
void lower_fault(struct lowering *t, enum gcn_fault_kind kind);

/* References to constants: a scalar pair, and a line or pair of lines. */
uint32_t lower_scalar_constant(struct lowering *t, uint64_t value);
uint32_t lower_line_constant(struct lowering *t, uint64_t value, unsigned lines);

/* Reference to a scalar operand; SLOT is its place in inst->src. */
uint32_t lower_scalar(struct lowering *t, const struct gcn_inst *inst, unsigned slot);
uint32_t lower_scalar_dst(const struct gcn_operand *dst);

void lower_vector(struct lowering *t, const struct gcn_inst *inst);

void lower_free(struct lowering *t);

#endif
