/* SPDX-License-Identifier: MIT */
/* Tasks that wait for dependencies; see ordered.h. (ROCR documentation 4.8)
 *
 * Input: tasks, signals. Output: the work done, and the completion signal changed.
 * Invariant: a task looks a signal up each time it needs it, as the client may have destroyed it meanwhile. */
#include "runtime/ordered.h"

static void ordered_drop(struct task *task)
{
    struct ordered_task *it = (struct ordered_task *)task;
    mem_free(it->dependency);
    mem_free(it);
}

static void ordered_run(struct task *task)
{
    struct ordered_task *it = (struct ordered_task *)task;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (; it->next < it->dependencies && status == HSA_STATUS_SUCCESS; it->next++) {
        struct signal *signal = signal_find(it->dependency[it->next]);
        if (!signal) {
            status = HSA_STATUS_ERROR_INVALID_SIGNAL;
        } else if (atomic_load_explicit(&signal->line->value, memory_order_acquire)) {
            task->watch.signal = it->dependency[it->next];
            task->watch.condition = HSA_SIGNAL_CONDITION_EQ;
            worker_await(&copy_worker, task);
            return;
        }
    }
    task->watch.signal.handle = 0;
    if (status == HSA_STATUS_SUCCESS)
        status = it->work(it);
    if (it->completion.handle && signal_find(it->completion)) {
        if (status == HSA_STATUS_SUCCESS)
            signal_add(it->completion, -1);
        else
            signal_fail(it->completion);
    }
    worker_end(&copy_worker, task);
}

hsa_status_t ordered_check(hsa_signal_t completion, uint32_t count, const hsa_signal_t *dependency)
{
    CHECK(!completion.handle || signal_find(completion), HSA_STATUS_ERROR_INVALID_SIGNAL);
    for (uint32_t i = 0; i < count; i++)
        CHECK(signal_find(dependency[i]), HSA_STATUS_ERROR_INVALID_SIGNAL);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t ordered_start(struct ordered_task *task, uint32_t count, const hsa_signal_t *dependency)
{
    task->task = (struct task){.run = ordered_run, .drop = ordered_drop};
    task->next = 0;
    task->dependencies = count;
    task->dependency = count ? mem_alloc(count * sizeof *dependency) : NULL;
    if ((count && !task->dependency) || !worker_add(&copy_worker, &task->task)) {
        ordered_drop(&task->task);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    for (uint32_t i = 0; i < count; i++)
        task->dependency[i] = dependency[i];
    worker_submit(&copy_worker, &task->task);
    return HSA_STATUS_SUCCESS;
}
