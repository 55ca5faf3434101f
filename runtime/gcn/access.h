/* SPDX-License-Identifier: MIT */
/* What memory an instruction accesses: for reports of faults, and for the checkers. */
#ifndef RUNTIME_GCN_ACCESS_H
#define RUNTIME_GCN_ACCESS_H

#include "hsa/hsam.h"
#include "runtime/gcn/exec/exec.h"

struct gcn_access {
    uint64_t lanes; /* those that access something; a scalar instruction counts as one of the first active lane */
    uint64_t address[2][GCN_LANES]; /* offsets of group and private memory */
    uint8_t segment[GCN_LANES];     /* enum hsam_access_segment */
    uint64_t foreign;               /* those with a flat address that another group, or another wave, has made */
    uint32_t foreign_high;          /* the upper half of the first one of these */
    uint32_t bytes;                 /* of each part */
    uint8_t parts;                  /* elements per lane: 1 or 2 */
    bool scalar, reads, writes, atomic;
    bool lines;         /* the lines of src[1] and, for a second part, src[2] hold what lanes store */
    bool uniform;       /* all lanes access the same segment */
    uint64_t low, high; /* if UNIFORM, the lowest and the highest address */
};

/* Computes what the micro-operation OP of W, of operation ID (enum gcn_op), accesses. Returns false if it accesses no
 * memory, or in a way that is not described here, as image instructions do. */
bool gcn_access_of(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, struct gcn_access *access);

/* Whether all lanes are active and access addresses at equal distances, upwards, by OP, which knows no apertures
 * (GCN_SEG_GLOBAL). If so, *LOW and *HIGH become the first and the last address. */
bool gcn_access_steps(const struct gcn_wave *w, const struct gcn_uop *op, uint64_t *low, uint64_t *high);

/* The segment of a flat address of W with the upper half HIGH. */
enum hsam_access_segment gcn_aperture_segment(const struct gcn_wave *w, uint32_t high);

/* The lane of ACCESS that touches ADDRESS (as a fault names it), or -1. */
int gcn_access_lane(const struct gcn_access *access, uint64_t address);

#endif
