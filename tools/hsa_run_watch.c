/* SPDX-License-Identifier: MIT */
/* What hsa-run has the software GPUs look for; see hsa_run_watch.h.
 *
 * Input: options, the environment, the lines of JSON that the runtimes of all processes append to two files. Output:
 * variables of the environment, a page, the number of findings. Invariant: what the files held before is not counted.
 */
#include "tools/hsa_run_watch.h"

#include "support/alloc.h"
#include "tools/report_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Creates the file NAME unless it exists, and finds its whole path, as the program may change its folder. */
static bool prepare_file(const struct cli_program *program, const char *name, char path[PATH_MAX], size_t *size)
{
    struct stat status;
    FILE *file = fopen(name, "ae");
    bool good = file && !fstat(fileno(file), &status) && realpath(name, path);
    if (!good)
        cli_error(program, "%s: %s", name, strerror(errno));
    else
        *size = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
    if (file)
        fclose(file);
    return good;
}

static const char *from_environment(const char *variable)
{
    const char *text = getenv(variable);
    return text && *text ? text : NULL;
}

/* Chooses the file that an option or the environment names, else one in TEMPORARY. */
static bool choose_file(const struct cli_program *program, const char *named, const char *temporary, const char *base,
                        char path[PATH_MAX], size_t *size)
{
    char name[PATH_MAX];
    if (!named && snprintf(name, sizeof name, "%s/%s", temporary, base) >= (int)sizeof name)
        return false;
    return prepare_file(program, named ? named : name, path, size);
}

/* Whether a page can be written where FILE is to be, so that a long run is not lost. */
static bool has_folder(const struct cli_program *program, const char *file)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(file, '/');
    if (!strcmp(file, "-") || strlen(file) >= sizeof folder)
        return true;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
    if (!access(*folder ? folder : "/", W_OK | X_OK))
        return true;
    cli_error(program, "%s: %s", file, strerror(errno));
    return false;
}

/* Whether a file that was written can be read when the program has ended; a device or a pipe would seem empty. */
static bool can_be_read(const struct cli_program *program, const char *path)
{
    struct stat status;
    if (!stat(path, &status) && S_ISREG(status.st_mode))
        return true;
    cli_error(program, "%s: with --check or --report this has to be a regular file", path);
    return false;
}

static bool ask_page(const struct cli_program *program, struct run_watch *watch, const char *temporary)
{
    const char *count = watch->observe.count ? watch->observe.count : from_environment("HSA_GCN_COUNT");
    if (count && !strcmp(count, "-")) {
        cli_error(program, "with --report, --count needs a file, as in --count=counts.json");
        return false;
    }
    if (!has_folder(program, watch->page) ||
        !choose_file(program, count, temporary, "counts.json", watch->counts, &watch->counts_before) ||
        !can_be_read(program, watch->counts))
        return false;
    watch->observe.count = watch->counts;
    return true;
}

/* Replaces the name of a file that is to be written by its whole path, unless it is that already. */
static bool whole_path(const struct cli_program *program, const char **name, char path[PATH_MAX])
{
    size_t size;
    if (!*name || *name == path || !strcmp(*name, "-"))
        return true;
    bool good = prepare_file(program, *name, path, &size);
    *name = path;
    return good;
}

bool run_watch_begin(const struct cli_program *program, struct run_watch *watch, const char *temporary)
{
    const char *reports = watch->report_json ? watch->report_json : from_environment("HSA_REPORT_FILE");
    if (watch->page && !ask_page(program, watch, temporary))
        return false;
    if (watch->check || watch->page || watch->report_json) {
        if (!choose_file(program, reports, temporary, "reports.json", watch->reports, &watch->reports_before))
            return false;
        if ((watch->check || watch->page) && !can_be_read(program, watch->reports))
            return false;
        setenv("HSA_REPORT_FILE", watch->reports, 1);
    }
    if (watch->check)
        setenv("HSA_GCN_CHECK", watch->check, 1);
    if (watch->suppressions) {
        char path[PATH_MAX];
        if (!realpath(watch->suppressions, path))
            return cli_error(program, "%s: %s", watch->suppressions, strerror(errno)), false;
        setenv("HSA_GCN_SUPPRESSIONS", path, 1);
    }
    struct run_observe *observe = &watch->observe;
    return whole_path(program, &observe->count, watch->counts) &&
           whole_path(program, &observe->registers, watch->registers) &&
           whole_path(program, &observe->trace_file, watch->trace) && run_observe_ask(program, observe, NULL);
}

/* Counts the lines of KIND that were appended to the file of reports. */
static size_t count_reports(const uint8_t *data, size_t size, const char *kind)
{
    char start[32];
    int length = snprintf(start, sizeof start, "{\"kind\":\"%s\"", kind);
    size_t count = 0;
    for (const uint8_t *at = data, *end = data + size; at && at < end;) {
        count += end - at > length && !memcmp(at, start, (size_t)length);
        at = memchr(at, '\n', (size_t)(end - at));
        at += at != NULL;
    }
    return count;
}

/* Says how much was found; false if it was something. */
static bool show_findings(const struct cli_program *program, const struct run_watch *watch)
{
    uint8_t *data;
    size_t size;
    if (!cli_read_file(program, watch->reports, &data, &size))
        return false;
    size_t from = watch->reports_before < size ? watch->reports_before : size;
    size_t findings = count_reports(data + from, size - from, "finding");
    size_t faults = count_reports(data + from, size - from, "fault");
    mem_free(data);
    if (findings)
        cli_error(program, "%zu finding%s", findings, findings == 1 ? "" : "s");
    if (faults)
        cli_error(program, "%zu fault%s", faults, faults == 1 ? "" : "s");
    return !findings && !faults;
}

static bool make_page(const struct cli_program *program, const struct run_watch *watch, const char *command)
{
    struct report_page page = {0};
    const char *slash = strrchr(command, '/');
    char folder[PATH_MAX];
    bool made = report_page_add_file(program, &page, watch->counts, watch->counts_before) &&
                report_page_add_file(program, &page, watch->reports, watch->reports_before);
    report_page_find_sources(&page, ".");
    if (slash && snprintf(folder, sizeof folder, "%.*s", (int)(slash - command), command) < (int)sizeof folder)
        report_page_find_sources(&page, *folder ? folder : "/");
    made = made && report_page_write(program, &page, slash ? slash + 1 : command, watch->page);
    report_page_free(&page);
    return made;
}

int run_watch_end(const struct cli_program *program, const struct run_watch *watch, const char *command, int status)
{
    bool good = true;
    if (watch->page)
        good = make_page(program, watch, command);
    if (watch->check)
        good &= show_findings(program, watch);
    return good || status != CLI_STATUS_DONE ? status : CLI_STATUS_DIAGNOSED;
}
