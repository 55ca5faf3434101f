/* SPDX-License-Identifier: MIT */
/* The runtime's own threads, called workers, which run a task once the signal it waits for meets a condition. */
#ifndef RUNTIME_ASYNC_H
#define RUNTIME_ASYNC_H

#include "runtime/signal.h"

/* What a worker runs: the first member of a structure that mem_alloc() has allocated. It belongs to the worker from
 * worker_add() until worker_end(), which calls drop(). */
struct task {
    void (*run)(struct task *task);  /* called in the worker's thread; submits, awaits or ends the task again */
    void (*drop)(struct task *task); /* releases a task that will not run any more */
    hsam_signal_watch watch;
    struct task *next_ready;
    struct task *next, *previous;
};

struct worker {
    pthread_mutex_t lock; /* of thread and tasks */
    pthread_t thread;
    bool running;
    _Atomic bool stop;
    _Atomic(struct task *) ready; /* newest first */
    _Atomic uint32_t wake;        /* futex: grows with every ready task */
    struct task *tasks;           /* all that have not ended */
};

/* The thread of signal handlers and the thread of copies. */
extern struct worker handler_worker, copy_worker;

/* Hands a new task to WORKER and starts its thread when needed; false when there are no resources. */
bool worker_add(struct worker *worker, struct task *task) MUST_CHECK;

/* Called from inside run(), or right after worker_add(): they have run() called at once, or when the condition of
 * task->watch holds. */
void worker_submit(struct worker *worker, struct task *task);
void worker_await(struct worker *worker, struct task *task);

/* Ends and drops a task, from inside run(). */
void worker_end(struct worker *worker, struct task *task);

#endif
