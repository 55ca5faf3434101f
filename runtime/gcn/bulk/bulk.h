/* SPDX-License-Identifier: MIT */
/* Copies and fills of memory that kernels do, done at once.
 *
 * Most work-groups of a kernel that copies or fills memory do the same to bytes whose addresses depend linearly on the
 * ids of group and work-item. If that can be proved from the machine code, the arguments and the size of the grid, the
 * bytes are moved as by memcpy() and memset(); only groups of which it cannot be proved are interpreted. */
#ifndef RUNTIME_GCN_BULK_H
#define RUNTIME_GCN_BULK_H

#include "runtime/gcn/group.h"

/* Executes groups of D if that is possible and pays, and leaves the others in D->rest. D must not be checked or
 * observed, and no wave of it may have run. */
void gcn_bulk_run(struct gcn_dispatch *d);

#endif
