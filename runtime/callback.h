/* SPDX-License-Identifier: MIT */
/* Callbacks of the client that run on threads of the runtime or of a driver.
 *
 * The end of a queue waits for the queue's thread, and the end of the runtime for all threads. A callback that asks for
 * one of them may itself run on such a thread, so what it asks for is done after it has returned. */
#ifndef RUNTIME_CALLBACK_H
#define RUNTIME_CALLBACK_H

#include <stdbool.h>

/* One call that runs; lives on the stack of its thread. */
struct callback {
    const void *owner;
    struct callback *next;
};

/* Surround the call of a callback. OWNER is the queue, or whatever else, whose end waits for this thread; it may be
 * gone when the callback has returned. NULL: some queue that is not known. */
void callback_begin(struct callback *callback, const void *owner);
void callback_end(struct callback *callback);

/* Whether this thread is inside a callback. */
bool callback_here(void);

/* Whether this thread is inside a callback, and some thread is inside one for whose return the end of OWNER waits. */
bool callback_must_return(const void *owner);

/* Waits until no callback runs. */
void callbacks_wait(void);

/* Calls RUN(ARGUMENT) on a thread of its own; false when there is none. */
bool callback_defer(void (*run)(void *argument), void *argument) __attribute__((warn_unused_result));

/* Waits until all that was deferred is done. */
void callback_deferred_wait(void);

#endif
