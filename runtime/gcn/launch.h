/* SPDX-License-Identifier: MIT */
/* Why a kernel-dispatch packet is refused: the field, its value, and what it should have been. */
#ifndef RUNTIME_GCN_LAUNCH_H
#define RUNTIME_GCN_LAUNCH_H

#include "hsa/hsam.h"

enum gcn_launch_row {
    GCN_LAUNCH_DONE,
#define LAUNCH(name, id, status, relation, why) GCN_LAUNCH_##name,
#include "runtime/gcn/tables/launch.def"
#undef LAUNCH
};

struct gcn_launch_error {
    enum gcn_launch_row row;
    const char *field; /* as hsa_kernel_dispatch_packet_t calls it */
    uint64_t value, limit;
};

struct gcn_agent;
struct gcn_dispatch;
struct packet_error;

/* Records why D is refused; returns the status. */
hsa_status_t gcn_launch_refuse(struct gcn_dispatch *d, enum gcn_launch_row row, const char *field, uint64_t value,
                               uint64_t limit);

/* Compares the packet of D, which gcn_dispatch_begin() has accepted, with what the kernel needs; KERNEL is what its
 * code object says. */
hsa_status_t gcn_launch_check(struct gcn_dispatch *d, const hsam_kernel *kernel);

/* Has AGENT report why D was refused on QUEUE, and puts status and text into ERROR. */
void gcn_launch_report(const struct gcn_dispatch *d, const struct gcn_agent *agent, const amd_queue_t *queue,
                       struct packet_error *error);

#endif
