/* SPDX-License-Identifier: MIT */
/* The code block of a builder when it ends: its statements in their order, and what becomes of virtual registers.
 *
 * While a code block is made, its entries are in hsa_code as they were given, and a virtual register is an
 * OPERAND_REGISTER whose kind has CODE_VIRTUAL set. At the end, hsail_live.c finds out where each lives, hsail_color.c
 * gives it a register or a place in the spill segment, and hsail_arrange.c writes the block anew where changing
 * register numbers is not enough. */
#ifndef FRONTEND_HSAIL_CODE_H
#define FRONTEND_HSAIL_CODE_H

#include "frontend/hsail_builder_p.h"

#define CODE_VIRTUAL 0x8000u /* of reg_kind: bits 2 to 14 and reg_num are the number */
#define CODE_MOST_VIRTUAL (UINT32_C(1) << 29)

#define CODE_REGISTERS 2048u /* of a kind: LIMIT_REGISTER_NUMBER */

enum { CODE_KINDS = 4 }; /* HSA_BRIG_REGISTER_KIND_: c, s, d, q */

/* An occurrence of a virtual register. */
struct code_use {
    uint32_t entry; /* number in `order` */
    uint32_t number : 31;
    uint32_t is_definition : 1;
};

/* Where a virtual register lives: from LOW to HIGH. Entry I of the order reads at 2 * I and writes at 2 * I + 1. */
struct code_interval {
    uint32_t low, high;
    float weight; /* occurrences, those in loops several times */
    uint8_t kind;
    bool is_used, is_spilled;
    uint32_t place; /* register, or spill variable of its kind */
    uint32_t home;  /* of a c register that is spilled: the interval of the s register that holds it */
};

struct code {
    hsail_builder_t *builder;
    struct brig_view view;
    uint32_t *order; /* offsets in hsa_code */
    uint32_t count;
    VEC(struct code_use) uses;
    VEC(struct code_interval) intervals;                 /* of virtual registers by number, then homes of c registers */
    uint64_t taken[CODE_KINDS][CODE_REGISTERS / 64];     /* bits of the registers that the caller names by number */
    uint16_t gaps[CODE_KINDS][CODE_REGISTERS];           /* those below `floor` that are not taken */
    uint32_t taken_count[CODE_KINDS], floor[CODE_KINDS]; /* how many these are; the highest of them plus 1 */
    uint32_t most[CODE_KINDS];                           /* virtual registers in one instruction */
    uint32_t scratch[CODE_KINDS]; /* registers kept for what is spilled; the first that are not taken */
    uint32_t slots[CODE_KINDS];   /* spill variables */
    bool spills;
};

static inline bool code_is_virtual(const hsa_brig_operand_register_t *reg)
{
    return reg->reg_kind & CODE_VIRTUAL;
}

static inline uint32_t code_number(const hsa_brig_operand_register_t *reg)
{
    return (uint32_t)(reg->reg_kind & ~CODE_VIRTUAL) >> 2 << 16 | reg->reg_num;
}

/* Register NUMBER of those of KIND that are not taken. */
static inline uint32_t code_free_register(const struct code *code, unsigned kind, uint32_t number)
{
    bool gap = number < code->floor[kind] - code->taken_count[kind];
    return gap ? code->gaps[kind][number] : number + code->taken_count[kind];
}

static inline unsigned code_opcode(const hsa_brig_base_t *entry)
{
    return brig_is_inst(entry) ? ((const hsa_brig_inst_base_t *)(const void *)entry)->opcode : 0; /* NOP */
}

/* Whether control may go elsewhere after it. */
static inline bool code_is_branch(const hsa_brig_base_t *entry)
{
    unsigned opcode = code_opcode(entry);
    return opcode == HSA_BRIG_OPCODE_BR || opcode == HSA_BRIG_OPCODE_CBR || opcode == HSA_BRIG_OPCODE_SBR ||
           opcode == HSA_BRIG_OPCODE_RET;
}

/* Statements follow the control directives and definitions of a code block. */
static inline bool code_is_statement(const hsa_brig_base_t *entry)
{
    return !brig_is_annotation(entry) && entry->kind != HSA_BRIG_KIND_DIRECTIVE_CONTROL &&
           entry->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE && entry->kind != HSA_BRIG_KIND_DIRECTIVE_FBARRIER;
}

/* hsail_live.c: fills `uses` and `intervals` in. False when memory is out. */
bool code_find_intervals(struct code *code);

/* hsail_color.c: gives each interval its place. False when memory is out or an error was reported. */
bool code_color(struct code *code);

/* hsail_arrange.c: writes the block in its final form. */
void code_arrange(struct code *code);

/* hsail_cursor.c: the entries of the block in their order; false when memory is out. */
bool code_order(struct code *code);

#endif
