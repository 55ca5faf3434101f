/* SPDX-License-Identifier: MIT */
/* The rules of brig/tables/diag.def as numbers and rows.
 *
 *     diag_report(list, DIAG_RULE(BRIG_MAGIC), place); */
#ifndef BRIG_DIAG_RULE_H
#define BRIG_DIAG_RULE_H

#include "support/diag.h"

/* DIAG_BRIG_MAGIC, ...: one for each row of diag.def. */
enum diag_id {
#define DIAG(name, severity, id, format, section, manual) DIAG_##name,
#include "brig/tables/diag.def"
    DIAG_ID_COUNT
};

/* By enum diag_id. */
extern const struct diag_rule diag_rules[DIAG_ID_COUNT];

#define DIAG_RULE(name) (&diag_rules[DIAG_##name])

/* The rule with this id, or NULL. */
const struct diag_rule *diag_rule_find(const char *id, size_t length);

/* What of an entry of hsa_code a finding is about. */
enum brig_part {
    BRIG_PART_WHOLE,    /* its mnemonic or name */
    BRIG_PART_OPERAND,  /* INDEX; ELEMENT is 0 for all of it, else counts what is in its list, from 1 */
    BRIG_PART_SYMBOL,   /* of the address that is operand INDEX */
    BRIG_PART_REGISTER, /* the same */
    BRIG_PART_OFFSET,   /* the same */
    BRIG_PART_MODIFIER, /* of an instruction: INDEX is an enum lang_dim */
    BRIG_PART_TYPE,     /* of a variable: segment and type */
    BRIG_PART_ALIGN,
    BRIG_PART_ALLOC,
    BRIG_PART_CONST,
    BRIG_PART_DIMENSION,
    BRIG_PART_INITIALIZER, /* ELEMENT as for operands */
    BRIG_PART_VERSION,     /* of the module */
};

static inline struct diag_part brig_part(enum brig_part kind, unsigned index, unsigned element)
{
    return (struct diag_part){(uint8_t)kind, (uint8_t)index, element > UINT16_MAX ? 0 : (uint16_t)element};
}

/* A place in one of the standard sections. */
struct diag_place diag_in_brig(unsigned section, uint64_t offset);

/* A part of an entry of hsa_code. */
struct diag_place diag_in_code(uint64_t offset, struct diag_part part);

/* A place in the module as a whole. */
struct diag_place diag_in_module(uint64_t offset);

#endif
