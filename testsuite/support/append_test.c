/* SPDX-License-Identifier: MIT */
/* Several processes append long lines to a file, and to a pipe, which would mix them without a lock. */
#include "support/append.h"
#include "testsuite/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, LINES = 50, LENGTH = 100000 };

static void append_lines(const char *name, int letter)
{
    static char line[LENGTH];
    memset(line, letter, sizeof line);
    line[LENGTH - 1] = '\n';
    int file = append_open(name);
    bool good = file >= 0;
    for (int i = 0; i < LINES && good; i++)
        good = append_to(file, line, sizeof line);
    _exit(!good);
}

/* Whether FILE has all the lines, each of one letter. Reads to the end, as a process that writes waits for that. */
static bool has_whole_lines(FILE *file)
{
    static char line[LENGTH + 2];
    int count = 0, mixed = 0;
    for (; fgets(line, sizeof line, file); count++)
        mixed += strlen(line) != LENGTH || strspn(line, (const char[]){line[0], '\0'}) != LENGTH - 1;
    return count == PROCESSES * LINES && !mixed;
}

/* Two open files of one process have locks of their own, as those of two processes. */
static void locked_file(void)
{
    int holder = append_open("locked"), file = append_open("locked");
    struct stat is;
    bool held = holder >= 0 && file >= 0 && !flock(holder, LOCK_EX);
    ok(held && !append_within(file, "text", 4, 20) && errno == EBUSY && !fstat(file, &is) && !is.st_size,
       "a file that stays locked is left as it is");
    ok(strstr(append_failure(EBUSY), "locked") && !strcmp(append_failure(ENOSPC), strerror(ENOSPC)), "the reasons");
    ok(held && !flock(holder, LOCK_UN) && append_within(file, "text", 4, 20) && !fstat(file, &is) && is.st_size == 4,
       "it is written to when the lock is gone");
    close(holder);
    close(file);
    unlink("locked");
}

static void several(const char *name, const char *what)
{
    pid_t children[PROCESSES];
    int status, failed = 0;
    fflush(stdout);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (!children[i])
            append_lines(name, 'a' + i);
    }
    struct stat is;
    bool is_pipe = !stat(name, &is) && S_ISFIFO(is.st_mode), whole = false;
    FILE *pipe = is_pipe ? fopen(name, "re") : NULL;
    if (pipe)
        whole = has_whole_lines(pipe); /* while they write */
    for (int i = 0; i < PROCESSES; i++)
        failed += waitpid(children[i], &status, 0) != children[i] || status;
    FILE *file = is_pipe ? pipe : fopen(name, "re");
    if (file && !is_pipe)
        whole = has_whole_lines(file);
    ok(file && whole && !failed, "%d processes append whole lines to %s", PROCESSES, what);
    if (file)
        fclose(file);
}

int main(void)
{
    char folder[] = "/tmp/append_test.XXXXXX";
    if (!ok(mkdtemp(folder) && !chdir(folder), "a folder"))
        return tap_done();
    several("file", "a file");
    ok(!mkfifo("pipe", 0600), "a pipe is made");
    several("pipe", "a pipe");
    ok(append_open("missing/file") < 0 && errno == ENOENT, "a folder that is missing");
    int full = append_open("/dev/full");
    ok(full >= 0 && !append_to(full, "text", 4) && errno == ENOSPC, "a full device");
    locked_file();
    close(full);
    ok(!unlink("file") && !unlink("pipe") && !rmdir(folder), "the folder is removed");
    return tap_done();
}
