/* SPDX-License-Identifier: MIT */
/* Modifiers of generated instructions: all combinations, random legal ones, and single steps.
 * Input: slot.def and, to find legal ones, rule.def. Output: instructions that are not completed, and their mnemonics.
 * Invariant: the sequence of random choices is the same in each run. */
#include "brig/rule.h"
#include "testsuite/validate/generate.h"
#include "testsuite/xorshift.h"

#include <stdio.h>
#include <string.h>

uint32_t generate_pick(uint32_t bound)
{
    static uint64_t state = 0x9e3779b97f4a7c15;
    return (uint32_t)(xorshift(&state) >> 33) % bound;
}

static bool is_chosen(const struct lang_slot *slot)
{
    return slot->presence == LANG_REQUIRED || slot->presence == LANG_OPTIONAL;
}

unsigned generate_values(const struct lang_slot *slot, uint16_t values[GENERATE_MOST_VALUES])
{
    const struct lang_dim_info *info = lang_dim((enum lang_dim)slot->dim);
    unsigned count = 0;
    if (slot->presence == LANG_OPTIONAL)
        values[count++] = LANG_NOT_WRITTEN;
    if (info->mask) {
        values[count++] = 1;
    } else if (slot->dim == LANG_DIM_VECTOR) {
        for (uint16_t length = 2; length <= 4; length++)
            values[count++] = length;
    } else if (slot->dim == LANG_DIM_EQUIV) {
        values[count++] = 1;
        values[count++] = 255;
    } else if (info->set == LANG_SET_TYPE) {
        for (unsigned i = 1; i < LANG_TYPE_COUNT; i++)
            values[count++] = lang_type_at(i)->code;
    } else {
        for (uint16_t code = 0; code < 64 && count < GENERATE_MOST_VALUES; code++) {
            const char *text = lang_value_text((enum lang_set)info->set, code);
            if (text && *text)
                values[count++] = code;
        }
    }
    return count;
}

uint64_t generate_count(const struct lang_op *op)
{
    uint64_t product = 1;
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    for (unsigned i = 0; i < count; i++)
        if (is_chosen(&slots[i]))
            product *= generate_values(&slots[i], values);
    return product;
}

void generate_nth(const struct lang_op *op, uint64_t index, struct lang_inst *inst)
{
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    lang_begin(inst, op);
    for (unsigned i = 0; i < count; i++)
        if (is_chosen(&slots[i])) {
            unsigned choices = generate_values(&slots[i], values);
            inst->value[slots[i].dim] = values[index % choices];
            index /= choices;
        }
}

static bool is_written(const struct lang_inst *inst, enum lang_dim dim)
{
    return inst->value[dim] && inst->value[dim] != LANG_NOT_WRITTEN;
}

/* In text, sat after a packing or rounding is taken as part of it; in BRIG, the types say which conversions are packed.
 */
bool generate_is_plain(const struct lang_inst *inst)
{
    bool packed = lang_type_is_packed(inst->value[LANG_DIM_TYPE]);
    unsigned pack = inst->value[LANG_DIM_PACK];
    if (inst->op->form == LANG_FORM_CVT &&
        (packed ? pack != HSA_BRIG_PACK_PP && pack != HSA_BRIG_PACK_PPSAT : is_written(inst, LANG_DIM_PACK)))
        return false;
    if (inst->op->form == LANG_FORM_CVT && packed && is_written(inst, LANG_DIM_SAT))
        return false;
    return !is_written(inst, LANG_DIM_SAT) || !(is_written(inst, LANG_DIM_PACK) || is_written(inst, LANG_DIM_ROUND));
}

bool generate_is_double(const struct lang_inst *inst)
{
    bool round = inst->op->form == LANG_FORM_CVT && is_written(inst, LANG_DIM_ROUND);
    return is_written(inst, LANG_DIM_SAT) && (round || is_written(inst, LANG_DIM_PACK));
}

static void make_plain(struct lang_inst *inst)
{
    if (inst->op->form == LANG_FORM_CVT) {
        bool packed = lang_type_is_packed(inst->value[LANG_DIM_TYPE]);
        inst->value[LANG_DIM_PACK] =
            !packed            ? LANG_NOT_WRITTEN
            : generate_pick(2) ? HSA_BRIG_PACK_PP
                               : HSA_BRIG_PACK_PPSAT;
    }
    if (!generate_is_plain(inst))
        inst->value[LANG_DIM_SAT] = LANG_NOT_WRITTEN;
}

/* One of the values that the rule allows, as the instruction holds it. */
static uint16_t allowed_value(const struct rule_verdict *verdict)
{
    unsigned bit = generate_pick(64);
    while (!(verdict->allowed >> (bit & 63) & 1))
        bit++;
    bit &= 63;
    const struct lang_dim_info *info = lang_dim((enum lang_dim)verdict->dim);
    if (info->set == LANG_SET_TYPE)
        return lang_type_at(bit)->code;
    if (info->mask || verdict->dim == RULE_DIM_VECTOR)
        return bit ? (uint16_t)bit : LANG_NOT_WRITTEN;
    const char *text = lang_value_text((enum lang_set)info->set, bit);
    return text && *text ? (uint16_t)bit : LANG_NOT_WRITTEN;
}

/* Changes the instruction as the rules demand, until it breaks none. */
static bool make_legal(struct lang_inst *inst, const struct rule_module *facts)
{
    for (unsigned steps = 0; steps < 40; steps++) {
        make_plain(inst);
        struct lang_inst complete = *inst;
        lang_complete(&complete, 2);
        struct rule_verdict verdict = rule_check(facts, &complete);
        if (verdict.ok)
            return true;
        if (verdict.dim >= RULE_DIM_PROFILE)
            return false;
        inst->value[verdict.dim] = allowed_value(&verdict);
    }
    return false;
}

bool generate_legal(const struct lang_op *op, enum syntax_world world, struct lang_inst *inst)
{
    bool full = world == SYNTAX_FULL_LARGE || world == SYNTAX_FULL_SMALL;
    bool large = world == SYNTAX_FULL_LARGE || world == SYNTAX_BASE_LARGE;
    struct rule_module facts = {full ? HSA_BRIG_PROFILE_FULL : HSA_BRIG_PROFILE_BASE,
                                large ? HSA_BRIG_MACHINE_MODEL_LARGE : HSA_BRIG_MACHINE_MODEL_SMALL};
    char mnemonic[128];
    uint64_t count = generate_count(op);
    for (unsigned tries = 0; tries < 300; tries++) {
        generate_nth(op, ((uint64_t)generate_pick(1u << 30) << 30 | generate_pick(1u << 30)) % count, inst);
        if (!make_legal(inst, &facts))
            continue;
        generate_mnemonic(inst, mnemonic, sizeof mnemonic);
        if (syntax_find(mnemonic, world, 2)) /* profile and model limit the types more than these rules do */
            return true;
    }
    return false;
}

enum lang_dim generate_step(struct lang_inst *inst)
{
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count, chosen = 0;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    for (unsigned i = 0; i < count; i++)
        chosen += is_chosen(&slots[i]);
    unsigned skip = chosen ? generate_pick(chosen) : 0;
    for (unsigned i = 0; i < count; i++)
        if (is_chosen(&slots[i]) && !skip--) {
            unsigned choices = generate_values(&slots[i], values);
            inst->value[slots[i].dim] = values[generate_pick(choices)];
            return (enum lang_dim)slots[i].dim;
        }
    return LANG_DIM_COUNT;
}

/* The spelling of a modifier, with its underscore. */
static void spell(enum lang_dim dim, unsigned value, char *text, size_t size)
{
    const struct lang_dim_info *info = lang_dim(dim);
    enum lang_set set = (enum lang_set)info->set;
    switch ((enum lang_spelling)info->spelling) {
    case LANG_SPELLING_WORD: snprintf(text, size, "_%s", lang_value_text(set, info->mask ? info->mask : value)); break;
    case LANG_SPELLING_ARGUMENT: snprintf(text, size, "_%s(%s)", info->text, lang_value_text(set, value)); break;
    case LANG_SPELLING_NUMBER: snprintf(text, size, "_%s(%u)", info->text, value); break;
    case LANG_SPELLING_VECTOR: snprintf(text, size, "_v%u", value); break;
    }
}

void generate_mnemonic(const struct lang_inst *inst, char *text, size_t size)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    snprintf(text, size, "%s", inst->op->text);
    for (unsigned i = 0; i < count; i++) {
        size_t used = strlen(text);
        unsigned value = inst->value[slots[i].dim];
        if (is_chosen(&slots[i]) && value != LANG_NOT_WRITTEN)
            spell((enum lang_dim)slots[i].dim, value, text + used, size - used);
    }
}

bool generate_each_step(const struct lang_inst *inst, unsigned number, struct lang_inst *other)
{
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    *other = *inst;
    for (unsigned i = 0; i < count; i++) {
        unsigned choices = is_chosen(&slots[i]) ? generate_values(&slots[i], values) : 0;
        if (number < choices) {
            other->value[slots[i].dim] = values[number];
            return true;
        }
        number -= choices;
    }
    return false;
}

/* Gives a modifier the value with the longest spelling that TEXT begins with, and returns what comes after it. */
static const char *parse_value(const struct lang_slot *slot, const char *text, uint16_t *value)
{
    uint16_t values[GENERATE_MOST_VALUES];
    size_t longest = 0;
    for (unsigned choices = generate_values(slot, values); choices--;) {
        char word[64] = "";
        if (values[choices] != LANG_NOT_WRITTEN)
            spell((enum lang_dim)slot->dim, values[choices], word, sizeof word);
        size_t length = strlen(word);
        if (strncmp(text, word, length) || (text[length] && text[length] != '_') || (longest && length <= longest))
            continue;
        longest = length;
        *value = values[choices];
    }
    return text + longest;
}

bool generate_parse(const struct lang_op *op, const char *mnemonic, struct lang_inst *inst)
{
    unsigned count;
    char again[128];
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    size_t length = strlen(op->text);
    if (strncmp(mnemonic, op->text, length) != 0)
        return false;
    lang_begin(inst, op);
    const char *rest = mnemonic + length;
    for (unsigned i = 0; i < count; i++)
        if (is_chosen(&slots[i]))
            rest = parse_value(&slots[i], rest, &inst->value[slots[i].dim]);
    generate_mnemonic(inst, again, sizeof again);
    return strcmp(again, mnemonic) == 0;
}
