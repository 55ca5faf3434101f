/* SPDX-License-Identifier: MIT */
/* The functions of hsa_generic_driver_interface that do not concern signals. hsam.h documents them. */
#ifndef RUNTIME_DRIVER_SERVICES_H
#define RUNTIME_DRIVER_SERVICES_H

#include "hsa/hsam.h"

void service_client_error(hsam_handle_t client, const hsam_fault *fault);
void service_destination_unreachable(hsam_handle_t client, hsa_signal_t signal, uint32_t device_driver_id);
void service_queue_error(amd_queue_t *queue, hsa_status_t status, const char *text); /* queue.c */
HSAM_Error service_memory_reserve(hsam_handle_t client, size_t size, void **at);
HSAM_Error service_memory_unreserve(hsam_handle_t client, void *at, size_t size);
HSAM_Error service_memory_allocate(hsam_handle_t client, size_t size, void **at);
HSAM_Error service_memory_allocate_locked(hsam_handle_t client, size_t size, void **at);
HSAM_Error service_memory_free(hsam_handle_t client, void *at, size_t size);
HSAM_Error service_launch_dll(hsam_handle_t client, const char *file);

/* Forgets system event handlers and the drivers' memory. */
void services_shut_down(void);

#endif
