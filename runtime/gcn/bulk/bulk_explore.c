/* SPDX-License-Identifier: MIT */
/* Executes a kernel for boxes of work-groups at once.
 * Input: a dispatch. Output: moves of memory or streams that do what the groups of some boxes do, and boxes that are
 * left for the interpreter. Invariant: all waves of a box go the same way, with all their work-items, with none, or
 * with those that the stream finds out; whatever is not understood leaves the box to the interpreter. */
#include "runtime/gcn/bulk/bulk_wave.h"

#include <string.h>

/* Initial registers */

/* Scalar registers whose contents depend on the group or the wave are unknown, except the ids of the group: all
 * registers are computed for two waves that differ in everything. */
static void init_scalars(struct bulk *b)
{
    const struct gcn_dispatch *d = b->dispatch;
    const struct gcn_group one = {.dispatch = d, .wave_count = d->wave_count};
    const struct gcn_group other = {
        .dispatch = d,
        .wave_count = d->wave_count + 1,
        .index = {1, 1, 1},
        .scratch = (uint8_t *)(uintptr_t)-1,
        .scratch_size = UINT32_MAX};
    uint32_t s[GCN_SCALAR_COUNT] = {0}, t[GCN_SCALAR_COUNT] = {0};
    unsigned count = gcn_initial_scalars(s, d, &one, 0), at = d->start.user_sgprs;
    gcn_initial_scalars(t, d, &other, 1);
    for (unsigned i = 0; i < count; i++)
        if (s[i] == t[i])
            b->s[i] = (struct bulk_value){.kind = BULK_AFFINE, .is = affine_constant(s[i])};
    for (unsigned i = 0; i < AFFINE_GROUPS; i++) {
        affine_int first = (affine_int)b->box.first[i];
        struct affine id = b->box.count[i] == 1 ? affine_constant(first) : affine_coordinate(i, first);
        if (d->start.group_ids >> i & 1)
            b->s[at++] = (struct bulk_value){.kind = BULK_AFFINE, .is = id};
    }
}

static void init_vectors(struct bulk *b)
{
    const struct gcn_dispatch *d = b->dispatch;
    struct affine ids[3];
    for (unsigned i = 0; i < 3; i++)
        ids[i] = d->size[i] == 1 ? affine_constant(0) : affine_coordinate(AFFINE_GROUPS + i, 0);
    if (d->target->layout->unified) {
        ids[0] = affine_sum(1, &ids[0], 1 << 10, &ids[1]);
        ids[0] = affine_sum(1, &ids[0], 1 << 20, &ids[2]);
    }
    for (unsigned i = 0; i <= (d->target->layout->unified ? 0 : d->start.item_ids) && i < 3; i++)
        b->v[i] = (struct bulk_value){.kind = BULK_AFFINE, .is = ids[i]};
}

static void init_box(struct bulk *b)
{
    static const unsigned codes[] = {GCN_VCC_LO, GCN_VCC_HI, GCN_M0, GCN_EXEC_LO, GCN_EXEC_HI};
    static const uint32_t numbers[] = {0, 0, 0, UINT32_MAX, UINT32_MAX};
    memset(b->s, 0, sizeof b->s);
    memset(b->v, 0, sizeof b->v);
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
        b->s[codes[i]] = (struct bulk_value){.kind = BULK_AFFINE, .is = affine_constant(numbers[i])};
    init_scalars(b);
    init_vectors(b);
    b->scc = 0;
    b->scc_known = true;
    b->load_count = 0;
    b->computes = false;
    b->pc = b->dispatch->entry.pc;
}

/* Instructions */

static const struct gcn_inst *fetch(struct bulk *b, uint64_t pc)
{
    uint64_t at = (pc - b->dispatch->entry.pc) / 4;
    if (pc < b->dispatch->entry.pc || at >= BULK_KNOWN_CODE)
        return NULL;
    if (!b->decoded[at] && !gcn_cache_decode(b->dispatch->cache, pc, &b->code[at], NULL, 0))
        return NULL;
    b->decoded[at] = true;
    return &b->code[at];
}

/* Whether a wave without active lanes goes from INST at PC to its end. Then it may go on as well: without lanes, what
 * it executes has no effect. */
static bool skips_to_end(struct bulk *b, const struct gcn_inst *inst, uint64_t pc)
{
    const struct gcn_inst *target = fetch(b, gcn_branch_target(inst, pc));
    return inst->op == GCN_OP_s_cbranch_execz && target && target->op == GCN_OP_s_endpgm;
}

/* Whether the branch INST is taken; false if that is not known. */
static bool branch_taken(const struct bulk *b, const struct gcn_inst *inst, bool *taken)
{
    uint64_t mask = 0;
    bool known = true;
    switch (inst->op) {
    case GCN_OP_s_branch: *taken = true; return true;
    case GCN_OP_s_cbranch_scc0:
    case GCN_OP_s_cbranch_scc1: *taken = b->scc == (inst->op == GCN_OP_s_cbranch_scc1); return b->scc_known;
    case GCN_OP_s_cbranch_vccz:
    case GCN_OP_s_cbranch_vccnz:
        known = bulk_number(b, GCN_VCC_LO, 2, &mask);
        *taken = (mask != 0) == (inst->op == GCN_OP_s_cbranch_vccnz);
        return known;
    case GCN_OP_s_cbranch_execz:
    case GCN_OP_s_cbranch_execnz:
        known = bulk_number(b, GCN_EXEC_LO, 2, &mask);
        *taken = (mask != 0) == (inst->op == GCN_OP_s_cbranch_execnz);
        return known;
    default: return false; /* other instructions of program control */
    }
}

static enum bulk_outcome control(struct bulk *b, const struct gcn_inst *inst, uint64_t pc)
{
    bool taken;
    switch (inst->op) {
    case GCN_OP_s_nop:
    case GCN_OP_s_waitcnt: return BULK_ON;
    case GCN_OP_s_endpgm: return BULK_END;
    default: break; /* branches, and what is not known */
    }
    if (bulk_is_masked(b) && skips_to_end(b, inst, pc))
        return BULK_ON;
    if (!branch_taken(b, inst, &taken))
        return BULK_LEAVE;
    if (taken)
        b->pc = gcn_branch_target(inst, pc);
    return BULK_ON;
}

static enum bulk_outcome step(struct bulk *b)
{
    const struct gcn_inst *inst = fetch(b, b->pc);
    if (!inst || !b->steps || bulk_is_stopped(b))
        return BULK_LEAVE;
    uint64_t pc = b->pc;
    b->steps--;
    b->pc += inst->size;
    switch ((enum gcn_encoding)inst->encoding) {
    case GCN_SOPP: return control(b, inst, pc);
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPK:
    case GCN_SOPC: return bulk_scalar(b, inst);
    case GCN_SMEM: return bulk_scalar_load(b, inst);
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC:
    case GCN_VOP3:
    case GCN_VOP3P: return bulk_vector(b, inst);
    case GCN_FLAT:
    case GCN_GLOBAL: return bulk_access(b, inst);
    case GCN_VINTRP:
    case GCN_EXP:
    case GCN_DS:
    case GCN_SCRATCH:
    case GCN_MUBUF:
    case GCN_MTBUF:
    case GCN_MIMG:
    case GCN_ENCODING_COUNT: return BULK_LEAVE;
    }
    return BULK_LEAVE;
}

/* Whether every byte that was loaded was also stored: only then the moves touch all that the kernel touches. */
static bool all_stored(const struct bulk *b)
{
    for (unsigned i = 0; i < b->load_count; i++)
        if (b->loads[i].stored != (UINT32_C(1) << b->loads[i].bytes) - 1)
            return false;
    return true;
}

/* Boxes */

static void leave(struct bulk *b, const struct affine_box *box)
{
    if (b->left_count < BULK_BOXES)
        b->left[b->left_count] = *box;
    b->left_count++; /* if there is no place for it, all boxes are left */
}

/* Whether the moves from number FIRST on are all that the box does, and worth it. */
static bool moves_suffice(const struct bulk *b, unsigned first)
{
    bool suffice = !b->computes && all_stored(b);
    for (unsigned i = first; i < b->move_count && suffice; i++)
        suffice = bulk_is_long(&b->moves[i]);
    return suffice;
}

/* Executes the box that is the next to do. Of its moves and its stream, one is kept at most. */
static void run_box(struct bulk *b)
{
    unsigned moves = b->move_count, ops = b->op_count, slots = b->slot_count, ranges = b->range_count;
    enum bulk_outcome outcome;
    b->box = b->todo[--b->todo_count];
    init_box(b);
    b->recorded = bulk_stream_begin(b);
    do
        outcome = step(b);
    while (outcome == BULK_ON);
    bool ends = outcome == BULK_END, moved = ends && moves_suffice(b, moves);
    b->move_count = moved ? b->move_count : moves;
    if (!moved && ends && b->recorded && bulk_stream_end(b))
        return;
    b->op_count = ops;
    b->slot_count = slots;
    b->range_count = ranges;
    if (!moved && outcome != BULK_SPLIT)
        leave(b, &b->box);
}

/* Leaves the groups at the far edges of the grid that are smaller than the others; the rest is the first box. */
static void first_boxes(struct bulk *b)
{
    const struct gcn_dispatch *d = b->dispatch;
    struct affine_box whole = {.count = {d->groups[0], d->groups[1], d->groups[2], d->size[0], d->size[1], d->size[2]}};
    for (unsigned i = 0; i < 3; i++) {
        struct affine_box edge = whole;
        uint64_t full = d->grid[i] / d->size[i];
        edge.first[i] = full;
        edge.count[i] = whole.count[i] - full;
        whole.count[i] = full;
        if (edge.count[i] && edge.count[0] && edge.count[1] && edge.count[2])
            leave(b, &edge);
    }
    if (whole.count[0] && whole.count[1] && whole.count[2])
        b->todo[b->todo_count++] = whole;
}

void bulk_explore(struct bulk *b)
{
    first_boxes(b);
    while (b->todo_count)
        run_box(b);
}
