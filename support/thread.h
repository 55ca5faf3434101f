/* SPDX-License-Identifier: MIT */
/* Starts threads of a library in a program that does not know about them. */
#ifndef SUPPORT_THREAD_H
#define SUPPORT_THREAD_H

#include <pthread.h>

/* Does what pthread_create() does, but the thread leaves the signals of the process to the program's own threads: it
 * blocks all signals except those that its own instructions can cause, and never blocks those. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
