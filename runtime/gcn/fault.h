/* SPDX-License-Identifier: MIT */
/* Faults of kernels, as the queue reports them. */
#ifndef RUNTIME_GCN_FAULT_H
#define RUNTIME_GCN_FAULT_H

#include "runtime/gcn/agent.h"
#include "runtime/gcn/group.h"
#include "runtime/packet.h"

/* Adds to the fault of W, a wave of G, which work-item it was and what it accessed, as far as that can be told. */
void gcn_fault_locate(const struct gcn_group *g, struct gcn_wave *w);

/* Fills in the group and, if LANE is not negative, the work-item of that lane of W. */
void gcn_locate_item(const struct gcn_group *g, const struct gcn_wave *w, int lane, uint64_t group[3],
                     uint32_t item[3]);

/* Reports the fault of D, by AGENT for QUEUE; ERROR becomes its status and its text. Handlers of system events learn of
 * faults of memory. */
void gcn_fault_report(const struct gcn_dispatch *d, const struct gcn_agent *agent, const amd_queue_t *queue,
                      struct packet_error *error);

#endif
