/* SPDX-License-Identifier: MIT */
/* Writes the code block of a builder in its final form; see hsail_code.h.
 * Input: entries, their order, and a place for each virtual register. Output: the same entries with registers of the
 * machine, in that order, with loads before and stores after those that name what is spilled. Invariant: where nothing
 * is moved or spilled only the numbers change; else the block is appended anew, so that the module has the bytes that
 * the assembler makes of its text. */
#include "brig/item.h"
#include "brig/reference.h"
#include "frontend/hsail_code.h"

#include <stdio.h>

#define DATA HSA_BRIG_SECTION_INDEX_DATA
#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND

/* A reference into the block, to be redirected when all of the block is written. */
struct reference_fixup {
    uint32_t section, offset; /* of the word; in hsa_data, of a list's element */
};

/* What an instruction has instead of a spilled register while it is copied. */
struct stand_in {
    uint32_t number; /* of the virtual register */
    uint32_t reg;
    bool is_definition;
};

/* The instructions that move what is spilled. */
enum move { LOAD, STORE = LOAD + CODE_KINDS, TO_C = STORE + CODE_KINDS, FROM_C, MOVES };

struct arrange {
    struct code *code;
    struct assembler *as;
    uint8_t *old[3];   /* the sections after the mark, as they were */
    uint32_t first[3]; /* offsets at which those began */
    uint32_t size[3];
    uint32_t *new_code, *new_operand, *new_list; /* by a quarter of the old offset */
    VEC(struct reference_fixup) fixups;
    struct stand_in stand_ins[BRIG_MOST_REFERENCES];
    unsigned stand_in_count;
    size_t next_use; /* of `uses` */
    uint32_t scratch_used[CODE_KINDS];
    uint32_t *slots[CODE_KINDS]; /* offsets of the spill variables */
    struct asm_mnemonic moves[MOVES];
    bool failed;
};

/* ---- In place -------------------------------------------------------------------------------------- */

static void set_register(hsa_brig_operand_register_t *reg, unsigned kind, uint32_t number)
{
    reg->reg_kind = (uint16_t)kind;
    reg->reg_num = (uint16_t)number;
}

/* A register that no instruction of the block names any more is left alone: its statement failed. */
static void number_in_place(struct code *code)
{
    struct brig_buffer *operands = &code->builder->as.out.section[OPERAND];
    for (size_t at = code->builder->body.size[OPERAND]; at < operands->size;) {
        hsa_brig_operand_register_t *reg = (void *)(operands->data + at);
        if (reg->base.kind == HSA_BRIG_KIND_OPERAND_REGISTER && code_is_virtual(reg)) {
            const struct code_interval *interval = &code->intervals.items[code_number(reg)];
            set_register(reg, interval->kind, interval->place);
        }
        at += reg->base.byte_count;
    }
}

/* ---- Copies ---------------------------------------------------------------------------------------- */

static const hsa_brig_base_t *old_entry(const struct arrange *a, unsigned section, uint32_t offset)
{
    return (const void *)(a->old[section] + (offset - a->first[section]));
}

/* Bytes of hsa_data, new or from before the block. */
static struct bytes old_bytes(const struct arrange *a, uint32_t offset)
{
    const uint8_t *entry =
        offset < a->first[DATA] ? a->as->out.section[DATA].data + offset : a->old[DATA] + (offset - a->first[DATA]);
    return (struct bytes){entry + 4, load32(entry)};
}

static uint32_t copy_bytes(struct arrange *a, uint32_t offset)
{
    if (!offset)
        return 0;
    if (offset < a->first[DATA])
        return brig_put_again(&a->as->out, offset);
    struct bytes bytes = old_bytes(a, offset);
    return brig_put_bytes(&a->as->out, bytes.data, bytes.size);
}

static void add_fixup(struct arrange *a, unsigned section, uint32_t offset, uint32_t target)
{
    if (target >= a->first[CODE] && !vec_push(&a->fixups, ((struct reference_fixup){section, offset})))
        a->failed = true;
}

/* The name of a label is pooled where it is first mentioned. */
static void mention_label(struct arrange *a, uint32_t target)
{
    if (target < a->first[CODE])
        return;
    const hsa_brig_base_t *entry = old_entry(a, CODE, target);
    if (entry->kind != HSA_BRIG_KIND_DIRECTIVE_LABEL)
        return;
    struct bytes name = old_bytes(a, ((const hsa_brig_directive_label_t *)(const void *)entry)->name);
    brig_pool_bytes(&a->as->out, name.data, name.size);
}

static uint32_t copy_codes(struct arrange *a, uint32_t offset)
{
    struct bytes items = old_bytes(a, offset);
    uint32_t list = brig_put_list(&a->as->out, (const uint32_t *)(const void *)items.data, items.size / 4);
    if (offset >= a->first[DATA])
        a->new_list[(offset - a->first[DATA]) / 4] = list;
    for (uint32_t i = 0; i < items.size / 4; i++) {
        uint32_t target = load32(items.data + 4 * i);
        add_fixup(a, DATA, list + 4 + 4 * i, target);
        mention_label(a, target);
    }
    return list;
}

static uint32_t copy_operand(struct arrange *a, uint32_t offset);

/* Operands are made in the order of the text: OP is that of an instruction, or NULL. */
static uint32_t copy_operands(struct arrange *a, uint32_t offset, const struct lang_op *op)
{
    struct assembler *as = a->as;
    struct bytes items = old_bytes(a, offset);
    size_t mark = as->items.count, count = items.size / 4;
    if (!vec_reserve(&as->items, count)) {
        a->failed = true;
        return 0;
    }
    as->items.count += count;
    for (unsigned place = 0; place < count; place++) {
        unsigned index = op && count > 1 ? lang_operand_place(op, place) : place;
        uint32_t operand = copy_operand(a, load32(items.data + 4 * index)); /* this call appends to `items` as well */
        as->items.items[mark + index] = operand;
    }
    uint32_t list = a->failed ? 0 : brig_put_list(&as->out, count ? as->items.items + mark : NULL, count);
    as->items.count = mark;
    return list;
}

/* Updates the fields of a copy that lead elsewhere, after copying what they lead to. Those that lead to hsa_code are
 * left as they are. Of an instruction only the part that all have in common holds such fields. */
static void copy_fields(struct arrange *a, uint8_t *entry)
{
    const hsa_brig_base_t *base = (const void *)entry;
    const struct lang_op *op = brig_is_inst(base) ? lang_op(code_opcode(base)) : NULL;
    const struct brig_struct_info *layout = op ? brig_inst_base() : brig_kind(base->kind)->layout;
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct brig_field *field = &layout->fields[i];
        uint32_t value = (uint32_t)(field->width == 4 ? brig_field_value(entry, field) : 0);
        switch (field->role) {
        case BRIG_ROLE_STRING: value = copy_bytes(a, value); break;
        case BRIG_ROLE_OPERANDS: value = copy_operands(a, value, op); break;
        case BRIG_ROLE_CODES: value = copy_codes(a, value); break;
        case BRIG_ROLE_OPERAND: value = value ? copy_operand(a, value) : 0; break;
        case BRIG_ROLE_CODE: mention_label(a, value); continue;
        default: continue;
        }
        store32(entry + field->offset, value);
    }
}

/* Notes the fields of an operand that lead to hsa_code. */
static void note_codes(struct arrange *a, const void *entry, uint32_t offset)
{
    const struct brig_struct_info *layout = brig_kind(((const hsa_brig_base_t *)entry)->kind)->layout;
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].role == BRIG_ROLE_CODE)
            add_fixup(a, OPERAND, offset + layout->fields[i].offset,
                      (uint32_t)brig_field_value(entry, &layout->fields[i]));
}

static struct stand_in *find_stand_in(struct arrange *a, uint32_t number)
{
    for (unsigned i = 0; i < a->stand_in_count; i++)
        if (a->stand_ins[i].number == number)
            return &a->stand_ins[i];
    return NULL;
}

/* An operand is made after what it leads to: an address after its register. */
static uint32_t copy_operand(struct arrange *a, uint32_t offset)
{
    const hsa_brig_base_t *old = old_entry(a, OPERAND, offset);
    _Alignas(8) uint8_t copy[64];
    uint32_t made, size = old->byte_count;
    if (a->failed || a->as->out.status != BRIG_OK || size > sizeof copy)
        return 0;
    memcpy(copy, old, size);
    hsa_brig_operand_register_t *reg = (void *)copy;
    if (old->kind == HSA_BRIG_KIND_OPERAND_REGISTER && code_is_virtual(reg)) {
        const struct code_interval *interval = &a->code->intervals.items[code_number(reg)];
        const struct stand_in *stand_in = interval->is_spilled ? find_stand_in(a, code_number(reg)) : NULL;
        set_register(reg, interval->kind, stand_in ? stand_in->reg : interval->place);
    } else if (old->kind != HSA_BRIG_KIND_OPERAND_REGISTER) {
        copy_fields(a, copy);
    }
    uint8_t *entry = brig_put_entry(&a->as->out, (hsa_brig_kind_t)old->kind, size, &made);
    memcpy(entry + sizeof *old, copy + sizeof *old, size - sizeof *old);
    if (old->kind != HSA_BRIG_KIND_OPERAND_REGISTER)
        note_codes(a, copy, made);
    a->new_operand[(offset - a->first[OPERAND]) / 4] = made;
    return made;
}

static void copy_code(struct arrange *a, uint32_t offset)
{
    const hsa_brig_base_t *old = old_entry(a, CODE, offset);
    struct brig_builder *out = &a->as->out;
    uint32_t made;
    if (old->kind == HSA_BRIG_KIND_NONE) {
        made = brig_put_pad(out, old->byte_count);
    } else {
        _Alignas(8) uint8_t copy[64];
        uint8_t *entry = brig_put_entry(out, (hsa_brig_kind_t)old->kind, old->byte_count, &made);
        memcpy(copy, old, old->byte_count);
        memcpy(entry, copy, old->byte_count);
        copy_fields(a, copy);
        memcpy(brig_edit(out, CODE, made), copy, old->byte_count);
    }
    a->new_code[(offset - a->first[CODE]) / 4] = made;
}

/* ---- What is spilled ------------------------------------------------------------------------------- */

static const char *const move_texts[MOVES] = {
    [LOAD + HSA_BRIG_REGISTER_KIND_SINGLE] = "ld_spill_align(4)_u32",
    [LOAD + HSA_BRIG_REGISTER_KIND_DOUBLE] = "ld_spill_align(8)_u64",
    [LOAD + HSA_BRIG_REGISTER_KIND_QUAD] = "ld_spill_align(16)_b128",
    [STORE + HSA_BRIG_REGISTER_KIND_SINGLE] = "st_spill_align(4)_u32",
    [STORE + HSA_BRIG_REGISTER_KIND_DOUBLE] = "st_spill_align(8)_u64",
    [STORE + HSA_BRIG_REGISTER_KIND_QUAD] = "st_spill_align(16)_b128",
    [TO_C] = "cvt_b1_u32",
    [FROM_C] = "cvt_u32_b1",
};

static void find_moves(struct arrange *a)
{
    for (unsigned i = 0; i < MOVES && !a->failed; i++) {
        const struct asm_mnemonic *found =
            move_texts[i] ? hsail_builder_mnemonic(a->code->builder, move_texts[i]) : NULL;
        if (found)
            a->moves[i] = *found;
        a->failed |= move_texts[i] && !found;
    }
}

static void put_move(struct arrange *a, unsigned move, unsigned kind, uint32_t reg, uint32_t slot)
{
    const struct asm_mnemonic *mnemonic = &a->moves[move + kind];
    uint32_t offset = asm_begin_instruction(a->as, mnemonic), items[2];
    items[0] = brig_put_register(&a->as->out, (hsa_brig_register_kind_t)kind, (uint16_t)reg);
    items[1] = brig_put_address(&a->as->out, a->slots[kind][slot], 0, 0);
    asm_end_instruction(a->as, mnemonic, offset, items);
}

static void put_conversion(struct arrange *a, unsigned move, uint32_t to, uint32_t from)
{
    unsigned kind = move == TO_C ? HSA_BRIG_REGISTER_KIND_CONTROL : HSA_BRIG_REGISTER_KIND_SINGLE;
    unsigned other = HSA_BRIG_REGISTER_KIND_CONTROL + HSA_BRIG_REGISTER_KIND_SINGLE - kind;
    uint32_t offset = asm_begin_instruction(a->as, &a->moves[move]), items[2];
    items[0] = brig_put_register(&a->as->out, (hsa_brig_register_kind_t)kind, (uint16_t)to);
    items[1] = brig_put_register(&a->as->out, (hsa_brig_register_kind_t)other, (uint16_t)from);
    asm_end_instruction(a->as, &a->moves[move], offset, items);
}

/* Fetches what is spilled to the register that stands in for it, or takes it back. */
static void transfer_spilled(struct arrange *a, const struct stand_in *stand_in, bool fetch)
{
    const unsigned single = HSA_BRIG_REGISTER_KIND_SINGLE;
    const struct code *code = a->code;
    const struct code_interval *interval = &code->intervals.items[stand_in->number];
    if (interval->kind != HSA_BRIG_REGISTER_KIND_CONTROL) {
        put_move(a, fetch ? LOAD : STORE, interval->kind, stand_in->reg, interval->place);
        return;
    }
    const struct code_interval *home = &code->intervals.items[interval->home];
    uint32_t reg = home->is_spilled ? code_free_register(code, single, code->scratch[single] - 1) : home->place;
    if (fetch && home->is_spilled)
        put_move(a, LOAD, single, reg, home->place);
    put_conversion(a, fetch ? TO_C : FROM_C, fetch ? stand_in->reg : reg, fetch ? reg : stand_in->reg);
    if (!fetch && home->is_spilled)
        put_move(a, STORE, single, reg, home->place);
}

/* Chooses stand-ins for entry I and fetches those that it reads. */
static void before_instruction(struct arrange *a, uint32_t i)
{
    const struct code *code = a->code;
    a->stand_in_count = 0;
    memset(a->scratch_used, 0, sizeof a->scratch_used);
    for (; a->next_use < code->uses.count && code->uses.items[a->next_use].entry == i; a->next_use++) {
        const struct code_use *use = &code->uses.items[a->next_use];
        const struct code_interval *interval = &code->intervals.items[use->number];
        struct stand_in *known = interval->is_spilled ? find_stand_in(a, use->number) : NULL;
        if (known)
            known->is_definition |= use->is_definition;
        if (known || !interval->is_spilled)
            continue;
        uint32_t free = code_free_register(code, interval->kind, a->scratch_used[interval->kind]++);
        struct stand_in *made = &a->stand_ins[a->stand_in_count++];
        *made = (struct stand_in){use->number, free, use->is_definition};
        if (!use->is_definition)
            transfer_spilled(a, made, true);
    }
}

static void after_instruction(struct arrange *a)
{
    for (unsigned i = 0; i < a->stand_in_count; i++)
        if (a->stand_ins[i].is_definition)
            transfer_spilled(a, &a->stand_ins[i], false);
    a->stand_in_count = 0;
}

/* A variable of the spill segment with a name that nothing else has. */
static uint32_t put_slot(struct arrange *a, unsigned kind, uint32_t *number)
{
    static const uint16_t types[] = {0, HSA_BRIG_TYPE_U32, HSA_BRIG_TYPE_U64, HSA_BRIG_TYPE_B128};
    hsail_builder_t *builder = a->code->builder;
    struct assembler *as = a->as;
    char name[32];
    int length;
    do
        length = snprintf(name, sizeof name, "%%_spill_%c%u", "csdq"[kind], (unsigned)(*number)++);
    while (symbol_find(&as->symbols, name, (size_t)length));
    asm_qualifiers(as, nothing, 0, 0);
    asm_variable(as, nothing, 0, 0, 0, (struct asm_variable_type){HSA_BRIG_SEGMENT_SPILL, types[kind]},
                 hsail_builder_text(builder, name), (struct asm_dimension){ASM_SCALAR, 0});
    uint32_t variable = as->variable;
    asm_variable_end(as);
    return variable;
}

static void put_slots(struct arrange *a)
{
    for (unsigned kind = 1; kind < CODE_KINDS; kind++) {
        uint32_t count = a->code->slots[kind], number = 0;
        a->slots[kind] = mem_zalloc(count + 1, sizeof *a->slots[kind]);
        a->failed |= !a->slots[kind];
        for (uint32_t i = 0; i < count && !a->failed; i++) {
            a->slots[kind][i] = put_slot(a, kind, &number);
            a->failed |= a->as->out_of_memory;
        }
    }
}

/* ---- The block ------------------------------------------------------------------------------------- */

static bool keep_old(struct arrange *a, const struct brig_mark *mark)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct brig_buffer *section = &a->as->out.section[i];
        a->first[i] = mark->size[i];
        a->size[i] = (uint32_t)section->size - mark->size[i];
        a->old[i] = mem_zalloc(a->size[i] + 16u, 1);
        if (!a->old[i])
            return false;
        memcpy(a->old[i], section->data + mark->size[i], a->size[i]);
    }
    a->new_code = mem_zalloc(a->size[CODE] / 4 + 1u, sizeof *a->new_code);
    a->new_operand = mem_zalloc(a->size[OPERAND] / 4 + 1u, sizeof *a->new_operand);
    a->new_list = mem_zalloc(a->size[DATA] / 4 + 1u, sizeof *a->new_list);
    return a->new_code && a->new_operand && a->new_list;
}

/* The entry before which spill variables are made: after the last definition that precedes the statements. */
static uint32_t slots_before(const struct arrange *a)
{
    const struct code *code = a->code;
    uint32_t at = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        const hsa_brig_base_t *entry = old_entry(a, CODE, code->order[i]);
        if (code_is_statement(entry))
            break;
        if (!brig_is_annotation(entry))
            at = i + 1;
    }
    return at;
}

static void lead_on(struct arrange *a)
{
    struct assembler *as = a->as;
    for (size_t i = 0; i < a->fixups.count; i++) {
        const struct reference_fixup *fixup = &a->fixups.items[i];
        uint8_t *word = as->out.section[fixup->section].data + fixup->offset;
        store32(word, a->new_code[(load32(word) - a->first[CODE]) / 4]);
    }
    for (size_t i = a->code->builder->body_patches; i < as->patches.count; i++) {
        struct asm_patch *patch = &as->patches.items[i];
        if (patch->operand >= a->first[OPERAND])
            patch->operand = a->new_operand[(patch->operand - a->first[OPERAND]) / 4];
        else if (!patch->operand && patch->list >= a->first[DATA])
            patch->list = a->new_list[(patch->list - a->first[DATA]) / 4];
    }
}

/* Keeps the file of the latest loc, which later ones may refer to, when its name was stored by a loc in the block. */
static void keep_file(struct arrange *a, uint32_t file)
{
    if (file < a->first[DATA])
        return;
    struct bytes bytes = old_bytes(a, file);
    a->as->file = brig_pool_bytes(&a->as->out, bytes.data, bytes.size);
}

static void write_block(struct arrange *a)
{
    struct code *code = a->code;
    uint32_t slots_at = slots_before(a), file = a->as->file;
    brig_builder_rewind(&a->as->out, &code->builder->body);
    for (uint32_t i = 0; i <= code->count && !a->failed && a->as->out.status == BRIG_OK; i++) {
        if (i == slots_at && code->spills)
            put_slots(a);
        if (i == code->count || a->failed)
            break;
        if (code->spills)
            before_instruction(a, i);
        copy_code(a, code->order[i]);
        after_instruction(a);
    }
    if (!a->failed && a->as->out.status == BRIG_OK) {
        keep_file(a, file);
        lead_on(a);
    }
}

void code_arrange(struct code *code)
{
    struct arrange a = {.code = code, .as = &code->builder->as};
    if (!code->spills && !code->builder->moved) {
        number_in_place(code);
        return;
    }
    a.failed = !keep_old(&a, &code->builder->body);
    if (!a.failed && code->spills)
        find_moves(&a);
    if (!a.failed)
        write_block(&a);
    for (unsigned i = 0; i < 3; i++)
        mem_free(a.old[i]);
    for (unsigned i = 0; i < CODE_KINDS; i++)
        mem_free(a.slots[i]);
    mem_free(a.new_code);
    mem_free(a.new_operand);
    mem_free(a.new_list);
    vec_free(&a.fixups);
    if (a.failed)
        asm_no_memory(a.as);
}
