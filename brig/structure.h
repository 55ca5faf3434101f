/* SPDX-License-Identifier: MIT */
/* The structural check of a module, in parts that only brig/ sees (rules 78-84 of the structure of BRIG).
 *
 * Order: the entries of each section are laid out (structure_layout.c), then the fields of every operand and code
 * entry are checked by their rows in item.def (structure_field.c), then what relates fields: constants and other
 * operands (structure_operand.c), directives (structure_code.c) and instructions (structure_inst.c). Each step relies
 * on the ones before, so a step that found errors is the last one. Every step takes linear time. */
#ifndef BRIG_STRUCTURE_H
#define BRIG_STRUCTURE_H

#include "brig/diag_rule.h"
#include "brig/item.h"
#include "brig/mnemonic.h"
#include "brig/module.h"

/* Elements of a vector operand (PRM 4.17). */
#define BRIG_LEAST_VECTOR 2u
#define BRIG_MOST_VECTOR 4u

#define BRIG_GOOD_FIELDS 512u

struct structure {
    const struct brig_view *view;
    struct diag_list *diag;
    uint64_t *starts[3];   /* a bit per 4 bytes of a section: an entry begins there */
    uint64_t *shadowed;    /* of hsa_code: a declaration that references must not lead to */
    uint64_t *used;        /* of hsa_operand: operands whose bytes and elements were counted for their first use */
    uint64_t expansion;    /* bytes that references may still stand for */
    struct diag_part part; /* of the entry of hsa_code that is being looked at: findings point there */
    bool invalid;
    bool expansion_reported;
    size_t findings;                               /* reported, warnings included */
    struct brig_mnemonics mnemonics;               /* `passed`: the modifiers are right */
    struct brig_key good_fields[BRIG_GOOD_FIELDS]; /* of instructions; in pairs, by brig_key_slot() */
};

static inline struct diag_place structure_place(const struct structure *check, unsigned section, uint32_t offset)
{
    return section == HSA_BRIG_SECTION_INDEX_CODE ? diag_in_code(offset, check->part) : diag_in_brig(section, offset);
}

/* The code block that an instruction is in. */
struct structure_scope {
    uint32_t executable; /* its directive; 0 at module level */
    uint32_t first, end; /* its code block */
    uint32_t arg_block;  /* the start of the arg block, 0 outside */
};

static inline bool brig_bit(const uint64_t *bits, uint32_t offset)
{
    return bits[offset / 256] >> (offset / 4 % 64) & 1;
}

static inline void brig_set_bit(uint64_t *bits, uint32_t offset)
{
    bits[offset / 256] |= UINT64_C(1) << (offset / 4 % 64);
}

/* Reports an error at an entry. */
#define STRUCTURE_FAIL(check, rule, section, offset, ...) \
    ((check)->invalid = true, STRUCTURE_WARN(check, rule, section, offset __VA_OPT__(, ) __VA_ARGS__))
#define STRUCTURE_WARN(check, rule, section, offset, ...) \
    ((check)->findings++, diag_report((check)->diag, DIAG_RULE(rule), \
                                      structure_place(check, section, offset) __VA_OPT__(, ) __VA_ARGS__))

/* The rest of structure_take(), for when the limit is exceeded: reports that, once, and returns false. */
bool structure_take_failed(struct structure *check);

/* Charges the printed size of an operand to the limit of expansion: an operand that many entries share is printed for
 * each of them. Its first use is not charged here, since the check of its fields has charged it. The operand's
 * references are right, and nest no deeper than structure_operands() lets them. */
bool structure_take_operand(struct structure *check, uint32_t operand);
void structure_take_operands(struct structure *check, uint32_t list);

/* Charges the name of a directive, which is printed at each of its uses. */
bool structure_take_name(struct structure *check, uint32_t directive);

/* Whether an entry begins at OFFSET. */
static inline bool structure_is_start(const struct structure *check, unsigned section, uint32_t offset)
{
    return offset % 4 == 0 && offset < check->view->section[section].size && brig_bit(check->starts[section], offset);
}

/* Takes SIZE bytes of the expansion; false when it is used up. */
static inline bool structure_take(struct structure *check, uint64_t size)
{
    if (size > check->expansion)
        return structure_take_failed(check);
    check->expansion -= size;
    return true;
}

/* The steps; false when memory is out. All but the first need valid layouts. */
bool structure_layout(struct structure *check);
void structure_fields(struct structure *check);
uint32_t structure_operands(struct structure *check); /* the kinds there are, a bit each */
bool structure_code(struct structure *check);

/* To be called before the first call of structure_inst(). */
void structure_prepare_inst(void);

/* Checks one instruction in its scope; its fields are right. */
void structure_inst(struct structure *check, uint32_t offset, const struct structure_scope *scope);

/* The size in bytes of the value of a checked constant operand; UINT64_MAX when it has none or an absurd one. */
uint64_t structure_constant_size(struct structure *check, uint32_t operand);

/* What the messages call a kind and a value: the word that the text of HSAIL has, if any, else the name in BRIG. */
const char *brig_kind_name(uint32_t kind);
const char *brig_value_word(enum lang_set set, uint32_t code);

/* The whole structural check of a view that brig_read() made; fills in VIEW->header. */
enum brig_status brig_check_structure(struct brig_view *view, struct diag_list *diag);

/* The same without the layout and the fields, whose references stand for REFERRED bytes: see brig_open_built(). */
enum brig_status brig_check_built_structure(struct brig_view *view, uint64_t referred, struct diag_list *diag);

#endif
