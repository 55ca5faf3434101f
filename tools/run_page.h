/* SPDX-License-Identifier: MIT */
/* The page that hsailrun --report makes of what the runtime counted and reported. */
#ifndef TOOLS_RUN_PAGE_H
#define TOOLS_RUN_PAGE_H

#include "tools/run_observe.h"

/* Makes the runtime write counts to a file that run_page_end() reads: the one that OBSERVE names, or a temporary one.
 * To be called before run_observe_ask(). If something is wrong, prints what and returns false. */
bool run_page_begin(const struct cli_program *program, struct run_observe *observe);

/* Writes the page FILE with the texts of those of the COUNT files NAMES that are HSAIL, and of the sources that their
 * line numbers refer to. */
bool run_page_end(const struct cli_program *program, const char *file, const char *const *names, size_t count);

#endif
