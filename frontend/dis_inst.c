/* SPDX-License-Identifier: MIT */
/* Prints instructions: walks over the slots of a form, like the assembler, but in the other direction (PRM 4.16, 19.2).
 * Input: an instruction entry. Output: its text. Invariant: equal entries give equal mnemonics, so each mnemonic is put
 * together once and kept. */
#include "frontend/dis_p.h"

#include "support/textbuf.h"

/* The name of a directive; all that have one have it in the same place. */
void dis_name(struct dis *dis, uint32_t code)
{
    const uint8_t *entry = (const uint8_t *)brig_code(dis->view, code);
    struct bytes name = brig_string(dis->view, load32(entry + offsetof(hsa_brig_directive_label_t, name)));
    dis_bytes(dis, name.data, name.size);
}

void dis_register(struct dis *dis, const hsa_brig_operand_register_t *reg)
{
    char *room = dis_room(dis, 8);
    size_t used = 0;
    uint16_t number = reg->reg_num;
    room[used++] = '$';
    room[used++] = "csdq"[reg->reg_kind & 3];
    for (unsigned power = number < 10      ? 1
                          : number < 100   ? 10
                          : number < 1000  ? 100
                          : number < 10000 ? 1000
                                           : 10000;
         power; power /= 10)
        room[used++] = (char)('0' + number / power % 10);
    dis->used += used;
}

static void add_modifier(struct textbuf *text, unsigned dim, unsigned value)
{
    const struct lang_dim_info *info = lang_dim((enum lang_dim)dim);
    const char *word = "";
    switch ((enum lang_spelling)info->spelling) {
    case LANG_SPELLING_WORD:
        word = lang_value_text((enum lang_set)info->set, info->mask ? info->mask : value);
        if (*word)
            textbuf_printf(text, "_%s", word);
        break;
    case LANG_SPELLING_ARGUMENT:
        textbuf_printf(text, "_%s(%s)", info->text, lang_value_text((enum lang_set)info->set, value));
        break;
    case LANG_SPELLING_NUMBER: textbuf_printf(text, "_%s(%u)", info->text, value); break;
    case LANG_SPELLING_VECTOR: textbuf_printf(text, "_v%u", value); break;
    }
}

/* The text of an instruction's opcode and modifiers. What is not needed is left out. */
static void mnemonic_text(const struct lang_inst *inst, uint32_t brig_minor, struct textbuf *text)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    struct lang_inst bare;
    lang_begin(&bare, inst->op);
    for (unsigned i = 0; i < count; i++)
        if (slots[i].presence == LANG_REQUIRED)
            bare.value[slots[i].dim] = inst->value[slots[i].dim];
    lang_complete(&bare, brig_minor);
    textbuf_puts(text, inst->op->text);
    for (unsigned i = 0; i < count; i++) {
        unsigned dim = slots[i].dim;
        if (slots[i].presence == LANG_REQUIRED ||
            (slots[i].presence == LANG_OPTIONAL && inst->value[dim] != bare.value[dim]))
            add_modifier(text, dim, inst->value[dim]);
    }
}

bool dis_mnemonic(const struct brig_view *view, uint32_t code, struct textbuf *out)
{
    struct lang_inst inst;
    if (lang_load(view, code, &inst))
        mnemonic_text(&inst, view->brig_minor, out);
    return !out->failed;
}

/* Fills a mnemonic's entry; text too long for it goes straight to the output, and false is returned. */
static bool fill_printed_mnemonic(struct dis *dis, uint32_t offset, struct dis_mnemonic *mnemonic)
{
    struct lang_inst inst;
    struct textbuf text = {0};
    mnemonic->length = 0;
    if (!lang_load(dis->view, offset, &inst))
        return false; /* brig_open() lets none pass */
    mnemonic_text(&inst, dis->view->brig_minor, &text);
    if (text.failed)
        dis->status = DIS_OUT_OF_MEMORY;
    mnemonic->op = inst.op;
    mnemonic->count = (uint8_t)lang_operand_count(&inst);
    mnemonic->narrow = lang_segment_is_narrow(inst.value[LANG_DIM_SEGMENT], dis->large);
    for (unsigned i = 0; i < mnemonic->count && i < LANG_MAX_OPERANDS; i++) {
        mnemonic->type[i] = lang_operand_type(&inst, i);
        mnemonic->letter[i] = lang_operand_letter(&inst, i);
    }
    bool kept = !text.failed && text.size <= sizeof mnemonic->text;
    if (kept) {
        memcpy(mnemonic->text, text.data, text.size);
        mnemonic->length = (uint8_t)text.size;
    } else if (!text.failed) {
        dis_bytes(dis, text.data, text.size);
    }
    textbuf_free(&text);
    return kept;
}

/* Finds or makes the mnemonic of an instruction, and prints it. */
static const struct dis_mnemonic *print_mnemonic(struct dis *dis, uint32_t offset, struct brig_list operands)
{
    const hsa_brig_inst_base_t *base = (const void *)brig_code(dis->view, offset);
    struct brig_key key = brig_key(base);
    uint16_t vector = lang_vector_length(dis->view, operands, lang_vector_index(lang_op(base->opcode)));
    struct dis_mnemonic *mnemonic = &dis->mnemonics[brig_key_slot(key, DIS_MNEMONICS)];
    if (mnemonic->length && brig_key_equal(mnemonic->key, key) && mnemonic->vector == vector) {
        dis_bytes(dis, mnemonic->text, mnemonic->length);
        return mnemonic;
    }
    mnemonic->key = key;
    mnemonic->vector = vector;
    if (fill_printed_mnemonic(dis, offset, mnemonic))
        dis_bytes(dis, mnemonic->text, mnemonic->length);
    return mnemonic;
}

static void print_address(struct dis *dis, const hsa_brig_operand_address_t *address, bool narrow)
{
    int64_t offset = narrow ? (int32_t)address->offset.lo : (int64_t)brig_u64(address->offset);
    if (address->symbol) {
        dis_char(dis, '[');
        dis_name(dis, address->symbol);
        dis_char(dis, ']');
        if (!address->reg && !offset)
            return;
    }
    dis_char(dis, '[');
    if (address->reg) {
        dis_register(dis, (const void *)brig_operand(dis->view, address->reg));
        if (offset > 0)
            dis_char(dis, '+');
    }
    if (!address->reg || offset)
        dis_signed(dis, offset);
    dis_char(dis, ']');
}

static void print_names(struct dis *dis, uint32_t list_offset, char open, char close)
{
    struct brig_list list = brig_list(dis->view, list_offset);
    dis_char(dis, open);
    for (uint32_t i = 0; i < list.count; i++) {
        if (i)
            dis_text(dis, ", ");
        dis_name(dis, list.items[i]);
    }
    dis_char(dis, close);
}

static void print_operand(struct dis *dis, const struct dis_mnemonic *mnemonic, uint32_t operand, unsigned index)
{
    const hsa_brig_base_t *base = brig_operand(dis->view, operand);
    const void *entry = base;
    uint16_t type = mnemonic->type[index];
    switch (base->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: dis_register(dis, entry); break;
    case HSA_BRIG_KIND_OPERAND_ADDRESS: print_address(dis, entry, mnemonic->narrow); break;
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST: {
        const hsa_brig_operand_operand_list_t *vector = entry;
        struct brig_list list = brig_list(dis->view, vector->elements);
        dis_char(dis, '(');
        for (uint32_t i = 0; i < list.count; i++) {
            if (i)
                dis_text(dis, ", ");
            dis_constant(dis, list.items[i], type, DIS_OPERAND);
        }
        dis_char(dis, ')');
        break;
    }
    case HSA_BRIG_KIND_OPERAND_CODE_LIST: {
        const hsa_brig_operand_code_list_t *names = entry;
        bool arguments = mnemonic->letter[index] == 'o' || mnemonic->letter[index] == 'i';
        print_names(dis, names->elements, arguments ? '(' : '[', arguments ? ')' : ']');
        break;
    }
    default: dis_constant(dis, operand, type, DIS_OPERAND); break;
    }
}

void dis_inst(struct dis *dis, uint32_t offset)
{
    const hsa_brig_inst_base_t *base = (const void *)brig_code(dis->view, offset);
    struct brig_list operands = brig_list(dis->view, base->operands);
    const struct dis_mnemonic *mnemonic = print_mnemonic(dis, offset, operands);
    bool call = mnemonic->letter[0] == 'o' && mnemonic->count;
    for (unsigned place = 0; place < mnemonic->count && place < operands.count; place++) {
        unsigned index = call && place < 2 ? 1 - place : place; /* a call names its target first */
        bool comma = place && !strchr("oiLFg", mnemonic->letter[index]);
        dis_bytes(dis, comma ? ", " : place ? " " : "\t", comma ? 2 : 1);
        print_operand(dis, mnemonic, operands.items[index], index);
    }
    dis_bytes(dis, ";\n", 2);
}
