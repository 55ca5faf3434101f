/* SPDX-License-Identifier: MIT */
/* Signals that processes share. (ROCR documentation 4.11)
 *
 * Input: handles of any content. Output: signals of this process whose line is the first of the page of a memory file,
 * the same for all processes that have the signal. Invariant: everything else that the runtime knows of the signal
 * belongs to this process, so that another one can do no more by what it writes than delay a wake-up. Whoever changes
 * the value while somebody waits for the signal rings the bell in the line; a thread of each process that has waited
 * for it listens, and tells the watches there. The file is sealed, so its page cannot go away. */
#define _GNU_SOURCE /* pthread_timedjoin_np() */
#include "runtime/signal_slot.h"

#include "runtime/share.h"
#include "support/thread.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAGIC UINT32_C(0x54435049) /* of the layout, too: a library with another one refuses the handle */
enum { RING_AGAIN_NANOSECONDS = 1000000 };

static struct signal_ipc *ipc_of(struct signal *signal)
{
    return (struct signal_ipc *)(void *)signal;
}

static _Atomic uint32_t *bell_of(struct signal *signal)
{
    return &signal->line->bell;
}

void signal_ipc_ring(struct signal *signal)
{
    atomic_fetch_add(bell_of(signal), 1);
    syscall(SYS_futex, bell_of(signal), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void *listen(void *argument)
{
    struct signal *signal = argument;
    while (!atomic_load(&ipc_of(signal)->ending)) {
        uint32_t rung = atomic_load(bell_of(signal));
        signal_tell_watches(signal);
        if (!atomic_load(&ipc_of(signal)->ending))
            syscall(SYS_futex, bell_of(signal), FUTEX_WAIT, rung, NULL, NULL, 0);
    }
    return NULL;
}

/* Without a listener, waiters still find the new value when a slice of their sleep ends. */
void signal_ipc_listen(struct signal *signal)
{
    struct signal_ipc *ipc = ipc_of(signal);
    if (!ipc->listens)
        ipc->listens = !thread_start(&ipc->listener, listen, signal);
}

/* Somebody else can take the bell back to what it was before the listener looks, so it is rung until that has ended. */
static void stop_listening(struct signal *signal)
{
    int running = ETIMEDOUT;
    while (running == ETIMEDOUT) {
        struct timespec until;
        signal_ipc_ring(signal);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += RING_AGAIN_NANOSECONDS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        running = pthread_timedjoin_np(ipc_of(signal)->listener, NULL, &until);
    }
}

void signal_ipc_end(struct signal *signal)
{
    struct signal_ipc *ipc = ipc_of(signal);
    atomic_store(&ipc->ending, true);
    if (ipc->listens)
        stop_listening(signal);
    ipc->listens = false;
    close(ipc->file);
    mmap(signal->line, SIGNAL_PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Makes a signal of this process whose line is in the page of FILE, which it owns from then on. */
static struct signal *adopt(int file)
{
    struct signal *signal = signal_slot_ipc();
    if (!signal)
        return NULL;
    if (mmap(signal->line, SIGNAL_PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED, file, 0) == MAP_FAILED) {
        signal_slot_ipc_free(signal);
        return NULL;
    }
    struct signal_ipc *ipc = ipc_of(signal);
    ipc->file = file;
    ipc->listens = false;
    atomic_store(&ipc->ending, false);
    return signal;
}

hsa_status_t signal_ipc_new(hsa_signal_value_t value, hsa_signal_t *result)
{
    int file = share_file_new(SIGNAL_PAGE);
    CHECK(file >= 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    struct signal *signal = adopt(file);
    if (!signal) {
        close(file);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    signal->line->kind = AMD_SIGNAL_KIND_USER; /* no event: an address of this process means nothing to others */
    atomic_store_explicit(&signal->line->value, value, memory_order_relaxed);
    signal_slot_ipc_use(signal);
    *result = signal_handle(signal);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t *handle)
{
    CHECK_UP();
    struct signal *found = signal_find(signal);
    CHECK_ARGUMENT(handle && found && atomic_load(&found->life) == SIGNAL_IPC);
    CHECK(share_name_file(ipc_of(found)->file, MAGIC, SIGNAL_PAGE, handle), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t *handle, hsa_signal_t *signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(handle && signal);
    int file = share_open_named(handle, MAGIC, SIGNAL_PAGE);
    CHECK_ARGUMENT(file >= 0);
    struct signal *made = adopt(file);
    if (!made) {
        close(file);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    signal_slot_ipc_use(made);
    *signal = signal_handle(made);
    return HSA_STATUS_SUCCESS;
}
