/* SPDX-License-Identifier: MIT */
/* Reports of what kernels do wrong, as texts for people and as JSON. */
#ifndef RUNTIME_REPORT_H
#define RUNTIME_REPORT_H

#include "runtime/agent.h"

/* hsa_generic_driver_interface.report. */
void service_report(const hsam_report *report, char *text, size_t size);

/* The extension HSA_EXTENSION_HSAIL_REPORT: a hsa_ven_hsail_report_1_01_pfn_t. */
bool report_usable(void);
bool report_of_agent(const struct agent *agent);
const void *report_table(void);

/* Whether the client gets the reports, through the extension. */
bool report_is_handled(void);

/* The thread has told the client of its fault, which hsa_ven_hsail_report_current() no longer finds. */
void report_forget(void);

/* Forgets the handler, and closes what reports are written to. */
void reports_shut_down(void);

#endif
