/* SPDX-License-Identifier: MIT */
/* The page that shows what was counted and found of kernels: one HTML file that loads nothing. Its parts are in
 * tools/page. */
#ifndef TOOLS_REPORT_PAGE_H
#define TOOLS_REPORT_PAGE_H

#include "support/cli.h"
#include "support/textbuf.h"
#include "support/vec.h"

/* What a page is made of. Starts as zeros; report_page_free() ends it. */
struct report_page {
    struct textbuf records; /* JSON objects, separated by commas */
    struct textbuf sources; /* the same: {"name", "text", "hsail"} */
    VEC(char *) wanted;     /* files that the records name, without folders, each once */
    VEC(char *) given;      /* files that are among SOURCES, likewise */
    bool failed;            /* memory has run out */
};

/* Adds the lines of NAME, each of which is a JSON object. Prints what is wrong with it to standard error and returns
 * false when a line is something else. */
bool report_page_add_records(const struct cli_program *program, struct report_page *page, const char *name,
                             const void *data, size_t size);

/* Adds the text of a source, unless there is one of that name. */
void report_page_add_source(struct report_page *page, const char *name, const void *data, size_t size, bool hsail);

/* Adds what the records name and the folder has. Names count without their folders: what a code object says may not
 * choose any file of the machine. */
void report_page_find_sources(struct report_page *page, const char *folder);

/* Writes the page. */
bool report_page_write(const struct cli_program *program, struct report_page *page, const char *title,
                       const char *file);

void report_page_free(struct report_page *page);

#endif
