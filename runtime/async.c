/* SPDX-License-Identifier: MIT */
/* Tasks that wait for signals without occupying a thread each, and the signal handlers of AMD's extension, which are
 * such tasks. (ROCR documentation 4.10)
 *
 * Input: tasks, each with the signal and condition it waits for. Output: calls of their run() functions, one at a time
 * in each worker.
 * Invariant: from worker_add() to worker_end() a task is in its worker's list and is either running, ready to run, or
 * watching a signal. Shutting down walks that list, so it finds every task. */
#include "runtime/async.h"
#include "runtime/callback.h"
#include "support/thread.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

struct worker handler_worker = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct worker copy_worker = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void worker_wake(struct worker *worker)
{
    atomic_fetch_add(&worker->wake, 1);
    syscall(SYS_futex, &worker->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void worker_submit(struct worker *worker, struct task *task)
{
    struct task *head = atomic_load_explicit(&worker->ready, memory_order_relaxed);
    do
        task->next_ready = head;
    while (!atomic_compare_exchange_weak_explicit(
        &worker->ready, &head, task, memory_order_release, memory_order_relaxed));
    worker_wake(worker);
}

static void notify_handler(hsam_signal_watch *watch)
{
    worker_submit(&handler_worker, watch->user);
}

static void notify_copy(hsam_signal_watch *watch)
{
    worker_submit(&copy_worker, watch->user);
}

void worker_await(struct worker *worker, struct task *task)
{
    task->watch.user = task;
    task->watch.notify = worker == &handler_worker ? notify_handler : notify_copy;
    if (!signal_watch(&task->watch))
        worker_submit(worker, task);
}

/* The ready tasks, oldest first. */
static struct task *take_ready(struct worker *worker)
{
    struct task *newest = atomic_exchange_explicit(&worker->ready, NULL, memory_order_acquire), *oldest = NULL;
    while (newest) {
        struct task *next = newest->next_ready;
        newest->next_ready = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

/* The thread of a worker. Device code may change a signal without a notice, so after every slice of time without a
 * ready task the thread looks at all watched signals itself. */
static void *worker_run(void *argument)
{
    struct worker *worker = argument;
    static const struct timespec slice = {.tv_nsec = 10000000};
    while (!atomic_load(&worker->stop)) {
        uint32_t wake = atomic_load(&worker->wake);
        struct task *task = take_ready(worker);
        if (!task) {
            syscall(SYS_futex, &worker->wake, FUTEX_WAIT_PRIVATE, wake, &slice, NULL, 0);
            signal_interrupt(0);
            continue;
        }
        while (task) {
            struct task *next = task->next_ready;
            task->run(task);
            task = next;
        }
    }
    return NULL;
}

bool worker_add(struct worker *worker, struct task *task)
{
    pthread_mutex_lock(&worker->lock);
    if (!worker->running)
        worker->running = !thread_start(&worker->thread, worker_run, worker);
    bool running = worker->running;
    if (running) {
        task->previous = NULL;
        task->next = worker->tasks;
        if (worker->tasks)
            worker->tasks->previous = task;
        worker->tasks = task;
    }
    pthread_mutex_unlock(&worker->lock);
    return running;
}

void worker_end(struct worker *worker, struct task *task)
{
    pthread_mutex_lock(&worker->lock);
    if (task->previous)
        task->previous->next = task->next;
    else
        worker->tasks = task->next;
    if (task->next)
        task->next->previous = task->previous;
    pthread_mutex_unlock(&worker->lock);
    task->drop(task);
}

static void worker_shut_down(struct worker *worker)
{
    if (worker->running) {
        atomic_store(&worker->stop, true);
        worker_wake(worker);
        pthread_join(worker->thread, NULL);
    }
    while (worker->tasks) {
        struct task *task = worker->tasks;
        if (task->watch.signal.handle && signal_valid(task->watch.signal))
            signal_unwatch(&task->watch);
        worker_end(worker, task);
    }
    worker->running = false;
    atomic_store(&worker->stop, false);
    atomic_store(&worker->ready, NULL);
}

void async_shut_down(void)
{
    worker_shut_down(&handler_worker);
    worker_shut_down(&copy_worker);
}

/* ---- handlers ---- */

struct handler_task {
    struct task task;
    hsa_amd_signal_handler handler;   /* called unless FUNCTION is set */
    void (*function)(void *argument); /* of hsa_amd_async_function(), else NULL */
    void *argument;
    uint32_t generation; /* of the signal when the handler was registered */
};

static void handler_drop(struct task *task)
{
    mem_free(task);
}

/* Whether the handler wants to be called again. */
static bool handler_call(const struct handler_task *it, hsa_signal_value_t value)
{
    struct callback callback;
    callback_begin(&callback, &handler_worker);
    bool again = it->handler(value, it->argument);
    callback_end(&callback);
    return again;
}

static void handler_run(struct task *task)
{
    struct handler_task *it = (struct handler_task *)task;
    if (it->function) {
        struct callback callback;
        callback_begin(&callback, &handler_worker);
        it->function(it->argument);
        callback_end(&callback);
        worker_end(&handler_worker, task);
        return;
    }
    struct signal *signal = signal_find(task->watch.signal);
    if (!signal || signal->generation != it->generation) { /* the signal was destroyed meanwhile */
        task->watch.signal.handle = 0;
        worker_end(&handler_worker, task);
        return;
    }
    hsa_signal_value_t value = atomic_load_explicit(&signal->line->value, memory_order_acquire);
    if (!signal_condition_holds(task->watch.condition, value, task->watch.value) || handler_call(it, value))
        worker_await(&handler_worker, task);
    else
        worker_end(&handler_worker, task);
}

static hsa_status_t handler_add(struct handler_task it)
{
    struct handler_task *task = mem_alloc(sizeof *task);
    CHECK(task, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *task = it;
    task->task.run = handler_run;
    task->task.drop = handler_drop;
    if (!worker_add(&handler_worker, &task->task)) {
        mem_free(task);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (task->function)
        worker_submit(&handler_worker, &task->task);
    else
        worker_await(&handler_worker, &task->task);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond,
                                                  hsa_signal_value_t value, hsa_amd_signal_handler handler, void *arg)
{
    CHECK_UP();
    const struct signal *found = signal_find(signal);
    CHECK(found, HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK_ARGUMENT(handler && signal_condition_valid(cond));
    return handler_add((struct handler_task){
        .task.watch = {.signal = signal, .condition = cond, .value = value},
        .handler = handler,
        .argument = arg,
        .generation = found->generation,
    });
}

HSA_API hsa_status_t hsa_amd_async_function(void (*callback)(void *arg), void *arg)
{
    CHECK_UP();
    CHECK_ARGUMENT(callback);
    return handler_add((struct handler_task){.function = callback, .argument = arg});
}

HSA_API hsa_status_t hsa_amd_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                           const hsa_agent_t *consumers, uint64_t attributes, hsa_signal_t *signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(!(attributes & ~(uint64_t)(HSA_AMD_SIGNAL_AMD_GPU_ONLY | HSA_AMD_SIGNAL_IPC)));
    if (!(attributes & HSA_AMD_SIGNAL_IPC))
        return hsa_signal_create(initial_value, num_consumers, consumers, signal);
    hsa_status_t status = signal_check_consumers(num_consumers, consumers, signal);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    return signal_ipc_new(initial_value, signal);
}

HSA_API hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t **value_ptr)
{
    CHECK_UP();
    CHECK(signal_find(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK_ARGUMENT(value_ptr);
    *value_ptr = &((amd_signal_t *)(uintptr_t)signal.handle)->value;
    return HSA_STATUS_SUCCESS;
}
