/* SPDX-License-Identifier: MIT */
/* The driver of the CPU agent, which also gives out the host's memory. */
#ifndef RUNTIME_HOST_HOST_H
#define RUNTIME_HOST_HOST_H

#include "hsa/hsam.h"

/* Registers the CPU; returns 1, or a negative HSAM_Error. */
int host_driver_init(hsa_register_agent_t register_agent);

/* Read from the environment whether memory is to lie between guards; give back the addresses of freed memory. */
void host_memory_init(void);
void host_memory_fini(void);

/* The functions of the interface that concern memory; documented in hsam.h. */
HSAM_Error host_memory_new(void *driver, hsam_handle_t client, const hsam_memory_request *request, void *cookie,
                           hsam_memory *memory);
HSAM_Error host_memory_delete(void *driver, hsam_handle_t client, const hsam_memory *memory, void *cookie);
HSAM_Error host_memory_resident(void *driver, hsam_handle_t client, void *address, size_t size,
                                hsam_residence residence, void *cookie);
HSAM_Error host_memory_protect(void *driver, hsam_handle_t client, void *address, size_t size, void *cookie);

#endif
