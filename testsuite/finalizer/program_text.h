/* SPDX-License-Identifier: MIT */
/* Texts of small programs, for the tests that finalize them, and their assembly. */
#ifndef TESTSUITE_FINALIZER_PROGRAM_TEXT_H
#define TESTSUITE_FINALIZER_PROGRAM_TEXT_H

#include "hsail/hsail.h"

#include <string.h>

/* Assembles TEXT; NULL if it does not assemble. */
static inline hsail_module_t *assemble(hsail_context_t *context, const char *text)
{
    hsail_module_t *module = NULL;
    return hsail_assemble(context, "test.hsail", text, strlen(text), 0, &module) == HSAIL_STATUS_OK ? module : NULL;
}

#define HEAD(name) "module &" name ":1:0:$full:$large:$default;\n"
#define KERNEL                                                                                               \
    HEAD("mk")                                                                                               \
    "decl prog function &f(arg_u32 %r)(arg_u32 %a);\nprog kernel &k(kernarg_u64 %p) {\n"                     \
    "{ arg_u32 %r; arg_u32 %a; st_arg_u32 7, [%a]; call &f(%r)(%a); ld_arg_u32 $s0, [%r]; }\n"               \
    "ld_kernarg_u64 $d0, [%p]; st_global_u32 $s0, [$d0];\n};\n"
#define FUNCTION                                                                                             \
    HEAD("mf")                                                                                               \
    "prog function &f(arg_u32 %r)(arg_u32 %a) {\nld_arg_u32 $s0, [%a];\n"                                    \
    "mul_u32 $s0, $s0, 3;\nst_arg_u32 $s0, [%r];\n};\n"

/* A kernel with the control directives KERNEL, and a function that it calls with those of CALLEE. */
#define CALLER(callee, kernel)                                                                               \
    HEAD("c") "function &f()() {\n" callee "\n};\nprog kernel &k() {\n" kernel "\n{ call &f()(); }\n};\n"

#endif
