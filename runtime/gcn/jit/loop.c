/* SPDX-License-Identifier: MIT */
/* Loops of the program whose vector registers stay in registers of the host.
 *
 * In such a loop the segments are not loops over chunks of lanes, but unrolled for all of them, and the value of each
 * vector register that the loop writes goes from block to block as one value per chunk. Registers are loaded where
 * control enters the loop, and stored where it leaves. A loop that writes EXEC blends each result with what the
 * register held; in any other, what is computed in lanes that are not active is dropped when the registers are stored.
 * Input: a unit, its effects. Output: instructions at the builder. Invariant: outside of the loop all live registers
 * are in memory, and scalar registers are so at the end of each block. */
#include "runtime/gcn/jit/parts.h"

#include <string.h>

/* From one block to the next */

static struct loop_block *block_at(struct jit_loop *loop, uint32_t index)
{
    return index >= loop->first && index < loop->end ? &loop->blocks[loop->block_at[index - loop->first]] : NULL;
}

/* Forgets all values, or takes those with which BLOCK begins. */
static void begin_values(struct jit_loop *loop, const struct loop_block *block)
{
    for (unsigned c = 0; c < loop->chunks; c++) {
        struct jit_segment *s = &loop->chunk[c];
        memset(s->value, 0, sizeof s->value);
        memset(s->wide, 0, sizeof s->wide);
        memset(s->dirty, 0, sizeof s->dirty);
        for (unsigned k = 0; block && k < loop->lines; k++)
            if (block->phis[k][c])
                loop_set_value(loop, s, k, block->phis[k][c]);
    }
}

/* Makes the values for BLOCK at the builder, before the branch that leads there is built. */
static void prepare_values(struct builder *f, const struct loop_block *block)
{
    if (block == f->loop->blocks)
        loop_prepare_carried(f);
    for (unsigned c = 0; block && c < f->loop->chunks; c++) {
        f->loop->chunk[c].base = loop_base(f, c);
        for (unsigned k = 0; k < f->loop->lines; k++)
            if (block->phis[k][c])
                loop_value(f, &f->loop->chunk[c], k);
    }
}

/* Stores what is known of the entries that are in memory, and forgets it. */
static void keep_values(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    for (unsigned k = 0; k < loop->lines; k++)
        for (unsigned c = 0; loop->in_memory[k] && c < loop->chunks; c++) {
            struct jit_segment *s = &loop->chunk[c];
            int line = loop->line[k];
            if (loop_is_known(s, line))
                LLVMBuildStore(f->b, build_as(f, segment_line(f, s, line), f->jit->chunk), s->home[line]);
            s->value[line] = NULL;
        }
}

/* Hands the values over to BLOCK, to which a branch leads from FROM. */
static void pass_values(struct builder *f, struct loop_block *block, LLVMBasicBlockRef from)
{
    for (unsigned k = 0; k < f->loop->lines; k++)
        for (unsigned c = 0; c < f->loop->chunks; c++) {
            struct jit_segment *s = &f->loop->chunk[c];
            int line = f->loop->line[k];
            if (block->phis[k][c])
                LLVMAddIncoming(block->phis[k][c], f->loop->wide[k] ? &s->wide[line] : &s->value[line], &from, 1);
        }
}

/* Emitting */

static void begin_chunk(struct builder *f, unsigned chunk)
{
    struct jit_segment *s = &f->loop->chunk[chunk];
    s->shift = loop_lane(f, chunk);
    s->base = loop_base(f, chunk);
    s->exec = loop_chunk_of(f, f->exec, chunk);
    s->full = loop_bits(f, f->exec, chunk);
    s->splat_count = 0;
    s->below.sum = NULL;
}

void loop_flush(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    struct outputs outputs;
    segment_find_outputs(f, &outputs);
    for (unsigned c = 0; c < loop->chunks; c++)
        begin_chunk(f, c);
    for (unsigned c = 0; loop->exec && c < loop->chunks; c++) {
        struct jit_segment *before = loop_copy(f, c, &loop->scratch);
        loop_share_splats(loop, c);
        for (unsigned i = 0; i < f->record_count; i++)
            segment_emit_record(f, &loop->chunk[c], i);
        loop_blend(f, c, before, NULL);
    }
    /* the operations on several chunks by turns, so that the host need not wait for results */
    for (unsigned i = 0; !loop->exec && i < f->record_count; i++)
        for (unsigned c = 0; c < loop->chunks; c++) {
            loop_share_splats(loop, c);
            segment_emit_record(f, &loop->chunk[c], i);
        }
    for (unsigned i = 0; i < outputs.count; i++)
        for (unsigned c = 0; c < loop->chunks; c++) {
            LLVMValueRef mask = segment_mask(f, &loop->chunk[c], outputs.record[i]);
            mask = LLVMBuildShl(f->b, mask, loop->chunk[c].shift, "");
            LLVMValueRef *sum = &loop->chunk[0].collected[i];
            *sum = c ? LLVMBuildOr(f->b, *sum, mask, "") : mask;
        }
    keep_values(f);
    memset(f->pending, 0, sizeof f->pending);
    segment_write_outputs(f, loop->chunk, 1, &outputs);
    f->record_count = 0;
}

/* Stores the registers of which one of two TARGETS, outside of the loop or where it goes on later, reads the values. */
static void store_values(struct builder *f, uint32_t target, uint32_t other)
{
    bool live[LOOP_LINES] = {false};
    loop_add_live(f, target, live);
    loop_add_live(f, other, live);
    loop_store_values(f, live);
}

/* At the end of the loop, begins with the next chunks if there are any. */
static void emit_again(struct builder *f)
{
    if (!f->loop->offset)
        return;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), done = build_block(f);
    LLVMValueRef next = LLVMBuildAdd(f->b, f->loop->offset, C64(f, 4 * f->loop->chunks * f->jit->lanes), "");
    LLVMValueRef last = LLVMBuildICmp(f->b, LLVMIntEQ, next, C64(f, GCN_LINE), "");
    LLVMBuildCondBr(f->b, last, done, f->loop->again);
    build_follow(f, done);
    LLVMAddIncoming(f->loop->offset, &next, &here, 1);
    LLVMPositionBuilderAtEnd(f->b, done);
}

/* Emits the block that leads out of the loop to TARGET; returns it. */
static LLVMBasicBlockRef emit_way_out(struct builder *f, uint32_t target)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), out = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, out);
    store_values(f, target, target);
    emit_again(f);
    LLVMBuildBr(f->b, f->blocks[target]);
    LLVMPositionBuilderAtEnd(f->b, here);
    return out;
}

/* Goes on in OUT, to which control comes from HERE, too; returns whether it did not. */
static LLVMValueRef meet_in(struct builder *f, LLVMBasicBlockRef out, LLVMBasicBlockRef here)
{
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(f->b), here};
    LLVMValueRef values[] = {LLVMConstInt(f->jit->i1, 1, 0), LLVMConstInt(f->jit->i1, 0, 0)};
    LLVMBuildBr(f->b, out);
    LLVMPositionBuilderAtEnd(f->b, out);
    LLVMValueRef result = LLVMBuildPhi(f->b, f->jit->i1, "");
    LLVMAddIncoming(result, values, from, 2);
    return result;
}

/* Emits the block that goes back from INDEX to the beginning, and what is done when the budget is used up; returns that
 * block. If OUT is not NULL, it is the way out from here to TARGET, where the same registers are stored. */
static LLVMBasicBlockRef emit_way_back(struct builder *f, uint32_t index, uint32_t target, LLVMBasicBlockRef out)
{
    struct jit_loop *loop = f->loop;
    struct loop_block *first = &loop->blocks[0];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), back = build_block(f);
    build_follow(f, back);
    LLVMPositionBuilderAtEnd(f->b, back);
    /* not known where control may have come into the loop in its middle */
    LLVMValueRef known = loop->ways_in == 1 ? loop->budget : NULL;
    LLVMValueRef budget = build_count_back(f, known, index, loop->first, first->block);
    LLVMValueRef yields = out ? meet_in(f, out, here) : NULL;
    store_values(f, loop->first, target);
    emit_again(f);
    if (out) {
        LLVMBasicBlockRef yield = build_block(f);
        LLVMBuildCondBr(f->b, yields, yield, f->blocks[target]);
        LLVMPositionBuilderAtEnd(f->b, yield);
    }
    build_yield(f, loop->first);
    pass_values(f, first, back);
    loop_pass_carried(f, budget, back);
    LLVMPositionBuilderAtEnd(f->b, here);
    return back;
}

/* Goes from one block to the next, or into the loop. */
static void emit_way_on(struct builder *f, struct loop_block *to)
{
    prepare_values(f, to);
    pass_values(f, to, LLVMGetInsertBlock(f->b));
    if (to == f->loop->blocks)
        loop_pass_carried(f, build_load(f, f->jit->i32, offsetof(struct gcn_wave, budget), 4),
                          LLVMGetInsertBlock(f->b));
    LLVMBuildBr(f->b, to->block);
}

/* Where a branch from INDEX to TARGET leads. */
static LLVMBasicBlockRef emit_way(struct builder *f, uint32_t index, uint32_t target)
{
    struct loop_block *to = block_at(f->loop, target);
    if (!to)
        return emit_way_out(f, target);
    if (target <= index)
        return emit_way_back(f, index, target, NULL);
    pass_values(f, to, LLVMGetInsertBlock(f->b));
    return to->block;
}

static void emit_branch(struct builder *f, uint32_t index)
{
    uint32_t target = loop_target(f, index);
    segment_flush(f);
    LLVMValueRef taken = build_condition(f, f->effects[index]->id);
    scalar_commit(f);
    prepare_values(f, block_at(f->loop, target));
    if (taken)
        prepare_values(f, block_at(f->loop, index + 1));
    if (taken && target == f->loop->first && !block_at(f->loop, index + 1)) { /* the loop ends here */
        LLVMBasicBlockRef out = build_block(f);
        LLVMBuildCondBr(f->b, taken, emit_way_back(f, index, index + 1, out), out);
        return;
    }
    LLVMBasicBlockRef to = emit_way(f, index, target);
    if (taken)
        LLVMBuildCondBr(f->b, taken, to, emit_way(f, index, index + 1));
    else
        LLVMBuildBr(f->b, to);
}

static void make_block(struct builder *f, uint32_t index)
{
    struct jit_loop *loop = f->loop;
    loop->block_at[index - loop->first] = (int)loop->block_count;
    struct loop_block *block = &loop->blocks[loop->block_count++];
    block->block = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, block->block);
    for (unsigned k = 0; k < loop->lines; k++)
        for (unsigned c = 0; c < loop->chunks; c++)
            block->phis[k][c] = !loop->in_memory[k] && loop_is_live(f, loop, index, k)
                                    ? LLVMBuildPhi(f->b, loop->wide[k] ? f->jit->wide : f->jit->chunk, "")
                                    : NULL;
    if (block == loop->blocks)
        loop_make_carried(f);
}

/* Makes places for the entries that are in memory, in the first block of the function. */
static void make_homes(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), entry = LLVMGetEntryBasicBlock(f->function);
    for (unsigned c = 0; c < loop->chunks; c++)
        memset(loop->chunk[c].home, 0, sizeof loop->chunk[c].home);
    LLVMPositionBuilderBefore(f->b, LLVMGetFirstInstruction(entry));
    for (unsigned k = 0; k < loop->lines; k++)
        for (unsigned c = 0; loop->in_memory[k] && c < loop->chunks; c++)
            loop->chunk[c].home[loop->line[k]] = LLVMBuildAlloca(f->b, f->jit->chunk, "");
    LLVMPositionBuilderAtEnd(f->b, here);
}

/* Copies registers of CHUNK that are in memory elsewhere within the loop. */
static void fill_homes(struct builder *f, unsigned chunk)
{
    const struct jit_segment *s = &f->loop->chunk[chunk];
    for (unsigned k = 0; k < f->loop->lines; k++) {
        LLVMValueRef home = s->home[f->loop->line[k]];
        if (!home)
            continue;
        LLVMValueRef place = build_at(f, loop_base(f, chunk), line_offset(f->loop->line[k]));
        LLVMValueRef value = LLVMBuildLoad2(f->b, f->jit->chunk, place, "");
        LLVMSetAlignment(value, 4 * f->jit->lanes);
        LLVMBuildStore(f->b, value, home);
    }
}

/* Where the loop is executed several times, emits what comes first each time. */
static void emit_rounds(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    LLVMValueRef zero = C64(f, 0);
    for (unsigned i = 0; i < loop->scalar_count; i++)
        loop->initial[i] = build_load(f, f->jit->i32, loop->scalars[i], 4);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    loop->again = build_block(f);
    LLVMBuildBr(f->b, loop->again);
    build_follow(f, loop->again);
    LLVMPositionBuilderAtEnd(f->b, loop->again);
    loop->offset = LLVMBuildPhi(f->b, f->jit->i64, "");
    LLVMAddIncoming(loop->offset, &zero, &here, 1);
    for (unsigned i = 0; i < loop->scalar_count; i++)
        build_store(f, loop->initial[i], loop->scalars[i], 4);
}

/* Has the builder emit the way into the loop at INDEX. As nothing in the loop stores to memory, a fence that an
 * s_waitcnt asks for can come here. */
static void begin_way_in(struct builder *f, uint32_t index)
{
    uint32_t wait = f->loop->first;
    while (wait < f->loop->end && f->effects[wait]->kind != EFFECT_WAIT)
        wait++;
    LLVMPositionBuilderAtEnd(f->b, f->blocks[index]);
    scalar_forget(f);
    if (wait < f->loop->end)
        build_wait(f, wait);
}

static void emit_way_in(struct builder *f, uint32_t index)
{
    begin_way_in(f, index);
    begin_values(f->loop, NULL);
    if (f->loop->chunks < GCN_LANES / f->jit->lanes)
        emit_rounds(f);
    for (unsigned c = 0; c < f->loop->chunks; c++)
        fill_homes(f, c);
    emit_way_on(f, block_at(f->loop, index));
}

static void emit_inside(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    bool open = false;
    for (uint32_t i = loop->first; i < loop->end; i++) {
        f->at = i;
        if (f->leader[i]) {
            struct loop_block *block = block_at(loop, i);
            if (open) {
                segment_flush(f);
                scalar_commit(f);
                emit_way_on(f, block);
            }
            LLVMPositionBuilderAtEnd(f->b, block->block);
            scalar_forget(f);
            begin_values(loop, block);
            if (block == loop->blocks)
                loop_begin_carried(f);
            open = true;
        }
        if (!open || f->effects[i]->kind == EFFECT_WAIT)
            continue;
        if (f->effects[i]->kind == EFFECT_BRANCH) {
            emit_branch(f, i);
            open = false;
        } else {
            open = build_op(f, i);
        }
    }
}

/* Emits a loop in two parts. */
static void emit_parts(struct builder *f)
{
    LLVMBasicBlockRef again = build_block(f);
    begin_way_in(f, f->parts->entry);
    LLVMBuildBr(f->b, again);
    LLVMPositionBuilderAtEnd(f->b, again);
    parts_emit(f, again);
}

static void emit_whole(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    make_homes(f);
    for (uint32_t i = loop->first; i < loop->end; i++)
        if (f->leader[i])
            make_block(f, i);
    loop->ways_in = 0;
    for (uint32_t i = loop->first; i < loop->end; i++)
        if (f->leader[i] == LEADER_YES) {
            emit_way_in(f, i);
            loop->ways_in++;
        }
    emit_inside(f);
}

uint32_t loop_emit(struct builder *f, uint32_t first)
{
    uint32_t end = f->loop_end[first];
    struct jit_loop *loop = f->loop_state;
    if (!end || !loop_is_suitable(f, loop, first, end))
        return first;
    loop->block_count = 0;
    loop->offset = loop->split = NULL;
    f->loop = loop;
    f->ordered = true;
    if (loop->in_parts)
        emit_parts(f);
    else
        emit_whole(f);
    f->loop = NULL;
    return end;
}
