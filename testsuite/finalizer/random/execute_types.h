/* SPDX-License-Identifier: MIT */
/* Which opcodes have been executed with which of their types. */
#ifndef TESTSUITE_FINALIZER_RANDOM_EXECUTE_TYPES_H
#define TESTSUITE_FINALIZER_RANDOM_EXECUTE_TYPES_H

#include <stdbool.h>

/* Notes the combination of the mnemonic's opcode and types. Returns true if nothing with this combination has been
 * tried yet, and not too often before. */
bool types_are_new(const char *mnemonic);

void types_try(const char *mnemonic);   /* the mnemonic is about to be executed */
void types_right(const char *mnemonic); /* it was, with the right results */

/* Prints what was never right, unless another test executes the opcode (rows.def), and returns how many there are; in
 * *COUNT, how many combinations of opcodes and types this program executes, and in *OTHERS, how many other tests do. */
unsigned types_missing(unsigned *count, unsigned *others);

#endif
