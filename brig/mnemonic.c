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

static bool has_vector(const struct isa_op *op)
{
    unsigned count;
    const struct isa_slot *slot = isa_slots((enum isa_form)op->form, &count);
    while (count--)
        if (slot[count].dim == ISA_DIM_VECTOR)
            return true;
    return false;
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
    size_t vector = has_vector(inst->op) ? strcspn(inst->op->operands, "vwDV") : ISA_MAX_OPERANDS;
    mnemonic->key = key;
    mnemonic->count = (uint8_t)isa_operand_count(inst);
    mnemonic->vector_index = (uint8_t)(vector < ISA_MAX_OPERANDS ? vector : ISA_MAX_OPERANDS);
    for (unsigned i = 0; i <= ISA_MAX_OPERANDS; i++)
        mnemonic->letter[i] = i < mnemonic->count ? isa_operand_letter(inst, i) : '\0';
    for (unsigned i = 0; i < ISA_MAX_OPERANDS; i++)
        mnemonic->type[i] = isa_type(isa_operand_type(inst, i));
    return true;
}

/* The one modifier that is not in the entry. */
static bool has_length(const struct brig_mnemonic *mnemonic, const struct brig_view *view, struct brig_list operands)
{
    uint16_t length = 0;
    if (mnemonic->vector_index < operands.count) {
        const hsa_brig_operand_operand_list_t *vector =
            (const void *)brig_operand(view, operands.items[mnemonic->vector_index]);
        if (vector->base.kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
            length = (uint16_t)brig_list(view, vector->elements).count;
    }
    return length == mnemonic->inst.value[ISA_DIM_VECTOR];
}

static inline bool is_mnemonic(const struct brig_mnemonic *mnemonic, const struct brig_view *view, struct brig_key key,
                        struct brig_list operands)
{
    return brig_key_equal(mnemonic->key, key) && mnemonic->inst.op &&
           (mnemonic->vector_index == ISA_MAX_OPERANDS || has_length(mnemonic, view, operands));
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
