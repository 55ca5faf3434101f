/* SPDX-License-Identifier: MIT */
/* open_tool FILE...: opens each BRIG file and prints the findings. Its exit status is 0 if there was no error. */
#include "brig/diag_rule.h"
#include "brig/module.h"
#include "support/alloc.h"

#include <stdio.h>

static bool open_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    size_t capacity = (size_t)1 << 24;
    uint8_t *bytes = mem_alloc(capacity);
    size_t size = fread(bytes, 1, capacity, file);
    fclose(file);
    struct diag_list list = {.limit = 20};
    struct textbuf text = {0};
    struct brig_view view;
    enum brig_status status = brig_open(bytes, size, &list, &view);
    diag_sort(&list);
    for (size_t i = 0; i < list.items.count; i++)
        diag_text(&text, &list.items.items[i], name, NULL, false);
    if (text.data)
        fputs(text.data, stdout);
    textbuf_free(&text);
    diag_list_free(&list);
    mem_free(bytes);
    return status == BRIG_OK;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = 1; i < argc; i++)
        good &= open_file(argv[i]);
    return !good;
}
