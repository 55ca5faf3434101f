/* SPDX-License-Identifier: MIT */
/* Keeps a list of the client's callbacks that run now, and of what waits for their return; see callback.h.
 *
 * Input: the begin and end of calls, and what is to be done after them. Output: answers about the calls that run;
 * threads that do what was deferred. Invariant: a call is in the list while it runs. Each thread joins the one that was
 * started before it, so joining the last one waits for all of them. */
#include "runtime/callback.h"

#include "support/alloc.h"
#include "support/thread.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t none; /* no callback runs any more */
    struct callback *running;
    pthread_t last; /* the last thread for deferred work, if ANY has been started and not joined */
    bool any;
} callbacks = {.lock = PTHREAD_MUTEX_INITIALIZER, .none = PTHREAD_COND_INITIALIZER};

static _Thread_local unsigned depth;

void callback_begin(struct callback *callback, const void *owner)
{
    depth++;
    callback->owner = owner;
    pthread_mutex_lock(&callbacks.lock);
    callback->next = callbacks.running;
    callbacks.running = callback;
    pthread_mutex_unlock(&callbacks.lock);
}

void callback_end(struct callback *callback)
{
    struct callback **link = &callbacks.running;
    pthread_mutex_lock(&callbacks.lock);
    while (*link != callback)
        link = &(*link)->next;
    *link = callback->next;
    if (!callbacks.running)
        pthread_cond_broadcast(&callbacks.none);
    pthread_mutex_unlock(&callbacks.lock);
    depth--;
}

bool callback_here(void)
{
    return depth != 0;
}

bool callback_must_return(const void *owner)
{
    bool found = false;
    if (!callback_here())
        return false;
    pthread_mutex_lock(&callbacks.lock);
    for (const struct callback *c = callbacks.running; c; c = c->next)
        found |= !c->owner || c->owner == owner;
    pthread_mutex_unlock(&callbacks.lock);
    return found;
}

void callbacks_wait(void)
{
    pthread_mutex_lock(&callbacks.lock);
    while (callbacks.running)
        pthread_cond_wait(&callbacks.none, &callbacks.lock);
    pthread_mutex_unlock(&callbacks.lock);
}

/* ---- deferred work ---- */

struct deferred {
    void (*run)(void *argument);
    void *argument;
    pthread_t previous;
    bool has_previous;
};

static void *deferred_main(void *argument)
{
    struct deferred work = *(struct deferred *)argument;
    mem_free(argument);
    work.run(work.argument);
    if (work.has_previous)
        pthread_join(work.previous, NULL);
    return NULL;
}

bool callback_defer(void (*run)(void *argument), void *argument)
{
    struct deferred *work = mem_alloc(sizeof *work);
    if (!work)
        return false;
    pthread_t thread;
    pthread_mutex_lock(&callbacks.lock);
    *work = (struct deferred){run, argument, callbacks.last, callbacks.any};
    bool started = !thread_start(&thread, deferred_main, work);
    if (started) {
        callbacks.last = thread;
        callbacks.any = true;
    }
    pthread_mutex_unlock(&callbacks.lock);
    if (!started)
        mem_free(work);
    return started;
}

void callback_deferred_wait(void)
{
    pthread_mutex_lock(&callbacks.lock);
    pthread_t last = callbacks.last;
    bool any = callbacks.any;
    callbacks.any = false;
    pthread_mutex_unlock(&callbacks.lock);
    if (any)
        pthread_join(last, NULL);
}
