/* SPDX-License-Identifier: MIT */
/* Lowering: one decoded instruction to its micro-operations. Private to the translator. */
#ifndef RUNTIME_GCN_MICRO_EMIT_H
#define RUNTIME_GCN_MICRO_EMIT_H

#include "runtime/gcn/engine.h"
#include "runtime/gcn/check/init_plan.h"
#include "support/hash_table.h"
#include "runtime/gcn/inst/gcn_target.h"
#include "support/vec.h"

#include <stdbool.h>

struct micro_constant {
    uint64_t value;
    uint32_t kind;   /* CONSTANT_SCALAR, CONSTANT_PATTERN or the number of lines */
    uint32_t offset; /* byte offset in the unit's constants */
};

/* The state while one unit is translated. A failed allocation sets OOM instead of being reported at each step; the
 * vectors stay valid. */
struct micro_stream {
    const struct gcn_engine *engine;
    const struct gcn_target *target;
    VEC(struct gcn_uop) ops;
    VEC(uint32_t) pcs;
    VEC(uint32_t) constants;
    VEC(struct micro_constant) known;
    VEC(struct init_plan) plans; /* of the checker of initialisation */
    struct hash_table numbers;   /* indices of `known` plus 1 */
    uint32_t pc;                 /* of the instruction being lowered, as in gcn_unit.pcs */
    uint32_t temp;               /* next free line of w->temp */
    unsigned checks;             /* GCN_CHECK_...: what the checkers look for */
    bool exact;                  /* account for exceptions of floating-point operations */
    bool indexing;               /* between s_set_gpr_idx_on and _off */
    bool oom;
};

/* Appends the micro-operations of INST at address PC; not for direct branches. */
void micro_instruction(struct micro_stream *t, const struct gcn_inst *inst, uint64_t pc);

struct gcn_uop *micro_emit(struct micro_stream *t, gcn_handler *fn, uint32_t dst, uint32_t src0);
/* Has the checker of initialisation look at INST, whose micro-operations are emitted next. */
void micro_check_init(struct micro_stream *t, const struct gcn_inst *inst);
void micro_fault(struct micro_stream *t, enum gcn_fault_kind kind);

/* References to constants: a scalar pair, a line or pair of lines, and a line with the lane that each lane reads by a
 * control of DPP, or all ones. */
uint32_t micro_scalar_constant(struct micro_stream *t, uint64_t value);
uint32_t micro_line_constant(struct micro_stream *t, uint64_t value, unsigned lines);
uint32_t micro_pattern_constant(struct micro_stream *t, uint32_t control);

/* Reference to a scalar operand; SLOT is its place in inst->src. */
uint32_t micro_scalar(struct micro_stream *t, const struct gcn_inst *inst, unsigned slot);
uint32_t micro_scalar_dst(const struct gcn_operand *dst);

void micro_vector(struct micro_stream *t, const struct gcn_inst *inst);

void micro_free(struct micro_stream *t);

#endif
