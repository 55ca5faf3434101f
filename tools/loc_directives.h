/* SPDX-License-Identifier: MIT */
/* Lines of HSAIL text for the debugger. */
#ifndef TOOLS_LOC_DIRECTIVES_H
#define TOOLS_LOC_DIRECTIVES_H

#include "support/textbuf.h"

/* Copies HSAIL text that assembles to OUT, with a loc directive of the file NAME before the first statement of each
 * line in a body. False, and OUT is to be dropped: the text has loc directives of its own. */
bool lines_add(const char *name, const void *text, size_t size, struct textbuf *out);

#endif
