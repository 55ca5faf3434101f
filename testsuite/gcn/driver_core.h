/* SPDX-License-Identifier: MIT */
/* A small core for tests of the software GPU's driver: it has signals and one queue at a time, and records errors. */
#ifndef TESTSUITE_GCN_DRIVER_CORE_H
#define TESTSUITE_GCN_DRIVER_CORE_H

#include "hsa/hsam.h"
#include "hsa/amd_hsa_kernel_code.h"

#include <stdbool.h>

enum { CORE_RING = 1024 };

struct core_queue {
    amd_queue_t amd __attribute__((aligned(64)));
    amd_signal_t doorbell;
    hsa_root_dest_node root;
    hsa_kernel_dispatch_packet_t ring[CORE_RING] __attribute__((aligned(4096)));
    hsam_handle_t at_agent;
};

/* A kernel descriptor, and its code; there may be memory for more of it. */
struct core_kernel {
    amd_kernel_descriptor_t descriptor;
    hsam_handle_t loaded;
    uint32_t code[48];
} __attribute__((aligned(256)));

struct core {
    const hsa_agent_driver_interface *driver;
    const hsa_agent_driver_config *config;
    void *driver_data;
    hsam_handle_t client;
    /* the last error of a queue */
    volatile int errors;
    hsa_status_t error;
    char text[256];
    volatile uint32_t interrupts;
};
extern struct core core;

/* Starts the driver and its first agent; false when it does not register one. */
bool core_start(void);
void core_stop(void);

struct core_queue *core_queue_new(void);
void core_queue_free(struct core_queue *queue);

/* Copies the packet to the ring, waiting for room, and rings the doorbell if RING. */
void core_submit(struct core_queue *queue, const void *packet, bool ring);

/* Loads a kernel of N dwords of code, which finds the kernarg pointer in s[4:5] and the group id in s8. */
void core_load(struct core_kernel *kernel, const uint32_t *code, unsigned n);
void core_unload(struct core_kernel *kernel);

void core_signal_init(amd_signal_t *signal, int64_t value);
hsa_signal_t core_handle(amd_signal_t *signal);
/* Waits until the signal's value is at most LIMIT; false after minutes. */
bool core_wait(const amd_signal_t *signal, int64_t limit);
/* Stores VALUE and notifies the watches. */
void core_signal_store(amd_signal_t *signal, int64_t value);
bool core_wait_error(void);

#endif
