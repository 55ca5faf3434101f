/* SPDX-License-Identifier: MIT */
/* Command lines of the tools. A table of options is all that parsing, --help and the test of the man page need.
 *
 *     enum { OPT_OUTPUT = 1, OPT_LIST };
 *     static const struct cli_option options[] = {
 *         {OPT_OUTPUT, 'o', "output", "FILE", "write to FILE instead of the default"},
 *         {OPT_LIST, 0, "list", NULL, "print the instruction table"},
 *         {0},
 *     };
 *     static const struct cli_program program = {"tool", "[options] FILE...", "Does this and that.", options, NULL};
 *
 *     struct cli cli = cli_start(&program, argc, argv);
 *     for (int id; (id = cli_next(&cli)) != CLI_END;)
 *         switch (id) {
 *         case OPT_OUTPUT: output = cli.value; break;
 *         case OPT_LIST: list = true; break;
 *         case CLI_OPERAND: add(cli.value); break;
 *         case CLI_EXIT: return cli.status;
 *         }
 *
 * Accepted: -o FILE, -oFILE, --output FILE, --output=FILE, clusters of letters, `--` before operands, `-` as an
 * operand. Every tool has --help and --version besides the options of its table; options and operands may be mixed.
 * Errors go to standard error and refer to --help. Only tools use this file; no other part of support/ prints. */
#ifndef SUPPORT_CLI_H
#define SUPPORT_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses that all tools share. */
enum cli_status {
    CLI_STATUS_DONE = 0,      /* the work is done */
    CLI_STATUS_DIAGNOSED = 1, /* an input was refused, or an operation failed, and a message says why */
    CLI_STATUS_USAGE = 2,     /* the command line was wrong */
};

enum {
    CLI_END = -1,     /* no more arguments */
    CLI_OPERAND = -2, /* `value` is an operand */
    CLI_EXIT = -3,    /* leave main() with `status`: help, the version or an error has been printed */
};

/* An option, a row of a table. The table ends with a row without id. */
struct cli_option {
    int id;               /* positive; cli_next() returns it */
    char letter;          /* short form, or 0 */
    const char *name;     /* long form without dashes, never NULL */
    const char *argument; /* name of the argument in --help; NULL: takes none; "[X]": only as --name=X */
    const char *help;     /* one sentence; '\n' starts a further line */
};

struct cli_program {
    const char *name;
    const char *synopsis; /* arguments of the usage line; '\n' separates alternatives */
    const char *about;    /* one sentence */
    const struct cli_option *options;
    const char *notes; /* printed after the options, or NULL */
};

struct cli {
    const struct cli_program *program;
    int argc;
    char **argv;
    int index;           /* index of the argument to look at next */
    const char *cluster; /* the letters of a cluster that are still to be read, or NULL */
    bool operands_only;  /* `--` has been read */
    const char *value;   /* the argument of the option, or the operand; lives as long as argv */
    const char *spelled; /* for messages: the long name of the last option that was returned; empty for an operand */
    int status;          /* the exit status, with CLI_EXIT */
};

struct cli cli_start(const struct cli_program *program, int argc, char **argv);

/* Returns the next option's id, CLI_OPERAND, CLI_END or CLI_EXIT. */
int cli_next(struct cli *cli);

/* Has messages come as lines of JSON from now on: objects with the members kind ("usage" or "error"), tool and text. */
void cli_use_json(void);
bool cli_uses_json(void);

/* Prints `tool: MESSAGE` and a line that refers to --help to standard error; returns CLI_STATUS_USAGE. */
int cli_usage_error(const struct cli_program *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints `tool: MESSAGE` to standard error; returns CLI_STATUS_DIAGNOSED. */
int cli_error(const struct cli_program *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads TEXT, a number from 0 to MAXIMUM: decimal, hexadecimal with 0x, or octal with 0. False if it is none. */
bool cli_number(const char *text, uint64_t maximum, uint64_t *number);

/* Reads the whole file NAME, or standard input if it is `-`, into *DATA, which the caller releases with mem_free(). A
 * NUL, which is not counted, follows the bytes. If it fails, it prints the reason to standard error and returns false.
 */
bool cli_read_file(const struct cli_program *program, const char *name, uint8_t **data, size_t *size);

/* Writes a file so that it appears complete or not at all: it writes a temporary file in the same directory and then
 * renames it. `-` is standard output; a NAME that exists and is not a regular file (a device, a pipe) is written in
 * place. If it fails, it prints the reason to standard error and returns false, and NAME is as it was. */
bool cli_write_file(const struct cli_program *program, const char *name, const void *data, size_t size);

/* Closes standard output and returns STATUS; or CLI_STATUS_DIAGNOSED after a write error (a full disk, a closed pipe).
 */
int cli_finish(const struct cli_program *program, int status);

#endif
