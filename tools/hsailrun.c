/* SPDX-License-Identifier: MIT */
/* hsailrun: runs one kernel from the shell: HSAIL text, BRIG or a code object in, buffers out.
 * Input: a file and the kernel's arguments as words. Output: results on standard output or in files.
 * Invariant: files are written only when everything went well. */
#include "tools/hsa_util.h"
#include "tools/input.h"
#include "tools/run_argument.h"
#include "tools/run_break.h"
#include "tools/run_dispatch.h"
#include "tools/run_kernel.h"
#include "tools/run_launch.h"
#include "tools/run_observe.h"
#include "tools/run_page.h"
#include "tools/run_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 256
#define MAX_SAVES 64
#define MAX_MODULES 64

enum run_option {
    OPT_KERNEL = 1,
    OPT_MODULE,
    OPT_GRID,
    OPT_GROUP,
    OPT_AGENT,
    OPT_GROUP_MEMORY,
    OPT_PRIVATE_MEMORY,
    OPT_OPTIONS,
    OPT_PRINT,
    OPT_SAVE,
    OPT_QUIET,
    OPT_REPEAT,
    OPT_TIMEOUT,
    OPT_TIME,
    OPT_LIST,
    OPT_JSON,
    OPT_CHECK,
    OPT_SUPPRESSIONS,
    OPT_REPORT,
    OPT_PAGE,
    OPT_COUNT,
    OPT_REGISTERS,
    OPT_TRACE,
    OPT_TRACE_JSON,
    OPT_BREAK,
};

static const struct cli_option options[] = {
    {OPT_KERNEL, 'k', "kernel", "NAME", "run this kernel; may be left out when there is only one"},
    {OPT_MODULE, 'm', "module", "FILE", "link this module of HSAIL or BRIG too; may be repeated"},
    {OPT_GRID, 'g', "grid", "X[,Y[,Z]]", "work-items in each dimension (default: what the kernel requires, or 1)"},
    {OPT_GROUP, 'w', "group", "X[,Y[,Z]]", "work-items of a work-group (default: as required, or 256, 16,16 or 8,8,4)"},
    {OPT_AGENT, 'a', "agent", "AGENT", "index or name as hsainfo shows it (default: the first GPU)"},
    {OPT_GROUP_MEMORY, 0, "group-memory", "BYTES", "group memory on top of what the kernel declares"},
    {OPT_PRIVATE_MEMORY, 0, "private-memory", "BYTES", "private memory besides its own, for alloca and recursion"},
    {OPT_OPTIONS, 'O', "finalizer-options", "TEXT", "options for the finalizer"},
    {OPT_PRINT, 'p', "print", "N", "print all elements of argument N, one per line"},
    {OPT_SAVE, 's', "save", "N:FILE", "write the bytes of argument N to FILE"},
    {OPT_QUIET, 'q', "quiet", NULL, "do not show the first elements of each buffer"},
    {OPT_REPEAT, 'r', "repeat", "N", "dispatch N times without filling the buffers again"},
    {OPT_TIMEOUT, 0, "timeout", "SECONDS", "give up on a dispatch that takes longer (default: never)"},
    {OPT_TIME, 't', "time", NULL, "show how long each stage took, on standard error"},
    {OPT_LIST, 'l', "list", NULL, "list the kernels of FILE with their arguments instead of running one"},
    {OPT_JSON, 0, "json", NULL, "write everything in lines of JSON: results, messages, --list and --break"},
    {OPT_CHECK, 'c', "check", "NAME[,NAME...]", "look for mistakes: memory, barrier, race, init, wait or all"},
    {OPT_SUPPRESSIONS, 0, "suppressions", "FILE", "leave out the findings that FILE lists"},
    {OPT_REPORT, 0, "report-json", "FILE", "append a line of JSON to FILE for each fault and each finding"},
    {OPT_PAGE, 0, "report", "FILE.html", "make a page that shows code, counts and findings side by side"},
    {OPT_COUNT, 0, "count", "[FILE]", "count what the kernel does: a table, or JSON at the end of FILE"},
    {OPT_REGISTERS, 0, "registers", "[FILE]", "show registers, memory and occupancy, or JSON at the end of FILE"},
    {OPT_TRACE, 0, "trace", "[FILTER]",
     "show each instruction and what it does; FILTER: kernel=, group=, wave=, pc=,\n"
     "line=, kind=, separated by commas"},
    {OPT_BREAK, 0, "break", "PLACE[,PLACE...]",
     "stop there and take commands from standard input: @LABEL, LINE, 0xPC,\n"
     "KERNEL or start"},
    {OPT_TRACE_JSON, 0, "trace-json", "FILE", "append the trace to FILE instead, a line of JSON per instruction"},
    {0},
};

static const struct cli_program program = {
    "hsailrun",
    "[options] FILE [ARGUMENT...]\n--list FILE",
    "Runs one kernel of FILE: HSAIL text, BRIG or a code object.",
    options,
    "An ARGUMENT is, with TYPE one of u8 u16 u32 u64 s8 ... s64 b8 ... b64 f16 f32 f64:\n"
    "  TYPE:VALUE                   a scalar, as u32:7 or f32:-0.5\n"
    "  TYPE[COUNT]                  a buffer of zeros; the kernel gets its address\n"
    "  TYPE[COUNT]:iota[=START]     0, 1, 2 ... or from START on\n"
    "  TYPE[COUNT]:unwritten        memory that nobody has written, for --check=init\n"
    "  TYPE[COUNT]:random[=SEED]    any integers, or floats at least 0 and below 1\n"
    "  TYPE[COUNT]:V,V...           these values, or one value throughout\n"
    "  TYPE[COUNT]:@FILE            the bytes of FILE; `[]` takes its size\n"
    "  rwimg[4x3]:2d,rgba,unorm_int8[:FILL]   an image, or roimg or woimg; its channels are filled like a buffer\n"
    "  samp:normalized,linear,repeat          a sampler\n"
    "  sig64:VALUE                            a signal\n"
    "  queue[:PACKETS]                        a queue of the agent",
};

struct save {
    size_t argument;
    const char *file;
};

struct run_command {
    const char *file, *kernel, *agent, *finalizer_options, *check, *suppressions, *report, *page;
    const char *words[MAX_ARGUMENTS];
    size_t word_count;
    struct run_argument arguments[MAX_ARGUMENTS];
    size_t prints[MAX_ARGUMENTS];
    size_t print_count;
    struct save saves[MAX_SAVES];
    size_t save_count;
    const char *modules[MAX_MODULES];
    size_t module_count;
    struct run_dispatch dispatch;
    struct run_observe observe;
    bool quiet, time, list, json;
};

/* The operand FILE and the files that --module names. */
struct inputs {
    struct input items[1 + MAX_MODULES];
    size_t count;
};

/* Reads "X", "X,Y" or "X,Y,Z", where `x` may stand for a comma; returns how many sizes, 0 when malformed. */
static unsigned read_sizes(const char *text, uint32_t maximum, uint32_t sizes[3])
{
    char word[16];
    for (unsigned count = 0; count < 3; count++) {
        size_t length = strcspn(text, ",x");
        uint64_t number;
        if (length >= sizeof word)
            return 0;
        memcpy(word, text, length);
        word[length] = 0;
        if (!cli_number(word, maximum, &number) || !number)
            return 0;
        sizes[count] = (uint32_t)number;
        if (!text[length])
            return count + 1;
        text += length + 1;
    }
    return 0;
}

static int read_grid(struct run_command *command, const char *text)
{
    command->dispatch.dimensions = read_sizes(text, UINT32_MAX, command->dispatch.grid);
    if (!command->dispatch.dimensions)
        return cli_usage_error(&program, "--grid needs one to three sizes, not %s", text);
    return 0;
}

static int read_group(struct run_command *command, const char *text)
{
    uint32_t sizes[3] = {1, 1, 1};
    if (!read_sizes(text, UINT16_MAX, sizes))
        return cli_usage_error(&program, "--group needs one to three sizes, not %s", text);
    for (int i = 0; i < 3; i++)
        command->dispatch.group[i] = (uint16_t)sizes[i];
    return 0;
}

/* Reads the number of an argument, which counts from 1, as an index from 0. */
static bool read_argument_number(const char *text, size_t length, size_t *index)
{
    char word[16];
    uint64_t number;
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = 0;
    if (!cli_number(word, MAX_ARGUMENTS, &number) || !number)
        return false;
    *index = number - 1;
    return true;
}

static int read_print(struct run_command *command, const char *text)
{
    if (command->print_count == MAX_ARGUMENTS)
        return cli_usage_error(&program, "too many --print");
    if (!read_argument_number(text, strlen(text), &command->prints[command->print_count++]))
        return cli_usage_error(&program, "--print needs the number of an argument, not %s", text);
    return 0;
}

static int read_save(struct run_command *command, const char *text)
{
    if (command->save_count == MAX_SAVES)
        return cli_usage_error(&program, "too many --save");
    struct save *save = &command->saves[command->save_count++];
    size_t length = strcspn(text, ":");
    if (!text[length] || !text[length + 1] || !read_argument_number(text, length, &save->argument))
        return cli_usage_error(&program, "--save needs N:FILE, not %s", text);
    save->file = text + length + 1;
    return 0;
}

static int read_module(struct run_command *command, const char *text)
{
    if (command->module_count == MAX_MODULES)
        return cli_usage_error(&program, "more than %d modules", MAX_MODULES);
    command->modules[command->module_count++] = text;
    return 0;
}

static int read_check(struct run_command *command, const char *text)
{
    command->check = text;
    return run_observe_are_checkers(&program, text) ? 0 : CLI_STATUS_USAGE;
}

static int read_number(const struct cli *cli, uint64_t minimum, uint64_t maximum, uint64_t *number)
{
    if (!cli_number(cli->value, maximum, number) || *number < minimum)
        return cli_usage_error(&program, "bad number for --%s: %s", cli->spelled, cli->value);
    return 0;
}

static int read_operand(struct run_command *command, const char *text)
{
    if (!command->file)
        command->file = text;
    else if (command->word_count == MAX_ARGUMENTS)
        return cli_usage_error(&program, "more than %d arguments", MAX_ARGUMENTS);
    else
        command->words[command->word_count++] = text;
    return 0;
}

static int read_option(struct run_command *command, const struct cli *cli, enum run_option id)
{
    uint64_t number = 0;
    int status = 0;
    switch (id) {
    case OPT_KERNEL: command->kernel = cli->value; break;
    case OPT_AGENT: command->agent = cli->value; break;
    case OPT_OPTIONS: command->finalizer_options = cli->value; break;
    case OPT_MODULE: return read_module(command, cli->value);
    case OPT_GRID: return read_grid(command, cli->value);
    case OPT_GROUP: return read_group(command, cli->value);
    case OPT_PRINT: return read_print(command, cli->value);
    case OPT_SAVE: return read_save(command, cli->value);
    case OPT_QUIET: command->quiet = true; break;
    case OPT_TIME: command->time = true; break;
    case OPT_LIST: command->list = true; break;
    case OPT_JSON:
        cli_use_json();
        command->json = command->observe.json = true;
        break;
    case OPT_SUPPRESSIONS: command->suppressions = cli->value; break;
    case OPT_CHECK: return read_check(command, cli->value);
    case OPT_REPORT: command->report = cli->value; break;
    case OPT_PAGE: command->page = cli->value; break;
    case OPT_COUNT: command->observe.count = run_observe_file(cli->value); break;
    case OPT_REGISTERS: command->observe.registers = run_observe_file(cli->value); break;
    case OPT_TRACE: command->observe.trace = cli->value ? cli->value : "all"; break;
    case OPT_BREAK: command->observe.breakpoints = cli->value; break;
    case OPT_TRACE_JSON: command->observe.trace_file = cli->value; break;
    case OPT_REPEAT: return read_number(cli, 1, UINT64_MAX, &command->dispatch.repeat);
    case OPT_TIMEOUT: return read_number(cli, 0, UINT32_MAX, &command->dispatch.timeout);
    case OPT_GROUP_MEMORY:
        status = read_number(cli, 0, UINT32_MAX / 2, &number);
        command->dispatch.extra_group = (uint32_t)number;
        break;
    case OPT_PRIVATE_MEMORY:
        status = read_number(cli, 0, UINT32_MAX / 2, &number);
        command->dispatch.extra_private = (uint32_t)number;
        break;
    }
    return status;
}

/* Checks what can be checked before any file is read; returns 0, or the status to exit with. */
static int check_command(struct run_command *command)
{
    if (!command->file)
        return cli_usage_error(&program, "no file given");
    if (command->list && command->word_count)
        return cli_usage_error(&program, "--list takes no arguments for a kernel");
    for (size_t i = 0; i < command->word_count; i++)
        if (!run_argument_parse(&program, command->words[i], &command->arguments[i]))
            return CLI_STATUS_USAGE;
    for (size_t i = 0; i < command->print_count + command->save_count; i++) {
        size_t argument =
            i < command->print_count ? command->prints[i] : command->saves[i - command->print_count].argument;
        if (argument >= command->word_count || !command->arguments[argument].is_buffer)
            return cli_usage_error(&program, "argument %zu is no buffer", argument + 1);
        if (i < command->print_count)
            command->arguments[argument].print = true;
    }
    if (command->observe.trace_file && !command->observe.trace)
        command->observe.trace = "all";
    if (command->observe.trace && !run_observe_is_filter(&program, command->observe.trace))
        return CLI_STATUS_USAGE;
    if (command->observe.breakpoints && !run_break_is_list(&program, command->observe.breakpoints))
        return CLI_STATUS_USAGE;
    const struct run_dispatch *dispatch = &command->dispatch;
    for (unsigned i = dispatch->dimensions; i < 3 && dispatch->dimensions; i++)
        if (dispatch->group[i] > 1)
            return cli_usage_error(&program, "--group has more dimensions than --grid");
    return 0;
}

static bool save_results(const struct run_command *command)
{
    for (size_t i = 0; i < command->save_count; i++) {
        const struct run_argument *argument = &command->arguments[command->saves[i].argument];
        if (!cli_write_file(&program, command->saves[i].file, argument->data, argument->size))
            return false;
    }
    return true;
}

static void show_results(const struct run_command *command)
{
    for (size_t i = 0; i < command->word_count; i++)
        if (command->arguments[i].print || !command->quiet)
            run_argument_show(&command->arguments[i], i + 1);
}

static void show_times_json(const struct run_dispatch *dispatch, const struct run_kernel *kernel, double assemble_time,
                            double items)
{
    fprintf(stderr, "{\"kind\":\"time\",\"assemble\":%.9f,\"finalize\":%.9f,\"load\":%.9f,\"dispatch\":%.9f",
            assemble_time, kernel->finalize_time, kernel->load_time, dispatch->best);
    fprintf(stderr, ",\"dispatches\":%llu,\"mean\":%.9f,\"work_items\":%.0f}\n", (unsigned long long)dispatch->repeat,
            dispatch->total / (double)dispatch->repeat, items);
}

static void show_times(const struct run_command *command, const struct inputs *inputs, const struct run_kernel *kernel)
{
    const struct run_dispatch *dispatch = &command->dispatch;
    double items = (double)dispatch->grid[0] * dispatch->grid[1] * dispatch->grid[2];
    fflush(stdout);
    double assemble_time = 0;
    for (size_t i = 0; i < inputs->count; i++)
        assemble_time += inputs->items[i].assemble_time;
    if (command->json) {
        show_times_json(dispatch, kernel, assemble_time, items);
        return;
    }
    if (inputs->items[0].module)
        fprintf(stderr, "assemble and validate %10.3f ms\nfinalize              %10.3f ms\n", assemble_time * 1e3,
                kernel->finalize_time * 1e3);
    fprintf(stderr, "load                  %10.3f ms\n", kernel->load_time * 1e3);
    fprintf(stderr, "dispatch              %10.3f ms, %.0f work-items/s\n", dispatch->best * 1e3,
            dispatch->best > 0 ? items / dispatch->best : 0);
    if (dispatch->repeat > 1)
        fprintf(stderr, "  fastest of %llu, mean %.3f ms\n", (unsigned long long)dispatch->repeat,
                dispatch->total / (double)dispatch->repeat * 1e3);
}

/* Fills buffers and makes objects, runs the kernel, and fetches what it leaves in the objects. */
static bool run_filled(struct run_command *command, hsa_agent_t agent, const struct run_memory *memory,
                       const struct run_kernel *kernel)
{
    for (size_t i = 0; i < command->word_count; i++) {
        struct run_argument *argument = &command->arguments[i];
        if (!run_argument_fill(&program, argument, memory) ||
            !run_object_make(&program, agent, memory, &argument->object, argument->data))
            return false;
    }
    run_report_name(kernel, command->arguments, command->word_count);
    if (!run_dispatch(&program, agent, kernel, command->arguments, command->word_count, &command->dispatch))
        return false;
    for (size_t i = 0; i < command->word_count; i++)
        if (!run_object_read(&program, agent, &command->arguments[i].object, command->arguments[i].data))
            return false;
    return true;
}

/* Runs the kernel of a loaded executable and hands out the results. */
static bool run_kernel(struct run_command *command, hsa_agent_t agent, const struct inputs *inputs,
                       struct run_kernel *kernel)
{
    struct run_memory memory;
    if (!run_kernel_find(&program, command->kernel, inputs->items, inputs->count, kernel) ||
        !run_launch_sizes(&program, agent, kernel, &command->dispatch) ||
        !run_launch_check(&program, kernel, command->arguments, command->word_count) ||
        !run_memory_open(&program, agent, &memory))
        return false;
    bool succeeded = run_filled(command, agent, &memory, kernel) && save_results(command);
    if (succeeded) {
        show_results(command);
        if (command->time)
            show_times(command, inputs, kernel);
    }
    for (size_t i = 0; i < command->word_count; i++) {
        run_object_free(agent, &memory, &command->arguments[i].object);
        memory.release(memory.context, command->arguments[i].data);
    }
    return succeeded;
}

static bool with_runtime(struct run_command *command, const struct inputs *inputs)
{
    hsa_agent_t agent;
    struct run_kernel kernel = {0};
    hsa_ask_for_messages();
    run_report_ask(command->report, command->check, command->suppressions);
    if (command->page && !run_page_begin(&program, &command->observe))
        return false;
    if (!run_observe_ask(&program, &command->observe, command->file))
        return false;
    if (!hsa_succeeded(&program, hsa_init(), "starting the HSA runtime"))
        return false;
    run_report_open(&program);
    bool succeeded =
        hsa_choose_agent(&program, command->agent, &agent) &&
        run_kernel_load(&program, agent, inputs->items, inputs->count, command->finalizer_options, &kernel) &&
        (command->list ? run_kernel_list(&program, inputs->items, inputs->count, &kernel, command->json)
                       : run_kernel(command, agent, inputs, &kernel));
    run_kernel_free(&kernel);
    return hsa_succeeded(&program, hsa_shut_down(), "stopping the HSA runtime") && run_report_summary() && succeeded;
}

static bool read_inputs(const struct run_command *command, struct inputs *inputs)
{
    for (size_t i = 0; i <= command->module_count; i++) {
        const char *name = i ? command->modules[i - 1] : command->file;
        struct input *input = &inputs->items[inputs->count++];
        input->lines = true;
        if (!input_read(&program, name, input))
            return false;
        if (input->code && command->module_count) {
            cli_error(&program, "%s: a code object is already linked; --module goes with HSAIL and BRIG", input->name);
            return false;
        }
    }
    return true;
}

/* Makes the page, if one is wanted, of whatever was counted and reported. */
static bool make_page(const struct run_command *command)
{
    const char *names[1 + MAX_MODULES] = {command->file};
    for (size_t i = 0; i < command->module_count; i++)
        names[i + 1] = command->modules[i];
    return run_page_end(&program, command->page, names, command->module_count + 1);
}

int main(int argc, char **argv)
{
    static struct run_command command = {.dispatch = {.grid = {1, 1, 1}, .repeat = 1}};
    struct cli cli = cli_start(&program, argc, argv);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) /* also what is said of options before it is JSON */
        if (!strcmp(argv[i], "--json"))
            cli_use_json();
    for (int id, status; (id = cli_next(&cli)) != CLI_END;) {
        if (id == CLI_EXIT)
            return cli.status;
        status = id == CLI_OPERAND ? read_operand(&command, cli.value) : read_option(&command, &cli, id);
        if (status)
            return status;
    }
    int status = check_command(&command);
    if (status)
        return status;
    static struct inputs inputs;
    bool good = read_inputs(&command, &inputs), done = good && with_runtime(&command, &inputs);
    if (good && command.page && !command.list && !make_page(&command))
        done = false;
    status = done ? CLI_STATUS_DONE : CLI_STATUS_DIAGNOSED;
    for (size_t i = 0; i < inputs.count; i++)
        input_free(&inputs.items[i]);
    return cli_finish(&program, status);
}
