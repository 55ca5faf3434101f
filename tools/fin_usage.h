/* SPDX-License-Identifier: MIT */
/* What the kernels of a code object need of a processor. */
#ifndef TOOLS_FIN_USAGE_H
#define TOOLS_FIN_USAGE_H

#include "support/bytes.h"
#include "support/textbuf.h"

/* Adds a line for each kernel in the metadata of the ELF file CODE: its name, registers, spilled registers, and bytes
 * of group and private memory. False when there is no metadata that can be read. */
bool usage_describe(struct bytes code, struct textbuf *text);

#endif
