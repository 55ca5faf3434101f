/* SPDX-License-Identifier: MIT */
/* Makes an input that fails small, for testsuite/fuzz/corpus/: minimize TARGET FILE OUTPUT.
 *
 * Removes entries of a module, or lines of a text, as long as the target still ends with a signal or an exit status
 * that is not 0. The rest of a module is put together again, so that removing an entry breaks nothing else. */
#include "testsuite/fuzz/loose.h"
#include "testsuite/fuzz/fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES ((size_t)1 << 20)

static const struct fuzz_target *target;

/* Whether the target fails on DATA, in a process of its own. */
static bool fails(const uint8_t *data, size_t size)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(0);
        target->run(data, size);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

/* How many entries of hsa_code, from INDEX on, are one executable with its formals and body; 0 for another entry. */
static size_t executable_length(const struct loose *loose, size_t index)
{
    const struct loose_item *items = loose->section[HSA_BRIG_SECTION_INDEX_CODE].items.items;
    size_t count = loose->section[HSA_BRIG_SECTION_INDEX_CODE].items.count, end = index;
    const hsa_brig_directive_executable_t *executable = (const void *)items[index].bytes;
    if (items[index].size < sizeof *executable || !brig_is_executable(&executable->base))
        return 0;
    while (end < count && (LOOSE_REFERENCE | items[end].number) != executable->next_module_entry)
        end++;
    return end - index;
}

/* Removes whole executables; returns the new size. */
static size_t thin_executables(uint8_t *data, size_t size)
{
    static uint8_t trial[MOST_BYTES];
    for (size_t at = 0;;) {
        static const struct loose_layout plain;
        struct loose loose;
        bool more = loose_read(&loose, data, size) && at < loose.section[HSA_BRIG_SECTION_INDEX_CODE].items.count;
        size_t length = more ? executable_length(&loose, at) : 0;
        for (size_t n = 0; n < length; n++)
            loose_remove(&loose, HSA_BRIG_SECTION_INDEX_CODE, at);
        size_t smaller = length ? loose_write(&loose, &plain, trial, MOST_BYTES) : 0;
        loose_free(&loose);
        if (!more)
            return size;
        if (smaller && fails(trial, smaller)) {
            memcpy(data, trial, smaller);
            size = smaller;
        } else {
            at++;
        }
    }
}

/* Removes what it can from one section, COUNT adjacent entries at a time; returns the new size. */
static size_t thin_section(uint8_t *data, size_t size, unsigned section, size_t count)
{
    static uint8_t trial[MOST_BYTES];
    for (size_t at = 0;; at += count) {
        static const struct loose_layout plain;
        struct loose loose;
        bool more = loose_read(&loose, data, size) && at + count <= loose.section[section].items.count;
        bool gone = true;
        while (more && gone) {
            for (size_t n = 0; n < count; n++)
                loose_remove(&loose, section, at);
            size_t smaller = loose_write(&loose, &plain, trial, MOST_BYTES);
            gone = smaller && fails(trial, smaller);
            if (gone) {
                memcpy(data, trial, smaller);
                size = smaller;
                more = at + count <= loose.section[section].items.count;
            }
        }
        loose_free(&loose);
        if (!more)
            return size;
    }
}

static size_t thin_text(uint8_t *data, size_t size, size_t lines)
{
    static uint8_t trial[MOST_BYTES];
    for (size_t at = 0; at < size;) {
        size_t end = at;
        for (size_t n = 0; n < lines && end < size; n++) {
            const uint8_t *newline = memchr(data + end, '\n', size - end);
            end = newline ? (size_t)(newline - data) + 1 : size;
        }
        memcpy(trial, data, at);
        memcpy(trial + at, data + end, size - end);
        if (fails(trial, size - (end - at))) {
            memcpy(data, trial, size - (end - at));
            size -= end - at;
        } else {
            const uint8_t *newline = memchr(data + at, '\n', size - at);
            at = newline ? (size_t)(newline - data) + 1 : size;
        }
    }
    return size;
}

static size_t thin(uint8_t *data, size_t size)
{
    static const unsigned order[] = {
        HSA_BRIG_SECTION_INDEX_CODE, HSA_BRIG_SECTION_INDEX_OPERAND, HSA_BRIG_SECTION_INDEX_DATA};
    for (size_t count = 16; count; count /= 2) {
        if (target->text)
            size = thin_text(data, size, count);
        else
            size = thin_executables(data, size);
        for (unsigned i = 0; !target->text && i < 3; i++)
            size = thin_section(data, size, order[i], count);
        printf("%zu bytes\n", size);
    }
    return size;
}

int main(int argc, char **argv)
{
    static _Alignas(16) uint8_t data[MOST_BYTES];
    for (int i = 0; argc == 4 && i < FUZZ_TARGETS; i++)
        if (!strcmp(argv[1], fuzz_targets[i].name))
            target = &fuzz_targets[i];
    FILE *stream = target ? fopen(argv[2], "rb") : NULL;
    if (!stream) {
        fprintf(stderr, "usage: minimize TARGET FILE OUTPUT\n");
        return 2;
    }
    size_t size = fread(data, 1, MOST_BYTES, stream);
    fclose(stream);
    if (!fails(data, size)) {
        fprintf(stderr, "%s: the target %s accepts it\n", argv[2], argv[1]);
        return 1;
    }
    size = thin(data, size);
    stream = fopen(argv[3], "wb");
    bool written = stream && fwrite(data, 1, size, stream) == size;
    return stream && fclose(stream) == 0 && written ? 0 : 1;
}
