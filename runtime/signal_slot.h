/* SPDX-License-Identifier: MIT */
/* The memory of signals, and the watches on them, for the files that make and destroy signals. */
#ifndef RUNTIME_SIGNAL_SLOT_H
#define RUNTIME_SIGNAL_SLOT_H

#include "runtime/signal.h"

/* A free slot, or NULL when memory is out; gives one back. */
struct signal *signal_slot_take(void) MUST_CHECK;
void signal_slot_give(struct signal *signal);

/* Makes known that a slot that was taken is used for another signal. */
static inline void signal_slot_renew(struct signal *signal)
{
    uint32_t generation = atomic_load_explicit(&signal->generation, memory_order_relaxed);
    atomic_store_explicit(&signal->generation, generation + 1, memory_order_relaxed);
}

/* Signal number INDEX of those that are not shared, and how many of them have been in use. */
struct signal *signal_number(uint32_t index);
uint32_t signal_count(void);

/* What the runtime knows of a signal that processes share. */
struct signal_ipc {
    struct signal signal;
    pthread_t listener;
    int file;
    bool listens; /* under the lock of the signal's bucket */
    _Atomic bool ending;
};

enum { SIGNAL_PAGE = 4096 }; /* what processes share of a signal; its line is the first */

/* Shared signal number INDEX, and how many of them have been in use. */
struct signal *signal_ipc_number(uint32_t index);
uint32_t signal_ipc_count(void);

/* Whether SIGNAL, which may just have been destroyed by hsa_signal_destroy(), is one that processes share. */
bool signal_is_ipc(const struct signal *signal);

/* signal_watch.c: disarms the watches that are left on SIGNAL. Each is notified, and its owner finds that the signal is
 * gone. */
void signal_watches_drop(struct signal *signal);

/* signal_watch.c: takes the roots away from a client's signal. When it returns, nobody looks at them any more. */
void signal_roots_drop(struct signal *signal);

#endif
