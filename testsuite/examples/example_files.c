/* SPDX-License-Identifier: MIT */
/* Writes the cases of example_case.h as files, for tests that run them from the shell.
 *
 *     example_files DIRECTORY
 *
 * For each example NAME it writes to DIRECTORY: NAME.N.in, the bytes of argument N (from 1); NAME.N.expected, if the
 * kernel changes them; NAME.command, the options of hsailrun, which save results to NAME.N.out; and NAME.arguments, the
 * words after FILE on the command line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "testsuite/examples/example_case.h"

static FILE *create(const char *directory, const char *name, size_t index, const char *suffix)
{
    char path[4096];
    if (index)
        snprintf(path, sizeof path, "%s/%s.%zu.%s", directory, name, index, suffix);
    else
        snprintf(path, sizeof path, "%s/%s.%s", directory, name, suffix);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void finish(FILE *file)
{
    if (fclose(file) != 0) {
        perror("writing");
        exit(1);
    }
}

static void write_bytes(const char *directory, const char *name, size_t index, const char *suffix, const void *data,
                        size_t size)
{
    FILE *file = create(directory, name, index, suffix);
    fwrite(data, 1, size, file);
    finish(file);
}

static void print_scalar(FILE *file, const struct example_argument *argument)
{
    if (argument->type[0] == 'f') {
        union {
            uint32_t bits;
            float value;
        } single = {.bits = (uint32_t)argument->scalar};
        fprintf(file, " %s:%a", argument->type, (double)single.value);
    } else {
        fprintf(file, " %s:%" PRIu64, argument->type, argument->scalar);
    }
}

static void write_example(const char *directory, const struct example *example)
{
    struct example_case made;
    example_make(example, &made);
    FILE *command = create(directory, example->name, 0, "command");
    fprintf(command, "--quiet --kernel %s", example->name);
    for (unsigned i = 0; i < made.dimensions; i++)
        fprintf(command, "%s%" PRIu32, i ? "," : " --grid ", made.grid[i]);
    for (unsigned i = 0; i < made.dimensions; i++)
        fprintf(command, "%s%u", i ? "," : " --group ", made.group[i]);
    for (size_t i = 0; i < made.count; i++)
        if (made.argument[i].expected) {
            fprintf(command, " --save %zu:%s/%s.%zu.out", i + 1, directory, example->name, i + 1);
            write_bytes(directory, example->name, i + 1, "expected", made.argument[i].expected, made.argument[i].size);
        }
    fprintf(command, "\n");
    finish(command);
    command = create(directory, example->name, 0, "arguments");
    for (size_t i = 0; i < made.count; i++) {
        const struct example_argument *argument = &made.argument[i];
        if (!argument->size) {
            print_scalar(command, argument);
            continue;
        }
        write_bytes(directory, example->name, i + 1, "in", argument->data, argument->size);
        fprintf(command, " %s[]:@%s/%s.%zu.in", argument->type, directory, example->name, i + 1);
    }
    fprintf(command, "\n");
    finish(command);
    printf("%s\n", example->name);
    example_free(&made);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: example_files DIRECTORY\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < example_count; i++)
        write_example(argv[1], &examples[i]);
    return 0;
}
