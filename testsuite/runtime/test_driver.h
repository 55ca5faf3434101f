/* SPDX-License-Identifier: MIT */
/* The agent driver of the tests: "kernels" are C functions, and it counts what is asked of it.
 *
 * HSA_TEST_DRIVER names its behaviour, words separated by commas:
 *     async        answers every request from another thread, after a random delay
 *     vram         coarse-grained memory has a private copy, which the agent sees instead
 *     fakevram     two agents, "test" and "other", each with memory that the host can only reach by copying
 *     signals      takes part in signals
 *     events       chooses the events of signals
 *     bell         has a doorbell that takes the index of a packet
 *     pinned       cannot page fault
 *     shy          answers the second request about memory that it may use with OutOfResources, once
 *     newer        registers with a minor version that is too new
 *     null         two agents: "test" answers every request with Not_Supported, "other" all but those that introduce
 *                  the process
 *     spurious     wakes its queues, interrupts and answers without reason, all the time
 *     stubborn     answers requests to remove a queue with Busy
 *     oldversion   registers with the previous major version
 *     broken       registers an inconsistent configuration
 *     lying        gives out memory that is not as asked for */
#ifndef TESTSUITE_RUNTIME_TEST_DRIVER_H
#define TESTSUITE_RUNTIME_TEST_DRIVER_H

#include "hsa/hsam.h"

/* A test finds this with dlsym("test_driver_counts"). */
struct test_driver_counts {
    int client_new, client_remove, signal_new, signal_remove, queue_new, queue_remove, queue_inactivate;
    int memory_allocation, memory_free, memory_acquire, memory_release, memory_copy, code_load, code_unload;
    int memory_new, memory_delete, memory_map, memory_unmap, memory_resident, memory_protect, event_new, event_remove;
    int registered, fini, unblocked, refused, not_supported, noise;
    int wrong_handles;            /* requests that name another process, queue or signal than the driver knows */
    hsa_signal_value_t announced; /* the value of the last signal, when it was announced */
    hsam_code last_code;
    hsam_queue_info last_queue;
    hsa_generic_driver_config generic; /* the latest configuration that the core has given */
    const hsa_generic_driver_interface *core;
    hsam_handle_t client; /* the client at the agent that was introduced last */
    uint64_t doorbell;    /* of "bell" */
    uint64_t mailbox;     /* of "events" */
    size_t told_bytes;    /* of memory_allocation() since client_new() */
};

/* A kernel: what the kernel_object of a dispatch packet points to. 0 is an error, 1 an empty kernel. */
typedef void (*test_kernel)(const hsa_kernel_dispatch_packet_t *packet, const hsa_generic_driver_interface *core);

/* The name of dlsym() for the function below. */
typedef void *test_driver_reach_t(const void *address);

/* Where a kernel finds the byte at ADDRESS: in the device memory of "fakevram" or "vram", else at ADDRESS itself. */
void *test_driver_reach(const void *address);

#endif
