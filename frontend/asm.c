/* SPDX-License-Identifier: MIT */
/* Driver of the assembler: the whole run, tokens without comments and lexical errors, and recovery from errors; see
 * asm.h.
 * Input: text. Output: a module. Invariant: after an error text is still read to the end, so that one run reports
 * many errors; the module is thrown away then. */
#include "brig/limit.h"
#include "frontend/asm_p.h"
#include "frontend/locate.h"
#include "frontend/parser.h"
#include "support/hash.h"
#include "support/search.h"

#include <string.h>

void asm_no_memory(struct assembler *as)
{
    as->out_of_memory = true;
}

void asm_note_position(struct assembler *as, uint32_t code, uint32_t text)
{
    if (!vec_push(&as->result->positions, ((struct asm_position){code, text})))
        asm_no_memory(as);
}

bool asm_push_item(struct assembler *as, uint32_t item)
{
    if (!item)
        return false;
    if (vec_push(&as->items, item))
        return true;
    asm_no_memory(as);
    return false;
}

bool asm_needs_1_2(struct assembler *as, struct span where, const char *feature)
{
    if (as->dialect == ASM_DIALECT_1_2)
        return true;
    asm_error(as, DIAG_NEEDS_1_2, where, feature);
    return false;
}

/* ---- Comments -------------------------------------------------------------------------------------- */

/* Appends one comment entry. With ADD_SLASHES, a line of a block comment gets the slashes that a line comment has. */
void asm_put_comment(struct assembler *as, const char *text, size_t length, bool add_slashes)
{
    uint32_t offset;
    hsa_brig_directive_comment_t *entry =
        BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_COMMENT, hsa_brig_directive_comment_t, &offset);
    if (add_slashes) {
        as->bytes.count = 0;
        if (!vec_reserve(&as->bytes, length + 2))
            return asm_no_memory(as);
        memcpy(as->bytes.items, "//", 2);
        memcpy(as->bytes.items + 2, text, length);
        text = (const char *)as->bytes.items;
        length += 2;
    }
    entry->name = brig_put_bytes(&as->out, text, length);
}

/* A line's length without the carriage return that some editors leave. */
static size_t line_length(const char *line, const char *end)
{
    return (size_t)(end - line) - (end > line && end[-1] == '\r');
}

/* Makes a comment of each line, except of a first line that holds the opening delimiter only. */
static void put_block_comment(struct assembler *as, const char *text, size_t length)
{
    const char *end = text + length - 2; /* the end of what the delimiters enclose */
    for (const char *line = text + 2; line;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t size = line_length(line, newline ? newline : end);
        if (size || line != text + 2)
            asm_put_comment(as, line, size, true);
        line = newline ? newline + 1 : NULL;
    }
}

static void put_comment_at(struct assembler *as, struct span span)
{
    const char *text = asm_chars(as, span);
    size_t length = asm_length(span);
    if (text[1] == '*')
        put_block_comment(as, text, length);
    else
        asm_put_comment(as, text, line_length(text, text + length), false);
}

/* A comment between statements becomes an entry. One inside a statement is reported when the statement has ended, and
 * only if nothing else is wrong with it: where a `;` is missing, the user should be told that instead. */
static void take_comment(struct assembler *as, struct span span)
{
    if (as->at_boundary)
        put_comment_at(as, span);
    else if (!vec_push(&as->comments, span))
        asm_no_memory(as);
}

void asm_statement_done(struct assembler *as)
{
    for (size_t i = 0; i < as->comments.count && as->diag->errors == as->errors_before + i; i++)
        asm_error(as, DIAG_COMMENT_PLACE, as->comments.items[i]);
    as->comments.count = 0;
    as->errors_before = as->diag->errors;
    as->at_boundary = true;
}

/* ---- Tokens ---------------------------------------------------------------------------------------- */

/* String literals that follow each other are one (PRM 4.5). */
static void join_strings(struct assembler *as)
{
    struct lexer ahead = as->lexer;
    while (lex_next(&ahead) == LEX_STRING)
        as->lexer.cursor = ahead.cursor;
}

/* Reports what ends a string before its quotation mark, a NUL or the end of its line, and skips the rest of that. */
static void bad_string(struct assembler *as, struct span span)
{
    const char *end = as->lexer.cursor, *limit = as->lexer.limit;
    struct span byte = {span.end, span.end + 1};
    if (end < limit && !*end)
        asm_error(as, DIAG_BAD_BYTE, byte, asm_quote(as, byte));
    else
        asm_error(as, DIAG_STRING_OPEN, ((struct span){span.begin, span.begin + 1}));
    end = memchr(end, '\n', (size_t)(limit - end));
    as->lexer.cursor = end ? end : limit;
}

static void bad_token(struct assembler *as, int kind)
{
    struct span span = asm_span(as);
    switch (kind) {
    case LEX_BAD_STRING: bad_string(as, span); break;
    case LEX_BAD_COMMENT: asm_error(as, DIAG_COMMENT_OPEN, ((struct span){span.begin, span.begin + 2})); break;
    case LEX_BAD_NAME: asm_error(as, DIAG_NAME_EMPTY, span, asm_quote(as, span)); break;
    default: asm_error(as, DIAG_BAD_BYTE, span, asm_quote(as, span)); break;
    }
}

static bool is_bad(int kind)
{
    return kind >= LEX_BAD_STRING;
}

/* Words, names, numbers and strings need white space between them, and after a comment (PRM 4.4). */
enum { ENDS_TOKEN = 1, BEGINS_TOKEN = 2 };
static const uint8_t space_classes[256] = {
    ['a' ... 'z'] = 3, ['A' ... 'Z'] = 3, ['0' ... '9'] = 3, ['_'] = 3, ['.'] = 3,
    ['"'] = 3,         ['&'] = 2,         ['%'] = 2,         ['@'] = 2, ['$'] = 2,
};

static void check_space(struct assembler *as)
{
    const char *token = as->lexer.token;
    if (token > as->lexer.text && space_classes[(uint8_t)token[-1]] & ENDS_TOKEN &&
        space_classes[(uint8_t)*token] & BEGINS_TOKEN)
        asm_error(as, DIAG_TOKEN_SPACE, asm_span(as), asm_quote(as, asm_span(as)));
}

/* Handles the few tokens that need more work: strings, errors, and tokens that touch the one before them. */
__attribute__((noinline)) static void check_token(struct assembler *as, int kind)
{
    if (kind != LEX_DOLLAR && !is_bad(kind) && !is_bad(as->kind))
        check_space(as);
    if (kind == LEX_STRING)
        join_strings(as);
    else if (is_bad(kind))
        bad_token(as, kind);
}

static inline bool is_comment(int kind)
{
    return kind == LEX_LINE_COMMENT || kind == LEX_BLOCK_COMMENT;
}

/* Reports a comment or word that touches the comment before it, which stands between statements and stops at END. */
static void check_space_after_comment(struct assembler *as, const char *end, int kind)
{
    struct span span = asm_span(as);
    if (!as->at_boundary || as->lexer.token != end ||
        !(is_comment(kind) || space_classes[(uint8_t)*end] & BEGINS_TOKEN))
        return;
    if (is_comment(kind))
        span.end = span.begin + 2;
    asm_error(as, DIAG_TOKEN_SPACE, span, asm_quote(as, span));
}

/* Takes the comment in hand and those after it, the last of which stops at END. Returns the kind of the token after
 * them. */
__attribute__((noinline)) static int skip_comments(struct assembler *as, const char **end)
{
    int kind;
    do {
        take_comment(as, asm_span(as));
        *end = as->lexer.cursor;
        kind = lex_next(&as->lexer);
        check_space_after_comment(as, *end, kind);
    } while (is_comment(kind));
    return kind;
}

/* The next token that is no comment. */
int asm_next(struct assembler *as)
{
    const char *before = as->lexer.cursor;
    as->previous_end = (uint32_t)(before - as->lexer.text);
    int kind = lex_next(&as->lexer);
    if (is_comment(kind))
        kind = skip_comments(as, &before);
    as->at_boundary = false;
    if (kind >= LEX_STRING || (kind >= LEX_WORD && as->lexer.token == before))
        check_token(as, kind);
    if (diag_full(as->diag) || as->out_of_memory)
        kind = LEX_END;
    return as->kind = kind;
}

/* Takes the next token if it is the mnemonic of an instruction; otherwise leaves it to the parser. */
bool asm_next_head(struct assembler *as)
{
    struct lexer *lexer = &as->lexer;
    const char *before = lexer->cursor;
    int kind = lex_next(lexer);
    if (is_comment(kind))
        kind = skip_comments(as, &before);
    if (kind == LEX_WORD && !diag_full(as->diag) && !as->out_of_memory) {
        asm_extend_word(as);
        as->word = asm_word(as, asm_span(as));
        if (as->word && as->word->token == TOKEN_MNEMONIC) {
            as->kind = kind;
            as->head = asm_span(as).begin;
            as->at_boundary = false;
            return true;
        }
    }
    lexer->cursor = before;
    return false;
}

void asm_push_back(struct assembler *as)
{
    as->lexer.cursor = as->lexer.token;
}

bool asm_take(struct assembler *as, int kind)
{
    if (as->kind != kind)
        return false;
    asm_next(as);
    return true;
}

/* Whether the token in hand is the first of its line, and not the first of the statement. */
static bool begins_line(const struct assembler *as)
{
    struct span span = asm_span(as);
    return span.begin != as->head && memchr(as->lexer.text + as->previous_end, '\n', span.begin - as->previous_end);
}

void asm_unexpected_text(struct assembler *as, const char *wanted, int token)
{
    struct span span = asm_span(as), gap = {as->previous_end, as->previous_end};
    bool is_first = memchr(as->lexer.text + gap.end, '\n', span.begin > gap.end ? span.begin - gap.end : 0);
    const char *hint = asm_hint_sigil(as, span, token);
    if (as->kind == LEX_END)
        asm_error(as, DIAG_SYNTAX_END, gap, wanted);
    else if (as->kind == LEX_DIGIT_WORD)
        asm_error(as, DIAG_NUMBER_MALFORMED, span, asm_quote(as, span));
    else if (as->kind == LEX_DOLLAR)
        asm_error(as, DIAG_REGISTER_NAME, span, asm_quote(as, span));
    else if (!is_bad(as->kind)) /* a missing `;` belongs at the end of the line, not on the next */
        asm_error(as, DIAG_SYNTAX, token == ';' && is_first ? gap : span, wanted, asm_quote(as, span), hint);
}

void asm_unexpected(struct assembler *as, enum asm_wanted wanted)
{
    static const struct {
        const char *text;
        int token;
    } rows[] = {
#define WANTED(name, text, token) {text, token},
#include "frontend/wanted.def"
    };
    asm_unexpected_text(as, rows[wanted].text, rows[wanted].token);
}

bool asm_expect(struct assembler *as, int kind, enum asm_wanted what)
{
    if (asm_take(as, kind))
        return true;
    asm_unexpected(as, what);
    return false;
}

/* Ends the statement at the `;` in hand; false, with a report, when it is missing. */
bool asm_end_statement(struct assembler *as)
{
    if (as->kind != ';') {
        asm_unexpected(as, ASM_WANTED_SEMICOLON);
        return false;
    }
    asm_statement_done(as);
    return true;
}

/* Whether the token in hand looks like the start of the next statement. */
static bool starts_line(const struct assembler *as)
{
    return (as->kind == LEX_WORD || as->kind == LEX_LABEL) && begins_line(as);
}

/* Reads on to what ends a variable, and leaves that to be read again; any braces are those of its initializer. */
void asm_skip_initializer(struct assembler *as)
{
    while (as->kind != ';' && as->kind != LEX_END && !starts_line(as))
        asm_next(as);
    asm_push_back(as);
}

/* Turns an entry whose statement proved wrong into padding: the module around it stays well formed, so that it can be
 * checked further. */
void asm_drop(struct assembler *as, uint32_t code)
{
    if (as->out.status != BRIG_OK)
        return; /* there is no entry to change */
    hsa_brig_base_t *base = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, code);
    base->kind = HSA_BRIG_KIND_NONE;
    memset(base + 1, 0, base->byte_count - sizeof *base);
}

/* Reads on past the `;` of a statement, or to a brace or line that must begin the next statement. Braces that open
 * within a line are those of an aggregate. */
void asm_skip_statement(struct assembler *as)
{
    unsigned depth = 0;
    for (; as->kind != ';' && as->kind != LEX_END && !starts_line(as); asm_next(as)) {
        if ((as->kind == '{' && begins_line(as)) || (as->kind == '}' && !depth))
            break;
        depth += as->kind == '{';
        depth -= as->kind == '}';
    }
    if (as->kind != ';')
        asm_push_back(as);
    asm_statement_done(as);
}

/* ---- The whole run --------------------------------------------------------------------------------- */

enum brig_status asm_begin(struct assembler *as, const char *text, size_t size, struct diag_list *diag,
                           struct asm_result *result)
{
    *as = (struct assembler){
        .lexer = {.text = text, .cursor = text, .limit = text + size, .token = text},
        .at_boundary = true,
        .diag = diag,
        .errors_before = diag->errors,
        .dialect = ASM_DIALECT_1_2,
        .large = true,
        .result = result,
        .symbols.seed = hash_seed(),
        .labels.seed = hash_seed(),
    };
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* the byte order mark of UTF-8 */
        as->lexer.cursor = as->lexer.token = text + 3;
    *result = (struct asm_result){0};
    return brig_builder_init(&as->out, HSA_BRIG_VERSION_BRIG_MINOR);
}

/* Frees everything but the module, before that is put together, when most memory is needed. */
static void release_tables(struct assembler *as)
{
    symbol_table_free(&as->symbols);
    symbol_table_free(&as->labels);
    vec_free(&as->patches);
    vec_free(&as->comments);
    vec_free(&as->bytes);
    vec_free(&as->items);
    vec_free(&as->spans);
    vec_free(&as->words);
    hash_table_free(&as->word_numbers);
}

void asm_release(struct assembler *as)
{
    release_tables(as);
    brig_builder_free(&as->out);
}

enum brig_status asm_text_partly(const char *text, size_t size, struct diag_list *diag, struct asm_result *result)
{
    struct assembler as;
    size_t errors = diag->errors;
    enum brig_status status = asm_begin(&as, text, size, diag, result);
    if (status == BRIG_OK && size > LIMIT_TEXT_BYTES) {
        asm_error(&as, DIAG_LIMIT, ((struct span){0, 0}), "bytes of text", LIMIT_TEXT_BYTES);
        status = BRIG_INVALID;
    } else if (status == BRIG_OK) {
        brig_builder_expect_text(&as.out, size);
        hsail_parser_parse(&as);
        asm_declare_placeholders(&as);
        release_tables(&as);
        if (!as.wants_header && !as.has_header)
            asm_error(&as, DIAG_MODULE_MISSING, ((struct span){0, 0}));
        if (as.out_of_memory || diag->out_of_memory)
            status = BRIG_OUT_OF_MEMORY;
        else if (!as.executable) /* otherwise the text ended in the middle of one */
            status = brig_finish(&as.out, &result->module, &result->size);
        result->referred = as.out.referred;
        if (status == BRIG_OK && diag->errors != errors)
            status = BRIG_INVALID;
    }
    asm_release(&as);
    if (status != BRIG_OK && status != BRIG_INVALID)
        asm_result_free(result);
    return status;
}

enum brig_status asm_text(const char *text, size_t size, struct diag_list *diag, struct asm_result *result)
{
    struct diag_list own = {0};
    enum brig_status status = asm_text_partly(text, size, diag ? diag : &own, result);
    diag_list_free(&own);
    if (status != BRIG_OK)
        asm_result_free(result);
    return status;
}

void asm_result_free(struct asm_result *result)
{
    mem_free(result->module);
    vec_free(&result->positions);
    *result = (struct asm_result){0};
}

/* ---- From BRIG back to the text -------------------------------------------------------------------- */

/* The latest position at or before CODE. */
static const struct asm_position *find_position(const struct asm_result *result, uint32_t code)
{
    size_t above = search_first(result->positions.count, i, result->positions.items[i].code > code);
    return above ? &result->positions.items[above - 1] : NULL;
}

uint32_t asm_statement_at(const struct asm_result *result, uint32_t code)
{
    const struct asm_position *position = find_position(result, code);
    return position ? position->text : 0;
}

struct diag_place asm_place_in_text(const struct asm_result *result, const char *text, size_t size, uint32_t code,
                                    const hsa_brig_base_t *entry, struct diag_part part)
{
    const struct asm_position *position = find_position(result, code);
    if (!position)
        return (struct diag_place){.where = DIAG_NOWHERE};
    return asm_place(locate_part(text, size, position->text, entry, part));
}
