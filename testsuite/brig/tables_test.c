/* SPDX-License-Identifier: MIT */
/* Checks in the tables what no compiler can check. */
#include "brig/diag_rule.h"
#include "brig/item.h"
#include "testsuite/tap.h"

#include <ctype.h>

static bool has_vector(const struct lang_op *op)
{
    unsigned count;
    const struct lang_slot *slot = lang_slots((enum lang_form)op->form, &count);
    while (count--)
        if (slot[count].dim == LANG_DIM_VECTOR)
            return true;
    return false;
}

static void opcodes(void)
{
    bool codes = true, found = true, letters = true, vectors = true, kinds = true, sections = true;
    for (unsigned index = 0; index < LANG_OP_COUNT; index++) {
        const struct lang_op *op = lang_op_at(index);
        codes &= lang_op(op->code) == op && op->index == index && (op->code < 0x8000) == !op->extension;
        codes &= op->length == strlen(op->text) && op->operand_count == strlen(op->operands);
        found &= lang_op_find(op->text, op->length) == op;
        letters &= strspn(op->operands, "dsrnkcvwDVaolLifFgbB+") == op->operand_count &&
                   op->operand_count <= LANG_MAX_OPERANDS;
        vectors &= has_vector(op) == (lang_vector_index(op) < op->operand_count);
        kinds &= brig_kind(op->kind) && brig_kind(op->short_kind) && op->form < LANG_FORM_COUNT;
        sections &= isdigit((unsigned char)op->section[0]) != 0;
    }
    ok(LANG_OP_COUNT_OF_HSAIL == 139, "139 opcodes");
    ok(!lang_op(139) && !lang_op(0x7fff) && !lang_op(0xffff), "numbers that are no opcode have no row");
    ok(codes, "an opcode's row stands at its code");
    ok(found, "each mnemonic finds its own opcode, so none is there twice");
    ok(letters, "operands are described by known letters");
    ok(vectors, "opcodes with an operand that may be a vector are those whose form has its length");
    ok(kinds, "each form has kinds that exist");
    ok(sections, "each opcode names its PRM section");
    ok(!lang_op_find("adds", 4) && !lang_op_find("ad", 2) && !lang_op_find("", 0),
       "words that are no opcode are not found");
}

static bool field_exists(const struct lang_op *op, const struct lang_slot *slot)
{
    const struct brig_struct_info *layouts[] = {brig_kind(op->kind)->layout, brig_inst_base()};
    for (unsigned l = 0; l < 2; l++)
        for (unsigned i = 0; i < layouts[l]->field_count; i++) {
            const struct brig_field *field = &layouts[l]->fields[i];
            if (field->offset != slot->offset || field->width != slot->width)
                continue;
            const struct lang_dim_info *dim = lang_dim(slot->dim);
            if (field->role == BRIG_ROLE_TYPE)
                return dim->set == LANG_SET_TYPE;
            if (field->role == BRIG_ROLE_NUMBER)
                return dim->spelling == LANG_SPELLING_NUMBER;
            return field->argument == dim->set && (field->role == BRIG_ROLE_FLAGS) == (dim->mask != 0);
        }
    return false;
}

static void slots(void)
{
    bool fields = true, unique = true, covered = true;
    for (unsigned index = 0; index < LANG_OP_COUNT; index++) {
        const struct lang_op *op = lang_op_at(index);
        unsigned count;
        uint32_t seen = 0, bytes = 0xfff;
        const struct lang_slot *slot = lang_slots(op->form, &count);
        for (unsigned i = 0; i < count; i++) {
            fields &= !slot[i].width || field_exists(op, &slot[i]);
            unique &= slot[i].presence == LANG_SAME || !(seen >> slot[i].dim & 1);
            seen |= 1u << slot[i].dim;
            for (unsigned byte = 0; byte < slot[i].width; byte++)
                bytes |= 1u << (slot[i].offset + byte);
        }
        const struct brig_struct_info *layout = brig_kind(op->kind)->layout;
        for (unsigned i = 0; i < layout->field_count; i++) {
            const struct brig_field *field = &layout->fields[i];
            bool free =
                field->role == BRIG_ROLE_ZERO || field->role == BRIG_ROLE_BASE || field->role == BRIG_ROLE_FLAGS;
            covered &= free || (bytes >> field->offset & 1);
        }
    }
    ok(fields, "each slot fills a field of its entry that holds its set");
    ok(unique, "no form has a modifier twice");
    ok(covered, "every field of an instruction is a modifier of its form");
}

static void words(void)
{
    bool values = true, types = true, longer = true;
    unsigned spelled = 0;
    for (unsigned set = LANG_SET_NONE + 1; set < LANG_SET_TYPE; set++)
        for (uint32_t code = 0; code <= 64; code++) {
            const char *text = lang_value_text(set, code);
            uint32_t back = 0;
            if (!text || !*text)
                continue;
            spelled++;
            values &= lang_word_means(lang_word(text, strlen(text)), set, &back) && back == code;
            const char *cut = strchr(text, '_');
            const struct lang_word *head = cut ? lang_word(text, (size_t)(cut - text)) : NULL;
            longer &= !cut || (head && head->longer);
        }
    for (uint32_t code = 0; code < 256; code++) {
        const struct lang_type *type = lang_type(code);
        uint32_t back = 0;
        if (type && code && !lang_type_is_array(code))
            types &= lang_word_means(lang_word(type->text, strlen(type->text)), LANG_SET_TYPE, &back) && back == code;
    }
    ok(values && spelled > 150, "each of %u values is found by its word", spelled);
    ok(types, "each type is found by its word");
    ok(longer, "a word knows that a longer one begins with it");
    ok(lang_word("wait", 4) && lang_word("wait", 4)->count == 0, "the beginning of a word means nothing itself");
    ok(!lang_word("WAVE", 4) && !lang_word("x", 1), "unknown words are not found");
    uint32_t code = 0;
    ok(lang_word_means(lang_word("v3", 2), LANG_SET_VECTOR, &code) && code == 3, "v3 is a vector of three");
    ok(lang_word_means(lang_word("equiv", 5), LANG_SET_MODIFIER, &code) && code == LANG_DIM_EQUIV,
       "equiv is the name of a modifier");
}

static void enumerations(void)
{
    bool dense = true, flags = true;
    for (unsigned set = LANG_SET_NONE + 1; set < LANG_SET_TYPE; set++) {
        bool ended = false;
        uint32_t first = lang_value_name(set, 0) ? 0 : 1;
        for (uint32_t code = first; code < 64 && !lang_flags(set); code++) {
            bool there = lang_value_name(set, code) != NULL;
            dense &= !(there && ended);
            ended |= !there;
        }
        uint32_t mask = lang_flags(set);
        for (uint32_t bit = 0; bit < 32; bit++)
            flags &= !(mask >> bit & 1) || lang_value_name(set, 1u << bit);
    }
    ok(dense, "values have no holes");
    ok(flags, "each flag has a name");
    ok(lang_flags(LANG_SET_ALU_MODIFIER) == 3 && lang_flags(LANG_SET_SEGMENT) == 0, "flags are told from values");
    ok(strcmp(lang_value_text(LANG_SET_WIDTH, HSA_BRIG_WIDTH_2147483648), "2147483648") == 0, "width 2^31");
    ok(lang_value_text(LANG_SET_SEGMENT, 9) == NULL && lang_value_text(LANG_SET_SEGMENT, 129) == NULL,
       "numbers that are no value have no text");
}

static void types(void)
{
    bool sizes = true, elements = true;
    unsigned count = 0;
    for (uint32_t code = 0; code < 512; code++) {
        const struct lang_type *type = lang_type(code);
        if (!type)
            continue;
        count += !lang_type_is_array(code);
        const struct lang_type *element = lang_type(type->element);
        sizes &= type->count == 1 || element->bits * type->count == type->bits;
        elements &= code == 0 || (element->class_ == type->class_ && element->count == 1);
        elements &= lang_type_is_packed(code) == (type->count > 1);
    }
    ok(count == LANG_TYPE_COUNT && count == 48, "48 types");
    ok(sizes, "a packed type has the size of its elements");
    ok(elements, "elements are not packed and of the class of the packed type");
    ok(!lang_type(HSA_BRIG_TYPE_B1 | 0x80) && lang_type(HSA_BRIG_TYPE_SAMP_ARRAY),
       "there are arrays of other types, but not of b1");
    ok(lang_type_size(HSA_BRIG_TYPE_B1) == 1 && lang_type_size(HSA_BRIG_TYPE_SIG32) == 8, "sizes in bytes");
}

static void diagnostics(void)
{
    bool ids = true, rows = true;
    for (unsigned i = 0; i < DIAG_ID_COUNT; i++) {
        const struct diag_rule *rule = &diag_rules[i];
        size_t length = strlen(rule->id);
        ids &= diag_rule_find(rule->id, length) == rule;
        ids &= length && strspn(rule->id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
        rows &= *rule->format && *rule->manual && rule->manual[strlen(rule->manual) - 1] == '.';
        rows &= !*rule->section || strspn(rule->section, "0123456789.") == strlen(rule->section) ||
                isupper((unsigned char)rule->section[0]);
        if (!rows || !ids) {
            printf("# %s\n", rule->id);
            break;
        }
    }
    ok(ids, "each diagnostic has an id of its own, in lower case");
    ok(rows, "each diagnostic has a message, a section and a sentence for the manual");
    ok(!diag_rule_find("no-such-id", 10), "unknown ids are not found");
}

static void kinds(void)
{
    unsigned count = 0;
    bool rows = true;
    for (uint32_t kind = 0; kind < 0x4000; kind++) {
        const struct brig_kind_info *info = brig_kind(kind);
        if (!info)
            continue;
        count++;
        rows &= info->kind == kind && info->layout->size % 4 == 0;
        rows &= (info->section == HSA_BRIG_SECTION_INDEX_OPERAND) == (kind >= HSA_BRIG_KIND_OPERAND_BEGIN);
        uint8_t end = 0;
        for (unsigned i = 0; i < info->layout->field_count; i++) {
            rows &= info->layout->fields[i].offset == end;
            end = (uint8_t)(end + info->layout->fields[i].width);
        }
        rows &= end == info->layout->size;
    }
    ok(count == 49 && rows, "49 kinds, their fields without gaps");
}

int main(void)
{
    opcodes();
    slots();
    words();
    enumerations();
    types();
    kinds();
    diagnostics();
    return tap_done();
}
