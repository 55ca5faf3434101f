/* SPDX-License-Identifier: MIT */
/* The canonical layout of HSAIL text; see format.h.
 * Input: text that assembles. Output: the same tokens and comments in lines. Invariant: no token is made up, left out
 * or moved past another, and what is in a comment is kept, since BRIG stores it. */
#include "frontend/format_p.h"

#include "frontend/parser.h"

#include <string.h>

struct format_token format_read(struct lexer *lexer)
{
    const char *from = lexer->cursor;
    struct format_token token = {.kind = lex_next(lexer), .text = lexer->token};
    token.size = (size_t)(lexer->cursor - lexer->token);
    for (const char *at = from; at < token.text; at++)
        token.newlines += *at == '\n';
    return token;
}

/* ---- Lines ----------------------------------------------------------------------------------------- */

static struct format_line *last_line(struct format *f)
{
    return f->lines.count ? &f->lines.items[f->lines.count - 1] : NULL;
}

static void close_line(struct format *f)
{
    f->line_open = f->after_comment = false;
}

static void open_line(struct format *f, unsigned depth)
{
    struct format_line line = {.begin = f->pool.size};
    const struct format_line *before = last_line(f);
    bool blank = f->blank_next || (!f->in_statement && f->token.newlines > 1 && f->token.kind != '}');
    line.blank = blank && before && !before->opens;
    textbuf_fill(&f->pool, ' ', (size_t)depth * FORMAT_INDENT);
    line.code_end = line.end = f->pool.size;
    if (!vec_push(&f->lines, line))
        f->out_of_memory = true;
    f->line_open = true;
    f->after_comment = f->blank_next = false;
}

/* A carriage return before a newline belongs to the file and not to the comment. One that follows another is kept,
 * because the assembler would take one away again. */
static void add_comment_text(struct format *f, const struct format_token *token)
{
    size_t from = 0;
    for (size_t i = 1; i < token->size; i++) {
        bool ends = token->kind == LEX_LINE_COMMENT && i + 1 == token->size;
        if (token->text[i] != '\r' || token->text[i - 1] == '\r' || !(ends || token->text[i + 1] == '\n'))
            continue;
        textbuf_add(&f->pool, token->text + from, i - from);
        from = i + 1;
    }
    textbuf_add(&f->pool, token->text + from, token->size - from);
}

/* ---- Comments -------------------------------------------------------------------------------------- */

/* Whether a line ends after the comment in hand and those that follow it. The answer is found once for all of them. */
static bool ends_line(struct format *f)
{
    struct lexer ahead = f->lexer;
    struct format_token token = f->token;
    if (f->token.text < f->known)
        return f->known_ends;
    f->known_ends = false;
    while (format_is_comment(&token) && !f->known_ends) {
        f->known = token.text + token.size;
        f->known_ends = token.kind == LEX_LINE_COMMENT;
        token = format_read(&ahead);
        f->known_ends |= token.newlines || token.kind == LEX_END;
    }
    return f->known_ends;
}

/* Puts a comment in a line of its own, before other tokens in their line, or after all of them. */
static void put_comment(struct format *f)
{
    bool ends = ends_line(f), several = memchr(f->token.text, '\n', f->token.size);
    bool trails = ends && !f->token.newlines && f->lines.count;
    struct format_line *line = last_line(f);
    if (trails && line) {
        if (line->end > line->code_end)
            textbuf_puts(&f->pool, " ");
        add_comment_text(f, &f->token);
        line->end = f->pool.size;
        line->several |= several;
        close_line(f);
        return;
    }
    if (!f->line_open || f->token.newlines)
        open_line(f, f->depth + f->in_statement);
    else
        textbuf_puts(&f->pool, f->previous.kind == '(' || f->previous.kind == '[' ? "" : " ");
    add_comment_text(f, &f->token);
    line = last_line(f);
    if (!line || f->out_of_memory)
        return;
    line->code_end = line->end = f->pool.size;
    line->annotation |= !f->in_statement;
    f->after_comment = true;
    if (ends)
        close_line(f);
}

/* ---- Statements ------------------------------------------------------------------------------------ */

static bool is_head(int keyword)
{
    return keyword == TOKEN_KERNEL || keyword == TOKEN_FUNCTION || keyword == TOKEN_SIGNATURE;
}

static void begin_statement(struct format *f)
{
    int keyword = f->token.kind == LEX_WORD ? asm_keyword(f->token.text, f->token.size) : 0;
    f->brackets = 0;
    f->is_head = is_head(keyword);
    f->modifier = f->alone = false;
    f->is_label = f->token.kind == LEX_LABEL;
    f->mnemonic = f->token.kind == LEX_WORD && !keyword;
    f->keeps_breaks = keyword == TOKEN_PRAGMA;
    if (!f->line_open)
        open_line(f, f->is_label ? 0 : f->depth);
    f->in_statement = true;
    f->first_line = f->lines.count - 1;
    if (!f->out_of_memory)
        last_line(f)->annotation = keyword == TOKEN_PRAGMA || keyword == TOKEN_LOC || keyword == TOKEN_PAD;
}

static void end_statement(struct format *f)
{
    f->in_statement = false;
    close_line(f);
}

/* Whether the token in hand begins a line within its statement. */
static bool breaks(struct format *f)
{
    const struct format_token *previous = &f->previous;
    const struct format_line *line = last_line(f);
    if (!f->line_open)
        return true;
    if (f->is_head)
        return f->alone && f->brackets == 1 && (previous->kind == ',' || previous->kind == '(') && f->token.kind != ')';
    bool may = previous->kind == ',' || previous->kind == '(' || previous->kind == '{' || previous->kind == '=';
    if (f->keeps_breaks && f->token.newlines && may)
        return true;
    return previous->kind == ',' && line && f->pool.size - line->begin + 1 + format_element(f) > FORMAT_COLUMNS;
}

/* Keeps track of where in its statement the token in hand is, which is in its line already. */
static void follow_statement(struct format *f)
{
    const struct format_line *line = last_line(f);
    int kind = f->token.kind;
    int keyword = kind == LEX_WORD ? asm_keyword(f->token.text, f->token.size) : 0;
    f->is_head |= is_head(keyword);
    if (kind == '=' && !f->brackets)
        f->keeps_breaks = true;
    if (kind == '(' || kind == '[' || kind == '{')
        f->brackets++;
    if ((kind == ')' || kind == ']' || kind == '}') && f->brackets)
        f->brackets--;
    if (kind == '(' && f->is_head && f->brackets == 1 && line)
        f->alone = format_formals_alone(f, f->pool.size - line->begin);
    if (!f->mnemonic)
        return;
    bool goes_on = kind == LEX_WORD && *f->token.text == '_' && f->previous.kind == ')';
    if (kind == '(' && !f->modifier && format_is_modifier(f))
        f->modifier = true;
    else if (kind == ')' && f->modifier)
        f->modifier = false;
    else if (!f->modifier && !goes_on)
        f->mnemonic = false;
}

static void take_token(struct format *f)
{
    bool begins = !f->in_statement;
    if (begins)
        begin_statement(f);
    bool first = begins && !f->after_comment;
    if (!first && breaks(f))
        open_line(f, f->depth + 1);
    else if (!first && (f->after_comment ? f->token.kind != ';' && f->token.kind != ','
                                         : format_space(f, &f->previous, &f->token)))
        textbuf_puts(&f->pool, " ");
    textbuf_add(&f->pool, f->token.text, f->token.size);
    f->after_comment = false;
    struct format_line *line = last_line(f);
    if (!line || f->out_of_memory)
        return;
    line->code_end = line->end = f->pool.size;
    if (!begins)
        follow_statement(f);
    if ((f->token.kind == ';' && !f->brackets) || (f->token.kind == ':' && f->is_label))
        end_statement(f);
}

/* Puts a blank line before what has a body, and before the comments that lead it. */
static void set_apart(struct format *f)
{
    size_t first = f->first_line;
    while (first && f->lines.items[first - 1].annotation && !f->lines.items[first].blank)
        first--;
    f->lines.items[first].blank |= first > 0;
}

static void open_block(struct format *f)
{
    if (f->is_head && f->in_statement && !f->out_of_memory)
        set_apart(f);
    open_line(f, f->depth);
    f->in_statement = f->is_head = false;
    textbuf_puts(&f->pool, "{");
    struct format_line *line = last_line(f);
    if (line)
        line->code_end = line->end = f->pool.size;
    if (line)
        line->opens = true;
    f->depth++;
    close_line(f);
}

static void close_block(struct format *f)
{
    f->depth -= f->depth > 0;
    open_line(f, f->depth);
    textbuf_puts(&f->pool, "}");
    struct format_line *line = last_line(f);
    if (line)
        line->code_end = line->end = f->pool.size;
    f->in_statement = f->ends_body = !f->depth; /* a semicolon follows the body of an executable */
    f->is_head = f->is_label = f->mnemonic = f->keeps_breaks = false;
    f->brackets = 0;
    if (f->depth)
        close_line(f);
}

/* ---- The whole text -------------------------------------------------------------------------------- */

static void format_take_token(struct format *f)
{
    if (format_is_comment(&f->token)) {
        put_comment(f);
        return;
    }
    if (f->token.kind == '{' && (!f->in_statement || (f->is_head && !f->brackets))) {
        open_block(f);
    } else if (f->token.kind == '}' && !f->in_statement) {
        close_block(f);
    } else {
        take_token(f);
        f->blank_next |= f->ends_body;
        f->ends_body = false;
    }
    f->previous = f->token;
}

/* The number of lines from FIRST on whose comments are aligned with each other, and where. */
static size_t find_run(const struct format *f, size_t first, size_t *column)
{
    size_t count = 0;
    *column = FORMAT_COMMENT;
    for (size_t i = first; i < f->lines.count; i++, count++) {
        const struct format_line *line = &f->lines.items[i];
        size_t width = line->code_end - line->begin;
        if (line->end == line->code_end || line->several || width > FORMAT_ALIGNED || (count && line->blank))
            break;
        *column = width >= *column ? width + 1 : *column;
    }
    return count;
}

static void put_lines(struct format *f, struct textbuf *out)
{
    size_t run = 0, column = 0;
    for (size_t i = 0; i < f->lines.count; i++) {
        const struct format_line *line = &f->lines.items[i];
        size_t width = line->code_end - line->begin;
        if (!run)
            run = find_run(f, i, &column);
        if (line->blank)
            textbuf_puts(out, "\n");
        textbuf_add(out, f->pool.data + line->begin, width);
        if (line->end > line->code_end) {
            textbuf_fill(out, ' ', run ? column - width : 1);
            textbuf_add(out, f->pool.data + line->code_end, line->end - line->code_end);
        }
        textbuf_puts(out, "\n");
        run -= run > 0;
    }
}

bool format_text(const char *text, size_t size, struct textbuf *out)
{
    struct format f = {.lexer = {.text = text, .cursor = text, .limit = text + size, .token = text}};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        f.lexer.cursor += 3;
    for (f.token = format_read(&f.lexer); f.token.kind != LEX_END && !f.out_of_memory && !f.pool.failed;
         f.token = format_read(&f.lexer))
        format_take_token(&f);
    if (!f.out_of_memory && !f.pool.failed)
        put_lines(&f, out);
    bool good = !f.out_of_memory && !f.pool.failed && !out->failed;
    textbuf_free(&f.pool);
    vec_free(&f.lines);
    return good;
}
