/* SPDX-License-Identifier: MIT */
/* Reads filters of traces; see trace_filter.h. Input: words of a command line or of the environment. Output: a filter.
 * Invariant: what is not understood is refused, never taken for "all". */
#include "support/trace_filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
#define INSTRUCTION_KIND(name, word) word,
#include "support/instruction_kind.def"
#undef INSTRUCTION_KIND
};

/* Reads the number at *TEXT, and moves *TEXT after it. */
static bool read_number(const char **text, uint64_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *number = strtoull(*text, &end, 0);
    *text = end;
    return !errno;
}

static bool read_range(const char **text, struct trace_range *range)
{
    if (!read_number(text, &range->first))
        return false;
    range->last = range->first;
    if (**text != '-')
        return true;
    (*text)++;
    return read_number(text, &range->last) && range->last >= range->first;
}

static bool read_group(const char **text, struct trace_filter *filter)
{
    filter->has_group = true;
    memset(filter->group, 0, sizeof filter->group);
    for (unsigned i = 0; i < 3; i++) {
        if (!read_number(text, &filter->group[i]))
            return false;
        if (**text != 'x')
            return true;
        (*text)++;
    }
    return false;
}

static bool read_kinds(const char **text, unsigned *bits)
{
    for (*bits = 0;; (*text)++) {
        size_t length = strcspn(*text, "+,"), i = 0;
        while (i < sizeof kinds / sizeof *kinds && (strlen(kinds[i]) != length || memcmp(kinds[i], *text, length) != 0))
            i++;
        if (i == sizeof kinds / sizeof *kinds)
            return false;
        *bits |= 1u << i;
        *text += length;
        if (**text != '+')
            return true;
    }
}

static bool read_kernel(const char **text, struct trace_filter *filter)
{
    *text += **text == '&';
    size_t length = strcspn(*text, ",");
    if (!length || length >= sizeof filter->kernel)
        return false;
    memcpy(filter->kernel, *text, length);
    filter->kernel[length] = 0;
    *text += length;
    return true;
}

static bool read_word(const char **text, struct trace_filter *filter)
{
    static const char *const names[] = {"kernel", "group", "wave", "pc", "line", "kind"};
    size_t length = strcspn(*text, "=,"), i = 0;
    while (i < sizeof names / sizeof *names && (strlen(names[i]) != length || memcmp(names[i], *text, length) != 0))
        i++;
    if (i == sizeof names / sizeof *names || (*text)[length] != '=')
        return false;
    *text += length + 1;
    switch (i) {
    case 0: return read_kernel(text, filter);
    case 1: return read_group(text, filter);
    case 2: return read_range(text, &filter->waves);
    case 3: return read_range(text, &filter->offsets);
    case 4: return read_range(text, &filter->lines);
    default: return read_kinds(text, &filter->kinds);
    }
}

bool trace_filter_parse(const char *text, struct trace_filter *filter, const char **wrong)
{
    const struct trace_range all = {0, UINT64_MAX};
    *filter = (struct trace_filter){.waves = all, .offsets = all, .lines = all, .kinds = ~0u};
    *wrong = text;
    if (!strcmp(text, "all"))
        return true;
    for (;; text++) {
        *wrong = text;
        if (!read_word(&text, filter) || (*text && *text != ','))
            return false;
        if (!*text)
            return true;
    }
}

bool trace_filter_kernel(const struct trace_filter *filter, const char *kernel)
{
    return !*filter->kernel || !strcmp(filter->kernel, kernel + (*kernel == '&'));
}
