/* SPDX-License-Identifier: MIT */
/* The structural check of a module, in parts that only brig/ sees (rules 78-84 of the structure of BRIG).
 *
 * Order: the entries of each section are laid out (verify_layout.c), then the fields of every operand and code
 * entry are checked by their rows in item.def (verify_field.c), then what relates fields: constants and other
 * operands (verify_operand.c), directives (verify_code.c) and instructions (verify_inst.c). Each step relies on the
 * ones before, so a step that found errors is the last one. Every step takes linear time. */
#ifndef BRIG_VERIFY_H
#define BRIG_VERIFY_H

#include "brig/diag.h"
#include "brig/item.h"
#include "brig/mnemonic.h"
#include "brig/module.h"

/* Elements of a vector operand (PRM 4.17). */
#define BRIG_LEAST_VECTOR 2u
#define BRIG_MOST_VECTOR 4u

#define BRIG_GOOD_FIELDS 512u

struct brig_check {
    const struct brig_view *view;
    struct diag_list *diag;
    uint64_t *starts[3];   /* a bit per 4 bytes of a section: an entry begins there */
    uint64_t *shadowed;    /* of hsa_code: a declaration that references must not lead to */
    uint64_t *used;        /* of hsa_operand: what its bytes and elements take was counted for one use */
    uint64_t expansion;    /* bytes that references may still stand for */
    struct diag_part part; /* of the entry of hsa_code that is being looked at: findings point there */
    bool invalid;
    bool expansion_reported;
    size_t findings;                               /* reported, warnings included */
    struct brig_mnemonics mnemonics;               /* `passed`: the modifiers are right */
    struct brig_key good_fields[BRIG_GOOD_FIELDS]; /* of instructions; in pairs, by brig_key_slot() */
};

static inline struct diag_place brig_check_place(const struct brig_check *check, unsigned section, uint32_t offset)
{
    return section == HSA_BRIG_SECTION_INDEX_CODE ? diag_in_code(offset, check->part) : diag_in_brig(section, offset);
}

/* The code block that an instruction is in. */
struct brig_scope {
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
#define BRIG_FAIL(check, rule, section, offset, ...) \
    ((check)->invalid = true, BRIG_WARN(check, rule, section, offset __VA_OPT__(, ) __VA_ARGS__))
#define BRIG_WARN(check, rule, section, offset, ...) \
    ((check)->findings++, diag_report((check)->diag, DIAG_RULE(rule), \
                                      brig_check_place(check, section, offset) __VA_OPT__(, ) __VA_ARGS__))

/* The rest of brig_take(): reports what happened, once, and returns false. */
bool brig_take_failed(struct brig_check *check);

/* Takes what the text of an operand takes, but for its first use, for which the check of its fields took it: one that
 * many entries share counts for each of them. Its references are right, and nest no deeper than
 * brig_check_operands() lets them. */
bool brig_take_operand(struct brig_check *check, uint32_t operand);
void brig_take_operands(struct brig_check *check, uint32_t list);

/* Takes the name of a directive, which is text at each of its uses. */
bool brig_take_name(struct brig_check *check, uint32_t directive);

/* Whether an entry begins at OFFSET. */
static inline bool brig_is_start(const struct brig_check *check, unsigned section, uint32_t offset)
{
    return offset % 4 == 0 && offset < check->view->section[section].size && brig_bit(check->starts[section], offset);
}

/* Takes SIZE bytes of the expansion; false when it is used up. */
static inline bool brig_take(struct brig_check *check, uint64_t size)
{
    if (size > check->expansion)
        return brig_take_failed(check);
    check->expansion -= size;
    return true;
}

/* The steps; false when memory is out. All but the first need valid layouts. */
bool brig_check_layout(struct brig_check *check);
void brig_check_fields(struct brig_check *check);
uint32_t brig_check_operands(struct brig_check *check); /* the kinds there are, a bit each */
bool brig_check_code(struct brig_check *check);

/* Before the first of the next. */
void brig_prepare_inst(void);

/* One instruction in its scope; its fields are right. */
void brig_check_inst(struct brig_check *check, uint32_t offset, const struct brig_scope *scope);

/* The size in bytes of the value of a checked constant operand; UINT64_MAX when it has none or an absurd one. */
uint64_t brig_constant_size(struct brig_check *check, uint32_t operand);

/* What the messages call a kind and a value: the word that the text of HSAIL has, if any, else the name in BRIG. */
const char *brig_kind_name(uint32_t kind);
const char *brig_value_word(enum isa_set set, uint32_t code);

/* The whole structural check of a view that brig_read() made; fills in VIEW->header. */
enum brig_status brig_verify(struct brig_view *view, struct diag_list *diag);

/* The same without the layout and the fields, whose references stand for REFERRED bytes: see brig_open_built(). */
enum brig_status brig_verify_built(struct brig_view *view, uint64_t referred, struct diag_list *diag);

#endif
