/* SPDX-License-Identifier: MIT */
/* New instructions for the mutator of BRIG modules; see mutate_p.h.
 * Input: a module that was taken apart. Output: one more instruction, with operands of its own. Invariant: most of
 * these instructions break no rule about modifiers, so that later checks are reached. */
#include "testsuite/fuzz/mutate_p.h"

#include "brig/rule.h"

static struct loose_item *new_operand(struct mutator *m, uint32_t kind)
{
    uint32_t size = brig_kind(kind)->layout->size;
    struct loose_item *item = loose_insert(&m->loose, OPERAND, m->loose.section[OPERAND].items.count, size);
    if (item)
        store32(item->bytes, kind << 16 | size);
    return item;
}

static uint32_t new_register(struct mutator *m, uint16_t type)
{
    uint32_t size = lang_type_size(type);
    unsigned kind = type == HSA_BRIG_TYPE_B1 ? HSA_BRIG_REGISTER_KIND_CONTROL
                    : size <= 4              ? HSA_BRIG_REGISTER_KIND_SINGLE
                    : size == 8              ? HSA_BRIG_REGISTER_KIND_DOUBLE
                                             : HSA_BRIG_REGISTER_KIND_QUAD;
    struct loose_item *item = new_operand(m, HSA_BRIG_KIND_OPERAND_REGISTER);
    if (item)
        store32(item->bytes + 4, kind | below(m, 40) << 16);
    return reference_to(item);
}

static uint32_t new_constant(struct mutator *m, uint16_t type)
{
    const struct lang_type *row = lang_type(type);
    uint8_t bytes[16];
    for (unsigned i = 0; i < sizeof bytes; i += 4)
        store32(bytes + i, one_in(m, 2) ? below(m, 4) : (uint32_t)random_number(m, 0));
    if (type == HSA_BRIG_TYPE_B1)
        bytes[0] &= 1;
    /* A constant for a bit type has some other type of the same size. */
    static const uint8_t stand_ins[2][5] = {
        {HSA_BRIG_TYPE_U8, HSA_BRIG_TYPE_U16, HSA_BRIG_TYPE_U32, HSA_BRIG_TYPE_U64, HSA_BRIG_TYPE_U8X16},
        {HSA_BRIG_TYPE_S8, HSA_BRIG_TYPE_F16, HSA_BRIG_TYPE_F32, HSA_BRIG_TYPE_S64, HSA_BRIG_TYPE_F32X4},
    };
    uint32_t size = lang_type_size(type);
    if (row && row->class_ == LANG_CLASS_BIT)
        type = stand_ins[below(m, 2)][__builtin_ctz(size | 16)];
    uint32_t data = new_data(m, bytes, size < sizeof bytes ? size : 16, LOOSE_BYTES);
    struct loose_item *item = new_operand(m, HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES);
    if (item) {
        store32(item->bytes + 4, type);
        store32(item->bytes + 8, data);
    }
    return reference_to(item);
}

/* An address in a register, or the address operand of another instruction. */
static uint32_t new_address(struct mutator *m, unsigned segment)
{
    bool narrow = lang_segment_is_narrow(segment, true);
    if (one_in(m, 3))
        return reference_to(some_item(m, OPERAND, has_kind, HSA_BRIG_KIND_OPERAND_ADDRESS));
    uint32_t reg = new_register(m, narrow ? HSA_BRIG_TYPE_U32 : HSA_BRIG_TYPE_U64);
    struct loose_item *item = new_operand(m, HSA_BRIG_KIND_OPERAND_ADDRESS);
    if (item) {
        store32(item->bytes + offsetof(hsa_brig_operand_address_t, reg), reg);
        store32(item->bytes + offsetof(hsa_brig_operand_address_t, offset), one_in(m, 2) ? below(m, 64) : 0);
    }
    return reference_to(item);
}

static uint32_t new_scalar(struct mutator *m, uint16_t type, bool constant)
{
    if (constant && one_in(m, 16))
        return reference_to(new_operand(m, HSA_BRIG_KIND_OPERAND_WAVESIZE));
    return constant && one_in(m, 2) ? new_constant(m, type) : new_register(m, type);
}

static uint32_t new_vector(struct mutator *m, uint16_t type, bool constant, unsigned length)
{
    uint8_t list[16];
    if (!length || length > 4)
        length = 2 + below(m, 3);
    for (unsigned i = 0; i < length; i++)
        store32(list + i * 4, new_scalar(m, type, constant));
    uint32_t data = new_data(m, list, length * 4, LOOSE_OPERANDS);
    struct loose_item *item = new_operand(m, HSA_BRIG_KIND_OPERAND_OPERAND_LIST);
    if (item)
        store32(item->bytes + 4, data);
    return reference_to(item);
}

/* An operand that the instruction may have in this place; names are those of the module. */
static uint32_t random_operand(struct mutator *m, const struct lang_inst *inst, unsigned index)
{
    static const uint16_t kinds[128] = {
        ['l'] = HSA_BRIG_KIND_OPERAND_CODE_REF,  ['L'] = HSA_BRIG_KIND_OPERAND_CODE_LIST,
        ['o'] = HSA_BRIG_KIND_OPERAND_CODE_LIST, ['i'] = HSA_BRIG_KIND_OPERAND_CODE_LIST,
        ['f'] = HSA_BRIG_KIND_OPERAND_CODE_REF,  ['F'] = HSA_BRIG_KIND_OPERAND_CODE_LIST,
        ['g'] = HSA_BRIG_KIND_OPERAND_CODE_REF,  ['b'] = HSA_BRIG_KIND_OPERAND_CODE_REF,
        ['B'] = HSA_BRIG_KIND_OPERAND_CODE_REF,
    };
    uint16_t type = lang_operand_type(inst, index);
    unsigned length = inst->value[LANG_DIM_VECTOR];
    switch (lang_operand_letter(inst, index)) {
    case 'd':
    case 'r': return new_register(m, type);
    case 's':
    case 'c': return new_scalar(m, type, true);
    case 'n': return new_constant(m, type);
    case 'v': return new_vector(m, type, false, length);
    case 'w': return new_vector(m, type, true, length);
    case 'D': return length ? new_vector(m, type, false, length) : new_register(m, type);
    case 'V': return length ? new_vector(m, type, true, length) : new_scalar(m, type, true);
    case 'a': return new_address(m, inst->value[LANG_DIM_SEGMENT]);
    default: return reference_to(some_item(m, OPERAND, has_kind, kinds[lang_operand_letter(inst, index) & 127]));
    }
}

static uint16_t random_modifier(struct mutator *m, const struct lang_slot *slot)
{
    unsigned set = lang_dim((enum lang_dim)slot->dim)->set;
    if (slot->dim == LANG_DIM_TYPE || slot->dim == LANG_DIM_SOURCE || slot->dim == LANG_DIM_COORD)
        return (uint16_t)random_type(m, false);
    if (slot->dim == LANG_DIM_VECTOR)
        return (uint16_t)(one_in(m, 2) ? 0 : 2 + below(m, 3));
    return (uint16_t)(slot->mask ? below(m, 2) : set ? random_enum(m, set) : below(m, 3));
}

static void choose_modifiers(struct mutator *m, const struct lang_op *op, struct lang_inst *inst)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    lang_begin(inst, op);
    for (unsigned i = 0; i < count; i++) {
        unsigned dim = slots[i].dim;
        if (slots[i].presence == LANG_FIXED || (slots[i].presence == LANG_OPTIONAL && !one_in(m, 3)))
            continue;
        inst->value[dim] = random_modifier(m, &slots[i]);
    }
    lang_complete(inst, m->loose.brig_minor);
}

/* Chooses modifiers, most of the time legal ones. */
static void choose_legal(struct mutator *m, const struct lang_op *op, struct lang_inst *inst)
{
    struct rule_module module = {HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE, 2};
    const struct loose_item *header = some_item(m, CODE, has_kind, HSA_BRIG_KIND_DIRECTIVE_MODULE);
    if (header && header->size >= sizeof(hsa_brig_directive_module_t)) {
        const hsa_brig_directive_module_t *directive = (const void *)header->bytes;
        module = (struct rule_module){directive->profile, directive->machine_model, (uint8_t)directive->hsail_minor};
    }
    for (unsigned tries = one_in(m, 8) ? 1 : 60; tries; tries--) {
        choose_modifiers(m, op, inst);
        if (rule_check(&module, inst).ok)
            return;
    }
}

static bool is_instruction(const struct loose_item *item, uint32_t argument)
{
    (void)argument;
    return loose_kind(item) >= HSA_BRIG_KIND_INST_BEGIN && loose_kind(item) < HSA_BRIG_KIND_INST_END;
}

static void store_modifiers(struct loose_item *item, const struct lang_inst *inst)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    for (unsigned i = 0; i < count; i++) {
        uint16_t value = inst->value[slots[i].dim];
        if (!slots[i].width || slots[i].offset + slots[i].width > item->size)
            continue;
        if (slots[i].mask)
            item->bytes[slots[i].offset] |= value ? slots[i].mask : 0;
        else
            memcpy(item->bytes + slots[i].offset, &value, slots[i].width);
    }
}

void insert_instruction(struct mutator *m)
{
    const struct lang_op *op =
        lang_op(below(m, 20) ? below(m, 160) : HSA_BRIG_OPCODE_FIRST_USER_DEFINED + below(m, 40));
    struct lang_inst inst;
    uint8_t list[LANG_MAX_OPERANDS * 4];
    if (!op)
        return;
    choose_legal(m, op, &inst);
    unsigned operands = lang_operand_count(&inst);
    operands = operands < LANG_MAX_OPERANDS ? operands : LANG_MAX_OPERANDS;
    for (unsigned i = 0; i < operands; i++)
        store32(list + i * 4, random_operand(m, &inst, i));
    uint32_t data = operands ? new_data(m, list, operands * 4, LOOSE_OPERANDS) : 0;
    uint32_t size = brig_kind(inst.kind)->layout->size;
    struct loose_section *code = &m->loose.section[CODE];
    const struct loose_item *other = some_item(m, CODE, is_instruction, 0);
    size_t place = other && !one_in(m, 16) ? (size_t)(other - code->items.items) : below(m, code->items.count + 1);
    struct loose_item *item = loose_insert(&m->loose, CODE, place, size);
    if (!item)
        return;
    store16(item->bytes, (uint16_t)size);
    store16(item->bytes + 2, inst.kind);
    store16(item->bytes + 4, op->code);
    store32(item->bytes + 8, data);
    store_modifiers(item, &inst);
}
