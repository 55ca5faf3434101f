/* SPDX-License-Identifier: MIT */
/* The compiler, the only part that needs LLVM. It is in the worker, and in a module that is loaded if no worker can be
 * started. */
#ifndef FINALIZER_COMPILER_H
#define FINALIZER_COMPILER_H

#include "finalizer/program.h"
#include "finalizer/worker.h"

typedef hsa_status_t compile_function(const struct program *program, const struct target *target,
                                      const struct control_set *control, const struct finalize_options *options,
                                      struct finalize_result *result);

/* Compiles the program for TARGET in this process. Several threads may do so at once. */
compile_function program_compile;

/* The same with the compiler of the module, which the first call loads. */
compile_function program_compile_here;

/* What the module exports as "hsail_compiler". */
struct compiler {
    struct worker_hello build; /* tells whether module and caller come from the same build */
    compile_function *compile;
};

#endif
