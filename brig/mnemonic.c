/* SPDX-License-Identifier: MIT */
/* The table of mnemonics; see mnemonic.h.
 * Input: instruction entries. Output: what their mnemonics mean. Invariant: a slot's key is that of its decoded
 * instruction. */
#include "brig/mnemonic.h"

#include "brig/operand_type.h"
#include "support/alloc.h"

/* A key holds all of an entry: no instruction is longer than its base and 8 bytes. SIZE_hsa_brig_inst_base, ...: one
 * for each END of item.def. */
#define END(struct_, size) enum { SIZE_##struct_ = size };
#include "brig/tables/item.def"
#define KIND(name, code, struct_, section) \
    _Static_assert((code) < HSA_BRIG_KIND_INST_BEGIN || (code) >= HSA_BRIG_KIND_INST_END || SIZE_##struct_ <= 20, \
                   #name " fits a key");
#include "brig/tables/item.def"

bool brig_mnemonics_init(struct brig_mnemonics *table)
{
    table->slots = mem_zalloc(BRIG_MNEMONICS, sizeof *table->slots);
    return table->slots != NULL;
}

void brig_mnemonics_free(struct brig_mnemonics *table)
{
    mem_free(table->slots);
    table->slots = NULL;
}

struct brig_mnemonic *brig_mnemonic_decode(struct brig_mnemonics *table, struct brig_mnemonic *pair,
                                           const struct brig_view *view, uint32_t offset)
{
    struct brig_mnemonic *mnemonic = !pair->key.head ? pair : !pair[1].key.head ? pair + 1 : pair + (table->turn++ & 1);
    struct lang_inst *inst = &mnemonic->inst;
    *mnemonic = (struct brig_mnemonic){0};
    if (!lang_load(view, offset, inst))
        return NULL;
    unsigned vector = lang_vector_index(inst->op);
    mnemonic->key = brig_key((const void *)brig_code(view, offset));
    mnemonic->count = (uint8_t)lang_operand_count(inst);
    mnemonic->vector_index = (uint8_t)(vector < inst->op->operand_count ? vector : LANG_MAX_OPERANDS);
    for (unsigned i = 0; i <= LANG_MAX_OPERANDS; i++)
        mnemonic->letter[i] = i < mnemonic->count ? lang_operand_letter(inst, i) : '\0';
    for (unsigned i = 0; i < LANG_MAX_OPERANDS; i++) {
        const struct lang_type *type = lang_type(lang_operand_type(inst, i));
        mnemonic->type[i] = type;
        mnemonic->registers[i] = type->class_ == LANG_CLASS_NONE ? 0xf : (uint8_t)(1u << lang_register_kind(type));
    }
    return mnemonic;
}
