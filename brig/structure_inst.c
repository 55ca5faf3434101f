/* SPDX-License-Identifier: MIT */
/* Checks an instruction against its opcode: format, modifiers, number and kinds of operands, and the scope of what
 * they lead to (PRM 18.5.2, 18.7).
 * Input: an instruction whose fields are right. Output: findings. Invariant: afterwards lang_load() succeeds, and the
 * operands are of the kinds that opcode.def says. */
#include "brig/structure.h"

#include <pthread.h>

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define FAIL(rule, ...) STRUCTURE_FAIL(subject->check, rule, CODE, subject->at __VA_OPT__(, ) __VA_ARGS__)

/* The instruction being checked. */
struct inst_subject {
    struct structure *check;
    uint32_t at;
    const struct structure_scope *scope;
    const struct lang_op *op;
    const uint8_t *entry;
    const struct lang_inst *inst;
};

/* ---- Tables derived from slot.def ------------------------------------------------------------------ */

#define MOST_SLOTS 10u

struct form_check {
    uint64_t legal[MOST_SLOTS]; /* values of a slot, a bit each; 0: any */
    uint8_t flags_offset;       /* of the field of flags; 0: the entry has none */
    uint8_t flags_mask;         /* of the flags that the form has */
};

static struct form_check forms[LANG_FORM_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_type(unsigned dim)
{
    return dim == LANG_DIM_TYPE || dim == LANG_DIM_SOURCE || dim == LANG_DIM_COORD;
}

/* The values that text can spell, and the default. */
static uint64_t legal_values(const struct lang_slot *slot)
{
    uint64_t legal = 0;
    if (!slot->width || slot->presence == LANG_SAME || is_type(slot->dim) || slot->mask ||
        !lang_value_bit(slot->fallback))
        return 0;
    if (slot->presence != LANG_FIXED) {
        if (lang_dim(slot->dim)->spelling == LANG_SPELLING_NUMBER)
            return 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            const char *text = lang_value_text(lang_dim(slot->dim)->set, lang_value_of_bit(bit));
            if (text && *text)
                legal |= UINT64_C(1) << bit;
        }
    }
    return slot->presence == LANG_REQUIRED ? legal : legal | lang_value_bit(slot->fallback);
}

static void build_form(unsigned form, uint32_t kind)
{
    struct form_check *check = &forms[form];
    const struct brig_struct_info *layout = brig_kind(kind)->layout;
    unsigned count;
    const struct lang_slot *slot = lang_slots(form, &count);
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].role == BRIG_ROLE_FLAGS)
            check->flags_offset = layout->fields[i].offset;
    for (unsigned i = 0; i < count; i++) {
        check->legal[i] = slot[i].dim == LANG_DIM_ROUND ? 0 : legal_values(&slot[i]);
        check->flags_mask |= slot[i].mask;
    }
}

static void build_operands(void)
{
#define FORM(name, kind, short_kind) build_form(LANG_FORM_##name, HSA_BRIG_KIND_##kind);
#include "brig/tables/slot.def"
}

/* ---- Modifiers ------------------------------------------------------------------------------------- */

static void check_type(const struct inst_subject *subject, const struct lang_slot *slot, uint16_t type)
{
    bool fbarrier = subject->op->operands[0] == 'b';
    if (slot->presence != LANG_FIXED && type == HSA_BRIG_TYPE_NONE)
        FAIL(BRIG_MODIFIER, subject->op->text, lang_dim(slot->dim)->text, "none");
    else if (slot->presence == LANG_FIXED && fbarrier && type == HSA_BRIG_TYPE_U32)
        STRUCTURE_WARN(subject->check, BRIG_FBARRIER_TYPE, CODE, subject->at, subject->op->text);
    else if (slot->presence == LANG_FIXED && type != slot->fallback)
        FAIL(BRIG_MODIFIER, subject->op->text, lang_dim(slot->dim)->text, lang_value_text(LANG_SET_TYPE, type));
}

/* NONE and FLOAT_DEFAULT have no spelling; some producers mix them up (18.3.23). */
static void check_round(const struct inst_subject *subject, const struct lang_slot *slot, uint16_t value)
{
    if (*lang_value_text(LANG_SET_ROUND, value))
        return;
    uint16_t expected = lang_default(subject->inst, slot, subject->check->view->brig_minor);
    if (value != expected)
        STRUCTURE_WARN(subject->check, BRIG_ROUND_VALUE, CODE, subject->at, subject->op->text,
                       brig_value_word(LANG_SET_ROUND, value), brig_value_word(LANG_SET_ROUND, expected));
}

static void check_slot(const struct inst_subject *subject, const struct lang_slot *slot, uint64_t legal)
{
    uint16_t value = subject->inst->value[slot->dim];
    if (is_type(slot->dim))
        check_type(subject, slot, value);
    else if (slot->dim == LANG_DIM_ROUND)
        check_round(subject, slot, value);
    else if (slot->presence == LANG_SAME && subject->entry[slot->offset] != value)
        FAIL(BRIG_FENCE_SCOPES);
    else if (slot->fallback == LANG_FALLBACK_SEGMENT_ALLOCA && value != HSA_BRIG_SEGMENT_NONE &&
             value != HSA_BRIG_SEGMENT_FLAT && value != HSA_BRIG_SEGMENT_PRIVATE)
        FAIL(BRIG_MODIFIER, subject->op->text, "segment", brig_value_word(LANG_SET_SEGMENT, value));
    else if (legal && !(legal & lang_value_bit(value)))
        FAIL(BRIG_MODIFIER, subject->op->text, lang_dim(slot->dim)->text,
             brig_value_word(lang_dim(slot->dim)->set, value));
}

static void check_modifiers(const struct inst_subject *subject)
{
    const struct form_check *form = &forms[subject->op->form];
    bool whole = subject->inst->kind == subject->op->kind;
    unsigned count;
    const struct lang_slot *slot = lang_slots(subject->op->form, &count);
    for (unsigned i = 0; i < count; i++)
        if (whole || slot[i].dim == LANG_DIM_TYPE) {
            subject->check->part = brig_part(BRIG_PART_MODIFIER, slot[i].dim, 0);
            check_slot(subject, &slot[i], form->legal[i]);
        }
    subject->check->part = brig_part(BRIG_PART_MODIFIER, LANG_DIM_OPERATION, 0);
    if (whole && form->flags_offset && (subject->entry[form->flags_offset] & ~form->flags_mask))
        FAIL(BRIG_FLAGS, subject->op->text, "modifier", subject->entry[form->flags_offset] & ~form->flags_mask);
    unsigned user = lang_operation_user(subject->op->code);
    uint16_t operation = subject->inst->value[LANG_DIM_OPERATION];
    if (user && !(lang_operation(operation)->users & user))
        FAIL(BRIG_OPERATION, subject->op->text, lang_value_text(LANG_SET_ATOMIC_OPERATION, operation));
}

/* ---- Operands -------------------------------------------------------------------------------------- */

#define K(kind) (1u << (HSA_BRIG_KIND_OPERAND_##kind & 31))
#define SOURCES (K(REGISTER) | K(CONSTANT_BYTES) | K(CONSTANT_EXPRESSION) | K(CONSTANT_OPERAND_LIST) | K(WAVESIZE))

/* The kinds of operands that a letter of opcode.def allows. */
static const uint32_t letter_kinds[128] = {
    ['d'] = K(REGISTER),
    ['r'] = K(REGISTER),
    ['s'] = SOURCES,
    ['c'] = SOURCES,
    ['n'] = K(CONSTANT_BYTES),
    ['k'] = K(CONSTANT_BYTES) | K(WAVESIZE),
    ['v'] = K(OPERAND_LIST),
    ['w'] = K(OPERAND_LIST),
    ['D'] = K(REGISTER) | K(OPERAND_LIST),
    ['V'] = SOURCES | K(OPERAND_LIST),
    ['a'] = K(ADDRESS),
    ['l'] = K(CODE_REF),
    ['L'] = K(CODE_LIST),
    ['o'] = K(CODE_LIST),
    ['i'] = K(CODE_LIST),
    ['f'] = K(CODE_REF),
    ['F'] = K(CODE_LIST),
    ['g'] = K(CODE_REF),
    ['b'] = K(REGISTER) | K(CODE_REF),
    ['B'] = K(CODE_REF),
};

/* Whether a local symbol belongs to this code block; symbols of the module belong to all. */
static bool in_scope(const struct inst_subject *subject, uint32_t target, uint8_t linkage)
{
    const struct structure_scope *scope = subject->scope;
    if (linkage == HSA_BRIG_LINKAGE_PROGRAM || linkage == HSA_BRIG_LINKAGE_MODULE)
        return true;
    if (linkage == HSA_BRIG_LINKAGE_ARG && (!scope->arg_block || target < scope->arg_block || target > subject->at))
        return false;
    return target >= scope->first && target < scope->end;
}

/* Checks the kind and scope of what a reference of an operand leads to, by the letter of the operand. ELEMENT counts in
 * a list. */
static bool check_target(const struct inst_subject *subject, unsigned index, char letter, uint32_t element,
                         uint32_t target)
{
    const hsa_brig_base_t *entry = brig_code(subject->check->view, target);
    const struct structure_scope *scope = subject->scope;
    const char *text = subject->op->text;
    if (!structure_take_name(subject->check, target))
        return false;
    if (!(brig_letter_targets(letter) & brig_kind_bit(entry->kind))) {
        FAIL(BRIG_CODE_LIST, lang_operand_place(subject->op, index), text, element, brig_kind_name(entry->kind));
        return false;
    }
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL && (target < scope->first || target >= scope->end)) {
        FAIL(BRIG_LABEL_SCOPE, lang_operand_place(subject->op, index), text);
        return false;
    }
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        const hsa_brig_directive_variable_t *variable = (const void *)entry;
        bool arg = variable->segment == HSA_BRIG_SEGMENT_ARG && variable->linkage == HSA_BRIG_LINKAGE_ARG;
        if (arg && in_scope(subject, target, variable->linkage))
            return true;
        FAIL(BRIG_ARG_SCOPE, lang_operand_place(subject->op, index), text);
        return false;
    }
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER) {
        const hsa_brig_directive_fbarrier_t *fbarrier = (const void *)entry;
        if (in_scope(subject, target, fbarrier->linkage))
            return true;
        FAIL(BRIG_SYMBOL_SCOPE, lang_operand_place(subject->op, index), text);
        return false;
    }
    return true;
}

static void check_code_list(const struct inst_subject *subject, unsigned index, char letter,
                            const hsa_brig_operand_code_list_t *operand)
{
    struct brig_list list = brig_list(subject->check->view, operand->elements);
    if (!list.count && (letter == 'L' || letter == 'F'))
        FAIL(BRIG_LIST_EMPTY, lang_operand_place(subject->op, index), subject->op->text);
    if (!structure_take(subject->check, (uint64_t)list.count * 4))
        return;
    for (uint32_t i = 0; i < list.count; i++) {
        subject->check->part = brig_part(BRIG_PART_OPERAND, index, i + 1);
        if (!check_target(subject, index, letter, i, list.items[i]))
            return;
    }
}

static void check_address(const struct inst_subject *subject, unsigned index, const hsa_brig_operand_address_t *address)
{
    if (!address->symbol)
        return;
    const hsa_brig_directive_variable_t *variable = (const void *)brig_code(subject->check->view, address->symbol);
    subject->check->part.kind = BRIG_PART_SYMBOL;
    if (!in_scope(subject, address->symbol, variable->linkage))
        FAIL(BRIG_SYMBOL_SCOPE, lang_operand_place(subject->op, index), subject->op->text);
    structure_take_name(subject->check, address->symbol);
}

/* Whether an operand can be a source: a constant that is an array or an aggregate cannot. */
static bool is_source(const hsa_brig_base_t *operand)
{
    const hsa_brig_operand_constant_bytes_t *constant = (const void *)operand;
    if (operand->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
        return !lang_type_is_array(constant->type);
    if (operand->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST) /* its type is at the same place */
        return !lang_type_is_array(constant->type) && constant->type != HSA_BRIG_TYPE_NONE;
    return true;
}

static void check_vector(const struct inst_subject *subject, unsigned index, char letter,
                         const hsa_brig_operand_operand_list_t *vector)
{
    struct brig_list list = brig_list(subject->check->view, vector->elements);
    bool registers = letter == 'v' || letter == 'D';
    for (uint32_t i = 0; i < list.count; i++) {
        const hsa_brig_base_t *element = brig_operand(subject->check->view, list.items[i]);
        if ((registers && element->kind != HSA_BRIG_KIND_OPERAND_REGISTER) || !is_source(element)) {
            subject->check->part.element = (uint16_t)(i + 1);
            FAIL(BRIG_OPERAND_KIND, lang_operand_place(subject->op, index), subject->op->text,
                 brig_kind_name(element->kind));
            return;
        }
    }
}

static void check_operand(const struct inst_subject *subject, unsigned index, char letter)
{
    const hsa_brig_base_t *operand = brig_operand(subject->check->view, subject->inst->operands.items[index]);
    if (operand->kind == HSA_BRIG_KIND_OPERAND_REGISTER && (letter_kinds[(uint8_t)letter] & K(REGISTER)))
        return; /* by far the most frequent */
    subject->check->part = brig_part(BRIG_PART_OPERAND, index, 0);
    if (!(letter_kinds[(uint8_t)letter] & brig_kind_bit(operand->kind)) || !is_source(operand)) {
        FAIL(BRIG_OPERAND_KIND, lang_operand_place(subject->op, index), subject->op->text,
             brig_kind_name(operand->kind));
        return;
    }
    if (operand->kind == HSA_BRIG_KIND_OPERAND_CODE_REF)
        check_target(subject, index, letter, 0, ((const hsa_brig_operand_code_ref_t *)(const void *)operand)->ref);
    else if (operand->kind == HSA_BRIG_KIND_OPERAND_CODE_LIST)
        check_code_list(subject, index, letter, (const void *)operand);
    else if (operand->kind == HSA_BRIG_KIND_OPERAND_ADDRESS)
        check_address(subject, index, (const void *)operand);
    else if (operand->kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        check_vector(subject, index, letter, (const void *)operand);
}

void structure_prepare_inst(void)
{
    pthread_once(&once, build_operands);
}

/* Says why an instruction cannot be decoded. */
static void report_opcode(struct structure *check, uint32_t at)
{
    const hsa_brig_inst_base_t *base = (const void *)brig_code(check->view, at);
    const struct lang_op *op = lang_op(base->opcode);
    if (op)
        STRUCTURE_FAIL(check, BRIG_FORMAT, CODE, at, op->text, brig_kind_name(base->base.kind),
                       brig_kind_name(op->kind));
    else if (base->opcode >= HSA_BRIG_OPCODE_FIRST_USER_DEFINED)
        STRUCTURE_FAIL(check, BRIG_VENDOR, CODE, at, "hsa_brig_inst_base", "opcode", base->opcode);
    else
        STRUCTURE_FAIL(check, BRIG_OPCODE, CODE, at, base->opcode);
}

void structure_inst(struct structure *check, uint32_t at, const struct structure_scope *scope)
{
    struct brig_mnemonic *mnemonic = brig_mnemonic(&check->mnemonics, check->view, at);
    if (!mnemonic) {
        report_opcode(check, at);
        return;
    }
    const struct lang_inst *inst = &mnemonic->inst;
    struct inst_subject subject = {check, at, scope, inst->op, (const uint8_t *)brig_code(check->view, at), inst};
    if (!mnemonic->passed) {
        size_t before = check->findings;
        check_modifiers(&subject);
        check->part = (struct diag_part){0};
        mnemonic->passed = check->findings == before;
    }
    if (inst->operands.count != mnemonic->count) {
        STRUCTURE_FAIL(check, OPERAND_COUNT, CODE, at, inst->op->text, inst->operands.count, mnemonic->count);
        return;
    }
    for (unsigned i = 0; i < mnemonic->count; i++)
        check_operand(&subject, i, mnemonic->letter[i]);
    check->part = (struct diag_part){0};
}
