/* SPDX-License-Identifier: MIT */
/* Code-object linker: one AMDGPU relocatable object (ET_REL) becomes one loadable code object (ET_DYN).
 *
 * What it must know of the target is in link_reloc.def; everything else is ELF. It checks all input, so that an object
 * that the code generator wrote wrongly leads to an error and not to a wrong code object. */
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

struct link_kernel {
    const char *descriptor; /* its name */
    bool is_dynamic;        /* its private memory has no fixed size */
    unsigned exceptions;    /* those that halt it, as the machine numbers them */
};

/* The kernels in the order in which the object defines them. */
struct link_kernels {
    const struct link_kernel *items;
    size_t count;
    bool count_sgprs; /* descriptors of this processor have a number of scalar registers */
};

/* Corrects what the code generator puts into the descriptors of KERNELS, in an object of SIZE bytes that is not linked
 * yet. False, with the reason in FAILURE, if it is none. */
bool link_correct(uint8_t *object, size_t size, struct link_kernels kernels, struct failure *failure);

/* Makes one object of several. What one of them defines, unless it is local, is what the others mean by its name. IMAGE
 * of the result is not linked yet. */
struct link_result link_join(const struct bytes *objects, size_t count);

/* Links OBJECT, and corrects what the code generator puts into the descriptors of KERNELS. Undefined global symbols
 * stay in the code object, for the loader to bind. The same input always gives the same bytes. Thread safe. */
struct link_result link_code_object(struct bytes object, struct link_kernels kernels);

#endif
