/* SPDX-License-Identifier: MIT */
/* Translation of machine code to units, and the cache of them.
 * Input: ranges of machine code; addresses in them. Output: entries, where execution goes on.
 * Invariant: published entries and units do not change; finding one takes no lock. */
#include "runtime/gcn/translate.h"

#include "runtime/gcn/control.h"
#include "runtime/gcn/decode.h"
#include "runtime/gcn/print.h"
#include "runtime/gcn/micro_emit.h"

#include <stdio.h>
#include <string.h>

struct gcn_code {
    const struct gcn_target *target;
    struct gcn_code *next;
    struct gcn_unit *units;
    const uint8_t *text;
    size_t size;
    uint64_t base; /* of all that was loaded with the code */
    uint64_t loaded;
};

/* Open addressing; a slot is written before its pc, which is 0 while the slot is free. */
struct entry_table {
    struct entry_table *retired; /* predecessors, which readers may still look at */
    size_t size, used;
    struct gcn_entry slots[];
};

struct gcn_cache {
    const struct gcn_engine *engine;
    const struct gcn_target *target;
    pthread_mutex_t lock;
    struct gcn_code *codes;
    struct entry_table *table;
};

uint64_t gcn_unit_pc(const struct gcn_unit *unit, const struct gcn_uop *op)
{
    return unit->text + 4 * (uint64_t)unit->pcs[op - unit->ops];
}

/* The table of entries */

static struct gcn_entry *table_slot(struct entry_table *table, uint64_t pc)
{
    size_t i = (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->size - 1);
    for (;; i = (i + 1) & (table->size - 1)) {
        uint64_t found = __atomic_load_n(&table->slots[i].pc, __ATOMIC_ACQUIRE);
        if (!found || found == pc)
            return &table->slots[i];
    }
}

static struct entry_table *table_new(size_t size)
{
    struct entry_table *table = mem_zalloc(1, sizeof *table + size * sizeof table->slots[0]);
    if (table)
        table->size = size;
    return table;
}

static void table_put(struct entry_table *table, const struct gcn_entry *entry)
{
    struct gcn_entry *slot = table_slot(table, entry->pc);
    if (slot->pc)
        return;
    slot->unit = entry->unit;
    slot->op = entry->op;
    __atomic_store_n(&slot->pc, entry->pc, __ATOMIC_RELEASE);
    table->used++;
}

/* Replaces the table by one of SIZE slots, without the entries that point into [FROM, TO). */
static int table_rebuild(struct gcn_cache *cache, size_t size, uint64_t from, uint64_t to)
{
    struct entry_table *old = cache->table, *table = table_new(size);
    if (!table)
        return 0;
    for (size_t i = 0; i < old->size; i++)
        if (old->slots[i].pc && !(old->slots[i].pc >= from && old->slots[i].pc < to))
            table_put(table, &old->slots[i]);
    table->retired = old;
    __atomic_store_n(&cache->table, table, __ATOMIC_RELEASE);
    return 1;
}

static int table_add(struct gcn_cache *cache, const struct gcn_entry *entry)
{
    if (2 * (cache->table->used + 1) > cache->table->size && !table_rebuild(cache, 2 * cache->table->size, 0, 0))
        return 0;
    table_put(cache->table, entry);
    return 1;
}

/* Life of the cache */

const struct gcn_target *gcn_cache_target(const struct gcn_cache *cache)
{
    return cache->target;
}

struct gcn_cache *gcn_cache_new(const struct gcn_engine *engine, const struct gcn_target *target)
{
    struct gcn_cache *cache = mem_zalloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->engine = engine;
    cache->target = target;
    cache->table = table_new(256);
    if (!cache->table || pthread_mutex_init(&cache->lock, NULL)) {
        mem_free(cache->table);
        mem_free(cache);
        return NULL;
    }
    return cache;
}

static void code_free(struct gcn_code *code)
{
    while (code->units) {
        struct gcn_unit *unit = code->units;
        code->units = unit->next;
        mem_free(unit->block);
        mem_free(unit);
    }
    mem_free(code);
}

static void tables_free(struct entry_table *table)
{
    while (table) {
        struct entry_table *older = table->retired;
        mem_free(table);
        table = older;
    }
}

void gcn_cache_free(struct gcn_cache *cache)
{
    if (!cache)
        return;
    while (cache->codes) {
        struct gcn_code *code = cache->codes;
        cache->codes = code->next;
        code_free(code);
    }
    tables_free(cache->table);
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache);
}

struct gcn_code *gcn_cache_add(struct gcn_cache *cache, const void *text, size_t size, const void *base, size_t loaded)
{
    struct gcn_code *code = mem_zalloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->target = cache->target;
    code->text = text;
    code->size = size;
    code->base = (uint64_t)(uintptr_t)base;
    code->loaded = loaded;
    pthread_mutex_lock(&cache->lock);
    code->next = cache->codes;
    cache->codes = code;
    pthread_mutex_unlock(&cache->lock);
    return code;
}

void gcn_cache_remove(struct gcn_cache *cache, struct gcn_code *code)
{
    uint64_t from = (uint64_t)(uintptr_t)code->text;
    pthread_mutex_lock(&cache->lock);
    struct gcn_code **link = &cache->codes;
    while (*link != code)
        link = &(*link)->next;
    *link = code->next;
    if (table_rebuild(cache, cache->table->size, from, from + code->size)) {
        tables_free(cache->table->retired); /* nobody runs, so nobody looks at them */
        cache->table->retired = NULL;
    } else { /* no memory: take the entries out where they are; a lookup of what stood behind them translates
                anew */
        memset(cache->table->slots, 0, cache->table->size * sizeof cache->table->slots[0]);
        cache->table->used = 0;
    }
    pthread_mutex_unlock(&cache->lock);
    code_free(code);
}

/* Discovery: the instructions that direct control flow reaches */

struct discovery {
    const struct gcn_code *code;
    uint64_t *seen;        /* a bit per dword of the code */
    VEC(uint32_t) pending; /* dword offsets where decoding must go on */
    VEC(uint32_t) entries; /* ... where control comes from elsewhere */
    uint32_t low, high;    /* range of the bits set */
    bool oom;
};

static bool is_seen(const struct discovery *d, uint32_t at)
{
    return d->seen[at / 64] >> (at % 64) & 1;
}

static bool is_call(const struct gcn_inst *inst)
{
    return inst->op == GCN_OP_s_swappc_b64 || inst->op == GCN_OP_s_call_b64;
}

static bool is_direct_branch(const struct gcn_inst *inst)
{
    return inst->encoding == GCN_SOPP && (gcn_op_info[inst->op].flags & GCN_F_BRANCH);
}

/* Whether control never goes on behind INST by itself. */
static bool is_end(const struct gcn_inst *inst)
{
    return (gcn_op_info[inst->op].flags & GCN_F_END) || inst->op == GCN_OP_s_branch || inst->op == GCN_OP_s_setpc_b64 ||
           inst->op == GCN_OP_s_rfe_b64 || is_call(inst);
}

static bool decode_at(const struct gcn_code *code, uint32_t at, struct gcn_inst *inst)
{
    size_t offset = 4 * (size_t)at;
    return gcn_decode(code->target, code->text + offset, code->size - offset, inst) == GCN_DECODE_OK;
}

/* Target as a dword offset into the code; false if outside of it. */
static bool branch_target(const struct gcn_code *code, const struct gcn_inst *inst, uint32_t at, uint32_t *target)
{
    int64_t to = (int64_t)at + 1 + inst->imm;
    *target = (uint32_t)to;
    return to >= 0 && (uint64_t)to < code->size / 4;
}

static void visit(struct discovery *d, uint32_t at)
{
    if (at < d->code->size / 4 && !is_seen(d, at) && !vec_push(&d->pending, at))
        d->oom = true;
}

static void discover_from(struct discovery *d, uint32_t at)
{
    while (at < d->code->size / 4 && !is_seen(d, at)) {
        struct gcn_inst inst;
        uint32_t target;
        d->seen[at / 64] |= UINT64_C(1) << (at % 64);
        d->low = at < d->low ? at : d->low;
        d->high = at > d->high ? at : d->high;
        if (!decode_at(d->code, at, &inst))
            return;
        if (is_direct_branch(&inst) && branch_target(d->code, &inst, at, &target))
            visit(d, target);
        if (is_call(&inst)) {
            visit(d, at + inst.size / 4u);
            d->oom |= !vec_push(&d->entries, at + inst.size / 4u);
        }
        if (is_end(&inst))
            return;
        at += inst.size / 4u;
    }
}

/* Emission */

struct fixup {
    uint32_t op, target;
    const struct gcn_branch_handlers *handlers;
};

struct emission {
    struct micro_stream t;
    const struct gcn_code *code;
    const struct discovery *found;
    uint32_t *index; /* micro-operation of each dword from found->low on */
    VEC(struct fixup) fixups;
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
    struct fixup fixup = {(uint32_t)e->t.ops.count, target, handlers};
    micro_emit(&e->t, NULL, 0, 0);
    if (!vec_push(&e->fixups, fixup))
        e->t.oom = true;
}

static void emit_one(struct emission *e, uint32_t at, uint32_t next)
{
    static const struct gcn_branch_handlers fallthrough = {0, gcn_control_goto, gcn_control_goto_back};
    struct gcn_inst inst;
    uint32_t target;
    e->t.pc = at;
    if (!decode_at(e->code, at, &inst)) {
        micro_fault(&e->t, GCN_FAULT_ILLEGAL);
        return;
    }
    const struct gcn_branch_handlers *handlers = is_direct_branch(&inst) ? branch_handlers(inst.op) : NULL;
    if (!handlers)
        micro_instruction(&e->t, &inst, (uint64_t)(uintptr_t)e->code->text + 4 * (uint64_t)at);
    else if (branch_target(e->code, &inst, at, &target))
        emit_branch(e, handlers, target);
    else
        micro_fault(&e->t, GCN_FAULT_FETCH);
    if (is_end(&inst))
        return;
    uint32_t behind = at + inst.size / 4u;
    if (behind >= e->code->size / 4)
        micro_fault(&e->t, GCN_FAULT_FETCH);
    else if (behind != next)
        emit_branch(e, &fallthrough, behind);
}

static void emit_all(struct emission *e)
{
    const struct discovery *d = e->found;
    uint32_t at = d->low;
    while (at <= d->high) {
        uint32_t next = at + 1;
        while (next <= d->high && !is_seen(d, next))
            next++;
        e->index[at - d->low] = (uint32_t)e->t.ops.count;
        emit_one(e, at, next);
        at = next;
    }
    for (size_t i = 0; !e->t.oom && i < e->fixups.count; i++) {
        const struct fixup *fixup = &e->fixups.items[i];
        struct gcn_uop *op = &e->t.ops.items[fixup->op];
        int64_t distance = (int64_t)e->index[fixup->target - d->low] - fixup->op;
        op->imm = (int32_t)distance;
        op->fn = distance > 0 ? fixup->handlers->forward : fixup->handlers->back;
    }
}

/* Moves what was emitted into a unit of its own memory. */
static struct gcn_unit *make_unit(struct emission *e)
{
    size_t count = e->t.ops.count, ops_size = count * sizeof(struct gcn_uop);
    struct gcn_unit *unit = mem_zalloc(1, sizeof *unit + ops_size + count * sizeof(uint32_t));
    void *constants = mem_alloc(4 * e->t.constants.count + 64);
    if (!unit || !constants) {
        mem_free(unit);
        mem_free(constants);
        return NULL;
    }
    struct gcn_uop *ops = (struct gcn_uop *)(unit + 1);
    unit->block = constants;
    constants = (void *)(((uintptr_t)constants + 63) & ~(uintptr_t)63);
    memcpy(ops, e->t.ops.items, ops_size);
    memcpy(ops + count, e->t.pcs.items, count * sizeof(uint32_t));
    if (e->t.constants.count)
        memcpy(constants, e->t.constants.items, 4 * e->t.constants.count);
    unit->ops = ops;
    unit->pcs = (const uint32_t *)(ops + count);
    unit->constants = constants;
    unit->text = (uint64_t)(uintptr_t)e->code->text;
    unit->count = (uint32_t)count;
    return unit;
}

static struct gcn_unit *emit_unit(const struct gcn_engine *engine, const struct gcn_code *code,
                                  const struct discovery *d, uint32_t **index)
{
    struct emission e = {.t = {.engine = engine, .target = code->target}, .code = code, .found = d};
    struct gcn_unit *unit = NULL;
    e.index = mem_zalloc((size_t)(d->high - d->low) + 1, sizeof *e.index);
    if (e.index) {
        emit_all(&e);
        if (!e.t.oom)
            unit = make_unit(&e);
    }
    micro_free(&e.t);
    vec_free(&e.fixups);
    *index = e.index;
    return unit;
}

/* Publishes the addresses where control enters UNIT from elsewhere. */
static int publish(struct gcn_cache *cache, const struct gcn_unit *unit, const struct discovery *d,
                   const uint32_t *index)
{
    for (size_t i = 0; i < d->entries.count; i++) {
        uint32_t at = d->entries.items[i];
        if (at >= d->code->size / 4)
            continue;
        struct gcn_entry entry = {unit->text + 4 * (uint64_t)at, unit, unit->ops + index[at - d->low]};
        if (!table_add(cache, &entry))
            return 0;
    }
    return 1;
}

static int translate(struct gcn_cache *cache, struct gcn_code *code, uint32_t start)
{
    struct discovery d = {.code = code, .low = start, .high = start};
    uint32_t *index = NULL;
    int done = 0;
    d.seen = mem_zalloc(code->size / 256 + 1, sizeof *d.seen);
    d.oom = !d.seen || !vec_push(&d.entries, start) || !vec_push(&d.pending, start);
    while (!d.oom && d.pending.count)
        discover_from(&d, d.pending.items[--d.pending.count]);
    if (!d.oom) {
        struct gcn_unit *unit = emit_unit(cache->engine, code, &d, &index);
        if (unit) {
            unit->cache = cache;
            unit->next = code->units;
            code->units = unit;
            done = publish(cache, unit, &d, index);
        }
    }
    mem_free(index);
    mem_free(d.seen);
    vec_free(&d.pending);
    vec_free(&d.entries);
    return done;
}

/* Lookup */

static struct gcn_code *code_of(struct gcn_cache *cache, uint64_t pc)
{
    for (struct gcn_code *code = cache->codes; code; code = code->next) {
        uint64_t text = (uint64_t)(uintptr_t)code->text;
        if (pc >= text && pc - text < code->size && code->size - (pc - text) >= 4 && (pc - text) % 4 == 0 &&
            (pc - text) / 4 < INT32_MAX)
            return code;
    }
    return NULL;
}

static int lookup(struct gcn_cache *cache, uint64_t pc, struct gcn_entry *entry)
{
    struct entry_table *table = __atomic_load_n(&cache->table, __ATOMIC_ACQUIRE);
    const struct gcn_entry *slot = table_slot(table, pc);
    if (!pc || __atomic_load_n(&slot->pc, __ATOMIC_ACQUIRE) != pc)
        return 0;
    *entry = *slot;
    return 1;
}

int gcn_cache_find(struct gcn_cache *cache, uint64_t pc, struct gcn_entry *entry, enum gcn_fault_kind *kind)
{
    if (lookup(cache, pc, entry))
        return 1;
    *kind = GCN_FAULT_FETCH;
    pthread_mutex_lock(&cache->lock);
    int found = lookup(cache, pc, entry);
    struct gcn_code *code = found ? NULL : code_of(cache, pc);
    if (code) {
        *kind = GCN_FAULT_RESOURCES;
        found =
            translate(cache, code, (uint32_t)((pc - (uint64_t)(uintptr_t)code->text) / 4)) && lookup(cache, pc, entry);
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

int gcn_cache_contains(struct gcn_cache *cache, uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&cache->lock);
    const struct gcn_code *code = cache->codes;
    while (code && !(address >= code->base && size <= code->loaded && address - code->base <= code->loaded - size))
        code = code->next;
    pthread_mutex_unlock(&cache->lock);
    return code != NULL;
}

void gcn_cache_name(struct gcn_cache *cache, uint64_t pc, char *name, size_t size)
{
    char text[128] = "illegal";
    pthread_mutex_lock(&cache->lock);
    const struct gcn_code *code = code_of(cache, pc);
    struct gcn_inst inst;
    if (code && decode_at(code, (uint32_t)((pc - (uint64_t)(uintptr_t)code->text) / 4), &inst))
        gcn_print(cache->target, &inst, text, sizeof text);
    pthread_mutex_unlock(&cache->lock);
    text[strcspn(text, " ")] = 0;
    snprintf(name, size, "%s", text);
}
