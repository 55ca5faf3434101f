/* SPDX-License-Identifier: MIT */
/* Makes a copy of a module by calls of the builder. */
#ifndef TESTSUITE_FRONTEND_TRANSCRIBE_H
#define TESTSUITE_FRONTEND_TRANSCRIBE_H

#include "brig/module.h"
#include "hsail/builder.h"

struct transcribe_options {
    unsigned is_virtual;        /* registers whose number modulo 16 is less than this become virtual ones; 16: all */
    unsigned control, weighted; /* limits for the numbers of registers; 0: none */
    bool is_shuffled;           /* blocks are made in any order */
    uint64_t seed;              /* for the order of blocks */
    unsigned flags;             /* for hsail_builder_finish() */
};

/* Makes the module of VIEW again, whose text is PRINTED. */
hsail_status_t transcribe(hsail_context_t *context, const char *name, const struct brig_view *view, const char *printed,
                          const struct transcribe_options *options, hsail_module_t **module);

#endif
