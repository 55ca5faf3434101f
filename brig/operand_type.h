/* SPDX-License-Identifier: MIT */
/* The type that each operand of an instruction has to have. */
#ifndef BRIG_OPERAND_TYPE_H
#define BRIG_OPERAND_TYPE_H

#include "brig/language.h"

/* The type code for operand INDEX of an instruction whose modifiers are known: of the elements when the operand is a
 * vector; HSA_BRIG_TYPE_NONE for an address, a name, a list, an opcode of a vendor, or no such operand. */
uint16_t lang_operand_type(const struct lang_inst *inst, unsigned index);

/* The kind of register that holds a value of a type (PRM 4.7). */
hsa_brig_register_kind_t lang_register_kind(const struct lang_type *type);

#endif
