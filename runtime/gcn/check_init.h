/* SPDX-License-Identifier: MIT */
/* The checker of initialisation: what its parts share. The shadow of a wave says which bits of its registers were never
 * written; that of memory, the other way round, which bits were, as fresh pages are zero. */
#ifndef RUNTIME_GCN_CHECK_INIT_H
#define RUNTIME_GCN_CHECK_INIT_H

#include "runtime/gcn/check.h"
#include "runtime/gcn/init_plan.h"
#include "runtime/gcn/shadow.h"
#include "runtime/gcn/shadow_rule.h"

struct init_step {
    struct gcn_wave *w;
    struct gcn_shadow *shadow;
    const struct init_plan *plan;
    const struct gcn_uop *op; /* the checker's */
    struct gcn_check *check;
    uint64_t exec;
};

/* What the checker knows of a work-group. */
struct init_group {
    struct gcn_shadow *waves[GCN_GROUP_WAVES_MAX];
    uint8_t *lds;     /* as the group's memory: bits that were written */
    uint8_t *scratch; /* likewise, as large as that of the group */
    uint64_t scratch_size;
    const struct fresh_extent *known[GCN_EXTENTS]; /* looked up last */
    unsigned next;
    bool has_origins;
    struct { /* where undefined values in memory come from, for the addresses looked at last */
        uint64_t address;
        uint32_t origin;
    } origins[256];
};

/* The number of an origin, which the step reads; 0 if there are too many. */
uint32_t init_memory_origin(const struct init_step *s, uint8_t segment, uint64_t address);

/* The origin of line or scalar R, in a step that reads it. */
uint32_t init_line_origin(const struct init_step *s, unsigned r);
uint32_t init_scalar_origin(const struct init_step *s, unsigned r);
uint32_t init_span_origin(const struct init_step *s, const struct init_span *span);

/* Reports that LANES (0: the wave) use a value that comes from ORIGIN. ACCESS tells the memory; it may be NULL. */
void init_report(const struct init_step *s, enum gcn_finding_kind kind, uint64_t lanes, uint32_t origin,
                 const struct gcn_access *access);

/* check_init_memory.c: an instruction that accesses memory. */
void init_step_memory(const struct init_step *s);

/* check_fresh.c: global memory that nobody had written when the dispatch began. NULL: ADDRESS lies in no such memory.
 * The shadow of the byte at BASE is at DEFINED[0]. */
struct fresh_extent {
    uint64_t base, size;
    uint8_t *defined; /* NULL: all is written */
    uint8_t *present; /* by page, if DEFINED: 1 if it was written before */
};

const struct fresh_extent *fresh_find(struct gcn_check *check, struct init_group *group, uint64_t address);
/* Whether the page of ADDRESS, which EXTENT holds, had been written. */
bool fresh_is_present(const struct fresh_extent *extent, uint64_t address);
void fresh_free(struct gcn_check *check);

bool init_group_start(struct gcn_group *g);
void init_group_free(struct gcn_group *g);
void init_wave_start(struct gcn_wave *w, unsigned lines, unsigned scalars);

#endif
