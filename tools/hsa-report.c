/* SPDX-License-Identifier: MIT */
/* hsa-report: makes a page that shows what the software GPU counted and found.
 * Input: files of JSON lines, sources. Output: one HTML file. Invariant: it appears whole or not at all. */
#include "support/alloc.h"
#include "tools/report_page.h"

#include <string.h>

enum option_id { OPT_OUTPUT = 1, OPT_SOURCE, OPT_FOLDER, OPT_TITLE };

static const struct cli_option options[] = {
    {OPT_OUTPUT, 'o', "output", "FILE", "write the page to FILE, - for standard output; must be given"},
    {OPT_SOURCE, 's', "source", "FILE", "show this source, HSAIL if it ends in .hsail; may be repeated"},
    {OPT_FOLDER, 'd', "source-dir", "FOLDER", "look there for the sources that are named (default: the current one)"},
    {OPT_TITLE, 't', "title", "TEXT", "the title of the page"},
    {0},
};

static const struct cli_program program = {
    "hsa-report",
    "-o FILE.html [options] JSON...",
    "Makes a page of what HSA_GCN_COUNT, HSA_REPORT_FILE and hsailrun have written.",
    options,
    "JSON is a file with an object on each line; - is standard input.",
};

enum { MOST_FILES = 64 };

struct report_command {
    const char *output, *title;
    const char *files[MOST_FILES], *sources[MOST_FILES], *folders[MOST_FILES];
    size_t file_count, source_count, folder_count;
};

static int keep_argument(const char **list, size_t *count, const char *value)
{
    if (*count == MOST_FILES)
        return cli_usage_error(&program, "more than %d files of one kind", MOST_FILES);
    list[(*count)++] = value;
    return 0;
}

static int read_option(struct report_command *command, int id, const char *value)
{
    switch ((enum option_id)id) {
    case OPT_OUTPUT: command->output = value; break;
    case OPT_TITLE: command->title = value; break;
    case OPT_SOURCE: return keep_argument(command->sources, &command->source_count, value);
    case OPT_FOLDER: return keep_argument(command->folders, &command->folder_count, value);
    }
    return 0;
}

static bool add_source(struct report_page *page, const char *name)
{
    uint8_t *data;
    size_t size, length = strlen(name);
    if (!cli_read_file(&program, name, &data, &size))
        return false;
    bool hsail = length > 6 && !strcmp(name + length - 6, ".hsail");
    report_page_add_source(page, name, data, size, hsail);
    mem_free(data);
    return true;
}

static bool make_page(const struct report_command *command, struct report_page *page)
{
    for (size_t i = 0; i < command->file_count; i++)
        if (!report_page_add_file(&program, page, command->files[i], 0))
            return false;
    for (size_t i = 0; i < command->source_count; i++)
        if (!add_source(page, command->sources[i]))
            return false;
    for (size_t i = 0; i < command->folder_count; i++)
        report_page_find_sources(page, command->folders[i]);
    if (!command->folder_count)
        report_page_find_sources(page, ".");
    return report_page_write(&program, page, command->title, command->output);
}

int main(int argc, char **argv)
{
    struct report_command command = {.title = "Kernel report"};
    struct report_page page = {0};
    struct cli cli = cli_start(&program, argc, argv);
    for (int id; (id = cli_next(&cli)) != CLI_END;) {
        if (id == CLI_EXIT)
            return cli.status;
        int status = id == CLI_OPERAND ? keep_argument(command.files, &command.file_count, cli.value)
                                       : read_option(&command, id, cli.value);
        if (status)
            return status;
    }
    if (!command.file_count)
        return cli_usage_error(&program, "no file given");
    if (!command.output)
        return cli_usage_error(&program, "--output is missing");
    bool made = make_page(&command, &page);
    report_page_free(&page);
    return cli_finish(&program, made ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED);
}
