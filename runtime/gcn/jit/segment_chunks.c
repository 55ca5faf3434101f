/* SPDX-License-Identifier: MIT */
/* The loop over the chunks of a segment: what goes from one chunk to the next, what is stored in the end, and the masks
 * that chunks make together.
 * Input: the records of a segment. Output: instructions at the builder. Invariant: only lines that may be read later
 * are stored, and of the lanes that are not active nothing. */
#include "runtime/gcn/jit/segment.h"

#include <string.h>

/* Stores VALUE at PLACE, if ACTIVE is not NULL only in these lanes. OLD is what PLACE holds, or NULL if that has not
 * been loaded. Masked stores are no way to do so: there are hosts that cannot forward what they store to a load. */
void segment_store(struct builder *f, LLVMValueRef value, LLVMValueRef place, LLVMValueRef active, LLVMValueRef old)
{
    unsigned align = 4 * f->jit->lanes;
    if (active && !old) {
        old = LLVMBuildLoad2(f->b, f->jit->chunk, place, "");
        LLVMSetAlignment(old, align);
    }
    if (active)
        value = build_blend(f, active, value, old);
    LLVMSetAlignment(LLVMBuildStore(f->b, value, place), align);
}

bool segment_is_live(const struct builder *f, int line)
{
    return f->live[f->at][line / 64] >> (line % 64) & 1;
}

/* Lines that the segment stores, and their values. */
struct stores {
    int line[LINES];
    LLVMValueRef value[LINES];
    unsigned count;
};

static void find_stores(struct builder *f, struct jit_segment *s, struct stores *stores)
{
    bool temps = f->records[f->record_count - 1].pc == f->unit->pcs[f->at];
    stores->count = 0;
    for (int line = 0; line < LINES; line++) {
        if (!s->dirty[line] || (line < GCN_VGPRS ? !segment_is_live(f, line) : !temps))
            continue;
        stores->value[stores->count] = build_as(f, segment_line(f, s, line), f->jit->chunk);
        stores->line[stores->count++] = line;
    }
}

static void emit_stores(struct builder *f, const struct jit_segment *s, const struct stores *stores,
                        LLVMValueRef active)
{
    for (unsigned i = 0; i < stores->count; i++) {
        int line = stores->line[i];
        LLVMValueRef place = build_at(f, s->base, line_offset(line));
        segment_store(f, stores->value[i], place, line < GCN_VGPRS ? active : NULL, s->loaded[line]);
    }
}

/* Stores what the segment has computed. If S->all is not NULL, it tells whether EXEC is all ones; the stores then come
 * twice, once without blending anything. */
static void store_lines(struct builder *f, struct jit_segment *s)
{
    static _Thread_local struct stores stores;
    find_stores(f, s, &stores);
    if (!stores.count)
        return;
    LLVMBasicBlockRef every = NULL, on = NULL;
    if (s->all) {
        LLVMBasicBlockRef some = build_block(f);
        every = build_block(f);
        on = build_block(f);
        LLVMBuildCondBr(f->b, s->all, every, some);
        build_follow(f, on);
        build_follow(f, every);
        build_follow(f, some); /* these three now come in reverse */
        LLVMPositionBuilderAtEnd(f->b, some);
    }
    emit_stores(f, s, &stores, LLVMIsAConstant(s->exec) ? NULL : segment_bits(f, s->exec));
    if (!s->all)
        return;
    LLVMBuildBr(f->b, on);
    LLVMPositionBuilderAtEnd(f->b, every);
    emit_stores(f, s, &stores, NULL);
    LLVMBuildBr(f->b, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

void segment_find_outputs(const struct builder *f, struct outputs *outputs)
{
    int last[GCN_SGPRS + 2];
    memset(last, -1, sizeof last);
    for (unsigned i = 0; i < f->record_count; i++) {
        const struct record *r = &f->records[i];
        int code = writes_mask(r->effect) ? ref_scalar(mask_destination(r->effect, r->op)) : -1;
        if (r->effect->kind == EFFECT_COMPARE_EXEC && code < 0)
            code = GCN_S_EXEC; /* no register has the result besides */
        if (code >= 0)
            last[code] = (int)i;
    }
    if (!f->live[f->at][LIVE_VCC])
        last[GCN_S_VCC] = -1;
    outputs->count = 0;
    for (unsigned code = 0; code < GCN_SGPRS; code++)
        if (last[code] >= 0)
            outputs->record[outputs->count++] = (unsigned)last[code];
}

/* What goes from one round to the next: the offset of its first chunk in each line, and how much that grows; EXEC from
 * the bits of the chunk on, if it is not known; and the masks so far, with the value of the lowest bit of the next
 * one's. The host is faster at moving bits by constants, and at multiplying, than at moving them by a number in a
 * register. */
struct segment_loop {
    LLVMValueRef offset, step, exec, unit, sums[MASKS_MAX];
};

static void begin_rounds(struct builder *f, const struct jit_segment *s, struct segment_loop *rounds,
                         const struct outputs *outputs)
{
    LLVMTypeRef type = f->jit->i64;
    rounds->offset = LLVMBuildPhi(f->b, type, "");
    rounds->exec = s->regular ? NULL : LLVMBuildPhi(f->b, type, "");
    rounds->unit = outputs->count ? LLVMBuildPhi(f->b, type, "") : NULL;
    for (unsigned i = 0; i < outputs->count; i++)
        rounds->sums[i] = LLVMBuildPhi(f->b, type, "");
}

/* A round: one chunk, or, if all reads are regular, several whose operations come by turns. */
struct segment_round {
    struct jit_segment *chunk[4];
    unsigned chunks;
};

/* Adds the masks of this round. It is done before anything is stored in several ways, because LLVM takes detours with
 * the bits of a chunk that go from block to block. */
static void collect_masks(struct builder *f, const struct segment_round *round, const struct segment_loop *rounds,
                          const struct outputs *outputs)
{
    LLVMValueRef *collected = round->chunk[0]->collected;
    for (unsigned i = 0; i < outputs->count; i++) {
        collected[i] = rounds->sums[i];
        for (unsigned c = 0; c < round->chunks; c++) {
            LLVMValueRef mask = segment_mask(f, round->chunk[c], outputs->record[i]);
            mask = c ? LLVMBuildShl(f->b, mask, C64(f, c * f->jit->lanes), "") : mask;
            collected[i] = LLVMBuildOr(f->b, collected[i], LLVMBuildMul(f->b, mask, rounds->unit, ""), "");
        }
    }
}

static void pass_on(LLVMValueRef phi, struct jit_segment *s, LLVMValueRef first, LLVMValueRef next)
{
    LLVMAddIncoming(phi, &first, &s->begin, 1);
    LLVMAddIncoming(phi, &next, &s->end, 1);
}

static void end_rounds(struct builder *f, const struct segment_round *round, const struct segment_loop *rounds,
                       const struct outputs *outputs, LLVMBasicBlockRef done)
{
    struct jit_segment *s = round->chunk[0];
    unsigned many = f->jit->lanes * round->chunks;
    LLVMValueRef zero = C64(f, 0), lanes = C64(f, many), step = rounds->step;
    LLVMValueRef next = LLVMBuildAdd(f->b, rounds->offset, step, "");
    s->end = LLVMGetInsertBlock(f->b);
    pass_on(rounds->offset, s, zero, next);
    if (rounds->exec)
        pass_on(rounds->exec, s, f->exec, LLVMBuildLShr(f->b, rounds->exec, lanes, ""));
    if (rounds->unit)
        pass_on(rounds->unit, s, C64(f, 1), LLVMBuildShl(f->b, rounds->unit, lanes, ""));
    for (unsigned i = 0; i < outputs->count; i++)
        pass_on(rounds->sums[i], s, zero, s->collected[i]);
    LLVMValueRef last = LLVMBuildMul(f->b, step, C64(f, GCN_LANES / many), "");
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, last, ""), done, s->body);
}

/* Tells the chunks of a round where their lanes are. */
static void place_chunks(struct builder *f, struct segment_round *round, const struct segment_loop *rounds)
{
    struct jit_segment *s = round->chunk[0];
    LLVMValueRef offset = rounds->offset;
    s->base = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, f->wave, &offset, 1, "");
    s->shift = LLVMBuildLShr(f->b, offset, C64(f, 2), "");
    s->exec = rounds->exec ? LLVMBuildTrunc(f->b, rounds->exec, f->jit->mask, "") : LLVMConstAllOnes(f->jit->mask);
    s->round = round->chunk;
    for (unsigned c = 1; c < round->chunks; c++) {
        struct jit_segment *other = round->chunk[c];
        *other = *s; /* its EXEC is full as well */
        other->place = c;
        LLVMValueRef from = regular_offset(f, s->regular, c);
        other->base = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, s->base, &from, 1, "");
        other->shift = LLVMBuildAdd(f->b, s->shift, LLVMBuildLShr(f->b, from, C64(f, 2), ""), "");
    }
}

void segment_emit_loop(struct builder *f, struct jit_segment *s, const struct outputs *outputs, LLVMBasicBlockRef done)
{
    static _Thread_local struct jit_segment others[3];
    struct segment_round round = {{s, &others[0], &others[1], &others[2]}, s->regular ? s->regular->chunks : 1};
    struct segment_loop rounds;
    LLVMPositionBuilderAtEnd(f->b, s->begin);
    rounds.step = s->regular ? regular_step(f, s->regular) : C64(f, 4 * f->jit->lanes);
    s->body = build_block(f);
    LLVMBuildBr(f->b, s->body);
    build_follow(f, s->body);
    LLVMPositionBuilderAtEnd(f->b, s->body);
    begin_rounds(f, s, &rounds, outputs);
    place_chunks(f, &round, &rounds);
    f->before = s->begin;
    for (unsigned i = 0; i < f->record_count; i++)
        for (unsigned c = 0; c < round.chunks; c++) {
            if (c)
                segment_share_splats(round.chunk[c], s);
            segment_emit_record(f, round.chunk[c], i);
        }
    f->before = NULL;
    collect_masks(f, &round, &rounds, outputs);
    for (unsigned c = 0; c < round.chunks; c++)
        store_lines(f, round.chunk[c]);
    end_rounds(f, &round, &rounds, outputs, done);
}

/* Puts the masks into their scalar registers; MANY is how many versions of the loop lead here. */
void segment_write_outputs(struct builder *f, struct jit_segment *segments, unsigned many,
                           const struct outputs *outputs)
{
    LLVMValueRef values[MASKS_MAX];
    for (unsigned i = 0; i < outputs->count; i++) {
        values[i] = segments[0].collected[i];
        if (many == 1)
            continue;
        values[i] = LLVMBuildPhi(f->b, f->jit->i64, "");
        for (unsigned k = 0; k < many; k++)
            LLVMAddIncoming(values[i], &segments[k].collected[i], &segments[k].end, 1);
    }
    for (unsigned i = 0; i < outputs->count; i++) {
        const struct record *r = &f->records[outputs->record[i]];
        values[i] = LLVMBuildAnd(f->b, values[i], f->exec, "");
        if (ref_scalar(mask_destination(r->effect, r->op)) >= 0)
            scalar_write(f, mask_destination(r->effect, r->op), values[i], 2, true);
        if (r->effect->kind == EFFECT_COMPARE_EXEC)
            scalar_write(f, scalar_ref(GCN_S_EXEC), values[i], 2, true);
    }
}
