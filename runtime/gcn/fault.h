/* SPDX-License-Identifier: MIT */
/* Faults of kernels, as the queue reports them. */
#ifndef RUNTIME_GCN_FAULT_H
#define RUNTIME_GCN_FAULT_H

#include "runtime/gcn/gcn_agent.h"
#include "runtime/gcn/group.h"
#include "runtime/packet.h"

/* Adds to the fault of W, a wave of G, which work-item caused it and what that accessed, as far as this is known. */
void gcn_fault_locate(const struct gcn_group *g, struct gcn_wave *w);

/* Fills in the ids of the group and, unless LANE is negative, of the work-item in that lane of W. */
void gcn_locate_item(const struct gcn_group *g, const struct gcn_wave *w, int lane, uint64_t group[3],
                     uint32_t item[3]);

/* Has AGENT report the fault of D on QUEUE, and puts its status and text into ERROR. Memory faults are reported to the
 * handlers of system events as well. */
void gcn_fault_report(const struct gcn_dispatch *d, const struct gcn_agent *agent, const amd_queue_t *queue,
                      struct packet_error *error);

#endif
