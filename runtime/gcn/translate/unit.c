/* SPDX-License-Identifier: MIT */
/* Translation of machine code to a unit of micro-operations.
 * Input: the code, and where control enters it. Output: a unit with the instructions reached from there.
 * Invariant: every instruction is decoded once per unit, so that text that changes meanwhile cannot contradict
 * itself; at most UNIT_STRAIGHT instructions run without a micro-operation that counts against the wave's budget. */
#include "runtime/gcn/translate/unit.h"

#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/translate/micro_emit.h"
#include "runtime/gcn/observe/observe.h"
#include "support/search.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT_LIMIT = 4096,       /* instructions of a unit, except that */
    UNIT_HARD_LIMIT = 16384, /* those that address registers relatively may make it this large */
    UNIT_STRAIGHT = 64,      /* instructions after which straight code is counted, ... */
    UNIT_BEFORE_BRANCH = 16, /* ... before a branch, which may skip a later count, ... */
    UNIT_BEFORE_LOOP = 4,    /* ... and before a loop, lest each pass counts what came before the loop */
};

/* Discovery: the instructions that direct control flow reaches */

struct unit_place {
    uint32_t at;
    bool indexing; /* registers may be addressed relatively here */
};

struct found {
    uint32_t at;
    bool legal, indexing;
    bool cut;  /* left out, as too much code addresses registers relatively: a fault */
    bool loop; /* a branch leads back to it */
    struct gcn_inst inst;
};

struct discovery {
    struct gcn_code *code;
    struct unit_plane *plane;
    uint32_t number;                /* the number of the unit in plane->owner */
    VEC(struct unit_place) pending; /* where decoding has to go on */
    VEC(struct found) found;
    bool asks, leaves; /* as in gcn_unit */
    bool oom;
};

bool unit_decode(const struct gcn_code *code, uint32_t at, struct gcn_inst *inst)
{
    uint8_t copy[8];
    size_t offset = 4 * (size_t)at, size = code->size - offset < sizeof copy ? code->size - offset : sizeof copy;
    memcpy(copy, code->text + offset, size);
    __asm__ volatile("" : "+m"(copy)); /* the decoder looks at the copy, not at the text again */
    return gcn_decode(code->target, copy, size, inst) == GCN_DECODE_OK;
}

static bool is_call(const struct gcn_inst *inst)
{
    return inst->op == GCN_OP_s_swappc_b64 || inst->op == GCN_OP_s_call_b64;
}

static bool is_direct_branch(const struct gcn_inst *inst)
{
    return inst->encoding == GCN_SOPP && (gcn_op_info[inst->op].flags & GCN_F_BRANCH);
}

/* Whether control never goes on after INST by itself. */
static bool is_end(const struct gcn_inst *inst)
{
    return (gcn_op_info[inst->op].flags & GCN_F_END) || inst->op == GCN_OP_s_branch || inst->op == GCN_OP_s_setpc_b64 ||
           inst->op == GCN_OP_s_rfe_b64 || inst->op == GCN_OP_s_rfe_restore_b64 || is_call(inst);
}

/* The target of a branch as a dword of the code; false if it lies outside of the code. */
static bool branch_target(const struct gcn_code *code, const struct gcn_inst *inst, uint32_t at, uint32_t *target)
{
    int64_t to = (int64_t)at + 1 + inst->imm;
    *target = (uint32_t)to;
    return to >= 0 && (uint64_t)to < code->size / 4;
}

/* Whether INST reads which exceptions there were, or may enable some. */
static bool asks_for_exceptions(const struct gcn_code *code, const struct gcn_inst *inst)
{
    enum { EXCEPTIONS = 7 };
    unsigned id = inst->encoding == GCN_SOPK ? code->target->layout->hwreg[inst->imm & 63] : 0;
    switch (inst->op) {
    case GCN_OP_s_getreg_b32: return id == GCN_HWREG_TRAPSTS && gcn_takes_bits(inst->imm, 0, EXCEPTIONS);
    case GCN_OP_s_setreg_b32:
    case GCN_OP_s_setreg_imm32_b32:
        return id == GCN_HWREG_MODE && gcn_takes_bits(inst->imm, GCN_MODE_EXCP_EN, EXCEPTIONS);
    default: return false;
    }
}

bool unit_code_asks(struct gcn_code *code)
{
    enum { SOPK_PREFIX = 0xb };
    for (uint32_t at = 0; !code->scanned && !code->asks && at < code->size / 4; at++) {
        uint32_t word;
        struct gcn_inst inst;
        memcpy(&word, code->text + 4 * (size_t)at, sizeof word);
        code->asks = word >> 28 == SOPK_PREFIX && unit_decode(code, at, &inst) && asks_for_exceptions(code, &inst);
    }
    code->scanned = true;
    return code->asks;
}

static void visit_address(struct discovery *d, uint32_t at, bool indexing)
{
    struct unit_place place = {at, indexing};
    if (at < d->code->size / 4 && !d->plane->owner[at] && !vec_push(&d->pending, place))
        d->oom = true;
}

static bool is_full(const struct discovery *d, bool indexing)
{
    return d->found.count >= (indexing ? UNIT_HARD_LIMIT : UNIT_LIMIT);
}

static void discover_from(struct discovery *d, uint32_t at, bool indexing)
{
    while (!d->oom && at < d->code->size / 4 && !d->plane->owner[at] && (indexing || !is_full(d, false))) {
        struct found f = {.at = at, .indexing = indexing, .cut = is_full(d, indexing)};
        uint32_t target;
        f.legal = unit_decode(d->code, at, &f.inst);
        if (!vec_push(&d->found, f)) {
            d->oom = true;
            return;
        }
        d->plane->owner[at] = d->number;
        if (!f.legal || f.cut)
            return;
        d->asks |= asks_for_exceptions(d->code, &f.inst);
        d->leaves |= (gcn_op_info[f.inst.op].flags & GCN_F_BRANCH) && !is_direct_branch(&f.inst);
        if (is_direct_branch(&f.inst) && branch_target(d->code, &f.inst, at, &target))
            visit_address(d, target, indexing);
        if (is_call(&f.inst))
            visit_address(d, at + f.inst.size / 4u, indexing);
        if (is_end(&f.inst))
            return;
        indexing = f.inst.op == GCN_OP_s_set_gpr_idx_on || (indexing && f.inst.op != GCN_OP_s_set_gpr_idx_off);
        at += f.inst.size / 4u;
    }
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = ((const struct found *)a)->at, y = ((const struct found *)b)->at;
    return x < y ? -1 : x > y;
}

/* The instruction at dword AT, once all are sorted; NULL if it belongs to another unit or to none. */
static struct found *found_at(const struct discovery *d, uint32_t at)
{
    if (d->plane->owner[at] != d->number)
        return NULL;
    size_t first = search_first(d->found.count, i, d->found.items[i].at >= at);
    return first < d->found.count && d->found.items[first].at == at ? &d->found.items[first] : NULL;
}

static void mark_loops(struct discovery *d)
{
    for (size_t i = 0; i < d->found.count; i++) {
        const struct found *f = &d->found.items[i];
        uint32_t target;
        if (f->legal && is_direct_branch(&f->inst) && branch_target(d->code, &f->inst, f->at, &target) &&
            target <= f->at) {
            struct found *head = found_at(d, target);
            if (head)
                head->loop = true;
        }
    }
}

static void discover(struct discovery *d, uint32_t start)
{
    visit_address(d, start, false);
    while (!d->oom && d->pending.count) {
        struct unit_place place = d->pending.items[--d->pending.count];
        discover_from(d, place.at, place.indexing);
    }
    if (d->oom)
        return;
    qsort(d->found.items, d->found.count, sizeof d->found.items[0], by_address);
    mark_loops(d);
}

/* Emission */

struct branch_fixup {
    uint32_t op, target;
    const struct gcn_branch_handlers *handlers;
};

struct emission {
    struct micro_stream t;
    const struct discovery *found;
    uint32_t *sites;
    uint32_t *index;   /* micro-operation of each instruction found */
    uint32_t straight; /* instructions since execution was counted */
    bool skips;        /* it leaves vector instructions out */
    bool leaves;       /* it goes to other units */
    VEC(struct branch_fixup) fixups;
};

static const struct gcn_branch_handlers *branch_handlers(unsigned id)
{
    const struct gcn_branch_handlers *row = gcn_control_branches;
    while (row->forward && row->id != id)
        row++;
    return row->forward ? row : NULL;
}

static void emit_branch(struct emission *e, const struct gcn_branch_handlers *handlers, uint32_t target)
{
    struct branch_fixup fixup = {(uint32_t)e->t.ops.count, target, handlers};
    micro_emit(&e->t, NULL, 0, 0);
    if (!vec_push(&e->fixups, fixup))
        e->t.oom = true;
}

/* Emits a count of the instructions since the last count, if there are MOST or more of them. */
static void emit_count(struct emission *e, uint32_t most)
{
    if (e->straight >= most) {
        micro_emit(&e->t, gcn_control_count, 0, 0)->imm = (int32_t)e->straight;
        e->straight = 0;
    }
}

/* Emits a micro-operation that tells observers of the instruction that comes next; returns where it stands. */
static size_t emit_observer(struct emission *e, const struct gcn_inst *inst)
{
    size_t at = e->t.ops.count;
    struct gcn_uop *op = micro_emit(&e->t, gcn_observe_step, (*e->sites)++, inst->size);
    op->imm = inst->op;
    return at;
}

/* Emits the instruction of F, which is legal. */
static void emit_instruction(struct emission *e, const struct found *f, const struct gcn_branch_handlers *handlers)
{
    const struct gcn_code *code = e->found->code;
    uint32_t target;
    size_t observer = code->observed ? emit_observer(e, &f->inst) : 0;
    if (!handlers)
        micro_instruction(&e->t, &f->inst, (uint64_t)(uintptr_t)code->text + 4 * (uint64_t)f->at);
    else if (micro_check_init(&e->t, &f->inst), branch_target(code, &f->inst, f->at, &target))
        emit_branch(e, handlers, target);
    else
        micro_fault(&e->t, GCN_FAULT_FETCH);
    if (code->observed && !e->t.oom)
        e->t.ops.items[observer].aux = (uint32_t)(e->t.ops.count - 1 - observer);
}

/* Whether a wave with VSKIP leaves INST out: it is no scalar instruction. */
static bool is_skipped(const struct gcn_inst *inst)
{
    switch (inst->encoding) {
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPK:
    case GCN_SOPC:
    case GCN_SOPP:
    case GCN_SMEM: return false;
    default: return true;
    }
}

/* Emits the instruction F; NEXT is the dword of the one that will be emitted after it. */
static void emit_one(struct emission *e, const struct found *f, uint32_t next)
{
    static const struct gcn_branch_handlers fallthrough = {0, gcn_control_goto, gcn_control_goto_back};
    const struct gcn_code *code = e->found->code;
    uint32_t after = f->at + f->inst.size / 4u;
    e->t.indexing = f->indexing;
    if (!f->legal || f->cut) {
        micro_fault(&e->t, f->legal ? GCN_FAULT_UNIMPLEMENTED : GCN_FAULT_ILLEGAL);
        return;
    }
    const struct gcn_branch_handlers *handlers = is_direct_branch(&f->inst) ? branch_handlers(f->inst.op) : NULL;
    emit_count(e, handlers || is_end(&f->inst) || after != next ? UNIT_BEFORE_BRANCH : UNIT_STRAIGHT);
    e->straight++;
    if (!e->skips || !is_skipped(&f->inst))
        emit_instruction(e, f, handlers);
    if (is_end(&f->inst))
        return;
    if (after >= code->size / 4)
        micro_fault(&e->t, GCN_FAULT_FETCH);
    else if (after != next)
        emit_branch(e, &fallthrough, after);
}

/* The micro-operation at which the instruction at dword TARGET begins. If another unit has the instruction, one that
 * goes there is emitted. */
static uint32_t emit_target(struct emission *e, uint32_t target)
{
    const struct discovery *d = e->found;
    const struct found *f = found_at(d, target);
    if (f)
        return e->index[f - d->found.items];
    uint32_t at = (uint32_t)e->t.ops.count;
    e->t.pc = target;
    uint32_t pc = micro_scalar_constant(&e->t, (uint64_t)(uintptr_t)d->code->text + 4 * (uint64_t)target);
    micro_emit(&e->t, gcn_control_enter, 0, pc);
    e->leaves = true;
    return at;
}

static void emit_all(struct emission *e, uint32_t *body)
{
    const struct discovery *d = e->found;
    for (size_t i = 0; i < d->found.count; i++) {
        e->t.pc = d->found.items[i].at;
        if (d->found.items[i].loop)
            emit_count(e, UNIT_BEFORE_LOOP);
        e->index[i] = (uint32_t)e->t.ops.count;
        emit_one(e, &d->found.items[i], i + 1 < d->found.count ? d->found.items[i + 1].at : UINT32_MAX);
    }
    *body = (uint32_t)e->t.ops.count;
    for (size_t i = 0; !e->t.oom && i < e->fixups.count; i++) {
        const struct branch_fixup *fixup = &e->fixups.items[i];
        int64_t distance = (int64_t)emit_target(e, fixup->target) - fixup->op;
        struct gcn_uop *op = &e->t.ops.items[fixup->op];
        op->imm = (int32_t)distance;
        op->fn = distance > 0 ? fixup->handlers->forward : fixup->handlers->back;
    }
}

/* Moves what was emitted into a unit, which has memory of its own. */
static struct gcn_unit *make_unit(struct emission *e)
{
    size_t count = e->t.ops.count, ops_size = count * sizeof(struct gcn_uop);
    size_t plans_size = e->t.plans.count * sizeof(struct init_plan);
    struct gcn_unit *unit = mem_zalloc(1, sizeof *unit + ops_size + plans_size + count * sizeof(uint32_t));
    void *constants = mem_alloc(4 * e->t.constants.count + 64);
    if (!unit || !constants) {
        mem_free(unit);
        mem_free(constants);
        return NULL;
    }
    struct gcn_uop *ops = (struct gcn_uop *)(unit + 1);
    struct init_plan *plans = (struct init_plan *)(ops + count);
    unit->block = constants;
    constants = (void *)(((uintptr_t)constants + 63) & ~(uintptr_t)63);
    memcpy(ops, e->t.ops.items, ops_size);
    if (plans_size)
        memcpy(plans, e->t.plans.items, plans_size);
    memcpy(plans + e->t.plans.count, e->t.pcs.items, count * sizeof(uint32_t));
    if (e->t.constants.count)
        memcpy(constants, e->t.constants.items, 4 * e->t.constants.count);
    unit->ops = ops;
    unit->total = (uint32_t)count;
    unit->plans = plans;
    unit->pcs = (const uint32_t *)(plans + e->t.plans.count);
    unit->constants = constants;
    unit->constant_words = (uint32_t)e->t.constants.count;
    unit->text = (uint64_t)(uintptr_t)e->found->code->text;
    return unit;
}

static struct gcn_unit *emit_unit(const struct gcn_engine *engine, const struct discovery *d, unsigned way,
                                  uint32_t *sites)
{
    bool exact = way & GCN_EXACT;
    struct emission e = {.t = {.engine = engine, .target = d->code->target, .checks = d->code->checks, .exact = exact},
                         .found = d,
                         .skips = way & GCN_SKIPS,
                         .sites = sites};
    struct gcn_unit *unit = NULL;
    uint32_t body = 0;
    e.index = mem_zalloc(d->found.count, sizeof *e.index);
    if (e.index) {
        emit_all(&e, &body);
        unit = e.t.oom ? NULL : make_unit(&e);
    }
    if (unit) {
        unit->count = body;
        unit->exact = exact;
        unit->asks = d->asks;
        unit->leaves = d->leaves || e.leaves;
    }
    micro_free(&e.t);
    vec_free(&e.fixups);
    mem_free(e.index);
    return unit;
}

bool unit_new(struct gcn_cache *cache, const struct gcn_engine *engine, struct gcn_code *code, unsigned way,
              uint32_t start, uint32_t *sites)
{
    struct unit_plane *plane = &code->planes[way];
    struct discovery d = {.code = code, .plane = plane, .number = (uint32_t)plane->units.count + 1};
    struct gcn_unit *unit = NULL;
    if (!plane->owner)
        plane->owner = mem_zalloc(code->size / 4, sizeof *plane->owner);
    if (!plane->owner || !vec_reserve(&plane->units, 1))
        return false;
    discover(&d, start);
    if (!d.oom)
        unit = emit_unit(engine, &d, way, sites);
    for (size_t i = 0; !unit && i < d.found.count; i++)
        plane->owner[d.found.items[i].at] = 0;
    if (unit) {
        unit->cache = cache;
        unit->engine = engine;
        vec_push(&plane->units, unit);
        gcn_tier_made(unit);
    }
    vec_free(&d.pending);
    vec_free(&d.found);
    return unit != NULL;
}

void unit_free(struct gcn_unit *unit)
{
    gcn_tier_forget(unit);
    mem_free(unit->block);
    mem_free(unit);
}

/* Lookup */

const struct gcn_unit *unit_of(const struct gcn_code *code, unsigned way, uint32_t at)
{
    const struct unit_plane *plane = &code->planes[way];
    uint32_t number = plane->owner ? plane->owner[at] : 0;
    return number ? plane->units.items[number - 1] : NULL;
}

const struct gcn_uop *unit_find(const struct gcn_unit *unit, uint32_t at)
{
    return unit->ops + search_first(unit->count, i, unit->pcs[i] >= at);
}

uint64_t gcn_unit_pc(const struct gcn_unit *unit, const struct gcn_uop *op)
{
    return unit->text + 4 * (uint64_t)unit->pcs[op - unit->ops];
}
