/* SPDX-License-Identifier: MIT */
/* Finds the types of operands in tables/operand.def; see operand_type.h.
 * Input: a decoded instruction. Output: type codes. Invariant: every class in the rules column of opcode.def has a row;
 * otherwise this file does not compile. */
#include "brig/operand_type.h"

/* RULES_ABS, ...: one for each row of operand.def. */
enum rules {
#define OPERAND_TYPES(rules, types) RULES_##rules,
#include "brig/tables/operand.def"
};

static const char types_of_rules[][LANG_MAX_OPERANDS + 1] = {
#define OPERAND_TYPES(rules, types) types,
#include "brig/tables/operand.def"
};

static const uint8_t rules_of_opcode[] = {
#define OP(name, code, text, form, operands, rules, section) [LANG_OP_##name] = RULES_##rules,
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) \
    [LANG_OP_##vendor##_##name] = RULES_##rules,
#include "brig/tables/opcode.def"
};

uint16_t lang_operand_type(const struct lang_inst *inst, unsigned index)
{
    if (!inst->op || index >= sizeof *types_of_rules)
        return HSA_BRIG_TYPE_NONE;
    uint16_t type = inst->value[LANG_DIM_TYPE];
    const char *letters = types_of_rules[rules_of_opcode[inst->op->index]];
    for (unsigned i = 0; i < index; i++)
        if (!letters[i])
            return HSA_BRIG_TYPE_NONE;
    switch (letters[index]) {
    case 'T': return type;
    case 'S': return inst->value[LANG_DIM_SOURCE];
    case 'C': return inst->value[LANG_DIM_COORD];
    case '3': return HSA_BRIG_TYPE_U32;
    case '4': return HSA_BRIG_TYPE_U64;
    case '7': return HSA_BRIG_TYPE_S32;
    case '8': return HSA_BRIG_TYPE_S64;
    case 'b': return HSA_BRIG_TYPE_B32;
    case 'f': return HSA_BRIG_TYPE_F32;
    case 'B': return HSA_BRIG_TYPE_B1;
    case 's': return HSA_BRIG_TYPE_SAMP;
    case 'W':
        return inst->value[LANG_DIM_OPERATION] >= HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_EQ ? HSA_BRIG_TYPE_U64 : type;
    case 'M': break;
    default: return HSA_BRIG_TYPE_NONE;
    }
    const struct lang_type *row = lang_type(type);
    if (!row || row->count < 2)
        return HSA_BRIG_TYPE_B1;
    uint32_t bits = row->bits / row->count;
    uint16_t element =
        bits == 8    ? HSA_BRIG_TYPE_U8
        : bits == 16 ? HSA_BRIG_TYPE_U16
        : bits == 32 ? HSA_BRIG_TYPE_U32
                     : HSA_BRIG_TYPE_U64;
    return element | (type & HSA_BRIG_TYPE_CLASS_PACK_MASK);
}

hsa_brig_register_kind_t lang_register_kind(const struct lang_type *type)
{
    if (type->bits == 1)
        return HSA_BRIG_REGISTER_KIND_CONTROL;
    return type->bits <= 32   ? HSA_BRIG_REGISTER_KIND_SINGLE
           : type->bits <= 64 ? HSA_BRIG_REGISTER_KIND_DOUBLE
                              : HSA_BRIG_REGISTER_KIND_QUAD;
}
