/* SPDX-License-Identifier: MIT */
/* The structures, fields and kinds of item.def, for code that walks entries without knowing them: the
 * structural check, the dump, the mutating tests. Constant; thread safe. */
#ifndef BRIG_ITEM_H
#define BRIG_ITEM_H

#include "brig/language.h"

enum brig_role {
    BRIG_ROLE_BASE,
    BRIG_ROLE_KIND,
    BRIG_ROLE_OPCODE,
    BRIG_ROLE_TYPE,
    BRIG_ROLE_ENUM,
    BRIG_ROLE_FLAGS,
    BRIG_ROLE_NUMBER,
    BRIG_ROLE_ZERO,
    BRIG_ROLE_STRING,
    BRIG_ROLE_OPERANDS,
    BRIG_ROLE_CODES,
    BRIG_ROLE_OPERAND,
    BRIG_ROLE_CODE
};

/* Which TYPEs. */
enum brig_types {
    BRIG_TYPES_NONE, /* no arrays */
    BRIG_TYPES_ARRAY /* arrays too */
};

/* What a STRING is. */
enum brig_text {
    BRIG_TEXT_TEXT,
    BRIG_TEXT_BYTES,
    BRIG_TEXT_GLOBAL_NAME,
    BRIG_TEXT_SYMBOL_NAME,
    BRIG_TEXT_VARIABLE_NAME,
    BRIG_TEXT_LABEL_NAME
};

/* What a reference leads to: BRIG_TARGET_ANY_OPERAND, ..., one for each TARGET of item.def. */
enum brig_target {
#define TARGET(name, kinds) BRIG_TARGET_##name,
#include "brig/tables/item.def"
    BRIG_TARGET_COUNT
};

struct brig_field {
    const char *name;
    uint8_t offset, width;
    uint8_t role;     /* enum brig_role */
    uint8_t argument; /* enum lang_set, brig_types, brig_text or brig_target, by role */
};

struct brig_struct_info {
    const char *name;                /* without its _t */
    const struct brig_field *fields; /* in the order of their offsets, the base included */
    uint8_t field_count;
    uint8_t size;
};

struct brig_kind_info {
    const char *name; /* without HSA_BRIG_KIND_ */
    const struct brig_struct_info *layout;
    uint16_t kind;
    uint8_t section; /* HSA_BRIG_SECTION_INDEX_ */
};

/* The row of a kind of entry; NULL when there is none. */
const struct brig_kind_info *brig_kind(uint32_t kind);

/* The structure that every instruction begins with; a field of role BASE and 12 bytes stands for it. */
const struct brig_struct_info *brig_inst_base(void);

/* The kinds that a reference may lead to: bit K of the result for kind <first kind of its range> + K. */
uint32_t brig_target_kinds(enum brig_target target);

static inline uint32_t brig_kind_bit(uint32_t kind)
{
    return 1u << (kind & 31);
}

/* The kinds of directives that an operand of a letter of opcode.def may name, alone or in a list; the same bits. */
uint32_t brig_letter_targets(char letter);

/* The value of a field of a checked entry. */
static inline uint64_t brig_field_value(const void *entry, const struct brig_field *field)
{
    const uint8_t *at = (const uint8_t *)entry + field->offset;
    switch (field->width) {
    case 1: return *at;
    case 2: return load16(at);
    case 4: return load32(at);
    case 8: return load64(at);
    default: return 0; /* bases and reserved arrays have no single value */
    }
}

#endif
