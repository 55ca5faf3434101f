/* SPDX-License-Identifier: MIT */
/* Decides where spaces between tokens are, and finds out how long what follows is; see format_p.h.
 * Input: the current token and what is known of its statement. Output: a decision. Invariant: there is a space between
 * tokens that would become another token without one. */
#include "frontend/format_p.h"

#include <string.h>

static bool is_one_of(const struct format_token *token, const char *characters)
{
    return token->kind > 0 && token->kind < 128 && strchr(characters, token->kind);
}

/* Before an opening bracket. */
static bool space_before_bracket(const struct format *format, const struct format_token *previous, int kind)
{
    if (kind == '{')
        return true;
    /* Lists of names, of sbr and scall; not u8x4(1, ...), align(4), u32[](1, ...), %x[4], &f(%out)(%in). */
    return kind == '[' && !format->is_head && (previous->kind == ')' || previous->kind == LEX_REGISTER);
}

bool format_space(const struct format *format, const struct format_token *previous, const struct format_token *current)
{
    bool begins_operands =
        format->mnemonic && !format->modifier && (previous->kind == LEX_WORD || previous->kind == ')');
    if (is_one_of(current, ";,)]:") || is_one_of(previous, "([:+-"))
        return false;
    if (current->kind == '}' || previous->kind == '{')
        return false;
    if (previous->kind == ',')
        return true;
    if (current->kind == '=' || previous->kind == '=')
        return !format->brackets; /* an initializer; or geometry=2d */
    if (begins_operands)
        return !(current->kind == '(' && format_is_modifier(format)) &&
               !(previous->kind == ')' && current->kind == LEX_WORD && *current->text == '_');
    if (is_one_of(current, "([{"))
        return space_before_bracket(format, previous, current->kind);
    if (is_one_of(current, "+-"))
        return previous->kind == LEX_WORD && !format->brackets;
    return true;
}

bool format_is_modifier(const struct format *format)
{
    struct lexer ahead = format->lexer;
    format_read(&ahead);
    return format_read(&ahead).kind == ')';
}

bool format_formals_alone(const struct format *format, size_t column)
{
    struct lexer ahead = format->lexer;
    struct format_token previous = format->token, token = format_read(&ahead);
    bool broken = token.newlines > 0;
    if (token.kind == ')')
        return false;
    for (unsigned brackets = 1; brackets && token.kind != LEX_END && column <= FORMAT_HEAD && !broken;) {
        if (format_is_comment(&token))
            return token.kind == LEX_LINE_COMMENT;
        brackets += is_one_of(&token, "([") ? 1 : 0;
        brackets -= is_one_of(&token, ")]") ? 1 : 0;
        column += token.size + format_space(format, &previous, &token);
        previous = token;
        token = format_read(&ahead);
    }
    return broken || column >= FORMAT_HEAD;
}

size_t format_element(const struct format *format)
{
    struct lexer ahead = format->lexer;
    struct format_token previous = format->token, token = format_read(&ahead);
    size_t columns = previous.size;
    unsigned brackets = is_one_of(&previous, "([{");
    while (token.kind != LEX_END && token.kind != ';' && columns <= FORMAT_COLUMNS &&
           !(!brackets && is_one_of(&token, ",)]}"))) {
        brackets += is_one_of(&token, "([{") ? 1 : 0;
        brackets -= is_one_of(&token, ")]}") ? 1 : 0;
        columns += format_is_comment(&token) ? 0 : token.size + format_space(format, &previous, &token);
        previous = token;
        token = format_read(&ahead);
    }
    return columns + 1; /* the comma */
}
