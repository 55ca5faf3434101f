/* SPDX-License-Identifier: MIT */
/* Finds files that belong to a library.
 * Input: the path of the library that this code is part of, as the dynamic linker knows it. Output: the path of a part.
 * Invariant: an installation that was moved as a whole finds its own parts. */
#define _GNU_SOURCE
#include "support/companion.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool find_beside_library(const struct companion *companion, char path[COMPANION_PATH])
{
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)companion_find, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    int length = slash ? (int)(slash - info.dli_fname) : 1;
    for (size_t i = 0; i < sizeof companion->folders / sizeof companion->folders[0] && companion->folders[i]; i++) {
        int size = snprintf(path, COMPANION_PATH, "%.*s/%s/%s", length, slash ? info.dli_fname : ".",
                            companion->folders[i], companion->name);
        if (size < COMPANION_PATH && !access(path, companion->access))
            return true;
    }
    return false;
}

bool companion_find(const struct companion *companion, char path[COMPANION_PATH])
{
    if (find_beside_library(companion, path))
        return true;
    snprintf(path, COMPANION_PATH, "%s/%s", companion->configured, companion->name);
    return !access(path, companion->access);
}
