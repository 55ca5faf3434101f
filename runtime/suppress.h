/* SPDX-License-Identifier: MIT */
/* Findings that nobody wants to see: the file that HSA_GCN_SUPPRESSIONS names tells which. doc/CHECKING.md has its
 * form. */
#ifndef RUNTIME_SUPPRESS_H
#define RUNTIME_SUPPRESS_H

#include "runtime/place.h"

/* Whether the finding ID of KERNEL at the COUNT places is to be suppressed; then it is counted. */
bool suppress_finding(const char *id, const char *kernel, const hsam_place *places, size_t count);

/* Prints how many were suppressed, and forgets everything. */
void suppressions_shut_down(void);

#endif
