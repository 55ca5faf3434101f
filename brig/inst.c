/* SPDX-License-Identifier: MIT */
/* Turns a decoded instruction into its BRIG entry and back; see language.h.
 * Input: slot.def, and an entry or the values of its modifiers. Output: the other of the two. Invariant: what
 * lang_store() has written, lang_load() reads back as the same. PRM 18.3.23 and 18.5.2 say how a modifier is encoded
 * that is not written. */
#include "brig/language.h"
#include "brig/item.h"

#define ROUND_FLOAT LANG_FALLBACK_ROUND_FLOAT
#define ROUND_CVT LANG_FALLBACK_ROUND_CVT
#define SEGMENT_ALLOCA LANG_FALLBACK_SEGMENT_ALLOCA

/* The flag of each modifier in its field: MASK_CONST, ..., one for each DIM of slot.def. */
enum {
#define DIM(name, text, spelling, set, mask) MASK_##name = mask,
#include "brig/tables/slot.def"
};

static const struct lang_slot slots[] = {
#define SLOT(form, dim, presence, fallback, struct_, member) \
    {LANG_DIM_##dim, LANG_##presence, fallback, offsetof(struct_##_t, member), sizeof ((struct_##_t *)0)->member, \
     MASK_##dim},
#define LOOSE(form, dim, presence) {LANG_DIM_##dim, LANG_##presence, 0, 0, 0, 0},
#define LOOSE_FIXED(form, dim, value) {LANG_DIM_##dim, LANG_FIXED, value, 0, 0, 0},
#include "brig/tables/slot.def"
};

/* Laid out so that the offset of a form, at_MOD, ..., one for each FORM of slot.def, is the number of the slots before
 * it: a byte per slot. */
struct slot_places {
#define FORM(name, kind, short_kind) char at_##name[0];
#define SLOT(form, dim, presence, fallback, struct_, member) char : 8;
#define LOOSE(form, dim, presence) char : 8;
#define LOOSE_FIXED(form, dim, value) char : 8;
#include "brig/tables/slot.def"
    char at_end[0];
};

static const uint8_t first_slot[] = {
#define FORM(name, kind, short_kind) offsetof(struct slot_places, at_##name),
#include "brig/tables/slot.def"
    offsetof(struct slot_places, at_end),
};
_Static_assert(offsetof(struct slot_places, at_end) == sizeof slots / sizeof *slots, "a byte per slot");

const struct lang_slot *lang_slots(enum lang_form form, unsigned *count)
{
    *count = (unsigned)(first_slot[form + 1] - first_slot[form]);
    return &slots[first_slot[form]];
}

/* Whether a slot lies in the part of an entry that every kind has, so that even the short kind holds it. */
static bool in_short_kind(const struct lang_slot *slot)
{
    return slot->width && slot->offset + slot->width <= sizeof(hsa_brig_inst_base_t);
}

static bool is_float(uint32_t code)
{
    const struct lang_type *type = lang_type(code);
    return type && type->class_ == LANG_CLASS_FLOAT;
}

/* The rounding of a conversion that names none (PRM 5.19.3, Table 5-5). */
static uint16_t cvt_round(uint32_t to, uint32_t from)
{
    const struct lang_type *dest = lang_type(to), *source = lang_type(from);
    if (!dest || !source)
        return HSA_BRIG_ROUND_NONE;
    unsigned dest_bits = dest->bits / (dest->count ? dest->count : 1);
    unsigned source_bits = source->bits / (source->count ? source->count : 1);
    bool number = source->class_ == LANG_CLASS_UNSIGNED || source->class_ == LANG_CLASS_SIGNED;
    if (dest->class_ == LANG_CLASS_FLOAT)
        return number || (source->class_ == LANG_CLASS_FLOAT && dest_bits < source_bits)
                   ? HSA_BRIG_ROUND_FLOAT_DEFAULT
                   : HSA_BRIG_ROUND_NONE;
    bool integer = dest->class_ == LANG_CLASS_UNSIGNED || dest->class_ == LANG_CLASS_SIGNED;
    return integer && source->class_ == LANG_CLASS_FLOAT ? HSA_BRIG_ROUND_INTEGER_ZERO : HSA_BRIG_ROUND_NONE;
}

uint16_t lang_default(const struct lang_inst *inst, const struct lang_slot *slot, uint32_t brig_minor)
{
    switch (slot->fallback) {
    case LANG_FALLBACK_ROUND_FLOAT:
        return is_float(inst->value[LANG_DIM_TYPE]) ? HSA_BRIG_ROUND_FLOAT_DEFAULT : HSA_BRIG_ROUND_NONE;
    case LANG_FALLBACK_ROUND_CVT: return cvt_round(inst->value[LANG_DIM_TYPE], inst->value[LANG_DIM_SOURCE]);
    case LANG_FALLBACK_SEGMENT_ALLOCA: return brig_minor == 0 ? HSA_BRIG_SEGMENT_PRIVATE : HSA_BRIG_SEGMENT_NONE;
    default: return slot->fallback;
    }
}

/* Types first: they come last in text, but other fallbacks depend on them. */
static void fill_in(struct lang_inst *inst, uint32_t brig_minor)
{
    unsigned count;
    const struct lang_slot *slot = lang_slots(inst->op->form, &count);
    for (unsigned i = count; i-- > 0;) {
        uint16_t *value = &inst->value[slot[i].dim];
        if (*value == LANG_NOT_WRITTEN && slot[i].presence != LANG_SAME)
            *value = lang_default(inst, &slot[i], brig_minor);
    }
}

void lang_begin(struct lang_inst *inst, const struct lang_op *op)
{
    unsigned count;
    const struct lang_slot *slot = lang_slots(op->form, &count);
    *inst = (struct lang_inst){.op = op, .kind = op->kind};
    for (unsigned i = 0; i < count; i++)
        inst->value[slot[i].dim] = LANG_NOT_WRITTEN;
}

void lang_complete(struct lang_inst *inst, uint32_t brig_minor)
{
    unsigned count;
    const struct lang_slot *slot = lang_slots(inst->op->form, &count);
    bool plain = true;
    for (unsigned i = 0; i < count; i++)
        plain &= in_short_kind(&slot[i]) || inst->value[slot[i].dim] == LANG_NOT_WRITTEN;
    inst->kind = plain ? inst->op->short_kind : inst->op->kind;
    fill_in(inst, brig_minor);
}

uint32_t lang_reserve(struct brig_builder *builder, const struct lang_inst *inst)
{
    uint32_t offset;
    brig_put_entry(builder, inst->kind, brig_kind(inst->kind)->layout->size, &offset);
    return offset;
}

void lang_store(struct brig_builder *builder, uint32_t offset, const struct lang_inst *inst)
{
    uint8_t *entry = brig_edit(builder, HSA_BRIG_SECTION_INDEX_CODE, offset);
    unsigned count;
    const struct lang_slot *slot = lang_slots(inst->op->form, &count);
    store16(entry + offsetof(hsa_brig_inst_base_t, opcode), inst->op->code);
    for (unsigned i = 0; i < count; i++, slot++) {
        if (!slot->width || (inst->kind != inst->op->kind && !in_short_kind(slot)))
            continue;
        uint16_t value = inst->value[slot->dim];
        if (slot->dim == LANG_DIM_SAT && inst->op->form == LANG_FORM_CVT)
            value |= inst->value[LANG_DIM_PACK] == HSA_BRIG_PACK_PPSAT;
        if (slot->mask)
            entry[slot->offset] |= value ? slot->mask : 0;
        else if (slot->width == 1)
            entry[slot->offset] = (uint8_t)value;
        else
            store16(entry + slot->offset, value);
    }
    uint32_t list = brig_put_list(builder, inst->operands.items, inst->operands.count);
    store32(entry + offsetof(hsa_brig_inst_base_t, operands), list);
}

unsigned lang_vector_index(const struct lang_op *op)
{
    return (unsigned)strcspn(op->operands, "vwDV");
}

uint16_t lang_vector_length(const struct brig_view *view, struct brig_list operands, unsigned index)
{
    if (index >= operands.count)
        return 0;
    const hsa_brig_base_t *operand = brig_operand(view, operands.items[index]);
    if (operand->kind != HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        return 0;
    const hsa_brig_operand_operand_list_t *vector = (const void *)operand;
    return (uint16_t)brig_list(view, vector->elements).count;
}

/* Only the types of a conversion tell that it is packed (PRM 5.19.4). */
static void load_packed_cvt(struct lang_inst *inst)
{
    inst->value[LANG_DIM_PACK] = HSA_BRIG_PACK_NONE;
    if (!lang_type_is_packed(inst->value[LANG_DIM_TYPE]))
        return;
    inst->value[LANG_DIM_PACK] = inst->value[LANG_DIM_SAT] ? HSA_BRIG_PACK_PPSAT : HSA_BRIG_PACK_PP;
    inst->value[LANG_DIM_SAT] = 0;
}

bool lang_load(const struct brig_view *view, uint32_t offset, struct lang_inst *inst)
{
    const hsa_brig_inst_base_t *base = (const void *)brig_code(view, offset);
    const uint8_t *entry = (const uint8_t *)base;
    const struct lang_op *op = lang_op(base->opcode);
    if (!op || (base->base.kind != op->kind && base->base.kind != op->short_kind))
        return false;
    *inst = (struct lang_inst){.op = op, .kind = base->base.kind, .operands = brig_list(view, base->operands)};
    unsigned count;
    const struct lang_slot *slot = lang_slots(op->form, &count);
    bool whole = inst->kind == op->kind;
    for (unsigned i = 0; i < count; i++, slot++) {
        if (slot->presence == LANG_SAME)
            continue;
        uint16_t value = 0;
        if (slot->width && !whole && !in_short_kind(slot))
            value = LANG_NOT_WRITTEN;
        else if (slot->width == 2)
            value = load16(entry + slot->offset);
        else if (slot->width)
            value = entry[slot->offset];
        else if (slot->dim == LANG_DIM_VECTOR)
            value = lang_vector_length(view, inst->operands, lang_vector_index(op));
        inst->value[slot->dim] = slot->mask && value != LANG_NOT_WRITTEN ? (value & slot->mask) != 0 : value;
    }
    if (!whole)
        fill_in(inst, view->brig_minor);
    if (op->form == LANG_FORM_CVT)
        load_packed_cvt(inst);
    return true;
}

/* `+` is always the last letter and stands for all operands from its place on. */
unsigned lang_operand_count(const struct lang_inst *inst)
{
    unsigned letters = inst->op->operand_count;
    if (!letters || inst->op->operands[letters - 1] != '+')
        return letters;
    const struct lang_operation *operation = lang_operation(inst->value[LANG_DIM_OPERATION]);
    return letters - 1 + (operation ? operation->sources : 0);
}

char lang_operand_letter(const struct lang_inst *inst, unsigned index)
{
    char letter = index < inst->op->operand_count ? inst->op->operands[index] : '+';
    if (letter != '+')
        return letter;
    return index < lang_operand_count(inst) ? 's' : 0;
}

const char *lang_needs_1_2(const struct lang_inst *inst)
{
    uint16_t type = inst->value[LANG_DIM_TYPE];
    if (inst->value[LANG_DIM_NT])
        return "the modifier `nt`";
    if (inst->op->form == LANG_FORM_CVT && lang_type_is_packed(type))
        return "a packed conversion";
    if (inst->value[LANG_DIM_SAT] && !inst->value[LANG_DIM_PACK])
        return "`sat` of a scalar";
    if (inst->op->code == HSA_BRIG_OPCODE_GROUPSTATICSIZE || inst->op->code == HSA_BRIG_OPCODE_GROUPTOTALSIZE)
        return inst->op->text;
    if (inst->op->code == HSA_BRIG_OPCODE_CMOV && type == HSA_BRIG_TYPE_B128)
        return "b128 as a type of cmov";
    return NULL;
}
