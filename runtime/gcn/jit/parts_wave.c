/* SPDX-License-Identifier: MIT */
/* The wave's part of a loop in two parts (parts.h): its scalar operations and branches, as the program has them.
 * Input: the steps of the loop, the notes of the lanes' part. Output: instructions at the builder. Invariant: what the
 * loop writes to scalar registers are values in the loop, and in memory where it is left. */
#include "runtime/gcn/jit/parts.h"

static uint32_t place_of(const struct written *w)
{
    return (uint32_t)(w->code == PARTS_SCC ? offsetof(struct gcn_wave, scc)
                                           : offsetof(struct gcn_wave, s) + 4 * (size_t)w->code);
}

static LLVMValueRef read_written(struct builder *f, const struct written *w)
{
    return w->dwords == 2 ? scalar_read64(f, place_of(w)) : scalar_read32(f, place_of(w));
}

/* Whether SCC, as it is at step AT, may be read, or be left in memory, before it is written. */
static bool scc_matters(const struct parts *parts, unsigned at)
{
    for (; at < parts->count; at++) {
        const struct step *step = &parts->steps[at];
        bool written = false;
        for (unsigned i = 0; i < step->access_count; i++) {
            if (step->accesses[i].code == PARTS_SCC && !step->accesses[i].write)
                return true;
            written |= step->accesses[i].code == PARTS_SCC;
        }
        if (written)
            return false;
        if (step->kind == STEP_EMPTY || step->kind == STEP_LEAVE || step->kind == STEP_SKIP)
            return true;
    }
    return true;
}

/* Makes the block before step AT, if there is none yet, with the values that control brings there. */
static void make_join(struct builder *f, unsigned at)
{
    struct parts *parts = f->parts;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    if (parts->joins[at])
        return;
    parts->joins[at] = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, parts->joins[at]);
    for (unsigned i = 0; i < parts->written_count; i++) {
        const struct written *w = &parts->written[i];
        bool matters = w->code != PARTS_SCC || scc_matters(parts, at);
        parts->join_phis[at][i] = matters ? LLVMBuildPhi(f->b, w->dwords == 2 ? f->jit->i64 : f->jit->i32, "") : NULL;
    }
    LLVMPositionBuilderAtEnd(f->b, here);
}

/* Makes the values that a branch from the builder's place brings to the block before step AT. */
static void bring(struct builder *f, unsigned at)
{
    struct parts *parts = f->parts;
    make_join(f, at);
    for (unsigned i = 0; i < parts->written_count; i++) {
        if (!parts->join_phis[at][i])
            continue;
        LLVMValueRef value = read_written(f, &parts->written[i]);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
        LLVMAddIncoming(parts->join_phis[at][i], &value, &here, 1);
    }
}

/* Goes on in the block before step AT, with what is known there. */
static void begin_join(struct builder *f, unsigned at)
{
    struct parts *parts = f->parts;
    build_follow(f, parts->joins[at]);
    LLVMPositionBuilderAtEnd(f->b, parts->joins[at]);
    scalar_forget(f);
    for (unsigned i = 0; i < parts->written_count; i++) {
        const struct written *w = &parts->written[i];
        LLVMValueRef phi = parts->join_phis[at][i];
        if (w->code == PARTS_SCC)
            f->scc = phi;
        else
            (w->dwords == 2 ? f->known64 : f->known32)[w->code] = phi;
    }
}

/* Stores what the loop writes. */
static void store_written(struct builder *f)
{
    for (unsigned i = 0; i < f->parts->written_count; i++)
        build_store(f, read_written(f, &f->parts->written[i]), place_of(&f->parts->written[i]), 4);
}

/* Emits the block that leaves the loop for micro-operation TARGET; returns it. */
static LLVMBasicBlockRef emit_way_out(struct builder *f, uint32_t target)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), out = build_block(f);
    for (unsigned i = 0; i < f->parts->written_count; i++)
        read_written(f, &f->parts->written[i]); /* what is read here is known on both ways */
    LLVMPositionBuilderAtEnd(f->b, out);
    store_written(f);
    LLVMBuildBr(f->b, f->blocks[target]);
    LLVMPositionBuilderAtEnd(f->b, here);
    return out;
}

/* Writes the masks that a vector operation makes. */
static void emit_result(struct builder *f, const struct step *step, LLVMValueRef note)
{
    const uint32_t exec_ref = (uint32_t)(offsetof(struct gcn_wave, s) + 4 * GCN_S_EXEC);
    const struct effect *effect = f->effects[step->index];
    uint32_t to = mask_destination(effect, &f->unit->ops[step->index]);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, f->notes, &note, 1, "");
    place = build_at(f, place, 8 * (uint64_t)step->result);
    LLVMValueRef noted = LLVMBuildLoad2(f->b, f->jit->i64, place, "");
    LLVMValueRef mask = LLVMBuildAnd(f->b, noted, scalar_read64(f, exec_ref), "");
    if (ref_scalar(to) >= 0)
        scalar_write(f, to, mask, 2, false);
    if (effect->kind == EFFECT_COMPARE_EXEC)
        scalar_write(f, exec_ref, mask, 2, false);
}

/* Emits a branch that goes to AWAY if it is taken, or, if it STAYS then, otherwise. */
static void emit_branch(struct builder *f, LLVMValueRef taken, LLVMBasicBlockRef away, bool stays)
{
    LLVMBasicBlockRef on = build_block(f);
    LLVMBuildCondBr(f->b, taken, stays ? on : away, stays ? away : on);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

static void emit_step(struct builder *f, const struct step *step, LLVMValueRef note)
{
    unsigned id = f->effects[step->index]->id;
    f->at = step->index;
    switch ((enum step_kind)step->kind) {
    case STEP_SCALAR:
    case STEP_MASK:
    case STEP_MADE: build_op(f, step->index); break;
    case STEP_VECTOR:
        if (step->result >= 0)
            emit_result(f, step, note);
        break;
    case STEP_EMPTY:
    case STEP_LEAVE: {
        LLVMValueRef taken = build_condition(f, id);
        bool stays = step->kind == STEP_EMPTY ? id == GCN_OP_s_cbranch_execnz : step->stays;
        emit_branch(f, taken, emit_way_out(f, step->target), stays);
        break;
    }
    case STEP_SKIP: {
        LLVMValueRef taken = build_condition(f, id);
        bring(f, step->to);
        emit_branch(f, taken, f->parts->joins[step->to], false);
        break;
    }
    case STEP_NOTHING: break;
    }
}

/* Emits the end of a round. After the last one, the rounds that come next are begun AGAIN, if the BUDGET allows it. */
static void emit_end(struct builder *f, LLVMValueRef note, LLVMValueRef budget, LLVMBasicBlockRef again)
{
    struct parts *parts = f->parts;
    LLVMBasicBlockRef over = build_block(f), yield = build_block(f), go = build_block(f);
    LLVMValueRef left = LLVMBuildSub(f->b, budget, C32(f, build_round_cost(parts->count)), "");
    LLVMValueRef next = LLVMBuildAdd(f->b, note, C64(f, 8 * (uint64_t)(parts->results + !parts->results)), "");
    build_store(f, left, offsetof(struct gcn_wave, budget), 4);
    bring(f, 0);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(f->b);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, parts->end, ""), over, parts->joins[0]);
    LLVMAddIncoming(note, &next, &from, 1);
    LLVMAddIncoming(budget, &left, &from, 1);
    LLVMPositionBuilderAtEnd(f->b, over);
    store_written(f);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntSLT, left, C32(f, 0), ""), yield, go);
    LLVMPositionBuilderAtEnd(f->b, go);
    LLVMBuildBr(f->b, again);
    LLVMPositionBuilderAtEnd(f->b, yield);
    build_yield(f, parts->entry);
}

void parts_emit_wave(struct builder *f, LLVMBasicBlockRef again)
{
    struct parts *parts = f->parts;
    memset(parts->joins, 0, sizeof parts->joins);
    f->aside = true;
    LLVMValueRef budget = build_load(f, f->jit->i32, offsetof(struct gcn_wave, budget), 4), zero = C64(f, 0);
    bring(f, 0);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    LLVMBuildBr(f->b, parts->joins[0]);
    begin_join(f, 0);
    LLVMValueRef note = LLVMBuildPhi(f->b, f->jit->i64, ""), left = LLVMBuildPhi(f->b, f->jit->i32, "");
    LLVMAddIncoming(note, &zero, &here, 1);
    LLVMAddIncoming(left, &budget, &here, 1);
    for (unsigned at = 0; at < parts->count; at++) {
        if (at && parts->joins[at]) {
            bring(f, at);
            LLVMBuildBr(f->b, parts->joins[at]);
            begin_join(f, at);
        }
        emit_step(f, &parts->steps[at], note);
    }
    if (parts->joins[parts->count]) {
        bring(f, parts->count);
        LLVMBuildBr(f->b, parts->joins[parts->count]);
        begin_join(f, parts->count);
    }
    emit_end(f, note, left, again);
    f->aside = false;
}
