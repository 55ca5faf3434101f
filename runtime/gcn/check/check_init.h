/* SPDX-License-Identifier: MIT */
/* The checker of initialisation: what its parts share. The shadow of a wave says which bits of its registers were never
 * written; that of memory, the other way round, which bits were, as fresh pages are zero. */
#ifndef RUNTIME_GCN_CHECK_INIT_H
#define RUNTIME_GCN_CHECK_INIT_H

#include "runtime/gcn/check/check.h"
#include "runtime/gcn/check/init_plan.h"
#include "runtime/gcn/check/shadow.h"
#include "runtime/gcn/check/shadow_rule.h"

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
    uint8_t *lds;     /* laid out as the group's memory: the bits that were written */
    uint8_t *scratch; /* likewise, as large as that of the group */
    uint64_t scratch_size;
    const struct fresh_extent *known[GCN_EXTENTS]; /* those looked up last */
    unsigned next;
    bool has_origins;
    struct { /* where undefined values in memory come from, for the addresses looked at last */
        uint64_t address;
        uint32_t origin;
    } origins[256];
};

/* The number of the origin of undefined bits that the step reads at ADDRESS; 0 if there are too many origins. */
uint32_t init_memory_origin(const struct init_step *s, uint8_t segment, uint64_t address);

/* The origin of line or scalar R, in a step that reads it. */
uint32_t init_line_origin(const struct init_step *s, unsigned r);
uint32_t init_scalar_origin(const struct init_step *s, unsigned r);

/* The origin of the first register with undefined bits in SPAN, or in all that the step reads. */
uint32_t init_span_origin(const struct init_step *s, const struct init_span *span);
uint32_t init_sources_origin(const struct init_step *s);

/* The number of the origin for register NUMBER, which this step reads. */
uint32_t init_register_origin(const struct init_step *s, enum gcn_origin_kind kind, uint64_t number);

/* Whether no bit that the step reads from registers is undefined. */
bool init_sources_are_written(const struct init_step *s);

/* A scalar operand, with its shadow. */
struct shadowed init_scalar_operand(const struct init_step *s, unsigned slot);

/* The 64 bits in two scalar registers. */
static inline uint64_t init_mask_bits(const uint32_t *scalars, unsigned code)
{
    return scalars[code] | (uint64_t)scalars[code + 1] << 32;
}

/* Puts the shadow MASK into the scalar registers of SPAN. */
void init_put_mask(const struct init_step *s, const struct init_span *span, uint64_t mask, uint32_t origin);

/* Notes that EXEC is set: the bits of the lanes UNDEFINED are undefined and come from ORIGIN. */
void init_use_exec(const struct init_step *s, uint64_t undefined, uint32_t origin);

/* Reports that LANES (0: the wave) use a value that comes from ORIGIN. ACCESS says which memory they access; it may be
 * NULL. */
void init_report(const struct init_step *s, enum gcn_finding_kind kind, uint64_t lanes, uint32_t origin,
                 const struct gcn_access *access);

/* These check one instruction each: check_init_vector.c, check_init_scalar.c, check_init_memory.c. */
void init_step_vector(const struct init_step *s);
void init_step_lane(const struct init_step *s);
void init_step_scalar(const struct init_step *s);
void init_step_branch(const struct init_step *s);
void init_step_memory(const struct init_step *s);

/* check_fresh.c: an allocation in global memory, and what nobody had written of it when the dispatch began. The shadow
 * of the byte at BASE is at DEFINED[0]. */
struct fresh_extent {
    uint64_t base, size;
    uint8_t *defined; /* NULL: all is written */
    uint8_t *present; /* one byte per page, if DEFINED is not NULL: 1 if the page had been written */
};

/* The allocation that holds ADDRESS; NULL if there is none. */
const struct fresh_extent *fresh_find(struct gcn_check *check, struct init_group *group, uint64_t address);
/* Whether the page of ADDRESS, which EXTENT holds, had been written. */
bool fresh_is_present(const struct fresh_extent *extent, uint64_t address);
void fresh_free(struct gcn_check *check);

bool init_group_start(struct gcn_group *g);
void init_group_free(struct gcn_group *g);
void init_wave_start(struct gcn_wave *w, unsigned lines, unsigned scalars);

#endif
