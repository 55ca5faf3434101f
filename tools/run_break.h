/* SPDX-License-Identifier: MIT */
/* Breakpoints of hsailrun: those of the runtime, and labels of HSAIL text. */
#ifndef TOOLS_RUN_BREAK_H
#define TOOLS_RUN_BREAK_H

#include "support/cli.h"
#include "support/textbuf.h"

/* Whether PLACES, separated by commas, are places or labels; else a message has been printed. */
bool run_break_is_list(const struct cli_program *program, const char *places);

/* Writes PLACES, separated by commas, to OUT as the runtime takes them: a label (`@loop`) becomes the line of the
 * statement after it in FILE. Prints which label is not there and returns false. PLACES have
 * passed run_break_is_list(). */
bool run_break_places(const struct cli_program *program, const char *places, const char *file, struct textbuf *out);

#endif
