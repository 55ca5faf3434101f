/* SPDX-License-Identifier: MIT */
/* Signals, as the files of the runtime share them: the object that a handle points to, sending and waiting. */
#ifndef RUNTIME_SIGNAL_H
#define RUNTIME_SIGNAL_H

#include "runtime/core.h"

/* What hsa_signal_t.handle points to. The first cache line is shared with device code. A field in it that AMD leaves
 * unused holds the word that a sender must look at, so a send touches one cache line when nobody waits. */
struct signal {
    struct {
        int64_t kind;
        _Atomic int64_t value;
        uint64_t event_mailbox_ptr;
        uint32_t event_id, reserved1;
        uint64_t start_ts, end_ts;
        amd_queue_t *queue;
        _Atomic uint32_t attention; /* armed watches, plus SIGNAL_ROOTS; unless 0, a send must tell somebody */
        _Atomic uint32_t bell;      /* of a signal that processes share */
    } amd;
    _Atomic uint32_t life; /* SIGNAL_FREE, or how the signal was made */
    uint32_t generation;   /* grows with every use of the slot */
    struct hsam_signal_watch *watches;
    struct signal_root *roots;
    uint32_t root_count;
    uint32_t next_free;
    struct agent *event_agent; /* the agent whose driver chose event_id, or NULL */
    hsam_handle_t event;       /* that driver's handle of the event */
    uint32_t mailbox;          /* where device code leaves event_id; nobody reads it, as every interrupt looks at all
                                  waiters */
    uint32_t reserved[3];
};
static_assert(sizeof(struct signal) == 128 && sizeof(amd_signal_t) == 64, "a signal is two cache lines");
static_assert(offsetof(struct signal, amd.value) == offsetof(amd_signal_t, value), "AMD's layout");

enum { SIGNAL_FREE = 0, SIGNAL_USER, SIGNAL_QUEUE, SIGNAL_IPC };
#define SIGNAL_ROOTS 0x80000000u

/* A destination of a signal and the agent that owns it. */
struct signal_root {
    hsa_root_dest_node *node;
    struct agent *agent;
    hsam_handle_t client, at_agent;
    hsa_root_dest_node own_node; /* where NODE is, unless it is that of a queue */
};

static inline struct signal *signal_of(hsa_signal_t handle)
{
    return (struct signal *)(uintptr_t)handle.handle;
}

static inline hsa_signal_t signal_handle(const struct signal *signal)
{
    return (hsa_signal_t){(uintptr_t)signal};
}

/* A new signal of LIFE SIGNAL_USER or SIGNAL_QUEUE, or NULL when memory is out. */
struct signal *signal_new(hsa_signal_value_t value, uint32_t life) MUST_CHECK;
void signal_delete(struct signal *signal);

/* Checks the arguments of hsa_signal_create(). */
hsa_status_t signal_check_consumers(uint32_t count, const hsa_agent_t *consumers,
                                    const hsa_signal_t *signal) MUST_CHECK;

/* The live signal of a handle of any value, or NULL. Takes no lock. */
struct signal *signal_find(hsa_signal_t handle);

/* The slow half of a send: tells the roots and the watches of a signal whose attention is not 0. */
void signal_notify(struct signal *signal);

/* To be called after every sequentially consistent change of a value, unless the change is a silent one. */
static inline void signal_sent(struct signal *signal)
{
    if (atomic_load_explicit(&signal->amd.attention, memory_order_seq_cst))
        signal_notify(signal);
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
 * TIMEOUT ticks. With POLL it never sleeps. Handles and conditions are valid, COUNT is at least 1. */
uint32_t signal_wait_any(uint32_t count, const hsa_signal_t *signals, const hsa_signal_condition_t *conditions,
                         const hsa_signal_value_t *values, uint64_t timeout, bool poll, hsa_signal_value_t *seen);

/* Tells the watches whose condition holds now. */
void signal_tell_watches(struct signal *signal);

/* Slots for signals that processes share: a line at the end of a page and the page after it. The slot that is used has
 * whatever value its first half holds. NULL when there are too many of them, or memory is out. */
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
