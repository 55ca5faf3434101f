/* SPDX-License-Identifier: MIT */
/* Names of kernels and functions as people write them, where compilers of C++ have encoded them. */
#ifndef RUNTIME_DEMANGLE_H
#define RUNTIME_DEMANGLE_H

#include <stddef.h>

enum { DEMANGLED_NAME = 256 };

/* Writes NAME to TO: "app::fill<int>" for one of C++, without arguments and result; others as they are. A name that
 * does not fit, or that nothing in the process can decode, stays as it is, too. Returns TO. */
const char *demangle(const char *name, char to[DEMANGLED_NAME]);

#endif
