/* SPDX-License-Identifier: MIT */
/* Signals that processes share. (ROCR documentation 4.11)
 *
 * Input: handles of any content. Output: signals of this process whose value, attention and times are those of a page
 * of a memory file, the same for all processes that have the signal. Invariant: the first half of such a signal is the
 * last line of the shared page, and the second half, which belongs to this process, begins the page after it. Whoever
 * changes the value while somebody waits for the signal rings the bell in the shared half; a thread of each process
 * that has waited for it listens, and tells the watches there. The file is sealed, so its page cannot go away. */
#define _GNU_SOURCE /* memfd_create() */
#include "runtime/signal.h"

#include "runtime/share.h"
#include "support/thread.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, HALF = 64 };
#define MAGIC UINT32_C(0x53435049)

/* What follows a signal in the page that belongs to this process. */
struct signal_ipc {
    struct signal signal; /* its second half is in this page */
    pthread_t listener;
    int file;
    bool listens; /* under the lock of the signal's bucket */
    _Atomic bool ending;
};

static struct signal_ipc *ipc_of(struct signal *signal)
{
    return (struct signal_ipc *)(void *)signal;
}

static char *page_of(const struct signal *signal)
{
    return (char *)(uintptr_t)signal + HALF - PAGE;
}

static _Atomic uint32_t *bell_of(struct signal *signal)
{
    return &signal->amd.bell;
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

void signal_ipc_end(struct signal *signal)
{
    struct signal_ipc *ipc = ipc_of(signal);
    atomic_store(&ipc->ending, true);
    if (ipc->listens) {
        signal_ipc_ring(signal);
        pthread_join(ipc->listener, NULL);
    }
    ipc->listens = false;
    close(ipc->file);
    mmap(page_of(signal), PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Makes a signal of this process whose shared half is the page of FILE, which it owns from then on. */
static struct signal *adopt(int file)
{
    struct signal *signal = signal_slot_ipc();
    if (!signal)
        return NULL;
    if (mmap(page_of(signal), PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED, file, 0) == MAP_FAILED) {
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
    int file = share_file_new(PAGE);
    CHECK(file >= 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    struct signal *signal = adopt(file);
    if (!signal) {
        close(file);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    signal->amd.kind = AMD_SIGNAL_KIND_USER; /* no event: an address of this process means nothing to others */
    atomic_store_explicit(&signal->amd.value, value, memory_order_relaxed);
    signal_slot_ipc_use(signal);
    *result = signal_handle(signal);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t *handle)
{
    CHECK_UP();
    struct signal *found = signal_find(signal);
    CHECK_ARGUMENT(handle && found && atomic_load(&found->life) == SIGNAL_IPC);
    CHECK(share_name_file(ipc_of(found)->file, MAGIC, PAGE, handle), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t *handle, hsa_signal_t *signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(handle && signal);
    int file = share_open_named(handle, MAGIC, PAGE);
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
