/* SPDX-License-Identifier: MIT */
/* Appends to files that several processes write; see append.h.
 * Input: bytes. Output: the same bytes at the end of a file, together.
 * Invariant: a lock on the file is held while it is written to. It belongs to the open file, which forked processes
 * share; POSIX has one call of write() to a regular file with O_APPEND not mix with others, but only if it is whole. */
#include "support/append.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

int append_open(const char *name)
{
    return open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

bool append_to(int file, const void *data, size_t size)
{
    bool good = true, locked;
    while (!(locked = !flock(file, LOCK_EX)) && errno == EINTR)
        ;
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
