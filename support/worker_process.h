/* SPDX-License-Identifier: MIT */
/* Processes that work for a library and that its application does not notice (doc/decisions/compile-process.md).
 *
 * A worker is no child of the process that it works for. The two talk through a socket pair. The worker first sends a
 * greeting, by which the library sees that it comes from the same build. It ends when the other end is closed. */
#ifndef SUPPORT_WORKER_PROCESS_H
#define SUPPORT_WORKER_PROCESS_H

#include "support/companion.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORKER_SOCKET = 3, /* the worker's end */
    WORKER_GREETING_MAX = 64,
    WORKER_ELAPSED = 10 /* seconds that may pass in one of processor time */
};

/* Send and receive SIZE bytes, or return false. */
bool worker_send(int fd, const void *data, size_t size);
bool worker_receive(int fd, void *data, size_t size);

/* Has these fail when nothing can be sent, or nothing comes, for SECONDS. */
void worker_limit_waiting(int fd, unsigned seconds);

/* The library's side */

/* Starts PROGRAM, or the program at the absolute path CHOSEN unless that is NULL. Returns the socket, or -1. */
int worker_launch(const struct companion *program, const char *chosen);

/* Whether the greeting that comes is the one of SIZE bytes that is expected. */
bool worker_greets(int fd, const void *expected, size_t size);

/* The worker's side */

/* Makes this process a worker. Its directory becomes "/", so that the application's can be removed or unmounted. A
 * signal that would end it calls LAST_WORDS on the thread concerned, which then ends the process; if its time is over,
 * that is SIGALRM. False if there is no socket, because a user has started it. */
bool worker_become(void (*last_words)(int signal));

/* Gives the calling thread, which computes, a stack of its own for LAST_WORDS; takes it back before the thread ends. */
void worker_prepare_thread(void);
void worker_release_thread(void);

/* Limits the time of what comes next, or takes the limit away if SECONDS is 0. The limit is one of processor time, so
 * that a busy machine does not end work that is nearly done; WORKER_ELAPSED times as much elapsed time ends what waits
 * for ever. */
void worker_limit_time(uint32_t seconds);

#endif
