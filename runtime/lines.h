/* SPDX-License-Identifier: MIT */
/* Lines of the source, from the DWARF line table of a code object. */
#ifndef RUNTIME_LINES_H
#define RUNTIME_LINES_H

#include "support/bytes.h"

/* Finds the line of the instruction at ADDRESS of the file's address space, from the section .debug_line of the ELF
 * file IMAGE, which may hold anything, in version 4 or 5. Puts the file's name, cut to SIZE bytes, into FILE. False,
 * and nothing changes: there is none. */
bool lines_find(struct bytes image, uint64_t address, char *file, size_t size, uint32_t *line);

#endif
