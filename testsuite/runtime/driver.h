/* SPDX-License-Identifier: MIT */
/* The agent driver of the tests: "kernels" are C functions, and it counts what is asked of it.
 *
 * HSA_TEST_DRIVER names its behaviour, words separated by commas: async (answers every request from another
 * thread, after a random delay), vram (coarse-grained memory is private, with a copy of its own), signals
 * (takes part in signals), newer (registers with a version that is too new), broken (an inconsistent
 * configuration). */
#ifndef TESTSUITE_RUNTIME_DRIVER_H
#define TESTSUITE_RUNTIME_DRIVER_H

#include "hsa/hsam.h"

/* What a test finds by dlsym("test_driver_counts"). */
struct test_driver_counts {
    int client_new, client_remove, signal_new, signal_remove, queue_new, queue_remove, queue_inactivate;
    int memory_allocation, memory_free, memory_acquire, memory_release, memory_copy, code_load, code_unload;
    int registered, fini, unblocked;
    hsam_code last_code;
};

/* A kernel: what the kernel_object of a dispatch packet points to. 0 is an error, 1 an empty kernel. */
typedef void (*test_kernel)(const hsa_kernel_dispatch_packet_t *packet, const hsa_generic_driver_interface *core);

#endif
