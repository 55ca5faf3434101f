/* SPDX-License-Identifier: MIT */
/* The formatter's state and the calls between its files; private to frontend/. */
#ifndef FRONTEND_FORMAT_P_H
#define FRONTEND_FORMAT_P_H

#include "frontend/format.h"
#include "frontend/lexer.h"
#include "support/vec.h"

#define FORMAT_INDENT 4
#define FORMAT_COLUMNS 120  /* of a line; what is longer is broken after a comma */
#define FORMAT_HEAD 100     /* of the head of a kernel or function with all arguments in one line */
#define FORMAT_COMMENT 44  /* column of comments at the end of lines, where the code permits it */
#define FORMAT_ALIGNED 72  /* of code whose comment at the end of the line is aligned with those of its neighbours */

struct format_token {
    int kind; /* enum lex_kind */
    const char *text;
    size_t size;
    unsigned newlines; /* before it */
};

/* A line, whose text is in `pool`: code with its indentation, or a comment alone; then the comments at its end. */
struct format_line {
    size_t begin, code_end, end;
    bool blank;      /* before it */
    bool opens;      /* it is a brace that opens a block */
    bool annotation; /* a comment, loc, pragma or pad: belongs to what follows */
    bool several;    /* the comment has several lines */
};

struct format {
    struct lexer lexer;
    struct format_token token;    /* in hand */
    struct format_token previous; /* before it, comments left out */
    struct textbuf pool;
    VEC(struct format_line) lines;
    bool line_open;     /* the last line takes more */
    bool after_comment; /* the last thing in that line is a comment */
    bool out_of_memory;
    bool blank_next;   /* the next line has a blank line before it */
    unsigned depth;    /* of blocks */
    const char *known; /* up to here it is known whether a line ends after the comments */
    bool known_ends;

    /* The statement. */
    bool in_statement;
    size_t first_line; /* its first line, by number */
    unsigned brackets; /* open ones */
    bool is_label, is_head, keeps_breaks;
    bool ends_body;          /* it is the brace of an executable's body, and its semicolon */
    bool mnemonic, modifier; /* the mnemonic goes on; it is in the parentheses of a modifier */
    bool alone;              /* each formal of the list has a line of its own */
};

struct format_token format_read(struct lexer *lexer);

static inline bool format_is_comment(const struct format_token *token)
{
    return token->kind == LEX_LINE_COMMENT || token->kind == LEX_BLOCK_COMMENT;
}

/* format_space.c: whether there is a space before CURRENT, which follows PREVIOUS in a statement. */
bool format_space(const struct format *format, const struct format_token *previous, const struct format_token *current);

/* Whether the parenthesis in hand encloses the argument of a modifier: one token. */
bool format_is_modifier(const struct format *format);

/* Whether the formals after the parenthesis in hand are to have a line each: the source has it so, or the line would be
 * too long. COLUMN is that of the parenthesis. */
bool format_formals_alone(const struct format *format, size_t column);

/* Columns of the element of a list that begins with the token in hand. */
size_t format_element(const struct format *format);

#endif
