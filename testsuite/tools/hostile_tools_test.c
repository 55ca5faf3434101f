/* SPDX-License-Identifier: MIT */
/* Gives damaged files to each tool. The exit status must be 0 or 1, with a message if it is 1; files that are cut short
 * or random must never be accepted; and no output file may appear when the tool refuses.
 *
 *     hostile_tools_test SRCDIR BUILDDIR
 *
 * Kernels are not run here, as a damaged kernel may be a legal one that never ends. hostile_test tries most files,
 * without starting a process for each. */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/tap.h"
#include "testsuite/tools/damage.h"

#define ROUNDS 40 /* per tool and kind of file */

extern char **environ;

static char directory[] = "/tmp/hsail-hostile.XXXXXX";
static char damaged[64], output[64], messages[64];

static uint8_t *read_whole(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    uint8_t *data = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        data = malloc(*size + 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    if (file)
        fclose(file);
    return data;
}

static bool write_whole(const char *name, const uint8_t *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    bool written = file && fwrite(data, 1, size, file) == size;
    return file && fclose(file) == 0 && written;
}

/* Runs the tool, whose output goes to the file `messages`; returns the exit status, or 128 + signal. */
static int run(char *const arguments[])
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child;
    int status = 0, error = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error || waitpid(child, &status, 0) < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool has_bytes(const char *name)
{
    size_t size = 0;
    uint8_t *data = read_whole(name, &size);
    free(data);
    return data && size;
}

/* Gives one damaged copy of DATA to the tool; prints what goes wrong. */
static bool survives(char *const arguments[], const uint8_t *data, size_t size, uint64_t seed)
{
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, data, size);
    size_t left = size;
    enum mutation how = mutate(copy, &left, seed);
    bool same = left == size && !memcmp(copy, data, size);
    bool written = write_whole(damaged, copy, left);
    free(copy);
    unlink(output);
    int status = run(arguments);
    const char *wrong =
        !written                          ? "test file not written"
        : status > 1                      ? "exit status"
        : status && !has_bytes(messages)  ? "no message"
        : status && !access(output, F_OK) ? "an output file was left"
        : !status && !same && how == MUTATE_RANDOM
            ? "random bytes accepted"
            : NULL;
    if (wrong)
        printf("# seed %llu, mutation %d: %s (status %d)\n", (unsigned long long)seed, (int)how, wrong, status);
    return !wrong;
}

static void try_tool(const char *what, char *const arguments[], const char *file, uint64_t first_seed)
{
    size_t size = 0;
    uint8_t *data = read_whole(file, &size);
    if (!ok(data != NULL, "%s: %s is there", what, file))
        return;
    int bad = 0;
    for (uint64_t i = 0; i < ROUNDS; i++)
        bad += !survives(arguments, data, size, first_seed + i);
    ok(!bad, "%s: %d damaged files", what, ROUNDS);
    free(data);
}

int main(int argc, char **argv)
{
    const char *srcdir = argc > 1 ? argv[1] : getenv("srcdir"), *builddir = argc > 2 ? argv[2] : getenv("builddir");
    char text[4096], brig[64], code[64], hsailasm[4096], hsailfin[4096], hsailrun[4096];
    if (!srcdir || !builddir || !mkdtemp(directory))
        return 99;
    snprintf(text, sizeof text, "%s/examples/reduce.hsail", srcdir);
    snprintf(hsailasm, sizeof hsailasm, "%s/hsailasm", builddir);
    snprintf(hsailfin, sizeof hsailfin, "%s/hsailfin", builddir);
    snprintf(hsailrun, sizeof hsailrun, "%s/hsailrun", builddir);
    snprintf(brig, sizeof brig, "%s/brig", directory);
    snprintf(code, sizeof code, "%s/code", directory);
    snprintf(damaged, sizeof damaged, "%s/damaged", directory);
    snprintf(output, sizeof output, "%s/output", directory);
    snprintf(messages, sizeof messages, "%s/messages", directory);

    ok(run((char *[]){hsailasm, "-o", brig, text, NULL}) == 0, "the undamaged text assembles");
    ok(run((char *[]){hsailfin, "-o", code, brig, NULL}) == 0, "the undamaged BRIG finalizes");
    try_tool("hsailasm, text", (char *[]){hsailasm, "-o", output, damaged, NULL}, text, 1000);
    try_tool("hsailasm -d, BRIG", (char *[]){hsailasm, "-d", "-o", output, damaged, NULL}, brig, 2000);
    try_tool("hsailasm --validate, BRIG", (char *[]){hsailasm, "--validate", damaged, NULL}, brig, 3000);
    try_tool("hsailfin, text", (char *[]){hsailfin, "-o", output, damaged, NULL}, text, 4000);
    try_tool("hsailfin, BRIG", (char *[]){hsailfin, "-o", output, damaged, NULL}, brig, 5000);
    try_tool("hsailrun, text", (char *[]){hsailrun, "--list", damaged, NULL}, text, 6000);
    try_tool("hsailrun, BRIG", (char *[]){hsailrun, "--list", damaged, NULL}, brig, 7000);
    try_tool("hsailrun, code object", (char *[]){hsailrun, "--list", damaged, NULL}, code, 8000);

    const char *files[] = {brig, code, damaged, output, messages};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir(directory);
    return tap_done();
}
