/* SPDX-License-Identifier: MIT */
/* Finds the files of those parts of the finalizer that need LLVM: the worker, and the compiler for processes without
 * one. */
#ifndef FINALIZER_COMPANION_H
#define FINALIZER_COMPANION_H

#include <stdbool.h>
#include <stddef.h>

enum { COMPANION_PATH = 4096 };

/* A part, and the places where it may be. */
struct companion {
    const char *name;
    const char *folders[4]; /* relative to the folder of the library, in this order; NULL ends them early */
    const char *configured; /* the folder that was configured, tried last */
    int access;             /* for access(): what the file must permit */
};

/* Puts the path of the part into PATH; false if it is in none of its places. */
bool companion_find(const struct companion *companion, char path[COMPANION_PATH]);

#endif
