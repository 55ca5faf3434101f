/* SPDX-License-Identifier: MIT */
/* What the metadata of a code object says of the arguments of a kernel. */
#ifndef SUPPORT_KERNEL_ARGUMENT_H
#define SUPPORT_KERNEL_ARGUMENT_H

#include "support/msgpack.h"

enum { NOTE_METADATA = 32 }; /* the type of the note of metadata, whose owner is "AMDGPU" */

/* Texts are empty, and numbers 0, where nothing is said. */
struct kernel_argument {
    struct bytes name, type, kind; /* NAME is without the % of HSAIL; KIND is the text of .value_kind */
    uint32_t offset, size;         /* bytes, in the kernarg segment */
};

/* Reads the next element of an array .args, whose head has been read. False if it is no map, or cut off. */
bool kernel_argument_next(struct msgpack_cursor *c, struct kernel_argument *argument);

/* Whether the compiler has added the argument. *REST becomes what follows "hidden_" in its kind. */
bool kernel_argument_is_hidden(const struct kernel_argument *argument, struct bytes *rest);

#endif
