/* SPDX-License-Identifier: MIT */
/* Tells whether two BRIG modules mean the same, whatever their bytes are. Tests of printing and of foreign modules use
 * it. */
#ifndef TESTSUITE_BRIG_EQUIVALENT_H
#define TESTSUITE_BRIG_EQUIVALENT_H

#include "brig/module.h"

/* Compares two opened modules, entry by entry of hsa_code. These make no difference:
 *  - where operands, strings and lists are, whether they are shared, and what nothing refers to,
 *  - pads, the bytes after the known fields of an entry, further sections, the hash, the minor version of BRIG,
 *  - an instruction's kind of entry where a shorter one has the same modifiers, and fields that text does not show,
 *  - rounding NONE for FLOAT_DEFAULT and the other way round, as far as the instruction says which it is,
 *  - a list of plain constants instead of their bytes,
 *  - the type of a constant operand whose instruction says how its bytes are read,
 *  - the upper half of the offset of a 32-bit address, and the linkage of a formal argument,
 *  - a comment's slashes, carriage returns at the end of its lines, and its lines in one entry or several,
 *  - annotations among formal arguments instead of after them.
 * References have to lead to entries that match each other; names, constants and all else have to be equal.
 * WHY gets up to SIZE bytes of text about the first difference; it may be NULL when SIZE is 0. */
bool brig_equivalent(const struct brig_view *one, const struct brig_view *two, char *why, size_t size);

#endif
