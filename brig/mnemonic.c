/* SPDX-License-Identifier: MIT */
/* The table of mnemonics; see mnemonic.h.
 * Input: instruction entries. Output: what their mnemonics mean. Invariant: a slot's key is that of its decoded
 * instruction; a slot without an opcode is free. */
#include "brig/mnemonic.h"

#include "brig/operand_type.h"
#include "support/alloc.h"

#define SLOTS 512u /* a power of two */

/* A key holds all of an entry: no instruction is longer than its base and 8 bytes. */
#define END(struct_, size) enum { SIZE_##struct_ = size };
#include "brig/tables/item.def"
#define KIND(name, code, struct_, section) \
    _Static_assert((code) < HSA_BRIG_KIND_INST_BEGIN || (code) >= HSA_BRIG_KIND_INST_END || SIZE_##struct_ <= 20, \
                   #name " fits a key");
#include "brig/tables/item.def"

bool brig_mnemonics_init(struct brig_mnemonics *table)
{
    table->slots = mem_zalloc(SLOTS, sizeof *table->slots);
    return table->slots != NULL;
}

void brig_mnemonics_free(struct brig_mnemonics *table)
{
    mem_free(table->slots);
    table->slots = NULL;
}

/* Rare: not inlined, so that finding a mnemonic stays short. */
__attribute__((noinline)) static bool fill(struct brig_mnemonic *mnemonic, const struct brig_view *view,
                                           uint32_t offset, struct brig_key key)
{
    struct isa_inst *inst = &mnemonic->inst;
    mnemonic->passed = false;
    if (!isa_load(view, offset, inst)) {
        inst->op = NULL;
        return false;
    }
    unsigned vector = isa_vector_index(inst->op);
    mnemonic->key = key;
    mnemonic->count = (uint8_t)isa_operand_count(inst);
    mnemonic->vector_index = (uint8_t)(vector < inst->op->operand_count ? vector : ISA_MAX_OPERANDS);
    for (unsigned i = 0; i <= ISA_MAX_OPERANDS; i++)
        mnemonic->letter[i] = i < mnemonic->count ? isa_operand_letter(inst, i) : '\0';
    for (unsigned i = 0; i < ISA_MAX_OPERANDS; i++)
        mnemonic->type[i] = isa_type(isa_operand_type(inst, i));
    return true;
}

static inline bool is_mnemonic(const struct brig_mnemonic *mnemonic, const struct brig_view *view, struct brig_key key,
                        struct brig_list operands)
{
    return brig_key_equal(mnemonic->key, key) && mnemonic->inst.op &&
           (mnemonic->vector_index == ISA_MAX_OPERANDS ||
            isa_vector_length(view, operands, mnemonic->vector_index) == mnemonic->inst.value[ISA_DIM_VECTOR]);
}

struct brig_mnemonic *brig_mnemonic(struct brig_mnemonics *table, const struct brig_view *view, uint32_t offset)
{
    const hsa_brig_inst_base_t *base = (const void *)brig_code(view, offset);
    struct brig_key key = brig_key(base);
    struct brig_mnemonic *pair = &table->slots[brig_key_slot(key, SLOTS) & ~1u], *mnemonic = pair;
    struct brig_list operands = brig_list(view, base->operands);
    if (is_mnemonic(mnemonic, view, key, operands) || is_mnemonic(++mnemonic, view, key, operands)) {
        mnemonic->inst.operands = operands;
        return mnemonic;
    }
    mnemonic = !pair->inst.op ? pair : !pair[1].inst.op ? pair + 1 : pair + (table->turn++ & 1);
    return fill(mnemonic, view, offset, key) ? mnemonic : NULL;
}
