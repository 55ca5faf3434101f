/* SPDX-License-Identifier: MIT */
/* Names of addresses in loaded code: kernels, functions, lines of the source. */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

#include "hsa/hsam.h"

enum { PLACE_NAME = sizeof((hsam_place *)0)->function };

/* The line of a call that the compiler has put the function's body in the place of. */
struct place_call {
    char file[PLACE_NAME];
    uint32_t line;
};

/* Which calls led to the instruction at PC although it belongs to their caller's code: at most COUNT, the innermost
 * first. Returns how many there are. */
size_t place_calls(uint64_t pc, struct place_call *calls, size_t count);

/* Writes the name of the kernel that dispatch packets refer to as OBJECT to NAME, which has PLACE_NAME bytes. False:
 * there is no such kernel. */
bool place_kernel(uint64_t object, char *name);

/* hsa_generic_driver_interface.code_place, code_variable and kernel_known. */
bool service_code_place(uint64_t pc, hsam_place *place);
bool service_code_variable(uint64_t pc, const char *name, hsam_variable *variable);
bool service_kernel_known(uint64_t object, hsam_kernel *kernel);

#endif
