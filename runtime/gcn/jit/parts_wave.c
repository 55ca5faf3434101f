/* SPDX-License-Identifier: MIT */
/* A loop in two parts (parts.h), and of these the wave's part: its scalar operations and branches, as the program has
 * them.
 * Input: the steps of the loop, the notes of the lanes' part. Output: instructions at the builder. Invariant: what the
 * loop writes to scalar registers is in memory where the loop is left; if it loads some, at all times. */
#include "runtime/gcn/jit/parts.h"

static uint32_t place_of(const struct written *w)
{
    return w->code == PARTS_SCC ? (uint32_t)offsetof(struct gcn_wave, scc) : scalar_ref((unsigned)w->code);
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

/* Goes on in the block before step AT, to which control comes from here, too, with what is known there. */
static void enter_join(struct builder *f, unsigned at)
{
    struct parts *parts = f->parts;
    bring(f, at);
    LLVMBuildBr(f->b, parts->joins[at]);
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

/* Goes on after the wave's part, which is the first one; LEFT tells whether the loop has been left, and NEXT where the
 * notes of the last round end. */
static void go_after(struct builder *f, bool left, LLVMValueRef next)
{
    LLVMValueRef value = LLVMConstInt(f->jit->i1, left, 0);
    if (!f->parts->loads)
        store_written(f);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    LLVMAddIncoming(f->parts->left, &value, &here, 1);
    LLVMAddIncoming(f->parts->stop, &next, &here, 1);
    LLVMBuildBr(f->b, f->parts->after);
}

/* Stores what is left of the budget after the rounds whose notes end at NOTE. */
static void store_budget(struct builder *f, LLVMValueRef note)
{
    LLVMValueRef rounds = LLVMBuildUDiv(f->b, note, C64(f, parts_stride(f->parts)), "");
    rounds = LLVMBuildMul(f->b, rounds, C64(f, build_round_cost(f->parts->count)), "");
    LLVMValueRef left = LLVMBuildSub(f->b, f->parts->budget, LLVMBuildTrunc(f->b, rounds, f->jit->i32, ""), "");
    build_store(f, left, offsetof(struct gcn_wave, budget), 4);
}

static LLVMValueRef next_note(struct builder *f, LLVMValueRef note)
{
    return LLVMBuildAdd(f->b, note, C64(f, parts_stride(f->parts)), "");
}

/* If SCC tells how values compare, compares them again, where the builder is: so that need not be done before, in each
 * round. */
static void find_scc_again(struct builder *f)
{
    LLVMValueRef bit = f->scc && LLVMIsAZExtInst(f->scc) ? LLVMGetOperand(f->scc, 0) : NULL;
    if (!bit || !LLVMIsAICmpInst(bit))
        return;
    bit = LLVMBuildICmp(f->b, LLVMGetICmpPredicate(bit), LLVMGetOperand(bit, 0), LLVMGetOperand(bit, 1), "");
    f->scc = LLVMBuildZExt(f->b, bit, f->jit->i32, "");
}

/* Emits the block that leaves the loop, in the round of NOTE, for micro-operation TARGET; returns it. */
static LLVMBasicBlockRef emit_way_out(struct builder *f, uint32_t target, LLVMValueRef note)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), out = build_block(f);
    LLVMValueRef scc;
    for (unsigned i = 0; f->aside && i < f->parts->written_count; i++)
        read_written(f, &f->parts->written[i]); /* what is read here is known on both ways */
    scc = f->scc;
    LLVMPositionBuilderAtEnd(f->b, out);
    store_budget(f, note);
    find_scc_again(f);
    if (f->parts->wave_first) {
        go_after(f, true, next_note(f, note));
    } else {
        store_written(f);
        LLVMBuildBr(f->b, f->blocks[target]);
    }
    f->scc = scc;
    LLVMPositionBuilderAtEnd(f->b, here);
    return out;
}

/* Writes the masks that a vector operation makes. */
static void emit_result(struct builder *f, const struct step *step, LLVMValueRef note)
{
    const uint32_t exec_ref = scalar_ref(GCN_S_EXEC);
    const struct effect *effect = f->effects[step->index];
    uint32_t to = mask_destination(effect, &f->unit->ops[step->index]);
    LLVMValueRef noted = LLVMBuildLoad2(f->b, f->jit->i64, parts_note(f, f->notes, note, step->note), "");
    LLVMValueRef mask = LLVMBuildAnd(f->b, noted, scalar_read64(f, exec_ref), "");
    if (ref_scalar(to) >= 0)
        scalar_write(f, to, mask, 2, false);
    if (effect->kind == EFFECT_COMPARE_EXEC)
        scalar_write(f, exec_ref, mask, 2, false);
}

/* Loads scalar registers, and notes what they have then. */
static void emit_load(struct builder *f, const struct step *step, LLVMValueRef note)
{
    unsigned dwords = build_scalar_load(f->effects[step->index]);
    uint32_t to = f->unit->ops[step->index].dst;
    build_op(f, step->index);
    LLVMValueRef place = parts_note(f, f->notes, note, step->note);
    if (dwords == 1)
        LLVMBuildStore(f->b, scalar_read32(f, to), place);
    for (unsigned i = 0; dwords > 1 && i < dwords; i += 2)
        LLVMBuildStore(f->b, build_load(f, f->jit->i64, to + 4 * i, 4), build_at(f, place, 4 * (uint64_t)i));
}

/* Emits a branch that goes to AWAY if it is taken, or, if it STAYS then, otherwise. */
static void emit_branch(struct builder *f, LLVMValueRef taken, LLVMBasicBlockRef away, bool stays)
{
    LLVMBasicBlockRef on = build_block(f);
    LLVMBuildCondBr(f->b, taken, stays ? on : away, stays ? away : on);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

/* Notes what branch ID, TAKEN or not, tells about SCC, so that its value need not be kept for what comes after. */
static void know_scc(struct builder *f, unsigned id, bool taken)
{
    if (id == GCN_OP_s_cbranch_scc0 || id == GCN_OP_s_cbranch_scc1)
        f->scc = C32(f, taken == (id == GCN_OP_s_cbranch_scc1));
}

static void emit_step(struct builder *f, const struct step *step, LLVMValueRef note)
{
    unsigned id = f->effects[step->index]->id;
    f->at = step->index;
    switch ((enum parts_step)step->kind) {
    case STEP_SCALAR:
    case STEP_MASK:
    case STEP_MADE: build_op(f, step->index); break;
    case STEP_LOAD: emit_load(f, step, note); break;
    case STEP_VECTOR:
        if (step->note >= 0)
            emit_result(f, step, note);
        break;
    case STEP_EMPTY:
    case STEP_LEAVE: {
        LLVMValueRef taken = build_condition(f, id);
        if (!f->aside)
            scalar_commit(f);
        bool stays = step->kind == STEP_EMPTY ? id == GCN_OP_s_cbranch_execnz : step->stays;
        know_scc(f, id, !stays);
        LLVMBasicBlockRef out = emit_way_out(f, step->target, note);
        know_scc(f, id, stays);
        emit_branch(f, taken, out, stays);
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

/* Goes on AGAIN if the budget allows it. */
static void emit_again(struct builder *f, LLVMBasicBlockRef again)
{
    LLVMBasicBlockRef yield = build_block(f), go = build_block(f);
    LLVMValueRef left = build_load(f, f->jit->i32, offsetof(struct gcn_wave, budget), 4);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntSLT, left, C32(f, 0), ""), yield, go);
    LLVMPositionBuilderAtEnd(f->b, go);
    LLVMBuildBr(f->b, again);
    LLVMPositionBuilderAtEnd(f->b, yield);
    build_yield(f, f->parts->entry);
}

/* Emits the end of a round. After the last one, other rounds are begun AGAIN, unless the lanes' part comes first. */
static void emit_end(struct builder *f, LLVMValueRef note, LLVMBasicBlockRef again)
{
    struct parts *parts = f->parts;
    LLVMBasicBlockRef over = build_block(f);
    LLVMValueRef next = next_note(f, note);
    if (!f->aside)
        scalar_commit(f);
    bring(f, 0);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(f->b);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, parts->end, ""), over, parts->joins[0]);
    build_follow(f, over);
    LLVMAddIncoming(note, &next, &from, 1);
    LLVMPositionBuilderAtEnd(f->b, over);
    store_budget(f, next);
    find_scc_again(f);
    if (parts->wave_first) {
        go_after(f, false, next);
    } else {
        store_written(f);
        emit_again(f, again);
    }
}

/* Emits the wave's part, from the builder's place on. */
static void emit_wave(struct builder *f, LLVMBasicBlockRef again)
{
    struct parts *parts = f->parts;
    memset(parts->joins, 0, sizeof parts->joins);
    f->aside = !parts->loads; /* handlers that load registers read others in memory */
    LLVMValueRef zero = C64(f, 0);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    enter_join(f, 0);
    LLVMValueRef note = LLVMBuildPhi(f->b, f->jit->i64, "");
    LLVMAddIncoming(note, &zero, &here, 1);
    for (unsigned at = 0; at < parts->count; at++) {
        if (at && parts->joins[at])
            enter_join(f, at);
        emit_step(f, &parts->steps[at], note);
    }
    if (parts->joins[parts->count])
        enter_join(f, parts->count);
    emit_end(f, note, again);
    f->aside = false;
}

/* Emits both parts, with the wave's part first, and what comes after them. */
static void emit_wave_first(struct builder *f, LLVMBasicBlockRef again)
{
    struct parts *parts = f->parts;
    const struct step *out = parts->steps;
    while (out->kind != STEP_LEAVE)
        out++;
    for (unsigned code = 0; code < GCN_SGPRS; code++) {
        bool mask = parts->mask_carried[code / 2];
        if (parts->carried[code] || (mask && !(code & 1)))
            parts->initial[code] = build_load(f, mask ? f->jit->i64 : f->jit->i32, scalar_ref(code), 4);
    }
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    parts->after = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, parts->after);
    parts->left = LLVMBuildPhi(f->b, f->jit->i1, "");
    parts->stop = LLVMBuildPhi(f->b, f->jit->i64, "");
    LLVMPositionBuilderAtEnd(f->b, here);
    emit_wave(f, again);
    build_follow(f, parts->after);
    LLVMPositionBuilderAtEnd(f->b, parts->after);
    parts_emit_lanes(f);
    LLVMBasicBlockRef on = build_block(f);
    LLVMBuildCondBr(f->b, parts->left, f->blocks[out->target], on);
    LLVMPositionBuilderAtEnd(f->b, on);
    emit_again(f, again);
}

/* Makes, in the first block of the function, the place for the notes of all loops. */
static void make_notes(struct builder *f)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), entry = LLVMGetEntryBasicBlock(f->function);
    if (f->notes)
        return;
    LLVMPositionBuilderBefore(f->b, LLVMGetFirstInstruction(entry));
    f->notes = LLVMBuildArrayAlloca(f->b, f->jit->i64, C32(f, PARTS_NOTES * PARTS_ROUNDS), "");
    LLVMPositionBuilderAtEnd(f->b, here);
}

/* Computes how many rounds the budget allows, and there is room to note, but one at least, as where their notes end. */
static LLVMValueRef find_end(struct builder *f)
{
    struct parts *parts = f->parts;
    LLVMValueRef budget = build_load(f, f->jit->i32, offsetof(struct gcn_wave, budget), 4), zero = C32(f, 0);
    LLVMValueRef most = C32(f, parts->notes ? PARTS_ROUNDS - 1 : INT32_MAX);
    LLVMValueRef none = LLVMBuildICmp(f->b, LLVMIntSLT, budget, zero, "");
    LLVMValueRef rounds = LLVMBuildSelect(f->b, none, zero, budget, "");
    parts->budget = budget;
    rounds = LLVMBuildUDiv(f->b, rounds, C32(f, build_round_cost(parts->count)), "");
    rounds = LLVMBuildSelect(f->b, LLVMBuildICmp(f->b, LLVMIntULT, rounds, most, ""), rounds, most, "");
    rounds = LLVMBuildAdd(f->b, LLVMBuildZExt(f->b, rounds, f->jit->i64, ""), C64(f, 1), "");
    return LLVMBuildMul(f->b, rounds, C64(f, parts_stride(parts)), "");
}

void parts_emit(struct builder *f, LLVMBasicBlockRef again)
{
    make_notes(f);
    f->parts->end = find_end(f);
    if (f->parts->wave_first) {
        emit_wave_first(f, again);
    } else {
        parts_emit_lanes(f);
        emit_wave(f, again);
    }
}
