/* SPDX-License-Identifier: MIT */
/* Kernels that copy or fill memory, or compute a little from streams of it, executed for all waves at once.
 *
 * Most work-groups of such a kernel do the same to bytes whose addresses depend linearly on the ids of group and
 * work-item. If that can be proved from the machine code, the arguments and the size of the grid, bytes are moved as by
 * memcpy() and memset(); or each wave executes a program without what computes addresses. Only groups of which it
 * cannot be proved are interpreted. */
#ifndef RUNTIME_GCN_BULK_H
#define RUNTIME_GCN_BULK_H

#include "runtime/gcn/pool.h"

/* Executes groups of D if that is possible and pays, and leaves the others in D->rest. D must not be checked or
 * observed, and no wave of it may have run. WORKER is that of the calling thread; helpers of POOL share it. */
void gcn_bulk_run(struct gcn_dispatch *d, struct gcn_worker *worker, struct gcn_pool *pool);

#endif
