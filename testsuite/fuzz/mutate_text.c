/* SPDX-License-Identifier: MIT */
/* The mutator of HSAIL texts; see mutate.h.
 * Input: a text. Output: a text in which tokens, parts of mnemonics or whole statements were replaced by others, from a
 * dictionary made from the tables and from the text itself. Invariant: at most MOST bytes. */
#include "testsuite/fuzz/mutate.h"

#include "brig/language.h"
#include "support/textbuf.h"
#include "testsuite/tools/damage.h"

#include <ctype.h>
#include <stdio.h>

/* ---- The dictionary -------------------------------------------------------------------------------- */

static const char *const opcodes[] = {
#define OP(name, code, text, form, operands, rules, section) text,
#include "brig/tables/opcode.def"
};

static const char *const types[] = {
#define TYPE(name, code, text, class_, element, count, bits) text,
#include "brig/tables/type.def"
};

static const char *const words[] = {
#define VALUE(set, enumerator, code, text) text,
#define FLAG(set, enumerator, mask, text) text,
#include "brig/tables/value.def"
#define DIM(name, text, spelling, set, mask) text,
#include "brig/tables/slot.def"
#define KEYWORD(token, text) text,
#include "frontend/keyword.def"
    "v2", "v3", "v4", "width(all)", "align(8)", "equiv(3)", "const",
};

static const char *const numbers[] = {
    "0",
    "1",
    "-1",
    "2",
    "4",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0x7fffffff",
    "0xffffffffffffffff",
    "017",
    "0f3f800000",
    "0f7fc00000",
    "0h7c00",
    "0d7ff8000000000001",
    "1.5f",
    "1e39f",
    "0x1p-149f",
    "1.0h",
    "0x1.8p+1d",
    "1e400",
    ".5",
    "1.",
    "0x1p99999999f",
};

static const char *const pieces[] = {
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "=",
    "+",
    "-",
    "\"s\"",
    "\"\\x41\\n\"",
    "// c\n",
    "/* a\nb */",
    "/*",
    "$c0",
    "$s0",
    "$d1",
    "$q2",
    "$s127",
    "$s128",
    "$c999",
    "WAVESIZE",
    "&m",
    "%a",
    "@l",
    "@l:",
    "{u32(1), align(8)}",
    "u8x4(1,2,3,4)",
    "f32[](1.0f, 2)",
    "s8[](-1)",
    "zero(3)",
    "lanesize()",
    "addr(&g+4)",
    "[%a]",
    "[&g][$s0+4]",
    "[$d0-8]",
    "($s0, $s1)",
    "($d0, $d1, $d2, $d3)",
    "kernel &k() {",
    "};",
    "\n{\n",
    "module &m:1:2:$full:$large:$default;",
    "module &m:1:0:$base:$small:$zero;",
    "pragma \"p\", 1, $s0, &m;",
    "loc 3 4 \"f\";",
    "pad 2;",
    "maxdynamicgroupsize 8;",
    "enablebreakexceptions 31;",
    "requireddim 2;",
    "extension \"IMAGE\";",
    "extension \"CORE\":1:2;",
    "roimg(geometry=1d, width=4, channel_type=float, channel_order=rgba)",
    "samp(coord=normalized, filter=linear, addressing=repeat)",
    "decl prog function &f(arg_u32 %r)(arg_u32 %a[]);",
    "prog global_u64 &g[4] = u64[](1, 2, 3, 4);",
    "private_b8 %p[16];",
    "fbarrier %fb;",
    "signature &s()(arg_f64 %x);",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- The text -------------------------------------------------------------------------------------- */

struct text {
    char *data;
    size_t size, most;
    uint64_t state;
};

struct range {
    size_t begin, end;
};

static size_t below(struct text *text, size_t limit)
{
    return limit ? (size_t)(mutate_next(&text->state) % limit) : 0;
}

static bool one_in(struct text *text, unsigned n)
{
    return below(text, n) == 0;
}

/* Replaces a range by SIZE bytes, as far as there is room. BYTES may be part of the text. */
static void replace(struct text *text, struct range range, const char *bytes, size_t size)
{
    char *copy = size ? malloc(size) : NULL;
    if ((size && !copy) || text->size - (range.end - range.begin) + size > text->most) {
        free(copy);
        return;
    }
    if (size)
        memcpy(copy, bytes, size);
    memmove(text->data + range.begin + size, text->data + range.end, text->size - range.end);
    if (size)
        memcpy(text->data + range.begin, copy, size);
    text->size += size - (range.end - range.begin);
    free(copy);
}

static void replace_word(struct text *text, struct range range, const char *word)
{
    replace(text, range, word, strlen(word));
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The token at or after a random place: a name with its sigil, a number, or one character that is no white space. */
static struct range some_token(struct text *text)
{
    size_t at = below(text, text->size);
    while (at > 0 && in_word(text->data[at]) && in_word(text->data[at - 1]))
        at--;
    while (at < text->size && isspace((unsigned char)text->data[at]))
        at++;
    struct range token = {at, at};
    if (token.begin > 0 && in_word(text->data[at < text->size ? at : at - 1]) &&
        strchr("&%@$", text->data[token.begin - 1]))
        token.begin--;
    if (token.end < text->size)
        token.end++;
    while (token.end < text->size && in_word(text->data[token.end]) &&
           (in_word(text->data[token.end - 1]) || strchr("&%@$", text->data[token.end - 1])))
        token.end++;
    return token;
}

/* From the end of one semicolon, brace or colon to the end of another. */
static struct range some_statement(struct text *text)
{
    size_t at = below(text, text->size);
    struct range statement = {at, at};
    while (statement.begin > 0 && !strchr(";{}", text->data[statement.begin - 1]))
        statement.begin--;
    while (statement.end < text->size && !strchr(";{}", text->data[statement.end]))
        statement.end++;
    statement.end += statement.end < text->size;
    return statement;
}

/* A word between underscores of a token. */
static struct range some_part(struct text *text, struct range token)
{
    size_t at = token.begin + below(text, token.end - token.begin);
    struct range part = {at, at};
    while (part.begin > token.begin && text->data[part.begin - 1] != '_')
        part.begin--;
    while (part.end < token.end && text->data[part.end] != '_')
        part.end++;
    return part;
}

static const char *some_word(struct text *text)
{
    switch (below(text, 5)) {
    case 0: return opcodes[below(text, COUNT(opcodes))];
    case 1:
    case 2: return types[below(text, COUNT(types))];
    case 3: return words[below(text, COUNT(words))];
    default: return numbers[below(text, COUNT(numbers))];
    }
}

/* ---- Mutations ------------------------------------------------------------------------------------- */

/* Replaces a token by one of its own sort, or by one from elsewhere in the text. */
static void change_token(struct text *text)
{
    struct range token = some_token(text), other = some_token(text);
    char first = token.begin < token.end ? text->data[token.begin] : ' ', number[32];
    if (one_in(text, 4)) {
        replace(text, token, text->data + other.begin, other.end - other.begin);
    } else if (first == '$') {
        snprintf(number, sizeof number, "$%c%zu", "csdq"[below(text, 4)], below(text, one_in(text, 8) ? 200 : 8));
        replace_word(text, token, number);
    } else if (isdigit((unsigned char)first)) {
        replace_word(text, token, numbers[below(text, COUNT(numbers))]);
    } else if (strchr("&%@", first)) {
        for (unsigned i = 0; i < 20 && other.begin < other.end && text->data[other.begin] != first; i++)
            other = some_token(text);
        replace(text, token, text->data + other.begin, other.end - other.begin);
    } else if (isalpha((unsigned char)first)) {
        replace_word(text, some_part(text, token), some_word(text));
    } else {
        replace_word(text, token, pieces[below(text, COUNT(pieces))]);
    }
}

/* Adds or removes a modifier. */
static void change_modifiers(struct text *text)
{
    struct range token = some_token(text);
    if (token.begin == token.end || !isalpha((unsigned char)text->data[token.begin]))
        return;
    struct range part = some_part(text, token);
    if (one_in(text, 2)) {
        part.end += part.end < token.end;
        replace(text, part, "", 0);
        return;
    }
    struct range place = {part.begin, part.begin};
    if (part.begin > token.begin)
        replace_word(text, place, "_");
    else
        place.begin = place.end = part.end;
    const char *word = some_word(text);
    if (part.begin == token.begin)
        replace_word(text, place, "_"), place.begin = ++place.end;
    replace_word(text, place, word);
}

static void change_statements(struct text *text)
{
    struct range one = some_statement(text), two = some_statement(text);
    struct range place = {two.begin, two.begin};
    switch (below(text, 4)) {
    case 0: replace(text, one, "", 0); break;
    case 1: replace(text, one, text->data + two.begin, two.end - two.begin); break;
    default: replace(text, place, text->data + one.begin, one.end - one.begin); break;
    }
}

static void insert_piece(struct text *text)
{
    struct range token = one_in(text, 2) ? some_token(text) : some_statement(text);
    token.end = token.begin;
    replace_word(text, token, one_in(text, 3) ? some_word(text) : pieces[below(text, COUNT(pieces))]);
}

/* Inserts a statement that is made from the tables alone. */
static void insert_instruction(struct text *text)
{
    const char *name = opcodes[below(text, COUNT(opcodes))];
    const struct lang_op *op = lang_op_find(name, strlen(name));
    struct textbuf line = {0};
    textbuf_printf(&line, "\n%s", name);
    for (size_t n = below(text, 3); n; n--)
        textbuf_printf(&line, "_%s", words[below(text, COUNT(words))]);
    for (size_t n = below(text, 3); n; n--)
        textbuf_printf(&line, "_%s", types[below(text, COUNT(types))]);
    for (unsigned i = 0; op && i < op->operand_count; i++) {
        char letter = op->operands[i];
        textbuf_puts(&line, i ? ", " : " ");
        if (strchr("vwDV", letter))
            textbuf_printf(&line, "($s%zu, $s1)", below(text, 3));
        else if (letter == 'a')
            textbuf_printf(&line, "[$d%zu]", below(text, 3));
        else if (letter == 's' && one_in(text, 2))
            textbuf_puts(&line, numbers[below(text, COUNT(numbers))]);
        else
            textbuf_printf(&line, "$%c%zu", "csdq"[below(text, 4)], below(text, 4));
    }
    textbuf_puts(&line, ";");
    struct range place = some_statement(text);
    place.begin = place.end;
    if (!line.failed)
        replace(text, place, line.data, line.size);
    textbuf_free(&line);
}

static void change_something(struct text *text)
{
    switch (below(text, 10)) {
    case 0:
    case 1:
    case 2:
    case 3: change_token(text); break;
    case 4:
    case 5: change_modifiers(text); break;
    case 6: change_statements(text); break;
    case 7: insert_piece(text); break;
    case 8: insert_instruction(text); break;
    default: {
        struct range token = some_token(text);
        replace(text, token, "", 0);
    }
    }
}

size_t mutate_text(uint8_t *data, size_t size, size_t most, uint64_t seed, mutate_bytes_fn *bytes)
{
    struct text text = {(char *)data, size, most, seed};
    if (one_in(&text, 16))
        return bytes(data, size, most);
    for (size_t n = 1 + below(&text, one_in(&text, 4) ? 8 : 2); n; n--)
        change_something(&text);
    return text.size;
}
