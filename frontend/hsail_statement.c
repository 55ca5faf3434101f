/* SPDX-License-Identifier: MIT */
/* Says what was wrong with a call of a builder; see hsail_builder_error() in hsail/builder.h.
 * Input: the arguments of the call, unchanged. Output: the statement as text, and the first error with the place that
 * the latest loc names. Invariant: arguments may be anything that the header allows to be refused; what has no text is
 * shown as `?`. As long as no call fails, nothing is done here. */
#include "frontend/hsail_builder_p.h"

#include <string.h>

#define MOST_SHOWN 32u   /* operands and elements */
#define NAME_BYTES 80u   /* of a name or other text of the caller's */
#define MOST_TEXT 1024u  /* bytes of a statement */
#define MOST_NESTED 3u   /* vectors and arrays in each other */

static void put_quoted(struct textbuf *text, const char *string)
{
    if (string)
        textbuf_quote(text, (struct bytes){(const uint8_t *)string, strlen(string)}, NAME_BYTES);
    else
        textbuf_puts(text, "?");
}

/* ---- Operands -------------------------------------------------------------------------------------- */

static void spell_operands(struct textbuf *text, const hsail_operand_t *operands, unsigned count, unsigned depth);

/* What the assembler would read; `?` for what it could not. */
static void put_readable(struct textbuf *text, const hsail_operand_t *operand)
{
    struct textbuf own = {0};
    bool possible = hsail_builder_write(&own, operand);
    if (own.failed)
        text->failed = true;
    else if (!possible || !own.data)
        textbuf_puts(text, operand->kind == HSAIL_OPERAND_NAME && operand->name ? "" : "?");
    else
        textbuf_add(text, own.data, own.size < MOST_TEXT ? own.size : MOST_TEXT);
    if (!possible && operand->kind == HSAIL_OPERAND_NAME && operand->name)
        put_quoted(text, operand->name);
    textbuf_free(&own);
}

static void spell_register(struct textbuf *text, char kind, uint32_t number)
{
    bool is_virtual = kind && strchr("CSDQ", kind);
    if (!is_virtual && (!kind || !strchr("csdq", kind)))
        textbuf_puts(text, "$?");
    else if (is_virtual)
        textbuf_printf(text, "$%c(%u)", kind - 'A' + 'a', (unsigned)number);
    else
        textbuf_printf(text, "$%c%u", kind, (unsigned)number);
}

static void spell_address(struct textbuf *text, const hsail_operand_t *operand)
{
    uint64_t offset = (uint64_t)operand->integer;
    if (operand->name) {
        textbuf_puts(text, "[");
        put_quoted(text, operand->name);
        textbuf_puts(text, "]");
    }
    if (operand->name && !operand->register_kind && !offset)
        return;
    textbuf_puts(text, "[");
    if (operand->register_kind)
        spell_register(text, operand->register_kind, operand->number);
    if (operand->integer < 0)
        textbuf_printf(text, "-%llu", (unsigned long long)-offset);
    else if (offset || !operand->register_kind)
        textbuf_printf(text, "%s%llu", operand->register_kind ? "+" : "", (unsigned long long)offset);
    textbuf_puts(text, "]");
}

/* Whether a list is written in brackets, as labels and functions are; arguments are in parentheses. */
static bool in_brackets(const hsail_operand_t *operand)
{
    return operand->names && operand->number && operand->names[0] && strchr("@&", *operand->names[0]);
}

static void spell_names(struct textbuf *text, const hsail_operand_t *operand)
{
    bool brackets = in_brackets(operand);
    textbuf_puts(text, brackets ? "[" : "(");
    for (uint32_t i = 0; i < operand->number && i < MOST_SHOWN; i++) {
        textbuf_puts(text, i ? ", " : "");
        put_quoted(text, operand->names ? operand->names[i] : NULL);
    }
    textbuf_puts(text, operand->number > MOST_SHOWN ? ", ..." : "");
    textbuf_puts(text, brackets ? "]" : ")");
}

static void put_operand(struct textbuf *text, const hsail_operand_t *operand, unsigned depth)
{
    switch (operand->kind) {
    case HSAIL_OPERAND_REGISTER: spell_register(text, operand->register_kind, operand->number); break;
    case HSAIL_OPERAND_ADDRESS: spell_address(text, operand); break;
    case HSAIL_OPERAND_NAMES: spell_names(text, operand); break;
    case HSAIL_OPERAND_VECTOR:
        textbuf_puts(text, "(");
        spell_operands(text, operand->elements, operand->number, depth);
        textbuf_puts(text, ")");
        break;
    default: put_readable(text, operand); break;
    }
}

static void spell_operands(struct textbuf *text, const hsail_operand_t *operands, unsigned count, unsigned depth)
{
    if (!operands || !depth) {
        textbuf_puts(text, count ? "?" : "");
        return;
    }
    for (unsigned i = 0; i < count && i < MOST_SHOWN; i++) {
        bool list = operands[i].kind == HSAIL_OPERAND_NAMES;
        if (i && list)
            textbuf_puts(text, in_brackets(&operands[i]) ? " " : "");
        else if (i)
            textbuf_puts(text, operands[i - 1].kind == HSAIL_OPERAND_NAMES ? " " : ", ");
        put_operand(text, &operands[i], depth - 1);
    }
    textbuf_puts(text, count > MOST_SHOWN ? ", ..." : "");
}

/* ---- Statements ------------------------------------------------------------------------------------ */

void hsail_text_name(struct textbuf *text, const struct hsail_call *call)
{
    textbuf_puts(text, call->word ? call->word : "");
    put_quoted(text, call->name);
}

void hsail_text_word(struct textbuf *text, const struct hsail_call *call)
{
    textbuf_puts(text, call->word ? call->word : "");
}

void hsail_text_operands(struct textbuf *text, const struct hsail_call *call)
{
    put_quoted(text, call->name);
    textbuf_puts(text, call->count ? " " : "");
    spell_operands(text, call->operands, call->count, MOST_NESTED);
}

void hsail_text_location(struct textbuf *text, const struct hsail_call *call)
{
    textbuf_printf(text, "loc %u %u", (unsigned)call->number[0], (unsigned)call->number[1]);
    if (call->name) {
        textbuf_puts(text, " \"");
        put_quoted(text, call->name);
        textbuf_puts(text, "\"");
    }
}

void hsail_text_module(struct textbuf *text, const struct hsail_call *call)
{
    textbuf_puts(text, "module ");
    put_quoted(text, call->name);
    textbuf_printf(text, ":%u:%u", (unsigned)call->number[0], (unsigned)call->number[1]);
    for (unsigned i = 0; i < 3; i++)
        textbuf_printf(text, ":$%s", call->texts[i] ? call->texts[i] : "?");
}

/* Qualifiers, segment and type, name, dimension: of whatever has them. */
void hsail_text_definition(struct textbuf *text, const struct hsail_call *call)
{
    const struct lang_type *type = lang_type(call->type);
    const char *segment = call->segment ? lang_value_text(LANG_SET_SEGMENT, call->segment) : NULL;
    textbuf_puts(text, call->flags & HSAIL_DECLARATION ? "decl " : "");
    textbuf_puts(text, call->flags & HSAIL_PROGRAM_LINKAGE ? "prog " : "");
    textbuf_puts(text, call->flags & HSAIL_AGENT_ALLOCATION ? "alloc(agent) " : "");
    if (call->shape && call->shape->align)
        textbuf_printf(text, "align(%u) ", (unsigned)call->shape->align);
    textbuf_puts(text, call->flags & HSAIL_CONST ? "const " : "");
    textbuf_puts(text, call->word ? call->word : "");
    if (call->is_variable)
        textbuf_printf(text, "%s_%s ", segment ? segment : "?", type && call->type ? type->text : "?");
    if (call->name || call->needs_name)
        put_quoted(text, call->name);
    if (call->shape && call->shape->is_array && call->shape->dimension)
        textbuf_printf(text, "[%llu]", (unsigned long long)call->shape->dimension);
    else if (call->shape && call->shape->is_array)
        textbuf_puts(text, "[]");
    if (call->operands) {
        textbuf_puts(text, " = ");
        spell_operands(text, call->operands, call->count, MOST_NESTED);
    }
}

/* The statement as text, in memory that lives as long as the builder; NULL when memory is out. */
static const char *statement_text(hsail_builder_t *builder, const struct hsail_call *call, size_t *size)
{
    struct textbuf text = {0};
    call->write(&text, call);
    textbuf_puts(&text, call->end ? call->end : ";");
    if (!text.size) {
        textbuf_free(&text);
        return NULL;
    }
    *size = text.size < MOST_TEXT ? text.size : MOST_TEXT;
    const char *copy = text.failed || !text.data ? NULL : arena_strndup(&builder->memory, text.data, *size);
    textbuf_free(&text);
    return copy;
}

/* ---- The first error ------------------------------------------------------------------------------- */

/* The latest loc. Its file is in hsa_data, without a NUL. */
static struct diag_origin origin_of(hsail_builder_t *builder)
{
    struct assembler *as = &builder->as;
    struct diag_origin origin = {"", 0, 0};
    if (!builder->line || builder->place == FINISHED || as->out.status != BRIG_OK || !as->file)
        return origin;
    const uint8_t *entry = as->out.section[HSA_BRIG_SECTION_INDEX_DATA].data + as->file;
    const char *file = arena_strndup(&builder->memory, (const char *)entry + 4, load32(entry));
    if (file)
        origin = (struct diag_origin){file, builder->line, builder->column};
    return origin;
}

static const char *copy_text(hsail_builder_t *builder, const char *text)
{
    return text ? arena_strndup(&builder->memory, text, strlen(text)) : NULL;
}

void hsail_builder_keep(hsail_builder_t *builder, const struct diag *diag, const char *name)
{
    static const char no_memory[] = "out of memory";
    if (builder->has_error)
        return;
    builder->has_error = true;
    builder->error = *diag;
    builder->error.message = copy_text(builder, diag->message);
    builder->error.excerpt.line = copy_text(builder, diag->excerpt.line);
    builder->error.origin.file = copy_text(builder, diag->origin.line ? diag->origin.file : "");
    if (!builder->error.message)
        builder->error.message = no_memory;
    if (!builder->error.origin.file)
        builder->error.origin.line = 0;
    builder->shown = (struct hsail_shown){&builder->error, copy_text(builder, name), NULL};
    builder->public_error = hsail_diag_public(&builder->shown);
}

void hsail_builder_keep_status(hsail_builder_t *builder)
{
    if (builder->has_error)
        return;
    struct diag diag = {.rule = DIAG_RULE(BUILDER_STATUS),
                        .severity = DIAG_ERROR,
                        .message = hsail_status_text(builder->status),
                        .origin = origin_of(builder)};
    hsail_builder_keep(builder, &diag, NULL);
}

void hsail_builder_place_findings(hsail_builder_t *builder)
{
    struct diag_list *list = &builder->list;
    const char *text = NULL;
    size_t size = 0;
    if (builder->findings >= list->items.count)
        return;
    struct diag_origin origin = origin_of(builder);
    if (builder->call)
        text = statement_text(builder, builder->call, &size);
    for (; builder->findings < list->items.count; builder->findings++) {
        struct diag *diag = &list->items.items[builder->findings];
        diag->place = diag->sort = (struct diag_place){.where = DIAG_NOWHERE};
        diag->excerpt = (struct diag_excerpt){text, 0, (uint32_t)size};
        diag->origin = origin;
        if (diag->severity == DIAG_ERROR)
            hsail_builder_keep(builder, diag, NULL);
    }
}

const hsail_diagnostic_t *hsail_builder_error(const hsail_builder_t *builder)
{
    return builder && builder->has_error ? &builder->public_error : NULL;
}
