/* SPDX-License-Identifier: MIT */
/* What hsailrun and hsa-run ask the software GPU to observe of kernels; the runtime does it, as the environment says.
 */
#ifndef TOOLS_RUN_OBSERVE_H
#define TOOLS_RUN_OBSERVE_H

#include "support/cli.h"

/* Files that the runtime writes, "-" for text on standard error; NULL for nothing. */
struct run_observe {
    const char *count, *registers;
    const char *trace, *trace_file; /* a filter, and where the trace goes */
    const char *breakpoints;        /* of the command line */
    bool json;                      /* the prompt answers in JSON */
};

/* Whether TEXT is a list of checkers; else a message has been printed. */
bool run_observe_are_checkers(const struct cli_program *program, const char *text);

/* Whether TEXT is a filter of traces; else a message has been printed. */
bool run_observe_is_filter(const struct cli_program *program, const char *text);

/* The value of an option whose FILE may be left out. */
const char *run_observe_file(const char *file);

/* Sets the environment variables for what OBSERVE asks about a kernel of FILE, which is NULL if there is no text in
 * which labels could be looked up. To be called before the runtime is started. If a file cannot be written, prints that
 * and returns false. */
bool run_observe_ask(const struct cli_program *program, const struct run_observe *observe, const char *file);

#endif
