/* SPDX-License-Identifier: MIT */
/* The module that compiles in the process of the caller, where no worker can be started (compiler_load.c loads it).
 * Input, output, invariant: those of program_compile.c. */
#include "config.h"

#include "finalizer/compiler.h"
#include "finalizer/export.h"

FINALIZER_EXPORT extern const struct compiler hsail_compiler;

const struct compiler hsail_compiler = {WORKER_HELLO, program_compile};
