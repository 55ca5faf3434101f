/* SPDX-License-Identifier: MIT */
/* Vector operations across lanes, and the micro-operations of micro.h.
 * Input: micro-operations. Output: lines, scalar registers. Invariant: only EXEC_RESTORE and DPP touch EXEC.
 */
#include "runtime/gcn/exec/exec_lines.h"
#include "runtime/gcn/exec/lane_micro.h"
#include "runtime/gcn/exec/valu.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

/* Accesses to single lanes. EXEC does not matter, except to v_readfirstlane, which looks for its first bit. */

HANDLER(readlane)
{
    gcn_put32(w, op->dst, gcn_line(w, op->src[0])[gcn_s32(w, op->src[1]) & 63]);
    return op + 1;
}

HANDLER(readfirstlane)
{
    uint64_t exec = gcn_exec(w);
    gcn_put32(w, op->dst, gcn_line(w, op->src[0])[exec ? __builtin_ctzll(exec) : 0]);
    return op + 1;
}

HANDLER(writelane)
{
    uint32_t value = gcn_s32(w, op->src[0]);
    gcn_dst(w, op->dst)[gcn_s32(w, op->src[1]) & 63] = value;
    return op + 1;
}

HANDLER(swap)
{
    const uint32_t *mask = gcn_mask(w);
    uint32_t *a = gcn_dst(w, op->dst), *b = gcn_dst(w, op->src[0]);
    if (a == b)
        return op + 1;
    GCN_LANE_LOOP
    {
        uint32_t x = (a[i] ^ b[i]) & mask[i];
        a[i] ^= x;
        b[i] ^= x;
    }
    return op + 1;
}

HANDLER(nothing)
{
    (void)w;
    return op + 1;
}

HANDLER(mqsad_u32_u8)
{
    const uint32_t *a = gcn_line(w, op->src[0]), *b = gcn_line(w, op->src[1]), *c = gcn_line(w, op->src[2]);
    const uint32_t *mask = gcn_mask(w);
    uint32_t *dst = gcn_dst(w, op->dst);
    for (int i = 0; i < GCN_LANES; i++) {
        uint64_t pool = VALU_WIDE(a, i);
        uint32_t r[4];
        for (int n = 0; n < 4; n++) {
            uint32_t add = c[n * GCN_LANES + i];
            r[n] = lane_msad8((uint32_t)(pool >> (8 * n)), b[i]) + add;
            r[n] |= op->imm && r[n] < add ? UINT32_MAX : 0; /* CLAMP */
        }
        for (int n = 0; n < 4; n++)
            VALU_BLEND(dst, n * GCN_LANES + i, r[n], mask[i]);
    }
    return op + 1;
}

const struct gcn_valu_row GCN_SIMD_SYM(gcn_lane_rows)[] = {
    {GCN_OP_v_readlane_b32, readlane, NULL, NULL},
    {GCN_OP_v_readfirstlane_b32, readfirstlane, NULL, NULL},
    {GCN_OP_v_writelane_b32, writelane, NULL, NULL},
    {GCN_OP_v_swap_b32, swap, NULL, NULL},
    {GCN_OP_v_nop, nothing, NULL, NULL},
    {GCN_OP_v_clrexcp, nothing, NULL, NULL},
    {GCN_OP_v_mqsad_u32_u8, mqsad_u32_u8, NULL, NULL},
    {0, NULL, NULL, NULL},
};

/* Sources */

HANDLER(SPLAT32)
{
    uint32_t x = (gcn_s32(w, op->src[0]) & (uint32_t)op->imm) ^ op->aux;
    uint32_t *line = gcn_dst(w, op->dst);
    GCN_LANE_LOOP
    line[i] = x;
    return op + 1;
}

HANDLER(SPLAT64)
{
    uint64_t x = gcn_s64(w, op->src[0]);
    uint32_t low = (uint32_t)x, high = ((uint32_t)(x >> 32) & (uint32_t)op->imm) ^ op->aux;
    uint32_t *line = gcn_dst(w, op->dst);
    GCN_LANE_LOOP
    {
        line[i] = low;
        line[i + GCN_LANES] = high;
    }
    return op + 1;
}

HANDLER(MOD32)
{
    const uint32_t *src = gcn_line(w, op->src[0]);
    uint32_t *line = gcn_dst(w, op->dst), keep = (uint32_t)op->imm, flip = op->aux;
    GCN_LANE_LOOP
    line[i] = (src[i] & keep) ^ flip;
    return op + 1;
}

HANDLER(MOD64)
{
    const uint32_t *src = gcn_line(w, op->src[0]);
    uint32_t *line = gcn_dst(w, op->dst), keep = (uint32_t)op->imm, flip = op->aux;
    GCN_LANE_LOOP
    {
        line[i] = src[i];
        line[i + GCN_LANES] = (src[i + GCN_LANES] & keep) ^ flip;
    }
    return op + 1;
}

static uint32_t modify_keep(uint32_t modifiers)
{
    uint32_t sign = modifiers & MICRO_SIGN32 ? 0x80000000 : 0x8000;
    return modifiers & MICRO_ABS ? ~sign : UINT32_MAX;
}

static uint32_t modify_flip(uint32_t modifiers)
{
    uint32_t sign = modifiers & MICRO_SIGN32 ? 0x80000000 : 0x8000;
    return modifiers & MICRO_NEG ? sign : 0;
}

/* What PACKED does to halves of a dword, done to the dwords of a pair. */
HANDLER(PAIR)
{
    const uint32_t *src = gcn_line(w, op->src[0]);
    uint32_t *line = gcn_dst(w, op->dst);
    const uint32_t *low = src + (op->imm & MICRO_LO_HIGH ? GCN_LANES : 0);
    const uint32_t *high = src + (op->imm & MICRO_HI_HIGH ? GCN_LANES : 0);
    uint32_t flip_low = op->imm & MICRO_LO_NEG ? 0x80000000 : 0, flip_high = op->imm & MICRO_HI_NEG ? 0x80000000 : 0;
    GCN_LANE_LOOP
    {
        line[i] = low[i] ^ flip_low;
        line[i + GCN_LANES] = high[i] ^ flip_high;
    }
    return op + 1;
}

HANDLER(LDS_DIRECT)
{
    static const uint8_t size[8] = {1, 2, 4, 0, 1, 2, 0, 0};
    uint32_t address = w->s[GCN_S_M0] & 0xffff, type = w->s[GCN_S_M0] >> 16 & 7, x = 0;
    if (!size[type])
        return gcn_raise(w, op, GCN_FAULT_UNIMPLEMENTED, 0);
    if (address <= w->lds_size && size[type] <= w->lds_size - address)
        memcpy(&x, w->lds + address, size[type]);
    if (type >= 4)
        x = (uint32_t)lane_sext(x, 8u * size[type]);
    uint32_t *line = gcn_dst(w, op->dst);
    GCN_LANE_LOOP
    line[i] = x;
    return op + 1;
}

HANDLER(SPECIAL)
{
    unsigned code = op->imm == GCN_SRC_VCCZ ? GCN_S_VCC : GCN_S_EXEC;
    gcn_put32(w, op->dst, gcn_get64(w, code) == 0);
    return op + 1;
}

HANDLER(SCALAR64)
{
    gcn_put64(w, op->dst, gcn_s64(w, op->src[0]));
    return op + 1;
}

/* Vector registers whose number is offset by M0. An index past the last register gives the first one. */

static uint32_t indexed(const struct gcn_wave *w, const struct gcn_uop *op)
{
    uint32_t n = (uint32_t)op->imm + (w->s[GCN_S_M0] & 0xff), lines = op->aux & 0xff;
    return n + lines > GCN_VGPRS ? 0 : n;
}

HANDLER(INDEX_SRC)
{
    uint32_t lines = op->aux & 0xff, mode = w->s[GCN_S_M0] >> 12 & 0xf;
    uint32_t n = mode & op->aux >> 8 ? indexed(w, op) : (uint32_t)op->imm;
    memcpy(gcn_dst(w, op->dst), w->v[n], (size_t)lines * GCN_LINE);
    return op + 1;
}

HANDLER(INDEX_DST)
{
    uint32_t lines = op->aux & 0xff, mode = w->s[GCN_S_M0] >> 12 & 0xf;
    uint32_t n = mode & 8 ? indexed(w, op) : (uint32_t)op->imm;
    const uint32_t *mask = gcn_mask(w), *src = gcn_line(w, op->src[0]);
    for (uint32_t k = 0; k < lines; k++) {
        uint32_t *dst = w->v[n + k];
        GCN_LANE_LOOP
        VALU_BLEND(dst, i, src[k * GCN_LANES + (uint32_t)i], mask[i]);
    }
    return op + 1;
}

/* DPP */

HANDLER(DPP)
{
    const uint32_t *src = gcn_line(w, op->src[0]), *from = gcn_line(w, op->src[1]);
    uint32_t *line = gcn_dst(w, op->dst), modifiers = op->aux >> 16;
    uint32_t keep = modify_keep(modifiers), flip = modify_flip(modifiers), valid[GCN_LANES];
    int top = modifiers & MICRO_WIDE ? GCN_LANES : 0; /* where the signs are */
    uint64_t exec = gcn_exec(w), written = gcn_s64(w, op->src[2]);
    if (exec != UINT64_MAX)
        pick_lanes(valid, gcn_mask(w), from, 0, 2);
    else
        memset(valid, 0xff, sizeof valid);
    GCN_LANE_LOOP
    valid[i] &= ~(uint32_t)((int32_t)from[i] >> 31);
    pick_lanes(line, src, from, 0, 2);
    if (top)
        pick_lanes(line + top, src + top, from, 0, 2);
    GCN_LANE_LOOP
    line[i] &= valid[i];
    GCN_LANE_LOOP
    line[i + top] = (line[i + top] & valid[i] & keep) ^ flip;
    if (!(op->aux & MICRO_BOUND))
        written &= valu_pack(valid);
    w->saved_exec = exec;
    gcn_set64(w, GCN_S_EXEC, exec & written);
    return op + 1;
}

HANDLER(EXEC_RESTORE)
{
    gcn_set64(w, GCN_S_EXEC, w->saved_exec);
    return op + 1;
}

/* Those of runtime/gcn/ops/micro.def */

/* The output modifier has an effect only where denormal results are flushed and IEEE mode is off. */
static uint32_t effective_omod(struct lane_mode m, const struct gcn_uop *op, uint32_t flushes)
{
    return flushes && !m.ieee ? (uint32_t)op->imm : 0;
}

#define MICRO_HANDLER(id, MASK, IMM, AUX)                                                                    \
    HANDLER(id)                                                                                              \
    {                                                                                                        \
        const struct lane_mode m = valu_mode(w);                                                             \
        id##_micro(gcn_dst(w, op->dst), gcn_line(w, op->src[0]), MASK, m, IMM, AUX);                         \
        return op + 1;                                                                                       \
    }
#define MICRO_SOURCE(id, R, A, expr)                                                                         \
    MICRO_CORE(id, R, A, expr)                                                                               \
    MICRO_HANDLER(id, NULL, (uint32_t)op->imm, op->aux)
#define MICRO_RESULT(id, R, A, expr)                                                                         \
    MICRO_CORE(id, R, A, expr)                                                                               \
    MICRO_HANDLER(id, gcn_mask(w), (uint32_t)op->imm, op->aux)
#define MICRO_OUTPUT(id, R, flushes, expr)                                                                   \
    MICRO_CORE(id, R, none, expr)                                                                            \
    MICRO_HANDLER(id, gcn_mask(w), effective_omod(m, op, flushes),                                           \
                  (op->aux ? MICRO_CLAMP : 0u) | (m.dx10_clamp ? MICRO_NAN_TO_ZERO : 0u))
#include "runtime/gcn/ops/micro.def"

/* clang-format off */
gcn_handler *const GCN_SIMD_SYM(gcn_micro_handlers)[GCN_MICRO_COUNT] = {
#define MICRO(id) [GCN_MICRO_##id] = id,
    GCN_MICROS(MICRO)
#undef MICRO
};
/* clang-format on */
