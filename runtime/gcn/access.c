/* SPDX-License-Identifier: MIT */
/* What memory an instruction accesses.
 * Input: a wave about to execute a memory instruction, or stopped by it. Output: addresses by lane.
 * Invariant: the wave is not changed; the addresses are those that the handlers use. */
#include "runtime/gcn/access.h"

#include "runtime/gcn/exec/exec_buffer.h"
#include "runtime/gcn/exec/exec_flat.h"
#include "runtime/gcn/inst/inst.h"

#include <string.h>

/* GLOBAL instructions know no apertures. Here and for group memory, the addresses of lanes that are not active are
 * computed too, because a loop without branches is quicker. */
static void global(const struct gcn_wave *w, const struct gcn_uop *op, struct gcn_access *a)
{
    const uint32_t *v = gcn_line(w, op->src[0]);
    uint64_t base = (uint64_t)(int64_t)op->imm + (op->aux & GCN_SADDR ? gcn_s64(w, op->src[2]) : 0);
    memset(a->segment, HSAM_ACCESS_GLOBAL, sizeof a->segment);
    if (op->aux & GCN_SADDR)
        for (unsigned i = 0; i < GCN_LANES; i++)
            a->address[0][i] = base + v[i];
    else
        for (unsigned i = 0; i < GCN_LANES; i++)
            a->address[0][i] = base + (v[i] | (uint64_t)v[GCN_LANES + i] << 32);
}

enum hsam_access_segment gcn_aperture_segment(const struct gcn_wave *w, uint32_t high)
{
    switch (gcn_aperture_of(w, high)) {
    case GCN_APERTURE_GROUP: return HSAM_ACCESS_GROUP;
    case GCN_APERTURE_PRIVATE: return HSAM_ACCESS_PRIVATE;
    case GCN_APERTURE_NONE: break;
    }
    return HSAM_ACCESS_GLOBAL;
}

static void flat(const struct gcn_wave *w, const struct gcn_uop *op, struct gcn_access *a)
{
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t address = op->aux & GCN_SEG_SCRATCH ? gcn_scratch_address(w, op, lane) : gcn_flat_address(w, op, lane);
        enum hsam_access_segment segment = HSAM_ACCESS_PRIVATE;
        if (!(op->aux & GCN_SEG_SCRATCH)) {
            uint32_t high = (uint32_t)(address >> 32);
            bool foreign = gcn_aperture_is_foreign(w, high);
            segment = gcn_aperture_segment(w, high);
            a->foreign_high = foreign && !a->foreign ? high : a->foreign_high;
            a->foreign |= (uint64_t)foreign << lane;
        }
        a->address[0][lane] = segment == HSAM_ACCESS_GLOBAL ? address : (uint32_t)address;
        a->segment[lane] = (uint8_t)segment;
    }
}

static void group(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, struct gcn_access *a)
{
    uint64_t flags = gcn_op_info[id].flags;
    uint32_t scale = flags & GCN_F_ST64 ? 64 * a->bytes : a->bytes, imm = (uint32_t)op->imm;
    bool two = flags & GCN_F_OFFSET2, by_lane = id == GCN_OP_ds_read_addtid_b32 || id == GCN_OP_ds_write_addtid_b32;
    const uint32_t *address = gcn_line(w, op->src[0]);
    a->parts = two ? 2 : 1;
    uint32_t first = two ? (imm & 255) * scale : imm, second = (imm >> 8 & 255) * scale;
    memset(a->segment, HSAM_ACCESS_GROUP, sizeof a->segment);
    for (unsigned lane = 0; by_lane && lane < GCN_LANES; lane++)
        a->address[0][lane] = (uint32_t)((w->s[GCN_S_M0] & 0xffff) + 4 * lane + imm);
    for (unsigned lane = 0; !by_lane && lane < GCN_LANES; lane++)
        a->address[0][lane] = (uint32_t)(address[lane] + first);
    for (unsigned lane = 0; two && lane < GCN_LANES; lane++)
        a->address[1][lane] = (uint32_t)(address[lane] + second);
}

/* Private memory or a linear buffer. Lanes whose element lies outside of the buffer access nothing and are left out.
 * False for other swizzled buffers. */
static bool buffer(const struct gcn_wave *w, const struct gcn_uop *op, struct gcn_access *a)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    bool private = gcn_buffer_is_private(&b, op);
    if (b.swizzle && !private)
        return false;
    if (private) {
        const uint32_t *v = gcn_line(w, op->src[0]);
        uint64_t first = (b.base - (uintptr_t)w->scratch) / GCN_LANES;
        uint32_t variable = op->aux & GCN_OFFEN ? UINT32_MAX : 0;
        memset(a->segment, HSAM_ACCESS_PRIVATE, sizeof a->segment);
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            a->address[0][lane] = first + (uint32_t)((uint32_t)op->imm + (v[lane] & variable));
        return true;
    }
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t offset = gcn_buffer_offset(w, op, lane);
        uint32_t index = (op->aux & GCN_IDXEN ? gcn_line(w, op->src[0])[lane] : 0) + (b.add_tid ? lane : 0);
        bool inside =
            b.stride && op->aux & GCN_IDXEN ? index < b.records : (uint64_t)offset + a->bytes + b.soffset <= b.records;
        a->segment[lane] = HSAM_ACCESS_GLOBAL;
        a->address[0][lane] = b.base + (uint64_t)index * b.stride + offset;
        if (!inside)
            a->lanes &= ~(UINT64_C(1) << lane);
    }
    return true;
}

static bool is_scratch(unsigned id)
{
    switch (id) {
    case GCN_OP_s_scratch_load_dword:
    case GCN_OP_s_scratch_load_dwordx2:
    case GCN_OP_s_scratch_load_dwordx4:
    case GCN_OP_s_scratch_store_dword:
    case GCN_OP_s_scratch_store_dwordx2:
    case GCN_OP_s_scratch_store_dwordx4: return true;
    default: return false;
    }
}

static bool scalar(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, struct gcn_access *a)
{
    uint64_t offset = (uint64_t)(int64_t)op->imm + gcn_s32(w, op->src[1]);
    if (gcn_op_info[id].src[0] == GCN_T_B128 || is_scratch(id)) /* 128 bits: the descriptor of a buffer */
        return false;
    unsigned lane = (unsigned)__builtin_ctzll(a->lanes);
    a->scalar = true;
    a->lanes = UINT64_C(1) << lane;
    a->segment[lane] = HSAM_ACCESS_GLOBAL;
    a->address[0][lane] = (gcn_s64(w, op->src[0]) + offset) & ~UINT64_C(3);
    return true;
}

/* Whether the addresses of all lanes lie at equal distances, upwards, as they do in most kernels. */
static bool has_step(const uint64_t address[GCN_LANES])
{
    uint64_t step = address[1] - address[0], other = (address[GCN_LANES - 1] - address[GCN_LANES - 2]) ^ step;
    for (unsigned i = 0; i < GCN_LANES - 2; i++) /* an even number, which is quick */
        other |= (address[i + 1] - address[i]) ^ step;
    return !other && step < UINT32_MAX;
}

static bool is_one_segment(const struct gcn_access *a)
{
    uint8_t other = 0;
    for (unsigned i = 0; i < GCN_LANES; i++)
        other |= a->segment[i] ^ a->segment[0];
    return !other;
}

/* Widens LOW and HIGH of A to the addresses in PART. */
static void widen(struct gcn_access *a, unsigned part)
{
    const uint64_t *address = a->address[part];
    uint64_t low = a->low, high = a->high;
    if (a->lanes == UINT64_MAX && has_step(address)) {
        low = address[0] < low ? address[0] : low;
        high = address[GCN_LANES - 1] > high ? address[GCN_LANES - 1] : high;
    } else {
        for (uint64_t left = a->lanes; left; left &= left - 1) {
            uint64_t at = address[__builtin_ctzll(left)];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
    }
    a->low = low;
    a->high = high;
}

static void find_span(struct gcn_access *a)
{
    a->uniform = a->lanes != 0;
    if (!a->uniform)
        return;
    if (a->lanes == UINT64_MAX) {
        a->uniform = is_one_segment(a);
    } else {
        uint8_t segment = a->segment[__builtin_ctzll(a->lanes)];
        for (uint64_t left = a->lanes; left; left &= left - 1)
            a->uniform &= a->segment[__builtin_ctzll(left)] == segment;
    }
    a->low = UINT64_MAX;
    a->high = 0;
    for (unsigned part = 0; part < a->parts; part++)
        widen(a, part);
}

bool gcn_access_steps(const struct gcn_wave *w, const struct gcn_uop *op, uint64_t *low, uint64_t *high)
{
    const uint32_t *v = gcn_line(w, op->src[0]), *upper = v + GCN_LANES;
    enum { LAST = GCN_LANES - 1 };
    bool saddr = op->aux & GCN_SADDR;
    if (~gcn_exec(w))
        return false;
    uint32_t step = v[1] - v[0], other = (v[LAST] - v[LAST - 1]) ^ step;
    for (unsigned i = 0; i < LAST - 1; i++) /* an even number, which is quick */
        other |= (v[i + 1] - v[i]) ^ step;
    for (unsigned i = 0; !saddr && i < GCN_LANES; i++)
        other |= upper[i] ^ upper[0];
    if (other || step > (UINT32_MAX - v[0]) / LAST)
        return false;
    *low = (uint64_t)(int64_t)op->imm + v[0] + (saddr ? gcn_s64(w, op->src[2]) : (uint64_t)upper[0] << 32);
    *high = *low + (uint64_t)LAST * step;
    return true;
}

static bool addresses_of(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, struct gcn_access *a)
{
    const struct gcn_op_info *info = &gcn_op_info[id];
    switch (info->encoding) {
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH:
        if (op->aux & GCN_SEG_GLOBAL)
            global(w, op, a);
        else
            flat(w, op, a);
        return true;
    case GCN_DS: group(w, op, id, a); return true;
    case GCN_MUBUF: return !(info->flags & GCN_F_FORMAT) && buffer(w, op, a);
    case GCN_SMEM: return scalar(w, op, id, a);
    default: return false;
    }
}

bool gcn_access_of(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, struct gcn_access *a)
{
    const struct gcn_op_info *info = &gcn_op_info[id];
    a->bytes = info->bytes;
    a->parts = 1;
    a->scalar = false;
    a->foreign = a->foreign_high = 0;
    a->lines = info->encoding != GCN_MUBUF && info->encoding != GCN_SMEM;
    a->atomic = info->flags & GCN_F_ATOMIC;
    a->reads = info->flags & (GCN_F_LOAD | GCN_F_ATOMIC);
    a->writes = info->flags & (GCN_F_STORE | GCN_F_ATOMIC);
    a->lanes = gcn_exec(w);
    if (!a->bytes || !(a->reads || a->writes) || !a->lanes || op->aux & (GCN_LDS | GCN_GDS))
        return false;
    if (!addresses_of(w, op, id, a))
        return false;
    find_span(a);
    return true;
}

int gcn_access_lane(const struct gcn_access *a, uint64_t address)
{
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        int lane = __builtin_ctzll(left);
        for (unsigned part = 0; part < a->parts; part++) {
            uint64_t at = a->address[part][lane];
            bool global = a->segment[lane] == HSAM_ACCESS_GLOBAL;
            if (global ? address - at < a->bytes : (uint32_t)address == (uint32_t)at)
                return lane;
        }
    }
    return -1;
}
