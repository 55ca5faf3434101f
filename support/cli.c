/* SPDX-License-Identifier: MIT */
/* Parses options and prints --help from one table; see cli.h.
 * Input: argv and a table. Output: ids in the order in which the options are written. Invariant: nothing of argv is
 * changed or copied. */
#include "support/cli.h"

#include "support/textbuf.h"

#include <config.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 30

enum { ID_HELP = -10, ID_VERSION = -11 };

static const struct cli_option common_options[] = {
    {ID_HELP, 'h', "help", NULL, "print this help and exit"},
    {ID_VERSION, 0, "version", NULL, "print the version and exit"},
    {0},
};

struct cli cli_start(const struct cli_program *program, int argc, char **argv)
{
    return (struct cli){.program = program, .argc = argc, .argv = argv, .index = 1, .spelled = ""};
}

static bool use_json;

void cli_use_json(void)
{
    use_json = true;
}

bool cli_uses_json(void)
{
    return use_json;
}

static void print_json(const struct cli_program *program, const char *kind, const char *format, va_list args)
{
    struct textbuf json = {0};
    char *message = NULL;
    if (vasprintf(&message, format, args) < 0)
        return;
    textbuf_printf(&json, "{\"kind\":\"%s\"", kind);
    textbuf_json_member(&json, "tool", program->name);
    textbuf_json_member(&json, "text", message);
    textbuf_puts(&json, "}\n");
    if (!json.failed)
        fwrite(json.data, 1, json.size, stderr);
    textbuf_free(&json);
    free(message);
}

static void print_message(const struct cli_program *program, const char *kind, const char *format, va_list args)
{
    fflush(stdout);
    if (use_json) {
        print_json(program, kind, format, args);
        return;
    }
    fprintf(stderr, "%s: ", program->name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int cli_error(const struct cli_program *program, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(program, "error", format, args);
    va_end(args);
    return CLI_STATUS_DIAGNOSED;
}

int cli_usage_error(const struct cli_program *program, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(program, "usage", format, args);
    va_end(args);
    if (!use_json)
        fprintf(stderr, "Try `%s --help`.\n", program->name);
    return CLI_STATUS_USAGE;
}

static void print_option(const struct cli_option *option)
{
    char left[128];
    const char *argument = option->argument;
    int used = option->letter ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                              : snprintf(left, sizeof left, "      --%s", option->name);
    if (argument && used < (int)sizeof left) {
        if (*argument == '[')
            snprintf(left + used, sizeof left - used, "[=%s", argument + 1);
        else
            snprintf(left + used, sizeof left - used, "=%s", argument);
    }
    used = printf("%s", left);
    if (used > HELP_COLUMN - 2) {
        putchar('\n');
        used = 0;
    }
    for (const char *line = option->help; line;) {
        int length = (int)strcspn(line, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - used, "", length, line);
        line = line[length] ? line + length + 1 : NULL;
        used = 0;
    }
}

static void print_help(const struct cli_program *program)
{
    const char *lead = "Usage:";
    for (const char *line = program->synopsis; line;) {
        int length = (int)strcspn(line, "\n");
        printf("%s %s %.*s\n", lead, program->name, length, line);
        lead = "      ";
        line = line[length] ? line + length + 1 : NULL;
    }
    printf("%s\n\nOptions:\n", program->about);
    for (const struct cli_option *option = program->options; option->id; option++)
        print_option(option);
    for (const struct cli_option *option = common_options; option->id; option++)
        print_option(option);
    if (program->notes)
        printf("\n%s\n", program->notes);
}

static int leave_tool(struct cli *cli, int status)
{
    cli->status = status;
    return CLI_EXIT;
}

/* Returns the option's id, or carries out one of the options that all tools have. */
static int deliver_option(struct cli *cli, const struct cli_option *option)
{
    cli->spelled = option->name;
    if (option->id == ID_HELP) {
        print_help(cli->program);
        return leave_tool(cli, cli_finish(cli->program, CLI_STATUS_DONE));
    }
    if (option->id == ID_VERSION) {
        printf("%s (%s) %s\n", cli->program->name, PACKAGE_NAME, PACKAGE_VERSION);
        return leave_tool(cli, cli_finish(cli->program, CLI_STATUS_DONE));
    }
    return option->id;
}

/* Finds the option called NAME or, failing that, the only one whose name starts with it. *COUNT gets the number of
 * matches. */
static const struct cli_option *find_long(const struct cli *cli, const char *name, size_t length, int *count)
{
    const struct cli_option *tables[] = {cli->program->options, common_options};
    const struct cli_option *found = NULL;
    *count = 0;
    for (int t = 0; t < 2; t++)
        for (const struct cli_option *option = tables[t]; option->id; option++) {
            if (strncmp(option->name, name, length) != 0)
                continue;
            if (!option->name[length]) {
                *count = 1;
                return option;
            }
            ++*count;
            found = option;
        }
    return found;
}

static const struct cli_option *find_letter(const struct cli *cli, char letter)
{
    const struct cli_option *tables[] = {cli->program->options, common_options};
    for (int t = 0; t < 2; t++)
        for (const struct cli_option *option = tables[t]; option->id; option++)
            if (option->letter == letter)
                return option;
    return NULL;
}

static int next_long(struct cli *cli, const char *name)
{
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    int count;
    const struct cli_option *option = length ? find_long(cli, name, length, &count) : NULL;
    if (!option)
        return leave_tool(cli, cli_usage_error(cli->program, "unknown option --%.*s", (int)length, name));
    if (count > 1)
        return leave_tool(cli, cli_usage_error(cli->program, "--%.*s is ambiguous", (int)length, name));
    cli->value = equals ? equals + 1 : NULL;
    if (!option->argument && equals)
        return leave_tool(cli, cli_usage_error(cli->program, "--%s takes no argument", option->name));
    if (option->argument && *option->argument != '[' && !equals) {
        if (cli->index >= cli->argc)
            return leave_tool(cli, cli_usage_error(cli->program, "--%s needs an argument", option->name));
        cli->value = cli->argv[cli->index++];
    }
    return deliver_option(cli, option);
}

static int next_letter(struct cli *cli)
{
    char letter = *cli->cluster++;
    const struct cli_option *option = find_letter(cli, letter);
    if (!option)
        return leave_tool(cli, cli_usage_error(cli->program, "unknown option -%c", letter));
    cli->value = NULL;
    if (option->argument && *option->argument != '[') {
        if (*cli->cluster)
            cli->value = cli->cluster;
        else if (cli->index < cli->argc)
            cli->value = cli->argv[cli->index++];
        else
            return leave_tool(cli, cli_usage_error(cli->program, "-%c needs an argument", letter));
        cli->cluster = NULL;
    }
    if (cli->cluster && !*cli->cluster)
        cli->cluster = NULL;
    return deliver_option(cli, option);
}

int cli_next(struct cli *cli)
{
    if (cli->cluster)
        return next_letter(cli);
    if (cli->index >= cli->argc)
        return CLI_END;
    const char *argument = cli->argv[cli->index++];
    if (!cli->operands_only && !strcmp(argument, "--")) {
        cli->operands_only = true;
        return cli_next(cli);
    }
    if (cli->operands_only || argument[0] != '-' || !argument[1]) {
        cli->value = argument;
        cli->spelled = "";
        return CLI_OPERAND;
    }
    if (argument[1] == '-')
        return next_long(cli, argument + 2);
    cli->cluster = argument + 1;
    return next_letter(cli);
}

bool cli_number(const char *text, uint64_t maximum, uint64_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (*end || errno || value > maximum)
        return false;
    *number = value;
    return true;
}
