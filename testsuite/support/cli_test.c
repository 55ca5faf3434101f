/* SPDX-License-Identifier: MIT */
/* Tests option tables: every spelling of an option, errors, numbers, and that a file is written whole or not at all. */
#include "support/cli.h"

#include "support/alloc.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_OUTPUT = 1, OPT_LIST, OPT_COLOUR, OPT_LIMIT };

static const struct cli_option options[] = {
    {OPT_OUTPUT, 'o', "output", "FILE", "write to FILE"},
    {OPT_LIST, 'l', "list", NULL, "list"},
    {OPT_COLOUR, 0, "colour", "[WHEN]", "colour"},
    {OPT_LIMIT, 0, "limit", "N", "limit"},
    {0},
};
static const struct cli_program program = {"cli_test", "[options] FILE...", "Tests.", options, NULL};

/* Runs the parser on ARGS, which end with NULL; writes "id:value " for each result to OUT. */
static void run(char *out, size_t size, const char **args)
{
    char *argv[16] = {(char *)"cli_test"};
    int argc = 1;
    while (args[argc - 1]) {
        argv[argc] = (char *)args[argc - 1];
        argc++;
    }
    struct cli cli = cli_start(&program, argc, argv);
    size_t used = 0;
    *out = 0;
    for (int id; (id = cli_next(&cli)) != CLI_END;) {
        used += (size_t)snprintf(out + used, size - used, "%d:%s ", id, cli.value ? cli.value : "");
        if (id == CLI_EXIT) {
            snprintf(out + used, size - used, "exit %d", cli.status);
            return;
        }
    }
}

static void parses(const char *want, const char **args)
{
    char got[256];
    run(got, sizeof got, args);
    if (!ok(!strcmp(got, want), "%s", want))
        printf("# got %s\n", got);
}
#define ARGS(...) (const char *[]){__VA_ARGS__, NULL}

static void test_files(void)
{
    char directory[] = "/tmp/cli_test.XXXXXX", name[64], missing[64];
    if (!ok(mkdtemp(directory) != NULL, "a directory"))
        return;
    snprintf(name, sizeof name, "%s/file", directory);
    snprintf(missing, sizeof missing, "%s/none/file", directory);
    uint8_t *data = NULL;
    size_t size = 0;
    ok(cli_write_file(&program, name, "first", 5), "a new file is written");
    chmod(name, 0640);
    ok(cli_write_file(&program, name, "second", 6), "a file is replaced");
    struct stat st = {0};
    ok(!stat(name, &st) && (st.st_mode & 0777) == 0640, "the mode of a replaced file is kept");
    ok(cli_read_file(&program, name, &data, &size) && size == 6 && !memcmp(data, "second", 7), "and read");
    mem_free(data);
    ok(!cli_write_file(&program, missing, "x", 1), "no directory: refused");
    ok(!cli_read_file(&program, missing, &data, &size), "no file: refused");
    ok(!cli_read_file(&program, directory, &data, &size), "a directory is no file");
    mem_fail_after(0);
    ok(!cli_write_file(&program, name, "third", 5), "out of memory while writing");
    mem_fail_after(0);
    ok(!cli_read_file(&program, name, &data, &size), "out of memory while reading");
    mem_fail_after(-1);
    ok(cli_write_file(&program, "/dev/null", "x", 1), "a device is written in place");
    ok(!stat("/dev/null", &st) && S_ISCHR(st.st_mode), "and stays a device");
    unlink(name);
    ok(!rmdir(directory), "no temporary file is left");
}

int main(void)
{
    parses("1:a 2: -2:b ", ARGS("-o", "a", "-l", "b"));
    parses("1:a 2: ", ARGS("-oa", "--list"));
    parses("2: 1:a ", ARGS("-loa"));
    parses("1:a -2:- -2:-l ", ARGS("--output=a", "-", "--", "-l"));
    parses("1:a ", ARGS("--out", "a"));
    parses("3: 3:x ", ARGS("--colour", "--colour=x"));
    parses("-3: exit 2", ARGS("--nothing"));
    parses("-3: exit 2", ARGS("--li"));
    parses("-3: exit 2", ARGS("-x"));
    parses("-3: exit 2", ARGS("-o"));
    parses("-3: exit 2", ARGS("--output"));
    parses("-3:x exit 2", ARGS("--list=x"));
    uint64_t number = 0;
    ok(cli_number("0x10", 16, &number) && number == 16, "hexadecimal");
    ok(!cli_number("17", 16, &number) && !cli_number("-1", 16, &number) && !cli_number("1x", 16, &number) &&
           !cli_number("", 16, &number) && !cli_number("99999999999999999999", UINT64_MAX, &number),
       "numbers out of range or malformed");
    test_files();
    return tap_done();
}
