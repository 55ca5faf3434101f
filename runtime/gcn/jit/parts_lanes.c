/* SPDX-License-Identifier: MIT */
/* The lanes' part of a loop in two parts (parts.h): a loop over groups of chunks, and in it one over rounds.
 * Input: the steps of the loop. Output: instructions at the builder. Invariant: scalar registers in memory are not
 * changed; afterwards, vector registers in memory are as after the rounds that were executed. */
#include "runtime/gcn/jit/parts.h"

#include <string.h>

enum {
    NOTED = RECORDS_MAX - 1, /* the record whose mask is the one that an operation reads */
    INVARIANTS = 16,         /* scalars that are the same in all rounds */
    SPARE = 4,               /* registers of the host for what does not last */
};

/* A scalar, or a pair, that vector operations read and that is the same in all rounds. */
struct invariant {
    int code;
    unsigned dwords;
    LLVMValueRef value, splat; /* SPLAT: in all lanes of a chunk */
};

struct lanes {
    LLVMValueRef note;      /* where the round's notes begin */
    LLVMValueRef notes;     /* where those of the group do */
    LLVMBasicBlockRef next; /* where the group's registers have been stored */
    bool live[LOOP_LINES];
    struct invariant invariants[INVARIANTS];
    unsigned invariant_count;
};

static unsigned step_number(const struct builder *f, const struct step *step)
{
    return (unsigned)(step - f->parts->steps);
}

/* Masks as vectors */

/* Whether VALUE is one of two constants that have all bits or none. */
static bool is_choice(LLVMValueRef value)
{
    if (!LLVMIsASelectInst(value))
        return false;
    for (unsigned i = 1; i < 3; i++) {
        LLVMValueRef x = LLVMGetOperand(value, i);
        if (!LLVMIsAConstantInt(x) || LLVMConstIntGetZExtValue(x) + 1 > 1)
            return false;
    }
    return true;
}

/* The lanes of CHUNK, which are all or none, if dwords decide which of these constants BITS is; else NULL. Vectors of
 * these are compared, as it takes the host more to bring a flag into a vector. */
static LLVMValueRef compare_lanes(struct builder *f, LLVMValueRef bits, unsigned chunk)
{
    LLVMValueRef condition = is_choice(bits) ? LLVMGetOperand(bits, 0) : NULL, lanes[2];
    if (!condition || !LLVMIsAICmpInst(condition) || LLVMTypeOf(LLVMGetOperand(condition, 0)) != f->jit->i32)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        lanes[i] = segment_splat(f, &f->loop->chunk[chunk], LLVMGetOperand(condition, i));
    LLVMValueRef decision = LLVMBuildICmp(f->b, LLVMGetICmpPredicate(condition), lanes[0], lanes[1], "");
    decision = LLVMBuildSExt(f->b, decision, f->jit->chunk, "");
    if (LLVMIsNull(LLVMGetOperand(bits, 1)))
        decision = LLVMBuildNot(f->b, decision, "");
    return LLVMGetOperand(bits, 1) == LLVMGetOperand(bits, 2) ? NULL : decision;
}

/* The lanes of CHUNK that have their bits in BITS, which is the same for all of them. */
static LLVMValueRef spread_mask(struct builder *f, LLVMValueRef bits, unsigned chunk)
{
    LLVMValueRef compared = compare_lanes(f, bits, chunk);
    if (compared)
        return compared;
    if (is_choice(bits) || LLVMIsNull(bits) || bits == C64(f, -1))
        return segment_spread(f, LLVMBuildTrunc(f->b, bits, f->jit->i32, ""));
    return LLVMBuildSExt(f->b, loop_bits(f, bits, chunk), f->jit->chunk, "");
}

/* The mask as bits, for templates and for blending. */
static LLVMValueRef as_bits(struct builder *f, LLVMValueRef mask)
{
    return LLVMBuildICmp(f->b, LLVMIntSLT, mask, LLVMConstNull(f->jit->chunk), "");
}

/* Has the values that were written since EXEC was, up to step AT, take effect in active lanes only. */
static void blend(struct builder *f, unsigned at)
{
    const struct simple *simple = &f->parts->simple;
    bool whole[LOOP_LINES];
    LLVMValueRef lanes[CHUNKS_MAX];
    if (simple->blends[at])
        simple_make(f, simple->exec[at], lanes);
    for (unsigned k = 0; k < f->loop->lines; k++)
        whole[k] = !parts_needs_old(f, at, k);
    for (unsigned c = 0; f->loop->exec && c < f->loop->chunks; c++) {
        f->loop->chunk[c].full = simple->blends[at] ? as_bits(f, lanes[c]) : NULL; /* otherwise, nothing was written */
        loop_blend(f, c, &f->parts->before[c], whole);
        loop_copy(f, c, &f->parts->before[c]);
    }
}

/* Blends if STEP changes EXEC. What it changes it to is made when that is wanted. */
static void follow_exec(struct builder *f, const struct step *step)
{
    if (masks_writes_exec(step))
        blend(f, step_number(f, step));
}

/* Steps */

static void set_variable(struct builder *f, unsigned variable, LLVMValueRef bits)
{
    LLVMValueRef lanes[CHUNKS_MAX];
    for (unsigned c = 0; c < f->loop->chunks; c++)
        lanes[c] = spread_mask(f, bits, c);
    simple_set(f, variable, lanes);
}

/* Gives the operands of STEP, a bitwise operation, that are no masks. */
static void set_operands(struct builder *f, const struct step *step)
{
    const struct effect *effect = f->effects[step->index];
    unsigned variable = f->parts->simple.made[step_number(f, step)];
    for (unsigned slot = SA; slot <= SD; slot++) {
        uint32_t ref = scalar_operand(effect, &f->unit->ops[step->index], slot);
        if (effect->template->uses >> slot & 1 && masks_is_variable(f, ref))
            set_variable(f, variable++, scalar_read64(f, ref));
    }
}

/* A scalar operation that makes a mask of others. Nothing needs SCC after it. */
static void emit_mask(struct builder *f, const struct step *step)
{
    set_operands(f, step);
    follow_exec(f, step);
}

/* A scalar operation that makes a mask of what is the same for all lanes; so is SCC. */
static void emit_made(struct builder *f, const struct step *step)
{
    const struct gcn_uop *op = &f->unit->ops[step->index];
    int code = ref_scalar(op->dst);
    bool bitwise = masks_is_bitwise(step);
    if (bitwise)
        set_operands(f, step);
    scalar_operation(f, f->effects[step->index], op);
    if (!bitwise)
        set_variable(f, f->parts->simple.made[step_number(f, step)], f->known64[code]);
    f->known64[code] = NULL;
    follow_exec(f, step);
}

/* Notes the bits that a vector operation has made, which are a variable. */
static void take_result(struct builder *f, const struct lanes *l, const struct step *step)
{
    const struct simple *simple = &f->parts->simple;
    unsigned at = step_number(f, step);
    LLVMValueRef lanes[CHUNKS_MAX];
    for (unsigned c = 0; c < f->loop->chunks; c++) {
        LLVMValueRef made = f->loop->chunk[c].masks[0];
        LLVMValueRef place = build_at(f, parts_note(f, l->notes, l->note, step->note), c);
        LLVMBuildStore(f->b, build_as(f, made, f->jit->mask), place);
        lanes[c] = LLVMBuildSExt(f->b, made, f->jit->chunk, "");
    }
    if (simple->made[at] < simple->made[at + 1]) /* some lane may be active */
        simple_set(f, simple->made[at], lanes);
    follow_exec(f, step);
}

static void emit_vector(struct builder *f, const struct lanes *l, const struct step *step)
{
    struct jit_loop *loop = f->loop;
    const struct gcn_uop *op = &f->unit->ops[step->index];
    const struct effect *effect = f->effects[step->index];
    struct record *r = &f->records[0];
    int pair = simple_read(f, step), from = 2 * pair;
    bool mask = pair >= 0;
    LLVMValueRef lanes[CHUNKS_MAX];
    if (mask)
        simple_make(f, f->parts->simple.read[step_number(f, step)], lanes);
    *r = (struct record){.effect = effect, .op = op, .in_record = -1, .pc = f->unit->pcs[step->index]};
    if (mask)
        f->pending[from] = f->pending[from + 1] = NOTED + 1;
    segment_capture(f, r);
    if (mask)
        f->pending[from] = f->pending[from + 1] = 0;
    for (unsigned c = 0; c < f->loop->chunks; c++) {
        if (mask)
            loop->chunk[c].masks[NOTED] = as_bits(f, lanes[c]);
        loop_share_splats(loop, c);
        segment_emit_record(f, &loop->chunk[c], 0);
    }
    if (step->note >= 0)
        take_result(f, l, step);
}

/* Takes what the wave's part has loaded. */
static void emit_load(struct builder *f, const struct lanes *l, const struct step *step)
{
    unsigned dwords = build_scalar_load(f->effects[step->index]);
    int code = ref_scalar(f->unit->ops[step->index].dst);
    scalar_changed(f, scalar_ref((unsigned)code), dwords);
    for (unsigned i = 0; i < dwords; i++) {
        LLVMValueRef place = build_at(f, parts_note(f, f->notes, l->note, step->note), 4 * (uint64_t)i);
        f->known32[code + (int)i] = LLVMBuildLoad2(f->b, f->jit->i32, place, "");
    }
}

/* Emits the block that stores the group's registers; returns it. */
static LLVMBasicBlockRef emit_stop(struct builder *f, const struct lanes *l)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), stop = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, stop);
    loop_store_values(f, l->live);
    LLVMBuildBr(f->b, l->next);
    LLVMPositionBuilderAtEnd(f->b, here);
    return stop;
}

/* Stops under CONDITION, and goes on otherwise, or the other way round. */
static void stop_if(struct builder *f, const struct lanes *l, LLVMValueRef condition, bool otherwise)
{
    LLVMBasicBlockRef stop = emit_stop(f, l), on = build_block(f);
    LLVMBuildCondBr(f->b, condition, otherwise ? on : stop, otherwise ? stop : on);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

static void emit_step(struct builder *f, const struct lanes *l, const struct step *step)
{
    const struct effect *effect = f->effects[step->index];
    f->at = step->index;
    switch ((enum parts_step)step->kind) {
    case STEP_VECTOR: emit_vector(f, l, step); break;
    case STEP_SCALAR:
        if (step->needed)
            build_op(f, step->index);
        break;
    case STEP_LOAD: emit_load(f, l, step); break;
    case STEP_MASK: emit_mask(f, step); break;
    case STEP_MADE: emit_made(f, step); break;
    case STEP_EMPTY: {
        LLVMValueRef lanes[CHUNKS_MAX], any;
        simple_make(f, f->parts->simple.exec[step_number(f, step)], lanes);
        any = lanes[0];
        for (unsigned c = 1; c < f->loop->chunks; c++)
            any = LLVMBuildOr(f->b, any, lanes[c], "");
        blend(f, step_number(f, step));
        stop_if(f, l, segment_no_lane(f, as_bits(f, any)), false);
        break;
    }
    case STEP_LEAVE:
        if (f->parts->leaves_at_end)
            break;
        blend(f, step_number(f, step));
        stop_if(f, l, build_condition(f, effect->id), step->stays);
        break;
    case STEP_NOTHING:
    case STEP_SKIP: break;
    }
}

/* From one round to the next */

static LLVMValueRef *carried_value(struct builder *f, unsigned k, unsigned chunk)
{
    struct jit_segment *s = &f->loop->chunk[chunk];
    return f->loop->wide[k] ? &s->wide[f->loop->line[k]] : &s->value[f->loop->line[k]];
}

static bool is_handed_over(const struct parts *parts, unsigned code)
{
    return parts->carried[code] && parts->needed[code];
}

static void hand_over(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from)
{
    LLVMAddIncoming(phi, &value, &from, 1);
}

/* Makes the values with which a round begins, at the builder, before a branch to it. */
static void prepare_round(struct builder *f, const bool *carried)
{
    for (unsigned k = 0; k < f->loop->lines; k++)
        for (unsigned c = 0; carried[k] && c < f->loop->chunks; c++)
            loop_value(f, &f->loop->chunk[c], k);
    for (unsigned code = 0; code < GCN_SGPRS; code++)
        if (is_handed_over(f->parts, code))
            scalar_read32(f, scalar_ref(code));
}

/* Hands them over, where the branch comes from FROM. */
static void pass_round(struct builder *f, LLVMValueRef (*phis)[CHUNKS_MAX], LLVMBasicBlockRef from)
{
    struct parts *parts = f->parts;
    for (unsigned k = 0; k < f->loop->lines; k++)
        for (unsigned c = 0; c < f->loop->chunks && phis[k][c]; c++)
            hand_over(phis[k][c], *carried_value(f, k, c), from);
    for (unsigned pair = 0; pair < PARTS_MASKS; pair++)
        for (unsigned c = 0; simple_changes(&parts->simple, pair) && c < f->loop->chunks; c++)
            hand_over(parts->phis[pair][c], parts->masks[pair][c], from);
    for (unsigned code = 0; code < GCN_SGPRS; code++)
        if (is_handed_over(parts, code))
            hand_over(parts->scalar_phis[code], f->known32[code], from);
}

/* Makes the values with which a round begins, where its block is. */
static void make_phis(struct builder *f, LLVMValueRef (*phis)[CHUNKS_MAX], const bool *carried)
{
    struct parts *parts = f->parts;
    for (unsigned k = 0; k < f->loop->lines; k++)
        for (unsigned c = 0; c < f->loop->chunks; c++)
            phis[k][c] = carried[k] ? LLVMBuildPhi(f->b, f->loop->wide[k] ? f->jit->wide : f->jit->chunk, "") : NULL;
    for (unsigned pair = 0; pair < PARTS_MASKS; pair++)
        for (unsigned c = 0; simple_changes(&parts->simple, pair) && c < f->loop->chunks; c++)
            parts->phis[pair][c] = LLVMBuildPhi(f->b, f->jit->chunk, "");
    for (unsigned code = 0; code < GCN_SGPRS; code++)
        if (is_handed_over(parts, code))
            parts->scalar_phis[code] = LLVMBuildPhi(f->b, f->jit->i32, "");
}

/* Reads, before the rounds, the operand of a vector operation if it is the same in all of them. */
static void make_invariant(struct builder *f, struct lanes *l, const struct scalar_access *access)
{
    bool same = !access->write && !access->bitwise && access->code < GCN_SGPRS;
    for (int code = access->code; same && code < access->code + access->dwords; code++)
        same = code < GCN_SGPRS && !f->parts->changes[code] && !f->parts->is_mask[code / 2];
    for (unsigned i = 0; i < l->invariant_count; i++)
        same &= l->invariants[i].code != access->code || l->invariants[i].dwords != access->dwords;
    if (!same)
        return;
    uint32_t ref = scalar_ref((unsigned)access->code);
    LLVMValueRef value = access->dwords == 2 ? scalar_read64(f, ref) : scalar_read32(f, ref);
    l->invariants[l->invariant_count++] =
        (struct invariant){access->code, access->dwords, value, segment_spread(f, value)};
}

/* Reads, before the rounds, what is the same in all of them, as far as the host has registers for it beside those that
 * are CARRIED. */
static void make_invariants(struct builder *f, struct lanes *l, const bool *carried)
{
    unsigned used = SPARE, registers = loop_host_registers(f);
    for (unsigned k = 0; k < f->loop->lines; k++)
        used += carried[k] ? f->loop->chunks * (1 + f->loop->wide[k]) : 0;
    l->invariant_count = 0;
    for (unsigned at = 0; at < f->parts->count; at++) {
        const struct step *step = &f->parts->steps[at];
        for (unsigned i = 0; step->kind == STEP_VECTOR && i < step->access_count; i++)
            if (l->invariant_count < INVARIANTS && used + l->invariant_count < registers)
                make_invariant(f, l, &step->accesses[i]);
    }
}

/* Has them known in the rounds. */
static void know_invariants(struct builder *f, const struct lanes *l)
{
    for (const struct invariant *x = l->invariants; x < l->invariants + l->invariant_count; x++) {
        (x->dwords == 2 ? f->known64 : f->known32)[x->code] = x->value;
        for (unsigned c = 0; c < f->loop->chunks; c++) {
            struct jit_segment *s = &f->loop->chunk[c];
            s->splats[s->splat_count].scalar = x->value;
            s->splats[s->splat_count++].splat = x->splat;
        }
    }
}

/* Has nothing known of the registers but what a round begins with; or, without PHIS, nothing. */
static void begin_values(struct builder *f, LLVMValueRef (*phis)[CHUNKS_MAX])
{
    struct parts *parts = f->parts;
    scalar_forget(f);
    for (unsigned code = 0; phis && code < GCN_SGPRS; code++)
        if (is_handed_over(parts, code))
            f->known32[code] = parts->scalar_phis[code];
    for (unsigned pair = 0; phis && pair < PARTS_MASKS; pair++)
        if (simple_changes(&parts->simple, pair))
            memcpy(parts->masks[pair], parts->phis[pair], sizeof parts->masks[pair]);
    simple_begin(f);
    for (unsigned v = 0; phis && v < parts->simple.carried; v++)
        if (parts->simple.needed[parts->simple.pair[v]])
            simple_set(f, v, parts->masks[parts->simple.pair[v]]);
    for (unsigned c = 0; c < f->loop->chunks; c++) {
        struct jit_segment *s = &f->loop->chunk[c];
        memset(s->value, 0, sizeof s->value);
        memset(s->wide, 0, sizeof s->wide);
        memset(s->home, 0, sizeof s->home);
        memset(s->dirty, 0, sizeof s->dirty);
        s->base = loop_base(f, c);
        s->shift = loop_lane(f, c);
        s->splat_count = 0;
        s->below.sum = NULL;
        for (unsigned k = 0; phis && k < f->loop->lines; k++)
            if (phis[k][c])
                loop_set_value(f->loop, s, k, phis[k][c]);
        loop_copy(f, c, &parts->before[c]);
    }
}

/* Makes what the first round has of scalar registers. */
static void begin_scalars(struct builder *f)
{
    struct parts *parts = f->parts;
    for (unsigned code = 0; code < GCN_SGPRS && parts->wave_first; code++)
        if (is_handed_over(parts, code))
            f->known32[code] = parts->initial[code];
    for (unsigned pair = 0; pair < PARTS_MASKS; pair++) {
        if (!parts->simple.needed[pair])
            continue;
        LLVMValueRef bits =
            parts->wave_first ? parts->initial[2 * pair] : build_load(f, f->jit->i64, scalar_ref(2 * pair), 8);
        for (unsigned c = 0; c < f->loop->chunks; c++)
            parts->masks[pair][c] = spread_mask(f, bits, c);
    }
}

/* Marks the entries that may still be read from micro-operation TARGET on, and that last so long. */
static void add_lasting(const struct builder *f, uint32_t target, bool *live)
{
    for (unsigned k = 0; k < f->loop->lines; k++)
        live[k] |= loop_is_live(f, f->loop, target, k) && !f->parts->temporary[k];
}

/* Emits the loop over rounds for a group, from the builder's place on. */
static void emit_rounds(struct builder *f, struct lanes *l)
{
    struct parts *parts = f->parts;
    LLVMValueRef phis[LOOP_LINES][CHUNKS_MAX], stride = C64(f, parts_stride(parts));
    bool carried[LOOP_LINES] = {false};
    add_lasting(f, parts->entry, carried);
    begin_values(f, NULL);
    begin_scalars(f);
    prepare_round(f, carried);
    make_invariants(f, l, carried);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), round = build_block(f);
    LLVMBuildBr(f->b, round);
    build_follow(f, round);
    LLVMPositionBuilderAtEnd(f->b, round);
    make_phis(f, phis, carried);
    l->note = LLVMBuildPhi(f->b, f->jit->i64, "");
    hand_over(l->note, C64(f, 0), here);
    pass_round(f, phis, here);
    begin_values(f, phis);
    know_invariants(f, l);
    for (unsigned at = 0; at < parts->count; at++)
        emit_step(f, l, &parts->steps[at]);
    blend(f, parts->count);
    for (unsigned v = 0; v < parts->simple.carried; v++) {
        unsigned pair = parts->simple.pair[v];
        if (simple_changes(&parts->simple, pair))
            simple_make(f, parts->simple.last[pair], parts->masks[pair]);
    }
    prepare_round(f, carried);
    LLVMValueRef next = LLVMBuildAdd(f->b, l->note, stride, "");
    LLVMValueRef last = LLVMBuildICmp(f->b, LLVMIntEQ, next, parts->wave_first ? parts->stop : parts->end, "");
    LLVMBasicBlockRef stop = emit_stop(f, l), from = LLVMGetInsertBlock(f->b);
    LLVMBuildCondBr(f->b, last, stop, round);
    build_follow(f, stop); /* so that one jump per round is enough */
    hand_over(l->note, next, from);
    pass_round(f, phis, from);
}

void parts_emit_lanes(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    struct parts *parts = f->parts;
    struct lanes l = {0};
    add_lasting(f, parts->entry, l.live);
    for (unsigned at = 0; at < parts->count; at++)
        if (parts->steps[at].kind == STEP_EMPTY || parts->steps[at].kind == STEP_LEAVE)
            add_lasting(f, parts->steps[at].target, l.live);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), group = build_block(f), done = build_block(f);
    l.next = build_block(f);
    LLVMBuildBr(f->b, group);
    build_follow(f, group);
    LLVMPositionBuilderAtEnd(f->b, group);
    loop->offset = LLVMBuildPhi(f->b, f->jit->i64, "");
    hand_over(loop->offset, C64(f, 0), here);
    LLVMValueRef first = LLVMBuildLShr(f->b, loop->offset, C64(f, 5), ""); /* 8 lanes, which have 4 bytes each */
    l.notes = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, f->notes, &first, 1, "");
    f->aside = true;
    emit_rounds(f, &l);
    f->aside = false;
    LLVMPositionBuilderAtEnd(f->b, l.next);
    LLVMValueRef next = LLVMBuildAdd(f->b, loop->offset, C64(f, 4 * (uint64_t)loop->chunks * f->jit->lanes), "");
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, C64(f, GCN_LINE), ""), done, group);
    hand_over(loop->offset, next, l.next);
    build_follow(f, done);
    LLVMPositionBuilderAtEnd(f->b, done);
    loop->offset = NULL;
    scalar_forget(f);
}
