/* SPDX-License-Identifier: MIT */
/* The parts of brig_lint(): lint.c looks at names, lint_flow.c at the statements of a code block and the ways through
 * them, lint_register.c at what registers hold on these ways, lint_group.c at group memory. */
#ifndef BRIG_LINT_P_H
#define BRIG_LINT_P_H

#include "brig/diag_rule.h"
#include "brig/lint.h"
#include "brig/reference.h"
#include "support/vec.h"

/* Statements that are executed one after the other. */
struct lint_block {
    uint32_t first, end; /* offsets in hsa_code */
    uint32_t first_edge; /* in `edges`; they end where those of the next block begin */
    bool is_reached;
};

/* A block reads a register before it has written it, or writes it: each noted the first time only. */
struct lint_event {
    uint32_t block;
    uint32_t code;        /* the instruction, for a read */
    uint32_t number : 16; /* of the register */
    uint32_t index : 7, element : 8, is_write : 1;
};

enum { LINT_REGISTERS = 4 * 2048 }; /* of all kinds: LIMIT_REGISTER_NUMBER of each */

struct lint {
    const struct brig_view *view;
    struct diag_list *diag;
    bool out_of_memory;
    /* The blocks of the code block that is looked at now; the last item marks its end. */
    VEC(struct lint_block) blocks;
    VEC(uint32_t) edges; /* blocks */
    VEC(uint32_t) work;
    /* lint_register.c */
    VEC(struct lint_event) events;
    VEC(uint64_t) unwritten, written, gains; /* by block, a bit for each of 64 registers */
    uint32_t serial, next_serial; /* numbers of the first block of this code block, and of the next one; not 0 */
    uint32_t written_in[LINT_REGISTERS], read_in[LINT_REGISTERS]; /* number of the latest block that did so */
    uint16_t number[LINT_REGISTERS]; /* from 1, for those that some block reads before it writes them; else 0 */
    uint32_t names[LINT_REGISTERS];  /* by that number: an OPERAND_REGISTER that names it */
    uint32_t numbers;
};

#define LINT_AS(lint, type, offset) ((const type *)(const void *)brig_code((lint)->view, offset))

/* The name of a variable, label, fbarrier, kernel or function; the entries of all these have it at the same place. */
static inline struct bytes lint_name(const struct lint *lint, uint32_t directive)
{
    return brig_string(lint->view, LINT_AS(lint, hsa_brig_directive_label_t, directive)->name);
}

#define LINT_WARN(lint, rule, offset, part, ...) \
    diag_report((lint)->diag, DIAG_RULE(rule), diag_in_code(offset, part) __VA_OPT__(, ) __VA_ARGS__)

/* lint_flow.c: the code block of a kernel or function. */
void lint_flow(struct lint *lint, uint32_t executable);

/* lint_register.c: registers that are read without having been written, with the blocks that lint_flow() made. */
void lint_registers(struct lint *lint);

/* lint_group.c: group memory of each kernel. */
void lint_group(struct lint *lint);

#endif
