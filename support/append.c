/* SPDX-License-Identifier: MIT */
/* Appends to files that several processes write; see append.h.
 * Input: bytes. Output: the same bytes at the end of a file, together.
 * Invariant: a lock on the file is held while it is written to. It belongs to the open file, which forked processes
 * share; POSIX has one call of write() to a regular file with O_APPEND not mix with others, but only if it is whole. */
#include "support/append.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

int append_open(const char *name)
{
    return open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

/* False: another process has held the lock for MILLISECONDS. Files that have no locks are written to without one. */
static bool take_lock(int file, unsigned milliseconds, bool *locked)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (!(*locked = !flock(file, LOCK_EX | LOCK_NB)) && (errno == EINTR || errno == EWOULDBLOCK)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 >= milliseconds)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    return true;
}

bool append_within(int file, const void *data, size_t size, unsigned milliseconds)
{
    bool good = true, locked;
    if (!take_lock(file, milliseconds, &locked)) {
        errno = EBUSY;
        return false;
    }
    for (size_t at = 0; good && at < size;) {
        ssize_t done = write(file, (const char *)data + at, size - at);
        if (done > 0)
            at += (size_t)done;
        else
            good = done < 0 && errno == EINTR;
    }
    if (locked) {
        int error = errno;
        flock(file, LOCK_UN);
        errno = error;
    }
    return good;
}

bool append_to(int file, const void *data, size_t size)
{
    enum { PATIENCE = 30000 };
    return append_within(file, data, size, PATIENCE);
}

const char *append_failure(int error)
{
    return error == EBUSY ? "another process keeps it locked" : strerror(error);
}
