/* SPDX-License-Identifier: MIT */
/* Checks the semantic rules of HSAIL on a module in BRIG: those that a module must obey to be legal, although
 * brig_open() does not need them to make reading safe (PRM chapters 4-16). Text is checked in the same way, after it
 * has been assembled. */
#ifndef BRIG_VALIDATE_H
#define BRIG_VALIDATE_H

#include "brig/diag_rule.h"
#include "brig/module.h"

/* Checks an opened module; findings go to DIAG, which may be NULL, at places in hsa_code. Linear time.
 * Returns BRIG_OK (warnings at most), BRIG_INVALID or BRIG_OUT_OF_MEMORY. */
enum brig_status brig_validate(const struct brig_view *view, struct diag_list *diag);

#endif
