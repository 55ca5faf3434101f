/* SPDX-License-Identifier: MIT */
/* Lines of the source, from the DWARF line table of a code object. */
#ifndef RUNTIME_LINES_H
#define RUNTIME_LINES_H

#include "runtime/code_object.h"

/* Finds the line of the instruction at ADDRESS of the file's address space, from the section .debug_line of OBJECT, in
 * version 2 to 5. Puts the file's name, cut to SIZE bytes, into FILE. False, and nothing changes: there is none. */
bool lines_find(const struct code_object *object, uint64_t address, char *file, size_t size, uint32_t *line);

/* Puts the name of file NUMBER of the table at OFFSET of .debug_line into FILE, or "". */
void lines_file(const struct code_object *object, uint64_t offset, uint64_t number, char *file, size_t size);

#endif
