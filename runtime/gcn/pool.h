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

/* Work that several threads may share; it belongs to DISPATCH. */
struct gcn_shared_work {
    struct gcn_dispatch *dispatch;
    void (*run)(struct gcn_shared_work *work, struct gcn_worker *worker); /* does parts of it until none is left */
    bool (*is_left)(const struct gcn_shared_work *work);                  /* thread-safe */
};

/* Runs WORK on the calling thread, which is WORKER, and on helpers. Returns when all of them have returned. */
void gcn_pool_share(struct gcn_pool *pool, struct gcn_worker *worker, struct gcn_shared_work *work);

#endif
