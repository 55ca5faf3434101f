/* SPDX-License-Identifier: MIT */
/* LLVM's disassembler as a second opinion on machine code. */
#ifndef TESTSUITE_GCN_DECODE_ORACLE_H
#define TESTSUITE_GCN_DECODE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_TEXT = 256 };

/* Prepares the disassembler for CPU. False, with the reason in WHY, if our printer does not follow the text of this
 * version of LLVM. */
bool oracle_open(const char *cpu, const char **why);
void oracle_close(void);

/* Disassembles BYTES into TEXT without leading blanks and trailing comments. Returns the size, or 0 if LLVM
 * refuses the bytes or complains about them in the text. */
size_t oracle_disassemble(const uint8_t *bytes, size_t size, char *text);

#endif
