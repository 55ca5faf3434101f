/* SPDX-License-Identifier: MIT */
/* Variables of the source, and calls that were inlined, from the DWARF entries of a code object. */
#ifndef RUNTIME_VARIABLES_H
#define RUNTIME_VARIABLES_H

#include "runtime/code_object.h"
#include "runtime/place.h"

/* Finds the variable NAME of the function that the instruction at ADDRESS of the file's address space belongs to, or a
 * global one. LOADED is how far the address space of the process is from that. The debug information of OBJECT may hold
 * anything. False: there is none of that name. */
bool variables_find(const struct code_object *object, uint64_t loaded, uint64_t address, const char *name,
                    hsam_variable *variable);

/* Writes the names that variables_find() knows there; see service_code_variables(). */
size_t variables_list(const struct code_object *object, uint64_t address, char *names, size_t size);

/* See service_code_calls(). */
size_t calls_find(const struct code_object *object, uint64_t address, hsam_call *calls, size_t count);

#endif
