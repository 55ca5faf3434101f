/* SPDX-License-Identifier: MIT */
/* Decoded instructions of a module, one per opcode with its modifiers.
 *
 * A module of a million instructions has a few hundred mnemonics. What depends on the mnemonic alone (legality of the
 * modifiers, types of the operands) is found out once per mnemonic and not once per instruction. A table keeps the
 * mnemonics met last; others fall out of it and are decoded again, so its size is fixed. */
#ifndef BRIG_MNEMONIC_H
#define BRIG_MNEMONIC_H

#include "brig/language.h"

/* An entry without its operands: base and opcode, and what is after the operands. */
struct brig_key {
    uint64_t head, tail;
};

struct brig_mnemonic {
    struct brig_key key;                /* zero, which is no instruction's, in a free slot */
    struct lang_inst inst;              /* its operands are those of the instruction looked up last */
    bool passed;                        /* for the owner of the table: its checks of the modifiers found nothing */
    uint8_t count;                      /* operands that the instruction must have */
    uint8_t vector_index;               /* the operand whose length is VECTOR, or LANG_MAX_OPERANDS */
    char letter[LANG_MAX_OPERANDS + 1]; /* as in opcode.def, ends with 0 */
    const struct lang_type *type[LANG_MAX_OPERANDS]; /* of each operand */
    uint8_t registers[LANG_MAX_OPERANDS];            /* kinds of registers for a value of that type, a bit each */
};

#define BRIG_MNEMONICS 512u /* a power of two */

struct brig_mnemonics {
    struct brig_mnemonic *slots; /* BRIG_MNEMONICS, in pairs: a mnemonic is in either slot of the pair for its key */
    unsigned turn;               /* which slot of a full pair is reused next */
};

/* False when memory is out; the table is to be freed either way. */
bool brig_mnemonics_init(struct brig_mnemonics *table);
void brig_mnemonics_free(struct brig_mnemonics *table);

/* Equal for entries that differ in their operands only. */
static inline struct brig_key brig_key(const hsa_brig_inst_base_t *base)
{
    uint32_t tail = base->base.byte_count - (uint32_t)sizeof *base;
    struct brig_key key = {(uint64_t)base->type << 32 | (uint64_t)base->opcode << 16 | base->base.kind, 0};
    const uint8_t *after = (const uint8_t *)(base + 1);
    if (tail >= 8)
        key.tail = load64(after);
    else if (tail)
        key.tail = load32(after);
    return key;
}

static inline bool brig_key_equal(struct brig_key a, struct brig_key b)
{
    return a.head == b.head && a.tail == b.tail;
}

/* A number below SIZE, a power of two, for a table of keys. Collisions cost time only, and little. */
static inline uint32_t brig_key_slot(struct brig_key key, uint32_t size)
{
    uint64_t mixed = (key.head ^ key.tail * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(mixed >> 32) & (size - 1);
}

static inline bool brig_is_mnemonic(const struct brig_mnemonic *mnemonic, const struct brig_view *view,
                                    struct brig_key key, struct brig_list operands)
{
    return brig_key_equal(mnemonic->key, key) &&
           (mnemonic->vector_index == LANG_MAX_OPERANDS ||
            lang_vector_length(view, operands, mnemonic->vector_index) == mnemonic->inst.value[LANG_DIM_VECTOR]);
}

/* The rest of brig_mnemonic(): decodes the instruction into one of the pair of slots for its key. */
struct brig_mnemonic *brig_mnemonic_decode(struct brig_mnemonics *table, struct brig_mnemonic *pair,
                                           const struct brig_view *view, uint32_t offset);

/* The mnemonic of the instruction at OFFSET, whose fields and list are right, with its operands; good until the next
 * call. NULL where lang_load() fails. */
static inline struct brig_mnemonic *brig_mnemonic(struct brig_mnemonics *table, const struct brig_view *view,
                                                  uint32_t offset)
{
    const hsa_brig_inst_base_t *base = (const hsa_brig_inst_base_t *)(const void *)brig_code(view, offset);
    struct brig_key key = brig_key(base);
    struct brig_mnemonic *pair = &table->slots[brig_key_slot(key, BRIG_MNEMONICS) & ~1u], *mnemonic = pair;
    struct brig_list operands = brig_list(view, base->operands);
    if (!brig_is_mnemonic(mnemonic, view, key, operands) && !brig_is_mnemonic(++mnemonic, view, key, operands))
        return brig_mnemonic_decode(table, pair, view, offset);
    mnemonic->inst.operands = operands;
    return mnemonic;
}

#endif
