/* SPDX-License-Identifier: MIT */
/* The page of hsailrun --report; see run_page.h.
 * Input: what the runtime wrote and reported, the files of the command line. Output: an HTML file.
 * Invariant: a temporary file is removed at the end; what a file held before the run is not shown. */
#include "tools/run_page.h"

#include "support/alloc.h"
#include "tools/report_page.h"
#include "tools/run_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    char counts[4096];
    bool is_temporary;
    size_t before; /* size of the file COUNTS at the start */
} page_files;

bool run_page_begin(const struct cli_program *program, struct run_observe *observe)
{
    struct stat status;
    run_report_keep();
    if (observe->count && !strcmp(observe->count, "-")) {
        cli_error(program, "with --report, --count needs a file, as in --count=counts.json");
        return false;
    }
    if (observe->count) {
        snprintf(page_files.counts, sizeof page_files.counts, "%s", observe->count);
        page_files.before = stat(page_files.counts, &status) ? 0 : (size_t)status.st_size;
        return true;
    }
    const char *folder = getenv("TMPDIR");
    snprintf(page_files.counts, sizeof page_files.counts, "%s/hsailrun.XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(page_files.counts);
    if (file < 0) {
        cli_error(program, "%s: %s", page_files.counts, strerror(errno));
        return false;
    }
    close(file);
    page_files.is_temporary = true;
    observe->count = page_files.counts;
    return true;
}

/* Adds the text of a file of the command line, unless it is BRIG or ELF, and from its folder the sources that the
 * records name. */
static void add_input(const struct cli_program *program, struct report_page *page, const char *name)
{
    uint8_t *data;
    size_t size;
    struct stat status;
    if (stat(name, &status) || !S_ISREG(status.st_mode) || !cli_read_file(program, name, &data, &size))
        return;
    bool binary = size >= 4 && (!memcmp(data, "\177ELF", 4) || (size >= 8 && !memcmp(data, "HSA BRIG", 8)));
    if (!binary)
        report_page_add_source(page, name, data, size, true);
    mem_free(data);
    const char *slash = strrchr(name, '/');
    char folder[4096];
    if (slash && (size_t)snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name) < sizeof folder)
        report_page_find_sources(page, slash == name ? "/" : folder);
}

bool run_page_end(const struct cli_program *program, const char *file, const char *const *names, size_t count)
{
    struct report_page page = {0};
    const struct textbuf *reports = run_report_json();
    bool made = report_page_add_file(program, &page, page_files.counts, page_files.before);
    if (page_files.is_temporary)
        unlink(page_files.counts);
    made = made && report_page_add_records(program, &page, "reports", reports->data, reports->size);
    for (size_t i = 0; i < count && made; i++)
        add_input(program, &page, names[i]);
    report_page_find_sources(&page, ".");
    made = made && report_page_write(program, &page, names[0], file);
    report_page_free(&page);
    return made;
}
