/* SPDX-License-Identifier: MIT */
/* The registers and memory of a kernel, and how many of its waves a SIMD holds at once because of them. */
#ifndef RUNTIME_GCN_OBSERVE_OCCUPANCY_H
#define RUNTIME_GCN_OBSERVE_OCCUPANCY_H

#include "hsa/hsam.h"
#include "runtime/gcn/group.h"
#include "support/textbuf.h"

/* What may limit the waves of a SIMD. */
enum gcn_limit { GCN_LIMIT_HARDWARE, GCN_LIMIT_VGPRS, GCN_LIMIT_SGPRS, GCN_LIMIT_LDS, GCN_LIMIT_GROUP, GCN_LIMITS };

struct gcn_occupancy {
    const struct gcn_target *target;
    bool exact; /* VGPRS to SGPR_SPILLS are what the kernel uses; else only what it allocates is known */
    uint32_t vgprs, agprs, sgprs; /* those that the kernel uses */
    uint32_t vgpr_spills, sgpr_spills;
    uint32_t vgprs_allocated, sgprs_allocated; /* of a wave */
    uint32_t scratch, lds;                     /* bytes per work-item, per work-group */
    uint32_t group_waves;                      /* waves of a work-group */
    uint32_t waves[GCN_LIMITS];                /* how many on a SIMD each of the limits allows */
    uint32_t occupancy;                        /* the least of these numbers */
    enum gcn_limit limit;                      /* the first limit that allows only so many */
};

struct gcn_occupancy gcn_occupancy(const struct gcn_dispatch *d, const hsam_kernel *kernel);

/* These append lines for people, the members of a JSON object without its braces, and a whole line of JSON. */
void gcn_occupancy_text(const struct gcn_occupancy *o, const char *kernel, struct textbuf *text);
void gcn_occupancy_json(const struct gcn_occupancy *o, struct textbuf *json);
void gcn_occupancy_line(const struct gcn_occupancy *o, const char *kernel, struct textbuf *json);

#endif
