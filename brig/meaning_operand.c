/* SPDX-License-Identifier: MIT */
/* Operands of instructions: registers, constants, WAVESIZE, vectors, addresses (PRM 2.6.2, 4.8.5, 4.16-4.18).
 * Input: an instruction with legal modifiers. Output: diagnostics. Invariant: registers[] covers every register that
 * was seen. */
#include "brig/operand_type.h"
#include "brig/meaning_p.h"

static const char *register_text(unsigned kind)
{
    static const char *const text[] = {"c", "s", "d", "q"};
    return text[kind & 3];
}

static inline bool register_fits(const struct brig_mnemonic *mnemonic, unsigned index,
                                 const hsa_brig_operand_register_t *reg)
{
    return mnemonic->registers[index] >> reg->reg_kind & 1;
}

static void check_register(struct meaning *v, uint32_t at, const struct brig_mnemonic *mnemonic, unsigned index,
                           const hsa_brig_operand_register_t *reg)
{
    const struct lang_type *type = mnemonic->type[index];
    meaning_note_register(v, reg);
    if (!register_fits(mnemonic, index, reg))
        MEANING_FAIL(v, OPERAND_REGISTER, at, lang_operand_place(mnemonic->inst.op, index), mnemonic->inst.op->text,
                     register_text(reg->reg_kind), type->text, register_text(lang_register_kind(type)));
}

static bool is_integer(const struct lang_type *type)
{
    return type->count == 1 && (type->class_ == LANG_CLASS_UNSIGNED || type->class_ == LANG_CLASS_SIGNED);
}

/* Rule 49: whether a constant can stand for the type (sizes, not signs: readers take what any producer writes). */
static bool constant_fits(const struct lang_type *type, const struct lang_type *constant)
{
    if (type->class_ == LANG_CLASS_BIT && meaning_is_handle(constant))
        return false;
    if (type->class_ == LANG_CLASS_BIT)
        return type->bits == 1 ? constant->bits == 8 && is_integer(constant) : constant->bits == type->bits;
    if (is_integer(type))
        return is_integer(constant) && constant->bits == type->bits;
    return constant == type;
}

static void check_constant(struct meaning *v, uint32_t at, const struct lang_type *type, uint32_t constant,
                           struct bytes bytes)
{
    const struct lang_type *is = lang_type_is_array(constant) ? NULL : lang_type(constant);
    if (!is || type->class_ == LANG_CLASS_NONE || type->class_ == LANG_CLASS_IMAGE ||
        type->class_ == LANG_CLASS_SAMPLER || !constant_fits(type, is)) {
        MEANING_FAIL(v, CONSTANT_TYPE, at, "constant of type ", meaning_type_text(constant), type->text, "");
        return;
    }
    if (type->bits == 1 && bytes.size == 1 && bytes.data[0] > 1)
        MEANING_FAIL(v, B1_VALUE, at);
    if (type->class_ == LANG_CLASS_BIT && is->class_ == LANG_CLASS_FLOAT)
        meaning_type(v, at, constant); /* a type of any other class is that of the instruction */
}

/* Rule 50. */
static void check_wavesize(struct meaning *v, uint32_t at, const struct lang_inst *inst, unsigned index,
                           const struct lang_type *type)
{
    bool numeric =
        type->class_ == LANG_CLASS_UNSIGNED || type->class_ == LANG_CLASS_SIGNED || type->class_ == LANG_CLASS_BIT;
    if (!numeric || type->bits > 64)
        MEANING_FAIL(v, OPERAND_WAVESIZE, at, lang_operand_place(inst->op, index), inst->op->text);
    else if (type->count > 1)
        MEANING_WARN(v, PACKED_WAVESIZE, at, lang_operand_place(inst->op, index), inst->op->text);
}

/* ---- Addresses ------------------------------------------------------------------------------------- */

static const char *segment_text(uint32_t segment)
{
    return segment == HSA_BRIG_SEGMENT_FLAT ? "flat" : lang_value_text(LANG_SET_SEGMENT, segment);
}

/* Rules 40, 42 and 63: whether this executable and this instruction may use the symbol of an address. */
static void check_symbol_use(struct meaning *v, uint32_t at, const struct lang_inst *inst, uint32_t symbol)
{
    const hsa_brig_directive_variable_t *var = CODE_AS(v, hsa_brig_directive_variable_t, symbol);
    const hsa_brig_directive_executable_t *e = v->executable;
    bool formal = symbol > v->executable_at && symbol < e->first_code_block_entry;
    if (formal && var->segment == HSA_BRIG_SEGMENT_ARG) {
        bool input = symbol >= e->first_in_arg;
        if (inst->op->code != (input ? HSA_BRIG_OPCODE_LD : HSA_BRIG_OPCODE_ST))
            MEANING_FAIL(v, FORMAL_ACCESS, at, inst->op->text, input ? "input" : "output");
    }
    bool module_scope = var->linkage == HSA_BRIG_LINKAGE_MODULE || var->linkage == HSA_BRIG_LINKAGE_PROGRAM;
    if (module_scope && (var->segment == HSA_BRIG_SEGMENT_GROUP || var->segment == HSA_BRIG_SEGMENT_PRIVATE))
        meaning_taint(v);
    if (var->linkage == HSA_BRIG_LINKAGE_ARG)
        meaning_arg_access(v, at, inst, symbol);
    bool moves = inst->op->code == HSA_BRIG_OPCODE_LD || inst->op->code == HSA_BRIG_OPCODE_ST;
    const struct lang_type *type = lang_type(inst->value[LANG_DIM_TYPE]), *held = lang_type(var->type);
    bool bits = held->class_ == LANG_CLASS_BIT; /* aggregates of bit types may hold handles (4.8.4) */
    if (moves && type != held && ((meaning_is_handle(type) && !bits) || meaning_is_handle(held)))
        MEANING_FAIL(v, ADDRESS_TYPE, at, inst->op->text, type->text, held->text);
    bool writes =
        inst->op->code == HSA_BRIG_OPCODE_ST || inst->op->code == HSA_BRIG_OPCODE_ATOMICNORET ||
        (inst->op->code == HSA_BRIG_OPCODE_ATOMIC && inst->value[LANG_DIM_OPERATION] != HSA_BRIG_ATOMIC_OPERATION_LD);
    if (writes && var->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST)
        MEANING_WARN(v, CONST_WRITE, at, inst->op->text, brig_string(v->view, var->name));
}

/* Rule 68, and what the modifier align of ld and st promises about the address, as far as the text shows it. */
static void check_alignment(struct meaning *v, uint32_t at, const struct lang_inst *inst,
                            const hsa_brig_operand_address_t *address)
{
    uint64_t wanted = 1;
    if (inst->op->code == HSA_BRIG_OPCODE_ATOMIC || inst->op->code == HSA_BRIG_OPCODE_ATOMICNORET)
        wanted = lang_type_size(inst->value[LANG_DIM_TYPE]);
    else if (inst->value[LANG_DIM_ALIGN])
        wanted = UINT64_C(1) << (inst->value[LANG_DIM_ALIGN] - HSA_BRIG_ALIGNMENT_1);
    uint64_t known = wanted; /* the address of the symbol is a multiple of this */
    if (address->symbol) {
        uint32_t align = CODE_AS(v, hsa_brig_directive_variable_t, address->symbol)->align;
        uint64_t given = align ? UINT64_C(1) << (align - HSA_BRIG_ALIGNMENT_1) : 1;
        known = given < wanted ? given : wanted;
    }
    if (!address->reg && brig_u64(address->offset) % known)
        MEANING_WARN(v, ADDRESS_MISALIGNED, at, inst->op->text, wanted);
}

static void check_address(struct meaning *v, uint32_t at, const struct lang_inst *inst, uint32_t operand)
{
    const hsa_brig_operand_address_t *address = OPERAND_AS(v, hsa_brig_operand_address_t, operand);
    uint32_t segment = inst->value[LANG_DIM_SEGMENT];
    bool narrow = lang_segment_is_narrow(segment, v->module.model != HSA_BRIG_MACHINE_MODEL_SMALL);
    v->part.kind = BRIG_PART_SYMBOL;
    if (address->symbol) {
        uint32_t other = CODE_AS(v, hsa_brig_directive_variable_t, address->symbol)->segment;
        if (other != segment)
            MEANING_FAIL(v, ADDRESS_SEGMENT, at, inst->op->text, segment_text(segment),
                         lang_value_text(LANG_SET_SEGMENT, other));
        else
            check_symbol_use(v, at, inst, address->symbol);
    }
    v->part.kind = BRIG_PART_REGISTER;
    if (address->reg) {
        const hsa_brig_operand_register_t *reg = OPERAND_AS(v, hsa_brig_operand_register_t, address->reg);
        unsigned kind = narrow ? HSA_BRIG_REGISTER_KIND_SINGLE : HSA_BRIG_REGISTER_KIND_DOUBLE;
        meaning_note_register(v, reg);
        if (reg->reg_kind != kind)
            MEANING_FAIL(v, ADDRESS_REGISTER, at, inst->op->text, register_text(reg->reg_kind), segment_text(segment),
                         register_text(kind));
    }
    v->part.kind = BRIG_PART_OFFSET;
    if (narrow && address->offset.hi)
        MEANING_WARN(v, ADDRESS_OFFSET, at, inst->op->text);
    check_alignment(v, at, inst, address);
}

/* ---- Any operand ----------------------------------------------------------------------------------- */

static void check_value(struct meaning *v, uint32_t at, const struct brig_mnemonic *mnemonic, unsigned index,
                        const hsa_brig_base_t *entry)
{
    const struct lang_type *type = mnemonic->type[index];
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: check_register(v, at, mnemonic, index, (const void *)entry); break;
    case HSA_BRIG_KIND_OPERAND_WAVESIZE: check_wavesize(v, at, &mnemonic->inst, index, type); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: {
        const hsa_brig_operand_constant_bytes_t *constant = (const void *)entry;
        check_constant(v, at, type, constant->type, brig_bytes(v->view, constant->bytes));
        break;
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER:
        check_constant(v, at, type, ((const hsa_brig_operand_constant_bytes_t *)(const void *)entry)->type,
                       (struct bytes){0});
        break;
    default: break; /* names and lists, which the structure has checked */
    }
}

/* A destination vector names each register once. */
static void check_distinct(struct meaning *v, uint32_t at, const struct lang_inst *inst, struct brig_list list)
{
    for (uint32_t i = 1; i < list.count; i++) {
        v->part.element = (uint16_t)(i + 1);
        for (uint32_t j = 0; j < i; j++) {
            const hsa_brig_operand_register_t *a = OPERAND_AS(v, hsa_brig_operand_register_t, list.items[i]);
            const hsa_brig_operand_register_t *b = OPERAND_AS(v, hsa_brig_operand_register_t, list.items[j]);
            if (a->base.kind == HSA_BRIG_KIND_OPERAND_REGISTER && b->base.kind == a->base.kind &&
                a->reg_kind == b->reg_kind && a->reg_num == b->reg_num) {
                MEANING_FAIL(v, VECTOR_REPEATS, at, inst->op->text);
                return;
            }
        }
    }
}

static void check_operand(struct meaning *v, uint32_t at, const struct brig_mnemonic *mnemonic, unsigned index)
{
    const struct lang_inst *inst = &mnemonic->inst;
    char letter = mnemonic->letter[index];
    uint32_t operand = inst->operands.items[index];
    const hsa_brig_base_t *entry = brig_operand(v->view, operand);
    if (letter == 'a') {
        check_address(v, at, inst, operand);
        return;
    }
    if (entry->kind == HSA_BRIG_KIND_OPERAND_CODE_REF && (letter == 'b' || letter == 'B'))
        meaning_taint(v); /* an fbarrier, of the module or of this code block */
    if (entry->kind != HSA_BRIG_KIND_OPERAND_OPERAND_LIST) {
        check_value(v, at, mnemonic, index, entry);
        return;
    }
    struct brig_list list =
        brig_list(v->view, ((const hsa_brig_operand_operand_list_t *)(const void *)entry)->elements);
    for (uint32_t i = 0; i < list.count; i++) {
        v->part.element = (uint16_t)(i + 1);
        check_value(v, at, mnemonic, index, brig_operand(v->view, list.items[i]));
    }
    if (letter == 'v' || letter == 'D')
        check_distinct(v, at, inst, list);
}

static void check_other(struct meaning *v, uint32_t at, const struct brig_mnemonic *mnemonic, unsigned index)
{
    uint32_t operand = mnemonic->inst.operands.items[index];
    struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, index, 0);
    check_operand(v, at, mnemonic, index);
    v->part.kind = BRIG_PART_OPERAND;
    if (brig_operand(v->view, operand)->kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
        meaning_references(v, at, operand);
    v->part = before;
}

void meaning_operands(struct meaning *v, uint32_t at, const struct brig_mnemonic *mnemonic)
{
    struct brig_list operands = mnemonic->inst.operands;
    for (unsigned i = 0; i < operands.count; i++) {
        const hsa_brig_operand_register_t *reg = OPERAND_AS(v, hsa_brig_operand_register_t, operands.items[i]);
        if (reg->base.kind == HSA_BRIG_KIND_OPERAND_REGISTER && register_fits(mnemonic, i, reg))
            meaning_note_register(v, reg); /* by far the most frequent operand, which needs no other check */
        else
            check_other(v, at, mnemonic, i);
    }
}
