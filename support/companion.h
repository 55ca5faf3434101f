/* SPDX-License-Identifier: MIT */
/* Finds files that are installed with a library: the programs that it starts as workers, the modules that it loads. */
#ifndef SUPPORT_COMPANION_H
#define SUPPORT_COMPANION_H

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
