/* SPDX-License-Identifier: MIT */
/* Finds the rows of item.def by kind; see item.h.
 * Input: the table. Output: constant rows. Invariant: the kinds within a range ascend without gaps. */
#include "brig/item.h"

#define ARGUMENT_BASE(argument) 0
#define ARGUMENT_KIND(argument) 0
#define ARGUMENT_OPCODE(argument) 0
#define ARGUMENT_TYPE(argument) BRIG_TYPES_##argument
#define ARGUMENT_ENUM(argument) LANG_SET_##argument
#define ARGUMENT_FLAGS(argument) LANG_SET_##argument
#define ARGUMENT_NUMBER(argument) 0
#define ARGUMENT_ZERO(argument) 0
#define ARGUMENT_STRING(argument) BRIG_TEXT_##argument
#define ARGUMENT_OPERANDS(argument) BRIG_TARGET_##argument
#define ARGUMENT_CODES(argument) BRIG_TARGET_##argument
#define ARGUMENT_OPERAND(argument) BRIG_TARGET_##argument
#define ARGUMENT_CODE(argument) BRIG_TARGET_##argument

/* One array of fields per structure: fields_hsa_brig_uint64, ..., one for each STRUCT of item.def. */
#define STRUCT(name) static const struct brig_field fields_##name[] = {
#define FIELD(struct_, ctype, member, offset, width, role, argument) \
    {#member, offset, width, BRIG_ROLE_##role, ARGUMENT_##role(argument)},
#define ARRAY(struct_, ctype, member, count, offset, width, role, argument) \
    {#member, offset, width, BRIG_ROLE_##role, ARGUMENT_##role(argument)},
#define END(struct_, size) };
#include "brig/tables/item.def"

/* STRUCT_hsa_brig_uint64, ...: one for each STRUCT of item.def. */
enum {
#define STRUCT(name) STRUCT_##name,
#include "brig/tables/item.def"
};

static const struct brig_struct_info structs[] = {
#define END(struct_, size) \
    [STRUCT_##struct_] = {#struct_, fields_##struct_, sizeof fields_##struct_ / sizeof *fields_##struct_, size},
#include "brig/tables/item.def"
};

static const struct brig_kind_info kinds[] = {
#define KIND(name, code, struct_, section) \
    {#name, &structs[STRUCT_##struct_], code, HSA_BRIG_SECTION_INDEX_##section},
#include "brig/tables/item.def"
};

const struct brig_kind_info *brig_kind(uint32_t kind)
{
    /* Rows: NONE, then the directives, the instructions and the operands. */
    enum {
        DIRECTIVES = HSA_BRIG_KIND_DIRECTIVE_END - HSA_BRIG_KIND_DIRECTIVE_BEGIN,
        INSTS = HSA_BRIG_KIND_INST_END - HSA_BRIG_KIND_INST_BEGIN,
        OPERANDS = HSA_BRIG_KIND_OPERAND_END - HSA_BRIG_KIND_OPERAND_BEGIN,
    };
    _Static_assert(sizeof kinds / sizeof *kinds == 1 + DIRECTIVES + INSTS + OPERANDS, "no kind is missing");
    if (kind - HSA_BRIG_KIND_INST_BEGIN < INSTS)
        return &kinds[1 + DIRECTIVES + (kind - HSA_BRIG_KIND_INST_BEGIN)];
    if (kind - HSA_BRIG_KIND_DIRECTIVE_BEGIN < DIRECTIVES)
        return &kinds[1 + (kind - HSA_BRIG_KIND_DIRECTIVE_BEGIN)];
    if (kind - HSA_BRIG_KIND_OPERAND_BEGIN < OPERANDS)
        return &kinds[1 + DIRECTIVES + INSTS + (kind - HSA_BRIG_KIND_OPERAND_BEGIN)];
    return kind == HSA_BRIG_KIND_NONE ? &kinds[0] : NULL;
}

const struct brig_struct_info *brig_inst_base(void)
{
    return &structs[STRUCT_hsa_brig_inst_base];
}

uint32_t brig_target_kinds(enum brig_target target)
{
    static const uint32_t masks[] = {
#define OF(kind) | 1u << (HSA_BRIG_KIND_##kind & 31)
#define TARGET(name, kinds) [BRIG_TARGET_##name] = 0 kinds,
#include "brig/tables/item.def"
#undef OF
    };
    return masks[target];
}

uint32_t brig_letter_targets(char letter)
{
#define OF(kind) (1u << (HSA_BRIG_KIND_DIRECTIVE_##kind & 31))
    switch (letter) {
    case 'l':
    case 'L': return OF(LABEL);
    case 'o':
    case 'i': return OF(VARIABLE);
    case 'f':
    case 'F': return OF(FUNCTION) | OF(INDIRECT_FUNCTION);
    case 'g': return OF(SIGNATURE);
    case 'b':
    case 'B': return OF(FBARRIER);
    default: return 0;
    }
#undef OF
}
