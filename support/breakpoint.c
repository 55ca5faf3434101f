/* SPDX-License-Identifier: MIT */
/* Reads breakpoints; see breakpoint.h. Input: words. Output: places. Invariant: a word has one meaning at most. */
#include "support/breakpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, int base, uint64_t *number)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, base);
    return !*end && !errno;
}

static bool is_name(const char *text)
{
    return *text && !strpbrk(text, " \t,:+") && (*text < '0' || *text > '9') && *text != '$' && *text != '@';
}

/* Ends TEXT at the last C in it, and returns what followed this C; NULL if there is none. */
static char *split_at_last(char *text, char c)
{
    char *at = strrchr(text, c);
    if (!at)
        return NULL;
    *at = 0;
    return at + 1;
}

bool breakpoint_parse(const char *text, size_t length, struct breakpoint *b)
{
    *b = (struct breakpoint){0};
    if (!length || length >= sizeof b->name)
        return false;
    memcpy(b->name, text, length);
    if (!strcmp(b->name, "start"))
        return true;
    b->kind = strncmp(b->name, "0x", 2) != 0 ? BREAKPOINT_LINE : BREAKPOINT_PC;
    if (read_number(b->name, b->kind == BREAKPOINT_PC ? 16 : 10, &b->number)) {
        *b->name = 0;
        return true;
    }
    char *rest = split_at_last(b->name, ':');
    if (rest) {
        b->kind = BREAKPOINT_LINE;
        return *b->name && read_number(rest, 10, &b->number);
    }
    b->kind = BREAKPOINT_FUNCTION;
    rest = split_at_last(b->name, '+');
    return is_name(b->name) && (!rest || read_number(rest, 0, &b->number));
}
