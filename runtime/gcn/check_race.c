/* SPDX-License-Identifier: MIT */
/* The checker of races: two work-items touch the same bytes, one of them writes, and nothing orders them.
 * Input: what waves are about to access. Output: findings that name both sides.
 * Invariant: two accesses are ordered if the same wave made both; if both are of one group, which passed a barrier in
 * between; or if the groups of both sides executed an atomic operation after the first access. Two atomic accesses are
 * no race. Stores by one instruction to one place are a race only if their values differ. */
#include "runtime/gcn/check.h"

#include "support/hash.h"

#include <string.h>

enum { PAGE_DWORDS = 256, READERS = 2 };

/* An access to some bytes of a dword; TIME is 0 if there was none. */
struct mark {
    uint64_t group, pc, time;
    uint32_t epoch;
    uint16_t item;
    uint8_t mask;
    bool atomic;
};

struct cell {
    struct mark write, read[READERS];
};

struct page {
    uint64_t number; /* number of its first dword, divided by PAGE_DWORDS, plus 1 */
    struct page *next;
    struct cell cells[PAGE_DWORDS];
};

/* The dwords that were accessed, by address, and the time of the last atomic operation of each group, by the linear
 * index of the group. */
struct race_table {
    pthread_mutex_t lock;
    struct page **buckets;
    size_t size, count;
    uint64_t time; /* atomic operations so far, plus 1 */
    uint64_t *synchronised;
    uint64_t groups;
};

struct race_table *race_table_new(void)
{
    enum { FIRST_SIZE = 64 };
    struct race_table *table = mem_zalloc(1, sizeof *table);
    struct page **buckets = table ? mem_zalloc(FIRST_SIZE, sizeof *buckets) : NULL;
    if (!buckets) {
        mem_free(table);
        return NULL;
    }
    pthread_mutex_init(&table->lock, NULL);
    table->buckets = buckets;
    table->size = FIRST_SIZE;
    table->time = 1;
    return table;
}

void race_table_free(struct race_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->size; i++)
        for (struct page *page = table->buckets[i], *next; page; page = next) {
            next = page->next;
            mem_free(page);
        }
    pthread_mutex_destroy(&table->lock);
    mem_free(table->buckets);
    mem_free(table->synchronised);
    mem_free(table);
}

static void grow(struct race_table *table)
{
    struct page **buckets = mem_zalloc(2 * table->size, sizeof *buckets);
    if (!buckets)
        return;
    for (size_t i = 0; i < table->size; i++)
        for (struct page *page = table->buckets[i], *next; page; page = next) {
            next = page->next;
            size_t at = hash_u64(0, page->number) & (2 * table->size - 1);
            page->next = buckets[at];
            buckets[at] = page;
        }
    mem_free(table->buckets);
    table->buckets = buckets;
    table->size *= 2;
}

/* The cell of the dword at ADDRESS; NULL if memory has run out, in which case a race may be missed. */
static struct cell *cell_of(struct race_table *table, uint64_t address)
{
    uint64_t number = address / 4 / PAGE_DWORDS + 1;
    struct page **link = &table->buckets[hash_u64(0, number) & (table->size - 1)];
    struct page *page = *link;
    while (page && page->number != number)
        page = page->next;
    if (!page) {
        page = mem_zalloc(1, sizeof *page);
        if (!page)
            return NULL;
        page->number = number;
        page->next = *link;
        *link = page;
        if (++table->count > 2 * table->size)
            grow(table);
    }
    return &page->cells[address / 4 % PAGE_DWORDS];
}

/* ---- order ---- */

static uint64_t *synchronised(struct race_table *table, uint64_t group)
{
    return group < table->groups ? &table->synchronised[group] : NULL;
}

/* Notes that GROUP of D executes an atomic operation now. */
static void synchronise(struct race_table *table, const struct gcn_dispatch *d, uint64_t group)
{
    enum { GROUPS_MAX = 1 << 24 };
    if (!table->synchronised && d->group_total <= GROUPS_MAX) {
        table->synchronised = mem_zalloc(d->group_total, sizeof *table->synchronised);
        table->groups = table->synchronised ? d->group_total : 0;
    }
    uint64_t *at = synchronised(table, group);
    if (at)
        *at = ++table->time;
}

static bool is_ordered(struct race_table *table, const struct mark *before, const struct mark *now)
{
    if (before->group == now->group &&
        (before->epoch != now->epoch || before->item / GCN_LANES == now->item / GCN_LANES))
        return true;
    const uint64_t *a = synchronised(table, before->group), *b = synchronised(table, now->group);
    return a && b && *a > before->time && *b > before->time;
}

static bool is_race(struct race_table *table, const struct mark *before, const struct mark *now)
{
    return before->time && before->mask & now->mask && !(before->atomic && now->atomic) &&
           !is_ordered(table, before, now);
}

static void note_read(struct cell *cell, const struct mark *now)
{
    struct mark *first = &cell->read[0];
    bool same = first->time && first->group == now->group && first->item / GCN_LANES == now->item / GCN_LANES;
    if (!same && first->time)
        cell->read[1] = *first;
    *first = *now;
}

/* The earlier access with which NOW races, or NULL; WRITES tells whether NOW writes. */
static const struct mark *find_race(struct race_table *table, const struct cell *cell, const struct mark *now,
                                    bool writes)
{
    if (is_race(table, &cell->write, now))
        return &cell->write;
    for (unsigned i = 0; writes && i < READERS; i++)
        if (is_race(table, &cell->read[i], now))
            return &cell->read[i];
    return NULL;
}

/* ---- accesses ---- */

struct touch {
    struct race_table *table;
    struct gcn_check *check;
    const struct gcn_access *access;
    struct mark now;
    enum gcn_finding_kind kind;
};

static void add_race(const struct touch *t, const struct mark *other, uint64_t address, uint8_t segment)
{
    const struct gcn_finding found = {
        .kind = t->kind,
        .has_other = true,
        .writes = t->access->writes,
        .atomic = t->access->atomic,
        .segment = segment,
        .bytes = t->access->bytes,
        .address = address,
        .by = {t->now.pc, t->now.group, t->now.item},
        .other = {other->pc, other->group, other->item}};
    gcn_check_add(t->check, &found, 1);
}

static void touch(struct touch *t, uint64_t address, uint8_t segment)
{
    const struct mark *race = NULL;
    struct mark other;
    uint64_t end = address + t->access->bytes;
    for (uint64_t at = address; at < end; at = (at & ~UINT64_C(3)) + 4) {
        uint64_t stop = (at & ~UINT64_C(3)) + 4 < end ? (at & ~UINT64_C(3)) + 4 : end;
        struct cell *cell = cell_of(t->table, at);
        if (!cell)
            return;
        t->now.mask = (uint8_t)(((1u << (stop - at)) - 1) << at % 4);
        if (!race && (race = find_race(t->table, cell, &t->now, t->access->writes)) != NULL) {
            other = *race;
            race = &other;
        }
        if (t->access->writes)
            cell->write = t->now;
        if (t->access->reads)
            note_read(cell, &t->now);
    }
    if (race)
        add_race(t, race, address, segment);
}

/* Whether lanes I and K store different values. */
static bool differs(const struct gcn_wave *w, const struct gcn_uop *op, uint32_t bytes, unsigned part, unsigned i,
                    unsigned k)
{
    const uint32_t *data = gcn_line(w, op->src[1 + part]);
    for (uint32_t n = 0; n < bytes; n += 4) {
        uint32_t mask = bytes - n >= 4 ? UINT32_MAX : (1u << 8 * (bytes - n)) - 1;
        if ((data[n / 4 * GCN_LANES + i] ^ data[n / 4 * GCN_LANES + k]) & mask)
            return true;
    }
    return false;
}

/* Looks for two lanes of one store that write different values to one address: the machine orders them, but the
 * language does not. */
static void check_store(struct touch *t, const struct gcn_wave *w, const struct gcn_uop *op, unsigned part)
{
    enum { SLOTS = 256 };
    const struct gcn_access *a = t->access;
    uint8_t table[SLOTS] = {0}; /* lane + 1, by hash of the address */
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), at = hash_u64(0, a->address[part][lane]) % SLOTS;
        while (table[at] && a->address[part][table[at] - 1] != a->address[part][lane])
            at = (at + 1) % SLOTS;
        if (!table[at]) {
            table[at] = (uint8_t)(lane + 1);
        } else if (differs(w, op, a->bytes, part, table[at] - 1u, lane)) {
            struct mark other = t->now;
            other.item = (uint16_t)(w->index * GCN_LANES + table[at] - 1u);
            t->now.item = (uint16_t)(w->index * GCN_LANES + lane);
            add_race(t, &other, a->address[part][lane], a->segment[lane]);
            return;
        }
    }
}

static void touch_lanes(struct touch *t, const struct gcn_wave *w, const struct gcn_uop *op, uint8_t segment)
{
    const struct gcn_access *a = t->access;
    bool any = false;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        if (a->segment[lane] != segment)
            continue;
        any = true;
        t->now.item = (uint16_t)(w->index * GCN_LANES + lane);
        for (unsigned part = 0; part < a->parts; part++)
            if (segment != HSAM_ACCESS_GROUP || a->address[part][lane] + a->bytes <= w->lds_size)
                touch(t, a->address[part][lane], segment);
    }
    unsigned encoding = op->aux & (GCN_OFFEN | GCN_IDXEN) ? 0 : 1; /* stores to buffers have their data elsewhere */
    for (unsigned part = 0; any && encoding && a->writes && !a->atomic && part < a->parts; part++)
        check_store(t, w, op, part);
}

void gcn_check_race(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_access *a, uint64_t pc)
{
    struct gcn_group *g = w->group;
    const struct gcn_dispatch *d = g->dispatch;
    struct gcn_party me = gcn_check_party(w, pc, 0);
    uint8_t segment = a->lanes ? a->segment[__builtin_ctzll(a->lanes)] : HSAM_ACCESS_PRIVATE;
    if (a->scalar || segment == HSAM_ACCESS_PRIVATE)
        return; /* scalar loads read constants, and private memory is not shared */
    struct touch t = {
        .table = segment == HSAM_ACCESS_GROUP ? g->check->races : d->check->races,
        .check = d->check,
        .access = a,
        .kind = segment == HSAM_ACCESS_GROUP ? GCN_FINDING_RACE_GROUP : GCN_FINDING_RACE_GLOBAL,
        .now = {.group = me.group, .pc = pc, .epoch = g->check->epoch, .atomic = a->atomic || op->aux & GCN_GLC}};
    pthread_mutex_lock(&t.table->lock);
    t.now.time = t.table->time;
    touch_lanes(&t, w, op, segment);
    pthread_mutex_unlock(&t.table->lock);
    if (t.now.atomic) {
        pthread_mutex_lock(&d->check->races->lock);
        synchronise(d->check->races, d, me.group);
        pthread_mutex_unlock(&d->check->races->lock);
    }
}
