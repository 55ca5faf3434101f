/* SPDX-License-Identifier: MIT */
/* Runs the other assembler, and knows where it departs from the PRM; see other_assembler.h.
 * Input: text. Output: its verdict and bytes. Invariant: one file of text and one of bytes, in a directory of
 * its own. */
#include "testsuite/validate/other_assembler.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *tool;
static char directory[] = "/tmp/hsail-judge.XXXXXX", input[64], output[64];
static unsigned asked;

/* The statements on which it is known to depart from the PRM, and what the PRM says, which counts. */
static const struct {
    const char *statement, *why;
} departures[] = {
    {"class_*, WAVESIZE;*", "4.16: an immediate value can be WAVESIZE"},
    {"mov_sig*(0);*", "4.16: only images, samplers and arrays are no immediate values"},
    {"stimage_2d*depth*_* [!$]*", "7.4.1: srcR can be an immediate value"},
    {"*_spill*, [[][$0-9]*", "6.3.2 has `ld_spill_f32 $s1, [$s3+4]` as an example"},
    {"*_arg*, [[][$0-9]*", "6.3.1: any address expression; only lda is refused for arg and spill (5.8.2)"},
};

const char *judge_departs(const char *statement)
{
    for (size_t i = 0; i < sizeof departures / sizeof *departures; i++)
        if (fnmatch(departures[i].statement, statement, 0) == 0)
            return departures[i].why;
    return NULL;
}

bool judge_open(void)
{
    tool = getenv("HSAILASM_1_0");
    if (!tool || !*tool || !mkdtemp(directory)) {
        tool = NULL;
        return false;
    }
    snprintf(input, sizeof input, "%s/x.hsail", directory);
    snprintf(output, sizeof output, "%s/x.brig", directory);
    return true;
}

bool judge_text(const char *text, struct bytes *out)
{
    static uint8_t bytes[1 << 22];
    asked++;
    unlink(output);
    FILE *file = fopen(input, "w");
    if (!file)
        return false;
    fputs(text, file);
    fclose(file);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    char *const arguments[] = {(char *)tool, input, "-o", output, NULL};
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, tool, &actions, NULL, arguments, environ) == 0)
        waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    file = status == 0 ? fopen(output, "rb") : NULL;
    *out = (struct bytes){bytes, file ? fread(bytes, 1, sizeof bytes, file) : 0};
    if (file)
        fclose(file);
    return status == 0;
}

unsigned judge_count(void)
{
    return asked;
}

void judge_close(void)
{
    unlink(input);
    unlink(output);
    rmdir(directory);
}
