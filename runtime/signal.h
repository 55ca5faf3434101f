/* SPDX-License-Identifier: MIT */
/* Signals, as the files of the runtime share them: the object that a handle points to, sending and waiting. */
#ifndef RUNTIME_SIGNAL_H
#define RUNTIME_SIGNAL_H

#include "runtime/core.h"

/* What hsa_signal_t.handle points to: an amd_signal_t, which kernels may overwrite, and so may other processes if they
 * share the signal. Nothing here is a pointer that the runtime follows, and none of it decides which memory it touches.
 * Fields that AMD leaves unused hold what a sender must look at, so a send touches one cache line when nobody waits. If
 * they are overwritten, a sender tells nobody, so that a waiter is late or waits on, or it looks for waiters in vain.
 */
struct signal_line {
    int64_t kind; /* for device code, like the queue; the runtime only writes them */
    _Atomic int64_t value;
    uint64_t event_mailbox_ptr;
    uint32_t event_id;
    _Atomic uint32_t attention; /* armed watches, plus SIGNAL_ROOTS; unless 0, a send must tell somebody */
    uint64_t start_ts, end_ts;
    amd_queue_t *queue;
    union {
        uint64_t mailbox;      /* where device code leaves event_id; nobody reads it, as every interrupt looks at all
                                  waiters */
        _Atomic uint32_t bell; /* of a signal that processes share, which has no event */
    };
};
static_assert(sizeof(struct signal_line) == sizeof(amd_signal_t) && sizeof(amd_signal_t) == 64,
              "what kernels see of a signal is a cache line");
static_assert(offsetof(struct signal_line, value) == offsetof(amd_signal_t, value) &&
                  offsetof(struct signal_line, attention) == offsetof(amd_signal_t, reserved1) &&
                  offsetof(struct signal_line, start_ts) == offsetof(amd_signal_t, start_ts) &&
                  offsetof(struct signal_line, mailbox) == offsetof(amd_signal_t, reserved3),
              "AMD's layout");

/* What the runtime knows of a signal, in memory that no kernel is given. */
struct signal {
    struct signal_line *line;
    _Atomic uint32_t life;       /* SIGNAL_FREE, or how the signal was made */
    _Atomic uint32_t generation; /* grows with every use of the slot */
    struct hsam_signal_watch *watches;
    _Atomic uint32_t watch_count;
    uint32_t next_free;
    struct signal_root *roots;
    uint32_t root_count;
    _Atomic bool rooted;       /* the roots may be told */
    bool is_doorbell;          /* it lives as long as its queue, to which its root belongs */
    struct agent *event_agent; /* the agent whose driver chose event_id, or NULL */
    hsam_handle_t event;       /* that driver's handle of the event */
};
static_assert(sizeof(struct signal) == 64, "what the runtime knows of a signal is another cache line");

enum { SIGNAL_FREE = 0, SIGNAL_USER, SIGNAL_QUEUE, SIGNAL_IPC };
#define SIGNAL_ROOTS 0x80000000u

/* A destination of a signal and the agent that owns it. */
struct signal_root {
    hsa_root_dest_node *node;
    struct agent *agent;
    hsam_handle_t client, at_agent;
    hsa_root_dest_node own_node; /* where NODE is, unless it is that of a queue */
};

static inline struct signal_line *signal_line(hsa_signal_t handle)
{
    return (struct signal_line *)(uintptr_t)handle.handle;
}

static inline hsa_signal_t signal_handle(const struct signal *signal)
{
    return (hsa_signal_t){(uintptr_t)signal->line};
}

/* A new signal of LIFE SIGNAL_USER or SIGNAL_QUEUE, or NULL when memory is out. */
struct signal *signal_new(hsa_signal_value_t value, uint32_t life) MUST_CHECK;
void signal_delete(struct signal *signal);

/* Checks the arguments of hsa_signal_create(). */
hsa_status_t signal_check_consumers(uint32_t count, const hsa_agent_t *consumers,
                                    const hsa_signal_t *signal) MUST_CHECK;

/* The live signal of a handle of any value, or NULL. Takes no lock. */
struct signal *signal_find(hsa_signal_t handle);

/* The same of one that may have been destroyed since the handle was checked, so that the slot may have another use. */
struct signal *signal_at(hsa_signal_t handle);

/* Lets senders tell the roots of SIGNAL, which have been made. */
void signal_roots_show(struct signal *signal);

/* Tells those roots of SIGNAL that belong to a driver that a sender could not reach them. */
void signal_unblock_roots(struct signal *signal, uint32_t device_driver_id);

/* The slow half of a send: tells the roots and the watches of a signal whose attention is not 0. */
void signal_notify(hsa_signal_t handle);

/* To be called after every sequentially consistent change of a value, unless the change is a silent one. */
static inline void signal_sent(hsa_signal_t handle)
{
    if (atomic_load_explicit(&signal_line(handle)->attention, memory_order_seq_cst))
        signal_notify(handle);
}

static inline bool signal_condition_valid(hsa_signal_condition_t condition)
{
    return condition <= HSA_SIGNAL_CONDITION_GTE;
}

static inline bool signal_condition_holds(hsa_signal_condition_t condition, hsa_signal_value_t value,
                                          hsa_signal_value_t reference)
{
    switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ: return value == reference;
    case HSA_SIGNAL_CONDITION_NE: return value != reference;
    case HSA_SIGNAL_CONDITION_LT: return value < reference;
    case HSA_SIGNAL_CONDITION_GTE: return value >= reference;
    }
    return false;
}

/* Waits until one of COUNT conditions holds and returns its index, with the value seen in *SEEN; returns COUNT after
 * TIMEOUT ticks. With POLL it polls before it sleeps, and sleeps for a short time only. Handles and conditions are
 * valid, COUNT is at least 1. */
uint32_t signal_wait_any(uint32_t count, const hsa_signal_t *signals, const hsa_signal_condition_t *conditions,
                         const hsa_signal_value_t *values, uint64_t timeout, bool poll, hsa_signal_value_t *seen);

/* Tells the watches whose condition holds now. */
void signal_tell_watches(struct signal *signal);

/* Slots for signals that processes share, whose line begins a page of its own. The slot that is used has whatever value
 * its line holds. NULL when there are too many of them, or memory is out. */
struct signal *signal_slot_ipc(void);
void signal_slot_ipc_use(struct signal *signal);
void signal_slot_ipc_free(struct signal *signal);

/* signal_ipc.c: makes such a signal; tells other processes of a change; readies this one to be told, under the lock of
 * the signal's bucket; ends the sharing. */
hsa_status_t signal_ipc_new(hsa_signal_value_t value, hsa_signal_t *result) MUST_CHECK;
void signal_ipc_ring(struct signal *signal);
void signal_ipc_listen(struct signal *signal);
void signal_ipc_end(struct signal *signal);

/* The functions of hsa_generic_driver_interface. */
bool signal_valid(hsa_signal_t handle);
hsa_signal_value_t signal_add(hsa_signal_t handle, hsa_signal_value_t value);
void signal_fail(hsa_signal_t handle);
void signal_interrupt(uint32_t event_id);
bool signal_watch(hsam_signal_watch *watch);
bool signal_unwatch(hsam_signal_watch *watch);

/* Set up the memory of signals; delete the signals that clients left; release the memory when no thread can look at it
 * any more. */
hsa_status_t signals_init(void) MUST_CHECK;
void signals_delete_all(void);
void signals_shut_down(void);

/* Releases the groups that clients left. */
void signal_groups_shut_down(void);

/* async.c: stops the handler thread and drops the handlers. */
void async_shut_down(void);

#endif
