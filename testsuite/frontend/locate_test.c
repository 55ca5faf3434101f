/* SPDX-License-Identifier: MIT */
/* The two readers of a statement must agree: where frontend/locate.c finds the operands, elements, modifiers and names
 * of an entry, there must be the text that the assembler made them from. This is tested with every statement of the
 * suite's modules, as they are written and as the disassembler prints them (doc/decisions/front-end-speed.md).
 *
 * What is expected follows from the entry: the ranges of its operands come in their order with nothing between them but
 * commas, blanks and comments, the last ends where the statement does, and each holds the register, name, list or
 * address that the entry has. */
#define _GNU_SOURCE
#include "brig/item.h"
#include "frontend/asm.h"
#include "frontend/dis.h"
#include "frontend/locate.h"
#include "testsuite/modules.h"

#include <string.h>

/* A module, its text, and the entry that is being looked at. */
struct look {
    struct brig_view view;
    const char *text;
    size_t size;
    uint32_t begin; /* where the statement begins */
    const hsa_brig_base_t *entry;
    const char *name;
    unsigned ranges, wrong;
};

static struct span find(struct look *look, enum brig_part kind, unsigned index, unsigned element)
{
    look->ranges++;
    return locate_part(look->text, look->size, look->begin, look->entry, brig_part(kind, index, element));
}

static bool expect(struct look *look, bool condition, struct span span, const char *what)
{
    if (!condition && look->wrong++ < 5)
        printf("# %s at %u: %s is not \"%.*s\"\n", look->name, span.begin, what, (int)(span.end - span.begin),
               look->text + span.begin);
    return condition;
}

static bool is_text(const struct look *look, struct span span, const void *text, size_t size)
{
    return span.end - span.begin == size && !memcmp(look->text + span.begin, text, size);
}

static void expect_text(struct look *look, struct span span, const char *text, const char *what)
{
    expect(look, is_text(look, span, text, strlen(text)), span, what);
}

static struct bytes name_of(const struct look *look, uint32_t code)
{
    return brig_string(&look->view,
                       ((const hsa_brig_directive_label_t *)(const void *)brig_code(&look->view, code))->name);
}

/* Whether SPAN contains TEXT after *AT; *AT moves past it. */
static bool holds(const struct look *look, struct span span, uint32_t *at, struct bytes text)
{
    if (*at > span.end)
        return false;
    const char *found = memmem(look->text + *at, span.end - *at, text.data, text.size);
    if (found)
        *at = (uint32_t)(found - look->text + (ptrdiff_t)text.size);
    return found;
}

/* Whether there is nothing from BEGIN to END but blanks, comments and at most one TOKEN (0: none). */
static bool is_gap(const struct look *look, uint32_t begin, uint32_t end, char token)
{
    const char *at = look->text + begin, *stop = look->text + end;
    bool once = false;
    for (; at < stop; at++) {
        if (at + 1 < stop && at[0] == '/' && (at[1] == '*' || at[1] == '/')) {
            const char *after = at[1] == '*' ? "*/" : "\n";
            const char *found = memmem(at + 2, (size_t)(stop - at - 2), after, strlen(after));
            if (!found)
                return false;
            at = found + strlen(after) - 1;
        } else if (*at == token && token && !once) {
            once = true;
        } else if (!strchr(" \t\n\r\v\f", *at)) {
            return false;
        }
    }
    return begin <= end;
}

static void expect_register(struct look *look, struct span span, uint32_t operand)
{
    const hsa_brig_operand_register_t *reg = (const void *)brig_operand(&look->view, operand);
    char text[16];
    snprintf(text, sizeof text, "$%c%u", "csdq"[reg->reg_kind & 3], reg -> reg_num);
    expect_text(look, span, text, text);
}

static void expect_names(struct look *look, struct span span, uint32_t list_offset)
{
    struct brig_list list = brig_list(&look->view, list_offset);
    uint32_t at = span.begin;
    for (uint32_t i = 0; i < list.count; i++)
        expect(look, holds(look, span, &at, name_of(look, list.items[i])), span, "a list of names");
}

static void expect_address(struct look *look, struct span span, unsigned index, uint32_t operand)
{
    const hsa_brig_operand_address_t *address = (const void *)brig_operand(&look->view, operand);
    expect(look, look->text[span.begin] == '[' && look->text[span.end - 1] == ']', span, "an address");
    if (address->symbol) {
        struct bytes name = name_of(look, address->symbol);
        struct span found = find(look, BRIG_PART_SYMBOL, index, 0);
        expect(look, is_text(look, found, name.data, name.size), found, "the symbol of an address");
    }
    if (address->reg)
        expect_register(look, find(look, BRIG_PART_REGISTER, index, 0), address->reg);
    if (address->offset.lo) {
        struct span found = find(look, BRIG_PART_OFFSET, index, 0);
        uint32_t value = (uint32_t)strtoull(look->text + found.begin, NULL, 0);
        expect(look, value == address->offset.lo || 0 - value == address->offset.lo, found, "the offset of an address");
    }
}

static void expect_operand(struct look *look, struct span span, unsigned index, uint32_t operand);

/* Checks the elements of a list in SPAN. An array without a length in an aggregate becomes a number of entries that the
 * text does not tell, so the elements after it may be found as the whole aggregate. */
static void expect_elements(struct look *look, struct span span, enum brig_part kind, unsigned index,
                            struct brig_list list, bool reversed)
{
    uint32_t before = span.begin;
    bool aggregate = look->text[span.begin] == '{', wide = false;
    for (uint32_t i = 0; i < list.count && !wide; i++) {
        uint32_t element = reversed ? list.count - 1 - i : i;
        struct span found = find(look, kind, index, element + 1);
        wide = aggregate && found.begin == span.begin && found.end == span.end &&
               memmem(look->text + span.begin, before - span.begin, "[](", 3);
        if (wide || !expect(look, found.begin > before && found.end < span.end, found, "an element"))
            return;
        expect(look, !i || is_gap(look, before, found.begin, ','), found, "the next element");
        expect_operand(look, found, index, list.items[element]);
        before = found.end;
    }
    expect(look, is_gap(look, before, span.end, look->text[span.end - 1]), span, "a list to its end");
}

static void expect_expression(struct look *look, struct span span, const hsa_brig_operand_constant_expression_t *entry)
{
    struct brig_list list = brig_list(&look->view, entry->operands);
    uint32_t at = span.begin;
    for (uint32_t i = 0; i < list.count; i++) {
        const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(&look->view, list.items[i]);
        if (ref->base.kind == HSA_BRIG_KIND_OPERAND_CODE_REF)
            expect(look, holds(look, span, &at, name_of(look, ref->ref)), span, "an expression with a name");
    }
}

static void expect_operand(struct look *look, struct span span, unsigned index, uint32_t operand)
{
    const hsa_brig_base_t *base = brig_operand(&look->view, operand);
    const void *entry = base;
    char first = look->text[span.begin], last = look->text[span.end - 1];
    switch (base->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: expect_register(look, span, operand); break;
    case HSA_BRIG_KIND_OPERAND_ADDRESS: expect_address(look, span, index, operand); break;
    case HSA_BRIG_KIND_OPERAND_WAVESIZE: expect_text(look, span, "WAVESIZE", "WAVESIZE"); break;
    case HSA_BRIG_KIND_OPERAND_STRING: expect(look, first == '"' && last == '"', span, "a string"); break;
    case HSA_BRIG_KIND_OPERAND_CODE_LIST:
        expect(look, (first == '(' && last == ')') || (first == '[' && last == ']'), span, "a list");
        expect_names(look, span, ((const hsa_brig_operand_code_list_t *)entry)->elements);
        break;
    case HSA_BRIG_KIND_OPERAND_CODE_REF: {
        struct bytes name = name_of(look, ((const hsa_brig_operand_code_ref_t *)entry)->ref);
        expect(look, is_text(look, span, name.data, name.size), span, "a name");
        break;
    }
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST:
        expect(look, first == '(' && last == ')', span, "a vector");
        expect_elements(look, span, BRIG_PART_OPERAND, index,
                        brig_list(&look->view, ((const hsa_brig_operand_operand_list_t *)entry)->elements), false);
        break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: expect_expression(look, span, entry); break;
    default: expect(look, !strchr("$@%&[(,;", first), span, "a constant"); break;
    }
}

/* Checks all operands of a statement; HEAD is the range before the first. CALL: the first two are exchanged. */
static void expect_operands(struct look *look, struct span head, struct brig_list list, bool call)
{
    struct span before = head;
    for (uint32_t place = 0; place < list.count; place++) {
        unsigned index = call && place < 2 ? 1 - place : place;
        if (!list.items[index])
            continue;
        struct span span = find(look, BRIG_PART_OPERAND, index, 0);
        if (!expect(look, span.begin > before.begin && span.end > span.begin, span, "an operand"))
            return;
        expect(look, is_gap(look, before.end, span.begin, place ? ',' : 0), span, "the next operand");
        expect_operand(look, span, index, list.items[index]);
        before = span;
    }
    const char *end = memchr(look->text + before.end, ';', look->size - before.end);
    expect(look, end && is_gap(look, before.end, (uint32_t)(end - look->text), 0), before, "the last operand");
}

static void look_at_modifier(struct look *look, struct span mnemonic, unsigned dim, unsigned value)
{
    const struct lang_dim_info *info = lang_dim((enum lang_dim)dim);
    const char *word = info->set ? lang_value_text((enum lang_set)info->set, info->mask ? info->mask : value) : "";
    struct span found = find(look, BRIG_PART_MODIFIER, dim, 0);
    char text[64] = "";
    if (found.begin == mnemonic.begin && found.end == mnemonic.end)
        return; /* not written */
    switch ((enum lang_spelling)info->spelling) {
    case LANG_SPELLING_WORD: snprintf(text, sizeof text, "%s", word); break;
    case LANG_SPELLING_ARGUMENT: snprintf(text, sizeof text, "%s(%s)", info->text, word); break;
    case LANG_SPELLING_NUMBER: snprintf(text, sizeof text, "%s(%u)", info->text, value); break;
    case LANG_SPELLING_VECTOR: snprintf(text, sizeof text, "v%u", value); break;
    }
    size_t length = 0;
    bool same = true;
    for (uint32_t at = found.begin; at < found.end; at++)
        same &= look->text[at] == ' ' || look->text[at] == text[length++];
    expect(look, same && !text[length], found, text);
}

static void look_at_inst(struct look *look, uint32_t code)
{
    struct lang_inst inst;
    unsigned count;
    struct span mnemonic = find(look, BRIG_PART_WHOLE, 0, 0);
    if (!expect(look, lang_load(&look->view, code, &inst), mnemonic, "an instruction"))
        return;
    size_t length = strlen(inst.op->text);
    struct span op = {mnemonic.begin, mnemonic.begin + (uint32_t)length};
    expect_text(look, op, inst.op->text, "a mnemonic");
    const struct lang_slot *slots = lang_slots((enum lang_form)inst.op->form, &count);
    for (unsigned i = 0; i < count; i++)
        if (slots[i].presence == LANG_REQUIRED || slots[i].presence == LANG_OPTIONAL)
            look_at_modifier(look, mnemonic, slots[i].dim, inst.value[slots[i].dim]);
    expect_operands(look, mnemonic, inst.operands, inst.op->operands[0] == 'o');
}

static void look_at_initializer(struct look *look, uint32_t operand)
{
    const hsa_brig_base_t *base = brig_operand(&look->view, operand);
    struct span span = find(look, BRIG_PART_INITIALIZER, 0, 0);
    expect(look, look->text[span.end] == ';' || is_gap(look, span.end, span.end + 1, 0), span, "an initializer");
    if (base->kind != HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST) {
        expect_operand(look, span, 0, operand);
        return;
    }
    const hsa_brig_operand_constant_operand_list_t *list = (const void *)base;
    bool packed = list->type && !lang_type_is_array(list->type);
    expect_elements(look, span, BRIG_PART_INITIALIZER, 0, brig_list(&look->view, list->elements), packed);
}

static void look_at_variable(struct look *look)
{
    const hsa_brig_directive_variable_t *variable = (const void *)look->entry;
    struct bytes name = brig_string(&look->view, variable->name);
    struct span whole = find(look, BRIG_PART_WHOLE, 0, 0), type = find(look, BRIG_PART_TYPE, 0, 0);
    struct span align = find(look, BRIG_PART_ALIGN, 0, 0), dimension = find(look, BRIG_PART_DIMENSION, 0, 0);
    char text[64];
    if (name.size)
        expect(look, is_text(look, whole, name.data, name.size), whole, "the name of a variable");
    snprintf(text, sizeof text, "%s_%s", lang_value_text(LANG_SET_SEGMENT, variable->segment),
             lang_type(variable->type)->text);
    if (type.begin != whole.begin) /* pragmas of HSAIL 1.0 may name symbols that are declared nowhere */
        expect_text(look, type, text, text);
    if (align.begin != whole.begin) {
        snprintf(text, sizeof text, "align(%s)", lang_value_text(LANG_SET_ALIGNMENT, variable->align));
        expect_text(look, align, text, text);
    }
    if (lang_type_is_array(variable->type))
        expect(look, look->text[dimension.begin] == '[' && look->text[dimension.end - 1] == ']', dimension,
               "a dimension");
    if (variable->init)
        look_at_initializer(look, variable->init);
}

static void look_at(struct look *look, uint32_t code)
{
    const void *entry = look->entry;
    if (brig_is_inst(look->entry)) {
        look_at_inst(look, code);
    } else if (look->entry->kind == HSA_BRIG_KIND_DIRECTIVE_CONTROL) {
        const hsa_brig_directive_control_t *control = entry;
        expect_operands(look, find(look, BRIG_PART_WHOLE, 0, 0), brig_list(&look->view, control->operands), false);
    } else if (look->entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA) {
        const hsa_brig_directive_pragma_t *pragma = entry;
        expect_operands(look, find(look, BRIG_PART_WHOLE, 0, 0), brig_list(&look->view, pragma->operands), false);
    } else if (look->entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        look_at_variable(look);
    } else if (brig_is_executable(look->entry) || look->entry->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL ||
               look->entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER) {
        struct bytes name = name_of(look, code);
        struct span whole = find(look, BRIG_PART_WHOLE, 0, 0);
        expect(look, is_text(look, whole, name.data, name.size), whole, "a name");
    } else if (look->entry->kind == HSA_BRIG_KIND_DIRECTIVE_MODULE) {
        const hsa_brig_directive_module_t *module = entry;
        char text[32];
        snprintf(text, sizeof text, "%u:%u", module->hsail_major, module->hsail_minor);
        expect_text(look, find(look, BRIG_PART_VERSION, 0, 0), text, "a version");
    }
}

/* Checks all statements of TEXT. */
static void look_at_text(const char *name, const char *text, size_t size)
{
    struct asm_result result;
    struct look look = {.text = text, .size = size, .name = name};
    bool good = asm_text(text, size, NULL, &result) == BRIG_OK &&
                brig_open(result.module, result.size, NULL, &look.view) == BRIG_OK;
    for (size_t i = 0; good && i < result.positions.count; i++) {
        look.begin = result.positions.items[i].text;
        look.entry = brig_code(&look.view, result.positions.items[i].code);
        look_at(&look, result.positions.items[i].code);
    }
    ok(good && look.ranges && !look.wrong, "%s", name);
    asm_result_free(&result);
}

/* Checks TEXT as it is, and then as it is printed. */
static void look_twice(const char *path, const char *name, struct kept text)
{
    struct asm_result result;
    struct brig_view view;
    struct kept printed = {0};
    char title[256];
    (void)path;
    look_at_text(name, text.data, text.size);
    snprintf(title, sizeof title, "%s, printed", name);
    if (asm_text(text.data, text.size, NULL, &result) == BRIG_OK &&
        brig_open(result.module, result.size, NULL, &view) == BRIG_OK)
        dis_module(&view, NUMBER_C99, DIS_TABS, keep, &printed);
    keep(&printed, "", 1);
    look_at_text(title, printed.data, printed.size - 1);
    asm_result_free(&result);
    free(printed.data);
}

int main(void)
{
    for_each_module(look_twice);
    return tap_done();
}
