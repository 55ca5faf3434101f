/* SPDX-License-Identifier: MIT */
/* Variables of the source, from the DWARF entries of a code object. */
#ifndef RUNTIME_VARIABLES_H
#define RUNTIME_VARIABLES_H

#include "hsa/hsam.h"
#include "runtime/code_object.h"

/* Finds the variable NAME of the function that the instruction at ADDRESS of the file's address space belongs to. The
 * debug information of OBJECT may hold anything. False: there is none of that name. */
bool variables_find(const struct code_object *object, uint64_t address, const char *name, hsam_variable *variable);

#endif
