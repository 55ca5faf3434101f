/* SPDX-License-Identifier: MIT */
/* Directives that stand alone: module header, extension, loc, pad, label, control, pragma (PRM 13, 14, 4.9).
 * Input: spans of the parser's tokens. Output: directive entries. */
#include "brig/limit.h"
#include "frontend/asm_p.h"

#include <string.h>

/* A directive's entry; its text position is noted for later diagnostics. */
static void *put_directive(struct assembler *as, hsa_brig_kind_t kind, size_t size, struct span where)
{
    uint32_t offset;
    void *entry = brig_put_entry(&as->out, kind, size, &offset);
    asm_note_position(as, offset, where.begin);
    return entry;
}

/* The VALUE of a set whose text is the word, or -1. The word may have a `$` before it. */
static int find_value(const struct assembler *as, struct span word, enum lang_set set)
{
    const char *text = asm_chars(as, word);
    size_t length = asm_length(word);
    if (length && *text == '$')
        text++, length--;
    uint32_t code;
    return lang_word_means(lang_word(text, length), set, &code) ? (int)code : -1;
}

static unsigned profile_word(struct assembler *as, struct span word, enum lang_set set, const char *wanted)
{
    int value = find_value(as, word, set);
    if (value < 0)
        asm_error(as, DIAG_MODULE_WORD, word, asm_quote(as, word), wanted);
    return value < 0 ? 0 : (unsigned)value;
}

static unsigned default_rounding(struct assembler *as, struct span word)
{
    static const struct {
        const char *text;
        unsigned round;
    } rows[] = {{"$default", HSA_BRIG_ROUND_FLOAT_DEFAULT},
                {"$zero", HSA_BRIG_ROUND_FLOAT_ZERO},
                {"$near", HSA_BRIG_ROUND_FLOAT_NEAR_EVEN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].text) == asm_length(word) && !memcmp(asm_chars(as, word), rows[i].text, asm_length(word)))
            return rows[i].round;
    asm_error(as, DIAG_MODULE_WORD, word, asm_quote(as, word), "$default, $zero or $near");
    return HSA_BRIG_ROUND_FLOAT_DEFAULT;
}

/* BRIG has entries of the kind NONE in every version, HSAIL a word for them from 1:2 on, so that only the assembler can
 * say this; what else stands before a header and needs 1:2 is found by the validator. */
static const char pad_feature[] = "pad";

void asm_module(struct assembler *as, struct span whole, struct span name, struct span major, struct span minor,
                struct span profile, struct span model, struct span rounding)
{
    uint64_t major_number, minor_number;
    bool numbers = asm_small_integer(as, major, 0, UINT32_MAX, &major_number);
    numbers = asm_small_integer(as, minor, 0, UINT32_MAX, &minor_number) && numbers;
    if (!numbers)
        return;
    if (major_number != HSA_BRIG_VERSION_HSAIL_MAJOR || minor_number > HSA_BRIG_VERSION_HSAIL_MINOR)
        asm_error(as, DIAG_MODULE_VERSION, ((struct span){major.begin, minor.end}), major_number, minor_number);
    if (!as->has_header) {
        as->dialect = minor_number ? ASM_DIALECT_1_2 : ASM_DIALECT_1_0;
        as->out.brig_minor = as->dialect == ASM_DIALECT_1_0 ? 0 : HSA_BRIG_VERSION_BRIG_MINOR;
        if (as->early_pad)
            asm_needs_1_2(as, as->early, pad_feature);
    }
    unsigned profile_code = profile_word(as, profile, LANG_SET_PROFILE, "$full or $base");
    unsigned model_code = profile_word(as, model, LANG_SET_MACHINE_MODEL, "$small or $large");
    uint32_t offset;
    BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_MODULE, hsa_brig_directive_module_t, &offset);
    asm_note_position(as, offset, whole.begin);
    uint32_t text = brig_put_bytes(&as->out, asm_chars(as, name), asm_length(name));
    hsa_brig_directive_module_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    entry->name = text;
    entry->hsail_major = (uint32_t)major_number;
    entry->hsail_minor = (uint32_t)minor_number;
    entry->profile = (uint8_t)profile_code;
    entry->machine_model = (uint8_t)model_code;
    entry->default_float_round = (uint8_t)default_rounding(as, rounding);
    as->large = model_code == HSA_BRIG_MACHINE_MODEL_LARGE;
    as->base = profile_code == HSA_BRIG_PROFILE_BASE;
    as->has_header = true;
    asm_declare(as, name, offset, HSA_BRIG_KIND_DIRECTIVE_MODULE, true);
    asm_statement_done(as);
}

void asm_put_extension(struct assembler *as, struct span whole, const void *name, size_t length)
{
    hsa_brig_directive_extension_t *entry = put_directive(as, HSA_BRIG_KIND_DIRECTIVE_EXTENSION, sizeof *entry, whole);
    entry->name = brig_put_bytes(&as->out, name, length);
}

void asm_put_extension_version(struct assembler *as, struct span whole, const void *name, size_t length, uint32_t major,
                               uint32_t minor)
{
    if (!asm_needs_1_2(as, whole, "an extension with a version"))
        return;
    hsa_brig_directive_extension_version_t *entry =
        put_directive(as, HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION, sizeof *entry, whole);
    entry->extension_major = major;
    entry->extension_minor = minor;
    entry->name = brig_put_bytes(&as->out, name, length);
}

void asm_extension(struct assembler *as, struct span whole, struct span name, const struct span *major,
                   const struct span *minor)
{
    uint64_t major_number = 0, minor_number = 0;
    if (!asm_string(as, name) || (major && (!asm_small_integer(as, *major, 0, UINT32_MAX, &major_number) ||
                                            !asm_small_integer(as, *minor, 0, UINT32_MAX, &minor_number))))
        return;
    if (major)
        asm_put_extension_version(
            as, whole, as->bytes.items, as->bytes.count, (uint32_t)major_number, (uint32_t)minor_number);
    else
        asm_put_extension(as, whole, as->bytes.items, as->bytes.count);
    asm_statement_done(as);
}

/* Without a file, the loc has that of the loc before it; the first one has the empty name. */
void asm_put_location(struct assembler *as, struct span whole, uint32_t line, uint32_t column, const void *file,
                      size_t length, bool has_file)
{
    hsa_brig_directive_loc_t *entry = put_directive(as, HSA_BRIG_KIND_DIRECTIVE_LOC, sizeof *entry, whole);
    entry->line = line;
    entry->column = column;
    if (has_file || !as->file)
        as->file = entry->filename = brig_put_bytes(&as->out, file, has_file ? length : 0);
    else
        entry->filename = brig_put_again(&as->out, as->file);
}

void asm_location(struct assembler *as, struct span whole, struct span line, struct span column, struct span file)
{
    uint64_t line_number, column_number = 1;
    if (!asm_small_integer(as, line, 1, UINT32_MAX, &line_number) ||
        (asm_length(column) && !asm_small_integer(as, column, 1, UINT32_MAX, &column_number)) ||
        (asm_length(file) && !asm_string(as, file)))
        return;
    bool has_file = asm_length(file) != 0;
    asm_put_location(as, whole, (uint32_t)line_number, (uint32_t)column_number, has_file ? as->bytes.items : NULL,
                     has_file ? as->bytes.count : 0, has_file);
    asm_statement_done(as);
}

void asm_put_pad(struct assembler *as, struct span whole, uint32_t words)
{
    if (!as->has_header && !as->early_pad) {
        as->early_pad = true;
        as->early = whole;
    }
    if (asm_needs_1_2(as, whole, pad_feature))
        asm_note_position(as, brig_put_pad(&as->out, (words + 1) * 4), whole.begin);
}

void asm_pad(struct assembler *as, struct span whole, struct span count)
{
    uint64_t number = 0;
    if (asm_length(count) && !asm_small_integer(as, count, 0, LIMIT_PAD, &number))
        return;
    asm_put_pad(as, whole, (uint32_t)number);
    asm_statement_done(as);
}

void asm_label(struct assembler *as, struct span name)
{
    uint32_t offset;
    BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_LABEL, hsa_brig_directive_label_t, &offset);
    asm_note_position(as, offset, name.begin);
    uint32_t text = brig_put_bytes(&as->out, asm_chars(as, name), asm_length(name));
    hsa_brig_directive_label_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    entry->name = text;
    asm_define_label(as, name, offset);
    asm_statement_done(as);
}

/* Takes the list collected since MARK off the stack of lists. */
static uint32_t put_list(struct assembler *as, size_t mark)
{
    size_t count = as->items.count - mark;
    uint32_t list = brig_put_list(&as->out, count ? as->items.items + mark : NULL, count);
    as->items.count = mark;
    return list;
}

/* The entry of a control directive; 0 when the dialect does not have it. */
static uint32_t begin_control(struct assembler *as, struct span head, unsigned control)
{
    uint32_t offset;
    hsa_brig_directive_control_t *entry =
        BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_CONTROL, hsa_brig_directive_control_t, &offset);
    asm_note_position(as, offset, head.begin);
    entry->control = (uint16_t)control;
    const struct control_row *row = control_row(control);
    bool allowed = row && (!row->since || asm_needs_1_2(as, head, "this control directive"));
    if (allowed)
        return offset;
    asm_drop(as, offset);
    return 0;
}

static void end_control(struct assembler *as, uint32_t offset, size_t mark)
{
    uint32_t list = put_list(as, mark);
    hsa_brig_directive_control_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    entry->operands = list;
}

/* Reads `name operand, operand;` where the name is the token in hand. Operands that a builder gives may be TYPED, as
 * those of BRIG are. */
void asm_control(struct assembler *as, struct span head, bool typed)
{
    const struct asm_word *word = asm_word(as, head);
    unsigned control = word ? word->control : 0;
    uint32_t offset = begin_control(as, head, control);
    size_t mark = as->items.count;
    if (!offset)
        return asm_skip_statement(as);
    asm_next(as);
    for (bool more = as->kind != ';'; more; more = asm_take(as, ',')) {
        if (as->kind == '+' || as->kind == '-' || (as->kind == LEX_WORD && !typed && !asm_is_word(as, "WAVESIZE"))) {
            asm_error(as, as->kind == LEX_WORD ? DIAG_CONTROL_TYPED : DIAG_CONTROL_SIGN, asm_span(as),
                      lang_value_text(LANG_SET_CONTROL_DIRECTIVE, control));
            goto skip;
        }
        uint32_t operand = asm_immediate(as, control_row(control)->type, ASM_OPERAND);
        if (!asm_push_item(as, operand))
            goto skip;
    }
    if (!asm_end_statement(as))
        goto skip;
    return end_control(as, offset, mark);
skip:
    asm_drop(as, offset);
    as->items.count = mark;
    asm_skip_statement(as);
}

/* One operand of a pragma: nearly anything (PRM 13.4). */
static uint32_t pragma_operand(struct assembler *as)
{
    uint32_t operand = 0;
    struct span span = asm_span(as);
    switch (as->kind) {
    case LEX_STRING:
        operand = asm_string(as, span) ? brig_put_string(&as->out, as->bytes.items, as->bytes.count) : 0;
        break;
    case LEX_REGISTER: operand = asm_register(as); break;
    case LEX_GLOBAL:
    case LEX_LOCAL: operand = asm_put_pragma_ref(as, span); break;
    case LEX_LABEL: operand = asm_put_label_ref(as, span); break;
    default: return asm_immediate(as, HSA_BRIG_TYPE_NONE, ASM_PRAGMA);
    }
    asm_next(as);
    return operand;
}

/* Skips a pragma with its `;`; any braces are those of an aggregate. */
static void skip_pragma(struct assembler *as)
{
    asm_skip_initializer(as);
    if (asm_next(as) != ';')
        asm_push_back(as);
    asm_statement_done(as);
}

void asm_pragma(struct assembler *as, struct span head)
{
    size_t mark = as->items.count;
    do {
        asm_next(as);
        uint32_t operand = pragma_operand(as);
        if (!asm_push_item(as, operand)) {
            as->items.count = mark;
            return skip_pragma(as);
        }
    } while (as->kind == ',');
    if (as->kind != ';') {
        as->items.count = mark;
        asm_unexpected(as, ASM_WANTED_COMMA_OR_SEMICOLON);
        return skip_pragma(as);
    }
    uint32_t offset;
    BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_PRAGMA, hsa_brig_directive_pragma_t, &offset);
    asm_note_position(as, offset, head.begin);
    uint32_t list = put_list(as, mark);
    hsa_brig_directive_pragma_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    entry->operands = list;
    asm_end_statement(as);
}
