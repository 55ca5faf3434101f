/* SPDX-License-Identifier: MIT */
/* hsailasm: assembles, disassembles, validates and shows HSAIL and BRIG.
 * Input: files named on the command line. Output: files, or text on standard output; diagnostics on standard error.
 * Invariant: an output file appears whole or not at all. */
#include "hsail/hsail.h"
#include "support/alloc.h"
#include "support/cli.h"
#include "support/textbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum option {
    OPT_OUTPUT = 1,
    OPT_DISASSEMBLE,
    OPT_VALIDATE,
    OPT_NO_VALIDATE,
    OPT_DUMP,
    OPT_LIST,
    OPT_LIST_DIAGNOSTICS,
    OPT_FLOAT,
    OPT_LAYOUT,
    OPT_FORMAT,
    OPT_CHECK,
    OPT_IN_PLACE,
    OPT_DIAGNOSTICS,
    OPT_COLOUR,
    OPT_COLOR,
    OPT_MAX_ERRORS,
    OPT_WARNING,
    OPT_LINT,
    OPT_STRICT
};

static const struct cli_option options[] = {
    {OPT_OUTPUT, 'o', "output", "FILE", "write to FILE, - for standard output; only with one input"},
    {OPT_DISASSEMBLE, 'd', "disassemble", NULL, "print BRIG as HSAIL text"},
    {OPT_VALIDATE, 0, "validate", NULL, "check only, write nothing"},
    {OPT_NO_VALIDATE, 0, "no-validate", NULL, "check no more than is needed to go on"},
    {OPT_FORMAT, 0, "format", NULL, "print text in the canonical layout, with its comments"},
    {OPT_CHECK, 0, "check", NULL, "with --format: write nothing, fail if an input has another layout"},
    {OPT_IN_PLACE, 'i', "in-place", NULL, "with --format: replace the input"},
    {OPT_DUMP, 0, "dump", NULL, "print the entries of BRIG with their fields"},
    {OPT_LIST, 0, "list", NULL, "print the table of instructions and exit"},
    {OPT_LIST_DIAGNOSTICS, 0, "list-diagnostics", NULL, "print the table of diagnostics and exit"},
    {OPT_FLOAT, 0, "float", "STYLE", "print numbers as ieee (bits, the default), c99 or decimal"},
    {OPT_LAYOUT, 0, "layout", "LAYOUT", "print with tabs (as HSAILasm, the default) or readable, with decimal numbers"},
    {OPT_DIAGNOSTICS, 0, "diagnostics", "FORMAT", "report as text (the default) or json, one object per line"},
    {OPT_COLOUR, 0, "colour", "WHEN", "colour reports: auto (on a terminal, the default), always or never"},
    {OPT_COLOR, 0, "color", "WHEN", "the same"},
    {OPT_MAX_ERRORS, 0, "max-errors", "N", "stop after N errors per input; 0 is no limit, 100 the default"},
    {OPT_WARNING, 'W', "warning", "WHICH",
     "ID: warn; no-ID: do not; error=ID: make it an error;\nall, no-all, error: the same for every warning;\n"
     "lint, no-lint, error=lint: for those of --lint"},
    {OPT_LINT, 0, "lint", NULL, "warn about what is legal but probably not meant, such as unused names"},
    {OPT_STRICT, 0, "strict", NULL, "refuse what is accepted with a warning, as -Werror does"},
    {0},
};

static const struct cli_program program = {
    "hsailasm",
    "[-o FILE] INPUT...\n-d [-o FILE] INPUT...\n--validate INPUT...\n--format [-i | --check | -o FILE] INPUT...",
    "Assembles HSAIL text to BRIG, prints BRIG as text, checks both, and lays text out.",
    options,
    "An input is text or BRIG, whatever its name; - is standard input. Without -o, FILE.hsail becomes\n"
    "FILE.brig; what is printed goes to standard output.\n"
    "Exit status: 0 done, 1 an input was refused or a file could not be used, 2 wrong usage.",
};

/* The name that diagnostics use for standard input. */
#define STANDARD_INPUT "<stdin>"

enum action { ASSEMBLE, DISASSEMBLE, VALIDATE, DUMP, FORMAT };

struct settings {
    enum action action;
    bool two_actions; /* two that exclude each other were asked for */
    const char *output;
    hsail_float_t style;
    bool has_style;
    hsail_layout_t layout;
    bool check, in_place; /* of --format */
    hsail_print_t print;
    const char *colour;
    unsigned flags;
    hsail_context_t *context;
};

/* Returns the index of TEXT in WORDS, which end with NULL, or -1 when it is not among them. */
static int index_of_word(const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(text, words[i]))
            return i;
    return -1;
}

static int to_file(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) != size;
}

static int to_buffer(void *user, const void *data, size_t size)
{
    struct textbuf *text = user;
    textbuf_add(text, data, size);
    return text->failed;
}

static void report_diagnostic(void *user, const hsail_diagnostic_t *diagnostic)
{
    const struct settings *settings = user;
    hsail_diagnostic_print(diagnostic, settings->print, to_file, stderr);
}

static int report_failed(const char *name, hsail_status_t status)
{
    return status == HSAIL_STATUS_INVALID ? CLI_STATUS_DIAGNOSED
                                          : cli_error(&program, "%s: %s", name, hsail_status_text(status));
}

static bool is_brig(const uint8_t *data, size_t size)
{
    return size >= 8 && !memcmp(data, "HSA BRIG", 8);
}

/* Turns `dir/file.hsail` into `dir/file.brig`; NULL when out of memory. */
static char *default_output(const char *input)
{
    size_t length = strlen(input);
    if (length > 6 && !strcmp(input + length - 6, ".hsail"))
        length -= 6;
    char *name = mem_alloc(length + sizeof ".brig");
    if (name) {
        memcpy(name, input, length);
        memcpy(name + length, ".brig", sizeof ".brig");
    }
    return name;
}

static int write_brig(const struct settings *settings, const char *input, const hsail_module_t *module)
{
    char *name = NULL;
    const char *output = settings->output;
    if (!output && strcmp(input, STANDARD_INPUT) != 0) {
        output = name = default_output(input);
        if (!name)
            return report_failed(input, HSAIL_STATUS_OUT_OF_MEMORY);
    }
    if (!output)
        output = "-";
    bool good;
    if (!strcmp(output, "-") && isatty(STDOUT_FILENO))
        good = !cli_error(&program, "BRIG is not written to a terminal; use -o");
    else
        good = cli_write_file(&program, output, hsail_module_data(module), hsail_module_size(module));
    mem_free(name);
    return good ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED;
}

/* Writes text to standard output piece by piece, but to a file only once the text is complete. */
static int write_text(const struct settings *settings, const char *input, const hsail_module_t *module,
                      const uint8_t *data, size_t size)
{
    bool to_stdout = !settings->output || !strcmp(settings->output, "-");
    struct textbuf text = {0};
    hsail_sink_t sink = to_stdout ? to_file : to_buffer;
    void *user = to_stdout ? (void *)stdout : (void *)&text;
    hsail_float_t style =
        settings->layout == HSAIL_LAYOUT_READABLE && !settings->has_style ? HSAIL_FLOAT_DECIMAL : settings->style;
    hsail_status_t status =
        module ? hsail_disassemble_as(settings->context, module, style, settings->layout, sink, user)
               : hsail_dump(settings->context, input, data, size, sink, user);
    if (text.failed)
        status = HSAIL_STATUS_OUT_OF_MEMORY;
    int result = status == HSAIL_STATUS_OK ? CLI_STATUS_DONE : report_failed(input, status);
    if (!result && !to_stdout && !cli_write_file(&program, settings->output, text.data ? text.data : "", text.size))
        result = CLI_STATUS_DIAGNOSED;
    textbuf_free(&text);
    return result;
}

/* BRIG that breaks rules of HSAIL is reported and still printed to standard output, with a first line that says so; a
 * file is only written for valid BRIG. */
static int disassemble(const struct settings *settings, const char *input, const uint8_t *data, size_t size)
{
    static const char mark[] = "// This is not valid HSAIL.\n";
    bool to_stdout = !settings->output || !strcmp(settings->output, "-"), valid = true;
    hsail_module_t *module;
    hsail_status_t status = hsail_module_load(settings->context, input, data, size, HSAIL_NO_VALIDATION, &module);
    if (status != HSAIL_STATUS_OK) {
        if (status == HSAIL_STATUS_INVALID)
            cli_error(&program, "%s cannot be printed as text; --dump shows what can be read of it", input);
        return report_failed(input, status);
    }
    if (!(settings->flags & HSAIL_NO_VALIDATION))
        valid = hsail_module_validate(settings->context, input, module) == HSAIL_STATUS_OK;
    int result = valid ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED;
    if (!valid && to_stdout)
        fwrite(mark, 1, sizeof mark - 1, stdout);
    if (valid || to_stdout)
        result |= write_text(settings, input, module, NULL, 0);
    hsail_module_destroy(module);
    return result;
}

/* Whether two texts assemble to the same bytes. */
static bool same_module(const char *left, size_t left_size, const char *right, size_t right_size)
{
    hsail_module_t *one = NULL, *two = NULL;
    hsail_context_t *quiet;
    if (hsail_context_create(NULL, &quiet) != HSAIL_STATUS_OK)
        return false;
    bool same = hsail_assemble(quiet, NULL, left, left_size, HSAIL_NO_VALIDATION, &one) == HSAIL_STATUS_OK &&
                hsail_assemble(quiet, NULL, right, right_size, HSAIL_NO_VALIDATION, &two) == HSAIL_STATUS_OK &&
                hsail_module_size(one) == hsail_module_size(two) &&
                !memcmp(hsail_module_data(one), hsail_module_data(two), hsail_module_size(one));
    hsail_module_destroy(one);
    hsail_module_destroy(two);
    hsail_context_destroy(quiet);
    return same;
}

/* Assembles the text before and after formatting, and refuses to write anything when the modules differ: nobody should
 * lose a statement to a formatter. */
static int format_input(const struct settings *settings, const char *input, const uint8_t *data, size_t size)
{
    struct textbuf text = {0};
    int result = CLI_STATUS_DONE;
    if (is_brig(data, size))
        return cli_error(&program, "%s is BRIG, which has no layout", input);
    hsail_status_t status =
        hsail_format(settings->context, input, data, size, settings->flags | HSAIL_TERMINATED, to_buffer, &text);
    bool same = !text.failed && text.size == size && !memcmp(text.data, data, size);
    const char *output = settings->in_place ? input : settings->output ? settings->output : "-";
    if (status != HSAIL_STATUS_OK)
        result = report_failed(input, text.failed ? HSAIL_STATUS_OUT_OF_MEMORY : status);
    else if (!same && !same_module((const char *)data, size, text.data, text.size))
        result = cli_error(&program, "%s: laid out, it would be another module; nothing is written", input);
    else if (settings->check)
        result = same ? CLI_STATUS_DONE : cli_error(&program, "%s: the layout is not the canonical one", input);
    else if (!(settings->in_place && same) && !cli_write_file(&program, output, text.data, text.size))
        result = CLI_STATUS_DIAGNOSED;
    textbuf_free(&text);
    return result;
}

static int act_on_input(const struct settings *settings, const char *input, const uint8_t *data, size_t size)
{
    bool brig = is_brig(data, size);
    hsail_module_t *module = NULL;
    if (settings->action == DUMP && brig)
        return write_text(settings, input, NULL, data, size);
    if (settings->action == DISASSEMBLE && brig)
        return disassemble(settings, input, data, size);
    if (settings->action == FORMAT)
        return format_input(settings, input, data, size);
    hsail_status_t status =
        brig ? hsail_module_load(settings->context, input, data, size, settings->flags, &module)
             : hsail_assemble(settings->context, input, data, size, settings->flags | HSAIL_TERMINATED, &module);
    if (status != HSAIL_STATUS_OK)
        return report_failed(input, status);
    int result = CLI_STATUS_DONE;
    switch (settings->action) {
    case ASSEMBLE: result = write_brig(settings, input, module); break;
    case DISASSEMBLE: result = write_text(settings, input, module, NULL, 0); break;
    case DUMP: result = write_text(settings, input, NULL, hsail_module_data(module), hsail_module_size(module)); break;
    case VALIDATE:
    case FORMAT: break;
    }
    hsail_module_destroy(module);
    return result;
}

static int process_input(const struct settings *settings, const char *input)
{
    uint8_t *data;
    size_t size;
    if (!cli_read_file(&program, input, &data, &size))
        return CLI_STATUS_DIAGNOSED;
    int result = act_on_input(settings, strcmp(input, "-") ? input : STANDARD_INPUT, data, size);
    mem_free(data);
    return result;
}

static int print_table(const struct settings *settings, enum option which)
{
    hsail_status_t status = which == OPT_LIST ? hsail_list_instructions(settings->context, to_file, stdout)
                                              : hsail_list_diagnostics(settings->context, to_file, stdout);
    return status == HSAIL_STATUS_OK ? CLI_STATUS_DONE : report_failed("table", status);
}

static void set_action(struct settings *settings, enum action action)
{
    settings->two_actions |= settings->action != ASSEMBLE && settings->action != action;
    settings->action = action;
}

/* Handles one option; false after wrong usage, which was reported. */
static bool set_option(struct settings *settings, int id, const char *value)
{
    static const char *const styles[] = {"ieee", "c99", "decimal", NULL};
    static const char *const layouts[] = {"tabs", "readable", NULL};
    static const char *const formats[] = {"text", "json", NULL};
    static const char *const whens[] = {"auto", "always", "never", NULL};
    uint64_t number;
    int choice = 0;
    switch ((enum option)id) {
    case OPT_OUTPUT: settings->output = value; break;
    case OPT_DISASSEMBLE: set_action(settings, DISASSEMBLE); break;
    case OPT_VALIDATE: set_action(settings, VALIDATE); break;
    case OPT_NO_VALIDATE: settings->flags |= HSAIL_NO_VALIDATION; break;
    case OPT_DUMP: set_action(settings, DUMP); break;
    case OPT_FORMAT: set_action(settings, FORMAT); break;
    case OPT_CHECK: settings->check = true; break;
    case OPT_IN_PLACE: settings->in_place = true; break;
    case OPT_FLOAT:
        settings->style = (hsail_float_t)(choice = index_of_word(value, styles));
        settings->has_style = true;
        break;
    case OPT_LAYOUT: settings->layout = (hsail_layout_t)(choice = index_of_word(value, layouts)); break;
    case OPT_DIAGNOSTICS:
        choice = index_of_word(value, formats);
        settings->print = choice ? HSAIL_PRINT_JSON : HSAIL_PRINT_TEXT;
        if (choice > 0)
            cli_use_json();
        break;
    case OPT_COLOUR:
    case OPT_COLOR:
        choice = index_of_word(value, whens);
        settings->colour = value;
        break;
    case OPT_MAX_ERRORS:
        choice = cli_number(value, SIZE_MAX, &number) ? 0 : -1;
        if (!choice)
            hsail_context_set_max_errors(settings->context, (size_t)number);
        break;
    case OPT_LINT: choice = hsail_context_set_warning(settings->context, "lint") == HSAIL_STATUS_OK ? 0 : -1; break;
    case OPT_STRICT: choice = hsail_context_set_warning(settings->context, "error") == HSAIL_STATUS_OK ? 0 : -1; break;
    case OPT_WARNING: choice = hsail_context_set_warning(settings->context, value) == HSAIL_STATUS_OK ? 0 : -1; break;
    case OPT_LIST:
    case OPT_LIST_DIAGNOSTICS: break;
    }
    return choice >= 0;
}

static bool use_colour(const char *when)
{
    if (when && strcmp(when, "auto") != 0)
        return !strcmp(when, "always");
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
}

static bool same_file(const char *left, const char *right)
{
    struct stat a, b;
    return !stat(left, &a) && !stat(right, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino && S_ISREG(a.st_mode);
}

/* Returns what is wrong with the combination of options, or NULL. */
static const char *wrong_usage(const struct settings *settings, int count, const char *const *inputs)
{
    const char *output = settings->output;
    bool text = settings->action == DISASSEMBLE || settings->action == DUMP || settings->action == FORMAT;
    if (!count)
        return "no input";
    if (settings->two_actions)
        return "-d, --dump, --format and --validate exclude each other";
    if ((settings->check || settings->in_place) &&
        (settings->action != FORMAT || output || (settings->check && settings->in_place)))
        return "--check and --in-place go with --format, without each other and without -o";
    for (int i = 0; settings->in_place && i < count; i++)
        if (!strcmp(inputs[i], "-"))
            return "standard input cannot be replaced";
    if (!output)
        return NULL;
    if (settings->action == VALIDATE)
        return "--validate writes nothing, so -o makes no sense";
    if (count > 1 && (!text || strcmp(output, "-") != 0))
        return "-o with more than one input";
    return same_file(output, inputs[0]) ? "the output would replace the input" : NULL;
}

static int run_assembler(struct settings *settings, int argc, char **argv, const char **inputs)
{
    struct cli cli = cli_start(&program, argc, argv);
    int count = 0, table = 0;
    for (int id; (id = cli_next(&cli)) != CLI_END;) {
        if (id == CLI_EXIT)
            return cli.status;
        if (id == CLI_OPERAND)
            inputs[count++] = cli.value;
        else if (id == OPT_LIST || id == OPT_LIST_DIAGNOSTICS)
            table = id;
        else if (!set_option(settings, id, cli.value))
            return id == OPT_WARNING
                       ? cli_usage_error(&program, "-W%s: there is no such warning", cli.value)
                       : cli_usage_error(&program, "--%s: \"%s\" is not possible", cli.spelled, cli.value);
    }
    if (table)
        return cli_finish(&program, print_table(settings, (enum option)table));
    const char *wrong = wrong_usage(settings, count, inputs);
    if (wrong)
        return cli_usage_error(&program, "%s", wrong);
    if (settings->print == HSAIL_PRINT_TEXT && use_colour(settings->colour))
        settings->print = HSAIL_PRINT_COLOUR;
    int status = CLI_STATUS_DONE;
    for (int i = 0; i < count; i++)
        if (process_input(settings, inputs[i]))
            status = CLI_STATUS_DIAGNOSED;
    return cli_finish(&program, status);
}

int main(int argc, char **argv)
{
    struct settings settings = {.action = ASSEMBLE};
    const char **inputs = mem_zalloc((size_t)argc + 1, sizeof *inputs);
    int status;
    if (!inputs || hsail_context_create(NULL, &settings.context) != HSAIL_STATUS_OK) {
        status = cli_error(&program, "out of memory");
    } else {
        hsail_context_set_diagnostics(settings.context, report_diagnostic, &settings);
        status = run_assembler(&settings, argc, argv, inputs);
    }
    hsail_context_destroy(settings.context);
    mem_free(inputs);
    return status;
}
