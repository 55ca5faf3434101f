/* SPDX-License-Identifier: MIT */
/* link_tool INPUT... OUTPUT: the linker of code objects as a command, so that tests can compare it with ld.lld. Several
 * objects are joined first. Its exit status is 0 when it has linked, 1 when an INPUT is refused (the reason is on
 * standard error), 2 for wrong usage. */
#include "finalizer/link.h"
#include "support/alloc.h"

#include <stdio.h>

enum { MOST = 8 };

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

/* The object that COUNT files make together. */
static struct link_result join(char **paths, int count)
{
    struct bytes objects[MOST];
    for (int i = 0; i < count; i++)
        objects[i] = read_all(paths[i]);
    struct link_result joined = {.image = (void *)(uintptr_t)objects[0].data, .size = objects[0].size};
    if (count == 1)
        return joined;
    joined = link_join(objects, (size_t)count);
    for (int i = 0; i < count; i++)
        mem_free((void *)(uintptr_t)objects[i].data);
    return joined;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > MOST + 2)
        return 2;
    struct link_result joined = join(argv + 1, argc - 2), linked = joined;
    if (!joined.failure.message) {
        linked = link_code_object((struct bytes){joined.image, joined.size}, (struct link_kernels){0});
        mem_free(joined.image);
    }
    if (!linked.image) {
        fprintf(stderr, "link_tool: %s\n", linked.failure.text);
        return 1;
    }
    FILE *f = fopen(argv[argc - 1], "wb");
    bool done = f && fwrite(linked.image, 1, linked.size, f) == linked.size;
    if (f && fclose(f))
        done = false;
    mem_free(linked.image);
    return done ? 0 : 1;
}
