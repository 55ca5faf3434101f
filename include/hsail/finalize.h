/* SPDX-License-Identifier: MIT */
/* Offline finalization: BRIG modules to a code object, without a runtime.
 *
 * The functions are in libhsa-ext-finalize64.so.1, the library that the HSA runtime loads for
 * hsa_ext_program_finalize(). Both may be called by several threads at once. */
#ifndef HSAIL_FINALIZE_H
#define HSAIL_FINALIZE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    HSAIL_FINALIZE_OK = 0,
    HSAIL_FINALIZE_INVALID_ARGUMENT,    /* a pointer is NULL, or there are no modules */
    HSAIL_FINALIZE_INVALID_MODULE,      /* the bytes are no valid BRIG */
    HSAIL_FINALIZE_INCOMPATIBLE_MODULE, /* machine model, profile or rounding differ from the first module's
                                         */
    HSAIL_FINALIZE_SYMBOL_MISMATCH,     /* the modules contradict each other about a symbol */
    HSAIL_FINALIZE_UNKNOWN_TARGET,
    HSAIL_FINALIZE_UNKNOWN_OPTION,
    HSAIL_FINALIZE_DIRECTIVE_MISMATCH, /* control directives contradict each other */
    HSAIL_FINALIZE_FAILED,             /* the code cannot be compiled */
    HSAIL_FINALIZE_OUT_OF_MEMORY
} hsail_finalize_status_t;

typedef struct hsail_finalize_module_s {
    const void *brig; /* aligned to 16 */
    size_t size;      /* bytes */
} hsail_finalize_module_t;

/* Links the COUNT modules and compiles all their kernels and functions.
 * TARGET is an instruction set name as the HSA runtime gives it, or a processor with features:
 * "amdgcn-amd-amdhsa--gfx900:xnack-", "gfx906:sramecc+". OPTIONS, which may be NULL, are words separated by
 * blanks: -O0, -O1, -O2, -O3, -dump-ir=FILE, -dump-isa=FILE, -dump-code=FILE.
 * On success *CODE_OBJECT and *SIZE are the code object, which hsail_finalize_free() releases; on failure
 * they are NULL and 0 and MESSAGE, of MESSAGE_SIZE bytes and possibly NULL, holds the reason, ended by a NUL.
 */
hsail_finalize_status_t hsail_finalize(const hsail_finalize_module_t *modules, size_t count, const char *target,
                                       const char *options, void **code_object, size_t *size, char *message,
                                       size_t message_size);

/* Releases a code object; NULL is ignored. */
void hsail_finalize_free(void *code_object);

#ifdef __cplusplus
}
#endif

#endif
