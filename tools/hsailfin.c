/* SPDX-License-Identifier: MIT */
/* hsailfin: finalizes HSAIL text or BRIG to a code object, on any machine.
 * Input: one or more modules, linked to one program. Output: an ELF file, or its text as assembly or
 * LLVM IR, whole or not at all. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "support/alloc.h"
#include "support/textbuf.h"
#include "tools/fin_usage.h"
#include "tools/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_TARGET "gfx900"

enum fin_option {
    OPT_OUTPUT = 1,
    OPT_TARGET,
    OPT_LIST,
    OPT_OPTIMIZE,
    OPT_OPTIONS,
    OPT_ASSEMBLY,
    OPT_IR,
    OPT_VERBOSE,
    OPT_LINES,
    OPT_MACHINE,
    OPT_VERSION,
    OPT_DIAGNOSTICS,
};

static const struct cli_option options[] = {
    {OPT_OUTPUT, 'o', "output", "FILE",
     "write to FILE (default: the first input's name with .co,\nor .s with -S, or .ll with --emit-llvm)"},
    {OPT_TARGET, 't', "target", "TARGET", "processor or instruction set to make code for (default: gfx900)"},
    {OPT_MACHINE, 'm', "machine", "OPTION",
     "as compilers take it: -mcpu=TARGET, -mwavefrontsize64,\n-mno-wavefrontsize64, -mcode-object-version=N"},
    {OPT_VERSION, 0, "cov", "N", "version of the code object: 4 (default where it can hold the code), 5 or 6"},
    {OPT_LIST, 0, "list-targets", NULL, "print the processors, sizes of their waves, and their features"},
    {OPT_OPTIMIZE, 'O', "optimize", "LEVEL", "0 for no optimization; 1 to 3 are the same (default)"},
    {OPT_OPTIONS, 0, "finalizer-options", "TEXT", "options for the finalizer"},
    {OPT_ASSEMBLY, 'S', "assembly", NULL, "write machine code as text instead of a code object"},
    {OPT_IR, 0, "emit-llvm", NULL, "write LLVM IR, as it is before optimization, instead of a code object"},
    {OPT_LINES, 'g', "debug", NULL, "write debug information: lines, of loc directives or of the text, and registers"},
    {OPT_DIAGNOSTICS, 0, "diagnostics", "FORMAT", "report as text (the default) or json, one object per line"},
    {OPT_VERBOSE, 'v', "verbose", NULL, "print the registers and the memory that each kernel uses"},
    {0},
};

static const struct cli_program program = {
    "hsailfin",
    "[options] FILE...\n--list-targets",
    "Finalizes HSAIL text or BRIG to a code object; several modules are linked to one program.",
    options,
    NULL,
};

enum form { FORM_CODE, FORM_ASSEMBLY, FORM_IR };

/* The forms of output: the suffix of the file name and, for text, the finalizer's option that writes it. */
static const struct {
    const char *suffix, *dump;
} forms[] = {{".co", NULL}, {".s", "-dump-isa="}, {".ll", "-dump-ir="}};

struct fin_command {
    const char *output, *target;
    struct textbuf finalizer_options;
    bool lines;
    enum form form;
    bool list_targets, verbose;
    const char **files; /* room for as many as there are arguments */
    size_t count;
};

/* Returns the first input's name with its suffix replaced, allocated with mem_alloc(). */
static char *default_output(const char *input, const char *suffix)
{
    const char *base = strrchr(input, '/'), *dot = strrchr(base ? base : input, '.');
    size_t length = dot && dot != input && dot[-1] != '/' ? (size_t)(dot - input) : strlen(input);
    char *name = mem_alloc(length + strlen(suffix) + 1);
    if (name) {
        memcpy(name, input, length);
        memcpy(name + length, suffix, strlen(suffix) + 1);
    }
    return name;
}

static bool no_memory(void)
{
    cli_error(&program, "not enough memory");
    return false;
}

struct made {
    void *code; /* as hsail_finalize() returned it */
    size_t size;
};

static bool finalize_modules(const struct fin_command *command, const struct input *inputs, struct made *made)
{
    hsail_finalize_module_t *modules = mem_zalloc(command->count, sizeof *modules);
    if (!modules || command->finalizer_options.failed) {
        mem_free(modules);
        return no_memory();
    }
    for (size_t i = 0; i < command->count; i++)
        modules[i] = (hsail_finalize_module_t){
            hsail_module_data(inputs[i].module), hsail_module_size(inputs[i].module), inputs[i].name};
    bool succeeded = hsail_finalize(modules, command->count, command->target, command->finalizer_options.data,
                                    input_print_diagnostic, stderr, &made->code, &made->size) == HSAIL_STATUS_OK;
    mem_free(modules);
    return succeeded;
}

/* Prints to standard error, as the code object may go to standard output. */
static bool print_usage(const struct fin_command *command, const struct made *made)
{
    struct textbuf text = {0};
    bool succeeded = usage_describe((struct bytes){made->code, made->size}, &text);
    if (!succeeded)
        cli_error(&program, "%s: the code object has no metadata", command->files[0]);
    else if (text.failed)
        succeeded = no_memory();
    else if (text.size)
        fwrite(text.data, 1, text.size, stderr);
    textbuf_free(&text);
    return succeeded;
}

static bool write_output(const struct fin_command *command, const void *data, size_t size)
{
    char *name = command->output ? NULL : default_output(command->files[0], forms[command->form].suffix);
    if (!command->output && !name)
        return no_memory();
    bool succeeded = cli_write_file(&program, command->output ? command->output : name, data, size);
    mem_free(name);
    return succeeded;
}

static bool make_code(const struct fin_command *command, const struct input *inputs)
{
    struct made made = {0};
    bool succeeded = finalize_modules(command, inputs, &made) && write_output(command, made.code, made.size) &&
                     (!command->verbose || print_usage(command, &made));
    hsail_finalize_free(made.code);
    return succeeded;
}

/* Makes a folder with a short name without blanks, so that the finalizer's options can name a file in it. */
static bool make_folder(char folder[64])
{
    const char *chosen = getenv("TMPDIR");
    bool usable = chosen && *chosen == '/' && strlen(chosen) < 40 && !strpbrk(chosen, " \t\n");
    snprintf(folder, 64, "%s/hsailfin.XXXXXX", usable ? chosen : "/tmp");
    if (mkdtemp(folder))
        return true;
    cli_error(&program, "%s: %s", folder, strerror(errno));
    return false;
}

/* The finalizer writes text to a temporary file: the output may have any name, and appears whole or not at all. */
static bool make_text(struct fin_command *command, const struct input *inputs)
{
    char folder[64], file[80];
    struct made made = {0};
    uint8_t *text = NULL;
    size_t size = 0;
    if (!make_folder(folder))
        return false;
    snprintf(file, sizeof file, "%s/text", folder);
    textbuf_printf(&command->finalizer_options, " %s%s", forms[command->form].dump, file);
    bool succeeded = finalize_modules(command, inputs, &made) && cli_read_file(&program, file, &text, &size) &&
                     write_output(command, text, size) && (!command->verbose || print_usage(command, &made));
    unlink(file);
    rmdir(folder);
    mem_free(text);
    hsail_finalize_free(made.code);
    return succeeded;
}

static bool read_and_finalize(struct fin_command *command)
{
    struct input *inputs = mem_zalloc(command->count, sizeof *inputs);
    if (!inputs)
        return no_memory();
    bool succeeded = true;
    for (size_t i = 0; i < command->count; i++) {
        inputs[i].lines = command->lines;
        bool usable = input_read(&program, command->files[i], &inputs[i]);
        if (usable && inputs[i].code) {
            cli_error(&program, "%s: already a code object", inputs[i].name);
            usable = false;
        }
        succeeded &= usable; // go on, so that errors in the other inputs are shown as well
    }
    succeeded = succeeded && (command->form == FORM_CODE ? make_code(command, inputs) : make_text(command, inputs));
    for (size_t i = 0; i < command->count; i++)
        input_free(&inputs[i]);
    mem_free(inputs);
    return succeeded;
}

static int print_target(void *user, const hsail_finalize_target_t *target)
{
    (void)user;
    const char *separator = "\t";
    fputs(target->name, stdout);
    for (uint32_t size = 1; size && size <= target->wave_sizes; size <<= 1)
        if (target->wave_sizes & size) {
            printf("%s%u", separator, size);
            separator = " ";
        }
    printf("\t%s\n", target->features);
    return 0;
}

static int list_targets(void)
{
    bool listed = hsail_finalize_list_targets(print_target, NULL) == HSAIL_STATUS_OK;
    return cli_finish(&program, listed ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED);
}

/* VALUE is a level, or options for the finalizer, which all begin with a dash: -O used to take only those. */
static bool add_level(struct textbuf *finalizer_options, const char *value)
{
    bool is_level = *value >= '0' && *value <= '3' && !value[1];
    if (!is_level && *value && !strchr("- \t\n", *value)) {
        cli_usage_error(&program, "-O takes a level from 0 to 3, not '%s'", value);
        return false;
    }
    textbuf_printf(finalizer_options, is_level ? " -O%s" : " %s", value);
    return true;
}

/* VALUE is the argument of -m. */
static bool add_machine(struct fin_command *command, const char *value)
{
    static const char *const known[] = {"wavefrontsize64", "no-wavefrontsize64"};
    if (!strncmp(value, "cpu=", 4)) {
        command->target = value + 4;
        return true;
    }
    bool taken = !strncmp(value, "code-object-version=", 20);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        taken |= !strcmp(value, known[i]);
    if (!taken || strpbrk(value, " \t\n")) {
        cli_usage_error(&program, "unknown option '-m%s'", value);
        return false;
    }
    textbuf_printf(&command->finalizer_options, " -m%s", value);
    return true;
}

static bool add_version(struct fin_command *command, const char *value)
{
    if (!*value || value[strspn(value, "0123456789")]) {
        cli_usage_error(&program, "--cov takes a number, not '%s'", value);
        return false;
    }
    textbuf_printf(&command->finalizer_options, " -mcode-object-version=%s", value);
    return true;
}

/* Returns what is wrong with the command line as a whole, or NULL. */
static const char *check_command(const struct fin_command *command)
{
    const char *dump = forms[command->form].dump;
    size_t standard_inputs = 0;
    for (size_t i = 0; i < command->count; i++)
        standard_inputs += !strcmp(command->files[i], "-");
    if (!command->count)
        return "no file given";
    if (standard_inputs && !command->output)
        return "standard input has no name to derive the output's from; use -o";
    if (standard_inputs > 1)
        return "standard input can be read only once";
    if (dump && command->finalizer_options.data && strstr(command->finalizer_options.data, dump))
        return "the finalizer writes text to one file: use -S or -dump-isa, --emit-llvm or -dump-ir";
    return NULL;
}

static int run_finalizer(struct fin_command *command, int argc, char **argv)
{
    struct cli cli = cli_start(&program, argc, argv);
    for (int id; (id = cli_next(&cli)) != CLI_END;)
        switch (id) {
        case OPT_OUTPUT: command->output = cli.value; break;
        case OPT_TARGET: command->target = cli.value; break;
        case OPT_LIST: command->list_targets = true; break;
        case OPT_OPTIONS: textbuf_printf(&command->finalizer_options, " %s", cli.value); break;
        case OPT_ASSEMBLY: command->form = command->form == FORM_IR ? FORM_IR : FORM_ASSEMBLY; break;
        case OPT_IR: command->form = FORM_IR; break; /* wins over -S, as in compilers */
        case OPT_LINES:
            command->lines = true;
            textbuf_puts(&command->finalizer_options, " -g");
            break;
        case OPT_VERBOSE: command->verbose = true; break;
        case CLI_OPERAND: command->files[command->count++] = cli.value; break;
        case CLI_EXIT: return cli.status;
        case OPT_MACHINE:
            if (!add_machine(command, cli.value))
                return CLI_STATUS_USAGE;
            break;
        case OPT_VERSION:
            if (!add_version(command, cli.value))
                return CLI_STATUS_USAGE;
            break;
        case OPT_DIAGNOSTICS:
            if (!strcmp(cli.value, "json"))
                cli_use_json();
            else if (strcmp(cli.value, "text") != 0)
                return cli_usage_error(&program, "--diagnostics takes text or json, not %s", cli.value);
            break;
        case OPT_OPTIMIZE:
            if (!add_level(&command->finalizer_options, cli.value))
                return CLI_STATUS_USAGE;
            break;
        }
    if (command->list_targets)
        return list_targets();
    const char *problem = check_command(command);
    if (problem)
        return cli_usage_error(&program, "%s", problem);
    return cli_finish(&program, read_and_finalize(command) ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED);
}

int main(int argc, char **argv)
{
    struct fin_command command = {.target = DEFAULT_TARGET, .files = mem_zalloc((size_t)argc, sizeof(char *))};
    if (!command.files)
        return cli_error(&program, "not enough memory");
    int status = run_finalizer(&command, argc, argv);
    textbuf_free(&command.finalizer_options);
    mem_free(command.files);
    return status;
}
