/* SPDX-License-Identifier: MIT */
/* The shadow of a wave's registers; see shadow.h.
 * Input: which registers are written. Output: their undefined bits.
 * Invariant: lanes without a work-item have no undefined bits, so that they keep no register mixed. */
#include "runtime/gcn/check/shadow.h"

#include <string.h>

void shadow_start(struct gcn_shadow *shadow, uint64_t lanes, unsigned lines, unsigned scalars)
{
    shadow->lanes = lanes;
    shadow->scc = UINT32_MAX;
    shadow->scc_origin = 0;
    memset(shadow->state, SHADOW_NEVER, sizeof shadow->state);
    memset(shadow->state, SHADOW_WRITTEN, lines);
    memset(shadow->line_origin, 0, sizeof shadow->line_origin);
    memset(shadow->scalar, 0, sizeof shadow->scalar);
    memset(shadow->scalar_origin, 0, sizeof shadow->scalar_origin);
    for (unsigned i = scalars; i < GCN_XNACK_MASK_LO; i++)
        shadow->scalar[i] = UINT32_MAX;
    shadow->scalar[GCN_VCC_LO] = shadow->scalar[GCN_VCC_HI] = shadow->scalar[GCN_M0] = UINT32_MAX;
}

const uint32_t *shadow_look(const struct gcn_shadow *shadow, unsigned r)
{
    static const uint32_t none[GCN_LANES];
    static const uint32_t all[GCN_LANES] = {[0 ... GCN_LANES - 1] = UINT32_MAX};
    return shadow->state[r] == SHADOW_MIXED ? shadow->line[r] : shadow->state[r] == SHADOW_NEVER ? all : none;
}

uint32_t *shadow_change(struct gcn_shadow *shadow, unsigned r)
{
    uint32_t *line = shadow->line[r];
    if (shadow->state[r] != SHADOW_MIXED)
        for (unsigned i = 0; i < GCN_LANES; i++)
            line[i] = shadow->state[r] == SHADOW_NEVER && shadow->lanes >> i & 1 ? UINT32_MAX : 0;
    shadow->state[r] = SHADOW_MIXED;
    return line;
}

void shadow_settle(struct gcn_shadow *shadow, unsigned r)
{
    uint32_t found = 0;
    for (unsigned i = 0; i < GCN_LANES; i++)
        found |= shadow->line[r][i];
    if (!found)
        shadow->state[r] = SHADOW_WRITTEN;
}

static void write_line(struct gcn_shadow *shadow, unsigned r, uint64_t exec)
{
    if (!(shadow->lanes & ~exec)) {
        shadow->state[r] = SHADOW_WRITTEN;
        return;
    }
    uint32_t *line = shadow_change(shadow, r);
    for (unsigned i = 0; i < GCN_LANES; i++)
        line[i] = exec >> i & 1 ? 0 : line[i];
    shadow_settle(shadow, r);
}

void shadow_write(struct gcn_shadow *shadow, const struct init_span *span, uint64_t exec)
{
    for (unsigned i = span->first; i < span->first + (unsigned)span->count; i++)
        if (span->scalar)
            shadow->scalar[i] = 0;
        else if (shadow->state[i] != SHADOW_WRITTEN)
            write_line(shadow, i, exec);
}

uint64_t shadow_lanes(const struct gcn_shadow *shadow, const struct init_span *span, uint64_t exec)
{
    uint64_t found = 0;
    for (unsigned r = span->first; r < span->first + (unsigned)span->count; r++) {
        const uint32_t *line = shadow_look(shadow, r);
        for (unsigned i = 0; shadow->state[r] && i < GCN_LANES; i++)
            found |= (uint64_t)(line[i] != 0) << i;
    }
    return found & exec;
}
