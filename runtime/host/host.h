/* SPDX-License-Identifier: MIT */
/* The driver of the CPU agent. */
#ifndef RUNTIME_HOST_HOST_H
#define RUNTIME_HOST_HOST_H

#include "hsa/hsam.h"

/* Registers the CPU; returns 1, or a negative HSAM_Error. */
int host_driver_init(hsa_register_agent_t register_agent);

#endif
