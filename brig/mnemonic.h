/* SPDX-License-Identifier: MIT */
/* Decoded instructions of a module, one per opcode with its modifiers.
 *
 * A module of a million instructions has a few hundred mnemonics. What depends on the mnemonic alone (legality of the
 * modifiers, types of the operands) is found out once per mnemonic and not once per instruction. A table keeps the
 * mnemonics met last; others fall out of it and are decoded again, so its size is fixed. */
#ifndef BRIG_MNEMONIC_H
#define BRIG_MNEMONIC_H

#include "brig/isa.h"

/* An entry without its operands: base and opcode, and what is behind the operands. */
struct brig_key {
    uint64_t head, tail;
};

struct brig_mnemonic {
    struct brig_key key;
    struct isa_inst inst; /* its operands are those of the instruction looked up last */
    bool passed;          /* for the owner of the table: its checks of the modifiers found nothing */
    uint8_t count;        /* operands there have to be */
    uint8_t vector_index; /* the operand whose length is VECTOR, or ISA_MAX_OPERANDS */
    char letter[ISA_MAX_OPERANDS + 1];              /* as in opcode.def, ends with 0 */
    const struct isa_type *type[ISA_MAX_OPERANDS];  /* of each operand */
};

struct brig_mnemonics {
    struct brig_mnemonic *slots; /* in pairs: a mnemonic is in one of the two that its key leads to */
    unsigned turn;               /* which of a full pair goes next */
};

/* False when memory is out; the table is to be freed either way. */
bool brig_mnemonics_init(struct brig_mnemonics *table);
void brig_mnemonics_free(struct brig_mnemonics *table);

/* The mnemonic of the instruction at OFFSET, whose fields and list are right, with its operands; good until the next
 * call. NULL where isa_load() fails. */
struct brig_mnemonic *brig_mnemonic(struct brig_mnemonics *table, const struct brig_view *view, uint32_t offset);

/* Equal for entries that differ in their operands only. */
static inline struct brig_key brig_key(const hsa_brig_inst_base_t *base)
{
    uint32_t tail = base->base.byte_count - (uint32_t)sizeof *base;
    struct brig_key key = {(uint64_t)base->type << 32 | (uint64_t)base->opcode << 16 | base->base.kind, 0};
    const uint8_t *behind = (const uint8_t *)(base + 1);
    if (tail >= 8)
        key.tail = load64(behind);
    else if (tail)
        key.tail = load32(behind);
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

#endif
