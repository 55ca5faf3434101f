/* SPDX-License-Identifier: MIT */
/* Pragmas: their name, the scope of what they mention, and the forms that the PRM defines (PRM 13.4).
 * Input: a pragma directive, at module level or in the code block being walked. Output: diagnostics. Invariant: a
 * pragma that no table knows can only be wrong in its name and its scope; errors in one that the PRM defines are
 * warnings, because no pragma changes what a module means. */
#include "brig/limit.h"
#include "brig/meaning_p.h"

#include <stdlib.h>

enum pragma_place { ANY, MODULE, CODE };

static const struct pragma_row {
    const char *name, *tag, *operands;
    uint8_t place; /* enum pragma_place */
} rows[] = {
#define PRAGMA(name, tag, place, operands) {name, tag, operands, place},
#include "brig/tables/pragma.def"
};
#define ROWS (sizeof rows / sizeof *rows)

static bool begins_with(struct bytes bytes, const char *text)
{
    return bytes.size >= strlen(text) && memcmp(bytes.data, text, strlen(text)) == 0;
}

/* The text of a string operand; empty for another one. */
static struct bytes string_of(const struct meaning *v, uint32_t operand)
{
    const hsa_brig_operand_string_t *string = OPERAND_AS(v, hsa_brig_operand_string_t, operand);
    return string->base.kind == HSA_BRIG_KIND_OPERAND_STRING ? brig_string(v->view, string->string) : (struct bytes){0};
}

/* ---- Scope ----------------------------------------------------------------------------------------- */

/* Placeholders for values of profile events are declared after their use, or by nobody (13.4.2). */
static bool is_named(struct meaning *v, uint32_t at, const hsa_brig_operand_code_ref_t *operand)
{
    struct bytes name = meaning_name(v, operand->ref);
    return lang_placeholder(name.data, name.size) >= 0 || meaning_in_scope(v, at, operand->ref);
}

static void check_operand(struct meaning *v, uint32_t at, uint32_t operand, unsigned index)
{
    const hsa_brig_base_t *entry = brig_operand(v->view, operand);
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER:
        meaning_constant(v, at, operand);
        meaning_references(v, at, operand);
        break;
    case HSA_BRIG_KIND_OPERAND_REGISTER:
        if (!v->scope)
            MEANING_FAIL(v, PRAGMA_SCOPE, at, index);
        else if (((const hsa_brig_operand_register_t *)(const void *)entry)->reg_num >= LIMIT_REGISTER_NUMBER)
            MEANING_FAIL(v, REGISTER_NUMBER, at);
        else
            meaning_note_register(v, (const void *)entry);
        break;
    case HSA_BRIG_KIND_OPERAND_CODE_REF:
        if (!is_named(v, at, (const void *)entry))
            MEANING_FAIL(v, PRAGMA_SCOPE, at, index);
        break;
    default: break;
    }
}

/* ---- Operands by their letters --------------------------------------------------------------------- */

static bool is_integer(const struct meaning *v, uint32_t operand, uint64_t *value)
{
    const hsa_brig_operand_constant_bytes_t *constant = OPERAND_AS(v, hsa_brig_operand_constant_bytes_t, operand);
    *value = 1; /* an address counts as other than 0 */
    if (constant->base.kind == HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION)
        return true;
    if (constant->base.kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES || lang_type_is_array(constant->type))
        return false;
    const struct lang_type *type = lang_type(constant->type);
    struct bytes bytes = brig_bytes(v->view, constant->bytes);
    if (type->count > 1 || (type->class_ != LANG_CLASS_UNSIGNED && type->class_ != LANG_CLASS_SIGNED))
        return false;
    *value = 0;
    memcpy(value, bytes.data, bytes.size < sizeof *value ? bytes.size : sizeof *value);
    return true;
}

static bool is_register(const struct meaning *v, uint32_t operand, unsigned kind)
{
    const hsa_brig_operand_register_t *reg = OPERAND_AS(v, hsa_brig_operand_register_t, operand);
    return reg->base.kind == HSA_BRIG_KIND_OPERAND_REGISTER && (kind == UINT8_MAX || reg->reg_kind == kind);
}

/* The directive that an operand names, or NULL. */
static const hsa_brig_base_t *named(const struct meaning *v, uint32_t operand)
{
    const hsa_brig_operand_code_ref_t *ref = OPERAND_AS(v, hsa_brig_operand_code_ref_t, operand);
    return ref->base.kind == HSA_BRIG_KIND_OPERAND_CODE_REF ? brig_code(v->view, ref->ref) : NULL;
}

static bool is_variable(const struct meaning *v, uint32_t operand, bool of_module)
{
    const hsa_brig_base_t *entry = named(v, operand);
    if (!entry || entry->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        return false;
    uint8_t linkage = ((const hsa_brig_directive_variable_t *)(const void *)entry)->linkage;
    return !of_module || linkage == HSA_BRIG_LINKAGE_MODULE || linkage == HSA_BRIG_LINKAGE_PROGRAM;
}

static bool is_segment(struct bytes text)
{
    static const char *const segments[] = {"flat", "global", "group", "private", "readonly", "kernarg"};
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
        if (bytes_are_text(text, segments[i]))
            return true;
    return false;
}

/* A value of a profile event. */
static bool is_value(const struct meaning *v, uint32_t operand)
{
    const hsa_brig_operand_constant_bytes_t *constant = OPERAND_AS(v, hsa_brig_operand_constant_bytes_t, operand);
    const hsa_brig_base_t *entry = named(v, operand);
    uint64_t value;
    if (entry && entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        struct bytes name = brig_string(v->view, ((const hsa_brig_directive_variable_t *)(const void *)entry)->name);
        return lang_placeholder(name.data, name.size) >= 0;
    }
    if (constant->base.kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES && !lang_type_is_array(constant->type) &&
        lang_type(constant->type)->class_ == LANG_CLASS_FLOAT)
        return lang_type(constant->type)->count == 1;
    return constant->base.kind == HSA_BRIG_KIND_OPERAND_STRING || is_register(v, operand, UINT8_MAX) ||
           is_integer(v, operand, &value);
}

static void note_entity(struct meaning *v, uint32_t at, uint64_t number)
{
    struct pragma_entity entity = {number, at};
    if (!vec_push(&v->entities, entity))
        v->out_of_memory = true;
}

/* NULL when the operand is what the letter asks for, else the words for what it asks for. */
static const char *wrong(struct meaning *v, uint32_t at, char letter, uint32_t operand)
{
    uint64_t value;
    bool string = brig_operand(v->view, operand)->kind == HSA_BRIG_KIND_OPERAND_STRING;
    const hsa_brig_base_t *entry = named(v, operand);
    switch (letter) {
    case 'e':
        if (!is_integer(v, operand, &value))
            return "an integer";
        note_entity(v, at, value);
        return NULL;
    case 'i': return is_integer(v, operand, &value) ? NULL : "an integer";
    case 'n': return is_integer(v, operand, &value) && value ? NULL : "an integer other than 0";
    case 's': return string ? NULL : "a string";
    case 'S': return is_segment(string_of(v, operand)) ? NULL : "the name of a segment";
    case 'r': return is_register(v, operand, UINT8_MAX) ? NULL : "a register";
    case 'v': return is_variable(v, operand, true) ? NULL : "a variable of the module";
    case 'l': return is_variable(v, operand, false) ? NULL : "a variable";
    case 'k':
        return entry && brig_is_executable(entry) && entry->kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE
                   ? NULL
                   : "a kernel or function";
    case 'I':
        return is_register(v, operand, HSA_BRIG_REGISTER_KIND_DOUBLE) || is_integer(v, operand, &value)
                   ? NULL
                   : "an integer or a d register";
    case 'g': return is_value(v, operand) ? NULL : "a value of an event";
    default: return NULL; /* the tag */
    }
}

/* ---- The pragmas of the PRM ------------------------------------------------------------------------ */

/* Whether the tag of ROW stands where it must. */
static bool has_tag(const struct meaning *v, const struct pragma_row *row, struct brig_list list)
{
    const char *tag = strchr(row->operands, 't');
    if (!tag)
        return true;
    size_t index = (size_t)(tag - row->operands) + 1;
    return index < list.count && bytes_are_text(string_of(v, list.items[index]), row->tag);
}

static void check_row(struct meaning *v, uint32_t at, const struct pragma_row *row, struct brig_list list)
{
    const char *letter = row->operands;
    uint32_t index = 1;
    for (; *letter && index < list.count; index++) {
        letter += *letter == '?';
        const char *what = wrong(v, at, *letter, list.items[index]);
        struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, index, 0);
        if (what)
            MEANING_WARN(v, PRAGMA_OPERAND, at, index, row->name, what);
        v->part = before;
        letter += letter[1] != '*';
    }
    if (index < list.count)
        MEANING_WARN(v, PRAGMA_OPERANDS, at, row->name, list.count - 1, "many");
    else if (*letter && *letter != '?' && letter[1] != '*')
        MEANING_WARN(v, PRAGMA_OPERANDS, at, row->name, list.count - 1, "few");
}

static void check_place(struct meaning *v, uint32_t at, const struct pragma_row *row, struct bytes name)
{
    if (row->place == MODULE && v->scope)
        MEANING_WARN(v, PRAGMA_PLACE, at, row->name, "outside of kernels and functions");
    if (row->place == CODE && !v->scope)
        MEANING_WARN(v, PRAGMA_PLACE, at, row->name, "in a kernel or function");
    if (bytes_are_text(name, "hsa.tools.debug.version") && v->debug_pragma)
        MEANING_WARN(v, PRAGMA_PLACE, at, row->name, "before other debug pragmas");
    v->debug_pragma |= begins_with(name, "hsa.tools.debug.");
}

static void check_known(struct meaning *v, uint32_t at, struct bytes name, struct brig_list list)
{
    bool known = false;
    for (size_t i = 0; i < ROWS; i++) {
        if (!bytes_are_text(name, rows[i].name))
            continue;
        known = true;
        if (!has_tag(v, &rows[i], list))
            continue;
        check_row(v, at, &rows[i], list);
        check_place(v, at, &rows[i], name);
        if (bytes_are_text(name, "hsa.loop.parallel"))
            v->loop_pragma = at; /* until its label follows */
        return;
    }
    if (known)
        MEANING_WARN(v, PRAGMA_TAG, at, name);
    else
        MEANING_WARN(v, PRAGMA_UNKNOWN, at, name);
}

void meaning_pragma(struct meaning *v, uint32_t at)
{
    struct brig_list list = brig_list(v->view, CODE_AS(v, hsa_brig_directive_pragma_t, at)->operands);
    if (!list.count)
        return; /* the structural check reports it */
    struct diag_part before = v->part;
    for (uint32_t i = 0; i < list.count; i++) {
        meaning_part(v, BRIG_PART_OPERAND, i, 0);
        check_operand(v, at, list.items[i], i);
    }
    v->part = before;
    struct bytes name = string_of(v, list.items[0]);
    if (brig_operand(v->view, list.items[0])->kind != HSA_BRIG_KIND_OPERAND_STRING) {
        if (brig_module_directive(v->view)->hsail_minor)
            MEANING_FAIL(v, PRAGMA_NAME, at);
        else
            MEANING_WARN(v, PRAGMA_UNNAMED, at);
    } else if (begins_with(name, "hsa.")) {
        check_known(v, at, name, list);
    }
}

static int compare_entities(const void *left, const void *right)
{
    const struct pragma_entity *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->directive < b->directive ? -1 : a->directive > b->directive;
}

/* At the end of the module: warns of numbers that are 0 or used twice. */
void meaning_entities(struct meaning *v)
{
    struct pragma_entity *items = v->entities.items;
    if (v->entities.count)
        qsort(items, v->entities.count, sizeof *items, compare_entities);
    for (size_t i = 0; i < v->entities.count; i++)
        if (!items[i].number || (i && items[i].number == items[i - 1].number))
            MEANING_WARN(v, PRAGMA_ENTITY, items[i].directive, items[i].number);
}
