/* SPDX-License-Identifier: MIT */
/* What hsa-run has the software GPUs look for in the kernels of a program, and what it makes of that in the end. */
#ifndef TOOLS_HSA_RUN_WATCH_H
#define TOOLS_HSA_RUN_WATCH_H

#include "tools/run_observe.h"

#include <limits.h>

struct run_watch {
    /* as the command line says */
    struct run_observe observe;
    const char *check, *suppressions, *report_json, *page;
    /* the files of JSON, if there are any, and their sizes before the program ran */
    char counts[PATH_MAX], reports[PATH_MAX];
    size_t counts_before, reports_before;
    char registers[PATH_MAX], trace[PATH_MAX];
};

/* Sets the environment of the program; files that are needed only until run_watch_end() go to the folder TEMPORARY.
 * False after a message. */
bool run_watch_begin(const struct cli_program *program, struct run_watch *watch, const char *temporary);

/* Makes the page, and says how much was found in COMMAND, which ended with STATUS. Returns the status to end with: it
 * is CLI_STATUS_DIAGNOSED instead of CLI_STATUS_DONE when checkers have found something or the page cannot be made. */
int run_watch_end(const struct cli_program *program, const struct run_watch *watch, const char *command, int status);

#endif
