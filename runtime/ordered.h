/* SPDX-License-Identifier: MIT */
/* Tasks of the copy worker that wait for dependencies, do their work, and complete a signal. */
#ifndef RUNTIME_ORDERED_H
#define RUNTIME_ORDERED_H

#include "runtime/async.h"

/* The first member of a structure that mem_alloc() has allocated. The creator sets WORK and COMPLETION. */
struct ordered_task {
    struct task task;
    hsa_status_t (*work)(
        struct ordered_task *task); /* called in the worker's thread when all dependencies have been 0 */
    hsa_signal_t completion;        /* handle 0: none */
    hsa_signal_t *dependency;
    uint32_t dependencies, next;
};

/* Whether these are signals; a COMPLETION of handle 0 is none. */
hsa_status_t ordered_check(hsa_signal_t completion, uint32_t count, const hsa_signal_t *dependency) MUST_CHECK;

/* Has the task done after COUNT dependencies, one after the other, have been 0. Then its completion signal is
 * decremented, or made negative if the work fails or a dependency does not exist any more. The task is released in any
 * case. */
hsa_status_t ordered_start(struct ordered_task *task, uint32_t count, const hsa_signal_t *dependency) MUST_CHECK;

#endif
