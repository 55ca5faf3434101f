/* SPDX-License-Identifier: MIT */
/* Lexer of HSAIL text (PRM 19.1, 4.3 to 4.9).
 * Input: text of known length with a NUL after it. Output: one token per call. Invariant: the text is never
 * read past its limit, since no rule goes on after a NUL; every byte belongs to a token or is white space. Opcodes
 * are words here: the tables know them. */
#define _GNU_SOURCE
#include "frontend/lexer.h"

#include <string.h>

#define YYCTYPE unsigned char
#define YYPEEK() (*(const unsigned char *)cursor)
#define YYSKIP() (++cursor)
#define YYBACKUP() (marker = cursor)
#define YYRESTORE() (cursor = marker)

#define RETURN(kind) return lexer->token = token, lexer->cursor = cursor, (kind)

/* The end of the line that FROM is in, without its newline. */
static const char *line_end(const char *from, const char *limit)
{
    const char *newline = memchr(from, '\n', (size_t)(limit - from));
    return newline ? newline : limit;
}

/* What is after the comment whose text begins at FROM; NULL when it has no end. */
static const char *comment_end(const char *from, const char *limit)
{
    const char *end = memmem(from, (size_t)(limit - from), "*/", 2);
    return end ? end + 2 : NULL;
}

int lex_next(struct lexer *lexer)
{
    const char *cursor = lexer->cursor, *limit = lexer->limit, *marker, *token;
next:
    token = cursor;
    /*!re2c
        re2c:yyfill:enable = 0;
        re2c:flags:input = custom;
        re2c:indent:string = "    ";

        name = [A-Za-z_] [A-Za-z0-9_.]*;
        word = [A-Za-z_] [A-Za-z0-9_]*;
        digits = [0-9]+;
        hex = [0-9a-fA-F];
        exponent = [eE] [+-]? digits;
        decimal_float = (digits "." digits? | "." digits) exponent? | digits exponent;
        hex_float = "0" [xX] (hex+ "."? | hex* "." hex+) [pP] [+-]? digits;
        float = decimal_float | hex_float;

        [ \t\v\f\r\n]+              { goto next; }

        word (":" word)?            { RETURN(LEX_WORD); }
        "&" name                    { RETURN(LEX_GLOBAL); }
        "%" name                    { RETURN(LEX_LOCAL); }
        "@" name                    { RETURN(LEX_LABEL); }
        "$" [csdq] ("0" | [1-9] [0-9]*) { RETURN(LEX_REGISTER); }
        "$" [A-Za-z0-9_.]+          { RETURN(LEX_DOLLAR); }
        [&%@$]                      { RETURN(LEX_BAD_NAME); }

        "0" | [1-9] [0-9]* | "0" [0-7]+ | "0" [xX] hex+ { RETURN(LEX_INTEGER); }
        float [hH] | "0" [hH] hex{4}   { RETURN(LEX_HALF); }
        float [fF] | "0" [fF] hex{8}   { RETURN(LEX_SINGLE); }
        float [dD]? | "0" [dD] hex{16} { RETURN(LEX_DOUBLE); }
        "."? [0-9] [A-Za-z0-9_.]*   { RETURN(LEX_DIGIT_WORD); }

        ["] ([^"\\\n\x00] | "\\" [^\n\x00])* ["] { RETURN(LEX_STRING); }
        ["] ([^"\\\n\x00] | "\\" [^\n\x00])* "\\"? { RETURN(LEX_BAD_STRING); }

        "//" {
            cursor = line_end(cursor, limit);
            RETURN(LEX_LINE_COMMENT);
        }
        "/*" {
            const char *end = comment_end(cursor, limit);
            cursor = end ? end : limit;
            RETURN(end ? LEX_BLOCK_COMMENT : LEX_BAD_COMMENT);
        }

        [,;:=(){}[\]+-]             { RETURN((unsigned char)*token); }
        "\x00" {
            if (token < limit)
                RETURN(LEX_BAD_BYTE);
            cursor = limit;
            RETURN(LEX_END);
        }
        [\x80-\xff]+               { RETURN(LEX_BAD_BYTE); }
        *                           { RETURN(LEX_BAD_BYTE); }
    */
}
