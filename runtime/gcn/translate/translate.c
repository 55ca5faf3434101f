/* SPDX-License-Identifier: MIT */
/* The cache of translated machine code.
 * Input: ranges of machine code; addresses in them. Output: entries, where execution goes on.
 * Invariant: published entries and units do not change; finding one takes no lock; each instruction is translated only
 * once, wherever control comes to it from. */
#include "runtime/gcn/translate/unit.h"

#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/inst/print.h"

#include <stdio.h>
#include <string.h>

/* Open addressing; a slot is written before its pc, which is FREE until then. The entry of code that is forgotten
 * leaves a slot which searches pass, and which another entry may take. Code may jump to both of these addresses, where
 * there is no code. */
struct entry_table {
    struct entry_table *retired; /* its predecessors, at which readers may still look */
    size_t size, used;           /* slots; those that are not free */
    struct gcn_entry slots[];
};
enum { FREE = 0, FORGOTTEN = 1 };

struct gcn_cache {
    const struct gcn_engine *engine;
    const struct gcn_target *target;
    unsigned checks;
    bool observed;
    pthread_mutex_t lock;
    struct gcn_code *codes;
    uint32_t sites; /* numbers of instructions given out to observers */
    uint32_t users; /* atomic: who may look at retired tables */
    struct entry_table *table;
};

/* The table of entries */

static size_t slot_number(const struct entry_table *table, uint64_t pc)
{
    return (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->size - 1);
}

/* The slot of PC, or the free one at which a search for it ends. */
static struct gcn_entry *table_slot(struct entry_table *table, uint64_t pc)
{
    for (size_t i = slot_number(table, pc);; i = (i + 1) & (table->size - 1)) {
        uint64_t found = __atomic_load_n(&table->slots[i].pc, __ATOMIC_ACQUIRE);
        if (found == FREE || found == pc)
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
    size_t i = slot_number(table, entry->pc);
    if (table_slot(table, entry->pc)->pc == entry->pc)
        return;
    while (table->slots[i].pc > FORGOTTEN)
        i = (i + 1) & (table->size - 1);
    struct gcn_entry *slot = &table->slots[i];
    table->used += slot->pc == FREE;
    slot->unit = entry->unit;
    slot->op = entry->op;
    __atomic_store_n(&slot->pc, entry->pc, __ATOMIC_RELEASE);
}

/* Replaces the table by one without forgotten entries, of twice the size if there are few of those. */
static int table_rebuild(struct gcn_cache *cache)
{
    struct entry_table *old = cache->table;
    size_t live = 0;
    for (size_t i = 0; i < old->size; i++)
        live += old->slots[i].pc > FORGOTTEN;
    struct entry_table *table = table_new(4 * live < old->size ? old->size : 2 * old->size);
    if (!table)
        return 0;
    for (size_t i = 0; i < old->size; i++)
        if (old->slots[i].pc > FORGOTTEN)
            table_put(table, &old->slots[i]);
    table->retired = old;
    __atomic_store_n(&cache->table, table, __ATOMIC_SEQ_CST);
    return 1;
}

static int table_add(struct gcn_cache *cache, const struct gcn_entry *entry)
{
    if (2 * (cache->table->used + 1) > cache->table->size && !table_rebuild(cache))
        return 0;
    table_put(cache->table, entry);
    return 1;
}

/* Forgets the entries that point into [FROM, TO). */
static void table_forget(struct entry_table *table, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < table->size; i++)
        if (table->slots[i].pc >= from && table->slots[i].pc < to)
            __atomic_store_n(&table->slots[i].pc, FORGOTTEN, __ATOMIC_RELAXED);
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
    gcn_tier_acquire();
    return cache;
}

static void code_free(struct gcn_code *code)
{
    for (unsigned way = 0; way < GCN_WAYS; way++) {
        struct unit_plane *plane = &code->planes[way];
        for (size_t i = 0; i < plane->units.count; i++)
            unit_free(plane->units.items[i]);
        vec_free(&plane->units);
        mem_free(plane->owner);
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
    gcn_tier_release();
}

void gcn_cache_check(struct gcn_cache *cache, unsigned checks)
{
    cache->checks = checks;
}

void gcn_cache_observe(struct gcn_cache *cache)
{
    cache->observed = true;
}

void gcn_cache_enter(struct gcn_cache *cache)
{
    __atomic_fetch_add(&cache->users, 1, __ATOMIC_SEQ_CST);
}

void gcn_cache_leave(struct gcn_cache *cache)
{
    __atomic_fetch_sub(&cache->users, 1, __ATOMIC_RELEASE);
}

struct gcn_code *gcn_cache_add(struct gcn_cache *cache, const void *text, size_t size, const void *base, size_t loaded)
{
    struct gcn_code *code = mem_zalloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->target = cache->target;
    code->checks = cache->checks;
    code->observed = cache->observed;
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
    table_forget(cache->table, from, from + code->size);
    if (!__atomic_load_n(&cache->users, __ATOMIC_SEQ_CST)) { /* one who comes now finds the new table */
        tables_free(cache->table->retired);
        cache->table->retired = NULL;
    }
    pthread_mutex_unlock(&cache->lock);
    code_free(code);
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
    if (pc <= FORGOTTEN || __atomic_load_n(&slot->pc, __ATOMIC_ACQUIRE) != pc)
        return 0;
    *entry = *slot;
    return 1;
}

/* Publishes the instruction at PC of CODE as an entry; translates it first if no unit has it. The low bits of PC are
 * the way. */
static int publish_entry(struct gcn_cache *cache, struct gcn_code *code, uint64_t pc)
{
    uint32_t at = (uint32_t)((pc - (uint64_t)(uintptr_t)code->text) / 4);
    unsigned way = pc & (GCN_WAYS - 1);
    if (!unit_of(code, way, at) && !unit_new(cache, cache->engine, code, way, at, &cache->sites))
        return 0;
    const struct gcn_unit *unit = unit_of(code, way, at);
    struct gcn_entry entry = {pc, unit, unit_find(unit, at)};
    return table_add(cache, &entry);
}

int gcn_cache_find(struct gcn_cache *cache, uint64_t pc, struct gcn_entry *entry, enum gcn_fault_kind *kind)
{
    if (lookup(cache, pc, entry))
        return 1;
    *kind = GCN_FAULT_FETCH;
    pthread_mutex_lock(&cache->lock);
    int found = lookup(cache, pc, entry);
    struct gcn_code *code = found ? NULL : code_of(cache, pc & ~(uint64_t)(GCN_WAYS - 1));
    if (code) {
        *kind = GCN_FAULT_RESOURCES;
        found = publish_entry(cache, code, pc) && lookup(cache, pc, entry);
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

bool gcn_cache_asks(struct gcn_cache *cache, const struct gcn_unit *unit)
{
    if (unit->asks || !unit->leaves)
        return unit->asks;
    pthread_mutex_lock(&cache->lock);
    struct gcn_code *code = code_of(cache, unit->text);
    bool asks = code && unit_code_asks(code);
    pthread_mutex_unlock(&cache->lock);
    return asks;
}

const void *gcn_code_base(const struct gcn_code *code)
{
    return (const void *)(uintptr_t)code->base;
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

bool gcn_cache_decode(struct gcn_cache *cache, uint64_t pc, struct gcn_inst *inst, char *text, size_t size)
{
    pthread_mutex_lock(&cache->lock);
    const struct gcn_code *code = code_of(cache, pc);
    bool decoded = code && unit_decode(code, (uint32_t)((pc - (uint64_t)(uintptr_t)code->text) / 4), inst);
    if (decoded && size)
        gcn_print(cache->target, inst, text, size);
    pthread_mutex_unlock(&cache->lock);
    return decoded;
}

void gcn_cache_name(struct gcn_cache *cache, uint64_t pc, char *name, size_t size)
{
    char text[128];
    struct gcn_inst inst;
    if (!gcn_cache_decode(cache, pc, &inst, text, sizeof text))
        snprintf(text, sizeof text, "illegal");
    text[strcspn(text, " ")] = 0;
    snprintf(name, size, "%s", text);
}
