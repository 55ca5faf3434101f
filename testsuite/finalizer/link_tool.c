/* SPDX-License-Identifier: MIT */
/* link_tool INPUT OUTPUT: the linker of code objects as a command, so that tests can compare it with ld.lld.
 * Its exit status is 0 when it has linked, 1 when INPUT is refused (the reason is on standard error), 2 for wrong
 * usage. */
#include "finalizer/link.h"
#include "support/alloc.h"

#include <stdio.h>

static struct bytes read_all(const char *path)
{
    struct bytes result = {NULL, 0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return result;
    if (!fseek(f, 0, SEEK_END)) {
        long size = ftell(f);
        rewind(f);
        uint8_t *data = size > 0 ? mem_alloc((size_t)size) : NULL;
        if (data && fread(data, 1, (size_t)size, f) == (size_t)size)
            result = (struct bytes){data, (size_t)size};
        else
            mem_free(data);
    }
    fclose(f);
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct bytes object = read_all(argv[1]);
    struct link_result linked = link_code_object(object, (struct link_kernels){0});
    mem_free((void *)object.data);
    if (!linked.image) {
        fprintf(stderr, "link_tool: %s\n", linked.failure.text);
        return 1;
    }
    FILE *f = fopen(argv[2], "wb");
    bool done = f && fwrite(linked.image, 1, linked.size, f) == linked.size;
    if (f && fclose(f))
        done = false;
    mem_free(linked.image);
    return done ? 0 : 1;
}
