/* SPDX-License-Identifier: MIT */
/* Gives HSAIL text line numbers for the debugger by adding loc directives.
 * Input: text that assembles. Output: the same text with directives; no line moves. Invariant: a directive stands
 * where a statement of a body begins, never inside a statement. */
#include "tools/loc_directives.h"

#include <ctype.h>
#include <string.h>

struct text_scan {
    const char *at, *end;
    unsigned line, depth, told; /* `depth` braces are open; `told` is the line of the last directive */
    bool start;                 /* a statement may begin here */
    struct bytes name;
    struct textbuf *out;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '&' || c == '@' || c == '%';
}

/* The length of the token at AT: a comment, a string, a word, or any other single character. */
static size_t token(const struct text_scan *s)
{
    const char *p = s->at;
    if (p[0] == '/' && s->end - p > 1 && p[1] == '/') {
        const char *stop = memchr(p, '\n', (size_t)(s->end - p));
        return (size_t)((stop ? stop : s->end) - p);
    }
    if (p[0] == '/' && s->end - p > 1 && p[1] == '*') {
        for (p += 2; s->end - p > 1 && !(p[0] == '*' && p[1] == '/'); p++)
            ;
        return s->end - p > 1 ? (size_t)(p + 2 - s->at) : (size_t)(s->end - s->at);
    }
    if (*p == '"' || *p == '\'') {
        for (p++; p < s->end && *p != *s->at; p++)
            p += *p == '\\' && s->end - p > 1;
        return p < s->end ? (size_t)(p + 1 - s->at) : (size_t)(s->end - s->at);
    }
    while (p < s->end && is_word(*p))
        p++;
    return p > s->at ? (size_t)(p - s->at) : 1;
}

static void tell(struct text_scan *s)
{
    if (s->told == s->line)
        return;
    s->told = s->line;
    textbuf_printf(s->out, "loc %u \"", s->line);
    for (size_t i = 0; i < s->name.size; i++) {
        char c = (char)s->name.data[i];
        textbuf_add(s->out, c == '"' || c == '\\' || !isprint((unsigned char)c) ? "_" : &c, 1);
    }
    textbuf_puts(s->out, "\"; ");
}

/* Copies one token; false when it starts a loc directive of the text's own. */
static bool step(struct text_scan *s)
{
    size_t length = token(s);
    bool comment = *s->at == '/' && length > 1, blank = isspace((unsigned char)*s->at);
    bool begins = s->start && s->depth && is_word(*s->at);
    if (begins && length == 3 && !memcmp(s->at, "loc", 3))
        return false;
    if (begins && *s->at != '@')
        tell(s);
    if (!comment && !blank)
        s->start = strchr(";:{}", *s->at) != NULL;
    s->depth += *s->at == '{';
    s->depth -= *s->at == '}' && s->depth;
    for (size_t i = 0; i < length; i++)
        s->line += s->at[i] == '\n';
    textbuf_add(s->out, s->at, length);
    s->at += length;
    return true;
}

bool lines_add(const char *name, const void *text, size_t size, struct textbuf *out)
{
    struct text_scan s = {
        .at = text,
        .end = (const char *)text + size,
        .line = 1,
        .start = true,
        .name = {(const uint8_t *)name, strlen(name)},
        .out = out};
    while (s.at < s.end)
        if (!step(&s))
            return false;
    return !out->failed;
}
