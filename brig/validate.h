/* SPDX-License-Identifier: MIT */
/* The semantic rules of HSAIL on a module in BRIG: what brig_open() does not need for reading to be safe, but a
 * module needs to be legal (PRM chapters 4-16). Text is checked the same way, after it was assembled. */
#ifndef BRIG_VALIDATE_H
#define BRIG_VALIDATE_H

#include "brig/diag_rule.h"
#include "brig/module.h"

/* Checks an opened module; findings go to DIAG, which may be NULL, at places in hsa_code. Linear time.
 * Returns BRIG_OK (warnings at most), BRIG_INVALID or BRIG_OUT_OF_MEMORY. */
enum brig_status brig_validate(const struct brig_view *view, struct diag_list *diag);

#endif
