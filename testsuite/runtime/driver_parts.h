/* SPDX-License-Identifier: MIT */
/* What the files of the test driver share. */
#ifndef TESTSUITE_RUNTIME_DRIVER_PARTS_H
#define TESTSUITE_RUNTIME_DRIVER_PARTS_H

#include "testsuite/runtime/test_driver.h"

extern struct test_driver_counts test_driver_counts;

#define COUNT(what) __atomic_add_fetch(&test_driver_counts.what, 1, __ATOMIC_RELAXED)

/* Answers a request, at once or later. */
HSAM_Error test_driver_reply(HSAM_Error result, void *cookie);

/* Chooses the kind of memory and the functions for it, including those below. */
void test_driver_memory(hsa_agent_driver_interface *interface, bool vram, bool fakevram, bool lying, bool shy);

HSAM_Error test_driver_memory_allocation(void *driver, hsam_handle_t client, void *address, size_t size,
                                         hsam_segment segment, uint32_t flags, void *cookie);
HSAM_Error test_driver_memory_free(void *driver, hsam_handle_t client, void *address, void *cookie);
HSAM_Error test_driver_memory_acquire(void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access,
                                      void *cookie);
HSAM_Error test_driver_memory_release(void *driver, hsam_handle_t client, void *address, void *cookie);
HSAM_Error test_driver_memory_copy(void *driver, hsam_handle_t client, void *to, const void *from, size_t size,
                                   void *cookie);

#endif
