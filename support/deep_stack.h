/* SPDX-License-Identifier: MIT */
/* Runs what needs a deep stack. LLVM recurses along long programs, so deep that the stack of an application's
 * thread would overflow. */
#ifndef SUPPORT_DEEP_STACK_H
#define SUPPORT_DEEP_STACK_H

#include <stdbool.h>

/* Runs RUN(DATA) on a thread with a stack of up to 1 GiB, of which only the used part takes memory, and waits for it.
 * False, without running it, if there is no memory or no thread for that. The thread has the caller's signal
 * mask. */
bool deep_stack_run(void *(*run)(void *data), void *data);

#endif
