/* SPDX-License-Identifier: MIT */
/* Reports of the runtime about the kernel that hsailrun runs: faults, and what checkers find. */
#ifndef TOOLS_RUN_REPORT_H
#define TOOLS_RUN_REPORT_H

#include "support/cli.h"
#include "tools/run_argument.h"
#include "tools/run_kernel.h"

/* Asks the environment for what reports need: memory between guards, and a FILE for JSON, or NULL. Before the runtime
 * is started. */
void run_report_ask(const char *file);

/* Has reports printed as errors of PROGRAM. Without the extension of this runtime nothing happens. */
void run_report_open(const struct cli_program *program);

/* Tells the runtime what the buffers among COUNT arguments are called. */
void run_report_name(const struct run_kernel *kernel, const struct run_argument *arguments, size_t count);

/* Whether a fault was reported; how many findings there were. */
bool run_report_fault(void);
size_t run_report_findings(void);

#endif
