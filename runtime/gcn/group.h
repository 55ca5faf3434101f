/* SPDX-License-Identifier: MIT */
/* A kernel dispatch being executed, its work-groups, and the workers that execute them. */
#ifndef RUNTIME_GCN_GROUP_H
#define RUNTIME_GCN_GROUP_H

#include "hsa/amd_hsa_kernel_code.h"
#include "hsa/hsa.h"
#include "runtime/gcn/launch.h"
#include "runtime/gcn/translate/translate.h"
#include "runtime/gcn/turn.h"

#include <stdbool.h>

enum {
    GCN_GROUP_ITEMS_MAX = 1024, /* work-items of a group */
    GCN_GROUP_WAVES_MAX = GCN_GROUP_ITEMS_MAX / GCN_LANES,
    GCN_LDS_MAX = 65536,         /* the most on any target; each target says how much a group may have */
    GCN_COMPUTE_UNITS_MAX = 128, /* as many as the hardware register HW_ID can tell apart */
    GCN_UNIT_SIMDS = 4,
    GCN_PRIORITIES = 3,
    /* How many groups one worker interleaves when they wait for each other. Kernels of a cooperative queue wait for all
     * groups of their grid, perhaps without another worker to help, so for them the limit is higher. */
    GCN_RESIDENT_USUAL = 32,
    GCN_RESIDENT_MAX = 4096,
};

/* What a wave starts with; the same in all groups of one size. */
struct gcn_wave_ids {
    uint32_t id[3][GCN_LANES]; /* work-item ids, by dimension */
    uint64_t lanes;            /* the lanes that have a work-item */
};

/* What groups of one size have in common: full ones, or those at a far edge of the grid. Work-items fill the waves
 * without gaps, in the order of their flat ids, which are counted in the group as large as it really is (PRM 2.6). */
struct gcn_group_shape {
    uint32_t wave_count; /* 0 until the shape is made */
    struct gcn_wave_ids *ids;
};
enum { GCN_SHAPES = 8 }; /* bit I of a number tells that the groups are smaller in dimension I */

/* What the kernel descriptor says about the registers that a wave starts with, read once per dispatch. */
struct gcn_wave_start {
    uint32_t mode;
    uint8_t user_sgprs; /* number of the first scalar register after the user's */
    uint8_t group_ids;  /* bit i: the work-group's id along dimension i is in a scalar register */
    uint8_t item_ids;   /* work-item ids along 1 + ITEM_IDS dimensions are in vector registers */
    bool group_info, scratch;
};

struct gcn_dispatch {
    const struct gcn_target *target;
    struct gcn_cache *cache;
    struct gcn_entry entry;
    amd_kernel_descriptor_t descriptor;
    struct gcn_wave_start start;
    hsa_kernel_dispatch_packet_t packet;
    uint64_t packet_address, queue_address, id;
    struct guest_memory *guest;                       /* what the kernel may touch; NULL: whatever the process may */
    void (*interrupt)(void *data, uint32_t event_id); /* NULL: nobody listens */
    void *interrupt_data;
    uint32_t doorbell; /* the number of its queue's doorbell, which has ten bits; 0: there is none */

    uint32_t size[3], grid[3]; /* work-items of a group, of the grid */
    uint64_t groups[3], group_total;
    uint32_t wave_count;                            /* of a full group */
    uint32_t lds_size, private_size;                /* bytes per group, per work-item */
    uint32_t private_wanted;                        /* PRIVATE_SIZE before it was rounded up */
    uint64_t scratch_wave;                          /* bytes of private memory of one wave */
    uint32_t registers;                             /* what the descriptor asks for, and ... */
    uint32_t vectors, accumulators;                 /* ... how many of either kind the wave has by that */
    uint32_t units;                                 /* how many workers may execute it at once; 0: all */
    uint32_t unit_mask[GCN_COMPUTE_UNITS_MAX / 32]; /* if UNITS is not 0: which compute units they stand for */
    uint32_t priority;                              /* hsa_amd_queue_priority_t of its queue */
    const uint32_t *running;                        /* atomic: its agent's dispatches, by priority; or NULL */
    struct gcn_gws *gws;                            /* of its queue, if that is a cooperative one, or NULL */
    struct gcn_check *check;                        /* NULL: nothing is checked */
    struct gcn_observe *observe;                    /* NULL: nobody observes */
    struct gcn_group_shape shapes[GCN_SHAPES];

    uint64_t next;        /* atomic: first group that nobody has taken */
    uint64_t done;        /* atomic: groups executed */
    uint32_t stop;        /* atomic: if set, start no group and abandon those that run */
    uint32_t fault_state; /* atomic: 0, 1 being written, 2 valid */
    struct gcn_fault fault;
    uint64_t *rest;                  /* the linear numbers of the GROUP_TOTAL groups that are left to do; NULL: all */
    struct gcn_launch_error refused; /* why gcn_dispatch_begin() has failed */
};

struct gcn_group {
    const struct gcn_dispatch *dispatch;
    const struct gcn_group_shape *shape;
    uint32_t worker;     /* number of the host thread */
    uint32_t wave_count; /* how many of WAVES have work-items */
    uint32_t ended, waiting;
    uint32_t rounds; /* rounds in a row in which no wave came to a barrier or its end */
    uint64_t index[3];
    uint8_t *lds;
    uint8_t *scratch;
    uint64_t scratch_size;
    struct guest_memory *guest;    /* the map to which SCRATCH was added */
    struct gcn_group_check *check; /* NULL: nothing is checked */
    struct gcn_group_observe *observe;
    bool in_use;
    struct gcn_wave *waves[GCN_GROUP_WAVES_MAX]; /* kept for the next group that runs here */
    uint8_t state[GCN_GROUP_WAVES_MAX];          /* enum gcn_stop of the last run; YIELD, SLEEP: ready */
    struct gcn_turn turns[GCN_GROUP_WAVES_MAX];
};

struct gcn_worker {
    uint32_t number;
    bool helps; /* it belongs to no queue, and leaves a dispatch when a more urgent one begins */
    struct gcn_group *residents[GCN_RESIDENT_MAX];
};

/* Checks the packet and readies D. Returns HSA_STATUS_SUCCESS; or, if the packet is wrong or memory has run out, the
 * status of a row of tables/launch.def, which D->refused then describes. Release with gcn_dispatch_end(). */
hsa_status_t gcn_dispatch_begin(struct gcn_dispatch *d, struct gcn_cache *cache,
                                const hsa_kernel_dispatch_packet_t *packet, uint64_t packet_address,
                                uint64_t queue_address, uint64_t id);
void gcn_dispatch_end(struct gcn_dispatch *d);

/* Executes groups of D, sharing them with other workers, until none is left to take and those taken are done,
 * or D stops. Returns false when there was no memory for a group. */
bool gcn_worker_run(struct gcn_worker *worker, struct gcn_dispatch *d);
void gcn_worker_free(struct gcn_worker *worker);

/* Number N of the groups that WORKER has a place for; NULL if memory has run out. */
struct gcn_group *gcn_worker_resident(struct gcn_worker *worker, unsigned n);

/* To be called around the execution of waves: the host computes as handlers expect, then as its caller wants. */
uint32_t gcn_float_begin(void);
void gcn_float_end(uint32_t caller_csr);

/* Whether all groups are done, or D has stopped. */
static inline bool gcn_dispatch_is_over(const struct gcn_dispatch *d)
{
    return __atomic_load_n(&d->done, __ATOMIC_ACQUIRE) == d->group_total || __atomic_load_n(&d->stop, __ATOMIC_ACQUIRE);
}

/* Whether the agent executes something more urgent than D. */
static inline bool gcn_dispatch_is_outranked(const struct gcn_dispatch *d)
{
    for (uint32_t p = d->running ? d->priority + 1 : GCN_PRIORITIES; p < GCN_PRIORITIES; p++)
        if (__atomic_load_n(&d->running[p], __ATOMIC_RELAXED))
            return true;
    return false;
}

/* While the agent executes something more urgent than D, pauses, which leaves most of the host's processors to that. */
void gcn_dispatch_let_pass(const struct gcn_dispatch *d);

/* Records FAULT, if it is the first, and stops D. */
void gcn_dispatch_fail(struct gcn_dispatch *d, const struct gcn_fault *fault);

/* The three-dimensional index of the group whose linear index is given; and the shape of the group at an index. */
void gcn_group_index(const struct gcn_dispatch *d, uint64_t linear, uint64_t index[3]);
const struct gcn_group_shape *gcn_group_shape_at(const struct gcn_dispatch *d, const uint64_t index[3]);

/* Shared by dispatch.c, group.c and bulk/. The scalar registers that wave number WAVE of G starts with go to S; returns
 * the number of the first one that is not set. */
bool gcn_group_start(struct gcn_group *g, struct gcn_dispatch *d, uint64_t linear, uint32_t worker);
unsigned gcn_initial_scalars(uint32_t *s, const struct gcn_dispatch *d, const struct gcn_group *g, uint32_t wave);
bool gcn_group_reserve(struct gcn_group *g, const struct gcn_dispatch *d);
void gcn_group_free(struct gcn_group *g);

#endif
