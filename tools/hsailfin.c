/* SPDX-License-Identifier: MIT */
/* hsailfin: finalizes HSAIL text or BRIG to a code object, on any machine.
 * Input: one or more modules, linked to one program. Output: an ELF file, whole or not at all. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "support/alloc.h"
#include "tools/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TARGET "gfx900"

enum option_id { OPT_OUTPUT = 1, OPT_TARGET, OPT_OPTIONS };

static const struct cli_option options[] = {
    {OPT_OUTPUT, 'o', "output", "FILE", "write the code object to FILE (default: the first input's name with .co)"},
    {OPT_TARGET, 't', "target", "TARGET", "processor or instruction set to make code for (default: gfx900)"},
    {OPT_OPTIONS, 'O', "finalizer-options", "TEXT", "options for the finalizer"},
    {0},
};

static const struct cli_program program = {
    "hsailfin",
    "[options] FILE...",
    "Finalizes HSAIL text or BRIG to a code object; several modules are linked to one program.",
    options,
    NULL,
};

struct command {
    const char *output, *target, *finalizer_options;
    const char **files; /* as many as arguments at most */
    size_t count;
};

/* The first input's name with its suffix replaced; from mem_alloc(). */
static char *default_output(const char *input)
{
    const char *base = strrchr(input, '/'), *dot = strrchr(base ? base : input, '.');
    size_t length = dot && dot != input && dot[-1] != '/' ? (size_t)(dot - input) : strlen(input);
    char *name = mem_alloc(length + sizeof ".co");
    if (name) {
        memcpy(name, input, length);
        memcpy(name + length, ".co", sizeof ".co");
    }
    return name;
}

static bool finalize_modules(const struct command *command, const struct input *inputs)
{
    hsail_finalize_module_t *modules = mem_zalloc(command->count, sizeof *modules);
    void *code = NULL;
    size_t size = 0;
    char message[1024] = "";
    char *name = command->output ? NULL : default_output(command->files[0]);
    if (!modules || (!command->output && !name)) {
        mem_free(modules);
        mem_free(name);
        cli_error(&program, "not enough memory");
        return false;
    }
    for (size_t i = 0; i < command->count; i++)
        modules[i] =
            (hsail_finalize_module_t){hsail_module_data(inputs[i].module), hsail_module_size(inputs[i].module)};
    bool succeeded = hsail_finalize(modules, command->count, command->target, command->finalizer_options, &code, &size,
                                    message, sizeof message) == HSAIL_FINALIZE_OK;
    if (!succeeded)
        cli_error(&program, "%s: %s", inputs[0].name, message);
    else
        succeeded = cli_write_file(&program, command->output ? command->output : name, code, size);
    hsail_finalize_free(code);
    mem_free(name);
    mem_free(modules);
    return succeeded;
}

static bool read_and_finalize(const struct command *command)
{
    struct input *inputs = mem_zalloc(command->count, sizeof *inputs);
    if (!inputs) {
        cli_error(&program, "not enough memory");
        return false;
    }
    bool succeeded = true;
    for (size_t i = 0; i < command->count; i++) {
        bool usable = input_read(&program, command->files[i], &inputs[i]);
        if (usable && inputs[i].code) {
            cli_error(&program, "%s: already a code object", inputs[i].name);
            usable = false;
        }
        succeeded &= usable; // go on: what is wrong with the others is shown too
    }
    succeeded = succeeded && finalize_modules(command, inputs);
    for (size_t i = 0; i < command->count; i++)
        input_free(&inputs[i]);
    mem_free(inputs);
    return succeeded;
}

static int read_arguments(struct command *command, int argc, char **argv)
{
    struct cli cli = cli_start(&program, argc, argv);
    for (int id; (id = cli_next(&cli)) != CLI_END;)
        switch (id) {
        case OPT_OUTPUT: command->output = cli.value; break;
        case OPT_TARGET: command->target = cli.value; break;
        case OPT_OPTIONS: command->finalizer_options = cli.value; break;
        case CLI_OPERAND: command->files[command->count++] = cli.value; break;
        case CLI_EXIT: command->count = 0; return cli.status;
        }
    if (!command->count)
        return cli_usage_error(&program, "no file given");
    size_t standard_inputs = 0;
    for (size_t i = 0; i < command->count; i++)
        standard_inputs += !strcmp(command->files[i], "-");
    if (standard_inputs && !command->output) {
        command->count = 0;
        return cli_usage_error(&program, "standard input has no name to derive the output's from; use -o");
    }
    if (standard_inputs > 1) {
        command->count = 0;
        return cli_usage_error(&program, "standard input can be read only once");
    }
    return CLI_STATUS_DONE;
}

int main(int argc, char **argv)
{
    struct command command = {.target = DEFAULT_TARGET, .files = mem_zalloc((size_t)argc, sizeof(char *))};
    if (!command.files)
        return cli_error(&program, "not enough memory");
    int status = read_arguments(&command, argc, argv);
    if (command.count)
        status = cli_finish(&program, read_and_finalize(&command) ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED);
    mem_free(command.files);
    return status;
}
