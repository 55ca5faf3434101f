/* SPDX-License-Identifier: MIT */
/* Operations across lanes: DPP, and accesses to single lanes.
 *
 * They need lines as a whole, which segments do not have. So they are emitted at once, on lines in memory, before the
 * segment that is being recorded; that is emitted first only if the lines are among its own. The lanes that DPP keeps
 * an operation from writing are noted in the record of the operation: EXEC stays as it is. Input: micro-operations.
 * Output: instructions at the builder. Invariant: the micro-operations of an instruction with DPP are all executed in
 * this way, or all by their handlers. */
#include "runtime/gcn/jit/segment.h"

#include "runtime/gcn/exec/dpp.h"

/* Whether LINE may be among those of an operand at REF. */
static bool may_be_at(uint32_t ref, int line)
{
    int first = ref_line(ref);
    return first >= 0 && line >= first && line < first + 4;
}

/* Emits the segment that has been recorded if it writes LINE, or if READS, reads it. */
static void finish_line(struct builder *f, int line, bool reads)
{
    for (unsigned i = 0; i < f->record_count; i++) {
        const struct record *r = &f->records[i];
        bool used = may_be_at(r->op->dst, line);
        for (unsigned slot = 0; slot < 3; slot++)
            used |= (reads || r->effect->kind == EFFECT_SWAP) && may_be_at(r->op->src[slot], line);
        if (used) {
            segment_flush(f);
            return;
        }
    }
}

/* Where the dword of a lane of LINE is. */
static LLVMValueRef lane_place(struct builder *f, int line, LLVMValueRef lane)
{
    lane = LLVMBuildShl(f->b, LLVMBuildAnd(f->b, lane, C64(f, GCN_LANES - 1), ""), C64(f, 2), "");
    return LLVMBuildInBoundsGEP2(f->b, f->jit->i8, build_at(f, f->wave, line_offset(line)), &lane, 1, "");
}

/* Emits v_readlane, or v_readfirstlane: the first active lane, or 0 if there is none. */
void lane_read(struct builder *f, const struct effect *effect, const struct gcn_uop *op)
{
    struct gcn_jit *jit = f->jit;
    LLVMValueRef lane;
    finish_line(f, ref_line(op->src[0]), false);
    if (effect->id == GCN_OP_v_readlane_b32) {
        lane = LLVMBuildZExt(f->b, scalar_read32(f, op->src[1]), jit->i64, "");
    } else {
        LLVMValueRef exec = scalar_read64(f, scalar_ref(GCN_S_EXEC));
        LLVMValueRef arguments[] = {exec, LLVMConstNull(jit->i1)};
        lane = build_intrinsic(f, "llvm.cttz.i64", jit->i64, arguments, 2);
    }
    LLVMValueRef value = LLVMBuildLoad2(f->b, jit->i32, lane_place(f, ref_line(op->src[0]), lane), "");
    LLVMSetAlignment(value, 4);
    scalar_write(f, op->dst, value, 1, false);
}

void lane_write(struct builder *f, const struct gcn_uop *op)
{
    LLVMValueRef value = scalar_read32(f, op->src[0]);
    LLVMValueRef lane = LLVMBuildZExt(f->b, scalar_read32(f, op->src[1]), f->jit->i64, "");
    finish_line(f, ref_line(op->dst), true);
    LLVMSetAlignment(LLVMBuildStore(f->b, value, lane_place(f, ref_line(op->dst), lane)), 4);
}

/* DPP */

/* The two chunks of which chunk CHUNK takes its lanes, which may be the same. False if they are more. */
static bool find_chunks(const struct gcn_jit *jit, uint32_t control, unsigned chunk, int sources[2])
{
    sources[0] = sources[1] = -1;
    for (unsigned i = 0; i < jit->lanes; i++) {
        int from = gcn_dpp_lane(control, (int)(chunk * jit->lanes + i)), source = from / (int)jit->lanes;
        if (from < 0 || source == sources[0] || source == sources[1])
            continue;
        if (sources[0] >= 0 && sources[1] >= 0)
            return false;
        sources[sources[0] >= 0] = source;
    }
    sources[0] = sources[0] < 0 ? 0 : sources[0];
    sources[1] = sources[1] < 0 ? sources[0] : sources[1];
    return true;
}

bool lane_takes_dpp(const struct builder *f, uint32_t index)
{
    const struct gcn_uop *op = &f->unit->ops[index];
    int sources[2];
    if (ref_line(op->src[0]) < 0 || ref_line(op->dst) < GCN_VGPRS || op->aux >> 16 & MICRO_WIDE)
        return false;
    for (unsigned chunk = 0; chunk < GCN_LANES / f->jit->lanes; chunk++)
        if (!find_chunks(f->jit, (uint32_t)op->imm, chunk, sources))
            return false;
    while (++index < f->unit->total) {
        const struct effect *effect = f->effects[index];
        if (effect->kind == EFFECT_RESTORE)
            return true;
        bool usual = effect->kind == EFFECT_SPLAT32 || effect->kind == EFFECT_MOD32 ||
                     (effect->kind == EFFECT_VECTOR && !writes_mask(effect));
        if (!usual || !segment_takes(f, effect, &f->unit->ops[index]))
            return false;
    }
    return false;
}

/* The lanes that read from an active lane. */
static LLVMValueRef valid_lanes(struct builder *f, uint32_t control, LLVMValueRef exec)
{
    uint64_t by_distance[2 * GCN_LANES] = {0}, by_source[GCN_LANES] = {0};
    unsigned distances = 0, sources = 0;
    LLVMValueRef valid = C64(f, 0);
    for (int i = 0; i < GCN_LANES; i++) {
        int from = gcn_dpp_lane(control, i);
        if (from < 0)
            continue;
        distances += !by_distance[GCN_LANES + i - from];
        sources += !by_source[from];
        by_distance[GCN_LANES + i - from] |= UINT64_C(1) << i;
        by_source[from] |= UINT64_C(1) << i;
    }
    for (int i = 0; distances <= sources && i < 2 * GCN_LANES; i++) {
        int up = i - GCN_LANES;
        if (!by_distance[i])
            continue;
        LLVMValueRef moved =
            up < 0 ? LLVMBuildLShr(f->b, exec, C64(f, -up), "") : LLVMBuildShl(f->b, exec, C64(f, up), "");
        valid = LLVMBuildOr(f->b, valid, LLVMBuildAnd(f->b, moved, C64(f, by_distance[i]), ""), "");
    }
    for (int i = 0; distances > sources && i < GCN_LANES; i++) {
        if (!by_source[i])
            continue;
        LLVMValueRef bit = LLVMBuildAnd(f->b, LLVMBuildLShr(f->b, exec, C64(f, i), ""), C64(f, 1), "");
        LLVMValueRef lanes = LLVMBuildAnd(f->b, LLVMBuildNeg(f->b, bit, ""), C64(f, by_source[i]), "");
        valid = LLVMBuildOr(f->b, valid, lanes, "");
    }
    return valid;
}

/* Chunk CHUNK of the line that DPP reads. Where lanes that are not active count as zero, they are. */
static LLVMValueRef source_chunk(struct builder *f, const struct gcn_uop *op, LLVMValueRef exec, int chunk)
{
    struct gcn_jit *jit = f->jit;
    LLVMValueRef x = build_load(f, jit->chunk, op->src[0] + 4ull * jit->lanes * (unsigned)chunk, 4 * jit->lanes);
    if (!(op->aux & MICRO_BOUND))
        return x;
    LLVMValueRef active = LLVMBuildLShr(f->b, exec, C64(f, jit->lanes * (unsigned)chunk), "");
    active = segment_bits(f, LLVMBuildTrunc(f->b, active, jit->mask, ""));
    return build_blend(f, active, x, LLVMConstNull(jit->chunk));
}

/* Writes the line that DPP prepares. */
static void write_exchanged(struct builder *f, const struct gcn_uop *op, LLVMValueRef exec)
{
    struct gcn_jit *jit = f->jit;
    uint32_t modifiers = op->aux >> 16, sign = modifiers & MICRO_SIGN32 ? 0x80000000 : 0x8000;
    LLVMValueRef x[GCN_LANES / 8], which[16], keep[16];
    unsigned lanes = jit->lanes, chunks = GCN_LANES / lanes;
    for (unsigned chunk = 0; chunk < chunks; chunk++)
        x[chunk] = source_chunk(f, op, exec, (int)chunk);
    for (unsigned chunk = 0; chunk < chunks; chunk++) {
        int sources[2];
        find_chunks(jit, (uint32_t)op->imm, chunk, sources);
        for (unsigned i = 0; i < lanes; i++) {
            int from = gcn_dpp_lane((uint32_t)op->imm, (int)(chunk * lanes + i));
            unsigned second = from / (int)lanes == sources[0] ? 0 : lanes;
            which[i] = C32(f, from < 0 ? 0 : (unsigned)from % lanes + second);
            keep[i] = C32(f, from < 0 ? 0 : modifiers & MICRO_ABS ? ~sign : UINT32_MAX);
        }
        LLVMValueRef v = LLVMBuildShuffleVector(f->b, x[sources[0]], x[sources[1]], LLVMConstVector(which, lanes), "");
        v = LLVMBuildAnd(f->b, v, LLVMConstVector(keep, lanes), "");
        if (modifiers & MICRO_NEG)
            v = LLVMBuildXor(f->b, v, segment_spread(f, C32(f, sign)), "");
        build_store(f, v, op->dst + 4ull * lanes * chunk, 4 * lanes);
    }
}

bool lane_begin_dpp(struct builder *f, uint32_t index)
{
    const struct gcn_uop *op = &f->unit->ops[index];
    if (!lane_takes_dpp(f, index))
        return false;
    LLVMValueRef exec = scalar_read64(f, scalar_ref(GCN_S_EXEC));
    finish_line(f, ref_line(op->src[0]), false);
    finish_line(f, ref_line(op->dst), true);
    write_exchanged(f, op, exec);
    f->written = scalar_read64(f, op->src[2]);
    if (!(op->aux & MICRO_BOUND))
        f->written = LLVMBuildAnd(f->b, f->written, valid_lanes(f, (uint32_t)op->imm, exec), "");
    return true;
}

bool lane_end_dpp(struct builder *f)
{
    bool begun = f->written;
    f->written = NULL;
    return begun;
}
