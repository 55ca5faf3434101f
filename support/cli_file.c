/* SPDX-License-Identifier: MIT */
/* Reads and writes whole files for the tools; see cli.h.
 * Input: a file name. Output: the file's bytes, or a new file that appears complete or not at all. */
#include "support/cli.h"

#include "support/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_READ (64u << 10)

/* Reads to the end of FD. The size that fstat() reports is only a hint: pipes have none, and files grow. */
static int read_all(int fd, uint8_t **data, size_t *size)
{
    struct stat st;
    size_t capacity = FIRST_READ, used = 0;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
        capacity = (size_t)st.st_size + 1;
    uint8_t *buffer = mem_alloc(capacity);
    for (;;) {
        if (!buffer)
            return ENOMEM;
        ssize_t got = read(fd, buffer + used, capacity - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;
            mem_free(buffer);
            return error;
        }
        if (!got)
            break;
        used += (size_t)got;
        if (used == capacity) {
            uint8_t *grown = capacity > SIZE_MAX / 2 ? NULL : mem_realloc(buffer, capacity * 2);
            if (!grown)
                mem_free(buffer);
            buffer = grown;
            capacity *= 2;
        }
    }
    buffer[used] = 0;
    *data = buffer;
    *size = used;
    return 0;
}

bool cli_read_file(const struct cli_program *program, const char *name, uint8_t **data, size_t *size)
{
    bool is_stdin = !strcmp(name, "-");
    int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 ? errno : read_all(fd, data, size);
    if (fd >= 0 && !is_stdin)
        close(fd);
    if (error)
        cli_error(program, "%s: %s", is_stdin ? "standard input" : name, strerror(error));
    return !error;
}

static int write_all(int fd, const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t put = write(fd, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return errno;
        data += put;
        size -= (size_t)put;
    }
    return 0;
}

/* Writes to an open descriptor, and closes it even when writing fails. */
static int write_and_close(int fd, const void *data, size_t size)
{
    int error = write_all(fd, data, size);
    if (close(fd) && !error)
        error = errno;
    return error;
}

/* A new file gets the mode that open() would give it. */
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int replace_file(const char *name, const struct stat *old, const void *data, size_t size)
{
    size_t length = strlen(name);
    char *temporary = mem_alloc(length + sizeof ".XXXXXX");
    if (!temporary)
        return ENOMEM;
    memcpy(temporary, name, length);
    memcpy(temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    int fd = mkstemp(temporary);
    int error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        if (fchmod(fd, old ? old->st_mode & 07777 : default_mode()))
            error = errno;
        int write_error = write_and_close(fd, data, size);
        if (!error)
            error = write_error;
        if (!error && rename(temporary, name))
            error = errno;
        if (error)
            unlink(temporary);
    }
    mem_free(temporary);
    return error;
}

bool cli_write_file(const struct cli_program *program, const char *name, const void *data, size_t size)
{
    struct stat st;
    int error;
    if (!strcmp(name, "-")) {
        name = "standard output";
        error = fflush(stdout) ? errno : write_all(STDOUT_FILENO, data, size);
    } else if (!stat(name, &st)) {
        /* Through a symbolic link the target is replaced, not the link. */
        char *target = S_ISREG(st.st_mode) ? realpath(name, NULL) : NULL;
        if (S_ISREG(st.st_mode)) {
            error = !target ? errno : access(name, W_OK) ? errno : replace_file(target, &st, data, size);
        } else {
            int fd = open(name, O_WRONLY | O_CLOEXEC);
            error = fd < 0 ? errno : write_and_close(fd, data, size);
        }
        free(target);
    } else {
        error = errno == ENOENT ? replace_file(name, NULL, data, size) : errno;
    }
    if (error)
        cli_error(program, "%s: %s", name, strerror(error));
    return !error;
}

int cli_finish(const struct cli_program *program, int status)
{
    int failed = ferror(stdout);
    if (fclose(stdout) || failed) {
        fprintf(stderr, "%s: standard output: %s\n", program->name, errno ? strerror(errno) : "write error");
        return status == CLI_STATUS_DONE ? CLI_STATUS_DIAGNOSED : status;
    }
    return status;
}
