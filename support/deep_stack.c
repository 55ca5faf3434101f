/* SPDX-License-Identifier: MIT */
/* See deep_stack.h. Input: a function. Output: its effects. Invariant: when the call returns, the thread has ended. */
#include "support/deep_stack.h"

#include <pthread.h>
#include <stddef.h>

/* The first of these sizes that can be had is used. */
static const size_t stack_sizes[] = {(size_t)1 << 30, (size_t)256 << 20, (size_t)64 << 20};

bool deep_stack_run(void *(*run)(void *data), void *data)
{
    pthread_attr_t attributes;
    pthread_t thread;
    bool started = false;
    if (pthread_attr_init(&attributes))
        return false;
    for (size_t i = 0; i < sizeof stack_sizes / sizeof stack_sizes[0] && !started; i++)
        started =
            !pthread_attr_setstacksize(&attributes, stack_sizes[i]) && !pthread_create(&thread, &attributes, run, data);
    pthread_attr_destroy(&attributes);
    return started && !pthread_join(thread, NULL);
}
