/* SPDX-License-Identifier: MIT */
/* Finds the words of a statement that a finding about an entry of hsa_code refers to. */
#ifndef FRONTEND_LOCATE_H
#define FRONTEND_LOCATE_H

#include "brig/diag_rule.h"
#include "brig/module.h"
#include "frontend/asm_p.h"

/* The range of PART in the statement of ENTRY, which begins at BEGIN (blanks and comments may come first) of the SIZE
 * bytes at TEXT; TEXT[SIZE] must be readable and 0. What cannot be found gives the name or mnemonic instead. The
 * statement is read anew, so that assembling need not keep more than where statements begin. */
struct span locate_part(const char *text, size_t size, uint32_t begin, const hsa_brig_base_t *entry,
                        struct diag_part part);

#endif
