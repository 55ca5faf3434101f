/* SPDX-License-Identifier: MIT */
/* Starting threads from a library, in a program that knows nothing of them. */
#ifndef SUPPORT_THREAD_H
#define SUPPORT_THREAD_H

#include <pthread.h>

/* As pthread_create(), but the thread leaves the signals of the process to the program's own threads: it blocks all
 * but those that its own instructions can cause, and never blocks these. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
