/* SPDX-License-Identifier: MIT */
/* Kernel arguments as written on hsailrun's command line.
 *
 *     u32:7  f32:-0.5  b64:0xff        a scalar
 *     f32[1024]                        a buffer of zeros; the kernel gets its address
 *     f32[1024]:iota  f32[1024]:iota=5 0, 1, 2 ... or 5, 6, 7 ...
 *     f32[1024]:random=42              from this seed: any integer, a float at least 0 and below 1
 *     u32[4]:1,2,3,4   u32[4]:9        listed, or one value throughout
 *     u8[]:@file       u8[64]:@file    a file's bytes; `[]` takes its size
 *
 * and as run_object.h says. An image is a buffer, too: that of its texels. */
#ifndef TOOLS_RUN_ARGUMENT_H
#define TOOLS_RUN_ARGUMENT_H

#include "support/cli.h"
#include "tools/run_object.h"
#include "tools/run_signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_type; /* a row of run_type.def */

struct run_argument {
    const char *text; /* as written */
    const struct run_type *type;
    bool is_buffer;           /* or an image */
    struct run_object object; /* of no kind when it is a scalar or a buffer */
    uint64_t scalar;          /* the bytes of a scalar, from the lowest on */
    uint64_t count;           /* elements of a buffer */
    size_t size;              /* bytes of the buffer */
    void *data;               /* the buffer, from run_memory; NULL when it has no bytes or is a scalar */
    bool print;               /* all elements are to be printed */
};

/* Reads TEXT without making a buffer's contents: checks its form only. Prints what is wrong and returns false. */
bool run_argument_parse(const struct cli_program *program, const char *text, struct run_argument *argument);

/* Makes a buffer and fills it. Prints what went wrong and returns false. */
bool run_argument_fill(const struct cli_program *program, struct run_argument *argument,
                       const struct run_memory *memory);

/* Whether the argument can stand for the formal one, or for an element of it. */
bool run_argument_fits(const struct run_argument *argument, const struct run_formal *formal);

/* What it is in a message: "a buffer", or the type of a scalar or an object. */
const char *run_argument_kind(const struct run_argument *argument);

/* Bytes that the argument takes in the kernarg segment, which are also its alignment there. */
size_t run_argument_bytes(const struct run_argument *argument);

/* Stores the argument's bytes at TO. */
void run_argument_store(const struct run_argument *argument, void *to);

/* Prints a buffer: its first elements on one line, or each on a line when `print` is set; and of a signal the value.
 * INDEX counts from 1. */
void run_argument_show(const struct run_argument *argument, size_t index);

#endif
