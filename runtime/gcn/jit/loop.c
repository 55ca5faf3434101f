/* SPDX-License-Identifier: MIT */
/* Loops of the program whose vector registers stay in registers of the host.
 *
 * In such a loop the segments are not loops over chunks of lanes, but unrolled for all of them, and the value of each
 * vector register that the loop writes goes from block to block as one value per chunk. Registers are loaded where
 * control enters the loop, and stored where it leaves. A loop that writes EXEC blends each result with what the
 * register held; in any other, what is computed in lanes that are not active is dropped when the registers are stored.
 * Input: a unit, its effects. Output: instructions at the builder. Invariant: outside of the loop all live registers
 * are in memory, and scalar registers are so at the end of each block. */
#include "runtime/gcn/jit/segment.h"

#include "support/alloc.h"

#include <limits.h>
#include <string.h>

enum {
    CHUNKS_MAX = 8,
    LOOP_LINES = 24,  /* vector registers that it writes */
    LOOP_BLOCKS = 16, /* blocks */
    LOOP_OPS = 256,
    LOOP_WORK = 400,   /* vector operations, times chunks */
    LOOP_SCALARS = 16, /* scalar registers that it writes, if it is executed several times */
    LOOP_CARRIED = 8,  /* scalar registers, or pairs, whose values go from one round to the next */
    SPARE = 6,         /* registers of the host for what does not live from one round to the next */
    AT_ONCE = 3,       /* vector operations that the host begins in a cycle */
    ROUND_CYCLES = 4,  /* for the scalar operations of a round */
    GAIN = 16,         /* more chunks, which take longer to compile, must save one part in so many */
};

enum line_use { USED_ALONE = 1, USED_LOW = 2, USED_HIGH = 4 };

struct loop_block {
    LLVMBasicBlockRef block;
    /* what entries hold at its beginning; NULL for registers that are dead there */
    LLVMValueRef phis[LOOP_LINES][CHUNKS_MAX];
};

/* A scalar register, or a pair, that the loop writes. Its value goes from one round to the next in a register of the
 * host, since a round would wait for what the one before has stored. */
struct carried {
    int code;
    unsigned dwords;         /* 0: its value is not handed over */
    LLVMValueRef phi, value; /* at the beginning of a round, and at its end */
};

struct jit_loop {
    uint32_t first, end;
    bool exec;       /* it writes EXEC */
    bool dependent;  /* its scalars may depend on its vector registers, or are too many */
    unsigned chunks; /* computed at once */
    unsigned lines, block_count, scalar_count;
    unsigned cost;                      /* operations of the host for a chunk, about */
    uint32_t scalars[LOOP_SCALARS];     /* references to the dwords that it writes */
    LLVMValueRef initial[LOOP_SCALARS]; /* their values before */
    struct carried carried[LOOP_CARRIED];
    unsigned carried_count;
    LLVMValueRef budget;     /* what is left of the wave's budget at the beginning of a round */
    LLVMValueRef offset;     /* of the first chunk in a line; NULL if all are computed at once */
    LLVMBasicBlockRef again; /* where the next chunks are begun */
    /* The registers that it writes, and whether that line and the next one are only used as 64-bit values. */
    int line[LOOP_LINES];
    bool wide[LOOP_LINES];
    uint8_t used[LINES];        /* enum line_use */
    bool in_memory[LOOP_LINES]; /* from one round to the next its value is in memory, for lack of registers */
    struct jit_segment scratch;
    int block_at[LOOP_OPS];        /* index of the block that begins there */
    LLVMValueRef split, halves[2]; /* a value of EXEC, and its halves in all lanes of a chunk */
    struct loop_block blocks[LOOP_BLOCKS];
    struct jit_segment chunk[CHUNKS_MAX];
};

/* Finding loops */

static uint32_t branch_target(const struct builder *f, uint32_t index)
{
    return index + (uint32_t)f->unit->ops[index].imm;
}

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

/* How many lines a vector operation reads from an operand, and how many it writes. */
static unsigned source_lines(const struct effect *effect, unsigned slot)
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

static unsigned result_lines(const struct effect *effect)
{
    if (effect->template)
        return template_lines(effect->template, R);
    return effect->kind == EFFECT_SPLAT64 || effect->kind == EFFECT_MOD64 ? 2 : 1;
}

static uint32_t source_of(const struct gcn_uop *op, unsigned slot)
{
    return slot == PD ? op->dst : op->src[slot];
}

/* Adds the registers that a vector operation uses, and those that it writes. */
static bool add_lines(struct jit_loop *loop, const struct effect *effect, const struct gcn_uop *op)
{
    unsigned count = result_lines(effect);
    for (unsigned slot = PA; slot <= PD; slot++)
        note_use(loop, source_of(op, slot), source_lines(effect, slot));
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
        return effect->template->cost;
    return effect->kind == EFFECT_SPLAT32 || effect->kind == EFFECT_SPLAT64 ? 0 : result_lines(effect);
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
    case EFFECT_BRANCH: return !effect->back || branch_target(f, index) == loop->first;
    default: return false;
    }
}

/* Whether the value of entry K may still be read from micro-operation INDEX on. If the loop writes EXEC, it may: live.c
 * assumes that whatever was written before such a write is in memory. */
static bool is_live_at(const struct builder *f, const struct jit_loop *loop, uint32_t index, unsigned k)
{
    int last = loop->line[k] + loop->wide[k];
    bool live = loop->exec;
    for (int line = loop->line[k]; line <= last; line++)
        live |= f->live[index][line / 64] >> (line % 64) & 1;
    return live;
}

/* How many operations the longest way has that leads from the value of entry K at the beginning of a round to that at
 * its end. */
static unsigned longest_way(const struct builder *f, const struct jit_loop *loop, unsigned k)
{
    uint16_t way[LINES] = {0};
    way[loop->line[k]] = way[loop->line[k] + loop->wide[k]] = 1;
    for (uint32_t i = loop->first; i < loop->end; i++) {
        const struct gcn_uop *op = &f->unit->ops[i];
        uint16_t longest = 0;
        if (!segment_takes(f, f->effects[i], op))
            continue;
        for (unsigned slot = PA; slot <= PD; slot++)
            for (unsigned n = 0; n < source_lines(f->effects[i], slot); n++) {
                int line = ref_line(source_of(op, slot));
                if (line >= 0 && way[line + (int)n] > longest)
                    longest = way[line + (int)n];
            }
        for (unsigned n = 0; n < result_lines(f->effects[i]); n++)
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
            unsigned begin = 0, *end = &last[round / ROUNDS];
            if (!segment_takes(f, f->effects[i], op))
                continue;
            for (unsigned slot = PA; slot <= PD; slot++)
                for (unsigned n = 0; n < source_lines(f->effects[i], slot); n++) {
                    int line = ref_line(source_of(op, slot));
                    if (line >= 0 && time[line + (int)n] > begin)
                        begin = time[line + (int)n];
                }
            begin += latency_of(f->effects[i]);
            for (unsigned n = 0; n < result_lines(f->effects[i]); n++)
                time[ref_line(op->dst) + (int)n] = begin;
            *end = begin > *end ? begin : *end;
        }
    return (last[1] - last[0]) / ROUNDS;
}

/* How many cycles a round takes, about, for CHUNKS chunks at once. Values for which there are no registers are loaded
 * and stored. */
static unsigned cycles_of_round(const struct jit_loop *loop, unsigned chunks, unsigned waiting, unsigned carried,
                                unsigned registers)
{
    unsigned values = carried * chunks + SPARE, moved = values > registers ? 2 * (values - registers) : 0;
    unsigned working = (loop->cost * chunks + moved) / AT_ONCE;
    return ROUND_CYCLES + (waiting > working ? waiting : working);
}

/* Chooses entries whose values are in memory from one round to the next, until the host has registers for the others:
 * those that wait least for their own values. LLVM would choose without regard to that; it does where there are not
 * enough. */
static void choose_memory(const struct builder *f, struct jit_loop *loop, unsigned carried, unsigned registers)
{
    while (carried * loop->chunks + SPARE > registers) {
        unsigned best = loop->lines, least = UINT_MAX;
        for (unsigned k = 0; k < loop->lines; k++) {
            unsigned way = is_live_at(f, loop, loop->first, k) ? longest_way(f, loop, k) : UINT_MAX;
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

/* Decides how many chunks are computed at once: so many that a chunk takes the least time, if that can be chosen. Where
 * scalars depend on the lanes, all are. */
static bool choose_chunks(const struct builder *f, struct jit_loop *loop, unsigned work)
{
    unsigned all = GCN_LANES / f->jit->lanes, registers = f->jit->lanes == 16 ? 32 : 16, carried = 0;
    memset(loop->in_memory, 0, sizeof loop->in_memory);
    for (unsigned k = 0; k < loop->lines; k++)
        carried += is_live_at(f, loop, loop->first, k) ? 1 + loop->wide[k] : 0;
    loop->chunks = all;
    if (loop->exec || loop->dependent || loop->block_count > 1)
        return carried * all <= (all == 4 ? 2 : 1) * registers && work * all <= LOOP_WORK;
    unsigned waiting = cycles_of_waiting(f, loop), least = UINT_MAX;
    for (unsigned chunks = 1; chunks <= all && work * chunks <= LOOP_WORK; chunks *= 2) {
        unsigned cycles = cycles_of_round(loop, chunks, waiting, carried, registers) * (all / chunks);
        if (cycles < least - least / GAIN) {
            least = cycles;
            loop->chunks = chunks;
        }
    }
    choose_memory(f, loop, carried, registers);
    return carried + SPARE <= registers && work * loop->chunks <= LOOP_WORK;
}

static bool is_suitable(struct builder *f, struct jit_loop *loop, uint32_t first, uint32_t end)
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
    return work && loop->block_count <= LOOP_BLOCKS && choose_chunks(f, loop, work);
}

/* Marks the leaders within loops to which no branch from outside leads. OWNER: the loop of each micro-operation. */
static void mark_inside(struct builder *f, uint8_t *outside, const uint32_t *owner)
{
    uint32_t count = f->unit->total;
    for (uint32_t i = 0; i < count; i++)
        if (f->effects[i]->kind == EFFECT_BRANCH && branch_target(f, i) < count)
            outside[branch_target(f, i)] |= owner[branch_target(f, i)] != owner[i];
    for (uint32_t i = 0; i < count; i++)
        if (owner[i] && owner[i] != i + 1 && f->leader[i] && !outside[i])
            f->leader[i] = LEADER_INSIDE;
}

void loop_find_all(struct builder *f)
{
    uint32_t count = f->unit->total;
    uint32_t *owner = mem_zalloc(count, sizeof *owner);
    uint8_t *outside = mem_zalloc(count, 1);
    f->loop_state = mem_zalloc(1, sizeof *f->loop_state);
    if (owner && outside && f->loop_state) {
        for (uint32_t i = 0; i < count; i++)
            if (f->effects[i]->kind == EFFECT_BRANCH && f->effects[i]->back)
                f->loop_end[branch_target(f, i)] = i + 1;
        for (uint32_t i = 0; i < count; i++) {
            if (f->loop_end[i] && !is_suitable(f, f->loop_state, i, f->loop_end[i]))
                f->loop_end[i] = 0;
            for (uint32_t k = i; k < f->loop_end[i]; k++)
                owner[k] = i + 1;
        }
        mark_inside(f, outside, owner);
    }
    mem_free(owner);
    mem_free(outside);
}

/* Registers */

/* The address of CHUNK in a line at the beginning of the wave. */
static LLVMValueRef base_of(struct builder *f, unsigned chunk)
{
    LLVMValueRef base = f->wave, offset = f->loop->offset;
    if (offset)
        base = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, base, &offset, 1, "");
    return build_at(f, base, 4 * (uint64_t)chunk * f->jit->lanes);
}

/* Number of the first lane of CHUNK. */
static LLVMValueRef lane_of(struct builder *f, unsigned chunk)
{
    LLVMValueRef lane = C64(f, chunk * f->jit->lanes), offset = f->loop->offset;
    return offset ? LLVMBuildAdd(f->b, LLVMBuildLShr(f->b, offset, C64(f, 2), ""), lane, "") : lane;
}

/* The value of entry K, loaded from memory if it is not known. */
static LLVMValueRef value_of(struct builder *f, struct jit_segment *s, unsigned k)
{
    int line = f->loop->line[k];
    if (f->loop->wide[k])
        return s->wide[line] = build_as(f, segment_pair(f, s, line), f->jit->wide);
    return s->value[line] = build_as(f, segment_line(f, s, line), f->jit->chunk);
}

static bool is_known(const struct jit_segment *s, int line)
{
    return s->value[line] || s->wide[line] || (line && s->wide[line - 1]);
}

/* Sets the value of entry K. */
static void set_value(struct jit_loop *loop, struct jit_segment *s, unsigned k, LLVMValueRef value)
{
    int line = loop->line[k];
    s->wide[line] = loop->wide[k] ? value : NULL;
    s->value[line] = loop->wide[k] ? NULL : value;
    if (line)
        s->wide[line - 1] = NULL;
    if (loop->wide[k])
        s->value[line + 1] = s->wide[line + 1] = NULL;
}

/* A copy of what is known of a chunk, for values that are not to be known in what is built afterwards. */
static struct jit_segment *copy_of(struct builder *f, unsigned chunk)
{
    const struct jit_segment *s = &f->loop->chunk[chunk];
    struct jit_segment *copy = &f->loop->scratch;
    memcpy(copy->value, s->value, sizeof copy->value);
    memcpy(copy->wide, s->wide, sizeof copy->wide);
    memcpy(copy->home, s->home, sizeof copy->home);
    copy->base = base_of(f, chunk);
    return copy;
}

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
                set_value(loop, s, k, block->phis[k][c]);
    }
}

/* Scalar registers from one round to the next */

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
        add_carried(loop, offsetof(struct gcn_wave, s) + 4 * GCN_S_EXEC, 2);
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

static LLVMValueRef read_carried(struct builder *f, const struct carried *c)
{
    uint32_t ref = (uint32_t)(offsetof(struct gcn_wave, s) + 4 * (size_t)c->code);
    return c->dwords == 2 ? scalar_read64(f, ref) : scalar_read32(f, ref);
}

/* Makes the scalar registers' values, and the budget's, at the beginning of a round, where the builder is. */
static void make_carried(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    loop->budget = LLVMBuildPhi(f->b, f->jit->i32, "");
    for (unsigned i = 0; i < loop->carried_count; i++) {
        struct carried *c = &loop->carried[i];
        c->phi = c->dwords ? LLVMBuildPhi(f->b, c->dwords == 2 ? f->jit->i64 : f->jit->i32, "") : NULL;
    }
}

/* Has them known at the beginning of a round. */
static void begin_carried(struct builder *f)
{
    for (unsigned i = 0; i < f->loop->carried_count; i++) {
        const struct carried *c = &f->loop->carried[i];
        if (c->dwords)
            (c->dwords == 2 ? f->known64 : f->known32)[c->code] = c->phi;
    }
}

/* Hands them over to the next round, to which a branch leads from FROM, with what is left of the BUDGET. */
static void pass_carried(struct builder *f, LLVMValueRef budget, LLVMBasicBlockRef from)
{
    struct jit_loop *loop = f->loop;
    LLVMAddIncoming(loop->budget, &budget, &from, 1);
    for (unsigned i = 0; i < loop->carried_count; i++)
        if (loop->carried[i].dwords)
            LLVMAddIncoming(loop->carried[i].phi, &loop->carried[i].value, &from, 1);
}

/* Makes the values for BLOCK at the builder, before the branch that leads there is built. */
static void prepare_values(struct builder *f, const struct loop_block *block)
{
    for (unsigned i = 0; block == f->loop->blocks && i < f->loop->carried_count; i++)
        if (f->loop->carried[i].dwords)
            f->loop->carried[i].value = read_carried(f, &f->loop->carried[i]);
    for (unsigned c = 0; block && c < f->loop->chunks; c++) {
        f->loop->chunk[c].base = base_of(f, c);
        for (unsigned k = 0; k < f->loop->lines; k++)
            if (block->phis[k][c])
                value_of(f, &f->loop->chunk[c], k);
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
            if (is_known(s, line))
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

static LLVMValueRef chunk_of_exec(struct builder *f, LLVMValueRef exec, unsigned chunk)
{
    LLVMValueRef bits = LLVMBuildLShr(f->b, exec, lane_of(f, chunk), "");
    return LLVMBuildTrunc(f->b, bits, f->jit->mask, "");
}

/* The lanes of CHUNK that are active. Where all chunks are computed at once, it takes the bits of each from the same
 * two vectors. */
static LLVMValueRef bits_of_exec(struct builder *f, LLVMValueRef exec, unsigned chunk)
{
    struct jit_loop *loop = f->loop;
    struct gcn_jit *jit = f->jit;
    LLVMValueRef elements[16];
    unsigned first = chunk * jit->lanes;
    if (jit->lanes == 16 || loop->offset)
        return segment_bits(f, chunk_of_exec(f, exec, chunk));
    if (loop->split != exec) {
        LLVMValueRef high = LLVMBuildLShr(f->b, exec, C64(f, 32), "");
        loop->halves[0] = segment_spread(f, LLVMBuildTrunc(f->b, exec, jit->i32, ""));
        loop->halves[1] = segment_spread(f, LLVMBuildTrunc(f->b, high, jit->i32, ""));
        loop->split = exec;
    }
    for (unsigned i = 0; i < jit->lanes; i++)
        elements[i] = C32(f, 1u << ((first + i) % 32));
    LLVMValueRef wanted = LLVMConstVector(elements, jit->lanes);
    LLVMValueRef bits = LLVMBuildAnd(f->b, loop->halves[first / 32], wanted, "");
    return LLVMBuildICmp(f->b, LLVMIntEQ, bits, wanted, "");
}

/* Stores the registers of which TARGET, outside of the loop or where it goes on later, reads the values. */
static void store_values(struct builder *f, uint32_t target)
{
    struct jit_loop *loop = f->loop;
    LLVMValueRef exec = build_load(f, f->jit->i64, offsetof(struct gcn_wave, s) + 4 * GCN_S_EXEC, 8);
    for (unsigned c = 0; c < loop->chunks; c++) {
        struct jit_segment *s = copy_of(f, c);
        LLVMValueRef active = bits_of_exec(f, exec, c);
        for (unsigned k = 0; k < loop->lines; k++) {
            int line = loop->line[k], last = line + loop->wide[k];
            for (; is_live_at(f, loop, target, k) && line <= last; line++)
                if (is_known(s, line) || s->home[line])
                    segment_store(f, build_as(f, segment_line(f, s, line), f->jit->chunk),
                                  build_at(f, s->base, line_offset(line)), loop->exec ? NULL : active);
        }
    }
}

/* Emitting */

/* Blends what a segment has written with what the registers of CHUNK held before. */
static void blend(struct builder *f, unsigned chunk, struct jit_segment *before)
{
    struct jit_loop *loop = f->loop;
    struct jit_segment *s = &loop->chunk[chunk];
    LLVMValueRef blended[LOOP_LINES];
    for (unsigned k = 0; k < loop->lines; k++) {
        blended[k] = NULL;
        if (s->dirty[loop->line[k]] || (loop->wide[k] && s->dirty[loop->line[k] + 1]))
            blended[k] = LLVMBuildSelect(f->b, s->full, value_of(f, s, k), value_of(f, before, k), "");
    }
    for (unsigned k = 0; k < loop->lines; k++)
        if (blended[k])
            set_value(loop, s, k, blended[k]);
    memset(s->dirty, 0, sizeof s->dirty);
}

/* Makes what is known of the scalars in all lanes, for earlier chunks, known for CHUNK. */
static void share_splats(struct jit_loop *loop, unsigned chunk)
{
    struct jit_segment *s = &loop->chunk[chunk];
    const struct jit_segment *from = &loop->chunk[chunk ? chunk - 1 : 0];
    unsigned known = s->splat_count;
    s->splat_count = from->splat_count;
    memcpy(&s->splats[known], &from->splats[known], (s->splat_count - known) * sizeof *s->splats);
}

static void begin_chunk(struct builder *f, unsigned chunk)
{
    struct jit_segment *s = &f->loop->chunk[chunk];
    s->shift = lane_of(f, chunk);
    s->base = base_of(f, chunk);
    s->exec = chunk_of_exec(f, f->exec, chunk);
    s->full = bits_of_exec(f, f->exec, chunk);
    s->splat_count = 0;
}

void loop_flush(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    struct outputs outputs;
    segment_find_outputs(f, &outputs);
    for (unsigned c = 0; c < loop->chunks; c++)
        begin_chunk(f, c);
    for (unsigned c = 0; loop->exec && c < loop->chunks; c++) {
        struct jit_segment *before = copy_of(f, c);
        share_splats(loop, c);
        for (unsigned i = 0; i < f->record_count; i++)
            segment_emit_record(f, &loop->chunk[c], i);
        blend(f, c, before);
    }
    /* the operations on several chunks by turns, so that the host need not wait for results */
    for (unsigned i = 0; !loop->exec && i < f->record_count; i++)
        for (unsigned c = 0; c < loop->chunks; c++) {
            share_splats(loop, c);
            segment_emit_record(f, &loop->chunk[c], i);
        }
    for (unsigned i = 0; i < outputs.count; i++)
        for (unsigned c = 0; c < loop->chunks; c++) {
            LLVMValueRef mask = segment_mask(f, &loop->chunk[c], outputs.record[i]);
            LLVMValueRef *sum = &loop->chunk[0].collected[i];
            *sum = c ? LLVMBuildOr(f->b, *sum, mask, "") : mask;
        }
    keep_values(f);
    memset(f->pending, 0, sizeof f->pending);
    segment_write_outputs(f, loop->chunk, 1, &outputs);
    f->record_count = 0;
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
    LLVMAddIncoming(f->loop->offset, &next, &here, 1);
    LLVMPositionBuilderAtEnd(f->b, done);
}

/* Emits the block that leads out of the loop to TARGET; returns it. */
static LLVMBasicBlockRef emit_way_out(struct builder *f, uint32_t target)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), out = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, out);
    store_values(f, target);
    emit_again(f);
    LLVMBuildBr(f->b, f->blocks[target]);
    LLVMPositionBuilderAtEnd(f->b, here);
    return out;
}

/* Emits the block that goes back from INDEX to the beginning; returns it. */
static LLVMBasicBlockRef emit_way_back(struct builder *f, uint32_t index)
{
    struct loop_block *first = &f->loop->blocks[0];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), back = build_block(f);
    LLVMPositionBuilderAtEnd(f->b, back);
    LLVMValueRef budget = build_count_back(f, f->loop->budget, index, f->loop->first, first->block);
    store_values(f, f->loop->first);
    emit_again(f);
    build_yield(f, f->loop->first);
    pass_values(f, first, back);
    pass_carried(f, budget, back);
    LLVMPositionBuilderAtEnd(f->b, here);
    return back;
}

/* Goes from one block to the next, or into the loop. */
static void emit_way_on(struct builder *f, struct loop_block *to)
{
    prepare_values(f, to);
    pass_values(f, to, LLVMGetInsertBlock(f->b));
    if (to == f->loop->blocks)
        pass_carried(f, build_load(f, f->jit->i32, offsetof(struct gcn_wave, budget), 4), LLVMGetInsertBlock(f->b));
    LLVMBuildBr(f->b, to->block);
}

/* Where a branch from INDEX to TARGET leads. */
static LLVMBasicBlockRef emit_way(struct builder *f, uint32_t index, uint32_t target)
{
    struct loop_block *to = block_at(f->loop, target);
    if (!to)
        return emit_way_out(f, target);
    if (target <= index)
        return emit_way_back(f, index);
    pass_values(f, to, LLVMGetInsertBlock(f->b));
    return to->block;
}

static void emit_branch(struct builder *f, uint32_t index)
{
    uint32_t target = branch_target(f, index);
    segment_flush(f);
    LLVMValueRef taken = build_condition(f, f->effects[index]->id);
    scalar_commit(f);
    prepare_values(f, block_at(f->loop, target));
    if (taken)
        prepare_values(f, block_at(f->loop, index + 1));
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
            block->phis[k][c] = !loop->in_memory[k] && is_live_at(f, loop, index, k)
                                    ? LLVMBuildPhi(f->b, loop->wide[k] ? f->jit->wide : f->jit->chunk, "")
                                    : NULL;
    if (block == loop->blocks)
        make_carried(f);
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
        LLVMValueRef place = build_at(f, base_of(f, chunk), line_offset(f->loop->line[k]));
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
    LLVMPositionBuilderAtEnd(f->b, loop->again);
    loop->offset = LLVMBuildPhi(f->b, f->jit->i64, "");
    LLVMAddIncoming(loop->offset, &zero, &here, 1);
    for (unsigned i = 0; i < loop->scalar_count; i++)
        build_store(f, loop->initial[i], loop->scalars[i], 4);
}

/* Emits the way into the loop at INDEX. As nothing in the loop stores to memory, a fence that an s_waitcnt asks for can
 * come here. */
static void emit_way_in(struct builder *f, uint32_t index)
{
    uint32_t wait = f->loop->first;
    while (wait < f->loop->end && f->effects[wait]->kind != EFFECT_WAIT)
        wait++;
    LLVMPositionBuilderAtEnd(f->b, f->blocks[index]);
    scalar_forget(f);
    begin_values(f->loop, NULL);
    if (wait < f->loop->end)
        build_wait(f, wait);
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
                begin_carried(f);
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

uint32_t loop_emit(struct builder *f, uint32_t first)
{
    uint32_t end = f->loop_end[first];
    struct jit_loop *loop = f->loop_state;
    if (!end || !is_suitable(f, loop, first, end))
        return first;
    loop->block_count = 0;
    loop->offset = loop->split = NULL;
    f->loop = loop;
    make_homes(f);
    find_carried(f, loop);
    for (uint32_t i = first; i < end; i++)
        if (f->leader[i])
            make_block(f, i);
    for (uint32_t i = first; i < end; i++)
        if (f->leader[i] == LEADER_YES)
            emit_way_in(f, i);
    emit_inside(f);
    f->loop = NULL;
    return end;
}
