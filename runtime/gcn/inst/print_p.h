/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the instruction printer. */
#ifndef RUNTIME_GCN_PRINT_P_H
#define RUNTIME_GCN_PRINT_P_H

#include "runtime/gcn/inst/gcn_target.h"

/* Where the text goes; LENGTH is that of the whole text, also if BUF is full. */
struct gcn_text {
    const struct gcn_target *target;
    char *buf;
    size_t size, length;
};

void gcn_put(struct gcn_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "v1" or "v[1:2]". */
void gcn_put_registers(struct gcn_text *t, const char *file, unsigned first, unsigned registers);
/* An operand of TYPE that takes REGISTERS; VALUE matters for literals only. */
void gcn_put_operand(struct gcn_text *t, struct gcn_operand operand, enum gcn_type type, unsigned registers,
                     uint64_t value);
/* Source SLOT with the type that the operation's row gives it, without modifiers. */
void gcn_put_source(struct gcn_text *t, const struct gcn_inst *inst, unsigned slot);

void gcn_print_valu(struct gcn_text *t, const struct gcn_inst *inst);
void gcn_print_memory(struct gcn_text *t, const struct gcn_inst *inst);

#endif
