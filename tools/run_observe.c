/* SPDX-License-Identifier: MIT */
/* What hsailrun and hsa-run ask the software GPU to observe; see run_observe.h.
 * Input: values of options. Output: variables of the environment.
 * Invariant: a file that cannot be written is refused before anything runs. */
#include "tools/run_observe.h"

#include "support/trace_filter.h"
#include "tools/run_break.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *run_observe_file(const char *file)
{
    return file && *file ? file : "-";
}

static bool is_checker(const char *word, size_t length)
{
    static const char *const names[] = {
#define CHECK(name, word) word,
#include "support/checker.def"
#undef CHECK
        "all",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], word, length))
            return true;
    return false;
}

bool run_observe_are_checkers(const struct cli_program *program, const char *text)
{
    if (!*text)
        return cli_usage_error(program, "--check needs names of checkers"), false;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        if (!is_checker(at, length))
            return cli_usage_error(program, "there is no checker %.*s", (int)length, at), false;
        at += length + (at[length] == ',');
    }
    return true;
}

bool run_observe_is_filter(const struct cli_program *program, const char *text)
{
    struct trace_filter filter;
    const char *wrong;
    if (trace_filter_parse(text, &filter, &wrong))
        return true;
    cli_usage_error(program,
                    "--trace needs `all`, or kernel=NAME, group=XxYxZ, wave=N-N, pc=N-N, line=N-N, kind=WORD+WORD, "
                    "separated by commas, not %s",
                    *wrong ? wrong : text);
    return false;
}

static bool ask_observer(const struct cli_program *program, const char *variable, const char *file)
{
    if (!file)
        return true;
    FILE *opened = strcmp(file, "-") != 0 ? fopen(file, "a") : NULL;
    if (!opened && strcmp(file, "-") != 0) {
        cli_error(program, "%s: %s", file, strerror(errno));
        return false;
    }
    if (opened)
        fclose(opened);
    setenv(variable, file, 1);
    return true;
}

static bool ask_breakpoints(const struct cli_program *program, const char *places, const char *file)
{
    struct textbuf text = {0};
    bool succeeded = run_break_places(program, places, file, &text);
    if (succeeded)
        setenv("HSA_GCN_BREAK", text.data, 1);
    textbuf_free(&text);
    return succeeded;
}

bool run_observe_ask(const struct cli_program *program, const struct run_observe *observe, const char *file)
{
    if (observe->breakpoints && !ask_breakpoints(program, observe->breakpoints, file))
        return false;
    if (observe->json)
        setenv("HSA_MESSAGES_JSON", "1", 1);
    if (observe->trace)
        setenv("HSA_GCN_TRACE", observe->trace, 1);
    return ask_observer(program, "HSA_GCN_COUNT", observe->count) &&
           ask_observer(program, "HSA_GCN_REGISTERS", observe->registers) &&
           ask_observer(program, "HSA_GCN_TRACE_FILE", observe->trace_file);
}
