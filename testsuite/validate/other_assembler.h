/* SPDX-License-Identifier: MIT */
/* An assembler of HSAIL 1.0 that is not ours, as a second opinion. */
#ifndef TESTSUITE_VALIDATE_OTHER_ASSEMBLER_H
#define TESTSUITE_VALIDATE_OTHER_ASSEMBLER_H

#include "support/bytes.h"

/* Finds the assembler, and makes the directory that it works in; false if there is none. */
bool judge_open(void);

/* Whether it accepts TEXT; *OUT has the module that it makes, until the next call. */
bool judge_text(const char *text, struct bytes *out);

/* How many texts it was given. */
unsigned judge_count(void);

void judge_close(void);

/* Why its verdict on a statement does not count, with the place in the PRM; NULL when it counts. */
const char *judge_departs(const char *statement);

#endif
