/* SPDX-License-Identifier: MIT */
/* The page that shows what was counted and found in kernels: one HTML file that loads nothing else. Its parts are in
 * tools/page. */
#ifndef TOOLS_REPORT_PAGE_H
#define TOOLS_REPORT_PAGE_H

#include "support/cli.h"
#include "support/textbuf.h"
#include "support/vec.h"

/* What a page is made of. The caller sets it to zeros first, and calls report_page_free() in the end. */
struct report_page {
    struct textbuf records; /* JSON objects, separated by commas */
    struct textbuf sources; /* the same: {"name", "text", "hsail"} */
    VEC(char *) wanted;     /* files that the records name, without folders, each once */
    VEC(char *) given;      /* files that are among SOURCES, likewise */
    bool failed;            /* memory has run out */
};

/* Adds the lines of the file NAME, which must all be JSON objects. If one is not, prints that to standard error and
 * returns false. */
bool report_page_add_records(const struct cli_program *program, struct report_page *page, const char *name,
                             const void *data, size_t size);

/* The same for the lines of the file NAME after its first FROM bytes; `-` is standard input. */
bool report_page_add_file(const struct cli_program *program, struct report_page *page, const char *name, size_t from);

/* Adds the text of a source, unless a source of that name has been added. */
void report_page_add_source(struct report_page *page, const char *name, const void *data, size_t size, bool hsail);

/* Adds the files of the folder that the records name. Of these names only the part after the last slash counts, so that
 * a code object cannot have just any file of the machine shown. */
void report_page_find_sources(struct report_page *page, const char *folder);

/* Writes the page. */
bool report_page_write(const struct cli_program *program, struct report_page *page, const char *title,
                       const char *file);

void report_page_free(struct report_page *page);

#endif
