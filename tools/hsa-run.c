/* SPDX-License-Identifier: MIT */
/* hsa-run: runs an unmodified ROCm program on this HSA runtime, without a GPU and without privileges.
 *
 * Input: a command, the environment. Output: its exit status, and what was asked of its kernels (hsa_run_watch.c). The
 * program gets this runtime instead of any other, software GPUs, which have the base profile as cards do unless told
 * otherwise, and files that stand in for the kernel's driver (hsa_run_redirect.c).
 * Invariant: the files are removed after the program has ended, even when a signal ended it. */
#define _GNU_SOURCE
#include "support/amdgpu.h"
#include "tools/hsa_run_tree.h"
#include "tools/hsa_run_watch.h"
#include "tools/hsa_util.h"
#include "tools/run_break.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum run_program_option {
    OPT_AGENTS = 1,
    OPT_MEMORY,
    OPT_PROFILE,
    OPT_THREADS,
    OPT_CHECK,
    OPT_SUPPRESSIONS,
    OPT_PAGE,
    OPT_REPORT,
    OPT_COUNT,
    OPT_REGISTERS,
    OPT_TRACE,
    OPT_TRACE_JSON,
    OPT_BREAK,
};
enum { STATUS_NOT_RUN = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 }; /* the values that shells use */

static const struct cli_option options[] = {
    {OPT_AGENTS, 'a', "agents", "LIST", "the software GPUs: how many, or their processors (HSA_GCN_AGENTS)"},
    {OPT_MEMORY, 'm', "memory", "SIZE", "memory of each, in MiB or with K, M, G or T (HSA_GCN_MEMORY_SIZE)"},
    {OPT_PROFILE, 'p', "profile", "NAME", "base, the default, or full (HSA_GCN_PROFILE)"},
    {OPT_THREADS, 't', "threads", "COUNT", "threads of the host that execute a dispatch (HSA_GCN_THREADS)"},
    {OPT_CHECK, 'c', "check", "NAME[,NAME...]", "look for mistakes in kernels: memory, barrier, race, init, wait, all"},
    {OPT_SUPPRESSIONS, 0, "suppressions", "FILE", "leave out the findings that FILE lists"},
    {OPT_REPORT, 0, "report-json", "FILE", "append a line of JSON to FILE for each fault and each finding"},
    {OPT_PAGE, 0, "report", "FILE.html", "make a page that shows code, counts and findings side by side"},
    {OPT_COUNT, 0, "count", "[FILE]", "count what kernels do: tables, or JSON at the end of FILE"},
    {OPT_REGISTERS, 0, "registers", "[FILE]", "tell the registers, memory and occupancy of kernels, likewise"},
    {OPT_TRACE, 0, "trace", "[FILTER]", "trace instructions: all, or those that FILTER names"},
    {OPT_TRACE_JSON, 0, "trace-json", "FILE", "append the trace to FILE instead, a line of JSON per instruction"},
    {OPT_BREAK, 0, "break", "PLACE[,PLACE...]", "stop kernels there and take commands: LINE, FILE:LINE, NAME, start"},
    {0},
};

static const struct cli_program program = {
    "hsa-run", "[options] PROGRAM [ARGUMENT...]", "Runs a program that uses ROCm or HSA on software GPUs.", options,
    NULL,
};

static pid_t child;

static void pass_on(int number)
{
    if (child > 0)
        kill(child, number);
}

/* Prints that NAME is not executed, and what is. Returns the exit status. */
static int refuse_processor(const char *name, size_t length)
{
    char known[256] = "";
    size_t count;
    const struct amdgpu_processor *all = amdgpu_processors(&count);
    for (size_t i = 0; i < count; i++)
        if (all[i].chip)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "", all[i].name);
    const char *why =
        amdgpu_by_name(name, length) ? "the software GPU does not execute code for" : "there is no processor";
    return cli_usage_error(&program, "%s '%.*s'; it executes %s", why, (int)length, name, known);
}

/* Sets HSA_GCN_AGENTS to LIST: a number, or processors that the software GPU executes. */
static int set_agents(const char *list)
{
    unsigned count = 0;
    uint64_t number;
    setenv("HSA_GCN_AGENTS", list, 1);
    if (*list >= '0' && *list <= '9')
        return cli_number(list, SOFTWARE_GPUS_MAX, &number)
                   ? 0
                   : cli_usage_error(&program, "'%s' is not a number of GPUs from 0 to %d", list, SOFTWARE_GPUS_MAX);
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        const struct amdgpu_processor *processor = amdgpu_by_name(at, length);
        if (!processor || !processor->chip)
            return refuse_processor(at, length);
        if (++count > SOFTWARE_GPUS_MAX)
            return cli_usage_error(&program, "more than %d GPUs", SOFTWARE_GPUS_MAX);
        at += length;
        if (!*at)
            return 0;
    }
}

/* Sets HSA_GCN_MEMORY_SIZE, which is in MiB, to SIZE. */
static bool set_memory(const char *size)
{
    static const char units[] = "KMGT";
    char *end, text[32];
    errno = 0;
    unsigned long long value = strtoull(size, &end, 10);
    const char *unit = *end ? strchr(units, *end) : &units[1];
    if (end == size || *size == '-' || errno || !unit || (*end && end[1]) || value > ULLONG_MAX >> 30)
        return false;
    unsigned shift = (unsigned)(unit - units) * 10;
    value = value << shift >> 10;
    if (value < SOFTWARE_GPU_MEMORY_MIN)
        return false;
    snprintf(text, sizeof text, "%llu", value);
    return !setenv("HSA_GCN_MEMORY_SIZE", text, 1);
}

/* Prepends WORD to the value of the environment variable NAME. */
static bool prepend(const char *name, const char *word, const char *separator)
{
    const char *old = getenv(name);
    char *text = NULL;
    bool has = old && *old;
    if (asprintf(&text, "%s%s%s", word, has ? separator : "", has ? old : "") < 0)
        return false;
    bool good = !setenv(name, text, 1);
    free(text);
    return good;
}

/* Finds the library NAME to preload: in the folder hsail beside an installed runtime, or right beside one in a build.
 */
static bool find_library(const char *folder, const char *name, char path[PATH_MAX])
{
    static const char *const places[] = {"hsail/", ""};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, PATH_MAX, "%s/%s%s", folder, places[i], name) < PATH_MAX && !access(path, R_OK))
            return true;
    return false;
}

/* Whether kernels may access blocks of malloc(), and a checker wants to know where these end. */
static bool wants_heap(const struct run_watch *watch)
{
    const char *profile = getenv("HSA_GCN_PROFILE");
    return profile && !strcmp(profile, "full") && watch->check &&
           (strstr(watch->check, "memory") || strstr(watch->check, "all"));
}

/* Sets up the environment so that programs find this runtime and TREE before any other. */
static bool prepare(const char *tree, const struct run_watch *watch)
{
    Dl_info info;
    char runtime[PATH_MAX], folder[PATH_MAX], redirect[PATH_MAX], heap[PATH_MAX], bin[PATH_MAX + 4];
    int (*of_runtime)(void) = (int (*)(void))(void *)hsa_init;
    if (!dladdr(*(void **)(void *)&of_runtime, &info) || !realpath(info.dli_fname, runtime))
        return cli_error(&program, "the runtime's file is not known"), false;
    memcpy(folder, runtime, strlen(runtime) + 1);
    *strrchr(folder, '/') = '\0';
    if (!find_library(folder, "hsa-run-redirect.so", redirect))
        return cli_error(&program, "hsa-run-redirect.so is neither in %s nor in %s/hsail", folder, folder), false;
    snprintf(bin, sizeof bin, "%s/bin", tree);
    if (wants_heap(watch) && find_library(folder, "hsa-run-heap.so", heap) && !prepend("LD_PRELOAD", heap, ":"))
        return false;
    return prepend("LD_LIBRARY_PATH", folder, ":") && prepend("LD_PRELOAD", redirect, ":") &&
           prepend("LD_PRELOAD", runtime, ":") && prepend("PATH", bin, ":") && !setenv("HSA_RUN_TREE", tree, 1);
}

/* Runs ARGV and waits for it. Signals that would end this process are passed on, so that it can tidy up. */
static int run_child(char **argv)
{
    static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    struct sigaction pass = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    fflush(NULL);
    signal(SIGINT, SIG_IGN); /* the terminal sends SIGINT and SIGQUIT to the child as well */
    signal(SIGQUIT, SIG_IGN);
    child = fork();
    if (!child) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        execvp(argv[0], argv);
        int why = errno;
        fprintf(stderr, "hsa-run: %s: %s\n", argv[0], strerror(why));
        _exit(why == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUN);
    }
    if (child < 0)
        return cli_error(&program, "fork: %s", strerror(errno)), CLI_STATUS_DIAGNOSED;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaction(passed[i], &pass, NULL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Makes the tree, while the runtime is up, and runs ARGV with it. */
static int run_with_tree(char **argv, struct run_watch *watch)
{
    const char *temporary = getenv("TMPDIR");
    char tree[PATH_MAX];
    unsigned gpus = 0;
    hsa_ask_for_messages();
    if (!hsa_succeeded(&program, hsa_init(), "starting the HSA runtime"))
        return CLI_STATUS_DIAGNOSED;
    snprintf(tree, sizeof tree, "%s/hsa-run.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(tree)) {
        cli_error(&program, "%s: %s", tree, strerror(errno));
        hsa_shut_down();
        return CLI_STATUS_DIAGNOSED;
    }
    bool good = run_tree_make(&program, tree, &gpus);
    hsa_shut_down();
    if (good && !gpus)
        fputs("hsa-run: warning: there is no software GPU\n", stderr);
    good = good && prepare(tree, watch) && run_watch_begin(&program, watch, tree);
    int status = good ? run_watch_end(&program, watch, argv[0], run_child(argv)) : CLI_STATUS_DIAGNOSED;
    run_tree_remove(tree);
    return status;
}

static int set_profile(const char *name)
{
    if (strcmp(name, "base") && strcmp(name, "full"))
        return cli_usage_error(&program, "'%s' is not a profile; base and full are", name);
    return setenv("HSA_GCN_PROFILE", name, 1) ? CLI_STATUS_DIAGNOSED : 0;
}

/* Takes an option; returns 0, or the status to exit with. */
static int take_option(struct run_watch *watch, enum run_program_option id, const char *value)
{
    switch (id) {
    case OPT_AGENTS: return set_agents(value);
    case OPT_MEMORY:
        return set_memory(value) ? 0
                                 : cli_usage_error(&program, "'%s' is not a size of memory from %d MiB", value,
                                                   SOFTWARE_GPU_MEMORY_MIN);
    case OPT_PROFILE: return set_profile(value);
    case OPT_THREADS: setenv("HSA_GCN_THREADS", value, 1); break;
    case OPT_CHECK: watch->check = value; return run_observe_are_checkers(&program, value) ? 0 : CLI_STATUS_USAGE;
    case OPT_SUPPRESSIONS: watch->suppressions = value; break;
    case OPT_PAGE: watch->page = value; break;
    case OPT_REPORT: watch->report_json = value; break;
    case OPT_COUNT: watch->observe.count = run_observe_file(value); break;
    case OPT_REGISTERS: watch->observe.registers = run_observe_file(value); break;
    case OPT_TRACE:
        watch->observe.trace = value ? value : "all";
        return run_observe_is_filter(&program, watch->observe.trace) ? 0 : CLI_STATUS_USAGE;
    case OPT_TRACE_JSON: watch->observe.trace_file = value; break;
    case OPT_BREAK:
        watch->observe.breakpoints = value;
        return run_break_is_list(&program, value) ? 0 : CLI_STATUS_USAGE;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct run_watch watch;
    struct cli cli = cli_start(&program, argc, argv);
    setenv("HSA_GCN_PROFILE", "base", 0);
    for (int id; (id = cli_next(&cli)) != CLI_END;) {
        if (id == CLI_EXIT)
            return cli.status;
        if (id == CLI_OPERAND) {
            if (watch.observe.trace_file && !watch.observe.trace)
                watch.observe.trace = "all";
            return run_with_tree(argv + cli.index - 1, &watch);
        }
        int status = take_option(&watch, (enum run_program_option)id, cli.value);
        if (status)
            return status;
    }
    return cli_usage_error(&program, "no program to run");
}
