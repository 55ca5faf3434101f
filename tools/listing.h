/* SPDX-License-Identifier: MIT */
/* A nested report of named values, written as readable text or as JSON by the same calls.
 * Names are words with blanks; as JSON keys their blanks are underscores. */
#ifndef TOOLS_LISTING_H
#define TOOLS_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report {
    bool json;
    int depth;
    bool empty;   /* nothing written yet in the innermost group: JSON needs no comma */
    bool started; /* something was written: a title comes after a blank line */
};

/* Opens a group: of named values, or with LIST of groups without names. NAME: NULL in a list and at the top. TITLE:
 * heading in text, NULL for none. */
void report_open(struct report *report, const char *name, bool list, const char *title);
void report_close(struct report *report, bool list);

void report_text(struct report *report, const char *name, const char *text);
void report_number(struct report *report, const char *name, uint64_t number, const char *unit);
void report_bool(struct report *report, const char *name, bool value);

/* COUNT numbers, or texts. Text output writes numbers with SEPARATOR between them, texts with a comma. */
void report_numbers(struct report *report, const char *name, const uint64_t *numbers, size_t count,
                    const char *separator);
void report_texts(struct report *report, const char *name, const char *const *texts, size_t count);

#endif
