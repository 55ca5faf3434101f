/* SPDX-License-Identifier: MIT */
/* Breakpoints of hsailrun; see run_break.h. Input: words of the command line, HSAIL text. Output: words for the
 * runtime. Invariant: a label that stands for several places is refused, not guessed at. */
#include "config.h"

#include "tools/run_break.h"

#include "support/alloc.h"
#include "support/breakpoint.h"

#include <ctype.h>
#include <string.h>

struct label_search {
    const char *at, *end;
    unsigned line;
};

/* Passes over a comment or a string if one begins here, else over one character. */
static void skip_one(struct label_search *s)
{
    const char *from = s->at, *stop = NULL;
    size_t left = (size_t)(s->end - s->at);
    if (left > 1 && !memcmp(s->at, "//", 2))
        stop = memchr(s->at, '\n', left);
    else if (left > 1 && !memcmp(s->at, "/*", 2))
        stop = memmem(s->at + 2, left - 2, "*/", 2);
    else if (*s->at == '"')
        stop = memchr(s->at + 1, '"', left - 1);
    else
        stop = s->at;
    s->at = stop ? stop + 1 + (*stop == '*') : s->end;
    for (; from < s->at; from++)
        s->line += *from == '\n';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || strchr("_$&@%.", c);
}

/* Moves S to what follows the next definition of LABEL; false if there is none. */
static bool find_label(struct label_search *s, const char *label, size_t length)
{
    while (s->at < s->end) {
        if (!is_word(*s->at)) {
            skip_one(s);
            continue;
        }
        const char *word = s->at;
        while (s->at < s->end && is_word(*s->at))
            s->at++;
        const char *after = s->at;
        while (after < s->end && isspace((unsigned char)*after))
            after++;
        if ((size_t)(s->at - word) == length && !memcmp(word, label, length) && after < s->end && *after == ':')
            return true;
    }
    return false;
}

/* The line of the next statement; blanks, comments and labels are passed over. */
static unsigned next_statement(struct label_search s)
{
    while (s.at < s.end) {
        const char *word = s.at;
        if (!is_word(*s.at)) {
            skip_one(&s);
            continue;
        }
        while (s.at < s.end && is_word(*s.at))
            s.at++;
        if (*word != '@')
            break;
    }
    return s.line;
}

static bool put_label(const struct cli_program *program, const char *label, size_t length, const char *file,
                      struct textbuf *out)
{
    uint8_t *data;
    size_t size;
    if (!file) {
        cli_error(program, "labels are found in HSAIL text only: name a line, not %.*s", (int)length, label);
        return false;
    }
    if (!strcmp(file, "-")) {
        cli_error(program, "a label needs the text, and standard input is read only once: name a line");
        return false;
    }
    if (!cli_read_file(program, file, &data, &size))
        return false;
    struct label_search s = {(const char *)data, (const char *)data + size, 1};
    unsigned line = find_label(&s, label, length) ? next_statement(s) : 0;
    bool twice = line && find_label(&s, label, length);
    mem_free(data);
    if (!line || twice) {
        cli_error(program, twice ? "%s: label %.*s is there more than once: name a line" : "%s: there is no label %.*s",
                  file, (int)length, label);
        return false;
    }
    textbuf_printf(out, "%u", line);
    return true;
}

bool run_break_is_list(const struct cli_program *program, const char *places)
{
    for (const char *at = places;; at++) {
        struct breakpoint breakpoint;
        size_t length = strcspn(at, ",");
        if (!(length > 1 && *at == '@') && !breakpoint_parse(at, length, &breakpoint)) {
            cli_usage_error(program, "--break needs @LABEL, LINE, FILE:LINE, 0xPC, NAME, NAME+0xN or start, not %.*s",
                            (int)length, at);
            return false;
        }
        at += length;
        if (!*at)
            return true;
    }
}

bool run_break_places(const struct cli_program *program, const char *places, const char *file, struct textbuf *out)
{
    for (const char *at = places;; at++) {
        size_t length = strcspn(at, ",");
        if (*at != '@')
            textbuf_add(out, at, length);
        else if (!put_label(program, at, length, file, out))
            return false;
        at += length;
        if (!*at)
            return !out->failed;
        textbuf_puts(out, ",");
    }
}
