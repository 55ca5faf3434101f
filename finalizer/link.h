/* SPDX-License-Identifier: MIT */
/* Code-object linker: one AMDGPU relocatable object (ET_REL) becomes one loadable code object (ET_DYN).
 *
 * What it must know of the target is in link_reloc.def; everything else is ELF. All input is checked, so an
 * object that the code generator wrote wrongly is an error and not a wrong code object. */
#ifndef FINALIZER_LINK_H
#define FINALIZER_LINK_H

#include "finalizer/failure.h"
#include "support/bytes.h"

#include <stdbool.h>
#include <stddef.h>

struct link_result {
    void *image; /* the code object; mem_free() releases it; NULL on failure */
    size_t size; /* its bytes */
    struct failure failure;
};

/* Kernels, by the names of their descriptors, in the order in which the object defines them. */
struct link_kernels {
    const char *const *descriptors;
    size_t count;
};

/* Links OBJECT. Undefined global symbols are kept for the loader to bind. The descriptors of the kernels DYNAMIC say
 * that their private memory has no fixed size. Deterministic; thread safe. */
struct link_result link_code_object(struct bytes object, struct link_kernels dynamic);

#endif
