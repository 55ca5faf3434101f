/* SPDX-License-Identifier: MIT */
/* finalize_tool TARGET OPTIONS OUTPUT MODULE...: offline finalization as a command, for tests.
 * Its exit status is 0 when it is done, 1 when a module is refused (the reason is on standard error), 2 for wrong
 * usage. */
#include "hsail/finalize.h"
#include "testsuite/finding.h"

#include <stdio.h>
#include <stdlib.h>

static void *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    long length = -1;
    if (f && !fseek(f, 0, SEEK_END))
        length = ftell(f);
    void *data = length >= 0 ? aligned_alloc(16, ((size_t)length + 31) & ~(size_t)15) : NULL;
    if (data) {
        rewind(f);
        *size = fread(data, 1, (size_t)length, f);
    }
    if (f)
        fclose(f);
    return data;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    size_t count = (size_t)argc - 4, size;
    hsail_finalize_module_t *modules = calloc(count, sizeof *modules);
    void *code = NULL;
    struct finding finding = {0};
    for (size_t i = 0; modules && i < count; i++)
        modules[i].brig = read_all(argv[i + 4], &modules[i].size);
    int status = hsail_finalize(modules, count, argv[1], argv[2], keep_finding, &finding, &code, &size);
    if (status)
        fprintf(stderr, "finalize_tool: status %d: %s\n", status, finding.message);
    FILE *f = status ? NULL : fopen(argv[3], "wb");
    if (f) {
        fwrite(code, 1, size, f);
        fclose(f);
    }
    hsail_finalize_free(code);
    for (size_t i = 0; modules && i < count; i++)
        free((void *)modules[i].brig);
    free(modules);
    return status != 0;
}
