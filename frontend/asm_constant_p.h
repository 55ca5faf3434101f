/* SPDX-License-Identifier: MIT */
/* What the files that read constants share: asm_plain.c those without a type, asm_constant.c those with one and what is
 * made of several, asm_initializer.c those after the `=` of a variable. */
#ifndef FRONTEND_ASM_CONSTANT_P_H
#define FRONTEND_ASM_CONSTANT_P_H

#include "frontend/asm_p.h"

/* A constant without a type. */
struct plain {
    enum { PLAIN_INTEGER, PLAIN_FLOAT, PLAIN_EXPRESSION } what;
    struct span span;
    uint64_t bits;      /* two's complement, or of the float */
    bool negative;      /* below zero as written */
    uint16_t type;      /* of a float */
    uint16_t operation; /* of an expression; its operands: */
    struct span symbol;
    bool has_offset;
};

static inline const struct lang_type *type_row(uint32_t code)
{
    return lang_type(code & ~(uint32_t)HSA_BRIG_TYPE_CLASS_ARRAY);
}

static inline bool is_class(uint32_t code, enum lang_type_class class_)
{
    return type_row(code)->class_ == class_;
}

static inline bool is_integer(uint32_t code)
{
    return is_class(code, LANG_CLASS_UNSIGNED) || is_class(code, LANG_CLASS_SIGNED);
}

/* The unsigned integer type of so many bytes. */
uint16_t asm_unsigned_of(uint32_t bytes);

/* What a constant of type WRITTEN is stored as where TYPE is expected: bit types keep what was written from
 * dialect 1.2 on; before, they are unsigned integers. */
uint16_t asm_stored_type(const struct assembler *as, uint16_t type, uint16_t written);

/* Says that WHAT cannot be a constant of TYPE; HINT is the end of the message. */
void asm_bad_type(struct assembler *as, struct span where, const char *what, uint16_t type, const char *hint);

/* Takes a constant without a type; false after an error. */
bool asm_read_plain(struct assembler *as, struct plain *plain);

/* Whether a plain constant can be a value of TYPE, which is not packed (Table 4-1); says so when not. */
bool asm_plain_fits(struct assembler *as, uint16_t type, const struct plain *plain);

/* Makes a plain constant, or one that is an expression, the operand that TYPE expects; 0 after an error. */
uint32_t asm_put_plain(struct assembler *as, uint16_t type, const struct plain *plain, enum asm_use use);
uint32_t asm_put_expression(struct assembler *as, uint16_t type, const struct plain *plain);

/* Takes the type's word if it is one of a constant; bit types have none. */
bool asm_take_type(struct assembler *as, uint16_t *type);

/* `type[](...)` after the type, as an operand; 0 after an error. */
uint32_t asm_put_array(struct assembler *as, uint16_t element, uint64_t *count);

#endif
