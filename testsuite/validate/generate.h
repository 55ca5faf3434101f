/* SPDX-License-Identifier: MIT */
/* Makes instructions from the tables, and modules around them: legal ones, and ones that a single change would make
 * legal. */
#ifndef TESTSUITE_VALIDATE_GENERATE_H
#define TESTSUITE_VALIDATE_GENERATE_H

#include "brig/language.h"
#include "testsuite/validate/syntax.h"

/* A number below BOUND, from a fixed seed. */
uint32_t generate_pick(uint32_t bound);

/* ---- Modifiers: generate_modifier.c. Instructions here are not completed. */

enum { GENERATE_MOST_VALUES = 64 };

/* The values with which a modifier can be written, LANG_NOT_WRITTEN among them if it can be left out. */
unsigned generate_values(const struct lang_slot *slot, uint16_t values[GENERATE_MOST_VALUES]);

/* How many instructions an opcode has if every modifier takes each of its values, and the INDEX-th of them. */
uint64_t generate_count(const struct lang_op *op);
void generate_nth(const struct lang_op *op, uint64_t index, struct lang_inst *inst);

/* A random legal instruction; false when none was found. */
bool generate_legal(const struct lang_op *op, enum syntax_world world, struct lang_inst *inst);

/* Gives one modifier another value; returns which modifier. */
enum lang_dim generate_step(struct lang_inst *inst);

/* The NUMBER-th instruction that differs from INST in one modifier. False after the last. */
bool generate_each_step(const struct lang_inst *inst, unsigned number, struct lang_inst *other);

/* The instruction of an opcode that a mnemonic stands for; false when there is none. */
bool generate_parse(const struct lang_op *op, const char *mnemonic, struct lang_inst *inst);

/* Whether text and BRIG can both hold the instruction as it is. If not, another instruction means the same. */
bool generate_is_plain(const struct lang_inst *inst);

/* Whether other modifiers are spelled in the same way: sat after a packing or a rounding of cvt is taken as part of it.
 */
bool generate_is_double(const struct lang_inst *inst);

void generate_mnemonic(const struct lang_inst *inst, char *text, size_t size);

/* ---- Modules: generate_frame.c. */

/* A module that ends where the instruction is to be added. */
struct generate_frame {
    uint8_t *module;
    struct brig_view view;
    uint32_t cut;        /* offset in hsa_code at which the module ends */
    uint32_t executable; /* the kernel or function in which it ends */
    bool arg_block;      /* it also ends in an arg block */
};

/* The frame for an instruction. Its memory stays until the program ends. */
const struct generate_frame *generate_frame(enum syntax_world world, const struct lang_inst *inst);

/* The offset of the directive that has this name, in the executable of the frame or the module. */
uint32_t generate_symbol(const struct generate_frame *frame, const char *name);

/* What is wrong with the operands. */
struct generate_wrong {
    unsigned
        operand;  /* the wrong operand. The number of operands: the last is missing; 1 more: there is one too many */
    unsigned way; /* in which way it is wrong, counted from 0 */
    const char *what; /* set by generate_module(): that way in words; NULL if there is no such way */
    const char *id;   /* ... and the finding that is expected */
};

/* Makes the module of a completed instruction, which the caller frees with mem_free(). If WRONG is NULL, all operands
 * are right, and VARIANT chooses among their kinds. False when memory is out, or if there is no such way to be wrong.
 */
bool generate_module(const struct generate_frame *frame, struct lang_inst *inst, unsigned variant,
                     struct generate_wrong *wrong, uint8_t **module, size_t *size);

/* ---- Operands: generate_operand.c. */

uint32_t generate_operand(struct brig_builder *b, const struct generate_frame *frame, const struct lang_inst *inst,
                          unsigned index, unsigned variant);

/* An operand that is wrong in the way of WRONG; 0 if there is no such way. */
uint32_t generate_wrong_operand(struct brig_builder *b, const struct generate_frame *frame,
                                const struct lang_inst *inst, struct generate_wrong *wrong);

/* How many elements the operand must have; 0 if it is no list. */
unsigned generate_elements(const struct lang_inst *inst, unsigned index);

/* The kind of register for a type. */
hsa_brig_register_kind_t generate_register_kind(uint32_t type);

#endif
