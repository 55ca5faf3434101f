/* SPDX-License-Identifier: MIT */
/* Data-parallel primitives: from which lane an operand comes. */
#ifndef RUNTIME_GCN_DPP_H
#define RUNTIME_GCN_DPP_H

#include "runtime/gcn/inst/inst.h"

/* Lane that lane I reads from by CONTROL (enum gcn_dpp_ctrl), or -1. */
static inline int gcn_dpp_lane(uint32_t control, int i)
{
    int row = i & ~15, n = (int)(control & 15);
    if (control < 0x100)
        return (i & ~3) + (int)(control >> (2 * (i & 3)) & 3);
    switch (control & 0x1f0) {
    case GCN_DPP_ROW_SHL: return (i & 15) + n < 16 ? i + n : -1;
    case GCN_DPP_ROW_SHR: return (i & 15) >= n ? i - n : -1;
    case GCN_DPP_ROW_ROR: return row + ((i - n) & 15);
    case GCN_DPP_ROW_NEWBCAST: return row + n;
    default: break;
    }
    switch (control) {
    case GCN_DPP_WAVE_SHL: return i < 63 ? i + 1 : -1;
    case GCN_DPP_WAVE_ROL: return (i + 1) & 63;
    case GCN_DPP_WAVE_SHR: return i - 1;
    case GCN_DPP_WAVE_ROR: return (i - 1) & 63;
    case GCN_DPP_ROW_MIRROR: return row + 15 - (i & 15);
    case GCN_DPP_ROW_HALF_MIRROR: return (i & ~7) + 7 - (i & 7);
    case GCN_DPP_ROW_BCAST15: return row - 1;
    case GCN_DPP_ROW_BCAST31: return i < 32 ? -1 : 31;
    default: return -1;
    }
}

#endif
