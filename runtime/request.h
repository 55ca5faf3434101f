/* SPDX-License-Identifier: MIT */
/* One request from the core to an agent driver, which may answer later (MV 2.2).
 *
 *     struct request request;
 *     HSAM_Error e = request_finish(&request, interface->queue_remove(driver, ..., request_start(&request)));
 */
#ifndef RUNTIME_REQUEST_H
#define RUNTIME_REQUEST_H

#include "hsa/hsam.h"

struct request {
    struct request *next;
    uint64_t id; /* the cookie */
    HSAM_Error result;
    bool answered;
};

/* Registers a request on the caller's stack; returns the cookie for the driver. */
void *request_start(struct request *request);

/* Returns the final result of a request, given what the driver has returned. After HSAM_Async it waits. */
HSAM_Error request_finish(struct request *request, HSAM_Error returned);

/* hsa_generic_driver_interface.agent_reply. */
void request_reply(HSAM_Error result, void *cookie);

/* The status for the client of a request that the driver answered with RESULT. */
hsa_status_t request_status(HSAM_Error result);

#endif
