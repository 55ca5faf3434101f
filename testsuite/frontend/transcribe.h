/* SPDX-License-Identifier: MIT */
/* Makes a module again by calls of the builder. */
#ifndef TESTSUITE_FRONTEND_TRANSCRIBE_H
#define TESTSUITE_FRONTEND_TRANSCRIBE_H

#include "brig/module.h"
#include "hsail/builder.h"

struct transcribe_options {
    unsigned is_virtual;        /* registers whose number modulo 16 is less become virtual ones; 16: all */
    unsigned control, weighted; /* limits of registers; 0: none */
    bool is_shuffled;           /* blocks are made in any order */
    uint64_t seed;              /* of that */
    unsigned flags;             /* of hsail_builder_finish() */
};

/* Makes the module of VIEW, PRINTED as text, again. */
hsail_status_t transcribe(hsail_context_t *context, const char *name, const struct brig_view *view, const char *printed,
                          const struct transcribe_options *options, hsail_module_t **module);

#endif
