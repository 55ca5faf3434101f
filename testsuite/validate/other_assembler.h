/* SPDX-License-Identifier: MIT */
/* An assembler of HSAIL 1.0 that is not ours, as second opinion. */
#ifndef TESTSUITE_VALIDATE_OTHER_ASSEMBLER_H
#define TESTSUITE_VALIDATE_OTHER_ASSEMBLER_H

#include "support/bytes.h"

/* Finds the assembler, and makes the directory it works in. False, and one skipped line of output, without it. */
bool judge_open(void);

/* Whether it accepts TEXT; what it makes of it is in *OUT until the next call. */
bool judge_text(const char *text, struct bytes *out);

/* How many texts it was asked about. */
unsigned judge_count(void);

void judge_close(void);

/* Why its verdict on a statement does not count, with the place in the PRM; NULL when it counts. */
const char *judge_departs(const char *statement);

#endif
