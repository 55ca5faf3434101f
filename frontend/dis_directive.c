/* SPDX-License-Identifier: MIT */
/* Printing directives, and walking through hsa_code (PRM 18.5.1).
 * Input: the entry at an offset. Output: its text, and that of its formals and body. Invariant: entries are printed in
 * their order, each once. */
#include "frontend/dis_p.h"

static void indent(struct dis *dis)
{
    for (unsigned i = 0; i < dis->depth; i++)
        dis_char(dis, '\t');
}

static void quoted(struct dis *dis, uint32_t data)
{
    dis_string(dis, brig_string(dis->view, data));
}

static void print_value(struct dis *dis, enum lang_set set, unsigned code)
{
    dis_text(dis, lang_value_text(set, code));
}

static void number_after(struct dis *dis, char before, uint64_t number)
{
    dis_char(dis, before);
    dis_unsigned(dis, number);
}

static void print_module(struct dis *dis, const hsa_brig_directive_module_t *entry)
{
    struct bytes name = brig_string(dis->view, entry->name);
    dis_text(dis, "module ");
    dis_bytes(dis, name.data, name.size);
    number_after(dis, ':', entry->hsail_major);
    number_after(dis, ':', entry->hsail_minor);
    dis_text(dis, ":$");
    print_value(dis, LANG_SET_PROFILE, entry->profile);
    dis_text(dis, ":$");
    print_value(dis, LANG_SET_MACHINE_MODEL, entry->machine_model);
    dis_text(dis, ":$");
    const char *rounding = lang_value_text(LANG_SET_ROUND, entry->default_float_round);
    dis_text(dis, *rounding ? rounding : "default");
    dis_text(dis, ";\n");
}

/* A comment is a line that begins with two slashes, whatever another producer stored. */
static void print_comment(struct dis *dis, const hsa_brig_directive_comment_t *entry)
{
    struct bytes text = brig_string(dis->view, entry->name);
    for (size_t at = 0;;) {
        size_t next = at;
        while (next < text.size && text.data[next] != '\n')
            next++;
        size_t end = next;
        while (end > at && text.data[end - 1] == '\r') /* belongs to the end of the line in text, not to the comment */
            end--;
        if (at)
            indent(dis);
        if (end - at < 2 || text.data[at] != '/' || text.data[at + 1] != '/')
            dis_text(dis, "//");
        dis_bytes(dis, text.data + at, end - at);
        dis_char(dis, '\n');
        if (next == text.size)
            return;
        at = next + 1;
    }
}

static void print_operands(struct dis *dis, uint32_t list_offset, enum dis_use use, uint16_t type)
{
    struct brig_list list = brig_list(dis->view, list_offset);
    for (uint32_t i = 0; i < list.count; i++) {
        dis_text(dis, i ? ", " : " ");
        dis_constant(dis, list.items[i], type, use);
    }
    dis_text(dis, ";\n");
}

static uint8_t natural_alignment(uint16_t type)
{
    uint32_t bytes = lang_type_size(type);
    return bytes ? (uint8_t)(HSA_BRIG_ALIGNMENT_1 + __builtin_ctz(bytes)) : HSA_BRIG_ALIGNMENT_1;
}

/* Qualifiers, type, name and dimension; what follows is the caller's. */
static void print_variable(struct dis *dis, const hsa_brig_directive_variable_t *entry, bool formal)
{
    struct bytes name = brig_string(dis->view, entry->name);
    if (!formal && !(entry->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION))
        dis_text(dis, "decl ");
    if (entry->linkage == HSA_BRIG_LINKAGE_PROGRAM)
        dis_text(dis, "prog ");
    if (entry->allocation == HSA_BRIG_ALLOCATION_AGENT && entry->segment == HSA_BRIG_SEGMENT_GLOBAL)
        dis_text(dis, "alloc(agent) ");
    if (entry->align != natural_alignment(entry->type) && entry->align != HSA_BRIG_ALIGNMENT_NONE) {
        dis_text(dis, "align(");
        print_value(dis, LANG_SET_ALIGNMENT, entry->align);
        dis_text(dis, ") ");
    }
    if (entry->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST)
        dis_text(dis, "const ");
    print_value(dis, LANG_SET_SEGMENT, entry->segment);
    dis_char(dis, '_');
    dis_text(dis, lang_type(entry->type)->text);
    if (name.size)
        dis_char(dis, ' ');
    dis_bytes(dis, name.data, name.size);
    if (!lang_type_is_array(entry->type))
        return;
    dis_char(dis, '[');
    if (brig_u64(entry->dim))
        dis_unsigned(dis, brig_u64(entry->dim));
    dis_char(dis, ']');
}

/* The formals in [BEGIN, END), among which there may be annotations. */
static void print_formals(struct dis *dis, uint32_t begin, uint32_t end, bool lines)
{
    unsigned printed = 0;
    dis_char(dis, '(');
    for (uint32_t at = begin; at < end; at = brig_next_code(dis->view, at)) {
        const hsa_brig_base_t *base = brig_code(dis->view, at);
        if (brig_is_annotation(base))
            continue;
        dis_text(dis, printed++ ? "," : "");
        dis_text(dis, lines ? "\n\t" : printed > 1 ? " " : "");
        print_variable(dis, (const void *)base, true);
    }
    dis_char(dis, ')');
}

/* Prints the annotations in [BEGIN, END), which other producers may put between formals; the text has no place for them
 * there, so they follow the formals. */
static void print_annotations(struct dis *dis, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at = brig_next_code(dis->view, at))
        if (brig_is_annotation(brig_code(dis->view, at)))
            dis_directive(dis, at);
}

static const char *executable_word(unsigned kind)
{
    switch (kind) {
    case HSA_BRIG_KIND_DIRECTIVE_KERNEL: return "kernel ";
    case HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION: return "indirect function ";
    case HSA_BRIG_KIND_DIRECTIVE_SIGNATURE: return "signature ";
    default: return "function ";
    }
}

/* All before the body. */
static void print_executable_head(struct dis *dis, uint32_t offset, bool lines)
{
    const hsa_brig_directive_executable_t *entry = (const void *)brig_code(dis->view, offset);
    bool kernel = entry->base.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL;
    bool signature = entry->base.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    if (!signature && !(entry->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION))
        dis_text(dis, "decl ");
    if (entry->linkage == HSA_BRIG_LINKAGE_PROGRAM)
        dis_text(dis, "prog ");
    dis_text(dis, executable_word(entry->base.kind));
    dis_name(dis, offset);
    if (!kernel)
        print_formals(dis, brig_next_code(dis->view, offset), entry->first_in_arg, false);
    print_formals(dis, entry->first_in_arg, entry->first_code_block_entry, lines && kernel && entry->in_arg_count > 1);
}

static uint32_t print_executable(struct dis *dis, uint32_t offset)
{
    const hsa_brig_directive_executable_t *entry = (const void *)brig_code(dis->view, offset);
    uint32_t at = entry->first_code_block_entry;
    bool body = entry->base.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE &&
                (entry->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION);
    if (!dis->readable)
        dis_char(dis, '\n');
    print_executable_head(dis, offset, !dis->readable);
    dis_text(dis, body ? "\n{\n" : ";\n");
    dis->depth = body;
    print_annotations(dis, brig_next_code(dis->view, offset), at);
    if (!body)
        return at;
    for (uint32_t previous = 0; at < entry->next_module_entry;) {
        uint32_t next;
        if (dis->readable)
            dis_blank_before_label(dis, previous, at);
        next = dis_directive(dis, at);
        previous = at;
        at = next;
    }
    dis->depth = 0;
    dis_text(dis, "};\n");
    return at;
}

static void print_location(struct dis *dis, const hsa_brig_directive_loc_t *entry)
{
    dis_text(dis, "loc");
    number_after(dis, ' ', entry->line);
    number_after(dis, ' ', entry->column);
    dis_char(dis, ' ');
    quoted(dis, entry->filename);
    dis_text(dis, ";\n");
}

static void print_extension(struct dis *dis, const hsa_brig_directive_extension_version_t *entry)
{
    dis_text(dis, "extension ");
    quoted(dis, entry->name);
    if (entry->base.kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION) {
        number_after(dis, ':', entry->extension_major);
        number_after(dis, ':', entry->extension_minor);
    }
    dis_text(dis, ";\n");
}

/* Directives that are one statement of their own. */
static void print_statement(struct dis *dis, uint32_t offset)
{
    const hsa_brig_base_t *base = brig_code(dis->view, offset);
    const void *entry = base;
    switch (base->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_MODULE: print_module(dis, entry); break;
    case HSA_BRIG_KIND_DIRECTIVE_COMMENT: print_comment(dis, entry); break;
    case HSA_BRIG_KIND_DIRECTIVE_LOC:
        if (dis->readable)
            dis_location(dis, entry);
        else
            print_location(dis, entry);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION:
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION: print_extension(dis, entry); break;
    case HSA_BRIG_KIND_NONE:
        dis_text(dis, "pad");
        number_after(dis, ' ', base->byte_count / 4 - 1u);
        dis_text(dis, ";\n");
        break;
    case HSA_BRIG_KIND_DIRECTIVE_PRAGMA:
        dis_text(dis, "pragma");
        print_operands(dis, ((const hsa_brig_directive_pragma_t *)entry)->operands, DIS_PRAGMA, HSA_BRIG_TYPE_NONE);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL: {
        const hsa_brig_directive_control_t *control = entry;
        print_value(dis, LANG_SET_CONTROL_DIRECTIVE, control->control);
        const struct control_row *row = control_row(control->control);
        print_operands(dis, control->operands, DIS_OPERAND, row ? row->type : HSA_BRIG_TYPE_NONE);
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: {
        const hsa_brig_directive_fbarrier_t *fbarrier = entry;
        if (!(fbarrier->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION))
            dis_text(dis, "decl ");
        if (fbarrier->linkage == HSA_BRIG_LINKAGE_PROGRAM)
            dis_text(dis, "prog ");
        dis_text(dis, "fbarrier ");
        dis_name(dis, offset);
        dis_text(dis, ";\n");
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE: {
        const hsa_brig_directive_variable_t *variable = entry;
        print_variable(dis, variable, false);
        if (variable->init) {
            dis_text(dis, " = ");
            dis_constant(dis, variable->init, variable->type, DIS_OPERAND);
        }
        dis_text(dis, ";\n");
        break;
    }
    default: break; /* brig_open() lets no other kind pass */
    }
}

uint32_t dis_directive(struct dis *dis, uint32_t offset)
{
    const hsa_brig_base_t *base = brig_code(dis->view, offset);
    if (brig_is_inst(base)) {
        indent(dis);
        dis_inst(dis, offset);
        return brig_next_code(dis->view, offset);
    }
    if (brig_is_executable(base))
        return print_executable(dis, offset);
    switch (base->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_LABEL:
        dis_name(dis, offset);
        dis_text(dis, ":\n");
        break;
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START:
        indent(dis);
        dis_text(dis, "{\n");
        dis->depth++;
        break;
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END:
        dis->depth -= dis->depth > 1;
        indent(dis);
        dis_text(dis, "}\n");
        break;
    case HSA_BRIG_KIND_NONE:
        if (!brig_module_directive(dis->view)->hsail_minor)
            break; /* HSAIL 1:0 has no word for it, and it means nothing */
        __attribute__((fallthrough));
    default:
        indent(dis);
        print_statement(dis, offset);
        break;
    }
    return brig_next_code(dis->view, offset);
}

void dis_head(struct dis *dis, uint32_t offset)
{
    const hsa_brig_base_t *base = brig_code(dis->view, offset);
    if (brig_is_executable(base)) {
        print_executable_head(dis, offset, false);
    } else if (base->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        const hsa_brig_directive_variable_t *variable = (const void *)base;
        print_variable(dis, variable, false);
        dis_text(dis, variable->init ? " = ...;" : ";");
    } else {
        dis_directive(dis, offset);
    }
}
