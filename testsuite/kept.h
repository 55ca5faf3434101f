/* SPDX-License-Identifier: MIT */
/* A sink of hsail/hsail.h that keeps all of its output as one string. */
#ifndef TESTSUITE_KEPT_H
#define TESTSUITE_KEPT_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* To be set to zeros at first. DATA ends in a NUL as soon as something was kept; the owner frees it with free(). */
struct kept {
    char *data;
    size_t size;
};

/* USER is a struct kept. Ends the test when memory is out. */
static inline int keep(void *user, const void *data, size_t size)
{
    struct kept *kept = user;
    kept->data = realloc(kept->data, kept->size + size + 1);
    if (!kept->data)
        exit(99);
    memcpy(kept->data + kept->size, data, size);
    kept->size += size;
    kept->data[kept->size] = '\0';
    return 0;
}

#endif
