/* SPDX-License-Identifier: MIT */
/* The registers that an instruction reads and writes; see reference.h.
 * Input: an entry of an opened view, or of one that is being made. Output: its registers, reads first.
 * Invariant: operands of any kind may stand anywhere, as a builder's instructions are checked later. */
#include "brig/reference.h"

struct collected {
    const struct brig_view *view;
    struct brig_reference *items;
    unsigned count;
};

static void collect_reference(struct collected *c, struct brig_reference reference)
{
    if (c->count < BRIG_MOST_REFERENCES)
        c->items[c->count++] = reference;
}

/* Adds the registers of operand OPERAND, with what NEW says of them. */
static void add_operand(struct collected *c, uint32_t operand, struct brig_reference new)
{
    const hsa_brig_base_t *entry = operand ? brig_operand(c->view, operand) : NULL;
    const void *structure = entry;
    if (!entry)
        return;
    if (entry->kind == HSA_BRIG_KIND_OPERAND_REGISTER) {
        new.operand = operand;
        collect_reference(c, new);
    } else if (entry->kind == HSA_BRIG_KIND_OPERAND_ADDRESS) {
        new.operand = ((const hsa_brig_operand_address_t *)structure)->reg;
        new.is_definition = false;
        new.is_address = true;
        if (new.operand)
            collect_reference(c, new);
    } else if (entry->kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST) {
        struct brig_list list = brig_list(c->view, ((const hsa_brig_operand_operand_list_t *)structure)->elements);
        for (uint32_t i = 0; i < list.count; i++) {
            new.operand = list.items[i];
            new.element = (uint8_t)(i + 1);
            if (brig_operand(c->view, new.operand)->kind == HSA_BRIG_KIND_OPERAND_REGISTER)
                collect_reference(c, new);
        }
    }
}

/* Whether an instruction leaves bits of its destination as they are: those but the lowest element (PRM 4.14). */
static bool is_partial(const hsa_brig_base_t *entry)
{
    const void *structure = entry;
    unsigned pack = entry->kind == HSA_BRIG_KIND_INST_MOD   ? ((const hsa_brig_inst_mod_t *)structure)->pack
                    : entry->kind == HSA_BRIG_KIND_INST_CMP ? ((const hsa_brig_inst_cmp_t *)structure)->pack
                                                            : HSA_BRIG_PACK_NONE;
    return pack == HSA_BRIG_PACK_S || pack == HSA_BRIG_PACK_SS || pack == HSA_BRIG_PACK_SSAT ||
           pack == HSA_BRIG_PACK_SSSAT;
}

unsigned brig_references(const struct brig_view *view, const hsa_brig_base_t *entry,
                         struct brig_reference references[BRIG_MOST_REFERENCES])
{
    struct collected c = {view, references, 0};
    if (!brig_is_inst(entry))
        return 0;
    const hsa_brig_inst_base_t *inst = (const void *)entry;
    const struct lang_op *op = lang_op(inst->opcode);
    struct brig_list list = brig_list(view, inst->operands);
    bool writes = op && list.count && (*op->operands == 'd' || *op->operands == 'D' || *op->operands == 'v');
    for (uint32_t i = writes; i < list.count; i++)
        add_operand(&c, list.items[i], (struct brig_reference){.index = (uint8_t)i});
    if (writes && is_partial(entry))
        add_operand(&c, list.items[0], (struct brig_reference){.is_destination = true});
    if (writes)
        add_operand(&c, list.items[0], (struct brig_reference){.is_definition = true});
    return c.count;
}
