/* SPDX-License-Identifier: MIT */
/* Sends and receives whole messages through a worker's socket. Input and output: bytes. Invariant: no signal cuts a
 * message short. */
#include "support/worker_process.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>

bool worker_send(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t done = send(fd, at, size, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool worker_receive(int fd, void *data, size_t size)
{
    char *at = data;
    while (size) {
        ssize_t done = recv(fd, at, size, 0);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

void worker_limit_waiting(int fd, unsigned seconds)
{
    struct timeval limit = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}
