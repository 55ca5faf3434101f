/* SPDX-License-Identifier: MIT */
/* Tokens of HSAIL text (PRM 19.1).
 *
 * A token is a kind and a range of the text; its value is computed by whoever needs it. Words (keywords, opcodes with
 * their modifiers, property names) are one kind: what a word means depends on where it stands. */
#ifndef FRONTEND_LEXER_H
#define FRONTEND_LEXER_H

#include <stddef.h>
#include <stdint.h>

/* Kinds that stand for one character have that character's code. */
enum lex_kind {
    LEX_END = 0,
    LEX_WORD = 300,    /* [A-Za-z_][A-Za-z0-9_]*, also vendor:word */
    LEX_GLOBAL,        /* &name */
    LEX_LOCAL,         /* %name */
    LEX_LABEL,         /* @name */
    LEX_REGISTER,      /* $s0 */
    LEX_DOLLAR,        /* any other $word: profile, machine model, rounding */
    LEX_INTEGER,       /* decimal, hexadecimal or octal */
    LEX_HALF,          /* with suffix h, or 0h and four digits */
    LEX_SINGLE,        /* with suffix f, or 0f and eight digits */
    LEX_DOUBLE,        /* with suffix d or none, or 0d and sixteen digits */
    LEX_DIGIT_WORD,    /* starts with a digit but is no number; 1d, 2da... are geometries */
    LEX_STRING,        /* with its quotes, escapes unresolved */
    LEX_LINE_COMMENT,  /* to the end of the line, without it */
    LEX_BLOCK_COMMENT, /* with its delimiters */
    LEX_BAD_STRING,    /* no closing quote in its line */
    LEX_BAD_COMMENT,   /* no end */
    LEX_BAD_NAME,      /* a sigil without a name */
    LEX_BAD_BYTE,      /* a byte that starts no token */
};

/* TEXT[LIMIT] must be readable and NUL; other NULs are ordinary (bad) bytes. Positions are offsets into it. */
struct lexer {
    const char *text;
    const char *cursor; /* first byte after the token */
    const char *limit;
    const char *token; /* first byte of the token */
};

/* Reads the next token, comments included, white space skipped. */
int lex_next(struct lexer *lexer);

#endif
