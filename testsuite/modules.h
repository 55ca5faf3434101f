/* SPDX-License-Identifier: MIT */
/* The valid modules of the suite, for tests that apply to any module. */
#ifndef TESTSUITE_MODULES_H
#define TESTSUITE_MODULES_H

#include "testsuite/kept.h"
#include "testsuite/tap.h"

#include <glob.h>
#include <stdio.h>

/* A file as text; empty when it cannot be read. */
static inline struct kept kept_file(const char *path)
{
    struct kept text = {0};
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        keep(&text, buffer, got);
    if (file)
        fclose(file);
    return text;
}

/* Calls TEST with each module: the path of its file, the name without folders, and its text. If a folder has no
 * modules, the test fails. */
static inline void for_each_module(void (*test)(const char *path, const char *name, struct kept text))
{
    static const char *const folders[] = {
        "testsuite/frontend/good", "testsuite/frontend/prm", "examples", "testsuite/brig/data"};
    const char *top = getenv("srcdir");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char pattern[4096];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s/*.hsail", top ? top : ".", folders[i]);
        if (!ok(glob(pattern, 0, NULL, &found) == 0, "%s has modules", folders[i]))
            continue;
        for (size_t j = 0; j < found.gl_pathc; j++) {
            struct kept text = kept_file(found.gl_pathv[j]);
            test(found.gl_pathv[j], strrchr(found.gl_pathv[j], '/') + 1, text);
            free(text.data);
        }
        globfree(&found);
    }
}

#endif
