/* SPDX-License-Identifier: MIT */
/* Comparison of modules by meaning; see equivalent.h.
 * Input: two opened views. Output: whether they are equivalent, or the first difference. Invariant: the entries of
 * hsa_code are matched in their order first, so that references can be compared by what they lead to. */
#include "testsuite/brig/equivalent.h"

#include "brig/control.h"
#include "brig/item.h"
#include "brig/operand_type.h"
#include "support/alloc.h"

#include <stdarg.h>
#include <stdio.h>

/* The entries of hsa_code without pads. Annotations among formal arguments are moved after these. */
struct sequence {
    const struct brig_view *view;
    uint32_t *at;    /* offsets in hsa_code */
    uint32_t *index; /* by offset / 4: index in AT; that of the entry that follows, for a pad or the end of a body */
    uint32_t count;
};

struct comparison {
    struct sequence one, two;
    uint32_t *match; /* index in TWO by index in ONE */
    uint32_t here;   /* offset in ONE, for the report */
    bool large;
    bool old; /* HSAIL 1:0: a constant of a bit type is stored as an unsigned one, whatever was written */
    char *why;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool differ(struct comparison *c, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(c->why, c->size, "hsa_code offset %u: %s", c->here, what);
    return false;
}

static bool is_annotation(uint32_t kind)
{
    return kind == HSA_BRIG_KIND_DIRECTIVE_COMMENT || kind == HSA_BRIG_KIND_DIRECTIVE_LOC ||
           kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA;
}

/* ---- Sequences ------------------------------------------------------------------------------------- */

static void add(struct sequence *sequence, uint32_t at)
{
    sequence->index[at / 4] = sequence->count;
    if (brig_code(sequence->view, at)->kind != HSA_BRIG_KIND_NONE)
        sequence->at[sequence->count++] = at;
}

/* Adds the entries of [AT, END) that are annotations, or else those that are not. */
static void add_some(struct sequence *sequence, uint32_t at, uint32_t end, bool annotations)
{
    for (; at < end; at = brig_next_code(sequence->view, at))
        if (is_annotation(brig_code(sequence->view, at)->kind) == annotations)
            add(sequence, at);
}

static bool make_sequence(struct sequence *sequence, const struct brig_view *view)
{
    uint32_t end = brig_end_code(view);
    *sequence = (struct sequence){.view = view};
    sequence->at = mem_zalloc(end / 4 + 1, sizeof *sequence->at);
    sequence->index = mem_zalloc(end / 4 + 1, sizeof *sequence->index);
    if (!sequence->at || !sequence->index)
        return false;
    for (uint32_t at = brig_first_code(view); at < end;) {
        const hsa_brig_base_t *entry = brig_code(view, at);
        add(sequence, at);
        at = brig_next_code(view, at);
        if (brig_is_executable(entry)) {
            uint32_t body = ((const hsa_brig_directive_executable_t *)(const void *)entry)->first_code_block_entry;
            add_some(sequence, at, body, false);
            add_some(sequence, at, body, true);
            at = body;
        }
    }
    sequence->index[end / 4] = sequence->count;
    return true;
}

static const hsa_brig_base_t *entry_of(const struct sequence *sequence, uint32_t index)
{
    return brig_code(sequence->view, sequence->at[index]);
}

/* ---- Comments -------------------------------------------------------------------------------------- */

/* A place in a sequence: an entry, or a line of a comment. */
struct cursor {
    const struct sequence *sequence;
    uint32_t index;
    size_t line; /* offset of the line's first byte */
};

static bool at_comment(const struct cursor *cursor)
{
    return cursor->index < cursor->sequence->count &&
           entry_of(cursor->sequence, cursor->index)->kind == HSA_BRIG_KIND_DIRECTIVE_COMMENT;
}

/* Takes a line, and returns it without its slashes. */
static struct bytes take_line(struct cursor *cursor)
{
    const hsa_brig_directive_comment_t *comment = (const void *)entry_of(cursor->sequence, cursor->index);
    struct bytes text = brig_string(cursor->sequence->view, comment->name);
    struct bytes line = {text.data + cursor->line, text.size - cursor->line};
    const uint8_t *end = line.size ? memchr(line.data, '\n', line.size) : NULL;
    if (end) {
        line.size = (size_t)(end - line.data);
        cursor->line += line.size + 1;
    } else {
        cursor->line = 0;
        cursor->index++;
    }
    while (line.size && line.data[line.size - 1] == '\r') /* text has it as a part of the line's end */
        line.size--;
    if (line.size >= 2 && line.data[0] == '/' && line.data[1] == '/')
        line = (struct bytes){line.data + 2, line.size - 2};
    return line;
}

static bool same_bytes(struct bytes one, struct bytes two)
{
    return one.size == two.size && (!one.size || !memcmp(one.data, two.data, one.size));
}

/* Whether two entries may match: instructions by opcode, everything else by kind. */
static bool same_kind(const hsa_brig_base_t *one, const hsa_brig_base_t *two)
{
    if (!brig_is_inst(one) || !brig_is_inst(two))
        return one->kind == two->kind;
    return ((const hsa_brig_inst_base_t *)(const void *)one)->opcode ==
           ((const hsa_brig_inst_base_t *)(const void *)two)->opcode;
}

/* Matches the entries one by one, and compares the comments between them. */
static bool match_entries(struct comparison *c)
{
    struct cursor one = {&c->one, 0, 0}, two = {&c->two, 0, 0};
    while (one.index < c->one.count && two.index < c->two.count) {
        c->here = c->one.at[one.index];
        if (!one.line)
            c->match[one.index] = two.index;
        const hsa_brig_base_t *left = entry_of(&c->one, one.index), *right = entry_of(&c->two, two.index);
        if (at_comment(&one) && at_comment(&two)) {
            if (!same_bytes(take_line(&one), take_line(&two)))
                return differ(c, "another comment");
        } else if (!same_kind(left, right)) {
            return differ(c, "%s against %s", brig_kind(left->kind)->name, brig_kind(right->kind)->name);
        } else {
            one.index++;
            two.index++;
        }
    }
    c->match[c->one.count] = c->two.count;
    c->here = one.index < c->one.count ? c->one.at[one.index] : brig_end_code(c->one.view);
    if (one.index < c->one.count || two.index < c->two.count)
        return differ(c, "the %s module ends here", one.index < c->one.count ? "second" : "first");
    return true;
}

/* ---- References, strings, operands ----------------------------------------------------------------- */

static bool same_code(struct comparison *c, uint32_t one, uint32_t two)
{
    if (!one || !two)
        return one == two || differ(c, "a reference against none");
    return c->match[c->one.index[one / 4]] == c->two.index[two / 4] ||
           differ(c, "a reference to hsa_code %u against %u", one, two);
}

static bool same_string(struct comparison *c, uint32_t one, uint32_t two)
{
    struct bytes left = brig_string(c->one.view, one), right = brig_string(c->two.view, two);
    return same_bytes(left, right) ||
           differ(c, "bytes '%.*s' against '%.*s'", (int)(left.size < 60 ? left.size : 60), (const char *)left.data,
                  (int)(right.size < 60 ? right.size : 60), (const char *)right.data);
}

/* What is known of an operand from its place in the instruction. */
struct place {
    uint16_t expected; /* its type; NONE: the one that the operand names */
    bool narrow;       /* addresses have 32 bits */
};

static bool same_operand(struct comparison *c, uint32_t one, uint32_t two, struct place place);

static bool same_operands(struct comparison *c, uint32_t one, uint32_t two, struct place place)
{
    struct brig_list left = brig_list(c->one.view, one), right = brig_list(c->two.view, two);
    if (left.count != right.count)
        return differ(c, "%u operands or elements against %u", left.count, right.count);
    for (uint32_t i = 0; i < left.count; i++)
        if (!same_operand(c, left.items[i], right.items[i], place))
            return false;
    return true;
}

static bool same_codes(struct comparison *c, uint32_t one, uint32_t two)
{
    struct brig_list left = brig_list(c->one.view, one), right = brig_list(c->two.view, two);
    if (left.count != right.count)
        return differ(c, "%u names against %u", left.count, right.count);
    for (uint32_t i = 0; i < left.count; i++)
        if (!same_code(c, left.items[i], right.items[i]))
            return false;
    return true;
}

/* Whether a field is left out of a comparison that goes by the fields' roles. */
typedef bool skip_fn(const struct brig_field *field);

static bool skip_none(const struct brig_field *field)
{
    (void)field;
    return false;
}

static bool same_field(struct comparison *c, const void *one, const void *two, const struct brig_field *field,
                       struct place place)
{
    uint64_t left = brig_field_value(one, field), right = brig_field_value(two, field);
    switch ((enum brig_role)field->role) {
    case BRIG_ROLE_BASE:
    case BRIG_ROLE_ZERO: return true;
    case BRIG_ROLE_STRING: return same_string(c, (uint32_t)left, (uint32_t)right);
    case BRIG_ROLE_OPERANDS: return same_operands(c, (uint32_t)left, (uint32_t)right, place);
    case BRIG_ROLE_CODES: return same_codes(c, (uint32_t)left, (uint32_t)right);
    case BRIG_ROLE_OPERAND: return same_operand(c, (uint32_t)left, (uint32_t)right, place);
    case BRIG_ROLE_CODE: return same_code(c, (uint32_t)left, (uint32_t)right);
    default:
        return left == right ||
               differ(c, "%s is %#llx against %#llx", field->name, (unsigned long long)left, (unsigned long long)right);
    }
}

static bool same_fields(struct comparison *c, const hsa_brig_base_t *one, const hsa_brig_base_t *two, skip_fn *skip,
                        struct place place)
{
    const struct brig_struct_info *layout = brig_kind(one->kind)->layout;
    for (unsigned i = 0; i < layout->field_count; i++)
        if (!skip(&layout->fields[i]) && !same_field(c, one, two, &layout->fields[i], place))
            return false;
    return true;
}

static bool skip_type(const struct brig_field *field)
{
    return field->role == BRIG_ROLE_TYPE;
}

static bool skip_type_and_operands(const struct brig_field *field)
{
    return field->role == BRIG_ROLE_TYPE || field->role == BRIG_ROLE_OPERANDS;
}

static bool skip_offset(const struct brig_field *field)
{
    return !strcmp(field->name, "offset");
}

/* The type as which a constant of TYPE and SIZE bytes is read if the instruction expects the type EXPECTED. */
static uint16_t read_as(const struct comparison *c, uint16_t type, uint32_t size, uint16_t expected)
{
    const struct lang_type *want = lang_type(expected);
    bool bits = want && want->class_ == LANG_CLASS_BIT && !c->old && expected != HSA_BRIG_TYPE_B1;
    bool told = want && want->class_ != LANG_CLASS_NONE && !bits;
    return told && !lang_type_is_array(type) && lang_type_size(expected) == size ? expected : type;
}

/* Reads byte AT of a constant, which may be an entry with bytes or, as some producers write it, a list of such entries.
 */
static bool constant_byte(const struct brig_view *view, uint32_t operand, uint64_t at, uint8_t *byte)
{
    const hsa_brig_operand_constant_bytes_t *constant = (const void *)brig_operand(view, operand);
    if (constant->base.kind == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST) {
        /* Type and list are at the same places; all elements have the size of the type's. */
        struct brig_list list = brig_list(view, constant->bytes);
        const struct lang_type *type = lang_type(constant->type);
        uint32_t size = lang_type_is_array(constant->type) ? lang_type_size(type->code) : lang_type_size(type->element);
        if (at / size >= list.count)
            return false;
        constant = (const void *)brig_operand(view, list.items[at / size]);
        at %= size;
    }
    struct bytes bytes = brig_bytes(view, constant->bytes);
    if (constant->base.kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES || at >= bytes.size)
        return false;
    *byte = bytes.data[at];
    return true;
}

/* Compares two constants byte by byte, of which each may be a list. */
static bool same_plain(struct comparison *c, uint32_t one, uint32_t two)
{
    const hsa_brig_operand_constant_bytes_t *left = (const void *)brig_operand(c->one.view, one);
    const hsa_brig_operand_constant_bytes_t *right = (const void *)brig_operand(c->two.view, two);
    if (left->type != right->type)
        return differ(c, "a constant of type %#x against %#x", left->type, right->type);
    for (uint64_t at = 0;; at++) {
        uint8_t here = 0, there = 0;
        bool more = constant_byte(c->one.view, one, at, &here);
        if (more != constant_byte(c->two.view, two, at, &there) || here != there)
            return differ(c, "another constant from byte %llu on", (unsigned long long)at);
        if (!more)
            return true;
    }
}

/* What an expression refers to, and the offset that it adds (doc/decisions/address-constants.md). */
struct expression {
    uint32_t ref; /* 0: to nothing */
    uint64_t offset;
};

static struct expression expression(const struct brig_view *view, const hsa_brig_base_t *entry)
{
    const hsa_brig_operand_constant_expression_t *operand = (const void *)entry;
    struct brig_list list = brig_list(view, operand->operands);
    struct expression result = {list.count ? list.items[0] : 0, 0};
    if (list.count > 1) {
        const hsa_brig_operand_constant_bytes_t *offset = (const void *)brig_operand(view, list.items[1]);
        result.offset = load64(brig_bytes(view, offset->bytes).data);
    }
    return result;
}

static bool same_expression(struct comparison *c, const hsa_brig_base_t *left, const hsa_brig_base_t *right)
{
    struct expression here = expression(c->one.view, left), there = expression(c->two.view, right);
    if (here.offset != there.offset)
        return differ(c, "an expression with offset %#llx against %#llx", (unsigned long long)here.offset,
                      (unsigned long long)there.offset);
    return same_operand(c, here.ref, there.ref, (struct place){0}) &&
           same_fields(c, left, right, skip_type_and_operands, (struct place){0});
}

static bool is_plain(uint32_t kind, uint32_t other)
{
    return kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES && other == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST;
}

static bool same_operand(struct comparison *c, uint32_t one, uint32_t two, struct place place)
{
    if (!one || !two)
        return one == two || differ(c, "an operand against none");
    const hsa_brig_base_t *left = brig_operand(c->one.view, one), *right = brig_operand(c->two.view, two);
    if (is_plain(left->kind, right->kind) || is_plain(right->kind, left->kind))
        return same_plain(c, one, two);
    if (left->kind != right->kind)
        return differ(c, "%s against %s", brig_kind(left->kind)->name, brig_kind(right->kind)->name);
    switch (left->kind) {
    case HSA_BRIG_KIND_OPERAND_ADDRESS: {
        uint64_t here = brig_u64(((const hsa_brig_operand_address_t *)(const void *)left)->offset);
        uint64_t there = brig_u64(((const hsa_brig_operand_address_t *)(const void *)right)->offset);
        if (place.narrow ? (uint32_t)here != (uint32_t)there : here != there)
            return differ(c, "address offset %#llx against %#llx", (unsigned long long)here, (unsigned long long)there);
        return same_fields(c, left, right, skip_offset, (struct place){0});
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: {
        bool bytes = left->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES;
        const hsa_brig_operand_constant_bytes_t *here = (const void *)left, *there = (const void *)right;
        uint32_t size = bytes ? (uint32_t)brig_bytes(c->one.view, here->bytes).size : lang_type_size(here->type);
        uint32_t other = bytes ? (uint32_t)brig_bytes(c->two.view, there->bytes).size : lang_type_size(there->type);
        if (read_as(c, here->type, size, place.expected) != read_as(c, there->type, other, place.expected))
            return differ(c, "a constant of type %#x against %#x", here->type, there->type);
        return bytes ? same_fields(c, left, right, skip_type, (struct place){0}) : same_expression(c, left, right);
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: {
        uint16_t type = ((const hsa_brig_operand_constant_operand_list_t *)(const void *)left)->type;
        bool packed = type && !lang_type_is_array(type);
        return same_fields(c, left, right, skip_none,
                           (struct place){packed ? lang_type(type)->element : HSA_BRIG_TYPE_NONE, false});
    }
    default: return same_fields(c, left, right, skip_none, place);
    }
}

/* ---- Entries --------------------------------------------------------------------------------------- */

/* Text spells neither NONE nor FLOAT_DEFAULT, and some producers write one where others write the other. */
static uint16_t modifier(const struct comparison *c, const struct lang_inst *inst, const struct lang_slot *slot)
{
    uint16_t value = inst->value[slot->dim];
    bool unsaid = slot->dim == LANG_DIM_ROUND && !*lang_value_text(LANG_SET_ROUND, value);
    return unsaid ? lang_default(inst, slot, c->one.view->brig_minor) : value;
}

/* Compares the modifiers that text has. The others follow from the opcode, whatever the entry holds. */
static bool same_modifiers(struct comparison *c, const struct lang_inst *one, const struct lang_inst *two)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)one->op->form, &count);
    for (unsigned i = 0; i < count; i++) {
        uint16_t left = modifier(c, one, &slots[i]), right = modifier(c, two, &slots[i]);
        if (slots[i].presence != LANG_FIXED && left != right)
            return differ(c, "%s: modifier '%s' is %u against %u", one->op->text,
                          lang_dim((enum lang_dim)slots[i].dim)->text, left, right);
    }
    return true;
}

static bool same_inst(struct comparison *c, uint32_t one, uint32_t two)
{
    struct lang_inst left, right;
    if (!lang_load(c->one.view, one, &left) || !lang_load(c->two.view, two, &right))
        return differ(c, "no instruction");
    if (!same_modifiers(c, &left, &right))
        return false;
    if (left.operands.count != right.operands.count)
        return differ(c, "%s: %u operands against %u", left.op->text, left.operands.count, right.operands.count);
    bool narrow = lang_segment_is_narrow(left.value[LANG_DIM_SEGMENT], c->large);
    for (unsigned i = 0; i < left.operands.count; i++)
        if (!same_operand(c, left.operands.items[i], right.operands.items[i],
                          (struct place){lang_operand_type(&left, i), narrow}))
            return false;
    return true;
}

static bool skip_positions(const struct brig_field *field)
{
    return field->role == BRIG_ROLE_CODE;
}

static bool skip_linkage(const struct brig_field *field)
{
    return !strcmp(field->name, "linkage");
}

/* The formal arguments follow their executable, so they have been compared; of the positions only the end of its body
 * is left to compare. */
static bool same_executable(struct comparison *c, const hsa_brig_base_t *one, const hsa_brig_base_t *two)
{
    const hsa_brig_directive_executable_t *left = (const void *)one, *right = (const void *)two;
    bool body =
        (left->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION) && one->kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    return same_fields(c, one, two, skip_positions, (struct place){0}) &&
           (!body || same_code(c, left->next_module_entry, right->next_module_entry));
}

static bool same_entry(struct comparison *c, uint32_t index, bool formal)
{
    uint32_t one = c->one.at[index], two = c->two.at[c->match[index]];
    const hsa_brig_base_t *left = brig_code(c->one.view, one), *right = brig_code(c->two.view, two);
    struct place place = {0};
    if (left->kind == HSA_BRIG_KIND_DIRECTIVE_COMMENT)
        return true;
    if (brig_is_inst(left))
        return same_inst(c, one, two);
    if (brig_is_executable(left))
        return same_executable(c, left, right);
    if (left->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        place.expected = ((const hsa_brig_directive_variable_t *)(const void *)left)->type;
    else if (left->kind == HSA_BRIG_KIND_DIRECTIVE_CONTROL)
        place.expected = control_row(((const hsa_brig_directive_control_t *)(const void *)left)->control)->type;
    return same_fields(c, left, right, formal ? skip_linkage : skip_none, place);
}

static bool same_entries(struct comparison *c)
{
    uint32_t formals = 0;
    for (uint32_t i = 0; i < c->one.count; i++) {
        const hsa_brig_base_t *entry = entry_of(&c->one, i);
        c->here = c->one.at[i];
        if (!same_entry(c, i, formals != 0))
            return false;
        formals -= formals != 0;
        if (brig_is_executable(entry)) {
            const hsa_brig_directive_executable_t *executable = (const void *)entry;
            formals = (uint32_t)executable->out_arg_count + executable->in_arg_count;
        }
    }
    return true;
}

bool brig_equivalent(const struct brig_view *one, const struct brig_view *two, char *why, size_t size)
{
    struct comparison c = {
        .large = brig_module_directive(one)->machine_model == HSA_BRIG_MACHINE_MODEL_LARGE,
        .old = !brig_module_directive(one)->hsail_minor,
        .why = why,
        .size = size,
    };
    bool memory = make_sequence(&c.one, one);
    memory &= make_sequence(&c.two, two);
    c.match = mem_zalloc((size_t)c.one.count + 1, sizeof *c.match);
    memory &= c.match != NULL;
    bool same = memory ? match_entries(&c) && same_entries(&c) : differ(&c, "out of memory");
    mem_free(c.one.at);
    mem_free(c.one.index);
    mem_free(c.two.at);
    mem_free(c.two.index);
    mem_free(c.match);
    return same;
}
