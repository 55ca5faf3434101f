/* SPDX-License-Identifier: MIT */
/* Starting threads; see thread.h.
 * Input: what to run. Output: a thread with a signal mask of its own. Invariant: the caller's mask is as before. */
#include "support/thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t mask, before;
    sigfillset(&mask);
    for (unsigned i = 0; i < sizeof synchronous / sizeof synchronous[0]; i++)
        sigdelset(&mask, synchronous[i]);
    pthread_sigmask(SIG_SETMASK, &mask, &before); /* the new thread inherits this mask */
    int error = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
