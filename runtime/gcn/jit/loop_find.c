/* SPDX-License-Identifier: MIT */
/* Finds the loops of a unit that loop.c can emit, and decides how many chunks of lanes such a loop computes at once.
 * Input: a unit, its effects. Output: struct jit_loop; marks of loops and of leaders inside of them. Invariant: nothing
 * is emitted. */
#include "runtime/gcn/jit/parts.h"

#include "support/alloc.h"

#include <limits.h>
#include <string.h>

enum {
    LOOP_WORK = 400,  /* vector operations, times chunks */
    SPARE = 6,        /* registers of the host for what does not live from one round to the next */
    AT_ONCE = 3,      /* vector operations that the host begins in a cycle */
    MOVE = 4,         /* operations that take as long as to store a value and load it again */
    ROUND_CYCLES = 4, /* for the scalar operations of a round */
    GAIN = 16,        /* more chunks, which take longer to compile, must save one part in so many */
};

static void note_use(struct jit_loop *loop, uint32_t ref, unsigned lines)
{
    int line = ref_line(ref);
    if (line < 0 || !lines)
        return;
    loop->used[line] |= lines == 2 ? USED_LOW : USED_ALONE;
    if (lines == 2)
        loop->used[line + 1] |= USED_HIGH;
}

static bool add_written(struct jit_loop *loop, uint32_t ref, unsigned count)
{
    int line = count ? ref_line(ref) : -1;
    for (unsigned i = 0; line >= 0 && i < count; i++, line++) {
        unsigned k = 0;
        while (k < loop->lines && loop->line[k] != line)
            k++;
        if (line >= GCN_VGPRS || k < loop->lines)
            continue;
        if (loop->lines == LOOP_LINES)
            return false;
        loop->line[loop->lines++] = line;
    }
    return true;
}

unsigned loop_source_lines(const struct effect *effect, unsigned slot)
{
    if (effect->template)
        return (slot == PA && effect->form == FORM_SCALAR0) || (slot == PB && effect->form == FORM_SCALAR1)
                   ? 0
                   : template_lines(effect->template, slot);
    switch (effect->kind) {
    case EFFECT_MOD32: return slot == PA;
    case EFFECT_MOD64: return slot == PA ? 2 : 0;
    case EFFECT_SWAP: return slot == PA || slot == PD;
    default: return 0;
    }
}

unsigned loop_result_lines(const struct effect *effect)
{
    if (effect->template)
        return template_lines(effect->template, R);
    return effect->kind == EFFECT_SPLAT64 || effect->kind == EFFECT_MOD64 ? 2 : 1;
}

uint32_t loop_source_of(const struct gcn_uop *op, unsigned slot)
{
    return slot == PD ? op->dst : op->src[slot];
}

/* Adds the registers that a vector operation uses, and those that it writes. */
static bool add_lines(struct jit_loop *loop, const struct effect *effect, const struct gcn_uop *op)
{
    unsigned count = loop_result_lines(effect);
    for (unsigned slot = PA; slot <= PD; slot++)
        note_use(loop, loop_source_of(op, slot), loop_source_lines(effect, slot));
    note_use(loop, op->dst, count);
    if (effect->kind == EFFECT_SWAP && !add_written(loop, op->src[0], 1))
        return false;
    return add_written(loop, op->dst, count);
}

/* Makes one entry of two lines that are only used together. */
static void join_lines(struct jit_loop *loop)
{
    unsigned kept = 0;
    for (unsigned k = 0; k < loop->lines; k++) {
        int line = loop->line[k];
        if (loop->used[line] == USED_HIGH && loop->used[line - 1] == USED_LOW)
            continue;
        loop->wide[kept] = loop->used[line] == USED_LOW && loop->used[line + 1] == USED_HIGH;
        loop->line[kept++] = line;
    }
    loop->lines = kept;
}

static void add_scalars(struct jit_loop *loop, uint32_t ref, unsigned dwords)
{
    for (unsigned i = 0; i < dwords; i++, ref += 4) {
        if (loop->scalar_count == LOOP_SCALARS)
            loop->dependent = true;
        else
            loop->scalars[loop->scalar_count++] = ref;
    }
}

/* How many operations of the host a vector operation takes for a chunk, about. A scalar is copied to all lanes once for
 * all chunks. */
static unsigned host_operations(const struct effect *effect)
{
    if (effect->template)
        return effect->usual ? effect->usual->cost : effect->template->cost;
    return effect->kind == EFFECT_SPLAT32 || effect->kind == EFFECT_SPLAT64 ? 0 : loop_result_lines(effect);
}

/* Whether micro-operation INDEX may be part of the loop; counts what it costs. */
static bool takes_op(struct builder *f, struct jit_loop *loop, uint32_t index, unsigned *work)
{
    const struct effect *effect = f->effects[index];
    const struct gcn_uop *op = &f->unit->ops[index];
    loop->exec |= live_writes_exec(effect, op);
    loop->block_count += f->leader[index] != LEADER_NO;
    switch (effect->kind) {
    case EFFECT_VECTOR:
    case EFFECT_COMPARE:
    case EFFECT_COMPARE_EXEC:
    case EFFECT_SWAP:
    case EFFECT_SPLAT32:
    case EFFECT_SPLAT64:
    case EFFECT_MOD32:
    case EFFECT_MOD64:
        ++*work;
        loop->cost += host_operations(effect);
        loop->dependent |= writes_mask(effect);
        return segment_takes(f, effect, op) && add_lines(loop, effect, op);
    case EFFECT_SCALAR:
    case EFFECT_COPY64:
        if (!effect->template || effect->template->uses >> SRD & 1)
            add_scalars(loop, op->dst, 2);
        return true;
    case EFFECT_SCALAR_MEMORY: /* another time it may load something else */
        loop->dependent = true;
        return build_scalar_load(effect) && ref_scalar(op->dst) <= GCN_S_EXEC - 16;
    case EFFECT_SAVEEXEC:
    case EFFECT_WAIT:
    case EFFECT_NOTHING: return true;
    case EFFECT_BRANCH: return !effect->back || loop_target(f, index) == loop->first;
    default: return false;
    }
}

/* Whether the value of entry K may still be read from micro-operation INDEX on. If the loop writes EXEC, it may even if
 * it is written first: live.c assumes that whatever was written before a write of EXEC is in memory. */
bool loop_is_live(const struct builder *f, const struct jit_loop *loop, uint32_t index, unsigned k)
{
    const uint64_t *set = (loop->exec ? f->read : f->live)[index];
    int last = loop->line[k] + loop->wide[k];
    bool live = false;
    for (int line = loop->line[k]; line <= last; line++)
        live |= set[line / 64] >> (line % 64) & 1;
    return live;
}

/* The greatest of what VALUES, one for each line, say of the lines that a vector operation reads. */
static unsigned greatest_source(const struct effect *effect, const struct gcn_uop *op, const unsigned *values)
{
    unsigned greatest = 0;
    for (unsigned slot = PA; slot <= PD; slot++)
        for (unsigned n = 0; n < loop_source_lines(effect, slot); n++) {
            int line = ref_line(loop_source_of(op, slot));
            if (line >= 0 && values[line + (int)n] > greatest)
                greatest = values[line + (int)n];
        }
    return greatest;
}

/* How many operations the longest way has that leads from the value of entry K at the beginning of a round to that at
 * its end. */
static unsigned longest_way(const struct builder *f, const struct jit_loop *loop, unsigned k)
{
    unsigned way[LINES] = {0};
    way[loop->line[k]] = way[loop->line[k] + loop->wide[k]] = 1;
    for (uint32_t i = loop->first; i < loop->end; i++) {
        const struct gcn_uop *op = &f->unit->ops[i];
        if (!segment_takes(f, f->effects[i], op))
            continue;
        unsigned longest = greatest_source(f->effects[i], op, way);
        for (unsigned n = 0; n < loop_result_lines(f->effects[i]); n++)
            way[ref_line(op->dst) + (int)n] = longest ? longest + 1 : 0;
        if (f->effects[i]->kind == EFFECT_SWAP)
            way[ref_line(op->src[0])] = longest;
    }
    return way[loop->line[k]];
}

/* How many cycles it takes from an operation to one that needs its result, about. Half of what a long operation does
 * waits for the rest. */
static unsigned latency_of(const struct effect *effect)
{
    static const struct {
        const char *part;
        unsigned cycles;
    } slow[] = {{"sqrt", 20}, {"rsq", 20}, {"rcp", 15}, {"_f16", 4}, {"_f32", 4}, {"_f64", 4}, {"mul", 4}, {"mad", 4}};
    unsigned i = 0, count = effect->template ? sizeof slow / sizeof slow[0] : 0;
    while (i < count && !strstr(gcn_op_info[effect->id].name, slow[i].part))
        i++;
    return (i < count ? slow[i].cycles : 1) + host_operations(effect) / 2;
}

/* How many cycles a round takes at least, because results wait for those of the round before: how much later, from one
 * round to the next, the last result comes. */
static unsigned cycles_of_waiting(const struct builder *f, const struct jit_loop *loop)
{
    enum { ROUNDS = 8 };
    unsigned time[LINES] = {0}, last[2] = {0};
    for (unsigned round = 0; round < 2 * ROUNDS; round++)
        for (uint32_t i = loop->first; i < loop->end; i++) {
            const struct gcn_uop *op = &f->unit->ops[i];
            unsigned *end = &last[round / ROUNDS];
            if (!segment_takes(f, f->effects[i], op))
                continue;
            unsigned begin = greatest_source(f->effects[i], op, time) + latency_of(f->effects[i]);
            for (unsigned n = 0; n < loop_result_lines(f->effects[i]); n++)
                time[ref_line(op->dst) + (int)n] = begin;
            *end = begin > *end ? begin : *end;
        }
    return (last[1] - last[0]) / ROUNDS;
}

/* How many cycles a round takes, about, for CHUNKS chunks at once, of which SCALAR are for scalar operations. Values
 * for which there are no registers are loaded and stored. */
static unsigned cycles_of_round(const struct jit_loop *loop, unsigned chunks, unsigned waiting, unsigned carried,
                                unsigned registers, unsigned scalar)
{
    unsigned values = carried * chunks + SPARE, moved = values > registers ? MOVE * (values - registers) : 0;
    unsigned working = (loop->cost * chunks + moved) / AT_ONCE;
    return waiting > working + scalar ? waiting : working + scalar;
}

/* Chooses entries whose values are in memory from one round to the next, until the host has registers for the others:
 * those that wait least for their own values. LLVM would choose without regard to that; it does where there are not
 * enough. */
static void choose_memory(const struct builder *f, struct jit_loop *loop, unsigned carried, unsigned registers)
{
    while (carried * loop->chunks + SPARE > registers) {
        unsigned best = loop->lines, least = UINT_MAX;
        for (unsigned k = 0; k < loop->lines; k++) {
            unsigned way = loop_is_live(f, loop, loop->first, k) ? longest_way(f, loop, k) : UINT_MAX;
            if (!loop->in_memory[k] && loop->used[loop->line[k]] == USED_ALONE && way < least) {
                least = way;
                best = k;
            }
        }
        if (best == loop->lines) {
            memset(loop->in_memory, 0, sizeof loop->in_memory);
            return;
        }
        loop->in_memory[best] = true;
        carried--;
    }
}

/* Whether each round must be executed for all lanes before the next one. */
static bool is_common(const struct jit_loop *loop)
{
    return loop->exec || loop->dependent || loop->block_count > 1;
}

/* How many vector registers of a chunk go from one round to the next. */
static unsigned count_carried(const struct builder *f, const struct jit_loop *loop)
{
    unsigned carried = 0;
    for (unsigned k = 0; k < loop->lines; k++)
        carried += loop_is_live(f, loop, loop->first, k) ? 1 + loop->wide[k] : 0;
    return carried;
}

/* Decides how many chunks are computed at once: so many that a chunk takes the least time, if that can be chosen. Where
 * scalars depend on the lanes, all are. */
static bool choose_chunks(const struct builder *f, struct jit_loop *loop, unsigned work)
{
    unsigned all = GCN_LANES / f->jit->lanes, registers = loop_host_registers(f), carried = count_carried(f, loop);
    memset(loop->in_memory, 0, sizeof loop->in_memory);
    loop->chunks = all;
    if (is_common(loop))
        return carried * all <= (all == 4 ? 2 : 1) * registers && work * all <= LOOP_WORK;
    unsigned waiting = cycles_of_waiting(f, loop), least = UINT_MAX;
    for (unsigned chunks = 1; chunks <= all && work * chunks <= LOOP_WORK; chunks *= 2) {
        unsigned cycles =
            (ROUND_CYCLES + cycles_of_round(loop, chunks, waiting, carried, registers, 0)) * (all / chunks);
        if (cycles < least - least / GAIN) {
            least = cycles;
            loop->chunks = chunks;
        }
    }
    choose_memory(f, loop, carried, registers);
    return carried + SPARE <= registers && work * loop->chunks <= LOOP_WORK;
}

/* How many chunks are best computed at once if a loop whose rounds need not be executed for all lanes together is
 * emitted in parts, where scalar operations are executed once, but all values must be in registers; 0 if that takes no
 * less time. */
static unsigned best_in_parts(const struct builder *f, const struct jit_loop *loop)
{
    unsigned all = GCN_LANES / f->jit->lanes, registers = loop_host_registers(f), carried = count_carried(f, loop);
    unsigned waiting = cycles_of_waiting(f, loop), best = 0;
    unsigned least = cycles_of_round(loop, loop->chunks, waiting, carried, registers, ROUND_CYCLES);
    least *= all / loop->chunks;
    for (unsigned chunks = 1; chunks <= all && carried * chunks + SPARE <= registers; chunks *= 2) {
        unsigned cycles = cycles_of_round(loop, chunks, waiting, carried, registers, 1) * (all / chunks);
        if (cycles + ROUND_CYCLES < least - least / GAIN) {
            least = cycles + ROUND_CYCLES;
            best = chunks;
        }
    }
    return best;
}

/* Decides whether the loop is emitted in parts, if the host has few registers. */
static bool choose_parts(struct builder *f, struct jit_loop *loop)
{
    bool common = is_common(loop);
    if (f->jit->lanes == 16)
        return false;
    unsigned chunks = common ? PARTS_CHUNKS : best_in_parts(f, loop);
    if (!chunks || !parts_find(f, loop, !common))
        return false;
    loop->chunks = chunks;
    memset(loop->in_memory, 0, sizeof loop->in_memory);
    return true;
}

/* Adds the DWORDS scalar registers from REF on. A register that is written both alone and as one of a pair is left to
 * memory, as are those for which there is no room. */
static void add_carried(struct jit_loop *loop, uint32_t ref, unsigned dwords)
{
    int code = ref_scalar(ref);
    if (code < 0 || (dwords == 2 && code & 1))
        return;
    for (unsigned i = 0; i < loop->carried_count; i++) {
        struct carried *c = &loop->carried[i];
        if (c->code == code && c->dwords == dwords)
            return;
        if (c->code / 2 == code / 2 && (c->dwords == 2 || dwords == 2)) {
            c->dwords = 0;
            return;
        }
    }
    if (loop->carried_count < LOOP_CARRIED)
        loop->carried[loop->carried_count++] = (struct carried){.code = code, .dwords = dwords};
}

/* Finds the scalar registers that operations of the loop write. */
static void find_carried(struct builder *f, struct jit_loop *loop)
{
    loop->carried_count = 0;
    if (loop->exec)
        add_carried(loop, scalar_ref(GCN_S_EXEC), 2);
    for (uint32_t i = loop->first; i < loop->end; i++) {
        const struct effect *effect = f->effects[i];
        const struct gcn_uop *op = &f->unit->ops[i];
        if (writes_mask(effect))
            add_carried(loop, mask_destination(effect, op), 2);
        else if (effect->kind == EFFECT_COPY64 || effect->kind == EFFECT_SAVEEXEC)
            add_carried(loop, op->dst, 2);
        else if (effect->kind == EFFECT_SCALAR && effect->template->uses >> SRD & 1)
            add_carried(loop, op->dst, template_type(effect->template, SRD) == f->jit->i64 ? 2 : 1);
    }
}

bool loop_is_suitable(struct builder *f, struct jit_loop *loop, uint32_t first, uint32_t end)
{
    unsigned work = 0;
    loop->first = first;
    loop->end = end;
    loop->exec = loop->dependent = false;
    loop->lines = loop->block_count = loop->scalar_count = loop->cost = 0;
    memset(loop->used, 0, sizeof loop->used);
    add_scalars(loop, offsetof(struct gcn_wave, scc), 1);
    add_scalars(loop, offsetof(struct gcn_wave, budget), 1);
    if (end - first > LOOP_OPS)
        return false;
    for (uint32_t i = first; i < end; i++)
        if (!f->hot[i] || !takes_op(f, loop, i, &work))
            return false;
    join_lines(loop);
    find_carried(f, loop);
    bool chosen = work && loop->block_count <= LOOP_BLOCKS && choose_chunks(f, loop, work);
    loop->in_parts = work && choose_parts(f, loop);
    return chosen || loop->in_parts;
}

/* Marks the leaders within loops to which no branch from outside leads. OWNER: the loop of each micro-operation. INNER:
 * whether control never comes from outside to one that is the first of a loop. */
static void mark_inside(struct builder *f, uint8_t *outside, const uint32_t *owner, const uint8_t *inner)
{
    uint32_t count = f->unit->total;
    for (uint32_t i = 0; i < count; i++)
        if (f->effects[i]->kind == EFFECT_BRANCH && loop_target(f, i) < count)
            outside[loop_target(f, i)] |= owner[loop_target(f, i)] != owner[i];
    for (uint32_t i = 0; i < count; i++)
        if (owner[i] && (owner[i] != i + 1 || inner[i]) && f->leader[i] && !outside[i])
            f->leader[i] = LEADER_INSIDE;
}

void loop_find_all(struct builder *f)
{
    uint32_t count = f->unit->total;
    uint32_t *owner = mem_zalloc(count, sizeof *owner);
    uint8_t *outside = mem_zalloc(count, 1), *inner = mem_zalloc(count, 1);
    f->loop_state = mem_zalloc(1, sizeof *f->loop_state);
    f->parts = mem_zalloc(1, sizeof *f->parts);
    if (owner && outside && inner && f->loop_state && f->parts) {
        for (uint32_t i = 0; i < count; i++)
            if (f->effects[i]->kind == EFFECT_BRANCH && f->effects[i]->back)
                f->loop_end[loop_target(f, i)] = i + 1;
        for (uint32_t i = 0; i < count; i++) {
            if (f->loop_end[i] && !loop_is_suitable(f, f->loop_state, i, f->loop_end[i]))
                f->loop_end[i] = 0;
            inner[i] = f->loop_end[i] && f->loop_state->in_parts && f->parts->entry != i;
            for (uint32_t k = i; k < f->loop_end[i]; k++)
                owner[k] = i + 1;
        }
        mark_inside(f, outside, owner, inner);
    }
    mem_free(owner);
    mem_free(outside);
    mem_free(inner);
}
