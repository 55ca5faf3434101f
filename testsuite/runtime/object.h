/* SPDX-License-Identifier: MIT */
/* The code object of object.s, which object.sh makes before it runs the tests that load it. */
#ifndef TESTSUITE_RUNTIME_OBJECT_H
#define TESTSUITE_RUNTIME_OBJECT_H

#include <stdio.h>
#include <stdlib.h>

/* Reads the file that TEST_OBJECT names; NULL if there is none. The caller frees it. */
__attribute__((unused)) static char *object_read(size_t *size)
{
    const char *path = getenv("TEST_OBJECT");
    FILE *file = path && *path ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    if (bytes && fread(bytes, 1, *size, file) != *size)
        *size = 0;
    fclose(file);
    return bytes;
}

#endif
