/* SPDX-License-Identifier: MIT */
/* Host threads that help queues to execute dispatches. */
#ifndef RUNTIME_GCN_POOL_H
#define RUNTIME_GCN_POOL_H

#include "runtime/gcn/group.h"

struct gcn_pool;

/* HELPERS threads, besides the caller's own. NULL when out of resources. */
struct gcn_pool *gcn_pool_new(unsigned helpers);
void gcn_pool_free(struct gcn_pool *pool); /* NULL is ignored; no dispatch may be running */

/* Executes D with the calling thread as WORKER, and with helpers if that pays. Returns when all its groups
 * are done or it stopped; false when a group was not executed for lack of memory. */
bool gcn_pool_run(struct gcn_pool *pool, struct gcn_worker *worker, struct gcn_dispatch *d);

#endif
