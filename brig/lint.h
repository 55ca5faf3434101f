/* SPDX-License-Identifier: MIT */
/* Warnings about legal modules that are probably not meant so: what is never used, never reached or never written.
 * Their rules have the severity LINT and are off unless asked for. */
#ifndef BRIG_LINT_H
#define BRIG_LINT_H

#include "brig/diag_rule.h"
#include "brig/module.h"

/* Looks at an opened module that brig_validate() accepts; findings go to DIAG, at places in hsa_code. Linear time.
 * Returns BRIG_OK, whatever was found, or BRIG_OUT_OF_MEMORY. */
enum brig_status brig_lint(const struct brig_view *view, struct diag_list *diag);

#endif
