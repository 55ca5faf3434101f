/* SPDX-License-Identifier: MIT */
/* The reader of variables, on damaged copies of code objects: it must neither read beyond the end nor work without end.
 *
 *     variables_test FILE NAME...    looks for the variables in FILE as it is, and in damaged copies of it */
#include "runtime/code_object.h"
#include "runtime/variables.h"
#include "testsuite/tap.h"
#include "testsuite/tools/damage.h"

#include <unistd.h>

enum { DAMAGED = 3000, MOST_SECONDS = 120, STEPS = 40 };

/* How many of the names are found at addresses from 4 KiB on, where the finalizer puts code. The file is looked at in
 * memory that ends where it does. */
static size_t search(const uint8_t *data, size_t size, int count, char **names)
{
    size_t found = 0;
    uint8_t *copy = malloc(size ? size : 1);
    struct code_object *object;
    memcpy(copy, data, size);
    if (code_object_open(copy, size, &object) == HSA_STATUS_SUCCESS) {
        for (int i = 0; i < count; i++)
            for (uint64_t step = 0; step < STEPS; step++) {
                hsam_variable variable = {0};
                found += variables_find(object, 0x10000000, 0x1000 + step * 40, names[i], &variable);
                if (variable.location_size > sizeof variable.location || variable.frame_size > sizeof variable.frame)
                    abort(); /* a location that has no room */
            }
        code_object_close(object);
    }
    free(copy);
    return found;
}

/* Where the section NAME is in the file of SIZE bytes at DATA, and in *LENGTH how long it is, or 0. */
static size_t section_of(const uint8_t *data, size_t size, const char *name, size_t *length)
{
    struct code_object *object;
    *length = 0;
    if (code_object_open(data, size, &object) != HSA_STATUS_SUCCESS)
        return 0;
    struct bytes section = code_object_section(object, name);
    size_t at = section.size ? (size_t)(section.data - object->image) : 0;
    *length = section.size;
    code_object_close(object);
    return at;
}

static void damaged(const uint8_t *data, size_t size, int count, char **names)
{
    static const char *const sections[] = {
        ".debug_info", ".debug_abbrev", ".debug_loclists", ".debug_addr", ".debug_str_offsets"};
    size_t found = 0, at[5], length[5];
    uint8_t *copy = malloc(size);
    for (int i = 0; i < 5; i++)
        at[i] = section_of(data, size, sections[i], &length[i]);
    for (uint64_t seed = 1; seed <= DAMAGED; seed++) {
        memcpy(copy, data, size);
        /* Most are damaged in one section only, so that the others are still found. */
        bool is_section = length[seed % 5] && seed % 8;
        size_t left = is_section ? length[seed % 5] : size;
        mutate(copy + (is_section ? at[seed % 5] : 0), &left, seed);
        found += search(copy, is_section ? size : left, count, names);
    }
    free(copy);
    ok(found > 0, "%d damaged files, %zu variables found in them", DAMAGED, found);
}

int main(int argc, char **argv)
{
    static uint8_t data[1 << 22] __attribute__((aligned(16)));
    if (argc < 3) { /* the files are made by testsuite/observe/variables.sh */
        ok(!search(data, 0, 0, NULL), "nothing is found in nothing");
        return tap_done();
    }
    alarm(MOST_SECONDS);
    FILE *file = fopen(argv[1], "rb");
    size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    ok(file && size && !fclose(file), "%s is read", argv[1]);
    ok(search(data, size, argc - 2, argv + 2) > 0, "variables are found in it");
    damaged(data, size, argc - 2, argv + 2);
    return tap_done();
}
