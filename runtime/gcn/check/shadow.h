/* SPDX-License-Identifier: MIT */
/* The shadow of a wave's registers: which of their bits were never written. Most registers have no such bits most of
 * the time, or nothing else; so the state of a register is looked at first, and its bits only if it is mixed. */
#ifndef RUNTIME_GCN_SHADOW_H
#define RUNTIME_GCN_SHADOW_H

#include "runtime/gcn/check/init_plan.h"
#include "runtime/gcn/wave.h"

enum { SHADOW_LINES = 2 * GCN_VGPRS, SHADOW_SCALARS = GCN_SGPRS + 16 };

enum shadow_state {
    SHADOW_WRITTEN, /* no bit of any lane is undefined; the line means nothing */
    SHADOW_MIXED,   /* as the line says */
    SHADOW_NEVER,   /* all bits of the lanes that have a work-item are undefined; the line means nothing */
};

/* Origins are numbers of struct gcn_origin; 0: the register itself was never written. */
struct gcn_shadow {
    uint64_t lanes; /* those that have a work-item */
    uint32_t scc, scc_origin;
    uint8_t state[SHADOW_LINES];
    uint32_t line_origin[SHADOW_LINES];
    uint32_t scalar[SHADOW_SCALARS], scalar_origin[SHADOW_SCALARS];
    uint32_t line[SHADOW_LINES][GCN_LANES] __attribute__((aligned(64)));
};

/* Nothing is written but the first LINES vector and the first SCALARS scalar registers, and those that the machine
 * always sets. */
void shadow_start(struct gcn_shadow *shadow, uint64_t lanes, unsigned lines, unsigned scalars);

static inline bool shadow_is_written(const struct gcn_shadow *shadow, const struct init_span *span)
{
    uint32_t found = 0;
    for (unsigned i = span->first; i < span->first + (unsigned)span->count; i++)
        found |= span->scalar ? shadow->scalar[i] : shadow->state[i];
    return !found;
}

/* The bits of line R, to look at or to change. After a change, call shadow_settle(), which finds out the state. */
const uint32_t *shadow_look(const struct gcn_shadow *shadow, unsigned r);
uint32_t *shadow_change(struct gcn_shadow *shadow, unsigned r);
void shadow_settle(struct gcn_shadow *shadow, unsigned r);

/* Notes that SPAN is written: all of it if these are scalars, else the lanes EXEC of its lines. */
void shadow_write(struct gcn_shadow *shadow, const struct init_span *span, uint64_t exec);

/* The lanes of EXEC in which some bit of SPAN, which are lines, is undefined. */
uint64_t shadow_lanes(const struct gcn_shadow *shadow, const struct init_span *span, uint64_t exec);

#endif
