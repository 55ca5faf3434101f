/* SPDX-License-Identifier: MIT */
/* What the files of the test driver share. */
#ifndef TESTSUITE_RUNTIME_DRIVER_PARTS_H
#define TESTSUITE_RUNTIME_DRIVER_PARTS_H

#include "runtime/packet.h"
#include "testsuite/runtime/test_driver.h"

extern struct test_driver_counts test_driver_counts;

#define COUNT(what) __atomic_add_fetch(&test_driver_counts.what, 1, __ATOMIC_RELAXED)

/* Answers a request, at once or later. */
HSAM_Error test_driver_reply(HSAM_Error result, void *cookie);

/* Chooses the kind of memory and the functions for it, including those below. */
void test_driver_memory(hsa_agent_driver_interface *interface, bool vram, bool fakevram, bool lying, bool shy);

/* Has every request answered with HSAM_Not_Supported, or, if it TAKES_PROCESS, all but those that introduce it. */
void test_driver_null(hsa_agent_driver_interface *interface, bool takes_process);

/* Starts and ends the thread that makes noise, and says at which queues it does; without it nothing happens. */
void test_driver_noise_start(void);
void test_driver_noise_stop(void);
void test_driver_noise_at(struct packet_processor *queue);
void test_driver_quiet_at(struct packet_processor *queue);

HSAM_Error test_driver_memory_allocation(void *driver, hsam_handle_t client, void *address, size_t size,
                                         hsam_segment segment, uint32_t flags, void *cookie);
HSAM_Error test_driver_memory_free(void *driver, hsam_handle_t client, void *address, void *cookie);
HSAM_Error test_driver_memory_acquire(void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access,
                                      void *cookie);
HSAM_Error test_driver_memory_release(void *driver, hsam_handle_t client, void *address, void *cookie);
HSAM_Error test_driver_memory_copy(void *driver, hsam_handle_t client, void *to, const void *from, size_t size,
                                   void *cookie);

#endif
