/* SPDX-License-Identifier: MIT */
/* Names of addresses in loaded code: kernels, functions, lines of the source. */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

#include "hsa/hsam.h"

enum { PLACE_NAME = sizeof((hsam_place *)0)->function };

/* Writes the name of the kernel that dispatch packets refer to as OBJECT to NAME, which has PLACE_NAME bytes. False:
 * there is no such kernel. */
bool place_kernel(uint64_t object, char *name);

/* hsa_generic_driver_interface.code_place, code_variable, code_variables, code_calls, kernel_known and
 * kernel_arguments. */
bool service_code_place(uint64_t pc, hsam_place *place);
bool service_code_variable(uint64_t pc, const char *name, hsam_variable *variable);
size_t service_code_variables(uint64_t pc, char *names, size_t size);
size_t service_code_calls(uint64_t pc, hsam_call *calls, size_t count);
bool service_kernel_known(uint64_t object, hsam_kernel *kernel);
size_t service_kernel_arguments(uint64_t object, hsam_argument *arguments, size_t count);

#endif
