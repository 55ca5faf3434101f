/* SPDX-License-Identifier: MIT */
/* Reports of the runtime about the kernel that hsailrun runs: faults, and what checkers find. */
#ifndef TOOLS_RUN_REPORT_H
#define TOOLS_RUN_REPORT_H

#include "support/cli.h"
#include "support/textbuf.h"
#include "tools/run_argument.h"
#include "tools/run_kernel.h"

/* Sets the environment variables that reports need: memory between guards, a FILE for JSON, CHECKS, a file of
 * SUPPRESSIONS; each may be NULL. To be called before the runtime is started. */
void run_report_ask(const char *file, const char *checks, const char *suppressions);

/* Whether the environment asks for the checker called WORD. */
bool run_report_checks(const char *word);

/* Has reports printed as errors of PROGRAM. Without the extension of this runtime nothing happens. */
void run_report_open(const struct cli_program *program);

/* The first keeps the JSON of reports, a line for each. The second returns what was kept, at the end of all reports;
 * empty unless it was to be kept. */
void run_report_keep(void);
const struct textbuf *run_report_json(void);

/* Tells the runtime what the buffers among COUNT arguments are called. */
void run_report_name(const struct run_kernel *kernel, const struct run_argument *arguments, size_t count);

/* Whether a fault was reported. */
bool run_report_fault(void);

/* If there were findings, prints how many and returns false. */
bool run_report_summary(void);

#endif
